//! The suspicion of every rule, from failing and passing tests.
//!
//! Each failing test votes for the places of the grammar that explain it, and the votes of all tests are put together
//! (see [`evidence`]). The other metrics rank by spectra alone (see [`spectra`]).
//! Later errors of a test count less, and less still where reading went on by a poor explanation.
//!
//! Where several faults are expected, the tests that the first rule explains are removed and the rest votes again, as
//! FLITSR does (Callaghan and Fischer, ISSTA 2023).

use gramercy_base::{IndexMap, Table, to_u32};
use gramercy_grammar::RuleId;

use crate::evidence::{self, Used, Votes};
use crate::ranking::{Ranked, RankedSite, rank, rank_sites};
use crate::search::Explanation;
use crate::search::failure::{Depth, Effort, Examined, Examiner};
use crate::search::weights::Weights;
use crate::spectra::{self, Element, Metric, Spectrum, Suspicions};
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
    /// The places in rules that some test points at or exercises, the most suspicious first.
    pub sites: Vec<RankedSite>,
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
    localize_watched(subject, failing, passing, options, &mut |_| ())
}

/// As [`localize`]; `watch` is told how many tests were examined.
pub fn localize_watched(
    subject: &Subject<'_>,
    failing: &[FailingTest<'_>],
    passing: &[&str],
    options: &Options,
    watch: &mut dyn FnMut(usize),
) -> Localized {
    let mut examiner = Examiner::new(subject, options.weights.clone(), options.effort.clone());
    let explains = options.metric == Metric::Explain && options.under == Under::Grammar;
    let depth = if explains { Depth::Explanations } else { Depth::Spectrum };
    let mut done = 0;
    let mut examine = |text: &str, depth: Depth| {
        let examined = examiner.examine(text, depth);
        done += 1;
        watch(done);
        examined
    };
    let examined: Vec<_> = failing.iter().map(|test| examine(test.text, depth)).collect();
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
        passing.iter().map(|text| spectrum(&examine(text, Depth::Spectrum))).collect();
    let suspicions = Suspicions::new(options.metric, &failed, &passed);
    let used = Used::new(subject, &passed);
    let mut pointers = Table::filled(Vec::new(), subject.grammar().rules().len());
    let votes: Vec<_> = examined
        .iter()
        .enumerate()
        .map(|(test, of)| match (of.errors.is_empty(), explains) {
            (false, true) => {
                evidence::of_rejected(subject, &options.weights, &used, (test, of), &mut pointers)
            }
            _ => {
                let failing = &failing[test];
                evidence::of_accepted(subject, &suspicions, failing, (test, of), &mut pointers)
            }
        })
        .collect();
    let (mut scores, mut sites) = (suspicions.rules(subject), suspicions.sites(subject));
    if options.metric == Metric::Explain {
        let (rules, explained) = evidence::scores(&options.weights, &votes, scores.len());
        scores = scores.map(|rule, suspicion| rules[rule] + TIE_BREAK * suspicion);
        sites.values_mut().for_each(|suspicion| *suspicion *= TIE_BREAK);
        for (site, score) in explained {
            *sites.entry(site).or_default() += score;
        }
        if let Some(faults) = options.faults {
            prefer_faults(&votes, faults, &mut scores);
        }
    }
    pointers.values_mut().for_each(|pointers| pointers.sort_by(|a, b| b.vote.total_cmp(&a.vote)));
    Localized {
        ranking: rank(subject.grammar(), &scores),
        sites: rank_sites(sites),
        pointers,
        not_failing,
        failing: examined,
    }
}

/// How much spectra count where votes decide.
const TIE_BREAK: f64 = 1e-4;

/// Puts rules first that explain all tests together: the best one, the best one of the tests that it does not explain,
/// and so on.
fn prefer_faults(votes: &[Votes], faults: usize, scores: &mut Table<RuleId, f64>) {
    let most = scores.values().copied().fold(0.0, f64::max);
    // No more rules are needed than there are failing tests.
    let faults = if faults == 0 { votes.len() } else { faults.min(votes.len()) };
    let votes = votes.iter().map(|votes| &votes.rules);
    let mut rest: Vec<_> = votes.filter(|votes| !votes.is_empty()).collect();
    for found in 0..faults {
        let mut sums: IndexMap<RuleId, f64> = IndexMap::default();
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
