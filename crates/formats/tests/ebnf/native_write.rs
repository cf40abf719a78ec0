//! Reading what was written gives the same grammar.

use crate::support::{dump, grammar, read, said};
use gramercy_formats::{Disk, LoadOptions, load, native};
use gramercy_grammar::Grammar;

/// Writes a grammar, reads it and compares.
pub(crate) fn check_round_trip(what: &str, grammar: &Grammar) {
    let written = native::write(grammar);
    let again = read("again.gram", &written);
    let said = said(&again);
    let again = again.grammar.unwrap_or_else(|| panic!("{what}\n{written}\n{said}"));
    let (expected, found) = (dump(grammar), dump(&again));
    let differ = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
    assert_eq!(differ, None, "{what}");
    assert_eq!(expected, found, "{what}");
    assert_eq!(written, native::write(&again), "{what}: writing is stable");
}

#[test]
fn tribbles_grammars_survive() {
    let Some(folder) = gramercy_testkit::shared("tribble") else { return };
    for path in gramercy_testkit::files_in(&folder, &["tribble"]) {
        let start = path.ends_with("js_generative.tribble").then(|| "START".into());
        let loaded = load(&path, &Disk, &LoadOptions { start, ..LoadOptions::default() });
        let grammar = loaded.grammar.unwrap_or_else(|| panic!("{path:?} {:?}", loaded.diagnostics));
        check_round_trip(&path.display().to_string(), &grammar);
    }
}

#[test]
fn native_grammars_survive() {
    let check = |text: &str| check_round_trip(text, &grammar("a.gram", text));
    check("A := \"a\";");
    check("A := B (\"x\" | C)* ; B := \"b\"{2,3}; C := \"\" | [a-z];");
}
