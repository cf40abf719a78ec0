//! What the commands that make suites share: the run of a recipe, what is said about it, and its manifest.

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use gramercy::Grammar;
use gramercy::assemble::engine::{self, Watch};
use gramercy::assemble::recipe::{Recipe, Selection, Tests};
use gramercy::assemble::{self, Manifest, Summary, plan};
use gramercy::base::{Diagnostic, Limits};
use gramercy::grammar::TerminalKind;
use gramercy::suite::sink::{Both, Nowhere};
use gramercy::suite::{Sink, SinkError, Test, Wants};

use crate::codes;
use crate::console::Console;
use crate::flags::{
    DestinationArgs, Given, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, lexeme_template,
};
use crate::interrupt::Interrupt;
use crate::outcome::{Failure, Outcome};
use crate::output_file;
use crate::progress::Progress;
use crate::render::{json, numbers, suite_errors, summary};

/// The arguments that go together with a manifest: all others are part of what it says.
const WITH_MANIFEST: [&str; 22] = [
    "grammar",
    "start",
    "notation",
    "lexer",
    "max_grammar_bytes",
    "from",
    "shard",
    "format",
    "output",
    "ext",
    "names",
    "force",
    "csv",
    "manifest",
    "jobs",
    "count",
    "json",
    "write_lexemes",
    "max_targets",
    "color",
    "quiet",
    "no_config",
];

/// The arguments that say where tests go, which --count does not make.
const WITHOUT_COUNT: [&str; 7] = ["format", "output", "ext", "names", "force", "csv", "manifest"];

/// The arguments about the files of a suite.
const WITH_FILES: [&str; 3] = ["ext", "names", "force"];

/// Refuses options on the command line that would be ignored.
pub(super) fn refuse_ignored(
    given: &Given,
    from: Option<&Path>,
    destination: &DestinationArgs,
    has_json: bool,
) -> Result<(), Failure> {
    if let (Some(path), Some(option)) = (from, given.first_but(&WITH_MANIFEST)) {
        return Err(Failure::usage(&format!(
            "{option} cannot be used with --from: `{}` says how the suite is made",
            path.display()
        )));
    }
    if given.has("json") && !has_json {
        let message = "--json goes with --count; for tests as JSON, use --format ndjson";
        return Err(Failure::usage(message));
    }
    if given.has("count")
        && let Some(option) = given.first_of(&WITHOUT_COUNT)
    {
        return Err(Failure::usage(&format!(
            "{option} cannot be used with --count: no test is written"
        )));
    }
    if destination.is_standard()
        && let Some(option) = given.first_of(&WITH_FILES)
    {
        return Err(Failure::usage(&format!(
            "{option} is about files of tests: name a folder with -o"
        )));
    }
    Ok(())
}

/// A suite to be made: where it goes, and what is wanted of it.
pub(super) struct Order<'o> {
    pub(super) loaded: &'o LoadedGrammar,
    pub(super) recipe: &'o Recipe,
    pub(super) destination: &'o DestinationArgs,
    pub(super) jobs: usize,
    pub(super) wanted: Wanted,
    /// The numbers of the tests that are written; all if there are none.
    pub(super) only: Option<&'o BTreeSet<u64>>,
}

/// What is wanted of a suite.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Its tests.
    Tests,
    /// Their number alone, for people.
    Count,
    /// Their number alone, as JSON.
    JsonCount,
}

impl Wanted {
    /// What `--count` and `--json` ask for.
    pub(super) fn new(count: bool, json: &JsonArgs) -> Self {
        match (count, json.json) {
            (false, _) => Self::Tests,
            (true, false) => Self::Count,
            (true, true) => Self::JsonCount,
        }
    }
}

/// Writes the template that `--write-lexemes` asks for; whether it was asked for.
pub(super) fn writes_lexeme_template(
    lexemes: &LexemeArgs,
    loaded: &LoadedGrammar,
    recipe: &Recipe,
    console: &mut Console,
) -> Result<bool, Failure> {
    let Some(path) = &lexemes.write_lexemes else { return Ok(false) };
    let writer = plan::writer(&loaded.language, &recipe.text);
    let mut writer = writer.map_err(|error| suite_errors::failure(error, &loaded.language))?;
    let template = lexeme_template(loaded.grammar(), &mut writer);
    output_file::write(path, &template, console)?;
    Ok(true)
}

