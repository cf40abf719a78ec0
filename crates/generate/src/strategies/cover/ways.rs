//! The cheapest ways down from one nonterminal to every symbol below it, along all positions of
//! productions or along their edges only.
//!
//! As in [`Contexts`](gramercy_derive::Contexts): Dijkstra's algorithm, one step stored for each symbol. Near-linear
//! in the grammar for each nonterminal; made when it is first asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use gramercy_analysis::Nullable;
use gramercy_base::{Id, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;

use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::resolution::Embedding;

/// Length, then the number of steps; by depth, the number of steps alone.
pub(super) type Cost = (u64, u64);

/// A position of a production, in little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RhsPosition {
    pub(super) production: ProductionId,
    pub(super) position: u32,
}

impl RhsPosition {
    pub(super) fn new(production: ProductionId, position: usize) -> Self {
        let position = u32::try_from(position).expect("invariant: positions fit in 32 bits");
        Self { production, position }
    }

    pub(super) fn symbol(self, cfg: &Cfg) -> Symbol {
        cfg.rhs(self.production)[self.position as usize]
    }

    /// What stands before it.
    pub(super) fn before(self, cfg: &Cfg) -> &[Symbol] {
        &cfg.rhs(self.production)[..self.position as usize]
    }

    /// What stands after it.
    pub(super) fn behind(self, cfg: &Cfg) -> &[Symbol] {
        &cfg.rhs(self.production)[self.position as usize + 1..]
    }
}

/// A value for every symbol.
#[derive(Clone, Debug)]
pub(super) struct BySymbol<T> {
    nonterminals: Table<NonterminalId, T>,
    terminals: Table<TerminalId, T>,
}

impl<T: Clone> BySymbol<T> {
    pub(super) fn filled(value: T, cfg: &Cfg) -> Self {
        Self {
            nonterminals: Table::filled(value.clone(), cfg.nonterminal_count()),
            terminals: Table::filled(value, cfg.terminal_count()),
        }
    }
}

impl<T> std::ops::Index<Symbol> for BySymbol<T> {
    type Output = T;

    fn index(&self, symbol: Symbol) -> &T {
        match symbol {
            Symbol::Nonterminal(id) => &self.nonterminals[id],
            Symbol::Terminal(id) => &self.terminals[id],
        }
    }
}

impl<T> std::ops::IndexMut<Symbol> for BySymbol<T> {
    fn index_mut(&mut self, symbol: Symbol) -> &mut T {
        match symbol {
            Symbol::Nonterminal(id) => &mut self.nonterminals[id],
            Symbol::Terminal(id) => &mut self.terminals[id],
        }
    }
}

/// Where ways may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Along {
    /// Everywhere.
    All,
    /// To what everything before it can vanish of.
    Left,
}

/// The ways down from every nonterminal.
pub(super) struct AllWays<'m> {
    along: Along,
    cheapest: &'m CheapestTrees<'m>,
    nullable: Nullable,
    ways: Table<NonterminalId, OnceLock<Ways>>,
}

/// The ways down from one nonterminal.
pub(super) struct Ways {
    root: NonterminalId,
    last: BySymbol<Option<RhsPosition>>,
}

impl<'m> AllWays<'m> {
    pub(super) fn new(cheapest: &'m CheapestTrees<'m>, along: Along) -> Self {
        let ways = cheapest.cfg().nonterminals().map(|_| OnceLock::new()).collect();
        Self { along, cheapest, nullable: Nullable::of(cheapest.cfg()), ways }
    }

    /// The ways from a nonterminal, of at least one step each.
    pub(super) fn from(&self, language: &Language, root: NonterminalId) -> &Ways {
        self.ways[root].get_or_init(|| {
            let mut search = Search::new(language, self.cheapest, &self.nullable, self.along);
            search.go_down((0, 0), root);
            search.run();
            Ways { root, last: search.last }
        })
    }
}

impl Ways {
    /// The steps to a symbol, the last first.
    ///
    /// # Panics
    /// If there is no way.
    pub(super) fn up_from(&self, cfg: &Cfg, symbol: Symbol) -> Vec<RhsPosition> {
        let mut steps = Vec::new();
        let mut symbol = symbol;
        loop {
            let step = self.last[symbol].expect("invariant: the symbol is below the root");
            steps.push(step);
            let above = cfg.lhs(step.production);
            if above == self.root {
                return steps;
            }
            symbol = Symbol::Nonterminal(above);
        }
    }
}

/// What one step costs.
pub(super) fn step_cost(cheapest: &CheapestTrees<'_>, beside: [&[Symbol]; 2]) -> Cost {
    let length = |symbols| cheapest.length(symbols).expect("invariant: all are productive");
    match cheapest.resolution().embedding {
        Embedding::Shallowest => (0, 1),
        Embedding::Shortest => (length(beside[0]).saturating_add(length(beside[1])), 1),
    }
}

/// What a step into each position of a right-hand side costs: all that stands beside it. Sums from both ends, since
/// adding up anew for every position would take quadratic time in long productions.
pub(super) struct Beside {
    embedding: Embedding,
    /// The length before each position, and the length from each position on.
    before: Vec<u64>,
    from: Vec<u64>,
}

