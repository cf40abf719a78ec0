//! The suspicion of every rule, from failing and passing tests.
//!
//! A wrongly rejected test is explained by [`search`](crate::search): each of its errors distributes one vote over the
//! rules, by the likelihood of the best change of each rule. A wrongly accepted test votes by its spectrum: elements
//! that no passing test exercises, and those that read the token which should have been refused, where that is known.
//! Later errors of a test count less, and less still where reading went on by a poor explanation.
//!
//! Where several faults are expected, the tests that the first rule explains are removed and the rest votes again, as
//! FLITSR does (Callaghan and Fischer, ISSTA 2023).

use gramercy_base::{IndexMap, Table, to_u32};
use gramercy_grammar::RuleId;

use crate::ranking::{Ranked, rank};
use crate::search::Explanation;
use crate::search::failure::{Depth, Effort, Examined, Examiner};
use crate::search::weights::Weights;
use crate::spectra::{self, Element, Metric, Spectrum};
use crate::subject::Subject;

/// Options of localization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How suspicion is computed.
    pub metric: Metric,
    /// What is tested.
    pub under: Under,
    /// The number of faults, where it is known. This number of rules, which together explain all failing tests, comes
    /// first. 0 means as many rules as are needed.
    pub faults: Option<usize>,
    /// What changes cost.
    pub weights: Weights,
    /// How much is searched.
    pub effort: Effort,
}

/// What is tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Under {
    /// The grammar itself.
    #[default]
    Grammar,
    /// A program; the grammar is the reference.
    Program,
}

/// What a failing test should have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// It should be accepted.
    Accept,
    /// It should be rejected, at this byte if that is known.
    Reject(Option<usize>),
}

/// A failing test.
#[derive(Clone, Copy, Debug)]
pub struct FailingTest<'t> {
    /// Its text.
    pub text: &'t str,
    /// What it should have done.
    pub wanted: Wanted,
    /// The rule that was changed to make it, by its name.
    pub mutated: Option<&'t str>,
}

impl<'t> FailingTest<'t> {
    /// A test that should be accepted.
    #[must_use]
    pub fn rejected(text: &'t str) -> Self {
        Self { text, wanted: Wanted::Accept, mutated: None }
    }
}

/// A failing test that points at a rule.
#[derive(Clone, Debug)]
pub struct Pointer {
    /// The number of the test.
    pub test: usize,
    /// Where in its text.
    pub byte: usize,
    /// The change of the rule that explains it best, if it is explained by one.
    pub explanation: Option<Explanation>,
    /// Its vote for the rule.
    pub vote: f64,
}

/// The outcome of localization.
#[derive(Clone, Debug)]
pub struct Localized {
    /// All rules of the file, the most suspicious first.
    pub ranking: Vec<Ranked>,
    /// For each rule, the failing tests that point at it, the clearest first.
    pub pointers: Table<RuleId, Vec<Pointer>>,
    /// The tests that do not fail: accepted though they were given as wrongly rejected, or the reverse.
    pub not_failing: Vec<usize>,
    /// What is known about each failing test.
    pub failing: Vec<Examined>,
}

