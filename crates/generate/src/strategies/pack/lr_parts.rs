//! Parts of LR criteria, `pop-edge:A` and `lr-path:K`: the state to the left of a nonterminal matters, so
//! a spot is a push of a nonterminal onto a state.
//!
//! A pop edge is taken wherever its production is used in the state it pops to, so its part is that
//! one production. The part of a sequence is the tree by which small tests cover it. What is closed
//! off there comes before the first pop of the sequence or after the last one, so all of it is a slot.

use gramercy_base::Id;
use gramercy_coverage::criteria::lr_edge::LrEdges;
use gramercy_coverage::criteria::lr_path::LrPaths;
use gramercy_coverage::{Criterion, Reading, TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, Tree};
use gramercy_language::Language;
use gramercy_lr::{GotoId, StateId};
use gramercy_parse::Derivations;

use super::PlanNode;
use super::parts::{Above, Parts, SpotId, Wanted};
use crate::strategies::lr_path::LrPathTests;
use crate::strategies::pop_edge::PopEdges;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::contexts::Step;
use gramercy_derive::lr_contexts::LrContexts;

/// Tests whose parts stand at pushes.
pub trait LrTests<'v>: std::fmt::Debug + Send {
    /// How pushes are reached.
    fn contexts(&self) -> &LrContexts<'v>;

    /// Appends the part of a target; the push it stands at.
    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> GotoId;

    /// Whether some sentence covers a target.
    fn is_coverable(&self, target: TargetId) -> bool;
}

/// The parts of an LR criterion.
#[derive(Debug)]
pub struct LrParts<'v, T, C> {
    language: &'v Language,
    tests: T,
    criterion: C,
}

impl<'v, T: LrTests<'v>, C: Criterion> LrParts<'v, T, C> {
    /// The parts of the small tests of a criterion.
    #[must_use]
    pub fn new(language: &'v Language, tests: T, criterion: C) -> Self {
        Self { language, tests, criterion }
    }
}

/// The parts of pop edges.
pub type PopEdgeParts<'v> = LrParts<'v, PopEdges<'v>, LrEdges<'v>>;
/// The parts of sequences of pop edges.
pub type LrPathParts<'v> = LrParts<'v, LrPathTests<'v>, LrPaths<'v>>;

impl<'v, T: LrTests<'v>, C: Criterion> Parts for LrParts<'v, T, C> {
    type NodeState = StateId;

    fn targets(&self) -> u64 {
        self.criterion.targets()
    }

    fn is_coverable(&self, target: TargetId) -> bool {
        self.tests.is_coverable(target)
    }

    fn spots(&self) -> usize {
        self.tests.contexts().gotos().len()
    }

    fn steps(&self) -> Vec<(SpotId, Above)> {
        let occurrences = self.tests.contexts().occurrences();
        let step = |below: GotoId, of: &gramercy_lr::Occurrence| {
            let step = Step { production: of.production, position: of.position as usize };
            (spot(below), Above { spot: spot(of.above), step })
        };
        occurrences
            .iter()
            .flat_map(|(below, row)| row.iter().map(move |of| step(below, of)))
            .collect()
    }

    fn root(&self) -> StateId {
        self.tests.contexts().automaton().initial()
    }

    fn below(&self, state: StateId, production: ProductionId, position: usize) -> StateId {
        let automaton = self.tests.contexts().automaton();
        let before = &self.language.bnf().rhs(production)[..position];
        before.iter().fold(state, |state, &symbol| {
            let next = automaton.step(state, automaton.labels().symbol(symbol));
            next.expect("invariant: a tree is in the automaton")
        })
    }

    fn head(&self, spot: SpotId) -> NonterminalId {
        self.tests.contexts().gotos().nonterminal(GotoId::from_index(spot.index()))
    }

    fn spot(&self, nonterminal: NonterminalId, state: StateId) -> Option<SpotId> {
        self.tests.contexts().gotos().find(state, nonterminal).map(spot)
    }

    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> SpotId {
        spot(self.tests.part(target, nodes))
    }

    fn cover(&self, candidate: &mut Candidate, _: Wanted<'_>, covered: &mut TargetSet) {
        let tree = Tree::new(self.language.bnf(), candidate.productions.clone());
        let derivations = Derivations::of_tree(self.language.bnf(), &tree);
        self.criterion.cover(&Reading::of(&derivations), covered);
    }
}

impl<'v> LrTests<'v> for PopEdges<'v> {
    fn contexts(&self) -> &LrContexts<'v> {
        PopEdges::contexts(self)
    }

    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> GotoId {
        let (goto, production) = self.pop_edge(target);
        nodes.push(PlanNode::Production(production));
        let rhs = PopEdges::contexts(self).cfg().rhs(production).iter();
        nodes.extend(rhs.filter_map(|&symbol| slot(symbol)));
        goto
    }

    fn is_coverable(&self, target: TargetId) -> bool {
        let (goto, production) = self.pop_edge(target);
        PopEdges::contexts(self).reach(goto, production)
    }
}

impl<'v> LrTests<'v> for LrPathTests<'v> {
    fn contexts(&self) -> &LrContexts<'v> {
        LrPathTests::contexts(self)
    }

    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> GotoId {
        let (goto, tree) = self.tree(target, &|symbol, tree: &mut Vec<PlanNode>| {
            tree.extend(slot(symbol));
        });
        nodes.extend(tree);
        goto
    }

    fn is_coverable(&self, _: TargetId) -> bool {
        true
    }
}

fn slot(symbol: Symbol) -> Option<PlanNode> {
    match symbol {
        Symbol::Nonterminal(id) => Some(PlanNode::Open(id)),
        Symbol::Terminal(_) => None,
    }
}

fn spot(goto: GotoId) -> SpotId {
    SpotId::from_index(goto.index())
}
