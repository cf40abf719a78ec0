//! The figures of Havrikov, Kampmann and Zeller.

use std::collections::BTreeSet;

use gramercy_coverage::TargetSet;
use gramercy_generate::strategies::kpath::KPathOptions;
use gramercy_grammar::NodeKind;

use super::support::{covered, example, paths, suite, text};

fn tests(name: &str, k: u32) -> Vec<String> {
    let language = &example(name);
    let suite = suite(language, KPathOptions::new(k));
    suite.iter().map(|candidate| text(language, candidate)).collect()
}

/// Figure 1: at most as many tests as the authors' own tool makes.
#[test]
fn expressions_take_few_tests() {
    for (k, most) in [(1, 21), (2, 48), (3, 193)] {
        let tests = tests("expr.gram", k);
        assert!(tests.len() <= most, "k = {k}: {} tests", tests.len());
    }
}

/// Figure 5: uniform choices reach "9" once in 512 times, a suite of 1-paths always.
#[test]
fn a_digit_far_down_is_reached() {
    assert!(tests("digit.gram", 1).contains(&"9".to_owned()));
}

/// Figure 13: three symbols a configuration, so 3-paths are all combinations.
#[test]
fn paths_of_three_combine_all_configurations() {
    let tests: BTreeSet<String> = tests("configuration.gram", 3).into_iter().collect();
    let mut all = BTreeSet::new();
    for system in ["windows", "linux", "macos"] {
        for processor in ["arm", "intel"] {
            for browser in ["chrome", "edge", "firefox", "safari"] {
                all.insert(format!("{system}-{processor}-{browser}"));
            }
        }
    }
    assert_eq!(tests, all);
}

/// Figure 12: over references to states, paths of one, two and three nodes are states, transitions
/// and triples of states.
#[test]
fn paths_over_states_are_transitions() {
    let language = &example("session.gram");
    let next: [(&str, &[&str]); 3] =
        [("q1", &["q1", "q2"]), ("q2", &["q2", "q3"]), ("q3", &["q3", "q2"])];
    let follow =
        |state: &str| next.iter().find(|(of, _)| *of == state).map_or(&[][..], |row| row.1);
    let mut walks: Vec<Vec<String>> =
        next.iter().map(|(state, _)| vec![(*state).to_owned()]).collect();
    for k in 1..=3 {
        let criterion = paths(language, k);
        let mut covered_by_all = TargetSet::new();
        for candidate in suite(language, KPathOptions::new(k)) {
            covered_by_all.union_with(&covered(language, &criterion, &candidate));
        }
        let names = |target| -> Option<Vec<String>> {
            let rule = |&node: &_| match language.graph().kind(node) {
                NodeKind::Reference(rule) => {
                    Some(language.grammar().rules()[rule].name.to_string())
                }
                _ => None,
            };
            criterion.path(target).iter().map(rule).collect()
        };
        let states: BTreeSet<Vec<String>> = covered_by_all.iter().filter_map(names).collect();
        assert_eq!(states, walks.iter().cloned().collect(), "k = {k}");
        let longer = |walk: &Vec<String>| {
            let last = &walk[walk.len() - 1];
            let longer = |state: &&str| [&walk[..], &[(*state).to_owned()]].concat();
            follow(last).iter().map(longer).collect::<Vec<_>>()
        };
        walks = walks.iter().flat_map(longer).collect();
    }
}
