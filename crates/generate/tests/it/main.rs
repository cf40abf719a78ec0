//! Strategies checked on small grammars, on the figures of the papers and on all examples; over LR-graphs
//! the figures of paper 003, replay, and laws on grammars of every kind.

mod compare;
mod embedding;
#[path = "../../../analysis/tests/it/grammars.rs"]
mod grammars;
mod language;
mod laws;
mod lr_bfs;
mod lr_checks;
mod lr_path;
mod pop_edge;
mod random;
#[path = "../../../analysis/tests/it/support.rs"]
mod support;
