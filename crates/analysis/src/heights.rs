//! The height of the shallowest tree, over both views.
//!
//! Over productions a terminal has height 0 and a production is one higher than its highest symbol.
//! On the grammar graph (paper 001 §4, as FACTS §1 states it) a leaf has height 0; a reference is
//! one higher than the right-hand side it leads to, an alternation than its lowest child, a
//! concatenation than its highest; a quantifier has height 1 if it may be left out, else it is one
//! higher than its child. Near-linear, see [`fixpoint`].

use gramercy_base::Table;
use gramercy_grammar::{Cfg, GrammarGraph, NodeId, NonterminalId, ProductionId, Symbol};

use crate::and_or::{AndOr, StepId};
use crate::fixpoint::{self, Measure};

/// For each nonterminal the height of its shallowest tree, and the production at its root: the
/// first in file order.
#[derive(Clone, Debug)]
pub struct Heights(Table<NonterminalId, Option<(u32, ProductionId)>>);

impl Heights {
    /// The heights of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        Self::among(cfg, &|_| true)
    }

    /// The heights by some of a grammar's productions.
    #[must_use]
    pub fn among(cfg: &Cfg, allowed: &dyn Fn(ProductionId) -> bool) -> Self {
        Self(fixpoint::solve(cfg, &OneMore { allowed }))
    }

    /// The height of the shallowest tree; `None` if the nonterminal derives nothing.
    #[must_use]
    pub fn height(&self, nonterminal: NonterminalId) -> Option<u32> {
        self.0[nonterminal].map(|(height, _)| height)
    }

    /// The production at the root of the shallowest tree; `None` if there is none.
    #[must_use]
    pub fn production(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.0[nonterminal].map(|(_, production)| production)
    }

    /// The height of the shallowest tree whose root is this production.
    #[must_use]
    pub fn of_production(&self, cfg: &Cfg, production: ProductionId) -> Option<u32> {
        cfg.rhs(production).iter().try_fold(1, |highest, &symbol| match symbol {
            Symbol::Terminal(_) => Some(highest),
            Symbol::Nonterminal(nonterminal) => Some(highest.max(self.height(nonterminal)? + 1)),
        })
    }
}

/// For each node of the grammar graph the height of the shallowest tree below it.
#[derive(Clone, Debug)]
pub struct NodeHeights(Table<NodeId, Option<u32>>);

impl NodeHeights {
    /// The heights of a graph.
    #[must_use]
    pub fn of(graph: &GrammarGraph) -> Self {
        let steps = AndOr::of(graph);
        let solution = fixpoint::solve(&steps, &HigherNode { graph, steps: &steps });
        Self(solution.map(|_, best| best.map(|(height, _)| height)))
    }

    /// The height of the shallowest tree below a node; `None` if there is none.
    #[must_use]
    pub fn height(&self, node: NodeId) -> Option<u32> {
        self.0[node]
    }
}

struct OneMore<'a> {
    allowed: &'a dyn Fn(ProductionId) -> bool,
}

impl Measure<ProductionId> for OneMore<'_> {
    type Cost = u32;

    fn base(&self, production: ProductionId) -> Option<u32> {
        (self.allowed)(production).then_some(1)
    }

    fn add(&self, height: u32, part: u32) -> u32 {
        height.max(part + 1)
    }
}

struct HigherNode<'a> {
    graph: &'a GrammarGraph,
    steps: &'a AndOr,
}

impl Measure<StepId> for HigherNode<'_> {
    type Cost = u32;

    fn base(&self, step: StepId) -> Option<u32> {
        let node = fixpoint::Rules::head(self.steps, step);
        Some(u32::from(!self.graph.children(node).is_empty()))
    }

    fn add(&self, height: u32, part: u32) -> u32 {
        height.max(part + 1)
    }
}
