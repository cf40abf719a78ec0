//! The search backward from a conflict.
//!
//! Two readings of one input have the same stack up to the conflict. So two items are followed from
//! the conflicting state back along the transitions of the automaton: both over the same symbol, or
//! one of them from the left end of a production up to an item with that nonterminal after its dot.
//! If both are at the left ends of productions of the same nonterminal, they have *met*: that
//! nonterminal has one reading through each item, with the same beginning.
//!
//! A production is reduced only if the conflict's token comes next. Until a symbol after it can
//! begin with that token, a side *waits*, and the symbols that it passes derive the empty string.
//! This is the lookahead-sensitive path of Isradisaikul, Myers, PLDI 2015, section 4, but backward
//! and for all sides at once. So one bit per side is enough, because there is only one token.
//!
//! Configurations are visited in the order of the lengths of their examples, including the shortest
//! beginning that leads to their state. Creating one and following one costs a unit of work each.
//! Configurations with the same key are followed a few times, because the symbols after their
//! productions differ. If a search with two sides ends before they meet, the two items never
//! compete for the same input.
//!
//! Example: `s: IF s | IF s ELSE s | A;`. The conflict is after `IF s` before ELSE, between
//! s → IF s • and s → IF s • ELSE s. Both sides go back over s and IF to the left end of their
//! productions. The reduction waits for ELSE, so its side goes up to s → IF • s ELSE s; the other
//! side goes up to s → IF • s. Both go back over IF and meet: s has two readings of IF IF s • ELSE s.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{Map, Table};
use gramercy_lr::{ItemId, LabelId, StateId};

use super::machine::Machine;
use super::work::Work;

gramercy_base::define_id!(pub(crate) struct ConfigId, "a configuration of a search backward");

/// One of the readings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SearchSide {
    pub(crate) item: ItemId,
    /// Whether the conflict's token must still come next.
    pub(crate) waits: bool,
}

/// How a configuration follows from the one nearer to the conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackwardStep {
    /// The first configuration.
    Begin,
    /// All sides go back over this symbol.
    Back(LabelId),
    /// A side goes up from the left end of a production to an item with its left-hand side after
    /// the dot.
    Up(usize),
}

/// An item for each side, in one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Config<const N: usize> {
    pub(crate) state: StateId,
    pub(crate) sides: [SearchSide; N],
    pub(crate) step: BackwardStep,
    pub(crate) inner: Option<ConfigId>,
    cost: u64,
}

/// Configurations with the same key are similar. Sides go up in a fixed order, so the order of
/// their steps does not matter; the number is the last side that went up.
type ConfigKey<const N: usize> = (StateId, [SearchSide; N], usize);

impl<const N: usize> Config<N> {
    fn key(&self) -> ConfigKey<N> {
        (self.state, self.sides, self.turn())
    }

    /// The first side that may still go up in this state.
    fn turn(&self) -> usize {
        match self.step {
            BackwardStep::Up(side) => side,
            BackwardStep::Begin | BackwardStep::Back(_) => 0,
        }
    }
}

/// A search backward from a state.
pub(crate) struct Backward<'m, const N: usize> {
    machine: &'m Machine<'m>,
    /// The conflict's token.
    next: LabelId,
    /// How often configurations with the same key are followed.
    visits: u32,
    configs: Table<ConfigId, Config<N>>,
    visited: Map<ConfigKey<N>, u32>,
    queue: BinaryHeap<Reverse<(u64, ConfigId)>>,
}

/// The next result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A configuration.
    Config(ConfigId),
    /// The search is complete.
    Nothing,
    /// The budget is exhausted.
    OutOfWork,
}

impl<'m, const N: usize> Backward<'m, N> {
    pub(crate) fn new(
        machine: &'m Machine<'m>,
        state: StateId,
        sides: [SearchSide; N],
        next: LabelId,
        visits: u32,
    ) -> Self {
        let (configs, visited, queue) = (Table::new(), Map::default(), BinaryHeap::new());
        let mut search = Self { machine, next, visits, configs, visited, queue };
        search.push(Config { state, sides, step: BackwardStep::Begin, inner: None, cost: 0 });
        search
    }

