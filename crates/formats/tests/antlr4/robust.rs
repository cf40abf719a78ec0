//! Files that are not grammars, or too large: always diagnostics, immediately, never a panic.

use std::fmt::Write as _;

use crate::show::{load_text, show};

/// The code of the last error of an invalid text.
fn last_error(text: &str) -> &'static str {
    let loaded = load_text(text);
    assert!(loaded.grammar.is_none(), "no grammar");
    let error = loaded.diagnostics.iter().rfind(|diagnostic| diagnostic.is_error());
    error.expect("an error").code.name
}

#[test]
fn nesting_is_bounded_and_reported_once() {
    let deep =
        |depth: usize| format!("grammar T;\ns : {}'a'{} ;\n", "(".repeat(depth), ")".repeat(depth));
    assert!(load_text(&deep(500)).grammar.is_some());
    for rest in ["", "A : (((('x')))) | ((((((('y' ;", "t : u ;"] {
        let loaded =
            load_text(&(deep(100_000) + &deep(100_000).replace("grammar T;\ns", "t") + rest));
        let codes = loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.name);
        assert_eq!(codes.filter(|&code| code == "nested-too-deeply").count(), 1);
        assert!(loaded.diagnostics.len() <= 4);
    }
}

#[test]
fn large_files_are_read_in_linear_time() {
    const MANY: usize = 50_000;
    let mut rules = String::from("grammar T;\n");
    for rule in 0..MANY {
        writeln!(rules, "r{rule} : 'k{rule}' r{} | X{}* ;", (rule + 1) % MANY, rule % 100).unwrap();
    }
    assert_eq!(last_error(&rules), "several-starts");
    assert_eq!(
        last_error(&("grammar T;\n".to_owned() + &"s : 'a' ;\n".repeat(MANY))),
        "too-many-mistakes"
    );
    assert_eq!(
        last_error(&("grammar T;\n".to_owned() + &"s : u ;\nu : v".repeat(MANY))),
        "too-many-mistakes"
    );
}

#[test]
fn pathological_texts_are_reported() {
    const MANY: usize = 10_000;
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "'",
        "\"",
        "\\",
        "/*",
        "*/",
        "//",
        ":",
        ";",
        "|",
        "a ",
        "a : ",
        "A : ",
        "->",
        "~",
        "#",
        "@",
        "<",
        ">",
        "\0",
        "\u{FEFF}",
        "é",
        "%",
        "mode ",
        "fragment ",
        "options {",
        "tokens {",
        "import ",
        "s : 'x",
        "S : [x",
        "a=",
        "..",
        "\r",
        "?",
    ];
    for piece in pieces {
        for head in [
            "",
            "grammar T;\n",
            "grammar T; s : ",
            "lexer grammar T; A : ",
            "grammar T; s : A ; A : (",
        ] {
            let loaded = load_text(&(head.to_owned() + &piece.repeat(MANY)));
            assert!(loaded.grammar.is_none(), "{head}{piece}");
            let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            assert!(errors.count() <= 101, "{head}{piece}");
        }
    }
}

#[test]
fn every_prefix_and_every_loss_of_a_character_is_survived() {
    let text = "parser grammar T; options { tokenVocab = 'x'; } import A, b = C; tokens { X, Y }\n\
        @parser::members { int x = '}'; } /** c */ public s[int a] returns [int b] locals [c]\n\
        throws D @init { } options { k = 2; } : <assoc=right> l+=s[1] '+'<x=y> (options { } : r=s | ~(X | 'y'))*?\n\
        # Label | { a }?<fail='b'> . EOF ; catch [E e] { } finally { } fragment A : [a\\]\\u{1F}-z] 'a'..'b'\n\
        -> skip, type(X), mode(M) ; mode M; B : ~[b] ;";
    for (at, c) in text.char_indices() {
        load_text(&text[..at]);
        load_text(&(text[..at].to_owned() + &text[at + c.len_utf8()..]));
        load_text(&(text[..at].to_owned() + "\u{0}" + &text[at..]));
    }
}

#[test]
fn line_ends_and_marks_do_not_matter() {
    let plain = "grammar T;\ns : 'a' // c\n | B\n EOF ;\nB : [\\r\\n] ;\n";
    let expected = show(&load_text(plain).grammar.expect("a grammar"));
    for text in [plain.replace('\n', "\r\n"), plain.replace('\n', "\r"), format!("\u{FEFF}{plain}")]
    {
        assert_eq!(show(&load_text(&text).grammar.expect("a grammar")), expected);
    }
}
