//! The meaning of the Scala notation.

use crate::support::{grammar, productions, read, said};

/// The productions of the rules in a grammar.
fn check(rules: &str, expected: &str) {
    let read = grammar("a.scala", &format!("Grammar({rules})"));
    assert_eq!(productions(&read).trim_end().replace('\n', "; "), expected, "{rules}");
}

#[test]
fn rules() {
    check("'A := \"a\"", "A → \"a\"");
    check("'A := 'B ~ \"x\" | 'B, 'B := \"\"", "A → B \"x\"; A → B; B →");
    check("'A := \"a\" ~ (\"b\" | \"c\")", "A → \"a\" A_1; A_1 → \"b\"; A_1 → \"c\"");
    check("'A := 'a_1$ /* x /* y */ */, // z\n 'a_1$ := \"a\",\n", "A → a_1$; a_1$ → \"a\"");
    check("'A := \"a\".?", "A → A_1; A_1 →; A_1 → \"a\"");
    check("'A := \"a\".rep", "A → A_1; A_1 →; A_1 → A_1 \"a\"");
    check("'A := \"a\".rep(1)", "A → A_1; A_1 → \"a\"; A_1 → A_1 \"a\"");
    check("'A := \"a\" . rep ( 1 , 2 )", "A → \"a\" A_1; A_1 →; A_1 → \"a\"");
    check("'A := (\"a\" ~ \"b\").rep(2, 2)", "A → \"a\" \"b\" \"a\" \"b\"");
    check("'A := \"[a-z]\".regex ~ \"x\"", "A → /[a-z]/ \"x\"");
    check("'A := \"a\".regex.?", "A → A_1; A_1 →; A_1 → /a/");
    check("'A := 'a' -> 'c' ~ '\\n' -> '\\u000D'", "A → [(61, 63)] [(A, D)]");
    check("'A := \"a\" @@ 0.5 | (\"b\" ~ \"c\") @@ 0x1p-2", "A → \"a\"; A → \"b\" \"c\"");
}

#[test]
fn imports_are_passed_over() {
    let check =
        |text: &str| assert_eq!(productions(&grammar("a.scala", text)), "A → \"a\"\n", "{text}");
    check("import de.cispa.se.tribble.dsl._\n\nGrammar('A := \"a\")\n");
    check("import a.b._; import c.d\n// x\nGrammar ( 'A := \"a\" )");
    check("\u{FEFF}Grammar(\r\n'A := \"a\"\r\n)\r\n");
}

#[test]
fn strings() {
    let check = |string: &str, expected: &str| {
        let text = format!("Grammar('A := {string})");
        let loaded = read("a.scala", &text);
        let said = said(&loaded);
        let read = loaded.grammar.unwrap_or_else(|| panic!("{text}\n{said}"));
        assert_eq!(productions(&read), format!("A → {expected:?}\n"), "{string}");
    };
    check(r#""a'b""#, "a'b");
    check(r#""\b\t\n\f\r\"\'\\""#, "\u{8}\t\n\u{C}\r\"'\\");
    check(r#""\101\0\400""#, "A\0 0");
    check(r#""\u0041\uu0042""#, "AB");
    check(r#""\uD83D\uDE00""#, "😀");
    check(r#""\\u0041""#, "\\u0041");
    check(r#""""a"b\n""""#, "a\"b\\n");
    check("\"\"\"a\nb\"\"\"", "a\nb");
    check(r#"""""a"""""#, "\"a\"");
    check(r#""""\u0041\\u0041""""#, "A\\\\u0041");
}
