//! Regular languages over characters: sets of code points, regular expressions as trees and in the
//! dialects of users, and their automata. This crate knows neither grammars nor tokens.
//!
//! In reading order: [`chars`], [`regex`], [`dialect`]; [`classes`], `plan`, `budget`, `nfa`,
//! `determinize`, `class_dfa`, `minimize`, [`dfa`]; [`unfold`]; [`unicode`].

pub mod chars;
pub mod classes;
pub mod dfa;
pub mod dialect;
pub mod regex;
pub mod unfold;
pub mod unicode;

mod budget;
mod class_dfa;
mod determinize;
mod minimize;
mod nfa;
mod plan;

pub use chars::CharSet;
pub use class_dfa::{Edge, StateId};
pub use classes::{ClassId, Classes};
pub use dfa::Dfa;
pub use dialect::RegexError;
pub use regex::Regex;
pub use unfold::Unfolded;
