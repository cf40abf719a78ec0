//! The lexer against ANTLR's behaviour, and the way back from tokens to text.

mod inventory;
mod random_writing;
mod scanning;
mod support;
