//! Complete suites over LR-graphs: their sizes are the known ones, the text of every test is read
//! back to its tokens and its tree, and the parses of all texts together take every pop edge that
//! can be taken. Parses are independent of how tests are created: they are all runs of a
//! nondeterministic automaton on the text.
//!
//! Linear in the texts, times the cost of parsing.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use gramercy_analysis::Length;
use gramercy_assemble::recipe::{Systematic, Tests, TieBreak};
use gramercy_assemble::{Recipe, suite};
use gramercy_base::Map;
use gramercy_coverage::{Criterion, CriterionSpec, Reading, TargetSet};
use gramercy_derive::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_grammar::{TerminalId, TerminalKind, Tree};
use gramercy_language::Language;
use gramercy_lexis::{Written, WrittenToken};
use gramercy_lr::Construction::{self, Canonical, Lr0};
use gramercy_parse::{Derivations, TextParser, TextWorkspace};
use gramercy_suite::{Sink, SinkError, Test, Token, Wants};

use crate::round_trip::{WrittenTree, read};
use crate::{Fallible, languages};

/// The amount of work.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of suites with random ties.
    pub draws: u64,
    /// The maximal number of texts that are read; of larger suites, a sample.
    pub texts: usize,
}

/// The known sizes of a grammar's suites for an automaton.
struct KnownSizes {
    /// The file, in the collection.
    file: &'static str,
    construction: Construction,
    /// Distinct sentences with ties broken by file order.
    first: usize,
    /// The smallest and the largest number of distinct sentences in the draws of another program.
    drawn: RangeInclusive<usize>,
}

const fn known(
    file: &'static str,
    construction: Construction,
    first: usize,
    drawn: RangeInclusive<usize>,
) -> KnownSizes {
    KnownSizes { file, construction, first, drawn }
}

/// For the last one, only one draw of another program is known, 356,833 tests. Of the draws here,
/// one in five has about 348,000 tests and the others about 357,000 (see the guide); the average
/// must be in this range.
const KNOWN: [KnownSizes; 6] = [
    known("ampl20.y", Lr0, 128, 140..=147),
    known("ampl20.y", Canonical, 572, 625..=642),
    known("go.y", Lr0, 2707, 3440..=3515),
    known("go.y", Canonical, 17_229, 23_433..=23_538),
    known("sqlite.y", Lr0, 20_356, 20_594..=21_071),
    known("sqlite.y", Canonical, 340_385, 350_000..=358_000),
];

/// The results of a suite.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The file and the automaton.
    pub name: String,
    /// The coverable pop edges.
    pub coverable: u64,
    /// Distinct sentences with ties broken by file order.
    pub sentences: usize,
    /// How many of them are read.
    pub read: usize,
    /// The edges that their parses take; `None` if only a sample is read.
    pub taken: Option<u64>,
    /// Numbers of distinct sentences with random ties, ascending.
    pub drawn: Vec<usize>,
    /// Defects.
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

/// All grammars: the examples, and those of the collection with known suites, if it exists.
#[must_use]
pub fn grammars() -> Vec<PathBuf> {
    let mut files = gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]);
    files.retain(|path| !path.to_string_lossy().ends_with("Lexer.g4"));
    if let Some(folder) = gramercy_testkit::shared("pytomata") {
        files.extend(["ampl20.y", "go.y", "sqlite.y"].map(|file| folder.join(file)));
    }
    files
}

/// Checks the suites of a grammar.
///
/// # Errors
/// If it cannot be read.
pub fn run(file: &Path, effort: &Effort) -> Fallible<Vec<Outcome>> {
    let language = languages::read(file, None)?;
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let of = |construction| Trial { language: &language, construction }.run(&file, effort);
    [Lr0, Canonical].into_iter().map(of).collect()
}

/// A grammar's suites for an automaton.
struct Trial<'l> {
    language: &'l Language,
    construction: Construction,
}

