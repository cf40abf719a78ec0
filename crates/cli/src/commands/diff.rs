//! `gramercy diff`: programs against programs, or grammars against grammars.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Limits, Named};
use gramercy::campaign::diff::grammars::{self, DiffError, Kind, Review};
use gramercy::campaign::diff::programs::{self, Comparison};
use gramercy::campaign::{JournalError, Outcome as Ended, Source};
use gramercy::suite::Corpus;
use serde_json::{Value, json};

use super::campaigns::{Database, Order, bad_database, preset, subject};
use super::reading::{no_parser, unreadable};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    GrammarArgs, JsonArgs, LoadedGrammar, OracleArgs, ProgramArgs, TestArgs, jobs, named,
};
use crate::interrupt::Interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::Progress;
use crate::render::Palette;
use crate::render::numbers::grouped;
use crate::render::suite_errors;
use crate::render::table::Table;
use crate::report::{ReportArgs, one_line};

const PROGRAMS: &str = "Comparing programs";
const GRAMMARS: &str = "Comparing grammars";
/// Characters of a test that are shown.
const WIDTH: usize = 120;
/// Groups that are shown.
const GROUPS: usize = 20;

/// Compare programs on the tests of a grammar, or grammars on each other's tests
#[derive(Args)]
#[command(after_help = "\
With --with or --preset, all programs get the same tests, and those that they respond to differently are grouped.
With several grammars, the suite of each is read by the others; with two, the second is the new version of the first,
and what changed is listed with its smallest witness. Tests of --from are read instead of suites. Exit code 1 means that something differs.

Examples:
  gramercy diff json.g4 --with ./parser-1.0 --with ./parser-1.1
  gramercy diff json.g4 --preset jq --preset python-json --cover kpath:3 --json
  gramercy diff old.g4 new.g4
  gramercy diff old.g4 new.g4 --from examples/
  gramercy diff old.g4 new.g4 --allow accepted --allow parsed-differently")]
