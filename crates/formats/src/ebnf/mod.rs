//! The common part of the EBNF notations: the native one, Tribble's text and its Scala notation.
//! They differ in the spelling of names, literals and quantifiers; the structure of a right-hand
//! side, and how it becomes a grammar, is the same.
//!
//! A notation's reader moves over the file with a [`scanner`] and adds items to a [`body`], which
//! has the open parentheses on an explicit stack and fills the [`syntax`] tree of the file. Then
//! names are resolved ([`names`]), the start rule is found ([`roots`]), and the tree is lowered
//! ([`lower`]); for the notations without tokens, [`plain`] does all of this. Every step is linear
//! in the file, and none recurses on its nesting.

pub(crate) mod body;
pub mod codes;
pub(crate) mod decoded;
pub(crate) mod lower;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod pattern;
pub(crate) mod plain;
pub(crate) mod probabilities;
pub(crate) mod roots;
pub(crate) mod rule;
pub(crate) mod scanner;
pub(crate) mod syntax;
