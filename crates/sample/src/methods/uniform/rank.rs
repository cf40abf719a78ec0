//! Trees by number: an order of all trees of a space, from a tree to its rank and back.
//!
//! Trees are ordered by size, then by production in file order, then by the size of the first nonterminal's subtree,
//! then by that subtree, then by the rest. So a rank is what is left after the numbers of all smaller choices are
//! subtracted, and the rank of a form is rank(first) · trees(rest) + rank(rest). Cost: at most size² subtractions of
//! big integers a tree; nothing recurses on the depth of a tree.
//!
//! Example: `S: "a" S | "b" S | "c";` has four trees of 5 nodes. Rank 2 is `b a c`: both trees that begin with `a` come
//! first.

use dashu_int::UBig;
use dashu_int::ops::DivRem;
use gramercy_analysis::counts::forms::Unit;
use gramercy_analysis::counts::tables::first_sizes;
use gramercy_analysis::counts::{CountTables, UnitId};
use gramercy_base::LimitReached;
use gramercy_derive::candidate::Candidate;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use super::space::{SpaceError, TreeSpace};
use std::sync::Arc;

/// All trees of a space, by number.
#[derive(Debug)]
pub struct Ranking {
    space: Arc<TreeSpace>,
    tables: CountTables<UBig>,
    total: UBig,
}

impl Ranking {
    /// The order of all trees of a space.
    ///
    /// # Errors
    /// If there is no tree, or tables take more memory than allowed.
    pub fn new(space: Arc<TreeSpace>) -> Result<Self, SpaceError> {
        let (tables, total) = space.count()?;
        match total.is_zero() {
            true => Err(space.no_size()),
            false => Ok(Self { space, tables, total }),
        }
    }

    /// How many trees there are.
    #[must_use]
    pub fn total(&self) -> &UBig {
        &self.total
    }

    /// Appends the tree of a rank to a candidate; `false` if there is none.
    pub fn unrank(&self, rank: &UBig, candidate: &mut Candidate) -> bool {
        let (mut rank, range) = (rank.clone(), self.space.range());
        for size in range.least..=range.most {
            let trees = self.tables.of(self.space.start(), size);
            if &rank < trees {
                self.unrank_sized(size, rank, candidate);
                return true;
            }
            rank -= trees;
        }
        false
    }

    fn unrank_sized(&self, size: usize, rank: UBig, candidate: &mut Candidate) {
        let cfg = self.space.forms().cfg();
        let start = Symbol::Nonterminal(self.space.start());
        let mut open = vec![(start, size, rank)];
        while let Some((symbol, size, rank)) = open.pop() {
            let nonterminal = match symbol {
                Symbol::Nonterminal(nonterminal) => nonterminal,
                Symbol::Terminal(terminal) => {
                    candidate.tokens.push(terminal);
                    continue;
                }
            };
            let (production, rest) = self.production(nonterminal, size, rank);
            candidate.productions.push(self.space.origin(production));
            let mut parts = self.parts(production, size, rest);
            open.extend(cfg.rhs(production).iter().rev().map(|&symbol| match symbol {
                Symbol::Terminal(_) => (symbol, 0, UBig::ZERO),
                Symbol::Nonterminal(_) => {
                    let (size, rank) = parts.pop().expect("invariant: each has a rank");
                    (symbol, size, rank)
                }
            }));
        }
    }

    /// The production of a rank, and the rank that is left for its nonterminals.
    fn production(
        &self,
        nonterminal: NonterminalId,
        size: usize,
        mut rank: UBig,
    ) -> (ProductionId, UBig) {
        for &production in self.space.forms().cfg().productions_of(nonterminal) {
            let trees = self.trees_with(production, size);
            if rank < trees {
                return (production, rank);
            }
            rank -= trees;
        }
        unreachable!("invariant: a rank is below the number of trees")
    }

    /// How many trees of a size begin with a production.
    fn trees_with(&self, production: ProductionId, size: usize) -> UBig {
        let counted = self.space.forms().counted(production);
        let rest = counted.and_then(|counted| Some((size.checked_sub(counted.own)?, counted.form)));
        match rest {
            None => UBig::ZERO,
            Some((rest, Some(form))) => self.tables.get(form, rest).clone(),
            Some((rest, None)) => UBig::from(u8::from(rest == 0)),
        }
    }

    /// Sizes and ranks of the nonterminals of a production.
    fn parts(&self, production: ProductionId, size: usize, rank: UBig) -> Vec<(usize, UBig)> {
        let counted = self.space.forms().counted(production);
        let counted = counted.expect("invariant: it has trees");
        let (mut parts, mut size, mut rank) = (Vec::new(), size - counted.own, rank);
        let mut next = counted.form;
        while let Some(unit) = next {
            match self.space.forms().unit(unit) {
                Unit::Nonterminal(_) => {
                    parts.push((size, rank));
                    return parts;
                }
                Unit::Form(first, rest) => {
                    let (first_size, left) = self.first_part(first, rest, size, rank);
                    let (of_first, of_rest) =
                        left.div_rem(self.tables.get(rest, size - first_size));
                    parts.push((first_size, of_first));
                    (size, rank, next) = (size - first_size, of_rest, Some(rest));
                }
            }
        }
        parts
    }

