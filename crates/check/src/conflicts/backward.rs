//! The search backward from a conflict.
//!
//! Two readings of one input have the same stack until they meet the conflict. So two items are
//! followed from the conflicting state back along the automaton's steps, always both over the same
//! symbol, and each on its own from the left end of a production up to an item that asks for it.
//! When both stand at the left ends of productions of one nonterminal, they have *met*: that
//! nonterminal has a reading through the one item and a reading through the other, of the same
//! beginning.
//!
//! A production is reduced only if the conflict's token comes next. Until a symbol behind it can
//! begin with that token, a side *waits*, and what it passes derives nothing. This is the
//! look-ahead-sensitive path of Isradisaikul and Myers, "Finding counterexamples from parsing
//! conflicts", PLDI 2015, §4, but backward and with all sides at once: then one bit a side is all
//! that has to be remembered, since only one token is asked for.
//!
//! Configurations come in the order of the lengths of what they lead to, the shortest beginning that
//! leads to their state included; each that is made and each
//! that is followed costs a unit of work.
//! Those that are alike are followed a few times, because what is behind their productions differs.
//! If a search with two sides ends before they met, the two items never compete for one input.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{Map, Table};
use gramercy_lr::{ItemId, LabelId, StateId};

use super::machine::Machine;
use super::work::Work;

gramercy_base::define_id!(pub(crate) struct ConfigId, "a configuration of a search backward");

/// One reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Side {
    pub(crate) item: ItemId,
    /// Whether the conflict's token must still come next.
    pub(crate) waits: bool,
}

/// How a configuration came from the one nearer to the conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// It is where the search began.
    Begin,
    /// All sides went back over this symbol.
    Back(LabelId),
    /// A side went up from the left end of a production to an item that asks for it.
    Up(usize),
}

/// An item for each side, in one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Config<const N: usize> {
    pub(crate) state: StateId,
    pub(crate) sides: [Side; N],
    pub(crate) step: Step,
    pub(crate) inner: Option<ConfigId>,
    cost: u64,
}

/// What makes configurations alike. Sides go up in turn, so that the order of their steps makes no
/// difference; the number is that of the last that did.
type Key<const N: usize> = (StateId, [Side; N], usize);

impl<const N: usize> Config<N> {
    fn key(&self) -> Key<N> {
        (self.state, self.sides, self.turn())
    }

    /// The first side that may still go up in this state.
    fn turn(&self) -> usize {
        match self.step {
            Step::Up(side) => side,
            Step::Begin | Step::Back(_) => 0,
        }
    }
}

/// A search backward from one state.
pub(crate) struct Backward<'m, const N: usize> {
    machine: &'m Machine<'m>,
    /// The conflict's token.
    next: LabelId,
    /// How often configurations that are alike are followed.
    visits: u32,
    configs: Table<ConfigId, Config<N>>,
    visited: Map<Key<N>, u32>,
    queue: BinaryHeap<Reverse<(u64, ConfigId)>>,
}

/// What a search comes to next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A configuration.
    Config(ConfigId),
    /// There is nothing more to find.
    Nothing,
    /// The work is used up.
    OutOfWork,
}

impl<'m, const N: usize> Backward<'m, N> {
    pub(crate) fn new(
        machine: &'m Machine<'m>,
        state: StateId,
        sides: [Side; N],
        next: LabelId,
        visits: u32,
    ) -> Self {
        let (configs, visited, queue) = (Table::new(), Map::default(), BinaryHeap::new());
        let mut search = Self { machine, next, visits, configs, visited, queue };
        search.push(Config { state, sides, step: Step::Begin, inner: None, cost: 0 });
        search
    }

    pub(crate) fn config(&self, id: ConfigId) -> &Config<N> {
        &self.configs[id]
    }

    /// The configurations from one to where the search began.
    pub(crate) fn inward(&self, from: ConfigId) -> Vec<&Config<N>> {
        let inner = |config: &&Config<N>| config.inner.map(|id| &self.configs[id]);
        std::iter::successors(Some(&self.configs[from]), inner).collect()
    }

    /// Goes on to the next configuration that is wanted.
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
        let sides = config.sides.map(|it| Side { item: machine.retreat(it.item), ..it });
        let cost = config.cost.saturating_add(machine.cost(label));
        for &state in machine.predecessors(config.state) {
            self.push(Config { state, sides, step: Step::Back(label), inner: Some(id), cost });
        }
    }

    /// Goes up to each item that asks for the production at whose left end a side stands.
    fn go_up(&mut self, id: ConfigId, side: usize) {
        let (config, machine) = (self.configs[id], self.machine);
        let Side { item, waits } = config.sides[side];
        let Some(lhs) = machine.lhs(item) else {
            return;
        };
        for item in machine.items_before(config.state, lhs) {
            let behind = &machine.behind(item)[1..];
            let length = behind.iter().map(|&label| machine.length(label));
            let cost = length.fold(config.cost.saturating_add(1), u64::saturating_add);
            let up = |waits, cost| {
                let mut sides = config.sides;
                sides[side] = Side { item, waits };
                Config { sides, step: Step::Up(side), inner: Some(id), cost, ..config }
            };
            if !waits || machine.place_of(behind, self.next).is_some() {
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

/// Whether two sides stand at the left ends of productions of one nonterminal.
pub(crate) fn have_met(machine: &Machine<'_>, config: &Config<2>) -> bool {
    let [one, other] = config.sides.map(|side| side.item);
    machine.is_left(one) && machine.is_left(other) && machine.lhs(one) == machine.lhs(other)
}

/// Whether a side derives whole sentences.
pub(crate) fn is_whole(machine: &Machine<'_>, config: &Config<1>) -> bool {
    let [Side { item, waits }] = config.sides;
    machine.lhs(item).is_none() && machine.is_left(item) && !waits
}
