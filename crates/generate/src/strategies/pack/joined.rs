//! From packed tests to a suite: what no large test could take gets a small one, and each criterion
//! begins with what the tests of those before it cover.
//!
//! A large test that cannot be written is made again half as large. What is then given up for the target
//! it began with is tried by the small tests of the criterion, with all their attempts, so that packing
//! loses no target that could be written alone. So are targets that large tests are better off without.

use std::collections::BTreeSet;

use gramercy_coverage::TargetId;

use super::{Pack, Source};
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::strategy::{Indexed, Outcome, Reply, Sequential};

/// A packed suite of one criterion among several.
pub trait PackedPart: Sequential {
    /// A test of another criterion was written: what it covers is missing no longer.
    fn see(&mut self, candidate: &Candidate);
}

/// A packed suite, and small tests for what it gives up. Numbers of small tests are the source's targets.
pub struct Packed<'v, S: Source> {
    pack: Pack<'v, S>,
    small: Box<dyn Indexed + 'v>,
    /// What is left to small tests from the beginning, the next one last.
    withheld: Vec<TargetId>,
    current: Current,
    tried: BTreeSet<TargetId>,
}

/// What the candidate in hand is.
#[derive(Clone, Copy, Debug)]
enum Current {
    /// A large test.
    Packed,
    /// A small test for a target; how many of its candidates were rejected.
    Small { target: TargetId, attempts: u32 },
}

impl<'v, S: Source> Packed<'v, S> {
    /// These large tests and these small ones, of which some are for targets that are withheld from the
    /// large ones.
    #[must_use]
    pub fn new(
        pack: Pack<'v, S>,
        small: Box<dyn Indexed + 'v>,
        mut withheld: Vec<TargetId>,
    ) -> Self {
        withheld.reverse();
        Self { pack, small, withheld, current: Current::Packed, tried: BTreeSet::new() }
    }

    /// Proposes a small test.
    fn propose_small(
        &mut self,
        target: TargetId,
        attempts: u32,
        candidate: &mut Candidate,
    ) -> bool {
        self.tried.insert(target);
        self.current = Current::Small { target, attempts };
        candidate.clear();
        self.small.proposer().propose(target, attempts, candidate)
    }
}

impl<S: Source> Sequential for Packed<'_, S> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        self.current = Current::Packed;
        if self.pack.propose(candidate) {
            return true;
        }
        let given_up: Vec<TargetId> = self.pack.omitted().keys().copied().collect();
        for target in given_up {
            if !self.tried.contains(&target) && self.propose_small(target, 0, candidate) {
                return true;
            }
        }
        while let Some(target) = self.withheld.pop() {
            if self.propose_small(target, 0, candidate) {
                return true;
            }
        }
        false
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        let Outcome::Rejected(rejection) = outcome else {
            if let Current::Small { .. } = self.current {
                self.pack.see(candidate);
            }
            return Reply::Done;
        };
        let (target, attempts) = match self.current {
            Current::Small { target, attempts } => (Some(target), attempts + 1),
            Current::Packed => match self.pack.conclude(outcome, candidate) {
                Reply::Another => return Reply::Another,
                Reply::Done => (self.pack.given_up(), 0),
            },
        };
        match target.filter(|_| rejection.may_retry) {
            Some(target) if self.propose_small(target, attempts, candidate) => Reply::Another,
            _ => Reply::Done,
        }
    }
}

impl<S: Source> PackedPart for Packed<'_, S> {
    fn see(&mut self, candidate: &Candidate) {
        self.pack.see(candidate);
    }
}

/// The packed suites of several criteria, one after the other.
pub struct Joined<'v> {
    parts: Vec<Box<dyn PackedPart + 'v>>,
    at: usize,
}

impl<'v> Joined<'v> {
    /// These suites.
    #[must_use]
    pub fn new(parts: Vec<Box<dyn PackedPart + 'v>>) -> Self {
        Self { parts, at: 0 }
    }
}

impl Sequential for Joined<'_> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        while let Some(part) = self.parts.get_mut(self.at) {
            if part.propose(candidate) {
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        let Some(part) = self.parts.get_mut(self.at) else { return Reply::Done };
        let reply = part.conclude(outcome, candidate);
        if !matches!(outcome, Outcome::Rejected(_)) {
            self.parts.iter_mut().skip(self.at + 1).for_each(|part| part.see(candidate));
        }
        reply
    }

    fn impossible(&self) -> Vec<Goal> {
        self.parts.iter().flat_map(|part| part.impossible()).collect()
    }
}
