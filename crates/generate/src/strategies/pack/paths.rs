//! Where the nearest missing k-path is.
//!
//! Paths that begin alike have adjacent ranks. A place knows the running sums of the symbolic nodes
//! above it, so "is a path missing that began D nodes above and goes on here?" is a look into a
//! range of the agenda. Those that began furthest above come first: they are the shortest to
//! complete. If none is missing, the way to the nearest node at which a missing path begins is
//! followed; that is a breadth-first search from all such nodes at once, upwards, made anew when the
//! node it leads to has none left.

use std::collections::VecDeque;

use gramercy_analysis::Rows;
use gramercy_base::{IdSet, LimitReached, Table};
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::{NodeId, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use super::joined::PackedPart;
use super::{Pack, PackOptions, Plan, Source, Taken};
use crate::strategies::kpath::{KPathOptions, KPathStrategy, Omitted, coverable};
use gramercy_derive::agenda::Agenda;
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::path_ranks::{Ended, PathRanks, PathWalk, Symbolic};
use gramercy_derive::routes::{ArrivalId, From, Route, Routes};
use gramercy_derive::search::Guide;
use gramercy_derive::strategy::{Outcome, Rejection, Reply, Sequential};

/// The missing k-paths.
#[derive(Debug)]
pub struct MissingPaths<'v> {
    language: &'v Language,
    symbolic: Symbolic,
    ranks: PathRanks,
    cheapest: CheapestTrees<'v>,
    routes: Routes,
    agenda: Agenda,
    /// The sums of every symbolic node of the tree in hand.
    sums: Vec<u64>,
    /// For each nonterminal the arrival on the way to the nearest node with a missing path.
    nearest: Table<NonterminalId, Option<ArrivalId>>,
    /// Whether something came back to the agenda since these ways were found.
    is_grown: bool,
    /// The arrivals that lead to a nonterminal.
    uses: Rows<NonterminalId, ArrivalId>,
    /// Nodes that stand in rules which trees have in few places.
    rare: IdSet<NodeId>,
    route: Route,
    walk: PathWalk,
    /// What the tree in hand was found to cover while it grew.
    fresh: Vec<TargetId>,
}

/// A packed suite of k-paths, and after it small tests for the paths that are shorter and lie in no
/// path of K nodes, as far as the large ones do not have them.
#[derive(Debug)]
pub struct PackedPaths<'v> {
    pack: Pack<'v, MissingPaths<'v>>,
    rest: KPathStrategy<'v>,
    current: Current,
}

/// What the candidate in hand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Current {
    /// A large test.
    Packed,
    /// A small test in place of a large one that could not be written; how often it was rejected.
    Instead { attempts: u32 },
    /// A small test: there are no more large ones.
    Small,
}

impl<'v> PackedPaths<'v> {
    /// The suite that these options describe; of small tests they describe all, of large ones the
    /// targets and the bounds. Large tests are trees of the `writable` language, and so are small ones where
    /// that is possible.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    pub fn new(
        language: &'v Language,
        writable: &'v Language,
        options: KPathOptions,
    ) -> Result<Self, LimitReached> {
        let KPathOptions { k, criterion, max_tokens, attempts, .. } = options;
        let mut source = MissingPaths::new(writable, k, &options.given)?;
        if let Some(wanted) = &options.wanted {
            source.keep_only(wanted);
        }
        let pack = Pack::new(writable, source, PackOptions { criterion, max_tokens, attempts });
        // The engine keeps the bound too, and reports what it leaves out.
        let options = KPathOptions { max_tokens: None, ..options };
        let rest = KPathStrategy::within(language, writable, options)?;
        Ok(Self { pack, rest, current: Current::Packed })
    }

    /// With a guide that knows what can be written: large tests go without what cannot, and in place of
    /// small ones others are searched for.
    #[must_use]
    pub fn guided(self, guide: Option<&'v Guide<'v>>) -> Self {
        Self { pack: self.pack.guided(guide), rest: self.rest.guided(guide), ..self }
    }

    /// Proposes a small test for the target that a large test was given up for.
    fn instead(&mut self, rejection: &Rejection, candidate: &mut Candidate) -> Reply {
        let Some(target) = self.pack.given_up().filter(|_| rejection.may_retry) else {
            return Reply::Done;
        };
        self.current = Current::Instead { attempts: 0 };
        if self.rest.next_for(target, candidate) { Reply::Another } else { Reply::Done }
    }

    /// What is in no test, with the reason.
    #[must_use]
    pub fn omitted(&self) -> &std::collections::BTreeMap<TargetId, Omitted> {
        self.rest.omitted()
    }
}

