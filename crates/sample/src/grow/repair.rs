//! Other parts of a tree in place of those whose tokens the lexer cannot make where they stand.
//!
//! Grammars with modes have many trees that no text has. To draw whole trees until one can be written
//! takes exponentially many, but mostly a small part is at fault. So tokens are tried from left to right;
//! where one cannot stand, a node around it is grown again with as many tokens, mostly a small one and
//! sometimes a larger, and it goes on from there. If that does not help, the token before it may be at fault,
//! such as a comment after which only the end of the line can come: every second change is made around that one.
//!
//! Of every node it is known how large it is, so that those around a token are found from the root down, or
//! from the last one that was around another. What was changed below a node is added when it is left for
//! good. Linear in the tree and in what is grown, but for moving what lies after.

use gramercy_base::Draw;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_lexis::Trial;

use crate::grow::fill::Fill;
use crate::grow::rules::Rules;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::Repaired;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x3e4d;
/// How often a tree is changed at most: this number, plus one for every token.
const CHANGES: usize = 32;
const CHANGES_PER_TOKEN: usize = 16;

/// What is to be grown again.
#[derive(Clone, Debug)]
pub(crate) struct RepairedPart {
    /// What it derives from.
    pub(crate) nonterminal: NonterminalId,
    /// How many tokens it had.
    pub(crate) tokens: u64,
    /// How many tokens the rest of the tree has.
    pub(crate) other_tokens: u64,
    /// The productions above it.
    pub(crate) above: Vec<ProductionId>,
}

/// Changes a tree until all its tokens can stand where they are.
pub(crate) fn repair<S: Fill>(
    (strategy, rules): (&S, &Rules),
    (number, attempt): (u64, u32),
    trial: &mut Trial<'_>,
    candidate: &mut Candidate,
) -> Repaired {
    let Some(mut wrong) = first_wrong(0, trial, candidate) else { return Repaired::Unchanged };
    let mut draw = Draw::new([strategy.seed(), number, attempt.into(), KEY]);
    let above = vec![Above { place: 0, begin: 0, more: Size::default() }];
    let mut nodes = Nodes { rules, sizes: sizes(rules, &candidate.productions), above };
    let most = CHANGES + CHANGES_PER_TOKEN * candidate.tokens.len();
    let (mut furthest, mut in_vain) = (wrong, 0_usize);
    for _ in 0..most {
        let at_fault = if in_vain % 2 == 1 { wrong.saturating_sub(1) } else { wrong };
        nodes.find(at_fault, &candidate.productions);
        nodes.choose(at_fault, &mut draw);
        let begin = nodes.change(strategy, &mut draw, candidate);
        trial.rewind(begin);
        match first_wrong(begin, trial, candidate) {
            Some(next) => wrong = next,
            None => return Repaired::Changed,
        }
        in_vain = if wrong > furthest { 0 } else { in_vain + 1 };
        furthest = furthest.max(wrong);
    }
    Repaired::Failed
}

/// The first token from one on that cannot stand where it is. What is wrong with the end is the last token.
fn first_wrong(from: usize, trial: &mut Trial<'_>, candidate: &Candidate) -> Option<usize> {
    for (at, &token) in candidate.tokens.iter().enumerate().skip(from) {
        if !trial.put(token) {
            return Some(at);
        }
    }
    (!trial.can_end()).then(|| candidate.tokens.len().saturating_sub(1))
}

/// The nodes of a tree, in the order of its leftmost derivation.
struct Nodes<'r> {
    rules: &'r Rules,
    sizes: Vec<Size>,
    /// Those around a token, from the root on.
    above: Vec<Above>,
}

/// How many nodes a node has, with itself, and how many tokens; or how many more or fewer, in wrapping
/// numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: u32,
    tokens: u32,
}

impl Size {
    fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.wrapping_add(other.nodes),
            tokens: self.tokens.wrapping_add(other.tokens),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.wrapping_sub(other.nodes),
            tokens: self.tokens.wrapping_sub(other.tokens),
        }
    }
}

/// A node around a token.
#[derive(Clone, Copy, Debug)]
struct Above {
    place: usize,
    /// Where its tokens begin.
    begin: usize,
    /// By how much it is larger than is written down.
    more: Size,
}

