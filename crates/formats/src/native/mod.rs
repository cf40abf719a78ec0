//! The native notation (`.gram`): that of paper 001, extended so that every grammar of the other
//! notations can be written in it. `guide/notations/native.md` describes it completely; in short:
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
//! No word is reserved but `EOF`: the others are keywords only where they begin a statement.
//!
//! A file goes through `read` (statements), `body` (right-hand sides) and `leaf` (their smallest
//! parts) into the form of `syntax`; `check` reports what is wrong with it, `lower` builds the
//! grammar. [`write`](fn@write) is the way back.

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
