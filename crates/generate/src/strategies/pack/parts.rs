//! Where the nearest missing part of a tree is, whatever the criterion.
//!
//! A target is covered by some part of a tree: a few productions below a nonterminal, with slots
//! beside them that anything may stand in. [`Parts`] knows these parts, and the *spots* at which they
//! can stand: a nonterminal, or where the state to its left matters too, a push of it onto that
//! state. Below a spot the nearest missing part stands at the spot itself, or at the nearest spot below
//! that has any: a breadth-first search from all of these at once, upwards.
//!
//! The search is made anew when a way leads to a spot where nothing is missing any more, but not before
//! enough targets were taken to pay for it; a slot that meets an old way before that is closed off.
//! So all searches together are linear in the targets and, for each test, in the grammar. Memory is 12
//! bytes a target. What a finished tree covers is measured as for any other test.

use std::collections::VecDeque;
use std::fmt::Debug;

use gramercy_analysis::Rows;
use gramercy_base::{Id, IdSet};
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use super::{Plan, PlanNode, Source, Taken};
use gramercy_derive::agenda::Agenda;
use gramercy_derive::candidate::Candidate;
use gramercy_derive::contexts::Step;

gramercy_base::define_id!(pub struct SpotId, "a place in trees at which parts can stand");

/// A spot with a step down to another one.
#[derive(Clone, Copy, Debug)]
pub struct Above {
    /// The spot.
    pub spot: SpotId,
    /// The step from its nonterminal.
    pub step: Step,
}

/// What is wanted of a finished tree.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'w> {
    /// What it was made for.
    pub taken: &'w [TargetId],
    /// What else is missing.
    pub missing: &'w Agenda,
}

/// Knows the parts that cover targets, and where they can stand.
pub trait Parts: Send {
    /// What is known of a place in a tree, beside its nonterminal.
    type NodeState: Copy + Debug + Send;

    /// The number of targets.
    fn targets(&self) -> u64;

    /// Whether some sentence covers a target.
    fn is_coverable(&self, target: TargetId) -> bool;

    /// The number of spots.
    fn spots(&self) -> usize;

    /// All steps from spots to spots that trees can have: the spot below, and where it is reached from.
    fn steps(&self) -> Vec<(SpotId, Above)>;

    /// The place of a root.
    fn root(&self) -> Self::NodeState;

    /// The place of a position of a production that is used at a place.
    fn below(
        &self,
        place: Self::NodeState,
        production: ProductionId,
        position: usize,
    ) -> Self::NodeState;

    /// The nonterminal of a spot.
    fn head(&self, spot: SpotId) -> NonterminalId;

    /// The spot of a nonterminal at a place.
    fn spot(&self, nonterminal: NonterminalId, place: Self::NodeState) -> Option<SpotId>;

    /// Appends the part of a coverable target, its nonterminals in preorder; the spot it stands at.
    fn part(&self, target: TargetId, nodes: &mut Vec<PlanNode>) -> SpotId;

    /// The rank of a target among those of the criterion.
    fn rank(&self, target: TargetId) -> TargetId {
        target
    }

    /// Whether a tree alone tells what it covers.
    fn measures_trees(&self) -> bool {
        true
    }

