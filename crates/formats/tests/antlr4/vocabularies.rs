//! Grammars in several files: imports, lexer grammars, files of token types.

use gramercy_formats::Memory;
use gramercy_grammar::{TerminalKind, TextKind};

use crate::show::{grammar_of, load_files, show, warnings};

#[track_caller]
fn check(files: &Memory, main: &str, expected: &[&str]) {
    let loaded = load_files(files, main);
    assert_eq!(show(&grammar_of(loaded)), expected);
}

#[test]
fn imports_are_joined_depth_first_and_the_importer_wins() {
    let files = Memory::with("d/A.g4", "grammar A; import B, D; s : b d c EOF ; AA : 'aa' ;")
        .and("d/B.g4", "grammar B; import C; tokens { BT } b : 'b' BT ; X : 'bx' ; BB : 'bb' ;")
        .and("d/C.g4", "grammar C; c : 'c' ; b : 'not this' ; X : 'cx' ; CC : 'cc' ;")
        .and("d/D.g4", "grammar D; d : 'd' X ; c : 'nor this' ; X : 'dx' ; s : 'nor this' ;");
    check(
        &files,
        "d/A.g4",
        &[
            "s: b d c EOF",
            "b: 'b' BT",
            "c: 'c'",
            "d: 'd' X",
            "AA: \"aa\"",
            "X: \"bx\"",
            "BB: \"bb\"",
            "CC: \"cc\"",
            "implicit 'b': \"b\"",
            "implicit 'c': \"c\"",
            "implicit 'd': \"d\"",
        ],
    );
}

#[test]
fn an_import_may_have_a_label_and_a_kind_that_fits() {
    let files = Memory::with("A.g4", "grammar A; import l = L, P; s : p EOF ;")
        .and("L.g4", "lexer grammar L; X : 'x' ;")
        .and("P.g4", "parser grammar P; p : X ;");
    check(&files, "A.g4", &["s: p EOF", "p: X", "X: \"x\""]);
}

#[test]
fn modes_and_channels_of_imported_lexers_are_joined() {
    let files = Memory::with("TParser.g4", "parser grammar TParser; s : A EOF ;")
        .and(
            "TLexer.g4",
            "lexer grammar TLexer; import M; A : 'a' -> mode(ONE) ; mode ONE; Q : 'q' ;",
        )
        .and(
            "M.g4",
            "lexer grammar M; channels { CH } F : 'f' ; mode ONE; G : 'g' -> channel(CH) ;
                      mode TWO; H : 'h' ;",
        );
    check(
        &files,
        "TParser.g4",
        &[
            "s: A EOF",
            "A: \"a\" -> mode(ONE)",
            "<ONE>Q: \"q\"",
            "F: \"f\"",
            "<ONE>G: \"g\" -> channel(CH)",
            "<TWO>H: \"h\"",
        ],
    );
}

#[test]
fn cycles_of_imports_end() {
    let files = Memory::with("A.g4", "grammar A; import B; s : t EOF ;")
        .and("B.g4", "grammar B; import A, B; t : 'x' ;");
    let loaded = load_files(&files, "A.g4");
    assert_eq!(warnings(&loaded), ["import-cycle", "import-cycle"]);
    assert_eq!(show(&grammar_of(loaded)), ["s: t EOF", "t: 'x'", "implicit 'x': \"x\""]);
}

#[test]
fn options_of_imported_grammars_are_ignored() {
    let main = "grammar A; import B; options { caseInsensitive = false; } s : B EOF ;";
    let files = Memory::with("A.g4", main)
        .and("B.g4", "grammar B; options { caseInsensitive = true; } B : [b] ;");
    let loaded = load_files(&files, "A.g4");
    assert_eq!(warnings(&loaded), ["imported-options"]);
    assert_eq!(show(&grammar_of(loaded)), ["s: B EOF", "B: [b]"]);
}

#[test]
fn a_parser_has_its_tokens_from_the_lexer_it_names() {
    let lexer = "lexer grammar L; tokens { Z } IF : 'if' ; ID : [a-z]+ ; WS : ' ' -> skip ;";
    let files = Memory::with("x/L.g4", lexer)
        .and("x/P.g4", "parser grammar P; options { tokenVocab = L; } s : 'if' ID ~'if' Z EOF ;");
    check(
        &files,
        "x/P.g4",
        &["s: IF ID ~(IF) Z EOF", "IF: \"if\"", "ID: [a-z]+", "WS: \" \" -> skip"],
    );
}

