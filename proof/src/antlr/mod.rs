//! ANTLR itself as the judge of our lexer, our parser and the texts that we write.
//!
//! For each grammar: every example has our verdict and ANTLR's, and texts of random trees must be
//! accepted by ANTLR and read back by us to a forest that contains the tree; on mutants of these
//! texts verdicts must be the same. Where the grammar has no predicates and no host code, every
//! disagreement is a defect of ours.
//!
//! In reading order: [`random_grammar`] and [`subject`] (the grammars), [`tool`] (where ANTLR comes from,
//! and its parsers), [`judge`] and [`judges`] (verdicts), [`mutants`] (texts that are nearly right),
//! [`trial`] (one grammar before the judge), [`table`].

pub mod judge;
pub mod judges;
pub mod mutants;
pub mod random_grammar;
pub mod subject;
pub mod table;
pub mod tool;
pub mod trial;