impl Sequential for PackedPaths<'_> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        if self.current != Current::Small {
            self.current = Current::Packed;
            if self.pack.propose(candidate) {
                return true;
            }
            self.current = Current::Small;
        }
        self.rest.propose(candidate)
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        let Outcome::Rejected(rejection) = outcome else {
            match self.current {
                Current::Packed => self.rest.cover(candidate),
                Current::Instead { .. } => self.pack.see(candidate),
                Current::Small => {}
            }
            return Reply::Done;
        };
        match &mut self.current {
            Current::Small => self.rest.conclude(outcome, candidate),
            Current::Instead { attempts } => {
                *attempts += 1;
                let rejection = Rejection { attempts: *attempts, ..rejection.clone() };
                self.rest.conclude(Outcome::Rejected(&rejection), candidate)
            }
            Current::Packed => match self.pack.conclude(outcome, candidate) {
                Reply::Another => Reply::Another,
                Reply::Done => self.instead(rejection, candidate),
            },
        }
    }

    fn impossible(&self) -> Vec<Goal> {
        self.rest.impossible()
    }
}

impl PackedPart for PackedPaths<'_> {
    fn see(&mut self, candidate: &Candidate) {
        self.pack.see(candidate);
        self.rest.cover(candidate);
    }
}

/// A place of a tree.
#[derive(Clone, Copy, Debug)]
pub struct PathNode {
    /// The nearest symbolic node above.
    node: Option<NodeId>,
    /// Where its sums are.
    sums: usize,
    /// How many symbolic nodes there are above, up to the number that matters.
    depth: usize,
}

impl<'v> MissingPaths<'v> {
    /// The paths of k symbolic nodes that these do not include.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    ///
    /// # Panics
    /// If `k` is 0.
    pub fn new(language: &'v Language, k: u32, given: &TargetSet) -> Result<Self, LimitReached> {
        let ranks = PathRanks::new(language, k as usize)?;
        let mut agenda = coverable(language, &ranks)?;
        agenda.remove_all(given);
        let symbolic = Symbolic::new(language);
        let cheapest = super::shortest(language);
        let components = super::components(language);
        let routes = Routes::new(language, &symbolic, &cheapest, From::All(&components), None);
        let leads = |(id, symbol)| match symbol {
            Some(Symbol::Nonterminal(below)) => Some((below, id)),
            _ => None,
        };
        let uses: Vec<_> =
            routes.arrivals().map(|(id, arrival)| (id, arrival.symbol)).filter_map(leads).collect();
        let uses = Rows::group(language.bnf().nonterminal_count(), &uses);
        let nearest = Table::filled(None, language.bnf().nonterminal_count());
        let mut rare = IdSet::new(language.graph().len());
        let above_cycles = super::above_cycles(language, &components);
        for (_, arrival) in routes.arrivals() {
            if above_cycles.contains(arrival.head) {
                rare.insert(arrival.node);
            }
        }
        let (sums, route, walk) = (Vec::new(), Route::default(), PathWalk::default());
        let mut missing = Self {
            language,
            symbolic,
            ranks,
            cheapest,
            routes,
            agenda,
            sums,
            nearest,
            is_grown: false,
            uses,
            rare,
            route,
            walk,
            fresh: Vec::new(),
        };
        missing.find_nearest();
        Ok(missing)
    }

    /// Nothing else is wanted.
    fn keep_only(&mut self, wanted: &TargetSet) {
        let mut agenda = Agenda::empty(self.ranks.len());
        for target in wanted.iter().filter(|&target| self.agenda.contains(target)) {
            agenda.insert(target);
        }
        self.agenda = agenda;
        self.find_nearest();
    }

