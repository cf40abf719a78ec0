//! Laws of automata on random expressions, against slow and simple oracles.

use gramercy_base::{Id, Limits, Table};
use gramercy_regular::dialect::{brics, rust};
use gramercy_regular::{CharSet, Dfa, Regex, StateId};
use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::test_runner::{Config, RngSeed};
use proptest::{prop_assert, prop_assert_eq, proptest};

/// The same cases in every run.
fn config() -> Config {
    Config {
        cases: 1000,
        rng_seed: RngSeed::Fixed(2),
        failure_persistence: None,
        ..Config::default()
    }
}

/// The letters of the expressions, and one that no expression contains.
const LETTERS: [char; 4] = ['a', 'b', 'c', 'z'];

fn sets() -> impl Strategy<Value = CharSet> {
    let some = prop::sample::subsequence(vec!['a', 'b', 'c'], 0..=3);
    let some = some.prop_map(|chars| chars.into_iter().collect::<CharSet>());
    prop_oneof![3 => some.clone(), 1 => some.prop_map(|set| set.complement())]
}

fn expressions() -> impl Strategy<Value = Regex> {
    let leaf = prop_oneof![1 => Just(Regex::Nothing), 2 => Just(Regex::Empty), 9 => sets().prop_map(Regex::Chars)];
    leaf.prop_recursive(5, 20, 3, |inner| {
        let some = || prop::collection::vec(inner.clone(), 0..4);
        let bounds = (0u32..4, prop::option::of(0u32..5));
        prop_oneof![
            4 => some().prop_map(Regex::Concat),
            3 => some().prop_map(Regex::Union),
            1 => some().prop_map(Regex::Intersection),
            1 => inner.clone().prop_map(|inner| Regex::Complement(Box::new(inner))),
            3 => (inner, bounds).prop_map(|(inner, (min, max))| {
                Regex::Repeat { inner: Box::new(inner), min, max }
            }),
        ]
    })
}

fn dfa(regex: &Regex) -> Dfa {
    Dfa::minimal(regex, &Limits::default()).expect("small expressions stay within the limits")
}

/// The ends of the matches of `regex` that begin at `start`: bit i is the position before character
/// i.
fn ends(regex: &Regex, word: &[char], start: usize) -> u64 {
    let from_all = |starts: u64, regex: &Regex| {
        let starts = (0..=word.len()).filter(|at| starts & (1 << at) != 0);
        starts.map(|at| ends(regex, word, at)).fold(0, |a, b| a | b)
    };
    let here = 1 << start;
    match regex {
        Regex::Nothing => 0,
        Regex::Empty => here,
        Regex::Chars(set) => {
            let found = word.get(start).is_some_and(|&c| set.contains(c.into()));
            if found { here << 1 } else { 0 }
        }
        Regex::Concat(parts) => parts.iter().fold(here, from_all),
        Regex::Union(parts) => parts.iter().fold(0, |all, part| all | ends(part, word, start)),
        Regex::Intersection(parts) => {
            parts.iter().fold(later(word, start), |all, part| all & ends(part, word, start))
        }
        Regex::Complement(inner) => later(word, start) & !ends(inner, word, start),
        Regex::Repeat { inner, min, max } => {
            let times = |count: u32| (0..count).fold(here, |at, _| from_all(at, inner));
            // More repetitions than characters only repeat the empty word.
            let most = max.unwrap_or(min + u32::try_from(word.len()).expect("words are short"));
            (*min..=most).fold(0, |all, count| all | times(count))
        }
    }
}

/// All positions from `start` on.
fn later(word: &[char], start: usize) -> u64 {
    (1 << (word.len() + 1)) - (1 << start)
}

/// All words of up to `length` letters.
fn words(length: usize) -> Vec<Vec<char>> {
    let mut words = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..length {
        let last = words.len();
        for at in first..last {
            words.extend(LETTERS.map(|letter| [&words[at][..], &[letter]].concat()));
        }
        first = last;
    }
    words
}

