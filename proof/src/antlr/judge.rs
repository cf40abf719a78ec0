//! A running judge: a JVM that reads many texts and returns verdicts.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::tool::{Built, command};
use crate::Fallible;

/// The default time limit for one text.
const PATIENCE: Duration = Duration::from_secs(10);

/// The verdict of ANTLR on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The text is accepted.
    Accept,
    /// The text is rejected, for this reason.
    Reject(String),
    /// The parser throws this exception.
    Failure(String),
    /// The time limit is exceeded.
    Late,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Accept => f.write_str("accept"),
            Verdict::Reject(reason) => write!(f, "reject at {reason}"),
            Verdict::Failure(exception) => write!(f, "throws {exception}"),
            Verdict::Late => f.write_str("no verdict in time"),
        }
    }
}

/// What ANTLR's parser builds in addition to a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParserOutput {
    /// Nothing.
    Nothing,
    /// Its tree.
    Tree,
}

/// A JVM with ANTLR's parser of one grammar.
#[derive(Debug)]
pub struct Judge {
    built: Built,
    output: ParserOutput,
    patience: Duration,
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Judge {
    /// A judge; its JVM starts with the first question.
    #[must_use]
    pub fn new(built: Built) -> Self {
        Self { built, output: ParserOutput::Nothing, patience: PATIENCE, running: None }
    }

    /// The same with a parser that also builds something.
    #[must_use]
    pub fn output(mut self, output: ParserOutput) -> Self {
        self.output = output;
        self
    }

    /// The same with this time limit per text.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Judges a text.
    ///
    /// # Errors
    /// If the judge cannot be started.
    pub fn ask(&mut self, text: &str) -> Fallible<Verdict> {
        Ok(self.ask_timed(text)?.0)
    }

    /// Judges a text, and returns the time of lexer and parser without the communication.
    ///
    /// # Errors
    /// If the judge cannot be started.
    pub fn ask_timed(&mut self, text: &str) -> Fallible<(Verdict, Duration)> {
        let running = match self.running.take() {
            Some(running) => running,
            None => start(&self.built, self.output)?,
        };
        let running = self.running.insert(running);
        let answer = match running.send(text) {
            Ok(()) => running.answers.recv_timeout(self.patience).ok(),
            Err(_) => None,
        };
        let Some(answer) = answer else {
            self.stop();
            return Ok((Verdict::Late, self.patience));
        };
        let (time, answer) = answer.split_once(' ').unwrap_or(("0", &answer));
        let time = Duration::from_nanos(time.parse().unwrap_or(0));
        let (word, reason) = answer.split_once(' ').unwrap_or((answer, ""));
        let verdict = match word {
            "accept" => Verdict::Accept,
            "reject" => Verdict::Reject(reason.into()),
            _ => Verdict::Failure(reason.into()),
        };
        Ok((verdict, time))
    }

    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // It may already have ended.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    fn send(&mut self, text: &str) -> std::io::Result<()> {
        let length = i32::try_from(text.len()).map_err(std::io::Error::other)?;
        self.input.write_all(&length.to_be_bytes())?;
        self.input.write_all(text.as_bytes())?;
        self.input.flush()
    }
}

fn start(built: &Built, output: ParserOutput) -> Fallible<Running> {
    let mut command = command("java");
    command.args(["-XX:+UseSerialGC", "-Xmx3g", "-cp", &built.class_path, "Judge"]);
    command.args([&built.lexer, &built.parser, &built.start]);
    if output == ParserOutput::Tree {
        command.arg("tree");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot start the judge: {error}"))?;
    let input = child.stdin.take().expect("invariant: it is piped");
    let output = child.stdout.take().expect("invariant: it is piped");
    let (sender, answers) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        lines.for_each(|line| drop(sender.send(line)));
    });
    Ok(Running { child, input, answers })
}
