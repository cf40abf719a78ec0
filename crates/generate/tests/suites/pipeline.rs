//! The pipeline: same suite whatever the number of workers, shards and limits, what sinks are told.

use gramercy_generate::Shard;
use gramercy_generate::pipeline::options::{Bounds, Merge};
use gramercy_suite::Wants;
use gramercy_suite::sink::Nowhere;

use crate::support::{Form, Kept, Recipe, Subject};

fn json() -> Subject {
    Subject::read(&gramercy_testkit::examples().join("json.gram")).expect("a grammar")
}

fn mini() -> Subject {
    Subject::read(&gramercy_testkit::examples().join("MiniParser.g4")).expect("a grammar")
}

#[test]
fn a_suite_does_not_depend_on_the_workers() {
    for subject in [json(), mini()] {
        let recipe = Recipe::of("step:3+pair");
        let expected = recipe.texts(&subject);
        for jobs in [2, 3] {
            let mut recipe = recipe.clone();
            recipe.options.jobs = jobs;
            assert_eq!(recipe.texts(&subject), expected);
        }
    }
}

#[test]
fn shards_together_are_the_suite_and_the_limit_comes_first() {
    let (subject, mut recipe) = (json(), Recipe::of("step:3"));
    recipe.options.limit = Some(20);
    let whole = recipe.texts(&subject);
    assert_eq!(whole.len(), 20);
    let mut tests = Vec::new();
    for index in 1..=3 {
        recipe.options.shard = Shard::new(index, 3);
        let mut kept = Kept::default();
        recipe.make(&subject, &mut kept);
        assert!(kept.ids.iter().all(|id| id % 3 == index % 3));
        tests.extend(kept.ids.into_iter().zip(kept.texts));
    }
    tests.sort();
    assert_eq!(tests.iter().map(|(id, _)| *id).collect::<Vec<_>>(), (1..=20).collect::<Vec<_>>());
    assert_eq!(tests.into_iter().map(|(_, text)| text).collect::<Vec<_>>(), whole);
}

