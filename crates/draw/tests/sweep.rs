//! Laws of all pictures: they are well-formed, their links have targets, and they are the same in
//! every run.

use std::collections::BTreeSet;
use std::path::Path;

use gramercy_base::Limits;
use gramercy_draw::{grammar_graph, railroad};
use gramercy_formats::{Disk, LoadOptions, Memory, load};
use gramercy_grammar::Grammar;
use gramercy_transform::inline_references;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};

/// The values of an attribute in a well-formed document.
fn attributes(xml: &str, name: &str) -> Vec<String> {
    let mut reader = Reader::from_str(xml);
    let mut values = Vec::new();
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(element) | Event::Empty(element) => {
                for attribute in element.attributes() {
                    let attribute = attribute.expect("well-formed");
                    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                    let value = value.expect("only known entities");
                    if attribute.key.as_ref() == name {
                        values.push(value.into_owned());
                    }
                }
            }
            Event::Eof => return values,
            _ => {}
        }
    }
}

fn check(grammar: &Grammar) {
    let tracks = railroad(grammar);
    let ids: BTreeSet<_> = attributes(&tracks, "id").into_iter().collect();
    for link in attributes(&tracks, "href") {
        assert!(ids.contains(link.trim_start_matches('#')), "{link} has no target");
    }
    assert_eq!(tracks, railroad(grammar));
    let sketch = grammar_graph(grammar, &grammar.graph());
    if let Ok(svg) = sketch.to_svg() {
        for number in ["x", "y", "width"].map(|name| attributes(&svg, name)).concat() {
            assert!(number.parse::<f64>().is_ok_and(f64::is_finite), "{number}");
        }
        assert!(attributes(&svg, "d").iter().all(|path| !path.contains(['N', 'i'])));
        assert_eq!(Ok(svg), sketch.to_svg());
    }
}

#[test]
fn pictures_of_the_collection_are_well_formed() {
    let Some(folder) = gramercy_testkit::shared("tribble") else { return };
    for path in gramercy_testkit::files_in(&folder, &["tribble"]) {
        if let Some(grammar) = load(&path, &Disk, &LoadOptions::default()).grammar {
            check(&grammar);
        }
    }
}

#[test]
fn no_nesting_is_too_deep() {
    let files = Memory::with("deep.tribble", "S = A; A = \"a\" (A | \"b\")?;");
    let loaded = load(Path::new("deep.tribble"), &files, &LoadOptions::default());
    let limits = Limits::default();
    let deep = inline_references(&loaded.grammar.expect("a grammar"), 300, &limits);
    check(&deep.expect("within the limits"));
    let files = Memory::with("deep.tribble", "S = \"a\" S* | \"b\";");
    let options = LoadOptions { start: Some("S".into()), ..LoadOptions::default() };
    let loaded = load(Path::new("deep.tribble"), &files, &options);
    let deep = inline_references(&loaded.grammar.expect("a grammar"), 20_000, &limits);
    assert!(railroad(&deep.expect("within the limits")).ends_with("</svg>\n"));
}
