//! From a grammar's lexical rules, a lexer; and back from tokens to text that this lexer reads as
//! those tokens.
//!
//! The lexer behaves as ANTLR's does: longest match, among equals the rule listed first, modes,
//! commands, non-greedy loops, recursive rules, the end of input as a symbol (FACTS §7).
//!
//! In reading order: [`automaton`] (the rules as one ordered automaton), [`effect`] (what a match
//! does), [`dfa`] (states made when they are first needed), [`scan`] (text to tokens).

pub mod alphabet;
pub mod automaton;
mod class_table;
pub mod dfa;
pub mod effect;
mod explore;
mod failures;
pub mod inventory;
mod linked;
mod reach;
pub mod scan;

pub use alphabet::{Alphabet, CharKind};
pub use automaton::{Lexer, LexerError};
pub use dfa::{Dfa, DfaStateId, OutcomeId};
pub use effect::{Effect, Emission, ModeChange};
pub use inventory::{Example, Inventory, ModeInventory, NeverWins};
pub use scan::{LexicalError, Scan, Token};
