//! Inputs that put the conditions of a tree to the test.
//!
//! Each leaf of a tree is a hypothesis: inputs that fulfil its conditions cover the target, or do not. Inputs that fulfil
//! them can refute it. A second kind of hypothesis hides in each condition: that it matters. Inputs that fulfil all
//! conditions of a leaf but one, which they violate, lie on the other side of that condition (Kampmann, Havrikov,
//! Soremekun, Zeller, "When does my program do this?", ESEC/FSE 2020, section 3.4, negate one requirement at a time too).
//!
//! Example: for a tree with the leaf `A and not B`, the probes are inputs with A and without B, inputs without A and
//! without B, and inputs with both.

use gramercy_base::{Draw, LimitReached};
use gramercy_derive::Candidate;
use gramercy_language::Language;
use gramercy_lexis::{Choice, Writer};

use super::constraint::Constraint;
use super::product::Product;
use crate::model::{Clause, Model, TargetModel};

/// How many trees are drawn in search of a text that is new.
const DRAWS: u64 = 4;
/// The largest room of a probe beyond the smallest tree, in tokens and productions.
const ROOM: usize = 40;

/// The conditions of all probes of a tree: first those of its leaves, then those on the other side of each condition.
#[must_use]
pub fn probes(model: &Model, target: &TargetModel) -> Vec<Constraint> {
    let leaves = target.conjunctions();
    let mut found: Vec<Constraint> = Vec::new();
    let mut add = |clauses: &[Clause]| {
        let constraint = Constraint::new(model, clauses);
        if !constraint.is_contradictory() && !found.contains(&constraint) {
            found.push(constraint);
        }
    };
    leaves.iter().for_each(|(clauses, _)| add(clauses));
    for (clauses, _) in &leaves {
        for at in 0..clauses.len() {
            let mut other = clauses.clone();
            other[at].is_present = !other[at].is_present;
            add(&other);
        }
    }
    found
}

/// Writes texts that fulfil conditions.
pub struct Prober<'p> {
    writable: &'p Language,
    writer: Writer<'p>,
    seed: u64,
}

impl<'p> Prober<'p> {
    /// A prober that draws sentences of `writable` and writes them with `writer`.
    #[must_use]
    pub fn new(writable: &'p Language, writer: Writer<'p>, seed: u64) -> Self {
        Self { writable, writer, seed }
    }

    /// Up to `count` different texts that fulfil the conditions, the smallest first. `round` makes other texts each time.
    /// Empty if no sentence fulfils the conditions.
    ///
    /// # Errors
    /// If the conditions are too large for the grammar.
    pub fn texts(
        &mut self,
        constraint: &Constraint,
        count: usize,
        round: u64,
    ) -> Result<Vec<String>, LimitReached> {
        let product = Product::new(self.writable, constraint)?;
        let mut texts: Vec<String> = Vec::new();
        if !product.is_feasible() {
            return Ok(texts);
        }
        for number in 0..count as u64 * DRAWS {
            let mut draw = Draw::new([self.seed, round, number, 0x0070_726f_6265]);
            let is_smallest = number == 0 && round == 0;
            let room = if is_smallest { 0 } else { draw.below(ROOM) };
            let mut candidate = Candidate::default();
            product.draw(u32::try_from(room).unwrap_or(0), &mut draw, &mut candidate);
            let choice = Choice { seed: self.seed ^ round, test: number, fixed: &[] };
            let Ok(written) = self.writer.write(&candidate.tokens, &choice) else { continue };
            if !texts.contains(&written.text) {
                texts.push(written.text);
            }
            if texts.len() == count {
                break;
            }
        }
        Ok(texts)
    }
}
