//! A grammar together with everything that is derived from it.
//!
//! A [`Language`] owns a grammar, its two views (the grammar graph and the BNF core), the facts that many
//! algorithms rest on, its automata, its lexer and its parser. Each part is built once, when it is first
//! asked for, and shared by everyone who holds a clone. Whoever makes, measures or reads tests takes a
//! `&Language` and nothing else.
//!
//! In reading order: [`language`], `facts` (what sentences of the language can contain), [`lr_view`] (an
//! automaton with the numbering of its pushes), [`read`] (from a file to a language).

mod facts;
pub mod language;
pub mod lr_view;
pub mod read;

pub use language::Language;
pub use lr_view::LrView;
pub use read::ReadError;
