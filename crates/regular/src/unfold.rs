//! An automaton as a small grammar with one rule per state that has edges. In this representation
//! the k-paths of a regular expression are counted (Havrikov, Kampmann, Zeller, TOSEM, as their
//! tool Tribble does it).
//!
//! Each *range* of characters that leads from one state to another is a separate alternative. A
//! range is a list of [`CharAtom`]s: up to 20 characters as literals, a larger range as about
//! eleven ranges of a tenth each, so that covering the grammar covers all parts of a large range.
//! If the target accepts and has edges, there are two alternatives: the first one continues, the
//! second one ends the word. If the start accepts, it also has the empty word as an alternative. No
//! other state has: alternatives that end the word are with the states before.
//!
//! As a grammar, a state is the alternation of its alternatives and possibly `""`; an alternative
//! is the alternation of its atoms, followed by a reference to the next state. An alternation of
//! one element is that element, so if a state has a single alternative that ends the word, its
//! atoms and `""` are in the same alternation.
//!
//! Example: `a[bc]*` becomes `S := "a" T | "a" ; T := ("b" | "c") T | "b" | "c" ;`, where the last
//! two are one alternative of T.
//!
//! Cost: linear in the ranges on the edges.

use gramercy_base::{Id, Table, define_id};

use crate::Dfa;
use crate::class_dfa::StateId;

define_id!(pub struct UnfoldedId, "a state of an unfolded automaton");

/// The largest range whose characters are listed one by one.
const MOST_LITERALS: u32 = 20;
/// The number of equal parts of a larger range, without the remainder.
const PARTS: u32 = 10;

/// The states with edges, each of which becomes a rule; the first is the start, even if it has no
/// edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded {
    /// The states in breadth-first order.
    pub states: Table<UnfoldedId, UnfoldedState>,
}

/// The alternatives of one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedState {
    /// In ascending order of their characters. Empty if the automaton accepts at most the empty
    /// word.
    pub alternatives: Vec<Alternative>,
    /// Whether the empty word is one more alternative, after the others.
    pub or_empty: bool,
}

/// A choice of characters and the state after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The choices, ascending; never empty.
    pub atoms: Vec<CharAtom>,
    /// The next state, or `None` at the end of the word.
    pub next: Option<UnfoldedId>,
}

/// A character or a range in an unfolded automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharAtom {
    /// One code point.
    Literal(u32),
    /// The code points from the first to the last; may be one. All of them may be surrogates, which
    /// a text cannot contain.
    Range(u32, u32),
}

impl Unfolded {
    /// Unfolds an automaton.
    #[must_use]
    pub fn new(dfa: &Dfa) -> Self {
        let goes_on = |&state: &StateId| state == dfa.start() || !dfa.edges(state).is_empty();
        let mut id_of: Table<StateId, Option<UnfoldedId>> = Table::filled(None, dfa.num_states());
        for (index, state) in dfa.states().filter(goes_on).enumerate() {
            id_of[state] = Some(UnfoldedId::from_index(index));
        }
        let unfold = |state| UnfoldedState {
            alternatives: alternatives(dfa, state, &id_of),
            or_empty: state == dfa.start() && dfa.accepts_empty(),
        };
        Self { states: dfa.states().filter(goes_on).map(unfold).collect() }
    }
}

fn alternatives(
    dfa: &Dfa,
    state: StateId,
    id_of: &Table<StateId, Option<UnfoldedId>>,
) -> Vec<Alternative> {
    let mut alternatives = Vec::new();
    for (first, last, target) in ranges(dfa, state) {
        let atoms = atoms(first, last);
        let next = id_of[target];
        if next.is_some() && dfa.is_accepting(target) {
            alternatives.push(Alternative { atoms: atoms.clone(), next });
            alternatives.push(Alternative { atoms, next: None });
        } else {
            alternatives.push(Alternative { atoms, next });
        }
    }
    alternatives
}

