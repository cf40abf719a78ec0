//! The deterministic automaton of a lexer, made state by state when a state is first needed.
//!
//! A state is the list of configurations that the ordered automaton can be in, in the order of
//! preference. Two things keep it exact where plain subset construction would not be (FACTS §7):
//! - the winner of a state is the *first* configuration at the end of a token rule, so the rule
//!   listed first wins, and a state knows its winner and the winner's commands;
//! - once any path of a rule reached the rule's end, later paths *of that rule* that themselves
//!   passed a non-greedy decision are dropped; others live on.
//!
//! Calls are kept as interned stacks. Without recursion there are finitely many states; with it,
//! states are made as the input demands. The table has a row per state and a column per alphabet
//! class, so a known step costs one look-up; making a step costs the configurations it touches.

use gramercy_base::{Id, LimitReached, Map, Set, Table};
use gramercy_grammar::{ModeId, RuleId};
use gramercy_regular::ClassId;

use crate::automaton::{CommandsId, Entry, Lexer, State, StateId};
use crate::effect::Effect;

gramercy_base::define_id!(
    /// Only meaningful with the [`Dfa`] that gave it.
    pub struct DfaStateId, "a state of the lexer's deterministic automaton");
gramercy_base::define_id!(
    /// Equal rules with equal commands are one outcome.
    pub struct OutcomeId, "an outcome: the rule that matched and what it does");
gramercy_base::define_id!(struct StackId, "a stack of calls");
gramercy_base::define_id!(struct PathId, "the commands along a path");

const UNKNOWN: u32 = u32::MAX;
const DEAD: u32 = u32::MAX - 1;

/// One way in which the ordered automaton could have read the text so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Config {
    state: StateId,
    entry: u32,
    calls: Option<StackId>,
    commands: Option<PathId>,
    passed_non_greedy: bool,
}

/// What a match is: the rule, and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The token rule that matched.
    pub rule: RuleId,
    /// What the lexer then does.
    pub effect: Effect,
}

#[derive(Clone, Debug)]
struct DfaState {
    configs: Box<[Config]>,
    mode: ModeId,
    winner: Option<OutcomeId>,
}

/// The states made so far. It grows while it is used, up to a limit; it belongs to one lexer.
#[derive(Clone, Debug)]
pub struct Dfa {
    states: Table<DfaStateId, DfaState>,
    known: Map<(ModeId, Box<[Config]>), DfaStateId>,
    rows: Vec<u32>,
    stride: usize,
    starts: Table<ModeId, Option<DfaStateId>>,
    outcomes: Table<OutcomeId, Outcome>,
    known_outcomes: Map<(RuleId, Option<PathId>), OutcomeId>,
    stacks: Linked<StackId, StateId>,
    paths: Linked<PathId, CommandsId>,
    limit: usize,
}

/// Interned linked lists: equal lists have equal ids.
#[derive(Clone, Debug)]
struct Linked<I: Id, T> {
    cells: Table<I, (Option<I>, T)>,
    known: Map<(Option<I>, T), I>,
}

impl<I: Id, T: Copy + Eq + std::hash::Hash> Linked<I, T> {
    fn new() -> Self {
        Self { cells: Table::new(), known: Map::default() }
    }

    fn push(&mut self, below: Option<I>, top: T) -> I {
        if let Some(&known) = self.known.get(&(below, top)) {
            return known;
        }
        let id = self.cells.push((below, top));
        self.known.insert((below, top), id);
        id
    }

    /// The items, last pushed first.
    fn iter(&self, mut at: Option<I>) -> impl Iterator<Item = T> + '_ {
        std::iter::from_fn(move || {
            let (below, top) = self.cells[at?];
            at = below;
            Some(top)
        })
    }
}

impl Dfa {
    /// No state made yet; at most `limit` will be.
    #[must_use]
    pub fn new(lexer: &Lexer, limit: usize) -> Self {
        Self {
            states: Table::new(),
            known: Map::default(),
            rows: Vec::new(),
            stride: lexer.class_count() + 1,
            starts: Table::filled(None, lexer.modes.len()),
            outcomes: Table::new(),
            known_outcomes: Map::default(),
            stacks: Linked::new(),
            paths: Linked::new(),
            limit,
        }
    }

