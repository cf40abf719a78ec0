//! The seeds of mutation: the example grammars, and every string literal in the tests of the
//! readers, most of which are grammars with or without errors.

use std::path::Path;

use gramercy_formats::Memory;
use gramercy_grammar::Notation;

use crate::Fallible;
use crate::dice::Dice;
use crate::exercise::{self, file_name};

/// Shorter literals are names and messages.
const SHORTEST: usize = 6;

/// The seeds of one reader.
pub(crate) struct Seeds {
    /// The reader.
    pub(crate) reader: Notation,
    /// All texts of all notations.
    texts: Vec<String>,
    /// The texts that the reader accepts as grammars.
    grammars: Vec<String>,
}

impl Seeds {
    /// Reads the seeds of the checkout.
    pub(crate) fn collect(reader: Notation) -> Fallible<Self> {
        let examples = gramercy_testkit::examples();
        let tests = gramercy_testkit::workspace().join("crates/formats/tests");
        let mut texts = Vec::new();
        for path in gramercy_testkit::files_in(&examples, &["gram", "g4", "y"]) {
            texts.push(read(&path)?);
        }
        for path in gramercy_testkit::files_in(&tests, &["rs"]) {
            let literals = literals(&read(&path)?);
            texts.extend(literals.into_iter().filter(|text| text.len() >= SHORTEST));
        }
        let candidates = texts.iter().flat_map(|text| [Some(text.clone()), adapted(reader, text)]);
        let grammars = candidates.flatten().filter(|text| is_grammar(reader, text)).collect();
        Ok(Self { reader, texts, grammars })
    }

    /// The number of seeds, and of grammars among them.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.texts.len(), self.grammars.len())
    }

    /// A random text; a grammar in three of four cases.
    pub(crate) fn pick(&self, dice: &mut Dice) -> &[u8] {
        let any = self.grammars.is_empty() || dice.once_in(4);
        let texts = if any { &self.texts } else { &self.grammars };
        texts[dice.below(texts.len())].as_bytes()
    }
}

fn is_grammar(reader: Notation, text: &str) -> bool {
    exercise::read(reader, &Memory::with(file_name(reader), text)).is_grammar()
}

/// A text of another notation, adapted to this one.
fn adapted(reader: Notation, text: &str) -> Option<String> {
    match reader {
        Notation::Tribble => Some(text.replace(":=", "=")),
        Notation::Scala => Some(format!("Grammar({text})")),
        Notation::Antlr4 => Some(format!("grammar T; {text}")),
        Notation::Native | Notation::Yacc => None,
    }
}

fn read(path: &Path) -> Fallible<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The string literals of a Rust source; unusual escapes are kept.
fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let hashes = rest[..at].len() - rest[..at].trim_end_matches('#').len();
        let raw = rest[..at - hashes].ends_with('r');
        let behind = &rest[at + 1..];
        rest = match &rest[at..=at] {
            "'" => behind_char(behind),
            "/" if behind.starts_with('/') => behind.split_once('\n').map_or("", |split| split.1),
            "/" => behind,
            _ if raw => {
                let end = format!("\"{}", "#".repeat(hashes));
                let (text, behind) = behind.split_once(&end).unwrap_or((behind, ""));
                found.push(text.to_owned());
                behind
            }
            _ => {
                let (text, behind) = cooked(behind);
                found.push(text);
                behind
            }
        };
    }
    found
}

/// The position after a character literal or a lifetime.
fn behind_char(behind: &str) -> &str {
    let mut chars = behind.chars();
    let escaped = chars.next() == Some('\\');
    if escaped {
        chars.next();
    }
    match chars.as_str().strip_prefix('\'') {
        Some(behind) => behind,
        None => behind,
    }
}

/// A literal after its quotation mark, and what follows it.
fn cooked(behind: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = behind.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some('t') => text.push('\t'),
                Some('0') => text.push('\0'),
                Some(c @ ('"' | '\\' | '\'')) => text.push(c),
                Some('\n') => chars = chars.as_str().trim_start().chars(),
                Some(c) => text.extend(['\\', c]),
                None => {}
            },
            c => text.push(c),
        }
    }
    (text, chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::literals;

    #[test]
    fn string_literals_of_a_source() {
        let source = r##"f("a\"b", '"', 'x', r#"c"d"#); // "no"
            let x: &'a str = "e\
              f"; '\'' / "g" "##;
        assert_eq!(literals(source), ["a\"b", "c\"d", "ef", "g"]);
    }
}
