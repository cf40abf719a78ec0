//! Rules that are useless, unreachable, cyclic or equal.

use crate::{check_lints, check_notes, lints};

#[test]
fn rules_that_depend_on_themselves_derive_nothing() {
    check_lints(
        "a.y",
        "%% s: A | b; b: B b;",
        &["unproductive-rule: the rule `b` derives no sentence"],
    );
    let waits = "`b` needs `b` itself";
    let help = "add an alternative that derives some text";
    check_notes("a.y", "%% s: A | b; b: B b;", &[waits, help]);
    check_lints("a.y", "%% s: A | b; b: B b | C;", &[]);
}

#[test]
fn the_causes_among_mutually_dependent_rules_are_named() {
    let text = "%% s: A | u; u: b; b: c B | C b; c: A b;";
    check_lints("a.y", text, &["unproductive-rule: the rules `b` and `c` derive no sentence"]);
    check_notes(
        "a.y",
        text,
        &[
            "every alternative of `b` needs `c` or `b` itself",
            "`c` needs `b`",
            "therefore `u` derives no sentence either",
            "add an alternative that derives some text",
        ],
    );
}

#[test]
fn an_empty_language_is_an_error() {
    let text = "%% s: A s;";
    check_lints(
        "a.y",
        text,
        &["empty-language: no sentence can be derived from the start rule `s`"],
    );
    let found = lints("a.y", "%% s: A t; t: B t;");
    let found: Vec<_> = found.iter().map(|it| (it.code.name, it.is_error())).collect();
    assert_eq!(found, [("empty-language", true), ("unproductive-rule", false)]);
}

#[test]
fn rules_with_a_textless_terminal_derive_nothing() {
    check_notes(
        "a.gram",
        r#"S := "a" | B; B := [] "b";"#,
        &["`B` needs `[]`, which matches no text", "add an alternative that derives some text"],
    );
}

#[test]
fn no_token_follows_the_end_of_input() {
    check_notes(
        "a.g4",
        "grammar a; s: 'a' EOF | b; b: EOF 'b';",
        &[
            "in every alternative of `b` a token follows the end of input",
            "add an alternative that derives some text",
        ],
    );
    check_lints("a.g4", "grammar a; s: b EOF; b: 'a' | EOF;", &[]);
}

#[test]
fn the_outermost_unreachable_rules_are_reported() {
    let text = "%% s: A; b: c d; c: B; d: s;";
    check_lints("a.y", text, &["unreachable-rule: the rule `b` cannot be reached from `s`"]);
    check_notes(
        "a.y",
        text,
        &[
            "`c` and `d` are only reached from there",
            "use it, remove it, or start from it with --start b",
        ],
    );
    let cycle = "%% s: A; b: c B; c: b C | C;";
    check_lints("a.y", cycle, &["unreachable-rule: the rule `b` cannot be reached from `s`"]);
    check_lints("a.y", "%% s: A b; b: c; c: B;", &[]);
}

#[test]
fn findings_of_the_reader_are_not_repeated() {
    // The reader of this notation reports unconnected rules itself.
    check_lints("a.tribble", r#"S = "a"; B = "b" C; C = B | "c";"#, &[]);
    let found = ["unreachable-rule: the rule `B` cannot be reached from `S`"];
    check_lints("a.gram", r#"start S; S := "a"; B := "b" B | "c";"#, &found);
    // The reader already reports the loop as ANTLR does.
    check_lints("a.g4", "grammar a; s: ('a'?)* EOF;", &[]);
}

#[test]
fn unused_fragments_are_one_finding() {
    check_lints(
        "a.g4",
        "grammar a; s: A EOF; A: B; fragment B: 'b'; fragment C: D; fragment D: 'd';",
        &["unused-fragment: no token rule uses these 2 fragments: `C` and `D`"],
    );
}

#[test]
fn cycles_are_shown() {
    check_lints(
        "a.y",
        "%% s: t | A; t: u s u; u: | U;",
        &["cyclic-rule: the rule `s` derives itself"],
    );
    check_notes(
        "a.y",
        "%% s: t | A; t: u s u; u: | U;",
        &[
            "the cycle is s → t → s; all other symbols can be empty",
            "a sentence that uses it has infinitely many trees",
            "remove one alternative from the cycle",
        ],
    );
    check_lints("a.y", "%% s: t | A; t: u s u; u: U;", &[]);
    // An unproductive cycle is only reported as unproductive.
    check_lints(
        "a.y",
        "%% s: A | t; t: t;",
        &["unproductive-rule: the rule `t` derives no sentence"],
    );
}

#[test]
fn repetitions_of_empty_bodies_are_shown_as_written() {
    check_lints(
        "a.gram",
        r#"S := "x" ("a"? | B)+; B := "b"*;"#,
        &[r#"empty-loop: the body of `("a"? | B)+` can be empty"#],
    );
    check_lints("a.gram", r#"S := ("a"? "b")*;"#, &[]);
}

#[test]
fn rules_that_differ_only_in_name_are_noted() {
    check_lints(
        "a.y",
        "%% s: a b c | C; a: A s | B a; b: A s | B b; c: A s | B a;",
        &["duplicate-body: the rules `a` and `b` differ only in their names"],
    );
    // Other names for a symbol or a choice are not mistakes.
    check_lints("a.y", "%% s: a b; a: A | B; b: A | B;", &[]);
    // Nor are rules that a predicate distinguishes.
    check_lints(
        "a.g4",
        "grammar a; s: a b EOF; a: 'x' 'y'; b: {p()}? 'x' 'y';",
        &["predicate: a predicate is ignored"],
    );
}