    /// The state at the beginning of a match in a mode.
    ///
    /// # Errors
    /// If the limit on states is reached.
    pub fn start(&mut self, lexer: &Lexer, mode: ModeId) -> Result<DfaStateId, LimitReached> {
        if let Some(known) = self.starts[mode] {
            return Ok(known);
        }
        let mut closure = Closure::default();
        for (entry, &Entry { start, .. }) in lexer.modes[mode].iter().enumerate() {
            closure.reached_end = false;
            let entry = u32::try_from(entry).expect("invariant: rules fit in 32 bits");
            let (calls, commands, passed_non_greedy) = (None, None, false);
            let config = Config { state: start, entry, calls, commands, passed_non_greedy };
            self.close(lexer, &mut closure, enter(lexer, config), AtEnd::No);
        }
        let start = self.intern(lexer, mode, closure.configs)?;
        self.starts[mode] = Some(start);
        Ok(start)
    }

    /// The state after one more character of an alphabet class; `None` if no rule goes on.
    ///
    /// # Errors
    /// If the limit on states is reached.
    #[inline]
    pub fn step(
        &mut self,
        lexer: &Lexer,
        from: DfaStateId,
        class: usize,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        match self.rows[from.index() * self.stride + class] {
            UNKNOWN => self.make_step(lexer, from, class),
            DEAD => Ok(None),
            known => Ok(Some(DfaStateId::from_index(known as usize))),
        }
    }

    /// The state after the end of input; `None` if no rule asks for it.
    ///
    /// # Errors
    /// If the limit on states is reached.
    pub fn step_eof(
        &mut self,
        lexer: &Lexer,
        from: DfaStateId,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        self.step(lexer, from, lexer.class_count())
    }

    /// What wins if the match ends in this state.
    #[inline]
    #[must_use]
    pub fn winner(&self, state: DfaStateId) -> Option<OutcomeId> {
        self.states[state].winner
    }

    /// What a match is.
    #[must_use]
    pub fn outcome(&self, id: OutcomeId) -> &Outcome {
        &self.outcomes[id]
    }

    /// All outcomes seen so far.
    #[must_use]
    pub fn outcomes(&self) -> &Table<OutcomeId, Outcome> {
        &self.outcomes
    }

