//! LALR(1): the states of LR(0), where each item has the union of its lookaheads in canonical
//! LR(1).
//!
//! After DeRemer, Pennello, TOPLAS 1982: there is one set Follow(p, A) for each nonterminal
//! transition, which comes from an item B → β • A γ in p. It contains first(γ), and Follow(p', B)
//! if γ is nullable and β leads from p' to p. Along these edges sets spread through strongly
//! connected components. An item B → β • γ in q then has Follow(p', B) for every p' from which β
//! leads to q. Here both relations are found by walking each production forward from each state
//! that has its left-hand side in the closure, and first(γ) comes from the grammar instead of the
//! automaton.
//!
//! Example: `S: C C; C: c C | d;` with LR(0) states 0 (initial), 1 (after c) and 4 (after the first
//! C). Follow(0, S) = {$}, Follow(0, C) = first(C) = {c, d}, and Follow(4, C) = Follow(0, S) = {$}.
//! C → c • C in 1 comes from 0, 1 and 4, so Follow(1, C) = {c, d, $}. So C → d is reduced before c,
//! d and $, where canonical LR(1) has one state for {c, d} and one for {$}.
//!
//! Linear in the steps of all walks, times the words of a set.

use gramercy_analysis::components::spread;
use gramercy_analysis::{Rows, TerminalOrEnd};
use gramercy_base::{BitMatrix, Id, LimitReached, Limits};
use gramercy_grammar::{Cfg, NonterminalId};

use crate::automaton::{Automaton, Construction, LookaheadsId, StateId};
use crate::contexts::{LookaheadContexts, Sets};
use crate::gotos::{GotoId, Gotos};
use crate::intern::Interner;
use crate::items::ItemId;
use crate::{Facts, lr0};

gramercy_base::define_id!(struct KernelItemId, "an item in the kernel of a state");

/// The LALR(1) automaton of a grammar.
///
/// # Errors
/// If it has more states than the limits allow.
pub fn build(cfg: &Cfg, facts: &Facts<'_>, limits: &Limits) -> Result<Automaton, LimitReached> {
    let automaton = lr0::build(cfg, facts, limits)?;
    let mut sets = Interner::new();
    let contexts = LookaheadContexts::new(cfg, facts, automaton.items(), &mut sets);
    let walks = Walks::new(cfg, &automaton);
    let follow = walks.follow(&contexts, &sets);
    let of_kernel_items = walks.of_kernel_items(&follow);
    let (kernels, reductions) = walks.intern(&follow, &of_kernel_items, &mut sets);
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
    gotos: Gotos,
}

impl<'a> Walks<'a> {
    fn new(cfg: &'a Cfg, automaton: &'a Automaton) -> Self {
        Self { cfg, automaton, gotos: Gotos::of(cfg, automaton) }
    }

    fn goto(&self, state: StateId, nonterminal: NonterminalId) -> GotoId {
        let goto = self.gotos.find(state, nonterminal);
        goto.expect("invariant: a nonterminal after a dot can be pushed")
    }

    /// The index of an item among the items of all kernels.
    fn kernel_item(&self, state: StateId, item: ItemId) -> KernelItemId {
        let at = self.automaton.kernel(state).binary_search_by_key(&item, |kernel| kernel.item);
        let at = at.expect("invariant: a walk leads through kernels that have its item");
        KernelItemId::from_index(self.automaton.kernels.range(state).start + at)
    }

    /// Walks every production from every state with its left-hand side in the closure. Calls
    /// `visit` with the goto of that left-hand side, each item, and the state that contains it.
    fn all(&self, mut visit: impl FnMut(GotoId, ItemId, StateId)) {
        let items = self.automaton.items();
        for goto in self.gotos.ids() {
            for &production in self.cfg.productions_of(self.gotos.nonterminal(goto)) {
                let (mut item, mut state) = (items.first(production), self.gotos.source(goto));
                visit(goto, item, state);
                while let Some(label) = items.next(item) {
                    let target = self.automaton.step(state, label);
                    state = target.expect("invariant: the symbol after a dot can be pushed");
                    item = items.advance(item);
                    visit(goto, item, state);
                }
            }
        }
    }

    /// The follow set of each goto.
    fn follow(
        &self,
        contexts: &LookaheadContexts,
        sets: &Sets,
    ) -> BitMatrix<GotoId, TerminalOrEnd> {
        let count = self.gotos.len();
        let mut follow = BitMatrix::new(count, TerminalOrEnd::count(self.cfg));
        let mut includes = Vec::new();
        let start = contexts.after_dot(self.automaton.items().start());
        let start = start.expect("invariant: S' → S $ has a nonterminal");
        let initial = self.automaton.initial();
        follow.union_row(self.goto(initial, start.of), sets.row(start.generates));
        self.all(|outer, item, state| {
            if let Some(context) = contexts.after_dot(item) {
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

    /// The lookaheads of each kernel item.
    fn of_kernel_items(
        &self,
        follow: &BitMatrix<GotoId, TerminalOrEnd>,
    ) -> BitMatrix<KernelItemId, TerminalOrEnd> {
        let count = self.automaton.kernels.items().len();
        let mut kernel_items = BitMatrix::new(count, TerminalOrEnd::count(self.cfg));
        self.all(|goto, item, state| {
            if self.automaton.items().dot(item) > 0 {
                kernel_items.union_row(self.kernel_item(state, item), follow.row(goto));
            }
        });
        kernel_items
    }

    /// The sets of all kernel items and of all reductions, in order.
    fn intern(
        &self,
        follow: &BitMatrix<GotoId, TerminalOrEnd>,
        kernel_items: &BitMatrix<KernelItemId, TerminalOrEnd>,
        sets: &mut Sets,
    ) -> (Vec<LookaheadsId>, Vec<LookaheadsId>) {
        let count = self.automaton.kernels.items().len();
        let kernels: Vec<_> = (0..count)
            .map(|kernel_item| {
                sets.intern(kernel_items.row(KernelItemId::from_index(kernel_item))).0
            })
            .collect();
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
                    kernels[self.kernel_item(state, complete).index()]
                });
            }
        }
        (kernels, reductions)
    }
}
