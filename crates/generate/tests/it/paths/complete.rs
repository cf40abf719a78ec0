//! Every path that can be covered is covered, by trees that are derivations, each of them needed.

use std::path::Path;

use gramercy_coverage::{Criterion, TargetSet};
use gramercy_derive::Candidate;
use gramercy_derive::strategy::{Outcome, Sequential};
use gramercy_formats::LoadOptions;
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy, Omitted};
use gramercy_generate::strategies::pack::paths::PackedPaths;
use gramercy_language::Language;

use super::support::{candidates, covered, paths, suite};
use crate::languages::read;
use crate::support::examples;

/// The union of what tests cover, each of which covers something new.
pub(crate) fn union(
    language: &Language,
    criterion: &dyn Criterion,
    candidates: &[Candidate],
) -> TargetSet {
    let mut union = TargetSet::new();
    for candidate in candidates {
        let covered = covered(language, criterion, candidate);
        let gain = union.union_with(&covered);
        if let Some(goal) = candidate.goal {
            assert!(gain > 0 && covered.contains(goal.target), "the test is needed");
        }
    }
    union
}

#[test]
fn suites_of_all_examples_are_complete() {
    for (name, language) in &examples() {
        for k in 1..=4 {
            let criterion = paths(language, k);
            if criterion.coverable() > 100_000 {
                continue;
            }
            let candidates = suite(language, KPathOptions::new(k));
            let union = union(language, &criterion, &candidates);
            assert_eq!(union.len(), criterion.coverable(), "{name}, k = {k}");
        }
    }
}

/// Shorter paths are covered as well: within longer ones, or where they lie in none, on their own.
#[test]
fn shorter_paths_are_covered_too() {
    for (name, language) in &examples() {
        for k in [2, 3, 6] {
            if paths(language, k).coverable() > 3_000 {
                continue;
            }
            let packed = PackedPaths::new(language, language, KPathOptions::new(k));
            let packed = candidates(&mut packed.expect("few paths"));
            for candidates in [suite(language, KPathOptions::new(k)), packed] {
                for shorter in 1..=k {
                    let criterion = paths(language, shorter);
                    let mut union = TargetSet::new();
                    for candidate in &candidates {
                        union.union_with(&covered(language, &criterion, candidate));
                    }
                    assert_eq!(union.len(), criterion.coverable(), "{name}: {shorter} in {k}");
                }
            }
        }
    }
}

/// The same on the collection beside the checkout, for every K with fewer targets than a bound.
/// With `GRAMERCY_PROOF=all` in the environment all grammars take part, up to a million targets; without
/// it a few small ones.
#[test]
fn suites_of_the_collection_are_complete() {
    let is_long = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    let most = if is_long { 1_000_000 } else { 2_000 };
    for folder in ["tribble", "pytomata", "antlr"] {
        let Some(folder) = gramercy_testkit::shared(folder) else { continue };
        for file in gramercy_testkit::files_in(&folder, &["tribble", "y", "g4"]) {
            let Some(language) = &read_alone(&file) else { continue };
            let small = (1..=4).map(|k| (k, paths(language, k)));
            for (k, criterion) in small.take_while(|(_, paths)| paths.targets() <= most) {
                check_suite(language, &criterion, k, &file.display().to_string());
            }
        }
    }
}

/// The language of a file of the collection; `None` for lexers, which are parts of other grammars, and for the one
/// file that is not in yacc's notation.
fn read_alone(file: &Path) -> Option<Language> {
    let name = file.file_name()?.to_str()?;
    let start = match name {
        "js_generative.tribble" => Some("START".to_owned()),
        "KotlinParser.g4" => Some("kotlinFile".to_owned()),
        "simpl.y" => return None,
        _ => None,
    };
    match Language::read_with(file, &LoadOptions { start, ..LoadOptions::default() }) {
        Ok(language) => Some(language),
        Err(error) if error.to_string().ends_with("has no parser rules") => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Whatever is not covered is named, and needs something after the end of input.
fn check_suite(language: &Language, criterion: &dyn Criterion, k: u32, name: &str) {
    let strategy = KPathStrategy::new(language, KPathOptions::new(k));
    let mut strategy = strategy.expect("few paths");
    let (mut union, mut candidate) = (TargetSet::new(), Candidate::default());
    while strategy.propose(&mut candidate) {
        let gain = union.union_with(&covered(language, criterion, &candidate));
        assert!(gain > 0 || candidate.goal.is_none(), "{name}, k = {k}");
        strategy.conclude(Outcome::Accepted, &mut candidate);
        candidate.clear();
    }
    let omitted = strategy.omitted();
    assert!(omitted.values().all(|&why| why == Omitted::Impossible), "{name}, k = {k}");
    let all = union.len() + omitted.len() as u64;
    assert_eq!(all, criterion.coverable(), "{name}, k = {k}");
}

/// A group whose alternatives are all equal is one node, which trees have once.
#[test]
fn equal_alternatives_are_one_node() {
    check_complete("S := (\"a\" | \"a\") \"b\" | T; T := \"c\" S | \"\";");
}

/// A lone terminal as the right-hand side of the start rule, which counts as a path.
#[test]
fn a_lone_terminal_is_a_suite() {
    check_complete("S := \"a\";");
}

/// A rule that derives nothing, and what needs it, are left out.
#[test]
fn unproductive_rules_are_left_out() {
    check_complete("S := \"a\" | U \"b\" | O*; U := U \"u\"; O := \"o\" U;");
}

/// Every alternative of several is taken, the last one too.
#[test]
fn the_last_alternative_is_taken() {
    check_complete("S := (\"a\" | \"b\" | \"c\" | \"d\") (\"e\" | \"f\")+;");
}

fn check_complete(text: &str) {
    let language = &read("a.gram", text);
    for k in 1..=4 {
        let criterion = paths(language, k);
        let union = union(language, &criterion, &suite(language, KPathOptions::new(k)));
        assert_eq!(union.len(), criterion.coverable(), "{text}, k = {k}");
    }
}
