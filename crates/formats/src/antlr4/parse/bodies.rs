//! Right-hand sides: alternatives and their elements.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::{Associativity, NoteKind};

use super::rules::is_keyword;
use super::{Parsed, Parser, Reported};
use crate::antlr4::codes as antlr;
use crate::antlr4::lex::{Kind, is_token_name};
use crate::antlr4::tree::{
    Alternative, Atom, Block, CommandSyntax, Element, IgnoredCode, SetItem, SetItemKind, Suffix,
};
use crate::codes;

impl Parser<'_, '_, '_> {
    pub(super) fn alternatives(&mut self, depth: usize) -> Parsed<Block> {
        let mut alternatives = vec![self.alternative(depth)?];
        while self.eat(Kind::Or).is_some() {
            alternatives.push(self.alternative(depth)?);
        }
        let span = alternatives[0].span.to(alternatives[alternatives.len() - 1].span);
        Ok(Block { alternatives, span })
    }

    fn alternative(&mut self, depth: usize) -> Parsed<Alternative> {
        let start = self.next.span;
        let associativity = self.element_options()?.and_then(|options| options.associativity);
        let mut elements = Vec::new();
        while self.rule_name.is_none()
            && let Some(element) = self.element(depth)?
        {
            elements.push(element);
        }
        // Most alternatives have one or two elements, and a file may have millions of alternatives.
        elements.shrink_to_fit();
        let commands = match self.eat(Kind::Arrow) {
            Some(arrow) => self.commands(arrow)?,
            None => Vec::new(),
        };
        let label = self.alternative_label()?;
        let empty = Span { end: start.start, ..start };
        let is_empty = elements.is_empty() && commands.is_empty() && label.is_none();
        let span = if is_empty { empty } else { start.to(self.last) };
        Ok(Alternative { elements, commands, label, associativity, span })
    }

    /// `# Name` after an alternative.
    fn alternative_label(&mut self) -> Parsed<Option<Span>> {
        let Some(hash) = self.eat(Kind::Hash) else {
            return Ok(None);
        };
        if self.lexical {
            self.report(Diagnostic::at(codes::SYNTAX, hash, "labels are for parser rules"));
        }
        self.expect(Kind::Name, "the alternative's name").map(Some)
    }

    /// `-> skip, mode(X)`, after its arrow.
    fn commands(&mut self, arrow: Span) -> Parsed<Vec<CommandSyntax>> {
        if !self.lexical {
            let message = "commands are for lexer rules";
            self.report(Diagnostic::at(codes::SYNTAX, arrow, message));
        }
        let mut commands = Vec::new();
        loop {
            let name = self.expect(Kind::Name, "a lexer command")?;
            let mut argument = None;
            if self.eat(Kind::LeftParenthesis).is_some() {
                argument = Some(match self.next.kind {
                    Kind::Name | Kind::Integer => self.bump().span,
                    _ => return Err(self.unexpected("a name or a number")),
                });
                self.expect(Kind::RightParenthesis, "`)`")?;
            }
            commands.push(CommandSyntax { name, argument });
            if self.eat(Kind::Comma).is_none() {
                return Ok(commands);
            }
        }
    }

    /// The next element, if one begins here.
    fn element(&mut self, depth: usize) -> Parsed<Option<Element>> {
        let (atom, span, label) = match self.next.kind {
            Kind::Name => match self.name_or_label(depth)? {
                Some(found) => found,
                None => return Ok(None),
            },
            Kind::LeftBrace => return self.code_element().map(Some),
            _ => match self.atom(depth)? {
                Some((atom, span)) => (atom, span, None),
                None => return Ok(None),
            },
        };
        let adorned = self.adornment()?;
        let suffix = self.suffix()?;
        Ok(Some(Element { atom, span, label, suffix, adorned }))
    }

    /// A reference, or a label and its element; nothing at the head of the next rule.
    fn name_or_label(&mut self, depth: usize) -> Parsed<Option<(Atom, Span, Option<Span>)>> {
        if is_keyword(self.text(self.next.span)) {
            return Ok(None);
        }
        let before = self.last;
        let name = self.bump().span;
        match self.next.kind {
            Kind::Colon => {
                self.last = before;
                self.missing_semicolon();
                self.rule_name = Some(name);
                Ok(None)
            }
            Kind::Assign | Kind::PlusAssign => {
                self.bump();
                self.check_label(name);
                let labeled = match self.next.kind {
                    Kind::Name => Some(self.reference()?),
                    _ => self.atom(depth)?,
                };
                match labeled {
                    Some((atom, span)) => Ok(Some((atom, span, Some(name)))),
                    None => Err(self.unexpected("an element after the label")),
                }
            }
            _ => {
                let atom = self.referred(name)?;
                Ok(Some((atom, name, None)))
            }
        }
    }

    fn check_label(&mut self, label: Span) {
        if self.lexical {
            let message = "lexer rules have no labels";
            let help = "remove the label";
            self.report(Diagnostic::at(codes::SYNTAX, label, message).help(help));
        }
    }

    fn reference(&mut self) -> Parsed<(Atom, Span)> {
        let name = self.bump().span;
        Ok((self.referred(name)?, name))
    }

    /// The reference of a name; its arguments are ignored.
    fn referred(&mut self, name: Span) -> Parsed<Atom> {
        let is_token = is_token_name(self.text(name));
        if self.at(Kind::LeftBracket) && !self.lexical {
            if is_token {
                return Err(self.unexpected("no arguments for a token"));
            }
            self.arguments()?;
        }
        Ok(if is_token { Atom::Token } else { Atom::Rule })
    }

    fn atom(&mut self, depth: usize) -> Parsed<Option<(Atom, Span)>> {
        let start = self.next.span;
        let atom = match self.next.kind {
            Kind::Literal => {
                let first = self.bump().span;
                match self.eat(Kind::Range) {
                    Some(_) => Atom::Range(first, self.expect(Kind::Literal, "a literal")?),
                    None => Atom::Literal,
                }
            }
            Kind::LeftBracket if self.lexical => {
                self.skip_enclosed();
                Atom::Set
            }
            Kind::LeftBracket => {
                let help = "move it to a lexer rule and refer to that".into();
                return Err(self.complain("an element of a parser rule", Some(help)));
            }
            Kind::Tilde => {
                self.bump();
                Atom::Not(self.excluded()?)
            }
            Kind::Dot => {
                self.bump();
                Atom::Any
            }
            Kind::LeftParenthesis => self.block(depth + 1)?,
            _ => return Ok(None),
        };
        Ok(Some((atom, start.to(self.last))))
    }

    fn block(&mut self, depth: usize) -> Parsed<Atom> {
        let open = self.bump().span;
        if depth > self.nesting {
            self.skip_block(open);
            return Ok(Atom::Broken);
        }
        let has_options = self.at_word("options") && self.lexer.brace_follows();
        if has_options || self.at(Kind::At) {
            self.block_head()?;
        }
        self.eat(Kind::Colon);
        let block = self.alternatives(depth)?;
        if self.rule_name.is_some() {
            return Err(Reported);
        }
        if self.eat(Kind::RightParenthesis).is_none() {
            return self.unclosed().map(|()| Atom::Broken);
        }
        Ok(Atom::Block(block))
    }

    /// A missing parenthesis is one error, and the only one if the rule ends here.
    fn unclosed(&mut self) -> Parsed<()> {
        let at_the_end = self.at(Kind::Semicolon);
        if at_the_end && self.unclosed {
            return Ok(());
        }
        self.unclosed = true;
        let reported = self.unexpected("`|` or `)`");
        if at_the_end { Ok(()) } else { Err(reported) }
    }

    /// `options {…} @init {…}` at the beginning of a block, up to the colon.
    fn block_head(&mut self) -> Parsed<()> {
        if self.eat_word("options") {
            self.options_body()?;
        }
        while self.at(Kind::At) {
            self.rule_action()?;
        }
        match self.at(Kind::Colon) {
            true => Ok(()),
            false => Err(self.unexpected("`:`")),
        }
    }

    /// Skips to after the parenthesis that closes an open one.
    fn skip_block(&mut self, open: Span) {
        if !self.too_deep {
            self.too_deep = true;
            let message = format!("parentheses are nested more than {} deep", self.nesting);
            let help = "define rules for inner parts";
            self.report(Diagnostic::at(codes::NESTED_TOO_DEEPLY, open, message).help(help));
        }
        let mut depth = 1;
        while depth > 0 {
            match self.next.kind {
                Kind::LeftParenthesis => depth += 1,
                Kind::RightParenthesis => depth -= 1,
                Kind::Semicolon | Kind::End => return,
                Kind::LeftBrace | Kind::LeftBracket => {
                    self.skip_enclosed();
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// The set after `~`.
    fn excluded(&mut self) -> Parsed<Vec<SetItem>> {
        if self.eat(Kind::LeftParenthesis).is_none() {
            return Ok(vec![self.set_item()?]);
        }
        let mut items = vec![self.set_item()?];
        while self.eat(Kind::Or).is_some() {
            items.push(self.set_item()?);
        }
        self.expect(Kind::RightParenthesis, "`|` or `)`")?;
        Ok(items)
    }

    fn set_item(&mut self) -> Parsed<SetItem> {
        let start = self.next.span;
        let kind = match self.next.kind {
            Kind::Literal => match self.atom(0)? {
                Some((Atom::Range(first, last), _)) => SetItemKind::Range(first, last),
                _ => SetItemKind::Literal,
            },
            Kind::LeftBracket if self.lexical => {
                self.skip_enclosed();
                SetItemKind::Set
            }
            Kind::Name if is_token_name(self.text(start)) => {
                self.bump();
                SetItemKind::Token
            }
            _ if self.lexical => return Err(self.unexpected("a character, a range or a set")),
            _ => return Err(self.unexpected("a token or a literal")),
        };
        let span = start.to(self.last);
        self.adornment()?;
        Ok(SetItem { kind, span })
    }

    /// `{…}`, `{…}?`, `{…}?<fail='…'>` and ANTLR 3's `{…}?=>`.
    fn code_element(&mut self) -> Parsed<Element> {
        let mut span = self.code()?;
        let mut kind = NoteKind::Action;
        if let Some(question) = self.eat(Kind::Question) {
            kind = NoteKind::Predicate;
            span = span.to(question);
        }
        if kind == NoteKind::Predicate && self.at(Kind::Assign) {
            self.bump();
            let end = self.expect(Kind::Greater, "`>`")?;
            let message = "gated predicates exist only in ANTLR 3";
            let help = "write `{…}?`";
            self.report(Diagnostic::at(antlr::OLD_SYNTAX, span.to(end), message).help(help));
        }
        self.file.asides.push(IgnoredCode { kind, span });
        let adorned = self.adornment()?;
        let (atom, label, suffix) = (Atom::Code, None, None);
        Ok(Element { atom, span, label, suffix, adorned })
    }

    fn suffix(&mut self) -> Parsed<Option<Suffix>> {
        let (min, max) = match self.next.kind {
            Kind::Question => (0, Some(1)),
            Kind::Star => (0, None),
            Kind::Plus => (1, None),
            _ => return Ok(None),
        };
        let start = self.bump().span;
        let greedy = self.eat(Kind::Question).is_none();
        let span = start.to(self.last);
        if matches!(self.next.kind, Kind::Question | Kind::Star | Kind::Plus) {
            let message = "a second repetition of the same element";
            let help = "put parentheses around the inner repetition";
            self.report(Diagnostic::at(codes::SYNTAX, self.next.span, message).help(help));
            while matches!(self.next.kind, Kind::Question | Kind::Star | Kind::Plus) {
                self.bump();
            }
        }
        Ok(Some(Suffix { min, max, greedy, span }))
    }

    /// Options of an element, which have no effect on the language. Returns whether there were any.
    fn adornment(&mut self) -> Parsed<bool> {
        let start = self.next.span;
        let Some(options) = self.element_options()? else {
            return Ok(false);
        };
        if options.associativity.is_some() {
            let span = start.to(self.last);
            let message = "an associativity is valid only at the beginning of an alternative";
            let help = "write it there; here ANTLR ignores it";
            let code = antlr::MISPLACED_ASSOCIATIVITY;
            self.report(Diagnostic::at(code, span, message).help(help));
        }
        Ok(true)
    }

    /// `<assoc=right, name, other='value'>`.
    fn element_options(&mut self) -> Parsed<Option<ElementOptions>> {
        if self.eat(Kind::Less).is_none() {
            return Ok(None);
        }
        let mut options = ElementOptions { associativity: None };
        while self.eat(Kind::Greater).is_none() {
            let name = self.qualified_name()?;
            if self.eat(Kind::Assign).is_some() {
                let value = self.option_value()?;
                if self.text(name) == "assoc" {
                    options.associativity = self.associativity(value);
                }
            }
            if !self.at(Kind::Greater) {
                self.expect(Kind::Comma, "`,` or `>`")?;
            }
        }
        Ok(Some(options))
    }

    fn associativity(&mut self, value: Span) -> Option<Associativity> {
        match self.text(value) {
            "right" => Some(Associativity::Right),
            "left" => Some(Associativity::Left),
            other => {
                let message = format!("an associativity is `left` or `right`, not `{other}`");
                self.report(Diagnostic::at(antlr::BAD_OPTION, value, message));
                None
            }
        }
    }
}

struct ElementOptions {
    associativity: Option<Associativity>,
}
