//! The native notation (`.gram`): that of Havrikov, Kampmann, Zeller, TOSEM, extended so that it
//! can express every grammar of the other notations. `guide/notations/native.md` describes it
//! completely; in short:
//!
//! ```text
//! file        := (rule | lexical | declaration)*
//! rule        := NAME (":=" | "|=") alternatives ";"
//! lexical     := "nocase"? ("token" | "skip" | "fragment") NAME ":=" alternatives ";"
//! declaration := "start" NAME ";"
//!              | "token" declared ("," declared)* ";"
//!              | ("left" | "right" | "nonassoc" | "precedence") terminal ("," terminal)* ";"
//!              | "mode" NAME ";"
//!              | "nocase" "literals" ";"
//! declared    := NAME LITERAL? | LITERAL
//! terminal    := NAME | LITERAL
//! alternatives := alternative ("|" alternative)*
//! alternative := ("<" ("left" | "right" | "nonassoc") ">")? item* commands? mark*
//! item        := (NAME "=")? atom quantifier?
//! atom        := NAME | LITERAL | LITERAL ".." LITERAL | CLASS | REGEX | "." | "EOF"
//!              | "~" unit | "~" "(" unit ("|" unit)* ")" | "(" alternatives ")"
//! unit        := NAME | LITERAL | LITERAL ".." LITERAL | CLASS
//! quantifier  := ("?" | "*" | "+" | "{n}" | "{n,}" | "{,m}" | "{n,m}") "?"?
//! commands    := "->" command ("," command)*
//! command     := "skip" | "more" | "pop" | ("type" | "channel" | "mode" | "push") "(" NAME ")"
//! mark        := "@@" NUMBER | "#" NAME | "%prec" terminal | "%dprec" NUMBER
//! ```
//!
//! Only `EOF` is reserved: the other words are keywords only at the beginning of a statement.
//!
//! A file goes through `read` (statements), `body` (right-hand sides) and `leaf` (their leaves)
//! into the tree of `syntax`; `check` reports its errors, `lower` builds the grammar.
//! [`write`](fn@write) is the reverse.

mod body;
mod check;
pub mod codes;
mod layout;
mod leaf;
mod lower;
mod phrase;
mod read;
mod spelling;
mod syntax;
mod write;

pub use read::read;
pub use write::write;
