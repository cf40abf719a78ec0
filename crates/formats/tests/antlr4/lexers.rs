//! Lexer rules: characters, commands, modes, and the token types of literals.

use gramercy_grammar::{Grammar, TerminalKind};

use crate::show::{grammar_of, load_text, show};

/// The lexer rules of a combined grammar with these rules.
#[track_caller]
fn check(rules: &str, expected: &[&str]) {
    check_in(&format!("grammar T; s : EOF ;\n{rules}"), expected);
}

#[track_caller]
fn check_in(text: &str, expected: &[&str]) {
    let grammar = grammar_of(load_text(text));
    let lexical = grammar.rules().len() - grammar.syntax_rules().count();
    let shown = show(&grammar).split_off(grammar.rules().len() - lexical);
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn literals_and_their_escapes() {
    check("A : 'abc' ;", &[r#"A: "abc""#]);
    check(r"A : '\n\r\t\b\f\\\'' ;", &[r#"A: "\n\r\t\u{8}\u{c}\\'""#]);
    check(r"A : '\u0041\u{1F600}\u{00041}' ;", &[r#"A: "A😀A""#]);
    check(r"A : '\uD83D\uDE00x' ;", &[r#"A: "😀x""#]);
    check(r"A : '\uD83D' 'x\uDE00' ;", &["A: [D83D] [x] [DE00]"]);
}

#[test]
fn sets_and_ranges() {
    check("A : [a-z_] ;", &["A: [_ a-z]"]);
    check("A : [-a] ;", &["A: [- a]"]);
    check("A : [a-] ;", &["A: [- a]"]);
    check(r"A : [a\-z] ;", &["A: [- a z]"]);
    check("A : [a-c-e] ;", &["A: [- a-c e]"]);
    check("A : [+--] ;", &["A: [+--]"]);
    check("A : [--a] ;", &["A: [--a]"]);
    check(r"A : [\]\\\n\u0041\u{42}] ;", &[r"A: [A A-B \-]]"]);
    check(r"A : [\uD83D\uDE00] ;", &["A: [D83D DE00]"]);
    check("A : 'a'..'c' ;", &["A: [a-c]"]);
    check(r"A : '\u{1F600}' .. '\uD83D\uDE04' ;", &["A: [1F600-1F604]"]);
    check(r"A : [\p{ASCII_Hex_Digit}] ;", &["A: [0-9 A-F a-f]"]);
    check(r"A : [\P{ASCII}x] ;", &["A: [x 80-10FFFF]"]);
    check(r"A : ~[\u{0}-\u{10FFFD}] ;", &["A: [10FFFE-10FFFF]"]);
    check("A : ~'a' ;", &["A: [0-` b-10FFFF]"]);
    check("A : ~('a' | 'c'..'d' | [x]) ;", &["A: [0-` b e-w y-10FFFF]"]);
    check("A : . ;", &["A: [0-10FFFF]"]);
}

#[test]
fn terminals_are_named_as_written() {
    let grammar = grammar_of(load_text(
        r"grammar T; s : A ; A : [\u0041] ~( 'b' | [c-d] ) 'e' .. 'f' . 'g' ;",
    ));
    let names: Vec<_> = grammar
        .terminals()
        .values()
        .filter(|t| matches!(t.kind, TerminalKind::Chars(_) | TerminalKind::Literal(_)))
        .map(|terminal| &*terminal.name)
        .collect();
    assert_eq!(names, [r"[\u0041]", "~('b'|[c-d])", "'e'..'f'", ".", "'g'"]);
}

#[test]
fn case_is_ignored_as_antlr_ignores_it() {
    let check = |rules: &str, expected: &[&str]| {
        let text = format!("grammar T; options {{ caseInsensitive = true; }} s : EOF ;\n{rules}");
        check_in(&text, expected);
    };
    check("A : 'ab' ;", &[r#"caseless A: "ab""#]);
    check("A : [a-z0-9] ;", &["caseless A: [0-9 A-Z a-z]"]);
    check("A : ~[a-z] ;", &["caseless A: [0-@ [-` {-10FFFF]"]);
    check("A : 'k'..'m' ;", &["caseless A: [K-M k-m]"]);
    check("A : [A-z] ;", &["caseless A: [A-z]"]);
    check("A : [0-Z] ;", &["caseless A: [0-Z]"]);
    check(
        r"A : [\p{Lu}] ; fragment B : [k] ;",
        &[&format!("caseless A: {}", upper_case_letters()), "fragment caseless B: [K k]"],
    );
    check("A options { caseInsensitive = false; } : [a] ;", &["A: [a]"]);
    check_in(
        "grammar T; s : EOF ; A options { caseInsensitive = true; } : [a] ;",
        &["caseless A: [A a]"],
    );
}

fn upper_case_letters() -> String {
    let grammar = grammar_of(load_text(r"grammar T; s : EOF ; A : [\p{Lu}] ;"));
    show(&grammar)[1].trim_start_matches("A: ").to_owned()
}

#[test]
fn rules_call_rules_and_may_recurse() {
    check(
        "A : B '(' (A | .)*? ')' ; fragment B : [b] EOF? ;",
        &[r#"A: B "(" (A | [0-10FFFF])*? ")""#, "fragment B: [b] EOF?"],
    );
    // In a lexer rule, brackets are always a set.
    check("A : B[x]'y' ; B : 'b' ;", &[r#"A: B [x] "y""#, r#"B: "b""#]);
}

#[test]
fn commands_in_the_order_written() {
    let text = "lexer grammar TLexer; tokens { X, Y } channels { C, D }
A : 'a' -> skip ;
B : 'b' -> more, pushMode(M) ;
C1 : 'c' -> type(X), channel(D), mode(M) ;
D1 : 'd' -> channel(HIDDEN), channel(DEFAULT_TOKEN_CHANNEL), mode(DEFAULT_MODE) ;
E : 'e' -> channel(1), channel(3), channel(7), mode(1) ;
mode M;
F : 'f' -> popMode ;
mode N;
G : 'g' -> type(A) ;
mode M;
H : 'h' -> mode(N) ;";
    let files = gramercy_formats::Memory::with("TLexer.g4", text)
        .and("TParser.g4", "parser grammar TParser; s : X Y EOF ;");
    let grammar = grammar_of(crate::show::load_files(&files, "TParser.g4"));
    assert_eq!(
        show(&grammar),
        [
            "s: X Y EOF",
            "A: \"a\" -> skip",
            "B: \"b\" -> more, pushMode(M)",
            "C1: \"c\" -> type(X), channel(D), mode(M)",
            "D1: \"d\" -> channel(HIDDEN), channel(DEFAULT_TOKEN_CHANNEL), mode(DEFAULT_MODE)",
            "E: \"e\" -> channel(HIDDEN), channel(D), channel(7), mode(M)",
            "<M>F: \"f\" -> popMode",
            "<N>G: \"g\" -> type(A)",
            "<M>H: \"h\" -> mode(N)",
        ]
    );
    let lexicon = grammar.lexicon().expect("a lexer");
    let modes: Vec<_> =
        lexicon.modes.values().map(|mode| (&*mode.name, mode.rules.len())).collect();
    assert_eq!(modes, [("DEFAULT_MODE", 5), ("M", 2), ("N", 1)]);
    let channels: Vec<_> = lexicon.channels.values().map(|channel| &*channel.name).collect();
    assert_eq!(channels, ["DEFAULT_TOKEN_CHANNEL", "HIDDEN", "C", "D", "7"]);
}

#[test]
fn commands_of_fragments_and_of_single_alternatives() {
    check(
        "A : 'a' -> skip | 'b' ('c' -> more) ; fragment F : 'f' -> skip ;",
        &[r#"A: "a" -> skip | "b" "c" -> more"#, r#"fragment F: "f""#],
    );
}

/// The meaning of the literals `'x'` and `'y'` of a parser rule, and the order of rules.
#[track_caller]
fn check_literals(lexer_rules: &str, expected: &str) {
    let grammar = grammar_of(load_text(&format!("grammar T; s : 'x' 'y' 'x' ;\n{lexer_rules}")));
    let (syntax, order) = (show(&grammar).swap_remove(0), tried(&grammar));
    assert_eq!(format!("{syntax} / {}", order.join(" ")), expected, "{lexer_rules}");
}

fn tried(grammar: &Grammar) -> Vec<&str> {
    let lexicon = grammar.lexicon().expect("a lexer");
    let rules = lexicon.modes.values().flat_map(|mode| &mode.rules);
    rules.map(|&rule| &*grammar.rules()[rule].name).collect()
}

#[test]
fn literals_are_tokens_of_their_own_or_of_a_rule() {
    check_literals("", "s: 'x' 'y' 'x' / 'x' 'y'");
    check_literals("A : 'a' ; X : 'x' ;", "s: X 'y' X / 'y' A X");
    check_literals("X : 'x' { code } ;", "s: X 'y' X / 'y' X");
    check_literals("X : 'x' { test }? ;", "s: X 'y' X / 'y' X");
    check_literals("X : 'x' -> skip ;", "s: X 'y' X / 'y' X");
    check_literals("X : 'x' -> type(Y), skip ; Y : 'z' ;", "s: X 'y' X / 'y' X Y");
    check_literals("X : 'x' -> channel(HIDDEN) ; Y : 'y' ;", "s: X Y X / X Y");
    // For ANTLR, none of these is just the literal.
    check_literals("X : ('x') ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : 'x' | 'z' ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : 'x'<a> ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : { code } 'x' ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : 'x' { code } -> skip ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : 'x' { test }?<fail='no'> ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X : '\\u0078' ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals("X options { caseInsensitive = false; } : 'x' ;", "s: 'x' 'y' 'x' / 'x' 'y' X");
    check_literals(
        "X : 'x' -> channel(HIDDEN), type(Y) ; Y : 'z' ;",
        "s: 'x' 'y' 'x' / 'x' 'y' X Y",
    );
    check_literals("fragment X : 'x' ; Z : X ;", "s: 'x' 'y' 'x' / 'x' 'y' Z");
}

#[test]
fn tokens_know_their_fixed_text() {
    #[track_caller]
    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let grammar = grammar_of(load_text(text));
        let tokens = grammar.terminals().values().filter_map(|terminal| match &terminal.kind {
            TerminalKind::Token { name, text } => Some((&**name, text.as_deref())),
            _ => None,
        });
        assert_eq!(tokens.collect::<Vec<_>>(), expected, "{text}");
    }
    check(
        "grammar T; s : 'if' A B ; A : '\\t' ; B : [b] ;",
        &[("'if'", Some("if")), ("A", Some("\t")), ("B", None)],
    );
    check(
        "grammar T; s : A B ; A : 'a' ; B : 'b' ; C : 'c' -> type(B) ;",
        &[("A", Some("a")), ("B", None), ("C", None)],
    );
    check("grammar T; s : A ; A : 'a' ; B : 'b' -> more ;", &[("A", None), ("B", None)]);
    check(
        "grammar T; options { caseInsensitive = true; } s : A B 'c' ; A : 'a' ; B : '+' ;",
        &[("A", None), ("B", Some("+")), ("'c'", None)],
    );
}
