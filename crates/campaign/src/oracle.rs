//! From an observation to a verdict: what a program's behaviour means.
//!
//! First it is decided how the program responded, whatever was expected; then the response is compared with what was
//! expected. A program may find more than errors of syntax: patterns on its output say which complaints count as
//! accepted.

use std::fmt;

use gramercy_base::named::{Choice, Named, choice};
use gramercy_subject::observation::signal_name;
use gramercy_subject::{End, Observation, WasRead};
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};

use crate::case::{Expectation, Position};
use crate::normalize;
use crate::verdict::Verdict;

/// Signs of errors that the program itself did not expect, beside signals.
const CRASH_SIGNS: &str = r"(?m)ERROR: (?:Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer|^SUMMARY: \w+Sanitizer|: runtime error: |^thread '[^']*' (?:\(\d+\) )?panicked at |^panic: .*\n(?:.*\n)*goroutine \d+|^Fatal Python error";

/// The first exit code by which a shell reports a signal.
const SHELL_SIGNAL: i32 = 128;
/// Signals that only a mistake causes.
const FATAL: [i32; 5] = [4, 6, 7, 8, 11];

/// How responses are recognized; as written by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OracleSpec {
    /// Exit codes that mean acceptance; 0 if there are none.
    pub accept_exit: Vec<i32>,
    /// Exit codes that mean rejection; all others if there are none.
    pub reject_exit: Vec<i32>,
    /// Patterns of output that mean acceptance, whatever the exit code is.
    pub accept_output: Vec<String>,
    /// Patterns of output that mean rejection, whatever the exit code is. They go before those of acceptance.
    pub reject_output: Vec<String>,
    /// Patterns of output that mean a crash.
    pub crash_output: Vec<String>,
    /// Where the output names the line and column of an error: groups `line` and `column`, or the first two.
    pub position: Option<String>,
    /// What is added to a column that the program reports, so that columns begin with 1.
    pub column_offset: i64,
}

/// Why there is no oracle: a pattern is not a regular expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a regular expression: {}", self.pattern, self.reason)
    }
}

impl std::error::Error for BadPattern {}

/// Recognizes responses.
#[derive(Clone, Debug)]
pub struct Oracle {
    accept_exit: Vec<i32>,
    reject_exit: Vec<i32>,
    accept_output: Vec<Regex>,
    reject_output: Vec<Regex>,
    crash_output: Vec<Regex>,
    position: Option<Regex>,
    column_offset: i64,
}

/// How a program responded to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// It accepted the test.
    Accept,
    /// It rejected the test.
    Reject,
    /// It failed in a way that it did not mean to.
    Crash,
    /// It did not end in time.
    Hang,
    /// It used too much of a resource.
    Limit,
    /// It ended before it read the test.
    Unread,
}

impl Named for Response {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Accept, "accept", "it accepted the test"),
        choice(Self::Reject, "reject", "it rejected the test"),
        choice(Self::Crash, "crash", "it failed in a way that it did not mean to"),
        choice(Self::Hang, "hang", "it did not end in time"),
        choice(Self::Limit, "limit", "it used too much of a resource"),
        choice(Self::Unread, "unread", "it ended before it read the test"),
    ];
}

/// What is said about one observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// How the program responded.
    pub response: Response,
    /// How it ended: `exit 1`, `SIGSEGV`, `time`.
    pub ending: String,
    /// What is characteristic of its output, for findings.
    pub signature: String,
    /// Where it found an error, if it says so.
    pub place: Option<(u64, Option<u64>)>,
}

impl Judgement {
    /// What two judgements of one test must have in common for the program to be steady.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.verdict, self.response, &self.ending)
            == (other.verdict, other.response, &other.ending)
    }
}

impl OracleSpec {
    /// The oracle.
    ///
    /// # Errors
    /// If a pattern is not a regular expression, or one for positions has no group.
    pub fn build(&self) -> Result<Oracle, BadPattern> {
        let all = |patterns: &[String]| -> Result<Vec<Regex>, BadPattern> {
            patterns.iter().map(|one| compile(one)).collect()
        };
        let mut crash_output = all(&self.crash_output)?;
        crash_output.push(compile(CRASH_SIGNS)?);
        let position = self.position.as_deref().map(compile).transpose()?;
        if let (Some(position), Some(pattern)) = (&position, &self.position)
            && position.captures_len() < 2
        {
            let reason = "it has no group for the line, such as (?<line>\\d+)".to_owned();
            return Err(BadPattern { pattern: pattern.clone(), reason });
        }
        Ok(Oracle {
            accept_exit: match self.accept_exit[..] {
                [] => vec![0],
                ref codes => codes.to_vec(),
            },
            reject_exit: self.reject_exit.clone(),
            accept_output: all(&self.accept_output)?,
            reject_output: all(&self.reject_output)?,
            crash_output,
            position,
            column_offset: self.column_offset,
        })
    }
}