/// The longest ranges from `state` to one target, ascending.
fn ranges(dfa: &Dfa, state: StateId) -> Vec<(u32, u32, StateId)> {
    let of_target = |(chars, target): (crate::CharSet, StateId)| {
        chars.ranges().iter().map(|&(first, last)| (first, last, target)).collect::<Vec<_>>()
    };
    let mut ranges: Vec<_> = dfa.transitions(state).flat_map(of_target).collect();
    ranges.sort_unstable();
    ranges
}

fn atoms(first: u32, last: u32) -> Vec<CharAtom> {
    if last - first < MOST_LITERALS {
        return (first..=last).map(CharAtom::Literal).collect();
    }
    let length = (last - first) / PARTS;
    let firsts = (first..=last).step_by(length as usize);
    firsts.map(|first| CharAtom::Range(first, last.min(first + length - 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::{CharAtom, Unfolded};
    use crate::Dfa;
    use crate::dialect::brics;
    use gramercy_base::{Id, Limits};

    /// One rule per line: alternatives as atoms and the next rule.
    fn show(pattern: &str) -> Vec<String> {
        let dfa = Dfa::minimal(&brics::parse(pattern).unwrap(), &Limits::default()).unwrap();
        let atom = |atom: &CharAtom| match *atom {
            CharAtom::Literal(code) => char::from_u32(code).unwrap().to_string(),
            CharAtom::Range(first, last) => format!("{first}-{last}"),
        };
        let rules = Unfolded::new(&dfa).states;
        let rules = rules.values().map(|rule| {
            let mut parts: Vec<String> = Vec::new();
            for alternative in &rule.alternatives {
                let atoms: Vec<_> = alternative.atoms.iter().map(atom).collect();
                let next = alternative.next.map(|next| format!(" {}", next.index()));
                parts.push(format!("{}{}", atoms.join(","), next.unwrap_or_default()));
            }
            parts.extend(rule.or_empty.then(|| "\"\"".into()));
            parts.join(" | ")
        });
        rules.collect()
    }

    fn check(pattern: &str, expected: &[&str]) {
        assert_eq!(show(pattern), expected, "{pattern}");
    }

    #[test]
    fn a_state_with_edges_is_a_rule() {
        check("ab", &["a 1", "b"]);
        check("a|b|d", &["a,b | d"]);
        check("[ac]b|bb", &["a,b,c 1", "b"]);
        check("ab|cd", &["a 1 | c 2", "b", "d"]);
    }

    #[test]
    fn an_accepting_target_with_edges_gives_two_alternatives() {
        check("a+", &["a 1 | a", "a 1 | a"]);
        check("a*", &["a 0 | a | \"\""]);
        check("ab?", &["a 1 | a", "b"]);
        check("a[bc]*", &["a 1 | a", "b,c 1 | b,c"]);
    }

    #[test]
    fn the_start_always_has_a_rule() {
        check("()", &["\"\""]);
        check("[b-a]", &[""]);
        check("a?", &["a | \"\""]);
    }

    #[test]
    fn each_range_is_divided_separately() {
        let counts = |pattern| {
            let rule = &show(pattern)[0];
            rule.split('|').map(|part| part.split(',').count()).collect::<Vec<_>>()
        };
        assert_eq!(counts("[^\"\\\\]"), [12, 12, 11]);
        assert_eq!(counts("[0-9A-Fa-f]"), [10, 6, 6]);
    }

    #[test]
    fn long_ranges_are_divided_into_tenths() {
        check("[a-t]", &["a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t"]);
        check(
            "[a-u]",
            &[
                "97-98,99-100,101-102,103-104,105-106,107-108,109-110,111-112,113-114,115-116,117-117",
            ],
        );
        let ends = |rule: &str| rule.split(',').count();
        assert_eq!(show(".").iter().map(|rule| ends(rule)).collect::<Vec<_>>(), [11]);
        assert!(show(".")[0].starts_with("0-111410,111411-"));
        assert!(show(".")[0].ends_with(",1114110-1114111"));
    }
}
