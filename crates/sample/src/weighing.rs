//! Which production is chosen how often.
//!
//! Without a word of the grammar all productions of a nonterminal are equally likely. Where it gives probabilities,
//! those without one share what is left (Havrikov, Kampmann, Zeller, TOSEM). Both can be bent: with damping d and
//! similarity s a probability p becomes proportional to (p + d)ˢ, so a damping evens choices out and a similarity of
//! 0 makes them equal.

use gramercy_base::Table;
use gramercy_grammar::{NonterminalId, ProductionId};
use gramercy_language::Language;

/// How probabilities become weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighing {
    /// What is added to every probability.
    pub damping: f64,
    /// The power that probabilities are raised to.
    pub similarity: f64,
}

impl Default for Weighing {
    fn default() -> Self {
        Self { damping: 0.0, similarity: 1.0 }
    }
}

/// The weight of a production that is as likely as any other.
const USUAL: f64 = 1.0;

/// For each production a weight, relative to the others of its nonterminal.
pub(crate) fn weights(language: &Language, weighing: Weighing) -> Table<ProductionId, f64> {
    let mut weights = Table::filled(USUAL, language.bnf().production_count());
    for nonterminal in language.bnf().cfg().nonterminals() {
        weigh(language, weighing, nonterminal, &mut weights);
    }
    weights
}

fn weigh(
    language: &Language,
    weighing: Weighing,
    nonterminal: NonterminalId,
    weights: &mut Table<ProductionId, f64>,
) {
    let productions = language.bnf().productions_of(nonterminal);
    let given = |&production: &ProductionId| {
        language.bnf().attributes(language.grammar(), production).and_then(|of| of.probability)
    };
    let known: Vec<f64> = productions.iter().filter_map(given).collect();
    if known.is_empty() {
        return;
    }
    let others = productions.len() - known.len();
    let rest = (1.0 - known.iter().sum::<f64>()).max(0.0) / others.max(1) as f64;
    for production in productions {
        let probability = given(production).unwrap_or(rest);
        let bent = (probability + weighing.damping).powf(weighing.similarity);
        weights[*production] = bent;
    }
}
