//! Grammars with errors: what is wrong, where, and the messages.

use gramercy_formats::{Loaded, Memory};

use crate::show::load_files;

/// A file `T.g4`, and for each of its errors: code, line and column, and part of the message.
type Case = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

const CASES: &[Case] = &[
    // The head.
    ("", &[("syntax", "1:1", "expected `grammar`, found the end of the file")]),
    ("s : 'x' ;", &[("syntax", "1:1", "expected `grammar`, found `s`")]),
    ("tree grammar T; s : 'x' ;", &[("syntax", "1:1", "expected `grammar`, found `tree`")]),
    ("grammar ;", &[("syntax", "1:9", "expected the grammar's name, found `;`")]),
    ("grammar T s : 'x' ;", &[("syntax", "1:11", "expected `;` after the grammar's name")]),
    ("grammar T;", &[("no-rules", "", "there is no parser rule")]),
    ("grammar T; A : 'a' ;", &[("no-rules", "", "there is no parser rule")]),
    ("lexer grammar T; A : 'a' ;", &[("lexer-only", "", "`T` has no parser rules")]),
    // Sections.
    ("grammar T; options { a b } s : 'x' ;", &[("syntax", "1:24", "expected `=`, found `b`")]),
    ("grammar T; options { a = ; } s : 'x' ;", &[("syntax", "1:26", "the value of an option")]),
    ("grammar T; options { a = b c = d; } s : 'x' ;", &[("syntax", "1:28", "`;` after an option")]),
    ("grammar T; tokens { A B } s : A ;", &[("syntax", "1:23", "expected `,` or `}`, found `B`")]),
    ("grammar T; tokens { a } s : 'x' ;", &[("syntax", "1:21", "begin with an upper-case letter")]),
    ("grammar T; import ; s : 'x' ;", &[("syntax", "1:19", "expected the name of a grammar")]),
    (
        "grammar T; import A B; s : 'x' ;",
        &[
            ("missing-import", "1:19", "the imported grammar `A` does not exist"),
            ("syntax", "1:21", "expected `,` or `;`, found `B`"),
        ],
    ),
    ("grammar T; import A; s : a B ;", &[("missing-import", "1:19", "grammar `A` does not exist")]),
    (
        "grammar T; channels { C } s : 'x' ;",
        &[("misplaced-section", "1:12", "channels are for lexer")],
    ),
    (
        "grammar T; s : A ; A : 'a' ; mode M; B : 'b' ;",
        &[("misplaced-section", "1:30", "modes are for lexer grammars")],
    ),
    ("grammar T; @ {x} s : 'x' ;", &[("syntax", "1:14", "expected the name of an action")]),
    ("grammar T; @header s : 'x' ;", &[("syntax", "1:20", "expected code in braces, found `s`")]),
    // Rules.
    ("grammar T; s 'x' ;", &[("syntax", "1:14", "expected `:`, found `'x'`")]),
    ("grammar T; s = 'x' ;", &[("syntax", "1:14", "expected `:`, found `=`")]),
    ("grammar T; s : 'x'", &[("syntax", "1:19", "a `;` is missing here")]),
    ("grammar T; s : 'x' t : 'y' ;", &[("syntax", "1:19", "a `;` is missing here")]),
    ("grammar T;\ns : 'x'\n\nfragment A : 'a' ;", &[("syntax", "2:8", "a `;` is missing here")]),
    ("grammar T; s : ('x' t : 'y' ;", &[("syntax", "1:20", "a `;` is missing here")]),
    ("grammar T; s : 'x' ; ; t : 'y' ;", &[("syntax", "1:22", "expected a rule, found `;`")]),
    ("grammar T; s : 'x' ) ;", &[("syntax", "1:20", "expected `|` or `;`, found `)`")]),
    ("grammar T; s : ( 'x' ;", &[("syntax", "1:22", "expected `|` or `)`, found `;`")]),
    ("grammar T; s : ((( 'x' ;", &[("syntax", "1:24", "expected `|` or `)`, found `;`")]),
    ("grammar T; s : 'x' } ;", &[("syntax", "1:20", "expected `|` or `;`, found `}`")]),
    (
        "grammar T; catch : 'x' ;",
        &[("reserved-name", "1:12", "`catch` cannot be the name of a rule")],
    ),
    ("grammar T; s : A ; EOF : 'x' ; A : 'a' ;", &[("reserved-name", "1:20", "`EOF` cannot be")]),
    ("grammar T; s : 'x' ; s : 'y' ;", &[("duplicate-rule", "1:22", "rule `s` is defined twice")]),
    (
        "grammar T; s : A ; A : 'a' ; A : 'b' ;",
        &[("duplicate-rule", "1:30", "`A` is defined twice")],
    ),
    ("grammar T; s : 'x' ; catch { } t : 'y' ;", &[("syntax", "1:28", "declarations in brackets")]),
    (
        "parser grammar T; s : 'x' ; A : 'a' ;",
        &[("misplaced-rule", "1:29", "the lexer rule `A` cannot")],
    ),
    ("grammar T; s : A ; A[int x] : 'a' ;", &[("syntax", "1:21", "expected `:`, found `[`")]),
    (
        "grammar T; s : A ; A returns [int x] : 'a' ;",
        &[("syntax", "1:22", "expected `:`, found `returns`")],
    ),
    ("grammar T; fragment s : 'x' ;", &[("syntax", "1:21", "a parser rule cannot be a fragment")]),
    // Elements.
    (
        "grammar T; s : 'x' 'y ;\nt : s ;",
        &[
            ("unterminated", "1:20", "this literal has no end"),
            ("syntax", "1:24", "a `;` is missing here"),
        ],
    ),
    ("grammar T; s : \"x\" ;", &[("syntax", "1:16", "`\"x\"` has no meaning here")]),
    (
        "grammar T; s : \"it's\" A \"\n B ; A : 'a' ; B : 'b' ;",
        &[
            ("syntax", "1:16", "`\"it's\"` has no meaning here"),
            ("syntax", "1:25", "`\"` has no meaning here"),
        ],
    ),
    ("grammar T; s : 'x'^ ;", &[("syntax", "1:19", "`^` has no meaning here")]),
    ("grammar T; _s : 'x' ;", &[("syntax", "1:12", "`_` has no meaning here")]),
    ("grammar T; s : x= ;", &[("syntax", "1:19", "expected an element after the label")]),
    (
        "grammar T; s : [a-z] ;",
        &[("syntax", "1:16", "expected an element of a parser rule, found `[`")],
    ),
    ("grammar T; s : A[1] ; A : 'a' ;", &[("syntax", "1:17", "expected no arguments for a token")]),
    ("grammar T; s : 'x'** ;", &[("syntax", "1:20", "a second repetition of the same element")]),
    (
        "grammar T; s : ~t ; t : 'x' ;",
        &[("syntax", "1:17", "expected a token or a literal, found `t`")],
    ),
    (
        "grammar T; s : 'a'..'z' ;",
        &[("range-in-parser", "1:16", "a range of characters is not allowed")],
    ),
    ("grammar T; s : 'x' # ;", &[("syntax", "1:22", "expected the alternative's name, found `;`")]),
    ("grammar T; s : 'x' -> skip ;", &[("syntax", "1:20", "commands are for lexer rules")]),
    ("grammar T; s : ('x')=> 'x' ;", &[("syntax", "1:21", "expected `|` or `;`, found `=`")]),
    ("grammar T; s : 'x'<a ;", &[("syntax", "1:22", "expected `,` or `>`, found `;`")]),
    ("grammar T; s : '' ;", &[("empty-set", "1:16", "this literal is empty")]),
    ("grammar T; s : { x ;", &[("unterminated", "1:16", "this action has no end")]),
    ("grammar T; /* s : 'x' ;", &[("unterminated", "1:12", "this comment has no end")]),
    (
        "grammar T; s[int x : 'x' ;",
        &[("unterminated", "1:13", "this list of arguments has no end")],
    ),
    // References.
    (
        "grammar T; s : expresion ; expression : 'x' ;",
        &[("undefined-rule", "1:16", "no rule `expresion`")],
    ),
    ("grammar T; s : q q ( q ) ;", &[("undefined-rule", "1:16", "there is no rule `q`")]),
    ("grammar T; s : A ; A : B ;", &[("undefined-rule", "1:24", "there is no rule `B`")]),
    (
        "grammar T; s : A ; A : s ;",
        &[("misplaced-rule", "1:24", "cannot refer to the parser rule `s`")],
    ),
    (
        "grammar T; s : 'x' ; A : 'x' ; B : 'x' ;",
        &[("ambiguous-literal", "1:16", "'x' is the text of several")],
    ),
    // Characters.
    ("grammar T; s : A ; A : '\\q' ;", &[("bad-escape", "1:25", "`\\q` is not an escape here")]),
    ("grammar T; s : A ; A : '\\\"' ;", &[("bad-escape", "1:25", "`\\\"` is not an escape here")]),
    ("grammar T; s : A ; A : 'a\\u12' ;", &[("bad-escape", "1:26", "fewer than four digits")]),
    ("grammar T; s : A ; A : '\\u12GG' ;", &[("bad-escape", "1:25", "not a hexadecimal number")]),
    (
        "grammar T; s : A ; A : '\\u{110000}' ;",
        &[("bad-escape", "1:25", "there is no such code point")],
    ),
    ("grammar T; s : A ; A : '\\u{41' ;", &[("bad-escape", "1:25", "no closing brace")]),
    ("grammar T; s : 'x\\q' ;", &[("bad-escape", "1:18", "`\\q` is not an escape here")]),
    ("grammar T; s : A ; A : [] ;", &[("empty-set", "1:24", "this set is empty")]),
    (
        "grammar T; s : A ; A : [z-a] ;",
        &[("empty-set", "1:24", "its end comes before its beginning")],
    ),
    ("grammar T; s : A ; A : 'b'..'a' ;", &[("empty-set", "1:24", "this range is empty")]),
    (
        "grammar T; s : A ; A : 'ab'..'c' ;",
        &[("long-literal-in-set", "1:24", "'ab' is more than one")],
    ),
    ("grammar T; s : A ; A : ~'ab' ;", &[("long-literal-in-set", "1:25", "'ab' is more than one")]),
    (
        "grammar T; s : A ; A : ~B ; B : 'b' ;",
        &[("rule-in-set", "1:25", "the rule `B` cannot be part")],
    ),
    (
        "grammar T; s : A ; A : ~. ;",
        &[("syntax", "1:25", "expected a character, a range or a set")],
    ),
    (
        "grammar T; s : A ; A : [\\p{Foo}] ;",
        &[("bad-escape", "1:25", "there is no property `Foo`")],
    ),
    ("grammar T; s : A ; A : [\\p] ;", &[("bad-escape", "1:25", "a property must be in braces")]),
    (
        "grammar T; s : A ; A : [a-\\p{Lu}] ;",
        &[("property-in-range", "1:24", "a property cannot be")],
    ),
    ("grammar T; s : A ; A : [\\[] ;", &[("bad-escape", "1:25", "`\\[` is not an escape here")]),
    (
        "grammar T; s : A ; A : [a\nb] ;",
        &[
            ("unterminated", "1:24", "this character set has no end"),
            ("syntax", "2:2", "`]` has no meaning here"),
        ],
    ),
    ("grammar T; s : A ; A : x='a' ;", &[("syntax", "1:24", "lexer rules have no labels")]),
    ("grammar T; s : A ; A : 'a' # L | ;", &[("syntax", "1:28", "labels are for parser rules")]),
    // Commands.
    (
        "grammar T; s : A ; A : 'a' -> skp ;",
        &[("unknown-command", "1:31", "no lexer command `skp`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> type ;",
        &[("command-argument", "1:31", "`type` needs an argument")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> skip(B) ;",
        &[("command-argument", "1:36", "`skip` takes no argument")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> channel(HIDEN) ;",
        &[("unknown-channel", "1:39", "no channel `HIDEN`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> mode(M) ;",
        &[("unknown-mode", "1:36", "there is no mode `M`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> type(B) ;",
        &[("unknown-token", "1:36", "there is no token type `B`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> type(7) ;",
        &[("unknown-token", "1:36", "there is no token type `7`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> ;",
        &[("syntax", "1:31", "expected a lexer command, found `;`")],
    ),
    (
        "grammar T; s : A ; A : 'a' -> mode() ;",
        &[("syntax", "1:36", "expected a name or a number")],
    ),
    // Invalid lexers.
    ("grammar T; s : A ; A : A 'a' | 'b' ;", &[("lexer-left-recursion", "1:20", "`A`")]),
    (
        "grammar T; s : A ; A : B? C ; B : 'b' ; C : A 'c' ;",
        &[("lexer-left-recursion", "1:20", "`A`, `C`")],
    ),
    // Several errors at once.
    (
        "grammar T;\ns : 'x ;\nt : q ;\nt : 'y' ;\nA : [z-a] -> foo ;\n% u : 'z' ;",
        &[
            ("unterminated", "2:5", "this literal has no end"),
            ("syntax", "2:9", "a `;` is missing here"),
            ("undefined-rule", "3:5", "there is no rule `q`"),
            ("duplicate-rule", "4:1", "`t` is defined twice"),
            ("empty-set", "5:5", "its end comes before its beginning"),
            ("unknown-command", "5:14", "there is no lexer command `foo`"),
            ("syntax", "6:1", "`%` has no meaning here"),
        ],
    ),
    (
        "grammar T; s : 'x' ; t : 'y' ;",
        &[("several-starts", "1:12", "several rules could be the start: `s`, `t`")],
    ),
];

/// The errors of a file.
fn errors(loaded: &Loaded) -> Vec<(&'static str, String, String)> {
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    errors
        .map(|diagnostic| {
            let place = diagnostic.span().map_or_else(String::new, |span| {
                let position = loaded.sources.position(span);
                format!("{}:{}", position.line, position.column)
            });
            (diagnostic.code.name, place, diagnostic.message.clone())
        })
        .collect()
}

#[test]
fn errors_have_codes_positions_and_messages() {
    let wrong: Vec<_> = CASES
        .iter()
        .filter_map(|(text, expected)| differs(&Memory::with("T.g4", *text), expected))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The differences between the errors of files and the expected ones.
fn differs(files: &Memory, expected: &[(&str, &str, &str)]) -> Option<String> {
    let loaded = load_files(files, "T.g4");
    assert!(loaded.grammar.is_none(), "{files:?}");
    let found = errors(&loaded);
    let agree = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| {
            (found.0, &*found.1) == (expected.0, expected.1) && found.2.contains(expected.2)
        });
    let text = loaded.sources.iter().next().expect("a file").1.text();
    (!agree).then(|| format!("{text}\nfound    {found:?}\nexpected {expected:?}"))
}

#[track_caller]
fn check(files: &Memory, expected: &[(&str, &str, &str)]) {
    assert_eq!(differs(files, expected), None);
}

#[test]
fn errors_in_other_files_have_spans_there() {
    let lexer = "lexer grammar L;\nA : 'a' -> mode(Q) ;\nb : A ;";
    let parser = "parser grammar T; options { tokenVocab = L; } s : A 'b' EOF ;";
    check(
        &Memory::with("T.g4", parser).and("L.g4", lexer),
        &[
            ("unknown-literal", "1:53", "no lexer rule has 'b' as its whole body"),
            ("unknown-mode", "2:17", "there is no mode `Q`"),
            ("misplaced-rule", "3:1", "the parser rule `b` cannot be in a lexer grammar"),
        ],
    );
    let importer = "grammar T; import A; s : a ;";
    check(
        &Memory::with("T.g4", importer).and("A.g4", "grammar A;\na : b ;"),
        &[("undefined-rule", "2:5", "there is no rule `b`")],
    );
    let importer = "parser grammar T; import L; s : A ;";
    check(
        &Memory::with("T.g4", importer).and("L.g4", "lexer grammar L; A : 'a' ;"),
        &[
            ("bad-import", "1:26", "a parser grammar cannot import a lexer grammar"),
            ("misplaced-rule", "1:18", "the lexer rule `A` cannot be in a parser grammar"),
        ],
    );
    check(
        &Memory::with("T.g4", "grammar T; import A; s : 'x' ;").and("A.g4", vec![0xFF]),
        &[("not-utf8", "", "`A.g4` is not UTF-8")],
    );
}

#[test]
fn help_names_similar_names() {
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let loaded = load_files(&Memory::with("T.g4", text), "T.g4");
        let help = loaded.diagnostics.iter().find_map(|diagnostic| diagnostic.help.as_deref());
        assert_eq!(help, Some(expected), "{text}");
    }
    check("grammar T; s : expresion ; expression : 'x' ;", "did you mean `expression`?");
    check("grammar T; s : A ; A : DIGT ; fragment DIGIT : [0-9] ;", "did you mean `DIGIT`?");
    check("grammar T; s : NUMER EOF ; NUMBER : [0-9] ;", "did you mean `NUMBER`?");
    check("grammar T; s : A ; A : 'a' -> skp ;", "did you mean `skip`?");
    check("grammar T; s : A ; A : 'a' -> channel(HIDEN) ;", "did you mean `HIDDEN`?");
    check("grammar T; s : A ; A : 'a' -> type(STRNG) ; STRING : '\"' ;", "did you mean `STRING`?");
    check("grammar T; s : A ; A : 'a' -> type(BCD) ;", "declare it with `tokens { BCD }`");
    check("grammar T; s : \"x\" ;", "ANTLR's literals are in single quotes");
}