/// Ranks the rules of a grammar.
#[must_use]
pub fn localize(
    subject: &Subject<'_>,
    failing: &[FailingTest<'_>],
    passing: &[&str],
    options: &Options,
) -> Localized {
    let mut examiner = Examiner::new(subject, options.weights.clone(), options.effort.clone());
    let explains = options.metric == Metric::Explain && options.under == Under::Grammar;
    let depth = if explains { Depth::Explanations } else { Depth::Spectrum };
    let examined: Vec<_> = failing.iter().map(|test| examiner.examine(test.text, depth)).collect();
    let not_failing = failing
        .iter()
        .zip(&examined)
        .enumerate()
        .filter(|(_, (test, examined))| {
            (test.wanted == Wanted::Accept) == examined.errors.is_empty()
        })
        .map(|(at, _)| at)
        .collect();
    let spectrum = |examined: &Examined| {
        let mut spectrum = match &examined.tree {
            Some(tree) => spectra::of_derivations(tree),
            None => spectra::of_slots(subject, &examined.used),
        };
        spectrum.extend(examined.matched.iter().map(|&rule| Element::Token(rule)));
        spectrum
    };
    let failed: Vec<Spectrum> = examined.iter().map(spectrum).collect();
    let passed: Vec<Spectrum> =
        passing.iter().map(|text| spectrum(&examiner.examine(text, Depth::Spectrum))).collect();
    let suspicions = spectra::suspicions(subject, options.metric, &failed, &passed);
    let mut pointers = Table::filled(Vec::new(), subject.grammar().rules().len());
    let mut scores = match options.metric {
        Metric::Explain => suspicions.map(|_, suspicion| 1e-4 * suspicion),
        _ => suspicions.clone(),
    };
    let votes: Vec<_> = examined
        .iter()
        .enumerate()
        .map(|(test, of)| match (of.errors.is_empty(), explains) {
            (false, true) => votes(subject, &options.weights, of, test, &mut pointers),
            _ => accepted_votes(subject, of, &failing[test], test, &suspicions, &mut pointers),
        })
        .collect();
    if options.metric == Metric::Explain {
        for (&rule, &vote) in votes.iter().flatten() {
            scores[rule] += vote;
        }
        if let Some(faults) = options.faults {
            prefer_faults(&votes, faults, &mut scores);
        }
    }
    pointers.values_mut().for_each(|pointers| pointers.sort_by(|a, b| b.vote.total_cmp(&a.vote)));
    Localized {
        ranking: rank(subject.grammar(), &scores),
        pointers,
        not_failing,
        failing: examined,
    }
}

/// The votes of a test, by rule.
type Votes = IndexMap<RuleId, f64>;

/// The votes of a rejected test.
fn votes(
    subject: &Subject<'_>,
    weights: &Weights,
    examined: &Examined,
    test: usize,
    pointers: &mut Table<RuleId, Vec<Pointer>>,
) -> Votes {
    let (mut votes, mut weight) = (Votes::default(), 1.0);
    for error in &examined.errors {
        let mut best: IndexMap<RuleId, &Explanation> = IndexMap::default();
        for explanation in &error.explanations {
            let known = best.entry(explanation.rule).or_insert(explanation);
            if explanation.energy < known.energy {
                *known = explanation;
            }
        }
        let least = best.values().map(|known| known.energy).fold(f64::INFINITY, f64::min);
        let likelihood =
            |known: &Explanation| (-(known.energy - least) / weights.temperature).exp();
        let sum: f64 = best.values().map(|known| likelihood(known)).sum();
        for (&rule, &known) in &best {
            let vote = weight * likelihood(known) / sum;
            *votes.entry(rule).or_default() += vote;
            let explanation = Some(known.clone());
            pointers[rule].push(Pointer { test, byte: error.byte, explanation, vote });
        }
        for &(rule, slot) in &error.live {
            let is_read = subject.slots().dot(slot) > 0;
            *votes.entry(rule).or_default() += weight * if is_read { 1e-6 } else { 1e-7 };
        }
        weight *= weights.later * error.progress;
    }
    votes
}

/// The votes of an accepted test: by its spectrum, doubled for rules that read the token that should have been refused,
/// and for the rule that was changed to make the test.
fn accepted_votes(
    subject: &Subject<'_>,
    examined: &Examined,
    failing: &FailingTest<'_>,
    test: usize,
    suspicions: &Table<RuleId, f64>,
    pointers: &mut Table<RuleId, Vec<Pointer>>,
) -> Votes {
    let place = match failing.wanted {
        Wanted::Reject(place) => place,
        Wanted::Accept => None,
    };
    let mut rules = Vec::new();
    if let Some(tree) = &examined.tree {
        for node in tree.ids() {
            let range = tree.range(node);
            let is_near = place.is_none_or(|byte| {
                let token = examined.starts.partition_point(|&start| start < byte);
                range.start as usize <= token && token <= range.end as usize
            });
            for way in tree.ways(node).filter(|_| is_near) {
                rules.extend(subject.owner_in_bnf(way.production));
            }
        }
    }
    if rules.is_empty() {
        rules.extend(examined.used.iter().filter_map(|&slot| subject.owner(slot)));
    }
    rules.sort_unstable();
    rules.dedup();
    let factor = |rule: RuleId| {
        let name = &*subject.grammar().rules()[rule].name;
        if failing.mutated == Some(name) { 4.0 } else { 1.0 }
    };
    let weight = |rule: RuleId| suspicions[rule].powi(4) * factor(rule);
    let sum: f64 = rules.iter().map(|&rule| weight(rule)).sum();
    let mut votes = Votes::default();
    for rule in rules {
        let vote = weight(rule) / sum.max(f64::MIN_POSITIVE);
        votes.insert(rule, vote);
        let byte = place.unwrap_or(0).min(failing.text.len());
        pointers[rule].push(Pointer { test, byte, explanation: None, vote });
    }
    votes
}

/// Puts rules first that explain all tests together: the best one, the best one of the tests that it does not explain,
/// and so on.
fn prefer_faults(votes: &[Votes], faults: usize, scores: &mut Table<RuleId, f64>) {
    let most = scores.values().copied().fold(0.0, f64::max);
    // No more rules are needed than there are failing tests.
    let faults = if faults == 0 { votes.len() } else { faults.min(votes.len()) };
    let mut rest: Vec<&Votes> = votes.iter().filter(|votes| !votes.is_empty()).collect();
    for found in 0..faults {
        let mut sums = Votes::default();
        for (&rule, &vote) in rest.iter().copied().flatten() {
            *sums.entry(rule).or_default() += vote;
        }
        let best = sums.iter().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(a.0)));
        let Some((&best, _)) = best else { return };
        rest.retain(|votes| {
            let highest = votes.values().copied().fold(0.0, f64::max);
            votes.get(&best).copied().unwrap_or(0.0) < highest / 2.0
        });
        scores[best] += 2.0 * most * f64::from(to_u32(faults - found));
    }
}