/// Whether two states accept the same words, or a state other than a lone start accepts none. Marks
/// pairs that differ, including the missing state, until there are no new ones.
fn has_redundant_states(dfa: &Dfa) -> bool {
    let all: Vec<Option<StateId>> = dfa.states().map(Some).chain([None]).collect();
    let accepts = |state: Option<StateId>| state.is_some_and(|state| dfa.is_accepting(state));
    let index = |state: Option<StateId>| state.map_or(dfa.num_states(), Id::index);
    let codes: Vec<u32> = dfa.classes().iter().map(|(_, set)| set.ranges()[0].0).collect();
    let mut differ = vec![vec![false; all.len()]; all.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let step = |state: Option<StateId>, code| index(state.and_then(|s| dfa.step(s, code)));
            let found = accepts(a) != accepts(b)
                || codes.iter().any(|&code| differ[step(a, code)][step(b, code)]);
            changed |= found && !differ[index(a)][index(b)];
            differ[index(a)][index(b)] |= found;
        }
    }
    let lone = dfa.num_states() == 1;
    let equal = |a: Option<StateId>, b| a != b && !differ[index(a)][index(b)];
    all.iter().any(|&a| all.iter().any(|&b| equal(a, b))) && !(lone && dfa.is_empty())
}

/// Whether some path is longer than any path without a cycle.
fn has_long_path(dfa: &Dfa) -> bool {
    let mut reached: Table<StateId, bool> = Table::filled(false, dfa.num_states());
    reached[dfa.start()] = true;
    for _ in dfa.states() {
        let mut next = Table::filled(false, dfa.num_states());
        for state in dfa.states().filter(|&state| reached[state]) {
            dfa.edges(state).iter().for_each(|edge| next[edge.target] = true);
        }
        reached = next;
    }
    reached.values().any(|&reached| reached)
}

fn complement(regex: &Regex) -> Regex {
    Regex::Complement(Box::new(regex.clone()))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_automaton_matches_what_its_expression_matches(regex in expressions()) {
        let dfa = dfa(&regex);
        for word in words(4) {
            let expected = ends(&regex, &word, 0) & (1 << word.len()) != 0;
            prop_assert_eq!(dfa.matches(&word.iter().collect::<String>()), expected, "{:?}", word);
        }
    }

    #[test]
    fn any_pattern_is_parsed_or_rejected(pattern in "[ab0-2,|&~?*+{}\\[\\]^.\"()\\\\$-]{0,16}") {
        let few = Limits { states: 1000, ..Limits::default() };
        for parse in [brics::parse, rust::parse] {
            match parse(&pattern) {
                Ok(regex) => _ = Dfa::minimal(&regex, &few),
                Err(error) => prop_assert!(pattern.get(error.range.clone()).is_some(), "{error}"),
            }
        }
    }

    #[test]
    fn no_state_is_redundant(regex in expressions()) {
        prop_assert!(!has_redundant_states(&dfa(&regex)));
    }

    #[test]
    fn states_are_numbered_breadth_first(regex in expressions()) {
        let dfa = dfa(&regex);
        let mut next = 1;
        for state in dfa.states() {
            for (chars, target) in dfa.transitions(state) {
                prop_assert!(target.index() <= next);
                next = next.max(target.index() + 1);
                prop_assert!(chars.ranges().iter().all(|&(first, _)| dfa.step(state, first) == Some(target)));
            }
            let firsts: Vec<u32> = dfa.transitions(state).map(|(set, _)| set.ranges()[0].0).collect();
            prop_assert!(firsts.is_sorted());
        }
        prop_assert_eq!(next, dfa.num_states());
    }

    #[test]
    fn finite_is_without_cycles(regex in expressions()) {
        let dfa = dfa(&regex);
        prop_assert_eq!(dfa.is_finite(), !has_long_path(&dfa));
    }

    #[test]
    fn complement_is_an_involution_and_swaps_union_and_intersection(
        a in expressions(), b in expressions()
    ) {
        prop_assert_eq!(dfa(&a), dfa(&complement(&complement(&a))));
        let both = Regex::Intersection(vec![a.clone(), b.clone()]);
        let neither_not = complement(&Regex::Union(vec![complement(&a), complement(&b)]));
        prop_assert_eq!(dfa(&both), dfa(&neither_not));
    }
}
