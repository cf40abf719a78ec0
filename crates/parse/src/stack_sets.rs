//! Recognition with sets of stacks that are shared values.
//!
//! A graph-structured stack has a vertex for each state and place, with an edge to every earlier place that it may stand
//! on: the n-th operand of `e '+' e` has n edges, and following the reductions over all of them is cubic. For a verdict it does not
//! matter where a stack was built, only which states are on it. Here a set of stacks is a value
//! ([`Contexts`]): its tops, each with the set below it, and equal sets are one value. Sets of neighbouring places are mostly
//! built from each other by few steps, so that operators and unclosed tags are recognized in linear time.
//!
//! **Example.** `e: e '+' e | 'n'` on `n + n + n`. After the k-th operand the stacks are `e`, `e + e`, … with up to k
//! operands. The set for k is: `e` on top, and below it nothing or `+` on the set for k-1. Each `+` and each `n` makes
//! a few values, however many stacks there are.
//!
//! Values are finite only if no state comes back to itself over nonterminals that derive nothing; for other grammars, and for
//! trees, there is the [`driver`](crate::driver).

use gramercy_analysis::Nullable;
use gramercy_base::{Id, IdSet, Map, Table};
use gramercy_grammar::ProductionId;
use gramercy_lr::{Automaton, StateId};

use crate::budget::Budget;
use crate::contexts::{Bottom, ContextId, Contexts, END};
use crate::driver::Machine;
use crate::tables::{Action, InputId, Tables};

/// A recognizer that has read the beginning of an input.
#[derive(Debug)]
pub(crate) struct StackSets<'m> {
    machine: Machine<'m>,
    tables: &'m mut Tables,
    contexts: Contexts,
    /// The sets below sets.
    popped: Map<ContextId, ContextId>,
    /// The states on top after the last token, each with the stacks below it.
    tops: Vec<(StateId, ContextId)>,
    /// The same with all reductions.
    now: Table<StateId, Option<ContextId>>,
    reached: Vec<StateId>,
    waiting: Vec<StateId>,
    budget: Budget,
}

/// Why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

/// Whether the sets of stacks of a grammar are finite.
pub(crate) fn are_finite(automaton: &Automaton, nullable: &Nullable) -> bool {
    let steps = |state: StateId| {
        automaton.gotos(state).filter(|&(id, _)| nullable.contains(id)).map(|(_, target)| target)
    };
    // States from which only finitely long ways lead over such nonterminals.
    let mut ending: IdSet<StateId> = IdSet::new(automaton.state_count());
    loop {
        let before = ending.len();
        for state in automaton.states() {
            if !ending.contains(state) && steps(state).all(|target| ending.contains(target)) {
                ending.insert(state);
            }
        }
        if ending.len() == automaton.state_count() {
            return true;
        }
        if ending.len() == before {
            return false;
        }
    }
}

impl<'m> StackSets<'m> {
    pub(crate) fn new(machine: Machine<'m>, tables: &'m mut Tables, budget: Budget) -> Self {
        Self {
            machine,
            tables,
            contexts: Contexts::new(Bottom::NoCaller),
            popped: Map::default(),
            tops: vec![(machine.automaton.initial(), Contexts::empty())],
            now: Table::filled(None, machine.automaton.state_count()),
            reached: Vec::new(),
            waiting: Vec::new(),
            budget,
        }
    }

    /// What is left of the limits.
    pub(crate) fn budget(&self) -> Budget {
        self.budget
    }

    /// Reads a token, or stays where it is.
    pub(crate) fn token(&mut self, input: InputId) -> Result<(), Stopped> {
        self.reduce_all(input)?;
        let mut next: Vec<(StateId, ContextId)> = Vec::new();
        for at in 0..self.reached.len() {
            let state = self.reached[at];
            let stacks = self.now[state].expect("invariant: it was reached");
            let below = self.push(state, stacks);
            match self.action(state, input) {
                Action::Shift(target) => next.push((target, below)),
                Action::Several(at) => {
                    let shifts = &self.tables.several(at).shifts;
                    next.extend(shifts.iter().map(|&target| (target, below)));
                }
                Action::Error | Action::Reduce(_) | Action::Accept => {}
            }
        }
        if next.is_empty() {
            return Err(Stopped);
        }
        next.sort_unstable();
        self.tops.clear();
        for (state, below) in next {
            match self.tops.last_mut() {
                Some((last, known)) if *last == state => {
                    *known = self.contexts.merge(*known, below);
                }
                _ => self.tops.push((state, below)),
            }
        }
        Ok(())
    }

