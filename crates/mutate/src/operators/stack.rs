//! Whole reductions are inserted, substituted and deleted.
//!
//! After Rossouw and Fischer (JSS 2024, section 6.2): a reduction path along the path of a sentence, or a terminal push
//! edge, gets another reduction before it, gives way to one, or is left out. A substitution for an empty reduction is
//! an insertion, one by an empty reduction a deletion. In the tree that is a node: an inner one
//! is a reduction, a leaf a terminal push edge. The material put in is the shortest sentence below each production.
//! The conditions of the publication let sentences pass where a part is nullable or at the begin or end of the
//! sentence; here the same checks are used as for every other operator, on the words themselves.
//!
//! Example: in Figure 4 there, `E: E "+" E | "(" E ")" | num;`, the sentence `( num )` has the nodes `E: ( E )`, `(`,
//! `E: num`, `num` and `)`. Inserting the reduction `( num )` before its last token gives `( num ( num ) )`.
//!
//! Cost: nodes times productions, each a check.

use std::ops::{ControlFlow, Range};

use gramercy_derive::{Candidate, CheapestTrees};
use gramercy_grammar::{Cfg, ProductionId, Symbol, TerminalId};

use super::Visit;
use crate::check::Check;
use crate::edit::{Edit, Family, Item, Kind, Operator};

/// Changes of whole reductions.
#[derive(Clone, Debug)]
pub struct Stacks<'l> {
    cfg: &'l Cfg,
    /// What is put in for each production, without duplicates.
    materials: Vec<Vec<TerminalId>>,
}

/// A node of a tree: what it is, and where its tokens lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The production that is reduced; `None` for a terminal push edge.
    pub production: Option<ProductionId>,
    /// Its tokens.
    pub tokens: Range<usize>,
}

impl<'l> Stacks<'l> {
    /// The changes by reductions of these productions, each derived by `cheapest`.
    pub fn new(
        cheapest: &CheapestTrees<'l>,
        productions: impl IntoIterator<Item = ProductionId>,
    ) -> Self {
        let cfg = cheapest.cfg();
        let mut materials = Vec::new();
        for production in productions {
            let mut candidate = Candidate::default();
            cheapest.close_all(cfg.rhs(production), &mut candidate);
            materials.push(candidate.tokens);
        }
        materials.sort_unstable();
        materials.dedup();
        Self { cfg, materials }
    }

    /// Visits all changes of a sentence with this leftmost derivation that leave the language, by node. The check
    /// looks at the sentence already.
    pub fn visit(
        &self,
        productions: &[ProductionId],
        tokens: &[TerminalId],
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let mut offer = |kind, node: &Node, removed: usize, inserted: &[TerminalId]| {
            let place = node.tokens.start;
            match check.is_negative(place, removed, inserted) {
                true => {
                    let operator = Operator { family: Family::Stack, kind };
                    let item = node.production.map(|production| Item { production, dot: 0 });
                    visit(&Edit { operator, place, removed, inserted, item })
                }
                false => ControlFlow::Continue(()),
            }
        };
        for node in nodes(self.cfg, productions) {
            let removed = node.tokens.len();
            for material in self.materials.iter().filter(|material| !material.is_empty()) {
                offer(Kind::Insert, &node, 0, material)?;
            }
            for material in &self.materials {
                if *material != tokens[node.tokens.clone()] {
                    offer(Kind::Substitute, &node, removed, material)?;
                }
            }
            if node.production.is_some() && removed > 0 {
                offer(Kind::Delete, &node, removed, &[])?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The nodes of a leftmost derivation, in its order.
#[must_use]
pub fn nodes(cfg: &Cfg, productions: &[ProductionId]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    // Inner nodes under way, each with what is left of its production.
    let mut open: Vec<(usize, &[Symbol])> = Vec::new();
    let (mut next, mut at) = (productions.iter(), 0);
    let mut is_wanted = true;
    loop {
        if std::mem::take(&mut is_wanted) {
            let Some(&production) = next.next() else { return nodes };
            open.push((nodes.len(), cfg.rhs(production)));
            nodes.push(Node { production: Some(production), tokens: at..at });
        }
        let Some((node, rest)) = open.last_mut() else { return nodes };
        let Some((&symbol, left)) = rest.split_first() else {
            nodes[*node].tokens.end = at;
            open.pop();
            continue;
        };
        *rest = left;
        match symbol {
            Symbol::Terminal(_) => {
                nodes.push(Node { production: None, tokens: at..at + 1 });
                at += 1;
            }
            Symbol::Nonterminal(_) => is_wanted = true,
        }
    }
}
