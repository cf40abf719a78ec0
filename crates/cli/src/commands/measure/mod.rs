//! `gramercy measure`: what a corpus covers.

mod copy;
mod gather;
mod judge;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, LimitReached, Limits, Sources};
use gramercy::coverage::{
    CountedTrees, Criterion, Exemptions, Measure, TargetId, TargetSet, uses_of_alternatives,
};
use gramercy::language::Language;

use self::gather::Gathered;
use super::reading::Reading;
use crate::codes;
use crate::console::Console;
use crate::flags::{
    CorpusArgs, Criteria, ExemptArgs, GrammarArgs, InputLimitArgs, JobArgs, JsonArgs, LimitArgs,
    MeasuredCriterion, Trees, TreesArgs, joined_criteria, measured_criteria,
};
use crate::outcome::{Failure, Outcome};
use crate::output_file;
use crate::render::coverage::{CriterionReport, Missing, Report, Selected};
use crate::render::{annotated, annotated_html, json, lcov, numbers};

/// Measure what a corpus covers of a grammar, and list what it misses
#[derive(Args)]
#[command(after_help = "\
A corpus is files, folders, patterns with `*`, archives (.tar, .tar.gz, .tar.zst, .zip), NDJSON \
files (.ndjson, .jsonl), or `-` for standard input. What is rejected covers nothing, and is listed \
unless the corpus expects it (`expect: reject` in NDJSON).

Criteria: symbol, rule, cdrc, cdrc-full, step:K, bfs:K, deriv, pll, pair, kpath:K, lexeme:K, \
push-edge:A, pop-edge:A, lr-path:K; for inputs that are rejected error-entry:A, item-edit, lexeme-error; several \
are joined with `+`.

The exit code is 1 if an input is rejected that should not be, or coverage is too low; with --baseline, only if \
something is no longer covered; and 2 if an input cannot be read.

Examples:
  gramercy measure grammar.gram corpus/
  gramercy measure grammar.g4 corpus.zip --cover kpath:3+rule --missing
  gramercy measure grammar.gram corpus/ --fail-under 90 --csv coverage.csv
  gramercy measure grammar.gram corpus/ --annotate html -o coverage.html
  gramercy measure grammar.gram corpus/ --write-baseline baseline.json
  gramercy measure grammar.gram corpus/ --baseline baseline.json
  gramercy measure grammar.gram corpus/ --exempt exempt.txt --fail-under 100
  gramercy measure grammar.gram corpus/ --select -o small/
  gramercy measure grammar.y corpus.ndjson --cover pop-edge:lr0 --select")]
