//! Suites over LR-graphs, whole: their sizes are those that are known (FACTS §4), the text of every test
//! is read back as its tokens and its tree, and the parses of all texts together take every pop edge
//! that can be taken. Parses know nothing of how tests are made: they are all runs of a
//! non-deterministic automaton on the text.
//!
//! Linear in the texts, times what parsing costs.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use gramercy_analysis::Length;
use gramercy_base::{Limits, Set};
use gramercy_coverage::{CriterionSpec, Reading, TargetSet, Views, criteria};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_generate::{Draft, Indexed, Resolution, Ties};
use gramercy_grammar::{TerminalId, Tree};
use gramercy_lexis::{Choice, WriteOptions, Writer};
use gramercy_lr::Construction::{self, Canonical, Lr0};
use gramercy_parse::Derivations;

use crate::Fallible;
use crate::language::Language;
use crate::round_trip::{Made, read};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often ties are drawn.
    pub draws: u64,
    /// So many texts are read; of larger suites, a sample.
    pub texts: usize,
}

/// What is known of a grammar's suites for an automaton.
struct Known {
    /// The file, in the collection.
    file: &'static str,
    construction: Construction,
    /// Distinct sentences with ties broken by file order.
    first: usize,
    /// The smallest and the largest number of draws that another program made.
    drawn: RangeInclusive<usize>,
}

const fn known(
    file: &'static str,
    construction: Construction,
    first: usize,
    drawn: RangeInclusive<usize>,
) -> Known {
    Known { file, construction, first, drawn }
}

/// Of the last only one draw of another program is known, 356,833 tests. One in five of ours gives some
/// 348,000, the others some 357,000 (see the guide), and the range is where their average must lie.
const KNOWN: [Known; 6] = [
    known("ampl20.y", Lr0, 128, 140..=147),
    known("ampl20.y", Canonical, 572, 625..=642),
    known("go.y", Lr0, 2707, 3440..=3515),
    known("go.y", Canonical, 17_229, 23_433..=23_538),
    known("sqlite.y", Lr0, 20_356, 20_594..=21_071),
    known("sqlite.y", Canonical, 340_385, 350_000..=358_000),
];

/// What came of a suite.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file and the automaton.
    pub name: String,
    /// The pop edges that can be covered.
    pub coverable: u64,
    /// Distinct sentences with ties broken by file order.
    pub sentences: usize,
    /// How many of them were read.
    pub read: usize,
    /// The edges that their parses take; `None` if only a sample was read.
    pub taken: Option<u64>,
    /// Numbers of distinct sentences with drawn ties, the smallest first.
    pub drawn: Vec<usize>,
    /// What is not as it must be.
    pub complaints: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, coverable, sentences, read, .. } = self;
        write!(f, "{name:24} {coverable:6} edges, {sentences:6} sentences, {read:6} read back")?;
        if let Some(taken) = self.taken {
            write!(f, ", their parses take {taken} edges")?;
        }
        if let [smallest, .., largest] = self.drawn[..] {
            let (draws, average) = (self.drawn.len(), average(&self.drawn));
            write!(f, "; {draws} draws: {smallest} to {largest}, {average:.1} on average")?;
        }
        self.complaints.iter().try_for_each(|complaint| write!(f, "\n  {complaint}"))
    }
}

#[expect(clippy::cast_precision_loss, reason = "an average for people")]
fn average(sizes: &[usize]) -> f64 {
    sizes.iter().sum::<usize>() as f64 / sizes.len() as f64
}

/// All grammars: the examples, and those of the LR paper where they are there.
#[must_use]
pub fn grammars() -> Vec<PathBuf> {
    let mut files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
    files.retain(|path| !path.to_string_lossy().ends_with("Lexer.g4"));
    if let Some(folder) = gramercy_testkit::shared("pytomata") {
        files.extend(["ampl20.y", "go.y", "sqlite.y"].map(|file| folder.join(file)));
    }
    files
}

/// Tries the suites of a grammar.
///
/// # Errors
/// If it cannot be read.
pub fn run(file: &Path, effort: &Effort) -> Fallible<Vec<Outcome>> {
    let language = Language::load(file, None)?;
    let graph = language.grammar.graph();
    let views = Views::new(&language.grammar, &graph, &language.bnf, &Limits::default());
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let of = |construction| {
        let trial = Trial { language: &language, views: &views, construction };
        trial.run(&file, effort)
    };
    [Lr0, Canonical].into_iter().map(of).collect()
}

/// A grammar's suites for an automaton.
struct Trial<'v> {
    language: &'v Language,
    views: &'v Views<'v>,
    construction: Construction,
}

