//! Shortest derivations that begin with a given terminal.

use gramercy_analysis::fixpoint::{self, Measure, Rules, Solution};
use gramercy_base::Id;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};

use super::machine::Machine;

gramercy_base::define_id!(struct PositionId, "a position of a right-hand side");

/// What may precede the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Before {
    /// Symbols that derive the empty string.
    Empty,
    /// No symbol: the terminal is shifted directly.
    Nothing,
}

/// For each nonterminal, the position in a production through which it begins with the terminal.
pub(crate) struct Beginnings(Solution<NonterminalId, PositionId, u64>);

impl Beginnings {
    pub(crate) fn of(machine: &Machine<'_>, terminal: TerminalId, before: Before) -> Self {
        let places = PositionRules::new(machine, terminal, before);
        Self(fixpoint::solve(&places, &places))
    }

    pub(crate) fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.0[nonterminal].is_some()
    }

    /// The production through which a nonterminal begins with the terminal, and the number of
    /// symbols before the one that does.
    pub(crate) fn step(
        &self,
        machine: &Machine<'_>,
        nonterminal: NonterminalId,
    ) -> Option<(ProductionId, usize)> {
        let (_, position) = self.0[nonterminal]?;
        let mut own = machine.cfg.productions_of(nonterminal).iter();
        own.find_map(|&production| {
            let positions = machine.cfg.positions(production);
            let inside = positions.contains(&position.index());
            inside.then(|| (production, position.index() - positions.start))
        })
    }
}

/// One rule per position of each right-hand side: everything before it is empty, it begins with the
/// terminal, and everything after it is as short as possible.
struct PositionRules<'a> {
    machine: &'a Machine<'a>,
    terminal: TerminalId,
    before: Before,
    /// The production of every position.
    productions: Vec<ProductionId>,
}

impl<'a> PositionRules<'a> {
    fn new(machine: &'a Machine<'a>, terminal: TerminalId, before: Before) -> Self {
        let cfg = machine.cfg;
        let of = |id: ProductionId| std::iter::repeat_n(id, cfg.rhs(id).len());
        let productions = cfg.productions().flat_map(of).collect();
        Self { machine, terminal, before, productions }
    }

    fn split(&self, position: PositionId) -> (&'a [Symbol], Symbol, &'a [Symbol]) {
        let cfg = self.machine.cfg;
        let production = self.productions[position.index()];
        let at = position.index() - cfg.positions(production).start;
        let rhs = cfg.rhs(production);
        (&rhs[..at], rhs[at], &rhs[at + 1..])
    }
}

impl Rules for PositionRules<'_> {
    type Variable = NonterminalId;
    type Rule = PositionId;

    fn variable_count(&self) -> usize {
        self.machine.cfg.nonterminal_count()
    }

    fn rule_count(&self) -> usize {
        self.productions.len()
    }

    fn head(&self, position: PositionId) -> NonterminalId {
        self.machine.cfg.lhs(self.productions[position.index()])
    }

    fn parts(&self, position: PositionId) -> impl Iterator<Item = NonterminalId> {
        match self.split(position).1 {
            Symbol::Nonterminal(nonterminal) => Some(nonterminal),
            Symbol::Terminal(_) => None,
        }
        .into_iter()
    }
}

impl Measure<PositionId> for PositionRules<'_> {
    type Cost = u64;

    fn base(&self, position: PositionId) -> Option<u64> {
        let (before, symbol, behind) = self.split(position);
        let vanishes = match self.before {
            Before::Empty => self.machine.nullable.all(before),
            Before::Nothing => before.is_empty(),
        };
        let fits = match symbol {
            Symbol::Terminal(terminal) => terminal == self.terminal,
            Symbol::Nonterminal(_) => true,
        };
        let own = u64::from(matches!(symbol, Symbol::Terminal(_)));
        let behind = self.machine.yields.of_symbols(behind)?;
        (vanishes && fits).then(|| behind.saturating_add(own))
    }

    fn add(&self, cost: u64, part: u64) -> u64 {
        cost.saturating_add(part)
    }
}
