//! Shards of suites over LR-graphs: sorted by id they are the whole suite, byte for byte.

use std::path::Path;
use std::process::Command;

/// What `generate` writes as NDJSON.
fn suite(grammar: &Path, cover: &str, ties: &str, more: &[&str]) -> String {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.arg("generate").arg(grammar).args(["--cover", cover, "--ties", ties, "--seed", "3"]);
    command.args(["--format", "ndjson", "--quiet"]).args(more);
    let output = command.output().expect("the binary starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON is text")
}

/// The number of a test in the whole suite.
fn id(line: &str) -> u64 {
    let (_, rest) = line.split_once("\"id\":").expect("every test has one");
    let digits = rest.find(|c: char| !c.is_ascii_digit()).expect("something follows");
    rest[..digits].parse().expect("a number")
}

fn check(grammar: &Path, cover: &str, ties: &str, shards: usize) {
    let whole = suite(grammar, cover, ties, &[]);
    let parts: Vec<String> = (1..=shards)
        .map(|index| suite(grammar, cover, ties, &["--shard", &format!("{index}/{shards}")]))
        .collect();
    let mut lines: Vec<&str> = parts.iter().flat_map(|part| part.split_inclusive('\n')).collect();
    assert!(lines.len() >= shards, "{cover} has a test for every shard");
    lines.sort_by_key(|line| id(line));
    assert!(lines.concat() == whole, "{}, {cover}, ties {ties}", grammar.display());
}

#[test]
fn shards_sorted_by_id_are_the_suite() {
    let ampl = gramercy_testkit::shared("pytomata").map(|folder| folder.join("ampl20.y"));
    for grammar in [gramercy_testkit::examples().join("json.gram")].iter().chain(&ampl) {
        for cover in ["pop-edge:lr0", "pop-edge:lr1", "lr-path:2"] {
            for ties in ["first", "random"] {
                check(grammar, cover, ties, 3);
            }
        }
    }
}
