//! Parts of a file that readers ignore.

use crate::{check_lints, lints};

fn actions(count: usize) -> String {
    format!("grammar a; s: {} EOF;", "'a' {x();} ".repeat(count))
}

fn predicates(count: usize) -> String {
    format!("grammar a; s: {} EOF;", "{p()}? 'a' ".repeat(count))
}

#[test]
fn actions_are_counted() {
    check_lints("a.g4", &actions(1), &["action: an action is ignored"]);
    check_lints("a.g4", &actions(7), &["action: 7 actions are ignored"]);
    assert_eq!(lints("a.g4", &actions(7))[0].labels.len(), 3);
}

#[test]
fn parts_that_change_the_language_are_listed_up_to_a_limit() {
    check_lints("a.g4", &predicates(2), &["predicate: a predicate is ignored"; 2]);
    let found = lints("a.g4", &predicates(13));
    assert_eq!(found.len(), 11);
    let last = found.last().map(|it| it.message.as_str());
    assert_eq!(last, Some("3 more predicates are ignored"));
}

#[test]
fn a_start_without_the_end_is_noted() {
    let found = lints("a.g4", "grammar a; s: 'a';");
    assert_eq!(found.iter().map(|it| it.code.name).collect::<Vec<_>>(), ["start-without-eof"]);
}
