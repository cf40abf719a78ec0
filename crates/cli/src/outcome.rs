//! How a command ends, and the exit codes that say so.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use gramercy::TransformError;
use gramercy::base::{Diagnostic, LimitReached, Sources};
use gramercy::lexis::LexerError;
use gramercy::suite::SinkError;

use crate::codes;
use crate::render::numbers;

/// What a command that did its work has to say to the shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing was found that the user asked to be warned of.
    Clean,
    /// Something was found: a denied warning, a rejected input.
    Found,
    /// Some input reached a limit of memory or time; the others were read.
    Limited,
    /// The user interrupted the work; what was done is kept.
    Interrupted,
}

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
    /// Grammar, input or file: already told to the user.
    Reported,
    /// Grammar, input or file: still to be told.
    Refused(Vec<Diagnostic>, Sources),
    /// The machine has no more of something.
    Exhausted(Box<Diagnostic>),
    /// The program under test cannot be run: already told to the user.
    NotRun,
    /// The user interrupted the work; what was done is kept.
    Interrupted,
    /// The reader of the output closed the pipe.
    ClosedPipe,
}

impl Failure {
    /// Arguments that do not go together, or mean nothing here.
    pub(crate) fn usage(message: &str) -> Self {
        clap::Error::raw(ErrorKind::ArgumentConflict, format!("{message}\n")).into()
    }

    /// A refusal that needs no source file to be understood.
    pub(crate) fn refused(diagnostic: Diagnostic) -> Self {
        Failure::Refused(vec![diagnostic], Sources::new())
    }

    /// A file could not be written.
    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::from_writing(&format!("`{}`", path.display()), error)
    }

    fn from_writing(what: &str, error: &io::Error) -> Self {
        let diagnostic =
            Diagnostic::new(codes::UNWRITABLE, format!("cannot write {what}: {error}"));
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge
            | io::ErrorKind::OutOfMemory => Failure::Exhausted(Box::new(diagnostic)),
            _ => Self::refused(diagnostic),
        }
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Failure::Usage(error)
    }
}

/// Errors of writing to the standard output need no further word than what they are.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::from_writing("the output", &error)
    }
}

impl From<LimitReached> for Failure {
    fn from(limit: LimitReached) -> Self {
        let mut diagnostic = Diagnostic::new(
            codes::LIMIT_REACHED,
            format!("there are more than {} {}", numbers::grouped(limit.limit as u64), limit.what),
        );
        diagnostic.help = limit.option.map(|option| format!("raise the limit with {option}"));
        Self::refused(diagnostic)
    }
}

impl From<LexerError> for Failure {
    fn from(error: LexerError) -> Self {
        match error {
            LexerError::Limit(limit) => limit.into(),
            LexerError::NoLexicalRules => {
                Self::refused(Diagnostic::new(codes::NO_LEXER, "the grammar has no lexical rules"))
            }
            LexerError::LeftRecursion(_) => Self::refused(Diagnostic::new(
                codes::NO_LEXER,
                "a lexical rule can call itself before it read anything",
            )),
        }
    }
}

impl From<SinkError> for Failure {
    fn from(error: SinkError) -> Self {
        match error {
            SinkError::Write { path: None, error } => error.into(),
            SinkError::Write { path: Some(path), error } => Self::unwritable(&path, &error),
            error @ SinkError::InTheWay { .. } => Self::refused(
                Diagnostic::new(codes::IN_THE_WAY, error.to_string())
                    .help("name another place, or use --force"),
            ),
        }
    }
}

impl From<TransformError> for Failure {
    fn from(error: TransformError) -> Self {
        match error {
            TransformError::Limit(limit) => limit.into(),
            TransformError::NoSentence => Self::refused(
                Diagnostic::new(codes::NOTHING_LEFT, "nothing is left of the grammar")
                    .note("the start rule derives no sentence"),
            ),
        }
    }
}

/// The exit code of a run that Ctrl-C ended.
pub(crate) const INTERRUPTED: i32 = 130;

/// The exit code of a run.
pub(crate) fn exit_code(result: &Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Clean) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Outcome::Found) => ExitCode::from(1),
        Ok(Outcome::Interrupted) | Err(Failure::Interrupted) => ExitCode::from(130),
        Err(Failure::Usage(_) | Failure::Reported | Failure::Refused(..)) => ExitCode::from(2),
        Ok(Outcome::Limited) | Err(Failure::Exhausted(_) | Failure::NotRun) => ExitCode::from(3),
    }
}
