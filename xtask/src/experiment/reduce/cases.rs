//! Inputs and conditions: what is reduced.
//!
//! A case is a folder with `input.txt` and `test.sh`, a script that ends with 0 if the file in its first argument is
//! interesting. All programs that are compared get the same script; it asks `gramercy parse` whether a text is still
//! where it has to be, so that programs without a grammar are judged by the same language.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, antlr_collection, examples_folder};
use crate::process::{Call, Fallible};
use crate::say;

/// Something that is reduced.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) grammar: Entry,
    pub(super) folder: PathBuf,
    pub(super) text: String,
}

impl Case {
    pub(super) fn input(&self) -> PathBuf {
        self.folder.join("input.txt")
    }

    pub(super) fn test(&self) -> PathBuf {
        self.folder.join("test.sh")
    }

    /// The grammar's files, if other programs can use them.
    pub(super) fn antlr_files(&self) -> Option<Vec<PathBuf>> {
        let folder = self.grammar.path.parent()?;
        let name = self.grammar.path.file_name()?.to_str()?;
        if !name.ends_with(".g4") {
            return None;
        }
        let lexer = folder.join(name.replace("Parser.g4", "Lexer.g4"));
        let mut files = vec![self.grammar.path.clone()];
        if lexer != self.grammar.path && lexer.exists() {
            files.push(lexer);
        }
        Some(files)
    }
}

/// ANTLR grammars whose largest example is reduced.
const ANTLR: [&str; 11] = [
    "JSON",
    "LuaParser",
    "SQLiteParser",
    "XMLParser",
    "GoParser",
    "css3Parser",
    "DOT",
    "TomlParser",
    "Protobuf2",
    "Thrift",
    "RParser",
];
/// Examples with more bytes are too much for other programs in a reasonable time.
const MOST: usize = 1800;

/// All cases.
pub(super) fn all(gramercy: &Gramercy, folder: &Path, extent: Extent) -> Fallible<Vec<Case>> {
    let mut made = CaseMaker { gramercy, folder, cases: Vec::new() };
    let own = |name: &str| Entry::new(examples_folder().join(name));
    if extent == Extent::Short {
        made.of_input(&|| own("json.gram"), "json", &json(0))?;
        made.cases.truncate(1);
        return Ok(made.cases);
    }
    made.of_input(&|| own("json.gram"), "json", &json(30))?;
    made.of_input(&|| own("csv.gram"), "csv", &csv(40))?;
    made.of_input(&|| own("uri.gram"), "uri", &uri())?;
    let collection = antlr_collection()?;
    for name in ANTLR {
        let Some(found) = collection.iter().find(|entry| entry.name() == name) else {
            say(&format!("left out: there is no grammar {name}"));
            continue;
        };
        let Some(text) = example(gramercy, found)? else {
            say(&format!("left out: {name} has no example of a fitting size"));
            continue;
        };
        let entry = || Entry { path: found.path.clone(), start: found.start.clone() };
        made.of_input(&entry, name, &text)?;
    }
    Ok(made.cases)
}

struct CaseMaker<'m> {
    gramercy: &'m Gramercy,
    folder: &'m Path,
    cases: Vec<Case>,
}

