//! Criteria against the figures of the papers and slow, simple oracles.

mod figures;
mod lexemes;