    /// Whether what was read is a sentence.
    pub(crate) fn end(&mut self) -> Result<(), Stopped> {
        let end = self.machine.inputs.end();
        self.reduce_all(end)?;
        let is_sentence =
            (0..self.reached.len()).any(|at| match self.action(self.reached[at], end) {
                Action::Accept => true,
                Action::Several(at) => self.tables.several(at).accept,
                Action::Error | Action::Shift(_) | Action::Reduce(_) => false,
            });
        if is_sentence { Ok(()) } else { Err(Stopped) }
    }

    /// The states of all stacks once every possible reduction was made, whatever comes next.
    pub(crate) fn viable_states(&mut self) -> Result<Vec<StateId>, Stopped> {
        self.reduce_all(self.machine.inputs.anything())?;
        Ok(self.reached.clone())
    }

    /// All reductions that the input symbol allows.
    fn reduce_all(&mut self, input: InputId) -> Result<(), Stopped> {
        for state in self.reached.drain(..) {
            self.now[state] = None;
        }
        self.waiting.clear();
        for at in 0..self.tops.len() {
            let (state, below) = self.tops[at];
            self.add(state, below);
        }
        while let Some(state) = self.waiting.pop() {
            if self.budget.step() {
                let popped = self.popped.capacity() * size_of::<(ContextId, ContextId)>();
                let memory = self.contexts.memory() + popped;
                self.budget.check(memory).map_err(|_| Stopped)?;
            }
            match self.action(state, input) {
                Action::Reduce(production) => self.reduce(state, production),
                Action::Several(at) => {
                    for place in 0..self.tables.several(at).reductions.len() {
                        let production = self.tables.several(at).reductions[place];
                        self.reduce(state, production);
                    }
                }
                Action::Error | Action::Shift(_) | Action::Accept => {}
            }
        }
        Ok(())
    }

    fn reduce(&mut self, state: StateId, production: ProductionId) {
        let stacks = self.now[state].expect("invariant: only reached states wait");
        let len = self.machine.cfg.rhs(production).len();
        if len == 0 {
            let below = self.push(state, stacks);
            self.go_on(state, production, below);
            return;
        }
        let mut bases = stacks;
        for _ in 1..len {
            bases = self.pop(bases);
        }
        for at in 0..self.contexts.entries(bases).len() {
            let (base, below) = self.contexts.entries(bases)[at];
            if base != END {
                let on_top = self.contexts.push(base, below);
                self.go_on(StateId::from_index(base as usize), production, on_top);
            }
        }
    }

    /// Adds the state after the left-hand side of a production.
    fn go_on(&mut self, base: StateId, production: ProductionId, below: ContextId) {
        let lhs = self.machine.cfg.lhs(production);
        let (automaton, inputs) = (self.machine.automaton, self.machine.inputs);
        let target = self.tables.goto(automaton, inputs, base, lhs);
        self.add(target, below);
    }

    fn add(&mut self, state: StateId, below: ContextId) {
        let all = match self.now[state] {
            None => {
                self.reached.push(state);
                below
            }
            Some(known) => {
                let all = self.contexts.merge(known, below);
                if all == known {
                    return;
                }
                all
            }
        };
        self.now[state] = Some(all);
        self.waiting.push(state);
    }

    fn push(&mut self, state: StateId, below: ContextId) -> ContextId {
        self.contexts.push(u32::try_from(state.index()).expect("invariant: states fit"), below)
    }

