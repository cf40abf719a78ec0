//! The minimal deterministic automaton of a regular expression.
//!
//! It is canonical: states are numbered breadth first from the start with edges in ascending order
//! of their smallest code point, classes that all states treat alike are merged, and no state is
//! dead. So two automata are equal exactly if they accept the same language.
//!
//! Cost: that of the subset construction (exponential in the worst case, and then stopped by the
//! limit) and of minimization, n log n. Typical expressions of grammars take microseconds. No step
//! depends on the number of characters in a set.

use std::iter;

use gramercy_base::{IndexMap, LimitReached, Limits, Map, Table};

use crate::budget::Budget;
use crate::class_dfa::{ClassDfa, Edge, StateId};
use crate::classes::{ClassId, Classes};
use crate::plan::compile;
use crate::{CharSet, Regex};

/// A minimal, partial deterministic automaton, canonical as the [module](self) describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    classes: Classes,
    automaton: ClassDfa,
}

impl Dfa {
    /// The automaton of an expression.
    ///
    /// # Errors
    /// If the automaton, or an intermediate automaton, is larger than the limit on states allows.
    pub fn minimal(regex: &Regex, limits: &Limits) -> Result<Self, LimitReached> {
        let (classes, automaton) = compile(regex, &mut Budget::new(limits))?;
        Ok(Self::with_coarsest_classes(&classes, &automaton))
    }

    /// Merges the classes that all states treat alike and drops those without an edge.
    fn with_coarsest_classes(classes: &Classes, automaton: &ClassDfa) -> Self {
        let mut columns: Table<ClassId, Vec<(StateId, StateId)>> =
            Table::filled(Vec::new(), classes.len());
        for state in automaton.states() {
            for edge in automaton.edges(state) {
                columns[edge.class].push((state, edge.target));
            }
        }
        let mut joined: IndexMap<&[(StateId, StateId)], Vec<ClassId>> = IndexMap::default();
        for (class, column) in columns.iter().filter(|(_, column)| !column.is_empty()) {
            joined.entry(column).or_default().push(class);
        }
        let sets: Table<ClassId, CharSet> =
            joined.values().map(|same| classes.union(same)).collect();
        let new_ids: Map<ClassId, ClassId> =
            joined.values().zip(sets.ids()).map(|(same, id)| (same[0], id)).collect();
        let automaton = automaton.with_classes(|class| new_ids.get(&class).copied());
        Self { classes: Classes::new(sets), automaton }
    }

    /// The start state.
    #[must_use]
    pub fn start(&self) -> StateId {
        self.automaton.start()
    }

    /// The number of states.
    #[must_use]
    pub fn num_states(&self) -> usize {
        self.automaton.len()
    }

    /// All states, the start first.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + use<> {
        self.automaton.states()
    }

    /// The classes of characters that label the edges.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Whether a word may end in this state.
    #[must_use]
    pub fn is_accepting(&self, state: StateId) -> bool {
        self.automaton.is_accepting(state)
    }

    /// The edges of a state, one per class, in ascending order of their smallest code point.
    #[must_use]
    pub fn edges(&self, state: StateId) -> &[Edge] {
        self.automaton.edges(state)
    }

    /// The successors of a state, each with all characters that lead to it, in ascending order of
    /// their smallest code point.
    pub fn transitions(&self, state: StateId) -> impl Iterator<Item = (CharSet, StateId)> + '_ {
        let mut by_target: IndexMap<StateId, Vec<ClassId>> = IndexMap::default();
        for edge in self.edges(state) {
            by_target.entry(edge.target).or_default().push(edge.class);
        }
        by_target.into_iter().map(|(target, same)| (self.classes.union(&same), target))
    }

    /// The state after reading a code point, if some word continues with it.
    #[must_use]
    pub fn step(&self, state: StateId, code: u32) -> Option<StateId> {
        self.automaton.step(state, self.classes.get(code)?)
    }

    /// Whether `text` is a word of the language.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let end = text.chars().try_fold(self.start(), |state, c| self.step(state, c.into()));
        end.is_some_and(|state| self.is_accepting(state))
    }

    /// Whether the language is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.automaton.is_empty()
    }

    /// Whether the empty word is in the language.
    #[must_use]
    pub fn accepts_empty(&self) -> bool {
        self.is_accepting(self.start())
    }

    /// Whether the language is finite. Every state can reach an accepting one, so any cycle makes
    /// it infinite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let mut incoming: Table<StateId, usize> = Table::filled(0, self.num_states());
        self.automaton.all_edges().iter().for_each(|edge| incoming[edge.target] += 1);
        let mut ready: Vec<StateId> =
            iter::once(self.start()).filter(|&start| incoming[start] == 0).collect();
        let mut sorted = 0;
        while let Some(state) = ready.pop() {
            sorted += 1;
            for edge in self.edges(state) {
                incoming[edge.target] -= 1;
                if incoming[edge.target] == 0 {
                    ready.push(edge.target);
                }
            }
        }
        sorted == self.num_states()
    }
}

