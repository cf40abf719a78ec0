//! Whole suites: the same whatever the number of workers, shards and limits, and what sinks are told.

use std::path::Path;

use gramercy_assemble::{Recipe, Shard};
use gramercy_coverage::{CountedTrees, CriterionSpec, Measure, TargetSet};
use gramercy_language::Language;
use gramercy_suite::Wants;
use gramercy_suite::sink::Nowhere;

use crate::support::{
    Form, Kept, cover, example, kept, make, of_text, small, systematic, texts, try_make,
};

const ALL: Wants = Wants { text: true, tokens: true, target: true, covers: true, rejection: true };

fn json() -> Language {
    example("json.gram")
}

#[test]
fn a_suite_does_not_depend_on_the_workers() {
    for name in ["json.gram", "MiniParser.g4", "calc.y"] {
        let language = example(name);
        let recipes = [
            small("step:3+pair"),
            small("kpath:2+lexeme:1"),
            cover("kpath:2", Form::Packed),
            cover("kpath:2", Form::Minimized),
            Recipe::random(1000),
        ];
        for recipe in recipes {
            for wants in [Wants::TEXT, ALL] {
                let expected = kept(&language, &recipe, wants);
                assert!(expected.1.tests > 1, "{name}");
                for jobs in [2, 3] {
                    let mut kept = Kept::of(wants);
                    let summary = try_make(&language, &recipe, &mut kept, jobs).expect("a suite");
                    assert_eq!((kept, summary), expected, "{name}: {jobs} jobs, {recipe:?}");
                }
            }
        }
    }
}

