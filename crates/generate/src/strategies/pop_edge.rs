//! Pop-edge coverage, PEC (Rossouw, Fischer, JSS 2024, section 5): one test for each pop edge of the LR-graph.
//!
//! A pop edge determines its reduction path. That is embedded as shallowly as possible
//! ([`LrContexts`]), and every other nonterminal on the way is derived as shortly as possible, measured
//! in tokens or, as the paper does, in edges. The paper searches shortest *reduction paths*; here they
//! are true shortest derivations, a fixpoint. Test number n is that of the pop edge of rank n, so tests
//! are made in any order. Several may be one sentence. Each costs no more than what is written.

use gramercy_base::LimitReached;
use gramercy_grammar::ProductionId;
use gramercy_language::Language;
use gramercy_lr::{Construction, GotoId};

use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::lr_contexts::LrContexts;
use gramercy_derive::resolution::Resolution;
use gramercy_derive::strategy::{Indexed, Propose};

/// A test for each pop edge.
#[derive(Debug)]
pub struct PopEdges<'v> {
    contexts: LrContexts<'v>,
    criterion: usize,
}

impl<'v> PopEdges<'v> {
    /// The tests for an automaton; they are made for the criterion of this number in a suite.
    ///
    /// # Errors
    /// If the automaton has more states than the limit.
    pub fn new(
        language: &'v Language,
        construction: Construction,
        resolution: Resolution,
        criterion: usize,
    ) -> Result<Self, LimitReached> {
        let lr = language.lr(construction)?;
        let contexts = LrContexts::new(language, lr, resolution);
        Ok(Self { contexts, criterion })
    }

    /// How pop edges are embedded.
    #[must_use]
    pub fn contexts(&self) -> &LrContexts<'v> {
        &self.contexts
    }

    /// The push that a pop edge is followed by, and its production.
    pub(crate) fn pop_edge(&self, rank: u64) -> (GotoId, ProductionId) {
        let rank = usize::try_from(rank).expect("invariant: a pop edge has this rank");
        self.contexts.gotos().pop_at(self.contexts.cfg(), rank)
    }
}

impl Indexed for PopEdges<'_> {
    fn count(&self) -> u64 {
        self.contexts.gotos().pop_count() as u64
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            self.candidate(number, attempt, candidate)
        })
    }
}

impl PopEdges<'_> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let contexts = &self.contexts;
        let (goto, production) = self.pop_edge(number);
        if !contexts.reach(goto, production) {
            return false;
        }
        candidate.goal = Some(Goal { criterion: self.criterion, target: number });
        contexts.surround(goto, attempt, candidate, |candidate| {
            candidate.productions.push(production);
            contexts.closing(attempt).close_all(contexts.cfg().rhs(production), candidate);
        })
    }
}