impl Order<'_> {
    /// Makes the suite, says what there is to say about it, and writes its manifest.
    pub(super) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let summary = self.make(console)?;
        self.report(&summary, console)?;
        if self.wanted == Wanted::Tests {
            self.write_manifest(&summary, console)?;
        }
        Ok(summary::outcome(&summary, self.recipe))
    }

    /// As [`run`](Self::run); also says how many targets of the first criterion the suite covers.
    pub(super) fn run_measured(&self, console: &mut Console) -> Result<(Summary, u64), Failure> {
        let mut covered = CoveredCount { criterion: self.criteria().remove(0), count: 0 };
        let summary = self.make_into(&mut covered, console)?;
        self.report(&summary, console)?;
        self.write_manifest(&summary, console)?;
        Ok((summary, covered.count))
    }

    /// Makes the suite, with a line of progress, until it ends or the user interrupts it.
    fn make(&self, console: &mut Console) -> Result<Summary, Failure> {
        self.make_into(&mut Nowhere, console)
    }

    fn make_into(&self, more: &mut dyn Sink, console: &mut Console) -> Result<Summary, Failure> {
        let is_shown = self.destination.is_standard() && self.wanted == Wanted::Tests;
        let is_quiet = console.is_quiet() || (is_shown && console.is_terminal());
        let mut watching = Watching::new(self.jobs, is_quiet);
        let sink: Box<dyn Sink + '_> = match self.wanted {
            Wanted::Count | Wanted::JsonCount => Box::new(Nowhere),
            Wanted::Tests => {
                let literals = literals(self.loaded.grammar());
                self.destination.sink(console.out(), &literals, self.criteria())?
            }
        };
        let language = &self.loaded.language;
        let sink: Box<dyn Sink + '_> = match self.only {
            Some(only) => Box::new(Only { sink, only }),
            None => sink,
        };
        let mut sink = Both(sink, more);
        let made = assemble::suite(language, self.recipe, &mut sink, &mut watching);
        made.map_err(|error| suite_errors::failure(error, language))
    }

    /// The criteria that coverage is recorded for, by name.
    fn criteria(&self) -> Vec<String> {
        let cover = match &self.recipe.tests {
            Tests::Systematic(tests) => &tests.cover[..],
            Tests::Negative(tests) => {
                return tests.cover.iter().map(ToString::to_string).collect();
            }
            Tests::Random(_) | Tests::Uniform(_) | Tests::Guided(_) => &[],
        };
        cover.iter().chain(&self.recipe.report).map(ToString::to_string).collect()
    }

    /// Says how many tests there are, what is wrong with them, and how large they are.
    fn report(&self, summary: &Summary, console: &mut Console) -> Result<(), Failure> {
        match self.wanted {
            Wanted::Tests => {}
            Wanted::Count => writeln!(console.out(), "{}", numbers::grouped(summary.tests))?,
            Wanted::JsonCount => json::write(console.out(), &summary::Count::of(summary))?,
        }
        let language = &self.loaded.language;
        let mut findings = summary::findings(summary, self.recipe, language);
        findings.extend(self.few_tests(summary));
        console.report(&findings, language.grammar().sources());
        if self.wanted == Wanted::Tests {
            self.summarize(summary, console);
        }
        if let Some(figures) = &summary.uniform {
            console.tell(&summary::uniform_lines(figures));
        }
        Ok(())
    }

    /// One line about the suite: on a terminal, and wherever the tests do not go to standard output.
    fn summarize(&self, summary: &Summary, console: &Console) {
        if self.destination.is_standard() && !console.is_watched() {
            return;
        }
        let place = self.destination.in_words();
        let line = summary::line(summary, self.recipe, &self.loaded.language);
        console.say(&format!("{line}; to {place} in {:.1} s\n", console.seconds()));
    }

    /// Says so where the grammar has fewer tests than were requested.
    fn few_tests(&self, summary: &Summary) -> Option<Diagnostic> {
        let requested = match &self.recipe.tests {
            Tests::Systematic(tests) if tests.minimize.is_some() => return None,
            Tests::Systematic(tests) => {
                tests.requested_tests()?.min(self.recipe.limit.unwrap_or(u64::MAX))
            }
            Tests::Guided(_) => self.recipe.limit?,
            Tests::Random(_) if self.recipe.unique => self.recipe.limit?,
            Tests::Uniform(tests) if tests.selection == Selection::Distinct => self.recipe.limit?,
            Tests::Random(_) | Tests::Uniform(_) | Tests::Negative(_) => return None,
        };
        (summary.is_complete() && summary.numbered < requested).then(|| {
            let found = numbers::grouped(summary.numbered);
            let message = format!("only {found} tests were found that differ");
            Diagnostic::new(codes::FEW_TESTS, message)
        })
    }

    /// Writes how the suite was made, where that is wanted.
    pub(super) fn write_manifest(
        &self,
        summary: &Summary,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(path) = self.destination.manifest() else { return Ok(()) };
        let manifest = Manifest::new(self.recipe, self.loaded.for_manifest(), summary);
        let Some(manifest) = manifest else { return Ok(()) };
        output_file::write(&path, &manifest.to_json(), console)
    }
}

