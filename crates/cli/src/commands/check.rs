//! `gramercy check`: what is wrong, doubtful or ignored in a grammar.

use std::io::Write;

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gramercy::base::{Code, Diagnostic, LimitReached, Limits, Severity, Sources};
use gramercy::check::{Conflicts, Options, Subject};
use gramercy::formats::suggest::did_you_mean;
use gramercy::{Loaded, check};

use crate::codes;
use crate::console::Console;
use crate::flags::{GrammarOptions, JsonArgs, LimitArgs};
use crate::outcome::{Failure, Outcome};
use crate::render::{annotations, diagnostics, json, sarif};

/// List what is wrong, doubtful or ignored in a grammar, with its place and help
#[derive(Args)]
#[command(after_help = "\
The exit code is 2 if there are errors, 1 if there is something that is denied, and else 0.

Examples:
  gramercy check grammar.gram
  gramercy check grammar.g4 --start file --deny warnings
  gramercy check grammar.g4 other.g4 --deny notes --allow start-without-eof
  gramercy check --explain unreachable-rule
  gramercy check grammar.y --format sarif > grammar.sarif")]
pub(crate) struct Check {
    /// Grammar files, folders with one grammar in each, or - for standard input
    #[arg(
        value_name = "GRAMMAR", required_unless_present = "explain",
        value_hint = ValueHint::FilePath
    )]
    grammar: Vec<PathBuf>,
    #[command(flatten)]
    options: GrammarOptions,
    /// Exit with 1 if there is anything of this severity or a higher one (warnings, notes), or of this
    /// code; may be given several times
    #[arg(long, value_name = "WHAT", value_parser = denied)]
    deny: Vec<Denied>,
    /// Leave out findings of this code; may be given several times
    #[arg(long, value_name = "CODE", value_parser = code)]
    allow: Vec<Code>,
    /// Explain a code, and exit
    #[arg(long, value_name = "CODE", value_parser = code, conflicts_with = "grammar")]
    explain: Option<Code>,
    /// What to say about LR conflicts; `auto` explains them for yacc grammars
    #[arg(long, value_name = "HOW", default_value = "auto")]
    conflicts: AboutConflicts,
    /// Steps that the search for an example of one conflict may take
    #[arg(long, value_name = "N", default_value_t = Options::default().effort)]
    effort: usize,
    #[command(flatten)]
    limits: LimitArgs,
    /// How to write the findings; `github` are workflow commands
    #[arg(
        long,
        value_name = "NAME",
        default_value = "text",
        conflicts_with = "json",
        help_heading = "Output options"
    )]
    format: Format,
    #[command(flatten)]
    json: JsonArgs,
}

/// What is denied.
#[derive(Clone, Copy)]
enum Denied {
    Severity(Severity),
    Code(Code),
}

fn denied(text: &str) -> Result<Denied, String> {
    match text {
        "warnings" => Ok(Denied::Severity(Severity::Warning)),
        "notes" => Ok(Denied::Severity(Severity::Note)),
        text => code(text)
            .map(Denied::Code)
            .map_err(|error| format!("warnings, notes, or a code; {error}")),
    }
}

/// A code by its name.
fn code(text: &str) -> Result<Code, String> {
    let all = || gramercy::CODES.iter().chain([&codes::ALL]).copied().flatten();
    let known = all().find(|code| code.name == text).copied();
    known.ok_or_else(|| {
        let help = did_you_mean(text, all().map(|code| code.name));
        help.unwrap_or_else(|| "there is no such code; the guide lists all".to_owned())
    })
}

#[derive(Clone, Copy, ValueEnum)]
enum AboutConflicts {
    Auto,
    Ignore,
    Count,
    Explain,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
    Github,
}

