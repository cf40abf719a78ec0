//! Suites that are drawn to see how many of them cover everything: a check of what [`bounds`](super::bounds) predicts.
//!
//! Each suite has streams of its own, from the seed, its number and the number of the tree, so the result does not
//! depend on the number of threads. Cost: a tree for each test of each suite.

use std::sync::Arc;

use gramercy_base::{IdSet, parallel};
use gramercy_derive::candidate::Candidate;
use gramercy_grammar::{ProductionId, Symbol};

use super::super::elements::Elements;
use super::super::sampler::{Sampler, Scratch};
use super::super::space::{SpaceError, TreeSpace};
use super::super::strategy::pick;
use super::super::stream::Stream;
use super::{Plan, Watch};

/// Which suites are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Simulation {
    /// How many suites.
    pub suites: u64,
    /// The tests of each.
    pub tests: u64,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// How many threads draw.
    pub jobs: usize,
}

/// The key of streams, which no other method has.
const SIMULATED: u64 = 20;

impl Simulation {
    /// How many suites of plain uniform trees cover everything; `None` if the watcher stopped the work.
    ///
    /// # Errors
    /// If tables take more memory than allowed.
    pub fn plain(
        &self,
        elements: &Elements,
        plan: &Plan,
        watch: &mut Watch<'_>,
    ) -> Result<Option<u64>, SpaceError> {
        let sampler = Sampler::new(Arc::clone(&elements.space), None)?;
        Ok(self.complete(elements, plan, &[(1.0, sampler)], watch))
    }

    /// How many suites of trees by a plan cover everything, given the samplers of the elements that it picks; `None` if
    /// the watcher stopped the work.
    pub fn biased(
        &self,
        elements: &Elements,
        plan: &Plan,
        samplers: &[(f64, Sampler)],
        watch: &mut Watch<'_>,
    ) -> Option<u64> {
        self.complete(elements, plan, samplers, watch)
    }

    fn complete(
        &self,
        elements: &Elements,
        plan: &Plan,
        samplers: &[(f64, Sampler)],
        watch: &mut Watch<'_>,
    ) -> Option<u64> {
        let (mut complete, mut done) = (0, 0);
        parallel::in_order(
            self.jobs,
            0..self.suites,
            || (Scratch::default(), Candidate::default()),
            |(scratch, candidate), suite| {
                let mut used = IdSet::new(elements.space.forms().cfg().production_count());
                for test in 0..self.tests {
                    let mut stream = Stream::new([self.seed, suite, test, SIMULATED]);
                    candidate.clear();
                    pick(samplers, &mut stream).draw(&mut stream, scratch, candidate);
                    mark_used(&elements.space, &candidate.productions, &mut used);
                }
                let is_covered = |index: usize| {
                    elements.list[index].productions.iter().any(|id| used.contains(id))
                };
                plan.elements.iter().all(|planned| is_covered(planned.index))
            },
            |is_complete| {
                complete += u64::from(is_complete);
                done += 1;
                watch(done, self.suites)
            },
        );
        (done == self.suites).then_some(complete)
    }
}

/// Marks the productions of a space that a tree of the BNF core uses.
fn mark_used(space: &TreeSpace, tree: &[ProductionId], used: &mut IdSet<ProductionId>) {
    if !space.has_copies() {
        tree.iter().for_each(|&id| _ = used.insert(id));
        return;
    }
    let cfg = space.forms().cfg();
    let mut open = vec![cfg.start()];
    for &production in tree {
        let nonterminal = open.pop().expect("invariant: a tree is a leftmost derivation");
        let is_copy = |&&id: &&ProductionId| space.origin(id) == production;
        let copies = cfg.productions_of(nonterminal);
        let id = *copies.iter().find(is_copy).expect("invariant: each production has a copy");
        used.insert(id);
        open.extend(cfg.rhs(id).iter().rev().filter_map(|symbol| match *symbol {
            Symbol::Nonterminal(nonterminal) => Some(nonterminal),
            Symbol::Terminal(_) => None,
        }));
    }
}
