//! Words of a regular expression's automaton: the shortest, some that cover its edges, random ones.
//!
//! Cost: a breadth-first search forwards and one backwards, then linear in the words.

use std::collections::VecDeque;

use gramercy_base::Table;
use gramercy_regular::{ClassId, Dfa, Edge, StateId};

use crate::alphabet::{Alphabet, CharKind, Pick, picks};
use gramercy_base::Draw;

/// How many words are made to cover an automaton.
const MAX_WORDS: usize = 24;

/// Words that go over every edge of an automaton, the shortest first, as far as a few words can.
pub(crate) fn covering(dfa: &Dfa, alphabet: &Alphabet) -> Vec<String> {
    let offers: Table<ClassId, Box<[Pick]>> =
        dfa.classes().iter().map(|(_, set)| picks(set, alphabet)).collect();
    let before = prefixes(dfa, &offers);
    let after = suffixes(dfa, &offers);
    let mut words: Vec<String> = after[dfa.start()].iter().cloned().collect();
    for state in dfa.states() {
        for edge in dfa.edges(state) {
            let Some(pick) = offers[edge.class].first() else { continue };
            if let (Some(before), Some(after)) = (&before[state], &after[edge.target]) {
                words.push(format!("{before}{}{after}", pick.c));
            }
        }
    }
    words.sort_by_key(|word| word.chars().count());
    words.dedup();
    words.truncate(MAX_WORDS);
    words
}

/// A shortest text to each state.
fn prefixes(dfa: &Dfa, offers: &Table<ClassId, Box<[Pick]>>) -> Table<StateId, Option<String>> {
    let mut texts = Table::filled(None, dfa.num_states());
    texts[dfa.start()] = Some(String::new());
    let mut queue = VecDeque::from([dfa.start()]);
    while let Some(state) = queue.pop_front() {
        for edge in dfa.edges(state) {
            if let Some(pick) = offers[edge.class].first()
                && texts[edge.target].is_none()
            {
                let text = texts[state].clone().unwrap_or_default();
                texts[edge.target] = Some(text + pick.c.encode_utf8(&mut [0; 4]));
                queue.push_back(edge.target);
            }
        }
    }
    texts
}

/// A shortest text from each state to acceptance.
fn suffixes(dfa: &Dfa, offers: &Table<ClassId, Box<[Pick]>>) -> Table<StateId, Option<String>> {
    let mut incoming: Table<StateId, Vec<(StateId, char)>> =
        Table::filled(Vec::new(), dfa.num_states());
    for state in dfa.states() {
        for edge in dfa.edges(state) {
            if let Some(pick) = offers[edge.class].first() {
                incoming[edge.target].push((state, pick.c));
            }
        }
    }
    let mut texts = Table::filled(None, dfa.num_states());
    let mut queue: VecDeque<_> = dfa.states().filter(|&state| dfa.is_accepting(state)).collect();
    queue.iter().for_each(|&state| texts[state] = Some(String::new()));
    while let Some(state) = queue.pop_front() {
        for &(source, c) in &incoming[state] {
            if texts[source].is_none() {
                let rest = texts[state].clone().unwrap_or_default();
                texts[source] = Some(format!("{c}{rest}"));
                queue.push_back(source);
            }
        }
    }
    texts
}

/// Random words of an automaton, short ones first.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    dfa: Dfa,
    offers: Table<ClassId, Box<[Pick]>>,
    /// How many characters are missing at least, if a word can still be completed.
    distances: Table<StateId, Option<usize>>,
}

/// How much longer than necessary a word is at most.
const MAX_EXTRA: usize = 24;

impl Random {
    pub(crate) fn new(dfa: Dfa, alphabet: &Alphabet) -> Self {
        let offers: Table<_, _> =
            dfa.classes().iter().map(|(_, set)| picks(set, alphabet)).collect();
        let rest = suffixes(&dfa, &offers);
        let distances = rest.map(|_, text| text.as_ref().map(|text| text.chars().count()));
        Self { dfa, offers, distances }
    }

    /// Appends a word to `text`; nothing if there is none.
    pub(crate) fn draw(&self, draw: &mut Draw, text: &mut String) {
        let mut state = self.dfa.start();
        let mut extra = 0;
        while extra < MAX_EXTRA && draw.below(5) > 0 {
            extra += 1;
        }
        let mut left = self.distances[state].unwrap_or(0) + extra;
        while !(self.dfa.is_accepting(state) && (left == 0 || draw.below(4) == 0)) {
            let here = self.distances[state];
            let fits = |to: Option<usize>| to.is_some_and(|to| to < left || Some(to) < here);
            let usable = |edge: &&Edge| {
                !self.offers[edge.class].is_empty() && fits(self.distances[edge.target])
            };
            let edges: Vec<_> = self.dfa.edges(state).iter().filter(usable).collect();
            let Some(edge) = edges.get(draw.below(edges.len())) else { return };
            let offers = &self.offers[edge.class];
            // The odd is left out if there is anything else.
            let kind = offers[0].kind.max(CharKind::Astral);
            let pleasant = offers.partition_point(|pick| pick.kind <= kind);
            text.push(offers[draw.below(pleasant)].c);
            (state, left) = (edge.target, left.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::covering;
    use crate::alphabet::Alphabet;
    use gramercy_base::Limits;
    use gramercy_regular::{Dfa, dialect::brics};

    fn check(regex: &str, expected: &[&str]) {
        let regex = brics::parse(regex).expect("an expression");
        let dfa = Dfa::minimal(&regex, &Limits::default()).expect("an automaton");
        let words = covering(&dfa, &Alphabet::any());
        assert!(words.iter().all(|word| dfa.matches(word)));
        assert_eq!(words, expected);
    }

    #[test]
    fn words_cover_the_edges() {
        check("a|bc*", &["a", "b", "bc"]);
        check("~(.*b.*)&[abc]{1,2}", &["a", "aa"]);
        check("[^a]&a", &[]);
    }
}
