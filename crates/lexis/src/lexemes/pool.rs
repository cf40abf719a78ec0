//! Lexemes that a user gives for tokens by name.
//!
//! An entry is `NAME=x,y,z`: the token's name as the grammar writes it, quotes and all, then its
//! lexemes. In a lexeme `\,` is a comma, `\\` a backslash, `\n`, `\r` and `\t` are what they are
//! elsewhere, `\s` is a blank (those around a lexeme are dropped) and `\u{E9}` is a character by its
//! number. A file has an entry a line; lines that are blank or begin with `#` are passed over, and so is
//! an entry without lexemes, as a template has for tokens that nobody knows yet.

use std::fmt;

use gramercy_base::{IndexMap, Map};
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};

/// Lexemes by the names of their tokens, as a user gives them.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    lexemes: IndexMap<Box<str>, Vec<Box<str>>>,
}

impl Pool {
    /// No lexemes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a lexeme of a token.
    pub fn add(&mut self, token: &str, lexeme: &str) {
        self.lexemes.entry(token.into()).or_default().push(lexeme.into());
    }

    /// Adds an entry, `NAME=x,y,z`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn add_entry(&mut self, entry: &str) -> Result<(), PoolError> {
        let (name, lexemes) = split_name(entry.trim())?;
        for lexeme in split_lexemes(lexemes)? {
            self.add(name, &lexeme);
        }
        Ok(())
    }

    /// Adds the entries of a file; the mistakes in it, each with its line, counted from 1.
    pub fn add_file(&mut self, text: &str) -> Vec<(usize, PoolError)> {
        let mut mistakes = Vec::new();
        for (line, number) in text.lines().map(str::trim).zip(1..) {
            if !line.is_empty()
                && !line.starts_with('#')
                && let Err(error) = self.add_entry(line)
            {
                mistakes.push((number, error));
            }
        }
        mistakes
    }

    /// The names that are no token of a grammar, in the order given.
    #[must_use]
    pub fn unknown_names(&self, grammar: &Grammar) -> Vec<&str> {
        let by_name = terminals_by_name(grammar);
        let names = self.lexemes.keys().map(|name| &**name);
        names.filter(|name| !by_name.contains_key(name)).collect()
    }

    /// The lexemes by terminal.
    pub(crate) fn by_terminal(&self, grammar: &Grammar) -> IndexMap<TerminalId, Vec<Box<str>>> {
        let by_name = terminals_by_name(grammar);
        let pools = self.lexemes.iter();
        let known = pools.filter_map(|(name, texts)| {
            by_name.get(&**name).map(|&terminal| (terminal, texts.clone()))
        });
        known.collect()
    }
}

/// Why an entry cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolError {
    /// There is no `=` behind a name.
    NoName,
    /// A backslash stands before something that it does not go with.
    BadEscape,
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PoolError::NoName => "lexemes are given as NAME=x,y,z",
            PoolError::BadEscape => {
                r"a backslash stands before one of , \ n r t s, or before u{…} with a number"
            }
        })
    }
}

impl std::error::Error for PoolError {}

/// The name of an entry, which may be quoted and then hold anything, and what follows the `=`.
fn split_name(entry: &str) -> Result<(&str, &str), PoolError> {
    let quoted = match entry.chars().next() {
        Some(quote @ ('\'' | '"')) => end_of_quotes(entry, quote).ok_or(PoolError::NoName)?,
        _ => 0,
    };
    let equals = quoted + entry[quoted..].find('=').ok_or(PoolError::NoName)?;
    match entry[..equals].trim_end() {
        "" => Err(PoolError::NoName),
        name => Ok((name, &entry[equals + 1..])),
    }
}

/// Where a quoted name that begins a text ends.
fn end_of_quotes(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

fn split_lexemes(text: &str) -> Result<Vec<String>, PoolError> {
    let (mut lexemes, mut lexeme) = (Vec::new(), Lexeme::default());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            ',' => lexemes.extend(std::mem::take(&mut lexeme).finish()),
            '\\' => {
                let (meant, len) = escape(rest).ok_or(PoolError::BadEscape)?;
                rest = &rest[len..];
                lexeme.push(meant);
            }
            c if c.is_whitespace() => lexeme.blanks.push(c),
            c => lexeme.push(c),
        }
    }
    lexemes.extend(lexeme.finish());
    Ok(lexemes)
}

/// A lexeme in the making; blanks around it do not belong to it.
#[derive(Default)]
struct Lexeme {
    text: String,
    blanks: String,
}

impl Lexeme {
    fn push(&mut self, c: char) {
        let blanks = std::mem::take(&mut self.blanks);
        if !self.text.is_empty() {
            self.text.push_str(&blanks);
        }
        self.text.push(c);
    }

    fn finish(self) -> Option<String> {
        (!self.text.is_empty()).then_some(self.text)
    }
}

/// What stands behind a backslash: the character that is meant, and how long that is.
fn escape(text: &str) -> Option<(char, usize)> {
    Some(match text.chars().next()? {
        c @ (',' | '\\') => (c, 1),
        'n' => ('\n', 1),
        'r' => ('\r', 1),
        't' => ('\t', 1),
        's' => (' ', 1),
        'u' => {
            let (number, _) = text.strip_prefix("u{")?.split_once('}')?;
            let code = u32::from_str_radix(number, 16).ok()?;
            (char::from_u32(code)?, number.len() + "u{}".len())
        }
        _ => return None,
    })
}

/// A lexeme as an entry has it: reading it gives the lexeme again.
fn escaped(lexeme: &str) -> String {
    let mut text = String::new();
    for c in lexeme.chars() {
        match c {
            ',' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            ' ' => text.push_str("\\s"),
            c if c.is_whitespace() || c.is_control() => {
                text.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
            }
            c => text.push(c),
        }
    }
    text
}

/// A file of entries for all terminals of a grammar's syntax, each with some of its lexemes: those
/// without any first, to be filled in, then as comments those that need nothing.
pub(crate) fn template(
    grammar: &Grammar,
    mut lexemes_of: impl FnMut(TerminalId) -> Vec<String>,
) -> String {
    let (mut missing, mut known) = (String::new(), String::new());
    let used = grammar.terminals().iter().take(grammar.syntax_terminals());
    for (id, terminal) in used {
        if matches!(terminal.kind, TerminalKind::AnyTokenBut(_)) {
            continue;
        }
        let lexemes: Vec<_> = lexemes_of(id).iter().map(|lexeme| escaped(lexeme)).collect();
        let (lines, mark) =
            if lexemes.is_empty() { (&mut missing, "") } else { (&mut known, "# ") };
        lines.push_str(&format!("{mark}{}={}\n", terminal.name, lexemes.join(",")));
    }
    let mut text = format!("# Lexemes of the tokens of {}: NAME=x,y,z\n", grammar.name());
    if !missing.is_empty() {
        text.push_str(
            "\n# Missing: without lexemes, names are written instead, or nothing at all.\n",
        );
        text.push_str(&missing);
    }
    if !known.is_empty() {
        text.push_str("\n# Known. A line without its mark takes the place of what is known.\n");
        text.push_str(&known);
    }
    text
}

/// Token types by their names, and the terminals of syntax rules as they are written there.
fn terminals_by_name(grammar: &Grammar) -> Map<&str, TerminalId> {
    let mut by_name = Map::default();
    for (id, terminal) in grammar.terminals().iter() {
        let is_token = matches!(terminal.kind, TerminalKind::Token { .. });
        if is_token || gramercy_base::Id::index(id) < grammar.syntax_terminals() {
            by_name.entry(&*terminal.name).or_insert(id);
        }
    }
    by_name
}
