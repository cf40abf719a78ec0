//! `gramercy check`: what is wrong, doubtful or set aside in a grammar.

use std::io::Write;

use clap::{Args, ValueEnum};
use gramercy::base::{Diagnostic, LimitReached, Limits, Severity};
use gramercy::check::{Conflicts, Options, Subject};
use gramercy::{Loaded, check};

use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs, LimitArgs};
use crate::outcome::{Failure, Outcome};
use crate::render::{annotations, diagnostics, json, sarif};

/// List what is wrong, doubtful or set aside in a grammar, with its place and help
#[derive(Args)]
#[command(after_help = "\
The exit code is 2 if there are errors, 1 if there is something that is denied, and else 0.

Examples:
  gramercy check grammar.gram
  gramercy check grammar.g4 --start file --deny warnings
  gramercy check grammar.y --format sarif > grammar.sarif")]
pub(crate) struct Check {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Exit with 1 if there is anything of this severity, or a higher one
    #[arg(long, value_name = "SEVERITY")]
    deny: Option<Denied>,
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

#[derive(Clone, Copy, ValueEnum)]
enum Denied {
    Warnings,
    Notes,
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
        let limits = self.limits.limits();
        let (_, loaded) = self.grammar.read(limits)?;
        let findings = self.findings(&loaded, &limits)?;
        self.write(&findings, &loaded, console)?;
        match findings.iter().map(Diagnostic::severity).max() {
            Some(Severity::Error) => Err(Failure::Reported),
            Some(highest) if self.denies(highest) => Ok(Outcome::Found),
            _ => Ok(Outcome::Clean),
        }
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

    fn denies(&self, severity: Severity) -> bool {
        match self.deny {
            Some(Denied::Warnings) => severity >= Severity::Warning,
            Some(Denied::Notes) => severity >= Severity::Note,
            None => false,
        }
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
        none if none.is_empty() => "nothing to say".to_owned(),
        some => some,
    }
}
