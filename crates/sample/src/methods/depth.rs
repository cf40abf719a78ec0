//! Down to a depth: at every nonterminal one of the productions that can still end within the depth
//! that is left (the model of Tribble's bounded generation and of Grammarinator's limit).
//!
//! Depth counts nested rules. A repetition goes on as often as its productions are drawn, so its
//! length is geometric and not bounded by the depth. Trees grow exponentially with the depth where
//! rules refer to several others. At a number of tokens, or of expansions where these bring no tokens, the
//! tree is closed off: each open nonterminal gets the shortest of its shallowest trees ([`Completion`]).
//! Cost: a draw and a look-up for every node of the tree.
//!
//! Example: `s: '(' s* ')' | 'x';` with depth 3 and at most 4 tokens. `( ( x` has three tokens, and the next
//! choice is free; after `( ( x x` the open lists are closed off, each as its empty alternative: `( ( x x ) )`.

use gramercy_base::{Draw, Table};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::grow::alias_tables::{ANY, AliasTables, Bounds};
use crate::grow::fill::Fill;
use crate::grow::receivers::Receiver;
use crate::grow::repair::RepairedPart;
use crate::grow::rules::{Rest, Rules};
use crate::methods::bounds::{Completion, Depths, max_expansions, own_depth};
use crate::methods::{MAX_TOKENS, RandomError, RandomOptions};
use crate::weighing::weights;
use gramercy_derive::candidate::Candidate;

/// Random trees within a depth.
#[derive(Debug)]
pub struct DepthBounded<'v> {
    trees: DepthBound<'v>,
    alias_tables: AliasTables,
    options: RandomOptions,
}

impl<'v> DepthBounded<'v> {
    /// Trees of at most this depth.
    ///
    /// # Errors
    /// If the shallowest tree is deeper.
    pub fn new(
        language: &'v Language,
        options: &RandomOptions,
        depth: u32,
    ) -> Result<Self, RandomError> {
        let trees = DepthBound::new(language, depth, options.max_tokens)?;
        let weights = weights(language, options.weighing);
        let alias_tables =
            AliasTables::new(language, &weights, |production| trees.bounds(production));
        Ok(Self { trees, alias_tables, options: *options })
    }
}

impl Fill for DepthBounded<'_> {
    type Memory = Stack;

    fn language(&self) -> &Language {
        self.trees.language()
    }

    fn count(&self) -> u64 {
        self.options.count
    }

    fn seed(&self) -> u64 {
        self.options.seed
    }

    fn regrow(&self, part: &RepairedPart, draw: &mut Draw, grown: &mut Candidate) {
        self.trees.fill_part(part, grown, |nonterminal, depth| {
            let production = self.alias_tables.choose(nonterminal, depth, draw);
            production.expect("invariant: something fits the depth left")
        });
    }

    fn fill(&self, number: u64, attempt: u32, stack: &mut Stack, into: &mut impl Receiver) {
        let mut draw = Draw::new([self.options.seed, number, attempt.into(), 0]);
        self.trees.fill(stack, into, |nonterminal, depth| {
            let production = self.alias_tables.choose(nonterminal, depth, &mut draw);
            production.expect("invariant: something fits the depth left")
        });
    }
}

/// What is still open, each with the depth that is left for it; the next is the last.
pub(crate) type Stack = Vec<(Rest, u32)>;

/// What a tree or a part of it is grown from, and the depth that is left for it.
#[derive(Clone, Copy, Debug)]
struct Root {
    nonterminal: NonterminalId,
    depth: u32,
}

/// Trees within a depth, whatever chooses among the productions that fit.
#[derive(Debug)]
pub(crate) struct DepthBound<'v> {
    language: &'v Language,
    /// The least depth of a nonterminal that derives anything.
    least: Table<NonterminalId, u32>,
    /// Of a production, the least depth, and what it adds itself to what stands below it.
    of_production: Table<ProductionId, Option<u32>>,
    own: Table<ProductionId, u32>,
    rules: Rules,
    completion: Completion,
    depth: u32,
    max_tokens: u64,
}