impl Trial<'_> {
    fn run(&self, file: &str, effort: &Effort) -> Fallible<Outcome> {
        let name = format!("{file} {}", self.construction.as_str());
        let mut outcome = Outcome { name, ..Outcome::default() };
        let is_known =
            |known: &&Known| known.file == file && known.construction == self.construction;
        let known = KNOWN.iter().find(is_known);
        self.read_back(effort, &mut outcome)?;
        if let Some(known) = known {
            for seed in 0..effort.draws {
                let suite = self.suite(Ties::Random { seed, variant: 0 })?;
                outcome.drawn.push(distinct(&suite).len());
            }
            outcome.drawn.sort_unstable();
            outcome.complaints.extend(complaints(known, &outcome));
        }
        Ok(outcome)
    }

    fn suite(&self, ties: Ties) -> Fallible<PopEdges<'_>> {
        let resolution = Resolution { length: Length::LrEdges, ties, ..Resolution::default() };
        PopEdges::new(self.views, self.construction, resolution, 0, &Limits::default())
            .map_err(|limit| limit.to_string())
    }

    /// Reads the texts of the suite with ties broken by file order.
    fn read_back(&self, effort: &Effort, outcome: &mut Outcome) -> Fallible {
        let language = self.language;
        let spec = CriterionSpec::PopEdge(self.construction);
        let criterion = criteria::build(spec, self.views, &Limits::default())
            .map_err(|limit| limit.to_string())?;
        let suite = self.suite(Ties::First)?;
        let numbers = distinct(&suite);
        (outcome.sentences, outcome.coverable) = (numbers.len(), criterion.coverable());
        let step = numbers.len().div_ceil(effort.texts).max(1);
        let mut writer = language.writer(&WriteOptions::default())?;
        let mut workspace = language.parser.workspace();
        let mut taken = TargetSet::with_room(criterion.targets());
        for &number in numbers.iter().step_by(step) {
            let Some(made) = make(language, &suite, number, &mut writer) else {
                outcome.complaints.push(format!("no text for {}", criterion.describe(number)));
                continue;
            };
            outcome.read += 1;
            match read(language, &mut workspace, &made) {
                Ok(parsed) => {
                    let parser = language.parser.parser();
                    let derivations = Derivations::of_forest(parser, &parsed.forest);
                    criterion.cover(&Reading::of(&derivations), &mut taken);
                }
                Err(complaint) => outcome.complaints.push(complaint),
            }
        }
        if step == 1 {
            outcome.taken = Some(taken.len());
            if taken.len() != criterion.coverable() {
                outcome.complaints.push("some edges are not taken".to_owned());
            }
        }
        Ok(())
    }
}

/// The first test of each distinct sentence.
fn distinct(suite: &PopEdges<'_>) -> Vec<u64> {
    let (mut draft, mut seen) = (Draft::default(), Set::<Vec<TerminalId>>::default());
    let mut is_new = |&number: &u64| {
        draft.clear();
        suite.make(number, 0, &mut draft)
            && !seen.contains(&draft.tokens)
            && seen.insert(draft.tokens.clone())
    };
    (0..suite.count()).filter(|number| is_new(number)).collect()
}

/// A test with the first text that can be written for it.
fn make(
    language: &Language,
    suite: &PopEdges<'_>,
    number: u64,
    writer: &mut Writer<'_>,
) -> Option<Made> {
    let mut draft = Draft::default();
    for attempt in 0.. {
        draft.clear();
        if !suite.make(number, attempt, &mut draft) {
            break;
        }
        let choice = Choice { seed: 0, test: number, fixed: &[] };
        if let Ok(written) = writer.write(&draft.tokens, &choice) {
            return Some(Made { tree: Tree::new(&language.bnf, draft.productions), written });
        }
    }
    None
}

/// What differs from what is known. Two ranges of 20 draws each do not agree to the last digit: an
/// average lies within, a draw not far outside.
fn complaints(known: &Known, outcome: &Outcome) -> Vec<String> {
    let mut complaints = Vec::new();
    if outcome.sentences != known.first {
        complaints.push(format!("{} sentences are known", known.first));
    }
    let (low, high) = (*known.drawn.start(), *known.drawn.end());
    let slack = (high - low) / 2;
    let is_near = |size: &usize| (low - slack..=high + slack).contains(size);
    if !outcome.drawn.iter().all(is_near) {
        complaints.push(format!("others have drawn {low} to {high}"));
    }
    #[expect(clippy::cast_precision_loss, reason = "suites are far smaller than 2^52")]
    let (low, high) = (low as f64, high as f64);
    let is_within = outcome.drawn.len() < 20 || (low..=high).contains(&average(&outcome.drawn));
    if !is_within {
        complaints.push(format!("the average is not between {low} and {high}"));
    }
    complaints
}
