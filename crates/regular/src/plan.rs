//! Regular expressions prepared for the construction of a nondeterministic automaton: sets are
//! lists of classes, and the operations that such an automaton cannot express (intersection,
//! complement) are already automata.
//!
//! Two rewritings keep repetitions small. A repetition of an unbounded repetition needs no copies:
//! `(x*){2,9}` is `x*`. And the copies in `x{n,m}` never match the empty word: if `x` is nullable,
//! the language is that of `(x without the empty word){0,m}`, in which the nodes of one copy do not
//! reach all later copies.
//!
//! Cost: linear in the expression, plus the automata of its intersections, its complements and the
//! nullable bodies of its bounded repetitions.

use gramercy_base::{Id, IndexSet, LimitReached, Table};

use crate::budget::Budget;
use crate::class_dfa::ClassDfa;
use crate::classes::{ClassId, Classes, SetId, partition};
use crate::determinize::determinize;
use crate::minimize::minimize;
use crate::nfa::{LabelId, Labels, Nfa};
use crate::{CharSet, Regex};

/// A prepared expression.
pub(crate) enum Plan {
    /// The empty word.
    Empty,
    /// A character of one of the label's classes.
    Chars(LabelId),
    /// A sequence.
    Concat(Vec<Plan>),
    /// A union; the empty language if the list is empty.
    Union(Vec<Plan>),
    /// At least this many repetitions.
    AtLeast(Box<Plan>, u32),
    /// Between these numbers of repetitions of a body that is not nullable.
    Between(Box<Plan>, u32, u32),
    /// The language of an automaton.
    Automaton(ClassDfa),
}

impl Plan {
    const NOTHING: Plan = Plan::Union(Vec::new());

    fn is_nullable(&self) -> bool {
        match self {
            Plan::Empty => true,
            Plan::Chars(_) => false,
            Plan::Concat(parts) => parts.iter().all(Plan::is_nullable),
            Plan::Union(parts) => parts.iter().any(Plan::is_nullable),
            Plan::AtLeast(inner, min) => *min == 0 || inner.is_nullable(),
            Plan::Between(_, min, _) => *min == 0,
            Plan::Automaton(dfa) => dfa.is_accepting(dfa.start()),
        }
    }
}

/// The minimal automaton of an expression, with its classes.
pub(crate) fn compile(
    regex: &Regex,
    budget: &mut Budget,
) -> Result<(Classes, ClassDfa), LimitReached> {
    let mut sets = IndexSet::default();
    collect_sets(regex, &mut sets);
    let partition = partition(sets.iter().copied());
    let mut planner = Planner {
        sets,
        members: partition.members,
        classes: partition.classes.len(),
        labels: Labels::default(),
        budget,
    };
    let dfa = planner.dfa(regex)?;
    Ok((partition.classes, dfa))
}

fn collect_sets<'a>(regex: &'a Regex, sets: &mut IndexSet<&'a CharSet>) {
    match regex {
        Regex::Nothing | Regex::Empty => {}
        Regex::Chars(set) => _ = sets.insert(set),
        Regex::Concat(parts) | Regex::Union(parts) | Regex::Intersection(parts) => {
            parts.iter().for_each(|part| collect_sets(part, sets));
        }
        Regex::Complement(inner) | Regex::Repeat { inner, .. } => collect_sets(inner, sets),
    }
}

struct Planner<'a> {
    sets: IndexSet<&'a CharSet>,
    members: Table<SetId, Vec<ClassId>>,
    classes: usize,
    labels: Labels,
    budget: &'a mut Budget,
}

impl Planner<'_> {
    fn plan(&mut self, regex: &Regex) -> Result<Plan, LimitReached> {
        Ok(match regex {
            Regex::Nothing => Plan::NOTHING,
            Regex::Empty => Plan::Empty,
            Regex::Chars(set) => Plan::Chars(self.label_of(set)),
            Regex::Concat(parts) => Plan::Concat(self.all(parts)?),
            Regex::Union(parts) => Plan::Union(self.all(parts)?),
            Regex::Intersection(parts) => Plan::Automaton(self.intersection(parts)?),
            Regex::Complement(inner) => Plan::Automaton(self.complement(inner)?),
            Regex::Repeat { inner, min, max } => {
                let inner = self.plan(inner)?;
                self.repeat(inner, *min, *max)?
            }
        })
    }

    fn all(&mut self, parts: &[Regex]) -> Result<Vec<Plan>, LimitReached> {
        parts.iter().map(|part| self.plan(part)).collect()
    }

    fn label_of(&mut self, set: &CharSet) -> LabelId {
        let id = self.sets.get_index_of(set).expect("invariant: all sets were collected");
        self.labels.label(&self.members[SetId::from_index(id)])
    }

    fn dfa(&mut self, regex: &Regex) -> Result<ClassDfa, LimitReached> {
        let plan = self.plan(regex)?;
        self.dfa_of(plan)
    }

    fn dfa_of(&mut self, plan: Plan) -> Result<ClassDfa, LimitReached> {
        match plan {
            Plan::Automaton(dfa) => Ok(dfa),
            plan => {
                let nfa = Nfa::new(&plan, &mut self.labels, self.budget)?;
                Ok(minimize(&determinize(&nfa, &self.labels, self.budget)?))
            }
        }
    }

    fn complement(&mut self, inner: &Regex) -> Result<ClassDfa, LimitReached> {
        Ok(minimize(&self.dfa(inner)?.complement(self.classes, self.budget)?))
    }

    /// The intersection of an empty list is the language of all words.
    fn intersection(&mut self, parts: &[Regex]) -> Result<ClassDfa, LimitReached> {
        let Some((first, rest)) = parts.split_first() else {
            return self.complement(&Regex::Nothing);
        };
        let first = self.dfa(first)?;
        rest.iter().try_fold(first, |common, part| {
            let part = self.dfa(part)?;
            Ok(minimize(&common.product(&part, self.budget)?))
        })
    }

    fn repeat(&mut self, inner: Plan, min: u32, max: Option<u32>) -> Result<Plan, LimitReached> {
        if max.is_some_and(|max| max < min) {
            return Ok(Plan::NOTHING);
        }
        let nullable = inner.is_nullable();
        let min = if nullable { 0 } else { min };
        Ok(match (inner, max) {
            (_, Some(0)) => Plan::Empty,
            (Plan::AtLeast(body, 0 | 1), _) => Plan::AtLeast(body, min),
            (inner, None) => Plan::AtLeast(Box::new(inner), min),
            (inner, Some(max)) if nullable => self.nonempty_copies(inner, max)?,
            (inner, Some(max)) => Plan::Between(Box::new(inner), min, max),
        })
    }

    /// Up to `max` words of `inner` without the empty word.
    fn nonempty_copies(&mut self, inner: Plan, max: u32) -> Result<Plan, LimitReached> {
        let once = self.dfa_of(inner)?.without_empty();
        Ok(if once.is_empty() {
            Plan::Empty
        } else {
            Plan::Between(Box::new(Plan::Automaton(once)), 0, max)
        })
    }
}
