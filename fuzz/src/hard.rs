//! Inputs that are deep, large, endless, or not text, in every notation.

use gramercy_formats::Memory;
use gramercy_grammar::Notation;

use crate::Fallible;
use crate::exercise::{Outcome, file_name};

/// The sizes of hard inputs.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    /// Nested parentheses and the like.
    pub(crate) depth: usize,
    /// Bytes of a large file.
    pub(crate) bytes: usize,
    /// Rules with the same name.
    pub(crate) duplicates: usize,
}

impl Scale {
    /// The sizes for a large file of this many megabytes.
    pub(crate) fn of(megabytes: usize) -> Self {
        Self { depth: 2_000 * megabytes, bytes: megabytes << 20, duplicates: 20_000 * megabytes }
    }
}

/// A hard input.
pub(crate) struct Hard {
    /// Its name.
    pub(crate) name: &'static str,
    /// The expected result.
    pub(crate) expect: Expect,
    /// The files, in the notations that have this construct.
    pub(crate) files: fn(Notation, Scale) -> Option<Memory>,
}

/// The expected result of an input.
#[derive(Clone, Copy)]
pub(crate) enum Expect {
    /// A grammar.
    Grammar,
    /// Any error.
    Error,
    /// A diagnostic with this code.
    Said(&'static str),
}
use Expect::{Error, Grammar, Said};

impl Hard {
    /// The diagnostics, if they are as expected.
    pub(crate) fn verdict(&self, outcome: &Outcome) -> Fallible<String> {
        let said = outcome.first().unwrap_or_else(|| "nothing is wrong".into());
        let mut codes = outcome.loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.name);
        match self.expect {
            Grammar if !outcome.is_grammar() => Err(format!("a grammar was expected: {said}")),
            Error if outcome.is_grammar() => Err(format!("an error was expected: {said}")),
            Said(code) if !codes.any(|found| found == code) => {
                Err(format!("`{code}` was expected: {said}"))
            }
            Grammar | Error | Said(_) => Ok(said),
        }
    }
}

const fn hard(
    name: &'static str,
    expect: Expect,
    files: fn(Notation, Scale) -> Option<Memory>,
) -> Hard {
    Hard { name, expect, files }
}

/// All hard inputs.
pub(crate) const ALL: &[Hard] = &[
    hard("empty", Error, |on, _| one(on, "")),
    hard("white space", Error, |on, _| one(on, " \n\t\r\n")),
    hard("NUL bytes", Error, |on, _| one(on, [0; 1000])),
    hard("not UTF-8", Said("not-utf8"), |on, _| one(on, b"A := \"\xC3\x28\";")),
    hard("UTF-16", Said("not-utf8"), |on, _| one(on, b"\xFF\xFEA\0 \0:\0=\0")),
    hard("only a comment", Error, |on, _| one(on, "/* nothing */")),
    hard("open comment", Said("unterminated"), |on, _| one(on, "/* nothing")),
    hard("deep comment", Error, deep_comment),
    hard("deep parentheses", Said("nested-too-deeply"), deep_parentheses),
    hard("open parentheses", Said("nested-too-deeply"), open_parentheses),
    hard("deep action", Grammar, deep_action),
    hard("open action", Said("unterminated"), open_action),
    hard("duplicate rules", Said("duplicate-rule"), duplicate_rules),
    hard("repeated left-hand side", Grammar, repeated_left_hand_side),
    hard("undefined rules", Said("undefined-rule"), undefined_rules),
    hard("many rules", Grammar, many_rules),
    hard("many alternatives", Grammar, many_alternatives),
    hard("long literal", Grammar, long_literal),
    hard("long line of names", Error, long_line_of_names),
    hard("only quotes", Error, only_quotes),
    hard("long line of quoted words", Error, long_line_of_quoted_words),
    hard("long name", Grammar, long_name),
    hard("only backslashes", Error, only_backslashes),
    hard("cycle of imports", Grammar, cycle_of_imports),
    hard("missing import", Said("missing-import"), missing_import),
];

