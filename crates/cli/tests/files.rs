//! Files that the command line is given: defaults, manifests, names of outputs, and what is no file.

use std::path::Path;
use std::process::{Command, Stdio};

use gramercy_testkit::Folder;

const GRAMMAR: &str = "s := \"a\" t | \"b\";\nt := \"c\" | \"d\" t;\n";

/// The exit code, standard output and standard error of a call in a folder.
struct Called {
    code: Option<i32>,
    out: String,
    err: String,
}

fn call_with(folder: &Path, arguments: &[&str], stdin: Stdio, stdout: Stdio) -> Called {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.args(arguments).current_dir(folder).stdin(stdin).stdout(stdout);
    let output = command.stderr(Stdio::piped()).output().expect("the binary starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Called { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

fn call(folder: &Path, line: &str) -> Called {
    let arguments: Vec<&str> = line.split(' ').collect();
    call_with(folder, &arguments, Stdio::null(), Stdio::piped())
}

/// A folder with a small grammar in it.
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("a.gram", GRAMMAR);
    folder.file("in.txt", "adc");
    folder
}

fn check(folder: &Folder, line: &str, code: i32, expected: &str) {
    let Called { code: found, out, err } = call(folder.path(), line);
    assert_eq!(found, Some(code), "{line}\n{out}{err}");
    assert!(out.contains(expected) || err.contains(expected), "{line}\n{out}{err}");
}

#[test]
fn a_grammar_in_the_defaults_leaves_operands_to_inputs() {
    let folder = folder("files-defaults");
    folder.file("b.gram", "s := \"z\";\n");
    folder.file("gramercy.toml", "grammar = \"a.gram\"\n");
    check(&folder, "parse in.txt", 0, "in.txt: accepted");
    check(&folder, "parse --text b", 0, "text 1: accepted");
    check(&folder, "measure in.txt --cover rule", 0, "1 accepted");
    check(&folder, "measure in.txt in.txt --cover rule", 0, "2 accepted");
    check(&folder, "--color never measure in.txt", 0, "1 accepted");
    check(&folder, "stats", 0, "a.gram");
    // A name with a notation's extension is the grammar if inputs follow it.
    check(&folder, "parse b.gram in.txt", 1, "`a` cannot come here");
    check(&folder, "parse b.gram --text z", 0, "accepted");
    check(&folder, "parse b.gram", 1, "b.gram:1:1");
    check(&folder, "parse --no-config in.txt --text b", 2, "cannot tell the notation");
}

#[test]
fn options_without_a_value_are_true_in_the_defaults() {
    let folder = folder("files-missing");
    folder.file("gramercy.toml", "[measure]\nmissing = true\n");
    check(&folder, "measure a.gram in.txt", 0, "Missing of kpath:2");
    folder.file("gramercy.toml", "[measure]\nmissing = 1\n");
    check(&folder, "measure a.gram in.txt", 0, "and 2 more");
    folder.file("gramercy.toml", "[measure]\nmissing = false\n");
    assert!(!call(folder.path(), "measure a.gram in.txt").out.contains("Missing"));
    folder.file("gramercy.toml", "[random]\ntests = 3\n");
    assert_eq!(call(folder.path(), "random a.gram --tokens 1-3").out.lines().count(), 3);
}

#[test]
fn a_manifest_keeps_the_start_rule() {
    let folder = folder("files-start");
    check(&folder, "generate a.gram --start t -o suite --cover rule", 0, "to suite in");
    folder.file("gramercy.toml", "start = \"s\"\n");
    let from = "generate a.gram --from suite/suite.json";
    let again = call(folder.path(), from);
    assert_eq!((again.code, again.out.as_str()), (Some(0), "c\ndc\n"), "{}", again.err);
    check(&folder, &format!("{from} --start s"), 2, "made for another grammar");
    check(&folder, "random a.gram --start t -n 2 --tokens 2 -o drawn --seed 5", 0, "to drawn in");
    let again = call(folder.path(), "random a.gram --from drawn/suite.json");
    assert_eq!((again.code, again.out.as_str()), (Some(0), "dc\ndc\n"), "{}", again.err);
}

#[test]
fn options_that_would_be_ignored_are_refused() {
    let folder = folder("files-ignored");
    check(&folder, "generate a.gram -o suite", 0, "");
    let from = "generate a.gram --from suite/suite.json";
    check(&folder, &format!("{from} --cover rule"), 2, "--cover cannot be used with --from");
    check(&folder, &format!("{from} --seed 3"), 2, "--seed cannot be used with --from");
    check(&folder, &format!("{from} --max-tokens 3"), 2, "--max-tokens cannot be used");
    check(&folder, &format!("{from} --count"), 0, "");
    check(&folder, &format!("{from} --shard 1/2"), 0, "");
    check(&folder, "generate a.gram --json", 2, "--json goes with --count");
    check(&folder, "random a.gram --json", 2, "--json goes with --count");
    check(&folder, "negate a.gram --json", 2, "--json goes with --count");
    for command in ["generate", "random", "negate"] {
        check(
            &folder,
            &format!("{command} a.gram --count -o s.txt"),
            2,
            "--output cannot be used with --count",
        );
        check(
            &folder,
            &format!("{command} a.gram --count --format nul"),
            2,
            "--format cannot be used with --count",
        );
        check(&folder, &format!("{command} a.gram --ext json"), 2, "--ext is about files of tests");
    }
    check(&folder, "generate a.gram --each 3", 2, "--forests");
    check(&folder, "measure a.gram in.txt --csv -", 2, "cannot both go to standard output");
    check(&folder, "generate a.gram --minimize-memory 3", 2, "--minimize");
    check(&folder, "generate a.gram --json --count", 0, "{\"schema\":1,\"tests\":");
    let nowhere = call(folder.path(), "generate a.gram --given nothere");
    assert_eq!((nowhere.code, nowhere.out.as_str()), (Some(2), ""), "{}", nowhere.err);
    // Defaults are for other commands too: they are not refused.
    folder.file("gramercy.toml", "seed = 7\njson = true\n");
    check(&folder, from, 0, "");
}

#[test]
fn the_extension_of_an_output_decides_or_is_refused() {
    let folder = folder("files-names");
    let is_file = |name: &str| folder.path().join(name).is_file();
    for name in ["s.tar.gz", "s.tgz", "s.tar", "s.tar.zst", "s.zip", "s.py", "s.rs", "s.ndjson"] {
        check(&folder, &format!("generate a.gram -o {name}"), 0, &format!("to {name} in"));
        assert!(is_file(name), "{name}");
    }
    for archive in ["s.tar.gz", "s.tgz", "s.tar", "s.tar.zst", "s.zip"] {
        check(&folder, &format!("measure a.gram {archive}"), 0, "100.0%");
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert!(read("s.py").contains("def test_000001"));
    assert!(read("s.rs").contains("#[test]"));
    let plain = call(folder.path(), "generate a.gram");
    assert_eq!(call(folder.path(), "generate a.gram -o -").out, plain.out);
    check(&folder, "generate a.gram -o s.json", 2, "does not say how to write the suite");
    check(&folder, "generate a.gram -o s.d/", 0, "");
    check(&folder, "generate a.gram --format fuzzing -o f.tar", 2, "--format fuzzing");
    check(&folder, "generate a.gram --format lines -o f.zip", 2, "--format lines");
    check(&folder, "generate a.gram --format rust -o f.py", 2, "--format rust");
    check(&folder, "generate a.gram --format nul -o f.dat", 0, "");
    check(&folder, "generate a.gram --format files", 2, "name a folder with -o");
    check(&folder, "random a.gram --format fuzzing", 2, "name a folder with -o");
    assert!(!folder.path().join("suite").exists());
    check(&folder, "generate a.gram --csv -", 2, "cannot both go to standard output");
    check(&folder, "generate a.gram --csv - -o s.txt", 0, "test,");
    check(&folder, "generate a.gram --manifest - -o s.txt", 0, "\"recipe\"");
    assert!(!is_file("-"));
}

#[test]
fn pictures_and_grammars_are_what_their_names_say() {
    let folder = folder("files-forms");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    check(&folder, "graph a.gram -o x.dot", 0, "");
    assert!(read("x.dot").starts_with("digraph"));
    check(&folder, "graph a.gram -o x.svg", 0, "");
    assert!(read("x.svg").starts_with("<svg"));
    check(&folder, "graph a.gram -o x.png", 2, "does not say what to write: use --format");
    check(&folder, "graph a.gram --format svg -o x.dot", 2, "does not name what --format");
    check(&folder, "graph a.gram --kind railroad -o x.dot", 2, "SVG only");
    check(&folder, "convert a.gram -o c.g4", 0, "");
    assert!(read("c.g4").contains("grammar a;"), "{}", read("c.g4"));
    check(&folder, "convert a.gram -o c.y", 0, "");
    assert!(read("c.y").contains("%%"));
    check(&folder, "convert a.gram --to yacc -o c.g4", 2, "does not name what --to");
    check(&folder, "convert a.gram -o c.xyz", 2, "use --to");
    check(&folder, "convert a.gram --to bnf -o c.txt", 0, "");
    check(&folder, "convert a.gram -o -", 0, "s :=");
}

#[test]
fn a_grammar_may_come_from_standard_input() {
    let folder = folder("files-stdin");
    let stdin = || std::fs::File::open(folder.path().join("a.gram")).expect("a file").into();
    let arguments = ["stats", "-", "--notation", "native"];
    let called = call_with(folder.path(), &arguments, stdin(), Stdio::piped());
    assert_eq!(called.code, Some(0), "{}", called.err);
    assert!(called.out.contains("<stdin>"), "{}", called.out);
    let called = call_with(folder.path(), &["stats", "-"], stdin(), Stdio::piped());
    assert_eq!(called.code, Some(2));
    assert!(called.err.contains("--notation"), "{}", called.err);
}

#[cfg(unix)]
#[test]
fn tokens_that_no_rule_uses_do_not_lower_coverage() {
    let folder = folder("files-unused");
    folder.file(
        "l.g4",
        "grammar l; s: A B* EOF; A: 'a'; B: 'b' | 'bb'; C: 'c' D; D: [0-9]+; E: 'e' -> skip;",
    );
    check(&folder, "generate l.g4 --cover lexeme:1 -o l.ndjson", 0, "4 of 4 coverable targets");
    check(&folder, "measure l.g4 l.ndjson --cover lexeme:1 --fail-under 100", 0, "100.0%");
}

#[test]
fn ignored_code_is_named_as_the_cause_of_rejections() {
    let folder = folder("files-causes");
    folder.file(
        "c.g4",
        "grammar c; s: A* EOF; A: 'a'; W: ' ' -> skip;\nC: '--' { readRest(); } -> skip;",
    );
    folder.file("one.txt", "a -- b");
    folder.file("two.txt", "b");
    let found = "1 of 2 rejections come right after a match whose action is ignored";
    check(&folder, "measure c.g4 one.txt two.txt", 1, found);
    check(&folder, "measure c.g4 one.txt two.txt", 1, "c.g4:2:9");
    let taken = "grammar p; s: O B* C | T; B: 'b'; O: '{';\nT: {inTemplate()}? '}'; C: '}';";
    folder.file("p.g4", taken);
    check(&folder, "generate p.g4 --cover rule", 0, "the lexer makes no C");
    check(
        &folder,
        "generate p.g4 --cover rule",
        0,
        "`T` (line 2) may take the text of another token",
    );
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let folder = folder("files-devices");
    #[expect(clippy::disallowed_methods, reason = "a pipe with a name")]
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.gram")).status();
    assert!(made.expect("mkfifo starts").success());
    let refused = "it is not a regular file";
    check(&folder, "stats pipe.gram", 2, refused);
    check(&folder, "check pipe.gram", 2, refused);
    check(&folder, "parse a.gram pipe.gram", 2, refused);
    check(&folder, "measure a.gram .", 2, refused);
    check(&folder, "generate a.gram --given pipe.gram", 2, refused);
    check(&folder, "generate a.gram --from pipe.gram", 2, refused);
    check(&folder, "measure a.gram in.txt --baseline pipe.gram", 2, refused);
    check(&folder, "stats a.gram --lexer pipe.gram", 2, "");
    for device in ["/dev/zero", "/dev/random"] {
        check(&folder, &format!("stats {device} --notation native"), 2, refused);
        check(&folder, &format!("parse a.gram {device}"), 2, refused);
        check(&folder, &format!("generate a.gram --lexemes {device}"), 2, refused);
    }
    for device in ["pipe.gram", "/dev/zero"] {
        check(&folder, &format!("learn a.gram --behaviour {device} -o m.json"), 2, refused);
        check(&folder, &format!("correlate a.gram --behaviour {device}"), 2, refused);
        check(&folder, &format!("explain a.gram --all --model {device}"), 2, refused);
        check(&folder, &format!("predict a.gram in.txt --model {device}"), 2, refused);
        check(&folder, &format!("target a.gram x --model {device}"), 2, refused);
        check(&folder, &format!("localize a.gram --failing {device}"), 2, refused);
        check(&folder, &format!("repair a.gram --failing {device}"), 2, refused);
        check(&folder, &format!("reduce a.gram {device} -- false"), 2, refused);
        check(&folder, &format!("merge {device}"), 2, refused);
        check(&folder, &format!("run a.gram --db {device} --resume -- true"), 2, refused);
    }
    let zeros = std::fs::File::open("/dev/zero").expect("Linux has such a file");
    let arguments = ["parse", "a.gram", "-", "--max-input-bytes", "1000"];
    let called = call_with(folder.path(), &arguments, zeros.into(), Stdio::piped());
    assert_eq!(called.code, Some(2), "{}", called.err);
    assert!(called.err.contains("more than 1000 bytes"), "{}", called.err);
    check(&folder, "stats a.gram --max-grammar-bytes 10", 2, "--max-grammar-bytes");
    check(&folder, "parse a.gram in.txt --max-input-bytes 2", 2, "more than 2 bytes");
    std::os::unix::fs::symlink(".", folder.path().join("loop")).expect("a link");
    check(&folder, "parse a.gram loop", 2, "the folder is inside itself");
}

#[test]
fn patterns_choose_files_of_a_corpus() {
    let folder = folder("files-patterns");
    std::fs::create_dir(folder.path().join("corpus")).expect("a folder");
    for (name, text) in [("one.x", "b"), ("two.x", "ac"), ("three.y", "ac")] {
        folder.file(&format!("corpus/{name}"), text);
    }
    let inputs = |options: &str| {
        let called = call(folder.path(), &format!("measure a.gram corpus {options} --json"));
        let report: serde_json::Value = serde_json::from_str(&called.out).expect("a document");
        report["inputs"].as_u64().expect("a number")
    };
    assert_eq!(inputs("--include *"), 3);
    assert_eq!(inputs("--include *.x"), 2);
    assert_eq!(inputs("--include *.x --include *.y"), 3);
    assert_eq!(inputs("--exclude t*"), 1);
    assert_eq!(inputs("--include *.x --exclude */two*"), 1);
    check(&folder, "measure a.gram corpus --include *.z", 2, "no file of it is included");
    check(&folder, "measure a.gram corpus --include [", 2, "invalid value '['");
}

/// Every command whose output is lost says so.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_by_every_command() {
    let folder = folder("files-full");
    let lines = [
        "stats a.gram",
        "check a.gram",
        "convert a.gram",
        "graph a.gram",
        "parse a.gram in.txt",
        "measure a.gram in.txt",
        "generate a.gram",
        "generate a.gram --count",
        "random a.gram --tokens 1-3",
        "compare a.gram --cover rule",
        "count a.gram",
        "negate a.gram",
        "diff a.gram a.gram",
        "init a.gram -o - -- true",
        "completions fish",
        "man",
        "--help",
        "stats --help",
        "--version",
    ];
    for line in lines {
        let arguments: Vec<&str> = line.split(' ').collect();
        let full = std::fs::File::create("/dev/full").expect("Linux has such a file");
        let called = call_with(folder.path(), &arguments, Stdio::null(), full.into());
        assert_eq!(called.code, Some(3), "{line}: {}", called.err);
        assert!(called.err.contains("error[unwritable]: cannot write the output"), "{line}");
    }
}

/// A request for memory that the machine refuses ends the program with one line.
#[cfg(target_os = "linux")]
#[test]
fn a_lack_of_memory_is_one_line() {
    let folder = folder("files-memory");
    let rules: String = (0..200_000).map(|n| format!("r{n} := \"x{n}\" | s{n};\n")).collect();
    folder.file("large.gram", rules.replace("s199999", "\"y\""));
    #[expect(clippy::disallowed_methods, reason = "a shell that limits memory")]
    let mut command = Command::new("sh");
    let line = format!("ulimit -v 60000; exec {} stats large.gram", env!("CARGO_BIN_EXE_gramercy"));
    let output = command.args(["-c", &line]).current_dir(folder.path()).output().expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert!(err.starts_with("error[out-of-memory]: the machine refuses"), "{err}");
}

#[test]
fn baselines_compare_targets_by_pattern() {
    let folder = folder("files-baseline");
    let measure = |grammar: &str, options: &str| format!("measure {grammar} in.txt {options}");
    check(&folder, &measure("a.gram", "--write-baseline base.json"), 0, "");
    check(&folder, &measure("a.gram", "--json"), 0, "\"fingerprint\"");
    check(&folder, &measure("a.gram", "--baseline base.json"), 0, "");
    // Another criterion is nothing to compare with.
    let other = measure("a.gram", "--baseline base.json --cover kpath:3");
    check(&folder, &other, 2, "nothing can be compared with the baseline");
    let both = measure("a.gram", "--baseline base.json --cover kpath:2+rule");
    check(&folder, &both, 0, "rule is not compared: the baseline has no such criterion");
    // A grammar that grew loses nothing, though the share falls.
    folder.file("b.gram", "s := \"a\" t | \"b\" | \"x\" \"y\";\nt := \"c\" | \"d\" t | \"e\" t;\n");
    check(&folder, &measure("b.gram", "--baseline base.json"), 0, "");
    // Fewer inputs do.
    folder.file("in.txt", "b");
    check(&folder, &measure("b.gram", "--baseline base.json"), 1, "no longer covered");
    // A result of --json is compared where the grammar is the same.
    folder.file("in.txt", "adc");
    let plain = call(folder.path(), &measure("a.gram", "--json")).out;
    folder.file("plain.json", plain);
    folder.file("in.txt", "b");
    check(&folder, &measure("a.gram", "--baseline plain.json"), 1, "no longer covered");
    check(&folder, &measure("b.gram", "--baseline plain.json"), 2, "the grammar has changed");
}

#[test]
fn exempt_targets_count_nowhere() {
    let folder = folder("files-exempt");
    check(&folder, "measure a.gram in.txt --fail-under 100", 1, "less than 100%");
    check(&folder, "measure a.gram in.txt --write-exempt exempt.txt", 0, "50.0%");
    let full = "measure a.gram in.txt --exempt exempt.txt --fail-under 100";
    check(&folder, full, 0, "100.0%");
    let none = call(folder.path(), "generate a.gram --cover kpath:2 --exempt exempt.txt");
    let all = call(folder.path(), "generate a.gram --cover kpath:2");
    assert!(none.out.lines().count() < all.out.lines().count(), "{}{}", none.out, all.out);
    folder.file("gramercy.toml", "exempt = \"exempt.txt\"\n");
    check(&folder, "measure a.gram in.txt", 0, "100.0%");
    check(&folder, "measure a.gram in.txt --fail-under 100", 0, "100.0%");
    folder.file("gramercy.toml", "");
    folder.file("exempt.txt", "# a list\n\nkpath:2 no such target\n");
    check(&folder, full, 1, "no target of kpath:2 is `no such target`");
    folder.file("exempt.txt", "kpaht:2 a\n");
    check(&folder, full, 2, "line 1: `kpaht` is not a criterion");
    check(&folder, "generate a.gram --exempt exempt.txt", 2, "line 1:");
}

#[test]
fn selected_inputs_are_copied() {
    let folder = folder("files-select");
    std::fs::create_dir(folder.path().join("corpus")).expect("a folder");
    for (name, text) in [("one.x", "b"), ("two.x", "b"), ("three.x", "adc")] {
        folder.file(&format!("corpus/{name}"), text);
    }
    check(&folder, "measure a.gram corpus --cover rule --select -o small", 0, "Selected 2 of 3");
    let mut names: Vec<_> = std::fs::read_dir(folder.path().join("small"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, ["one.x", "three.x"]);
    check(&folder, "measure a.gram corpus --select -o small", 2, "holds other files");
    check(&folder, "measure a.gram corpus -o small", 2, "-o goes with");
}

#[test]
fn findings_are_allowed_denied_and_explained() {
    let folder = folder("files-check");
    folder.file("u.y", "%%\ns : 'a' ;\nt : 'b' ;\n");
    folder.file("v.y", "%%\ns : 'a' ;\n/* gramercy: allow(unreachable-rule) */\nt : 'b' ;\n");
    check(&folder, "check u.y --deny warnings", 1, "unreachable-rule");
    check(&folder, "check u.y --deny unreachable-rule", 1, "unreachable-rule");
    check(&folder, "check u.y --deny duplicate-alternative", 0, "unreachable-rule");
    check(&folder, "check u.y --deny notes --allow unreachable-rule", 0, "no findings");
    check(&folder, "check v.y --deny notes", 0, "no findings");
    check(&folder, "check a.gram u.y v.y --deny warnings", 1, "u.y:\n");
    check(&folder, "check --explain unreachable-rule", 0, "unreachable-rule (warning): ");
    check(&folder, "check u.y --allow unreachable-rul", 2, "did you mean `unreachable-rule`?");
    check(&folder, "check nothere", 2, "No such file");
}

#[test]
fn tables_and_traces_show_how_a_parser_works() {
    let folder = folder("files-table");
    folder.file("e.y", "%token NUM\n%%\ne : e '+' t | t ;\nt : NUM | ;\n");
    check(&folder, "stats e.y --sets", 0, "t            yes       NUM      '+' $");
    check(&folder, "stats e.y --table --lr lalr", 0, "2      '+'     shift, go to 4");
    check(&folder, "stats e.y --sets --table --json", 0, "\"sets\":[{\"nonterminal\":\"e\"");
    folder.file("in.txt", "NUM '+'");
    let trace = call(folder.path(), "parse e.y in.txt --trace").out;
    let actions: Vec<&str> = trace.lines().skip(2).filter_map(|line| line.get(12..)).collect();
    let expected = [
        "shift, go to 1",
        "reduce by 3: t → NUM",
        "reduce by 2: e → t",
        "shift, go to 4",
        "reduce by 4: t → ε",
        "reduce by 1: e → e '+' t",
        "accept",
    ];
    for (action, expected) in actions.iter().zip(expected) {
        assert!(action.ends_with(expected), "{trace}");
    }
    assert_eq!(actions.len(), expected.len(), "{trace}");
    check(&folder, "parse a.gram --text b --trace", 2, "--trace is for grammars with tokens");
}

#[test]
fn one_railroad_per_rule() {
    let folder = folder("files-railroad");
    check(&folder, "graph a.gram --kind railroad --rule t -o t.svg", 0, "");
    check(&folder, "graph a.gram --kind railroad --per-rule -o all/", 0, "");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(read("t.svg"), read("all/t.svg"));
    assert!(read("all/s.svg").contains("<svg"));
    check(&folder, "graph a.gram --kind railroad --rule x", 2, "there is no rule `x`");
    check(&folder, "graph a.gram --rule t", 2, "are for --kind railroad");
}

/// Sizes whose tables would take hours are refused before they are made.
#[test]
fn counts_that_take_hours_are_refused() {
    let folder = Folder::new("files-hours");
    folder.file("e.y", "%%\ne : e e | 'a' | 'b' e 'c' ;\n");
    check(
        &folder,
        "count e.y --sizes 10000000",
        2,
        "products of numbers of trees, which take hours",
    );
    check(&folder, "random e.y --uniform --nodes 10000000", 2, "which take hours");
    check(&folder, "random e.y --plan --nodes 10000000", 2, "which take hours");
    check(&folder, "count e.y --sizes 200000 --max-memory 300", 2, "300 MiB of tables");
}

/// Every test of a grammar of tokens is read back, also where names and texts are alike or white space.
#[test]
fn names_and_texts_of_tokens_are_told_apart() {
    let folder = Folder::new("files-names-alike");
    folder.file("t.y", "%token array\n%%\ns : 'array' array '\\n' | array 'array' ;\n");
    check(&folder, "generate t.y --cover rule -o t.ndjson", 0, "2 tests");
    check(&folder, "measure t.y t.ndjson --cover rule --fail-under 100", 0, "100.0%");
}