/// The grammar and recipe of a manifest, which a command that makes suites wrote.
pub(crate) fn load_manifest(
    path: &Path,
    grammar: &GrammarArgs,
    limits: Limits,
    is_ours: fn(&Tests) -> bool,
    console: &Console,
) -> Result<(LoadedGrammar, Recipe), Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::BAD_MANIFEST, message));
    let here = path.display();
    let unusable = |error| refuse(format!("cannot use `{here}`: {error}"));
    let manifest = Manifest::read(path).map_err(unusable)?;
    let loaded = grammar.as_in(&manifest.grammar).load(limits, console)?;
    manifest.check(&loaded.language).map_err(unusable)?;
    if is_ours(&manifest.recipe.tests) {
        return Ok((loaded, manifest.recipe));
    }
    let command = match manifest.recipe.tests {
        Tests::Systematic(_) => "generate",
        Tests::Random(_) | Tests::Uniform(_) => "random",
        Tests::Negative(_) => "negate",
        Tests::Guided(_) => "target",
    };
    Err(refuse(format!("`{here}` describes a suite of `gramercy {command}`")))
}

/// Hands only some tests on.
struct Only<'o> {
    sink: Box<dyn Sink + 'o>,
    only: &'o BTreeSet<u64>,
}

impl Sink for Only<'_> {
    fn wants(&self) -> Wants {
        self.sink.wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        match self.only.contains(&test.id) {
            true => self.sink.put(test),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.sink.flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.sink.finish()
    }
}

/// Counts the targets of one criterion that a suite covers.
struct CoveredCount {
    criterion: String,
    count: u64,
}

impl Sink for CoveredCount {
    fn wants(&self) -> Wants {
        Wants { covers: true, ..Wants::default() }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        // Every test lists what it is the first to cover.
        let own = test.covers.iter().filter(|target| target.criterion == self.criterion);
        self.count += own.count() as u64;
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Shows progress, and notices when the user interrupts the suite.
struct Watching {
    jobs: usize,
    is_quiet: bool,
    line: Option<Progress>,
    interrupt: Interrupt,
}

impl Watching {
    fn new(jobs: usize, is_quiet: bool) -> Self {
        Self { jobs, is_quiet, line: None, interrupt: Interrupt::listen() }
    }
}

impl Watch for Watching {
    fn jobs(&self) -> usize {
        self.jobs
    }

    fn begin(&mut self, what: &'static str) {
        self.line = Some(Progress::of(what, self.is_quiet));
    }

    fn progress(&mut self, progress: &engine::Progress) -> ControlFlow<()> {
        if let Some(line) = &mut self.line {
            line.show(progress.tests, progress.done, progress.all);
        }
        match self.interrupt.is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// The texts that stand for themselves in a grammar.
fn literals(grammar: &Grammar) -> Vec<&str> {
    let texts = grammar.terminals().values().filter_map(|terminal| match &terminal.kind {
        TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => Some(&**text),
        _ => None,
    });
    let mut literals: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    literals.sort_unstable();
    literals.dedup();
    literals
}
