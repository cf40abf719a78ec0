//! What the commands that run campaigns share: subjects, the database, progress, and what is said in the end.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gramercy::base::{Diagnostic, Sources};
use gramercy::campaign::journal::{GRAMMAR_FILE, Identity, Mode};
use gramercy::campaign::presets::{PRESETS, Preset};
use gramercy::campaign::run::BrokenHarness;
use gramercy::campaign::{
    Campaign, Event, Journal, JournalError, Observer, Outcome as Ended, Report, RunError, Source,
    SubjectSpec, triage,
};
use gramercy::subject::program::SandboxReport;
use gramercy::subject::{Launched, LauncherCommand, Program, Subject, SubjectError};

use crate::codes;
use crate::console::Console;
use crate::flags::{LoadedGrammar, OracleArgs, ProgramArgs};
use crate::interrupt::Interrupt;
use crate::outcome::Failure;
use crate::progress::Progress;
use crate::render::suite_errors;

/// The preset of a name.
pub(super) fn preset(name: &str) -> Result<&'static Preset, Failure> {
    Preset::find(name).ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let message = format!("there is no preset `{name}`");
        let help = format!("known are {}", names.join(", "));
        Failure::refused(Diagnostic::new(codes::CANNOT_RUN, message).help(help))
    })
}

/// A program with its oracle, from a command or a preset.
pub(super) fn subject(
    name: Option<&str>,
    command: &[String],
    preset: Option<&Preset>,
    program: &ProgramArgs,
    oracle: &OracleArgs,
) -> Result<SubjectSpec, Failure> {
    let base = match (preset, command) {
        (Some(preset), []) => preset.program(),
        (_, command) => Program::new(command.to_vec()),
    };
    let program = program.apply(base);
    let usual = preset.map(Preset::oracle).unwrap_or_default();
    let (spec, oracle) = oracle.apply(usual, preset.and_then(|preset| preset.position))?;
    let name = name.map_or_else(|| program.command.join(" "), str::to_owned);
    Ok(SubjectSpec { name, program, spec, oracle })
}

/// Where verdicts are kept.
pub(super) struct Database {
    path: PathBuf,
    mode: Mode,
    is_temporary: bool,
}

impl Database {
    /// The file that the user named, or one that is removed in the end.
    pub(super) fn new(path: Option<&Path>, resume: bool, force: bool) -> Result<Self, Failure> {
        let Some(path) = path else {
            let name = format!("gramercy-{}.db", std::process::id());
            let path = std::env::temp_dir().join(name);
            return Ok(Self { path, mode: Mode::New, is_temporary: true });
        };
        let mode = if resume { Mode::Resume } else { Mode::New };
        if force && !resume {
            for ending in ["", "-wal", "-shm"] {
                let file = PathBuf::from(format!("{}{ending}", path.display()));
                match std::fs::remove_file(&file) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(Failure::unwritable(&file, &error));
                    }
                    _ => {}
                }
            }
        }
        Ok(Self { path: path.to_owned(), mode, is_temporary: false })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.is_temporary {
            for ending in ["", "-wal", "-shm"] {
                // It may not have come into being.
                let _ = std::fs::remove_file(format!("{}{ending}", self.path.display()));
            }
        }
    }
}

/// A campaign that is to be run.
pub(super) struct Order<'o> {
    pub(super) loaded: &'o LoadedGrammar,
    pub(super) source: Source,
    pub(super) subjects: Vec<SubjectSpec>,
    pub(super) jobs: usize,
    pub(super) reruns: u32,
    pub(super) broken_share: f64,
    pub(super) max_groups: Option<usize>,
    pub(super) database: Database,
}

/// A campaign that was run.
pub(super) struct Ran {
    pub(super) ended: Ended,
    pub(super) report: Report,
    // After the report: the last connection that closes moves everything from the write-ahead log to the database,
    // and only the writer can do that. Then the one file is all that users need to copy.
    _journal: Journal,
}

