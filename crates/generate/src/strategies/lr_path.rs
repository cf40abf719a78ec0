//! Tests for sequences of K pop edges (`lr-path:K`): one for each.
//!
//! The edges of a sequence are taken one after the other with a stack of trees: each makes a tree of
//! its production, whose last nonterminals are the trees on the stack and whose others are derived as
//! shortly as possible. If several trees are left, they are neighbors that some production above joins,
//! at once or in several steps; a breadth-first search over occurrences finds the fewest. The one tree
//! that remains is embedded as shallowly as possible. With K = 1 that is pop-edge coverage. A test
//! costs what is written, and the search.

use std::collections::VecDeque;

use gramercy_base::{Id, LimitReached, Map};
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_language::Language;
use gramercy_lr::{Construction, GotoId, Occurrence, PopPaths};

use crate::strategies::pack::PlanNode;
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::lr_contexts::LrContexts;
use gramercy_derive::resolution::Resolution;
use gramercy_derive::strategy::{Indexed, Propose};

/// A test for each valid sequence of pop edges.
#[derive(Debug)]
pub struct LrPathTests<'v> {
    contexts: LrContexts<'v>,
    paths: PopPaths,
    criterion: usize,
}

/// A tree with the push that it ends in.
struct Entry<T> {
    goto: GotoId,
    tree: T,
}

/// A tree that is made from below.
pub(crate) trait Growing: Default {
    /// Its root; what is below follows.
    fn production(&mut self, production: ProductionId);
    /// The tree of the next nonterminal below.
    fn join(&mut self, below: Self);
}

impl Growing for Candidate {
    fn production(&mut self, production: ProductionId) {
        self.productions.push(production);
    }

    fn join(&mut self, below: Self) {
        self.productions.extend(below.productions);
        self.tokens.extend(below.tokens);
    }
}

impl Growing for Vec<PlanNode> {
    fn production(&mut self, production: ProductionId) {
        self.push(PlanNode::Production(production));
    }

    fn join(&mut self, below: Self) {
        self.extend(below);
    }
}

/// Appends the subtree of a symbol to which no edge belongs.
type Close<'c, T> = dyn Fn(Symbol, &mut T) + 'c;

impl<'v> LrPathTests<'v> {
    /// The tests for sequences of `k` pop edges of an automaton; they are made for the criterion of this
    /// number in a suite.
    ///
    /// # Errors
    /// If the sequences are more than the limit on targets or cannot be counted in memory, or the
    /// automaton has more states than the limit.
    pub fn new(
        language: &'v Language,
        (k, construction): (u32, Construction),
        resolution: Resolution,
        criterion: usize,
    ) -> Result<Self, LimitReached> {
        let lr = language.useful_lr(construction)?;
        let paths = PopPaths::new(lr.cfg(), &lr.automaton, &lr.gotos, k, language.limits())?;
        Ok(Self { contexts: LrContexts::new(language, lr, resolution), paths, criterion })
    }

    /// The sequences.
    #[must_use]
    pub fn paths(&self) -> &PopPaths {
        &self.paths
    }

