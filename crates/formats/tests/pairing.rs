//! A grammar without a lexer, combined with a lexer of another file.

use std::path::{Path, PathBuf};

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Loaded, Memory, load};
use gramercy_grammar::{Grammar, RuleKind, TerminalKind, TextKind};

const CALC: &str = "%token NUMBER \"number\"\n%token PLUS \"+\"\n%left '-'\n%left PLUS\n%%\n\
    e : e PLUS e | e '-' e %prec PLUS | '(' e ')' | NUMBER ;\n";

const LEXER: &str = "lexer grammar L;\nNUMBER : [0-9]+ ;\nADD : '+' ;\nSUB : '-' ;\nOPEN : '(' -> pushMode(DEFAULT_MODE) ;\n\
    CLOSE : ')' -> popMode ;\nWS : [ \\t]+ -> skip ;\n";

fn read(grammar: (&str, &str), lexer: (&str, &str)) -> Loaded {
    let files = Memory::with(grammar.0, grammar.1).and(lexer.0, lexer.1);
    let options = LoadOptions { lexer: Some(PathBuf::from(lexer.0)), ..LoadOptions::default() };
    load(Path::new(grammar.0), &files, &options)
}

/// The token rules of a grammar, each with its token.
fn rules(grammar: &Grammar) -> Vec<String> {
    let made = |kind: &RuleKind| match kind {
        RuleKind::Token(token) => Some(&*grammar.terminals()[token.token].name),
        _ => None,
    };
    let rules = grammar.rules().values();
    rules.filter_map(|rule| Some(format!("{} {}", rule.name, made(&rule.kind)?))).collect()
}

fn productions(grammar: &Grammar) -> String {
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
    gramercy_formats::bnf_listing(grammar, &bnf)
}

fn codes(loaded: &Loaded) -> Vec<String> {
    loaded.diagnostics.iter().map(|it| format!("{}: {}", it.code.name, it.message)).collect()
}

#[test]
fn tokens_are_paired_by_name_and_by_text() {
    let loaded = read(("calc.y", CALC), ("L.g4", LEXER));
    assert_eq!(codes(&loaded), [""; 0]);
    let grammar = loaded.grammar.expect("a grammar");
    assert_eq!(grammar.text_kind(), TextKind::Lexed);
    assert_eq!(
        rules(&grammar),
        ["NUMBER NUMBER", "ADD PLUS", "SUB '-'", "OPEN '('", "CLOSE ')'", "WS WS"]
    );
}

#[test]
fn the_productions_and_precedences_stay() {
    let alone = load(Path::new("calc.y"), &Memory::with("calc.y", CALC), &LoadOptions::default());
    let alone = alone.grammar.expect("a grammar");
    let paired = read(("calc.y", CALC), ("L.g4", LEXER)).grammar.expect("a grammar");
    assert_eq!(productions(&paired), productions(&alone));
    let precedences = |grammar: &Grammar| -> Vec<_> {
        let terminals = grammar.terminals().values();
        terminals.filter_map(|it| Some((it.name.clone(), it.precedence?.level))).collect()
    };
    assert_eq!(precedences(&paired), precedences(&alone));
}

#[test]
fn scattered_rules_keep_the_order_of_the_file() {
    let text = "%token A B\n%%\ns : t | s t ;\nt : A ;\ns : B ;\n";
    let alone = load(Path::new("s.y"), &Memory::with("s.y", text), &LoadOptions::default());
    let alone = alone.grammar.expect("a grammar");
    let lexer = "lexer grammar L; A : 'a' ; B : 'b' ;";
    let paired = read(("s.y", text), ("L.g4", lexer)).grammar.expect("a grammar");
    assert_eq!(productions(&paired), productions(&alone));
}

#[test]
fn a_native_lexer_may_stand_alone_or_not() {
    let alone = "token NUMBER := [0-9]+;\ntoken PLUS := \"+\";\ntoken SUB := \"-\";\n\
        token OPEN := \"(\";\ntoken CLOSE := \")\";\nskip WS := \" \"+;\n";
    let expected = ["NUMBER NUMBER", "PLUS PLUS", "SUB '-'", "OPEN '('", "CLOSE ')'", "WS WS"];
    for text in [alone.to_owned(), format!("{alone}S := NUMBER;\n")] {
        let loaded = read(("calc.y", CALC), ("lexer.gram", &text));
        assert_eq!(codes(&loaded), [""; 0], "{text}");
        assert_eq!(rules(&loaded.grammar.expect("a grammar")), expected);
    }
}

#[test]
fn unpaired_tokens_are_reported() {
    let lexer = "lexer grammar L; NUMBER : [0-9]+ ; ADD : '+' ; SUB : '-' ; TIMES : '*' ;";
    let loaded = read(("calc.y", CALC), ("L.g4", lexer));
    assert_eq!(
        codes(&loaded),
        [
            "unpaired-token: no rule of `L.g4` makes `'('`",
            "unpaired-token: no rule of `L.g4` makes `')'`",
            "unpaired-rule: the grammar knows no token `TIMES`",
        ]
    );
    let grammar = loaded.grammar.expect("a grammar");
    let open = grammar.terminals().values().find(|terminal| &*terminal.name == "'('");
    assert!(matches!(open.expect("a token").kind, TerminalKind::Token { .. }));
}

#[test]
fn mistakes_are_told() {
    let check = |grammar: (&str, &str), lexer: (&str, &str), expected: &str| {
        let loaded = read(grammar, lexer);
        assert!(loaded.grammar.is_none());
        let codes = codes(&loaded);
        assert!(codes[0].starts_with(expected), "{codes:?}");
    };
    check(("a.gram", "S := \"a\";"), ("L.g4", LEXER), "lexer-not-wanted");
    check(("calc.y", CALC), ("a.gram", "S := \"a\";"), "empty-lexer");
    check(("calc.y", CALC), ("L.g4", "lexer grammar L; A : 'a ;"), "unterminated");
    let files = Memory::with("calc.y", CALC);
    let options = LoadOptions { lexer: Some("none.g4".into()), ..LoadOptions::default() };
    let loaded = load(Path::new("calc.y"), &files, &options);
    assert!(codes(&loaded)[0].starts_with("unreadable-file"), "{:?}", codes(&loaded));
}

#[test]
fn a_lexer_replaces_one_that_is_there() {
    let own = "grammar G; s : A B | '+' EOF ; A : 'a' ; B : 'b' ; WS : ' ' -> skip ;";
    let other = "lexer grammar L; B : 'bb' ; A : 'aa' ; PLUS : '+' ;";
    let loaded = read(("G.g4", own), ("L.g4", other));
    assert_eq!(codes(&loaded), [""; 0]);
    let grammar = loaded.grammar.expect("a grammar");
    assert_eq!(rules(&grammar), ["B B", "A A", "PLUS '+'"]);
}
