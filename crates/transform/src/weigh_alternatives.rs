//! Gives alternatives probabilities. Languages and trees stay the same. Linear.

use gramercy_base::{LimitReached, Limits, Map};
use gramercy_grammar::{AlternativeRef, ExprId, ExprKind, Grammar};

use crate::rebuild::{Copying, Occurrence, Pass, rebuild, set_probability};

/// The grammar with these probabilities; alternatives that are not listed keep what they have.
///
/// # Errors
/// If the grammar is larger than the limit on symbols allows.
pub fn weigh_alternatives(
    grammar: &Grammar,
    probabilities: &[(AlternativeRef, f64)],
    limits: &Limits,
) -> Result<Grammar, LimitReached> {
    rebuild(grammar, limits, &mut Weights(probabilities.iter().copied().collect()))
}

struct Weights(Map<AlternativeRef, f64>);

impl Pass for Weights {
    fn probability(&self, alternation: ExprId, index: u32) -> Option<f64> {
        self.0.get(&AlternativeRef { alternation, index }).copied()
    }

    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        let ExprKind::Alternation(alternatives) = &copying.grammar.expr(occurrence.expr).kind
        else {
            return Ok(copying.same(occurrence, parts));
        };
        let mut alternatives = alternatives.clone();
        for (index, alternative) in (0..).zip(&mut alternatives) {
            if let Some(probability) = self.probability(occurrence.expr, index) {
                set_probability(alternative, probability);
            }
        }
        Ok(copying.alternation(alternatives.iter().collect(), parts, occurrence))
    }
}
