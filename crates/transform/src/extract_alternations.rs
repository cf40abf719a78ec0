//! Replaces every alternation inside a right-hand side by a new rule: `A := "a" (B | "b")* ;`
//! becomes `A := "a" A_1* ; A_1 := B | "b" ;`. Rules are numbered in textual order, outer
//! alternations before inner ones. Linear.

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId};

use crate::rebuild::{Copying, Occurrence, Pass, below, rebuild};

/// The grammar with a rule for every inner alternation.
///
/// # Errors
/// If the grammar is larger than the limit on symbols allows.
pub fn extract_alternations(grammar: &Grammar, limits: &Limits) -> Result<Grammar, LimitReached> {
    rebuild(grammar, limits, &mut Extraction { grammar })
}

struct Extraction<'g> {
    grammar: &'g Grammar,
}

impl Pass for Extraction<'_> {
    fn new_rules(&self, rule: RuleId) -> Vec<(ExprId, usize)> {
        let inner = below(self.grammar, self.grammar.rules()[rule].body).skip(1);
        inner.filter(|&expr| is_choice(self.grammar, expr)).map(|expr| (expr, 1)).collect()
    }

    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        let ExprKind::Alternation(alternatives) = &self.grammar.expr(occurrence.expr).kind else {
            return Ok(copying.same(occurrence, parts));
        };
        let &[rule] = copying.new_rules(occurrence.expr) else {
            return Ok(copying.same(occurrence, parts));
        };
        let span = copying.span(occurrence);
        let alternatives = copying.alternatives(alternatives.iter().collect(), parts);
        copying.builder.define(rule, alternatives, span);
        Ok(copying.builder.reference(rule, span))
    }
}

/// Whether there is a real choice: a single alternative only carries attributes.
fn is_choice(grammar: &Grammar, expr: ExprId) -> bool {
    matches!(&grammar.expr(expr).kind, ExprKind::Alternation(alternatives) if alternatives.len() > 1)
}
