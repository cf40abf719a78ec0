//! Makes the absence of an optional part an explicit alternative: `x?` becomes `x | ""`, `x*`
//! becomes `x+ | ""`, and `x{0,m}` becomes `x{1,m} | ""`. The empty literal is an ordinary node of
//! the grammar graph, so k-paths also cover absence. For a non-greedy quantifier the empty literal
//! comes first. Linear.

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Alternative, ExprId, ExprKind, Grammar};

use crate::rebuild::{Copying, Occurrence, Pass, rebuild};

/// The grammar with an explicit empty literal for every optional quantifier.
///
/// # Errors
/// If the grammar is larger than the limit on symbols allows.
pub fn epsilonize_quantifiers(grammar: &Grammar, limits: &Limits) -> Result<Grammar, LimitReached> {
    rebuild(grammar, limits, &mut Epsilonization)
}

struct Epsilonization;

impl Pass for Epsilonization {
    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        let ExprKind::Repeat { min: 0, max, greedy, .. } =
            copying.grammar.expr(occurrence.expr).kind
        else {
            return Ok(copying.same(occurrence, parts));
        };
        let span = copying.span(occurrence);
        let empty = copying.builder.empty(span);
        let some = match max {
            Some(0) => return Ok(empty),
            Some(1) => parts[0],
            _ => copying.builder.repeat(parts[0], 1, max, greedy, span),
        };
        let branches = if greedy { [some, empty] } else { [empty, some] };
        let branches = branches.map(Alternative::plain).into();
        Ok(copying.builder.alternation(branches, span))
    }
}
