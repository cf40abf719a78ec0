//! yacc and bison: grammars over tokens, whose text is known only by aliases and quoted characters.
//!
//! A file is read as bison 3.8 reads it, including old spellings of yacc and the parameterized
//! rules of Lrama. Actions are skipped; one in the middle of an alternative is a separate empty
//! nonterminal, as in bison, so the BNF core has the productions of bison's report, one to one and
//! in the same order. Alternatives with the `error` token are ignored with a note. In a file
//! without any declaration of symbols, tokens need no declaration.
//!
//! In reading order: `host_code` and `quoting` skip and decode the content of tokens, `lex` creates
//! them, `directive` knows the `%` directives, `parse` creates the `ast`; `expand` turns it into
//! plain productions, `resolve` distinguishes tokens from rules, `error_token` removes the `error`
//! token, `lower` builds the grammar. [`write`](mod@write) is the reverse, with the help of
//! `names`.
//!
//! Everything is linear in the file, except for the copies of inlined and parameterized rules,
//! which are limited.

mod ast;
pub mod codes;
mod directive;
mod error_token;
mod expand;
mod host_code;
mod lex;
mod lower;
mod names;
mod parse;
mod quoting;
mod resolve;
pub mod seeds;
pub mod write;

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use gramercy_base::{Diagnostic, SourceId, Span};
use gramercy_grammar::Grammar;

pub use write::write;

use crate::Reading;
use crate::cursor::Cursor;

/// Reads a yacc file that was loaded as `source`; `None` if an error was reported.
pub fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let text = reading.text(source);
    if let Some(rule) = lemon_rule(&text) {
        let span = Span::new(source, rule.start, rule.end);
        let message = "this is a grammar for Lemon, not for yacc or bison";
        let help = "write rules as `a : b c ;`, and put `%%` before them";
        reading.report(Diagnostic::at(codes::LEMON_FILE, span, message).help(help));
        return None;
    }
    let mut file = parse::parse(reading, Cursor::new(source, &text), ast::File::default());
    let productions = expand::expand(reading, source, &mut file);
    let roles = resolve::resolve(reading, &file, &productions);
    let kept = error_token::without_error_token(&file, &roles, &productions);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lower::lower(reading, &name, &file, &roles, &productions, &kept)
}

/// The `::=` of the first rule, if the file is written for Lemon: rules have it, and no line is `%%`.
fn lemon_rule(text: &str) -> Option<Range<usize>> {
    if text.lines().any(|line| line.trim_end() == "%%") {
        return None;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((name, _)) = line.split_once("::=")
            && is_lemon_name(name.trim())
        {
            let at = start + name.len();
            return Some(at..at + 3);
        }
        start += line.len();
    }
    None
}

/// Whether this is the left-hand side of a rule for Lemon: `expr`, `expr(A)`.
fn is_lemon_name(text: &str) -> bool {
    let name = text.split_once('(').map_or(text, |(name, _)| name);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && name.chars().all(is_word)
}

/// A text in messages: shortened if it is long.
fn shown(text: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
