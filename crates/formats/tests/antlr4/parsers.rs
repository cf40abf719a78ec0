//! Parser rules: every construct, and the ignored parts.

use gramercy_grammar::{NoteKind, TerminalKind, TextKind};

use crate::show::{grammar_of, load_text, show, warnings};

/// The parser rules of a combined grammar with this body, without the implicit tokens.
#[track_caller]
fn check(rules: &str, expected: &[&str]) {
    let grammar = grammar_of(load_text(&format!("grammar T;\n{rules}")));
    let shown: Vec<_> =
        show(&grammar).into_iter().filter(|rule| !rule.starts_with("implicit")).collect();
    assert_eq!(shown, expected, "{rules}");
}

#[test]
fn sequences_alternatives_and_groups() {
    check("s : A b EOF ; b : 'x' | A A ; A : 'a' ;", &["s: A b EOF", "b: 'x' | A A", "A: \"a\""]);
    check("s : (A | 'y') (A) ((A A)) ; A : 'a' ;", &["s: (A | 'y') A A A", "A: \"a\""]);
    check("s : ((A | 'y')) ; A : 'a' ;", &["s: A | 'y'", "A: \"a\""]);
    check("s : (A ('y' | (A))) ; A : 'a' ;", &["s: A ('y' | A)", "A: \"a\""]);
}

#[test]
fn repetitions_greedy_and_not() {
    check("s : 'x'? 'x'* 'x'+ 'x'?? 'x'*? 'x'+? ;", &["s: 'x'? 'x'* 'x'+ 'x'?? 'x'*? 'x'+?"]);
    check("s : ('x' 'y')* ('x' | 'y')+ (('x'))? ;", &["s: ('x' 'y')* ('x' | 'y')+ 'x'?"]);
    check("s : ('x'? 'y')*? ;", &["s: ('x'? 'y')*?"]);
}

#[test]
fn empty_alternatives() {
    check("s : ;", &["s: \"\""]);
    check("s : | 'x' | ;", &["s: \"\" | 'x' | \"\""]);
    check("s : 'x' ( | 'y') ;", &["s: 'x' (\"\" | 'y')"]);
    check("s : () 'x' ;", &["s: \"\" 'x'"]);
}

#[test]
fn labels_and_associativity_are_kept() {
    check(
        "e : <assoc=right> l=e op=('^' | '*') r=e # Power | x+='n'* # Number ;",
        &["e: <Right> l=e op=('^' | '*') r=e #Power | x='n'* #Number"],
    );
    check("e : <assoc=left> e '-' e | 'n' ;", &["e: <Left> e '-' e | 'n'"]);
}

#[test]
fn sets_of_tokens() {
    check("s : . ~A ~'x' ~(A | 'x' | A) ; A : 'a' ;", &["s: ~() ~(A) ~('x') ~(A 'x')", "A: \"a\""]);
    check("s : ~(EOF | A) .*? ; A : 'a' ;", &["s: ~(A) ~()*?", "A: \"a\""]);
    let grammar = grammar_of(load_text("grammar T; s : ~( 'x' |  A ) . ; A : 'a' ;"));
    let names: Vec<_> = grammar
        .terminals()
        .values()
        .filter(|terminal| matches!(terminal.kind, TerminalKind::AnyTokenBut(_)))
        .map(|terminal| &*terminal.name)
        .collect();
    assert_eq!(names, ["~('x'|A)", "."]);
}

#[test]
fn visibility_is_a_modifier_or_a_name() {
    check("public s : private ; protected private : 'x' ;", &["s: private", "private: 'x'"]);
    check(
        "s : public=protected ; protected returns [int i] : 'x' ;",
        &["s: public=protected", "protected: 'x'"],
    );
}

#[test]
fn everything_before_the_colon_is_taken() {
    check(
        "s[int x, List<String> y] returns [int z] throws A, b.C locals [int[] w, char c = ']']
         options { k = 1; } @init { if (x) { } } @after { '}' } : 'x' ;
         catch [RuntimeException e] { }
         finally { }",
        &["s: 'x'"],
    );
    check("public s : t[1, \"]\"] ; private t[int i] : 'x' ;", &["s: t", "t: 'x'"]);
}

#[test]
fn options_of_blocks_and_elements_are_passed_over() {
    check("s : (options { greedy = false; } : 'x' | 'y')* ( : 'z') ;", &["s: ('x' | 'y')* 'z'"]);
    check(
        "s : 'x'<foo> A<node=Bar, t='q'> .<A.B> t<x> ; t : 'y' ; A : 'a' ;",
        &["s: 'x' A ~() t", "t: 'y'", "A: \"a\""],
    );
}

#[test]
fn words_of_sections_may_name_rules() {
    check(
        "s : options tokens (options) channels ; options : 'o' ; tokens : 't' ; channels : 'c' ;",
        &["s: options tokens options channels", "options: 'o'", "tokens: 't'", "channels: 'c'"],
    );
}

#[test]
fn names_may_be_of_any_script() {
    check(
        "größe : Ärger ä·1 ; ä·1 : '語' ; Ärger : 'ß' ;",
        &["größe: Ärger ä·1", "ä·1: '語'", "Ärger: \"ß\""],
    );
}

