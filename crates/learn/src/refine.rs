//! The feedback loop: generate inputs that could refute what was learned, run the program, learn again.
//!
//! Havrikov, Kampmann and Zeller leave this loop to the future (TOSEM, section 5); Kampmann et al. have it for failures
//! ("When does my program do this?", ESEC/FSE 2020). A round makes inputs on both sides of each condition of each
//! requested target (see [`probes`](crate::target::probes)), the targets in turn, so that a small budget is shared
//! fairly. The program runs on all of them, and every run says something about every target. The loop is *settled* when in
//! two rounds, one after the other, all inputs behaved as predicted and the trees asked the same questions as before; else
//! it ends with the budget. In the end each leaf is marked by the inputs that were made for tests.
//!
//! How the program is run is the caller's business.
//!
//! Example: 8 inputs suggest that a function is called if there is a product and a pair of parentheses. The first round
//! makes `(x*y)`, which has both and does not call it. The next tree asks for parentheses below a product.
//!
//! A round costs one product of grammar and condition for each probe, the runs, and the training.

use gramercy_base::{LimitReached, Set};
use gramercy_parse::TextParser;

use crate::behaviour::Observed;
use crate::dataset::Dataset;
use crate::model::{Model, ModelNode, TargetModel};
use crate::target::constraint::Constraint;
use crate::target::probes::{Prober, probes};
use crate::verify::{Confusion, VerifyError, compare, mark};

/// The number of rounds without a surprise after which nothing more is expected.
const QUIET: u32 = 2;

/// How a model is refined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefineOptions {
    /// The targets; empty for all.
    pub targets: Vec<String>,
    /// The most runs of the program.
    pub runs: usize,
    /// The most rounds.
    pub rounds: u64,
    /// The most inputs for each condition and round.
    pub per_condition: usize,
}

impl Default for RefineOptions {
    fn default() -> Self {
        Self { targets: Vec::new(), runs: 1000, rounds: 10, per_condition: 2 }
    }
}

/// Why the loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All inputs of the last rounds behaved as predicted, and nothing changed.
    Settled,
    /// No further input puts a condition to the test.
    NothingToTry,
    /// The budget is used up.
    Budget,
}

/// A refined model.
pub struct Refined {
    /// The model, with the status of each leaf.
    pub model: Model,
    /// Why the loop ended.
    pub ended: Ended,
    /// The rounds.
    pub rounds: u64,
    /// The runs of the program.
    pub runs: usize,
    /// The inputs that were made for tests, with what the program did.
    pub tests: Vec<Observed>,
}

/// Why a model cannot be refined; `E` is why the program cannot be run.
#[derive(Debug)]
pub enum RefineError<E> {
    /// The program cannot be run.
    Run(E),
    /// A condition is too large for the grammar.
    Limit(LimitReached),
    /// The model cannot be used.
    Verify(VerifyError),
}

/// Refines what is learned from a dataset. `run` runs the program on texts; texts on which it has no coverage may be
/// missing in the answer.
///
/// # Errors
/// See [`RefineError`].
pub fn refine<E>(
    dataset: &mut Dataset<'_>,
    prober: &mut Prober<'_>,
    options: &RefineOptions,
    run: &mut dyn FnMut(Vec<String>) -> Result<Vec<Observed>, E>,
) -> Result<Refined, RefineError<E>> {
    let (language, parser) = (dataset.language(), dataset.parser());
    let mut model = dataset.train();
    let (mut tests, mut runs, mut round, mut quiet) = (Vec::new(), 0, 0, 0);
    let ended = loop {
        let left = options.runs.saturating_sub(runs);
        if left == 0 || round == options.rounds {
            break Ended::Budget;
        }
        let texts = round_of(dataset, prober, &model, options, (round, left))
            .map_err(RefineError::Limit)?;
        if texts.is_empty() {
            break Ended::NothingToTry;
        }
        runs += texts.len();
        round += 1;
        let observed = run(texts).map_err(RefineError::Run)?;
        let is_right = is_as_predicted(language, parser, &model, &observed, options)?;
        dataset.add(observed.clone());
        tests.extend(observed);
        let next = dataset.train();
        let is_same = has_same_questions(&model, &next, options);
        model = next;
        quiet = if is_right && is_same { quiet + 1 } else { 0 };
        if quiet == QUIET {
            break Ended::Settled;
        }
    };
    mark(language, parser, &mut model, &tests).map_err(RefineError::Verify)?;
    Ok(Refined { model, ended, rounds: round, runs, tests })
}

/// The requested targets of a model.
fn chosen<'m>(
    model: &'m Model,
    options: &'m RefineOptions,
) -> impl Iterator<Item = (usize, &'m TargetModel)> {
    let is_chosen = |target: &TargetModel| {
        options.targets.is_empty() || options.targets.contains(&target.info.name)
    };
    model.targets.iter().enumerate().filter(move |(_, target)| is_chosen(target))
}

/// New texts for the conditions of the requested targets: first one for each, the targets in turn, then more.
fn round_of(
    dataset: &Dataset<'_>,
    prober: &mut Prober<'_>,
    model: &Model,
    options: &RefineOptions,
    (round, most): (u64, usize),
) -> Result<Vec<String>, LimitReached> {
    let mut queues: Vec<std::vec::IntoIter<Constraint>> =
        chosen(model, options).map(|(_, target)| probes(model, target).into_iter()).collect();
    let mut done: Set<Constraint> = Set::default();
    let (mut texts, mut known) = (Vec::new(), Set::default());
    while !queues.is_empty() && texts.len() < most {
        let next: Vec<Constraint> = queues.iter_mut().filter_map(Iterator::next).collect();
        queues.retain(|queue| queue.len() > 0);
        for constraint in next {
            // Targets that behave alike have the same conditions.
            if texts.len() >= most || done.contains(&constraint) {
                continue;
            }
            for text in prober.texts(&constraint, options.per_condition, round)? {
                if texts.len() < most && !dataset.has(&text) && known.insert(text.clone()) {
                    texts.push(text);
                }
            }
            done.insert(constraint);
        }
    }
    Ok(texts)
}

fn is_as_predicted<E>(
    language: &gramercy_language::Language,
    parser: &TextParser,
    model: &Model,
    observed: &[Observed],
    options: &RefineOptions,
) -> Result<bool, RefineError<E>> {
    let found = compare(language, parser, model, observed).map_err(RefineError::Verify)?;
    let is_right = |of: &Confusion| of.false_positives + of.false_negatives == 0;
    Ok(chosen(model, options).all(|(number, _)| is_right(&found[number])))
}

/// Whether the requested targets of both models have trees with the same questions.
fn has_same_questions(old: &Model, new: &Model, options: &RefineOptions) -> bool {
    let shapes = |model: &Model| -> Vec<_> {
        chosen(model, options)
            .map(|(_, target)| (target.info.name.clone(), questions(model, target)))
            .collect()
    };
    shapes(old) == shapes(new)
}

/// The questions of a tree from top to bottom, and `None` for each leaf.
fn questions(model: &Model, target: &TargetModel) -> Vec<Option<crate::Feature>> {
    let question = |node: &ModelNode| match node {
        ModelNode::Split { feature, .. } => Some(model.features[*feature][0].clone()),
        ModelNode::Leaf(_) => None,
    };
    target.tree.iter().map(question).collect()
}
