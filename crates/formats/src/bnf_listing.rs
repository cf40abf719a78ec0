//! A readable BNF core: one numbered production per line.

use std::fmt::Write as _;

use gramercy_base::Id;
use gramercy_grammar::{Bnf, Grammar, Symbol};

/// The productions of a grammar's BNF core, such as `12  expr → expr '+' term`.
#[must_use]
pub fn bnf_listing(grammar: &Grammar, bnf: &Bnf) -> String {
    let width = bnf.production_count().to_string().len();
    let mut listing = String::new();
    for production in bnf.productions() {
        let number = production.index() + 1;
        let lhs = bnf.symbol_name(grammar, Symbol::Nonterminal(bnf.lhs(production)));
        let _infallible = write!(listing, "{number:width$}  {lhs} →");
        let rhs = bnf.rhs(production);
        if rhs.is_empty() {
            listing.push_str(" ε");
        }
        for &symbol in rhs {
            listing.push(' ');
            listing.push_str(bnf.symbol_name(grammar, symbol));
        }
        listing.push('\n');
    }
    listing
}
