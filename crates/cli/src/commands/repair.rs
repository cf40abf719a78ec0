//! `gramercy repair`: patches of a grammar with which failing tests pass.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use gramercy::base::{Diagnostic, Sources};
use gramercy::campaign::Verdict;
use gramercy::campaign::journal::read::Judged;
use gramercy::formats::Encoded;
use gramercy::language::{Language, ReadError};
use gramercy::localize::Wanted;
use gramercy::localize::repair::search::{RepairError, Source};
use gramercy::localize::repair::{
    Differences, Proposal, RepairOptions, RepairTest, Repaired, repair, unified_diff,
};
use gramercy::{Disk, Grammar};
use serde::Serialize;

use super::localize::{ReadTest, does_not_fail, from_campaign, of_case, read_tests};
use super::reading::no_parser;
use crate::codes;
use crate::console::Console;
use crate::flags::{CorpusArgs, FailingArgs, GrammarArgs, JsonArgs, LimitArgs, LoadedGrammar};
use crate::interrupt::Interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::Progress;
use crate::render::json;

/// Propose patches of a grammar with which its failing tests pass
#[derive(Args)]
#[command(after_help = "\
A patch makes a part of a rule optional or repeated, inserts, deletes, replaces or transposes symbols, adds an \
alternative, or lets a token rule take more characters. For inputs that are wrongly accepted (`expect: reject` in a \
corpus) it deletes an alternative, makes a part mandatory, or replaces a symbol by a more special one. Each patched \
grammar is loaded, and all failing and passing inputs are run on it.

Patches are shown as `diff -u` shows them, those with the fewest edits and the smallest effect on other inputs first: \
positive and exact negative tests of the old grammar, and positive tests of the patched one, are run on both.

With --db, the tests of a campaign are taken, and the grammar is patched so that it follows the program under test.

If no input fails, that is said and the exit code is 0. The exit code is 1 if there is no patch with which all inputs \
pass.

Examples:
  gramercy repair grammar.g4 --failing rejected.txt
  gramercy repair grammar.g4 --failing broken/ --passing good/ --apply
  gramercy repair grammar.y --failing tests.ndjson --json
  gramercy repair grammar.g4 --db campaign.db --group 1")]
pub(crate) struct Repair {
    #[command(flatten)]
    grammar: GrammarArgs,
    #[command(flatten)]
    tests: FailingArgs,
    /// Write the best patch to the grammar's files
    #[arg(long)]
    apply: bool,
    /// Propose at most this many patches
    #[arg(long, value_name = "N", default_value_t = 3)]
    proposals: usize,
    /// Load at most this many patched grammars for each edit of a patch
    #[arg(long, value_name = "N", default_value_t = RepairOptions::default().tries)]
    tries: usize,
    /// Make at most this many edits in a patch
    #[arg(long, value_name = "N", default_value_t = RepairOptions::default().rounds)]
    edits: usize,
    /// Compare old and new grammar by this many tests of each; 0 for no comparison
    #[arg(long, value_name = "N", default_value_t = RepairOptions::default().compared)]
    compare: u64,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: JsonArgs,
}

#[derive(Serialize)]
struct Document<'d> {
    repaired: bool,
    tried: usize,
    failing: usize,
    patches: Vec<Patch<'d>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<Patch<'d>>,
    applied: bool,
}

#[derive(Serialize)]
struct Patch<'d> {
    edits: &'d [String],
    size: usize,
    repaired: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    newly_accepted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    newly_rejected: Option<u64>,
    diff: String,
}

impl Repair {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(self.limits.limits(), console)?;
        let LoadedGrammar { file, language, options, encoding } = loaded;
        let corpus = |inputs: &[String]| self.corpus.corpus(inputs, encoding);
        let (failing, mut passing) = match &self.tests.db {
            Some(db) => followed(&language, db, self.tests.group)?,
            None => (read_tests(&corpus(&self.tests.failing), console), Vec::new()),
        };
        if failing.is_empty() {
            let error = Diagnostic::new(codes::NO_FAILING_INPUT, "there is no failing input")
                .help("give at least one input that the grammar treats wrongly with --failing");
            return Err(Failure::refused(error));
        }
        passing.extend(read_tests(&corpus(&self.tests.passing), console));
        let files = Encoded { files: &Disk, encoding };
        let source = Source { path: &file, files: &files, load: &options };
        let failed: Vec<_> = failing.iter().map(as_test).collect();
        let passed: Vec<_> = passing.iter().map(as_test).collect();
        let effort = RepairOptions {
            tries: self.tries,
            rounds: self.edits,
            proposals: self.proposals,
            compared: self.compare,
            ..RepairOptions::default()
        };
        let mut progress = Progress::of("patches", console.is_quiet());
        let interrupt = Interrupt::listen();
        let mut watch = |tried: usize| {
            progress.show(tried as u64, tried as u64, None);
            match interrupt.is_wanted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let repaired = repair(source, &failed, &passed, &effort, &mut watch)
            .map_err(|error| failure(language.grammar(), error))?;
        progress.clear();
        let warnings: Vec<_> =
            repaired.not_failing.iter().map(|&test| does_not_fail(&failing[test])).collect();
        console.report(&warnings, &Sources::new());
        let applied = self.write(&repaired)?;
        self.show(language.grammar(), &repaired, failing.len(), applied, console)?;
        let is_fine = !repaired.proposals.is_empty() || repaired.not_failing.len() == failing.len();
        Ok(match (interrupt.is_wanted(), is_fine) {
            (true, _) => Outcome::Interrupted,
            (false, true) => Outcome::Clean,
            (false, false) => Outcome::Found,
        })
    }