impl Trial<'_> {
    fn run(&self, file: &str, effort: &Effort) -> Fallible<Outcome> {
        let name = format!("{file} {}", self.construction.as_str());
        let mut outcome = Outcome { name, ..Outcome::default() };
        let is_known =
            |known: &&KnownSizes| known.file == file && known.construction == self.construction;
        let known = KNOWN.iter().find(is_known);
        self.read_back(effort, &mut outcome)?;
        if let Some(known) = known {
            for seed in 0..effort.draws {
                outcome.drawn.push(self.sentences(&self.tests(TieBreak::Random)?, seed)?);
            }
            outcome.drawn.sort_unstable();
            outcome.complaints.extend(complaints(known, &outcome));
        }
        Ok(outcome)
    }

    fn spec(&self) -> Fallible<CriterionSpec> {
        let spec = CriterionSpec::new("pop-edge", Some(self.construction.as_str()));
        spec.map_err(|error| error.to_string())
    }

    fn tests(&self, ties: TieBreak) -> Fallible<Systematic> {
        let (cover, length) = (vec![self.spec()?], Length::LrEdges);
        Ok(Systematic { cover, length, ties, ..Systematic::default() })
    }

    /// The number of distinct sentences of a suite.
    fn sentences(&self, tests: &Systematic, seed: u64) -> Fallible<usize> {
        let summary = suite(self.language, &recipe(tests, seed), &mut Counted, &mut ());
        let summary = summary.map_err(|error| error.to_string())?;
        usize::try_from(summary.tests).map_err(|error| error.to_string())
    }

    /// Reads the texts of the suite with ties broken by file order.
    fn read_back(&self, effort: &Effort, outcome: &mut Outcome) -> Fallible {
        let language = self.language;
        let criterion = self.spec()?.build(language).map_err(|limit| limit.to_string())?;
        let tests = self.tests(TieBreak::First)?;
        outcome.coverable = criterion.coverable();
        outcome.sentences = self.sentences(&tests, 0)?;
        let step = outcome.sentences.div_ceil(effort.texts).max(1);
        let edges = PopEdges::new(language, self.construction, tests.resolution(0), 0)
            .map_err(|limit| limit.to_string())?;
        let parser = languages::parser(language)?;
        let terminals = language.grammar().terminals().iter();
        let mut sink = ReadBack {
            language,
            criterion: &*criterion,
            parser,
            workspace: parser.workspace(),
            by_name: terminals.map(|(id, terminal)| (&*terminal.name, id)).collect(),
            proposer: edges.proposer(),
            next_edge: 0,
            step: step as u64,
            read: 0,
            taken: TargetSet::with_room(criterion.targets()),
            complaints: Vec::new(),
        };
        let summary = suite(language, &recipe(&tests, 0), &mut sink, &mut ());
        let summary = summary.map_err(|error| error.to_string())?;
        let ReadBack { read, taken, complaints, .. } = sink;
        outcome.read = read;
        outcome.complaints.extend(complaints);
        for goal in summary.unwritten.iter().filter_map(|unwritten| unwritten.goal) {
            outcome.complaints.push(format!("no text for {}", criterion.describe(goal.target)));
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

fn recipe(tests: &Systematic, seed: u64) -> Recipe {
    Recipe { tests: Tests::Systematic(tests.clone()), seed, ..Recipe::default() }
}

/// A sink that only counts tests.
struct Counted;

impl Sink for Counted {
    fn wants(&self) -> Wants {
        Wants::default()
    }

    fn put(&mut self, _: &Test<'_>) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Reads tests back as they arrive. The tree of a test is that of the strategy's candidate for its
/// edge.
struct ReadBack<'r> {
    language: &'r Language,
    criterion: &'r dyn Criterion,
    parser: &'r TextParser,
    workspace: TextWorkspace,
    by_name: Map<&'r str, TerminalId>,
    proposer: Box<dyn Propose + 'r>,
    /// Tests are in the order of their edges: the edges before this one are done.
    next_edge: u64,
    /// One of this many tests is read.
    step: u64,
    read: usize,
    taken: TargetSet,
    complaints: Vec<String>,
}

impl ReadBack<'_> {
    fn read(&mut self, test: &Test<'_>) -> Fallible {
        let made = self.made(test).ok_or_else(|| format!("no tree of test {}", test.id))?;
        let parsed = read(self.language, &mut self.workspace, &made)?;
        let derivations = Derivations::of_forest(self.parser.parser(), &parsed.forest);
        self.criterion.cover(&Reading::of(&derivations), &mut self.taken);
        Ok(())
    }

    /// The test with its tree.
    fn made(&mut self, test: &Test<'_>) -> Option<WrittenTree> {
        let mut candidate = Candidate::default();
        for edge in self.next_edge..self.criterion.targets() {
            if test.target() != Some(&self.criterion.describe(edge)) {
                continue;
            }
            for attempt in 0.. {
                candidate.clear();
                if !self.proposer.propose(edge, attempt, &mut candidate) {
                    break;
                }
                if let Some(tokens) = self.tokens_of(test, &candidate) {
                    self.next_edge = edge + 1;
                    let text = test.content.to_text().into_owned();
                    let written = Written { text, tokens, ..Written::default() };
                    let tree = Tree::new(self.language.bnf(), candidate.productions);
                    return Some(WrittenTree { tree, written });
                }
            }
        }
        None
    }

    /// The tokens of a test, if they match those of a candidate. A terminal for any token is
    /// replaced by one.
    fn tokens_of(&self, test: &Test<'_>, candidate: &Candidate) -> Option<Vec<WrittenToken>> {
        let terminals = self.language.grammar().terminals();
        let terminal = |wanted: TerminalId, token: &Token<'_>| match &terminals[wanted].kind {
            TerminalKind::AnyTokenBut(excluded) => {
                let chosen = *self.by_name.get(token.name)?;
                (!excluded.contains(&chosen)).then_some(chosen)
            }
            _ => (*terminals[wanted].name == *token.name).then_some(wanted),
        };
        let written = |(&wanted, token): (&TerminalId, &Token<'_>)| {
            let terminal = terminal(wanted, token)?;
            Some(WrittenToken { terminal, start: token.start, end: token.end })
        };
        if candidate.tokens.len() != test.tokens.len() {
            return None;
        }
        candidate.tokens.iter().zip(test.tokens).map(written).collect()
    }
}

impl Sink for ReadBack<'_> {
    fn wants(&self) -> Wants {
        Wants { tokens: true, target: true, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        if (test.id - 1).is_multiple_of(self.step) {
            self.read += 1;
            let complaint = self.read(test).err();
            self.complaints.extend(complaint);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// The differences from the known sizes. Two ranges of 20 draws each do not agree exactly: an
/// average must be inside, a draw not far outside.
fn complaints(known: &KnownSizes, outcome: &Outcome) -> Vec<String> {
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
