//! A grammar together with everything that is derived from it.
//!
//! A [`Language`] owns a grammar, its two views (the grammar graph and the BNF core), the facts
//! that many algorithms use, its automata, its lexer and its parser. Each part is built once, at
//! its first use, and shared by all clones. Code that creates, measures or reads tests takes a
//! `&Language`.
//!
//! In reading order: [`language`], `facts` (what sentences of the language can contain),
//! [`lr_view`] (an automaton with its numbered push edges of nonterminals), [`read`] (from a file
//! to a language).

mod facts;
pub mod language;
pub mod lr_view;
pub mod read;

pub use language::Language;
pub use lr_view::LrView;
pub use read::ReadError;
