//! Tests that must fail: mutants of sentences, each provably outside the language.
//!
//! A base sentence is changed by an operator; a check decides that the result is not a sentence; reading the changed
//! text gives the place and the class of its first error, and what could have come there. The base is its shortest
//! repair.
//!
//! In reading order: [`edit`] (what a change is), [`vocabulary`] (which tokens can be put in), [`reader`] (reading
//! variants of one input), [`check`] (which changes leave the language), [`operators`] (which changes are made), [`text`] (the texts
//! of mutants, and what is wrong with them), [`select`] (few of many).

pub mod check;
pub mod criteria;
pub mod edit;
pub mod operators;
pub mod reader;
pub mod select;
pub mod text;
pub mod vocabulary;

pub use check::{Check, CheckName};
pub use edit::{Class, Edit, Family, Item, Kind, Operator};
pub use reader::Reader;
pub use select::{Select, Selector};
pub use text::{Base, Judge, Rejected, Span, Splicer};
pub use vocabulary::Vocabulary;
