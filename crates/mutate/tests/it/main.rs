//! Checks and operators on small grammars, on grammars of publications, and against brute force.

mod brute_force;
mod figures;
mod small;
mod support;
