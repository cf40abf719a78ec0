//! Which stacks of calls can read the rest of an input, for every place of the input at once.
//!
//! With its callers known, a decision takes the first alternative that can read the rest of the input. Simulation finds
//! that out by reading ahead, to the end of the input if need be, at every decision: quadratic where each
//! start tag of a page may be closed by any later end tag. Here the input is read once from its end instead. For each
//! place and state of the network, the stacks with which the rest can be read from there are a set of stacks
//! ([`Contexts`]): a state that reads the next token has those of its next state one place later; the
//! end of a rule has, for each place after a call, its stacks with that place on top; a call has the stacks that are left
//! when the return place of the call is removed from those of the rule's start. Then a decision asks whether the real
//! stack is in the set of an alternative ([`StackBlocks`]).
//!
//! The sets are finite only where no rule can end with a call of itself, directly or through others, with nothing left to
//! read after it. Rules of operators do; they are left to simulation, and so are left-recursive ones.
//!
//! **Example.** `doc: el*; el: '<' (el* '>')?;` on `< < >`. From the end: in `el*` of `doc` the stack is empty. Before `>`,
//! inside `el`, a stack is viable if it is viable without this `el` after `>`: exactly the stack of one open element. Before the
//! second `<` two stacks are viable: none open, and one open, whose `>` is taken by either. So the
//! first `<` is opened, and the second, which would need another `>`, is not.
//!
//! Linear in the input where sets of neighbouring places share their structure. Rows are kept for one stretch of the input, and
//! computed again from a later row, so that memory is that of the sets.

use gramercy_base::{Id, IdSet, Table};

use super::network::{Action, Network, NetworkRuleId, NetworkStateId};
use super::stack_blocks::StackBlocks;
use crate::budget::{Budget, InputLimit};
use crate::contexts::{Bottom, ContextId, Contexts};
use crate::tables::InputId;

/// How sets of stacks follow from each other, for all inputs.
#[derive(Clone, Debug)]
pub(super) struct SuffixPlan {
    /// For every state, what follows from its stacks at the same place.
    consequences: Table<NetworkStateId, Vec<Consequence>>,
    /// For every input symbol, the states that read it, each with the state after it.
    readers: Table<InputId, Vec<(NetworkStateId, NetworkStateId)>>,
    /// The state at the end of everything.
    last: NetworkStateId,
}

/// What follows from the stacks of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Consequence {
    /// This state has them too.
    Same(NetworkStateId),
    /// This state has them too at the end of input.
    SameAtEnd(NetworkStateId),
    /// This end of a rule has them with the state on top.
    Pushed(NetworkStateId),
    /// This call has those that have the second state on top, without it.
    Popped(NetworkStateId, u32),
}

/// The stacks of all states at one place, without those that have none.
type Row = Box<[(NetworkStateId, ContextId)]>;

/// The viable stacks of one input.
#[derive(Clone, Debug)]
pub(super) struct Suffixes {
    contexts: Contexts,
    /// The rows after the stretches of the input.
    kept: Vec<Row>,
    /// The rows of a stretch, the last one first.
    rows: Vec<Row>,
    stretch: usize,
    sets: Table<NetworkStateId, Option<ContextId>>,
    touched: Vec<NetworkStateId>,
    waiting: Vec<NetworkStateId>,
    pub(super) blocks: StackBlocks,
}

/// Places of a stretch.
const STRETCH: usize = 1024;

impl SuffixPlan {
    /// The plan of a network; `None` where sets of stacks may be infinite.
    pub(super) fn new(network: &Network, inputs: usize) -> Option<Self> {
        let is_left_recursive = network.rules.iter().any(|(_, rule)| rule.is_left_recursive);
        if is_left_recursive || ends_with_itself(network) {
            return None;
        }
        let mut plan = Self {
            consequences: Table::filled(Vec::new(), network.actions.len()),
            readers: Table::filled(Vec::new(), inputs),
            last: network.effective[NetworkStateId::from_index(2)],
        };
        let mut returns = Table::filled(Vec::new(), network.rules.len());
        for (state, action) in network.actions.iter() {
            if let Action::Return(rule) = *action {
                returns[rule].push(state);
            }
        }
        for (state, action) in network.actions.iter() {
            plan.add(network, &returns, state, *action);
        }
        Some(plan)
    }

    fn add(
        &mut self,
        network: &Network,
        returns: &Table<NetworkRuleId, Vec<NetworkStateId>>,
        state: NetworkStateId,
        action: Action,
    ) {
        let mut follows = |from: NetworkStateId, consequence| {
            let known = &mut self.consequences[network.effective[from]];
            if !known.contains(&consequence) {
                known.push(consequence);
            }
        };
        match action {
            Action::Read(terminal, next) => {
                for input in (0..self.readers.len()).map(InputId::from_index) {
                    if network.reads(terminal, input) {
                        self.readers[input].push((state, network.effective[next]));
                    }
                }
            }
            Action::ReadEnd(next) => follows(next, Consequence::SameAtEnd(state)),
            Action::Require(_, next) => follows(next, Consequence::Same(state)),
            Action::Decide(decision) => {
                for &next in &network.decisions[decision].alternatives {
                    follows(next, Consequence::Same(state));
                }
            }
            Action::Call(rule, _, next) => {
                let behind = network.effective[next];
                let symbol = u32::try_from(behind.index()).expect("invariant: states fit");
                for &end in &returns[rule] {
                    follows(behind, Consequence::Pushed(end));
                }
                follows(network.rules[rule].start, Consequence::Popped(state, symbol));
            }
            _ => {}
        }
    }
}

