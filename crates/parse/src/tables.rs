//! The parse table, a row at a time: a state's row is made when the state is first met, so that a
//! large grammar costs nothing for the parts of it that an input does not use.
//!
//! A cell is what to do on an *input symbol*: a token type or a class of characters, which may be
//! several terminals at once (a token and the classes of tokens that hold it).

use gramercy_base::{Id, bits};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, TerminalId};
use gramercy_lr::{Automaton, Label, StateId};

gramercy_base::define_id!(
    /// After those of the alphabet come the end of input and *anything*, on which every reduction
    /// is possible.
    pub struct InputId, "an input symbol");

impl InputId {
    /// The input symbol of a token type, where inputs are tokens.
    #[must_use]
    pub fn of_token(token: TerminalId) -> Self {
        Self::from_index(token.index())
    }
}

/// What to do in a state on an input symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing can be done.
    Error,
    /// Go to this state, and nothing else.
    Shift(StateId),
    /// Reduce by this production, and nothing else.
    Reduce(ProductionId),
    /// The input is a sentence, and nothing else can be done.
    Accept,
    /// Several of these.
    Several(u32),
}

/// Several things to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Actions {
    pub(crate) shifts: Vec<StateId>,
    pub(crate) reductions: Vec<ProductionId>,
    pub(crate) accept: bool,
}

const ERROR: u32 = 0;
const SHIFT: u32 = 0;
const REDUCE: u32 = 1;
const ACCEPT: u32 = 2;
const SEVERAL: u32 = 3;

impl Action {
    fn encode(self) -> u32 {
        let tagged = |value: usize, tag: u32| {
            let value = u32::try_from(value).ok().and_then(|value| value.checked_mul(4));
            value.and_then(|value| value.checked_add(tag)).expect("invariant: ids fit in 30 bits")
        };
        match self {
            Action::Error => ERROR,
            // No transition leads to the start state, so a shift is never 0.
            Action::Shift(state) => tagged(state.index(), SHIFT),
            Action::Reduce(production) => tagged(production.index(), REDUCE),
            Action::Accept => ACCEPT,
            Action::Several(at) => tagged(at as usize, SEVERAL),
        }
    }

    #[inline]
    fn decode(code: u32) -> Self {
        let value = (code >> 2) as usize;
        match code & 3 {
            _ if code == ERROR => Action::Error,
            SHIFT => Action::Shift(StateId::from_index(value)),
            REDUCE => Action::Reduce(ProductionId::from_index(value)),
            ACCEPT => Action::Accept,
            _ => Action::Several(code >> 2),
        }
    }
}

/// Which terminals an input symbol is.
#[derive(Clone, Debug)]
pub struct Inputs {
    terminals: Vec<Box<[TerminalId]>>,
}

impl Inputs {
    /// The input symbols, each with the terminals it is; the end of input is added.
    #[must_use]
    pub fn new(terminals: Vec<Box<[TerminalId]>>) -> Self {
        Self { terminals }
    }

    /// The number of input symbols without the end of input.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terminals.len()
    }

    /// Whether there is nothing but the end of input.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terminals.is_empty()
    }

    /// The end of input.
    #[must_use]
    pub fn end(&self) -> InputId {
        InputId::from_index(self.terminals.len())
    }

    /// Anything at all: what a state can reduce by, whatever comes.
    #[must_use]
    pub(crate) fn anything(&self) -> InputId {
        InputId::from_index(self.terminals.len() + 1)
    }

    /// The terminals that an input symbol is; the end of input is none.
    #[must_use]
    pub fn terminals(&self, input: InputId) -> &[TerminalId] {
        self.terminals.get(input.index()).map_or(&[], |terminals| terminals)
    }
}

/// The rows made so far.
#[derive(Clone, Debug)]
pub(crate) struct Tables {
    /// For every state, where its rows begin, plus one; 0 if they were not made.
    rows: Vec<u32>,
    actions: Vec<u32>,
    gotos: Vec<u32>,
    several: Vec<Actions>,
    inputs: usize,
    nonterminals: usize,
}

