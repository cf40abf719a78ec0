//! The meaning of Tribble's text notation.

use gramercy_grammar::TerminalKind;
use gramercy_regular::Regex;

use crate::support::{grammar, productions, read, read_from, said};

/// The productions of a text.
fn check(text: &str, expected: &str) {
    let read = grammar("a.tribble", text);
    assert_eq!(productions(&read).trim_end().replace('\n', "; "), expected, "{text}");
}

#[test]
fn rules() {
    check("A = \"a\" ;", "A → \"a\"");
    check("A=B|\"c\";B=\"\";", "A → B; A → \"c\"; B →");
    check("'a = 1 $x' ; 1 = \"one\"; $x' = \"two\";", "'a → 1 $x'; 1 → \"one\"; $x' → \"two\"");
    check("A = \"a\" /* x /* y */ z */ \"b\" // c\n;", "A → \"a\" \"b\"");
    check("A = \"over\nlines\";\r\n", "A → \"over\\nlines\"");
    check("A = B ? ; B = \"b\"{ 2, 2 };", "A → A_1; A_1 →; A_1 → B; B → \"b\" \"b\"");
    check("A = \"\\\"\\\\\\n\\r\\t\";", "A → \"\\\"\\\\\\n\\r\\t\"");
    check("\u{FEFF}A = \"a\";", "A → \"a\"");
    check("A = \"a\" | \"a\";", "A → \"a\"; A → \"a\"");
}

#[test]
fn regular_expressions_are_escaped_twice() {
    let check = |pattern: &str, source: &str, expected: Regex| {
        let read = grammar("a.tribble", &format!("A = /{pattern}/;"));
        let found = &read.terminals().values().next().expect("one terminal").kind;
        let expected = TerminalKind::Regex { source: source.into(), regex: expected };
        assert_eq!(*found, expected, "{pattern}");
    };
    check("ab", "ab", Regex::literal("ab"));
    check("\\n", "\n", Regex::literal("\n"));
    check("\\\\n", "\\n", Regex::literal("n"));
    check("a\\/b", "a/b", Regex::literal("a/b"));
    check("\\(a\\)", "(a)", Regex::literal("a"));
    check("\\\\(a", "\\(a", Regex::literal("(a"));
    check("[\\\"]", "[\"]", Regex::literal("\""));
}

#[test]
fn probabilities() {
    let check = |written: &str, expected: f64| {
        let read = grammar("a.tribble", &format!("A = \"a\" @@ {written} | \"b\";"));
        let graph = read.graph();
        let bnf = read.bnf(&graph, &gramercy_base::Limits::default()).expect("small");
        let first = bnf.productions().next().expect("two productions");
        let attributes = bnf.attributes(&read, first).expect("it has a probability");
        assert_eq!(attributes.probability, Some(expected), "{written}");
    };
    check("0.5", 0.5);
    check("0x1p-2", 0.25);
    check("1e-2", 0.01);
    check("0.5d", 0.5);
}

#[test]
fn the_start() {
    let start = |text: &str| {
        let loaded = read("a.tribble", text);
        let said = said(&loaded);
        let name = loaded.grammar.map(|read| read.rules()[read.start()].name.to_string());
        (name.unwrap_or_default(), said)
    };
    let check = |text: &str, expected: &str, warning: &str| {
        assert_eq!(start(text), (expected.into(), warning.into()), "{text}");
    };
    check("B = \"b\"; A = B;", "A", "");
    check("A = A \"a\" | \"b\";", "A", "");
    check(
        "A = \"a\"; B = B | \"b\";",
        "A",
        "1:10 unconnected-rules: one rule cannot be reached from `A`\n",
    );
    check(
        "A = B; B = A;",
        "A",
        "1:1 start-guessed: every rule is used by others; the first, `A`, is taken as the start\n",
    );
    check(
        "A = \"a\"; B = \"b\";",
        "",
        "1:1 several-starts: several rules could be the start: `A`, `B`\n",
    );
    let loaded = read_from("a.tribble", "A = \"a\"; B = \"b\"; C = B;", Some("C"));
    assert_eq!(said(&loaded), "1:1 unconnected-rules: one rule cannot be reached from `C`\n");
}
