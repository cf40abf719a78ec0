//! The parser of one grammar over input symbols: token types or classes of characters.

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{Id, IdSet, LimitReached, Limits};
use gramercy_grammar::{Bnf, Cfg, Grammar, NonterminalId, ProductionId, TerminalId};
use gramercy_lr::{Automaton, Construction, Facts, Label, StateId};

use crate::budget::{Budget, InputLimit, InputLimits};
use crate::build::{Build, BuildForest, Recognize};
use crate::core::{Alphabet, Core, NonterminalSource, ProductionSource};
use crate::driver::{Driver, Machine, Memory, Stuck};
use crate::forest::{Child, Forest};
use crate::resume::Recognizer;
use crate::stack_sets::{self, StackSets};
use crate::tables::{self, InputId, Inputs, Tables};

/// The parser of one grammar, frozen.
#[derive(Clone, Debug)]
pub struct Parser {
    core: Core,
    automaton: Automaton,
    /// How many terminals the grammar's syntax has.
    terminals: usize,
    /// Whether sets of stacks can be used to recognize.
    has_stack_sets: bool,
}

/// Tables that grow while they are used, and memory for what is made. They belong to one parser.
#[derive(Clone, Debug)]
pub struct Workspace {
    tables: Tables,
    recognizing: Memory<()>,
    building: Memory<Child>,
    build: BuildForest,
    pub(crate) limits: InputLimits,
}

impl Workspace {
    /// Takes a forest back: the next one is made in its memory, which is faster than new memory.
    pub fn recycle(&mut self, forest: Forest) {
        self.build.recycle(forest);
    }
}

/// Where an input stops being the beginning of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The first input symbol that cannot come; the input's length if the end cannot.
    pub at: usize,
    /// The terminals that could have come there.
    pub expected: IdSet<TerminalId>,
    /// Whether the input could have ended there.
    pub end_expected: bool,
    /// The limit that was reached there, so that nothing is known about the rest.
    pub limit: Option<InputLimit>,
}

/// Why reading stopped at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// It cannot come.
    Stuck,
    /// Another way to recognize is likely to be faster.
    Patience,
    Limit(InputLimit),
}

impl Parser {
    /// The parser of a grammar.
    ///
    /// # Errors
    /// If the automaton grows beyond the limit on states.
    pub fn new(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> Result<Self, LimitReached> {
        Self::with_automaton(grammar, bnf, Construction::Lalr, limits)
    }

    /// The parser of a grammar, with an automaton of the given construction. It reads the same language.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_automaton(
        grammar: &Grammar,
        bnf: &Bnf,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        Self::of_core(Core::new(grammar, bnf, limits)?, bnf, construction, limits)
    }

    /// The parser of strings of the BNF core's own terminals, whatever their texts: terminal i is input symbol i.
    ///
    /// # Errors
    /// If the automaton grows beyond the limit on states.
    pub fn of_terminals(bnf: &Bnf, limits: &Limits) -> Result<Self, LimitReached> {
        Self::of_core(Core::of_terminals(bnf), bnf, Construction::Lalr, limits)
    }

    fn of_core(
        core: Core,
        bnf: &Bnf,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let nullable = Nullable::of(&core.cfg);
        let first = First::of(&core.cfg, &Productive::of(&core.cfg), &nullable);
        let facts = Facts { nullable: &nullable, first: &first };
        let automaton = construction.build(&core.cfg, &facts, limits)?;
        let has_stack_sets = stack_sets::are_finite(&automaton, &nullable);
        Ok(Self { core, automaton, terminals: bnf.terminal_count(), has_stack_sets })
    }

