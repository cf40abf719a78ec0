//! Runs a program on inputs to see what each of them covers.
//!
//! A program with coverage is run in three steps, each a shell command: *reset*, *run*, *export*. All three are one test
//! of the launcher, so they share its directory, bounds and sandbox; what the export prints is the report, and what the
//! program prints goes to standard error. A long-lived *harness* is faster by far: one process reads all inputs and
//! answers each with a line of JSON. And without any coverage, the *verdict* about each input is what is learned.
//!
//! ```text
//! inputs ─▶ cache ─ new ones ─▶ workers (launcher: reset, run, export) ─ reports ─▶ cache ─▶ behaviour
//! ```
//!
//! Inputs are run in parallel and results come in the order of the inputs. Runs are kept by the content of the input, so
//! a collection goes on where it was stopped, and costs nothing when it is repeated.
//!
//! In reading order: [`presets`], [`verdicts`], [`cache`].

pub mod cache;
pub mod presets;
pub mod verdicts;

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy_base::{Fingerprint, parallel};
use gramercy_learn::behaviour::{Observed, Report};
use gramercy_learn::readers::{Format, Granularity, ndjson};
use gramercy_subject::observation::signal_name;
use gramercy_subject::{Delivery, End, Observation, Program, Subject, SubjectError};
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

use crate::case::Expectation;
use crate::journal::JournalError;
use crate::oracle::{BadPattern, Oracle, OracleSpec};
use cache::Cache;
use presets::{Preset, Templates};

/// The most bytes of a report.
const REPORT: usize = 256 << 20;
/// Begins the output of an export that failed; the reason follows.
const FAILED: &str = "gramercy: no report: ";
/// The most inputs that a worker takes at once.
const CHUNK: usize = 64;
/// A collection ends if this number of inputs ran and nothing is known about any.
const BROKEN: usize = 20;
/// Exit codes above this one are those that a shell gives to signals.
const SHELL_SIGNAL: i32 = 128;

/// What a run did, or why nothing is known about it.
pub type Outcome = Result<Observed, String>;

/// How behaviour is collected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectSpec {
    /// Where behaviour comes from.
    #[serde(with = "by_name")]
    pub preset: Preset,
    /// The commands around a run.
    pub templates: Templates,
    /// The program.
    pub program: Program,
    /// The format of reports; by their content if there is none.
    pub format: Option<String>,
    /// What counts as a target in reports.
    #[serde(with = "by_name")]
    pub granularity: Granularity,
    /// How verdicts are found.
    pub oracle: OracleSpec,
    /// Patterns of output that are targets, for verdicts.
    pub messages: Vec<String>,
}

impl CollectSpec {
    /// The usual way to collect behaviour of a program.
    #[must_use]
    pub fn new(preset: Preset, mut program: Program) -> Self {
        if preset == Preset::Harness {
            program.delivery = Delivery::Persistent;
        }
        Self {
            preset,
            templates: preset.templates(),
            program,
            format: None,
            granularity: Granularity::default(),
            oracle: OracleSpec::default(),
            messages: Vec::new(),
        }
    }
}

/// What a model remembers about the runs that it was learned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// How behaviour was collected.
    pub spec: CollectSpec,
    /// The inputs, by [their keys](cache::input_key).
    pub inputs: Vec<String>,
}