/// The sizes of all nodes of a leftmost derivation: those of the parts of a node are known before its own.
fn sizes(rules: &Rules, productions: &[ProductionId]) -> Vec<Size> {
    let mut all = vec![Size::default(); productions.len()];
    for (place, &production) in productions.iter().enumerate().rev() {
        let mut size = Size { nodes: 1, tokens: 0 };
        for symbol in rules.symbols(production) {
            size = size.plus(match symbol {
                Symbol::Terminal(_) => Size { nodes: 0, tokens: 1 },
                Symbol::Nonterminal(_) => all[place + size.nodes as usize],
            });
        }
        all[place] = size;
    }
    all
}

impl Nodes<'_> {
    /// Finds the nodes around a token, or the root alone if there is no such token.
    fn find(&mut self, token: usize, productions: &[ProductionId]) {
        while let [.., _, Above { place, begin, more }] = self.above[..] {
            let tokens = self.sizes[place].plus(more).tokens as usize;
            if (begin..begin + tokens).contains(&token) {
                break;
            }
            self.leave();
        }
        while let Some(part) = self.part_around(token, productions) {
            self.above.push(part);
        }
    }

    /// The part of the last node that is around a token.
    fn part_around(&self, token: usize, productions: &[ProductionId]) -> Option<Above> {
        let Above { place, mut begin, .. } = *self.above.last()?;
        let mut part = place + 1;
        for symbol in self.rules.symbols(productions[place]) {
            let size = match symbol {
                Symbol::Terminal(_) => Size { nodes: 0, tokens: 1 },
                Symbol::Nonterminal(_) => self.sizes[part],
            };
            let next = begin + size.tokens as usize;
            if token < next {
                let is_node = size.nodes > 0;
                return is_node.then_some(Above { place: part, begin, more: Size::default() });
            }
            (part, begin) = (part + size.nodes as usize, next);
        }
        None
    }

    /// Leaves the last node, which is then as large as is written down.
    fn leave(&mut self) -> Option<Above> {
        let left = self.above.pop()?;
        self.sizes[left.place] = self.sizes[left.place].plus(left.more);
        if let Some(above) = self.above.last_mut() {
            above.more = above.more.plus(left.more);
        }
        Some(left)
    }

    /// Leaves the node that is to be changed as the last of those around a wrong token: the lowest, or one
    /// above it, which is the less likely the more tokens before it would be lost.
    fn choose(&mut self, wrong: usize, draw: &mut Draw) {
        while let [.., Above { begin, .. }, _] = self.above[..] {
            let lost = wrong - begin;
            if draw.below(2 + lost) > 0 {
                break;
            }
            self.leave();
        }
    }

    /// Grows the last node around a token again; where its tokens begin.
    fn change<S: Fill>(
        &mut self,
        strategy: &S,
        draw: &mut Draw,
        candidate: &mut Candidate,
    ) -> usize {
        let Above { place, begin, .. } = self.leave().expect("invariant: there is a root");
        let old = self.sizes[place];
        let (end, tokens_end) = (place + old.nodes as usize, begin + old.tokens as usize);
        let part = RepairedPart {
            nonterminal: strategy.language().bnf().lhs(candidate.productions[place]),
            tokens: old.tokens.into(),
            other_tokens: (candidate.tokens.len() as u64).saturating_sub(old.tokens.into()),
            above: self.above.iter().map(|above| candidate.productions[above.place]).collect(),
        };
        let mut grown = Candidate::default();
        strategy.regrow(&part, draw, &mut grown);
        let grown_sizes = sizes(self.rules, &grown.productions);
        match self.above.last_mut() {
            Some(above) => above.more = above.more.plus(grown_sizes[0].minus(old)),
            None => self.above.push(Above { place, begin, more: Size::default() }),
        }
        self.sizes.splice(place..end, grown_sizes);
        candidate.productions.splice(place..end, grown.productions);
        candidate.tokens.splice(begin..tokens_end, grown.tokens);
        candidate.is_closed_off |= grown.is_closed_off;
        begin
    }
}
