//! A plain context-free grammar: productions over dense ids, and nothing else.
//!
//! Everything that only needs productions (analyses, automata, the parser) takes a [`Cfg`]. The BNF
//! core is a [`Cfg`] with links to its source. Others are derived from it, such as the grammar over
//! characters that the scannerless parser uses.

use gramercy_base::{Id, Table, to_u32};

use crate::TerminalId;

gramercy_base::define_id!(
    /// Nonterminals of rules come first, in file order, then auxiliary ones.
    pub struct NonterminalId, "a nonterminal");
gramercy_base::define_id!(
    /// In file order.
    pub struct ProductionId, "a production");

/// A terminal or a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(NonterminalId),
}

/// Productions over dense terminals and nonterminals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cfg {
    productions: Table<ProductionId, (NonterminalId, u32)>,
    symbols: Vec<Symbol>,
    by_lhs: Vec<ProductionId>,
    lhs_starts: Vec<u32>,
    terminals: usize,
    start: NonterminalId,
}

impl Cfg {
    /// The grammar of these productions.
    ///
    /// # Panics
    /// If a symbol is beyond the counts, or the total length of all right-hand sides is beyond 32
    /// bits.
    #[must_use]
    pub fn new<'p>(
        terminals: usize,
        nonterminals: usize,
        start: NonterminalId,
        productions: impl IntoIterator<Item = (NonterminalId, &'p [Symbol])>,
    ) -> Self {
        let (mut table, mut symbols) = (Table::new(), Vec::new());
        for (lhs, rhs) in productions {
            symbols.extend_from_slice(rhs);
            table.push((lhs, to_u32(symbols.len())));
        }
        let known = |symbol: &Symbol| match symbol {
            Symbol::Terminal(id) => id.index() < terminals,
            Symbol::Nonterminal(id) => id.index() < nonterminals,
        };
        assert!(symbols.iter().all(known), "invariant: every symbol is counted");
        let (by_lhs, lhs_starts) = group_by_lhs(&table, nonterminals);
        Self { productions: table, symbols, by_lhs, lhs_starts, terminals, start }
    }

    /// How many terminals there are.
    #[must_use]
    pub fn terminal_count(&self) -> usize {
        self.terminals
    }

    /// All terminals.
    pub fn terminals(
        &self,
    ) -> impl DoubleEndedIterator<Item = TerminalId> + ExactSizeIterator + use<> {
        (0..self.terminals).map(TerminalId::from_index)
    }

    /// How many nonterminals there are.
    #[must_use]
    pub fn nonterminal_count(&self) -> usize {
        self.lhs_starts.len() - 1
    }

    /// All nonterminals.
    pub fn nonterminals(
        &self,
    ) -> impl DoubleEndedIterator<Item = NonterminalId> + ExactSizeIterator + use<> {
        (0..self.nonterminal_count()).map(NonterminalId::from_index)
    }

    /// The number of productions.
    #[must_use]
    pub fn production_count(&self) -> usize {
        self.productions.len()
    }

    /// All productions.
    pub fn productions(
        &self,
    ) -> impl DoubleEndedIterator<Item = ProductionId> + ExactSizeIterator + use<> {
        self.productions.ids()
    }

    /// The start symbol.
    #[must_use]
    pub fn start(&self) -> NonterminalId {
        self.start
    }

    /// The left-hand side of a production.
    #[inline]
    #[must_use]
    pub fn lhs(&self, production: ProductionId) -> NonterminalId {
        self.productions[production].0
    }

    /// The right-hand side of a production.
    #[inline]
    #[must_use]
    pub fn rhs(&self, production: ProductionId) -> &[Symbol] {
        &self.symbols[self.positions(production)]
    }

    /// The range of a production's right-hand side among all positions of the grammar.
    #[inline]
    #[must_use]
    pub fn positions(&self, production: ProductionId) -> std::ops::Range<usize> {
        let before = production.index().checked_sub(1).map(ProductionId::from_index);
        let start = before.map_or(0, |before| self.productions[before].1);
        start as usize..self.productions[production].1 as usize
    }

    /// The productions of a nonterminal, in order.
    #[inline]
    #[must_use]
    pub fn productions_of(&self, nonterminal: NonterminalId) -> &[ProductionId] {
        let at = nonterminal.index();
        &self.by_lhs[self.lhs_starts[at] as usize..self.lhs_starts[at + 1] as usize]
    }

    /// The number of symbols on all right-hand sides.
    #[must_use]
    pub fn size(&self) -> usize {
        self.symbols.len()
    }

    /// The grammar without some productions. Every production keeps its number: an excluded one
    /// becomes an empty production of a nonterminal that occurs on no right-hand side.
    #[must_use]
    pub fn without_productions(&self, excluded: &dyn Fn(ProductionId) -> bool) -> Self {
        let nowhere = NonterminalId::from_index(self.nonterminal_count());
        let productions = self.productions().map(|id| match excluded(id) {
            true => (nowhere, &[] as &[Symbol]),
            false => (self.lhs(id), self.rhs(id)),
        });
        let nonterminals = self.nonterminal_count() + 1;
        Self::new(self.terminal_count(), nonterminals, self.start(), productions)
    }
}

fn group_by_lhs(
    productions: &Table<ProductionId, (NonterminalId, u32)>,
    nonterminals: usize,
) -> (Vec<ProductionId>, Vec<u32>) {
    let mut starts = vec![0; nonterminals + 1];
    for (lhs, _) in productions.values() {
        starts[lhs.index() + 1] += 1;
    }
    for at in 0..nonterminals {
        starts[at + 1] += starts[at];
    }
    let mut next = starts.clone();
    let mut grouped: Vec<_> = productions.ids().collect();
    for (production, (lhs, _)) in productions.iter() {
        let at = &mut next[lhs.index()];
        grouped[*at as usize] = production;
        *at += 1;
    }
    (grouped, starts)
}
