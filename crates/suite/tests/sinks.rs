//! Every form of a suite, read back.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use gramercy_suite::document::{self, Document};
use gramercy_suite::sinks::{Compression, Directory, Existing, Format, FuzzCorpus, Tar, Zip};
use gramercy_suite::test::Error;
use gramercy_suite::{
    Content, Corpus, CorpusError, Expect, Expectation, Input, Mutation, Origin, Sink, SinkError,
    Target, Test, Token,
};

const TEXTS: [&str; 3] = ["a b", "line\nline\\", "\"é\""];

/// A test of which nothing is known but its input.
fn plain(content: Content<'_>) -> Test<'_> {
    Test {
        id: 1,
        content,
        tokens: &[],
        token_count: 0,
        expect: Expect::Accept,
        origin: Origin::Draw,
        covers: &[],
        seed: None,
    }
}

fn put_all(sink: &mut dyn Sink) {
    for (text, id) in TEXTS.into_iter().zip(1..) {
        let test = Test {
            id,
            content: Content::Text(text),
            tokens: &[Token { name: "FIRST", start: 0, end: 1 }],
            token_count: 1,
            expect: Expect::Accept,
            origin: Origin::Target(Some("s → a")),
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
        "def test_000002_s_a(accepts):\n    assert accepts(\"line\\nline\\\\\")\n\n\n\
         def test_000003_s_a(accepts):\n    assert accepts(\"\\\"\\U000000e9\\\"\")\n",
    );
    check(
        Format::Rust,
        "#[test]\nfn test_000003_s_a() {\n    assert!(accepts(\"\\\"\\u{e9}\\\"\"));\n}\n",
    );
}

/// The NDJSON of some tests.
fn ndjson(tests: &[Test<'_>]) -> String {
    let mut out = Vec::new();
    let mut sink = Format::Ndjson.sink(&mut out);
    tests.iter().for_each(|test| sink.put(test).expect("it is taken"));
    sink.finish().expect("it is finished");
    drop(sink);
    String::from_utf8(out).expect("UTF-8")
}

/// Writes a test as NDJSON, and reads the document back.
fn read_back(test: &Test<'_>) -> Document<'static> {
    let line = ndjson(std::slice::from_ref(test));
    assert_eq!(line.matches('\n').count(), 1, "{line}");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// The first error of `a = ;`.
fn error() -> Error<'static> {
    let expected = vec!["NAME", "'('"];
    Error { token: 2, byte: 4, line: 1, column: 5, expected, class: "unexpected-token" }
}

fn mutation() -> Mutation<'static> {
    Mutation {
        operator: "rule-delete",
        rule: Some("assignment"),
        item: Some("assignment → NAME '=' • expr ';'"),
        source: Some("a.g4:3:20"),
        place: 2,
        inserted: vec!["x", "\"é\""],
        removed: vec!["b"],
        base: "a = b;",
        target: None,
    }
}

#[test]
fn every_field_of_a_test_is_read_back() {
    let (error, mutation) = (error(), mutation());
    let test = Test {
        id: 17,
        content: Content::Text("a = ;"),
        tokens: &[
            Token { name: "NAME", start: 0, end: 1 },
            Token { name: "'='", start: 2, end: 3 },
            Token { name: "';'", start: 4, end: 5 },
        ],
        token_count: 3,
        expect: Expect::Reject(&error),
        origin: Origin::Mutation(&mutation),
        covers: &[Target { criterion: "rule", rank: 7 }, Target { criterion: "kpath:2", rank: 0 }],
        seed: Some(u64::MAX),
    };
    let token = |name, text, byte| document::Token {
        name: Cow::Borrowed(name),
        text: Cow::Borrowed(text),
        byte,
    };
    let all = |texts: &[&'static str]| texts.iter().map(|&text| Cow::Borrowed(text)).collect();
    let expected = Document {
        schema: 1,
        id: 17,
        text: Some("a = ;".into()),
        bytes: None,
        tokens: vec![token("NAME", "a", 0), token("'='", "=", 2), token("';'", ";", 4)],
        expect: "reject".into(),
        error: Some(document::Error {
            token: Some(2),
            byte: Some(4),
            line: Some(1),
            column: Some(5),
            expected: all(&["NAME", "'('"]),
            class: Some("unexpected-token".into()),
        }),
        target: None,
        covers: vec!["rule#7".to_owned(), "kpath:2#0".to_owned()],
        mutation: Some(document::Mutation {
            operator: "rule-delete".into(),
            rule: Some("assignment".into()),
            item: Some("assignment → NAME '=' • expr ';'".into()),
            source: Some("a.g4:3:20".into()),
            place: 2,
            inserted: all(&["x", "\"é\""]),
            removed: all(&["b"]),
            base: "a = b;".into(),
        }),
        seed: Some(u64::MAX),
    };
    let read = read_back(&test);
    assert_eq!(read, expected);
    assert_eq!(read, Document::of(&test));
    assert_eq!(read.content().as_deref(), Ok(&b"a = ;"[..]));
    // A test that was made for a target has no mutation, but its pattern.
    let made = Test { origin: Origin::Target(Some("s → a")), ..test };
    let read = read_back(&made);
    assert_eq!((read.target.as_deref(), &read.mutation), (Some("s → a"), &None));
    assert_eq!(read, Document::of(&made));
}

#[test]
fn bytes_that_are_not_utf_8_go_through_base64() {
    for bytes in [&b"\xFF"[..], b"a\x80b", b"\xC3", &[0, 159, 146, 150, 10]] {
        let test = plain(Content::of(bytes));
        assert_eq!(test.content, Content::Bytes(bytes));
        let read = read_back(&test);
        assert_eq!((&read.text, read.bytes.is_some()), (&None, true));
        assert_eq!(read.content().as_deref(), Ok(bytes));
        assert_eq!(read, Document::of(&test));
    }
    let test = plain(Content::of("é".as_bytes()));
    assert_eq!(test.content, Content::Text("é"));
    assert_eq!(read_back(&test).content().as_deref(), Ok("é".as_bytes()));
    let neither = r#"{"schema":1,"id":1,"expect":"accept"}"#;
    let neither: Document<'_> = serde_json::from_str(neither).expect("a document");
    assert!(neither.content().is_err());
    let wrong = r#"{"schema":1,"id":1,"bytes":"?","expect":"accept"}"#;
    let wrong: Document<'_> = serde_json::from_str(wrong).expect("a document");
    assert!(wrong.content().is_err());
}

/// The inputs of an NDJSON file.
fn inputs(name: &str, lines: &str) -> Vec<Result<Input, CorpusError>> {
    let file = folder(name).join("corpus.ndjson");
    std::fs::write(&file, lines).expect("a file");
    let mut inputs = Vec::new();
    Corpus::new([file.display().to_string()]).for_each(|input| {
        inputs.push(input);
        ControlFlow::Continue(())
    });
    inputs
}

#[test]
fn a_corpus_tells_what_is_expected() {
    let error = error();
    let tests = [
        plain(Content::Text("a = b;")),
        Test { id: 2, expect: Expect::Reject(&error), ..plain(Content::Text("a = ;")) },
        Test { id: 3, expect: Expect::Reject(&error), ..plain(Content::Bytes(b"a\xFF")) },
    ];
    let inputs = inputs("expectations", &ndjson(&tests));
    let read: Vec<Input> = inputs.into_iter().map(|input| input.expect("readable")).collect();
    let contents: Vec<&[u8]> = read.iter().map(|input| &*input.content).collect();
    assert_eq!(contents, tests.map(|test| test.content.as_bytes()));
    let rejected = Document::of(&tests[1]).into_owned().error.map(Box::new);
    let rejected = Expectation::Reject(rejected.expect("an error"));
    let expected = [Expectation::Accept, rejected.clone(), rejected];
    assert_eq!(read.into_iter().map(|input| input.expect).collect::<Vec<_>>(), expected.map(Some));
}

#[test]
fn a_corpus_may_tell_only_what_it_knows() {
    let lines = r#"{"name":"plain","text":"a"}
{"text":"b","expect":"accept"}
{"text":"c","expect":"reject"}
{"text":"d","expect":"reject","error":{"byte":1,"class":"lexical"}}
{"text":"e","expect":"perhaps"}
{"expect":"accept"}
"#;
    let inputs = inputs("hand-written", lines);
    let reject = |error| Some(Expectation::Reject(Box::new(error)));
    let some = document::Error {
        byte: Some(1),
        class: Some("lexical".into()),
        ..document::Error::default()
    };
    let nothing = document::Error::default();
    let known = [None, Some(Expectation::Accept), reject(nothing), reject(some)];
    let (known_inputs, wrong) = inputs.split_at(known.len());
    for (input, expect) in known_inputs.iter().zip(&known) {
        assert_eq!(&input.as_ref().expect("readable").expect, expect);
    }
    let reasons = wrong.iter().map(|input| input.as_ref().expect_err("a mistake").reason.as_str());
    let reasons: Vec<&str> = reasons.collect();
    let expected =
        ["`expect` is accept or reject, not `perhaps`", "it has neither `text` nor `bytes`"];
    assert_eq!(reasons, expected);
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
        texts.push(input.expect("readable").text().expect("UTF-8").into_owned());
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

/// A rule of three or more equal characters, and what stands after it.
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
        let origin = Origin::Target(Some("s → a"));
        let test = Test { id, origin, ..plain(Content::Text(text)) };
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