/// Whether a rule can end with a call of itself, directly or through others.
fn ends_with_itself(network: &Network) -> bool {
    let nullable = network.nullable_rules();
    let mut last_calls = Table::filled(Vec::new(), network.rules.len());
    for (state, action) in network.actions.iter() {
        if let Action::Call(rule, _, next) = *action
            && network.can_return(next, &nullable)
        {
            last_calls[network.owners[state]].push(rule);
        }
    }
    // Rules all of whose last calls are known to come to an end.
    let mut ending: IdSet<NetworkRuleId> = IdSet::new(network.rules.len());
    loop {
        let before = ending.len();
        for (rule, calls) in last_calls.iter() {
            if calls.iter().all(|&called| ending.contains(called)) {
                ending.insert(rule);
            }
        }
        if ending.len() == before {
            return before < network.rules.len();
        }
    }
}

impl Suffixes {
    /// Reads an input from its end.
    pub(super) fn new(
        plan: &SuffixPlan,
        network: &Network,
        input: &[InputId],
        budget: &mut Budget,
    ) -> Result<Self, InputLimit> {
        let mut made = Self {
            contexts: Contexts::new(Bottom::NoCaller),
            kept: vec![Row::default(); input.len() / STRETCH + 1],
            rows: Vec::new(),
            stretch: usize::MAX,
            sets: Table::filled(None, network.actions.len()),
            touched: Vec::new(),
            waiting: Vec::new(),
            blocks: StackBlocks::default(),
        };
        let mut row = made.last_row(plan);
        for place in (0..input.len()).rev() {
            if (place + 1).is_multiple_of(STRETCH) {
                made.kept[place / STRETCH].clone_from(&row);
            }
            if budget.step() {
                budget.check(made.memory())?;
            }
            row = made.row_before(plan, input[place], &row);
        }
        Ok(made)
    }

    /// The stacks with which a state can read the input from a place on.
    pub(super) fn stacks(
        &mut self,
        plan: &SuffixPlan,
        input: &[InputId],
        place: usize,
        state: NetworkStateId,
    ) -> Option<ContextId> {
        let stretch = place / STRETCH;
        if stretch != self.stretch {
            self.fill(plan, input, stretch);
        }
        let end = ((stretch + 1) * STRETCH - 1).min(input.len());
        let row = &self.rows[end - place];
        row.binary_search_by_key(&state, |&(state, _)| state).ok().map(|at| row[at].1)
    }

    /// Whether a real stack is one of a set; the stack was told to the blocks.
    pub(super) fn contains(&mut self, stacks: ContextId) -> bool {
        self.blocks.is_in(&self.contexts, stacks)
    }

    /// The bytes that it takes, roughly.
    pub(super) fn memory(&self) -> usize {
        let kept: usize = self.kept.iter().map(|row| size_of_val(&row[..])).sum();
        self.contexts.memory() + self.blocks.memory() + kept
    }

    /// Makes the rows of a stretch.
    fn fill(&mut self, plan: &SuffixPlan, input: &[InputId], stretch: usize) {
        let begin = stretch * STRETCH;
        let end = begin + STRETCH - 1;
        let mut row = if end < input.len() {
            let behind = std::mem::take(&mut self.kept[stretch]);
            let row = self.row_before(plan, input[end], &behind);
            self.kept[stretch] = behind;
            row
        } else {
            self.last_row(plan)
        };
        self.rows.clear();
        for place in (begin..end.min(input.len())).rev() {
            let before = self.row_before(plan, input[place], &row);
            self.rows.push(std::mem::replace(&mut row, before));
        }
        self.rows.push(row);
        self.stretch = stretch;
    }

    /// The row after the last token.
    fn last_row(&mut self, plan: &SuffixPlan) -> Row {
        self.add(plan.last, Contexts::empty());
        self.complete(plan, End::Here)
    }

    /// The row before a token.
    fn row_before(&mut self, plan: &SuffixPlan, symbol: InputId, behind: &Row) -> Row {
        for &(reader, next) in &plan.readers[symbol] {
            if let Ok(at) = behind.binary_search_by_key(&next, |&(state, _)| state) {
                self.add(reader, behind[at].1);
            }
        }
        self.complete(plan, End::Later)
    }

    /// Adds everything that follows at a place, and takes its row.
    fn complete(&mut self, plan: &SuffixPlan, end: End) -> Row {
        while let Some(state) = self.waiting.pop() {
            let stacks = self.sets[state].expect("invariant: only states with stacks wait");
            for &consequence in &plan.consequences[state] {
                match consequence {
                    Consequence::Same(other) => self.add(other, stacks),
                    Consequence::SameAtEnd(other) if end == End::Here => self.add(other, stacks),
                    Consequence::SameAtEnd(_) => {}
                    Consequence::Pushed(other) => {
                        let symbol = u32::try_from(state.index()).expect("invariant: states fit");
                        let pushed = self.contexts.push(symbol, stacks);
                        self.add(other, pushed);
                    }
                    Consequence::Popped(other, symbol) => {
                        if let Some(popped) = self.contexts.pop(stacks, symbol) {
                            self.add(other, popped);
                        }
                    }
                }
            }
        }
        self.touched.sort_unstable();
        let sets = &mut self.sets;
        let of = |state| (state, sets[state].take().expect("invariant: it was touched"));
        self.touched.drain(..).map(of).collect()
    }

    /// Adds stacks to those of a state.
    fn add(&mut self, state: NetworkStateId, stacks: ContextId) {
        let all = match self.sets[state] {
            None => {
                self.touched.push(state);
                stacks
            }
            Some(known) => {
                let all = self.contexts.merge(known, stacks);
                if all == known {
                    return;
                }
                all
            }
        };
        self.sets[state] = Some(all);
        self.waiting.push(state);
    }
}

/// Where the input ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Here,
    Later,
}
