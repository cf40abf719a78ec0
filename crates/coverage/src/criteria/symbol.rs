//! `symbol`: every nonterminal and every terminal occurs (Raselimo, Taljaard, Fischer, SLE 2019). Ranks are
//! nonterminals, then terminals. Measuring is linear in the derivations.

use gramercy_base::{Id, Span};
use gramercy_grammar::{NonterminalId, Symbol, TerminalId};
use gramercy_parse::{Derived, DerivedChild};

use crate::criteria::useless_symbol;
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// The symbols of a grammar as targets.
#[derive(Debug)]
pub struct Symbols<'v> {
    language: &'v Language,
}

impl<'v> Symbols<'v> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'v Language) -> Self {
        Self { language }
    }

    /// The rank of a symbol.
    #[must_use]
    pub fn rank(&self, symbol: Symbol) -> TargetId {
        rank(self.language, symbol) as TargetId
    }

    /// The symbol of a rank.
    #[must_use]
    pub fn symbol(&self, target: TargetId) -> Symbol {
        symbol(self.language, usize::try_from(target).expect("invariant: symbols fit in memory"))
    }
}

/// The place of a symbol among all.
pub(crate) fn rank(language: &Language, symbol: Symbol) -> usize {
    match symbol {
        Symbol::Nonterminal(id) => id.index(),
        Symbol::Terminal(id) => language.bnf().cfg().nonterminal_count() + id.index(),
    }
}

/// The symbol at a place among all.
pub(crate) fn symbol(language: &Language, rank: usize) -> Symbol {
    match rank.checked_sub(language.bnf().cfg().nonterminal_count()) {
        None => Symbol::Nonterminal(NonterminalId::from_index(rank)),
        Some(terminal) => Symbol::Terminal(TerminalId::from_index(terminal)),
    }
}

/// The number of all symbols.
pub(crate) fn count(language: &Language) -> usize {
    language.bnf().cfg().nonterminal_count() + language.bnf().terminal_count()
}

impl Criterion for Symbols<'_> {
    fn targets(&self) -> u64 {
        count(self.language) as u64
    }

    fn coverable(&self) -> u64 {
        (0..self.targets()).filter(|&target| self.uncoverable(target).is_none()).count() as u64
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        useless_symbol(self.language, self.symbol(target))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        for node in derivations.ids() {
            if let Derived::Nonterminal(id) = derivations.label(node) {
                covered.insert(self.rank(Symbol::Nonterminal(id)));
            }
            for way in derivations.ways(node) {
                for part in way.parts {
                    if let DerivedChild::Terminal(terminal, _) = part {
                        covered.insert(self.rank(Symbol::Terminal(*terminal)));
                    }
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::symbol(self.language, self.symbol(target)).to_owned()
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::symbol_place(self.language, self.symbol(target))
    }
}