pub(crate) struct MeasureCommand {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Inputs to measure
    #[arg(value_name = "CORPUS", required = true, value_hint = ValueHint::AnyPath)]
    corpus: Vec<String>,
    #[command(flatten)]
    corpus_args: CorpusArgs,
    /// What is to be covered: criteria, joined with `+` or in several options
    #[arg(
        long, value_name = "CRITERIA", default_value = "kpath:2", value_parser = measured_criteria(),
        hide_possible_values = true
    )]
    cover: Vec<Criteria<MeasuredCriterion>>,
    #[command(flatten)]
    exempt: ExemptArgs,
    #[command(flatten)]
    trees: TreesArgs,
    /// Exit with 1 if less than this is covered of what can be, by any criterion
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    fail_under: Option<Percent>,
    /// Exit with 1 only if something is missing that this earlier result of --json covers
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    baseline: Option<PathBuf>,
    /// Write a baseline for later runs: the result of --json, with all that is covered
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    write_baseline: Option<PathBuf>,
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
    /// Write what is missing as a list for --exempt
    #[arg(long, value_name = "FILE", help_heading = "Output options", value_hint = ValueHint::FilePath)]
    write_exempt: Option<PathBuf>,
    /// List a small choice of inputs that together cover what all of them cover; with -o, also copy them
    /// into this folder
    #[arg(long, help_heading = "Output options")]
    select: bool,
    /// Write what each input covers, what of it is new, and the sum, as a table
    #[arg(long, value_name = "FILE", help_heading = "Output options", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    /// Write the grammar with the number of uses of each alternative
    #[arg(long, value_name = "FORM", help_heading = "Output options")]
    annotate: Option<Form>,
    /// Write the annotated grammar to this file, or the inputs of --select into this folder
    #[arg(
        long, short, value_name = "PATH", help_heading = "Output options",
        value_hint = ValueHint::AnyPath
    )]
    output: Option<PathBuf>,
    /// Write the coverage of the grammar's lines, rules and alternatives for LCOV viewers
    #[arg(long, value_name = "FILE", help_heading = "Output options", value_hint = ValueHint::FilePath)]
    lcov: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// A share, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Percent(f64);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Html,
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
        let exemptions = self.exempt.list()?;
        match (&self.output, self.annotate.is_some(), self.select) {
            (Some(_), false, false) => {
                return Err(Failure::usage("-o goes with --annotate or --select"));
            }
            (Some(_), true, true) => {
                return Err(Failure::usage("-o is for --annotate or for --select, not for both"));
            }
            _ => {}
        }
        if let Some(path) = self.output.as_deref().filter(|_| self.select)
            && output_file::is_archive(path)
        {
            let path = path.display();
            let message = format!("`{path}` names an archive: --select copies into a folder");
            return Err(Failure::usage(&message));
        }
        if self.csv.as_deref().is_some_and(output_file::is_standard) {
            let message = "the report and --csv cannot both go to standard output: name a file";
            return Err(Failure::usage(message));
        }
        let limits = Limits { targets: self.max_targets, ..self.limits.limits() };
        let reading = Reading::new(&self.grammar, limits, console)?;
        let language = &reading.language;
        let measure = self.measure(&reading)?;
        let exempt = self.exempt_targets(&exemptions, &measure, console);
        let gathered = gather::gather(&reading, &measure, &self.gather_options(), console)?;
        let result = Measured { language, measure: &measure, exempt: &exempt, gathered: &gathered };
        let report = self.report(&result, self.listed());
        self.write_files(&result, console)?;
        self.show(&report, language, &gathered, console)?;
        if let Some(suspects) = gather::suspects(&reading) {
            let causes = suspects.tell(&gathered.causes, gathered.rejected.len());
            console.report(&causes, language.grammar().sources());
        }
        if gathered.is_interrupted {
            let inputs = numbers::grouped(report.inputs as u64);
            let message = format!("interrupted: only the first {inputs} inputs were measured");
            let diagnostic = Diagnostic::new(codes::INTERRUPTED, message);
            console.report(&[diagnostic], &Sources::new());
            return Ok(Outcome::Interrupted);
        }
        let judged = self.judge(&report, &result, baseline.as_ref(), console)?;
        match gathered.is_unreadable {
            _ if !gathered.limited.is_empty() => Ok(Outcome::Limited),
            true => Err(Failure::Reported),
            false => Ok(judged),
        }
    }

    /// The targets of each criterion that are left out on request.
    fn exempt_targets(
        &self,
        exemptions: &Exemptions,
        measure: &Measure<'_>,
        console: &Console,
    ) -> Vec<TargetSet> {
        let mut unknown = Vec::new();
        let cover = joined_criteria(&self.cover);
        let of = |((name, spec), criterion): ((String, MeasuredCriterion), &dyn Criterion)| {
            let (targets, patterns) = exemptions.of(&spec.to_string(), criterion);
            for pattern in patterns {
                let message = format!("no target of {name} is `{pattern}`");
                unknown.push(Diagnostic::new(codes::UNKNOWN_EXEMPTION, message));
            }
            targets
        };
        let targets =
            cover.into_iter().zip(measure.criteria.iter().map(|it| &**it)).map(of).collect();
        console.report(&unknown, &Sources::new());
        targets
    }

    /// How many missing targets of a criterion the report lists.
    fn listed(&self) -> usize {
        // For programs the list is whole unless they say otherwise; people ask for it.
        match self.missing {
            Some(most) => most,
            None if self.json.json => usize::MAX,
            None => 0,
        }
    }

    fn measure<'m>(&self, reading: &'m Reading) -> Result<Measure<'m>, LimitReached> {
        let specs = joined_criteria(&self.cover).into_iter();
        let build = |(_, spec): (String, MeasuredCriterion)| spec.build(&reading.language);
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
            corpus: self.corpus_args.corpus(&self.corpus, self.grammar.encoding()),
            names: joined_criteria(&self.cover).into_iter().map(|(name, _)| name).collect(),
            jobs: self.jobs.jobs(),
            csv: self.csv.as_deref(),
            input_limits: &self.input_limits,
            keeps_all: self.select,
        }
    }

    fn report<'g>(&self, result: &Measured<'g>, most: usize) -> Report<'g> {
        let Measured { language, measure, exempt, gathered } = *result;
        let cover = joined_criteria(&self.cover);
        let criteria = cover.into_iter().zip(&measure.criteria);
        let criteria = criteria.zip(gathered.sum.targets.iter().zip(exempt));
        let criteria = criteria.map(|(((name, _), criterion), (covered, exempt))| {
            let count = |is: &dyn Fn(&TargetId) -> bool| exempt.iter().filter(is).count() as u64;
            let report = CriterionReport {
                targets: criterion.targets(),
                coverable: criterion.coverable()
                    - count(&|&target| criterion.uncoverable(target).is_none()),
                covered: covered.len() - count(&|&target| covered.contains(target)),
                exempt: exempt.len(),
                missing: Missing::list(language, &**criterion, covered, exempt, most),
                covered_patterns: None,
            };
            (name, report)
        });
        let selected = gathered.kept.as_ref().map(|kept| Selected::of(&gathered.accepted, kept));
        Report {
            fingerprint: language.fingerprint(),
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

    fn write_files(&self, result: &Measured<'_>, console: &mut Console) -> Result<(), Failure> {
        let Measured { language, gathered, .. } = *result;
        let uses = || uses_of_alternatives(language, &gathered.sum.uses);
        if let Some(path) = &self.lcov {
            output_file::write(path, &lcov::tracefile(language.grammar(), &uses()), console)?;
        }
        if let Some(path) = &self.write_baseline {
            output_file::write(path, &self.baseline(result)?, console)?;
        }
        if let Some(path) = &self.write_exempt {
            output_file::write(path, &self.exemptions(result), console)?;
        }
        match (self.annotate, &self.output) {
            (Some(form), Some(path)) => {
                output_file::write(path, &form.annotate(language, gathered), console)
            }
            (None, Some(folder)) => {
                let kept = gathered.kept.as_deref().unwrap_or_default();
                let selected = Selected::of(&gathered.accepted, kept);
                copy::copy(
                    folder,
                    &self.corpus_args.corpus(&self.corpus, self.grammar.encoding()),
                    &selected.names(),
                )
            }
            _ => Ok(()),
        }
    }

    /// The result as a baseline: with the patterns of all that is covered.
    fn baseline(&self, result: &Measured<'_>) -> Result<String, Failure> {
        let mut report = self.report(result, usize::MAX);
        let criteria = report.criteria.iter_mut().zip(result.criteria());
        for ((_, of), (criterion, covered, _)) in criteria {
            let patterns = covered.iter().map(|target| criterion.describe(target));
            of.covered_patterns = Some(patterns.collect());
        }
        let mut text = Vec::new();
        json::write(&mut text, &report)?;
        Ok(String::from_utf8(text).expect("invariant: JSON is UTF-8"))
    }

    /// What is missing, as a list of exemptions.
    fn exemptions(&self, result: &Measured<'_>) -> String {
        let mut text = String::from("# Targets that are left uncovered, for --exempt.\n");
        for ((_, spec), (criterion, covered, _)) in
            joined_criteria(&self.cover).into_iter().zip(result.criteria())
        {
            for target in 0..criterion.targets() {
                if !covered.contains(target) && criterion.uncoverable(target).is_none() {
                    text.push_str(&Exemptions::line(&spec.to_string(), criterion, target));
                    text.push('\n');
                }
            }
        }
        text
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
        result: &Measured<'_>,
        baseline: Option<&judge::Baseline>,
        console: &Console,
    ) -> Result<Outcome, Failure> {
        let low = self.fail_under.map_or(Vec::new(), |least| judge::too_low(report, least.0));
        let names = report.criteria.iter().map(|(name, _)| name);
        let now: Vec<judge::Now<'_>> = names
            .zip(result.criteria())
            .map(|(name, (criterion, covered, exempt))| judge::Now {
                name,
                criterion,
                covered,
                exempt,
            })
            .collect();
        let judged = match baseline {
            None => None,
            Some(baseline) => Some(baseline.compare(&now, &result.language.fingerprint())?),
        };
        let is_wrong = !report.rejected.is_empty() || !report.unexpected.is_empty();
        let is_found = match &judged {
            None => is_wrong,
            Some(judged) => judged.is_worse,
        };
        let is_found = is_found || !low.is_empty();
        let compared = judged.map_or(Vec::new(), |judged| judged.findings);
        let findings: Vec<Diagnostic> = low.into_iter().chain(compared).collect();
        console.report(&findings, &Sources::new());
        Ok(if is_found { Outcome::Found } else { Outcome::Clean })
    }
}

/// What was measured, and by what.
#[derive(Clone, Copy)]
struct Measured<'g> {
    language: &'g Language,
    measure: &'g Measure<'g>,
    /// The targets of each criterion that are left out on request.
    exempt: &'g [TargetSet],
    gathered: &'g Gathered,
}

impl<'g> Measured<'g> {
    /// Each criterion with what is covered of it, and what is exempt.
    fn criteria(
        &self,
    ) -> impl Iterator<Item = (&'g (dyn Criterion + 'g), &'g TargetSet, &'g TargetSet)> {
        let criteria = self.measure.criteria.iter().zip(&self.gathered.sum.targets);
        let criteria = criteria.zip(self.exempt);
        criteria.map(|((criterion, covered), exempt)| (&**criterion as _, covered, exempt))
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
