//! `symbol`: a nonterminal with whatever is cheapest below it; a terminal where it costs least.

use gramercy_base::Table;
use gramercy_coverage::TargetId;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_grammar::{Symbol, TerminalId};
use gramercy_language::Language;

use super::ways::{Beside, Cost, RhsPosition, sum};
use super::{Build, Fragments};
use gramercy_derive::contexts::Contexts;

/// For each terminal the position where it costs least.
pub struct Occurrences(Table<TerminalId, Option<RhsPosition>>);

impl Fragments for Symbols<'_> {
    type Paths<'m> = Occurrences;

    fn paths<'m>(&self, language: &Language, contexts: &Contexts<'m>) -> Occurrences {
        let cfg = language.bnf().cfg();
        let mut best: Table<TerminalId, Option<(Cost, RhsPosition)>> =
            Table::filled(None, cfg.terminal_count());
        let ties = contexts.cheapest().resolution().ties;
        let order = |(cost, place): &(Cost, RhsPosition)| {
            (*cost, ties.place(place.production, place.position as usize))
        };
        for production in cfg.productions() {
            let is_used = language.useful().has_production(production);
            let Some(above) = contexts.cost(cfg.lhs(production)).filter(|_| is_used) else {
                continue;
            };
            let beside = Beside::new(contexts.cheapest(), cfg.rhs(production));
            for (position, symbol) in cfg.rhs(production).iter().enumerate() {
                let Symbol::Terminal(terminal) = symbol else { continue };
                let place = RhsPosition::new(production, position);
                let found = (sum(above, beside.cost(position)), place);
                if best[*terminal].as_ref().is_none_or(|known| order(&found) < order(known)) {
                    best[*terminal] = Some(found);
                }
            }
        }
        Occurrences(best.map(|_, found| found.map(|(_, place)| place)))
    }

    fn build(
        &self,
        language: &Language,
        paths: &Occurrences,
        target: TargetId,
        into: &mut impl Build,
    ) {
        match self.symbol(target) {
            Symbol::Nonterminal(nonterminal) => {
                into.open(nonterminal);
                into.close(&[Symbol::Nonterminal(nonterminal)]);
                into.finish(nonterminal);
            }
            Symbol::Terminal(terminal) => {
                let place = paths.0[terminal].expect("invariant: the terminal is useful");
                let lhs = language.bnf().lhs(place.production);
                into.open(lhs);
                into.production(place.production);
                into.close(language.bnf().rhs(place.production));
                into.finish(lhs);
            }
        }
    }
}
