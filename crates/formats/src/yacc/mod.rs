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
use std::path::Path;

use gramercy_base::SourceId;
use gramercy_grammar::Grammar;

pub use write::write;

use crate::Reading;
use crate::cursor::Cursor;

/// Reads a yacc file that was loaded as `source`; `None` if an error was reported.
pub fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let text = reading.text(source);
    let mut file = parse::parse(reading, Cursor::new(source, &text), ast::File::default());
    let productions = expand::expand(reading, source, &mut file);
    let roles = resolve::resolve(reading, &file, &productions);
    let kept = error_token::without_error_token(&file, &roles, &productions);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    lower::lower(reading, &name, &file, &roles, &productions, &kept)
}

/// A text in messages: shortened if it is long.
fn shown(text: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