    /// How pushes are embedded.
    #[must_use]
    pub fn contexts(&self) -> &LrContexts<'v> {
        &self.contexts
    }

    /// The smallest tree that has a sequence, and the push that it ends in.
    pub(crate) fn tree<T: Growing>(&self, number: u64, closing: &Close<'_, T>) -> (GotoId, T) {
        let mut stack = self.stack(number, closing);
        let entries: Vec<GotoId> = stack.iter().map(|entry| entry.goto).collect();
        for joint in self.joints(&entries) {
            let before = joint.position as usize + 1;
            self.reduce(&mut stack, joint.above, (joint.production, before), closing);
        }
        let Entry { goto, tree } = stack.pop().expect("invariant: one tree remains");
        (goto, tree)
    }

    /// The trees that the edges of a sequence leave on the stack.
    fn stack<T: Growing>(&self, number: u64, closing: &Close<'_, T>) -> Vec<Entry<T>> {
        let mut stack: Vec<Entry<T>> = Vec::new();
        for pop in self.paths.path(number) {
            let (goto, production) = self.contexts.gotos().pop_at(self.contexts.cfg(), pop.index());
            let rhs = self.contexts.cfg().rhs(production);
            self.reduce(&mut stack, goto, (production, rhs.len()), closing);
        }
        stack
    }

    /// Puts a tree of a production on the stack, with the topmost trees as its last nonterminals before
    /// a position; all others are as short as possible.
    fn reduce<T: Growing>(
        &self,
        stack: &mut Vec<Entry<T>>,
        goto: GotoId,
        (production, before): (ProductionId, usize),
        closing: &Close<'_, T>,
    ) {
        let rhs = self.contexts.cfg().rhs(production);
        let is_nonterminal = |symbol: &&Symbol| matches!(symbol, Symbol::Nonterminal(_));
        let nonterminals = rhs[..before].iter().filter(is_nonterminal).count();
        // Nothing is known of the stack below the first edge of a sequence.
        let known = nonterminals.min(stack.len());
        let mut missing = nonterminals - known;
        let mut trees = stack.drain(stack.len() - known..).map(|entry| entry.tree);
        let mut tree = T::default();
        tree.production(production);
        for (position, &symbol) in rhs.iter().enumerate() {
            let is_here = position < before && is_nonterminal(&&symbol);
            if is_here && missing == 0 {
                let below = trees.next().expect("invariant: as many trees as nonterminals");
                tree.join(below);
            } else {
                missing -= usize::from(is_here);
                closing(symbol, &mut tree);
            }
        }
        drop(trees);
        stack.push(Entry { goto, tree });
    }

    /// The occurrences, from below, by which a list of neighbors becomes one tree.
    fn joints(&self, entries: &[GotoId]) -> Vec<Occurrence> {
        type StackPosition = (usize, GotoId);
        let top = *entries.last().expect("invariant: a sequence has edges");
        let from: StackPosition = (entries.len() - 1, top);
        let mut came: Map<StackPosition, Option<(StackPosition, Occurrence)>> = Map::default();
        came.insert(from, None);
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            if place.0 == 0 {
                let steps = std::iter::successors(came[&place], |(before, _)| came[before]);
                let mut steps: Vec<_> = steps.map(|(_, occurrence)| occurrence).collect();
                steps.reverse();
                return steps;
            }
            for &occurrence in self.contexts.occurrences().row(place.1) {
                if let Some(rest) = self.joined(&entries[..place.0], &occurrence) {
                    let next = (rest, occurrence.above);
                    if let std::collections::hash_map::Entry::Vacant(vacant) = came.entry(next) {
                        vacant.insert(Some((place, occurrence)));
                        queue.push_back(next);
                    }
                }
            }
        }
        unreachable!(
            "invariant: every stack of a grammar without useless productions can be reduced"
        )
    }

    /// How many of the entries below an occurrence its production leaves; `None` if they do not fit.
    fn joined(&self, below: &[GotoId], occurrence: &Occurrence) -> Option<usize> {
        let contexts = &self.contexts;
        let (cfg, gotos) = (contexts.cfg(), contexts.gotos());
        let from = gotos.source(occurrence.above);
        let along = gotos.along(cfg, contexts.automaton(), from, occurrence.production);
        let before: Vec<GotoId> = along
            .take_while(|&(position, _)| position < occurrence.position as usize)
            .map(|(_, goto)| goto)
            .collect();
        if !below.iter().rev().zip(before.iter().rev()).all(|(a, b)| a == b) {
            return None;
        }
        let rest = below.len().saturating_sub(before.len());
        match below[..rest].last() {
            Some(&under) if !self.paths.leads(gotos.target(under), from) => None,
            _ => Some(rest),
        }
    }
}

impl Indexed for LrPathTests<'_> {
    fn count(&self) -> u64 {
        self.paths.count()
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            self.candidate(number, attempt, candidate)
        })
    }
}

impl LrPathTests<'_> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let cheapest = self.contexts.closing(attempt);
        let (goto, tree) = self.tree(number, &|symbol, tree| cheapest.close(symbol, tree));
        candidate.goal = Some(Goal { criterion: self.criterion, target: number });
        self.contexts.surround(goto, attempt, candidate, |candidate| {
            candidate.productions.extend_from_slice(&tree.productions);
            candidate.tokens.extend_from_slice(&tree.tokens);
        })
    }
}
