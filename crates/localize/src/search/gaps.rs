//! What it costs to insert the next tokens of an input into a rule: the smallest number of symbols that derive them.
//!
//! Example: inserting `( 1 + 2 ) ;` costs two symbols where the grammar has an expression: the phrase and the `;`.

use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_parse::tables::InputId;

use crate::chart::Reader;
use crate::search::weights::Weights;

/// The longest text that is inserted, in tokens.
pub const MAX_GAP: usize = 32;

/// How the cost of inserted text grows with its symbols.
pub const GROWTH: f64 = 0.6;

/// Phrases at the places of an input.
#[derive(Debug, Default)]
pub struct Gaps {
    /// For each place, the nonterminals that derive the next symbols, by their number minus 1.
    phrases: Vec<Option<Vec<Vec<NonterminalId>>>>,
}

impl Gaps {
    /// What it costs to insert the next 0, 1, 2, … tokens from a place on.
    pub fn costs(
        &mut self,
        reader: &mut Reader<'_>,
        weights: &Weights,
        inputs: &[InputId],
        from: usize,
        longest: usize,
    ) -> Vec<f64> {
        let longest = longest.min(inputs.len() - from);
        let mut costs = vec![f64::INFINITY; longest + 1];
        costs[0] = 0.0;
        for at in 0..longest {
            let before = costs[at];
            costs[at + 1] = costs[at + 1].min(before + weights.symbol);
            // Phrases of several tokens are only worth their search in the beginning.
            if at > 12 {
                continue;
            }
            let phrases = self.at(reader, inputs, from + at);
            for (more, phrases) in phrases.iter().enumerate().skip(1) {
                if let Some(cost) = costs.get_mut(at + more + 1)
                    && !phrases.is_empty()
                {
                    *cost = cost.min(before + weights.symbol + weights.phrase);
                }
            }
        }
        // Long texts are hardly less likely than short ones.
        costs.iter().map(|cost| weights.symbol * (cost / weights.symbol).powf(GROWTH)).collect()
    }

    /// The nonterminals that derive the next symbols from a place on, by the number of symbols minus 1.
    pub fn at(
        &mut self,
        reader: &mut Reader<'_>,
        inputs: &[InputId],
        place: usize,
    ) -> &[Vec<NonterminalId>] {
        if self.phrases.len() <= place {
            self.phrases.resize(place + 1, None);
        }
        self.phrases[place].get_or_insert_with(|| reader.phrases(inputs, place, MAX_GAP))
    }

    /// The numbers of the next symbols that a symbol derives.
    pub fn lengths(
        &mut self,
        reader: &mut Reader<'_>,
        inputs: &[InputId],
        place: usize,
        symbol: Symbol,
    ) -> Vec<usize> {
        match symbol {
            Symbol::Terminal(terminal) => {
                let next = inputs.get(place);
                next.filter(|&&input| reader.slots().is(input, terminal))
                    .map(|_| 1)
                    .into_iter()
                    .collect()
            }
            Symbol::Nonterminal(nonterminal) => {
                let phrases = self.at(reader, inputs, place).iter().enumerate();
                let derived = phrases.filter(|(_, found)| found.contains(&nonterminal));
                derived.map(|(more, _)| more + 1).collect()
            }
        }
    }

    /// Forgets everything: the input changed.
    pub fn clear(&mut self) {
        self.phrases.clear();
    }
}