#[test]
fn shards_together_are_the_suite_and_the_limit_comes_first() {
    let (language, mut recipe) = (json(), small("step:3"));
    recipe.limit = Some(20);
    let whole = texts(&language, &recipe);
    assert_eq!(whole.len(), 20);
    let mut tests = Vec::new();
    for index in 1..=3 {
        recipe.shard = Shard::new(index, 3);
        let (kept, _) = kept(&language, &recipe, Wants::TEXT);
        assert!(kept.ids.iter().all(|id| id % 3 == index % 3));
        tests.extend(kept.ids.into_iter().zip(kept.texts));
    }
    tests.sort();
    assert_eq!(tests.iter().map(|(id, _)| *id).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    assert_eq!(tests.into_iter().map(|(_, text)| text).collect::<Vec<_>>(), whole);
}

#[test]
fn equal_sentences_are_merged_and_equal_texts_if_requested() {
    let language = of_text("a.gram", r#"S := A | B; A := "x" "y"; B := "xy" | "x" "y";"#);
    for (unique, tests) in [(false, 2), (true, 1)] {
        let (kept, summary) = kept(&language, &Recipe { unique, ..small("rule") }, Wants::TEXT);
        // Each of five productions has a test, but for those that are equal.
        assert_eq!((kept.texts.len(), summary.written), (tests, 5));
    }
    for (unique, tests) in [(false, 40), (true, 1)] {
        let random = Recipe { unique, ..Recipe::random(40) };
        assert_eq!(texts(&language, &random).len(), tests);
    }
}

#[test]
fn a_minimized_suite_knows_all_trees_that_were_made_of_a_sentence() {
    let language = of_text("a.gram", r#"S := C | A; C := "x" | "c" C; A := "x";"#);
    // By the tree that comes first, x covers nothing that c x does not.
    assert_eq!(texts(&language, &cover("rule", Form::Minimized)), ["x", "cx"]);
}

#[test]
fn sinks_get_what_they_want() {
    let language = of_text("a.gram", r#"S := "a" T? ; T := "b" | "c";"#);
    let (kept, _) = kept(&language, &small("rule"), ALL);
    assert_eq!(kept.texts, ["a", "ab", "ac"]);
    let tokens = |names: &[&str]| {
        names.iter().map(|&name| (format!("\"{name}\""), name.to_owned())).collect()
    };
    assert_eq!(kept.tokens, [&["a"][..], &["a", "b"], &["a", "c"]].map(tokens) as [Vec<_>; 3]);
    assert_eq!(kept.token_counts, [1, 2, 2]);
    // Whatever the ranks are, every production is covered first by one test.
    let mut covers: Vec<_> = kept.covers.concat();
    covers.sort();
    assert_eq!(covers, ["rule#0", "rule#1", "rule#2", "rule#3", "rule#4"]);
    assert_eq!(kept.targets[0].as_deref(), Some("S → \"a\" T?"));
}

#[test]
fn texts_are_the_same_whatever_else_is_wanted() {
    for name in ["expr.gram", "uri.gram", "csv.gram", "json.gram", "calc.y", "MiniParser.g4"] {
        let language = example(name);
        for (criterion, form) in
            [("kpath:2", Form::Small), ("kpath:3", Form::Packed), ("cdrc", Form::Small)]
        {
            let recipe = cover(criterion, form);
            let (kept, _) = kept(&language, &recipe, ALL);
            assert_eq!(texts(&language, &recipe), kept.texts, "{name} {criterion} {form:?}");
        }
    }
}

#[test]
fn every_target_counts_for_the_test_that_covers_it_first() {
    let language = example("expr.gram");
    for (criterion, targets) in [("kpath:1", 39), ("kpath:2", 125), ("kpath:3", 523)] {
        for form in [Form::Small, Form::Packed, Form::Minimized] {
            let summary = make(&language, &cover(criterion, form), &mut Nowhere);
            assert_eq!(summary.written, targets, "{criterion} {form:?}");
        }
    }
}

#[test]
fn bounds_name_what_they_leave_out() {
    let language = json();
    let mut recipe = small("rule");
    systematic(&mut recipe).max_tokens = Some(2);
    let (bounded, summary) = kept(&language, &recipe, Wants::TEXT);
    assert!(!bounded.token_counts.is_empty());
    assert!(bounded.token_counts.iter().all(|&tokens| tokens <= 2), "{:?}", bounded.texts);
    assert_eq!(summary.tokens, bounded.token_counts.iter().sum::<usize>() as u64);
    assert!(summary.unwritten_count > 0);
    assert_eq!(summary.unwritten_count, summary.unwritten.len() as u64);
    let recipe = Recipe { max_bytes: Some(2), ..small("rule") };
    let (bounded, summary) = kept(&language, &recipe, Wants::TEXT);
    assert!(!bounded.texts.is_empty());
    assert!(bounded.texts.iter().all(|text| text.len() <= 2), "{:?}", bounded.texts);
    assert!(summary.longest <= 2 && summary.unwritten_count > 0);
    assert_eq!(summary.unwritten_count, summary.unwritten.len() as u64);
}

#[test]
fn variants_only_add_tests() {
    let (language, mut recipe) = (json(), small("cdrc"));
    let one = texts(&language, &recipe);
    systematic(&mut recipe).variants = 4;
    let four = texts(&language, &recipe);
    assert_eq!(four[..one.len()], one[..]);
    assert!(four.len() > one.len());
}

/// What texts cover of some criteria.
fn measure(language: &Language, specs: &[CriterionSpec], texts: &[String]) -> Vec<TargetSet> {
    let parser = language.parser().expect("a parser");
    let criteria = specs.iter().map(|spec| spec.build(language).expect("few targets")).collect();
    let productions = language.bnf().production_count();
    let measure = Measure { parser, criteria, productions, trees: CountedTrees::All };
    let (mut workspace, mut sum) = (parser.workspace(), measure.nothing());
    for text in texts {
        sum.add(&measure.text(&mut workspace, text).expect("a sentence"));
    }
    sum.targets
}

/// A file of inputs.
fn corpus(name: &str, texts: &[String]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.ndjson"));
    let lines = texts.iter().map(|text| serde_json::json!({ "text": text }).to_string() + "\n");
    std::fs::write(&file, lines.collect::<String>()).expect("a file");
    file.display().to_string()
}

/// What is given and what is made cover everything together, in small tests and in large ones.
#[test]
fn only_what_is_not_given_is_made() {
    let (language, wants) = (json(), Wants { covers: true, ..Wants::TEXT });
    for criteria in
        ["rule", "pair", "kpath:2", "lexeme:2", "pop-edge:lr0", "lr-path:2", "kpath:2+lexeme:2"]
    {
        let names: Vec<&str> = criteria.split('+').collect();
        let specs = CriterionSpec::parse_list(criteria).expect("known criteria");
        let (all, _) = kept(&language, &small(criteria), wants);
        let whole = all.covered(&names);
        let half = &all.texts[..all.texts.len() / 2];
        let given = measure(&language, &specs, half);
        for form in [Form::Small, Form::Packed] {
            let mut recipe = cover(criteria, form);
            systematic(&mut recipe).given = vec![corpus(&criteria.replace(':', "-"), half)];
            let (rest, summary) = kept(&language, &recipe, wants);
            assert_eq!((summary.given.inputs, summary.given.rejected), (half.len() as u64, 0));
            assert!(rest.texts.len() <= all.texts.len(), "{criteria} {form:?}");
            let made = rest.covered(&names);
            for ((whole, given), made) in whole.iter().zip(&given).zip(&made) {
                let mut union = given.clone();
                union.union_with(made);
                assert_eq!(union.missing_from(whole), 0, "{criteria} {form:?}");
            }
        }
    }
}
