//! The grammar model: the content of a grammar file after reading, and two views of it.
//!
//! A reader builds a [`Grammar`] once through a [`GrammarBuilder`], which validates it; after that
//! it is immutable. It contains rules as EBNF trees with source spans, the lexical rules if a
//! grammar has them, and a note on everything that the reader ignored. Its two views are
//! - the [`GrammarGraph`] (Havrikov, Kampmann, Zeller, TOSEM, section 2.2), in which every
//!   occurrence of a symbol is a node, and
//! - the [`Bnf`] core, plain productions. Every position of a production names its graph node.
//!
//! Terms: a *rule* is a name with its right-hand side as written; an *alternative* is one branch of
//! it; a *production* is a rule of the BNF core; a *terminal* is a unit of the parser's input.
//!
//! In reading order: [`terminal`], [`expr`], [`rule`], [`lexicon`], [`note`], [`expectation`],
//! [`codes`], [`grammar`], [`builder`], [`graph`], [`mod@cfg`], [`bnf`], [`expand_repeats`], [`split_at_eof`],
//! [`tree`].

pub mod bnf;
pub mod builder;
pub mod cfg;
pub mod codes;
pub mod expand_repeats;
pub mod expectation;
pub mod expr;
pub mod grammar;
pub mod graph;
pub mod lexicon;
pub mod note;
pub mod rule;
pub mod split_at_eof;
pub mod terminal;
pub mod tree;

pub use bnf::{AlternativeRef, Bnf, EofForm, Nonterminal, Origin};
pub use builder::GrammarBuilder;
pub use cfg::{Cfg, NonterminalId, ProductionId, Symbol};
pub use expectation::ExpectedConflicts;
pub use expr::{Alternative, Attributes, Expr, ExprId, ExprKind, quantifier};
pub use grammar::{Grammar, Notation, TextKind};
pub use graph::{GrammarGraph, NodeId, NodeKind};
pub use lexicon::{Channel, ChannelId, Command, Lexicon, Mode, ModeId};
pub use note::{Note, NoteKind};
pub use rule::{Rule, RuleId, RuleKind, TokenRule};
pub use terminal::{Associativity, Precedence, Terminal, TerminalId, TerminalKind};
pub use tree::Tree;
