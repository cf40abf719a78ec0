//! `pair`: every two symbols (X, Y) that can stand side by side in a sentential form do so in some
//! derivation (Raselimo, Taljaard, Fischer, SLE 2019).
//!
//! X ends a part of a production and Y begins a later one, with nothing but empty parts between
//! them. The relation takes symbols² bits. Measuring gathers for every node the symbols that begin
//! and end it: derivations × symbols / 64.

use gramercy_analysis::{Nullable, Rows, components};
use gramercy_base::{BitMatrix, Id, IdSet, Span};
use gramercy_grammar::{Cfg, ProductionId, Symbol};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId, Way};

use crate::criteria::relation::{Relation, SymbolRank};
use crate::criteria::{bottom_up, deriv, symbol, useless_of_pair};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// Adjacent pairs of symbols as targets.
#[derive(Debug)]
pub struct Pairs<'v> {
    language: &'v Language,
    pairs: Relation,
    useful: Relation,
}

impl<'v> Pairs<'v> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'v Language) -> Self {
        let symbols = symbol::count(language);
        let all = adjacent(language, |production| language.productive().has_production(production));
        let useful = adjacent(language, |production| language.useful().has_production(production));
        Self {
            language,
            pairs: Relation::new(all, symbols),
            useful: Relation::new(useful, symbols),
        }
    }

    /// The same targets, by the same ranks, of which sentences of other language of the grammar can cover
    /// what they can.
    #[must_use]
    pub fn within(self, language: &'v Language) -> Self {
        let useful = adjacent(language, |production| language.useful().has_production(production));
        Self { language, useful: Relation::new(useful, symbol::count(language)), ..self }
    }

    /// The pair of a rank.
    #[must_use]
    pub fn pair(&self, target: TargetId) -> (Symbol, Symbol) {
        let (left, right) = self.pairs.pair(target);
        (symbol::symbol(self.language, left.index()), symbol::symbol(self.language, right.index()))
    }
}

type Symbols = BitMatrix<SymbolRank, SymbolRank>;

/// The symbols with which a sentential form of each symbol can end, itself included; or begin, if
/// the right-hand sides are given reversed.
fn edges_of<'c>(
    language: &Language,
    nullable: &Nullable,
    rhs: impl Fn(ProductionId) -> Vec<&'c Symbol>,
    productions: &[ProductionId],
) -> Symbols {
    let symbols = symbol::count(language);
    let mut sets = BitMatrix::new(symbols, symbols);
    for of in (0..symbols).map(SymbolRank::from_index) {
        sets.insert(of, of);
    }
    let mut edges = Vec::new();
    for &production in productions {
        let lhs = deriv::rank(language, Symbol::Nonterminal(language.bnf().lhs(production)));
        for &&of in rhs(production).iter().rev() {
            edges.push((lhs, deriv::rank(language, of)));
            if !is_nullable(nullable, of) {
                break;
            }
        }
    }
    components::spread(&Rows::group(symbols, &edges), &mut sets);
    sets
}

fn is_nullable(nullable: &Nullable, of: Symbol) -> bool {
    match of {
        Symbol::Nonterminal(id) => nullable.contains(id),
        Symbol::Terminal(_) => false,
    }
}

/// Which symbols can stand side by side in derivations along some productions.
fn adjacent(language: &Language, along: impl Fn(ProductionId) -> bool) -> Symbols {
    let cfg: &Cfg = language.bnf();
    let nullable = Nullable::of(cfg);
    let productions: Vec<_> = cfg.productions().filter(|&production| along(production)).collect();
    let lasts = edges_of(language, &nullable, |p| cfg.rhs(p).iter().collect(), &productions);
    let firsts = edges_of(language, &nullable, |p| cfg.rhs(p).iter().rev().collect(), &productions);
    let symbols = symbol::count(language);
    let (mut pairs, mut done) =
        (BitMatrix::new(symbols, symbols), BitMatrix::new(symbols, symbols));
    for &production in &productions {
        let rhs = cfg.rhs(production);
        for (at, &left) in rhs.iter().enumerate() {
            for &right in &rhs[at + 1..] {
                let (left, right_rank) =
                    (deriv::rank(language, left), deriv::rank(language, right));
                if done.insert(left, right_rank) {
                    for left in lasts.iter_row(left) {
                        pairs.union_row(left, firsts.row(right_rank));
                    }
                }
                if !is_nullable(&nullable, right) {
                    break;
                }
            }
        }
    }
    pairs
}

