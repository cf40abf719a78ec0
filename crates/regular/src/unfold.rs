//! An automaton as the alternatives of a small grammar with one rule per state that has edges, the
//! form in which the k-paths of a regular expression are counted (paper 001, as its tool does it).
//!
//! Each *range* of characters that leads from one state to another is an alternative of its own. A
//! range is written as [`Piece`]s: up to 20 characters as literals, more as eleven or so ranges of
//! a tenth each, so that covering the grammar covers all parts of a large range. Where the target
//! may end the word and may go on, there are two alternatives: first the one that goes on, then the
//! one that ends. A start that accepts adds the empty word, and only the start: the end of a word
//! elsewhere is with the alternatives that lead there.
//!
//! As a grammar, a state is the alternation of its alternatives and, if so, `""`; an alternative is
//! the alternation of its pieces, followed by a reference to the next state. An alternation of one
//! is just that one, so where a state has a single alternative that ends the word, its pieces and
//! `""` are in the same alternation.
//!
//! Cost: linear in the ranges on the edges.

use gramercy_base::{Id, Table, define_id};

use crate::Dfa;
use crate::class_dfa::StateId;

define_id!(pub struct UnfoldedId, "a state of an unfolded automaton");

/// The largest number of characters that are listed one by one.
const MOST_LITERALS: u32 = 20;
/// Into how many parts a larger range is cut, not counting what is left over.
const PARTS: u32 = 10;

/// The states with edges, each of which is to be a rule; the first is the start, with edges or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfolded {
    /// The states in breadth-first order.
    pub states: Table<UnfoldedId, UnfoldedState>,
}

/// The alternatives of one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfoldedState {
    /// Ascending in their characters. There is none if the automaton accepts at most the empty word.
    pub alternatives: Vec<Alternative>,
    /// Whether the empty word is one more alternative, after the others.
    pub or_empty: bool,
}

/// Characters and what follows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// Any of these, ascending; never empty.
    pub pieces: Vec<Piece>,
    /// The state that follows, or `None` at the end of the word.
    pub next: Option<UnfoldedId>,
}

/// Part of a range of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// One code point.
    Literal(u32),
    /// The code points from the first to the last; may be one. All of them may be surrogates, which
    /// no text can hold.
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
        let pieces = pieces(first, last);
        let next = id_of[target];
        if next.is_some() && dfa.is_accepting(target) {
            alternatives.push(Alternative { pieces: pieces.clone(), next });
            alternatives.push(Alternative { pieces, next: None });
        } else {
            alternatives.push(Alternative { pieces, next });
        }
    }
    alternatives
}

/// The longest ranges that lead from `state` to one target, ascending.
fn ranges(dfa: &Dfa, state: StateId) -> Vec<(u32, u32, StateId)> {
    let of_target = |(chars, target): (crate::CharSet, StateId)| {
        chars.ranges().iter().map(|&(first, last)| (first, last, target)).collect::<Vec<_>>()
    };
    let mut ranges: Vec<_> = dfa.transitions(state).flat_map(of_target).collect();
    ranges.sort_unstable();
    ranges
}

fn pieces(first: u32, last: u32) -> Vec<Piece> {
    if last - first < MOST_LITERALS {
        return (first..=last).map(Piece::Literal).collect();
    }
    let length = (last - first) / PARTS;
    let firsts = (first..=last).step_by(length as usize);
    firsts.map(|first| Piece::Range(first, last.min(first + length - 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Piece, Unfolded};
    use crate::Dfa;
    use crate::dialect::brics;
    use gramercy_base::{Id, Limits};

    /// One rule per line: alternatives as pieces and the rule that follows.
    fn show(pattern: &str) -> Vec<String> {
        let dfa = Dfa::minimal(&brics::parse(pattern).unwrap(), &Limits::default()).unwrap();
        let piece = |piece: &Piece| match *piece {
            Piece::Literal(code) => char::from_u32(code).unwrap().to_string(),
            Piece::Range(first, last) => format!("{first}-{last}"),
        };
        let rules = Unfolded::new(&dfa).states;
        let rules = rules.values().map(|rule| {
            let mut parts: Vec<String> = Vec::new();
            for alternative in &rule.alternatives {
                let pieces: Vec<_> = alternative.pieces.iter().map(piece).collect();
                let next = alternative.next.map(|next| format!(" {}", next.index()));
                parts.push(format!("{}{}", pieces.join(","), next.unwrap_or_default()));
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
    fn a_target_that_ends_and_goes_on_gives_two_alternatives() {
        check("a+", &["a 1 | a", "a 1 | a"]);
        check("a*", &["a 0 | a | \"\""]);
        check("ab?", &["a 1 | a", "b"]);
    }

    #[test]
    fn the_start_always_has_a_rule() {
        check("()", &["\"\""]);
        check("[b-a]", &[""]);
        check("a?", &["a | \"\""]);
    }

    #[test]
    fn each_range_is_cut_by_itself() {
        let counts = |pattern| {
            let rule = &show(pattern)[0];
            rule.split('|').map(|part| part.split(',').count()).collect::<Vec<_>>()
        };
        assert_eq!(counts("[^\"\\\\]"), [12, 12, 11]);
        assert_eq!(counts("[0-9A-Fa-f]"), [10, 6, 6]);
    }

    #[test]
    fn long_ranges_are_cut_into_tenths() {
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
