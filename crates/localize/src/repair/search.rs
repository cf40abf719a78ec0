//! Tries edits of a grammar until its failing tests pass.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy_assemble::Recipe;
use gramercy_base::{IndexMap, SourceId};
use gramercy_campaign::diff::grammars;
use gramercy_formats::{Files, LoadOptions};
use gramercy_language::{Language, ReadError};
use gramercy_parse::text::TextParserError;

use crate::localize::Wanted;
use crate::reading::TextReader;
use crate::repair::edits::{Edit, Editor};
use crate::repair::patch::PatchedFiles;
use crate::search::failure::{Depth, Effort, Examiner};
use crate::search::weights::Weights;
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
    /// Patches that are proposed.
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
    /// Tests of suites of both grammars on which they differ, if they were compared.
    pub differences: Option<u64>,
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
/// grammars were tried.
///
/// # Errors
/// If the grammar cannot be read.
pub fn repair(
    source: Source<'_>,
    failing: &[RepairTest<'_>],
    passing: &[RepairTest<'_>],
    options: &RepairOptions,
    watch: &mut dyn FnMut(usize),
) -> Result<Repaired, RepairError> {
    let mut repaired = Repaired::default();
    let old = source.read(&IndexMap::default()).map_err(RepairError::Read)?;
    let before = run(&old, failing).map_err(RepairError::Parser)?;
    repaired.not_failing =
        (0..failing.len()).filter(|&test| before.outcomes[test].is_none()).collect();
    let mut state =
        State { texts: IndexMap::default(), what: Vec::new(), progress: before.progress };
    for _ in 0..options.rounds {
        let language = source.read(&state.texts).map_err(RepairError::Read)?;
        let candidates = candidates(&language, failing, options).map_err(RepairError::Parser)?;
        let mut best: Option<State> = None;
        for edit in candidates.into_iter().take(options.tries) {
            let Some(next) = apply(&language, &state, &edit) else { continue };
            repaired.tried += 1;
            watch(repaired.tried);
            let Ok(patched) = source.read(&next.texts) else { continue };
            let Ok(outcome) = run(&patched, failing) else { continue };
            let Ok(kept) = run(&patched, passing) else { continue };
            if kept.progress.passed < passing.len() {
                continue;
            }
            let next = State { progress: outcome.progress, ..next };
            if outcome.progress.passed == failing.len() {
                repaired.proposals.push(proposal(&old, &next));
                if repaired.proposals.len() >= options.proposals {
                    break;
                }
            } else if best.as_ref().is_none_or(|best| next.progress > best.progress) {
                best = Some(next);
            }
        }
        if !repaired.proposals.is_empty() {
            break;
        }
        match best {
            Some(best) if best.progress > state.progress => state = best,
            _ => break,
        }
    }
    if repaired.proposals.is_empty() && !state.texts.is_empty() {
        repaired.closest = Some(proposal(&old, &state));
    }
    if options.compared > 0 {
        for proposal in &mut repaired.proposals {
            proposal.differences = differences(&source, &old, proposal, options.compared);
        }
    }
    repaired.proposals.sort_by_key(|p| (p.edits.len(), p.differences.unwrap_or(0), p.size));
    Ok(repaired)
}

/// Edits so far.
#[derive(Clone, Debug)]
struct State {
    texts: IndexMap<PathBuf, String>,
    what: Vec<String>,
    progress: Progress,
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

/// The edits that explain the first errors of failing tests, the likeliest first.
fn candidates(
    language: &Language,
    failing: &[RepairTest<'_>],
    options: &RepairOptions,
) -> Result<Vec<Edit>, TextParserError> {
    let subject = Subject::new(language)?;
    let effort = Effort { errors: 1, ..Effort::default() };
    let weights = Weights::default();
    let mut examiner = Examiner::new(&subject, weights.clone(), effort);
    let unknown = subject.slots().unknown();
    let mut texts = TextReader::new(language, subject.parser(), unknown);
    let mut found: IndexMap<Edit, f64> = IndexMap::default();
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
        let least = error.explanations.first().map_or(0.0, |first| first.energy);
        let (mut edits, mut own): (_, IndexMap<Edit, f64>) = (0, IndexMap::default());
        for explanation in &error.explanations {
            if edits > options.tries.saturating_mul(4) {
                break;
            }
            for edit in editor.edits(explanation) {
                edits += 1;
                let likelihood = (-(explanation.energy - least) / weights.temperature).exp();
                let known = own.entry(edit).or_default();
                *known = known.max(likelihood);
            }
        }
        for (edit, likelihood) in own {
            *found.entry(edit).or_default() += likelihood;
        }
    }
    let mut candidates: Vec<_> = found.into_iter().collect();
    candidates.sort_by(|(a, x), (b, y)| {
        y.total_cmp(x).then(a.text.len().cmp(&b.text.len())).then(a.span.start.cmp(&b.span.start))
    });
    Ok(candidates.into_iter().map(|(edit, _)| edit).collect())
}

/// The texts with one more edit.
fn apply(language: &Language, state: &State, edit: &Edit) -> Option<State> {
    let id: SourceId = edit.span.source;
    let source = language.grammar().sources().get(id);
    let mut text = source.text().to_owned();
    text.get(edit.span.range())?;
    text.replace_range(edit.span.range(), &edit.text);
    let mut next = state.clone();
    next.texts.insert(PathBuf::from(source.name()), text);
    next.what.push(edit.what.clone());
    Some(next)
}

/// How many tests of both grammars' suites change their verdict.
fn differences(source: &Source<'_>, old: &Language, patch: &Proposal, tests: u64) -> Option<u64> {
    let new = source.read(&patch.files).ok()?;
    let mut recipe = Recipe::cover("rule").ok()?;
    recipe.limit = Some(tests);
    let review = grammars::review(old, &new, &[recipe], &mut |_| ControlFlow::Continue(())).ok()?;
    Some(review.changes.iter().map(|change| change.tests).sum())
}