impl Check {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        if let Some(Code { name, severity, meaning }) = self.explain {
            writeln!(console.out(), "{name} ({}): {meaning}", severity.as_str())?;
            return Ok(Outcome::Clean);
        }
        if self.grammar.len() > 1 && self.format == Format::Sarif {
            return Err(Failure::usage("--format sarif is for one grammar at a time"));
        }
        let limits = self.limits.limits();
        let (mut is_error, mut is_denied) = (false, false);
        for path in &self.grammar {
            let (file, loaded) = self.options.read(path, limits)?;
            let mut findings = self.findings(&loaded, &limits)?;
            findings.retain(|finding| !self.is_allowed(finding, &loaded.sources));
            if self.grammar.len() > 1 && self.format == Format::Text && !self.json.json {
                writeln!(console.out(), "{}:", file.display())?;
            }
            self.write(&findings, &loaded, console)?;
            is_error |= findings.iter().any(Diagnostic::is_error);
            is_denied |= findings.iter().any(|finding| self.denies(finding));
        }
        match (is_error, is_denied) {
            (true, _) => Err(Failure::Reported),
            (false, true) => Ok(Outcome::Found),
            (false, false) => Ok(Outcome::Clean),
        }
    }

    /// Whether a finding is not wanted: by `--allow`, or by a comment `gramercy: allow(CODE)` on its line or
    /// the one before. Errors cannot be allowed.
    fn is_allowed(&self, finding: &Diagnostic, sources: &Sources) -> bool {
        if finding.is_error() {
            return false;
        }
        if self.allow.iter().any(|code| code.name == finding.code.name) {
            return true;
        }
        let Some(span) = finding.span() else { return false };
        let line = sources.position(span).line;
        let lines = sources.get(span.source).text().lines().skip(line.saturating_sub(2));
        let comment = format!("gramercy: allow({})", finding.code.name);
        let most = if line == 1 { 1 } else { 2 };
        lines.take(most).any(|line| line.contains(&comment))
    }

    /// What the reader said, and, if there is a grammar, what can be said of it.
    fn findings(&self, loaded: &Loaded, limits: &Limits) -> Result<Vec<Diagnostic>, LimitReached> {
        let mut findings = loaded.diagnostics.clone();
        if let Some(grammar) = &loaded.grammar {
            let bnf = grammar.bnf(&grammar.graph(), limits)?;
            let subject = Subject { grammar, bnf: &bnf, said: &loaded.diagnostics };
            let options = Options { conflicts: self.conflicts.into(), effort: self.effort };
            findings.extend(check::check(&subject, &options, limits));
        }
        Ok(findings)
    }

    fn denies(&self, finding: &Diagnostic) -> bool {
        self.deny.iter().any(|denied| match denied {
            Denied::Severity(severity) => finding.severity() >= *severity,
            Denied::Code(code) => finding.code.name == code.name,
        })
    }

    fn write(
        &self,
        findings: &[Diagnostic],
        loaded: &Loaded,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let sources = &loaded.sources;
        let format = if self.json.json { Format::Json } else { self.format };
        let palette = console.out_palette();
        let out = console.out();
        match format {
            Format::Text => {
                out.write_all(diagnostics::for_people(findings, sources, palette).as_bytes())?;
                writeln!(
                    out,
                    "{}{}",
                    if findings.is_empty() { "" } else { "\n" },
                    summary(findings)
                )?;
            }
            Format::Json => json::write(out, &json::Report::new(findings, sources))?,
            Format::Sarif => writeln!(out, "{}", sarif::log(findings, sources))?,
            Format::Github => out.write_all(annotations::lines(findings, sources).as_bytes())?,
        }
        Ok(())
    }
}

impl From<AboutConflicts> for Conflicts {
    fn from(how: AboutConflicts) -> Self {
        match how {
            AboutConflicts::Auto => Conflicts::ByNotation,
            AboutConflicts::Ignore => Conflicts::Ignored,
            AboutConflicts::Count => Conflicts::Counted,
            AboutConflicts::Explain => Conflicts::Explained,
        }
    }
}

fn summary(findings: &[Diagnostic]) -> String {
    let count = |severity: Severity| {
        let number = findings.iter().filter(|finding| finding.severity() == severity).count();
        let plural = if number == 1 { "" } else { "s" };
        (number > 0).then(|| format!("{number} {}{plural}", severity.as_str()))
    };
    let counts = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(count);
    match counts.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no findings".to_owned(),
        some => some,
    }
}