    /// The stacks below the tops of a set.
    fn pop(&mut self, set: ContextId) -> ContextId {
        if let Some(&known) = self.popped.get(&set) {
            return known;
        }
        let mut all: Option<ContextId> = None;
        for at in 0..self.contexts.entries(set).len() {
            let (state, below) = self.contexts.entries(set)[at];
            debug_assert!(state != END, "invariant: no reduction goes below the bottom");
            all = Some(all.map_or(below, |all| self.contexts.merge(all, below)));
        }
        let all = all.expect("invariant: a set has a stack");
        self.popped.insert(set, all);
        all
    }

    fn action(&mut self, state: StateId, input: InputId) -> Action {
        self.tables.action(self.machine.automaton, self.machine.inputs, state, input)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gramercy_base::{Id, Limits};
    use gramercy_formats::{LoadOptions, Memory, load};
    use gramercy_testkit::random::Random;

    use crate::budget::Budget;
    use crate::parser::Parser;
    use crate::tables::InputId;

    fn parser(text: &str) -> Option<Parser> {
        let files = Memory::with("test.y", text);
        let grammar = load(Path::new("test.y"), &files, &LoadOptions::default()).grammar?;
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
        Some(Parser::new(&grammar, &bnf, &Limits::default()).expect("small"))
    }

    /// A small grammar over `'a'`, `'b'` and three rules.
    fn random_grammar(random: &mut Random) -> String {
        let mut text = String::from("%token 'a' 'b'\n%%\n");
        for rule in ["s", "t", "u"] {
            let mut alternatives: Vec<String> = Vec::new();
            for _ in 0..1 + random.below(4) {
                let symbols =
                    (0..random.below(4)).map(|_| *random.pick(&["s", "t", "u", "'a'", "'b'"]));
                alternatives.push(symbols.collect::<Vec<_>>().join(" "));
            }
            text.push_str(&format!("{rule}: 'a' | {};\n", alternatives.join(" | ")));
        }
        text
    }

    /// Compares verdicts, places and expectations on all inputs of up to `most` tokens; `None` where sets are infinite.
    fn compare(parser: &Parser, text: &str, most: u32) -> Option<usize> {
        if !parser.has_stack_sets() {
            return None;
        }
        let (mut workspace, symbols) = (parser.workspace(), parser.inputs().len());
        let mut accepted = 0;
        for len in 0..=most {
            for number in 0..symbols.pow(len) {
                let digit = |at| InputId::from_index(number / symbols.pow(at) % symbols);
                let input: Vec<_> = (0..len).map(digit).collect();
                let plain = parser.recognize(&mut workspace, &input);
                let mut budget = Budget::unlimited();
                let sets = parser.recognize_by_stack_sets(&mut workspace, &input, &mut budget);
                assert_eq!(plain, sets, "{text}\n{input:?}");
                accepted += usize::from(plain.is_ok());
            }
        }
        Some(accepted)
    }

    #[test]
    fn verdicts_are_those_of_the_driver() {
        let grammars = [
            "%%\ne: e '+' e | e '*' e | '(' e ')' | 'n';",
            "%%\ns: s s s | s s | 'n';",
            "%%\nd: | d e; e: '<' | '<' c '>'; c: | c e;",
            "%%\ns: 'i' s | 'i' s 'e' s | 'x';",
        ];
        for text in grammars {
            let parser = parser(text).expect("a grammar");
            assert!(compare(&parser, text, 6).expect("finite sets") > 0, "{text}");
        }
    }

    #[test]
    fn verdicts_on_random_grammars() {
        let mut compared = 0;
        for seed in 0..200 {
            let text = random_grammar(&mut Random(seed));
            let Some(parser) = parser(&text) else { continue };
            compared +=
                usize::from(compare(&parser, &text, 6).is_some_and(|accepted| accepted > 0));
        }
        assert!(compared > 50, "only {compared} grammars were compared");
    }

    #[test]
    fn hidden_left_recursion_has_no_finite_sets() {
        let parser = parser("%%\ns: t s 'a' | 'b'; t: | 'a';").expect("a grammar");
        assert!(!parser.has_stack_sets());
    }
}