fn compile(pattern: &str) -> Result<Regex, BadPattern> {
    Regex::new(pattern).map_err(|error| {
        // The last line says what is wrong; those before draw the pattern again.
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default();
        let reason = reason.strip_prefix("error: ").unwrap_or(reason).to_owned();
        BadPattern { pattern: pattern.to_owned(), reason }
    })
}

impl Oracle {
    /// What is said about an observation of a program that was given a test.
    #[must_use]
    pub fn judge(&self, seen: &Observation, expect: Expectation) -> Judgement {
        let response = self.response(seen);
        let place = match response {
            Response::Reject => self.place(seen),
            _ => None,
        };
        let verdict = match (response, expect) {
            (Response::Accept, Expectation::Accept) => Verdict::Pass,
            (Response::Accept, Expectation::Reject(_)) => Verdict::AcceptedNegative,
            (Response::Reject, Expectation::Accept) => Verdict::RejectedPositive,
            (Response::Reject, Expectation::Reject(first)) => match (first, place) {
                (Some(first), Some(place)) if !is_at(first, place) => Verdict::WrongPlace,
                _ => Verdict::Pass,
            },
            (Response::Crash, _) => Verdict::Crash,
            (Response::Hang, _) => Verdict::Hang,
            (Response::Limit, _) => Verdict::Limit,
            (Response::Unread, _) => Verdict::Broken,
        };
        let signature = match verdict {
            Verdict::Pass | Verdict::AcceptedNegative | Verdict::Hang => String::new(),
            _ => normalize::signature(&seen.stdout, &seen.stderr),
        };
        Judgement { verdict, response, ending: ending(&seen.end), signature, place }
    }

    /// How the program responded.
    #[must_use]
    pub fn response(&self, seen: &Observation) -> Response {
        let says = |patterns: &[Regex]| {
            patterns.iter().any(|one| one.is_match(&seen.stderr) || one.is_match(&seen.stdout))
        };
        match &seen.end {
            End::TimedOut => return Response::Hang,
            End::Exceeded(_) | End::Undeliverable(_) => return Response::Limit,
            End::Exit(_) | End::Signal(_) if seen.read == WasRead::No => return Response::Unread,
            End::BadAnswer => return Response::Unread,
            End::Signal(_) | End::Escaped => return Response::Crash,
            End::Accepted | End::Rejected | End::Exit(_) => {}
        }
        if says(&self.crash_output) {
            Response::Crash
        } else if says(&self.reject_output) {
            Response::Reject
        } else if says(&self.accept_output) {
            Response::Accept
        } else {
            self.by_end(&seen.end)
        }
    }

    fn by_end(&self, end: &End) -> Response {
        let End::Exit(code) = *end else {
            return match end {
                End::Accepted => Response::Accept,
                _ => Response::Reject,
            };
        };
        let is_shell_signal = FATAL.iter().any(|signal| code == SHELL_SIGNAL + signal);
        match (self.accept_exit.contains(&code), self.reject_exit.contains(&code)) {
            (true, _) => Response::Accept,
            (_, true) => Response::Reject,
            _ if is_shell_signal => Response::Crash,
            _ if self.reject_exit.is_empty() => Response::Reject,
            _ => Response::Crash,
        }
    }

    /// Where the program found an error.
    fn place(&self, seen: &Observation) -> Option<(u64, Option<u64>)> {
        let position = self.position.as_ref()?;
        let found = position.captures(&seen.stderr).or_else(|| position.captures(&seen.stdout))?;
        let number = |name: &str, index: usize| {
            let group = found.name(name).or_else(|| found.get(index))?;
            std::str::from_utf8(group.as_bytes()).ok()?.parse::<u64>().ok()
        };
        let column = number("column", 2);
        let column = column.map(|column| column.saturating_add_signed(self.column_offset));
        Some((number("line", 1)?, column))
    }
}

fn is_at(first: Position, (line, column): (u64, Option<u64>)) -> bool {
    first.line == line && column.is_none_or(|column| column == first.column)
}

