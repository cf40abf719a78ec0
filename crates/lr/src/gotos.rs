//! Push edges with a nonterminal as label, and the pop edges that they follow.
//!
//! A nonterminal A is pushed onto a state q if A is in the closure of q. These pairs (q, A) are
//! numbered by state and nonterminal. Every production of A has one pop edge back to q. So the
//! ranks of pop edges follow the order of these pairs, and within a pair the file order of the
//! productions of A: a rank determines the pair and the production, and the reverse. Linear in the
//! automaton.
//!
//! Example: `S: C C; C: c C | d;` with LR(0) states 0 (initial), 1 (after c) and 4 (after the first
//! C). The pairs are (0, S), (0, C), (1, C), (4, C) with 1, 2, 2, 2 productions: 7 pop edges. Rank
//! 3 is the first production of (1, C): the pop edge by C → c C to state 1.

use gramercy_analysis::Rows;
use gramercy_base::{Id, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::automaton::{Automaton, StateId};

gramercy_base::define_id!(
    /// By state, then by nonterminal.
    pub struct GotoId, "a push edge that is labeled with a nonterminal");

/// All push edges that are labeled with nonterminals.
#[derive(Clone, Debug)]
pub struct Gotos {
    rows: Rows<StateId, (NonterminalId, StateId)>,
    sources: Table<GotoId, StateId>,
    /// For each push edge the number of pop edges of the push edges before it, and the number of
    /// all.
    pops: Vec<usize>,
}

impl Gotos {
    /// The push edges of nonterminals of an automaton.
    #[must_use]
    pub fn of(cfg: &Cfg, automaton: &Automaton) -> Self {
        let (mut rows, mut sources) = (Rows::new(), Table::new());
        let (mut pops, mut sum) = (vec![0], 0);
        for state in automaton.states() {
            for (nonterminal, _) in automaton.gotos(state) {
                sources.push(state);
                sum += cfg.productions_of(nonterminal).len();
                pops.push(sum);
            }
            rows.push(automaton.gotos(state));
        }
        Self { rows, sources, pops }
    }

    /// Their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = GotoId> + ExactSizeIterator + use<> {
        self.sources.ids()
    }

    /// The state onto which it pushes.
    #[inline]
    #[must_use]
    pub fn source(&self, goto: GotoId) -> StateId {
        self.sources[goto]
    }

    /// The pushed nonterminal.
    #[inline]
    #[must_use]
    pub fn nonterminal(&self, goto: GotoId) -> NonterminalId {
        self.rows.items()[goto.index()].0
    }

    /// The next state.
    #[inline]
    #[must_use]
    pub fn target(&self, goto: GotoId) -> StateId {
        self.rows.items()[goto.index()].1
    }

    /// The push edge of a nonterminal onto a state, if the state has it in its closure.
    #[inline]
    #[must_use]
    pub fn find(&self, state: StateId, nonterminal: NonterminalId) -> Option<GotoId> {
        let range = self.rows.range(state);
        let row = &self.rows.items()[range.clone()];
        let at = row.binary_search_by_key(&nonterminal, |&(id, _)| id).ok()?;
        Some(GotoId::from_index(range.start + at))
    }

    /// The number of pop edges.
    #[must_use]
    pub fn pop_count(&self) -> usize {
        self.pops[self.len()]
    }

    /// The rank of the pop edge by a production before a push of its left-hand side.
    ///
    /// # Panics
    /// If the production is not one of the pushed nonterminal.
    #[inline]
    #[must_use]
    pub fn pop_rank(&self, cfg: &Cfg, goto: GotoId, production: ProductionId) -> usize {
        let productions = cfg.productions_of(self.nonterminal(goto));
        let within = productions.binary_search(&production);
        self.pops[goto.index()]
            + within.expect("invariant: the production derives the pushed nonterminal")
    }

    /// The push edge after the pop edge of a rank, and the index of its production among those of
    /// the pushed nonterminal.
    ///
    /// # Panics
    /// If the rank is too large.
    #[must_use]
    pub fn pop_place(&self, rank: usize) -> (GotoId, usize) {
        assert!(rank < self.pop_count(), "invariant: there is a pop edge of this rank");
        let at = self.pops.partition_point(|&before| before <= rank) - 1;
        (GotoId::from_index(at), rank - self.pops[at])
    }

    /// The push edge after the pop edge of a rank, and its production.
    ///
    /// # Panics
    /// If the rank is too large.
    #[must_use]
    pub fn pop_at(&self, cfg: &Cfg, rank: usize) -> (GotoId, ProductionId) {
        let (goto, within) = self.pop_place(rank);
        (goto, cfg.productions_of(self.nonterminal(goto))[within])
    }

    /// The rank of the first pop edge before a push.
    #[must_use]
    pub fn first_pop(&self, goto: GotoId) -> usize {
        self.pops[goto.index()]
    }

    /// The push edges of nonterminals along a production from a state, each with its position: the
    /// nonterminals that are reduced before the production is.
    pub fn along<'g>(
        &'g self,
        cfg: &'g Cfg,
        automaton: &'g Automaton,
        state: StateId,
        production: ProductionId,
    ) -> impl Iterator<Item = (usize, GotoId)> + 'g {
        let labels = automaton.labels();
        let mut at = state;
        cfg.rhs(production).iter().enumerate().filter_map(move |(position, &symbol)| match symbol {
            Symbol::Terminal(_) => {
                let next = automaton.step(at, labels.symbol(symbol));
                at = next.expect("invariant: the symbol after a dot can be pushed");
                None
            }
            Symbol::Nonterminal(nonterminal) => {
                let goto = self.find(at, nonterminal);
                let goto = goto.expect("invariant: the symbol after a dot is in the closure");
                at = self.target(goto);
                Some((position, goto))
            }
        })
    }
}
