//! Repeated alternatives.

use crate::{check_lints, check_notes};

#[test]
fn equal_alternatives_are_one_finding() {
    check_lints(
        "a.y",
        "%% s: A s | B | A s | A s;",
        &["duplicate-alternative: `s` has the alternative `A s` 3 times"],
    );
    check_lints(
        "a.y",
        "%% s: A | | ;",
        &["duplicate-alternative: `s` has an empty alternative twice"],
    );
    check_lints(
        "a.gram",
        r#"S := ("a" | ("b" | "c")+ | ("b" | "c")+) "d";"#,
        &[r#"duplicate-alternative: `S` has the alternative `("b" | "c")+` twice"#],
    );
    check_lints(
        "a.g4",
        "grammar a; s: A EOF; A: 'a' | [b] | 'a';",
        &["duplicate-alternative: `A` has the alternative `'a'` twice"],
    );
}

#[test]
fn alternatives_that_differ_are_silent() {
    check_lints("a.y", "%% s: A s | s A | A;", &[]);
    check_lints("a.gram", r#"S := "a"+ | "a"* "b" | "a"{2};"#, &[]);
}

#[test]
fn predicates_may_distinguish_equal_alternatives() {
    let text = "grammar a; s: ({p()}? 'a' | 'a') EOF;";
    check_lints("a.g4", text, &["predicate: a predicate is ignored"]);
}

#[test]
fn weights_have_their_own_notation() {
    check_notes("a.tribble", r#"S = "a" | "a" | "b";"#, &["keep one; a weight is written with @@"]);
}
