//! Bounds on what is said and on what is done.

use gramercy_base::Limits;
use gramercy_check::{Options, Subject, check, codes};

use crate::{Read, lints, shown};

#[test]
fn one_lint_does_not_flood() {
    let rules: String = (0..60).map(|at| format!(" r{at}: A r{at} | B;")).collect();
    let found = lints("a.y", &format!("%% s: A;{rules}"));
    assert_eq!(found.len(), 52, "50 rules, how many more, and that they are alike");
    let last = found.last().map(shown);
    assert_eq!(last.as_deref(), Some("unreachable-rule: 10 more of these are not shown"));
}

#[test]
fn what_is_beyond_a_limit_is_not_checked_and_that_is_said() {
    let Read { grammar, bnf, said } = &Read::new("a.g4", "grammar a; s: A B EOF; A: 'a'; B: 'b';");
    let limits = Limits { states: 3, ..Limits::default() };
    let found = check(&Subject { grammar, bnf, said }, &Options::default(), &limits);
    let codes: Vec<_> = found.iter().map(|it| it.code.name).collect();
    assert_eq!(codes, ["not-checked", "not-checked"]);
    assert!(found.iter().all(|it| it.message.contains("--max-states")), "{found:?}");
}

#[test]
fn codes_are_told_apart() {
    let mut names: Vec<_> = codes::ALL.iter().map(|code| code.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), codes::ALL.len());
}
