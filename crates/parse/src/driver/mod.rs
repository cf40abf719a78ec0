//! The parser's driver: LR while there is one thing to do, generalized LR where there are several.
//!
//! With one stack and one action the driver is a plain LR parser (after McPeak and Necula, "Elkhound", CC 2004):
//! [`alone`]. Otherwise a whole [`level`] is worked off with a graph-structured stack: every
//! reduction along every path, and again along the paths through any edge that is added later, which
//! makes empty rules, hidden left recursion and cycles come out right (Nozohoor-Farshi's correction
//! of Tomita). Paths into earlier levels, which never change, are followed once ([`below`]): no input
//! costs more than cubic time.
//!
//! An LR parser may reduce before it notices an error but never shifts a wrong token, so the first
//! token that no stack can shift is the exact place of the error; the grammar must be reduced.

mod alone;
mod below;
mod level;

use gramercy_grammar::{Cfg, ProductionId};
use gramercy_lr::{Automaton, StateId};

use crate::budget::Budget;
use crate::build::Build;
use crate::stacks::{StackMark, Stacks, VertexId};
use crate::tables::{Action, InputId, Inputs, Tables};

use alone::Alone;
use below::{Below, BelowMark};
use level::Level;

/// The grammar, its automaton and its alphabet: what all parses share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine<'m> {
    pub(crate) cfg: &'m Cfg,
    pub(crate) automaton: &'m Automaton,
    pub(crate) inputs: &'m Inputs,
}

/// A parse under way.
#[derive(Debug)]
pub(crate) struct Driver<'m, B: Build> {
    machine: Machine<'m>,
    tables: &'m mut Tables,
    stacks: Stacks<B::Value>,
    build: B,
    /// The tops of all stacks after the last token.
    tops: Vec<VertexId>,
    level: u32,
    /// What is known about the level while it has several stacks.
    now: Level<B::Value>,
    below: Below<B::Value>,
    /// The children of a reduction.
    children: Vec<B::Value>,
    /// The tops before a token that is tried.
    before: Vec<VertexId>,
    budget: Budget,
}

/// What a driver works with, used again by the next one.
#[derive(Clone, Debug)]
pub(crate) struct Memory<V> {
    stacks: Stacks<V>,
    tops: Vec<VertexId>,
    now: Level<V>,
    below: Below<V>,
    children: Vec<V>,
}

impl<V> Default for Memory<V> {
    fn default() -> Self {
        Self {
            stacks: Stacks::default(),
            tops: Vec::new(),
            now: Level::default(),
            below: Below::default(),
            children: Vec::new(),
        }
    }
}

/// What a driver was at some token.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint<M> {
    level: u32,
    tops: Vec<VertexId>,
    stacks: StackMark,
    build: M,
    below: BelowMark,
}

/// No stack can shift the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

impl<'m, B: Build> Driver<'m, B> {
    pub(crate) fn new(
        machine: Machine<'m>,
        tables: &'m mut Tables,
        build: B,
        memory: Memory<B::Value>,
    ) -> Self {
        let Memory { mut stacks, mut tops, now, mut below, children } = memory;
        tops.clear();
        tops.push(stacks.restart(machine.automaton.initial()));
        below.restart();
        let (before, budget) = (Vec::new(), Budget::unlimited());
        let level = 0;
        Self { machine, tables, stacks, build, tops, level, now, below, children, before, budget }
    }

    /// The same with limits. Where one is reached, no token can be read any more.
    pub(crate) fn within(mut self, budget: Budget) -> Self {
        self.set_budget(budget);
        self
    }

    /// Sets limits from now on.
    pub(crate) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// What is left of the limits.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// How many steps were taken.
    #[inline]
    pub(crate) fn steps_so_far(&self) -> u64 {
        self.budget.steps_so_far()
    }

    /// Counts a reduction.
    #[inline]
    fn step(&mut self) {
        self.steps(1);
    }

    /// Counts what costs as much as some reductions.
    #[inline]
    fn steps(&mut self, count: u64) {
        if self.budget.steps(count) {
            let memory = self.stacks.memory() + self.below.memory() + self.build.memory();
            // Whether that is too much is asked where the next step would begin.
            let _ = self.budget.check(memory);
        }
    }

