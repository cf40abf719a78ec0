//! The rules: left-hand sides, alternatives, and their directives.

use gramercy_base::{Diagnostic, Span, to_u32};
use gramercy_grammar::NoteKind;

use super::{Parser, Section};
use crate::codes;
use crate::yacc::ast::{
    Alternative, AlternativeDirectives, IgnoredPart, Item, ItemKind, Spelling, SymbolId,
};
use crate::yacc::directive::Directive;
use crate::yacc::host_code::CodeFacts;
use crate::yacc::lex::{Kind, Token};
use crate::yacc::{codes as yacc_codes, shown};

impl<'t> Parser<'_, '_, 't> {
    pub(super) fn rules(&mut self) {
        loop {
            match self.peek() {
                Kind::Separator if self.section == Section::EarlyRules => {
                    self.bump();
                    self.section = Section::Rules;
                }
                Kind::Separator | Kind::End => return,
                Kind::Semicolon | Kind::Prologue => {
                    self.bump();
                }
                Kind::Pipe if self.lhs.is_some() => {
                    self.bump();
                    self.alternative_of_rule();
                }
                Kind::Pipe if self.recovering => {
                    self.bump();
                    self.skip_mistake();
                }
                Kind::Directive(_) => self.declaration(),
                _ if self.at_rule() => self.rule(),
                _ => self.no_rule(),
            }
        }
    }

    fn no_rule(&mut self) {
        self.lhs = None;
        let token = self.peek_at(0).clone();
        if let Kind::Name(name) = token.kind {
            let message = format!("`{}` begins no rule: there is no `:` after it", shown(name));
            let help = "a rule is written `name : alternatives ;`";
            self.report(Diagnostic::at(codes::SYNTAX, token.span, message).help(help));
        } else {
            self.unexpected("a rule");
        }
        self.bump();
        self.skip_mistake();
    }

    fn rule(&mut self) {
        let lhs = self.eat_symbol().expect("invariant: a rule begins with its name");
        if self.file.symbols.spelling(lhs.symbol) != Spelling::Name {
            let name = self.file.symbols.name(lhs.symbol).into_owned();
            let message = format!("the quoted token {} cannot have a rule", shown(&name));
            self.report(Diagnostic::at(codes::SYNTAX, lhs.span, message));
            self.lhs = None;
            return self.skip_mistake();
        }
        if matches!(self.peek(), Kind::Label(_)) {
            self.bump();
        }
        self.bump();
        self.file.rules.entry(lhs.symbol).or_insert(lhs.span);
        (self.lhs, self.recovering) = (Some(lhs.symbol), false);
        self.alternative_of_rule();
    }

    fn alternative_of_rule(&mut self) {
        let lhs = self.lhs.expect("invariant: a rule is open");
        let alternative = self.alternative(lhs);
        self.file.alternatives.push(alternative);
    }

    /// An alternative, after its `:` or `|`.
    pub(super) fn alternative(&mut self, lhs: SymbolId) -> Alternative {
        let first = self.file.items.len();
        let opening = self.last.expect("invariant: a token was taken");
        let mut span = Span { start: opening.end, ..opening };
        let mut directives = AlternativeDirectives::default();
        let mut empty = None;
        self.action_labels.clear();
        while let Some(step) = self.item(first) {
            match step {
                AlternativeElement::Item => {}
                AlternativeElement::Remark(word, at) => {
                    self.directive_of_alternative(word, at, &mut directives, &mut empty);
                }
                AlternativeElement::Mistake => {
                    self.unexpected("a symbol, an action, `|` or `;`");
                    if self.eat(&Kind::Open) {
                        self.skip_group(1);
                    } else {
                        self.skip_mistake();
                    }
                }
            }
        }
        let items = &self.file.items[first..];
        match items {
            [] => span = empty.unwrap_or(span),
            [only] => span = only.span,
            [first, .., last] => span = first.span.to(last.span),
        }
        let is_empty = matches!(items, [] | [Item { kind: ItemKind::Action { .. }, .. }]);
        if let Some(at) = empty
            && !is_empty
        {
            let message = "`%empty` is in an alternative that is not empty";
            self.report(Diagnostic::at(yacc_codes::NOT_EMPTY, at, message));
        }
        let items = to_u32(first)..to_u32(self.file.items.len());
        Alternative { lhs, items, span, directives }
    }