    /// What is missing.
    #[must_use]
    pub fn agenda(&self) -> &Agenda {
        &self.agenda
    }

    fn begins_missing(&self, node: NodeId) -> Option<TargetId> {
        let ranks = self.ranks.beginning_with(node);
        self.agenda.first_in(ranks.start, ranks.end)
    }

    /// For each nonterminal, the way to the nearest node at which a missing path begins.
    fn find_nearest(&mut self) {
        self.is_grown = false;
        self.nearest.values_mut().for_each(|nearest| *nearest = None);
        let mut queue = VecDeque::new();
        for (id, arrival) in self.routes.arrivals() {
            if self.nearest[arrival.head].is_none() && self.begins_missing(arrival.node).is_some() {
                self.nearest[arrival.head] = Some(id);
                queue.push_back(arrival.head);
            }
        }
        while let Some(below) = queue.pop_front() {
            for &id in self.uses.row(below) {
                let head = self.routes.arrival(id).head;
                if self.nearest[head].is_none() {
                    self.nearest[head] = Some(id);
                    queue.push_back(head);
                }
            }
        }
    }

    /// A missing path that began above and goes on at one of the next nodes; the one that began
    /// furthest above.
    fn continued(&self, nonterminal: NonterminalId, place: PathNode) -> Option<(usize, TargetId)> {
        let node = place.node?;
        let k = self.ranks.k();
        for above in (1..=place.depth.min(k - 1)).rev() {
            let sum = self.sums[place.sums + above - 1];
            let all = sum..sum + self.ranks.completions(k - above + 1, node);
            if self.agenda.first_in(all.start, all.end).is_none() {
                continue;
            }
            let goes_on = |&id: &ArrivalId| {
                let next = self.routes.arrival(id).node;
                let from = sum + self.ranks.share(k - above, next);
                self.agenda.first_in(from, from + self.ranks.completions(k - above, next))
            };
            if let Some(target) = self.routes.from(nonterminal).iter().find_map(goes_on) {
                return Some((above, target));
            }
        }
        None
    }

    /// Follows the way to the nearest missing path: the arrivals before its first node, and the path.
    fn follow(&self, nonterminal: NonterminalId) -> Option<(Vec<ArrivalId>, TargetId)> {
        let (mut way, mut head) = (Vec::new(), nonterminal);
        loop {
            let id = self.nearest[head]?;
            let arrival = self.routes.arrival(id);
            if let Some(target) = self.begins_missing(arrival.node) {
                return Some((way, target));
            }
            let Some(Symbol::Nonterminal(below)) = arrival.symbol else { return None };
            way.push(id);
            head = below;
            if way.len() > self.language.bnf().nonterminal_count() {
                return None;
            }
        }
    }

    fn plan_from(
        &mut self,
        head: NonterminalId,
        path: &[NodeId],
        way: &[ArrivalId],
        plan: &mut Plan,
    ) -> bool {
        let Self { routes, cheapest, route, .. } = self;
        if !routes.embed_below(cheapest, head, path, route) {
            return false;
        }
        plan.steps.clear();
        way.iter().for_each(|&arrival| routes.steps(arrival, &mut plan.steps));
        route.arrivals.iter().for_each(|&arrival| routes.steps(arrival, &mut plan.steps));
        plan.approach = plan.steps.len();
        plan.last = routes.last_production(route);
        true
    }

    fn take_nearest(&mut self, nonterminal: NonterminalId, plan: &mut Plan) -> Option<TargetId> {
        let found = self.follow(nonterminal).or_else(|| {
            let is_out_of_date = self.is_grown || self.nearest[nonterminal].is_some();
            if self.agenda.is_empty() || !is_out_of_date {
                return None;
            }
            self.find_nearest();
            self.follow(nonterminal)
        });
        let (way, target) = found?;
        let path = self.ranks.path(target);
        let head =
            way.last().map_or(Some(nonterminal), |&id| match self.routes.arrival(id).symbol {
                Some(Symbol::Nonterminal(below)) => Some(below),
                _ => None,
            })?;
        self.plan_from(head, &path, &way, plan).then_some(target)
    }
}

