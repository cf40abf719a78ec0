//! The meaning of the native notation.

use gramercy_grammar::TerminalKind;
use gramercy_regular::Regex;

use crate::support::{dump, grammar, productions, read, read_from, said};

/// The productions of a text, without the final line end.
fn check(text: &str, expected: &str) {
    let read = grammar("a.gram", text);
    assert_eq!(productions(&read).trim_end().replace('\n', "; "), expected, "{text}");
}

/// The diagnostics of a text that can be read.
fn check_said(text: &str, expected: &str) {
    let loaded = read("a.gram", text);
    assert_eq!(said(&loaded), expected, "{text}");
    assert!(loaded.grammar.is_some(), "{text}");
}

/// The line of the dump that begins with `start`.
fn check_line(text: &str, start: &str, expected: &str) {
    let dump = dump(&grammar("a.gram", text));
    let line = dump.lines().find_map(|line| line.strip_prefix(start));
    assert_eq!(line, Some(expected), "{text}\n{dump}");
}

#[test]
fn right_hand_sides() {
    check("A := ;", "A →");
    check("A := \"a\";", "A → \"a\"");
    check("A := \"a\" 'b';", "A → \"a\" \"b\"");
    check("A := | \"a\";", "A →; A → \"a\"");
    check("A := \"a\" |;", "A → \"a\"; A →");
    check("A := (((\"a\")));", "A → \"a\"");
    check("A := (\"a\" \"b\") \"c\";", "A → \"a\" \"b\" \"c\"");
    check("A := \"a\" (\"b\" | \"c\");", "A → \"a\" A_1; A_1 → \"b\"; A_1 → \"c\"");
    check("A := \"a\"B; B := 'b''c'A?;", "A → \"a\" B; B → \"b\" \"c\" B_1; B_1 →; B_1 → A");
    check("A := () \"a\";", "A → \"a\"");
    check("/* a /* b */ c */ A // d\n := \"a\" /* ; */ ;", "A → \"a\"");
    check("\u{FEFF}A := \"a\";\r\n", "A → \"a\"");
    check("A := \"a\" B ;\rB:=\"b\";", "A → \"a\" B; B → \"b\"");
}

#[test]
fn quantifiers() {
    check("A := \"a\"?;", "A → A_1; A_1 →; A_1 → \"a\"");
    check("A := \"a\"*;", "A → A_1; A_1 →; A_1 → A_1 \"a\"");
    check("A := \"a\"+;", "A → A_1; A_1 → \"a\"; A_1 → A_1 \"a\"");
    check("A := \"a\" * ;", "A → A_1; A_1 →; A_1 → A_1 \"a\"");
    check("A := \"a\"{2};", "A → \"a\" \"a\"");
    check("A := \"a\"{ 2 , };", "A → \"a\" \"a\" A_1; A_1 →; A_1 → A_1 \"a\"");
    check("A := \"a\"{,1};", "A → A_1; A_1 →; A_1 → \"a\"");
    check("A := \"a\"{1,2};", "A → \"a\" A_1; A_1 →; A_1 → \"a\"");
    check("A := \"a\"{0};", "A →");
    check_line("A := (\"a\"*)+;", "syntax A: ", "(\"a\"{0,None,true}{1,None,true})");
    check_line(
        "A := \"a\"*? \"b\"+? \"c\"?? \"d\"{2,}?;",
        "syntax A: ",
        "([\"a\"{0,None,false} \"b\"{1,None,false} \"c\"{0,Some(1),false} \"d\"{2,None,false}])",
    );
}

