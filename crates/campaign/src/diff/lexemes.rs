//! Lexemes that two lexers read differently.
//!
//! A suite writes each token with a few lexemes, so it rarely has the one character that a change of a token rule is
//! about. The two lexers are compared exactly instead: both automata read the same characters at the same time,
//! beginning in modes of the same name. Where the first one has matched a token and the second one has not matched a
//! token of the same name, the text that led there is a lexeme that only the first one knows. The search is
//! breadth-first, so the shortest such lexeme of each token comes first.
//!
//! Worked example: the old rule is `NAME : [a-z] [a-z_]*`, the new one `NAME : [a-z_]+`. Neither lexer tells `b` from
//! `a`, so the characters to try are `a` and `_`. After `a` both match NAME. After `_` only the new one does: `_` is a
//! new lexeme of NAME. Written with this lexeme, the tests of the new grammar contain a witness of the change.
//!
//! Cost: the pairs of states that are reached, at most [`MAX_PAIRS`] per mode, times the characters that one of both
//! lexers tells apart.

use std::collections::{BTreeMap, VecDeque};

use gramercy_assemble::recipe::TokenLexemes;
use gramercy_base::{Id, Set};
use gramercy_grammar::{Grammar, ModeId};
use gramercy_language::Language;
use gramercy_lexis::{Dfa, DfaStateId, Lexer};

/// Pairs of states that are looked at in one mode.
const MAX_PAIRS: usize = 20_000;
/// States of one automaton.
const MAX_STATES: usize = 50_000;
/// Lexemes of one token.
const MAX_LEXEMES: usize = 3;

/// For each token of a language, shortest lexemes that are none of the token of the same name in another language.
/// Empty if one of them has no lexical rules.
pub(super) fn only_in(language: &Language, other: &Language) -> Vec<TokenLexemes> {
    let (Ok(Some(lexer)), Ok(Some(other_lexer))) = (language.lexer(), other.lexer()) else {
        return Vec::new();
    };
    let mut one = Side::new(language.grammar(), lexer);
    let mut two = Side::new(other.grammar(), other_lexer);
    let characters = representatives(lexer, other_lexer);
    let mut found = BTreeMap::new();
    for (mode, other_mode) in modes(language.grammar(), other.grammar()) {
        search([(&mut one, mode), (&mut two, other_mode)], &characters, &mut found);
    }
    found.into_iter().map(|(token, texts)| TokenLexemes { token, texts }).collect()
}

/// Modes of the same name.
fn modes(one: &Grammar, two: &Grammar) -> Vec<(ModeId, ModeId)> {
    let (Some(one), Some(two)) = (one.lexicon(), two.lexicon()) else { return Vec::new() };
    let pair = |(mode, name): (ModeId, &str)| {
        let same = two.modes.iter().find(|(_, other)| *other.name == *name);
        same.map(|(other, _)| (mode, other))
    };
    one.modes.iter().map(|(id, mode)| (id, &*mode.name)).filter_map(pair).collect()
}

/// A lexer with its automaton.
struct Side<'s> {
    grammar: &'s Grammar,
    lexer: &'s Lexer,
    dfa: Dfa,
}

impl<'s> Side<'s> {
    fn new(grammar: &'s Grammar, lexer: &'s Lexer) -> Self {
        Self { grammar, lexer, dfa: Dfa::new(lexer, MAX_STATES) }
    }

    fn step(&mut self, from: Option<DfaStateId>, c: char) -> Option<DfaStateId> {
        self.dfa.step_char(self.lexer, from?, c).ok().flatten()
    }

    /// The name of the token that is matched in a state. What the parser does not see has none.
    fn matched(&self, state: Option<DfaStateId>) -> Option<&'s str> {
        let outcome = self.dfa.outcome(self.dfa.winner(state?)?);
        let token = outcome.effect.visible_token(None)?;
        Some(&self.grammar.terminals()[token].name)
    }
}