#[test]
fn equal_sentences_are_merged_and_equal_texts_if_wished() {
    let subject = Subject::of_text("a.gram", r#"S := A | B; A := "x" "y"; B := "xy" | "x" "y";"#);
    let count = |merge| {
        let mut recipe = Recipe::of("rule");
        recipe.options.merge = merge;
        recipe.texts(&subject).len()
    };
    assert_eq!([Merge::Nothing, Merge::Sentences, Merge::Texts].map(count), [5, 2, 1]);
}

#[test]
fn a_minimized_suite_knows_all_trees_that_were_made_of_a_sentence() {
    let subject = Subject::of_text("a.gram", r#"S := C | A; C := "x" | "c" C; A := "x";"#);
    let minimized = Recipe { form: Form::Minimized, ..Recipe::of("rule") };
    // By the tree that comes first, x covers nothing that c x does not.
    assert_eq!(minimized.texts(&subject), ["x", "cx"]);
}

#[test]
fn sinks_get_what_they_want() {
    let subject = Subject::of_text("a.gram", r#"S := "a" T? ; T := "b" | "c";"#);
    let mut kept =
        Kept { wants: Wants { tokens: true, target: true, covers: true }, ..Kept::default() };
    Recipe::of("rule").make(&subject, &mut kept);
    assert_eq!(kept.texts, ["a", "ab", "ac"]);
    let tokens = |names: &[&str]| {
        names.iter().map(|&name| (format!("\"{name}\""), name.to_owned())).collect()
    };
    assert_eq!(kept.tokens, [&["a"][..], &["a", "b"], &["a", "c"]].map(tokens) as [Vec<_>; 3]);
    // Whatever the ranks are, every production is covered first by one test.
    let mut covers: Vec<_> = kept.covers.concat();
    covers.sort();
    assert_eq!(covers, ["rule#0", "rule#1", "rule#2", "rule#3", "rule#4"]);
    assert_eq!(kept.targets[0].as_deref(), Some("S → \"a\" T?"));
}

#[test]
fn texts_are_the_same_whatever_else_is_wanted() {
    for name in ["expr.gram", "uri.gram", "csv.gram", "json.gram", "calc.y", "MiniParser.g4"] {
        let file = gramercy_testkit::examples().join(name);
        let subject = Subject::read(&file).expect("a grammar");
        for (cover, form) in
            [("kpath:2", Form::Small), ("kpath:3", Form::Packed), ("cdrc", Form::Small)]
        {
            let recipe = Recipe { form, ..Recipe::of(cover) };
            let wants = Wants { tokens: true, target: true, covers: true };
            let mut kept = Kept { wants, ..Kept::default() };
            recipe.make(&subject, &mut kept);
            assert_eq!(recipe.texts(&subject), kept.texts, "{name} {cover} {form:?}");
        }
    }
}

#[test]
fn every_target_counts_for_the_test_that_covers_it_first() {
    let file = gramercy_testkit::examples().join("expr.gram");
    let subject = Subject::read(&file).expect("a grammar");
    for (cover, targets) in [("kpath:1", 39), ("kpath:2", 125), ("kpath:3", 523)] {
        for form in [Form::Small, Form::Packed, Form::Minimized] {
            let summary = Recipe { form, ..Recipe::of(cover) }.make(&subject, &mut Nowhere);
            assert_eq!(summary.written, targets, "{cover} {form:?}");
        }
    }
}

#[test]
fn bounds_name_what_they_leave_out() {
    let (subject, mut recipe) = (json(), Recipe::of("rule"));
    recipe.options.bounds.tokens = Some(2);
    let tokens = recipe.make(&subject, &mut Nowhere);
    assert!(tokens.unwritten_count > 0 && tokens.tokens <= 2 * tokens.tests);
    assert_eq!(tokens.unwritten_count, tokens.unwritten.len() as u64);
    recipe.options.bounds = Bounds { bytes: Some(2), ..Bounds::default() };
    let bytes = recipe.make(&subject, &mut Nowhere);
    assert!(bytes.longest <= 2 && bytes.unwritten_count > 0);
}

#[test]
fn variants_only_add_tests() {
    let subject = json();
    let mut recipe = Recipe::of("cdrc");
    let one = recipe.texts(&subject);
    recipe.variants = 4;
    let four = recipe.texts(&subject);
    assert_eq!(four[..one.len()], one[..]);
    assert!(four.len() > one.len());
}

/// What is given and what is made cover everything together, in small tests and in large ones.
#[test]
fn only_what_is_not_given_is_made() {
    let wants = Wants { covers: true, ..Wants::default() };
    for cover in
        ["rule", "pair", "kpath:2", "lexeme:2", "pop-edge:lr0", "lr-path:2", "kpath:2+lexeme:2"]
    {
        let names: Vec<&str> = cover.split('+').collect();
        let (subject, recipe) = (json(), Recipe::of(cover));
        let mut all = Kept { wants, ..Kept::default() };
        recipe.make(&subject, &mut all);
        let whole = all.covered(&names);
        let mut half = all;
        half.covers.truncate(half.covers.len() / 2);
        let given = half.covered(&names);
        for form in [Form::Small, Form::Packed] {
            let recipe = Recipe { form, given: given.clone(), ..recipe.clone() };
            let mut rest = Kept { wants, ..Kept::default() };
            recipe.make(&subject, &mut rest);
            assert!(form == Form::Small || rest.texts.len() <= half.texts.len());
            let made = rest.covered(&names);
            for ((whole, given), made) in whole.iter().zip(&given).zip(&made) {
                let mut union = given.clone();
                union.union_with(made);
                assert_eq!(union.missing_from(whole), 0, "{cover} {form:?}");
            }
        }
    }
}
