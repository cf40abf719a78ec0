//! `gramercy measure`: what a corpus covers.

mod gather;
mod judge;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, LimitReached, Limits};
use gramercy::coverage::{CountedTrees, CriterionSpec, Measure, uses_of_alternatives};
use gramercy::language::Language;

use self::gather::Gathered;
use super::reading::Reading;
use crate::codes;
use crate::console::Console;
use crate::flags::{GrammarArgs, InputLimitArgs, JobArgs, JsonArgs, LimitArgs, Trees, TreesArgs};
use crate::outcome::{Failure, Outcome};
use crate::render::coverage::{CriterionReport, Missing, Report, Selected};
use crate::render::{annotated, annotated_html, json, lcov, numbers};

/// Measure what a corpus covers of a grammar, and list what it misses
#[derive(Args)]
#[command(after_help = "\
A corpus is files, folders, patterns with `*`, archives (.tar, .tar.gz, .tar.zst, .zip), NDJSON \
files (.ndjson, .jsonl), or `-` for standard input. What is rejected covers nothing, and is listed \
unless the corpus expects it (`expect: reject` in NDJSON).

Criteria: symbol, rule, cdrc, cdrc-full, step:K, bfs:K, deriv, pll, pair, kpath:K, lexeme:K, \
push-edge:A, pop-edge:A, lr-path:K; several are joined with `+`.

The exit code is 1 if an input is rejected that should not be, or coverage is too low; with --baseline, only if \
something is covered no more; and 2 if an input cannot be read.

Examples:
  gramercy measure grammar.gram corpus/
  gramercy measure grammar.g4 corpus.zip --cover kpath:3+rule --missing
  gramercy measure grammar.gram corpus/ --fail-under 90 --csv coverage.csv
  gramercy measure grammar.gram corpus/ --annotate html -o coverage.html
  gramercy measure grammar.gram corpus/ --json > baseline.json
  gramercy measure grammar.gram corpus/ --baseline baseline.json
  gramercy measure grammar.y corpus.ndjson --cover pop-edge:lr0 --select")]
pub(crate) struct MeasureCommand {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Inputs to measure
    #[arg(value_name = "CORPUS", required = true, value_hint = ValueHint::AnyPath)]
    corpus: Vec<String>,
    /// What is to be covered: criteria, joined with `+`
    #[arg(long, value_name = "CRITERIA", default_value = "kpath:2", value_parser = cover)]
    cover: Cover,
    #[command(flatten)]
    trees: TreesArgs,
    /// Exit with 1 if less than this is covered of what can be, by any criterion
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_under: Option<Percent>,
    /// Exit with 1 only if something is missing that this earlier result of --json covers
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    jobs: JobArgs,
    /// Give up on a criterion with more targets than this
    #[arg(long, value_name = "N", default_value_t = Limits::default().targets)]
    max_targets: usize,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    input_limits: InputLimitArgs,
    /// List what is missing, as patterns with their places, at most N a criterion [default N: 20]
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true,
        default_missing_value = "20", help_heading = "Output options"
    )]
    missing: Option<usize>,
    /// List a small choice of inputs that together cover what all of them cover
    #[arg(long, help_heading = "Output options")]
    select: bool,
    /// Write what each input covers, what of it is new, and the sum, as a table
    #[arg(long, value_name = "FILE", help_heading = "Output options", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    /// Write the grammar with the number of uses of each alternative
    #[arg(long, value_name = "FORM", help_heading = "Output options")]
    annotate: Option<Form>,
    /// Write the annotated grammar to this file instead of standard output
    #[arg(
        long, short, value_name = "FILE", requires = "annotate", help_heading = "Output options",
        value_hint = ValueHint::FilePath
    )]
    output: Option<PathBuf>,
    /// Write the coverage of the grammar's lines, rules and alternatives for LCOV viewers
    #[arg(long, value_name = "FILE", help_heading = "Output options", value_hint = ValueHint::FilePath)]
    lcov: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The criteria that were asked for, by the names that were used.
#[derive(Clone, Debug)]
struct Cover(Vec<(String, CriterionSpec)>);

/// A share, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Percent(f64);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Html,
}

fn cover(text: &str) -> Result<Cover, String> {
    let specs = CriterionSpec::parse_list(text).map_err(|error| error.to_string())?;
    Ok(Cover(text.split('+').map(str::to_owned).zip(specs).collect()))
}

fn percent(text: &str) -> Result<Percent, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(share) if (0.0..=100.0).contains(&share) => Ok(Percent(share)),
        _ => Err("a number from 0 to 100 is needed".to_owned()),
    }
}