    /// The token rules that match if the match ends in this state, the winner first.
    #[must_use]
    pub fn matching_rules(&self, lexer: &Lexer, state: DfaStateId) -> Vec<RuleId> {
        let of = &self.states[state];
        let mut rules = Vec::new();
        for config in of.configs.iter().filter(|config| is_end(lexer, config)) {
            let rule = lexer.modes[of.mode][config.entry as usize].rule;
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }

    /// The number of states made so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no state was made yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    #[cold]
    fn make_step(
        &mut self,
        lexer: &Lexer,
        from: DfaStateId,
        class: usize,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        let (configs, mode) = (self.states[from].configs.clone(), self.states[from].mode);
        let at_end = if class == lexer.class_count() { AtEnd::Yes } else { AtEnd::No };
        let mut closure = Closure::default();
        let mut entry = None;
        for &config in &configs {
            if entry != Some(config.entry) {
                entry = Some(config.entry);
                closure.reached_end = false;
            }
            if closure.reached_end && config.passed_non_greedy {
                continue;
            }
            let next = match (&lexer.states[config.state], at_end) {
                (State::Chars(set, next), AtEnd::No)
                    if lexer.members.contains(*set, ClassId::from_index(class)) =>
                {
                    *next
                }
                (State::Eof(next), AtEnd::Yes) => *next,
                _ => continue,
            };
            let config = enter(lexer, Config { state: next, ..config });
            self.close(lexer, &mut closure, config, at_end);
        }
        let target = match closure.configs.is_empty() {
            true => None,
            false => Some(self.intern(lexer, mode, closure.configs)?),
        };
        let known = target.map_or(DEAD, |id| u32::try_from(id.index()).expect("ids fit"));
        self.rows[from.index() * self.stride + class] = known;
        Ok(target)
    }

    /// Adds all configurations that `config` reaches without reading, in order of preference.
    fn close(&mut self, lexer: &Lexer, closure: &mut Closure, config: Config, at_end: AtEnd) {
        let mut stack = vec![config];
        while let Some(config) = stack.pop() {
            // A second visit could only add what the first one added with more preference.
            if !closure.visited.insert(config) {
                continue;
            }
            let on = |state: &StateId| Config { state: *state, ..config };
            match &lexer.states[config.state] {
                State::Stop => match config.calls {
                    None => {
                        closure.configs.push(config);
                        closure.reached_end = true;
                    }
                    Some(calls) => {
                        let (below, next) = self.stacks.cells[calls];
                        stack.push(enter(lexer, Config { state: next, calls: below, ..config }));
                    }
                },
                State::Chars(..) => closure.add(config),
                State::Eof(next) => match at_end {
                    AtEnd::No => closure.add(config),
                    AtEnd::Yes => {
                        // One end of input serves several.
                        closure.add(config);
                        stack.push(enter(lexer, on(next)));
                    }
                },
                State::Choice { targets, .. } => {
                    stack.extend(targets.iter().rev().map(|target| enter(lexer, on(target))));
                }
                State::Call { rule, next } => {
                    let calls = Some(self.stacks.push(config.calls, *next));
                    let start = lexer.rule_starts[*rule].expect("invariant: rules are compiled");
                    stack.push(enter(lexer, Config { state: start, calls, ..config }));
                }
                State::Commands(list, next) => {
                    // Commands inside called rules are ignored.
                    let commands = match config.calls {
                        None => Some(self.paths.push(config.commands, *list)),
                        Some(_) => config.commands,
                    };
                    stack.push(enter(lexer, Config { commands, ..on(next) }));
                }
            }
        }
    }

    fn intern(
        &mut self,
        lexer: &Lexer,
        mode: ModeId,
        configs: Vec<Config>,
    ) -> Result<DfaStateId, LimitReached> {
        let key = (mode, configs.into_boxed_slice());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.states.len() >= self.limit {
            let what = "states of the lexer's automaton";
            return Err(LimitReached { what, limit: self.limit, option: Some("--max-states") });
        }
        let end = key.1.iter().find(|config| is_end(lexer, config)).copied();
        let winner = end.map(|config| self.outcome_of(lexer, mode, config));
        let configs = key.1.clone();
        let id = self.states.push(DfaState { configs, mode, winner });
        self.rows.resize(self.states.len() * self.stride, UNKNOWN);
        self.known.insert(key, id);
        Ok(id)
    }

    fn outcome_of(&mut self, lexer: &Lexer, mode: ModeId, end: Config) -> OutcomeId {
        let Entry { rule, token, .. } = lexer.modes[mode][end.entry as usize];
        if let Some(&known) = self.known_outcomes.get(&(rule, end.commands)) {
            return known;
        }
        let mut lists: Vec<_> = self.paths.iter(end.commands).collect();
        lists.reverse();
        let commands = lists.iter().flat_map(|&list| lexer.commands[list].iter().copied());
        let id = self.outcomes.push(Outcome { rule, effect: Effect::new(token, commands) });
        self.known_outcomes.insert((rule, end.commands), id);
        id
    }
}

/// Whether the end of input was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtEnd {
    Yes,
    No,
}

/// Configurations in order of preference, while they are gathered.
#[derive(Default)]
struct Closure {
    configs: Vec<Config>,
    visited: Set<Config>,
    /// Whether some configuration of the current rule is at the rule's end.
    reached_end: bool,
}

impl Closure {
    fn add(&mut self, config: Config) {
        if !(self.reached_end && config.passed_non_greedy) {
            self.configs.push(config);
        }
    }
}

/// Remembers that a configuration comes to a non-greedy decision.
fn enter(lexer: &Lexer, config: Config) -> Config {
    let non_greedy = matches!(lexer.states[config.state], State::Choice { non_greedy: true, .. });
    Config { passed_non_greedy: config.passed_non_greedy || non_greedy, ..config }
}

fn is_end(lexer: &Lexer, config: &Config) -> bool {
    config.calls.is_none() && lexer.states[config.state] == State::Stop
}