#[test]
fn or_from_the_lexer_next_to_it() {
    let files = Memory::with("FooLexer.g4", "lexer grammar FooLexer; A : 'a' ;")
        .and("FooParser.g4", "parser grammar FooParser; s : A EOF ;");
    check(&files, "FooParser.g4", &["s: A EOF", "A: \"a\""]);
}

#[test]
fn or_from_a_combined_grammar_or_by_way_of_another_parser() {
    let files = Memory::with("C.g4", "grammar C; c : 'x' A ; A : 'a' ;")
        .and("P.g4", "parser grammar P; options { tokenVocab = C; } tokens { Q } p : 'x' A ;")
        .and("R.g4", "parser grammar R; options { tokenVocab = P; } r : A 'x' Q EOF ;");
    check(&files, "P.g4", &["p: 'x' A", "A: \"a\"", "implicit 'x': \"x\""]);
    check(&files, "R.g4", &["r: A 'x' Q EOF", "A: \"a\"", "implicit 'x': \"x\""]);
}

#[test]
fn or_from_a_file_of_token_types() {
    let files = Memory::with("L.tokens", "A=1\nPLUS=2\n'+'=2\nT__0=3\n'x'=3\n")
        .and("P.g4", "parser grammar P; options { tokenVocab = L; } s : A '+' 'x' EOF ;");
    let loaded = load_files(&files, "P.g4");
    assert_eq!(warnings(&loaded), [""; 0]);
    let grammar = grammar_of(loaded);
    assert_eq!(grammar.text_kind(), TextKind::TokensOnly);
    let texts: Vec<_> = grammar
        .terminals()
        .values()
        .filter_map(|terminal| match &terminal.kind {
            TerminalKind::Token { name, text } => Some((&**name, text.as_deref())),
            _ => None,
        })
        .collect();
    assert_eq!(texts, [("A", None), ("PLUS", Some("+")), ("T__0", Some("x"))]);
}

#[test]
fn or_from_nowhere() {
    let files =
        Memory::with("P.g4", "parser grammar P; options { tokenVocab = L; } s : A '+' EOF ;");
    let loaded = load_files(&files, "P.g4");
    assert_eq!(warnings(&loaded), ["missing-vocabulary"]);
    let grammar = grammar_of(loaded);
    assert_eq!(grammar.text_kind(), TextKind::TokensOnly);
    assert_eq!(show(&grammar), ["s: A '+' EOF"]);
    let files = Memory::with("P.g4", "parser grammar P; tokens { A } s : A EOF ;");
    assert_eq!(warnings(&load_files(&files, "P.g4")), ["missing-vocabulary"]);
}

#[test]
fn a_combined_grammar_may_share_token_types() {
    let files =
        Memory::with("C.g4", "grammar C; options { tokenVocab = L; } s : A B EOF ; B : 'b' ;")
            .and("L.tokens", "A=1\n'a'=1\n");
    let loaded = load_files(&files, "C.g4");
    assert_eq!(warnings(&loaded), [""; 0]);
    assert_eq!(show(&grammar_of(loaded)), ["s: A B EOF", "B: \"b\""]);
}

#[test]
fn a_lexer_alone_is_not_a_grammar() {
    #[track_caller]
    fn check(files: &Memory, expected: &str) {
        let loaded = load_files(files, "FooLexer.g4");
        assert!(loaded.grammar.is_none());
        let [diagnostic] = &loaded.diagnostics[..] else {
            panic!("one mistake: {:#?}", loaded.diagnostics);
        };
        assert_eq!(diagnostic.code.name, "lexer-only");
        assert_eq!(diagnostic.message, "the lexer grammar `FooLexer` has no parser rules");
        assert_eq!(diagnostic.help.as_deref(), Some(expected));
    }
    let files = Memory::with("FooLexer.g4", "lexer grammar FooLexer; A : 'a' ;");
    check(&files, "load the parser grammar that names it with `tokenVocab`");
    let files = files.and("FooParser.g4", "parser grammar FooParser; s : A ;");
    check(&files, "load `FooParser.g4`, the parser grammar beside it");
}
