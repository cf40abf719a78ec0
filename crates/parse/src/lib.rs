//! Exact parsing with any context-free grammar: ambiguous, cyclic, left-recursive, with empty rules;
//! by token and by character.
//!
//! The same driver recognizes only, or builds the shared packed forest of all derivations; it is
//! linear on LR-like grammars and never worse than cubic, and nothing recurses on the depth of an
//! input. Where recognition takes too many steps, sets of stacks that are shared values take over, in linear time mostly. A rejection names the exact first token that cannot come, and exactly what could.
//!
//! Where a grammar's notation has a tool of its own, the one tree that this tool builds is found by its own way of
//! deciding, in linear time and without a forest.
//!
//! In reading order: [`core`] (the grammar the driver works on), [`tables`], `stacks`, [`build`], `driver`, `contexts` (sets of stacks), `stack_sets`
//! (recognition with them), [`forest`],
//! [`count`], [`derivations`], [`contains`], [`parser`], [`precedences`], [`resolved`] (bison's tree), [`adaptive`]
//! (ANTLR's tree), [`tool`] (either), [`preferred`] (one tree of a forest), [`resume`], [`text`], [`text_resume`] (a text character
//! by character), [`mod@matches`] (what a lexer did, step by step).

pub mod adaptive;
pub mod budget;
pub mod build;
pub mod contains;
pub mod core;
pub mod count;
pub mod derivations;
pub mod forest;
pub mod matches;
pub mod parser;
pub mod precedences;
pub mod preferred;
pub mod resolved;
pub mod resume;
pub mod tables;
pub mod text;
pub mod text_resume;
pub mod tool;

mod contexts;
mod driver;
mod stack_sets;
mod stacks;

pub use crate::budget::{InputLimit, InputLimits};
pub use crate::core::{NonterminalSource, ProductionSource};
pub use crate::derivations::{Derivations, Derived, DerivedChild, DerivedId, TokenRange, Way};
pub use crate::forest::{Alternative, Child, Forest, ForestNodeId, Label};
pub use crate::matches::{LexerMatch, Matches, RunnerUp};
pub use crate::parser::{Parser, Rejection, Workspace};
pub use crate::precedences::Precedences;
pub use crate::preferred::{Preferences, Readings};
pub use crate::resume::{Checkpoint, Recognizer};
pub use crate::text::{
    ErrorClass, Parsed, PreferredTree, RuleMatch, TextParser, TextRejection, TextWorkspace,
    TokenSpan,
};
pub use crate::text_resume::{TextCheckpoint, TextRecognizer};
pub use crate::tool::{ToolParser, ToolWorkspace};
