//! The Scala notation of Tribble and Codeine (`.scala`): a program that builds a grammar, read as
//! data.
//!
//! ```text
//! file        := ("import" … )* "Grammar" "(" rule ("," rule)* ")"
//! rule        := SYMBOL ":=" alternation
//! alternation := concatenation ("|" concatenation)*
//! concatenation := atom ("~" atom)* ("@@" PROBABILITY)?
//! atom        := (SYMBOL | STRING | STRING ".regex" | CHAR "->" CHAR | "(" alternation ")") quantifier?
//! quantifier  := ".?" | ".rep" | ".rep(n)" | ".rep(n, m)"
//! ```
//!
//! Symbols are `'name`, strings `"…"` or `"""…"""` with Scala's escapes. The rest is as in
//! Tribble's text notation.

mod read;
mod strings;

pub use read::read;
