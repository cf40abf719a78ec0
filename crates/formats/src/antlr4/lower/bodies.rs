//! Right-hand sides, and the characters in those of lexer rules.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::{Alternative, ExprId, TerminalKind};

use super::{GrammarPart, Lowering, text_of};
use crate::antlr4::sets::{self, Case};
use crate::antlr4::tree::{self, Atom, Block, Element};
use crate::codes;

impl Lowering<'_, '_> {
    pub(super) fn alternative(
        &mut self,
        alternative: &tree::Alternative,
        side: GrammarPart,
    ) -> ExprId {
        let mut items: Vec<_> =
            alternative.elements.iter().filter_map(|element| self.element(element, side)).collect();
        if !alternative.commands.is_empty() && !matches!(side, GrammarPart::Fragment(_)) {
            let commands = self.commands(&alternative.commands);
            if let [first, .., last] | [first @ last] = &alternative.commands[..] {
                let span = first.span().to(last.span());
                items.push(self.builder.commands(commands, span));
            }
        }
        self.builder.sequence(items, alternative.span)
    }

    fn block(&mut self, block: &Block, side: GrammarPart) -> ExprId {
        let alternatives = block.alternatives.iter();
        let alternatives =
            alternatives.map(|alternative| Alternative::plain(self.alternative(alternative, side)));
        let alternatives = alternatives.collect();
        self.builder.alternation(alternatives, block.span)
    }

    fn element(&mut self, element: &Element, side: GrammarPart) -> Option<ExprId> {
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

    fn atom(&mut self, element: &Element, side: GrammarPart) -> Option<ExprId> {
        let span = element.span;
        let lowered = match (&element.atom, side) {
            (Atom::Code, _) => return None,
            (Atom::Broken, _) => None,
            (Atom::Block(block), _) => Some(self.block(block, side)),
            (Atom::Token, _) if self.texts.get(span) == "EOF" => Some(self.builder.eof(span)),
            (Atom::Token, GrammarPart::Syntax) => Some(self.token(span)),
            (Atom::Token | Atom::Rule, _) => self.rule_reference(element, side),
            (Atom::Literal, GrammarPart::Syntax) => {
                let token = self.literal_token(span);
                token.map(|token| self.builder.leaf(token, span))
            }
            (Atom::Any, GrammarPart::Syntax) => Some(self.any_token_but(&[], span)),
            (Atom::Not(items), GrammarPart::Syntax) => Some(self.any_token_but(items, span)),
            (Atom::Range(..), GrammarPart::Syntax) => self.range_in_parser(span),
            (Atom::Set, GrammarPart::Syntax) => {
                unreachable!("invariant: the parser rejects such sets")
            }
            (atom, GrammarPart::Token(case) | GrammarPart::Fragment(case)) => {
                self.text_atom(atom, span, case)
            }
        };
        Some(lowered.unwrap_or_else(|| self.builder.empty(span)))
    }

    fn text_atom(&mut self, atom: &Atom, span: Span, case: Case) -> Option<ExprId> {
        let text = self.texts.get(span);
        let name = match atom {
            Atom::Literal => {
                let codes = sets::literal(self.reading, text, span)?;
                return Some(self.characters(&codes, text, case, span));
            }
            Atom::Range(first, last) => {
                format!("{}..{}", self.texts.get(*first), self.texts.get(*last))
            }
            Atom::Not(items) => self.set_name(items),
            _ => text.to_owned(),
        };
        let set = sets::of_atom(self.reading, self.texts, atom, span, case)?;
        if set.is_empty() {
            let message = "no character is in this set";
            self.reading.report(Diagnostic::at(codes::EMPTY_REGEX, span, message));
        }
        let terminal = self.builder.terminal(TerminalKind::Chars(set), &name, span);
        Some(self.builder.leaf(terminal, span))
    }

    /// The characters one after the other. Halves of surrogate pairs are not text, so they become
    /// sets.
    pub(super) fn characters(
        &mut self,
        codes: &[u32],
        name: &str,
        case: Case,
        span: Span,
    ) -> ExprId {
        if let Some(text) = text_of(codes) {
            return self.builder.literal(&text, name, span);
        }
        let items = codes.iter().map(|&code| {
            let kind = TerminalKind::Chars(sets::single(code, case));
            let name = format!("'\\u{{{code:X}}}'");
            let terminal = self.builder.terminal(kind, &name, span);
            self.builder.leaf(terminal, span)
        });
        let items = items.collect();
        self.builder.sequence(items, span)
    }
}
