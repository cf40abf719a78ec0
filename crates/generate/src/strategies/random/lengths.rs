//! Which lengths sentences have, up to a bound: asked only where a wished length was missed.
//!
//! For each nonterminal a set of lengths, a bit each; the lengths of a production are the sums of
//! those of its symbols. Productions are worked off again until nothing new comes. Cost: the square
//! of the bound, in words of 64 bits, for every round and symbol; there may be as many rounds as
//! lengths, so the bound is small.

use gramercy_base::Table;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

/// The longest length that is asked for.
const MAX_BOUND: u64 = 2048;

/// The nearest lengths on both sides of a wish that no sentence has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Nearest {
    pub(super) below: Option<u64>,
    pub(super) above: Option<u64>,
}

/// What sentences there are around a wish, if none has a length from `least` to `most`. `None` if some
/// have, or if it would take too long to know.
pub(super) fn gap(views: &Views<'_>, least: u64, most: u64) -> Option<Nearest> {
    let bound = most.checked_mul(2)?.saturating_add(64);
    if bound > MAX_BOUND {
        return None;
    }
    let lengths = of_start(views, usize::try_from(bound).ok()?);
    let has = |length: &u64| usize::try_from(*length).is_ok_and(|at| lengths.contains(at));
    if (least..=most).any(|length| has(&length)) {
        return None;
    }
    Some(Nearest { below: (0..least).rev().find(has), above: (most..=bound).find(has) })
}

/// A set of lengths up to a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lengths(Vec<u64>);

impl Lengths {
    fn none(bound: usize) -> Self {
        Self(vec![0; bound / 64 + 1])
    }

    fn one(bound: usize, length: usize) -> Self {
        let mut lengths = Self::none(bound);
        lengths.0[length / 64] |= 1 << (length % 64);
        lengths
    }

    fn contains(&self, length: usize) -> bool {
        self.0.get(length / 64).is_some_and(|word| word >> (length % 64) & 1 == 1)
    }

    /// Adds what is in another set; whether that was new.
    fn join(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }

    /// Adds another set with every length greater by so many.
    fn join_shifted(&mut self, other: &Self, by: usize) {
        let (words, bits) = (by / 64, by % 64);
        for at in words..self.0.len() {
            let low = other.0[at - words] << bits;
            let carried = match (bits, at - words) {
                (0, _) | (_, 0) => 0,
                (bits, from) => other.0[from - 1] >> (64 - bits),
            };
            self.0[at] |= low | carried;
        }
    }

    /// The sums of a length of each.
    fn sums(&self, other: &Self, bound: usize) -> Self {
        let mut sums = Self::none(bound);
        for length in (0..64 * self.0.len()).filter(|&length| self.contains(length)) {
            sums.join_shifted(other, length);
        }
        sums
    }
}

fn of_start(views: &Views<'_>, bound: usize) -> Lengths {
    let bnf = views.bnf;
    let nonterminals = bnf.cfg().nonterminals().count();
    let mut known = Table::filled(Lengths::none(bound), nonterminals);
    let mut grows = true;
    while grows {
        grows = false;
        for nonterminal in bnf.cfg().nonterminals() {
            for &production in bnf.productions_of(nonterminal) {
                let lengths = of_production(views, production, &known, bound);
                grows |= known[nonterminal].join(&lengths);
            }
        }
    }
    known[bnf.start()].clone()
}

fn of_production(
    views: &Views<'_>,
    production: ProductionId,
    known: &Table<NonterminalId, Lengths>,
    bound: usize,
) -> Lengths {
    let rhs = views.bnf.rhs(production);
    let is_terminal = |symbol: &&Symbol| matches!(symbol, Symbol::Terminal(_));
    let terminals = rhs.iter().filter(is_terminal).count();
    if terminals > bound {
        return Lengths::none(bound);
    }
    let start = Lengths::one(bound, terminals);
    rhs.iter().fold(start, |sums, symbol| match symbol {
        Symbol::Terminal(_) => sums,
        Symbol::Nonterminal(id) => known[*id].sums(&sums, bound),
    })
}

#[cfg(test)]
mod tests {
    use super::Lengths;

    #[test]
    fn sums_are_those_of_all_pairs() {
        let (bound, a, b) = (300, [0, 1, 63, 64, 130], [2, 5, 64, 128]);
        let set = |of: &[usize]| {
            let mut all = Lengths::none(bound);
            of.iter().for_each(|&length| _ = all.join(&Lengths::one(bound, length)));
            all
        };
        let sums = set(&a).sums(&set(&b), bound);
        for length in 0..=bound {
            let expected = a.iter().any(|a| b.iter().any(|b| a + b == length));
            assert_eq!(sums.contains(length), expected, "{length}");
        }
    }
}
