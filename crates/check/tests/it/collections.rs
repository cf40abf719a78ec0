//! Findings about the grammar collections: every explanation for the grammars of Rossouw and
//! Fischer, JSS 2024, is read by the parser, and every warning about the ANTLR grammars was
//! verified by hand.

use std::path::Path;

use gramercy_base::{Limits, Severity};
use gramercy_check::{Conflicts, Options};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_testkit::{files_in, shared};

use crate::Read;
use crate::conflicts::{explained, read_examples};

/// The large ones take seconds each.
const LARGE: [&str; 2] = ["sqlite.y", "vdm.y"];

#[test]
fn every_example_of_the_yacc_collection_is_read() {
    let Some(folder) = shared("pytomata") else { return };
    let mut examples = 0;
    for path in files_in(&folder, &["y"]) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        // One file is only a draft of a grammar.
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

/// The warnings about the ANTLR grammars, except for unreachable rules.
const ANTLR: &[(&str, &[&str])] = &[
    ("graphemes", &["unused-fragment"]),
    ("html", &["unused-fragment"]),
    ("iso8601", &["duplicate-alternative"]),
    ("javascript", &["losing-token", "losing-token", "unused-fragment"]),
    // `LPAREN NL*` of function types: `(` enters a mode that skips line ends.
    ("kotlin", &["impossible-token", "losing-token"]),
    ("mysql", &["losing-token"]),
    ("promql", &["losing-token"]),
    ("protobuf2", &["duplicate-alternative"]),
    ("smtlibv2", &["unused-fragment"]),
];

#[test]
fn the_antlr_collection_has_these_warnings() {
    let Some(folder) = shared("antlr") else { return };
    let index = std::fs::read_to_string(folder.join("index.tsv")).expect("an index");
    let mut found = Vec::new();
    for line in index.lines().skip(1) {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let is_parser = |file: &&str| file.contains("Parser");
        let file = files.split('+').find(is_parser).or_else(|| files.split('+').next());
        let path = folder.join(name).join(file.expect("a file"));
        let codes = warnings(&path, start);
        found.extend((!codes.is_empty()).then_some((name.to_owned(), codes)));
    }
    found.sort_unstable();
    let expected = ANTLR.iter().map(|(name, codes)| ((*name).to_owned(), codes.to_vec()));
    assert_eq!(found, expected.collect::<Vec<_>>());
}

fn warnings(path: &Path, start: &str) -> Vec<&'static str> {
    let options = LoadOptions { start: Some(start.to_owned()), ..LoadOptions::default() };
    let loaded = load(path, &Disk, &options);
    let grammar = loaded.grammar.expect("a grammar");
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
    let read = Read { grammar, bnf, said: loaded.diagnostics };
    let found = read.check(&Options { conflicts: Conflicts::Ignored, ..Options::default() });
    let codes = found.iter().filter(|it| it.severity() > Severity::Note).map(|it| it.code.name);
    let mut codes: Vec<_> = codes.filter(|&code| code != "unreachable-rule").collect();
    codes.sort_unstable();
    codes
}