impl Order<'_> {
    /// Runs the campaign, says what went wrong, and reads the report.
    pub(super) fn run(&self, console: &Console) -> Result<Ran, Failure> {
        let language = &self.loaded.language;
        let rows: Vec<_> = self.subjects.iter().map(SubjectSpec::row).collect();
        let Database { path, mode, .. } = &self.database;
        let shard = self.source.shard();
        let journal = Journal::open(path, *mode, &self.identity()?, &rows, shard);
        let journal = journal.map_err(|error| bad_database(&error))?;
        let launcher = LauncherCommand::this_program().map_err(|error| cannot_run(&error))?;
        let sandbox: OnceLock<SandboxReport> = OnceLock::new();
        let make = |spec: &SubjectSpec| -> Result<Box<dyn Subject + Send>, SubjectError> {
            let launched = Launched::new(launcher.clone(), spec.program.clone())?;
            let _ = sandbox.set(launched.sandbox().clone());
            Ok(Box::new(launched))
        };
        let campaign = Campaign {
            language,
            source: &self.source,
            subjects: &self.subjects,
            jobs: self.jobs,
            reruns: self.reruns,
            broken_share: self.broken_share,
            max_groups: self.max_groups,
        };
        let mut watching = Watching {
            line: Progress::of("tests", console.is_quiet()),
            interrupt: Interrupt::listen(),
            before: 0,
        };
        let ended = campaign.run(&make, &journal, &mut watching);
        watching.line.clear();
        drop(watching);
        self.report_sandbox(sandbox.get(), console);
        let ended = ended.map_err(|error| self.failed(error))?;
        let report = Report::read(path, Some(language)).map_err(|error| bad_database(&error))?;
        triage::store(journal.database(), &report.groups)
            .map_err(|error| bad_database(&JournalError::Database(path.clone(), error)))?;
        if report.tests() == 0 && ended == Ended::Complete {
            return Err(Failure::refused(Diagnostic::new(
                codes::NO_TESTS,
                "there are no tests to run",
            )));
        }
        if let Ended::Broken(broken) = &ended {
            let name = &self.subjects[broken.subject].name;
            console.report(&[broken_harness(name, broken)], &Sources::new());
        }
        Ok(Ran { ended, report, _journal: journal })
    }

    fn identity(&self) -> Result<Identity, Failure> {
        let source =
            self.source.identity().map_err(|error| self.failed(RunError::Source(error)))?;
        Ok(vec![
            (GRAMMAR_FILE, self.loaded.file.display().to_string()),
            ("grammar", self.loaded.language.fingerprint()),
            ("start", self.loaded.start().to_owned()),
            ("source", source),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ])
    }

    fn failed(&self, error: RunError) -> Failure {
        use gramercy::campaign::source::SourceError;
        match error {
            RunError::Source(SourceError::Suite(error)) => {
                suite_errors::failure(error, &self.loaded.language)
            }
            RunError::Source(SourceError::Corpus(error)) => {
                Failure::refused(super::reading::unreadable(&error))
            }
            RunError::Subject(error) => cannot_run(&error),
            RunError::Journal(error) => bad_database(&error),
        }
    }

    /// Warns of parts of the sandbox that do nothing, unless the user wanted it so.
    fn report_sandbox(&self, report: Option<&SandboxReport>, console: &Console) {
        let Some(report) = report else { return };
        let isolation = self.subjects.first().map(|subject| &subject.program.isolation);
        let Some(isolation) = isolation.filter(|isolation| isolation.is_sandboxed) else { return };
        let network = report.network_open.as_ref().filter(|_| !isolation.allow_network);
        let parts = [
            ("writes outside of the temporary directory", report.writes_open.as_ref()),
            ("the network", network),
            ("signals to other processes", report.signals_open.as_ref()),
        ];
        let warnings: Vec<Diagnostic> = parts
            .into_iter()
            .filter_map(|(what, reason)| {
                let message = format!("{what} cannot be refused to programs: {}", reason?);
                Some(Diagnostic::new(codes::SANDBOX_OPEN, message))
            })
            .collect();
        let watched = report.processes_watched.as_ref().map(|reason| {
            let message = format!("the number of processes is watched, not bounded: {reason}");
            Diagnostic::new(codes::SANDBOX_OPEN, message)
        });
        let warnings: Vec<Diagnostic> = warnings.into_iter().chain(watched).collect();
        console.report(&warnings, &Sources::new());
    }
}

/// The program under test cannot be run.
pub(super) fn cannot_run(error: &SubjectError) -> Failure {
    Failure::Exhausted(Box::new(Diagnostic::new(codes::CANNOT_RUN, error.to_string())))
}

/// A database cannot be used.
pub(super) fn bad_database(error: &JournalError) -> Failure {
    let diagnostic = Diagnostic::new(codes::BAD_DATABASE, error.to_string());
    match error {
        JournalError::Exists(_) => Failure::refused(
            diagnostic.help("continue it with --resume, or replace it with --force"),
        ),
        JournalError::OtherCampaign { .. } => {
            Failure::refused(diagnostic.help("name another file, or replace it with --force"))
        }
        error if error.is_of_machine() => Failure::Exhausted(Box::new(diagnostic)),
        _ => Failure::refused(diagnostic),
    }
}

fn broken_harness(name: &str, broken: &BrokenHarness) -> Diagnostic {
    let BrokenHarness { tests, of, ending, signature, .. } = broken;
    let said = if signature.is_empty() { String::new() } else { format!(": {signature}") };
    let message = format!("`{name}` ended before it read the test in {tests} of {of} tests");
    Diagnostic::new(codes::BROKEN_HARNESS, message)
        .note(format!("each time: {ending}{said}"))
        .help("try the command by hand; --stdin, --argument and {} decide how a test reaches it")
}

/// Shows progress, and notices when the user interrupts the campaign.
struct Watching {
    line: Progress,
    interrupt: Interrupt,
    before: u64,
}

impl Observer for Watching {
    fn event(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Resumed(tests) => self.before = tests,
            Event::Committed(counts) => {
                let tests = counts.first().map_or(0, gramercy::campaign::verdict::Counts::total);
                self.line.show(tests, self.before + tests, None);
            }
        }
        self.go_on()
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        match self.interrupt.is_wanted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
