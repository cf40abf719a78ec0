//! Reading a written grammar gives the same grammar.

use crate::native_read::LEXER;
use crate::paper::EXPRESSIONS;
use crate::support::{dump, grammar, productions, read, said};
use std::path::{Path, PathBuf};

use gramercy_formats::{Disk, LoadOptions, load, native};
use gramercy_grammar::{Grammar, TerminalKind};

/// Writes a grammar, reads it and compares.
pub(crate) fn check_round_trip(what: &str, grammar: &Grammar) {
    let written = native::write(grammar);
    let again = read("again.gram", &written);
    let said = said(&again);
    let again = again.grammar.unwrap_or_else(|| panic!("{what}\n{written}\n{said}"));
    let (expected, found) = (dump(grammar), dump(&again));
    let differ = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
    assert_eq!(differ, None, "{what}");
    assert_eq!(expected, found, "{what}");
    let stable = native::write(&again);
    assert!(written.ends_with(&stable), "{what}: writing is not stable\n{stable}");
}

/// Loads a file, with a start rule if it is given, and checks it.
fn check_file(path: &Path, start: Option<&str>) {
    let options = LoadOptions { start: start.map(Into::into), ..LoadOptions::default() };
    let loaded = load(path, &Disk, &options);
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{path:?} {:?}", loaded.diagnostics));
    check_round_trip(&path.display().to_string(), &grammar);
}

#[test]
fn tribbles_grammars_survive() {
    let Some(folder) = gramercy_testkit::shared("tribble") else { return };
    for path in gramercy_testkit::files_in(&folder, &["tribble"]) {
        check_file(&path, path.ends_with("js_generative.tribble").then_some("START"));
    }
}

#[test]
fn antlrs_grammars_survive() {
    let Some(folder) = gramercy_testkit::shared("antlr") else { return };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("a readable index");
    for line in index.lines().skip(1) {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let parser = files.split('+').find(|file| file.ends_with("Parser.g4")).unwrap_or(files);
        check_file(&folder.join(name).join(parser), Some(start));
    }
}

#[test]
fn yaccs_grammars_survive() {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    // This one has a comment that bison does not accept.
    let sound = |path: &PathBuf| !path.ends_with("simpl.y");
    for path in gramercy_testkit::files_in(&folder, &["y"]).into_iter().filter(sound) {
        check_file(&path, None);
    }
}

#[test]
fn native_grammars_survive() {
    let check = |text: &str| check_round_trip(text, &grammar("a.gram", text));
    check(LEXER);
    check(EXPRESSIONS);
    check("A := \"a\";");
    check("A := B (\"x\" | C)* ; B := \"b\"{2,3}; C := \"\" | [a-z];");
    check("A := (\"a\" \"b\") (\"c\" | (\"d\" | \"e\")) ((\"f\"?)*);");
    check("token '+', \"-\", X 'x'; left '+', X; A := '+' %prec X | \"-\" | 'x';");
    check("token `'+'` \"+\", PLUS \"+\"; A := `'+'` PLUS;");
    check("mode DEFAULT_MODE; A := \"a\";");
    check("A := T; token T := -> skip; token U := (-> more) \"u\" | (\"v\" -> skip)* -> pop;");
    check(
        "A := T; skip T := | \"a\" -> pop | (\"b\" -> more); mode X; mode Y; mode X; token Z := .;",
    );
    check("A := /a\\/b/ /~(\\\\d|\\\\\\\"\\n&x)/tribble [^\\]\\-\\\\] [];");
}

/// The written form of a text.
fn check_written(text: &str, expected: &str) {
    assert_eq!(native::write(&grammar("a.gram", text)), expected);
}

#[test]
fn rules_have_a_readable_layout() {
    check_written("A:=\"a\";", "start A;\n\nA := \"a\";\n");
    check_written(
        EXPRESSIONS,
        r#"start Expr;

Expr := AddExpr;
AddExpr := MultExpr | AddExpr ("+" | "-") MultExpr;

MultExpr := UnaryExpr
          | MultExpr ("*" | "/" | "%") UnaryExpr;

UnaryExpr := Identifier
           | "+" UnaryExpr
           | "-" UnaryExpr
           | "++" UnaryExpr
           | "--" UnaryExpr
           | "(" AddExpr ")"
           | DecDigits;

DecDigits := DecDigit+;
DecDigit := "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
Identifier := "x" | "y" | "z";
"#,
    );
    check_written(
        "token T, U 'u'; left T; nocase literals; A := left=T #L | 'x' @@ 0.5 %prec T; skip S := ' '* -> channel(H); nocase token T2 := 'a'.. 'z' | .*?; mode M; fragment F := ~'a';",
        "start A;
token T, U \"u\";
left T;
nocase literals;

A := left=T # L | 'x' @@ 0.5 %prec T;

skip S := ' '* -> channel(H);
nocase token T2 := 'a'.. 'z' | .*?;
fragment F := ~'a';

mode M;
",
    );
}

/// Writes a grammar, reads it and compares the productions.
fn check_syntax(text: &str) {
    let before = grammar("T.g4", text);
    let written = native::write(&before);
    let again = grammar("again.gram", &written);
    assert_eq!(productions(&before), productions(&again), "{text}\n{written}");
}

/// Found by mutation.
#[test]
fn literals_of_antlr_that_cannot_be_literals_here() {
    // The two spellings of `b` are two tokens.
    check_syntax(r"grammar T; s : A 'b' ~(A | 'b') EOF ; A : 'a' ; C : '\u0062' ;");
    check_syntax(r"grammar T; s : 'b' '\u0062' EOF ;");
    // Half of a surrogate pair is not text.
    check_syntax(r"grammar T; s : 'a' '\uD83D' EOF ;");
    check_syntax("grammar T; options { caseInsensitive = true; } s : 'a' X EOF ; X : 'A' ;");
    check_syntax(r"grammar T; options { caseInsensitive = true; } s : 'b' EOF ; C : '\u0062' ;");
    // There is no token, but the grammar is over tokens.
    check_syntax("parser grammar T; s : . EOF ;");
}

/// Found by mutation.
#[test]
fn a_regular_expression_does_not_begin_a_comment() {
    let regexes = |grammar: &Grammar| {
        let regex = |kind: &TerminalKind| match kind {
            TerminalKind::Regex { regex, .. } => Some(regex.clone()),
            _ => None,
        };
        let terminals = grammar.terminals().values();
        terminals.filter_map(|terminal| regex(&terminal.kind)).collect::<Vec<_>>()
    };
    let before = grammar("a.scala", r#"Grammar('A := "*".regex ~ "*a".regex.?)"#);
    let again = grammar("again.gram", &native::write(&before));
    assert_eq!(regexes(&again), regexes(&before));
}

/// Found by mutation.
#[test]
fn the_precedence_of_the_end_of_input_is_left_out() {
    let before = grammar("a.y", "%token A\n%%\ns : A %prec YYEOF ;");
    let again = grammar("again.gram", &native::write(&before));
    assert_eq!(productions(&again), productions(&before));
}
