//! Which reduction path is embedded in which (Rossouw, Fischer, JSS 2024, sections 5 and 7).
//!
//! A reduction path that ends in the push of A onto q can be inserted wherever another reduction
//! path pushes A onto q. So an embedding is a chain of such *occurrences* up to the push of the
//! start symbol onto the initial state. A breadth-first search from there visits every push first
//! through its shallowest embedding; it stores one occurrence per push: the embedding tree of the
//! publication. It uses only chosen productions. If these are the productive ones, a pop edge is on
//! the path of some sentence exactly if its push is in the tree and its production is chosen.
//! Linear in the lengths of all reduction paths.
//!
//! Example: `S: C C; C: c C | d;` with LR(0) states 0 (initial), 1 (after c) and 4 (after the first
//! C). The root is the push of S onto 0. The pushes of C onto 0 and onto 4 occur in S → C C and
//! have depth 1. The push of C onto 1 occurs in C → c C below both of them and has depth 2; its
//! parent is the one onto 0, which is visited first.

use gramercy_analysis::Rows;
use gramercy_base::{Table, to_u32};
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::Automaton;
use crate::gotos::{GotoId, Gotos};

/// A push of a nonterminal as part of a reduction path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// The push at the end of the reduction path.
    pub above: GotoId,
    /// Its production.
    pub production: ProductionId,
    /// The position of the pushed symbol in the production.
    pub position: u32,
}

/// For each push of a nonterminal its shallowest embedding.
#[derive(Clone, Debug)]
pub struct EmbeddingTree {
    depths: Table<GotoId, u32>,
    /// `None` for the root and for pushes outside the tree.
    parents: Table<GotoId, Option<Occurrence>>,
    order: Vec<GotoId>,
}

/// The depth of pushes outside the tree.
const NOWHERE: u32 = u32::MAX;

impl EmbeddingTree {
    /// The tree over chosen productions; it is empty if the start symbol has none of them.
    #[must_use]
    pub fn new(
        cfg: &Cfg,
        automaton: &Automaton,
        gotos: &Gotos,
        chosen: &dyn Fn(ProductionId) -> bool,
    ) -> Self {
        let mut tree = Self {
            depths: Table::filled(NOWHERE, gotos.len()),
            parents: Table::filled(None, gotos.len()),
            order: Vec::new(),
        };
        let root = gotos.find(automaton.initial(), cfg.start());
        if let Some(root) = root
            && cfg.productions_of(cfg.start()).iter().any(|&id| chosen(id))
        {
            tree.depths[root] = 0;
            tree.order.push(root);
        }
        let mut at = 0;
        while let Some(&above) = tree.order.get(at) {
            at += 1;
            let depth = tree.depths[above] + 1;
            for_each_below(cfg, automaton, gotos, above, chosen, |below, occurrence| {
                if tree.depths[below] == NOWHERE {
                    tree.depths[below] = depth;
                    tree.parents[below] = Some(occurrence);
                    tree.order.push(below);
                }
            });
        }
        tree
    }

    /// Whether the path of some sentence contains a push.
    #[inline]
    #[must_use]
    pub fn contains(&self, goto: GotoId) -> bool {
        self.depths[goto] != NOWHERE
    }

    /// The occurrence that embeds a push; `None` for the push of the start symbol.
    #[inline]
    #[must_use]
    pub fn parent(&self, goto: GotoId) -> Option<Occurrence> {
        self.parents[goto]
    }

    /// The number of occurrences above a push of the tree.
    #[must_use]
    pub fn depth(&self, goto: GotoId) -> u32 {
        self.depths[goto]
    }

    /// All pushes in the tree, parents before children.
    #[must_use]
    pub fn order(&self) -> &[GotoId] {
        &self.order
    }

    /// All occurrences of each push in chosen productions, shallow ones first; those of equal depth
    /// in the order of the search.
    #[must_use]
    pub fn occurrences(
        &self,
        cfg: &Cfg,
        automaton: &Automaton,
        gotos: &Gotos,
        chosen: &dyn Fn(ProductionId) -> bool,
    ) -> Rows<GotoId, Occurrence> {
        let mut pairs = Vec::new();
        // The search visits shallow pushes first.
        for &above in &self.order {
            for_each_below(cfg, automaton, gotos, above, chosen, |below, occurrence| {
                pairs.push((below, occurrence));
            });
        }
        Rows::group(gotos.len(), &pairs)
    }
}

fn for_each_below(
    cfg: &Cfg,
    automaton: &Automaton,
    gotos: &Gotos,
    above: GotoId,
    chosen: &dyn Fn(ProductionId) -> bool,
    mut found: impl FnMut(GotoId, Occurrence),
) {
    let state = gotos.source(above);
    for &production in cfg.productions_of(gotos.nonterminal(above)) {
        if !chosen(production) {
            continue;
        }
        for (position, below) in gotos.along(cfg, automaton, state, production) {
            found(below, Occurrence { above, production, position: to_u32(position) });
        }
    }
}
