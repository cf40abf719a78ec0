//! From the rules of a file to a grammar, for the notations without tokens and declarations.

use std::path::Path;

use gramercy_base::{Diagnostic, Table};
use gramercy_grammar::{Grammar, GrammarBuilder, Notation, RuleId, RuleKind};

use super::lower::{self, TextLeaves};
use super::roots::{Rules, SelfReference};
use super::syntax::{ExprNode, ExprNodeKind, NameId, RuleSyntax, Tree};
use super::{names, probabilities};
use crate::{Reading, codes};

/// The rules of a file.
pub(crate) struct File<'t> {
    pub(crate) text: &'t str,
    pub(crate) tree: Tree,
    pub(crate) rules: Vec<RuleSyntax>,
}

impl File<'_> {
    /// The grammar, if it has no error.
    pub(crate) fn into_grammar(
        self,
        reading: &mut Reading<'_>,
        notation: Notation,
        path: &Path,
    ) -> Option<Grammar> {
        if self.rules.is_empty() {
            report_no_rules(reading, "rule");
            return None;
        }
        let definition = |(index, rule): (usize, &RuleSyntax)| (rule.name, rule.span, index);
        let definitions = self.rules.iter().enumerate().map(definition);
        let of_name = names::define(reading, &self.tree, definitions);
        names::report_undefined(reading, &self.tree, &self.rules, &of_name);
        probabilities::check(reading, &self.tree, &self.rules);
        let start = self.start(reading, &of_name)?;
        if reading.has_errors() {
            return None;
        }
        Some(self.build(reading, &of_name, notation, path, start))
    }

    fn start(
        &self,
        reading: &mut Reading<'_>,
        of_name: &Table<NameId, Option<usize>>,
    ) -> Option<usize> {
        let rules = Rules { tree: &self.tree, rules: &self.rules, of_name };
        let start = match rules.asked_for(reading).ok()? {
            Some(asked_for) => asked_for,
            None => rules.root(reading, SelfReference::LastResort)?,
        };
        rules.warn_of_unconnected(reading, start);
        Some(start)
    }

    fn build(
        &self,
        reading: &Reading<'_>,
        of_name: &Table<NameId, Option<usize>>,
        notation: Notation,
        path: &Path,
        start: usize,
    ) -> Grammar {
        let mut builder = GrammarBuilder::new(&names::grammar_name(path), notation);
        let declare = |rule: &RuleSyntax| {
            builder.declare(self.tree.text(rule.name), RuleKind::Syntax, rule.span)
        };
        let ids: Vec<RuleId> = self.rules.iter().map(declare).collect();
        let rule_of = |node: &ExprNode| match node.kind {
            ExprNodeKind::Name(name) => of_name[name].map(|index| ids[index]),
            _ => None,
        };
        let mut leaves = TextLeaves { text: self.text, rules: &rule_of };
        for (rule, &id) in self.rules.iter().zip(&ids) {
            let alternatives = lower::alternatives(&self.tree, rule, &mut builder, &mut leaves);
            builder.define(id, alternatives, rule.body);
        }
        builder.finish(ids[start], reading.sources().clone())
    }
}

/// Reports that a file has no rule of a kind, unless it has other errors that explain it.
pub(crate) fn report_no_rules(reading: &mut Reading<'_>, what: &str) {
    if !reading.has_errors() {
        let message = format!("there is no {what} in this file");
        reading.report(Diagnostic::new(codes::NO_RULES, message));
    }
}
