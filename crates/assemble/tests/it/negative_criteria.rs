//! Suites for negative criteria are complete, and what the guide says about the default suite for JSON is true.

use std::collections::BTreeSet;

use gramercy_assemble::recipe::{Negative, Tests};
use gramercy_assemble::{OwnedTest, Recipe};
use gramercy_coverage::{RejectedInput, TargetSet};
use gramercy_language::Language;
use gramercy_mutate::Family;
use gramercy_mutate::criteria::NegativeSpec;

use crate::support::{example, examples};

fn suite(language: &Language, tests: Negative) -> Vec<OwnedTest> {
    let recipe = Recipe { tests: Tests::Negative(tests), ..Recipe::default() };
    gramercy_assemble::Tests::new(language, &recipe).map(|test| test.expect("a suite")).collect()
}

/// What the texts of a suite cover, read as if nothing was known about them.
fn covered(language: &Language, spec: NegativeSpec, tests: &[OwnedTest]) -> (u64, u64) {
    let criterion = spec.build(language).expect("small");
    let parser = language.parser().expect("small");
    let (mut workspace, mut covered) = (parser.workspace(), TargetSet::new());
    for test in tests {
        let text = test.text.as_deref().expect("a text");
        let rejection = parser.recognize(&mut workspace, text).expect_err("a negative test");
        let input =
            RejectedInput { text, byte: rejection.byte, class: None, operator: None, item: None };
        criterion.cover_rejected(&input, &mut covered);
    }
    (covered.len(), criterion.coverable())
}

/// Every coverable target is covered by the suite's own texts, for every example.
#[test]
fn suites_for_negative_criteria_are_complete() {
    for (name, language) in examples() {
        for criterion in ["error-entry:lr0", "error-entry:lr1", "lexeme-error", "item-edit"] {
            // Without a lexer, a token that is a line feed cannot be read from a text: it separates names.
            if name == "calc.y" {
                continue;
            }
            let spec: NegativeSpec = criterion.parse().expect("a criterion");
            let tests = suite(&language, Negative { cover: vec![spec], ..Negative::default() });
            let (covered, coverable) = covered(&language, spec, &tests);
            assert_eq!(covered, coverable, "{name}, {criterion}");
        }
    }
}

/// A table of the guide: classes of mistakes, the suite that has such a test, and the test.
fn classes() -> Vec<(String, String, String)> {
    let guide = gramercy_testkit::workspace().join("guide/negate.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let lines = guide.lines().skip_while(|line| !line.starts_with("| mistake | suite | test |"));
    let rows = lines.skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [mistake, suite, test] = cells[..] else { panic!("three cells: {row}") };
        let test = test.trim_matches('`').trim();
        let test = test.replace("␊", "\n").replace("(nothing)", "").replace("(U+FEFF)", "\u{FEFF}");
        (mistake.to_owned(), suite.to_owned(), test)
    })
    .collect()
}

#[test]
fn the_guide_is_right_about_mistakes_in_json() {
    let language = example("json.gram");
    let texts = |tests| -> BTreeSet<String> {
        let named = |test: OwnedTest| match (test.text, test.mutation) {
            (Some(text), _) => text.into_owned(),
            (None, Some(mutation)) => mutation.inserted.join(" "),
            (None, None) => String::new(),
        };
        suite(&language, tests).into_iter().map(named).collect()
    };
    let default = texts(Negative::default());
    let by = |family| texts(Negative { mutate: vec![family], ..Negative::default() });
    let (characters, encodings) = (by(Family::Character), by(Family::Encoding));
    let classes = classes();
    assert!(classes.len() > 40, "{}", classes.len());
    for (mistake, suite, test) in classes {
        let tests = match &*suite {
            "default" => &default,
            "`--mutate character`" => &characters,
            "`--mutate encoding`" => &encodings,
            other => panic!("{mistake}: no suite {other}"),
        };
        assert!(tests.contains(&test), "{mistake}: {test:?} is not in the suite `{suite}`");
        assert!(suite == "default" || !default.contains(&test), "{mistake}: it is in the default");
    }
}

/// Tokens that the lexer never makes, because another rule wins, are in no test, and are no obstacle for others.
#[test]
fn tokens_that_are_never_made() {
    let text = "S := T C | A B | A; T := S D | C;\n\
        token A := [ab]+ [c]; token B := [c]+ [a]+ [ab]+; token C := [b] [a] [c]; token D := [b]+;";
    let language = crate::support::of_text("a.gram", text);
    for criterion in ["error-entry:lr0", "item-edit", "lexeme-error"] {
        let spec: NegativeSpec = criterion.parse().expect("a criterion");
        let tests = suite(&language, Negative { cover: vec![spec], ..Negative::default() });
        assert!(!tests.is_empty(), "{criterion}");
        let (covered, coverable) = covered(&language, spec, &tests);
        assert_eq!(covered, coverable, "{criterion}");
        let has_c = |test: &OwnedTest| test.tokens.iter().any(|token| token.name == "C");
        assert!(!tests.iter().any(has_c), "{criterion}");
    }
}
