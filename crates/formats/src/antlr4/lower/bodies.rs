//! Right-hand sides, and the characters in those of lexer rules.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::{Alternative, ExprId, TerminalKind};
use gramercy_regular::CharSet;

use super::{Lowering, Side, text_of};
use crate::antlr4::codes as antlr;
use crate::antlr4::sets::{self, Case};
use crate::antlr4::tree::{self, Atom, Block, Element, SetItem, SetItemKind};
use crate::codes;

impl Lowering<'_, '_> {
    pub(super) fn alternative(&mut self, alternative: &tree::Alternative, side: Side) -> ExprId {
        let mut items: Vec<_> =
            alternative.elements.iter().filter_map(|element| self.element(element, side)).collect();
        if !alternative.commands.is_empty() && !matches!(side, Side::Fragment(_)) {
            let commands = self.commands(&alternative.commands);
            if let [first, .., last] | [first @ last] = &alternative.commands[..] {
                let span = first.span().to(last.span());
                items.push(self.builder.commands(commands, span));
            }
        }
        self.builder.sequence(items, alternative.span)
    }

    fn block(&mut self, block: &Block, side: Side) -> ExprId {
        let alternatives = block.alternatives.iter();
        let alternatives =
            alternatives.map(|alternative| Alternative::plain(self.alternative(alternative, side)));
        let alternatives = alternatives.collect();
        self.builder.alternation(alternatives, block.span)
    }

    fn element(&mut self, element: &Element, side: Side) -> Option<ExprId> {
        let mut expr = self.atom(element, side)?;
        if let Some(label) = element.label {
            self.builder.label(expr, self.texts.get(label));
        }
        if let Some(suffix) = element.suffix {
            let span = element.span.to(suffix.span);
            expr = self.builder.repeat(expr, suffix.min, suffix.max, suffix.greedy, span);
        }
        Some(expr)
    }

    fn atom(&mut self, element: &Element, side: Side) -> Option<ExprId> {
        let span = element.span;
        let lowered = match (&element.atom, side) {
            (Atom::Code, _) => return None,
            (Atom::Broken, _) => None,
            (Atom::Block(block), _) => Some(self.block(block, side)),
            (Atom::Token, _) if self.texts.get(span) == "EOF" => Some(self.builder.eof(span)),
            (Atom::Token, Side::Syntax) => Some(self.token(span)),
            (Atom::Token | Atom::Rule, _) => self.rule_reference(element, side),
            (Atom::Literal, Side::Syntax) => {
                let token = self.literal_token(span);
                token.map(|token| self.builder.leaf(token, span))
            }
            (Atom::Any, Side::Syntax) => Some(self.any_token_but(&[], span)),
            (Atom::Not(items), Side::Syntax) => Some(self.any_token_but(items, span)),
            (Atom::Range(..), Side::Syntax) => self.range_in_parser(span),
            (Atom::Set, Side::Syntax) => unreachable!("invariant: the parser refuses such sets"),
            (atom, Side::Token(case) | Side::Fragment(case)) => self.text_atom(atom, span, case),
        };
        Some(lowered.unwrap_or_else(|| self.builder.empty(span)))
    }

    fn text_atom(&mut self, atom: &Atom, span: Span, case: Case) -> Option<ExprId> {
        let text = self.texts.get(span);
        let (set, name) = match atom {
            Atom::Literal => {
                let codes = sets::literal(self.reading, text, span)?;
                return Some(self.characters(&codes, text, span));
            }
            Atom::Any => (CharSet::any(), text.to_owned()),
            Atom::Set => (sets::char_set(self.reading, text, case, span)?, text.to_owned()),
            Atom::Range(first, last) => {
                let set = self.range(*first, *last, case, span)?;
                (set, format!("{}..{}", self.texts.get(*first), self.texts.get(*last)))
            }
            Atom::Not(items) => (self.complement(items, case)?, self.set_name(items)),
            Atom::Token | Atom::Rule | Atom::Block(_) | Atom::Code | Atom::Broken => {
                unreachable!("invariant: these are no text")
            }
        };
        if set.is_empty() {
            let message = "no character is in this set";
            self.reading.report(Diagnostic::at(codes::EMPTY_REGEX, span, message));
        }
        let terminal = self.builder.terminal(TerminalKind::Chars(set), &name, span);
        Some(self.builder.leaf(terminal, span))
    }

    /// One character after the other. Halves of surrogate pairs are no text, but sets of their own.
    pub(super) fn characters(&mut self, codes: &[u32], name: &str, span: Span) -> ExprId {
        if let Some(text) = text_of(codes) {
            return self.builder.literal(&text, name, span);
        }
        let items = codes.iter().map(|&code| {
            let kind = TerminalKind::Chars(sets::single(code, Case::Matters));
            let name = format!("'\\u{{{code:X}}}'");
            let terminal = self.builder.terminal(kind, &name, span);
            self.builder.leaf(terminal, span)
        });
        let items = items.collect();
        self.builder.sequence(items, span)
    }

    fn range(&mut self, first: Span, last: Span, case: Case, span: Span) -> Option<CharSet> {
        let low = sets::character(self.reading, self.texts.get(first), first);
        let high = sets::character(self.reading, self.texts.get(last), last);
        sets::range(self.reading, (low?, high?), case, span)
    }

    /// What is in none of the items.
    fn complement(&mut self, items: &[SetItem], case: Case) -> Option<CharSet> {
        let mut union = Some(Vec::new());
        for item in items {
            let text = self.texts.get(item.span);
            let set = match item.kind {
                SetItemKind::Token => self.rule_in_set(text, item.span),
                SetItemKind::Literal => {
                    let code = sets::character(self.reading, text, item.span);
                    code.map(|code| sets::single(code, case))
                }
                SetItemKind::Range(first, last) => self.range(first, last, case, item.span),
                SetItemKind::Set => sets::char_set(self.reading, text, case, item.span),
            };
            union = union.zip(set).map(|(mut ranges, set)| {
                ranges.extend_from_slice(set.ranges());
                ranges
            });
        }
        Some(CharSet::from_ranges(union?).complement())
    }

    fn rule_in_set(&mut self, name: &str, span: Span) -> Option<CharSet> {
        let message = format!("the rule `{name}` cannot be part of a set");
        let help = "write its characters out";
        self.reading.report(Diagnostic::at(antlr::RULE_IN_SET, span, message).help(help));
        None
    }
}