    /// Reads a token.
    #[inline]
    pub(crate) fn token(&mut self, input: InputId) -> Result<(), Stuck> {
        self.step();
        if self.budget.is_spent() {
            return Err(Stuck);
        }
        self.build.begin_level();
        if let [top] = self.tops[..] {
            match self.alone(top, input) {
                Alone::Shifted(top) => {
                    self.tops[0] = top;
                    self.level += 1;
                    return Ok(());
                }
                Alone::Stuck => return Err(Stuck),
                Alone::Accepted(_) => unreachable!("invariant: only the end is accepted"),
                Alone::Several(top) => self.share(&[top]),
            }
        } else {
            let tops = std::mem::take(&mut self.tops);
            self.share(&tops);
        }
        self.reduce_all(input);
        self.shift_all(input)
    }

    /// Reads a token, or stays where it is if no stack can shift it.
    pub(crate) fn token_or_stay(&mut self, input: InputId) -> Result<(), Stuck> {
        let mut tops = std::mem::take(&mut self.before);
        tops.clone_from(&self.tops);
        let (stacks, build, below) = (self.stacks.mark(), self.build.mark(), self.below.mark());
        let read = self.token(input);
        if read.is_err() {
            self.tops.clone_from(&tops);
            self.stacks.rewind(stacks);
            self.build.rewind(build);
            self.below.rewind(below);
        }
        self.before = tops;
        read
    }

    /// Reads the end of input: whether the tokens so far are a sentence.
    pub(crate) fn end(&mut self) -> Result<(), Stuck> {
        let end = self.machine.inputs.end();
        if self.budget.is_spent() {
            return Err(Stuck);
        }
        self.build.begin_level();
        if let [top] = self.tops[..] {
            match self.alone(top, end) {
                Alone::Accepted(value) => {
                    self.build.accept(value);
                    return Ok(());
                }
                Alone::Stuck => return Err(Stuck),
                Alone::Shifted(_) => unreachable!("invariant: the end is not shifted"),
                Alone::Several(top) => self.share(&[top]),
            }
        } else {
            let tops = self.tops.clone();
            self.share(&tops);
        }
        self.reduce_all(end);
        self.accept_any(end)
    }

    /// The states of all stacks once every possible reduction was made, whatever comes next: what
    /// they shift is exactly what can come next, because no stack ever leaves the viable prefixes.
    pub(crate) fn viable_states(&mut self) -> Vec<StateId> {
        let tops = self.tops.clone();
        self.build.begin_level();
        self.share(&tops);
        self.reduce_all(self.machine.inputs.anything());
        let vertices = self.now.vertices.iter();
        vertices.map(|&vertex| self.stacks.vertex(vertex).state).collect()
    }

    /// The states of all stacks after the last token.
    pub(crate) fn top_states(&self) -> Vec<StateId> {
        self.tops.iter().map(|&top| self.stacks.vertex(top).state).collect()
    }

    /// The number of tokens read.
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    /// Takes the memory out; the driver must not be used any more.
    pub(crate) fn take_memory(&mut self) -> Memory<B::Value> {
        Memory {
            stacks: std::mem::take(&mut self.stacks),
            tops: std::mem::take(&mut self.tops),
            now: std::mem::take(&mut self.now),
            below: std::mem::take(&mut self.below),
            children: std::mem::take(&mut self.children),
        }
    }

    /// What was built, and the memory.
    pub(crate) fn into_parts(self) -> (B, Memory<B::Value>) {
        let Self { build, stacks, tops, now, below, children, .. } = self;
        (build, Memory { stacks, tops, now, below, children })
    }

    pub(crate) fn checkpoint(&mut self) -> Checkpoint<B::Mark> {
        Checkpoint {
            level: self.level,
            tops: self.tops.clone(),
            stacks: self.stacks.mark(),
            build: self.build.mark(),
            below: self.below.mark(),
        }
    }

    pub(crate) fn resume(&mut self, at: &Checkpoint<B::Mark>) {
        self.level = at.level;
        self.tops.clone_from(&at.tops);
        self.stacks.rewind(at.stacks);
        self.build.rewind(at.build);
        self.below.rewind(at.below);
    }

    fn action(&mut self, state: StateId, input: InputId) -> Action {
        self.tables.action(self.machine.automaton, self.machine.inputs, state, input)
    }

    fn goto(&mut self, below: VertexId, production: ProductionId) -> StateId {
        let lhs = self.machine.cfg.lhs(production);
        let state = self.stacks.vertex(below).state;
        self.tables.goto(self.machine.automaton, self.machine.inputs, state, lhs)
    }
}