impl Beside {
    pub(super) fn new(cheapest: &CheapestTrees<'_>, rhs: &[Symbol]) -> Self {
        let length = |symbol: &Symbol| {
            let length = cheapest.length(std::slice::from_ref(symbol));
            length.expect("invariant: all are productive")
        };
        let (mut before, mut from) = (vec![0_u64], vec![0_u64; rhs.len() + 1]);
        for symbol in rhs {
            before.push(before[before.len() - 1].saturating_add(length(symbol)));
        }
        for (at, symbol) in rhs.iter().enumerate().rev() {
            from[at] = from[at + 1].saturating_add(length(symbol));
        }
        Self { embedding: cheapest.resolution().embedding, before, from }
    }

    /// The cost of a step into a position.
    pub(super) fn cost(&self, position: usize) -> Cost {
        self.of_length(self.before[position].saturating_add(self.from[position + 1]))
    }

    /// The cost where nothing stands before the position.
    pub(super) fn cost_behind(&self, position: usize) -> Cost {
        self.of_length(self.from[position + 1])
    }

    fn of_length(&self, length: u64) -> Cost {
        match self.embedding {
            Embedding::Shallowest => (0, 1),
            Embedding::Shortest => (length, 1),
        }
    }
}

pub(super) fn sum(a: Cost, b: Cost) -> Cost {
    (a.0.saturating_add(b.0), a.1 + b.1)
}

pub(super) fn vanishes(nullable: &Nullable, symbols: &[Symbol]) -> bool {
    symbols.iter().all(|symbol| match symbol {
        Symbol::Terminal(_) => false,
        Symbol::Nonterminal(id) => nullable.contains(*id),
    })
}

/// A search down from what was offered to it.
pub(super) struct Search<'s> {
    language: &'s Language,
    cheapest: &'s CheapestTrees<'s>,
    nullable: &'s Nullable,
    along: Along,
    pub(super) costs: BySymbol<Option<Cost>>,
    pub(super) last: BySymbol<Option<RhsPosition>>,
    queue: BinaryHeap<Reverse<(Cost, NonterminalId)>>,
}

impl<'s> Search<'s> {
    pub(super) fn new(
        language: &'s Language,
        cheapest: &'s CheapestTrees<'s>,
        nullable: &'s Nullable,
        along: Along,
    ) -> Self {
        let cfg = cheapest.cfg();
        let (costs, last) = (BySymbol::filled(None, cfg), BySymbol::filled(None, cfg));
        Self { language, cheapest, nullable, along, costs, last, queue: BinaryHeap::new() }
    }

    pub(super) fn run(&mut self) {
        while let Some(Reverse((cost, nonterminal))) = self.queue.pop() {
            if self.costs[Symbol::Nonterminal(nonterminal)] == Some(cost) {
                self.go_down(cost, nonterminal);
            }
        }
    }

    /// Offers everything that a nonterminal leads to.
    pub(super) fn go_down(&mut self, cost: Cost, nonterminal: NonterminalId) {
        let cfg = self.cheapest.cfg();
        for &production in cfg.productions_of(nonterminal) {
            if !self.language.productive().has_production(production) {
                continue;
            }
            let rhs = cfg.rhs(production);
            let beside = Beside::new(self.cheapest, rhs);
            for position in 0..rhs.len() {
                let place = RhsPosition::new(production, position);
                let step = match self.along {
                    Along::All => beside.cost(position),
                    Along::Left => beside.cost_behind(position),
                };
                let is_left = |at: usize| vanishes(self.nullable, &rhs[at..=at]);
                if self.along == Along::Left
                    && position.checked_sub(1).is_some_and(|at| !is_left(at))
                {
                    break;
                }
                self.offer(place.symbol(cfg), sum(cost, step), Some(place));
            }
        }
    }

    /// Offers a way to a symbol; one without a last step begins there. Whether it is the best so far.
    pub(super) fn offer(&mut self, symbol: Symbol, cost: Cost, last: Option<RhsPosition>) -> bool {
        let ties = self.cheapest.resolution().ties;
        let order = |place: Option<RhsPosition>| {
            place.map(|at| ties.place(at.production, at.position as usize))
        };
        let is_better = match self.costs[symbol] {
            None => true,
            Some(known) if known == cost => order(last) < order(self.last[symbol]),
            Some(known) => cost < known,
        };
        if is_better {
            if let (Symbol::Nonterminal(id), true) = (symbol, self.costs[symbol] != Some(cost)) {
                self.queue.push(Reverse((cost, id)));
            }
            self.costs[symbol] = Some(cost);
            self.last[symbol] = last;
        }
        is_better
    }
}

/// The dense number of a symbol.
pub(super) fn number(cfg: &Cfg, symbol: Symbol) -> usize {
    match symbol {
        Symbol::Nonterminal(id) => id.index(),
        Symbol::Terminal(id) => cfg.nonterminal_count() + id.index(),
    }
}