/// The symbols that begin and end a node.
#[derive(Clone)]
struct Ends {
    firsts: IdSet<SymbolRank>,
    lasts: IdSet<SymbolRank>,
}

impl Pairs<'_> {
    /// What begins and ends the parts of a way, a prefix first, and whether they are empty.
    fn parts(
        &self,
        derivations: &Derivations,
        ends: &gramercy_base::Table<DerivedId, Ends>,
        way: Way<'_>,
    ) -> Vec<(Ends, bool)> {
        let symbols = symbol::count(self.language);
        let of_node = |node: DerivedId| {
            let mut here = ends[node].clone();
            if let Derived::Nonterminal(id) = derivations.label(node) {
                here.firsts.insert(deriv::rank(self.language, Symbol::Nonterminal(id)));
                here.lasts.insert(deriv::rank(self.language, Symbol::Nonterminal(id)));
            }
            let range = derivations.range(node);
            (here, range.start == range.end)
        };
        let of_part = |part: &DerivedChild| match *part {
            DerivedChild::Node(node) => of_node(node),
            DerivedChild::Terminal(terminal, _) => {
                let mut only = IdSet::new(symbols);
                only.insert(deriv::rank(self.language, Symbol::Terminal(terminal)));
                (Ends { firsts: only.clone(), lasts: only }, false)
            }
        };
        way.prefix.map(of_node).into_iter().chain(way.parts.iter().map(of_part)).collect()
    }
}

/// Adds what begins a list of parts; whether it is new.
fn add_firsts<'p>(
    parts: impl Iterator<Item = &'p (Ends, bool)>,
    of: impl Fn(&Ends) -> &IdSet<SymbolRank>,
    into: &mut IdSet<SymbolRank>,
) -> bool {
    let mut grew = false;
    for (ends, is_empty) in parts {
        grew |= into.union_with(of(ends).words());
        if !is_empty {
            break;
        }
    }
    grew
}

impl Criterion for Pairs<'_> {
    fn targets(&self) -> u64 {
        self.pairs.len()
    }

    fn coverable(&self) -> u64 {
        self.useful.len()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        let (left, right) = self.pairs.pair(target);
        if self.useful.rank(left, right).is_some() {
            return None;
        }
        let reason = useless_of_pair(self.language, self.pair(target));
        Some(reason.unwrap_or(Uncoverable::Unreachable))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let symbols = symbol::count(self.language);
        let start = || Ends { firsts: IdSet::new(symbols), lasts: IdSet::new(symbols) };
        let ends = bottom_up::solve(derivations, start, |ends, node| {
            let mut new = ends[node].clone();
            let mut grew = false;
            for way in derivations.ways(node) {
                let parts = self.parts(derivations, ends, way);
                grew |= add_firsts(parts.iter(), |ends| &ends.firsts, &mut new.firsts);
                grew |= add_firsts(parts.iter().rev(), |ends| &ends.lasts, &mut new.lasts);
            }
            ends[node] = new;
            grew
        });
        for node in derivations.ids() {
            for way in derivations.ways(node) {
                let parts = self.parts(derivations, &ends, way);
                for (at, (left, _)) in parts.iter().enumerate() {
                    let mut rights = IdSet::new(symbols);
                    add_firsts(parts[at + 1..].iter(), |ends| &ends.firsts, &mut rights);
                    for left in left.lasts.iter() {
                        let ranks = rights.iter().map(|right| self.pairs.rank(left, right));
                        covered.extend(ranks.flatten());
                    }
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let (left, right) = self.pair(target);
        let name = |of| pattern::symbol(self.language, of);
        format!("… {} {} …", name(left), name(right))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::symbol_place(self.language, self.pair(target).0)
    }
}
