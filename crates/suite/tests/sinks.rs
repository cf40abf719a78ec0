//! Every form of a suite, read back.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy_suite::sinks::{Compression, Directory, Existing, Format, FuzzCorpus, Tar, Zip};
use gramercy_suite::{Corpus, Expect, Sink, SinkError, Target, Test, Token};

const TEXTS: [&str; 3] = ["a b", "line\nline\\", "\"é\""];

fn put_all(sink: &mut dyn Sink) {
    for (text, id) in TEXTS.into_iter().zip(1..) {
        let test = Test {
            id,
            text,
            tokens: &[Token { name: "FIRST", start: 0, end: 1 }],
            token_count: 1,
            expect: Expect::Accept,
            target: Some("s → a"),
            covers: &[Target { criterion: "rule", rank: 7 }],
            seed: Some(0),
        };
        sink.put(&test).expect("it is taken");
    }
    sink.finish().expect("it is finished");
}

fn check(format: Format, expected: &str) {
    let mut out = Vec::new();
    put_all(&mut *format.sink(&mut out));
    let text = String::from_utf8(out).expect("UTF-8");
    assert!(text.contains(expected), "{}: {text}", format.as_str());
}

#[test]
fn streams() {
    check(Format::Lines, "a b\nline\\nline\\\\\n\"é\"\n");
    check(Format::Nul, "a b\0line\nline\\\0\"é\"\0");
    check(
        Format::Ndjson,
        "{\"schema\":1,\"id\":1,\"text\":\"a b\",\"tokens\":[{\"name\":\"FIRST\",\"text\":\"a\",\
         \"byte\":0}],\"expect\":\"accept\",\"target\":\"s → a\",\"covers\":[\"rule#7\"],\"seed\":0}\n",
    );
    check(
        Format::TreeSitter,
        "===|gramercy|\n1 s → a\n===================|gramercy|\na b\n---|gramercy|\n\n",
    );
    check(
        Format::Pytest,
        "    (2, \"line\\nline\\\\\", True),\n    (3, \"\\\"\\U000000e9\\\"\", True),\n",
    );
    check(Format::Rust, "    (3, \"\\\"\\u{e9}\\\"\", true),\n");
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn read(path: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    Corpus::new([path.display().to_string()]).for_each(|input| {
        texts.push(input.expect("readable").text().expect("UTF-8").to_owned());
        ControlFlow::Continue(())
    });
    texts
}

type Made = Result<Box<dyn Sink>, SinkError>;

#[test]
fn archives_are_read_back_and_are_the_same_every_time() {
    let folder = folder("archives");
    let check = |name: &str, make: &dyn Fn(&Path) -> Made| {
        let path = folder.join(name);
        put_all(&mut *make(&path).expect("a new archive"));
        assert_eq!(read(&path), TEXTS, "{name}");
        let first = std::fs::read(&path).expect("it is there");
        put_all(&mut *make(&path).expect("the archive again"));
        assert!(std::fs::read(&path).expect("it is there") == first, "{name}");
    };
    check("a.tar", &|path| Ok(Box::new(Tar::new(path, "txt", Compression::None)?)));
    check("a.tar.zst", &|path| Ok(Box::new(Tar::new(path, "txt", Compression::Zstd)?)));
    check("a.zip", &|path| Ok(Box::new(Zip::new(path, "txt")?)));
}

#[test]
fn folders_with_other_files_are_respected() {
    let folder = folder("folders");
    let make = |existing| Directory::new(&folder, "txt", existing);
    put_all(&mut make(Existing::Respect).expect("it is empty"));
    assert_eq!(read(&folder), TEXTS);
    std::fs::write(folder.join("accept-000009.old"), "old").expect("a file");
    put_all(&mut make(Existing::Respect).expect("an older suite gives way"));
    assert_eq!(read(&folder), TEXTS);
    std::fs::write(folder.join("notes"), "mine").expect("a file");
    assert!(matches!(make(Existing::Respect), Err(SinkError::InTheWay { .. })));
    assert_eq!(read(&folder).len(), 4);
    put_all(&mut make(Existing::Force).expect("it is forced"));
    assert_eq!(read(&folder), [&TEXTS[..], &["mine"]].concat());
}

/// A rule of so many equal characters, and what stands behind it.
fn rule(line: &str, of: char) -> Option<&str> {
    let rest = line.trim_start_matches(of);
    (line.len() - rest.len() >= 3).then_some(rest)
}

/// The texts of a file of `test/corpus`, read as tree-sitter does: what the first rule ends with, all
/// rules end with; the longest rule of dashes ends a text.
fn tree_sitter_texts(file: &str) -> Vec<String> {
    let suffix = file.lines().next().and_then(|line| rule(line, '=')).expect("a rule");
    let lines: Vec<&str> = file.split('\n').collect();
    let is_header = |&at: &usize| {
        let ends = |line: usize| lines.get(line).and_then(|line| rule(line, '='));
        ends(at) == Some(suffix) && ends(at + 2) == Some(suffix)
    };
    let headers: Vec<usize> = (0..lines.len()).filter(is_header).collect();
    let ends = headers.iter().skip(1).copied().chain([lines.len()]);
    let text = |(&header, end): (&usize, usize)| {
        let body = &lines[header + 3..end];
        let dividers = (0..body.len()).filter(|&at| rule(body[at], '-') == Some(suffix));
        let divider = dividers.max_by_key(|&at| body[at].len()).expect("a rule of dashes");
        body[..divider].join("\n")
    };
    headers.iter().zip(ends).map(text).collect()
}

#[test]
fn tree_sitter_reads_the_same_texts() {
    let texts =
        ["a", "", "---", "x\n===\ny\n===\n", "\n", "----|||\n", "===\n1 s\n===\na\n---\n(a)"];
    let mut out = Vec::new();
    let mut sink = Format::TreeSitter.sink(&mut out);
    for (text, id) in texts.into_iter().zip(1..) {
        let (tokens, covers) = (&[][..], &[][..]);
        let expect = Expect::Accept;
        let target = Some("s → a");
        let test = Test { id, text, tokens, token_count: 0, expect, target, covers, seed: None };
        sink.put(&test).expect("it is taken");
    }
    sink.finish().expect("it is finished");
    drop(sink);
    let file = String::from_utf8(out).expect("UTF-8");
    assert_eq!(tree_sitter_texts(&file), texts, "{file}");
}

/// The value of an entry of a dictionary, as libFuzzer and AFL++ read it: an optional name, quotes, and
/// of escapes only backslash, quote and two hexadecimal digits.
fn entry(line: &str) -> Option<Vec<u8>> {
    let value = line.split_once('"')?.1.strip_suffix('"')?;
    let (mut bytes, mut rest) = (Vec::new(), value.as_bytes());
    while let Some((&byte, more)) = rest.split_first() {
        rest = more;
        match (byte, more) {
            (b'\\', [escaped @ (b'\\' | b'"'), more @ ..]) => {
                bytes.push(*escaped);
                rest = more;
            }
            (b'\\', [b'x', high, low, more @ ..]) => {
                let digit = |digit: u8| u8::try_from(char::from(digit).to_digit(16)?).ok();
                bytes.push(digit(*high)? * 16 + digit(*low)?);
                rest = more;
            }
            (b' '..=b'~', _) if byte != b'"' && byte != b'\\' => bytes.push(byte),
            _ => return None,
        }
    }
    (!bytes.is_empty()).then_some(bytes)
}

#[test]
fn fuzzers_read_the_same_literals() {
    let folder = folder("dictionary");
    let literals = ["if", "\"", "\\", "\\x41", "é\n\t\0", "#", " ", "a=\"b\""];
    let sink = FuzzCorpus::new(&folder, "", Existing::Respect, &literals);
    put_all(&mut sink.expect("it is empty"));
    let dictionary = std::fs::read_to_string(folder.join("literals.dict")).expect("it is there");
    let read: Vec<Vec<u8>> =
        dictionary.lines().map(|line| entry(line).expect("an entry")).collect();
    assert_eq!(read, literals.map(|literal| literal.as_bytes().to_vec()));
    std::fs::write(folder.join("notes"), "mine").expect("a file");
    let again = FuzzCorpus::new(&folder, "", Existing::Respect, &literals);
    assert!(matches!(again, Err(SinkError::InTheWay { .. })));
    assert!(FuzzCorpus::new(&folder, "", Existing::Force, &literals).is_ok());
}

#[test]
fn fuzzers_get_a_folder_and_a_dictionary() {
    let folder = folder("fuzzing");
    let sink = FuzzCorpus::new(&folder, "", Existing::Respect, &["if", "\n"]);
    put_all(&mut sink.expect("it is empty"));
    assert_eq!(read(&folder.join("corpus")), TEXTS);
    let dictionary = std::fs::read_to_string(folder.join("literals.dict")).expect("it is there");
    assert_eq!(dictionary, "\"if\"\n\"\\x0A\"\n");
}
