//! Parts of the cover family: `symbol`, `bfs:K`, `deriv`, `pll` and `pair`. They are the fragments that
//! the cover algorithm puts into small tests; what it closes off there is a slot here.

use gramercy_base::Id;
use gramercy_coverage::{Reading, TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, Tree};
use gramercy_language::Language;
use gramercy_parse::Derivations;

use super::PlanNode;
use super::parts::{Above, Parts, SpotId, Wanted, spot_of, steps_of_nonterminals};
use crate::strategies::cover::{Build, Fragments};
use gramercy_derive::candidate::Candidate;
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::Contexts;

/// The fragments of a criterion.
pub struct FragmentParts<'v, F: Fragments> {
    language: &'v Language,
    criterion: F,
    paths: F::Paths<'v>,
}

impl<'v, F: Fragments> FragmentParts<'v, F> {
    /// The fragments of this language that are cheapest in tokens.
    pub fn new(language: &'v Language, criterion: F, cheapest: &'v CheapestTrees<'v>) -> Self {
        let contexts = Contexts::new(language, cheapest);
        let paths = criterion.paths(language, &contexts);
        Self { language, criterion, paths }
    }
}

impl<F: Fragments> std::fmt::Debug for FragmentParts<'_, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FragmentParts").field(&self.criterion).finish()
    }
}

impl<F: Fragments> FragmentParts<'_, F> {
    /// Appends a production as a part; the spot it stands at.
    pub(super) fn production(&self, production: ProductionId, nodes: &mut Vec<PlanNode>) -> SpotId {
        nodes.push(PlanNode::Production(production));
        nodes.extend(nonterminals(self.language.bnf().rhs(production)).map(PlanNode::Open));
        spot_of(self.language.bnf().lhs(production))
    }
}

impl<F: Fragments> Parts for FragmentParts<'_, F> {
    type NodeState = ();

    fn targets(&self) -> u64 {
        self.criterion.targets()
    }

    fn is_coverable(&self, target: TargetId) -> bool {
        self.criterion.uncoverable(target).is_none()
    }

    fn spots(&self) -> usize {
        self.language.bnf().nonterminal_count()
    }

    fn steps(&self) -> Vec<(SpotId, Above)> {
        steps_of_nonterminals(self.language)
    }

    fn root(&self) {}

    fn below(&self, (): (), _: ProductionId, _: usize) {}

    fn head(&self, spot: SpotId) -> NonterminalId {
        NonterminalId::from_index(spot.index())
    }

    fn spot(&self, nonterminal: NonterminalId, (): ()) -> Option<SpotId> {
        Some(spot_of(nonterminal))
    }

    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> SpotId {
        let mut recorder = Recorder { root: None, nodes };
        self.criterion.build(self.language, &self.paths, target, &mut recorder);
        spot_of(recorder.root.expect("invariant: a fragment has a root"))
    }

    fn cover(&self, candidate: &mut Candidate, _: Wanted<'_>, covered: &mut TargetSet) {
        let tree = Tree::new(self.language.bnf(), candidate.productions.clone());
        let derivations = Derivations::of_tree(self.language.bnf(), &tree);
        self.criterion.cover(&Reading::of(&derivations), covered);
    }
}

/// Notes how a fragment is built.
struct Recorder<'r> {
    root: Option<NonterminalId>,
    nodes: &'r mut Vec<PlanNode>,
}

fn nonterminals(symbols: &[Symbol]) -> impl Iterator<Item = NonterminalId> + '_ {
    symbols.iter().filter_map(|symbol| match symbol {
        Symbol::Nonterminal(id) => Some(*id),
        Symbol::Terminal(_) => None,
    })
}

impl Build for Recorder<'_> {
    fn open(&mut self, nonterminal: NonterminalId) {
        self.root = Some(nonterminal);
    }

    fn finish(&mut self, _: NonterminalId) {}

    fn production(&mut self, production: ProductionId) {
        self.nodes.push(PlanNode::Production(production));
    }

    fn close(&mut self, symbols: &[Symbol]) {
        self.nodes.extend(nonterminals(symbols).map(PlanNode::Open));
    }

    fn vanish(&mut self, symbols: &[Symbol]) {
        self.nodes.extend(nonterminals(symbols).map(|_| PlanNode::Closed));
    }
}
