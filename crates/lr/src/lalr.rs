//! LALR(1): the states of LR(0), each item with the look-aheads that it has anywhere in canonical
//! LR(1).
//!
//! After DeRemer and Pennello, "Efficient computation of LALR(1) look-ahead sets", TOPLAS 1982: one
//! set Follow(p, A) for each nonterminal transition, where the goto from p by A comes from an item
//! B → β • A γ in p. It contains first(γ), and Follow(p', B) where γ is nullable and β leads from p'
//! to p; along these edges sets spread through strongly connected components. An item B → β • γ in q
//! then has Follow(p', B) for every p' from which β leads to q. We find both relations by walking
//! each production forward from each state that has its left-hand side in the closure, and take
//! first(γ) from the grammar instead of reading it off the automaton.
//!
//! Linear in the steps of all walks, times the words of a set.

use gramercy_analysis::components::spread;
use gramercy_analysis::{Rows, TerminalOrEnd};
use gramercy_base::{BitMatrix, Id, LimitReached, Limits};
use gramercy_grammar::{Cfg, NonterminalId};

use crate::automaton::{Automaton, Construction, LookaheadsId, StateId};
use crate::contexts::{Contexts, Sets};
use crate::intern::Interner;
use crate::items::ItemId;
use crate::{Facts, lr0};

gramercy_base::define_id!(struct GotoId, "a transition by a nonterminal");
gramercy_base::define_id!(struct PlaceId, "an item in the kernel of a state");

/// The LALR(1) automaton of a grammar.
///
/// # Errors
/// If it has more states than the limits allow.
pub fn build(cfg: &Cfg, facts: &Facts<'_>, limits: &Limits) -> Result<Automaton, LimitReached> {
    let automaton = lr0::build(cfg, facts, limits)?;
    let mut sets = Interner::new();
    let contexts = Contexts::new(cfg, facts, automaton.items(), &mut sets);
    let walks = Walks::new(cfg, &automaton);
    let follow = walks.follow(&contexts, &sets);
    let of_places = walks.of_places(&follow);
    let (kernels, reductions) = walks.intern(&follow, &of_places, &mut sets);
    let mut merged = Automaton { construction: Construction::Lalr, ..automaton };
    for (item, lookaheads) in merged.kernels.items_mut().iter_mut().zip(kernels) {
        item.lookaheads = Some(lookaheads);
    }
    for (reduction, lookaheads) in merged.reductions.items_mut().iter_mut().zip(reductions) {
        reduction.lookaheads = Some(lookaheads);
    }
    merged.lookaheads = sets.into_rows();
    Ok(merged)
}

/// The walks of all productions through an LR(0) automaton.
struct Walks<'a> {
    cfg: &'a Cfg,
    automaton: &'a Automaton,
    gotos: Rows<StateId, (NonterminalId, StateId)>,
}

impl<'a> Walks<'a> {
    fn new(cfg: &'a Cfg, automaton: &'a Automaton) -> Self {
        let mut gotos = Rows::new();
        for state in automaton.states() {
            gotos.push(automaton.gotos(state));
        }
        Self { cfg, automaton, gotos }
    }

    fn goto(&self, state: StateId, nonterminal: NonterminalId) -> GotoId {
        let at = self.gotos.row(state).binary_search_by_key(&nonterminal, |&(label, _)| label);
        let at = at.expect("invariant: a nonterminal behind a dot can be pushed");
        GotoId::from_index(self.gotos.range(state).start + at)
    }

    /// Where an item stands among those of all kernels.
    fn place(&self, state: StateId, item: ItemId) -> PlaceId {
        let at = self.automaton.kernel(state).binary_search_by_key(&item, |kernel| kernel.item);
        let at = at.expect("invariant: a walk leads through kernels that have its item");
        PlaceId::from_index(self.automaton.kernels.range(state).start + at)
    }

    /// Walks every production from every state with its left-hand side in the closure. Tells
    /// `visit` the goto of that left-hand side, and each item with the state in which it is met.
    fn all(&self, mut visit: impl FnMut(GotoId, ItemId, StateId)) {
        let items = self.automaton.items();
        for (origin, row) in self.gotos.iter() {
            let first_goto = self.gotos.range(origin).start;
            for (at, &(lhs, _)) in row.iter().enumerate() {
                let goto = GotoId::from_index(first_goto + at);
                for &production in self.cfg.productions_of(lhs) {
                    let (mut item, mut state) = (items.first(production), origin);
                    visit(goto, item, state);
                    while let Some(label) = items.next(item) {
                        let target = self.automaton.step(state, label);
                        state = target.expect("invariant: what is behind a dot can be pushed");
                        item = items.advance(item);
                        visit(goto, item, state);
                    }
                }
            }
        }
    }

    /// What can follow the nonterminal of each goto, pushed from there.
    fn follow(&self, contexts: &Contexts, sets: &Sets) -> BitMatrix<GotoId, TerminalOrEnd> {
        let count = self.gotos.items().len();
        let mut follow = BitMatrix::new(count, TerminalOrEnd::count(self.cfg));
        let mut includes = Vec::new();
        let start = contexts.behind_dot(self.automaton.items().start());
        let start = start.expect("invariant: S' → S $ has a nonterminal");
        let initial = self.automaton.initial();
        follow.union_row(self.goto(initial, start.of), sets.row(start.generates));
        self.all(|outer, item, state| {
            if let Some(context) = contexts.behind_dot(item) {
                let inner = self.goto(state, context.of);
                follow.union_row(inner, sets.row(context.generates));
                if context.passes && inner != outer {
                    includes.push((inner, outer));
                }
            }
        });
        spread(&Rows::group(count, &includes), &mut follow);
        follow
    }

    /// The look-aheads of each item in a kernel.
    fn of_places(
        &self,
        follow: &BitMatrix<GotoId, TerminalOrEnd>,
    ) -> BitMatrix<PlaceId, TerminalOrEnd> {
        let count = self.automaton.kernels.items().len();
        let mut places = BitMatrix::new(count, TerminalOrEnd::count(self.cfg));
        self.all(|goto, item, state| {
            if self.automaton.items().dot(item) > 0 {
                places.union_row(self.place(state, item), follow.row(goto));
            }
        });
        places
    }

    /// The sets of all kernel items and of all reductions, in order.
    fn intern(
        &self,
        follow: &BitMatrix<GotoId, TerminalOrEnd>,
        places: &BitMatrix<PlaceId, TerminalOrEnd>,
        sets: &mut Sets,
    ) -> (Vec<LookaheadsId>, Vec<LookaheadsId>) {
        let count = self.automaton.kernels.items().len();
        let kernels: Vec<_> =
            (0..count).map(|place| sets.intern(places.row(PlaceId::from_index(place))).0).collect();
        let mut reductions = Vec::with_capacity(self.automaton.reductions.items().len());
        for (state, row) in self.automaton.reductions.iter() {
            for reduction in row {
                let first = self.automaton.items().first(reduction.production);
                let len = self.cfg.rhs(reduction.production).len();
                reductions.push(if len == 0 {
                    let goto = self.goto(state, self.cfg.lhs(reduction.production));
                    sets.intern(follow.row(goto)).0
                } else {
                    let complete = ItemId::from_index(first.index() + len);
                    kernels[self.place(state, complete).index()]
                });
            }
        }
        (kernels, reductions)
    }
}