impl<'v> DepthBound<'v> {
    /// Trees of at most this depth, closed off at `max_tokens`.
    pub(crate) fn new(
        language: &'v Language,
        depth: u32,
        max_tokens: u64,
    ) -> Result<Self, RandomError> {
        let (depths, cfg) = (Depths::new(language), language.bnf().cfg());
        let small = |depth: u64| u32::try_from(depth).unwrap_or(u32::MAX);
        let least = depths.of(language.bnf().start()).ok_or(RandomError::NoSentence)?;
        if least > u64::from(depth) {
            return Err(RandomError::TooShallow { least: small(least) });
        }
        let productions = || cfg.productions();
        Ok(Self {
            language,
            least: cfg.nonterminals().map(|id| depths.of(id).map_or(0, small)).collect(),
            of_production: productions().map(|id| depths.of_production(id).map(small)).collect(),
            own: productions().map(|id| small(own_depth(language, id))).collect(),
            rules: Rules::new(language.bnf()),
            completion: Completion::new(language, &depths),
            depth,
            max_tokens: max_tokens.min(MAX_TOKENS),
        })
    }

    /// The depths that a production fits into.
    pub(crate) fn bounds(&self, production: ProductionId) -> Option<Bounds> {
        self.of_production[production].map(|least| (least, ANY))
    }

    pub(crate) fn language(&self) -> &'v Language {
        self.language
    }

    /// Makes a tree; `choose` is told the depth that is left.
    pub(crate) fn fill(
        &self,
        stack: &mut Stack,
        into: &mut impl Receiver,
        choose: impl FnMut(NonterminalId, u32) -> ProductionId,
    ) {
        let root = Root { nonterminal: self.language.bnf().start(), depth: self.depth };
        self.fill_all(root, self.max_tokens, stack, into, choose);
    }

    /// Makes a part of a tree anew, within the depth that is left for it.
    pub(crate) fn fill_part(
        &self,
        part: &RepairedPart,
        into: &mut impl Receiver,
        choose: impl FnMut(NonterminalId, u32) -> ProductionId,
    ) {
        let above = part.above.iter().map(|&production| self.own[production]);
        // A tree that was closed off for its size may be deeper there.
        let left = above.fold(self.depth, u32::saturating_sub);
        let left = left.max(self.least[part.nonterminal]);
        // It may be as large as it was, even in a tree that is large enough.
        let max_tokens = self.max_tokens.saturating_sub(part.other_tokens).max(part.tokens);
        let root = Root { nonterminal: part.nonterminal, depth: left };
        self.fill_all(root, max_tokens, &mut Stack::new(), into, choose);
    }

    #[inline]
    fn fill_all(
        &self,
        Root { mut nonterminal, mut depth }: Root,
        max_tokens: u64,
        stack: &mut Stack,
        into: &mut impl Receiver,
        mut choose: impl FnMut(NonterminalId, u32) -> ProductionId,
    ) {
        let mut expansions_left = max_expansions(max_tokens);
        loop {
            let is_full = expansions_left == 0 || into.token_count() as u64 >= max_tokens;
            let production = match is_full {
                true => {
                    into.close_off();
                    self.completion.production(nonterminal)
                }
                false => {
                    expansions_left -= 1;
                    choose(nonterminal, depth)
                }
            };
            into.production(production);
            depth = depth.saturating_sub(self.own[production]);
            let mut rest = self.rules.of(production);
            // On to the next nonterminal, of this production or of one that was left before.
            nonterminal = loop {
                match self.rules.first(rest) {
                    Some(Symbol::Terminal(terminal)) => {
                        into.token(terminal);
                        rest.advance();
                    }
                    Some(Symbol::Nonterminal(next)) => {
                        rest.advance();
                        if !rest.is_empty() {
                            stack.push((rest, depth));
                        }
                        break next;
                    }
                    None => match stack.pop() {
                        Some(left) => (rest, depth) = left,
                        None => return,
                    },
                }
            };
        }
    }
}
