//! Other parts of a tree in place of those whose tokens the lexer cannot make where they stand.
//!
//! Grammars with modes have many trees that no text has. To draw whole trees until one can be written
//! takes exponentially many, but mostly a small part is at fault. So tokens are tried from left to right;
//! where one cannot stand, a node around it is grown again with as many tokens, mostly a small one and
//! sometimes a larger, and it goes on from there.
//!
//! Of every node it is known how large it is and how far from its parent's it begins, so that a change
//! concerns nothing but the nodes above it and those that they have behind it. Linear in the tree and in what
//! is grown, but for moving what lies behind.

use gramercy_base::Draw;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_lexis::Trial;

use crate::draft::Draft;
use crate::strategies::random::fill::Fill;
use crate::strategies::random::rules::Rules;
use crate::strategy::Mended;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x3e4d;
/// How often a tree is changed: so many times, and for every token.
const CHANGES: usize = 32;
const CHANGES_PER_TOKEN: usize = 4;

/// What is to be grown again.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What it derives from.
    pub(super) nonterminal: NonterminalId,
    /// How many tokens it had.
    pub(super) tokens: u64,
    /// The productions above it.
    pub(super) above: Vec<ProductionId>,
}

/// Changes a tree until all its tokens can stand where they are.
pub(super) fn mend<S: Fill>(
    (strategy, rules): (&S, &Rules),
    (number, attempt): (u64, u32),
    trial: &mut Trial<'_>,
    draft: &mut Draft,
) -> Mended {
    let Some(mut wrong) = first_wrong(0, trial, draft) else { return Mended::Needless };
    let mut draw = Draw::new([strategy.seed(), number, attempt.into(), KEY]);
    let mut nodes = Nodes { all: sizes(rules, &draft.productions), above: Vec::new() };
    let most = CHANGES + CHANGES_PER_TOKEN * draft.tokens.len();
    for _ in 0..most {
        nodes.find(wrong);
        nodes.choose(wrong, &mut draw);
        let begin = nodes.change((strategy, rules), &mut draw, draft);
        trial.rewind(begin);
        match first_wrong(begin, trial, draft) {
            Some(next) => wrong = next,
            None => return Mended::Changed,
        }
    }
    Mended::InVain
}

/// The first token from one on that cannot stand where it is. What is wrong with the end is the last token.
fn first_wrong(from: usize, trial: &mut Trial<'_>, draft: &Draft) -> Option<usize> {
    for (at, &token) in draft.tokens.iter().enumerate().skip(from) {
        if !trial.put(token) {
            return Some(at);
        }
    }
    (!trial.can_end()).then(|| draft.tokens.len().saturating_sub(1))
}

/// The nodes of a tree, in the order of its leftmost derivation.
struct Nodes {
    all: Vec<Node>,
    /// Those around a token: their places and where their tokens begin, from the root on.
    above: Vec<(usize, usize)>,
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// How many nodes it has, with itself, and how many tokens.
    nodes: u32,
    tokens: u32,
    /// How many tokens of its parent come before it.
    before: u32,
}

/// The sizes of all nodes of a leftmost derivation: those of the parts of a node are known before its own.
fn sizes(rules: &Rules, productions: &[ProductionId]) -> Vec<Node> {
    let mut all = vec![Node { nodes: 1, tokens: 0, before: 0 }; productions.len()];
    for (place, &production) in productions.iter().enumerate().rev() {
        let (mut nodes, mut tokens) = (1, 0);
        for symbol in rules.symbols(production) {
            match symbol {
                Symbol::Terminal(_) => tokens += 1,
                Symbol::Nonterminal(_) => {
                    let part = &mut all[place + nodes as usize];
                    part.before = tokens;
                    nodes += part.nodes;
                    tokens += part.tokens;
                }
            }
        }
        all[place] = Node { nodes, tokens, before: 0 };
    }
    all
}

impl Nodes {
    /// Finds the nodes around a token, or the root alone if there is no such token.
    fn find(&mut self, token: usize) {
        self.above.clear();
        let (mut place, mut begin) = (0, 0);
        loop {
            self.above.push((place, begin));
            let end = place + self.all[place].nodes as usize;
            let mut part = place + 1;
            loop {
                if part >= end {
                    return;
                }
                let node = self.all[part];
                let first = begin + node.before as usize;
                if (first..first + node.tokens as usize).contains(&token) {
                    (place, begin) = (part, first);
                    break;
                }
                part += node.nodes as usize;
            }
        }
    }

    /// Leaves the node that is to be changed as the last of those around a wrong token: the lowest, or one
    /// above it, which is the less likely the more tokens before it would be lost.
    fn choose(&mut self, wrong: usize, draw: &mut Draw) {
        while let [.., (_, begin), _] = self.above[..] {
            let lost = wrong - begin;
            if draw.below(2 + lost) > 0 {
                break;
            }
            self.above.pop();
        }
    }

    /// Grows the last node around a token again; where its tokens begin.
    fn change<S: Fill>(
        &mut self,
        (strategy, rules): (&S, &Rules),
        draw: &mut Draw,
        draft: &mut Draft,
    ) -> usize {
        let (place, begin) = self.above.pop().expect("invariant: there is a root");
        let Node { nodes, tokens, before } = self.all[place];
        let (end, tokens_end) = (place + nodes as usize, begin + tokens as usize);
        let part = Part {
            nonterminal: strategy.views().bnf.lhs(draft.productions[place]),
            tokens: tokens.into(),
            above: self.above.iter().map(|&(above, _)| draft.productions[above]).collect(),
        };
        let mut grown = Draft::default();
        strategy.regrow(&part, draw, &mut grown);
        let mut grown_nodes = sizes(rules, &grown.productions);
        grown_nodes[0].before = before;
        self.resize_above(place, grown_nodes[0]);
        self.all.splice(place..end, grown_nodes);
        draft.productions.splice(place..end, grown.productions);
        draft.tokens.splice(begin..tokens_end, grown.tokens);
        begin
    }

    /// A node is replaced by another: tells those above it, and those that they have behind it.
    fn resize_above(&mut self, place: usize, by: Node) {
        let old = self.all[place];
        let after = place + old.nodes as usize;
        for &(above, _) in &self.above {
            let end = above + self.all[above].nodes as usize;
            let mut part = above + 1;
            while part < end {
                let next = part + self.all[part].nodes as usize;
                if part >= after {
                    let before = &mut self.all[part].before;
                    *before = *before + by.tokens - old.tokens;
                }
                part = next;
            }
        }
        for &(above, _) in &self.above {
            let Node { nodes, tokens, .. } = &mut self.all[above];
            (*nodes, *tokens) = (*nodes + by.nodes - old.nodes, *tokens + by.tokens - old.tokens);
        }
    }
}
