//! Tokens that are never created, never seen or never used.

use crate::{check_lints, check_notes, lints};

#[test]
fn keywords_after_identifiers_never_win() {
    let text = "grammar a; s: (ID | IF)* EOF; ID: [a-z]+; IF: 'if'; WS: ' ' -> skip;";
    check_lints(
        "a.g4",
        text,
        &[
            r#"losing-token: the token rule `IF` never wins: where it matches, `ID` does, as with "if""#,
        ],
    );
    let found = lints("a.g4", text);
    let labels: Vec<_> = found[0].labels.iter().map(|label| label.text.as_str()).collect();
    assert_eq!(labels, ["", "wins", "used here"]);
    check_lints("a.g4", "grammar a; s: (ID | IF)* EOF; IF: 'if'; ID: [a-z]+;", &[]);
}

#[test]
fn a_predicate_may_let_it_win() {
    for rule in ["{p()}? 'a'", "'a' {p()}?"] {
        let found = lints("a.g4", &format!("grammar a; s: (A | B)* EOF; A: {rule}; B: 'a';"));
        let losing = found.iter().find(|it| it.code.name == "losing-token").expect("B never wins");
        let note = "the predicate of `A` is ignored; with it, this may be different";
        assert_eq!(losing.notes, [note]);
        assert_eq!(losing.help, None);
    }
}

#[test]
fn rules_that_serve_others_should_be_fragments() {
    check_lints(
        "a.g4",
        "grammar a; s: NUMBER* EOF; NUMBER: DIGIT+; DIGIT: [0-9];",
        &["missing-fragment: no parser rule uses the token `DIGIT`, only other token rules do"],
    );
    check_lints("a.g4", "grammar a; s: (NUMBER | DIGIT)* EOF; DIGIT: [0-9]; NUMBER: DIGIT+;", &[]);
    // A command uses its type.
    check_lints(
        "a.g4",
        "grammar a; s: B EOF; A: 'a'; B: 'b'; C: A 'c' -> type(A);",
        &["unused-token: no parser rule uses the token `A`"],
    );
}

#[test]
fn modes_that_are_never_entered_are_reported() {
    let lexer = |command: &str| {
        format!("lexer grammar L; A: 'a' {command}; WS: ' ' -> skip; mode M; B: 'b' -> popMode;")
    };
    let files = |command: &str| {
        gramercy_formats::Memory::with("L.g4", lexer(command))
            .and("P.g4", "parser grammar P; options { tokenVocab = L; } s: (A | B)* EOF;")
    };
    let found = |command: &str| {
        let loaded = gramercy_formats::load(
            std::path::Path::new("P.g4"),
            &files(command),
            &gramercy_formats::LoadOptions::default(),
        );
        let grammar = loaded.grammar.expect("a grammar");
        let limits = gramercy_base::Limits::default();
        let bnf = grammar.bnf(&grammar.graph(), &limits).expect("a small grammar");
        let subject = gramercy_check::Subject { grammar: &grammar, bnf: &bnf, said: &[] };
        let found = gramercy_check::check(&subject, &gramercy_check::Options::default(), &limits);
        found.iter().map(crate::shown).collect::<Vec<_>>()
    };
    assert_eq!(found(""), ["unreachable-mode: no command enters the mode `M`"]);
    assert_eq!(found("-> pushMode(M)"), [""; 0]);
}

#[test]
fn tokens_that_are_always_hidden_are_reported() {
    let text = "grammar a; s: (A WS)* EOF; A: 'a'; WS: ' ' -> skip;";
    check_lints("a.g4", text, &["hidden-token: the parser never sees the token `WS`"]);
    check_notes(
        "a.g4",
        text,
        &[
            "`WS` is always skipped or on another channel",
            "remove the command, or remove the token from the parser rules",
        ],
    );
    check_lints(
        "a.g4",
        "grammar a; s: (A WS)* EOF; A: 'a'; WS: ' ' -> channel(DEFAULT_TOKEN_CHANNEL);",
        &[],
    );
}

