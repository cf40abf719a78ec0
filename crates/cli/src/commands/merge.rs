//! `gramercy merge`: databases of several machines into one, with the report that one machine would have given.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Limits, Sources};
use gramercy::campaign::journal::{GRAMMAR_FILE, open_to_read, read};
use gramercy::campaign::{JournalError, Report, merge, triage};
use gramercy::language::Language;
use gramercy::{Disk, LoadOptions, load};

use super::campaigns::bad_database;
use crate::codes;
use crate::console::Console;
use crate::flags::JsonArgs;
use crate::outcome::{Failure, Outcome};
use crate::report::ReportArgs;

/// Join the databases of a campaign that ran in parts
#[derive(Args)]
#[command(after_help = "\
Joining is idempotent: a database given twice, or that of a task that was run twice, changes nothing. Parts that are
missing are named. The grammar is read again from its file, for the reasons of groups.

Examples:
  gramercy merge part-1.db part-2.db -o all.db
  gramercy merge part-1.db part-2.db -o all.db --report report.html
  gramercy merge all.db --json")]
pub(crate) struct Merge {
    /// Databases of `gramercy run` or `gramercy diff`
    #[arg(value_name = "DATABASE", required = true, value_hint = ValueHint::FilePath)]
    databases: Vec<PathBuf>,
    /// Database to write; one that is there is added to [default: the only database given]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Grammar file, if it is not where it was
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    grammar: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl Merge {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let output = match (&self.output, &self.databases[..]) {
            (Some(output), _) => output.clone(),
            (None, [only]) => only.clone(),
            (None, _) => {
                let message = "name the database to write with -o\n";
                let kind = clap::error::ErrorKind::MissingRequiredArgument;
                return Err(clap::Error::raw(kind, message).into());
            }
        };
        let merged = merge::merge(&self.databases, &output);
        let merged = merged.map_err(|error| bad_database(&error))?;
        let warn = |(shard, of): &(u64, u64), what: &str| {
            Diagnostic::new(codes::MISSING_SHARD, format!("part {shard}/{of} {what}"))
        };
        let missing = merged.missing.iter().map(|part| warn(part, "is missing"));
        let unfinished = merged.unfinished.iter().map(|part| warn(part, "is not finished"));
        let warnings: Vec<Diagnostic> = missing.chain(unfinished).collect();
        console.report(&warnings, &Sources::new());
        let language = self.language(&output);
        // It is closed after the report, so that nothing stays in a write-ahead log.
        let db = gramercy::campaign::journal::open_to_change(&output);
        let db = db.map_err(|error| bad_database(&error))?;
        let report = Report::read(&output, language.as_ref());
        let report = report.map_err(|error| bad_database(&error))?;
        let failed = |error| bad_database(&JournalError::Database(output.clone(), error));
        triage::store(&db, &report.groups).map_err(failed)?;
        self.report.write(&report, console)?;
        self.report.show(&report, self.json.json, console)?;
        Ok(match report.total().findings() > 0 || !merged.missing.is_empty() {
            true => Outcome::Found,
            false => Outcome::Clean,
        })
    }

    /// The language of the campaign, if its grammar is still there and the same.
    fn language(&self, database: &Path) -> Option<Language> {
        let db = open_to_read(database).ok()?;
        let noted = read::value(&db, GRAMMAR_FILE).ok()?.map(PathBuf::from);
        let fingerprint = read::value(&db, "grammar").ok()??;
        let start = read::value(&db, "start").ok()?;
        let options = LoadOptions { start, ..LoadOptions::default() };
        let file = self.grammar.clone().or(noted)?;
        let grammar = load(&file, &Disk, &options).grammar?;
        let language = Language::new(grammar, Limits::default()).ok()?;
        (language.fingerprint() == fingerprint).then_some(language)
    }
}
