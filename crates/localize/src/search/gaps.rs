//! What it costs to insert the next tokens of an input into a rule: the smallest number of symbols that derive them.
//!
//! Example: inserting `( 1 + 2 ) ;` costs two symbols where the grammar has an expression: the phrase and the `;`.

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
    /// For each place, whether some nonterminal derives the next symbols, by their number minus 1.
    phrases: Vec<Option<Vec<bool>>>,
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
            for (more, &is_phrase) in phrases.iter().enumerate().skip(1) {
                if let Some(cost) = costs.get_mut(at + more + 1)
                    && is_phrase
                {
                    *cost = cost.min(before + weights.symbol + weights.phrase);
                }
            }
        }
        // Long texts are hardly less likely than short ones.
        costs.iter().map(|cost| weights.symbol * (cost / weights.symbol).powf(GROWTH)).collect()
    }

    fn at(&mut self, reader: &mut Reader<'_>, inputs: &[InputId], place: usize) -> &[bool] {
        if self.phrases.len() <= place {
            self.phrases.resize(place + 1, None);
        }
        self.phrases[place].get_or_insert_with(|| {
            let found = reader.phrases(inputs, place, MAX_GAP);
            found.iter().map(|phrases| !phrases.is_empty()).collect()
        })
    }

    /// Forgets everything: the input changed.
    pub fn clear(&mut self) {
        self.phrases.clear();
    }
}
