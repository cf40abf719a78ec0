//! Tries edits of a grammar until its failing tests pass.
//!
//! A patch has to make all failing tests pass and keep all passing ones. Patches that do are ranked by the number of
//! their edits, by how well these explain the failing tests, and by what else they change: how many positive tests of the old grammar they reject, how many of its
//! exact negative tests they accept, and how many tests of the patched grammar the old one rejects. Wrongly rejected
//! tests alone are no reason to accept less, and wrongly accepted ones alone no reason to accept more; a patch that
//! does so comes after those that do not. If passing tests are given, and no one of them uses a production that the
//! failing tests point at, nothing speaks for what it derives: edits that replace it come before edits that keep it.
//! A patch with which a token rule matches the empty string is refused.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy_assemble::negative::recipe::Negative;
use gramercy_assemble::recipe::Tests as Kind;
use gramercy_assemble::{Recipe, Tests};
use gramercy_base::{IndexMap, SourceId};
use gramercy_formats::{Files, LoadOptions};
use gramercy_grammar::Symbol;
use gramercy_language::{Language, ReadError};
use gramercy_parse::text::TextParserError;

use crate::evidence::Used;
use crate::localize::Wanted;
use crate::reading::TextReader;
use crate::repair::edits::{Edit, Editor, Support};
use crate::repair::narrow::narrowing;
use crate::repair::patch::PatchedFiles;
use crate::search::failure::{Depth, Effort, Examiner};
use crate::search::weights::Weights;
use crate::spectra::{Spectrum, of_derivations};
use crate::subject::Subject;

/// A test of a repaired grammar.
#[derive(Clone, Copy, Debug)]
pub struct RepairTest<'t> {
    /// Its text.
    pub text: &'t str,
    /// What the grammar should do.
    pub wanted: Wanted,
}

/// How much is tried.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    /// Edited grammars that are loaded in each round.
    pub tries: usize,
    /// Edits in a row.
    pub rounds: usize,
    /// Patches that are proposed: the best of three times as many that are found.
    pub proposals: usize,
    /// Tests of each suite by which a patched grammar is compared with the old one; 0 for no comparison.
    pub compared: u64,
    /// Failing tests whose errors are explained.
    pub explained: usize,
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self { tries: 60, rounds: 4, proposals: 5, compared: 200, explained: 8 }
    }
}

/// A patch.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The new texts of the files that are changed.
    pub files: IndexMap<PathBuf, String>,
    /// What is changed, in words.
    pub edits: Vec<String>,
    /// Characters that are new or gone.
    pub size: usize,
    /// Failing tests that pass with it.
    pub repaired: usize,
    /// What else it changes, if the grammars were compared.
    pub differences: Option<Differences>,
}

/// Tests of suites on which an old and a patched grammar differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Negative tests of the old grammar that the patched one accepts, and positive tests of the patched grammar that
    /// the old one rejects.
    pub accepted: u64,
    /// Positive tests of the old grammar that the patched one rejects.
    pub rejected: u64,
}

impl Differences {
    /// All of them.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.accepted + self.rejected
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct Repaired {
    /// Patches with which all tests pass, the smallest first.
    pub proposals: Vec<Proposal>,
    /// The patch that comes closest, if there is no other.
    pub closest: Option<Proposal>,
    /// Edited grammars that were loaded.
    pub tried: usize,
    /// Failing tests that do not fail.
    pub not_failing: Vec<usize>,
}

/// Why a grammar cannot be repaired.
#[derive(Clone, Debug)]
pub enum RepairError {
    /// It cannot be read.
    Read(ReadError),
    /// It has no parser.
    Parser(TextParserError),
}

/// The grammar that is repaired: its file, where files are read from, and how.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The grammar's file.
    pub path: &'s Path,
    /// All files.
    pub files: &'s dyn Files,
    /// How it is read.
    pub load: &'s LoadOptions,
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Source<'_> {
    fn read(&self, texts: &IndexMap<PathBuf, String>) -> Result<Language, ReadError> {
        let files = PatchedFiles { files: self.files, texts: texts.clone() };
        Language::read_from(self.path, &files, self.load)
    }
}

