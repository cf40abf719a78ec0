//! `gramercy localize`: the rule that failing tests point at.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use clap::Args;
use gramercy::Recipe;
use gramercy::base::{Diagnostic, Sources};
use gramercy::campaign::journal;
use gramercy::campaign::journal::read::{self, Judged};
use gramercy::campaign::{Expectation as Expected, JournalError, Report};
use gramercy::language::Language;
use gramercy::localize::{
    FailingTest, Localized, Metric, Options, Ranked, RankedSite, Subject, Under, Wanted,
    localize_watched,
};
use gramercy::suite::{Corpus, Expectation, Input};
use serde::Serialize;

use super::campaigns::bad_database;
use super::reading::{Reading, no_parser, unreadable};
use crate::codes;
use crate::console::Console;
use crate::flags::{CorpusArgs, FailingArgs, GrammarArgs, JsonArgs, LimitArgs, one_of};
use crate::outcome::{Failure, Outcome};
use crate::progress::Progress;
use crate::render::json;
use crate::render::rejections::{plain, position};
use crate::render::suspects::{Named, Suspect, for_people};

/// Passing tests that are made from the grammar where a metric needs some.
const OWN_TESTS: u64 = 1000;

/// Rank the rules of a grammar by how likely they are the cause of failing tests
#[derive(Args)]
#[command(after_help = "\
A failing input is one that the grammar rejects though it should accept it, or one that a corpus marks with \
`expect: reject` and the grammar accepts. Inputs are files, folders, patterns with `*`, archives, NDJSON files or `-`.

Each failing input is read up to its error. Changes of single rules are tried there and before: something inserted, \
left out, repeated or substituted, one more alternative, a token rule that takes one more character. Rules whose \
changes let most failing inputs be read furthest, with the least change, come first. The other metrics compare which \
elements failing and passing inputs exercise; without passing inputs they take a suite of the grammar itself.

With --db, the failing and passing tests of a campaign are taken, and the rules are those that the program under test \
handles wrongly.

If no input fails, that is said and the exit code is 0. The exit code is 2 if no failing input can be read.

Examples:
  gramercy localize grammar.g4 --failing rejected.txt
  gramercy localize grammar.g4 --failing broken/ --passing good/ --top 3
  gramercy localize grammar.y --failing tests.ndjson --metric ochiai --json
  gramercy localize grammar.y --failing rejected.txt --items
  gramercy localize grammar.g4 --db campaign.db --group 1")]
pub(crate) struct Localize {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    tests: FailingArgs,
    /// How suspicion is computed
    #[arg(
        long, value_name = "NAME", default_value = "explain",
        value_parser = one_of(&Metric::ALL, Metric::as_str)
    )]
    metric: Metric,
    /// Put rules first that explain all failing inputs together, at most N; 0 for as many as needed
    #[arg(long, value_name = "N")]
    faults: Option<usize>,
    /// Rank the items of productions too: how far a production was used, with a dot
    #[arg(long, help_heading = "Output options")]
    items: bool,
    /// Show this many rules
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Output options")]
    top: usize,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: JsonArgs,
}

/// A test with its text.
pub(super) struct ReadTest {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) wanted: Wanted,
    pub(super) mutated: Option<String>,
}

impl ReadTest {
    fn as_failing(&self) -> FailingTest<'_> {
        FailingTest { text: &self.text, wanted: self.wanted, mutated: self.mutated.as_deref() }
    }
}

/// Failing and passing tests.
struct Tests {
    failing: Vec<ReadTest>,
    passing: Vec<ReadTest>,
    under: Under,
}

#[derive(Serialize)]
struct Document<'d> {
    ranking: Vec<Row<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Vec<ItemRow<'d>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_failing: Vec<&'d str>,
}

#[derive(Serialize)]
struct Row<'d> {
    rule: &'d str,
    rank: f64,
    score: f64,
    line: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<TestRow<'d>>,
}

#[derive(Serialize)]
struct ItemRow<'d> {
    rule: &'d str,
    item: String,
    rank: f64,
    score: f64,
    line: usize,
}

#[derive(Serialize)]
struct TestRow<'d> {
    input: &'d str,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<String>,
}

