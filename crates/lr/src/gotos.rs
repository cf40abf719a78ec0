//! Push edges that are labeled with a nonterminal, and the pop edges that they end.
//!
//! A nonterminal A is pushed onto a state q wherever A is in the closure of q. These pairs (q, A) are
//! numbered by state and nonterminal. Every production of A has one pop edge back to q, so pop edges,
//! in the order of their ranks, are the pairs in this order with the productions of A in file order:
//! the rank of a pop edge and the pair with the production determine each other. Linear in the
//! automaton.

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
    /// For each push edge the number of pop edges that end in those before it, and the number of all.
    pops: Vec<usize>,
}

impl Gotos {
    /// Those of an automaton of this grammar.
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

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// All of them, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = GotoId> + ExactSizeIterator + use<> {
        self.sources.ids()
    }

    /// The state before.
    #[inline]
    #[must_use]
    pub fn source(&self, goto: GotoId) -> StateId {
        self.sources[goto]
    }

    /// What is pushed.
    #[inline]
    #[must_use]
    pub fn nonterminal(&self, goto: GotoId) -> NonterminalId {
        self.rows.items()[goto.index()].0
    }

    /// The state after.
    #[inline]
    #[must_use]
    pub fn target(&self, goto: GotoId) -> StateId {
        self.rows.items()[goto.index()].1
    }

    /// The one that pushes a nonterminal onto a state, if the state has it in its closure.
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

    /// The rank of the pop edge by a production that ends in a push of its left-hand side.
    ///
    /// # Panics
    /// If the production is not one of the pushed nonterminal.
    #[inline]
    #[must_use]
    pub fn pop_rank(&self, cfg: &Cfg, goto: GotoId, production: ProductionId) -> usize {
        let productions = cfg.productions_of(self.nonterminal(goto));
        let within = productions.binary_search(&production);
        self.pops[goto.index()] + within.expect("invariant: it derives what is pushed")
    }

    /// The push edge that the pop edge of a rank ends in, and which of the pushed nonterminal's
    /// productions it has.
    ///
    /// # Panics
    /// If there are not that many pop edges.
    #[must_use]
    pub fn pop_place(&self, rank: usize) -> (GotoId, usize) {
        assert!(rank < self.pop_count(), "invariant: there is a pop edge of this rank");
        let at = self.pops.partition_point(|&before| before <= rank) - 1;
        (GotoId::from_index(at), rank - self.pops[at])
    }

    /// The push edge that the pop edge of a rank ends in, and its production.
    ///
    /// # Panics
    /// If there are not that many pop edges.
    #[must_use]
    pub fn pop_at(&self, cfg: &Cfg, rank: usize) -> (GotoId, ProductionId) {
        let (goto, within) = self.pop_place(rank);
        (goto, cfg.productions_of(self.nonterminal(goto))[within])
    }

    /// The rank of the first pop edge that ends in a push.
    #[must_use]
    pub fn first_pop(&self, goto: GotoId) -> usize {
        self.pops[goto.index()]
    }

    /// The push edges labeled with nonterminals along a production from a state, each with its
    /// position: what has to be reduced before the production is.
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
                at = next.expect("invariant: what is behind a dot can be pushed");
                None
            }
            Symbol::Nonterminal(nonterminal) => {
                let goto = self.find(at, nonterminal);
                let goto = goto.expect("invariant: what is behind a dot is in the closure");
                at = self.target(goto);
                Some((position, goto))
            }
        })
    }
}
