//! Regular expressions over sets of characters: plain ones as phrases, those with intersection or
//! complement as the states of their automata, one rule each.

use gramercy_base::{Id, LimitReached};
use gramercy_regular::{CharSet, Dfa, Regex};

use super::expand::{Budget, repeated};
use super::phrase::{Branch, Phrase};

/// Whether an expression can be written without an automaton.
pub(super) fn is_plain(regex: &Regex) -> bool {
    match regex {
        Regex::Nothing | Regex::Empty | Regex::Chars(_) => true,
        Regex::Concat(parts) | Regex::Union(parts) => parts.iter().all(is_plain),
        Regex::Repeat { inner, .. } => is_plain(inner),
        Regex::Intersection(_) | Regex::Complement(_) => false,
    }
}

/// The sets of a plain expression.
pub(super) fn sets(regex: &Regex, into: &mut Vec<CharSet>) {
    match regex {
        Regex::Nothing | Regex::Empty => {}
        Regex::Chars(set) => into.push(set.clone()),
        Regex::Concat(parts) | Regex::Union(parts) | Regex::Intersection(parts) => {
            parts.iter().for_each(|part| sets(part, into));
        }
        Regex::Complement(inner) | Regex::Repeat { inner, .. } => sets(inner, into),
    }
}

/// The letters of expressions.
pub(super) trait Letters {
    /// The remaining budget.
    fn budget(&mut self) -> &mut Budget;
    /// Any character of a set.
    fn any_of(&mut self, set: &CharSet) -> Phrase;
}

/// A plain expression as a phrase.
pub(super) fn phrase(regex: &Regex, letters: &mut dyn Letters) -> Result<Phrase, LimitReached> {
    let all = |parts: &[Regex], letters: &mut dyn Letters| {
        parts.iter().map(|part| phrase(part, letters)).collect::<Result<Vec<_>, _>>()
    };
    match regex {
        Regex::Nothing => Ok(letters.any_of(&CharSet::empty())),
        Regex::Empty => Ok(Phrase::Empty),
        Regex::Chars(set) => Ok(letters.any_of(set)),
        Regex::Concat(parts) => Ok(Phrase::sequence(all(parts, letters)?)),
        Regex::Union(parts) if parts.is_empty() => Ok(letters.any_of(&CharSet::empty())),
        Regex::Union(parts) => Ok(Phrase::choice(all(parts, letters)?)),
        Regex::Repeat { inner, min, max } => {
            let body = phrase(inner, letters)?;
            repeated(body, (*min, *max), true, letters.budget())
        }
        Regex::Intersection(_) | Regex::Complement(_) => {
            unreachable!("invariant: only plain expressions are phrases")
        }
    }
}

/// An automaton as rules with these names, one for each state; the first is the start.
pub(super) fn states(
    dfa: &Dfa,
    names: &[String],
    mut any_of: impl FnMut(&CharSet) -> Phrase,
) -> Vec<Vec<Branch>> {
    let state = |state| {
        let mut branches: Vec<_> = dfa
            .transitions(state)
            .map(|(set, target)| {
                let next = Phrase::atom(&names[target.index()]);
                Branch::plain(Phrase::Sequence(vec![any_of(&set), next]))
            })
            .collect();
        if dfa.is_accepting(state) {
            branches.push(Branch::plain(Phrase::Empty));
        }
        if branches.is_empty() {
            branches.push(Branch::plain(any_of(&CharSet::empty())));
        }
        branches
    };
    dfa.states().map(state).collect()
}
