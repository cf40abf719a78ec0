//! Which lengths sentences have, up to a bound.
//!
//! For each nonterminal a set of lengths, a bit each; the lengths of a production are the sums of
//! those of its symbols. Small lengths are asked for while trees grow: a word for each nonterminal, and a
//! production is looked at again when one of its parts has become longer. Larger ones are asked for only
//! where a requested length was missed, and productions are worked off until nothing new comes. Cost: the square
//! of the bound, in words of 64 bits, for every round and symbol; there may be as many rounds as
//! lengths, so the bound is small.

use gramercy_base::{IdSet, Table};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

/// The longest length that is asked for.
const MAX_BOUND: u64 = 2048;

/// The nearest lengths on both sides of a requested length that no sentence has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nearest {
    pub(crate) below: Option<u64>,
    pub(crate) above: Option<u64>,
}

/// The lengths of sentences around a requested one, if none has a length from `least` to `most`. `None` if some
/// have, or if it would take too long to know.
pub(crate) fn gap(language: &Language, least: u64, most: u64) -> Option<Nearest> {
    let bound = most.checked_mul(2)?.saturating_add(64);
    if bound > MAX_BOUND {
        return None;
    }
    let lengths = of_start(language, usize::try_from(bound).ok()?);
    let has = |length: &u64| usize::try_from(*length).is_ok_and(|at| lengths.contains(at));
    if (least..=most).any(|length| has(&length)) {
        return None;
    }
    Some(Nearest { below: (0..least).rev().find(has), above: (most..=bound).find(has) })
}

/// The lengths below a bound that the sentences of a nonterminal have, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SmallLengths(u64);

impl SmallLengths {
    /// All of them.
    pub(crate) const ALL: Self = Self(u64::MAX);

    /// The greatest of these lengths up to a given one; what is longer is not known, and said to be there.
    #[inline]
    pub(crate) fn up_to(self, length: u32) -> u32 {
        match length {
            0..64 => length - (self.0 << (63 - length)).leading_zeros().min(length),
            _ => length,
        }
    }

    /// From where on there is no gap among them.
    pub(crate) fn without_gap(self) -> u32 {
        64 - self.0.leading_ones()
    }

    fn plus(self, other: Self) -> Self {
        let (mut few, many) = match self.0.count_ones() < other.0.count_ones() {
            true => (self.0, other.0),
            false => (other.0, self.0),
        };
        let mut sums = 0;
        while few != 0 {
            sums |= many << few.trailing_zeros();
            few &= few - 1;
        }
        Self(sums)
    }
}

/// The small lengths of the sentences of every nonterminal.
pub(crate) fn small(language: &Language) -> Table<NonterminalId, SmallLengths> {
    let cfg = language.bnf().cfg();
    let mut known = Table::filled(SmallLengths::default(), cfg.nonterminal_count());
    let mut users: Table<NonterminalId, Vec<ProductionId>> =
        Table::filled(Vec::new(), cfg.nonterminal_count());
    let is_used = |&production: &ProductionId| language.productive().has_production(production);
    let mut queue: Vec<ProductionId> = cfg.productions().filter(is_used).collect();
    let mut queued = IdSet::new(cfg.production_count());
    for &production in &queue {
        queued.insert(production);
        for symbol in cfg.rhs(production) {
            if let Symbol::Nonterminal(id) = symbol {
                users[*id].push(production);
            }
        }
    }
    while let Some(production) = queue.pop() {
        queued.remove(production);
        let lengths =
            cfg.rhs(production).iter().fold(SmallLengths(1), |sums, symbol| match symbol {
                Symbol::Terminal(_) => SmallLengths(sums.0 << 1),
                Symbol::Nonterminal(id) => sums.plus(known[*id]),
            });
        let lhs = cfg.lhs(production);
        if lengths.0 & !known[lhs].0 != 0 {
            known[lhs].0 |= lengths.0;
            queue.extend(users[lhs].iter().copied().filter(|&user| queued.insert(user)));
        }
    }
    known
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

    /// Adds another set with every length increased by a number.
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

fn of_start(language: &Language, bound: usize) -> Lengths {
    let bnf = language.bnf();
    let nonterminals = bnf.cfg().nonterminals().count();
    let mut known = Table::filled(Lengths::none(bound), nonterminals);
    let mut grows = true;
    while grows {
        grows = false;
        for nonterminal in bnf.cfg().nonterminals() {
            for &production in bnf.productions_of(nonterminal) {
                let lengths = of_production(language, production, &known, bound);
                grows |= known[nonterminal].join(&lengths);
            }
        }
    }
    known[bnf.start()].clone()
}

fn of_production(
    language: &Language,
    production: ProductionId,
    known: &Table<NonterminalId, Lengths>,
    bound: usize,
) -> Lengths {
    let rhs = language.bnf().rhs(production);
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
    use gramercy_language::Language;

    use super::{Lengths, SmallLengths, of_start, small};

    #[test]
    fn small_lengths_are_those_up_to_a_bound() {
        for rules in
            ["S := A S B | ; A := \"x\" \"y\"; B := A A | B;", "S := \"x\"{5} (S S \"y\")?;"]
        {
            let language = Language::from_text("g.gram", rules).expect("it is a grammar");
            let start = small(&language)[language.bnf().start()];
            assert_eq!(Lengths(vec![start.0]), of_start(&language, 63), "{rules}");
        }
    }

    #[test]
    fn what_does_not_fit_is_cut_to_what_does() {
        let lengths = SmallLengths(0b10_0100_0001);
        let fitting = [0, 1, 5, 6, 8, 9, 40, 63, 64, 1000].map(|length| lengths.up_to(length));
        assert_eq!(fitting, [0, 0, 0, 6, 6, 9, 9, 9, 64, 1000]);
        assert_eq!(
            [lengths, SmallLengths(!0b101), SmallLengths::ALL].map(SmallLengths::without_gap),
            [64, 3, 0]
        );
    }

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