    /// Adds what a finished tree covers. Whatever else belongs to the test is put into the candidate, for these
    /// targets first, which the tree was made for, and then for others that are missing.
    fn cover(&self, candidate: &mut Candidate, wanted: Wanted<'_>, covered: &mut TargetSet);
}

/// The missing targets of some parts.
#[derive(Debug)]
pub struct MissingParts<P> {
    parts: P,
    agenda: Agenda,
    /// The targets whose parts stand at each spot.
    own: Rows<SpotId, TargetId>,
    /// And the spot of each target, as far as some are missing.
    spots: Vec<Option<SpotId>>,
    /// Those that trees do not have which are made for them.
    late: TargetSet,
    /// Before this one of them, none is missing.
    cursors: Vec<usize>,
    uses: Rows<SpotId, Above>,
    nearest: Vec<Nearest>,
    /// How many targets were taken or put back since the ways were found.
    taken: usize,
    /// Whether some were put back since then.
    is_grown: bool,
    above_cycles: IdSet<NonterminalId>,
    covered: TargetSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nearest {
    None,
    Own,
    Below(Step, SpotId),
}

/// The most steps that are looked at for each target that was taken.
const STEPS_A_TARGET: usize = 256;

impl<P: Parts> MissingParts<P> {
    /// What is missing of all targets but those that are given, as far as their parts are made of what
    /// this language has.
    #[must_use]
    pub fn new(language: &Language, parts: P, given: &TargetSet) -> Self {
        let is_useful = |production| language.useful().has_production(production);
        let mut agenda = Agenda::empty(parts.targets());
        let (mut own, mut spots, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
        let is_missing =
            |target: &TargetId| !given.contains(*target) && parts.is_coverable(*target);
        for target in (0..parts.targets()).filter(is_missing) {
            nodes.clear();
            let spot = parts.part(target, &mut nodes);
            if !nodes.iter().all(|tree| tree.production().is_none_or(is_useful)) {
                continue;
            }
            own.push((spot, target));
            let index = usize::try_from(target).expect("invariant: targets fit in memory");
            spots.resize(index + 1, None);
            spots[index] = Some(spot);
            agenda.insert(target);
        }
        let own = Rows::group(parts.spots(), &own);
        let mut steps = parts.steps();
        steps.retain(|(_, above)| is_useful(above.step.production));
        let uses = Rows::group(parts.spots(), &steps);
        let above_cycles = super::above_cycles(language, &super::components(language));
        let mut missing = Self {
            agenda,
            own,
            spots,
            late: TargetSet::new(),
            cursors: vec![0; parts.spots()],
            uses,
            nearest: vec![Nearest::None; parts.spots()],
            parts,
            taken: 0,
            is_grown: false,
            above_cycles,
            covered: TargetSet::new(),
        };
        missing.find_nearest();
        missing
    }

    /// The spot of a target that was missing once, if trees are made for it.
    fn spot_of(&self, target: TargetId) -> Option<SpotId> {
        let index = usize::try_from(target).expect("invariant: targets fit in memory");
        self.spots[index].filter(|_| !self.late.contains(target))
    }

    /// A missing target whose part stands at a spot.
    fn own(&mut self, spot: SpotId) -> Option<TargetId> {
        let (cursor, row) = (&mut self.cursors[spot.index()], self.own.row(spot));
        let is_missing = |target| self.agenda.contains(target) && !self.late.contains(target);
        while row.get(*cursor).is_some_and(|&target| !is_missing(target)) {
            *cursor += 1;
        }
        row.get(*cursor).copied()
    }

    fn find_nearest(&mut self) {
        (self.taken, self.is_grown) = (0, false);
        let mut queue = VecDeque::new();
        for spot in self.own.ids() {
            let is_own = self.own(spot).is_some();
            self.nearest[spot.index()] = if is_own { Nearest::Own } else { Nearest::None };
            if is_own {
                queue.push_back(spot);
            }
        }
        while let Some(below) = queue.pop_front() {
            for &Above { spot, step } in self.uses.row(below) {
                if self.nearest[spot.index()] == Nearest::None {
                    self.nearest[spot.index()] = Nearest::Below(step, below);
                    queue.push_back(spot);
                }
            }
        }
    }

    /// Plans the way to the nearest part, if what is known of it is not out of date.
    fn follow(&mut self, from: SpotId, plan: &mut Plan) -> Option<(TargetId, SpotId)> {
        plan.steps.clear();
        let mut at = from;
        while let Nearest::Below(step, below) = self.nearest[at.index()] {
            plan.steps.push(step);
            at = below;
        }
        let target = self.own(at)?;
        plan.approach = plan.steps.len();
        plan.last = None;
        plan.nodes.clear();
        self.parts.part(target, &mut plan.nodes);
        Some((target, at))
    }
}

impl<P: Parts> Source for MissingParts<P> {
    type NodeState = P::NodeState;

