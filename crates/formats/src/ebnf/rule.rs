//! The common syntax of right-hand sides in all notations: parentheses, bars, and the end of a
//! rule.

use gramercy_base::{Diagnostic, Span};

use super::body::Body;
use super::codes::MISSING_SEMICOLON;
use super::numbers::Lost;
use super::scanner::Scanner;
use super::syntax::{NameId, RuleSyntax};
use crate::codes;

/// A rule whose right-hand side is being read.
pub(crate) struct OpenRule {
    pub(crate) name: NameId,
    pub(crate) span: Span,
    pub(crate) body: Body,
    start: usize,
    first_node: usize,
}

impl Scanner<'_, '_, '_> {
    /// Begins the right-hand side of a rule.
    pub(crate) fn open_rule(&mut self, name: NameId, span: Span) -> OpenRule {
        self.trivia();
        let start = self.cursor.offset();
        OpenRule { name, span, body: Body::new(self.here()), start, first_node: self.tree.len() }
    }

    /// Ends the right-hand side of a rule. Open parentheses are reported.
    pub(crate) fn close_rule(&mut self, rule: OpenRule) -> RuleSyntax {
        let OpenRule { name, span, body, start, first_node } = rule;
        let here = self.here();
        let branches = body.finish(&mut self.tree, here);
        let body = self.cursor.span_from(start);
        RuleSyntax { name, span, branches, body, nodes: first_node..self.tree.len() }
    }

    /// Opens the next parenthesis, unless the nesting is too deep.
    pub(crate) fn open_group(
        &mut self,
        body: &mut Body,
        label: Option<Box<str>>,
    ) -> Result<(), Lost> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let parenthesis = self.cursor.span_from(start);
        let limit = self.reading.limits().nesting;
        if body.depth() >= limit {
            let message = format!("parentheses are nested more than {limit} deep");
            let help = "define a rule for an inner part";
            let diagnostic = Diagnostic::at(codes::NESTED_TOO_DEEPLY, parenthesis, message);
            self.reading.report(diagnostic.help(help));
            return Err(Lost);
        }
        body.open(parenthesis, label);
        Ok(())
    }

    /// Closes the next parenthesis and returns whether one was open. If not, it is reported.
    pub(crate) fn close_group(&mut self, body: &mut Body) -> bool {
        let start = self.cursor.offset();
        self.cursor.bump();
        let parenthesis = self.cursor.span_from(start);
        let closed = body.close(&mut self.tree, parenthesis);
        if !closed {
            self.reading.syntax_error(parenthesis, "this `)` has no `(`");
        }
        closed
    }

    /// Takes the next bar.
    pub(crate) fn bar(&mut self, body: &mut Body) {
        let start = self.cursor.offset();
        self.cursor.bump();
        body.bar(&mut self.tree, self.cursor.span_from(start));
    }

    /// Reads the probability of the current alternative, after `@@`.
    pub(crate) fn mark_probability(&mut self, body: &mut Body) {
        let probability = self.probability();
        body.end_items();
        if let Some(probability) = probability
            && body.marks().probability.replace(probability).is_some()
        {
            let message = "this alternative has a probability already";
            self.reading.syntax_error(probability.span, message);
        }
    }

    /// Reports a parenthesis that is open at the end of a rule; returns whether there is one.
    pub(crate) fn report_unclosed(&mut self, body: &Body) -> bool {
        let Some(parenthesis) = body.unclosed() else { return false };
        let diagnostic = Diagnostic::at(codes::SYNTAX, parenthesis, "this `(` has no `)`");
        self.reading.report(diagnostic.label(self.next_span(), "the rule ends here"));
        true
    }

    /// Reports that the semicolon is missing at the end of the file; the rule's last item ends at
    /// `end`.
    pub(crate) fn end_of_file_in_rule(&mut self, body: &Body, end: usize) {
        if !self.report_unclosed(body) {
            let message = "the last rule has no `;`";
            let place = Span::new(self.here().source, end, end);
            self.reading.report(Diagnostic::at(MISSING_SEMICOLON, place, message));
        }
    }

    /// Reports that the semicolon is missing between `end` and the next rule's name.
    pub(crate) fn next_rule_in_rule(&mut self, body: &Body, name: Span, end: usize) {
        if !self.report_unclosed(body) {
            let place = Span::new(name.source, end, end);
            let diagnostic =
                Diagnostic::at(codes::SYNTAX, place, "expected `;` at the end of the rule");
            self.reading.report(diagnostic.label(name, "the next rule begins here"));
        }
    }
}