impl Localize {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let reading = Reading::new(&self.grammar, self.limits.limits(), console)?;
        if reading.language.useful().is_empty() {
            return Err(Failure::Reported);
        }
        let grammar = reading.grammar();
        let subject =
            Subject::new(&reading.language).map_err(|error| no_parser(grammar, &error))?;
        let tests = self.tests(&reading, console)?;
        let failing: Vec<_> = tests.failing.iter().map(ReadTest::as_failing).collect();
        let passing: Vec<_> = tests.passing.iter().map(|test| &*test.text).collect();
        let options = Options {
            metric: self.metric,
            faults: self.faults,
            under: tests.under,
            ..Options::default()
        };
        let mut progress = Progress::of("inputs", console.is_quiet());
        let all = (failing.len() + passing.len()) as u64;
        let localized = localize_watched(&subject, &failing, &passing, &options, &mut |done| {
            progress.show(done as u64, done as u64, Some(all));
        });
        progress.clear();
        if tests.under == Under::Grammar {
            report_not_failing(&tests.failing, &localized, console);
            if localized.not_failing.len() == failing.len() {
                return self.nothing_fails(&tests.failing, console);
            }
        }
        if self.output.json {
            json::write(console.out(), &self.document(&subject, &tests.failing, &localized))?;
        } else {
            let text = self.text(&subject, &tests.failing, &localized, console);
            console.out().write_all(text.as_bytes())?;
        }
        Ok(Outcome::Clean)
    }

    /// Says that the grammar treats all inputs as it should.
    fn nothing_fails(&self, tests: &[ReadTest], console: &mut Console) -> Result<Outcome, Failure> {
        if self.output.json {
            let not_failing = tests.iter().map(|test| &*test.name).collect();
            let document = Document { ranking: Vec::new(), items: None, not_failing };
            json::write(console.out(), &document)?;
        } else {
            writeln!(console.out(), "no input fails: there is nothing to localize")?;
        }
        Ok(Outcome::Clean)
    }

    fn tests(&self, reading: &Reading, console: &Console) -> Result<Tests, Failure> {
        if let Some(db) = &self.tests.db {
            return self.campaign_tests(reading, db);
        }
        let encoding = self.grammar.encoding();
        let failing = read_tests(&self.corpus.corpus(&self.tests.failing, encoding), console);
        if failing.is_empty() {
            let error = Diagnostic::new(codes::NO_FAILING_INPUT, "there is no failing input")
                .help("give at least one input that the grammar treats wrongly with --failing");
            return Err(Failure::refused(error));
        }
        let mut passing = read_tests(&self.corpus.corpus(&self.tests.passing, encoding), console);
        if passing.is_empty() && self.metric != Metric::Explain {
            passing = own_suite(reading);
        }
        Ok(Tests { failing, passing, under: Under::Grammar })
    }

    /// The tests of a campaign.
    fn campaign_tests(&self, reading: &Reading, db: &Path) -> Result<Tests, Failure> {
        let (failing, passing) = from_campaign(&reading.language, db, self.tests.group)?;
        let tests =
            |judged: Vec<Judged>| judged.iter().filter_map(|it| of_case(&it.case)).collect();
        let failing: Vec<_> = tests(failing);
        let passing: Vec<ReadTest> = tests(passing);
        let passing = passing.into_iter().filter(|test| test.wanted == Wanted::Accept).collect();
        Ok(Tests { failing, passing, under: Under::Program })
    }

    fn document<'d>(
        &self,
        subject: &Subject<'d>,
        tests: &'d [ReadTest],
        localized: &'d Localized,
    ) -> Document<'d> {
        let grammar = subject.grammar();
        let row = |ranked: &Ranked| {
            let rule = &grammar.rules()[ranked.rule];
            let pointers = localized.pointers[ranked.rule].iter().filter(|p| p.vote >= 0.01);
            let tests = pointers.map(|pointer| {
                let test = &tests[pointer.test];
                let (line, column) = position(test.text.as_bytes(), pointer.byte);
                let change = pointer.explanation.as_ref();
                let change = change.map(|change| subject.describe(change, &test.text));
                TestRow { input: &test.name, line, column, change }
            });
            Row {
                rule: &rule.name,
                rank: ranked.rank,
                score: ranked.score,
                line: grammar.sources().position(rule.span).line,
                tests: tests.take(20).collect(),
            }
        };
        let not_failing = localized.not_failing.iter().map(|&test| &*tests[test].name);
        let item = |ranked: &RankedSite| {
            let rule = &grammar.rules()[ranked.site.rule()];
            ItemRow {
                rule: &rule.name,
                item: subject.describe_site(ranked.site),
                rank: ranked.rank,
                score: ranked.score,
                line: grammar.sources().position(rule.span).line,
            }
        };
        Document {
            ranking: localized.ranking.iter().map(row).collect(),
            items: self.items.then(|| localized.sites.iter().map(item).collect()),
            not_failing: not_failing.collect(),
        }
    }

    fn text(
        &self,
        subject: &Subject<'_>,
        tests: &[ReadTest],
        localized: &Localized,
        console: &Console,
    ) -> String {
        let named: Vec<_> =
            tests.iter().map(|test| Named { name: &test.name, text: &test.text }).collect();
        let suspect = |ranked: &Ranked| Suspect {
            rule: ranked.rule,
            rank: ranked.rank,
            score: ranked.score,
            pointers: &localized.pointers[ranked.rule],
        };
        let shown: Vec<_> = localized
            .ranking
            .iter()
            .filter(|ranked| ranked.score > 0.0)
            .take(self.top)
            .map(suspect)
            .collect();
        let mut text = for_people(subject, &shown, &named, console.out_palette());
        if self.items {
            for ranked in localized.sites.iter().take(self.top) {
                let item = subject.describe_site(ranked.site);
                text += &format!("item rank {}: {item}, score {:.3}\n", ranked.rank, ranked.score);
            }
        }
        text
    }
}