/// How far tests come: how many pass, and the bytes before the first errors of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    passed: usize,
    bytes: usize,
}

/// Proposes patches with which the failing tests pass and the passing tests still do. `watch` is told how many edited
/// grammars were tried, and may stop the search; what was found until then is kept.
///
/// # Errors
/// If the grammar cannot be read.
pub fn repair(
    source: Source<'_>,
    failing: &[RepairTest<'_>],
    passing: &[RepairTest<'_>],
    options: &RepairOptions,
    watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Repaired, RepairError> {
    let mut repaired = Repaired::default();
    let old = source.read(&IndexMap::default()).map_err(RepairError::Read)?;
    let before = run(&old, failing).map_err(RepairError::Parser)?;
    repaired.not_failing =
        (0..failing.len()).filter(|&test| before.outcomes[test].is_none()).collect();
    if repaired.not_failing.len() == failing.len() {
        return Ok(repaired);
    }
    // A passing test that the old grammar already treats wrongly cannot be kept.
    let kept = run(&old, passing).map_err(RepairError::Parser)?;
    let passing = passing.iter().zip(&kept.outcomes).filter(|(_, outcome)| outcome.is_none());
    let passing: Vec<_> = passing.map(|(test, _)| *test).collect();
    let mut search =
        Search { source, failing, passing: &passing, options, watch, tried: 0, is_stopped: false };
    let mut state = State::new(before.progress);
    let mut found = Vec::new();
    for _ in 0..options.rounds {
        let round = search.round(&old, &state)?;
        found = round.found;
        match round.best {
            Some(best) if found.is_empty() && best.progress > state.progress => {
                state = best;
            }
            _ => break,
        }
        if search.is_stopped {
            break;
        }
    }
    repaired.tried = search.tried;
    if found.is_empty() && !state.texts.is_empty() {
        repaired.closest = Some(proposal(&old, &state));
    }
    if options.compared > 0 && !found.is_empty() {
        let baseline = Baseline::new(&old, failing, options.compared);
        for (proposal, _) in &mut found {
            proposal.differences = baseline.differences(&source, proposal, options.compared);
        }
    }
    let direction = Direction::of(failing, &before);
    found.sort_by_key(|(patch, state)| {
        let differences = patch.differences.unwrap_or_default();
        let against = match state.support {
            Support::Replaced => 0,
            Support::Unknown | Support::Kept => direction.against(differences),
        };
        let (edits, sum) = (patch.edits.len(), differences.sum());
        (edits, steps(state.unlikely), against, state.support, sum, patch.size)
    });
    repaired.proposals =
        found.into_iter().map(|(patch, _)| patch).take(options.proposals).collect();
    Ok(repaired)
}

/// Whole steps.
#[expect(clippy::cast_possible_truncation, reason = "a small number")]
#[expect(clippy::cast_sign_loss, reason = "not negative")]
fn steps(unlikely: f64) -> u32 {
    unlikely.clamp(0.0, 1000.0) as u32
}

/// What failing tests ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// The grammar accepts too little.
    Widen,
    /// It accepts too much.
    Narrow,
    /// Both.
    Both,
}

impl Direction {
    fn of(failing: &[RepairTest<'_>], before: &Outcomes) -> Self {
        let failed = failing.iter().zip(&before.outcomes).filter(|(_, outcome)| outcome.is_some());
        let wanted: Vec<_> = failed.map(|(test, _)| test.wanted == Wanted::Accept).collect();
        match (wanted.contains(&true), wanted.contains(&false)) {
            (true, false) => Direction::Widen,
            (false, true) => Direction::Narrow,
            _ => Direction::Both,
        }
    }

    /// Differences that the failing tests do not ask for.
    fn against(self, differences: Differences) -> u64 {
        match self {
            Direction::Widen => differences.rejected,
            Direction::Narrow => differences.accepted,
            Direction::Both => 0,
        }
    }
}

/// A search for edits.
struct Search<'s, 't> {
    source: Source<'s>,
    failing: &'s [RepairTest<'t>],
    passing: &'s [RepairTest<'t>],
    options: &'s RepairOptions,
    watch: &'s mut dyn FnMut(usize) -> ControlFlow<()>,
    tried: usize,
    is_stopped: bool,
}

/// What one more edit gives.
struct Round {
    /// Patches with which all tests pass.
    found: Vec<(Proposal, State)>,
    /// The edit that brings the failing tests furthest.
    best: Option<State>,
}

impl Search<'_, '_> {
    /// Tries one more edit.
    fn round(&mut self, old: &Language, state: &State) -> Result<Round, RepairError> {
        let language = self.source.read(&state.texts).map_err(RepairError::Read)?;
        let candidates = candidates(&language, self.failing, self.passing, self.options);
        let candidates = candidates.map_err(RepairError::Parser)?;
        let mut round = Round { found: Vec::new(), best: None };
        for candidate in candidates.into_iter().take(self.options.tries) {
            let Some(next) = apply(&language, state, &candidate) else { continue };
            self.tried += 1;
            if (self.watch)(self.tried).is_break() {
                self.is_stopped = true;
                break;
            }
            let Some(next) = self.outcome(next) else { continue };
            if next.progress.passed == self.failing.len() {
                round.found.push((proposal(old, &next), next));
                if round.found.len() >= self.options.proposals.saturating_mul(3) {
                    break;
                }
            } else if round.best.as_ref().is_none_or(|best| next.progress > best.progress) {
                round.best = Some(next);
            }
        }
        Ok(round)
    }

    /// How far the failing tests come with a patch; `None` if it cannot be read, or a passing test fails with it, or a
    /// token rule matches the empty string.
    fn outcome(&self, next: State) -> Option<State> {
        let patched = self.source.read(&next.texts).ok()?;
        let outcome = run(&patched, self.failing).ok()?;
        let kept = run(&patched, self.passing).ok()?;
        if kept.progress.passed < self.passing.len() {
            return None;
        }
        let passes = outcome.progress.passed == self.failing.len();
        if passes && has_empty_token(&patched) {
            return None;
        }
        Some(State { progress: outcome.progress, ..next })
    }
}

/// Whether a token rule matches the empty string.
fn has_empty_token(language: &Language) -> bool {
    let Ok(subject) = Subject::new(language) else { return true };
    let Some(spellings) = subject.spellings() else { return false };
    let grammar = language.grammar();
    grammar.rules().iter().filter(|(_, rule)| rule.token().is_some()).any(|(id, _)| {
        spellings
            .nonterminal(id)
            .is_some_and(|of| spellings.slots().is_nullable(Symbol::Nonterminal(of)))
    })
}

/// Edits so far.
#[derive(Clone, Debug)]
struct State {
    texts: IndexMap<PathBuf, String>,
    what: Vec<String>,
    /// The support of the last edit.
    support: Support,
    /// By how many steps the edits are less likely than the likeliest ones.
    unlikely: f64,
    progress: Progress,
}

impl State {
    fn new(progress: Progress) -> Self {
        Self {
            texts: IndexMap::default(),
            what: Vec::new(),
            support: Support::Unknown,
            unlikely: 0.0,
            progress,
        }
    }
}

fn proposal(old: &Language, state: &State) -> Proposal {
    let sources = old.grammar().sources();
    let size = state
        .texts
        .iter()
        .map(|(path, text)| {
            let of = sources.iter().find(|(_, source)| Path::new(source.name()) == path);
            of.map_or(text.len(), |(_, source)| text.len().abs_diff(source.text().len()))
        })
        .sum();
    Proposal {
        files: state.texts.clone(),
        edits: state.what.clone(),
        size,
        repaired: state.progress.passed,
        differences: None,
    }
}

/// How a grammar treats tests.
struct Outcomes {
    progress: Progress,
    /// The byte of each failing test's first error; `None` for tests that pass.
    outcomes: Vec<Option<usize>>,
}

fn run(language: &Language, tests: &[RepairTest<'_>]) -> Result<Outcomes, TextParserError> {
    let parser = language.parser()?;
    let mut workspace = parser.workspace();
    let outcome = |test: &RepairTest<'_>| {
        let read = parser.recognize_as_tool(&mut workspace, test.text);
        match (test.wanted, read) {
            (Wanted::Accept, Ok(_)) | (Wanted::Reject(_), Err(_)) => None,
            (Wanted::Accept, Err(rejection)) => Some(rejection.byte),
            (Wanted::Reject(_), Ok(_)) => Some(0),
        }
    };
    let outcomes: Vec<_> = tests.iter().map(outcome).collect();
    let progress = Progress {
        passed: outcomes.iter().filter(|outcome| outcome.is_none()).count(),
        bytes: outcomes.iter().flatten().sum(),
    };
    Ok(Outcomes { progress, outcomes })
}

/// Edits whose logarithms of likelihoods differ by less count as equally likely.
const LIKELIHOOD_STEP: f64 = 2.0;

/// An edit that may be tried.
struct Candidate {
    edit: Edit,
    support: Support,
    /// By how many steps it is less likely than the likeliest edit.
    unlikely: f64,
}

/// The edits that explain the first errors of wrongly rejected tests, and those that let the grammar accept less for
/// wrongly accepted ones, the likeliest first.
fn candidates(
    language: &Language,
    failing: &[RepairTest<'_>],
    passing: &[RepairTest<'_>],
    options: &RepairOptions,
) -> Result<Vec<Candidate>, TextParserError> {
    let subject = Subject::new(language)?;
    let effort = Effort { errors: 1, ..Effort::default() };
    let weights = Weights::default();
    let mut examiner = Examiner::new(&subject, weights.clone(), effort);
    let unknown = subject.slots().unknown();
    let mut texts = TextReader::new(language, subject.parser(), unknown);
    let passing: Vec<_> =
        passing.iter().filter(|test| test.wanted == Wanted::Accept).map(|test| test.text).collect();
    let spectra: Vec<Spectrum> = passing
        .iter()
        .filter_map(|text| examiner.examine(text, Depth::Spectrum).tree)
        .map(|tree| of_derivations(&tree))
        .collect();
    let used = Used::new(&subject, &spectra);
    let mut found: IndexMap<(Edit, Support), f64> = IndexMap::default();
    let mut explained = 0;
    for test in failing.iter().filter(|test| test.wanted == Wanted::Accept) {
        if explained == options.explained {
            break;
        }
        let examined = examiner.examine(test.text, Depth::Explanations);
        let Some(error) = examined.errors.first() else { continue };
        explained += 1;
        let inputs = texts.read(test.text).inputs();
        let editor = Editor { subject: &subject, text: test.text, inputs: &inputs };
        let explanations = error.explanations.iter();
        let mut explanations: Vec<_> =
            explanations.map(|it| (used.energy(&subject, &weights, it), it)).collect();
        explanations.sort_by(|a, b| a.0.total_cmp(&b.0));
        let least = explanations.first().map_or(0.0, |first| first.0);
        let mut own: IndexMap<(Edit, Support), f64> = IndexMap::default();
        for (energy, explanation) in explanations {
            if own.len() > options.tries.saturating_mul(4) {
                break;
            }
            let is_unused = used.is_conspicuous(&subject, explanation);
            for edit in editor.edits(explanation) {
                let support = Support::of(&edit, is_unused);
                let likelihood = (-(energy - least) / weights.temperature).exp();
                let known = own.entry((edit, support)).or_default();
                *known = known.max(likelihood);
            }
        }
        for (edit, likelihood) in own {
            *found.entry(edit).or_default() += likelihood;
        }
    }
    let is_accepted = |test: &&RepairTest<'_>| test.wanted != Wanted::Accept;
    let accepted: Vec<_> = failing
        .iter()
        .filter(is_accepted)
        .take(options.explained)
        .map(|test| (test.text, test.wanted))
        .collect();
    if !accepted.is_empty() {
        for (edit, likelihood) in narrowing(&subject, &mut examiner, &accepted, &passing) {
            *found.entry(edit).or_default() += likelihood;
        }
    }
    let mut candidates: Vec<_> = found.into_iter().collect();
    candidates.sort_by(|((a, _), x), ((b, _), y)| {
        y.total_cmp(x).then(a.text.len().cmp(&b.text.len())).then(a.span.start.cmp(&b.span.start))
    });
    let most = candidates.first().map_or(1.0, |(_, likelihood)| *likelihood);
    let candidate = |((edit, support), likelihood): ((Edit, Support), f64)| Candidate {
        edit,
        support,
        unlikely: (most / likelihood).ln() / LIKELIHOOD_STEP,
    };
    Ok(candidates.into_iter().map(candidate).collect())
}

/// The texts with one more edit.
fn apply(language: &Language, state: &State, candidate: &Candidate) -> Option<State> {
    let edit = &candidate.edit;
    let id: SourceId = edit.span.source;
    let source = language.grammar().sources().get(id);
    let mut text = source.text().to_owned();
    text.get(edit.span.range())?;
    text.replace_range(edit.span.range(), &edit.text);
    let mut next = state.clone();
    next.texts.insert(PathBuf::from(source.name()), text);
    next.what.push(edit.what.clone());
    next.support = candidate.support;
    next.unlikely += candidate.unlikely;
    Some(next)
}

/// Suites of the old grammar.
struct Baseline<'l> {
    old: &'l Language,
    positive: Vec<String>,
    negative: Vec<String>,
}

impl<'l> Baseline<'l> {
    /// At most a number of tests of each suite; failing tests are none of them.
    fn new(old: &'l Language, failing: &[RepairTest<'_>], tests: u64) -> Self {
        let negative = Recipe { tests: Kind::Negative(Negative::default()), ..Recipe::default() };
        let is_other = |text: &String| failing.iter().all(|test| test.text != text);
        let positive =
            Recipe::cover("rule").map_or_else(|_| Vec::new(), |it| suite(old, it, tests));
        let mut negative = suite(old, negative, tests);
        negative.retain(is_other);
        Self { old, positive, negative }
    }

    /// On what a patched grammar differs.
    fn differences(
        &self,
        source: &Source<'_>,
        patch: &Proposal,
        tests: u64,
    ) -> Option<Differences> {
        let new = source.read(&patch.files).ok()?;
        let own = suite(&new, Recipe::cover("rule+lexeme:1").ok()?, tests);
        let accepted = |language: &Language, texts: &[String]| -> Option<u64> {
            let parser = language.parser().ok()?;
            let mut workspace = parser.workspace();
            let accepts = |text: &&String| parser.recognize(&mut workspace, text).is_ok();
            Some(texts.iter().filter(accepts).count() as u64)
        };
        Some(Differences {
            accepted: accepted(&new, &self.negative)? + own.len() as u64
                - accepted(self.old, &own)?,
            rejected: self.positive.len() as u64 - accepted(&new, &self.positive)?,
        })
    }
}

/// The texts of a suite.
fn suite(language: &Language, recipe: Recipe, tests: u64) -> Vec<String> {
    let recipe = Recipe { limit: Some(tests), ..recipe };
    let tests = Tests::new(language, &recipe).filter_map(Result::ok);
    tests.filter_map(|test| test.text.map(std::borrow::Cow::into_owned)).collect()
}
