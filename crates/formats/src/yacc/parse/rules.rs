//! The rules: left-hand sides, alternatives, and what is said of them.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::NoteKind;

use super::{Parser, Section};
use crate::codes;
use crate::yacc::ast::{Alternative, Aside, Item, ItemKind, Remarks, Spelling, SymbolId, fit};
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
            let message = format!("`{}` begins no rule: there is no `:` behind it", shown(name));
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

    /// An alternative, whose `:` or `|` was just taken.
    pub(super) fn alternative(&mut self, lhs: SymbolId) -> Alternative {
        let first = self.file.items.len();
        let opening = self.last.expect("invariant: a token was taken");
        let mut span = Span { start: opening.end, ..opening };
        let mut remarks = Remarks::default();
        let mut empty = None;
        self.action_labels.clear();
        while let Some(step) = self.item(first) {
            match step {
                Step::Item => {}
                Step::Remark(word, at) => self.remark(word, at, &mut remarks, &mut empty),
                Step::Mistake => {
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
            let message = "`%empty` stands in an alternative that is not empty";
            self.report(Diagnostic::at(yacc_codes::NOT_EMPTY, at, message));
        }
        let items = fit(first)..fit(self.file.items.len());
        Alternative { lhs, items, span, remarks }
    }

    /// Takes one item of the alternative whose items begin at `first`. `None` is its end.
    fn item(&mut self, first: usize) -> Option<Step<'t>> {
        match self.peek() {
            Kind::Pipe | Kind::Semicolon | Kind::Separator | Kind::End => None,
            Kind::Directive(_) => {
                if !self.at_remark() {
                    return None;
                }
                let Token { kind: Kind::Directive(word), span } = self.bump() else {
                    unreachable!("invariant: a directive comes");
                };
                Some(Step::Remark(word, span))
            }
            Kind::Name(_) | Kind::Quoted(_) | Kind::Text(_) => {
                if self.at_rule() {
                    return None;
                }
                self.symbol_item();
                Some(Step::Item)
            }
            Kind::Code(_) => {
                let Token { kind: Kind::Code(facts), span } = self.bump() else {
                    unreachable!("invariant: code comes");
                };
                self.action(&facts, span, first);
                Some(Step::Item)
            }
            Kind::Predicate => {
                let span = self.bump().span;
                let message = "a predicate was set aside: the original may accept less".into();
                self.file.asides.push(Aside { kind: NoteKind::Predicate, span, message });
                self.push_item(ItemKind::Action { valued: false }, span);
                Some(Step::Item)
            }
            Kind::Tag | Kind::Prologue => {
                self.bump();
                Some(Step::Item)
            }
            Kind::Comma => {
                self.comma();
                Some(Step::Item)
            }
            Kind::Equal if matches!(self.peek_at(1).kind, Kind::Code(_)) => {
                self.bump();
                Some(Step::Item)
            }
            _ => Some(Step::Mistake),
        }
    }

    fn comma(&mut self) {
        let span = self.bump().span;
        if !self.comma_reported {
            self.comma_reported = true;
            let message = "a comma between symbols means nothing";
            let help = "quote it if a token is meant: `','`";
            self.report(Diagnostic::at(yacc_codes::STRAY_COMMA, span, message).help(help));
        }
    }

    pub(super) fn push_item(&mut self, kind: ItemKind, span: Span) -> usize {
        let index = self.file.items.len();
        self.file.items.push(Item { kind, span });
        if let Kind::Label(label) = *self.peek() {
            self.bump();
            self.file.labels.insert(fit(index), label);
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
        if let Some(&label) = self.file.labels.get(&fit(index)) {
            self.action_labels.insert(label, index);
        }
    }

    fn note_steering(&mut self, facts: &CodeFacts<'t>, span: Span) {
        if facts.rejects {
            let message = "this action may reject what the grammar accepts".into();
            self.file.asides.push(Aside { kind: NoteKind::Predicate, span, message });
        }
        if facts.accepts {
            let message = "this action may accept before the end of input".into();
            self.file.asides.push(Aside { kind: NoteKind::HostCode, span, message });
        }
    }

    /// What a directive says of the alternative in which it stands.
    fn remark(&mut self, word: &str, span: Span, remarks: &mut Remarks, empty: &mut Option<Span>) {
        let twice = match Directive::of(word) {
            Some(Directive::Prec) => match self.eat_symbol() {
                Some(token) => remarks.prec.replace(token).is_some(),
                None => return self.bad_remark("a token", word),
            },
            Some(Directive::DynamicPrec) => match self.eat_number() {
                Some(rank) => remarks.dynamic_prec.replace(rank).is_some(),
                None => return self.bad_remark("a number", word),
            },
            Some(Directive::Merge) => match self.eat(&Kind::Tag) {
                true => false,
                false => return self.bad_remark("a function in `<>`", word),
            },
            Some(Directive::Empty) => empty.replace(span).is_some(),
            _ => match self.eat_number() {
                Some(_) => false,
                None => return self.bad_remark("a number", word),
            },
        };
        if twice {
            let message = format!("`%{word}` is said twice of one alternative");
            self.report(Diagnostic::at(yacc_codes::SAID_TWICE, span, message));
        }
    }

    fn bad_remark(&mut self, wanted: &str, word: &str) {
        self.unexpected(&format!("{wanted} behind `%{word}`"));
        self.skip_mistake();
    }
}

/// What was taken of an alternative.
enum Step<'t> {
    Item,
    Remark(&'t str, Span),
    Mistake,
}