impl CaseMaker<'_> {
    /// All conditions that an input has.
    fn of_input(&mut self, grammar: &dyn Fn() -> Entry, name: &str, text: &str) -> Fallible {
        let words = words(text);
        let pick = |of: usize, part: usize| words.get(words.len() * part / of).copied();
        let has = |word: &str| format!("grep -qF -- {} \"$1\"", quoted(word));
        if let Some(one) = pick(2, 1) {
            self.add(grammar, &format!("{name}-marker"), text, &has(one), Member::Yes)?;
        }
        if let (Some(one), Some(two)) = (pick(4, 1), pick(4, 3)) {
            let check = format!("{} && {}", has(one), has(two));
            self.add(grammar, &format!("{name}-two-markers"), text, &check, Member::Yes)?;
        }
        if let (Some(one), Some(two), Some(three)) = (pick(7, 1), pick(7, 3), pick(7, 6)) {
            let check = format!("{} && {} && {}", has(one), has(two), has(three));
            self.add(grammar, &format!("{name}-three-markers"), text, &check, Member::Yes)?;
        }
        if let Some(often) = repeated(&words) {
            let check = format!("[ $(grep -oF -- {} \"$1\" | wc -l) -ge 3 ]", quoted(often));
            self.add(grammar, &format!("{name}-three-times"), text, &check, Member::Yes)?;
        }
        let deepest = depth(text);
        if deepest >= 3 {
            let check = format!("[ $(awk {} \"$1\") -ge {} ]", quoted(DEPTH), deepest.min(5));
            self.add(grammar, &format!("{name}-nesting"), text, &check, Member::Yes)?;
        }
        for (at, broken) in broken(text).into_iter().enumerate() {
            let Some(error) = self.error(&grammar(), &broken)? else { continue };
            let member = Member::No(error);
            let name = format!("{name}-error-{}", at + 1);
            self.add(grammar, &name, &broken, "true", member)?;
        }
        Ok(())
    }

    /// The expected tokens at the error of a text; `None` if it is accepted.
    fn error(&self, grammar: &Entry, text: &str) -> Fallible<Option<String>> {
        let call = self.gramercy.on("parse", grammar, &["--json", "--text", text]);
        let document: Value = match serde_json::from_str(call.finish()?.stdout.trim()) {
            Ok(document) => document,
            Err(_) => return Ok(None),
        };
        Ok(document.get("error").map(|error| error["expected"].to_string()))
    }

    fn add(
        &mut self,
        grammar: &dyn Fn() -> Entry,
        name: &str,
        text: &str,
        check: &str,
        member: Member,
    ) -> Fallible {
        let grammar = grammar();
        let folder = self.folder.join(name);
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(failed)?;
        let start = grammar.start.as_ref().map_or(String::new(), |it| format!(" --start {it}"));
        let gramercy = quoted(&self.gramercy.path().display().to_string());
        let path = quoted(&grammar.path.display().to_string());
        let parse =
            format!("{gramercy} parse {path}{start} --no-config --json \"$1\" 2> /dev/null");
        let member = match member {
            Member::Yes => format!("{parse} > /dev/null"),
            Member::No(expected) => {
                let expected = quoted(&format!("\"expected\":{expected}"));
                format!("{parse} | grep -qF -- {expected}")
            }
        };
        let script = format!(
            "#!/bin/sh\n[ -n \"$REDUCE_COUNT\" ] && printf x >> \"$REDUCE_COUNT\"\n{check} && {member}\n"
        );
        let case =
            Case { name: name.to_owned(), grammar, folder: folder.clone(), text: text.to_owned() };
        fs::write(case.input(), text).map_err(failed)?;
        fs::write(case.test(), script).map_err(failed)?;
        Call::new("chmod").arg("+x").arg(case.test()).finish()?.success()?;
        let checked = Call::new(case.test()).arg(case.input()).finish()?;
        match checked.code {
            Some(0) => self.cases.push(case),
            _ => say(&format!("left out: {name} is not interesting from the beginning")),
        }
        Ok(())
    }
}

/// Where texts have to stay.
enum Member {
    /// In the language.
    Yes,
    /// Outside, with an error at which these tokens are expected.
    No(String),
}

/// A word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Prints the depth of brackets of a file.
const DEPTH: &str = r#"{ n = split($0, c, ""); for (i = 1; i <= n; i++) { if (index("([{", c[i])) { d++; if (d > m) m = d } else if (index(")]}", c[i])) d-- } } END { print m + 0 }"#;

fn depth(text: &str) -> usize {
    let (mut depth, mut most) = (0usize, 0);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// The words of a text, in order.
fn words(text: &str) -> Vec<&str> {
    let is_in = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c: char| !is_in(c)).filter(|word| (3..=24).contains(&word.len())).collect()
}

/// The first word that occurs three times.
fn repeated<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().copied().find(|word| words.iter().filter(|other| other == &word).count() >= 3)
}

/// The text with a bracket too much, and with a piece of it missing.
fn broken(text: &str) -> Vec<String> {
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let place = |from: usize| {
        text[boundary(from)..].find([',', ';', '=', '>', '/']).map(|at| at + boundary(from))
    };
    let mut made = Vec::new();
    if let Some(at) = place(text.len() / 3) {
        made.push(format!("{}){}", &text[..at], &text[at..]));
    }
    if let Some(at) = place(2 * text.len() / 3) {
        made.push(format!("{}{}{}", &text[..=at], &text[at..=at], &text[at + 1..]));
    }
    made
}

/// The largest example of a grammar that is accepted and not too large.
fn example(gramercy: &Gramercy, grammar: &Entry) -> Fallible<Option<String>> {
    let path = grammar.path.with_file_name("examples.ndjson");
    let Ok(lines) = fs::read_to_string(&path) else { return Ok(None) };
    let mut texts: Vec<String> = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|line| line["text"].as_str().map(str::to_owned))
        .filter(|text| text.len() <= MOST && text.is_ascii())
        .collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    for text in texts {
        if gramercy.on("parse", grammar, &["--json", "--text", &text]).finish()?.code == Some(0) {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// A document with members, lists and strings.
pub(super) fn json(members: usize) -> String {
    let mut text = String::from("{\n");
    for i in 0..members {
        let _infallible = writeln!(
            text,
            "  \"entry{i}\": {{\"id\": {i}, \"tags\": [\"red{i}\", \"blue\", null, {{\"deep\": [[{i}]]}}], \"ok\": true}},"
        );
    }
    text.push_str("  \"end\": [1.5e3, false]\n}\n");
    text
}

fn csv(lines: usize) -> String {
    let line = |i: usize| format!("name{i},\"quoted, text {i}\",{},value{}\r\n", i * 17, i % 5);
    (0..lines).map(line).collect()
}

fn uri() -> String {
    let parts: Vec<String> = (0..60).map(|i| format!("segment{i}")).collect();
    let query: Vec<String> = (0..30).map(|i| format!("key{i}=value{i}")).collect();
    format!(
        "https://user:secret@www.example.org:8080/{}?{}#fragment",
        parts.join("/"),
        query.join("&")
    )
}
