//! Every criterion on every example grammar: each test parses, and all targets are covered, as
//! measured by the parser and the criteria. A few grammars of the collection represent the rest,
//! which `cargo xtask proof suites` checks.

use gramercy_proof::suites::subject::{self, Subject};
use gramercy_proof::suites::table::Suites;
use gramercy_proof::suites::trial::{self, Effort, SuiteKind};

/// Some of the criteria of the full proof, with one of each kind.
const COVERS: [&str; 16] = [
    "symbol",
    "rule",
    "cdrc",
    "step:3",
    "bfs:2",
    "deriv",
    "pll",
    "pair",
    "rule+pll",
    "kpath:1",
    "kpath:3",
    "lexeme:1",
    "lexeme:3",
    "kpath:2+lexeme:2",
    "pop-edge:lr1",
    "lr-path:2",
];

fn check(subject: &Subject, kind: SuiteKind) -> Suites {
    // Minimized suites take longer.
    let most_targets = if kind == SuiteKind::Small { 4_000 } else { 400 };
    let effort = Effort { covers: COVERS.to_vec(), kind, most_targets };
    let suites = trial::all(None, subject, &effort, &|_| ()).expect("all criteria are known");
    for trial in suites.made() {
        let (name, cover) = (&subject.name, trial.cover);
        assert!(trial.complaints.is_empty(), "{name} {cover}: {:?}", trial.complaints);
    }
    assert!(suites.made().count() > 6, "{}: {:?}", subject.name, suites.remarks);
    suites
}

/// As [`check`], and nothing is unwritten; returns the number of tests.
fn check_example(subject: &Subject, kind: SuiteKind) -> u64 {
    let suites = check(subject, kind);
    let unwritten = suites.made().filter(|trial| trial.unwritten > 0);
    let unwritten: Vec<_> = unwritten.map(|trial| (trial.cover, trial.obstacles.clone())).collect();
    assert!(unwritten.is_empty(), "{} {kind:?}: {unwritten:?}", subject.name);
    suites.made().map(|trial| trial.tests).sum()
}

#[test]
fn every_target_of_every_example_is_covered() {
    subject::own().iter().for_each(|subject| _ = check_example(subject, SuiteKind::Small));
}

/// These have targets without a text, but none that is lost.
#[test]
fn grammars_of_rare_features_are_covered() {
    subject::features().iter().for_each(|subject| drop(check(subject, SuiteKind::Small)));
}

#[test]
fn suites_that_are_made_smaller_lose_nothing() {
    let tests = |kind| subject::own().iter().map(|it| check_example(it, kind)).sum::<u64>();
    let (minimized, packed) = (tests(SuiteKind::Minimized), tests(SuiteKind::Packed));
    assert!(packed < minimized / 2, "{packed}, {minimized}");
}

#[test]
fn grammars_of_the_collection_are_covered() {
    let daily = ["ampl20.y", "go.y", "json_ecma.y", "iso8601.tribble", "json.tribble", "edn"];
    let collection = subject::collection().expect("a good index");
    let daily = collection.iter().filter(|subject| daily.contains(&&*subject.name));
    daily.for_each(|subject| drop(check(subject, SuiteKind::Small)));
}