impl Tables {
    pub(crate) fn new(cfg: &Cfg, automaton: &Automaton, inputs: &Inputs) -> Self {
        Self {
            rows: vec![0; automaton.state_count()],
            actions: Vec::new(),
            gotos: Vec::new(),
            several: Vec::new(),
            inputs: inputs.len() + 2,
            nonterminals: cfg.nonterminal_count(),
        }
    }

    /// What to do in a state on an input symbol.
    #[inline]
    pub(crate) fn action(
        &mut self,
        automaton: &Automaton,
        inputs: &Inputs,
        state: StateId,
        input: InputId,
    ) -> Action {
        let row = self.row(automaton, inputs, state);
        Action::decode(self.actions[row * self.inputs + input.index()])
    }

    /// The list after [`Action::Several`].
    pub(crate) fn several(&self, at: u32) -> &Actions {
        &self.several[at as usize]
    }

    /// Where a state goes on a nonterminal that it expects, once its row was made.
    #[inline]
    pub(crate) fn goto(
        &mut self,
        automaton: &Automaton,
        inputs: &Inputs,
        state: StateId,
        nonterminal: NonterminalId,
    ) -> StateId {
        let row = self.row(automaton, inputs, state);
        let target = self.gotos[row * self.nonterminals + nonterminal.index()];
        StateId::from_index(target as usize)
    }

    #[inline]
    fn row(&mut self, automaton: &Automaton, inputs: &Inputs, state: StateId) -> usize {
        match self.rows[state.index()] {
            0 => self.make_row(automaton, inputs, state),
            known => known as usize - 1,
        }
    }

    #[cold]
    fn make_row(&mut self, automaton: &Automaton, inputs: &Inputs, state: StateId) -> usize {
        let row = self.actions.len() / self.inputs;
        let mut targets = Vec::new();
        self.gotos.resize((row + 1) * self.nonterminals, u32::MAX);
        for step in automaton.transitions(state) {
            match automaton.labels().label(step.label) {
                Label::Terminal(terminal) => targets.push((terminal, step.target)),
                Label::End => {}
                Label::Nonterminal(nonterminal) => {
                    let target = u32::try_from(step.target.index()).expect("invariant: ids fit");
                    self.gotos[row * self.nonterminals + nonterminal.index()] = target;
                }
            }
        }
        for input in (0..self.inputs).map(InputId::from_index) {
            let action = self.cell(automaton, inputs, state, input, &targets);
            self.actions.push(action.encode());
        }
        self.rows[state.index()] = u32::try_from(row + 1).expect("invariant: states fit");
        row
    }

    fn cell(
        &mut self,
        automaton: &Automaton,
        inputs: &Inputs,
        state: StateId,
        input: InputId,
        targets: &[(TerminalId, StateId)],
    ) -> Action {
        let mut actions = Actions::default();
        let terminals = inputs.terminals(input);
        for terminal in terminals {
            if let Ok(at) = targets.binary_search_by_key(terminal, |&(terminal, _)| terminal) {
                actions.shifts.push(targets[at].1);
            }
        }
        let (at_end, anything) = (input == inputs.end(), input == inputs.anything());
        for reduction in automaton.reductions(state) {
            let lookaheads = reduction.lookaheads.map(|id| automaton.lookaheads(id));
            let on = |index| lookaheads.is_none_or(|words| bits::contains(words, index));
            let here = terminals.iter().any(|terminal| on(terminal.index()));
            if here || anything || (at_end && on(automaton.labels().end().index())) {
                actions.reductions.push(reduction.production);
            }
        }
        actions.accept = at_end && accepts(automaton, state);
        match (&actions.shifts[..], &actions.reductions[..], actions.accept) {
            ([], [], false) => Action::Error,
            ([only], [], false) => Action::Shift(*only),
            ([], [only], false) => Action::Reduce(*only),
            ([], [], true) => Action::Accept,
            _ => {
                let at = u32::try_from(self.several.len()).expect("invariant: cells fit");
                self.several.push(actions);
                Action::Several(at)
            }
        }
    }
}

/// Whether an input can end in a state.
pub(crate) fn accepts(automaton: &Automaton, state: StateId) -> bool {
    automaton.step(state, automaton.labels().end()).is_some()
}
