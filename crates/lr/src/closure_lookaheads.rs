//! The lookaheads of the items in the closure of a state, for pictures and tables. Automata store kernels only.
//!
//! From an item A → α • B β with lookaheads L, every production of B gets the terminals that can begin β and, if β can
//! be empty, those of L. This is repeated until nothing changes (Aho, Lam, Sethi, Ullman, Compilers, 2006, section
//! 4.7.2). For LALR(1) the kernel's lookaheads are those of the merged state, and so are those of its closure.
//!
//! Example: `S: C C; C: 'c' C | 'd';`, state S → C • C with lookahead `$`. Nothing follows the second C, so its
//! productions have the lookahead `$`. In the initial state, C 'c' or 'd' follows the first C, so they have 'c' and 'd'.
//!
//! Cost: rounds over the nonterminals of the closure, as many as they nest.

use gramercy_analysis::{First, Nullable, Productive, TerminalOrEnd};
use gramercy_base::{IdSet, IndexMap};
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::automaton::{Automaton, StateId};

/// What the closures of a grammar's states are computed from.
#[derive(Debug)]
pub struct Closures<'c> {
    cfg: &'c Cfg,
    nullable: Nullable,
    first: First,
}

impl<'c> Closures<'c> {
    /// For the automata of a grammar.
    #[must_use]
    pub fn new(cfg: &'c Cfg) -> Self {
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, &Productive::of(cfg), &nullable);
        Self { cfg, nullable, first }
    }

    /// The nonterminals in the closure of a state, with the lookaheads of their productions; empty if the automaton has
    /// no lookaheads.
    #[must_use]
    pub fn lookaheads(
        &self,
        automaton: &Automaton,
        state: StateId,
    ) -> IndexMap<NonterminalId, IdSet<TerminalOrEnd>> {
        let count = TerminalOrEnd::count(self.cfg);
        let mut closure: IndexMap<NonterminalId, IdSet<TerminalOrEnd>> = IndexMap::default();
        for kernel in automaton.kernel(state) {
            let (items, mut after) = (automaton.items(), IdSet::new(count));
            match (items.production(kernel.item), kernel.lookaheads) {
                (Some(production), Some(lookaheads)) => {
                    after.union_with(automaton.lookaheads(lookaheads));
                    let rest = &self.cfg.rhs(production)[items.dot(kernel.item)..];
                    self.add(rest, &after, &mut closure);
                }
                // The augmented start is followed by the end of input.
                (None, Some(_)) if items.dot(kernel.item) == 0 => {
                    after.insert(TerminalOrEnd::end(self.cfg));
                    self.add(&[Symbol::Nonterminal(self.cfg.start())], &after, &mut closure);
                }
                _ => {}
            }
        }
        loop {
            let before: usize = closure.values().map(IdSet::len).sum();
            for (nonterminal, after) in closure.clone() {
                for &production in self.cfg.productions_of(nonterminal) {
                    self.add(self.cfg.rhs(production), &after, &mut closure);
                }
            }
            if closure.values().map(IdSet::len).sum::<usize>() == before {
                return closure;
            }
        }
    }

    /// Adds the nonterminal at the beginning of some symbols that `after` follows.
    fn add(
        &self,
        symbols: &[Symbol],
        after: &IdSet<TerminalOrEnd>,
        closure: &mut IndexMap<NonterminalId, IdSet<TerminalOrEnd>>,
    ) {
        let [Symbol::Nonterminal(nonterminal), rest @ ..] = symbols else { return };
        let mut lookaheads = self.first.of_symbols(self.cfg, &self.nullable, rest);
        if self.nullable.all(rest) {
            lookaheads.union_with(after.words());
        }
        let known = closure.entry(*nonterminal);
        known
            .or_insert_with(|| IdSet::new(TerminalOrEnd::count(self.cfg)))
            .union_with(lookaheads.words());
    }
}
