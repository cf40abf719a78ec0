//! The results of each transformation on small grammars, in the notation of Tribble where possible,
//! otherwise in the native notation.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load, native};
use gramercy_grammar::{Expr, ExprKind, Grammar, Terminal, TerminalKind, TextKind};
use gramercy_transform::{
    TransformError, Transformation, inline_references, unfold_regexes, weigh_alternatives,
};

fn read(text: &str) -> Grammar {
    let file = if text.contains(":=") { "test.gram" } else { "test.tribble" };
    let loaded = load(Path::new(file), &Memory::with(file, text), &LoadOptions::default());
    loaded.grammar.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

/// The rules of a grammar, one per line.
fn written(grammar: &Grammar) -> String {
    let words: Vec<_> = native::write(grammar).split_whitespace().map(str::to_owned).collect();
    words.join(" ").replace("; ", ";\n")
}

fn check(how: Transformation, input: &str, expected: &str) {
    let grammar = how.apply(&read(input), &Limits::default()).expect("a grammar");
    assert_eq!(written(&grammar), written(&read(expected)), "{input}");
}

#[test]
fn references_are_inlined() {
    let check = |levels, input, expected| {
        check(Transformation::InlineReferences { levels }, input, expected);
    };
    let chain = r#"A = "a" B C; B = "b" C; C = "c";"#;
    check(0, chain, chain);
    check(1, chain, r#"A = "a" ("b" C) "c"; C = "c";"#);
    check(2, chain, r#"A = "a" ("b" "c") "c";"#);
    check(9, chain, r#"A = "a" ("b" "c") "c";"#);
    let recursive = r#"S = A; A = "" | "a" A;"#;
    check(1, recursive, r#"S = "" | "a" A; A = "" | "a" ("" | "a" A);"#);
    check(2, recursive, r#"S = "" | "a" ("" | "a" A); A = "" | "a" ("" | "a" ("" | "a" A));"#);
    check(1, r#"S = "x" A* | A?; A = B; B = "b" | "c";"#, r#"S = "x" B* | B?; B = "b" | "c";"#);
    check(
        2,
        r#"S = A | "s"; A = B | C; B = "b"; C = D; D = S;"#,
        r#"S = ("b" | D) | "s"; A = "b" | S; B = "b"; C = A | "s"; D = (B | C) | "s";"#,
    );
}

#[test]
fn inlined_right_hand_sides_have_the_span_of_the_reference() {
    let grammar = read("S := left=A A; A := inner=\"a\" | B; B := \"b\";");
    let inlined = inline_references(&grammar, 1, &Limits::default()).expect("small");
    let labels = |label: &str| {
        let has = |expr: &&Expr| expr.label.as_deref() == Some(label);
        let found: Vec<_> = inlined.exprs().values().filter(has).collect();
        found.iter().map(|expr| inlined.sources().text(expr.span).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels("left").len(), 1);
    assert!(labels("left")[0].ends_with('A'), "{:?}", labels("left"));
    assert_eq!(labels("inner").len(), 2);
}

#[test]
fn new_rules_follow_the_rule_that_they_come_from() {
    check(
        Transformation::ExtractAlternations,
        r#"S := "a" | ("b" | "c") S | "d";"#,
        r#"S := "a" | S_1 S | "d"; S_1 := "b" | "c";"#,
    );
    check(
        Transformation::InlineReferences { levels: 1 },
        r#"start S; S := A; A := "" | "a" A;"#,
        r#"start S; S := "" | "a" A; A := "" | "a" ("" | "a" A);"#,
    );
}

#[test]
fn inner_alternations_become_rules() {
    let check = |input, expected| check(Transformation::ExtractAlternations, input, expected);
    check(r#"S = "a" | "b";"#, r#"S = "a" | "b";"#);
    check(
        r#"S = "a" (B | "b")? ("c" (B | "d" (B | "e")))*; B = ("f" | "g") B | "h";"#,
        r#"S = "a" S_1? ("c" S_2)*; S_1 = B | "b"; S_2 = B | "d" S_3; S_3 = B | "e";
           B = B_1 B | "h"; B_1 = "f" | "g";"#,
    );
    check(r#"S = ("a" | "b")* S_1; S_1 = "c";"#, r#"S = S_2* S_1; S_2 = "a" | "b"; S_1 = "c";"#);
    check(r#"S = "s" ("a" @@ 0.25 | "b");"#, r#"S = "s" S_1; S_1 = "a" @@ 0.25 | "b";"#);
}

#[test]
fn quantifiers_are_epsilonized() {
    let check = |input, expected| check(Transformation::EpsilonizeQuantifiers, input, expected);
    check(r#"S = "a"? "b"*;"#, r#"S = ("a" | "") ("b"+ | "");"#);
    check(r#"S = "a"+ "b"{2} "c"{2,};"#, r#"S = "a"+ "b"{2} "c"{2,};"#);
    check(r#"S = ("a" "b"?){,3};"#, r#"S = ("a" ("b" | "")){1,3} | "";"#);
    check(r#"S = ("a" | "b")*;"#, r#"S = ("a" | "b")+ | "";"#);
}

#[test]
fn regexes_are_unfolded() {
    let check = |input, expected| check(Transformation::UnfoldRegexes, input, expected);
    check("S = /[0-2]/;", r#"S = S_1; S_1 = "0" | "1" | "2";"#);
    check("S = /a?/ /a?/;", r#"S = S_1 S_2; S_1 = "a" | ""; S_2 = "a" | "";"#);
    check("S = /ab*[cd]/;", r#"S = S_1; S_1 = "a" S_2; S_2 = "b" S_2 | ("c" | "d");"#);
    check("S = /a+/;", r#"S = S_1; S_1 = "a" S_2 | "a"; S_2 = "a" S_2 | "a";"#);
    check(
        "S = /[a-z]/;",
        "S := S_1; S_1 := [a-b] | [c-d] | [e-f] | [g-h] | [i-j] | [k-l] | [m-n] | [o-p] | [q-r] | [s-t] |
         [u-v] | [w-x] | [y-z];",
    );
    check("S := [a-z] \"x\";", "S := [a-z] \"x\";");
}

#[test]
fn a_regex_of_the_empty_language_stays_and_the_empty_word_is_a_literal() {
    let grammar = read("S = /[b-a]/ | /()/;");
    let unfolded = unfold_regexes(&grammar, &Limits::default()).expect("small");
    assert_eq!(unfolded.rules().len(), 2);
    assert!(written(&unfolded).contains("S_1 := \"\";"), "{}", written(&unfolded));
}

#[test]
fn adjacent_literals_are_merged() {
    let check = |input, expected| check(Transformation::MergeLiterals, input, expected);
    check(r#"S := "a" "b" S "c" "d" "e" | "f";"#, r#"S := "ab" S "cde" | "f";"#);
    check(r#"S := ("a" "b") "c" ("d" S);"#, r#"S := "abc" ("d" S);"#);
    check(r#"S := "a" ("b" | "c") "d"? "";"#, r#"S := "a" ("b" | "c") "d"? "";"#);
    check(r#"S := "a" x="b" "c" "\"";"#, r#"S := "a" x="b" "c\"";"#);
}

#[test]
fn merged_literals_leave_nothing_behind() {
    let grammar = read(r#"S = "a" "b" | "c";"#);
    let merged = Transformation::MergeLiterals.apply(&grammar, &Limits::default()).expect("small");
    let names: Vec<_> = merged.terminals().values().map(|terminal| &*terminal.name).collect();
    assert_eq!(names, ["\"ab\"", "\"c\""]);
}

#[test]
fn a_grammar_is_reduced() {
    let check = |input, expected| check(Transformation::Reduce, input, expected);
    check(
        r#"start S; S := "a" | "b" U | V* "c" | ("d" | U) | W; U := "u" U; V := U; W := "w"; X := "x";"#,
        r#"start S; S := "a" | "" "c" | "d" | W; W := "w";"#,
    );
    check(r#"S := A B; A := "a" A?; B := "b" | B;"#, r#"S := A B; A := "a" A?; B := "b" | B;"#);
    // The example of the module, and a quantifier with maximum 0.
    check(
        r#"start S; S := A | B "b" | "c" B?; A := "a"; B := B "x";"#,
        r#"start S; S := A | "c" ""; A := "a";"#,
    );
    check(r#"start S; S := "a" A{0,0}; A := "b";"#, r#"start S; S := "a" "";"#);
    let nothing = read(r#"start S; S := "a" S;"#);
    let reduced = Transformation::Reduce.apply(&nothing, &Limits::default());
    assert_eq!(reduced.expect_err("no sentence"), TransformError::NoSentence);
}

/// The names of all token types.
fn tokens(grammar: &Grammar) -> Vec<&str> {
    let token = |terminal: &&Terminal| matches!(terminal.kind, TerminalKind::Token { .. });
    grammar.terminals().values().filter(token).map(|terminal| &*terminal.name).collect()
}

#[test]
fn lexical_rules_notes_and_tokens_are_kept() {
    let text = "S := ID (NUM | \"+\" ID)* ; token ID := [a-z]+ ; token NUM := /[0-9]+/ ;
        skip WS := [ \\n]+ ; token UNUSED := \"unused\" ;";
    let grammar = read(text);
    for how in Transformation::ALL {
        let new = how.apply(&grammar, &Limits::default()).expect("small");
        assert_eq!(new.text_kind(), TextKind::Lexed, "{}", how.as_str());
        let names = |grammar: &Grammar| {
            let lexical = grammar.rules().values().filter(|rule| !rule.is_syntax());
            lexical.map(|rule| rule.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&new), names(&grammar), "{}", how.as_str());
        assert_eq!(tokens(&new), tokens(&grammar), "{}", how.as_str());
        assert_eq!(new.notes(), grammar.notes());
    }
}

#[test]
fn growth_is_bounded() {
    let limits = Limits { symbols: 10_000, ..Limits::default() };
    let doubling = read("S := A A; A := S S | \"a\";");
    for levels in [40, usize::MAX] {
        let error = inline_references(&doubling, levels, &limits).expect_err("too large");
        assert_eq!(error.limit, limits.symbols);
    }
    let chain = read("S := \"a\" S | \"b\";");
    assert!(inline_references(&chain, 1_000, &limits).is_ok());
    assert!(inline_references(&chain, 10_000, &limits).is_err());
    let exploding = read("S := /(a|b)*a(a|b){30}/;");
    let few = Limits { states: 10_000, ..Limits::default() };
    assert!(unfold_regexes(&exploding, &few).is_err());
}

#[test]
fn deep_nesting_is_accepted() {
    let chain = read("S := \"a\" S? | \"b\";");
    let limits = Limits::default();
    let mut deep = inline_references(&chain, 10_000, &limits).expect("within the limits");
    for how in Transformation::ALL {
        if !matches!(how, Transformation::InlineReferences { .. }) {
            deep = how.apply(&deep, &limits).expect("within the limits");
        }
    }
    assert!(deep.exprs().values().any(|expr| matches!(expr.kind, ExprKind::Rule(_))));
}

#[test]
fn transformations_have_distinct_names_and_summaries() {
    let names: std::collections::BTreeSet<_> =
        Transformation::ALL.map(Transformation::as_str).into();
    let summaries: std::collections::BTreeSet<_> =
        Transformation::ALL.map(Transformation::summary).into();
    assert_eq!(
        (names.len(), summaries.len()),
        (Transformation::ALL.len(), Transformation::ALL.len())
    );
}

#[test]
fn alternatives_of_rules_and_groups_get_probabilities() {
    let grammar = read("S := \"a\" (\"b\" | \"c\") | \"d\";");
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
    let weighed: Vec<_> = bnf
        .productions()
        .zip([0.25, 0.75, 0.5, 0.5])
        .filter_map(|(production, probability)| Some((bnf.alternative(production)?, probability)))
        .collect();
    assert_eq!(weighed.len(), 4, "each production is an alternative");
    let weighed = weigh_alternatives(&grammar, &weighed, &Limits::default()).expect("small");
    let text = written(&weighed);
    assert!(text.contains("@@ 0.25") && text.contains("@@ 0.75"), "{text}");
    assert_eq!(text.matches("@@ 0.5").count(), 2, "{text}");
}