pub(crate) struct Diff {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Other grammars, or the new version of the first
    #[arg(value_name = "GRAMMAR", value_hint = ValueHint::FilePath, id = "others")]
    others: Vec<PathBuf>,
    #[command(flatten)]
    tests: TestArgs,
    /// A program with its arguments, in one word; may be given more than once
    #[arg(long, value_name = "COMMAND", help_heading = PROGRAMS, conflicts_with = "others")]
    with: Vec<String>,
    /// A program that is called and understood as this preset does; may be given more than once
    #[arg(long, value_name = "NAME", help_heading = PROGRAMS, conflicts_with = "others")]
    preset: Vec<String>,
    /// Stop after this number of different disagreements
    #[arg(long, value_name = "N", help_heading = PROGRAMS)]
    max_groups: Option<usize>,
    /// Database to keep everything in [default: a temporary one]
    #[arg(long, value_name = "FILE", help_heading = PROGRAMS, value_hint = ValueHint::FilePath)]
    db: Option<PathBuf>,
    /// Continue the campaign of the database
    #[arg(long, requires = "db", help_heading = PROGRAMS)]
    resume: bool,
    /// Replace a database that is there already
    #[arg(long, help_heading = PROGRAMS, conflicts_with = "resume")]
    force: bool,
    /// How many tests to run at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = PROGRAMS)]
    jobs: Option<usize>,
    /// Changes that are not reported; may be given more than once
    #[arg(long, value_name = "KIND", value_parser = named::<Kind>(), help_heading = GRAMMARS)]
    allow: Vec<Kind>,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    oracle: OracleArgs,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl Diff {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        match (self.with.len() + self.preset.len(), &self.others[..]) {
            (0, []) => {
                let message = "name programs with --with or --preset, or a second grammar\n";
                Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, message).into())
            }
            (0, others) => self.grammars(&loaded, others, console),
            (1, _) => {
                let message = "one program agrees with itself: name a second one\n";
                Err(clap::Error::raw(ErrorKind::TooFewValues, message).into())
            }
            _ => self.programs(&loaded, console),
        }
    }

    fn programs(&self, loaded: &LoadedGrammar, console: &mut Console) -> Result<Outcome, Failure> {
        let mut subjects = Vec::new();
        for command in &self.with {
            let words = words(command).ok_or_else(|| -> Failure {
                let message = format!("a quote is not closed in `{command}`\n");
                clap::Error::raw(ErrorKind::InvalidValue, message).into()
            })?;
            subjects.push(subject(Some(command), &words, None, &self.program, &self.oracle)?);
        }
        for name in &self.preset {
            let preset = preset(name)?;
            subjects.push(subject(Some(name), &[], Some(preset), &self.program, &self.oracle)?);
        }
        let order = Order {
            loaded,
            source: self.tests.source(&self.grammar, loaded, console)?,
            subjects,
            jobs: jobs(self.jobs),
            reruns: 0,
            broken_share: 0.5,
            max_groups: self.max_groups,
            database: Database::new(self.db.as_deref(), self.resume, self.force)?,
        };
        let ran = order.run(console)?;
        let failed = |error| bad_database(&JournalError::Database(ran.report.path.clone(), error));
        let comparison = programs::compare(&ran.report.database).map_err(failed)?;
        self.report.write(&ran.report, console)?;
        let names = &ran.report.subjects;
        match self.json.json {
            true => writeln!(console.out(), "{}", programs_json(names, &comparison))?,
            false => {
                let text = programs_text(names, &comparison, console.out_palette());
                console.out().write_all(text.as_bytes())?;
            }
        }
        Ok(match ran.ended {
            Ended::Interrupted => Outcome::Interrupted,
            Ended::Broken(_) => return Err(Failure::NotRun),
            _ if comparison.disagreements > 0 => Outcome::Found,
            _ => Outcome::Clean,
        })
    }

    fn grammars(
        &self,
        first: &LoadedGrammar,
        others: &[PathBuf],
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let mut loaded = Vec::new();
        for other in others {
            loaded.push(self.grammar.of_file(other).load(Limits::default(), console)?);
        }
        let all: Vec<&LoadedGrammar> = std::iter::once(first).chain(&loaded).collect();
        let names: Vec<String> = all.iter().map(|one| one.file.display().to_string()).collect();
        let [second] = &loaded[..] else {
            let recipes = self.tests.positive(first)?;
            let languages: Vec<_> = all.iter().map(|one| &one.language).collect();
            let matrix = grammars::matrix(&languages, &recipes);
            let matrix = matrix.map_err(|error| diff_failed(error, first))?;
            let differs = matrix
                .iter()
                .enumerate()
                .any(|(row, counts)| counts.iter().any(|&count| count != counts[row]));
            self.show_matrix(&names, &matrix, None, console)?;
            return Ok(if differs { Outcome::Found } else { Outcome::Clean });
        };
        let mut review = self.review(first, second, console)?;
        let is_allowed = |kind: &Kind| self.allow.contains(kind);
        let allowed: u64 =
            review.changes.iter().map(|it| it.kind).filter(is_allowed).count() as u64;
        review.changes.retain(|change| !self.allow.contains(&change.kind));
        let matrix: Vec<Vec<u64>> = review.accepted.iter().map(|row| row.to_vec()).collect();
        self.show_matrix(&names, &matrix, Some(&review), console)?;
        if allowed > 0 && !self.json.json {
            writeln!(console.out(), "\nallowed and not listed: {}", grouped(allowed))?;
        }
        Ok(match review.is_complete {
            false => Outcome::Interrupted,
            true if review.changes.is_empty() => Outcome::Clean,
            true => Outcome::Found,
        })
    }

    /// Reads the suites of two grammars, or the texts of `--from`, with both.
    fn review(
        &self,
        old: &LoadedGrammar,
        new: &LoadedGrammar,
        console: &Console,
    ) -> Result<Review, Failure> {
        let mut progress = Progress::of("tests", console.is_quiet());
        let interrupt = Interrupt::listen();
        let mut watcher = |tests: u64| {
            progress.show(tests, tests, None);
            match interrupt.is_wanted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let languages = (&old.language, &new.language);
        let review = match self.tests.source(&self.grammar, old, console)? {
            Source::Recipes { recipes, .. } => {
                grammars::review(languages.0, languages.1, &recipes, &mut watcher)
            }
            Source::Corpus { arguments, .. } => {
                let texts = texts(&arguments, old)?;
                let texts = texts.iter().map(|text| text.as_str().into());
                grammars::review_texts(languages.0, languages.1, texts, &mut watcher)
            }
        };
        review.map_err(|error| diff_failed(error, old))
    }

    fn show_matrix(
        &self,
        names: &[String],
        matrix: &[Vec<u64>],
        review: Option<&Review>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if self.json.json {
            let mut document = json!({ "schema": 1, "grammars": names, "accepted": matrix });
            if let Some(review) = review {
                let changes = review.changes.iter().map(|change| {
                    json!({
                        "kind": change.kind.name(),
                        "detail": change.detail,
                        "tests": change.tests,
                        "witness": change.witness,
                    })
                });
                document["tests"] = Value::from(review.tests);
                document["changes"] = Value::from(changes.collect::<Vec<_>>());
            }
            writeln!(console.out(), "{document}")?;
            return Ok(());
        }
        let text = table("tests of", names, matrix, console.out_palette());
        console.out().write_all(text.as_bytes())?;
        let Some(review) = review else { return Ok(()) };
        if review.changes.is_empty() {
            writeln!(console.out(), "\nno change was found in {} tests", grouped(review.tests))?;
        }
        for change in review.changes.iter().take(GROUPS) {
            let help = Kind::CHOICES.iter().find(|choice| choice.value == change.kind);
            let help = help.map_or("", |choice| choice.help);
            let (tests, witness) =
                (grouped(change.tests), one_line(change.witness.as_bytes(), WIDTH));
            writeln!(console.out(), "\n{help}: {tests}, {}\n   {witness}", change.detail)?;
        }
        if review.changes.len() > GROUPS {
            let more = review.changes.len() - GROUPS;
            writeln!(console.out(), "\n{more} more are listed with --json")?;
        }
        Ok(())
    }
}

