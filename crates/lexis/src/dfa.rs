//! The deterministic automaton of a lexer, made state by state when a state is first needed.
//!
//! A state is the list of configurations that the ordered automaton can be in, in the order of
//! preference. Two things keep it exact where plain subset construction would not be:
//! - the winner of a state is the *first* configuration at the end of a token rule, so the rule
//!   listed first wins, and a state knows its winner and the winner's commands;
//! - once any path of a rule reached the rule's end, later paths *of that rule* that themselves
//!   passed a non-greedy decision are dropped; others live on.
//!
//! Calls are kept as interned stacks. Without recursion there are finitely many states; with it,
//! states are made as the input demands. A call that ends its rule leaves nothing to come back to,
//! so recursion at the end of a rule needs no stack.
//!
//! The table has a row per state and a column per alphabet class, so a known step costs one look-up;
//! making a step costs the configurations it touches.

use std::sync::Arc;

use gramercy_base::{Id, IdSet, IndexSet, LimitReached, Linked, Map, Set, Table};
use gramercy_grammar::{ModeId, RuleId};
use gramercy_regular::ClassId;

use crate::automaton::{CommandsId, Entry, Lexer, State, StateId};
use crate::effect::{Effect, Emission};

gramercy_base::define_id!(
    /// Only meaningful with the [`Dfa`] that gave it.
    pub struct DfaStateId, "a state of the lexer's deterministic automaton");
gramercy_base::define_id!(
    /// Equal rules with equal commands are one outcome.
    pub struct OutcomeId, "an outcome: the rule that matched and what it does");
gramercy_base::define_id!(struct StackId, "a stack of calls");
gramercy_base::define_id!(struct PathId, "the commands along a path");

/// A cell of the table: where a state's row begins, or something special.
///
/// Rows begin some places late, so that the lowest bits of a cell tell the kind of its state and a
/// step needs no masking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell(u32);

impl Cell {
    const WINS: u32 = 1;
    const SPECIAL: u32 = 2;
    const FINAL: u32 = 4;
    /// By how much a row may begin late.
    const LATEST: usize = (Self::WINS | Self::FINAL) as usize;

    pub(crate) const DEAD: Cell = Cell(Self::SPECIAL);
    pub(crate) const UNKNOWN: Cell = Cell(Self::SPECIAL | 8);
    /// The byte is only a part of a character, which has to be put together first.
    pub(crate) const DECODE: Cell = Cell(Self::SPECIAL | 16);

    /// Whether this is not a state, or one after which nothing comes.
    #[inline]
    pub(crate) fn is_end(self) -> bool {
        self.0 & (Self::SPECIAL | Self::FINAL) != 0
    }

    /// Whether this is not a state.
    #[inline]
    pub(crate) fn is_special(self) -> bool {
        self.0 & Self::SPECIAL != 0
    }

    /// Whether some rule matches in this state.
    #[inline]
    pub(crate) fn wins(self) -> bool {
        self.0 & Self::WINS != 0
    }

    #[inline]
    fn row(self) -> usize {
        self.0 as usize
    }
}

/// Bounds on memory and time that hold whatever the limit on states is: cells of the table, and
/// configurations of one state and of all states. Only recursive rules come near the latter.
const MAX_CELLS: usize = 1 << 26;
const MAX_CONFIGS_OF_STATE: usize = 1 << 15;
const MAX_CONFIGS: usize = 1 << 23;

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The token rule that matched.
    pub rule: RuleId,
    /// What the lexer then does.
    pub effect: Effect,
}

/// What wins in a state, with all there is to know about most matches at hand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Winner {
    pub(crate) outcome: OutcomeId,
    /// What becomes of the text, if the match names no channel and changes no mode.
    pub(crate) plain: Option<Emission>,
}

impl Winner {
    fn new(outcome: OutcomeId, effect: &Effect) -> Self {
        let plain = effect.channel.is_none() && effect.mode_changes.is_empty();
        Self { outcome, plain: plain.then_some(effect.emission) }
    }
}

#[derive(Clone, Debug)]
struct DfaState {
    configs: Arc<[Config]>,
    mode: ModeId,
    cell: Cell,
}

/// The states made so far. It grows while it is used, up to a limit; it belongs to one lexer.
#[derive(Clone, Debug)]
pub struct Dfa {
    states: Table<DfaStateId, DfaState>,
    winners: Table<DfaStateId, Option<Winner>>,
    known: Map<(ModeId, Arc<[Config]>), DfaStateId>,
    /// Rows of `1 << shift` cells.
    rows: Vec<Cell>,
    shift: u32,
    starts: Table<ModeId, Option<DfaStateId>>,
    outcomes: Table<OutcomeId, Outcome>,
    known_outcomes: Map<Outcome, OutcomeId>,
    stacks: Linked<StackId, StateId>,
    paths: Linked<PathId, CommandsId>,
    configs: usize,
    limit: usize,
    /// Memory that is used again.
    closure: Closure,
}

