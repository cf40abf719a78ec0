//! Strategies checked on small grammars, on the figures of the papers and on all examples; over LR-graphs the figures
//! of Rossouw and Fischer, replay, and laws on grammars of every kind.

mod compare;
#[path = "../../../analysis/tests/it/grammars.rs"]
mod grammars;
mod languages;
mod laws;
mod lr_bfs;
mod lr_checks;
mod lr_path;
mod paths;
mod pop_edge;
#[path = "../../../derive/tests/it/support.rs"]
mod support;
#[path = "../../../analysis/tests/it/support.rs"]
mod texts;
