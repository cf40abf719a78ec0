//! Decisions: which alternative an ANTLR parser takes.
//!
//! All alternatives are simulated at once, token by token, as sets of configurations (Parr, Harwell, Fisher,
//! "Adaptive LL(*) Parsing", OOPSLA 2014, sections 3 to 5). First without the callers of the rule: these sets do not
//! depend on the input around them and become states of an automaton that is kept for all later decisions. Where
//! alternatives come together in the same state with the same stack, callers might still tell them apart, and the
//! simulation begins again with the real callers. What is the same for several alternatives even then is ambiguous:
//! the first of them is taken as soon as nothing that follows can change that.
//!
//! **Example.** `s: a 'x' | a 'y'; a: 'n' a | 'n';` on `n n y`: after `n n` both alternatives of `s` are inside `a`,
//! with different stacks; on `y` only the second is left, and three steps of this decision's automaton are known.
//!
//! A step that is known costs one look-up. A new one costs the configurations of its state. Simulations with callers
//! become automata too, one for each set of callers ([`with_callers`](super::with_callers)): a list of thousands of
//! statements has the same callers at each of them.

use gramercy_base::{Id, Map, Set};

use super::configs::{Config, ConfigSet, only_alternative};
use super::network::{Action, DecisionId, Network, NetworkRuleId, NetworkStateId};
use super::with_callers::{CallerAutomata, Simulation, Step};
use crate::budget::Budget;
use crate::contexts::{Bottom, ContextId, Contexts, END};
use crate::tables::InputId;

/// No alternative can go on, or the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoAlternative;

/// What is known about decisions, for all inputs.
#[derive(Clone, Debug)]
pub(super) struct Predictor {
    /// For every decision and precedence, the state in which its automaton begins.
    starts: Map<(DecisionId, u32), u32>,
    states: Vec<PredictionState>,
    known: Map<Box<[Config]>, u32>,
    /// For every state and input symbol: 0 if not known, [`STUCK`], or the next state plus [`FIRST`].
    edges: Vec<u32>,
    inputs: usize,
    contexts: Contexts,
    scratch: Scratch,
    set: ConfigSet,
    with_callers: CallerAutomata,
    pub(super) ahead: Ahead,
}

/// A state of the automaton of a decision.
#[derive(Clone, Debug)]
struct PredictionState {
    configs: Box<[Config]>,
    outcome: Outcome,
}

/// What a state of the automaton says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// More tokens are needed.
    Open,
    /// This alternative is taken.
    Alternative(u32),
    /// The callers must be looked at.
    NeedsCallers,
}

/// What reading ahead with callers has cost in this input, in look-ups, and what it may cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    pub(super) cost: u64,
    pub(super) limit: u64,
}

/// Look-ups that a new step costs, without the stacks that it makes.
const COST_OF_STEP: u64 = 16;

const STUCK: u32 = 1;
const FIRST: u32 = 2;
/// Automata with more cells than this are dropped and made again.
const MAX_EDGES: usize = 1 << 26;
/// So are stacks with more entries than this.
const MAX_CONTEXTS: usize = 1 << 24;

/// Memory of the closure.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    reached: ConfigSet,
    seen: Set<(Config, i32)>,
    stack: Vec<(Config, i32)>,
}

/// Where a decision is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct DecisionPoint<'i> {
    pub(super) decision: DecisionId,
    /// The precedence at which the rule was called, where it matters.
    pub(super) precedence: u32,
    /// The input from here on.
    pub(super) input: &'i [InputId],
    pub(super) end: InputId,
}

/// How a simulation treats callers, precedences and the end of input.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) bottom: Bottom,
    /// The precedence that operators are compared with, while no token was read.
    pub(super) precedence: Option<u32>,
    /// The end of input was read, and may be asked for again.
    pub(super) at_end: bool,
    /// The rule of the decision, if it is one about operators.
    pub(super) operator_rule: Option<NetworkRuleId>,
}

impl Predictor {
    pub(super) fn new(inputs: usize) -> Self {
        Self {
            starts: Map::default(),
            states: Vec::new(),
            known: Map::default(),
            edges: Vec::new(),
            inputs,
            contexts: Contexts::new(Bottom::AnyCaller),
            scratch: Scratch::default(),
            set: ConfigSet::default(),
            with_callers: CallerAutomata::default(),
            ahead: Ahead::default(),
        }
    }