    /// Takes one item of the alternative whose items begin at `first`. `None` is its end.
    fn item(&mut self, first: usize) -> Option<AlternativeElement<'t>> {
        match self.peek() {
            Kind::Pipe | Kind::Semicolon | Kind::Separator | Kind::End => None,
            Kind::Directive(_) => {
                if !self.at_remark() {
                    return None;
                }
                let Token { kind: Kind::Directive(word), span } = self.bump() else {
                    unreachable!("invariant: a directive comes");
                };
                Some(AlternativeElement::Remark(word, span))
            }
            Kind::Name(_) | Kind::Quoted(_) | Kind::Text(_) => {
                if self.at_rule() {
                    return None;
                }
                self.symbol_item();
                Some(AlternativeElement::Item)
            }
            Kind::Code(_) => {
                let Token { kind: Kind::Code(facts), span } = self.bump() else {
                    unreachable!("invariant: code comes");
                };
                self.action(&facts, span, first);
                Some(AlternativeElement::Item)
            }
            Kind::Predicate => {
                let span = self.bump().span;
                let message = "a predicate is ignored: the original may accept less".into();
                self.file.asides.push(IgnoredPart { kind: NoteKind::Predicate, span, message });
                self.push_item(ItemKind::Action { valued: false }, span);
                Some(AlternativeElement::Item)
            }
            Kind::Tag | Kind::Prologue => {
                self.bump();
                Some(AlternativeElement::Item)
            }
            Kind::Comma => {
                self.comma();
                Some(AlternativeElement::Item)
            }
            Kind::Equal if matches!(self.peek_at(1).kind, Kind::Code(_)) => {
                self.bump();
                Some(AlternativeElement::Item)
            }
            _ => Some(AlternativeElement::Mistake),
        }
    }

    fn comma(&mut self) {
        let span = self.bump().span;
        if !self.comma_reported {
            self.comma_reported = true;
            let message = "a comma between symbols has no meaning";
            let help = "quote it if it is a token: `','`";
            self.report(Diagnostic::at(yacc_codes::STRAY_COMMA, span, message).help(help));
        }
    }

    pub(super) fn push_item(&mut self, kind: ItemKind, span: Span) -> usize {
        let index = self.file.items.len();
        self.file.items.push(Item { kind, span });
        if let Kind::Label(label) = *self.peek() {
            self.bump();
            self.file.labels.insert(to_u32(index), label);
        }
        index
    }

    fn action(&mut self, facts: &CodeFacts<'t>, span: Span, first: usize) {
        let (count, place) = self.file.actions.unwrap_or((0, span));
        self.file.actions = Some((count + 1, place));
        let positions = facts
            .positions
            .iter()
            .filter_map(|&position| Some(first + usize::try_from(position).ok()?.checked_sub(1)?));
        let names = facts.names.iter().filter_map(|name| self.action_labels.get(name).copied());
        for used in positions.chain(names) {
            if let Some(Item { kind: ItemKind::Action { valued }, .. }) =
                self.file.items.get_mut(used)
            {
                *valued = true;
            }
        }
        self.note_steering(facts, span);
        let index = self.push_item(ItemKind::Action { valued: facts.own_value }, span);
        if let Some(&label) = self.file.labels.get(&to_u32(index)) {
            self.action_labels.insert(label, index);
        }
    }

    fn note_steering(&mut self, facts: &CodeFacts<'t>, span: Span) {
        if facts.rejects {
            let message = "this action may reject what the grammar accepts".into();
            self.file.asides.push(IgnoredPart { kind: NoteKind::Predicate, span, message });
        }
        if facts.accepts {
            let message = "this action may accept before the end of input".into();
            self.file.asides.push(IgnoredPart { kind: NoteKind::HostCode, span, message });
        }
    }

    /// A directive of an alternative.
    fn directive_of_alternative(
        &mut self,
        word: &str,
        span: Span,
        directives: &mut AlternativeDirectives,
        empty: &mut Option<Span>,
    ) {
        let twice = match Directive::of(word) {
            Some(Directive::Prec) => match self.eat_symbol() {
                Some(token) => directives.prec.replace(token).is_some(),
                None => return self.bad_directive("a token", word),
            },
            Some(Directive::DynamicPrec) => match self.eat_number() {
                Some(rank) => directives.dynamic_prec.replace(rank).is_some(),
                None => return self.bad_directive("a number", word),
            },
            Some(Directive::Merge) => match self.eat(&Kind::Tag) {
                true => false,
                false => return self.bad_directive("a function in `<>`", word),
            },
            Some(Directive::Empty) => empty.replace(span).is_some(),
            _ => match self.eat_number() {
                Some(_) => false,
                None => return self.bad_directive("a number", word),
            },
        };
        if twice {
            let message = format!("`%{word}` is repeated in one alternative");
            self.report(Diagnostic::at(yacc_codes::SAID_TWICE, span, message));
        }
    }

    fn bad_directive(&mut self, wanted: &str, word: &str) {
        self.unexpected(&format!("{wanted} after `%{word}`"));
        self.skip_mistake();
    }
}

/// An element of an alternative.
enum AlternativeElement<'t> {
    Item,
    Remark(&'t str, Span),
    Mistake,
}
