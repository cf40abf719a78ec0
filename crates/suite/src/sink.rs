//! Where tests go: one face over every form in which a suite is kept.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::test::Test;

/// Takes the tests of a suite, in order.
pub trait Sink {
    /// What it needs of each test.
    fn wants(&self) -> Wants {
        Wants::TEXT
    }

    /// Tests up to this number need not be handed over: the sink has them already. They may still be.
    fn has_through(&self) -> u64 {
        0
    }

    /// Takes a test.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError>;

    /// How it writes texts, if that is all it does: then [`put_rendered`](Self::put_rendered) is for it.
    fn rendering(&self) -> Option<Rendering> {
        None
    }

    /// Takes tests that were written as it would.
    ///
    /// # Errors
    /// If they cannot be kept.
    ///
    /// # Panics
    /// If it says how it writes texts, but does not take them.
    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        let _ = tests;
        unreachable!("invariant: only who says how it writes texts gets them so")
    }

    /// Lets everybody see what was put so far.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(())
    }

    /// Ends the suite, after the last test. A suite that was cut short is ended too.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn finish(&mut self) -> Result<(), SinkError>;
}

/// How texts are written one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Rendering {
    /// Appends a text. Every byte is written by itself, so that parts of texts can be written
    /// beforehand.
    pub append: fn(&[u8], &mut Vec<u8>),
    /// What ends a test.
    pub end: u8,
}

/// What a sink needs of each test. What is not wanted need not be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// Its text. A sink that only counts needs no more than that a text exists.
    pub text: bool,
    /// Its tokens.
    pub tokens: bool,
    /// The pattern it was made for.
    pub target: bool,
    /// What it is the first to cover.
    pub covers: bool,
    /// Why it must be rejected, and how it was made.
    pub rejection: bool,
}

impl Wants {
    /// The text alone.
    pub const TEXT: Self =
        Self { text: true, tokens: false, target: false, covers: false, rejection: false };

    /// What either of two wants.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            text: self.text || other.text,
            tokens: self.tokens || other.tokens,
            target: self.target || other.target,
            covers: self.covers || other.covers,
            rejection: self.rejection || other.rejection,
        }
    }
}

/// Why a suite cannot be kept.
#[derive(Debug)]
pub enum SinkError {
    /// Writing failed.
    Write {
        /// The file; none is the standard output.
        path: Option<PathBuf>,
        /// Why.
        error: io::Error,
    },
    /// What is there already is not to be mixed with a suite.
    InTheWay {
        /// The folder or file.
        path: PathBuf,
        /// What is there, without a final period.
        what: String,
    },
}

impl SinkError {
    /// A failure to write a file.
    #[must_use]
    pub fn of_file(path: impl Into<PathBuf>, error: io::Error) -> Self {
        SinkError::Write { path: Some(path.into()), error }
    }
}

/// Of a stream that has no name.
impl From<io::Error> for SinkError {
    fn from(error: io::Error) -> Self {
        SinkError::Write { path: None, error }
    }
}

impl fmt::Display for SinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SinkError::Write { path: None, error } => {
                write!(f, "cannot write the output: {error}")
            }
            SinkError::Write { path: Some(path), error } => {
                write!(f, "cannot write `{}`: {error}", path.display())
            }
            SinkError::InTheWay { path, what } => write!(f, "`{}` {what}", path.display()),
        }
    }
}

impl std::error::Error for SinkError {}

/// Two sinks that get the same tests.
pub struct Both<A, B>(pub A, pub B);

impl<A: Sink, B: Sink> Sink for Both<A, B> {
    fn wants(&self) -> Wants {
        self.0.wants().or(self.1.wants())
    }

    /// The second sink must need nothing at all to be left out.
    fn rendering(&self) -> Option<Rendering> {
        self.0.rendering().filter(|_| self.1.wants() == Wants::default())
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        self.0.put_rendered(tests)
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.0.put(test)?;
        self.1.put(test)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        self.0.flush()?;
        self.1.flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.finish()?;
        self.1.finish()
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn wants(&self) -> Wants {
        (**self).wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        (**self).put(test)
    }

    fn rendering(&self) -> Option<Rendering> {
        (**self).rendering()
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        (**self).put_rendered(tests)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        (**self).flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        (**self).finish()
    }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn wants(&self) -> Wants {
        (**self).wants()
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        (**self).put(test)
    }

    fn rendering(&self) -> Option<Rendering> {
        (**self).rendering()
    }

    fn put_rendered(&mut self, tests: &[u8]) -> Result<(), SinkError> {
        (**self).put_rendered(tests)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        (**self).flush()
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        (**self).finish()
    }
}

/// Counts tests and keeps none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Sink for Nowhere {
    fn wants(&self) -> Wants {
        Wants::default()
    }

    fn put(&mut self, _: &Test<'_>) -> Result<(), SinkError> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}
