//! The minimal deterministic automaton of a regular expression.
//!
//! It is canonical: states are numbered breadth-first from the start with edges in ascending order
//! of their smallest code point, classes that no state tells apart are one, and no state is dead.
//! So two automata are equal exactly if they accept the same language.
//!
//! Cost: see the steps in [`determinize`](crate::determinize) and [`minimize`](crate::minimize);
//! small expressions take microseconds. No step depends on the number of characters in a set.

use std::iter;

use gramercy_base::{IndexMap, LimitReached, Limits, Map, Table};

use crate::budget::Budget;
use crate::class_dfa::{ClassDfa, Edge, StateId};
use crate::classes::{ClassId, Classes};
use crate::plan::compile;
use crate::{CharSet, Regex};

/// A minimal, partial deterministic automaton. See the [module](self) for what makes it canonical.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    classes: Classes,
    automaton: ClassDfa,
}

impl Dfa {
    /// The automaton of an expression.
    ///
    /// # Errors
    /// If the automaton, or what is needed on the way to it, is larger than the limit on states
    /// allows.
    pub fn minimal(regex: &Regex, limits: &Limits) -> Result<Self, LimitReached> {
        let (classes, automaton) = compile(regex, &mut Budget::new(limits))?;
        Ok(Self::with_coarsest_classes(&classes, &automaton))
    }

    /// Joins the classes that no state tells apart and drops those that lead nowhere.
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

    /// The state in which reading begins.
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

    /// The classes of characters that the edges are over.
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

    /// The states that follow a state, each with all characters that lead there, in ascending order
    /// of their smallest code point.
    pub fn transitions(&self, state: StateId) -> impl Iterator<Item = (CharSet, StateId)> + '_ {
        let mut by_target: IndexMap<StateId, Vec<ClassId>> = IndexMap::default();
        for edge in self.edges(state) {
            by_target.entry(edge.target).or_default().push(edge.class);
        }
        by_target.into_iter().map(|(target, same)| (self.classes.union(&same), target))
    }

    /// The state after reading a code point, if any word goes on with it.
    #[must_use]
    pub fn step(&self, state: StateId, code: u32) -> Option<StateId> {
        self.automaton.step(state, self.classes.get(code)?)
    }

    /// Whether the whole of `text` is a word of the language.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let end = text.chars().try_fold(self.start(), |state, c| self.step(state, c.into()));
        end.is_some_and(|state| self.is_accepting(state))
    }

    /// Whether there is no word at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.automaton.is_empty()
    }

    /// Whether the empty word is in the language.
    #[must_use]
    pub fn accepts_empty(&self) -> bool {
        self.is_accepting(self.start())
    }

    /// Whether the language has finitely many words: every state is on the way to one, so any cycle
    /// makes them infinitely many.
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
