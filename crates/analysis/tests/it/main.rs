//! Facts checked on small grammars, against slow oracles on random ones, on the grammars of paper
//! 003, and on grammars with a hundred thousand rules.

mod facts;
mod figures;
mod grammars;
mod graph;
mod oracles;
mod scale;
mod support;