#[test]
fn tokens_that_no_rule_uses_are_one_note() {
    let text = "grammar a; s: A EOF; A: 'a'; B: 'b'; WS: ' ' -> skip; C: .;";
    check_lints("a.g4", text, &["unused-token: no parser rule uses these 2 tokens: `B` and `C`"]);
    check_lints(
        "a.g4",
        "grammar a; s: ~A* EOF; A: 'a'; B: 'b'; C: .;",
        &["unused-token: no parser rule uses the token `A`"],
    );
    check_lints("a.y", "%token A B %% s: A;", &["unused-token: no parser rule uses the token `B`"]);
    check_lints("a.y", "%token A %left UMINUS %% s: A | '-' s %prec UMINUS;", &[]);
}

#[test]
fn empty_matches_are_reported_unless_they_change_the_mode() {
    check_lints(
        "a.gram",
        r#"S := A; token A := "a"*;"#,
        &["empty-match: the token rule `A` matches the empty text"],
    );
    check_lints("a.gram", r#"S := A; token A := "a"+;"#, &[]);
    // The reader of this notation reports it itself.
    check_lints("a.g4", "grammar a; s: A EOF; A: 'a'*;", &[]);
}

/// Compares the findings about impossible tokens, with a lexer in which parentheses skip line ends
/// and strings contain code, and with the rules of a parser.
#[track_caller]
fn check_impossible(rules: &str, expected: &[&str]) {
    let parser = format!("parser grammar P; options {{ tokenVocab = L; }} {rules}");
    let files =
        gramercy_formats::Memory::with("L.g4", crate::modes::LEXER).and("P.g4", parser.as_str());
    let options = gramercy_formats::LoadOptions { start: Some("s".into()), ..Default::default() };
    let loaded = gramercy_formats::load(std::path::Path::new("P.g4"), &files, &options);
    let place = |span: gramercy_base::Span| &loaded.sources.get(span.source).text()[span.range()];
    let found = crate::Read::of(&loaded).lints();
    let impossible = found.iter().filter(|it| it.code.name == "impossible-token");
    let lines = impossible.flat_map(|it| {
        let first = format!("{}: {}", it.message, it.notes.join("; "));
        let more =
            it.labels.iter().skip(1).map(|label| format!("{}: {}", place(label.span), label.text));
        std::iter::once(first).chain(more).collect::<Vec<_>>()
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected, "{rules}");
}

#[test]
fn tokens_of_other_modes_are_impossible() {
    let never = |modes: &str| {
        format!(
            "the token `NL` can never come here: {modes} there; `NL` is created in `DEFAULT_MODE`"
        )
    };
    let inside = never("the lexer is in the mode `I`");
    check_impossible("s: OPEN NL* ID CLOSE NL EOF;", &[&inside]);
    check_impossible("s: OPEN NL? ID NL* CLOSE NL EOF;", &[&inside, "NL: nor here"]);
    check_impossible(
        "s: q EOF; q: QUOTE (CHARS | NL | CODE ID CLOSE)* END;",
        &[&never("the lexer is in the mode `T`")],
    );
    // The symbols after it are unreachable and not reported.
    check_impossible("s: OPEN NL NL CHARS CLOSE EOF;", &[&inside]);
}

#[test]
fn possible_tokens_are_not_reported() {
    check_impossible("s: OPEN ID CLOSE NL* EOF;", &[]);
    // The same rule is used with and without line ends.
    check_impossible("s: l OPEN l CLOSE EOF; l: (ID | NL)*;", &[]);
    // After two levels the previous mode is unknown, so there is no report.
    check_impossible("s: p NL EOF; p: OPEN (p | ID NL?)* CLOSE;", &[]);
    check_impossible("s: OPEN OPEN CLOSE CLOSE NL EOF;", &[]);
    check_impossible("s: OPEN ~NL CLOSE NL . EOF;", &[]);
    check_impossible("s: OPEN (ID | EOF) CLOSE;", &[]);
}
