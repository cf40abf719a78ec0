//! Parameterized rules, as Lrama has them: their definitions and their uses.

use gramercy_base::{Diagnostic, IndexMap, to_u32};

use super::Parser;
use crate::codes;
use crate::yacc::ast::{Argument, ItemKind, Mention, Spelling, SymbolId, Template, Use};
use crate::yacc::lex::Kind;
use crate::yacc::shown;

impl Parser<'_, '_, '_> {
    /// A symbol, or a use of a parameterized rule.
    pub(super) fn symbol_item(&mut self) {
        let symbol = self.eat_symbol().expect("invariant: a symbol comes");
        let argument = if self.at_arguments(symbol) {
            self.use_of(symbol)
        } else {
            Some(self.suffixes(Argument::Symbol(symbol.symbol)))
        };
        let end = self.last.expect("invariant: a symbol was taken");
        let span = symbol.span.to(end);
        match argument {
            Some(Argument::Symbol(symbol)) => self.push_item(ItemKind::Symbol(symbol), span),
            Some(Argument::Use(index)) => self.push_item(ItemKind::Use(index), span),
            None => return,
        };
    }

    /// Whether the arguments of the last symbol are next.
    fn at_arguments(&self, symbol: Mention) -> bool {
        let named = self.file.symbols.spelling(symbol.symbol) == Spelling::Name;
        named && *self.peek() == Kind::Open
    }

    /// The use of a template whose `(` is next, with everything nested in it. An error is reported,
    /// and the use is skipped.
    fn use_of(&mut self, template: Mention) -> Option<Argument> {
        let mut open = Vec::new();
        self.open_use(template, &mut open);
        while let Some(symbol) = self.eat_symbol() {
            if self.at_arguments(symbol) {
                self.open_use(symbol, &mut open);
                continue;
            }
            let argument = self.suffixes(Argument::Symbol(symbol.symbol));
            match self.close_uses(argument, &mut open) {
                Some(whole) => return Some(whole),
                None if self.eat(&Kind::Comma) => {}
                None => break,
            }
        }
        self.unexpected("an argument, `,` or `)`");
        self.skip_group(open.len());
        None
    }

    fn open_use(&mut self, template: Mention, open: &mut Vec<Use>) {
        self.bump();
        let first = to_u32(self.file.uses.len());
        open.push(Use { template, arguments: Vec::new(), first });
    }

    /// Adds an argument to the innermost open use and closes all uses whose `)` is next; returns
    /// the outermost one if it is among them.
    fn close_uses(&mut self, mut argument: Argument, open: &mut Vec<Use>) -> Option<Argument> {
        while let Some(mut innermost) = open.pop() {
            innermost.arguments.push(argument);
            if !self.eat(&Kind::Close) {
                open.push(innermost);
                return None;
            }
            let index = self.push_use(innermost);
            argument = self.suffixes(Argument::Use(index));
        }
        Some(argument)
    }

    /// Skips the rest of an invalid group with this many open `(`.
    pub(super) fn skip_group(&mut self, mut depth: usize) {
        while depth > 0 {
            match self.peek() {
                Kind::Semicolon | Kind::Separator | Kind::End | Kind::Prologue => return,
                Kind::Directive(_) if !self.at_remark() => return,
                _ if self.at_rule() => return,
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            self.bump();
        }
        while let Kind::Suffix(_) = self.peek() {
            self.bump();
        }
    }

    /// Wraps an argument in the rules of its suffixes `?`, `*` and `+`.
    fn suffixes(&mut self, mut argument: Argument) -> Argument {
        while let Kind::Suffix(sign) = *self.peek() {
            let template = match sign {
                '?' => "option",
                '*' => "list",
                _ => "nonempty_list",
            };
            let span = self.bump().span;
            let template = self.file.symbols.intern(Spelling::Name, template);
            let first = match argument {
                Argument::Symbol(_) => to_u32(self.file.uses.len()),
                Argument::Use(inner) => self.file.uses[inner as usize].first,
            };
            let template = Mention { symbol: template, span };
            let index = self.push_use(Use { template, arguments: vec![argument], first });
            argument = Argument::Use(index);
        }
        argument
    }

    fn push_use(&mut self, new: Use) -> u32 {
        self.file.uses.push(new);
        to_u32(self.file.uses.len() - 1)
    }

    /// The definition after `%rule`: `%inline name(parameters) <tag> : alternatives ;`.
    pub(super) fn template(&mut self) {
        let inline = self.eat(&Kind::Directive("inline"));
        let Some((name, parameters)) = self.template_head() else {
            self.unexpected("`%rule name(parameters) : alternatives ;`");
            self.bump_unless_end();
            return self.skip_mistake();
        };
        let mut alternatives = Vec::new();
        loop {
            alternatives.push(self.alternative(name.symbol));
            if !self.eat(&Kind::Pipe) {
                break;
            }
        }
        let template = Template { parameters, inline, alternatives };
        if self.file.templates.contains_key(&name.symbol) {
            self.template_twice(name);
        } else {
            self.file.templates.insert(name.symbol, template);
        }
    }

    fn bump_unless_end(&mut self) {
        if !matches!(self.peek(), Kind::End | Kind::Separator) {
            self.bump();
        }
    }

    fn template_head(&mut self) -> Option<(Mention, IndexMap<SymbolId, ()>)> {
        if !matches!(self.peek(), Kind::Name(_)) {
            return None;
        }
        let name = self.eat_symbol()?;
        let mut parameters = IndexMap::default();
        if self.eat(&Kind::Open) {
            loop {
                parameters.insert(self.eat_symbol()?.symbol, ());
                if !self.eat(&Kind::Comma) {
                    break;
                }
            }
            if !self.eat(&Kind::Close) {
                return None;
            }
        }
        self.eat(&Kind::Tag);
        self.eat(&Kind::Colon).then_some((name, parameters))
    }

    fn template_twice(&mut self, name: Mention) {
        let text = self.file.symbols.text(name.symbol);
        let message = format!("the parameterized rule `{}` is defined twice", shown(text));
        self.report(Diagnostic::at(codes::DUPLICATE_RULE, name.span, message));
    }
}