impl Dfa {
    /// No state made yet; at most `limit` will be.
    #[must_use]
    pub fn new(lexer: &Lexer, limit: usize) -> Self {
        // One column more for the end of input, one for parts of characters, some for late rows.
        let columns = (lexer.class_count() + 2 + Cell::LATEST).next_power_of_two();
        Self {
            states: Table::new(),
            winners: Table::new(),
            known: Map::default(),
            rows: Vec::new(),
            shift: columns.trailing_zeros(),
            starts: Table::filled(None, lexer.modes.len()),
            outcomes: Table::new(),
            known_outcomes: Map::default(),
            stacks: Linked::new(),
            paths: Linked::new(),
            configs: 0,
            limit: limit.min(MAX_CELLS / columns),
            closure: Closure::default(),
        }
    }

    /// The state at the beginning of a match in a mode.
    ///
    /// # Errors
    /// If the limit on states is reached.
    #[inline]
    pub fn start(&mut self, lexer: &Lexer, mode: ModeId) -> Result<DfaStateId, LimitReached> {
        match self.starts[mode] {
            Some(known) => Ok(known),
            None => self.make_start(lexer, mode),
        }
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
        class: ClassId,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        let cell = self.step_cell(lexer, self.cell(from), class.index())?;
        Ok(self.state_of(cell))
    }

    /// The state after one more character; `None` if no rule goes on.
    ///
    /// # Errors
    /// If the limit on states is reached.
    #[inline]
    pub fn step_char(
        &mut self,
        lexer: &Lexer,
        from: DfaStateId,
        c: char,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        let cell = self.step_cell(lexer, self.cell(from), lexer.table.get(c.into()))?;
        Ok(self.state_of(cell))
    }

    /// The state after the end of input; `None` if no rule asks for it.
    ///
    /// # Errors
    /// If the limit on states is reached.
    #[inline]
    pub fn step_eof(
        &mut self,
        lexer: &Lexer,
        from: DfaStateId,
    ) -> Result<Option<DfaStateId>, LimitReached> {
        let cell = self.step_cell(lexer, self.cell(from), lexer.class_count())?;
        Ok(self.state_of(cell))
    }

    /// What wins if the match ends in this state.
    #[inline]
    #[must_use]
    pub fn winner(&self, state: DfaStateId) -> Option<OutcomeId> {
        self.winners[state].map(|winner| winner.outcome)
    }

    /// What a match is.
    #[inline]
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

    /// The classes with which some rule goes on from a state.
    #[must_use]
    pub fn live_classes(&self, lexer: &Lexer, state: DfaStateId) -> IdSet<ClassId> {
        let mut live = IdSet::new(lexer.class_count());
        for config in &*self.states[state].configs {
            if let State::Chars(set, _) = lexer.states[config.state] {
                live.union_with(lexer.members.row(set));
            }
        }
        live
    }

    /// The token rules that could still match in or after a state.
    pub(crate) fn alive_rules(&self, lexer: &Lexer, state: DfaStateId) -> IndexSet<RuleId> {
        let of = &self.states[state];
        of.configs.iter().map(|config| lexer.modes[of.mode][config.entry as usize].rule).collect()
    }

    /// How often one and the same call is open at once, in any configuration of a state: more than
    /// once only in recursive rules.
    pub(crate) fn nesting(&self, state: DfaStateId) -> usize {
        let mut deepest = 0;
        let (mut last, mut open) = (None, Map::<StateId, usize>::default());
        for calls in self.states[state].configs.iter().map(|config| config.calls) {
            // Neighbours often share their calls.
            if calls.is_none() || last == calls {
                continue;
            }
            last = calls;
            open.clear();
            for back in self.stacks.iter(calls) {
                let times = open.entry(back).or_default();
                *times += 1;
                deepest = deepest.max(*times);
            }
        }
        deepest
    }