    /// The size of the first part of a form, and the rank that is left.
    fn first_part(
        &self,
        first: NonterminalId,
        rest: UnitId,
        size: usize,
        mut rank: UBig,
    ) -> (usize, UBig) {
        for first_size in self.splits(first, rest, size) {
            let ways = self.ways(first, rest, first_size, size);
            if rank < ways {
                return (first_size, rank);
            }
            rank -= ways;
        }
        unreachable!("invariant: a rank is below the number of trees")
    }

    fn splits(
        &self,
        first: NonterminalId,
        rest: UnitId,
        size: usize,
    ) -> std::ops::RangeInclusive<usize> {
        let tables = &self.tables;
        let range = first_sizes((tables, UnitId::of(first)), (tables, rest), size);
        range.expect("invariant: the form has trees of this size")
    }

    fn ways(&self, first: NonterminalId, rest: UnitId, first_size: usize, size: usize) -> UBig {
        self.tables.of(first, first_size) * self.tables.get(rest, size - first_size)
    }

    /// The rank of a tree, given by the productions of its leftmost derivation; `None` if its size is not within the
    /// range.
    ///
    /// # Panics
    /// If the productions are no such derivation.
    #[must_use]
    pub fn rank(&self, productions: &[ProductionId]) -> Option<UBig> {
        let forms = self.space.forms();
        // Subtrees of finished nonterminals, as sizes and ranks: the derivation is read from its end.
        let mut done: Vec<(usize, UBig)> = Vec::new();
        for &production in productions.iter().rev() {
            let counted = forms.counted(production).expect("invariant: it is used by a sentence");
            let nonterminals = forms.cfg().rhs(production).iter();
            let count = nonterminals.filter(|of| matches!(of, Symbol::Nonterminal(_))).count();
            let mut parts = done.split_off(done.len() - count);
            let own_size = counted.own + parts.iter().map(|(size, _)| size).sum::<usize>();
            if own_size > self.space.range().most {
                return None;
            }
            parts.reverse();
            let mut rank = self.form_rank(counted.form, &parts);
            for &before in forms.cfg().productions_of(forms.cfg().lhs(production)) {
                if before == production {
                    break;
                }
                rank += self.trees_with(before, own_size);
            }
            done.push((own_size, rank));
        }
        let (size, rank) = done.pop().expect("invariant: a derivation has a production");
        let range = self.space.range();
        let smaller = range.least..size;
        let before: UBig =
            smaller.map(|size| self.tables.of(self.space.start(), size).clone()).sum();
        (range.least <= size).then_some(before + rank)
    }

    /// The rank among the trees of a form, of parts in order.
    fn form_rank(&self, form: Option<UnitId>, parts: &[(usize, UBig)]) -> UBig {
        let Some(form) = form else { return UBig::ZERO };
        // The units from the first part on, with the sizes from there on.
        let (mut units, mut next) = (Vec::new(), Some(form));
        let mut size: usize = parts.iter().map(|(size, _)| size).sum();
        for (first_size, _) in parts {
            let unit = next.expect("invariant: a form has as many parts");
            units.push((unit, size));
            size -= first_size;
            next = match self.space.forms().unit(unit) {
                Unit::Form(_, rest) => Some(rest),
                Unit::Nonterminal(_) => None,
            };
        }
        let mut rank = UBig::ZERO;
        for (&(unit, size), (first_size, first_rank)) in units.iter().zip(parts).rev() {
            rank = match self.space.forms().unit(unit) {
                Unit::Nonterminal(_) => first_rank.clone(),
                Unit::Form(first, rest) => {
                    let smaller = self.splits(first, rest, size).take_while(|at| at < first_size);
                    let before: UBig = smaller.map(|at| self.ways(first, rest, at, size)).sum();
                    before + first_rank * self.tables.get(rest, size - first_size) + rank
                }
            };
        }
        rank
    }

    /// The number of trees of each size in the range.
    pub fn by_size(&self) -> impl Iterator<Item = (usize, &UBig)> {
        let range = self.space.range();
        (range.least..=range.most).map(|size| (size, self.tables.of(self.space.start(), size)))
    }
}

/// Numbers below a bound that all differ, each set of them with the same probability, in random order (Floyd, in
/// Bentley, "Programming pearls: a sample of brilliance", CACM 1987). Fewer than requested if there are fewer.
///
/// # Errors
/// If they are more than fit in memory.
pub fn distinct_ranks(
    bound: &UBig,
    count: u64,
    stream: &mut super::stream::Stream,
) -> Result<Vec<UBig>, LimitReached> {
    const MOST: usize = 100_000_000;
    let count = u64::try_from(bound).map_or(count, |bound| bound.min(count));
    let Some(count) = usize::try_from(count).ok().filter(|&count| count <= MOST) else {
        return Err(LimitReached { what: "distinct tests", limit: MOST, option: None });
    };
    let mut chosen = gramercy_base::IndexSet::default();
    let first = bound - UBig::from(count);
    for at in 0..count {
        let last = &first + UBig::from(at);
        let drawn = stream.below(&(&last + UBig::ONE));
        let is_new = chosen.insert(drawn);
        if !is_new {
            chosen.insert(last);
        }
    }
    let mut ranks: Vec<UBig> = chosen.into_iter().collect();
    for at in (1..ranks.len()).rev() {
        let other = stream.below(&UBig::from(at + 1));
        ranks.swap(at, usize::try_from(other).expect("invariant: it is an index"));
    }
    Ok(ranks)
}
