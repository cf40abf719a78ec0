//! The suspicion of rules from explained failures.

use gramercy_base::{IndexMap, Table};
use gramercy_grammar::RuleId;

use crate::ranking::{Ranked, rank};
use crate::search::failure::{Effort, Examined, Examiner};
use crate::search::weights::Weights;
use crate::subject::Subject;

/// Options of localization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What changes cost.
    pub weights: Weights,
    /// How much is searched.
    pub effort: Effort,
}

/// The outcome of localization.
#[derive(Clone, Debug)]
pub struct Localized {
    /// All rules of the file, the most suspicious first.
    pub ranking: Vec<Ranked>,
    /// What is known about each failing input.
    pub failing: Vec<Examined>,
}

/// Ranks the rules of a grammar by how well changes of them explain the failing inputs.
#[must_use]
pub fn localize(subject: &Subject<'_>, failing: &[&str], options: &Options) -> Localized {
    let mut examiner = Examiner::new(subject, options.weights.clone(), options.effort.clone());
    let failing: Vec<_> = failing.iter().map(|text| examiner.examine(text)).collect();
    let mut scores = Table::filled(0.0, subject.grammar().rules().len());
    for examined in &failing {
        add(subject, &options.weights, examined, &mut scores);
    }
    Localized { ranking: rank(subject.grammar(), &scores), failing }
}

fn add(subject: &Subject<'_>, weights: &Weights, examined: &Examined, scores: &mut Table<RuleId, f64>) {
    let mut weight = 1.0;
    for error in &examined.errors {
        let mut best: IndexMap<RuleId, f64> = IndexMap::default();
        for explanation in &error.explanations {
            let lowest = best.entry(explanation.rule).or_insert(f64::INFINITY);
            *lowest = lowest.min(explanation.energy);
        }
        let least = best.values().copied().fold(f64::INFINITY, f64::min);
        let likelihood = |energy: f64| (-(energy - least) / weights.temperature).exp();
        let sum: f64 = best.values().map(|&energy| likelihood(energy)).sum();
        for (&rule, &energy) in &best {
            scores[rule] += weight * likelihood(energy) / sum;
        }
        for &(rule, slot) in &error.live {
            let is_read = subject.slots().dot(slot) > 0;
            scores[rule] += weight * if is_read { 1e-6 } else { 1e-7 };
        }
        weight *= weights.later * error.progress;
    }
    for &slot in &examined.used {
        if let Some(rule) = subject.owner(slot) {
            scores[rule] += 1e-9;
        }
    }
    for &rule in &examined.matched {
        scores[rule] += 1e-9;
    }
}
