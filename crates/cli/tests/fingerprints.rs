//! Suites do not change by accident: fingerprints of the suites of every example grammar, for every
//! criterion and random method and in every output format, with one and two jobs and in shards.
//!
//! `fingerprints.txt` holds one line per suite: grammar, arguments, fingerprint. After a change that is
//! meant to change suites, `cargo xtask bless` writes the file anew; the difference shows which ones.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use gramercy::base::Fingerprint;
use gramercy_testkit::{Folder, examples, files_in};
use snapbox::{Assert, Data};

const CRITERIA: [&str; 18] = [
    "symbol",
    "rule",
    "cdrc",
    "step:3",
    "bfs:2",
    "deriv",
    "pll",
    "pair",
    "kpath:1",
    "kpath:2",
    "kpath:3",
    "lexeme:1",
    "lexeme:2",
    "pop-edge:lr0",
    "pop-edge:lalr",
    "pop-edge:lr1",
    "lr-path:2",
    "kpath:2+lexeme:1",
];

const OTHER_SUITES: [&str; 17] = [
    "generate --pack --cover rule",
    "generate --pack --cover kpath:2",
    "generate --pack --cover kpath:2+lexeme:1+pair",
    "generate --minimize --cover kpath:2",
    "generate --minimize --cover rule+pll",
    "generate --cover cdrc --variants 3 --ties random --seed 5",
    "generate --cover cdrc --embedding shallowest --yield edges",
    "generate --cover pop-edge:lr0 --embedding shallowest --yield edges",
    "generate --cover pop-edge:lr0 --strategy lr-bfs -n 40",
    "generate --cover kpath:2 --close-off random --seed 3",
    "generate --cover kpath:2 --fall-over 60 --depth 12",
    "generate --cover kpath:2 --recur 60",
    "generate --cover rule --lexemes shortest --unique",
    "generate --cover rule --lexemes random --spacing newline",
    "generate --cover kpath:2 --max-tokens 6",
    "generate --cover kpath:2 --targets 0-5",
    "generate --cover rule -n 5 --report kpath:2",
];

const RANDOM_SUITES: [&str; 12] = [
    "random -n 30",
    "random -n 30 --tokens 5-40 --cover kpath:2",
    "random -n 20 --bytes 80",
    "random -n 20 --depth 9",
    "random -n 20 --strategy free --depth 6",
    "random -n 20 --strategy graph --depth 12",
    "random -n 20 --strategy graph --depth 12 --choose least-path:2",
    "random -n 20 --strategy forced --tokens 15",
    "random -n 20 --strategy depth-first --tokens 15",
    "random -n 20 --strategy breadth-first --tokens 15",
    "random -n 20 --strategy cooldown --depth 7 --max-tokens 200",
    "random -n 20 --unique --lexemes random --seed 9 --damping 0.1 --similarity 0.5",
];

/// The grammars whose suites are written in every format.
const IN_EVERY_FORMAT: [&str; 3] = ["json.gram", "calc.y", "MiniParser.g4"];

const STREAMS: [&str; 5] = ["lines", "nul", "tree-sitter", "pytest", "rust"];
const PLACES: [&str; 4] = ["folder", "suite.tar", "suite.tar.zst", "suite.zip"];

/// Runs the program; what it writes to standard output, and its exit code.
fn run(grammar: &Path, arguments: &str, more: &[&str]) -> (Vec<u8>, i32) {
    let mut words = arguments.split_whitespace();
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.args(words.next()).arg(grammar).args(words).arg("--quiet").args(more);
    let output = command.output().expect("the binary starts");
    (output.stdout, output.status.code().expect("an exit code"))
}

fn fingerprint(bytes: &[u8], code: i32) -> String {
    let mut print = Fingerprint::default();
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|&word| print.add(u64::from_le_bytes(word)));
    rest.iter().for_each(|&byte| print.add(byte.into()));
    print.add(bytes.len() as u64);
    format!("{:016x} {} bytes, exit code {code}", print.finish() >> 64, bytes.len())
}

fn name(grammar: &Path) -> String {
    grammar.file_name().expect("a file").to_string_lossy().into_owned()
}

/// The suites of a grammar, one line each. The same with two jobs, and when put together from shards.
fn suites(grammar: &Path) -> String {
    let covers = CRITERIA.map(|cover| format!("generate --cover {cover}"));
    let others = OTHER_SUITES.into_iter().chain(RANDOM_SUITES).map(str::to_owned);
    let mut table = String::new();
    for arguments in covers.into_iter().chain(others) {
        let (suite, code) = run(grammar, &arguments, &["--format=ndjson", "--jobs=1"]);
        let in_shards = in_shards(grammar, &arguments);
        assert!(in_shards == suite, "{}: {arguments}: shards and jobs", name(grammar));
        let (lines, code_of_lines) = run(grammar, &arguments, &["--jobs=1"]);
        assert_eq!(code, code_of_lines, "{}: {arguments}", name(grammar));
        let prints = [fingerprint(&suite, code), fingerprint(&lines, code)].join("; ");
        table += &format!("{} {arguments}: {prints}\n", name(grammar));
    }
    table
}