/// Why nothing can be collected.
#[derive(Debug)]
pub enum CollectError {
    /// The program cannot be run.
    Subject(SubjectError),
    /// Runs cannot be kept.
    Cache(JournalError),
    /// A pattern is not a regular expression.
    Pattern(BadPattern),
    /// The preset needs a command that is not there.
    NoExport,
    /// Nothing is known about any of the first inputs; why.
    Broken(String),
    /// The user wanted no more; what was run is kept.
    Interrupted,
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Subject(error) => error.fmt(f),
            Self::Cache(error) => error.fmt(f),
            Self::Pattern(error) => error.fmt(f),
            Self::NoExport => f.write_str("no command prints a coverage report: give --export"),
            Self::Broken(reason) => {
                write!(f, "nothing is known about the first {BROKEN} inputs: {reason}")
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CollectError {}

/// What was collected.
#[derive(Debug, Default)]
pub struct Collected {
    /// The inputs of which something is known, in order.
    pub observed: Vec<Observed>,
    /// The others: their names and the reasons.
    pub failed: Vec<(String, String)>,
    /// How many runs were known before.
    pub known: usize,
}

/// Makes a subject for a worker.
pub type Maker<'m> = dyn Fn(&Program) -> Result<Box<dyn Subject + Send>, SubjectError> + Sync + 'm;

/// Is told how many inputs are done, and of how many; breaking off ends the collection.
pub type Watch<'w> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'w;

/// Collects the behaviour of a program.
pub struct Collector {
    spec: CollectSpec,
    /// What is really run.
    program: Program,
    oracle: Oracle,
    messages: Vec<Regex>,
    jobs: usize,
}

impl Collector {
    /// A collector that runs this number of inputs at the same time.
    ///
    /// # Errors
    /// If the program does not exist, a pattern is wrong, or a command is missing.
    pub fn new(spec: CollectSpec, jobs: usize) -> Result<Self, CollectError> {
        let oracle = spec.oracle.build().map_err(CollectError::Pattern)?;
        let messages = patterns(&spec.messages).map_err(CollectError::Pattern)?;
        if spec.preset == Preset::Command && spec.templates.export.is_empty() {
            return Err(CollectError::NoExport);
        }
        let first = spec.program.command.first().map_or("", String::as_str);
        if find_program(first).is_none() {
            let reason = "there is no such program".to_owned();
            let error = SubjectError::CannotStart { program: first.to_owned(), reason };
            return Err(CollectError::Subject(error));
        }
        Ok(Self { program: wrapped(&spec), spec, oracle, messages, jobs })
    }

    /// How behaviour is collected.
    #[must_use]
    pub fn spec(&self) -> &CollectSpec {
        &self.spec
    }

    /// A fingerprint of everything that determines what runs do: the commands, and the files that they name.
    #[must_use]
    pub fn key(&self) -> String {
        let mut print = Fingerprint::default();
        print.add_text(&serde_json::to_string(&self.spec).unwrap_or_default());
        for word in &self.spec.program.command {
            // A class path names several files.
            for part in word.split(':') {
                let file = find_program(part).or_else(|| Some(PathBuf::from(part)));
                let content =
                    file.filter(|file| file.is_file()).and_then(|file| std::fs::read(file).ok());
                print.add_bytes(&content.unwrap_or_default());
            }
        }
        format!("{:032x}", print.finish())
    }

    /// Runs the program on all inputs, each a name and a text, that the cache does not know.
    ///
    /// # Errors
    /// See [`CollectError`].
    pub fn run(
        &self,
        inputs: &[(String, String)],
        make: &Maker<'_>,
        mut cache: Option<&mut Cache>,
        watch: &mut Watch<'_>,
    ) -> Result<Collected, CollectError> {
        let mut outcomes: Vec<Option<Outcome>> = Vec::with_capacity(inputs.len());
        for (name, text) in inputs {
            let known = match &cache {
                Some(cache) => cache.get(name, text).map_err(CollectError::Cache)?,
                None => None,
            };
            outcomes.push(known.map(Ok));
        }
        let open: Vec<usize> =
            (0..inputs.len()).filter(|&number| outcomes[number].is_none()).collect();
        let known = inputs.len() - open.len();
        let size = (open.len() / self.jobs.max(1)).clamp(1, CHUNK.min(BROKEN));
        let chunks: Vec<&[usize]> = open.chunks(size).collect();
        let (mut failed, mut done, mut usable) = (None, known, known);
        parallel::in_order(
            self.jobs,
            chunks.into_iter(),
            || make(&self.program),
            |subject, chunk| self.run_chunk(subject, chunk, inputs),
            |ran| {
                let kept = ran.map_err(CollectError::Subject).and_then(|ran| {
                    let rows: Vec<Outcome> = ran
                        .into_iter()
                        .map(|(number, outcome)| {
                            outcomes[number] = Some(outcome.clone());
                            done += 1;
                            usable += usize::from(outcome.is_ok());
                            outcome
                        })
                        .collect();
                    if let (true, Some(Err(reason))) = (usable == 0 && done >= BROKEN, rows.first())
                    {
                        return Err(CollectError::Broken(reason.clone()));
                    }
                    match &mut cache {
                        Some(cache) => {
                            let runs = rows.iter().filter_map(|outcome| outcome.as_ref().ok());
                            cache.put(runs).map_err(CollectError::Cache)
                        }
                        None => Ok(()),
                    }
                });
                failed = match (kept, watch(done, inputs.len())) {
                    (Err(error), _) => Some(error),
                    (Ok(()), ControlFlow::Break(())) => Some(CollectError::Interrupted),
                    (Ok(()), ControlFlow::Continue(())) => return ControlFlow::Continue(()),
                };
                ControlFlow::Break(())
            },
        );
        if let Some(error) = failed {
            return Err(error);
        }
        let mut collected = Collected { known, ..Collected::default() };
        for ((name, _), outcome) in inputs.iter().zip(outcomes) {
            match outcome.expect("invariant: every input was run") {
                Ok(observed) => collected.observed.push(observed),
                Err(reason) => collected.failed.push((name.clone(), reason)),
            }
        }
        Ok(collected)
    }

    fn run_chunk(
        &self,
        subject: &mut Result<Box<dyn Subject + Send>, SubjectError>,
        chunk: &[usize],
        inputs: &[(String, String)],
    ) -> Result<Vec<(usize, Outcome)>, SubjectError> {
        let subject = subject.as_mut().map_err(|error| error.clone())?;
        let tests: Vec<&[u8]> = chunk.iter().map(|&number| inputs[number].1.as_bytes()).collect();
        let mut seen = Vec::with_capacity(tests.len());
        subject.observe(&tests, &mut seen)?;
        let outcome = |(&number, seen): (&usize, &Observation)| {
            let (name, text) = inputs[number].clone();
            let report = self.report(seen);
            (number, report.map(|report| Observed { name, text, report }))
        };
        Ok(chunk.iter().zip(&seen).map(outcome).collect())
    }

    /// What an observation says about targets, or why it says nothing.
    fn report(&self, seen: &Observation) -> Result<Report, String> {
        match self.spec.preset {
            Preset::Verdict => {
                let mut report = Report::default();
                let judgement = self.oracle.judge(seen, Expectation::Accept);
                verdicts::add_verdict(&judgement, &mut report);
                verdicts::add_patterns(&self.messages, &seen.stdout, &seen.stderr, &mut report);
                Ok(report)
            }
            Preset::Harness => answered(seen),
            _ => self.exported(seen),
        }
    }

    /// The report that the export printed.
    fn exported(&self, seen: &Observation) -> Result<Report, String> {
        let code = match &seen.end {
            End::Exit(code) => *code,
            End::Signal(signal) => return Err(format!("{} ended it", signal_name(*signal))),
            End::TimedOut => return Err("the program did not end in time".to_owned()),
            End::Exceeded(resource) => {
                return Err(format!("the program used too much: {}", resource.as_str()));
            }
            End::Undeliverable(reason) => return Err(reason.clone()),
            other => return Err(format!("the program did not end: {other:?}")),
        };
        let text = String::from_utf8_lossy(&seen.stdout);
        if let Some(reason) = text.strip_prefix(FAILED) {
            let reason = reason.trim();
            return Err(match code > SHELL_SIGNAL {
                true => format!("{} ended the program: {reason}", signal_name(code - SHELL_SIGNAL)),
                false => reason.to_owned(),
            });
        }
        let format = match &self.spec.format {
            Some(name) => Format::named(name),
            None => Format::of(&text),
        };
        let format = format.ok_or("what the export printed is no coverage report that is known")?;
        format.read(&text, self.spec.granularity)
    }
}

/// The answer of a harness: `accept` or `reject`, and JSON.
fn answered(seen: &Observation) -> Result<Report, String> {
    let message = String::from_utf8_lossy(&seen.stdout);
    match &seen.end {
        End::Accepted | End::Rejected => ndjson::report(&message)
            .map_err(|error| format!("the harness answered without behaviour: {error}")),
        End::Exit(code) => Err(format!("the harness ended with exit code {code}")),
        End::Signal(signal) => Err(format!("the harness was ended by {}", signal_name(*signal))),
        End::TimedOut => Err("the harness did not answer in time".to_owned()),
        End::Exceeded(resource) => Err(format!("the harness used too much: {}", resource.as_str())),
        _ => Err("the harness did not answer".to_owned()),
    }
}

/// The program with the commands around it.
fn wrapped(spec: &CollectSpec) -> Program {
    let mut program = spec.program.clone();
    program.bounds.kept_output = REPORT;
    program.bounds.output = program.bounds.output.max(REPORT as u64);
    if matches!(spec.preset, Preset::Verdict | Preset::Harness) {
        return program;
    }
    let Templates { reset, run, export } = &spec.templates;
    let reset = if reset.is_empty() { ":" } else { reset };
    let script = format!(
        "COVERAGE=\"$TMPDIR/coverage\"; export COVERAGE; mkdir \"$COVERAGE\" || exit 125\n\
         ( {reset}\n) < /dev/null >&2\n( {run}\n) >&2\nstatus=$?\n\
         if ( {export}\n) < /dev/null > \"$COVERAGE.report\" 2> \"$COVERAGE.errors\"; then cat \"$COVERAGE.report\"\n\
         else printf '{FAILED}'; tail -n 3 \"$COVERAGE.errors\"; fi\nexit $status"
    );
    let shell = ["sh", "-c", &script, "gramercy"].map(str::to_owned);
    program.command = shell.into_iter().chain(spec.program.command.iter().cloned()).collect();
    program
}

/// The patterns of messages that are targets.
///
/// # Errors
/// If one is not a regular expression.
pub fn patterns(texts: &[String]) -> Result<Vec<Regex>, BadPattern> {
    let compile = |text: &String| {
        Regex::new(text).map_err(|error| BadPattern {
            pattern: text.clone(),
            reason: error.to_string().lines().last().unwrap_or_default().to_owned(),
        })
    };
    texts.iter().map(compile).collect()
}

/// The file of a program, by its path or in the directories of `PATH`.
fn find_program(name: &str) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(Path::new(name)))
        .find(|file| file.is_file())
}

/// Choices are written by the name that users know them by.
mod by_name {
    use gramercy_base::named::Named;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub(super) fn serialize<T: Named, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.name())
    }

    pub(super) fn deserialize<'de, T: Named, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        let name = String::deserialize(from)?;
        T::from_name(&name).ok_or_else(|| D::Error::custom(format!("there is no `{name}`")))
    }
}
