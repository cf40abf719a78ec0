//! The height of the lowest tree, over both views.
//!
//! Over productions, a terminal has height 0 and a production is one higher than its highest
//! symbol. On the grammar graph (Havrikov, Kampmann, Zeller, TOSEM, section 4) a leaf has height 0;
//! a reference is one higher than the right-hand side of its rule; an alternation is one higher
//! than its lowest child, a concatenation one higher than its highest; a quantifier has height 1 if
//! it is optional, otherwise it is one higher than its child. Near-linear, see [`fixpoint`].
//!
//! Example: in `S: ( S ) | x y?;` over productions, `y?` has height 1 and S height 2. On the graph,
//! the concatenation `x y?` has height 2 and the alternation of S height 3.

use gramercy_base::Table;
use gramercy_grammar::{Cfg, GrammarGraph, NodeId, NonterminalId, ProductionId, Symbol};

use crate::and_or::{AndOr, DerivationId};
use crate::fixpoint::{self, Measure};

/// For each nonterminal the height of its lowest tree, and the first production in file order that
/// can be the root of such a tree.
#[derive(Clone, Debug)]
pub struct Heights(Table<NonterminalId, Option<(u32, ProductionId)>>);

impl Heights {
    /// The heights of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        Self::among(cfg, &|_| true)
    }

    /// The heights if only some of the productions may be used.
    #[must_use]
    pub fn among(cfg: &Cfg, allowed: &dyn Fn(ProductionId) -> bool) -> Self {
        Self(fixpoint::solve(cfg, &TreeHeight { allowed }))
    }

    /// The height of the lowest tree; `None` if the nonterminal derives nothing.
    #[must_use]
    pub fn height(&self, nonterminal: NonterminalId) -> Option<u32> {
        self.0[nonterminal].map(|(height, _)| height)
    }

    /// The production at the root of the lowest tree; `None` if there is no tree.
    #[must_use]
    pub fn production(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.0[nonterminal].map(|(_, production)| production)
    }

    /// The height of the lowest tree whose root is this production.
    #[must_use]
    pub fn of_production(&self, cfg: &Cfg, production: ProductionId) -> Option<u32> {
        cfg.rhs(production).iter().try_fold(1, |highest, &symbol| match symbol {
            Symbol::Terminal(_) => Some(highest),
            Symbol::Nonterminal(nonterminal) => Some(highest.max(self.height(nonterminal)? + 1)),
        })
    }
}

/// For each node of the grammar graph the height of the lowest tree below it.
#[derive(Clone, Debug)]
pub struct NodeHeights(Table<NodeId, Option<u32>>);

impl NodeHeights {
    /// The heights of a graph.
    #[must_use]
    pub fn of(graph: &GrammarGraph) -> Self {
        let steps = AndOr::of(graph);
        let solution = fixpoint::solve(&steps, &NodeHeight { graph, steps: &steps });
        Self(solution.map(|_, best| best.map(|(height, _)| height)))
    }

    /// The height of the lowest tree below a node; `None` if there is no tree.
    #[must_use]
    pub fn height(&self, node: NodeId) -> Option<u32> {
        self.0[node]
    }
}

struct TreeHeight<'a> {
    allowed: &'a dyn Fn(ProductionId) -> bool,
}

impl Measure<ProductionId> for TreeHeight<'_> {
    type Cost = u32;

    fn base(&self, production: ProductionId) -> Option<u32> {
        (self.allowed)(production).then_some(1)
    }

    fn add(&self, height: u32, part: u32) -> u32 {
        height.max(part + 1)
    }
}

struct NodeHeight<'a> {
    graph: &'a GrammarGraph,
    steps: &'a AndOr,
}

impl Measure<DerivationId> for NodeHeight<'_> {
    type Cost = u32;

    fn base(&self, step: DerivationId) -> Option<u32> {
        let node = fixpoint::Rules::head(self.steps, step);
        Some(u32::from(!self.graph.children(node).is_empty()))
    }

    fn add(&self, height: u32, part: u32) -> u32 {
        height.max(part + 1)
    }
}