#[cfg(test)]
mod tests {
    use super::Dfa;
    use crate::dialect::{brics, rust};
    use crate::{CharSet, Regex};
    use gramercy_base::{Id, Limits};

    fn dfa(regex: &Regex) -> Dfa {
        Dfa::minimal(regex, &Limits::default()).unwrap()
    }

    fn of(pattern: &str) -> Dfa {
        dfa(&rust::parse(pattern).unwrap())
    }

    /// The states as text: `*` if accepting, then ranges and targets.
    fn show(dfa: &Dfa) -> Vec<String> {
        let show_state = |state| {
            let transitions = dfa.transitions(state).map(|(chars, target)| {
                let ranges: Vec<_> =
                    chars.ranges().iter().map(|r| format!("{:x}-{:x}", r.0, r.1)).collect();
                format!(" {}>{}", ranges.join(","), target.index())
            });
            let mark = if dfa.is_accepting(state) { "*" } else { "" };
            format!("{mark}{}", transitions.collect::<String>())
        };
        dfa.states().map(show_state).collect()
    }

    #[test]
    fn states_and_transitions_are_canonical() {
        let check =
            |pattern, expected: &[&str]| assert_eq!(show(&of(pattern)), expected, "{pattern}");
        check("", &["*"]);
        check("[a&&b]", &[""]);
        check("b|a", &[" 61-62>1", "*"]);
        check("ba|ab", &[" 61-61>1 62-62>2", " 62-62>3", " 61-61>3", "*"]);
        check("[a-c]*b", &[" 61-61,63-63>0 62-62>1", "* 61-61,63-63>0 62-62>1"]);
        check("(?:ab|cb)+", &[" 61-61,63-63>1", " 62-62>2", "* 61-61,63-63>1"]);
    }

    #[test]
    fn facts_about_the_language() {
        let check = |pattern, empty, accepts_empty, finite| {
            let dfa = of(pattern);
            let found = (dfa.is_empty(), dfa.accepts_empty(), dfa.is_finite());
            assert_eq!(found, (empty, accepts_empty, finite), "{pattern}");
        };
        check("", false, true, true);
        check("[a&&b]", true, false, true);
        check("x[a&&b]*", false, false, true);
        check("x[a&&b]+", true, false, true);
        check("a{0,3}|b", false, true, true);
        check("a*", false, true, false);
        check("ba+", false, false, false);
    }

    #[test]
    fn surrogates_are_code_points_like_others() {
        let any = dfa(&Regex::Chars(CharSet::any()));
        assert_eq!(any.step(any.start(), 0xD800).map(Id::index), Some(1));
        let rust = of("(?s).");
        assert_eq!(rust.step(rust.start(), 0xD800), None);
        assert_eq!(any.step(any.start(), 0x11_0000), None);
    }

    #[test]
    fn repetitions_have_the_minimal_number_of_states() {
        let check = |pattern, states| assert_eq!(of(pattern).num_states(), states, "{pattern}");
        check("a{1,1000}", 1001);
        check(".{1,20000}", 20001);
        check("(?:a?){1,1000}", 1001);
        check("(?:a*){2,1000}", 1);
        check("(?:a+){2,1000}", 3);
        check("(?:(?:)){4000000000}", 1);
        check("(?:a|aa){1,100}", 201);
        check("a{3}", 4);
    }

    #[test]
    fn growth_ends_at_the_limit() {
        let check = |pattern, what| {
            let limits = Limits { states: 100_000, ..Limits::default() };
            let error = Dfa::minimal(&brics::parse(pattern).unwrap(), &limits);
            let error = error.unwrap_err().to_string();
            assert!(error.contains(what), "{pattern}: {error}");
        };
        check("((a{1,1000}){1,1000}){1,1000}", "positions");
        check("(a{0,4000000000}){0,4000000000}", "positions");
        check("[ab]*a[ab]{40}", "steps");
        check("~(~([ab]*a[ab]{40})&.*)", "steps");
        let few = Limits { states: 100, ..Limits::default() };
        let multiples = brics::parse("(a{7})*&(a{11})*&(a{13})*").unwrap();
        let error = Dfa::minimal(&multiples, &few).unwrap_err();
        assert_eq!(
            error.to_string(),
            "more than 100 states of the automaton of a regular expression"
        );
    }

    #[test]
    fn deep_trees_do_not_exhaust_the_stack() {
        let wrap = |regex, level| match level % 4 {
            0 => Regex::Complement(Box::new(regex)),
            1 => Regex::Repeat { inner: Box::new(regex), min: 0, max: Some(1) },
            2 => Regex::Union(vec![Regex::literal("b"), regex]),
            _ => Regex::Intersection(vec![regex]),
        };
        let deep = (0..1000).fold(Regex::literal("a"), wrap);
        assert!(dfa(&deep).matches("b"));
    }
}
