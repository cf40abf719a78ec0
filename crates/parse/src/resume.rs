//! Reading an input step by step, and going back to an earlier step.
//!
//! Negative tests need millions of verdicts on inputs that share long beginnings: the beginning is
//! read once, and every variant resumes from the checkpoint before its edit. A checkpoint costs
//! the tops of the stacks; going back costs what was done since.

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;
use gramercy_lr::StateId;

use crate::budget::{Budget, InputLimit};
use crate::build::Recognize;
use crate::driver::{self, Driver, Memory};
use crate::parser::{Parser, Workspace};
use crate::tables::InputId;

/// A recognizer that has read the beginning of an input.
#[derive(Debug)]
pub struct Recognizer<'p> {
    parser: &'p Parser,
    driver: Driver<'p, Recognize>,
    /// Takes the memory back in the end.
    memory: &'p mut Memory<()>,
}

impl Drop for Recognizer<'_> {
    fn drop(&mut self) {
        *self.memory = self.driver.take_memory();
    }
}

/// A step to which a [`Recognizer`] can go back, until it goes back to an earlier one.
#[derive(Clone, Debug)]
pub struct Checkpoint(driver::Checkpoint<()>);

impl<'p> Recognizer<'p> {
    /// Nothing read yet. A grammar without sentences has no recognizer.
    #[must_use]
    pub fn new(parser: &'p Parser, workspace: &'p mut Workspace) -> Option<Self> {
        let (driver, memory) = parser.driver(workspace)?;
        Some(Self { parser, driver, memory })
    }

    /// The same with limits. Where one is reached, no symbol can be read any more.
    pub(crate) fn within(mut self, budget: Budget) -> Self {
        self.driver.set_budget(budget);
        self
    }

    /// The limit that was reached.
    pub(crate) fn limit(&self) -> Option<InputLimit> {
        self.driver.budget().stop()
    }

    /// How many steps were taken.
    pub(crate) fn steps_so_far(&self) -> u64 {
        self.driver.steps_so_far()
    }

    /// Reads one more input symbol; `false` if none of the sentences goes on with it, and nothing was read.
    pub fn read(&mut self, input: InputId) -> bool {
        self.driver.token_or_stay(input).is_ok()
    }

    /// How many input symbols were read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.driver.level() as usize
    }

    /// Whether what was read is a sentence.
    pub fn is_sentence(&mut self) -> bool {
        let here = self.driver.checkpoint();
        let accepted = self.driver.end().is_ok();
        self.driver.resume(&here);
        accepted
    }

    /// The terminals that can come next, and whether the input can end here.
    pub fn expected(&mut self) -> (IdSet<TerminalId>, bool) {
        let here = self.driver.checkpoint();
        let states = self.driver.viable_states();
        self.driver.resume(&here);
        self.parser.expected_in(&states)
    }

    /// The states on top of all stacks, once with what was read last on top, and with every reduction that is
    /// possible then: those at the ends of all paths of the automaton that read the same symbols. Ascending.
    pub fn viable_states(&mut self) -> Vec<StateId> {
        let here = self.driver.checkpoint();
        let mut states = self.driver.viable_states();
        self.driver.resume(&here);
        states.sort_unstable();
        states.dedup();
        states
    }

    /// The states on top of all stacks that end with the last symbol. Ascending.
    #[must_use]
    pub fn top_states(&self) -> Vec<StateId> {
        let mut states = self.driver.top_states();
        states.sort_unstable();
        states.dedup();
        states
    }

    /// This step.
    pub fn checkpoint(&mut self) -> Checkpoint {
        Checkpoint(self.driver.checkpoint())
    }

    /// Goes back.
    pub fn resume(&mut self, at: &Checkpoint) {
        self.driver.resume(&at.0);
    }
}
