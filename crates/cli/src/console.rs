//! The two streams of a run: results go to standard output, everything else to standard error.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;
use std::time::Instant;

use anstream::AutoStream;
use clap::{ColorChoice, ValueEnum};
use gramercy::base::{Diagnostic, Severity, Sources};

use crate::outcome::{self, Failure, Outcome};
use crate::render::{Palette, diagnostics};

/// Where a command writes.
pub(crate) struct Console {
    out: BufWriter<StdoutLock<'static>>,
    color: ColorChoice,
    quiet: bool,
    began: Instant,
}

impl Console {
    /// The standard streams, with what the user wants to see there.
    pub(crate) fn new(color: ColorChoice, quiet: bool) -> Self {
        let began = Instant::now();
        Self { out: BufWriter::new(io::stdout().lock()), color, quiet, began }
    }

    /// The standard streams, while the arguments are not understood yet: of them only `--color`
    /// is looked for.
    pub(crate) fn from_raw(arguments: &[OsString]) -> Self {
        let text = |argument: &OsString| argument.to_str().map(str::to_owned);
        let mut arguments = arguments.iter().filter_map(text);
        let mut choice = None;
        while let Some(argument) = arguments.next() {
            match argument.strip_prefix("--color") {
                Some("") => choice = arguments.next(),
                Some(value) => choice = value.strip_prefix('=').map(str::to_owned),
                None => {}
            }
        }
        let color = choice.and_then(|name| ColorChoice::from_str(&name, false).ok());
        Self::new(color.unwrap_or(ColorChoice::Auto), false)
    }

    /// Standard output.
    pub(crate) fn out(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Whether nothing but errors may go to standard error.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// The styles for standard output.
    pub(crate) fn out_palette(&self) -> Palette {
        Palette::new(self.wants_color(&io::stdout()))
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Whether somebody watches standard error on a terminal.
    pub(crate) fn is_watched(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// The seconds since the command began.
    pub(crate) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }

    /// Writes to standard error, unless `--quiet` forbids it.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            write_to_stderr(text);
        }
    }

    /// Tells what holds for a result, on standard error.
    pub(crate) fn tell(&self, text: &str) {
        if !self.quiet {
            write_to_stderr(text);
        }
    }

    /// Tells people on standard error. With `--quiet`, errors only.
    pub(crate) fn report(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let palette = Palette::new(self.wants_color(&io::stderr()));
        let least = if self.quiet { Severity::Error } else { Severity::Warning };
        let shown = diagnostics.iter().filter(|diagnostic| diagnostic.severity() >= least);
        let text = diagnostics::for_people(shown, sources, palette);
        write_to_stderr(&text);
    }

    /// Writes what is left of the output, tells why a command failed, and gives the exit code.
    pub(crate) fn close(mut self, result: Result<Outcome, Failure>) -> ExitCode {
        let result = self.print_help(result);
        let flushed = self.out.flush();
        let result = result.and_then(|outcome| {
            flushed?;
            Ok(outcome)
        });
        self.tell_failure(&result);
        outcome::exit_code(&result)
    }

    /// Help and version go to standard output.
    fn print_help(&mut self, result: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
        match result {
            Err(Failure::Usage(help)) if !help.use_stderr() => {
                let text = styled(&help, self.wants_color(&io::stdout()));
                self.out.write_all(text.as_bytes())?;
                Ok(Outcome::Clean)
            }
            result => result,
        }
    }

    /// Tells why a command failed.
    fn tell_failure(&self, result: &Result<Outcome, Failure>) {
        match result {
            Err(Failure::Usage(message)) => {
                let text = styled(message, self.wants_color(&io::stderr()));
                write_to_stderr(&text);
            }
            Err(Failure::Refused(diagnostics, sources)) => self.report(diagnostics, sources),
            Err(Failure::Exhausted(diagnostic)) => {
                self.report(std::slice::from_ref(&**diagnostic), &Sources::new());
            }
            Ok(_)
            | Err(
                Failure::Reported | Failure::NotRun | Failure::Interrupted | Failure::ClosedPipe,
            ) => {}
        }
    }

    fn wants_color(&self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
        }
    }
}

fn styled(message: &clap::Error, color: bool) -> String {
    let text = message.render();
    if color { text.ansi().to_string() } else { text.to_string() }
}

fn write_to_stderr(text: &str) {
    // Nobody is left to be told that standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
