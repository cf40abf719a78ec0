//! Every explanation for the grammars of the LR paper, read by our own parser.

use gramercy_testkit::{files_in, shared};

use crate::Read;
use crate::conflicts::{explained, read_examples};

/// The large ones would take seconds each.
const LARGE: [&str; 2] = ["sqlite.y", "vdm.y"];

#[test]
fn every_example_of_the_yacc_collection_is_read() {
    let Some(folder) = shared("pytomata") else { return };
    let mut examples = 0;
    for path in files_in(&folder, &["y"]) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        // One file is not a grammar but a draft of one.
        if LARGE.contains(&name) || name == "simpl.y" {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let read = Read::new(name, &text);
        let found = explained(&read);
        assert!(found.iter().all(|it| !it.message.contains("no example")), "{name}");
        examples += read_examples(&read, &found);
    }
    assert!(examples > 150, "{examples}");
}