impl Source for MissingPaths<'_> {
    type NodeState = PathNode;

    fn begin(&mut self) -> PathNode {
        self.sums.clear();
        self.fresh.clear();
        PathNode { node: None, sums: 0, depth: 0 }
    }

    fn used(&mut self, place: PathNode, production: ProductionId) {
        let (bnf, k) = (self.language.bnf(), self.ranks.k());
        if place.depth + 1 < k {
            return;
        }
        let above = if place.depth == 0 { &[][..] } else { &self.sums[place.sums..place.sums + k] };
        let rhs = bnf.rhs(production).iter().zip(self.symbolic.nodes(bnf, production));
        let terminals = rhs.filter(|(symbol, _)| matches!(symbol, Symbol::Terminal(_)));
        let silent = bnf.silent(production).iter().map(|&(_, leaf)| leaf);
        for leaf in terminals.filter_map(|(_, &node)| node).chain(silent) {
            let rank = self.ranks.last(above, leaf);
            if self.agenda.remove(rank) {
                self.fresh.push(rank);
            }
        }
    }

    fn below(&mut self, place: PathNode, production: ProductionId, position: usize) -> PathNode {
        let bnf = self.language.bnf();
        let Some(node) = self.symbolic.nodes(bnf, production)[position] else { return place };
        let (k, sums) = (self.ranks.k(), self.sums.len());
        self.sums.resize(sums + k, 0);
        let (above, here) = self.sums.split_at_mut(sums);
        let above = if place.depth == 0 { &[] } else { &above[place.sums..place.sums + k] };
        self.ranks.step(above, node, here);
        let rank = here[k - 1];
        if place.depth + 1 >= k && self.agenda.remove(rank) {
            self.fresh.push(rank);
        }
        PathNode { node: Some(node), sums, depth: (place.depth + 1).min(k) }
    }

    fn take(
        &mut self,
        nonterminal: NonterminalId,
        place: PathNode,
        plan: &mut Plan,
    ) -> Option<Taken> {
        if self.agenda.is_empty() {
            return None;
        }
        let continued = self.continued(nonterminal, place).and_then(|(above, target)| {
            let path = self.ranks.path(target);
            self.plan_from(nonterminal, &path[above..], &[], plan).then_some(target)
        });
        let target = continued.or_else(|| self.take_nearest(nonterminal, plan))?;
        self.agenda.remove(target);
        let is_rare = self.ranks.path(target).first().is_some_and(|&node| self.rare.contains(node));
        Some(Taken { target, is_rare })
    }

    fn take_any(&mut self, plan: &mut Plan) -> Option<(TargetId, bool)> {
        let target = self.agenda.first_in(0, self.ranks.len())?;
        self.agenda.remove(target);
        let Self { routes, cheapest, route, .. } = self;
        let is_possible = routes.embed(cheapest, &self.ranks.path(target), route);
        if is_possible {
            routes.steps_of(route, &mut plan.steps);
            plan.last = routes.last_production(route);
        }
        Some((target, is_possible))
    }

    fn put_back(&mut self, target: TargetId) {
        self.agenda.insert(target);
        self.is_grown = true;
    }

    fn give_up(&mut self, target: TargetId) {
        self.agenda.remove(target);
    }

    fn retract(&mut self, taken: &mut Vec<TargetId>) {
        taken.append(&mut self.fresh);
        taken.drain(..).for_each(|target| self.put_back(target));
    }

    fn finish(&mut self, candidate: &mut Candidate, fresh: &mut Vec<TargetId>) {
        fresh.append(&mut self.fresh);
        let Self { agenda, walk, .. } = self;
        let language = (self.language.bnf(), &self.symbolic, &self.ranks);
        walk.walk(language, &candidate.productions, |ended| {
            if let Ended::Path(rank) = ended
                && agenda.remove(rank)
            {
                fresh.push(rank);
            }
        });
    }

    fn missing(&self) -> u64 {
        self.agenda.len()
    }

    fn is_missing(&self, target: TargetId) -> bool {
        self.agenda.contains(target)
    }
}
