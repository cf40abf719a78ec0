//! Checks and operators on small grammars, on grammars of publications, and against brute force.

mod figures;
mod support;
