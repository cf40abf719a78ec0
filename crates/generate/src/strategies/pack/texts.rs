//! Lexemes in large tests: `lexeme:K`. A target here is a text that some token is to have; its part is
//! the cheapest production with that token. When a tree is finished, its tokens get the texts that are
//! still missing, in order, and texts that the parser does not see are put between them, at most one
//! for two tokens: where one of them cannot stand, smaller tests have fewer.

use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId};

use super::Piece;
use super::fragments::FragmentParts;
use super::parts::{Above, Parts, SpotId, Wanted};
use crate::draft::{Draft, Fixed};
use crate::strategies::lexeme::{LexemeTests, WantedText};

/// The texts of tokens.
#[derive(Debug)]
pub struct TextParts<'v> {
    symbols: FragmentParts<'v, Symbols<'v>>,
    tests: LexemeTests<'v>,
}

impl<'v> TextParts<'v> {
    /// The texts of small tests, and where symbols are cheapest.
    #[must_use]
    pub fn new(symbols: FragmentParts<'v, Symbols<'v>>, tests: LexemeTests<'v>) -> Self {
        Self { symbols, tests }
    }

    fn wanted(&self, target: TargetId) -> &WantedText {
        &self.tests.texts()[usize::try_from(target).expect("invariant: texts fit in memory")]
    }

    /// Takes a text off the list, for all that are wanted for its sake.
    fn serve(&self, target: TargetId, left: &mut Vec<TargetId>, covered: &mut TargetSet) {
        let WantedText { rule, text, .. } = self.wanted(target);
        left.retain(|&other| {
            let of = self.wanted(other);
            let is_served = of.rule == *rule && of.text == *text;
            if is_served {
                covered.insert(other);
            }
            !is_served
        });
    }
}

impl Parts for TextParts<'_> {
    type Place = ();

    fn targets(&self) -> u64 {
        self.tests.texts().len() as u64
    }

    /// Where no text was found, nobody can take it.
    fn is_coverable(&self, target: TargetId) -> bool {
        !self.wanted(target).text.is_empty() && self.symbols.is_coverable(self.tests.symbol(target))
    }

    fn spots(&self) -> usize {
        self.symbols.spots()
    }

    fn steps(&self) -> Vec<(SpotId, Above)> {
        self.symbols.steps()
    }

    fn root(&self) {}

    fn below(&self, (): (), _: ProductionId, _: usize) {}

    fn head(&self, spot: SpotId) -> NonterminalId {
        self.symbols.head(spot)
    }

    fn spot(&self, nonterminal: NonterminalId, (): ()) -> Option<SpotId> {
        self.symbols.spot(nonterminal, ())
    }

    fn part(&self, target: TargetId, pieces: &mut Vec<Piece>) -> SpotId {
        self.symbols.part(self.tests.symbol(target), pieces)
    }

    fn cover(&self, draft: &mut Draft, wanted: Wanted<'_>, covered: &mut TargetSet) {
        draft.lexemes.clear();
        draft.hidden.clear();
        let mut left: Vec<TargetId> = wanted.taken.to_vec();
        left.extend(wanted.missing.iter());
        for (at, token) in draft.tokens.iter().enumerate() {
            let is_for = |&target: &TargetId| {
                self.wanted(target).token.is_some_and(|(terminal, _)| terminal == *token)
            };
            if let Some(&target) = left.iter().find(|&target| is_for(target)) {
                let WantedText { rule, text, .. } = self.wanted(target);
                draft.lexemes.push(Fixed { at, rule: *rule, text: text.clone() });
                self.serve(target, &mut left, covered);
            }
        }
        for _ in 0..draft.tokens.len().div_ceil(2) {
            let mut hidden = left.iter().filter(|&&target| self.wanted(target).token.is_none());
            let Some(&target) = hidden.next() else { break };
            let WantedText { rule, text, .. } = self.wanted(target);
            draft.hidden.push((*rule, text.clone()));
            self.serve(target, &mut left, covered);
        }
    }

    /// Not before its tokens have texts.
    fn measures_trees(&self) -> bool {
        false
    }

    fn rank(&self, target: TargetId) -> TargetId {
        self.wanted(target).target
    }
}