    /// Tables for this parser, empty.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        let tables = Tables::new(&self.core.cfg, &self.automaton, &self.core.inputs);
        let (recognizing, building) = (Memory::default(), Memory::default());
        let (build, limits) = (BuildForest::default(), InputLimits::default());
        Workspace { tables, recognizing, building, build, limits }
    }

    /// The grammar that forests refer to: the BNF core without useless productions, in a
    /// scannerless grammar spelled out in characters.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        &self.core.cfg
    }

    /// The automaton of that grammar.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Where a production of that grammar comes from.
    #[must_use]
    pub fn production_source(&self, id: ProductionId) -> ProductionSource {
        self.core.productions[id]
    }

    /// What a nonterminal of that grammar stands for.
    #[must_use]
    pub fn nonterminal_source(&self, id: NonterminalId) -> NonterminalSource {
        self.core.nonterminals[id]
    }

    /// Whether there is no sentence.
    pub(crate) fn is_empty(&self) -> bool {
        self.core.is_empty
    }

    /// The input symbols.
    #[must_use]
    pub fn inputs(&self) -> &Inputs {
        &self.core.inputs
    }

    /// The input symbol of a character, in a scannerless grammar.
    #[must_use]
    pub fn input_of_char(&self, c: char) -> InputId {
        match &self.core.alphabet {
            Alphabet::Characters(classes) => {
                let class = classes.get(c as u32).expect("invariant: classes are the alphabet");
                InputId::from_index(class.index())
            }
            Alphabet::Tokens => unreachable!("invariant: this grammar reads tokens"),
        }
    }

    /// The input symbol of a token type.
    #[must_use]
    pub fn input_of_token(&self, token: TerminalId) -> InputId {
        InputId::of_token(token)
    }

    /// Whether an input is a sentence.
    ///
    /// # Errors
    /// Where and why it is not.
    pub fn recognize(&self, workspace: &mut Workspace, input: &[InputId]) -> Result<(), Rejection> {
        let mut budget = Budget::new(&workspace.limits);
        self.recognize_within(workspace, input, &mut budget)
    }

    /// Whether an input is a sentence, as far as a budget goes.
    pub(crate) fn recognize_within(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let Workspace { tables, recognizing, .. } = workspace;
        let patience = self.patience(input);
        let (read, _) = self.run(tables, recognizing, input, Recognize, budget, patience);
        match read {
            Ok(()) => Ok(()),
            Err((_, Stop::Patience)) => {
                workspace.recognizing = Memory::default();
                self.recognize_by_stack_sets(workspace, input, budget)
            }
            Err(stopped) => Err(self.rejection(workspace, input, stopped, budget)),
        }
    }

    /// All derivations of an input.
    ///
    /// # Errors
    /// Where and why it is not a sentence.
    pub fn parse(&self, workspace: &mut Workspace, input: &[InputId]) -> Result<Forest, Rejection> {
        let mut budget = Budget::new(&workspace.limits);
        self.parse_within(workspace, input, &mut budget)
    }

    /// All derivations of an input, as far as a budget goes.
    pub(crate) fn parse_within(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        budget: &mut Budget,
    ) -> Result<Forest, Rejection> {
        let Workspace { tables, building, build, .. } = workspace;
        let mut begun = std::mem::take(build);
        begun.restart();
        let (read, mut built) = self.run(tables, building, input, begun, budget, u64::MAX);
        match read {
            Ok(()) => {
                let forest = built.take_forest();
                *build = built;
                Ok(forest)
            }
            Err(stopped) => {
                // What a limit stopped is large, and is given back at once.
                if stopped.1 == Stop::Stuck {
                    *build = built;
                } else {
                    workspace.building = Memory::default();
                }
                Err(self.rejection(workspace, input, stopped, budget))
            }
        }
    }

    /// What could come after an input, or where that stops being the beginning of a sentence.
    #[must_use]
    pub fn reject_at_end(&self, workspace: &mut Workspace, input: &[InputId]) -> Rejection {
        let budget = Budget::new(&workspace.limits);
        self.reject_at_end_within(workspace, input, budget)
    }

    fn reject_at_end_within(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        budget: Budget,
    ) -> Rejection {
        let Some(recognizer) = Recognizer::new(self, workspace) else {
            return self.reject_everything();
        };
        let mut recognizer = recognizer.within(budget);
        let patience = budget.steps_so_far().saturating_add(self.patience(input));
        let mut at = 0;
        while at < input.len() && recognizer.read(input[at]) {
            at += 1;
            if recognizer.steps_so_far() > patience {
                drop(recognizer);
                return self.reject_by_stack_sets(workspace, input, budget);
            }
        }
        if let Some(limit) = recognizer.limit() {
            return self.reached(limit, at);
        }
        let (expected, end_expected) = recognizer.expected();
        Rejection { at, expected, end_expected, limit: None }
    }

    fn reject_by_stack_sets(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        budget: Budget,
    ) -> Rejection {
        let mut sets = StackSets::new(self.machine(), &mut workspace.tables, budget);
        let at = input.iter().take_while(|&&symbol| sets.token(symbol).is_ok()).count();
        match sets.viable_states() {
            Ok(states) if sets.budget().stop().is_none() => {
                let (expected, end_expected) = self.expected_in(&states);
                Rejection { at, expected, end_expected, limit: None }
            }
            _ => {
                let limit = sets.budget().stop();
                self.reached(limit.expect("invariant: only a limit stops reductions"), at)
            }
        }
    }

    /// An input that reached a limit somewhere.
    pub(crate) fn reached(&self, limit: InputLimit, at: usize) -> Rejection {
        Rejection { at, limit: Some(limit), ..self.reject_everything() }
    }

    fn reject_everything(&self) -> Rejection {
        let expected = IdSet::new(self.terminals);
        Rejection { at: 0, expected, end_expected: false, limit: None }
    }

    fn machine(&self) -> Machine<'_> {
        Machine { cfg: &self.core.cfg, automaton: &self.automaton, inputs: &self.core.inputs }
    }

    /// Reads an input; where it stops being the beginning of a sentence, if it does, or where a budget was spent.
    fn run<B: Build>(
        &self,
        tables: &mut Tables,
        memory: &mut Memory<B::Value>,
        input: &[InputId],
        build: B,
        budget: &mut Budget,
        patience: u64,
    ) -> (Result<(), (usize, Stop)>, B) {
        if self.core.is_empty {
            return (Err((0, Stop::Stuck)), build);
        }
        let driver = Driver::new(self.machine(), tables, build, std::mem::take(memory));
        let mut driver = driver.within(*budget);
        let patience = budget.steps_so_far().saturating_add(patience);
        let mut is_patient = true;
        let read_all = input.iter().try_for_each(|&symbol| {
            is_patient = driver.steps_so_far() <= patience;
            if is_patient { driver.token(symbol) } else { Err(Stuck) }
        });
        let read = read_all.and_then(|()| driver.end()).map_err(|_| {
            let stop = match driver.budget().stop() {
                Some(limit) => Stop::Limit(limit),
                None if is_patient => Stop::Stuck,
                None => Stop::Patience,
            };
            (driver.level() as usize, stop)
        });
        *budget = driver.budget();
        let (build, used) = driver.into_parts();
        *memory = used;
        (read, build)
    }

    /// Why reading stopped at a place. Without a limit: what could have come there. The tokens before it are read again,
    /// because a parse does not keep what it would need to go back.
    fn rejection(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        (at, stop): (usize, Stop),
        budget: &Budget,
    ) -> Rejection {
        match stop {
            Stop::Limit(limit) => self.reached(limit, at),
            Stop::Stuck => self.reject_at_end_within(workspace, &input[..at], *budget),
            Stop::Patience => unreachable!("invariant: there is another way to recognize"),
        }
    }

    /// Whether sets of stacks can be used to recognize.
    #[cfg(test)]
    pub(crate) fn has_stack_sets(&self) -> bool {
        self.has_stack_sets
    }

    /// The reductions that plain recognition may take before sets of stacks are tried.
    fn patience(&self, input: &[InputId]) -> u64 {
        const PER_TOKEN: u64 = 32;
        const BASE: u64 = 4096;
        if self.has_stack_sets { PER_TOKEN * input.len() as u64 + BASE } else { u64::MAX }
    }

    /// Whether an input is a sentence, and if not what could have come where it stops being the beginning of one.
    pub(crate) fn recognize_by_stack_sets(
        &self,
        workspace: &mut Workspace,
        input: &[InputId],
        budget: &mut Budget,
    ) -> Result<(), Rejection> {
        let mut sets = StackSets::new(self.machine(), &mut workspace.tables, *budget);
        let at = input.iter().take_while(|&&symbol| sets.token(symbol).is_ok()).count();
        let is_sentence = at == input.len() && sets.end().is_ok();
        let states = if is_sentence { Ok(Vec::new()) } else { sets.viable_states() };
        *budget = sets.budget();
        match (budget.stop(), states) {
            (Some(limit), _) => Err(self.reached(limit, at)),
            _ if is_sentence => Ok(()),
            (None, states) => {
                let states = states.expect("invariant: only a limit stops reductions");
                let (expected, end_expected) = self.expected_in(&states);
                Err(Rejection { at, expected, end_expected, limit: None })
            }
        }
    }

    /// The terminals that these states can go on with, and whether the input can end in one.
    pub(crate) fn expected_in(&self, states: &[StateId]) -> (IdSet<TerminalId>, bool) {
        let (mut expected, mut end_expected) = (IdSet::new(self.terminals), false);
        for &state in states {
            end_expected |= tables::accepts(&self.automaton, state);
            self.expect(state, &mut expected);
        }
        (expected, end_expected)
    }

    /// A driver that recognizes, unless there is no sentence, and the place that takes its memory back.
    pub(crate) fn driver<'p>(
        &'p self,
        workspace: &'p mut Workspace,
    ) -> Option<(Driver<'p, Recognize>, &'p mut Memory<()>)> {
        let Workspace { tables, recognizing, .. } = workspace;
        let memory = std::mem::take(recognizing);
        let driver = Driver::new(self.machine(), tables, Recognize, memory);
        (!self.core.is_empty).then_some((driver, recognizing))
    }

    /// Adds the terminals that a state can go on with. In a scannerless grammar that is every
    /// terminal of which the next character is a part.
    fn expect(&self, state: StateId, expected: &mut IdSet<TerminalId>) {
        for step in self.automaton.transitions(state) {
            let Label::Terminal(shifted) = self.automaton.labels().label(step.label) else {
                continue;
            };
            if matches!(self.core.alphabet, Alphabet::Tokens) {
                expected.insert(shifted);
                continue;
            }
            let items = self.automaton.items();
            for kernel in self.automaton.kernel(step.target) {
                let production = items.production(kernel.item).expect("invariant: not the start");
                let terminal = match self.core.productions[production] {
                    ProductionSource::Spelling(terminal) => Some(terminal),
                    ProductionSource::Bnf(_) => {
                        self.terminal_at(production, items.dot(kernel.item) - 1)
                    }
                };
                expected.insert(terminal.expect("invariant: a terminal was shifted"));
            }
        }
    }

    /// The grammar's terminal at a position of a production of [`cfg`](Self::cfg).
    #[must_use]
    pub fn terminal_at(&self, production: ProductionId, position: usize) -> Option<TerminalId> {
        self.core.terminals[self.core.cfg.positions(production).start + position]
    }
}
