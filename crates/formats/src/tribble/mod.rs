//! The text form of Tribble's grammars (`.tribble`).
//!
//! ```text
//! file        := rule+
//! rule        := NAME "=" alternation ";"
//! alternation := concatenation ("|" concatenation)*
//! concatenation := atom+ ("@@" PROBABILITY)?
//! atom        := (NAME | LITERAL | "/" PATTERN "/" | "(" alternation ")") quantifier?
//! quantifier  := "?" | "*" | "+" | "{n}" | "{n,}" | "{,m}" | "{n,m}"
//! ```
//!
//! A literal or regular expression may go over several lines. The start is the one rule that nobody
//! refers to. Where the meaning is plain although Tribble itself would refuse the file, it is loaded
//! with a warning.

pub(crate) mod pattern;
mod read;

pub use read::read;