    /// Writes the best patch, if that is asked for.
    fn write(&self, repaired: &Repaired) -> Result<bool, Failure> {
        let Some(best) = repaired.proposals.first().filter(|_| self.apply) else {
            return Ok(false);
        };
        for (path, text) in &best.files {
            std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))?;
        }
        Ok(true)
    }

    fn show(
        &self,
        grammar: &Grammar,
        repaired: &Repaired,
        failing: usize,
        applied: bool,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if self.output.json {
            let document = Document {
                repaired: !repaired.proposals.is_empty(),
                tried: repaired.tried,
                failing,
                patches: repaired.proposals.iter().map(|patch| row(grammar, patch)).collect(),
                closest: repaired.closest.as_ref().map(|patch| row(grammar, patch)),
                applied,
            };
            json::write(console.out(), &document)?;
            return Ok(());
        }
        for (number, patch) in (1..).zip(&repaired.proposals) {
            let text = for_people(grammar, number, patch, applied && number == 1);
            console.out().write_all(text.as_bytes())?;
        }
        if repaired.not_failing.len() == failing {
            writeln!(console.out(), "no input fails: there is nothing to repair")?;
        } else if repaired.proposals.is_empty() {
            let tried = repaired.tried;
            writeln!(console.out(), "no patch makes all failing inputs pass; {tried} were tried")?;
            if let Some(closest) = &repaired.closest {
                let count = closest.repaired;
                writeln!(console.out(), "the closest lets {count} of {failing} pass:")?;
                console.out().write_all(diff(grammar, closest).as_bytes())?;
            }
        }
        Ok(())
    }
}

/// The tests of a campaign, wanted as the program judges them: findings as failing tests, the others as passing ones.
fn followed(
    language: &Language,
    db: &Path,
    group: Option<usize>,
) -> Result<(Vec<ReadTest>, Vec<ReadTest>), Failure> {
    let (findings, passed) = from_campaign(language, db, group)?;
    let follow = |judged: &Judged| {
        let test = of_case(&judged.case)?;
        let wanted = match judged.judgement.verdict {
            Verdict::RejectedPositive => Wanted::Reject(None),
            Verdict::AcceptedNegative => Wanted::Accept,
            _ => return None,
        };
        Some(ReadTest { wanted, ..test })
    };
    let failing = findings.iter().filter_map(follow).collect();
    Ok((failing, passed.iter().filter_map(|judged| of_case(&judged.case)).collect()))
}

fn as_test(test: &ReadTest) -> RepairTest<'_> {
    RepairTest { text: &test.text, wanted: test.wanted }
}

fn for_people(grammar: &Grammar, number: usize, patch: &Proposal, applied: bool) -> String {
    let edits = patch.edits.join("; ");
    let differences = match patch.differences {
        Some(Differences { accepted: 0, rejected: 0 }) => {
            "; no test of either grammar's suites changes".to_owned()
        }
        Some(Differences { accepted, rejected }) => format!(
            "; of the tests of both grammars, {accepted} are newly accepted and {rejected} newly rejected"
        ),
        None => String::new(),
    };
    let applied = if applied { " (applied)" } else { "" };
    format!("patch {number}{applied}: {edits}{differences}\n{}\n", diff(grammar, patch))
}

fn row<'d>(grammar: &Grammar, patch: &'d Proposal) -> Patch<'d> {
    Patch {
        edits: &patch.edits,
        size: patch.size,
        repaired: patch.repaired,
        differences: patch.differences.map(Differences::sum),
        newly_accepted: patch.differences.map(|differences| differences.accepted),
        newly_rejected: patch.differences.map(|differences| differences.rejected),
        diff: diff(grammar, patch),
    }
}

fn diff(grammar: &Grammar, patch: &Proposal) -> String {
    let old = |path: &PathBuf| {
        let sources = grammar.sources();
        let of = sources.iter().find(|(_, source)| Path::new(source.name()) == path);
        of.map_or("", |(_, source)| source.text())
    };
    let file = |(path, text): (&PathBuf, &String)| {
        unified_diff(&path.display().to_string(), old(path), text)
    };
    patch.files.iter().map(file).collect()
}

fn failure(grammar: &Grammar, error: RepairError) -> Failure {
    match error {
        RepairError::Read(ReadError::Limit(limit)) => limit.into(),
        RepairError::Read(ReadError::Grammar(diagnostics)) => {
            Failure::Refused(diagnostics, grammar.sources().clone())
        }
        RepairError::Parser(error) => no_parser(grammar, &error),
    }
}
