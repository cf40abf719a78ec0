//! Gives alternatives probabilities. Languages and trees stay the same. Linear.

use gramercy_base::{LimitReached, Limits, Map};
use gramercy_grammar::{AlternativeRef, Attributes, ExprId, ExprKind, Grammar};

use crate::rebuild::{Copying, Occurrence, Pass, rebuild};

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
            let of = AlternativeRef { alternation: occurrence.expr, index };
            if let Some(&probability) = self.0.get(&of) {
                let mut attributes = match &alternative.attributes {
                    Some(attributes) => (**attributes).clone(),
                    None => Attributes::default(),
                };
                attributes.probability = Some(probability);
                alternative.attributes = Some(Box::new(attributes));
            }
        }
        Ok(copying.alternation(alternatives.iter().collect(), parts, occurrence))
    }
}
