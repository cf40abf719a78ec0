//! Shortest derivations that begin with a given terminal.

use gramercy_analysis::fixpoint::{self, Measure, Rules, Solution};
use gramercy_base::Id;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};

use super::machine::Machine;

gramercy_base::define_id!(struct PlaceId, "a position of a right-hand side");

/// What may come before the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Before {
    /// Symbols that derive nothing.
    Empty,
    /// No symbol at all: the terminal is shifted at once.
    Nothing,
}

/// For each nonterminal the position of a production through which it begins with the terminal.
pub(crate) struct Beginnings(Solution<NonterminalId, PlaceId, u64>);

impl Beginnings {
    pub(crate) fn of(machine: &Machine<'_>, terminal: TerminalId, before: Before) -> Self {
        let places = Places::new(machine, terminal, before);
        Self(fixpoint::solve(&places, &places))
    }

    pub(crate) fn contains(&self, nonterminal: NonterminalId) -> bool {
        self.0[nonterminal].is_some()
    }

    /// The production through which a nonterminal begins with the terminal, and how many symbols come
    /// before what does.
    pub(crate) fn step(
        &self,
        machine: &Machine<'_>,
        nonterminal: NonterminalId,
    ) -> Option<(ProductionId, usize)> {
        let (_, place) = self.0[nonterminal]?;
        let mut own = machine.cfg.productions_of(nonterminal).iter();
        own.find_map(|&production| {
            let positions = machine.cfg.positions(production);
            let inside = positions.contains(&place.index());
            inside.then(|| (production, place.index() - positions.start))
        })
    }
}

/// A rule for each position of each right-hand side: everything before it vanishes, it begins with
/// the terminal, everything behind it is as short as can be.
struct Places<'a> {
    machine: &'a Machine<'a>,
    terminal: TerminalId,
    before: Before,
    /// For every position, its production.
    productions: Vec<ProductionId>,
}

impl<'a> Places<'a> {
    fn new(machine: &'a Machine<'a>, terminal: TerminalId, before: Before) -> Self {
        let cfg = machine.cfg;
        let of = |id: ProductionId| std::iter::repeat_n(id, cfg.rhs(id).len());
        let productions = cfg.productions().flat_map(of).collect();
        Self { machine, terminal, before, productions }
    }

    fn split(&self, place: PlaceId) -> (&'a [Symbol], Symbol, &'a [Symbol]) {
        let cfg = self.machine.cfg;
        let production = self.productions[place.index()];
        let at = place.index() - cfg.positions(production).start;
        let rhs = cfg.rhs(production);
        (&rhs[..at], rhs[at], &rhs[at + 1..])
    }
}

impl Rules for Places<'_> {
    type Variable = NonterminalId;
    type Rule = PlaceId;

    fn variable_count(&self) -> usize {
        self.machine.cfg.nonterminal_count()
    }

    fn rule_count(&self) -> usize {
        self.productions.len()
    }

    fn head(&self, place: PlaceId) -> NonterminalId {
        self.machine.cfg.lhs(self.productions[place.index()])
    }

    fn parts(&self, place: PlaceId) -> impl Iterator<Item = NonterminalId> {
        match self.split(place).1 {
            Symbol::Nonterminal(nonterminal) => Some(nonterminal),
            Symbol::Terminal(_) => None,
        }
        .into_iter()
    }
}

impl Measure<PlaceId> for Places<'_> {
    type Cost = u64;

    fn base(&self, place: PlaceId) -> Option<u64> {
        let (before, symbol, behind) = self.split(place);
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
