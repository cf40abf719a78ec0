//! Facts checked on small grammars, against slow oracles on random ones, on the grammars of Rossouw
//! and Fischer, JSS 2024, and on grammars with a hundred thousand rules.

mod counts;
mod facts;
mod figures;
mod grammars;
mod graph;
mod oracles;
mod scale;
mod support;

use gramercy_base::Limits;
use gramercy_grammar::{Bnf, Grammar, GrammarGraph, Symbol};

/// A grammar with its two views.
struct Views {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Bnf,
}

impl Views {
    fn of(text: &str) -> Self {
        let grammar = support::read(text);
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &Limits::default()).expect("a small grammar");
        Self { grammar, graph, bnf }
    }

    fn name(&self, symbol: Symbol) -> &str {
        self.bnf.symbol_name(&self.grammar, symbol)
    }
}