/// The texts of a corpus.
fn texts(arguments: &[String], loaded: &LoadedGrammar) -> Result<Vec<String>, Failure> {
    let (mut texts, mut failed) = (Vec::new(), None);
    let corpus = Corpus::new(arguments.iter().cloned());
    corpus.with_encoding(loaded.language.input_encoding()).for_each(|input| {
        match input.map(|input| input.text().map(std::borrow::Cow::into_owned)) {
            Ok(Ok(text)) => texts.push(text),
            // What is no text is no sentence of any grammar.
            Ok(Err(_)) => {}
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    match failed {
        Some(error) => Err(Failure::refused(unreadable(&error))),
        None if texts.is_empty() => {
            Err(Failure::refused(Diagnostic::new(codes::NO_TESTS, "there are no tests to read")))
        }
        None => Ok(texts),
    }
}

fn diff_failed(error: DiffError, loaded: &LoadedGrammar) -> Failure {
    match error {
        DiffError::Suite(error) => suite_errors::failure(error, &loaded.language),
        DiffError::Parser(error) => no_parser(loaded.grammar(), &error),
    }
}

/// A square table of counts.
fn table(corner: &str, names: &[String], rows: &[Vec<u64>], palette: Palette) -> String {
    let mut table =
        Table::of_numbers(std::iter::once(corner).chain(names.iter().map(String::as_str)));
    for (name, row) in names.iter().zip(rows) {
        let cells = row.iter().map(|&count| grouped(count));
        table.row(std::iter::once(name.clone()).chain(cells));
    }
    table.render(palette)
}

fn programs_text(names: &[String], comparison: &Comparison, palette: Palette) -> String {
    use std::fmt::Write;
    let mut text = table("agreement", names, &comparison.agreement, palette);
    let _ = writeln!(text);
    for (name, &accepted) in names.iter().zip(&comparison.accepted) {
        let (accepted, tests) = (grouped(accepted), grouped(comparison.tests));
        let _ = writeln!(text, "{name} accepts {accepted} of {tests} tests");
    }
    for group in comparison.groups.iter().take(GROUPS) {
        let _ = writeln!(
            text,
            "\n{} tests, the smallest is number {}:",
            grouped(group.tests),
            group.smallest.id
        );
        let _ = writeln!(text, "   {}", one_line(&group.smallest.content, WIDTH));
        for (name, (response, message)) in names.iter().zip(&group.responses) {
            let said = if message.is_empty() { String::new() } else { format!(": {message}") };
            let _ = writeln!(text, "   {name} {}{said}", verb(response.name()));
        }
    }
    if comparison.groups.len() > GROUPS {
        let _ = writeln!(
            text,
            "\n{} more groups are listed with --json",
            comparison.groups.len() - GROUPS
        );
    }
    text
}

/// A response as a verb.
fn verb(response: &str) -> &str {
    match response {
        "accept" => "accepts",
        "reject" => "rejects",
        "crash" => "crashes",
        "hang" => "hangs",
        "limit" => "uses too much",
        _ => "does not read it",
    }
}

fn programs_json(names: &[String], comparison: &Comparison) -> Value {
    let groups = comparison.groups.iter().map(|group| {
        let said = group
            .responses
            .iter()
            .map(|(response, message)| json!({ "response": response.name(), "message": message }));
        let responses: serde_json::Map<String, Value> = names.iter().cloned().zip(said).collect();
        json!({
            "tests": group.tests,
            "responses": responses,
            "smallest": {
                "id": group.smallest.id,
                "text": String::from_utf8_lossy(&group.smallest.content),
                "expect": group.smallest.expect.as_str(),
            },
        })
    });
    json!({
        "schema": 1,
        "tests": comparison.tests,
        "programs": names,
        "agreement": comparison.agreement,
        "accepted": comparison.accepted,
        "disagreements": comparison.disagreements,
        "groups": groups.collect::<Vec<_>>(),
    })
}

/// The words of a command line as a shell splits them: at spaces, but for those in quotes. `None` if a quote is not
/// closed.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None::<char>);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(chars.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(words(line).expect("it is closed"), expected, "{line}");
        };
        check("jq .", &["jq", "."]);
        check("  sh -c 'a \"b\" c' ", &["sh", "-c", "a \"b\" c"]);
        check(r#"a\ b "c \" d" ''"#, &["a b", "c \" d", ""]);
        assert_eq!(words("a 'b"), None);
    }
}
