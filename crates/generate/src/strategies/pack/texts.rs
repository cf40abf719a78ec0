//! Lexemes in large tests: `lexeme:K`. A target here is a text that some token is to have; its part is
//! the cheapest production with that token. When a tree is finished, its tokens get the texts that are
//! still missing, in order, and texts that the parser does not see are put between them, at most one
//! for two tokens: where one of them cannot stand, smaller tests have fewer.
//!
//! Cost: for a tree, its tokens times what it was made for, and a bit for every text that its tokens could have.

use gramercy_base::{IndexMap, Map};
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, RuleId, TerminalId};

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
    /// The texts of each token, and of what the parser does not see.
    of_token: Map<Option<TerminalId>, Vec<TargetId>>,
    /// Those that are the same text of a rule, and for each text where it is among these.
    same: Vec<Vec<TargetId>>,
    same_as: Vec<usize>,
}

impl<'v> TextParts<'v> {
    /// The texts of small tests, and where symbols are cheapest.
    #[must_use]
    pub fn new(symbols: FragmentParts<'v, Symbols<'v>>, tests: LexemeTests<'v>) -> Self {
        let mut of_token: Map<_, Vec<TargetId>> = Map::default();
        let mut same: IndexMap<(RuleId, &str), Vec<TargetId>> = IndexMap::default();
        let mut same_as = Vec::with_capacity(tests.texts().len());
        for (target, wanted) in (0..).zip(tests.texts()) {
            of_token.entry(wanted.terminal()).or_default().push(target);
            let entry = same.entry((wanted.rule, &wanted.text));
            same_as.push(entry.index());
            entry.or_default().push(target);
        }
        let same = same.into_values().collect();
        Self { symbols, tests, of_token, same, same_as }
    }

    fn wanted(&self, target: TargetId) -> &WantedText {
        &self.tests.texts()[index(target)]
    }
}

fn index(target: TargetId) -> usize {
    usize::try_from(target).expect("invariant: texts fit in memory")
}

/// What is still to be put into a tree.
struct Left<'l, 'v> {
    parts: &'l TextParts<'v>,
    wanted: Wanted<'l>,
    /// How many of those that a token could have were looked at.
    looked_at: Map<Option<TerminalId>, usize>,
}

impl<'l> Left<'l, '_> {
    /// The next text of a token, for all that it is wanted for.
    fn take(
        &mut self,
        token: Option<TerminalId>,
        covered: &mut TargetSet,
    ) -> Option<&'l WantedText> {
        let (parts, wanted) = (self.parts, self.wanted);
        let is_open = |target: &TargetId| !covered.contains(*target);
        let of_token = |target: &TargetId| parts.wanted(*target).terminal() == token;
        let made_for = wanted.taken.iter().copied().filter(of_token).find(is_open);
        let next = made_for.or_else(|| {
            let of_token = parts.of_token.get(&token)?;
            let looked_at = self.looked_at.entry(token).or_default();
            let mut rest = of_token[*looked_at..].iter().copied().inspect(|_| *looked_at += 1);
            rest.find(|target| wanted.missing.contains(*target) && is_open(target))
        })?;
        let served = &parts.same[parts.same_as[index(next)]];
        let is_wanted =
            |target: &&TargetId| wanted.missing.contains(**target) || wanted.taken.contains(target);
        served.iter().filter(is_wanted).for_each(|&target| _ = covered.insert(target));
        Some(parts.wanted(next))
    }
}

impl Parts for TextParts<'_> {
    type Place = ();

    fn targets(&self) -> u64 {
        self.tests.texts().len() as u64
    }

    /// Where no text was found, or it can be nowhere, nobody can take it.
    fn is_coverable(&self, target: TargetId) -> bool {
        let WantedText { text, is_misfit, .. } = self.wanted(target);
        !text.is_empty() && !is_misfit && self.symbols.is_coverable(self.tests.symbol(target))
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
        let mut left = Left { parts: self, wanted, looked_at: Map::default() };
        for (at, &token) in draft.tokens.iter().enumerate() {
            if let Some(WantedText { rule, text, .. }) = left.take(Some(token), covered) {
                draft.lexemes.push(Fixed { at, rule: *rule, text: text.clone() });
            }
        }
        for _ in 0..draft.tokens.len().div_ceil(2) {
            let Some(WantedText { rule, text, .. }) = left.take(None, covered) else { break };
            draft.hidden.push((*rule, text.clone()));
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
