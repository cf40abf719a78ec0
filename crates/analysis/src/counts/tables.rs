//! Tables of numbers of trees, for every unit and every size up to a bound.
//!
//! Three tables of one grammar belong together: of all trees, of the trees *without* some productions E, and of
//! those *with* one of them at least. The last is with(A, k) = Σ over productions r of all(r, k) if r is in E, else
//! with(r, k); and for a form (X, rest), with(X) · all(rest) + without(X) · with(rest): the leftmost child that has
//! one of E decides, so each tree is counted once.
//!
//! A unit that no production of E is below has the same trees without E as it has at all, and none with E. So only the
//! units above E are counted again, which are few where E is near the start symbol.

use std::ops::RangeInclusive;

use gramercy_base::{Id, IdSet, LimitReached};
use gramercy_grammar::{NonterminalId, ProductionId};

use super::arithmetic::Arithmetic;
use super::forms::{Forms, Unit, UnitId};

/// Numbers of trees by size.
#[derive(Clone, Debug)]
pub struct CountTables<N> {
    /// By unit, then by size.
    numbers: Vec<N>,
    /// For every unit, the least and the greatest size that has a number.
    support: Vec<Option<(usize, usize)>>,
    sizes: usize,
}

/// Which trees are counted.
#[derive(Debug)]
pub enum Restriction<'r, N> {
    /// All.
    All,
    /// Those that use none of some productions; with the tables of all trees, up to the same size at least.
    Without(&'r IdSet<ProductionId>, &'r CountTables<N>),
    /// Those that use one of some productions at least; with the tables of all trees and of those without.
    With(&'r IdSet<ProductionId>, &'r CountTables<N>, &'r CountTables<N>),
}

/// The most products of two numbers that tables may take: minutes, where numbers are of fixed length.
const MAX_PRODUCTS: usize = 400_000_000_000;
/// From this size on it is foretold whether tables will take too much memory.
const FORETOLD_FROM: usize = 64;

/// What the tables of one request may take.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// In bytes.
    pub bytes: usize,
}

impl Default for MemoryLimit {
    fn default() -> Self {
        Self { bytes: 2 << 30 }
    }
}

impl MemoryLimit {
    /// Whether tables up to a size will take more memory than allowed, by what they took for half of a size and for
    /// the size: where numbers of trees grow exponentially, their lengths grow linearly and the memory for all of them
    /// quadratically. A margin of two keeps requests that might just fit.
    fn is_foreseen(self, half: usize, grown: usize, (size, largest): (usize, usize)) -> bool {
        let times = (largest / size).max(1);
        let is_quadratic = half > 0 && grown >= half.saturating_mul(7) / 2;
        let foreseen = grown.saturating_mul(times).saturating_mul(times) / 2;
        is_quadratic && foreseen > self.bytes
    }

    /// The error that more is needed.
    #[must_use]
    pub fn reached(self) -> LimitReached {
        let limit = self.bytes >> 20;
        let what = "MiB of tables with numbers of trees";
        LimitReached { what, limit, option: Some("--max-memory") }
    }
}

impl<N: Clone> CountTables<N> {
    /// The numbers of all sizes up to a bound.
    ///
    /// # Errors
    /// If they take more memory than allowed.
    pub fn new<A: Arithmetic<Number = N>>(
        arithmetic: &A,
        forms: &Forms,
        largest: usize,
        restriction: &Restriction<'_, N>,
        limit: MemoryLimit,
    ) -> Result<Self, LimitReached> {
        let sizes = largest.checked_add(1).ok_or_else(|| limit.reached())?;
        let count = forms.len().checked_mul(sizes).ok_or_else(|| limit.reached())?;
        let mut bytes = count.saturating_mul(size_of::<N>());
        if bytes > limit.bytes {
            return Err(limit.reached());
        }
        if count.saturating_mul(sizes) / 2 > MAX_PRODUCTS {
            let what = "products of numbers of trees, which take hours";
            return Err(LimitReached { what, limit: MAX_PRODUCTS, option: None });
        }
        let numbers = vec![arithmetic.zero(); count];
        let support = vec![None; forms.len()];
        let mut tables = Self { numbers, support, sizes };
        let order = match restriction {
            Restriction::All => forms.order().to_vec(),
            Restriction::Without(of, _) | Restriction::With(of, ..) => forms.order_above(of),
        };
        if let Restriction::Without(_, all) = restriction {
            bytes += tables.copy_others(arithmetic, all, &order);
        }
        let (flat, mut half) = (bytes, 0);
        for size in 0..sizes {
            if size.is_power_of_two() && size >= FORETOLD_FROM {
                let grown = bytes - flat;
                if limit.is_foreseen(half, grown, (size, largest)) {
                    return Err(limit.reached());
                }
                half = grown;
            }
            for &unit in &order {
                let number = tables.next(arithmetic, forms, unit, size, restriction);
                if arithmetic.is_zero(&number) {
                    continue;
                }
                bytes += arithmetic.bytes(&number) - size_of::<N>();
                tables.numbers[unit.index() * sizes + size] = number;
                let support = &mut tables.support[unit.index()];
                *support = Some((support.map_or(size, |(least, _)| least), size));
            }
            if bytes > limit.bytes {
                return Err(limit.reached());
            }
        }
        Ok(tables)
    }

