//! The Scala form of the grammars of Tribble and Codeine (`.scala`): a program that builds a grammar,
//! read as if it were data.
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
//! Symbols are `'name`, strings `"…"` or `"""…"""` with Scala's escapes. Everything else is as in
//! Tribble's text form.

mod read;
mod strings;

pub use read::read;
