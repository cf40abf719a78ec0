//! Automata and LR-graphs checked on small grammars, against slow constructions on random ones, and
//! by exact figures for the grammars of Rossouw and Fischer, JSS 2024.

mod embeddings;
mod figures;
#[path = "../../../analysis/tests/it/grammars.rs"]
mod grammars;
mod neighbors;
mod oracles;
mod small;
#[path = "../../../analysis/tests/it/support.rs"]
mod support;

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Bnf, Grammar, Symbol};
use gramercy_lr::{Automaton, Construction, Facts};

/// A grammar with its BNF core.
struct Views {
    grammar: Grammar,
    bnf: Bnf,
}

impl Views {
    fn of(text: &str) -> Self {
        let grammar = support::read(text);
        let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("a small grammar");
        Self { grammar, bnf }
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.bnf.symbol_name(&self.grammar, symbol)
    }
}

/// The automaton of a grammar.
fn try_build(
    bnf: &Bnf,
    construction: Construction,
    limits: &Limits,
) -> Result<Automaton, LimitReached> {
    let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
    let first = First::of(bnf, &productive, &nullable);
    construction.build(bnf, &Facts { nullable: &nullable, first: &first }, limits)
}

fn build(bnf: &Bnf, construction: Construction) -> Automaton {
    try_build(bnf, construction, &Limits::default()).expect("within the limits")
}
