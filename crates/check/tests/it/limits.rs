//! Limits on output and on work.

use gramercy_base::Limits;
use gramercy_check::{Conflicts, Options, Subject, check, codes};

use crate::{Read, lints, shown};

#[test]
fn one_lint_has_a_limit() {
    let rules: String = (0..60).map(|at| format!(" r{at}: A r{at} | B;")).collect();
    let found = lints("a.y", &format!("%% s: A;{rules}"));
    assert_eq!(found.len(), 52, "50 rules, the number of others, and the note that they are equal");
    let last = found.last().map(shown);
    assert_eq!(last.as_deref(), Some("unreachable-rule: 10 more of these are not shown"));
}

#[test]
fn a_limit_that_prevents_a_check_is_reported() {
    let Read { grammar, bnf, said } = &Read::new("a.g4", "grammar a; s: A B EOF; A: 'a'; B: 'b';");
    let limits = Limits { states: 3, ..Limits::default() };
    let options = Options { conflicts: Conflicts::Counted, ..Options::default() };
    let found = check(&Subject { grammar, bnf, said }, &options, &limits);
    let codes: Vec<_> = found.iter().map(|it| it.code.name).collect();
    assert_eq!(codes, ["not-checked", "not-checked"]);
    assert!(found.iter().all(|it| it.message.contains("--max-states")), "{found:?}");
}

#[test]
fn codes_are_unique() {
    let mut names: Vec<_> = codes::ALL.iter().map(|code| code.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), codes::ALL.len());
}
