//! The examples of the guide are grammars.

use crate::native_write::check_round_trip;
use crate::support::{read, said};

#[test]
fn the_examples_on_the_native_notation_load() {
    let page = gramercy_testkit::workspace().join("guide/notations/native.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let blocks = page.split("```gram\n").skip(1);
    let examples: Vec<_> =
        blocks.map(|block| block.split("```").next().expect("a block has an end")).collect();
    assert!(examples.len() > 10, "{} examples", examples.len());
    for example in examples {
        let loaded = read("example.gram", example);
        assert_eq!(said(&loaded), "", "{example}");
        let grammar = loaded.grammar.unwrap_or_else(|| panic!("{example}"));
        check_round_trip(example, &grammar);
    }
}
