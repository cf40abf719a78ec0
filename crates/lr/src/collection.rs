//! The collection of item sets: how all constructions find their states.
//!
//! Only kernels are stored. The closure of a state is a list of *nonterminals*, each with a set of
//! lookaheads if there are any: the items with the dot at the left are their productions, and their
//! contribution to each label is prepared once per nonterminal. The successors of a state are
//! gathered in one bucket per label and interned by their items.
//!
//! Example: in `S: C C; C: c C | d;` the closure of S' → • S `$` is {S, C}. S contributes S → C • C
//! to label C; C contributes C → c • C to label c and C → d • to label d; the kernel contributes S'
//! → S • `$` to label S: four successors.
//!
//! Linear in the closures of all states, except for sorting labels and kernels.

use gramercy_analysis::Rows;
use gramercy_base::{Id, LimitReached, Limits, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId};

use crate::automaton::{KernelItem, LookaheadsId, Reduction, StateId, Transition};
use crate::intern::Interner;
use crate::items::{ItemId, Items};
use crate::labels::LabelId;

/// A nonterminal in the closure of a state, with its lookaheads.
pub(crate) type Closed = (NonterminalId, Option<LookaheadsId>);

/// Computes the closure of a kernel.
pub(crate) trait Closure {
    /// Appends the nonterminals of the closure, each once. Their order depends only on the kernel.
    fn close(&mut self, kernel: &[KernelItem], closed: &mut Vec<Closed>);
}

/// The start and the limit of a collection.
pub(crate) struct Bounds {
    /// The lookaheads of S' → • S `$`.
    pub(crate) start: Option<LookaheadsId>,
    /// What the limit counts, for the diagnostic.
    pub(crate) what: &'static str,
    /// The greatest number of states.
    pub(crate) limit: usize,
}

impl Bounds {
    pub(crate) fn new(start: Option<LookaheadsId>, what: &'static str, limits: &Limits) -> Self {
        Self { start, what, limit: limits.states }
    }
}

/// The states with their kernels, transitions and reductions.
pub(crate) struct Collection {
    pub(crate) kernels: Rows<StateId, KernelItem>,
    pub(crate) transitions: Rows<StateId, Transition>,
    pub(crate) reductions: Rows<StateId, Reduction>,
}

/// All states that are reachable from the initial one.
pub(crate) fn collect(
    cfg: &Cfg,
    items: &Items,
    closure: &mut impl Closure,
    plan: &Bounds,
) -> Result<Collection, LimitReached> {
    let mut kernels = Interner::new();
    let (mut transitions, mut reductions) = (Rows::new(), Rows::new());
    let mut successors = Successors::new(cfg, items);
    let (mut kernel, mut closed) = (Vec::new(), Vec::new());
    kernels.intern(&[KernelItem { item: items.start(), lookaheads: plan.start }]);
    while transitions.len() < kernels.len() {
        kernel.clear();
        kernel.extend_from_slice(kernels.row(StateId::from_index(transitions.len())));
        closed.clear();
        closure.close(&kernel, &mut closed);
        successors.gather(items, &kernel, &closed);
        transitions.push(successors.drain(&mut kernels));
        reductions.push(successors.reductions.drain(..));
        if kernels.len() > plan.limit {
            let (what, limit) = (plan.what, plan.limit);
            return Err(LimitReached { what, limit, option: Some("--max-states") });
        }
    }
    Ok(Collection { kernels: kernels.into_rows(), transitions, reductions })
}

/// The successors of one state, by label. Scratch memory of [`collect`].
struct Successors {
    /// For each nonterminal, its items with the dot after their first symbol, and that symbol.
    moves: Rows<NonterminalId, (LabelId, ItemId)>,
    /// For each nonterminal, its empty productions.
    empty: Rows<NonterminalId, ProductionId>,
    buckets: Table<LabelId, Vec<KernelItem>>,
    used: Vec<LabelId>,
    reductions: Vec<Reduction>,
}

impl Successors {
    fn new(cfg: &Cfg, items: &Items) -> Self {
        let (mut moves, mut empty) = (Rows::new(), Rows::new());
        for nonterminal in cfg.nonterminals() {
            let productions = || cfg.productions_of(nonterminal).iter().copied();
            let firsts = || productions().map(|production| items.first(production));
            let open = |item| items.next(item).map(|label| (label, items.advance(item)));
            moves.push(firsts().filter_map(open));
            empty.push(productions().filter(|&production| cfg.rhs(production).is_empty()));
        }
        let buckets = Table::filled(Vec::new(), items.labels().count());
        Self { moves, empty, buckets, used: Vec::new(), reductions: Vec::new() }
    }

    /// Sorts the items of a closed state into buckets, and its complete items into reductions.
    fn gather(&mut self, items: &Items, kernel: &[KernelItem], closed: &[Closed]) {
        for &KernelItem { item, lookaheads } in kernel {
            match (items.next(item), items.production(item)) {
                (Some(label), _) => self.put(label, items.advance(item), lookaheads),
                (None, Some(production)) => {
                    self.reductions.push(Reduction { production, lookaheads });
                }
                (None, None) => {}
            }
        }
        for &(nonterminal, lookaheads) in closed {
            for at in self.moves.range(nonterminal) {
                let (label, item) = self.moves.items()[at];
                self.put(label, item, lookaheads);
            }
            let empty = self.empty.row(nonterminal).iter();
            self.reductions.extend(empty.map(|&production| Reduction { production, lookaheads }));
        }
        self.reductions.sort_unstable();
        self.used.sort_unstable();
    }

    #[inline]
    fn put(&mut self, label: LabelId, item: ItemId, lookaheads: Option<LookaheadsId>) {
        let bucket = &mut self.buckets[label];
        if bucket.is_empty() {
            self.used.push(label);
        }
        bucket.push(KernelItem { item, lookaheads });
    }

    /// The transitions, in the order of their labels.
    fn drain<'s>(
        &'s mut self,
        kernels: &'s mut Interner<StateId, KernelItem>,
    ) -> impl Iterator<Item = Transition> + 's {
        self.used.drain(..).map(|label| {
            let bucket = &mut self.buckets[label];
            bucket.sort_unstable();
            let (target, _) = kernels.intern(bucket);
            bucket.clear();
            Transition { label, target }
        })
    }
}
