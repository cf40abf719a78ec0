//! Another part of a tree in place of one whose tokens the lexer cannot make where they stand.
//!
//! Grammars with modes have many trees that no text has. To draw whole trees until one can be written
//! takes exponentially many, but mostly a small part is at fault: a node around the wrong token, or around
//! the one before it, is grown again with as many tokens, mostly a small one and sometimes a larger. Linear
//! in the tree.

use gramercy_base::Draw;
use gramercy_grammar::{Bnf, NonterminalId, ProductionId, Symbol};

use crate::draft::Draft;
use crate::strategies::random::Fill;

/// The last key of the draws, which tells them from others.
const KEY: u64 = 0x3e4d;

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    lhs: NonterminalId,
    parent: Option<usize>,
    /// Where its productions and tokens begin and end.
    productions: (usize, usize),
    tokens: (usize, usize),
}

/// What is to be grown again.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// What it derives from.
    pub(super) nonterminal: NonterminalId,
    /// How many tokens it had.
    pub(super) tokens: u64,
    /// The productions above it, the nearest first.
    pub(super) above: Vec<ProductionId>,
}

/// Changes a tree around a token that cannot stand where it is; `false` if that cannot be done.
pub(super) fn mend<S: Fill>(
    strategy: &S,
    bnf: &Bnf,
    [number, round]: [u64; 2],
    wrong: usize,
    draft: &mut Draft,
) -> bool {
    let nodes = nodes(bnf, &draft.productions);
    let mut draw = Draw::new([strategy.seed(), number, round, KEY]);
    // The end of a text is wrong because of what stands before it.
    let at_left = wrong >= draft.tokens.len() || wrong > 0 && draw.below(3) == 0;
    let token = if at_left { wrong.saturating_sub(1) } else { wrong };
    let holds = |node: &&Node| (node.tokens.0..node.tokens.1).contains(&token);
    // The last node that holds a token is the lowest.
    let Some(mut at) = nodes.iter().rposition(|node| holds(&node)) else { return false };
    while draw.below(2) == 0
        && let Some(parent) = nodes[at].parent
    {
        at = parent;
    }
    let node = nodes[at];
    let above = std::iter::successors(node.parent, |&parent| nodes[parent].parent);
    let part = Part {
        nonterminal: node.lhs,
        tokens: (node.tokens.1 - node.tokens.0) as u64,
        above: above.map(|node| draft.productions[nodes[node].productions.0]).collect(),
    };
    let mut grown = Draft::default();
    if !strategy.regrow(&part, &mut draw, &mut grown) {
        return false;
    }
    draft.productions.splice(node.productions.0..node.productions.1, grown.productions);
    draft.tokens.splice(node.tokens.0..node.tokens.1, grown.tokens);
    true
}

/// The nodes of a leftmost derivation, each behind the one above it.
fn nodes(bnf: &Bnf, productions: &[ProductionId]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(productions.len());
    // The nodes that are not complete yet, each with what it still needs.
    let mut open: Vec<(usize, std::slice::Iter<'_, Symbol>)> = Vec::new();
    let mut tokens = 0;
    for (at, &production) in productions.iter().enumerate() {
        let parent = open.last().map(|(parent, _)| *parent);
        let lhs = bnf.lhs(production);
        nodes.push(Node { lhs, parent, productions: (at, at), tokens: (tokens, tokens) });
        open.push((at, bnf.rhs(production).iter()));
        while let Some((node, rest)) = open.last_mut() {
            match rest.next() {
                Some(Symbol::Terminal(_)) => tokens += 1,
                Some(Symbol::Nonterminal(_)) => break,
                None => {
                    nodes[*node].productions.1 = at + 1;
                    nodes[*node].tokens.1 = tokens;
                    open.pop();
                }
            }
        }
    }
    nodes
}