    /// The alternative that is taken without knowing the callers; `None` if they must be looked at.
    #[inline]
    pub(super) fn predict(
        &mut self,
        network: &Network,
        place: DecisionPoint<'_>,
        budget: &mut Budget,
    ) -> Result<Option<u32>, NoAlternative> {
        if self.edges.len() > MAX_EDGES || self.contexts.len() > MAX_CONTEXTS {
            let with_callers = std::mem::take(&mut self.with_callers);
            *self = Self { with_callers, ahead: self.ahead, ..Self::new(self.inputs) };
        }
        let mut state = match self.starts.get(&(place.decision, place.precedence)) {
            Some(&known) => known,
            None => self.start(network, place),
        };
        let mut input = place.input.iter();
        loop {
            let symbol = input.next().copied().unwrap_or(place.end);
            let mut cell = self.edges[state as usize * self.inputs + symbol.index()];
            if cell < FIRST {
                if cell != STUCK {
                    if budget.step() {
                        budget.check(self.memory()).map_err(|_| NoAlternative)?;
                    }
                    cell = self.step(network, state, symbol, place.end);
                }
                if cell == STUCK {
                    return Err(NoAlternative);
                }
            }
            state = cell - FIRST;
            match self.states[state as usize].outcome {
                Outcome::Alternative(alternative) => return Ok(Some(alternative)),
                Outcome::NeedsCallers => return Ok(None),
                Outcome::Open => {}
            }
        }
    }

    /// The alternative that is taken with these callers; `None` if reading ahead costs more than the limit.
    pub(super) fn predict_with_callers(
        &mut self,
        network: &Network,
        place: DecisionPoint<'_>,
        callers: ContextId,
        contexts: &mut Contexts,
        budget: &mut Budget,
    ) -> Result<Option<u32>, NoAlternative> {
        let Self { with_callers, scratch, set, ahead, .. } = self;
        let mut simulation = Simulation { network, contexts, scratch, set };
        let mut state = with_callers.start(&mut simulation, place, callers);
        let mut input = place.input.iter();
        loop {
            let symbol = input.next().copied().unwrap_or(place.end);
            ahead.cost += 1;
            if ahead.cost > ahead.limit {
                return Ok(None);
            }
            let step = match with_callers.step(state, symbol) {
                Some(known) => known,
                None => {
                    if budget.step() {
                        let memory = simulation.contexts.memory() + with_callers.memory();
                        budget.check(memory).map_err(|_| NoAlternative)?;
                    }
                    let before = simulation.contexts.len();
                    let at_end = symbol == place.end;
                    let made = with_callers.make_step(&mut simulation, state, symbol, at_end);
                    ahead.cost += COST_OF_STEP + (simulation.contexts.len() - before) as u64;
                    made
                }
            };
            match step {
                Step::Stuck => return Err(NoAlternative),
                Step::Taken(alternative) => return Ok(Some(alternative)),
                Step::Open(next) => state = next,
            }
        }
    }

    /// Drops what is known about decisions with callers, whose stacks are dropped too.
    pub(super) fn forget_callers(&mut self) {
        self.with_callers.clear();
    }

    /// How many configurations and steps of decisions with callers are kept.
    pub(super) fn with_callers_len(&self) -> usize {
        self.with_callers.len()
    }

    /// The bytes that automata and stacks take, roughly.
    pub(super) fn memory(&self) -> usize {
        let states = self.states.capacity() * 4 * size_of::<Config>();
        let edges = self.edges.capacity() * size_of::<u32>();
        edges + states + self.contexts.memory() + self.with_callers.memory()
    }