#[expect(clippy::unnecessary_wraps, reason = "most inputs exist in all notations")]
fn one(notation: Notation, text: impl Into<Vec<u8>>) -> Option<Memory> {
    Some(Memory::with(file_name(notation), text))
}

/// The rules of a file, each a name and a right-hand side in the notation.
fn file(notation: Notation, rules: impl IntoIterator<Item = (String, String)>) -> Option<Memory> {
    let (head, tail) = match notation {
        Notation::Antlr4 => ("grammar a;\n", ""),
        Notation::Yacc => ("%%\n", ""),
        Notation::Scala => ("Grammar(\n", ")\n"),
        Notation::Native | Notation::Tribble => ("", ""),
    };
    let mut text = head.to_owned();
    for (at, (name, body)) in rules.into_iter().enumerate() {
        let rule = match notation {
            Notation::Native => format!("{name} := {body};\n"),
            Notation::Tribble => format!("{name} = {body};\n"),
            Notation::Antlr4 | Notation::Yacc => format!("{name} : {body} ;\n"),
            Notation::Scala if at == 0 => format!("'{name} := {body}\n"),
            Notation::Scala => format!(", '{name} := {body}\n"),
        };
        text.push_str(&rule);
    }
    one(notation, text + tail)
}

fn literal(notation: Notation) -> &'static str {
    match notation {
        Notation::Antlr4 | Notation::Yacc => "'a'",
        Notation::Native | Notation::Tribble | Notation::Scala => "\"a\"",
    }
}

fn deep_comment(notation: Notation, scale: Scale) -> Option<Memory> {
    one(notation, "/*".repeat(scale.depth))
}

fn has_groups(notation: Notation) -> bool {
    notation != Notation::Yacc
}

fn has_actions(notation: Notation) -> bool {
    matches!(notation, Notation::Yacc | Notation::Antlr4)
}

/// A rule of a literal between brackets.
fn nested(notation: Notation, open: &str, close: &str) -> Option<Memory> {
    file(notation, [("r".into(), [open, literal(notation), close].concat())])
}

fn deep_parentheses(notation: Notation, scale: Scale) -> Option<Memory> {
    let (open, close) = ("(".repeat(scale.depth), ")".repeat(scale.depth));
    has_groups(notation).then(|| nested(notation, &open, &close))?
}

fn open_parentheses(notation: Notation, scale: Scale) -> Option<Memory> {
    let open = "(".repeat(scale.depth);
    has_groups(notation).then(|| nested(notation, &open, ""))?
}

fn deep_action(notation: Notation, scale: Scale) -> Option<Memory> {
    let action = "{".repeat(scale.depth) + &"}".repeat(scale.depth);
    has_actions(notation).then(|| nested(notation, &action, ""))?
}

fn open_action(notation: Notation, scale: Scale) -> Option<Memory> {
    let action = "{".repeat(scale.depth);
    has_actions(notation).then(|| nested(notation, "", &action))?
}

fn equal_rules(notation: Notation, count: usize) -> Option<Memory> {
    let body = literal(notation);
    file(notation, (0..count).map(|_| ("r".into(), body.into())))
}

fn duplicate_rules(notation: Notation, scale: Scale) -> Option<Memory> {
    (notation != Notation::Yacc).then(|| equal_rules(notation, scale.duplicates))?
}

/// In yacc, that is one rule.
fn repeated_left_hand_side(notation: Notation, scale: Scale) -> Option<Memory> {
    (notation == Notation::Yacc).then(|| equal_rules(notation, scale.duplicates))?
}

fn reference(notation: Notation, rule: usize) -> String {
    let mark = if notation == Notation::Scala { "'" } else { "" };
    format!("{mark}r{rule}")
}

