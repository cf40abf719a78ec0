//! `pll`: every nonterminal begins with every terminal with which it can begin: the choices of a
//! predictive parser (Raselimo, Taljaard, Fischer, SLE 2019).
//!
//! Measuring gathers the first terminals of every node; they are few, so it is linear in practice.

use gramercy_analysis::{First, Nullable};
use gramercy_base::{BitMatrix, Id, Span};
use gramercy_grammar::{NonterminalId, Symbol, TerminalId};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId, TokenRange, Way};

use crate::criteria::relation::{Relation, SymbolRank};
use crate::criteria::{bottom_up, deriv, symbol, useless_symbol};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// Pairs of a nonterminal and a terminal that it can begin with, as targets.
#[derive(Debug)]
pub struct Pll<'v> {
    language: &'v Language,
    pairs: Relation,
    /// Those that the language has.
    possible: Beginnings,
}

type Beginnings = BitMatrix<SymbolRank, SymbolRank>;

impl<'v> Pll<'v> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'v Language) -> Self {
        let possible = beginnings(language);
        let pairs = Relation::new(possible.clone(), symbol::count(language));
        Self { language, pairs, possible }
    }

    /// The same targets, by the same ranks, of which sentences of other language of the grammar can cover
    /// what they can.
    #[must_use]
    pub fn within(self, language: &'v Language) -> Self {
        Self { language, possible: beginnings(language), ..self }
    }

    /// The pair of a rank.
    #[must_use]
    pub fn pair(&self, target: TargetId) -> (NonterminalId, TerminalId) {
        let (left, right) = self.pairs.pair(target);
        let of = |rank: SymbolRank| symbol::symbol(self.language, rank.index());
        match (of(left), of(right)) {
            (Symbol::Nonterminal(nonterminal), Symbol::Terminal(terminal)) => {
                (nonterminal, terminal)
            }
            other => unreachable!("invariant: {other:?} is a nonterminal and a terminal"),
        }
    }
}

/// The terminals with which each nonterminal can begin.
fn beginnings(language: &Language) -> Beginnings {
    let nullable = Nullable::of(language.bnf());
    let first = First::of(language.bnf(), language.productive(), &nullable);
    let symbols = symbol::count(language);
    let mut pairs = BitMatrix::new(symbols, symbols);
    for nonterminal in language.bnf().cfg().nonterminals() {
        let left = deriv::rank(language, Symbol::Nonterminal(nonterminal));
        for terminal in
            first.sets().iter_row(nonterminal).filter_map(|of| of.terminal(language.bnf()))
        {
            pairs.insert(left, deriv::rank(language, Symbol::Terminal(terminal)));
        }
    }
    pairs
}

/// Adds the first terminals of a way to a list; whether the list grew.
fn first_of_way(
    derivations: &Derivations,
    firsts: &gramercy_base::Table<DerivedId, Vec<TerminalId>>,
    way: Way<'_>,
    into: &mut Vec<TerminalId>,
) -> bool {
    let before = into.len();
    let mut add = |terminals: &[TerminalId]| {
        for terminal in terminals {
            if !into.contains(terminal) {
                into.push(*terminal);
            }
        }
    };
    let is_empty = |range: TokenRange| range.start == range.end;
    if let Some(prefix) = way.prefix {
        add(&firsts[prefix]);
        if !is_empty(derivations.range(prefix)) {
            return into.len() > before;
        }
    }
    for part in way.parts {
        let range = match part {
            DerivedChild::Terminal(terminal, range) => {
                if !is_empty(*range) {
                    add(&[*terminal]);
                }
                *range
            }
            DerivedChild::Node(node) => {
                add(&firsts[*node]);
                derivations.range(*node)
            }
        };
        if !is_empty(range) {
            break;
        }
    }
    into.len() > before
}

impl Criterion for Pll<'_> {
    fn targets(&self) -> u64 {
        self.pairs.len()
    }

    fn coverable(&self) -> u64 {
        let useful = self.language.useful().nonterminals().map(Symbol::Nonterminal);
        useful.map(|of| self.possible.row_len(deriv::rank(self.language, of)) as u64).sum()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let (left, right) = self.pairs.pair(target);
        let is_impossible = !self.possible.contains(left, right);
        useless_symbol(self.language, Symbol::Nonterminal(self.pair(target).0))
            .or(is_impossible.then_some(Uncoverable::Unproductive))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let firsts = bottom_up::solve(derivations, Vec::new, |firsts, node| {
            // A node that derives itself has nothing to add.
            let mut new = std::mem::take(&mut firsts[node]);
            let mut grew = false;
            for way in derivations.ways(node) {
                grew |= first_of_way(derivations, firsts, way, &mut new);
            }
            firsts[node] = new;
            grew
        });
        for node in derivations.ids() {
            if let Derived::Nonterminal(id) = derivations.label(node) {
                let left = deriv::rank(self.language, Symbol::Nonterminal(id));
                for &terminal in &firsts[node] {
                    let right = deriv::rank(self.language, Symbol::Terminal(terminal));
                    covered.extend(self.pairs.rank(left, right));
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let (nonterminal, terminal) = self.pair(target);
        let name = |of| pattern::symbol(self.language, of);
        format!(
            "{} ⇒ {} …",
            name(Symbol::Nonterminal(nonterminal)),
            name(Symbol::Terminal(terminal))
        )
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::symbol_place(self.language, Symbol::Nonterminal(self.pair(target).0))
    }
}