    /// Begins the automaton of a decision.
    #[cold]
    fn start(&mut self, network: &Network, place: DecisionPoint<'_>) -> u32 {
        let decision = &network.decisions[place.decision];
        let mode = Mode {
            bottom: Bottom::AnyCaller,
            precedence: Some(place.precedence),
            at_end: false,
            operator_rule: decision.is_operator_loop.then_some(decision.rule),
        };
        let mut set = std::mem::take(&mut self.set);
        let (contexts, scratch) = (&mut self.contexts, &mut self.scratch);
        begin(network, place.decision, Contexts::empty(), mode, contexts, scratch, &mut set);
        if decision.is_operator_loop {
            filter_precedence(&mut set);
        }
        // Not shared with a state after some token, which may say more than that it is open.
        let state = self.new_state(set.as_slice().into(), Outcome::Open);
        self.set = set;
        self.starts.insert((place.decision, place.precedence), state);
        state
    }

    /// Makes a step of an automaton.
    #[cold]
    fn step(&mut self, network: &Network, from: u32, symbol: InputId, end: InputId) -> u32 {
        let at_end = symbol == end;
        let mode =
            Mode { bottom: Bottom::AnyCaller, precedence: None, at_end, operator_rule: None };
        let mut set = std::mem::take(&mut self.set);
        let configs = self.states[from as usize].configs.clone();
        let (contexts, scratch) = (&mut self.contexts, &mut self.scratch);
        reach(network, &configs, symbol, mode, contexts, scratch, &mut set);
        let cell = match set.is_empty() {
            true => STUCK,
            false => self.state(&set, at_end) + FIRST,
        };
        self.set = set;
        self.edges[from as usize * self.inputs + symbol.index()] = cell;
        cell
    }

    /// The state of a set of configurations that was reached by reading a token, or the end of input.
    fn state(&mut self, set: &ConfigSet, at_end: bool) -> u32 {
        if let Some(&known) = self.known.get(set.as_slice()) {
            return known;
        }
        let outcome = match set.only_alternative() {
            Some(only) => Outcome::Alternative(only),
            None if at_end || set.has_conflict() => Outcome::NeedsCallers,
            None => Outcome::Open,
        };
        let configs: Box<[Config]> = set.as_slice().into();
        let id = self.new_state(configs.clone(), outcome);
        self.known.insert(configs, id);
        id
    }

    fn new_state(&mut self, configs: Box<[Config]>, outcome: Outcome) -> u32 {
        let id = u32::try_from(self.states.len()).expect("invariant: states fit in 32 bits");
        self.states.push(PredictionState { configs, outcome });
        self.edges.resize(self.edges.len() + self.inputs, 0);
        id
    }
}

/// Where the alternatives of a decision begin.
pub(super) fn begin(
    network: &Network,
    decision: DecisionId,
    callers: ContextId,
    mode: Mode,
    contexts: &mut Contexts,
    scratch: &mut Scratch,
    set: &mut ConfigSet,
) {
    set.clear();
    scratch.seen.clear();
    for (alternative, &state) in (0..).zip(&network.decisions[decision].alternatives) {
        let config = Config { state, alternative, context: callers, is_unfiltered: false };
        Closure { network, mode, contexts, scratch, set }.add(config);
    }
}

/// Where configurations come by reading an input symbol.
pub(super) fn reach(
    network: &Network,
    from: &[Config],
    symbol: InputId,
    mode: Mode,
    contexts: &mut Contexts,
    scratch: &mut Scratch,
    set: &mut ConfigSet,
) {
    let mut reached = std::mem::take(&mut scratch.reached);
    reached.clear();
    for config in from {
        let next = match network.actions[config.state] {
            Action::Read(terminal, next) if network.reads(terminal, symbol) => next,
            Action::ReadEnd(next) if mode.at_end => next,
            // After the end of input nothing follows but itself.
            Action::Return(_) if mode.at_end => config.state,
            _ => continue,
        };
        let state = network.effective[next];
        reached.add(Config { state, is_unfiltered: false, ..*config }, contexts);
    }
    set.clear();
    if !mode.at_end && only_alternative(reached.as_slice()).is_some() {
        std::mem::swap(set, &mut reached);
    } else {
        scratch.seen.clear();
        for &config in reached.as_slice() {
            Closure { network, mode, contexts, scratch, set }.add(config);
        }
        if mode.at_end {
            set.retain(|config| matches!(network.actions[config.state], Action::Return(_)));
        }
    }
    scratch.reached = reached;
}

