//! Tribble's text notation (`.tribble`).
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
//! A literal or regular expression may span several lines. The start rule is the one that no other
//! rule refers to. A file with a clear meaning that Tribble itself would reject is loaded with a
//! warning.

pub(crate) mod pattern;
mod read;

pub use read::read;
