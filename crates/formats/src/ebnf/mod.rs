//! What the EBNF notations share: ours, Tribble's text and its Scala form. They differ in how a name,
//! a literal or a quantifier is spelled; what a right-hand side is made of, and how it becomes a
//! grammar, is the same.
//!
//! A notation's reader walks over the file with a [`scanner`] and puts what it finds into a
//! [`body`], which keeps the open parentheses on a stack of its own and fills the [`syntax`] tree of
//! the file. Then names are looked up ([`names`]), the start rule is found ([`roots`]), and the tree
//! is lowered ([`lower`]); for the notations that know nothing but text, [`plain`] does all of it.
//! Every step is linear in the file, and none recurses on its nesting.

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
