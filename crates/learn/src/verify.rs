//! Predictions beside what the program really did.
//!
//! A leaf is *confirmed* if inputs that were made to test it arrived there and all behaved as predicted, *refuted* if one
//! did not, and *untested* if none arrived. Counting is linear in inputs times targets.

use gramercy_base::{LimitReached, Set};
use gramercy_language::Language;
use gramercy_parse::TextParser;

use crate::behaviour::Observed;
use crate::model::{Model, ModelError, ModelNode, Status};
use crate::predict::{Predictor, Questions, leaf};

/// Correct and wrong predictions, over pairs of an input and a target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Predicted to be covered, and covered.
    pub true_positives: u64,
    /// Predicted to be covered, and not covered.
    pub false_positives: u64,
    /// Predicted not to be covered, and not covered.
    pub true_negatives: u64,
    /// Predicted not to be covered, and covered.
    pub false_negatives: u64,
}

impl Confusion {
    /// Counts a prediction.
    pub fn add(&mut self, predicted: bool, real: bool) {
        let counter = match (predicted, real) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, false) => &mut self.true_negatives,
            (false, true) => &mut self.false_negatives,
        };
        *counter += 1;
    }

    /// The share of correct predictions.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        let right = self.true_positives + self.true_negatives;
        share(right, right + self.false_positives + self.false_negatives)
    }

    /// The share of pairs that are covered among those that are predicted to be.
    #[must_use]
    pub fn precision(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// The share of pairs that are predicted to be covered among those that are.
    #[must_use]
    pub fn recall(&self) -> f64 {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of predictions are far below 2^53")]
fn share(some: u64, all: u64) -> f64 {
    if all == 0 { 1.0 } else { some as f64 / all as f64 }
}

/// Compares the predictions of a model's trees with what the program did. Inputs that the grammar rejects do not count.
/// Returns one entry per target with a tree, in the order of the model.
///
/// # Errors
/// If the model names unknown features, or they are beyond the limits.
pub fn compare(
    language: &Language,
    parser: &TextParser,
    model: &Model,
    inputs: &[Observed],
) -> Result<Vec<Confusion>, VerifyError> {
    let mut found = vec![Confusion::default(); model.targets.len()];
    for_each_leaf(language, parser, model, inputs, |target, _, predicted, real| {
        found[target].add(predicted, real);
    })?;
    Ok(found)
}

/// Marks each leaf of the targets with what inputs that were made to test it say.
///
/// # Errors
/// If the model names unknown features, or they are beyond the limits.
pub fn mark(
    language: &Language,
    parser: &TextParser,
    model: &mut Model,
    tests: &[Observed],
) -> Result<(), VerifyError> {
    let nodes = model.targets.iter().map(|target| vec![Status::Untested; target.tree.len()]);
    let mut statuses: Vec<Vec<Status>> = nodes.collect();
    for_each_leaf(language, parser, model, tests, |target, node, predicted, real| {
        let status = &mut statuses[target][node];
        *status = match (*status, predicted == real) {
            (Status::Refuted, _) | (_, false) => Status::Refuted,
            (_, true) => Status::Confirmed,
        };
    })?;
    for (target, statuses) in model.targets.iter_mut().zip(statuses) {
        for (node, status) in target.tree.iter_mut().zip(statuses) {
            if let ModelNode::Leaf(leaf) = node {
                leaf.status = status;
            }
        }
    }
    Ok(())
}

/// Calls `visit` with each target, the leaf that an input arrives at, the prediction, and what the program did.
fn for_each_leaf(
    language: &Language,
    parser: &TextParser,
    model: &Model,
    inputs: &[Observed],
    mut visit: impl FnMut(usize, usize, bool, bool),
) -> Result<(), VerifyError> {
    let questions = Questions::new(model).map_err(VerifyError::Model)?;
    let mut predictor = Predictor::new(language, parser, &questions).map_err(VerifyError::Limit)?;
    for input in inputs {
        let Ok(answers) = predictor.answers(&input.text) else { continue };
        let covered: Set<&str> =
            input.report.covered.iter().map(|(target, _)| &*target.name).collect();
        for (number, target) in model.targets.iter().enumerate() {
            let (node, leaf) = leaf(&target.tree, &answers);
            visit(number, node, leaf.is_covered(), covered.contains(&*target.info.name));
        }
    }
    Ok(())
}

/// Why predictions cannot be compared.
#[derive(Clone, Debug, PartialEq)]
pub enum VerifyError {
    /// The model cannot be used.
    Model(ModelError),
    /// Its features are beyond the limits.
    Limit(LimitReached),
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model(error) => error.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for VerifyError {}
