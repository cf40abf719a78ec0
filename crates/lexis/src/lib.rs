//! From a grammar's lexical rules, a lexer; and back from tokens to text that this lexer reads as
//! those tokens.
//!
//! The lexer behaves as ANTLR's does: longest match, among equals the rule listed first, modes,
//! commands, non-greedy loops, recursive rules, the end of input as a symbol.
//!
//! Reading: [`automaton`] (the rules as one ordered automaton), `class_table`, [`effect`] (what a match
//! does), [`dfa`] (states made when they are first needed), [`scan`] (text to tokens), `failures`,
//! [`incremental`] (the same, a character at a time); `token_names` (inputs that are names of tokens).
//!
//! What is possible: [`alphabet`] (pleasant characters), `explore` (all states of a mode), `reach` (all
//! modes), [`mode_flow`] (how tokens change them), [`inventory`] (which tokens exist).
//!
//! Writing: [`lexemes`] (texts of one match), `matching` (texts of one rule), `stacks`, `spell`,
//! `routes` (from mode to mode to a token), [`spacing`] (boundaries between pieces), [`mod@write`] (tokens
//! to text).

pub mod alphabet;
pub mod automaton;
mod class_table;
pub mod dfa;
pub mod effect;
mod explore;
mod failures;
pub mod incremental;
pub mod inventory;
pub mod lexemes;
mod matching;
pub mod mode_flow;
mod reach;
mod routes;
pub mod scan;
pub mod spacing;
mod spell;
mod stacks;
mod token_names;
pub mod write;

pub use alphabet::{Alphabet, CharKind};
pub use automaton::{Lexer, LexerError};
pub use dfa::{Dfa, DfaStateId, OutcomeId};
pub use effect::{Effect, Emission, ModeChange};
pub use incremental::{Incremental, ScanState};
pub use inventory::{Example, Inventory, ModeInventory, NeverWins};
pub use lexemes::{Lexemes, pool::Pool};
pub use matching::Matching;
pub use mode_flow::{ModeFlow, Tops};
pub use scan::{LexicalError, Match, Scan, Token};
pub use spacing::Spacing;
pub use token_names::TokenNames;
pub use write::quick::{LinkId, Links, Page, Paged, Render, Trial};
pub use write::{
    Choice, LexemePart, Modes, Obstacle, Unwritable, Writable, WriteOptions, Writer, Written,
    WrittenToken,
};