/// One character for each set of characters that neither lexer tells apart; those that are easy to read first.
fn representatives(one: &Lexer, two: &Lexer) -> Vec<char> {
    let pleasant = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(' '..='~').chain(['\n']);
    let starts = [one, two].into_iter().flat_map(|lexer| {
        let sets = lexer.classes().iter();
        sets.flat_map(|(_, set)| set.ranges().iter().map(|&(first, _)| first)).collect::<Vec<_>>()
    });
    let candidates = pleasant.chain(starts.filter_map(char::from_u32));
    let mut known = Set::default();
    candidates
        .filter(|&c| known.insert((one.class_of(c).index(), two.class_of(c).index())))
        .collect()
}

/// Reads with both lexers at the same time, and notes lexemes of tokens that only the first one matches.
fn search(
    [(one, mode), (two, other_mode)]: [(&mut Side<'_>, ModeId); 2],
    characters: &[char],
    found: &mut BTreeMap<String, Vec<String>>,
) {
    let (Ok(start), Ok(other_start)) =
        (one.dfa.start(one.lexer, mode), two.dfa.start(two.lexer, other_mode))
    else {
        return;
    };
    let mut known = Set::default();
    let mut queue = VecDeque::from([(start, Some(other_start), String::new())]);
    known.insert((start, Some(other_start)));
    while let Some((state, other, text)) = queue.pop_front() {
        for &c in characters {
            let Some(next) = one.step(Some(state), c) else { continue };
            let other_next = two.step(other, c);
            if known.len() >= MAX_PAIRS || !known.insert((next, other_next)) {
                continue;
            }
            let longer = format!("{text}{c}");
            let (name, other_name) = (one.matched(Some(next)), two.matched(other_next));
            if let Some(name) = name.filter(|_| name != other_name) {
                let texts = found.entry(name.to_owned()).or_default();
                if texts.len() < MAX_LEXEMES && !texts.contains(&longer) {
                    texts.push(longer.clone());
                }
            }
            queue.push_back((next, other_next, longer));
        }
    }
}

#[cfg(test)]
mod tests {
    use gramercy_language::Language;

    use super::only_in;

    fn check(one: &str, two: &str, expected: &[(&str, &str)]) {
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let found = only_in(&language(one), &language(two));
        let first: Vec<(&str, &str)> =
            found.iter().map(|one| (one.token.as_str(), one.texts[0].as_str())).collect();
        assert_eq!(first, expected);
    }

    #[test]
    fn the_shortest_new_lexeme_of_a_token_is_found() {
        let old = "S := NAME;\ntoken NAME := [a-z] [a-z_]*;";
        let new = "S := NAME;\ntoken NAME := [a-z_]+;";
        check(new, old, &[("NAME", "_")]);
        check(old, new, &[]);
        check(old, old, &[]);
    }

    #[test]
    fn tokens_that_the_parser_does_not_see_have_no_lexemes() {
        let old = "S := NAME;\ntoken NAME := [a-z]+;";
        let new = "S := NAME;\ntoken NAME := [a-z]+;\nskip BLANK := \" \";";
        check(new, old, &[]);
        let text = "grammar x; s : NAME ; NAME : [a-z]+ ; END : '\\n' -> channel(HIDDEN) ;";
        let hidden = Language::from_text("x.g4", text).expect("it is a grammar");
        let plain = Language::from_text("x.g4", "grammar x; s : NAME ; NAME : [a-z]+ ;");
        assert_eq!(only_in(&hidden, &plain.expect("it is a grammar")), []);
    }

    #[test]
    fn a_keyword_takes_a_lexeme_from_a_name() {
        let old = "S := NAME;\ntoken NAME := [a-z]+;";
        let new = "S := NAME | IF;\ntoken IF := \"if\";\ntoken NAME := [a-z]+;";
        check(new, old, &[("IF", "if")]);
        check(old, new, &[("NAME", "if")]);
    }
}
