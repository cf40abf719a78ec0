//! Resolves names and literals: references to rules, or occurrences of token types.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::{ExprId, TerminalId, TerminalKind};

use super::{GrammarPart, Lowering, text_of};
use crate::antlr4::codes as antlr;
use crate::antlr4::sets;
use crate::antlr4::symbols::{LiteralMeaning, TokenOrigin};
use crate::antlr4::tree::{Element, SetItem, SetItemKind};
use crate::codes;

impl<'a> Lowering<'a, '_> {
    pub(super) fn rule_reference(
        &mut self,
        element: &Element,
        side: GrammarPart,
    ) -> Option<ExprId> {
        let name = self.texts.get(element.span);
        let known = match side {
            GrammarPart::Syntax => self.syntax.get(name),
            GrammarPart::Token(_) | GrammarPart::Fragment(_) => self.lexical.get(name),
        };
        match known {
            Some(&rule) => Some(self.builder.reference(rule, element.span)),
            None => {
                self.report_undefined(name, element.span, side);
                None
            }
        }
    }

    fn report_undefined(&mut self, name: &'a str, span: Span, side: GrammarPart) {
        if side != GrammarPart::Syntax && self.syntax.contains_key(name) {
            if self.is_new(antlr::MISPLACED_RULE, name) {
                let message = format!("a lexer rule cannot refer to the parser rule `{name}`");
                self.reading.report(Diagnostic::at(antlr::MISPLACED_RULE, span, message));
            }
            return;
        }
        if !self.is_missing(codes::UNDEFINED_RULE, name) {
            return;
        }
        let rules = match side {
            GrammarPart::Syntax => &self.grammar.syntax[..],
            GrammarPart::Token(_) | GrammarPart::Fragment(_) => {
                self.lexer.map_or(&[][..], |lexer| &lexer.lexical)
            }
        };
        let known = rules.iter().map(|rule| self.texts.get(rule.name));
        let message = format!("there is no rule `{name}`");
        let mut diagnostic = Diagnostic::at(codes::UNDEFINED_RULE, span, message);
        diagnostic.help = Self::suggestion(&mut self.suggestions, name, known);
        self.reading.report(diagnostic);
    }

    /// An occurrence of a token type in a parser rule.
    pub(super) fn token(&mut self, span: Span) -> ExprId {
        let token = self.token_named(span);
        self.builder.leaf(token, span)
    }

    fn token_named(&mut self, span: Span) -> TerminalId {
        let name = self.texts.get(span);
        let is_open = self.vocabulary.open && self.lexer.is_none();
        match self.symbols.tokens.get(name) {
            Some(TokenOrigin::Known) => {}
            None if is_open => {}
            other => self.report_implicit(name, span, other.copied()),
        }
        self.builder.token(name, Some(span))
    }

    fn report_implicit(&mut self, name: &'a str, span: Span, origin: Option<TokenOrigin>) {
        if !self.is_missing(antlr::IMPLICIT_TOKEN, name) {
            return;
        }
        let message = match origin {
            Some(TokenOrigin::Fragment) => format!("the fragment `{name}` makes no tokens"),
            Some(TokenOrigin::Retyped) => {
                format!("the rule `{name}` gives its tokens another type")
            }
            Some(TokenOrigin::Known) | None => format!("no lexer rule makes the token `{name}`"),
        };
        let tokens = self.symbols.tokens.keys().copied().filter(|&known| known != name);
        let mut diagnostic = Diagnostic::at(antlr::IMPLICIT_TOKEN, span, message);
        diagnostic.help = match origin {
            Some(TokenOrigin::Fragment) => Some("remove the word `fragment`".to_owned()),
            _ => Self::suggestion(&mut self.suggestions, name, tokens),
        };
        self.reading.report(diagnostic.note("no text can contain this token"));
    }

    /// The token type of a literal in a parser rule.
    pub(super) fn literal_token(&mut self, span: Span) -> Option<TerminalId> {
        let raw = self.texts.get(span);
        match self.symbols.literals.get(raw) {
            Some(LiteralMeaning::Token(name, _)) => Some(self.builder.token(name, Some(span))),
            Some(LiteralMeaning::Itself) => Some(self.builder.token(raw, Some(span))),
            Some(&LiteralMeaning::Ambiguous(first, second)) => {
                self.report_ambiguous(raw, span, first, second);
                None
            }
            None if self.vocabulary.open && self.lexer.is_none() => self.open_literal(raw, span),
            None => {
                self.report_unknown_literal(raw, span);
                None
            }
        }
    }

    /// A literal without a known lexer: a token type with this text.
    fn open_literal(&mut self, raw: &str, span: Span) -> Option<TerminalId> {
        let known = self.builder.known_token(raw);
        if known.is_some() {
            return known;
        }
        let codes = sets::literal(self.reading, raw, span)?;
        let token = self.builder.token(raw, Some(span));
        if let Some(text) = text_of(&codes) {
            self.builder.set_token_text(token, &text);
        }
        Some(token)
    }

    fn report_ambiguous(&mut self, raw: &'a str, span: Span, first: Span, second: Span) {
        if !self.is_new(codes::AMBIGUOUS_LITERAL, raw) {
            return;
        }
        let message = format!("{raw} is the text of several lexer rules");
        let help = "use the name of the intended rule";
        let diagnostic = Diagnostic::at(codes::AMBIGUOUS_LITERAL, span, message).help(help);
        let diagnostic = diagnostic.label(first, "of this one").label(second, "and of this one");
        self.reading.report(diagnostic);
    }

    fn report_unknown_literal(&mut self, raw: &'a str, span: Span) {
        if !self.is_missing(antlr::UNKNOWN_LITERAL, raw) {
            return;
        }
        let message = format!("no lexer rule has {raw} as its whole body");
        let help = match self.lexer {
            Some(lexer) => format!("add a rule `NAME : {raw} ;` to the grammar `{}`", lexer.name),
            None => {
                "name a lexer grammar with `tokenVocab`, or make this a combined grammar".into()
            }
        };
        self.reading.report(Diagnostic::at(antlr::UNKNOWN_LITERAL, span, message).help(help));
    }

    /// `.` or `~(…)` in a parser rule.
    pub(super) fn any_token_but(&mut self, items: &[SetItem], span: Span) -> ExprId {
        let mut members = Vec::with_capacity(items.len());
        for item in items {
            match item.kind {
                // The end of input is not a token, so it is always excluded.
                SetItemKind::Token if self.texts.get(item.span) == "EOF" => {}
                SetItemKind::Token => members.push(self.token_named(item.span)),
                SetItemKind::Literal => members.extend(self.literal_token(item.span)),
                SetItemKind::Range(..) => drop(self.range_in_parser(item.span)),
                SetItemKind::Set => unreachable!("invariant: the parser rejects such sets"),
            }
        }
        members.sort_unstable();
        members.dedup();
        let kind = TerminalKind::AnyTokenBut(members.into());
        let terminal = self.builder.terminal(kind, &self.set_name(items), span);
        self.builder.leaf(terminal, span)
    }

    pub(super) fn range_in_parser(&mut self, span: Span) -> Option<ExprId> {
        let message = "a range of characters is not allowed in a parser rule";
        let help = "move it to a lexer rule and refer to that";
        self.reading.report(Diagnostic::at(antlr::RANGE_IN_PARSER, span, message).help(help));
        None
    }

    /// A set as written, without spaces.
    pub(super) fn set_name(&self, items: &[SetItem]) -> String {
        let names: Vec<_> = items.iter().map(|item| self.texts.get(item.span)).collect();
        match names[..] {
            [] => ".".to_owned(),
            [only] => format!("~{only}"),
            _ => format!("~({})", names.join("|")),
        }
    }
}