    fn begin(&mut self) -> P::NodeState {
        self.find_nearest();
        self.parts.root()
    }

    fn used(&mut self, _: P::NodeState, _: ProductionId) {}

    fn below(
        &mut self,
        place: P::NodeState,
        production: ProductionId,
        position: usize,
    ) -> P::NodeState {
        self.parts.below(place, production, position)
    }

    fn take(
        &mut self,
        nonterminal: NonterminalId,
        place: P::NodeState,
        plan: &mut Plan,
    ) -> Option<Taken> {
        let spot = self.parts.spot(nonterminal, place)?;
        let mut found = self.follow(spot, plan);
        let is_out_of_date = self.is_grown || self.nearest[spot.index()] != Nearest::None;
        let is_paid = self.taken >= self.uses.items().len() / STEPS_A_TARGET;
        if found.is_none() && is_out_of_date && is_paid {
            self.find_nearest();
            found = self.follow(spot, plan);
        }
        let (target, at) = found?;
        self.taken += 1;
        self.agenda.remove(target);
        Some(Taken { target, is_rare: self.above_cycles.contains(self.parts.head(at)) })
    }

    fn take_any(&mut self, _: &mut Plan) -> Option<(TargetId, bool)> {
        // What can be covered is below the start symbol, but trees may not have what they are made for.
        let target = self.agenda.first_in(0, self.parts.targets())?;
        self.agenda.remove(target);
        Some((target, false))
    }

    fn put_back(&mut self, target: TargetId) {
        self.agenda.insert(target);
        let Some(spot) = self.spot_of(target) else { return };
        let at = self.own.row(spot).partition_point(|&own| own < target);
        let cursor = &mut self.cursors[spot.index()];
        *cursor = at.min(*cursor);
        self.nearest[spot.index()] = Nearest::Own;
        self.is_grown = true;
        self.taken += 1;
    }

    fn give_up(&mut self, target: TargetId) {
        self.agenda.remove(target);
    }

    fn finish(&mut self, candidate: &mut Candidate, fresh: &mut Vec<TargetId>) {
        self.covered.clear();
        let wanted = Wanted { taken: fresh, missing: &self.agenda };
        self.parts.cover(candidate, wanted, &mut self.covered);
        if !self.parts.measures_trees() {
            // What was meant to be covered need not have found room.
            for target in fresh.drain(..) {
                self.agenda.insert(target);
                if self.covered.is_empty() {
                    self.late.insert(target);
                }
            }
        }
        fresh.extend(self.covered.iter().filter(|&target| self.agenda.remove(target)));
    }

    fn missing(&self) -> u64 {
        self.agenda.len()
    }

    fn is_missing(&self, target: TargetId) -> bool {
        self.agenda.contains(target)
    }

    fn rank(&self, target: TargetId) -> TargetId {
        self.parts.rank(target)
    }

    fn measures_trees(&self) -> bool {
        self.parts.measures_trees()
    }
}

/// Steps between nonterminals, where nothing else matters: a spot is a nonterminal.
pub(super) fn steps_of_nonterminals(language: &Language) -> Vec<(SpotId, Above)> {
    let bnf = language.bnf();
    let mut steps = Vec::new();
    for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
        let spot = spot_of(bnf.lhs(production));
        for (position, &symbol) in bnf.rhs(production).iter().enumerate() {
            if let Symbol::Nonterminal(below) = symbol {
                steps.push((spot_of(below), Above { spot, step: Step { production, position } }));
            }
        }
    }
    steps
}

/// The spot of a nonterminal, where nothing else matters.
pub(super) fn spot_of(nonterminal: NonterminalId) -> SpotId {
    SpotId::from_index(nonterminal.index())
}