#[test]
fn literals_and_their_escapes() {
    let check = |literal: &str, expected: &str| {
        check_line(&format!("A := {literal};"), "syntax A: ", &format!("({expected:?})"));
    };
    check(r#""""#, "");
    check(r#""a'b""#, "a'b");
    check(r#"'a"b'"#, "a\"b");
    check(r#""\"\\\'\`""#, "\"\\'`");
    check(r#""\n\r\t\0\a\b\f\v""#, "\n\r\t\0\u{7}\u{8}\u{C}\u{B}");
    check(r#""\x41\u0042\u{43}\u{1F600}""#, "ABC😀");
    check(r#""\x{41}""#, "A");
    check(r#""\uD83D\uDE00""#, "😀");
    check(r#""ä€😀""#, "ä€😀");
    check(r#""\[\]\-\/""#, "[]-/");
    check("\"a;//b\"", "a;//b");
}

#[test]
fn classes_and_ranges() {
    let check = |class: &str, expected: &str| {
        check_line(&format!("A := {class};"), "syntax A: ", &format!("({expected})"));
    };
    check("[a]", "[(61, 61)]");
    check("[a-cx]", "[(61, 63), (78, 78)]");
    check("[-a]", "[(2D, 2D), (61, 61)]");
    check("[a-]", "[(2D, 2D), (61, 61)]");
    check("[^\\u{0}-\\u{10FFFE}]", "[(10FFFF, 10FFFF)]");
    check("[\\]\\[\\\\\\-\\^]", "[(2D, 2D), (5B, 5E)]");
    check("[\\n\\t]", "[(9, A)]");
    check("[\\uD800-\\uDFFF]", "[(D800, DFFF)]");
    check("\"a\"..\"c\"", "[(61, 63)]");
    check("'a' .. \"a\"", "[(61, 61)]");
    check(".", "[(0, 10FFFF)]");
    check("~\"a\"", "[(0, 60), (62, 10FFFF)]");
    check("~(\"a\" | [b-d] | \"e\"..\"f\")", "[(0, 60), (67, 10FFFF)]");
    check("[^]", "[(0, 10FFFF)]");
}

#[test]
fn sets_by_name() {
    let counts = |class: &str| {
        let read = grammar("a.gram", &format!("A := {class};"));
        let terminal = &read.terminals().values().next().expect("one terminal").kind;
        match terminal {
            TerminalKind::Chars(set) => ['5', 'a', 'Ä', ' '].map(|c| set.contains(c.into())),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(counts(r"[\d]"), [true, false, false, false]);
    assert_eq!(counts(r"[\w]"), [true, true, true, false]);
    assert_eq!(counts(r"[\S]"), [true, true, true, false]);
    assert_eq!(counts(r"[\p{L}]"), [false, true, true, false]);
    assert_eq!(counts(r"[\pL_]"), [false, true, true, false]);
    assert_eq!(counts(r"[\P{Lu}]"), [true, true, false, true]);
    assert_eq!(counts(r"[^\p{Greek}a]"), [true, false, true, true]);
}

#[test]
fn regular_expressions() {
    let check = |regex: &str, expected: Regex| {
        let read = grammar("a.gram", &format!("A := {regex};"));
        let terminal = &read.terminals().values().next().expect("one terminal").kind;
        match terminal {
            TerminalKind::Regex { regex: found, .. } => assert_eq!(*found, expected, "{regex}"),
            other => panic!("{regex} is {other:?}"),
        }
    };
    check("/ab/", Regex::literal("ab"));
    check(r"/a\/b/", Regex::literal("a/b"));
    check(r"/\x41\n/", Regex::literal("A\n"));
    check("/;/", Regex::literal(";"));
    check("/ab/tribble", Regex::literal("ab"));
    check(r"/\\n\n/tribble", Regex::literal("n\n"));
    check("/~a/tribble", Regex::Complement(Box::new(Regex::literal("a"))));
    check(r"/\\(\(a\)/tribble", Regex::literal("(a"));
}

#[test]
fn names() {
    check("_a := b'$1; b'$1 := \"x\";", "_a → b'$1; b'$1 → \"x\"");
    check("`$@1` := `a b` | `x``y`; `a b` := ; `x``y` := ;", "$@1 → a b; $@1 → x`y; a b →; x`y →");
    check("`EOF` := `EOF` \"a\" | \"b\";", "EOF → EOF \"a\"; EOF → \"b\"");
    check(
        "token := skip start; skip := mode; mode := left; left := ; start := ;",
        "token → skip start; skip → mode; mode → left; left →; start →",
    );
}

#[test]
fn the_start() {
    let check = |text: &str, expected: &str| {
        let read = grammar("a.gram", text);
        assert_eq!(&*read.rules()[read.start()].name, expected, "{text}");
    };
    check("B := \"b\"; A := B;", "A");
    check("A := A \"a\" | B; B := \"b\";", "A");
    check("start B; A := B; B := \"b\";", "B");
    check("A := B; start B; B := \"b\";", "B");
    check_said(
        "A := B; B := A | \"b\";",
        "1:1 start-guessed: every rule is used by others; the first, `A`, is taken as the start\n",
    );
    let asked = |start| read_from("a.gram", "start A; A := B; B := C; C := \"c\";", Some(start));
    let read = asked("B").grammar.expect("B is a rule");
    assert_eq!(&*read.rules()[read.start()].name, "B");
    assert_eq!(said(&asked("X")), "- unknown-start: there is no rule `X` to start from\n");
    let question = "1:1 several-starts: several rules could be the start: `A`, `B`\n";
    assert_eq!(said(&read_text("A := A \"a\" | \"b\"; B := \"c\";")), question);
}

fn read_text(text: &str) -> gramercy_formats::Loaded {
    read("a.gram", text)
}

#[test]
fn marks() {
    let check = |text: &str, expected: &str| check_line(text, "syntax A: ", expected);
    check("A := \"a\" @@ 0.25 | \"b\";", "(\"a\" @Some(0.25) #None None None None | \"b\")");
    check(
        "A := \"a\" @@0x1p-1 | \"b\" @@ 1e-1;",
        "(\"a\" @Some(0.5) #None None None None | \"b\" @Some(0.1) #None None None None)",
    );
    check("A := (\"a\" @@ 0.5) \"b\";", "([(\"a\" @Some(0.5) #None None None None) \"b\"])");
    check(
        "A := <right> \"a\" # One | <left> # Two;",
        "(\"a\" @None #Some(\"One\") Some(Right) None None \
          | \"\" @None #Some(\"Two\") Some(Left) None None)"
            .replace("          |", "|")
            .as_str(),
    );
    check(
        "A := \"a\" %prec \"b\" %dprec 2 # `x y`;",
        "(\"a\" @None #Some(\"x y\") None Some(\"\\\"b\\\"\") Some(2))",
    );
    check(
        "A := left=\"a\" right = (\"b\" | \"c\")* x=(\"d\"?);",
        "([left=\"a\" right=(\"b\" | \"c\"){0,None,true} x=\"d\"{0,Some(1),true}])",
    );
    check("A := \"a\" EOF | ~\"b\" EOF;", "([\"a\" EOF] | [[(0, 61), (63, 10FFFF)] EOF])");
}

#[test]
fn rules_in_several_places() {
    check(
        "A := \"a\" B; B := \"b\"; A |= \"c\"; B |= \"d\" | \"e\";",
        "A → \"a\" B; B → \"b\"; A → \"c\"; B → \"d\"; B → \"e\"",
    );
    check(
        "A := B* \"a\"; B := \"b\"; A |= \"c\";",
        "A → A_1 \"a\"; B → \"b\"; A → \"c\"; A_1 →; A_1 → A_1 B",
    );
}

pub(crate) const LEXER: &str = r##"
start Program;
Program := Statement* EOF;
Statement := ID "=" Value ";" | 'if' ID Statement | ~(ID | ";") . ;
Value := ID | NUMBER | "=" "if";
token IF := "if";
token ID := LETTER (LETTER | DIGIT)*;
nocase token NUMBER := DIGIT+ ("e" DIGIT+)?;
fragment LETTER := [a-z_];
nocase fragment DIGIT := [0-9];
token OTHER;
token STRING := "\"" -> more, push(TEXT);
skip SPACE := [ \t\n]+;
skip LINE := "//" ~[\n]* ("\n" | EOF) -> channel(HIDDEN) | "#";
token COMMENT := "/*" (COMMENT | .)*? "*/" -> channel(DEFAULT_TOKEN_CHANNEL), type(OTHER);
mode TEXT;
token END := "\"" -> pop, mode(DEFAULT_MODE);
token CHAR := . -> type(STRING) | /[0-9]{2}/;
mode DEFAULT_MODE;
token LAST := "last";
"##;

#[test]
fn grammars_with_a_lexer() {
    let check = |start, expected| check_line(LEXER, start, expected);
    check("Lexed", " from Program");
    check(
        "syntax Statement: ",
        "([ID \"=\" Value \";\"] | [IF ID Statement] | [~[\"\\\";\\\"\", \"ID\"] ~[]])",
    );
    check("syntax Value: ", "(ID | NUMBER | [\"=\" IF])");
    check("token IF ModeId(0) nocase=false implicit=false IF: ", "(\"if\")");
    check(
        "token ID ModeId(0) nocase=false implicit=false ID: ",
        "([LETTER (LETTER | DIGIT){0,None,true}])",
    );
    check(
        "token NUMBER ModeId(0) nocase=true implicit=false NUMBER: ",
        "([DIGIT{1,None,true} [\"e\" DIGIT{1,None,true}]{0,Some(1),true}])",
    );
    check("fragment nocase=true DIGIT: ", "([(30, 39)])");
    check(
        "token STRING ModeId(0) nocase=false implicit=false STRING: ",
        "([\"\\\"\" ->More,PushMode(ModeId(1))])",
    );
    check(
        "token SPACE ModeId(0) nocase=false implicit=false SPACE: ",
        "([[(9, A), (20, 20)]{1,None,true} ->Skip])",
    );
    check(
        "token LINE ModeId(0) nocase=false implicit=false LINE: ",
        "([\"//\" [(0, 9), (B, 10FFFF)]{0,None,true} (\"\\n\" | EOF) ->Skip,channel HIDDEN] \
         | [\"#\" ->Skip])",
    );
    check(
        "token COMMENT ModeId(0) nocase=false implicit=false COMMENT: ",
        "([\"/*\" (COMMENT | [(0, 10FFFF)]){0,None,false} \"*/\" \
         ->channel DEFAULT_TOKEN_CHANNEL,typeOTHER])",
    );
    check(
        "token END ModeId(1) nocase=false implicit=false END: ",
        "([\"\\\"\" ->PopMode,Mode(ModeId(0))])",
    );
    check(
        "token CHAR ModeId(1) nocase=false implicit=false CHAR: ",
        "([[(0, 10FFFF)] ->typeSTRING] | /[0-9]{2}/)",
    );
    check("token \"=\" ModeId(0) nocase=false implicit=true \"=\": ", "(\"=\")");
    check("mode DEFAULT_MODE: ", "\"=\" \";\" IF ID NUMBER STRING SPACE LINE COMMENT LAST");
    check("mode TEXT: ", "END CHAR");
}

#[test]
fn a_literal_is_the_token_that_it_spells() {
    let syntax = |text: &str, expected| check_line(text, "syntax A: ", expected);
    syntax("A := \"+\"; token PLUS := \"+\";", "(PLUS)");
    syntax("A := \"+\"; token PLUS := \"+\" -> push(M); mode M;", "(PLUS)");
    syntax("A := \"+\"; token PLUS := \"+\" | \"p\";", "(\"+\")");
    syntax("A := \"+\"; token PLUS \"+\";", "(PLUS)");
    syntax("A := '+' \"+\"; token OTHER;", "(['+' '+'])");
    check_line(
        "nocase literals; A := \"a\"; skip S := \" \";",
        "token \"a\" ModeId(0) nocase=true implicit=true \"a\": ",
        "(\"a\")",
    );
    check_line("A := \"a\"; mode DEFAULT_MODE;", "Lexed", " from A");
    check_line("A := \"a\"; token \"a\";", "TokensOnly", " from A");
    check_line("A := \"\" | T; token T;", "syntax A: ", "(\"\" | T)");
    syntax("A := F; token F; token T := F; fragment F := \"f\";", "(F)");
}

#[test]
fn tokens_and_their_precedence() {
    let text = r#"
        token NUMBER, MINUS "-", UNARY;
        left "+", MINUS;
        right "^";
        nonassoc "<";
        precedence UNARY;
        E := E "+" E | E "-" E | E "^" E | E "<" E | "-" E %prec UNARY | NUMBER;
    "#;
    check_line(text, "TokensOnly", " from E");
    let precedence = |level, associativity| {
        format!("Some(Precedence {{ level: {level}, associativity: {associativity} }})")
    };
    check_line(text, "\"+\" ", &precedence(1, "Left"));
    check_line(text, "MINUS ", &precedence(1, "Left"));
    check_line(text, "\"^\" ", &precedence(2, "Right"));
    check_line(text, "\"<\" ", &precedence(3, "Never"));
    check_line(text, "UNARY ", &precedence(4, "Undeclared"));
    check_line(text, "NUMBER ", "None");
}
