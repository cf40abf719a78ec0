//! Inputs that no grammar was made for: each gets a clear line, and the rest is still measured.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gramercy_testkit::Folder;

fn gramercy(arguments: &[&Path]) -> (Output, String, String) {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    let output = command.args(arguments).output().expect("the binary starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output, out, err)
}

fn json_grammar() -> PathBuf {
    gramercy_testkit::examples().join("json.gram")
}

fn deep(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn what_cannot_be_measured_is_told_and_the_rest_is_measured() {
    let folder = Folder::new("bad-input");
    folder.file("binary.bin", [0u8, 159, 146, 150, 0, 1]);
    folder.file("deep.json", deep(100_000));
    folder.file("fine.json", "[1, true]");
    folder.file("invalid.json", b"[\"\n\xc3\x28\"]");
    folder.file("long.json", format!("[\"{}\", tru]", "x".repeat(1 << 20)));
    folder.file("long-fine.json", format!("[{}1]", "1,".repeat(1 << 18)));
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", folder.path().join("gone.json")).expect("a link");
    let (output, out, err) = gramercy(&[
        Path::new("measure"),
        &json_grammar(),
        folder.path(),
        Path::new("--cover=rule"),
    ]);
    assert_eq!(output.status.code(), Some(2), "{err}");
    let told = |text: &str, words: &str| {
        assert!(text.lines().any(|line| line.contains(words)), "`{words}` is not in: {text}");
    };
    told(&out, "3 accepted, 3 rejected");
    told(&out, "binary.bin:1:2: this is not text: byte 1 is not UTF-8");
    told(&out, "invalid.json:2:1: this is not text: byte 3 is not UTF-8");
    told(&out, "long.json:1:1048582: no token begins with `tru]`; expected STRING");
    told(&err, "empty: the folder is empty");
    #[cfg(unix)]
    told(&err, "gone.json: No such file or directory");
}

#[test]
fn deep_trees_are_shown_in_every_form() {
    let folder = Folder::new("deep-trees");
    let input = folder.file("deep.json", deep(20_000));
    for form in ["--tree=text", "--tree=json", "--tree=dot"] {
        let (output, out, err) =
            gramercy(&[Path::new("parse"), &json_grammar(), &input, Path::new(form)]);
        assert_eq!(output.status.code(), Some(0), "{form}: {err}");
        assert!(out.len() > 1_000_000, "{form}");
    }
}

#[test]
fn a_grammar_without_a_sentence_rejects_everything() {
    let folder = Folder::new("empty-language");
    let grammar = folder.file("never.gram", "S := S \"a\";\n");
    let input = folder.file("a.txt", "a");
    for command in ["parse", "measure"] {
        let (output, out, err) = gramercy(&[Path::new(command), &grammar, &input]);
        assert_eq!(output.status.code(), Some(1), "{command}: {err}");
        assert!(err.contains("`S` derives no sentence: every input is rejected"), "{err}");
        assert!(out.contains("`a` cannot come here"), "{command}: {out}");
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let corpus = gramercy_testkit::examples().join("json.corpus.ndjson");
    let run = |jobs: &str| {
        let cover = Path::new("--cover=kpath:3+rule+pair");
        let rest = [cover, Path::new("--json"), Path::new("--select"), Path::new(jobs)];
        let command = Path::new("measure");
        gramercy(&[&[command, &*json_grammar(), &*corpus], &rest[..]].concat()).1
    };
    let alone = run("--jobs=1");
    assert!(alone.contains("\"selected\":["), "{alone}");
    assert_eq!(run("--jobs=4"), alone);
}

#[test]
fn verdicts_come_in_the_order_of_the_inputs() {
    let folder = Folder::new("order");
    for number in 0..200 {
        // The first ones take longest, and every fifth is wrong.
        let end = if number % 5 == 0 { "" } else { "]" };
        let text = format!("[{}1{end}", "[1],".repeat(3 * (200 - number)));
        folder.file(&format!("{number:03}.json"), text);
    }
    let run = |jobs: &str| {
        let json = Path::new("--json");
        gramercy(&[Path::new("parse"), &json_grammar(), folder.path(), json, Path::new(jobs)])
    };
    let (output, alone, err) = run("--jobs=1");
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert_eq!(alone.lines().count(), 200);
    assert!(alone.lines().zip(0..).all(|(line, n)| line.contains(&format!("{n:03}.json"))));
    assert_eq!(run("--jobs=4").1, alone);
}