/// A suite in two shards, made with two jobs each, put in order.
fn in_shards(grammar: &Path, arguments: &str) -> Vec<u8> {
    let shard = |of| run(grammar, arguments, &["--format=ndjson", "--jobs=2", "--shard", of]).0;
    let both = [shard("1/2"), shard("2/2")].concat();
    let mut tests: Vec<&[u8]> = both.split_inclusive(|&byte| byte == b'\n').collect();
    tests.sort_by_key(|test| id(test));
    tests.concat()
}

/// The number of a test in the whole suite.
fn id(test: &[u8]) -> u64 {
    let test = std::str::from_utf8(test).expect("JSON is text");
    let (_, rest) = test.split_once("\"id\":").expect("every test has one");
    let digits = rest.find(|c: char| !c.is_ascii_digit()).expect("something follows");
    rest[..digits].parse().expect("a number")
}

/// A suite in every format, one line each.
fn formats(grammar: &Path) -> String {
    let mut table = String::new();
    for arguments in ["generate --cover rule", "generate --pack", "random -n 12"] {
        let mut add = |how: &str, bytes: &[u8], code: i32| {
            let print = fingerprint(bytes, code);
            table += &format!("{} {arguments} {how}: {print}\n", name(grammar));
        };
        for format in STREAMS {
            let (bytes, code) = run(grammar, arguments, &["--format", format]);
            add(format, &bytes, code);
        }
        for place in PLACES {
            let folder = Folder::new(&format!("fingerprints-{}-{place}", name(grammar)));
            let to = folder.path().join(place).display().to_string();
            let (_, code) = run(grammar, arguments, &["-o", &to, "--ext", "test"]);
            add(place, &content(&folder.path().join(place)), code);
        }
        let folder = Folder::new(&format!("fingerprints-{}-fuzzing", name(grammar)));
        let to = folder.path().join("corpus").display().to_string();
        let (_, code) = run(grammar, arguments, &["-o", &to, "--format", "fuzzing"]);
        add("fuzzing", &content(folder.path()), code);
    }
    table
}

/// A file, or the names and contents of all files of a folder but the manifest.
fn content(place: &Path) -> Vec<u8> {
    if place.is_file() {
        return std::fs::read(place).expect("a file that was written");
    }
    let mut content = Vec::new();
    for file in all_files(place) {
        let within = file.strip_prefix(place).expect("below the folder");
        if within.file_name().is_some_and(|name| name != "suite.json") {
            content.extend(within.to_string_lossy().bytes());
            content.extend(std::fs::read(&file).expect("a file that was written"));
        }
    }
    content
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder that was written") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The tables of all example grammars, made by two threads.
fn all_tables() -> String {
    let files = files_in(&examples(), &["gram", "y", "g4"]);
    // The lexer of the mini language is part of its parser's grammar.
    let grammars: Vec<&PathBuf> =
        files.iter().filter(|file| name(file) != "MiniLexer.g4").collect();
    let table = |grammar: &Path| {
        let is_in_every_format = IN_EVERY_FORMAT.contains(&&*name(grammar));
        suites(grammar) + &if is_in_every_format { formats(grammar) } else { String::new() }
    };
    let mut tables = vec![String::new(); grammars.len()];
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let work = || {
            let mut made = Vec::new();
            while let Some(grammar) = grammars.get(next.fetch_add(1, Ordering::Relaxed)) {
                made.push((grammar, table(grammar)));
            }
            made
        };
        let threads = [(); 2].map(|()| scope.spawn(work));
        for (grammar, table) in threads.into_iter().flat_map(|thread| thread.join().expect("done"))
        {
            let at = grammars.iter().position(|other| other == grammar).expect("one of them");
            tables[at] = table;
        }
    });
    tables.concat()
}

#[test]
fn suites_are_the_same_as_before() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fingerprints.txt");
    let assert = Assert::new().action_env("SNAPSHOTS");
    assert.eq(all_tables(), Data::read_from(&file, None).raw());
}

#[test]
fn every_suite_is_recreated_from_its_manifest() {
    let folder = Folder::new("fingerprints-manifests");
    let manifest = folder.path().join("suite.json").display().to_string();
    for grammar in ["json.gram", "calc.y"].map(|name| examples().join(name)) {
        for arguments in OTHER_SUITES.into_iter().chain(RANDOM_SUITES) {
            let (suite, code) =
                run(&grammar, arguments, &["--manifest", &manifest, "--format=ndjson"]);
            if code != 0 {
                continue;
            }
            let command = arguments.split_whitespace().next().expect("a command");
            let (again, _) = run(&grammar, command, &["--from", &manifest, "--format=ndjson"]);
            assert!(again == suite, "{}: {arguments}", name(&grammar));
        }
    }
}