/// An end in a word or two.
fn ending(end: &End) -> String {
    match end {
        End::Exit(code) if *code > SHELL_SIGNAL && FATAL.contains(&(code - SHELL_SIGNAL)) => {
            format!("exit {code} ({})", signal_name(code - SHELL_SIGNAL))
        }
        End::Exit(code) => format!("exit {code}"),
        End::Signal(signal) => signal_name(*signal),
        End::Accepted => "accept".to_owned(),
        End::Rejected => "reject".to_owned(),
        End::BadAnswer => "no answer".to_owned(),
        End::TimedOut => "time".to_owned(),
        End::Exceeded(resource) => resource.as_str().to_owned(),
        End::Undeliverable(reason) => reason.clone(),
        End::Escaped => "ended its launcher".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use gramercy_subject::{End, Observation, Resource, WasRead};

    use super::{OracleSpec, Response};
    use crate::case::{Expectation, Position};
    use crate::verdict::Verdict;

    fn seen(end: End, stderr: &str) -> Observation {
        let mut seen = Observation::of(end);
        seen.stderr = stderr.as_bytes().to_vec();
        seen
    }

    #[expect(clippy::needless_pass_by_value, reason = "cases read better with values")]
    fn check(spec: &OracleSpec, end: End, stderr: &str, expected: Response) {
        let oracle = spec.build().expect("the patterns are right");
        assert_eq!(oracle.response(&seen(end.clone(), stderr)), expected, "{end:?} {stderr}");
    }

    #[test]
    fn responses_by_exit_code() {
        let usual = OracleSpec::default();
        check(&usual, End::Exit(0), "", Response::Accept);
        check(&usual, End::Exit(1), "", Response::Reject);
        check(&usual, End::Exit(139), "", Response::Crash);
        check(&usual, End::Signal(15), "", Response::Crash);
        check(&usual, End::TimedOut, "", Response::Hang);
        check(&usual, End::Exceeded(Resource::Memory), "", Response::Limit);
        check(&usual, End::Accepted, "", Response::Accept);
        check(&usual, End::BadAnswer, "", Response::Unread);
        let given =
            OracleSpec { accept_exit: vec![0, 3], reject_exit: vec![1, 139], ..usual.clone() };
        check(&given, End::Exit(3), "", Response::Accept);
        check(&given, End::Exit(139), "", Response::Reject);
        check(&given, End::Exit(2), "", Response::Crash);
    }

    #[test]
    fn responses_by_output() {
        let usual = OracleSpec::default();
        check(&usual, End::Exit(1), "==7==ERROR: AddressSanitizer: x", Response::Crash);
        check(&usual, End::Exit(101), "thread 'main' panicked at src/x.rs:1:2", Response::Crash);
        let semantic = OracleSpec {
            accept_output: vec!["no such table".to_owned()],
            reject_output: vec!["syntax error".to_owned()],
            ..usual
        };
        check(&semantic, End::Exit(1), "Error: no such table: t", Response::Accept);
        check(&semantic, End::Exit(0), "near x: syntax error", Response::Reject);
        check(&semantic, End::Exit(1), "other", Response::Reject);
    }

    #[test]
    fn a_test_that_nobody_read_shows_a_broken_harness() {
        let oracle = OracleSpec::default().build().expect("there are no patterns");
        let mut seen = seen(End::Exit(1), "usage");
        seen.read = WasRead::No;
        assert_eq!(oracle.judge(&seen, Expectation::Accept).verdict, Verdict::Broken);
        seen.read = WasRead::Yes;
        assert_eq!(oracle.judge(&seen, Expectation::Accept).verdict, Verdict::RejectedPositive);
    }

    #[test]
    fn places_are_compared() {
        let spec = OracleSpec {
            position: Some(r"line (?<line>\d+)(?: column (?<column>\d+))?".to_owned()),
            column_offset: 1,
            ..OracleSpec::default()
        };
        let oracle = spec.build().expect("the pattern is right");
        let expect = Expectation::Reject(Some(Position { byte: 9, line: 2, column: 5 }));
        let check = |output: &str, verdict: Verdict| {
            let judgement = oracle.judge(&seen(End::Exit(1), output), expect);
            assert_eq!(judgement.verdict, verdict, "{output}");
        };
        check("line 2 column 4", Verdict::Pass);
        check("line 2", Verdict::Pass);
        check("line 2 column 5", Verdict::WrongPlace);
        check("line 1 column 4", Verdict::WrongPlace);
        check("somewhere", Verdict::Pass);
    }

    #[test]
    fn bad_patterns_are_named() {
        let bad = |spec: OracleSpec| spec.build().expect_err("the pattern is wrong").to_string();
        let spec = OracleSpec { accept_output: vec!["(".to_owned()], ..OracleSpec::default() };
        assert!(bad(spec).contains("`(` is not a regular expression"));
        let spec = OracleSpec { position: Some("x".to_owned()), ..OracleSpec::default() };
        assert!(bad(spec).contains("no group"));
    }
}
