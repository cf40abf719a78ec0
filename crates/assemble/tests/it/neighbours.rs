//! Where the cheapest tree of a target has neighbours that nothing separates, another tree is found.

use gramercy_suite::Wants;

use crate::support::{kept, of_text, small};

/// Rows of fields. A `TEXT` takes any tab beside it, so a `TAB` is only read between strings.
const ROWS: &str = "grammar f; f : row row* EOF ; row : field (TAB field)* EOL ; \
                    field : TEXT | STRING ; TAB : '\\t' ; EOL : '\\n' ; TEXT : ~[\\n\"]+ ; \
                    STRING : '\"' '\"' ;";

fn check(grammar: &str, cover: &str, unwritten: u64, part: &str) {
    let (kept, summary) = kept(&of_text("f.g4", grammar), &small(cover), Wants::TEXT);
    assert_eq!(summary.unwritten_count, unwritten, "{cover}: {:?}", summary.unwritten);
    assert!(kept.texts.iter().any(|text| text.contains(part)), "{cover}: {:?}", kept.texts);
}

/// Only that a `TEXT` follows a `TAB` has no text.
#[test]
fn other_tokens_are_put_beside_those_that_nothing_separates() {
    check(ROWS, "kpath:2", 1, "\n\"\"\t\"\"");
    check(ROWS, "rule", 0, "\"\"\t\"\"");
    check(ROWS, "cdrc", 1, "\"\"\t\"\"");
}