    /// The number of configurations of all states made so far: what they cost in memory, and about
    /// what they cost in time.
    pub(crate) fn size(&self) -> usize {
        self.configs
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

    /// The cell that leads to a state.
    #[inline]
    pub(crate) fn cell(&self, state: DfaStateId) -> Cell {
        self.states[state].cell
    }

    /// What wins in the state that a cell leads to; nothing if it is special.
    #[inline]
    pub(crate) fn winner_of(&self, cell: Cell) -> Option<Winner> {
        self.winners[self.state_of(cell)?]
    }

    /// The state that a cell leads to; none if it is special.
    #[inline]
    pub(crate) fn state_of(&self, cell: Cell) -> Option<DfaStateId> {
        (!cell.is_special()).then(|| DfaStateId::from_index(cell.row() >> self.shift))
    }

    /// What stands in the table for a step; special cells are to be asked of
    /// [`step_cell`](Self::step_cell).
    #[inline]
    pub(crate) fn peek(&self, from: Cell, column: usize) -> Cell {
        self.rows[from.row() + column]
    }

    /// The cell after a step, which is a state's or [`Cell::DEAD`]. The column is that of a class or
    /// of the end of input.
    #[inline]
    pub(crate) fn step_cell(
        &mut self,
        lexer: &Lexer,
        from: Cell,
        column: usize,
    ) -> Result<Cell, LimitReached> {
        match self.peek(from, column) {
            Cell::UNKNOWN => self.make_step(lexer, from, column),
            known => Ok(known),
        }
    }

    #[cold]
    fn make_start(&mut self, lexer: &Lexer, mode: ModeId) -> Result<DfaStateId, LimitReached> {
        let mut closure = self.take_closure();
        for (entry, &Entry { start, .. }) in lexer.modes[mode].iter().enumerate() {
            closure.reached_end = false;
            let entry = u32::try_from(entry).expect("invariant: rules fit in 32 bits");
            let (calls, commands, passed_non_greedy) = (None, None, false);
            let config = Config { state: start, entry, calls, commands, passed_non_greedy };
            self.close(lexer, &mut closure, enter(lexer, config), AtEnd::No);
        }
        self.closure = closure;
        let start = self.intern(lexer, mode)?;
        self.starts[mode] = Some(start);
        Ok(start)
    }

    #[cold]
    fn make_step(
        &mut self,
        lexer: &Lexer,
        from: Cell,
        column: usize,
    ) -> Result<Cell, LimitReached> {
        let state = self.state_of(from).expect("invariant: steps are made from states");
        let DfaState { configs, mode, .. } = self.states[state].clone();
        self.successors(lexer, &configs, column);
        let target = match self.closure.configs.is_empty() {
            true => Cell::DEAD,
            false => {
                let target = self.intern(lexer, mode)?;
                self.cell(target)
            }
        };
        self.rows[from.row() + column] = target;
        if column < lexer.class_count() {
            // What no configuration tells from this class leads to the same state.
            let row = &mut self.rows[from.row()..];
            for class in same_for_all(lexer, &configs, ClassId::from_index(column)).iter() {
                row[class.index()] = target;
            }
        }
        Ok(target)
    }

    /// Gathers the configurations after one more character of a class, or after the end of input.
    fn successors(&mut self, lexer: &Lexer, configs: &[Config], column: usize) {
        let at_end = if column == lexer.class_count() { AtEnd::Yes } else { AtEnd::No };
        let mut closure = self.take_closure();
        let mut entry = None;
        for &config in configs {
            if entry != Some(config.entry) {
                entry = Some(config.entry);
                closure.reached_end = false;
            }
            if closure.reached_end && config.passed_non_greedy {
                continue;
            }
            let next = match (&lexer.states[config.state], at_end) {
                (State::Chars(set, next), AtEnd::No)
                    if lexer.members.contains(*set, ClassId::from_index(column)) =>
                {
                    *next
                }
                (State::Eof(next), AtEnd::Yes) => *next,
                _ => continue,
            };
            let config = enter(lexer, Config { state: next, ..config });
            self.close(lexer, &mut closure, config, at_end);
        }
        self.closure = closure;
    }

    fn take_closure(&mut self) -> Closure {
        let mut closure = std::mem::take(&mut self.closure);
        closure.configs.clear();
        closure.visited.clear();
        closure.reached_end = false;
        closure
    }

    /// Adds all configurations that `config` reaches without reading, in order of preference.
    fn close(&mut self, lexer: &Lexer, closure: &mut Closure, config: Config, at_end: AtEnd) {
        let mut stack = std::mem::take(&mut closure.stack);
        stack.push(config);
        while let Some(config) = stack.pop() {
            // A second visit could only add what the first one added with more preference. Where
            // commands are, that holds whatever came before: else they could gather without end.
            let commands = match lexer.states[config.state] {
                State::Commands(..) => None,
                _ => config.commands,
            };
            if !closure.visited.insert(Config { commands, ..config }) {
                continue;
            }
            let on = |state: &StateId| enter(lexer, Config { state: *state, ..config });
            match &lexer.states[config.state] {
                State::Stop => match config.calls {
                    None => {
                        closure.configs.push(config);
                        closure.reached_end = true;
                    }
                    Some(calls) => {
                        let (below, next) = self.stacks.get(calls);
                        stack.push(Config { calls: below, ..on(&next) });
                    }
                },
                State::Chars(..) => closure.add(config),
                State::Eof(next) => {
                    closure.add(config);
                    if at_end == AtEnd::Yes {
                        // One end of input serves several.
                        stack.push(on(next));
                    }
                }
                State::Choice { targets, .. } => stack.extend(targets.iter().rev().map(on)),
                State::Call { rule, next } => {
                    let start = lexer.rule_starts[*rule].expect("invariant: rules are compiled");
                    let calls = self.call(lexer, config.calls, *next);
                    stack.push(Config { calls, ..on(&start) });
                }
                State::Commands(list, next) => {
                    // Commands inside called rules are ignored.
                    let commands = match config.calls {
                        None => Some(self.paths.push(config.commands, *list)),
                        Some(_) => config.commands,
                    };
                    stack.push(Config { commands, ..on(next) });
                }
            }
        }
        closure.stack = stack;
    }

    /// The stack after a call that comes back to `next`. If nothing is left to do there, the caller's
    /// own caller is where to come back to; the outermost rule stays, as its commands count.
    fn call(&mut self, lexer: &Lexer, calls: Option<StackId>, next: StateId) -> Option<StackId> {
        match calls {
            Some(_) if lexer.states[next] == State::Stop => calls,
            _ => Some(self.stacks.push(calls, next)),
        }
    }

    /// The state of the configurations gathered last.
    fn intern(&mut self, lexer: &Lexer, mode: ModeId) -> Result<DfaStateId, LimitReached> {
        let key: (_, Arc<[Config]>) = (mode, self.closure.configs.as_slice().into());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let option = Some("--max-states");
        if self.states.len() >= self.limit {
            let what = "states of the lexer's automaton";
            return Err(LimitReached { what, limit: self.limit, option });
        }
        let what = "configurations of the lexer's automaton";
        if key.1.len() > MAX_CONFIGS_OF_STATE {
            return Err(LimitReached { what, limit: MAX_CONFIGS_OF_STATE, option: None });
        }
        if self.configs + key.1.len() > MAX_CONFIGS {
            return Err(LimitReached { what, limit: MAX_CONFIGS, option: None });
        }
        self.configs += key.1.len();
        let end = key.1.iter().find(|config| is_end(lexer, config)).copied();
        let winner = end.map(|config| self.outcome_of(lexer, mode, config));
        let kind = match end {
            Some(_) if key.1.iter().all(|config| is_end(lexer, config)) => Cell::WINS | Cell::FINAL,
            Some(_) => Cell::WINS,
            None => 0,
        };
        let row = u32::try_from(self.rows.len()).expect("invariant: cells are bounded");
        let cell = Cell(row | kind);
        let id = self.states.push(DfaState { configs: Arc::clone(&key.1), mode, cell });
        self.winners
            .push(winner.map(|outcome| Winner::new(outcome, &self.outcomes[outcome].effect)));
        self.rows.resize(self.states.len() << self.shift, Cell::UNKNOWN);
        self.rows[cell.row() + lexer.class_count() + 1] = Cell::DECODE;
        self.known.insert(key, id);
        Ok(id)
    }

    fn outcome_of(&mut self, lexer: &Lexer, mode: ModeId, end: Config) -> OutcomeId {
        let Entry { rule, token, .. } = lexer.modes[mode][end.entry as usize];
        let mut lists: Vec<_> = self.paths.iter(end.commands).collect();
        lists.reverse();
        let commands = lists.iter().flat_map(|&list| lexer.commands[list].iter().copied());
        let outcome = Outcome { rule, effect: Effect::new(token, commands) };
        if let Some(&known) = self.known_outcomes.get(&outcome) {
            return known;
        }
        let id = self.outcomes.push(outcome.clone());
        self.known_outcomes.insert(outcome, id);
        id
    }
}

/// The classes that are in the same sets as `class`, of those sets that configurations wait for.
fn same_for_all(lexer: &Lexer, configs: &[Config], class: ClassId) -> IdSet<ClassId> {
    let mut same = IdSet::all(lexer.class_count());
    let mut done = Set::default();
    for config in configs {
        if let State::Chars(set, _) = lexer.states[config.state]
            && done.insert(set)
        {
            match lexer.members.contains(set, class) {
                true => same.intersect_with(lexer.members.row(set)),
                false => same.subtract(lexer.members.row(set)),
            }
        }
    }
    same
}

/// Whether the end of input was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtEnd {
    Yes,
    No,
}

/// Configurations in order of preference, while they are gathered.
#[derive(Clone, Debug, Default)]
struct Closure {
    configs: Vec<Config>,
    visited: Set<Config>,
    stack: Vec<Config>,
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
