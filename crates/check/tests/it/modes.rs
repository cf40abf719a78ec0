//! Tokens that are reported as impossible are impossible: on many small grammars, no token that
//! occurs in some derivation with an exact stack of modes is reported.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use gramercy_formats::{LoadOptions, Memory, load};

use crate::Read;

/// Parentheses in which line ends are skipped, and strings that contain code.
pub(crate) const LEXER: &str = "lexer grammar L; OPEN: '(' -> pushMode(I); CLOSE: ')'; NL: '\\n'; \
    ID: [a-z]+; QUOTE: '\"' -> pushMode(T); mode I; IOPEN: '(' -> type(OPEN), pushMode(I); \
    ICLOSE: ')' -> type(CLOSE), popMode; INL: '\\n' -> skip; IID: [a-z]+ -> type(ID); \
    mode T; END: '\"' -> popMode; CHARS: ~[\"$]+; CODE: '$(' -> pushMode(I);";

const TOKENS: [&str; 8] = ["OPEN", "CLOSE", "NL", "ID", "QUOTE", "END", "CHARS", "CODE"];

/// The exact stack after a token, the current mode last; `None` if the token cannot occur.
fn after(token: &str, stack: &[char]) -> Option<Vec<char>> {
    let mut stack = stack.to_vec();
    match (*stack.last()?, token) {
        ('D', "CLOSE" | "NL" | "ID") | ('I', "ID") | ('T', "CHARS") => {}
        ('D' | 'I', "OPEN") | ('T', "CODE") => stack.push('I'),
        ('D', "QUOTE") => stack.push('T'),
        ('I', "CLOSE") | ('T', "END") => _ = stack.pop(),
        _ => return None,
    }
    Some(stack)
}

/// A symbol of a right-hand side, with its position in the text: a token, or the number of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Token(usize, u32),
    Rule(usize),
}

/// Rules of alternatives of symbols.
type Rules = Vec<Vec<Vec<Symbol>>>;

const NAMES: [&str; 3] = ["s", "a", "b"];

/// A grammar and its text. Alternatives begin with tokens, so no rule is left-recursive.
fn random(seed: u64) -> (Rules, String) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |bound: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % bound).expect("a small number")
    };
    let mut text = String::from("parser grammar P; options { tokenVocab = L; } ");
    let mut rules = Rules::new();
    for name in NAMES {
        let mut alternatives = Vec::new();
        for at in 0..=below(2) {
            write!(text, "{} ", if at == 0 { format!("{name}:") } else { "|".into() })
                .expect("text");
            let mut symbols = Vec::new();
            for place in 0..=below(4) {
                let (choice, start) = (below(12), u32::try_from(text.len()).expect("a short text"));
                let symbol = match choice.checked_sub(TOKENS.len()) {
                    Some(rule) if place > 0 => Symbol::Rule(rule % NAMES.len()),
                    _ => Symbol::Token(choice % TOKENS.len(), start),
                };
                let word = match symbol {
                    Symbol::Token(token, _) => TOKENS[token],
                    Symbol::Rule(rule) => NAMES[rule],
                };
                text += &format!("{word} ");
                symbols.push(symbol);
            }
            alternatives.push(symbols);
        }
        text += "; ";
        rules.push(alternatives);
    }
    (rules, text)
}

/// The positions of tokens that occur in some beginning of a derivation, as far as the search goes.
fn possible(rules: &Rules) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::from([(vec![Symbol::Rule(0)], vec!['D'])]);
    let mut open: Vec<_> = seen.iter().cloned().collect();
    while let Some((mut rest, stack)) = open.pop() {
        let next: Vec<_> = match rest.pop() {
            None => Vec::new(),
            Some(Symbol::Token(token, place)) => {
                let stack = after(TOKENS[token], &stack);
                found.extend(stack.is_some().then_some(place));
                stack.map(|stack| (rest, stack)).into_iter().collect()
            }
            Some(Symbol::Rule(rule)) => {
                let expanded = rules[rule].iter().map(|symbols| {
                    let all = rest.iter().copied().chain(symbols.iter().rev().copied());
                    (all.collect(), stack.clone())
                });
                expanded.collect()
            }
        };
        for config in next {
            if config.0.len() < 10 && seen.len() < 3_000 && seen.insert(config.clone()) {
                open.push(config);
            }
        }
    }
    found
}

#[test]
fn possible_tokens_are_never_reported() {
    let mut findings = 0;
    for seed in 0..1_500 {
        let (rules, text) = random(seed);
        let files = Memory::with("L.g4", LEXER).and("P.g4", text.as_str());
        let options = LoadOptions { start: Some("s".into()), ..LoadOptions::default() };
        let loaded = load(std::path::Path::new("P.g4"), &files, &options);
        let said = Read::of(&loaded).lints();
        let impossible = said.iter().filter(|it| it.code.name == "impossible-token");
        let places: BTreeSet<u32> =
            impossible.flat_map(|it| &it.labels).map(|label| label.span.start).collect();
        findings += places.len();
        assert!(places.is_disjoint(&possible(&rules)), "seed {seed}: {text}");
    }
    assert!(findings > 500, "only {findings} findings");
}
