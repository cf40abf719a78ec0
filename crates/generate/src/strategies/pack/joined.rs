//! From packed tests to a suite: what no large test could take gets a small one, and each criterion
//! begins with what the tests of those before it cover.
//!
//! A large test that cannot be written is made again half as large. What is then given up for the target
//! it began with is tried by the small tests of the criterion, with all their attempts, so that packing
//! loses no target that could be written alone. So are targets that large tests are better off without.

use std::collections::BTreeSet;

use gramercy_coverage::TargetId;
use gramercy_grammar::TerminalId;

use super::{Pack, Source};
use crate::draft::{Draft, Goal};
use crate::strategy::{Indexed, Sequential};

/// A packed suite of one criterion among several.
pub trait PackedPart: Sequential {
    /// A test of another criterion was written: what it covers is missing no longer.
    fn see(&mut self, draft: &Draft);
}

/// A packed suite, and small tests for what it gives up. Numbers of small tests are the source's targets.
pub struct Packed<'v, S: Source> {
    pack: Pack<'v, S>,
    small: Box<dyn Indexed + 'v>,
    /// What is left to small tests from the beginning, the next one last.
    withheld: Vec<TargetId>,
    /// The target of the small test in hand, and how often it was tried.
    current: Option<(TargetId, u32)>,
    tried: BTreeSet<TargetId>,
    last: Option<Draft>,
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
        Self { pack, small, withheld, current: None, tried: BTreeSet::new(), last: None }
    }

    fn small(&mut self, target: TargetId, attempt: u32, draft: &mut Draft) -> bool {
        self.tried.insert(target);
        self.current = Some((target, attempt));
        draft.clear();
        let is_made = self.small.make(target, attempt, draft);
        self.last = is_made.then(|| draft.clone());
        is_made
    }
}

impl<S: Source> Sequential for Packed<'_, S> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        if let Some(last) = self.last.take() {
            self.pack.see(&last);
        }
        self.current = None;
        if self.pack.next(draft) {
            return true;
        }
        let given_up: Vec<TargetId> = self.pack.omitted().keys().copied().collect();
        let left = given_up.into_iter().filter(|target| !self.tried.contains(target));
        if left.collect::<Vec<_>>().into_iter().any(|target| self.small(target, 0, draft)) {
            return true;
        }
        while let Some(target) = self.withheld.pop() {
            if self.small(target, 0, draft) {
                return true;
            }
        }
        false
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        self.last = None;
        if let Some((target, tried)) = self.current {
            return attempt < u32::MAX && self.small(target, tried + 1, draft);
        }
        if self.pack.again(attempt, draft) {
            return true;
        }
        match self.pack.given_up() {
            Some(target) if attempt < u32::MAX => self.small(target, 0, draft),
            _ => false,
        }
    }

    fn avoid(&mut self, left: TerminalId, right: TerminalId) {
        if self.current.is_none() {
            self.pack.avoid(left, right);
        }
    }
}

impl<S: Source> PackedPart for Packed<'_, S> {
    fn see(&mut self, draft: &Draft) {
        self.pack.see(draft);
    }
}

/// The packed suites of several criteria, one behind the other.
pub struct Joined<'v> {
    parts: Vec<Box<dyn PackedPart + 'v>>,
    at: usize,
    last: Option<Draft>,
}

impl<'v> Joined<'v> {
    /// These suites.
    #[must_use]
    pub fn new(parts: Vec<Box<dyn PackedPart + 'v>>) -> Self {
        Self { parts, at: 0, last: None }
    }

    /// Only a test that was written counts, and that is known when the next one is wanted.
    fn show_last(&mut self) {
        if let Some(last) = self.last.take() {
            self.parts.iter_mut().skip(self.at + 1).for_each(|part| part.see(&last));
        }
    }
}

impl Sequential for Joined<'_> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        self.show_last();
        while let Some(part) = self.parts.get_mut(self.at) {
            if part.next(draft) {
                let is_seen = self.at + 1 < self.parts.len();
                self.last = is_seen.then(|| draft.clone());
                return true;
            }
            self.at += 1;
        }
        false
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        let Some(part) = self.parts.get_mut(self.at) else { return false };
        let is_made = part.again(attempt, draft);
        self.last = is_made.then(|| draft.clone());
        is_made
    }

    fn avoid(&mut self, left: TerminalId, right: TerminalId) {
        if let Some(part) = self.parts.get_mut(self.at) {
            part.avoid(left, right);
        }
    }

    fn impossible(&self) -> Vec<Goal> {
        self.parts.iter().flat_map(|part| part.impossible()).collect()
    }
}