impl MeasureCommand {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let baseline = self.baseline.as_deref().map(judge::Baseline::read).transpose()?;
        let limits = Limits { targets: self.max_targets, ..self.limits.limits() };
        let reading = Reading::new(&self.grammar, limits, console)?;
        let language = &reading.language;
        let measure = self.measure(&reading)?;
        let gathered = gather::gather(&reading, &measure, &self.gather_options(), console)?;
        let report = self.report(language, &measure, &gathered);
        self.write_files(language, &gathered)?;
        self.show(&report, language, &gathered, console)?;
        if gathered.is_interrupted {
            let inputs = numbers::grouped(report.inputs as u64);
            let message = format!("interrupted: only the first {inputs} inputs were measured");
            let diagnostic = Diagnostic::new(codes::INTERRUPTED, message);
            console.report(&[diagnostic], &gramercy::base::Sources::new());
            return Ok(Outcome::Interrupted);
        }
        let judged = self.judge(&report, baseline.as_ref(), console);
        match gathered.is_unreadable {
            _ if !gathered.limited.is_empty() => Ok(Outcome::Limited),
            true => Err(Failure::Reported),
            false => Ok(judged),
        }
    }

    fn measure<'m>(&self, reading: &'m Reading) -> Result<Measure<'m>, LimitReached> {
        let specs = self.cover.0.iter();
        let build = |(_, spec): &(String, CriterionSpec)| spec.build(&reading.language);
        let trees = match self.trees.for_grammar(reading.grammar()) {
            Trees::Preferred => CountedTrees::Preferred,
            Trees::All => CountedTrees::All,
        };
        Ok(Measure {
            parser: reading.parser(),
            criteria: specs.map(build).collect::<Result<_, _>>()?,
            trees,
            productions: reading.language.bnf().production_count(),
        })
    }

    fn gather_options(&self) -> gather::Options<'_> {
        gather::Options {
            corpus: &self.corpus,
            names: self.cover.0.iter().map(|(name, _)| name.clone()).collect(),
            jobs: self.jobs.jobs(),
            csv: self.csv.as_deref(),
            input_limits: &self.input_limits,
            keeps_all: self.select,
        }
    }

    fn report<'g>(
        &self,
        language: &Language,
        measure: &Measure<'_>,
        gathered: &'g Gathered,
    ) -> Report<'g> {
        // For programs the list is whole unless they say otherwise; people ask for it.
        let most = match self.missing {
            _ if self.baseline.is_some() => usize::MAX,
            Some(most) => most,
            None if self.json.json => usize::MAX,
            None => 0,
        };
        let criteria = self.cover.0.iter().zip(&measure.criteria).zip(&gathered.sum.targets);
        let criteria = criteria.map(|(((name, _), criterion), covered)| {
            let report = CriterionReport {
                targets: criterion.targets(),
                coverable: criterion.coverable(),
                covered: covered.len(),
                missing: Missing::list(language, &**criterion, covered, most),
            };
            (name.clone(), report)
        });
        let selected = gathered.kept.as_ref().map(|kept| Selected::of(&gathered.accepted, kept));
        Report {
            inputs: gathered.accepted.len()
                + gathered.rejected.len()
                + usize::try_from(gathered.expected_rejections).unwrap_or(usize::MAX),
            rejected: &gathered.rejected,
            expected_rejections: gathered.expected_rejections,
            unexpected: &gathered.unexpected,
            limited: &gathered.limited,
            trees: match measure.trees {
                CountedTrees::Preferred => "preferred",
                CountedTrees::All => "all",
            },
            criteria: criteria.collect(),
            selected,
            shown: self.missing.unwrap_or(0),
        }
    }

    fn write_files(&self, language: &Language, gathered: &Gathered) -> Result<(), Failure> {
        let uses = || uses_of_alternatives(language, &gathered.sum.uses);
        if let Some(path) = &self.lcov {
            write_file(path, &lcov::tracefile(language.grammar(), &uses()))?;
        }
        match (self.annotate, &self.output) {
            (Some(form), Some(path)) => write_file(path, &form.annotate(language, gathered)),
            _ => Ok(()),
        }
    }

    fn show(
        &self,
        report: &Report<'_>,
        language: &Language,
        gathered: &Gathered,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let palette = console.out_palette();
        match (self.annotate, &self.output) {
            (Some(form), None) => {
                console.out().write_all(form.annotate(language, gathered).as_bytes())?;
            }
            _ if self.json.json => json::write(console.out(), report)?,
            _ => console.out().write_all(report.for_people(palette).as_bytes())?,
        }
        Ok(())
    }

    fn judge(
        &self,
        report: &Report<'_>,
        baseline: Option<&judge::Baseline>,
        console: &Console,
    ) -> Outcome {
        let too_low = self.fail_under.map(|least| judge::too_low(report, least.0));
        let lost = baseline.map(|baseline| baseline.lost_in(report));
        let found = too_low.into_iter().flatten().chain(lost.iter().flatten().cloned());
        let found: Vec<_> = found.collect();
        console.report(&found, &gramercy::base::Sources::new());
        let is_wrong = !report.rejected.is_empty() || !report.unexpected.is_empty();
        let rejects = lost.is_none() && is_wrong;
        if found.is_empty() && !rejects { Outcome::Clean } else { Outcome::Found }
    }
}

impl Form {
    fn annotate(self, language: &Language, gathered: &Gathered) -> String {
        let uses = uses_of_alternatives(language, &gathered.sum.uses);
        match self {
            Form::Text => annotated::text(language.grammar(), &uses),
            Form::Html => annotated_html::page(language.grammar(), &uses),
        }
    }
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::unwritable(path, &error))
}
