//! Which reduction path is embedded in which (paper 003 §5 and §7).
//!
//! The reduction paths that end in the push of A onto q fit wherever another reduction path pushes A
//! onto q. So an embedding is a chain of such *occurrences* up to the push of the start symbol onto
//! the initial state. A breadth-first search from there meets every push first where its embedding is
//! shallowest; what it stores, one occurrence a push, is the paper's embedding tree. It goes along
//! chosen productions only: given those that derive anything, a pop edge is on the path of some
//! sentence exactly if its push is in the tree and its production is chosen. Linear in the lengths of
//! all reduction paths.

use gramercy_analysis::Rows;
use gramercy_base::Table;
use gramercy_grammar::{Cfg, ProductionId};

use crate::automaton::Automaton;
use crate::gotos::{GotoId, Gotos};

/// A push of a nonterminal as part of a reduction path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Occurrence {
    /// The push that the reduction path ends in.
    pub above: GotoId,
    /// Its production.
    pub production: ProductionId,
    /// Which symbol of the production is pushed.
    pub position: u32,
}

/// For each push of a nonterminal its shallowest embedding.
#[derive(Clone, Debug)]
pub struct EmbeddingTree {
    depths: Table<GotoId, u32>,
    /// Nothing for the root and what is not in the tree.
    parents: Table<GotoId, Option<Occurrence>>,
    order: Vec<GotoId>,
}

/// The depth of what is not in the tree.
const NOWHERE: u32 = u32::MAX;

impl EmbeddingTree {
    /// The tree along chosen productions; it is empty if the start symbol has none of them.
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

    /// Whether some sentence's path takes a push.
    #[inline]
    #[must_use]
    pub fn contains(&self, goto: GotoId) -> bool {
        self.depths[goto] != NOWHERE
    }

    /// The occurrence through which a push is embedded; `None` for the start symbol's.
    #[inline]
    #[must_use]
    pub fn parent(&self, goto: GotoId) -> Option<Occurrence> {
        self.parents[goto]
    }

    /// How many occurrences are above a push that is in the tree.
    #[must_use]
    pub fn depth(&self, goto: GotoId) -> u32 {
        self.depths[goto]
    }

    /// All pushes in the tree, parents before children.
    #[must_use]
    pub fn order(&self) -> &[GotoId] {
        &self.order
    }

    /// All occurrences of each push along chosen productions, shallow ones first; those of equal
    /// depth in the order of the search.
    #[must_use]
    pub fn occurrences(
        &self,
        cfg: &Cfg,
        automaton: &Automaton,
        gotos: &Gotos,
        chosen: &dyn Fn(ProductionId) -> bool,
    ) -> Rows<GotoId, Occurrence> {
        let mut pairs = Vec::new();
        // The search goes from shallow to deep.
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
            let position = u32::try_from(position).expect("invariant: positions fit in 32 bits");
            found(below, Occurrence { above, production, position });
        }
    }
}
