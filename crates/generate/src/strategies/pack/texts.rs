//! Lexemes in large tests: `lexeme:K`. A target here is a text that some rule is to match; its part is the cheapest
//! production with the rule's token, or where the rule matches something else. When a tree is finished, its tokens
//! get the texts that are still missing and that the lexer's modes allow, in order, and texts that the parser does
//! not see are put beside them, at most one for two tokens or a few in all, and one after the last if its match
//! would go on elsewhere: where one of them cannot stand, smaller tests have fewer.
//!
//! Cost: for a tree, its tokens and what it was made for, and a bit for every text that its tokens could have.

use gramercy_base::{IndexMap, Map};
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, RuleId};
use gramercy_lexis::LexemePart;

use super::PlanNode;
use super::fragments::FragmentParts;
use super::parts::{Above, Parts, SpotId, Wanted};
use crate::strategies::lexeme::{LexemeTests, WantedText};
use gramercy_derive::candidate::{Candidate, FixedText};
use gramercy_derive::search::Guide;

/// The rule that is to match a text, and whether that may go on after it, whatever stands there.
type Kind = (RuleId, bool);

/// The texts of tokens.
#[derive(Debug)]
pub struct TextParts<'v> {
    symbols: FragmentParts<'v, Symbols<'v>>,
    tests: LexemeTests<'v>,
    guide: Option<&'v Guide<'v>>,
    of_rule: Map<Kind, Vec<TargetId>>,
    /// Those that are the same text of a rule, and for each text where it is among these.
    same: Vec<Vec<TargetId>>,
    same_as: Vec<usize>,
}

impl<'v> TextParts<'v> {
    /// The texts of small tests, where symbols are cheapest, and who knows which rules match where.
    #[must_use]
    pub fn new(
        symbols: FragmentParts<'v, Symbols<'v>>,
        tests: LexemeTests<'v>,
        guide: Option<&'v Guide<'v>>,
    ) -> Self {
        let mut of_rule: Map<_, Vec<TargetId>> = Map::default();
        let mut same: IndexMap<(RuleId, &str), Vec<TargetId>> = IndexMap::default();
        let mut same_as = Vec::with_capacity(tests.texts().len());
        for (target, wanted) in (0..).zip(tests.texts()) {
            of_rule.entry((wanted.rule, wanted.is_last)).or_default().push(target);
            let entry = same.entry((wanted.rule, &wanted.text));
            same_as.push(entry.index());
            entry.or_default().push(target);
        }
        let same = same.into_values().collect();
        Self { symbols, tests, guide, of_rule, same, same_as }
    }

    fn wanted(&self, target: TargetId) -> &WantedText {
        &self.tests.texts()[index(target)]
    }
}

fn index(target: TargetId) -> usize {
    usize::try_from(target).expect("invariant: texts fit in memory")
}

/// The most hidden texts in a test, however few tokens it has.
const LEAST_BESIDE: usize = 4;

/// What is still to be put into a tree.
struct Left<'l, 'v> {
    parts: &'l TextParts<'v>,
    wanted: Wanted<'l>,
    /// What the tree was made for.
    made_for: Map<Kind, Vec<TargetId>>,
    /// How many of those that a rule could match were looked at.
    looked_at: Map<Kind, usize>,
}

impl<'l, 'v> Left<'l, 'v> {
    fn new(parts: &'l TextParts<'v>, wanted: Wanted<'l>) -> Self {
        let mut made_for: Map<Kind, Vec<TargetId>> = Map::default();
        for &target in wanted.taken.iter().rev() {
            let WantedText { rule, is_last, .. } = parts.wanted(target);
            made_for.entry((*rule, *is_last)).or_default().push(target);
        }
        Self { parts, wanted, made_for, looked_at: Map::default() }
    }

    /// The next text that can be at a place, for all that it is wanted for.
    fn take<'p>(
        &mut self,
        mut places: impl Iterator<Item = &'p LexemePart>,
        is_last: bool,
        covered: &mut TargetSet,
    ) -> Option<FixedText> {
        let (parts, wanted) = (self.parts, self.wanted);
        let (part, next) =
            places.find_map(|part| Some((part, self.next((part.rule, is_last), covered)?)))?;
        let served = &parts.same[parts.same_as[index(next)]];
        let is_wanted =
            |target: &&TargetId| wanted.missing.contains(**target) || wanted.taken.contains(target);
        served.iter().filter(is_wanted).for_each(|&target| _ = covered.insert(target));
        Some(FixedText::new(&parts.wanted(next).text, part))
    }

    /// The next text that a rule is to match.
    fn next(&mut self, kind: Kind, covered: &TargetSet) -> Option<TargetId> {
        let is_open = |target: &TargetId| !covered.contains(*target);
        let made_for = self.made_for.get_mut(&kind);
        let made_for = made_for.and_then(|of| std::iter::from_fn(|| of.pop()).find(is_open));
        made_for.or_else(|| {
            let of_rule = self.parts.of_rule.get(&kind)?;
            let looked_at = self.looked_at.entry(kind).or_default();
            let mut rest = of_rule[*looked_at..].iter().copied().inspect(|_| *looked_at += 1);
            rest.find(|target| self.wanted.missing.contains(*target) && is_open(target))
        })
    }
}

impl Parts for TextParts<'_> {
    type NodeState = ();

    fn targets(&self) -> u64 {
        self.tests.texts().len() as u64
    }

    /// Where no text was found, or it can be nowhere, nobody can take it.
    fn is_coverable(&self, target: TargetId) -> bool {
        let WantedText { text, rule, .. } = self.wanted(target);
        !text.is_empty()
            && !self.tests.home(*rule).is_nowhere()
            && self.symbols.is_coverable(self.tests.symbol(target))
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

    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> SpotId {
        match self.tests.home(self.wanted(target).rule).step() {
            None => self.symbols.part(self.tests.symbol(target), nodes),
            Some(step) => self.symbols.production(step.production, nodes),
        }
    }

    fn cover(&self, candidate: &mut Candidate, wanted: Wanted<'_>, covered: &mut TargetSet) {
        candidate.lexemes.clear();
        candidate.hidden.clear();
        let Some(guide) = self.guide else { return };
        let mut left = Left::new(self, wanted);
        let end = candidate.tokens.len();
        let mut beside = end.div_ceil(2).max(LEAST_BESIDE);
        guide.parts_along(&candidate.tokens, |at, parts| {
            let of_token = || parts.iter().filter(|part| !part.is_hidden);
            let hidden = || parts.iter().filter(|part| part.is_hidden);
            let text = left.take(of_token(), false, covered);
            let text = text.or_else(|| left.take(of_token(), true, covered));
            candidate.lexemes.extend(text.map(|fixed| (at, fixed)));
            let room = if at < end { beside.min(1) } else { beside };
            let texts = (0..room).map_while(|_| left.take(hidden(), false, covered));
            let before = candidate.hidden.len();
            candidate.hidden.extend(texts);
            beside -= candidate.hidden.len() - before;
            if at == end {
                candidate.hidden.extend(left.take(hidden(), true, covered));
            }
        });
    }

    /// Not before its tokens have texts.
    fn measures_trees(&self) -> bool {
        false
    }

    fn rank(&self, target: TargetId) -> TargetId {
        self.wanted(target).target
    }
}