#[test]
fn comments_and_sections_stand_anywhere() {
    let text = "\u{FEFF}/** doc */ grammar /* a */ T; // b\n\
        options { language = Java; superClass = a.b.C; x = 'y'; n = 3; }\n\
        @header { package x; /* } */ // }\n }\n\
        @parser::members { char c = '}'; String s = \"\\\"}\"; }\n\
        /** doc */ s /* c */ : 'x' /** d */ ;\r\n";
    assert_eq!(show(&grammar_of(load_text(text))), ["s: 'x'", "implicit 'x': \"x\""]);
}

#[test]
fn code_is_ignored_with_its_span() {
    let text = "grammar T;
options { superClass = Base; }
@header { import x; }
@members { int n; }
@lexer::members { int m; }
s @init { n = 0; } : { n++; } A { n > 0 }? B {m()}?<fail='no'> EOF ;
A : 'a' { skip(); } ;
B : { m > 0 }? 'b' ;
";
    let grammar = grammar_of(load_text(text));
    let notes: Vec<_> = grammar
        .notes()
        .iter()
        .map(|note| {
            let span = note.span.expect("a place");
            (grammar.sources().position(span).line, note.kind, grammar.sources().text(span))
        })
        .collect();
    assert_eq!(
        notes,
        [
            (2, NoteKind::HostCode, "Base"),
            (3, NoteKind::Action, "@header { import x; }"),
            (4, NoteKind::HostCode, "@members { int n; }"),
            (5, NoteKind::HostCode, "@lexer::members { int m; }"),
            (6, NoteKind::Action, "@init { n = 0; }"),
            (6, NoteKind::Action, "{ n++; }"),
            (6, NoteKind::Predicate, "{ n > 0 }?"),
            (6, NoteKind::Predicate, "{m()}?"),
            (7, NoteKind::Action, "{ skip(); }"),
            (8, NoteKind::Predicate, "{ m > 0 }?"),
        ]
    );
    assert_eq!(show(&grammar), ["s: A B EOF", "A: \"a\"", "B: \"b\""]);
}

#[test]
fn warnings_of_antlr_are_warnings() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let loaded = load_text(text);
        assert_eq!(warnings(&loaded), expected, "{text}");
        grammar_of(loaded);
    }
    check("grammar T; s : A EOF ;", &["implicit-token"]);
    check("grammar T; s : A A 'x' A EOF ;", &["implicit-token"]);
    check("grammar T; s : A EOF ; fragment A : 'a' ; B : A ;", &["implicit-token"]);
    check("grammar T; s : A B EOF ; A : 'a' 'b' -> type(B) ; B : 'b' ;", &["implicit-token"]);
    check("grammar T; tokens { A; B; } s : A B EOF ;", &["old-syntax"]);
    check("grammar T; s : {p}?=> 'x' EOF ;", &["old-syntax"]);
    check("grammar T; s : 'x' '+'<assoc=right> 'x' EOF ;", &["misplaced-associativity"]);
    check("grammar T; s : <assoc=up> 'x' EOF ;", &["bad-option"]);
    check("grammar T; options { caseInsensitive = maybe; } s : 'x' EOF ;", &["bad-option"]);
    check("grammar T; options { a = b; } options { c = d; } s : 'x' EOF ;", &["repeated-section"]);
    check("grammar T; s : a EOF ; a : b 'x' | 'y' ; b : a 'z' | 'w' ;", &["mutual-left-recursion"]);
    check("grammar T; s : a EOF ; a : a? 'x' ;", &["mutual-left-recursion"]);
    check("grammar T; s : a EOF ; a : (a | 'y') 'x' ;", &["mutual-left-recursion"]);
    check("grammar T; s : a EOF ; a : b? a 'y' | 'x' ; b : 'b' ;", &["mutual-left-recursion"]);
    check("grammar T; s : a EOF ; a : a '+' a | a 'x' | 'y' ;", &[]);
    check("grammar T; s : ('x'?)* EOF ;", &["nullable-loop"]);
    check("grammar T; s : a+ EOF ; a : b b ; b : | 'x' ;", &["nullable-loop"]);
    check("grammar T; s : ('x' | 'y' 'z'?)* EOF ;", &[]);
    check("grammar T; s : 'x' EOF # X | 'y' EOF ;", &["partly-labeled"]);
    check("grammar T; s : A EOF ; A : 'a'* ;", &["empty-token"]);
    check("grammar T; s : A EOF ; A : B ; fragment B : 'b'? ;", &["empty-token"]);
    check("grammar T; s : A EOF ; A : ('a'?)+ 'b' ;", &["nullable-loop"]);
    check("grammar T; s : A EOF ; A : 'a' -> skip | 'b' ;", &["misplaced-command"]);
    check("grammar T; s : A EOF ; A : ('a' -> skip) 'b' ;", &["misplaced-command"]);
    check("grammar T; s : A EOF ; A : B ; fragment B : 'b' -> skip ;", &["command-in-fragment"]);
    check("grammar T; s : A EOF ; A : 'a' ~[\\u{0}-\\u{10FFFF}] ;", &["empty-regex"]);
}

#[test]
fn tokens_without_any_lexer_rule_are_names_only() {
    let loaded = load_text("grammar T; tokens { A, B } s : A B EOF ;");
    let grammar = grammar_of(loaded);
    assert_eq!(grammar.text_kind(), TextKind::TokensOnly);
    assert_eq!(show(&grammar), ["s: A B EOF"]);
}

#[test]
fn tokens_of_the_old_kind_have_a_text() {
    let grammar = grammar_of(load_text("grammar T; tokens { A = 'a'; B } s : A 'a' EOF ;"));
    assert_eq!(show(&grammar), ["s: A A EOF", "A: \"a\""]);
}
