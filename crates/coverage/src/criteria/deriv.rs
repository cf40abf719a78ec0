//! `deriv`: every derivable pair (X, Y) occurs: Y somewhere below X, for every nonterminal X and every
//! symbol Y that it derives in at least one step (Raselimo, Taljaard, Fischer, SLE 2019).
//!
//! The relation takes nonterminals × symbols bits. Measuring gathers the symbols below every node:
//! derivations × symbols / 64.

use gramercy_base::{BitMatrix, Id, IdSet, Span};
use gramercy_grammar::{Cfg, ProductionId, Symbol};
use gramercy_parse::{Derived, DerivedChild};

use crate::criteria::relation::{Relation, SymbolRank};
use crate::criteria::{bottom_up, symbol, useless_of_pair};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// The derivable pairs of a grammar as targets.
#[derive(Debug)]
pub struct Deriv<'v> {
    language: &'v Language,
    pairs: Relation,
    useful: Relation,
}

impl<'v> Deriv<'v> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'v Language) -> Self {
        let all = derivable(language, |_| true);
        let useful = derivable(language, |production| language.useful().has_production(production));
        let symbols = symbol::count(language);
        Self {
            language,
            pairs: Relation::new(all, symbols),
            useful: Relation::new(useful, symbols),
        }
    }

    /// The pair of a rank.
    #[must_use]
    pub fn pair(&self, target: TargetId) -> (Symbol, Symbol) {
        let (left, right) = self.pairs.pair(target);
        (symbol::symbol(self.language, left.index()), symbol::symbol(self.language, right.index()))
    }
}

pub(super) fn rank(language: &Language, of: Symbol) -> SymbolRank {
    SymbolRank::from_index(symbol::rank(language, of))
}

/// Which symbols each symbol derives in at least one step along some productions.
fn derivable(
    language: &Language,
    along: impl Fn(ProductionId) -> bool,
) -> BitMatrix<SymbolRank, SymbolRank> {
    let cfg: &Cfg = language.bnf();
    let symbols = symbol::count(language);
    let mut pairs = BitMatrix::new(symbols, symbols);
    let mut edges = Vec::new();
    for production in cfg.productions().filter(|&production| along(production)) {
        let lhs = rank(language, Symbol::Nonterminal(cfg.lhs(production)));
        for &of in cfg.rhs(production) {
            pairs.insert(lhs, rank(language, of));
            if matches!(of, Symbol::Nonterminal(_)) {
                edges.push((lhs, rank(language, of)));
            }
        }
    }
    let graph = gramercy_analysis::Rows::group(symbols, &edges);
    gramercy_analysis::components::spread(&graph, &mut pairs);
    pairs
}

impl Criterion for Deriv<'_> {
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
        Some(reason.unwrap_or(Uncoverable::Unproductive))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let symbols = symbol::count(self.language);
        let below = bottom_up::solve(
            derivations,
            || IdSet::<SymbolRank>::new(symbols),
            |below, node| {
                let mut new = std::mem::replace(&mut below[node], IdSet::new(0));
                let mut grew = false;
                for way in derivations.ways(node) {
                    if let Some(prefix) = way.prefix {
                        grew |= new.union_with(below[prefix].words());
                    }
                    for part in way.parts {
                        match *part {
                            DerivedChild::Terminal(terminal, _) => {
                                grew |= new.insert(rank(self.language, Symbol::Terminal(terminal)));
                            }
                            DerivedChild::Node(child) => {
                                if let Derived::Nonterminal(id) = derivations.label(child) {
                                    grew |=
                                        new.insert(rank(self.language, Symbol::Nonterminal(id)));
                                }
                                // A node that derives itself has nothing to add.
                                grew |= child != node && new.union_with(below[child].words());
                            }
                        }
                    }
                }
                below[node] = new;
                grew
            },
        );
        for node in derivations.ids() {
            if let Derived::Nonterminal(id) = derivations.label(node) {
                let above = rank(self.language, Symbol::Nonterminal(id));
                covered_pairs(&self.pairs, above, &below[node], covered);
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let (above, below) = self.pair(target);
        let name = |of| pattern::symbol(self.language, of);
        format!("{} ⇒ … {} …", name(above), name(below))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::symbol_place(self.language, self.pair(target).0)
    }
}

fn covered_pairs(
    pairs: &Relation,
    left: SymbolRank,
    right: &IdSet<SymbolRank>,
    covered: &mut TargetSet,
) {
    for right in right.iter() {
        let rank = pairs.rank(left, right).expect("invariant: a tree's pair is derivable");
        covered.insert(rank);
    }
}