/// Leaves out alternatives to going on with an operator that come to the same place: an operator that is allowed
/// here is taken here, and not by a caller.
fn filter_precedence(set: &mut ConfigSet) {
    let taken: Map<NetworkStateId, ContextId> = set
        .as_slice()
        .iter()
        .filter(|config| config.alternative == 0)
        .map(|config| (config.state, config.context))
        .collect();
    set.retain(|config| {
        config.alternative == 0
            || config.is_unfiltered
            || taken.get(&config.state) != Some(&config.context)
    });
}

/// Adds everything that configurations come to without reading.
struct Closure<'c> {
    network: &'c Network,
    mode: Mode,
    contexts: &'c mut Contexts,
    scratch: &'c mut Scratch,
    set: &'c mut ConfigSet,
}

impl Closure<'_> {
    /// Adds a configuration and all that follow from it, each with how many calls deeper than the decision's rule it is:
    /// precedences are only compared in that rule itself.
    fn add(&mut self, config: Config) {
        self.visit(config, 0);
        while let Some((config, depth)) = self.scratch.stack.pop() {
            self.expand(config, depth);
        }
    }

    fn visit(&mut self, config: Config, depth: i32) {
        let config = Config { state: self.network.effective[config.state], ..config };
        // What left the decision's rule never comes back to it.
        let depth = if self.mode.precedence.is_some() { depth.max(-1) } else { 0 };
        if self.scratch.seen.insert((config, depth)) {
            self.scratch.stack.push((config, depth));
        }
    }

    fn expand(&mut self, config: Config, depth: i32) {
        let network = self.network;
        match network.actions[config.state] {
            Action::Read(..) => self.set.add(config, self.contexts),
            Action::ReadEnd(next) => {
                self.set.add(config, self.contexts);
                if self.mode.at_end {
                    self.visit(Config { state: next, ..config }, depth);
                }
            }
            Action::Call(rule, _, next) => {
                let return_state = network.effective[next].index();
                let return_state = u32::try_from(return_state).expect("invariant: states fit");
                let context = self.contexts.push(return_state, config.context);
                let depth = if depth >= 0 { depth + 1 } else { depth };
                self.visit(Config { state: network.rules[rule].start, context, ..config }, depth);
            }
            Action::Decide(decision) => {
                let of = &network.decisions[decision];
                let is_skipped = of.is_operator_loop && self.is_repeated_by_callers(config);
                for &state in of.alternatives[usize::from(is_skipped)..].iter().rev() {
                    self.visit(Config { state, ..config }, depth);
                }
            }
            Action::Require(precedence, next) => {
                let is_allowed = match self.mode.precedence {
                    Some(least) if depth == 0 => precedence >= least,
                    _ => true,
                };
                if is_allowed {
                    self.visit(Config { state: next, ..config }, depth);
                }
            }
            Action::Return(rule) => self.leave(config, depth, rule),
            other => unreachable!("invariant: {other:?} is passed over"),
        }
    }

    /// Goes on after the calls that a configuration came from.
    fn leave(&mut self, config: Config, depth: i32, rule: NetworkRuleId) {
        for at in 0..self.contexts.entries(config.context).len() {
            let (state, context) = self.contexts.entries(config.context)[at];
            if state != END {
                let state = NetworkStateId::from_index(state as usize);
                self.visit(Config { state, context, ..config }, depth - 1);
                continue;
            }
            let context = Contexts::empty();
            let follows = &self.network.follows[rule];
            if follows.is_empty() || self.mode.bottom == Bottom::NoCaller {
                self.set.add(Config { context, ..config }, self.contexts);
                continue;
            }
            for follow in follows {
                let is_unfiltered = config.is_unfiltered
                    || (follow.is_outermost && self.mode.operator_rule == Some(rule));
                let next = Config { state: follow.state, context, is_unfiltered, ..config };
                self.visit(next, depth - 1);
            }
        }
    }

    /// Whether all callers of a left-recursive rule come to the same decision about operators next, so that it need
    /// not be taken twice.
    fn is_repeated_by_callers(&self, config: Config) -> bool {
        self.contexts.entries(config.context).iter().all(|&(state, _)| {
            state != END && NetworkStateId::from_index(state as usize) == config.state
        })
    }
}
