//! Which tokens exist.

use gramercy_lexis::{Inventory, ModeInventory, WriteOptions, Writer};

use crate::support::{grammar, grammar_with, lexer};

fn inventory(rules: &str) -> (gramercy_grammar::Grammar, Inventory) {
    let grammar = grammar(rules);
    let (lexer, mut dfa) = lexer(&grammar);
    let inventory = Inventory::new(&grammar, &lexer, &mut dfa).expect("an inventory");
    (grammar, inventory)
}

/// Compares the winners of each mode with their examples.
fn check_winners(rules: &str, expected: &[&str]) {
    let (grammar, inventory) = inventory(rules);
    let line = |mode: &ModeInventory| {
        let winners = mode.winners.iter().map(|example| {
            let end = if example.only_at_end { "$" } else { "" };
            format!("{} {:?}{end}", grammar.rules()[example.rule].name, example.text)
        });
        winners.collect::<Vec<_>>().join(", ")
    };
    let found: Vec<_> = inventory.modes.values().map(line).collect();
    assert_eq!(found, expected, "{rules}");
}

/// Compares the rules that never win.
fn check_never(rules: &str, expected: &[&str]) {
    let (grammar, inventory) = inventory(rules);
    let name = |rule| &*grammar.rules()[rule].name;
    let mut found = Vec::new();
    for never in inventory.modes.values().flat_map(|mode| &mode.never) {
        found.push(match &never.instead {
            Some((winner, text)) => format!("{}: {} on {text:?}", name(never.rule), name(*winner)),
            None => format!("{}: no match", name(never.rule)),
        });
    }
    assert_eq!(found, expected, "{rules}");
}

/// Compares the modes that are reached and what they make, as `TOKEN: modes`.
fn check_made(rules: &str, reachable: &[bool], expected: &[&str]) {
    let (grammar, inventory) = inventory(rules);
    let found: Vec<_> = inventory.modes.values().map(|mode| mode.reachable).collect();
    assert_eq!(found, reachable, "{rules}");
    let modes = &grammar.lexicon().expect("a lexicon").modes;
    let mut found = Vec::new();
    for (terminal, made_in) in inventory.made_in.iter().filter(|(_, modes)| !modes.is_empty()) {
        let names: Vec<_> = made_in.iter().map(|&mode| &*modes[mode].name).collect();
        found.push(format!("{}: {}", grammar.terminals()[terminal].name, names.join(" ")));
    }
    assert_eq!(found, expected, "{rules}");
}

#[test]
fn every_winner_has_its_shortest_and_nicest_text() {
    check_winners(
        "IF: 'if'; ID: [a-zA-Z_]+; N: [0-9]+; WS: [ \\n]+ -> skip;",
        &["ID \"a\", N \"0\", WS \" \", IF \"if\""],
    );
    check_winners(
        "A: [\\u0000-\\u0008] | 'longer'; B: [\\u0000-\\u0008] 'b';",
        &["A \"longer\", B \"\\0b\""],
    );
    check_winners(
        "A: 'a'; B: 'a' EOF; C: 'c'; mode M; D: . ;",
        &["A \"a\", B \"a\"$, C \"c\"", "D \"a\""],
    );
}

#[test]
fn rules_behind_others_never_win() {
    check_never("ID: [a-z]+; IF: 'if'; E: 'x' EOF;", &["IF: ID on \"if\""]);
    check_never(
        "A: .; B: 'b'; C: 'c' | 'cc'; D: [^^] D2; fragment D2: ~[\\u0000-\\u{10FFFF}];",
        &["B: A on \"b\"", "D: no match"],
    );
    check_never("C: '/*' .*? '*/'; B: '/*' 'x' '*/';", &["B: C on \"/*x*/\""]);
}

#[test]
fn modes_are_reached_and_make_tokens() {
    check_made(
        "A: 'a' -> pushMode(M); mode M; B: 'b' -> popMode; mode N; C: 'c';",
        &[true, true, false],
        &["A: DEFAULT_MODE", "B: M"],
    );
    check_made(
        "tokens { S } Q: '\"' -> more, mode(M); mode M; E: '\"' -> type(S), mode(DEFAULT_MODE); X: . -> more;",
        &[true, true],
        &["S: M"],
    );
    check_made(
        "A: 'a' -> more, channel(HIDDEN); B: 'b' -> channel(HIDDEN); C: 'c';",
        &[true],
        &["C: DEFAULT_MODE"],
    );
    check_made("P: 'p' -> popMode; mode M; A: 'a';", &[true, false], &["P: DEFAULT_MODE"]);
}

#[test]
fn tokens_that_the_parser_waits_for_in_vain_are_missing() {
    let parser = "s : A B C D EOF ;";
    let rules = "tokens { D } A: 'a'; B: 'a'; C: 'c' -> skip; mode M; E: 'e' -> type(D);";
    let grammar = grammar_with(parser, rules);
    let (lexer, mut dfa) = lexer(&grammar);
    let inventory = Inventory::new(&grammar, &lexer, &mut dfa).expect("an inventory");
    let names: Vec<_> =
        inventory.missing.iter().map(|&id| &*grammar.terminals()[id].name).collect();
    assert_eq!(names, ["B", "C", "D"]);
    let mut writer = Writer::new(&grammar, &WriteOptions::default()).expect("a writer");
    assert_eq!(writer.never_written().iter().collect::<Vec<_>>(), inventory.missing);
}

#[test]
fn recursive_rules_are_explored_as_far_as_is_sensible() {
    let check = |rules: &str, complete: bool, texts: &[&str]| {
        let (_, inventory) = inventory(rules);
        let mode = &inventory.modes.values().as_slice()[0];
        assert_eq!(mode.complete, complete, "{rules}");
        assert_eq!(mode.winners.iter().map(|w| &*w.text).collect::<Vec<_>>(), texts, "{rules}");
    };
    check("C: '(' (C | ~[()])* ')'; A: 'a';", true, &["a", "()"]);
    // The second rule wins nowhere near.
    check("C: '(' C* ')'; D: '((((((' D2 '))))))'; D2: '(' D2? ')' 'x';", false, &["()", "()x"]);
}