fn undefined_rules(notation: Notation, scale: Scale) -> Option<Memory> {
    let rule = |at: usize| (format!("r{}", 2 * at), reference(notation, 2 * at + 1));
    // In yacc, an unknown name is a token.
    (notation != Notation::Yacc).then(|| file(notation, (0..scale.duplicates).map(rule)))?
}

/// Each rule refers to the next.
fn many_rules(notation: Notation, scale: Scale) -> Option<Memory> {
    let count = scale.bytes / 24;
    let body = |at: usize| {
        if at + 1 < count { reference(notation, at + 1) } else { literal(notation).into() }
    };
    file(notation, (0..count).map(|at| (format!("r{at}"), body(at))))
}

fn many_alternatives(notation: Notation, scale: Scale) -> Option<Memory> {
    let item = literal(notation);
    file(notation, [("r".into(), format!("{item} | ").repeat(scale.bytes / 6) + item)])
}

fn long_literal(notation: Notation, scale: Scale) -> Option<Memory> {
    let text = "x".repeat(scale.bytes);
    let body = match notation {
        // In yacc, a character of several letters is an error, a string is not.
        Notation::Antlr4 => format!("'{text}'"),
        _ => format!("\"{text}\""),
    };
    file(notation, [("r".into(), body)])
}

fn long_line_of_names(notation: Notation, scale: Scale) -> Option<Memory> {
    one(notation, "name ".repeat(scale.bytes / 5))
}

fn only_quotes(notation: Notation, scale: Scale) -> Option<Memory> {
    one(notation, literal(notation)[..1].repeat(scale.bytes))
}

fn long_line_of_quoted_words(notation: Notation, scale: Scale) -> Option<Memory> {
    const WORDS: &str = "a \"b\" 'c' ; ";
    one(notation, WORDS.repeat(scale.bytes / WORDS.len()))
}

fn long_name(notation: Notation, scale: Scale) -> Option<Memory> {
    file(notation, [("r".repeat(scale.bytes), literal(notation).into())])
}

fn only_backslashes(notation: Notation, scale: Scale) -> Option<Memory> {
    one(notation, "\\".repeat(scale.bytes))
}

fn cycle_of_imports(notation: Notation, _: Scale) -> Option<Memory> {
    let files = Memory::with("a.g4", "grammar a; import b; r : s 'a' ;");
    let files = files.and("b.g4", "grammar b; import c, b; s : t 'b' ;");
    let files = files.and("c.g4", "grammar c; import a; t : 'c' ;");
    (notation == Notation::Antlr4).then_some(files)
}

fn missing_import(notation: Notation, _: Scale) -> Option<Memory> {
    let text = "grammar a; import b; r : 'a' ;";
    (notation == Notation::Antlr4).then(|| Memory::with("a.g4", text))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use gramercy_grammar::Notation;

    use super::{ALL, Scale};
    use crate::exercise::read;

    /// Full sizes are read by `cargo xtask proof bad-input`.
    fn check(reader: Notation) {
        for hard in ALL {
            let Some(files) = (hard.files)(reader, Scale::of(4)) else { continue };
            let begin = Instant::now();
            let outcome = read(reader, &files);
            assert!(begin.elapsed() < Duration::from_secs(20), "{}: takes too long", hard.name);
            if let Err(problem) = hard.verdict(&outcome) {
                panic!("{}: {problem}", hard.name);
            }
        }
    }

    #[test]
    fn native_stands_hard_inputs() {
        check(Notation::Native);
    }

    #[test]
    fn antlr4_stands_hard_inputs() {
        check(Notation::Antlr4);
    }

    #[test]
    fn yacc_stands_hard_inputs() {
        check(Notation::Yacc);
    }

    #[test]
    fn tribble_stands_hard_inputs() {
        check(Notation::Tribble);
    }

    #[test]
    fn scala_stands_hard_inputs() {
        check(Notation::Scala);
    }
}
