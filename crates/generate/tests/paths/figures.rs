//! The figures of paper 001.

use std::collections::BTreeSet;

use gramercy_generate::strategies::kpath::KPathOptions;

use crate::support::{example, suite, text, with_views};

fn tests(name: &str, k: u32) -> Vec<String> {
    let grammar = example(name);
    with_views(&grammar, |views| {
        let suite = suite(views, KPathOptions::new(k));
        suite.iter().map(|draft| text(views, draft)).collect()
    })
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
