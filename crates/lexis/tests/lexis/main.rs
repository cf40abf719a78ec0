//! The lexer against ANTLR's behaviour, and the way back from tokens to text.

mod collection;
mod incremental;
mod inventory;
mod lexemes;
mod pools;
mod random_writing;
mod scanning;
mod support;
mod writing;
