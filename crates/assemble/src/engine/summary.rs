//! What is told about a suite once it is made.

use gramercy_coverage::TargetSet;

use gramercy_derive::{Goal, Obstacle};
use gramercy_generate::Minimized;

/// A suite in figures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Tests that were kept.
    pub tests: u64,
    /// Their tokens.
    pub tokens: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The longest test, in bytes.
    pub longest: usize,
    /// Targets for which a test was written, and found equal to another or kept; with those that its strategy
    /// saw it cover first.
    pub written: u64,
    /// Tests of the whole suite, of which a shard keeps some.
    pub numbered: u64,
    /// How many targets were not written, or tests that were made for none.
    pub unwritten_count: u64,
    /// The first of them, each with its first obstacle.
    pub unwritten: Vec<Unwritten>,
    /// All such targets of each criterion.
    pub unwritten_targets: Vec<TargetSet>,
    /// Whether it was looked at what each test covers, so that nothing is said to be unwritten that a
    /// test covers by chance.
    pub is_measured: bool,
    /// Whether names stand in for lexemes that nobody knows.
    pub placeholders: bool,
    /// Random tests that reached their bound on tokens, and were closed off.
    pub closed_off: u64,
    /// Tests that the parser of the notation's own tool rejects, because resolved conflicts lose sentences.
    pub rejected_by_tool: u64,
    /// Sentences that were left out for that reason.
    pub left_out_by_tool: u64,
    /// Why the suite ended.
    pub end: End,
    /// What became of the inputs that were given.
    pub given: Given,
    /// How many negative tests each check is the first to find, from the weakest check to the chosen one; empty where
    /// that was not looked at.
    pub found_by_check: Vec<u64>,
    /// How tests were chosen, and from how many, where those that are not needed were left out.
    pub minimized: Option<(Minimized, u64)>,
    /// What is known of uniform tests.
    pub uniform: Option<UniformFigures>,
}

/// What is known of uniform tests.
#[derive(Clone, Debug, PartialEq)]
pub struct UniformFigures {
    /// What each test is one of, with the same probability.
    pub promise: String,
    /// Trees that were drawn.
    pub drawn: u64,
    /// Trees that were drawn and rejected because no text was found for them.
    pub without_text: u64,
    /// Trees that were drawn and not kept because their words have other trees too.
    pub repeated: u64,
    /// Tests for which no word was kept within the number of draws that is allowed.
    pub gave_up: u64,
    /// More about how trees were drawn, a sentence each.
    pub remarks: Vec<String>,
}

/// What became of inputs that were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// How many there are.
    pub inputs: u64,
    /// How many are not in the language, though they should be.
    pub rejected: u64,
    /// How many base tests the parser of the notation's own tool rejects.
    pub rejected_by_tool: u64,
    /// How many were left out for that reason.
    pub left_out_by_tool: u64,
    /// The first that are not in the language, each with the byte of its error.
    pub first_rejected: Vec<(String, usize)>,
}

impl Given {
    /// The number of rejected inputs that are named.
    const NAMED: usize = 10;

    /// An input that should be in the language is not.
    pub(crate) fn reject(&mut self, name: String, byte: usize) {
        self.rejected += 1;
        if self.first_rejected.len() < Self::NAMED {
            self.first_rejected.push((name, byte));
        }
    }
}

impl Summary {
    /// Notes a target without a test.
    pub(super) fn miss(&mut self, unwritten: &Unwritten) {
        let is_new = match unwritten.goal {
            None => true,
            Some(Goal { criterion, target }) => {
                if self.unwritten_targets.len() <= criterion {
                    self.unwritten_targets.resize_with(criterion + 1, TargetSet::new);
                }
                self.unwritten_targets[criterion].insert(target)
            }
        };
        self.unwritten_count += u64::from(is_new);
        if is_new && self.unwritten.len() < LISTED {
            self.unwritten.push(unwritten.clone());
        }
    }

    /// Whether everything was made.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.end == End::Complete
    }

    /// Whether it was ended early.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.end == End::Interrupted
    }

    /// Whether some target is said to be unwritten that a test may cover by chance.
    #[must_use]
    pub fn has_unwritten_targets(&self) -> bool {
        self.unwritten_targets.iter().any(|targets| !targets.is_empty())
    }

    /// Takes back what was said of targets that tests cover after all: these are all that they cover.
    pub fn withdraw(&mut self, covered: &[TargetSet]) {
        for (unwritten, covered) in self.unwritten_targets.iter_mut().zip(covered) {
            let found: Vec<_> = unwritten.iter().filter(|&id| covered.contains(id)).collect();
            found.iter().for_each(|&target| _ = unwritten.remove(target));
            self.unwritten_count -= found.len() as u64;
            self.written += found.len() as u64;
        }
        let targets = &self.unwritten_targets;
        self.unwritten.retain(|unwritten| {
            unwritten.goal.is_none_or(|goal| targets[goal.criterion].contains(goal.target))
        });
        self.is_measured = true;
    }
}

/// Why a suite ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// There was no more to make.
    #[default]
    Complete,
    /// The limit on tests.
    Limit,
    /// Somebody wanted no more.
    Interrupted,
}

/// A target without a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritten {
    /// The target, if the test was made for one.
    pub goal: Option<Goal>,
    /// What stood in the way of the first attempt.
    pub obstacle: Obstacle,
}

/// How many unwritten targets are listed.
const LISTED: usize = 10_000;

#[cfg(test)]
mod tests {
    use gramercy_derive::{Goal, Obstacle};

    use super::{Summary, Unwritten};

    #[test]
    fn what_is_covered_by_chance_is_withdrawn() {
        let mut summary = Summary::default();
        let goal = |criterion, target| Some(Goal { criterion, target });
        // The second is the same target in another variant, the last a test without one.
        for goal in [goal(1, 7), goal(1, 7), goal(1, 9), goal(0, 7), None] {
            summary.miss(&Unwritten { goal, obstacle: Obstacle::NotReadBack });
        }
        assert_eq!((summary.unwritten_count, summary.unwritten.len()), (4, 4));
        let covered = [[5].into_iter().collect(), [7, 8].into_iter().collect()];
        summary.withdraw(&covered);
        let left: Vec<_> = summary.unwritten.iter().map(|of| of.goal).collect();
        assert_eq!(left, [goal(1, 9), goal(0, 7), None]);
        assert_eq!((summary.unwritten_count, summary.written), (3, 1));
        assert!(summary.has_unwritten_targets());
    }
}