    /// Copies the numbers of all units but some, and gives the bytes that they take beyond their own.
    fn copy_others<A: Arithmetic<Number = N>>(
        &mut self,
        arithmetic: &A,
        from: &Self,
        but: &[UnitId],
    ) -> usize {
        assert!(self.sizes <= from.sizes, "invariant: the numbers of all trees are known");
        let mut is_copied = vec![true; self.support.len()];
        but.iter().for_each(|unit| is_copied[unit.index()] = false);
        let mut bytes = 0;
        for at in (0..is_copied.len()).filter(|&at| is_copied[at]) {
            let Some((least, most)) = from.support[at].filter(|(least, _)| *least < self.sizes)
            else {
                continue;
            };
            let row = &from.numbers[at * from.sizes..][..self.sizes];
            let is_some = |&size: &usize| !arithmetic.is_zero(&row[size]);
            let most = (least..=most.min(self.sizes - 1)).rev().find(is_some).unwrap_or(least);
            let sizes = least..=most;
            bytes +=
                row[sizes.clone()].iter().map(|number| arithmetic.bytes(number)).sum::<usize>()
                    - sizes.clone().count() * size_of::<N>();
            self.numbers[at * self.sizes..][sizes.clone()].clone_from_slice(&row[sizes]);
            self.support[at] = Some((least, most));
        }
        bytes
    }

    /// The number of a unit for the next size.
    fn next<A: Arithmetic<Number = N>>(
        &self,
        arithmetic: &A,
        forms: &Forms,
        unit: UnitId,
        size: usize,
        restriction: &Restriction<'_, N>,
    ) -> N {
        match (forms.unit(unit), restriction) {
            (Unit::Nonterminal(nonterminal), _) => {
                self.of_nonterminal(arithmetic, forms, nonterminal, size, restriction)
            }
            (Unit::Form(first, rest), Restriction::With(_, all, without)) => {
                let first = UnitId::of(first);
                let mut sum = convolve(arithmetic, (self, first), (all, rest), size);
                arithmetic
                    .add(&mut sum, &convolve(arithmetic, (without, first), (self, rest), size));
                sum
            }
            (Unit::Form(first, rest), _) => {
                convolve(arithmetic, (self, UnitId::of(first)), (self, rest), size)
            }
        }
    }

    fn of_nonterminal<A: Arithmetic<Number = N>>(
        &self,
        arithmetic: &A,
        forms: &Forms,
        nonterminal: NonterminalId,
        size: usize,
        restriction: &Restriction<'_, N>,
    ) -> N {
        let mut sum = arithmetic.zero();
        for &production in forms.cfg().productions_of(nonterminal) {
            let Some(counted) = forms.counted(production) else { continue };
            let Some(rest) = size.checked_sub(counted.own) else { continue };
            let (tables, counts_leaf) = match restriction {
                Restriction::Without(excluded, _) if excluded.contains(production) => continue,
                Restriction::All | Restriction::Without(..) => (self, true),
                Restriction::With(wanted, all, _) if wanted.contains(production) => (*all, true),
                Restriction::With(..) => (self, false),
            };
            match counted.form {
                Some(form) => arithmetic.add(&mut sum, tables.get(form, rest)),
                None if rest == 0 && counts_leaf => arithmetic.add(&mut sum, &arithmetic.one()),
                None => {}
            }
        }
        sum
    }

    /// The number of trees of a unit with a size within the bound.
    #[must_use]
    #[inline]
    pub fn get(&self, unit: UnitId, size: usize) -> &N {
        &self.numbers[unit.index() * self.sizes + size]
    }

    /// The number of trees of a nonterminal with a size within the bound.
    #[must_use]
    pub fn of(&self, nonterminal: NonterminalId, size: usize) -> &N {
        self.get(UnitId::of(nonterminal), size)
    }

    /// The least and the greatest size within the bound that a unit has a tree of.
    #[must_use]
    #[inline]
    pub fn support(&self, unit: UnitId) -> Option<(usize, usize)> {
        self.support[unit.index()]
    }

    /// The bytes that the table takes, without what its numbers have elsewhere.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.numbers.len() * size_of::<N>()
    }

    /// The greatest size.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.sizes - 1
    }
}

/// The sizes that the first part of a form can have if both together have this size.
#[must_use]
#[inline]
pub fn first_sizes<N: Clone>(
    (left, first): (&CountTables<N>, UnitId),
    (right, rest): (&CountTables<N>, UnitId),
    size: usize,
) -> Option<RangeInclusive<usize>> {
    let (first_least, first_most) = left.support(first)?;
    let (rest_least, rest_most) = right.support(rest)?;
    let least = first_least.max(size.saturating_sub(rest_most));
    let most = first_most.min(size.checked_sub(rest_least)?);
    (least <= most).then_some(least..=most)
}

fn convolve<A: Arithmetic>(
    arithmetic: &A,
    (left, first): (&CountTables<A::Number>, UnitId),
    (right, rest): (&CountTables<A::Number>, UnitId),
    size: usize,
) -> A::Number {
    let Some(range) = first_sizes((left, first), (right, rest), size) else {
        return arithmetic.zero();
    };
    let (least, most) = range.into_inner();
    let lefts = &left.numbers[first.index() * left.sizes..][least..=most];
    let rights = &right.numbers[rest.index() * right.sizes..][size - most..=size - least];
    arithmetic.convolve(lefts, rights)
}