/// The findings and the passed tests of a campaign.
pub(super) fn from_campaign(
    language: &Language,
    db: &Path,
    group: Option<usize>,
) -> Result<(Vec<Judged>, Vec<Judged>), Failure> {
    let report = Report::read(db, Some(language)).map_err(|e| bad_database(&e))?;
    let database = |error| bad_database(&JournalError::Database(db.to_owned(), error));
    let groups: Vec<_> = match group {
        None => report.groups.iter().collect(),
        Some(number) => {
            let group = number.checked_sub(1).and_then(|at| report.groups.get(at));
            let group = group.ok_or_else(|| {
                let known = report.groups.len();
                let message = format!("the campaign has no group {number}: it has {known}");
                Failure::refused(Diagnostic::new(codes::BAD_DATABASE, message))
            })?;
            vec![group]
        }
    };
    let connection = journal::open_to_read(db).map_err(|error| bad_database(&error))?;
    let (mut failing, mut passing) = (Vec::new(), Vec::new());
    for group in groups {
        for &member in &group.members {
            failing.push(read::one(&connection, group.subject, member).map_err(database)?);
        }
    }
    if failing.is_empty() {
        let message = "the campaign has no finding";
        return Err(Failure::refused(Diagnostic::new(codes::NO_FAILING_INPUT, message)));
    }
    read::for_each(&connection, 0, read::Which::Passed, |judged| {
        passing.push(judged);
        match passing.len() as u64 >= OWN_TESTS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
    .map_err(database)?;
    Ok((failing, passing))
}

/// The inputs of a corpus; what cannot be read is told.
pub(super) fn read_tests(corpus: &Corpus, console: &Console) -> Vec<ReadTest> {
    let mut tests = Vec::new();
    corpus.for_each(|input| {
        match input {
            Ok(input) => match input.text() {
                Ok(text) => {
                    let text = text.into_owned();
                    tests.push(of_input(&input, text));
                }
                Err(byte) => {
                    let message = format!("{}: not text from byte {byte} on", plain(&input.name));
                    let error = Diagnostic::new(codes::UNREADABLE_INPUT, message);
                    console.report(&[error], &Sources::new());
                }
            },
            Err(error) => console.report(&[unreadable(&error)], &Sources::new()),
        }
        ControlFlow::Continue(())
    });
    tests
}

fn of_input(input: &Input, text: String) -> ReadTest {
    let wanted = match &input.expect {
        Some(Expectation::Reject(error)) => Wanted::Reject(error.byte),
        Some(Expectation::Accept) | None => Wanted::Accept,
    };
    let mutated = input.mutation.as_ref().and_then(|mutation| mutation.rule.as_ref());
    ReadTest { name: input.name.clone(), text, wanted, mutated: mutated.map(ToString::to_string) }
}

pub(super) fn of_case(case: &gramercy::campaign::Case) -> Option<ReadTest> {
    #[derive(serde::Deserialize)]
    struct Mutated {
        rule: Option<String>,
    }
    let text = String::from_utf8(case.content.clone()).ok()?;
    let wanted = match case.expect {
        Expected::Accept => Wanted::Accept,
        Expected::Reject(place) => {
            Wanted::Reject(place.and_then(|place| usize::try_from(place.byte).ok()))
        }
    };
    let mutated = case.mutation.as_ref().and_then(|json| serde_json::from_str(json).ok());
    let mutated = mutated.and_then(|mutated: Mutated| mutated.rule);
    let name = case.name.clone().unwrap_or_else(|| format!("test {}", case.id));
    Some(ReadTest { name, text, wanted, mutated })
}

/// Tests of the grammar itself that cover its rules.
fn own_suite(reading: &Reading) -> Vec<ReadTest> {
    let Ok(mut recipe) = Recipe::cover("cdrc") else { return Vec::new() };
    recipe.limit = Some(OWN_TESTS);
    let tests = gramercy::Tests::new(&reading.language, &recipe);
    tests
        .filter_map(Result::ok)
        .filter_map(|test| {
            let text = test.text?.into_owned();
            Some(ReadTest { name: String::new(), text, wanted: Wanted::Accept, mutated: None })
        })
        .collect()
}

/// Tells which tests do not fail.
fn report_not_failing(tests: &[ReadTest], localized: &Localized, console: &Console) {
    let diagnostics: Vec<_> =
        localized.not_failing.iter().map(|&test| does_not_fail(&tests[test])).collect();
    console.report(&diagnostics, &Sources::new());
}

/// Says that a test does not fail.
pub(super) fn does_not_fail(test: &ReadTest) -> Diagnostic {
    let what = match test.wanted {
        Wanted::Accept => "is accepted by the grammar, as it should be",
        Wanted::Reject(_) => "is rejected by the grammar, as it should be",
    };
    Diagnostic::new(codes::DOES_NOT_FAIL, format!("{} {what}", plain(&test.name)))
}
