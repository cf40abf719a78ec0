//! ANTLR itself as the judge of our lexer, our parser and the texts that we write.
//!
//! For each grammar: every example has a verdict of this project and one of ANTLR; texts of random
//! trees must be accepted by ANTLR and read back to a forest that contains the tree; on mutants of
//! these texts the verdicts must be equal. If the grammar has no predicates and no host code, every
//! disagreement is a defect of this project.
//!
//! In reading order: [`random_grammar`] and [`subject`] (the grammars), [`tool`] (ANTLR and its
//! parsers), [`judge`] and [`judges`] (verdicts), [`mutants`] (nearly correct texts), [`trial`]
//! (one grammar), [`table`].

pub mod judge;
pub mod judges;
pub mod mutants;
pub mod random_grammar;
pub mod subject;
pub mod table;
pub mod tool;
pub mod trial;
