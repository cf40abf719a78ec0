//! Automata of decisions whose callers are known.
//!
//! A simulation with callers depends on the decision, the precedence, the stack of calls and the tokens that follow, and on
//! nothing else. Stacks are shared values ([`contexts`](crate::contexts)), so such a simulation can be kept as an automaton
//! as well. ANTLR makes it again each time. Statements of a long list, and elements of a long array, all have the same stack,
//! so that only the first of them pay for it.
//!
//! **Example.** `list: (item ';')*; item: a | b; a: ID x?; b: ID; x: ;` on `i ; i ; i ;`: `item` needs its callers, which are
//! `list` each time. The first item makes the steps on `ID` and `;`, the others look them up.
//!
//! A known step costs one look-up, a new one the configurations of its state. The steps are dropped together with the stacks
//! they refer to, or when they have grown too large.

use std::hash::BuildHasher as _;

use gramercy_base::Map;

use super::configs::{Config, ConfigSet};
use super::network::{DecisionId, Network};
use super::predict::{DecisionPoint, Mode, Scratch, begin, reach};
use crate::contexts::{Bottom, ContextId, Contexts};
use crate::tables::InputId;

/// What is known about decisions with callers.
#[derive(Clone, Debug, Default)]
pub(super) struct CallerAutomata {
    starts: Map<(DecisionId, u32, ContextId), u32>,
    /// Where the configurations of a state end.
    ends: Vec<u32>,
    configs: Vec<Config>,
    known: Map<u64, u32>,
    steps: Map<(u32, InputId), Step>,
}

/// Where a token leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// No alternative can go on.
    Stuck,
    /// This alternative is taken.
    Taken(u32),
    /// More tokens are needed in this state.
    Open(u32),
}

/// What a simulation works with.
pub(super) struct Simulation<'s> {
    pub(super) network: &'s Network,
    pub(super) contexts: &'s mut Contexts,
    pub(super) scratch: &'s mut Scratch,
    pub(super) set: &'s mut ConfigSet,
}

impl Simulation<'_> {
    fn begin(&mut self, place: DecisionPoint<'_>, callers: ContextId) {
        let mode = mode(Some(place.precedence), false);
        begin(self.network, place.decision, callers, mode, self.contexts, self.scratch, self.set);
    }

    fn reach(&mut self, from: &[Config], symbol: InputId, at_end: bool) {
        let mode = mode(None, at_end);
        reach(self.network, from, symbol, mode, self.contexts, self.scratch, self.set);
    }
}

fn mode(precedence: Option<u32>, at_end: bool) -> Mode {
    Mode { bottom: Bottom::NoCaller, precedence, at_end, operator_rule: None }
}

impl CallerAutomata {
    /// The state in which a decision begins.
    pub(super) fn start(
        &mut self,
        simulation: &mut Simulation<'_>,
        place: DecisionPoint<'_>,
        callers: ContextId,
    ) -> u32 {
        let key = (place.decision, place.precedence, callers);
        if let Some(&known) = self.starts.get(&key) {
            return known;
        }
        simulation.begin(place, callers);
        let state = self.state(simulation.set);
        self.starts.insert(key, state);
        state
    }

    /// Where a token leads, if that is known.
    #[inline]
    pub(super) fn step(&self, state: u32, symbol: InputId) -> Option<Step> {
        self.steps.get(&(state, symbol)).copied()
    }

    /// Finds out where a token leads.
    pub(super) fn make_step(
        &mut self,
        simulation: &mut Simulation<'_>,
        state: u32,
        symbol: InputId,
        at_end: bool,
    ) -> Step {
        simulation.reach(self.configs_of(state), symbol, at_end);
        let set = &*simulation.set;
        let step = if set.is_empty() {
            Step::Stuck
        } else if let Some(only) = set.only_alternative().or_else(|| set.resolved_alternative()) {
            Step::Taken(only)
        } else {
            Step::Open(self.state(set))
        };
        self.steps.insert((state, symbol), step);
        step
    }

    /// How many configurations and steps are kept.
    pub(super) fn len(&self) -> usize {
        self.configs.len() + self.steps.len()
    }

    /// The bytes that it takes, roughly.
    pub(super) fn memory(&self) -> usize {
        self.configs.capacity() * size_of::<Config>()
            + self.ends.capacity() * size_of::<u32>()
            + (self.steps.capacity() + self.known.capacity() + self.starts.capacity()) * 24
    }

    pub(super) fn clear(&mut self) {
        self.starts.clear();
        self.ends.clear();
        self.configs.clear();
        self.known.clear();
        self.steps.clear();
    }

    fn configs_of(&self, state: u32) -> &[Config] {
        let from = (state as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.configs[from as usize..self.ends[state as usize] as usize]
    }

    /// The state of a set of configurations.
    fn state(&mut self, set: &ConfigSet) -> u32 {
        // Sets of the same hash are told apart by comparing them; the last of them is found again.
        let hash = self.known.hasher().hash_one(set.as_slice());
        if let Some(&known) = self.known.get(&hash)
            && self.configs_of(known) == set.as_slice()
        {
            return known;
        }
        let id = u32::try_from(self.ends.len()).expect("invariant: states fit in 32 bits");
        self.configs.extend_from_slice(set.as_slice());
        self.ends.push(u32::try_from(self.configs.len()).expect("invariant: it is bounded"));
        self.known.insert(hash, id);
        id
    }
}