    pub(crate) fn config(&self, id: ConfigId) -> &Config<N> {
        &self.configs[id]
    }

    /// The configurations from a configuration to the first one.
    pub(crate) fn inward(&self, from: ConfigId) -> Vec<&Config<N>> {
        let inner = |config: &&Config<N>| config.inner.map(|id| &self.configs[id]);
        std::iter::successors(Some(&self.configs[from]), inner).collect()
    }

    /// Continues to the next accepted configuration.
    pub(crate) fn find(
        &mut self,
        work: &mut Work,
        is_wanted: impl Fn(&Machine<'_>, &Config<N>) -> bool,
    ) -> Found {
        while let Some(Reverse((_, id))) = self.queue.pop() {
            let before = self.configs.len();
            self.expand(id);
            if !work.spend(1 + self.configs.len() - before) {
                return Found::OutOfWork;
            }
            if is_wanted(self.machine, &self.configs[id]) {
                return Found::Config(id);
            }
        }
        Found::Nothing
    }

    fn expand(&mut self, id: ConfigId) {
        let config = self.configs[id];
        let is_left = config.sides.map(|side| self.machine.is_left(side.item));
        for side in (config.turn()..N).filter(|&side| is_left[side]) {
            self.go_up(id, side);
        }
        if !is_left.contains(&true) {
            self.go_back(id);
        }
    }

    fn go_back(&mut self, id: ConfigId) {
        let (config, machine) = (self.configs[id], self.machine);
        let label = machine.automaton.accessing(config.state);
        let label = label.expect("invariant: a symbol led to where the dot is not at the left");
        let sides = config.sides.map(|it| SearchSide { item: machine.retreat(it.item), ..it });
        let cost = config.cost.saturating_add(machine.cost(label));
        for &state in machine.predecessors(config.state) {
            self.push(Config {
                state,
                sides,
                step: BackwardStep::Back(label),
                inner: Some(id),
                cost,
            });
        }
    }

    /// Goes up to each item that has the left-hand side of this side's production after its dot.
    fn go_up(&mut self, id: ConfigId, side: usize) {
        let (config, machine) = (self.configs[id], self.machine);
        let SearchSide { item, waits } = config.sides[side];
        let Some(lhs) = machine.lhs(item) else {
            return;
        };
        for item in machine.items_before(config.state, lhs) {
            let behind = &machine.behind(item)[1..];
            let length = behind.iter().map(|&label| machine.length(label));
            let cost = length.fold(config.cost.saturating_add(1), u64::saturating_add);
            let up = |waits, cost| {
                let mut sides = config.sides;
                sides[side] = SearchSide { item, waits };
                Config { sides, step: BackwardStep::Up(side), inner: Some(id), cost, ..config }
            };
            if !waits || machine.position_of(behind, self.next).is_some() {
                self.push(up(false, cost));
            }
            if waits && behind.iter().all(|&label| machine.is_nullable(label)) {
                self.push(up(true, config.cost.saturating_add(1)));
            }
        }
    }

    fn push(&mut self, config: Config<N>) {
        let visits = self.visited.entry(config.key()).or_default();
        if *visits < self.visits {
            *visits += 1;
            let id = self.configs.push(config);
            let whole = config.cost.saturating_add(self.machine.distance(config.state));
            self.queue.push(Reverse((whole, id)));
        }
    }
}

/// Whether two sides are at the left ends of productions of the same nonterminal.
pub(crate) fn have_met(machine: &Machine<'_>, config: &Config<2>) -> bool {
    let [one, other] = config.sides.map(|side| side.item);
    machine.is_left(one) && machine.is_left(other) && machine.lhs(one) == machine.lhs(other)
}

/// Whether a side derives complete sentences.
pub(crate) fn is_whole(machine: &Machine<'_>, config: &Config<1>) -> bool {
    let [SearchSide { item, waits }] = config.sides;
    machine.lhs(item).is_none() && machine.is_left(item) && !waits
}
