//! A program under test as the condition.

use std::sync::{Mutex, PoisonError};

use gramercy_language::Language;
use gramercy_parse::TextWorkspace;
use gramercy_subject::{End, Observation, Subject, SubjectError};

use super::condition::{Condition, ConditionError};
use crate::case::{Expectation, Position};
use crate::oracle::{Judgement, Oracle};
use crate::verdict::Verdict;

/// When a run of a program is interesting.
#[derive(Clone, Debug)]
pub enum Interest {
    /// The program ends with exit code 0, or accepts the text.
    Success,
    /// The oracle says this.
    Verdict(Verdict, Oracle),
    /// The oracle says this, and the program ends alike and writes alike.
    Group {
        /// The verdict.
        verdict: Verdict,
        /// How the program ends.
        ending: String,
        /// What is characteristic of its output.
        signature: String,
        /// The oracle.
        oracle: Oracle,
    },
}

/// Makes a subject for a worker.
pub type SubjectMaker<'m> = dyn Fn() -> Result<Box<dyn Subject + Send>, SubjectError> + Sync + 'm;

/// A program whose behavior decides. Every worker has a subject of its own.
pub struct ProgramCondition<'p> {
    language: &'p Language,
    make: &'p SubjectMaker<'p>,
    interest: Interest,
    idle: Mutex<Vec<Worker>>,
}

struct Worker {
    subject: Box<dyn Subject + Send>,
    workspace: Option<TextWorkspace>,
}

impl<'p> ProgramCondition<'p> {
    /// The condition that runs of a program are interesting in some way.
    pub fn new(language: &'p Language, make: &'p SubjectMaker<'p>, interest: Interest) -> Self {
        Self { language, make, interest, idle: Mutex::new(Vec::new()) }
    }

    fn is_of_interest(&self, content: &[u8], seen: &Observation, worker: &mut Worker) -> bool {
        let mut judge = |oracle: &Oracle| -> Judgement {
            oracle.judge(seen, expectation(self.language, &mut worker.workspace, content))
        };
        match &self.interest {
            Interest::Success => matches!(seen.end, End::Exit(0) | End::Accepted),
            Interest::Verdict(verdict, oracle) => judge(oracle).verdict == *verdict,
            Interest::Group { verdict, ending, signature, oracle } => {
                let judged = judge(oracle);
                judged.verdict == *verdict
                    && judged.ending == *ending
                    && judged.signature == *signature
            }
        }
    }
}

impl Condition for ProgramCondition<'_> {
    fn is_interesting(&self, content: &[u8]) -> Result<bool, ConditionError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => Worker { subject: (self.make)()?, workspace: None },
        };
        let mut seen = Vec::with_capacity(1);
        worker.subject.observe(&[content], &mut seen)?;
        let found =
            seen.first().is_some_and(|seen| self.is_of_interest(content, seen, &mut worker));
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
        Ok(found)
    }
}

/// What the grammar expects of a program that is given a text.
fn expectation(
    language: &Language,
    workspace: &mut Option<TextWorkspace>,
    content: &[u8],
) -> Expectation {
    let encoding = language.input_encoding();
    let (Ok(text), Ok(parser)) = (encoding.decode(content), language.parser()) else {
        return Expectation::Reject(None);
    };
    let workspace = workspace.get_or_insert_with(|| parser.workspace());
    match parser.recognize_as_tool(workspace, &text) {
        Ok(_) => Expectation::Accept,
        Err(rejection) => Expectation::Reject(Some(Position::of(text.as_bytes(), rejection.byte))),
    }
}
