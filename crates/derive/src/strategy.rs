//! How strategies propose candidates, and how they learn what became of them.
//!
//! A strategy proposes a [`Candidate`] for a goal. The engine writes its text, proves that the grammar reads the
//! text as the candidate's tokens, and answers with an [`Outcome`]: accepted, equal to an earlier test, or rejected
//! with the obstacle. A tree is always in the language of the grammar's syntax, but the grammar's lexer may be
//! unable to make its tokens from any text; then the strategy may propose another candidate for the same goal, as
//! long as the engine allows it.
//!
//! There are two kinds of strategies. The candidates of an [`Indexed`] one depend on nothing but their number and
//! on how many candidates of this number were rejected, so they are made in any order and by several workers. The
//! candidates of a [`Sequential`] one depend on what became of earlier candidates.
//!
//! Example: `s: A B | A C;` where no text separates `A` from `B`. For the goal "production 1 is used" the strategy
//! proposes `A B`; the outcome is rejected, obstacle "nothing separates A from B", another attempt allowed. The
//! strategy has no other tree with this production and answers [`Reply::Done`]; the engine records the goal as
//! unwritten, and asks for the next goal: `A C` is accepted.

use gramercy_lexis::{Choice, Page, Paged, Render, Trial, Writer};

use crate::candidate::{Candidate, Goal};
use crate::obstacle::{Inseparable, Obstacle};

/// What became of a candidate.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'o> {
    /// It has a text and goes into the suite.
    Accepted,
    /// An earlier test is equal to it.
    Duplicate,
    /// It cannot become a test.
    Rejected(&'o Rejection),
}

/// Why a candidate cannot become a test, and what the strategy may do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// What is in the way.
    pub obstacle: Obstacle,
    /// Two of its tokens that must not be neighbours, if that is the obstacle wherever they stand.
    pub inseparable: Option<Inseparable>,
    /// How many candidates for this goal were rejected, this one included.
    pub attempts: u32,
    /// Whether another candidate for the same goal may be proposed.
    pub may_retry: bool,
}

/// What a sequential strategy does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done with the goal: it is reached, or given up.
    Done,
    /// It proposed another candidate for the same goal.
    Another,
}

/// A strategy whose candidates depend on the outcome of earlier ones.
pub trait Sequential: Send {
    /// Proposes a candidate for the next goal, in an empty candidate; `false` if there are no more goals.
    fn propose(&mut self, candidate: &mut Candidate) -> bool;

    /// Learns what became of the candidate that was proposed last, which `candidate` holds. After a rejection
    /// that may be retried, it can put another candidate for the same goal in its place.
    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply;

    /// The goals that no sentence reaches, known when there are no more candidates.
    fn impossible(&self) -> Vec<Goal> {
        Vec::new()
    }
}

/// A strategy whose candidates can be made in any order.
pub trait Indexed: Send + Sync {
    /// How many numbers there are. Some may have no candidate, and candidates may be equal.
    fn count(&self) -> u64;

    /// A proposer for one worker, with memory of its own.
    fn proposer(&self) -> Box<dyn Propose + '_>;

    /// Who repairs candidates that the lexer cannot make, if anybody can.
    fn repairer(&self) -> Option<&dyn Repair> {
        None
    }

    /// A faster way to the texts of first attempts, for one worker, where nothing but texts is needed.
    fn fast_path(&self, writing: &FastWriting<'_>) -> Option<Box<dyn FastPath + '_>> {
        let _ = writing;
        None
    }
}

/// Proposes the candidates of an indexed strategy.
pub trait Propose {
    /// Proposes the candidate of a number after `attempt` rejected ones, in an empty candidate; `false` if
    /// there is none. The same number and attempt give the same candidate.
    fn propose(&mut self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool;
}

/// A function is a proposer that needs no memory.
impl<F: FnMut(u64, u32, &mut Candidate) -> bool> Propose for F {
    fn propose(&mut self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        self(number, attempt, candidate)
    }
}

/// Repairs candidates: changes parts of a tree until the lexer can make all tokens where they stand.
pub trait Repair: Sync {
    /// Repairs the candidate of a number and attempt, which has its tree. `trial` tries tokens from left to right.
    fn repair(
        &self,
        number: u64,
        attempt: u32,
        trial: &mut Trial<'_>,
        candidate: &mut Candidate,
    ) -> Repaired;
}

/// What came of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repaired {
    /// Nothing had to be changed.
    Unchanged,
    /// It was changed, and can be written now.
    Changed,
    /// It still cannot be written.
    Failed,
}

/// How the texts of a fast path are written.
#[derive(Clone, Copy, Debug)]
pub struct FastWriting<'w> {
    /// Writes tokens as text.
    pub writer: &'w Writer<'w>,
    /// How the sink renders texts, if it takes them rendered.
    pub render: Option<Render>,
}

/// A faster way to the text of a first attempt, without a candidate in between. It gives byte for byte the text
/// that the plain path gives: propose, then write.
pub trait FastPath {
    /// Writes the text of the test that `choice` names onto an empty page; `None` if the plain path has to make it.
    fn write(&mut self, choice: &Choice<'_>, page: &mut Page) -> Option<FastText>;
}

/// A text that a fast path wrote.
#[derive(Clone, Copy, Debug)]
pub struct FastText {
    /// How many tokens it has.
    pub tokens: usize,
    /// What else is known of it.
    pub paged: Paged,
}

/// Either kind of strategy.
pub enum Strategy<'s> {
    /// Candidates in any order.
    Indexed(Box<dyn Indexed + 's>),
    /// Candidates one after the other.
    Sequential(Box<dyn Sequential + 's>),
}
