//! Few large tests: as many targets in each as fit.
//!
//! A test is grown from the start symbol. Every open slot, in the order in which they were opened, is
//! steered to a target that is still missing: the nearest one below it, and among these one that began
//! above it and so can hardly be had elsewhere. The target is taken off the agenda at once, and the
//! slot expanded along the way to it; what stands beside that way are new slots. A slot below which
//! nothing is missing is closed off as cheaply as possible. So one test takes everything that can
//! occur together, and only choices that exclude each other near the root need several. Slots are
//! served level by level, so that trees grow in breadth before they grow in depth.
//!
//! A slot of a recursive rule that is the last of its kind is not spent on a target that ends the
//! recursion: it is led to a production with several such slots first, if there is one, and of a
//! quantifier another repetition is opened. Only where a target can hardly be had elsewhere, it is
//! taken all the same.
//!
//! With a bound on tokens a target is taken only if the test with it, everything open closed off as
//! shortly as possible, keeps to the bound.
//!
//! What is known to be unwritable is cut off a finished tree (`cuts`).
//!
//! What is a target, and where the nearest one is, a [`Source`] knows: [`paths`] for k-paths,
//! [`chains`] for `rule`, `cdrc` and `step:K`, and [`parts`] for all others, whose targets are parts of
//! trees: [`fragments`] for the rest of the cover family, [`lr_parts`] for LR-graphs, [`texts`] for the
//! lexemes of tokens. [`joined`] puts them together to a suite. Cost: linear in the trees, but for the search for the
//! nearest target, which is made anew whenever the nearest one of some place is covered: once a
//! symbolic node or production at most, each linear in the grammar.

pub mod chains;
mod cuts;
pub mod fragments;
pub mod joined;
pub mod lr_parts;
pub mod parts;
pub mod paths;
pub mod texts;

use std::collections::{BTreeMap, VecDeque};

use gramercy_analysis::components::ComponentId;
use gramercy_analysis::{Components, Rows};
use gramercy_base::{IdSet, Table};
use gramercy_coverage::TargetId;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::strategies::kpath::Omitted;
use cuts::Pruner;
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::Step;
use gramercy_derive::resolution::{Embedding, Resolution};
use gramercy_derive::search::Guide;
use gramercy_derive::strategy::{Outcome, Rejection, Reply, Sequential};

/// A way from a nonterminal to a target.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The steps, from the nonterminal on.
    pub steps: Vec<Step>,
    /// The production after them, if the target needs a certain one.
    pub last: Option<ProductionId>,
    /// The part of a tree after them, if the target needs more than a production.
    pub nodes: Vec<PlanNode>,
    /// How many of the steps could be found from there without this plan.
    pub approach: usize,
    /// The target that is covered at the end of the way.
    reserved: Option<(TargetId, Way)>,
}

/// A nonterminal in a part of a tree; the parts below a production follow in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanNode {
    /// It is expanded by this production.
    Production(ProductionId),
    /// It is a slot.
    Open(NonterminalId),
    /// It is closed off as shortly as possible.
    Closed,
}

impl PlanNode {
    /// The production that it is expanded by, if that is fixed.
    fn production(&self) -> Option<ProductionId> {
        match self {
            PlanNode::Production(production) => Some(*production),
            PlanNode::Open(_) | PlanNode::Closed => None,
        }
    }
}

/// How a nonterminal comes to a production with several of its cycle.
#[derive(Clone, Copy, Debug)]
enum Branch {
    /// To the last of them.
    Here(Step),
    Below(Step),
}

/// A target that was taken off the agenda.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The target.
    pub target: TargetId,
    /// Whether it can hardly be had elsewhere.
    pub is_rare: bool,
}

/// Knows what is missing, and where.
pub trait Source: Send {
    /// What is known of a place in a tree; places of one test are counted from 0, the root.
    type NodeState: Copy + std::fmt::Debug + Send;

    /// A new test begins: the place of its root.
    fn begin(&mut self) -> Self::NodeState;

    /// A production is used at a place.
    fn used(&mut self, place: Self::NodeState, production: ProductionId);

    /// The place of a position of a production that is used at a place.
    fn below(
        &mut self,
        place: Self::NodeState,
        production: ProductionId,
        position: usize,
    ) -> Self::NodeState;

    /// Takes a missing target off the agenda and plans the way to it from a nonterminal; `None` if
    /// none is missing that can occur below it.
    fn take(
        &mut self,
        nonterminal: NonterminalId,
        place: Self::NodeState,
        plan: &mut Plan,
    ) -> Option<Taken>;

    /// Takes any missing target and plans the way to it from the start symbol, if there is one.
    fn take_any(&mut self, plan: &mut Plan) -> Option<(TargetId, bool)>;

    /// A target was not covered after all.
    fn put_back(&mut self, target: TargetId);

    /// A target is not wanted any more.
    fn give_up(&mut self, target: TargetId);

    /// Something was cut off a tree, so whatever was taken for it is missing until it is finished.
    fn retract(&mut self, taken: &mut Vec<TargetId>) {
        taken.drain(..).for_each(|target| self.put_back(target));
    }

    /// A tree is finished: takes what it covers off the agenda, and lists what is new.
    /// Whatever else belongs to the test is put into the candidate.
    fn finish(&mut self, candidate: &mut Candidate, fresh: &mut Vec<TargetId>);

    /// How many targets are missing.
    fn missing(&self) -> u64;

    /// Whether a target is missing.
    fn is_missing(&self, target: TargetId) -> bool;

    /// Whether a tree alone tells what it covers.
    fn measures_trees(&self) -> bool {
        true
    }

    /// The rank of a target among those of the criterion.
    fn rank(&self, target: TargetId) -> TargetId {
        target
    }
}

/// How tests are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackOptions {
    /// The number of the criterion among those of the suite.
    pub criterion: usize,
    /// No test has more tokens, where that can be kept.
    pub max_tokens: Option<u64>,
    /// How often a test that could not be written is made again, each time half as large.
    pub attempts: u32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self { criterion: 0, max_tokens: None, attempts: 16 }
    }
}

/// The tests of a packed suite, one after the other.
#[derive(Debug)]
pub struct Pack<'v, S: Source> {
    language: &'v Language,
    cheapest: CheapestTrees<'v>,
    source: S,
    options: PackOptions,
    components: Components<NonterminalId>,
    /// For each nonterminal of a cycle, the step towards a production with several of its kind.
    branching: Table<NonterminalId, Option<Branch>>,
    /// How many open slots of each component find their own way.
    free: Table<ComponentId, usize>,
    tree: Tree<S::NodeState>,
    plan: Plan,
    /// What the last test covers that nothing before did.
    fresh: Vec<TargetId>,
    goal: Option<TargetId>,
    last_tokens: u64,
    omitted: BTreeMap<TargetId, Omitted>,
    given_up: Option<TargetId>,
    /// How many tokens tests have that can be written, as far as is known: half as many after each that
    /// cannot, and twice as many after each that can.
    writable: u64,
    /// What cuts off what cannot be written, if anybody knows that.
    pruner: Option<Pruner<'v>>,
}

/// A tree in the making.
#[derive(Debug)]
struct Tree<P> {
    twigs: Vec<Twig<P>>,
    open: VecDeque<(usize, Option<Planned>)>,
    plans: Vec<Plan>,
    /// How many tokens it has with everything open closed off.
    tokens: u64,
    /// How often a slot was led to several others: not more often than targets were found.
    branches: usize,
}

/// A nonterminal of a tree.
#[derive(Clone, Copy, Debug)]
struct Twig<P> {
    nonterminal: NonterminalId,
    place: P,
    /// Its production and the first of the twigs below; none while it is open.
    grown: Option<(ProductionId, usize)>,
}

/// How a test begins.
enum Begun {
    /// Nothing is missing.
    Nothing,
    /// With this target, which was taken off the agenda, or with none in particular.
    With(Option<TargetId>),
    /// Not with this target, which was taken off the agenda.
    Omitted(TargetId, Omitted),
}

/// What the root of a test does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// It finds its own way, unless the target can hardly be had elsewhere.
    Free,
    /// It goes to a target at once.
    Planned,
}

/// What a slot is to do.
#[derive(Clone, Copy, Debug)]
enum Planned {
    /// A step of a plan.
    Step { plan: usize, step: usize },
    /// To find its own way, to this target or to another.
    Reserved { target: TargetId, way: Way },
}

/// Which ways a slot may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Also that to a production with several slots of its kind.
    Any,
    /// Not that one: it has just been taken.
    Direct,
}

impl<'v, S: Source> Pack<'v, S> {
    /// A packed suite of what a source misses.
    #[must_use]
    pub fn new(language: &'v Language, source: S, options: PackOptions) -> Self {
        let components = components(language);
        let branching = branching(language, &components);
        let free = Table::filled(0, components.ids().count());
        Self {
            language,
            cheapest: shortest(language),
            source,
            options,
            components,
            branching,
            free,
            tree: Tree::default(),
            plan: Plan::default(),
            fresh: Vec::new(),
            goal: None,
            last_tokens: 0,
            omitted: BTreeMap::new(),
            given_up: None,
            writable: u64::MAX,
            pruner: None,
        }
    }

    /// With a guide that knows what can be written.
    #[must_use]
    pub fn guided(self, guide: Option<&'v Guide<'v>>) -> Self {
        Self { pruner: guide.map(Pruner::new), ..self }
    }

    /// What is still missing.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// Takes what a test of somebody else covers off the agenda.
    pub fn see(&mut self, candidate: &Candidate) {
        if self.source.measures_trees() {
            let (mut candidate, mut fresh) = (candidate.clone(), Vec::new());
            self.source.finish(&mut candidate, &mut fresh);
        }
    }

    /// The targets that were given up, with the reason.
    #[must_use]
    pub fn omitted(&self) -> &BTreeMap<TargetId, Omitted> {
        &self.omitted
    }

    /// The target that was given up with the last test, which could not be written.
    #[must_use]
    pub fn given_up(&self) -> Option<TargetId> {
        self.given_up
    }

    /// How many targets the last test was the first to cover.
    #[must_use]
    pub fn gain(&self) -> u64 {
        self.fresh.len() as u64
    }

    /// Grows a test with a bound on its tokens; `false` if nothing is missing.
    fn grow_next(&mut self, most: u64, candidate: &mut Candidate) -> bool {
        let mut root = Root::Free;
        loop {
            match self.begin(most, root) {
                Begun::Nothing => return false,
                Begun::Omitted(target, why) => _ = self.omitted.insert(target, why),
                Begun::With(target) if self.grow(target, most.min(self.writable), candidate) => {
                    return true;
                }
                // Left alone, the root did not find anything.
                Begun::With(_) => root = Root::Planned,
            }
        }
    }

    /// Grows a smaller test in place of one that could not be written; `false` if what it would begin
    /// with is too large for it.
    fn grow_smaller(&mut self, most: u64, candidate: &mut Candidate) -> bool {
        match self.begin(most, Root::Planned) {
            Begun::Nothing => false,
            Begun::Omitted(target, _) => {
                self.source.put_back(target);
                false
            }
            Begun::With(target) => self.grow(target, most, candidate),
        }
    }

    /// Grows a test that was begun; `false` if it covers nothing that is missing. The target is what it
    /// was begun with, if that was planned.
    fn grow(&mut self, target: Option<TargetId>, most: u64, candidate: &mut Candidate) -> bool {
        self.fresh.clear();
        self.fresh.extend(target);
        while let Some((at, planned)) = self.tree.open.pop_front() {
            let Twig { nonterminal, place, .. } = self.tree.twigs[at];
            let planned = match planned {
                Some(Planned::Step { plan, step }) => Some((plan, step)),
                Some(Planned::Reserved { target, way }) => {
                    self.source.put_back(target);
                    self.plan_slot(nonterminal, place, most, way)
                }
                None => {
                    self.free[self.components.component(nonterminal)] -= 1;
                    self.plan_slot(nonterminal, place, most, Way::Any)
                }
            };
            if let Some((plan, step)) = planned {
                self.expand(at, plan, step);
            }
        }
        if !self.finish_cut(candidate) {
            self.emit(candidate);
            self.source.finish(candidate, &mut self.fresh);
        }
        self.name_goal(candidate)
    }

    /// Says what a finished test is for; `false` if it is for nothing.
    fn name_goal(&mut self, candidate: &mut Candidate) -> bool {
        self.last_tokens = candidate.tokens.len() as u64;
        self.goal = self.fresh.first().copied();
        let (criterion, source) = (self.options.criterion, &self.source);
        candidate.goal = self.goal.map(|target| Goal { criterion, target: source.rank(target) });
        candidate.gain = self.fresh.len() as u64;
        self.goal.is_some()
    }

    /// Finishes the tree without what is known to be unwritable; `false` if there is no such thing, or
    /// nothing else that is missing.
    fn finish_cut(&mut self, candidate: &mut Candidate) -> bool {
        let Some(pruner) = &mut self.pruner else { return false };
        let cuts = pruner.cut(&mut self.tree, &self.cheapest);
        if cuts.is_empty() {
            return false;
        }
        let meant = self.fresh.clone();
        self.source.retract(&mut self.fresh);
        self.emit(candidate);
        self.source.finish(candidate, &mut self.fresh);
        if self.fresh.is_empty() {
            cuts::repair(&mut self.tree, cuts);
            if !self.source.measures_trees() {
                self.fresh = meant;
            }
            return false;
        }
        true
    }

    /// Plans the first target of a test, or where it need not be at the root, lets the root find its own
    /// way, as other slots do.
    fn begin(&mut self, most: u64, root: Root) -> Begun {
        let start = self.language.bnf().start();
        let place = self.source.begin();
        self.tree.clear();
        self.free.values_mut().for_each(|free| *free = 0);
        let length = self.cheapest.length(&[Symbol::Nonterminal(start)]);
        self.tree.tokens = length.unwrap_or(u64::MAX);
        self.tree.twigs.push(Twig { nonterminal: start, place, grown: None });
        let near = self.source.take(start, place, &mut self.plan);
        let is_rare = near.is_none_or(|taken| taken.is_rare);
        let near = near.map(|taken| (taken.target, true));
        let taken = near.or_else(|| self.source.take_any(&mut self.plan));
        let Some((target, is_possible)) = taken else { return Begun::Nothing };
        let tokens = self.tree.tokens.saturating_add(self.plan.more_tokens(&self.cheapest));
        if is_possible && tokens <= most && !is_rare && root == Root::Free {
            self.source.put_back(target);
            self.open(0, None);
            return Begun::With(None);
        }
        if is_possible && tokens <= most {
            self.tree.tokens = tokens;
            let plan = self.tree.add_plan(&mut self.plan);
            self.tree.open.push_back((0, Some(Planned::Step { plan, step: 0 })));
            return Begun::With(Some(target));
        }
        let why = if is_possible { Omitted::TooLong(tokens) } else { Omitted::Impossible };
        Begun::Omitted(target, why)
    }

    /// Finds a target for a slot, if one is missing that fits, and the way to it.
    fn plan_slot(
        &mut self,
        nonterminal: NonterminalId,
        place: S::NodeState,
        most: u64,
        way: Way,
    ) -> Option<(usize, usize)> {
        let Taken { target, is_rare } = self.source.take(nonterminal, place, &mut self.plan)?;
        let more = self.plan.more_tokens(&self.cheapest);
        let tokens = self.tree.tokens.saturating_add(more);
        if tokens > most {
            self.source.put_back(target);
            return None;
        }
        let may_branch = !is_rare && way == Way::Any && self.tree.branches <= self.fresh.len();
        if may_branch && self.is_last_and_dead(nonterminal) && self.has_more(nonterminal, place) {
            let branch = self.branch(nonterminal, target);
            let branched = tokens.saturating_add(branch.more_tokens(&self.cheapest));
            if branch.reserved.is_some() && branched <= most {
                self.tree.branches += 1;
                self.tree.tokens = branched - more;
                self.plan = branch;
                return Some((self.tree.add_plan(&mut self.plan), 0));
            }
        }
        if let Some(kept) = self.plan.until_cycle(self.language, &self.components) {
            self.plan.steps.truncate(kept);
            self.plan.last = None;
            self.plan.nodes.clear();
            self.plan.reserved = Some((target, Way::Any));
            let more = self.plan.more_tokens(&self.cheapest);
            self.tree.tokens = self.tree.tokens.saturating_add(more);
        } else {
            self.fresh.push(target);
            self.tree.tokens = tokens;
        }
        Some((self.tree.add_plan(&mut self.plan), 0))
    }

    /// Whether a plan leaves nothing open of the cycle in which it begins, and nothing else is open.
    fn is_last_and_dead(&self, nonterminal: NonterminalId) -> bool {
        let component = self.components.component(nonterminal);
        self.components.on_cycle(nonterminal)
            && self.free[component] == 0
            && !self
                .plan
                .leaves_open(self.language, |id| self.components.component(id) == component)
    }

    /// Whether a slot could take another target.
    fn has_more(&mut self, nonterminal: NonterminalId, place: S::NodeState) -> bool {
        let mut unused = Plan::default();
        let other = self.source.take(nonterminal, place, &mut unused);
        if let Some(other) = other {
            self.source.put_back(other.target);
        }
        other.is_some()
    }

    /// The way from a nonterminal to the last one of its cycle in a production that has several, with
    /// a target for that one; empty if there is no such production.
    fn branch(&self, nonterminal: NonterminalId, target: TargetId) -> Plan {
        let mut plan = Plan::default();
        let mut at = nonterminal;
        while let Some(branch) = self.branching[at] {
            let (Branch::Here(step) | Branch::Below(step)) = branch;
            plan.steps.push(step);
            if matches!(branch, Branch::Here(_)) {
                plan.reserved = Some((target, Way::Direct));
                break;
            }
            let below = self.language.bnf().rhs(step.production)[step.position];
            let Symbol::Nonterminal(below) = below else {
                unreachable!("invariant: steps lead to nonterminals");
            };
            at = below;
        }
        plan
    }

    /// Expands a slot by the next production of its plan and opens what is below.
    fn expand(&mut self, at: usize, plan: usize, step: usize) {
        let Plan { steps, last, reserved, nodes, .. } = &self.tree.plans[plan];
        let (taken, production) = match (steps.get(step), last) {
            (Some(step), _) => (Some(step.position), step.production),
            (None, Some(last)) if step == steps.len() => (None, *last),
            (None, None) if step == steps.len() && !nodes.is_empty() => {
                return self.expand_part(at, plan);
            }
            // The way is done: what is left is a slot like others.
            _ => {
                let planned = reserved.map(|(target, way)| Planned::Reserved { target, way });
                self.open(at, planned);
                return;
            }
        };
        let place = self.tree.twigs[at].place;
        self.source.used(place, production);
        self.tree.twigs[at].grown = Some((production, self.tree.twigs.len()));
        for (position, &symbol) in self.language.bnf().rhs(production).iter().enumerate() {
            let Symbol::Nonterminal(nonterminal) = symbol else { continue };
            let place = self.source.below(place, production, position);
            let is_taken = taken == Some(position);
            let planned = is_taken.then_some(Planned::Step { plan, step: step + 1 });
            self.tree.twigs.push(Twig { nonterminal, place, grown: None });
            self.open(self.tree.twigs.len() - 1, planned);
        }
    }

    /// Expands a slot by the part that its plan ends with.
    fn expand_part(&mut self, at: usize, plan: usize) {
        let nodes = std::mem::take(&mut self.tree.plans[plan].nodes);
        let mut stack = vec![at];
        for tree in nodes {
            let at = stack.pop().expect("invariant: a part has as many nodes as nonterminals");
            match tree {
                PlanNode::Closed => {}
                PlanNode::Open(_) => self.open(at, None),
                PlanNode::Production(production) => {
                    let place = self.tree.twigs[at].place;
                    self.source.used(place, production);
                    let first = self.tree.twigs.len();
                    self.tree.twigs[at].grown = Some((production, first));
                    for (position, &symbol) in
                        self.language.bnf().rhs(production).iter().enumerate()
                    {
                        let Symbol::Nonterminal(nonterminal) = symbol else { continue };
                        let place = self.source.below(place, production, position);
                        self.tree.twigs.push(Twig { nonterminal, place, grown: None });
                    }
                    stack.extend((first..self.tree.twigs.len()).rev());
                }
            }
        }
    }

    fn open(&mut self, at: usize, planned: Option<Planned>) {
        if planned.is_none() {
            self.free[self.components.component(self.tree.twigs[at].nonterminal)] += 1;
        }
        self.tree.open.push_back((at, planned));
    }

    /// Learns which tokens must not be neighbours; whether that is new.
    fn learn(&mut self, rejection: &Rejection) -> bool {
        match (rejection.inseparable, &mut self.pruner) {
            (Some((left, right)), Some(pruner)) => pruner.avoid(left, right),
            _ => false,
        }
    }

    /// Writes the tree down, with everything open closed off.
    fn emit(&mut self, candidate: &mut Candidate) {
        candidate.clear();
        let mut stack = vec![(Symbol::Nonterminal(self.language.bnf().start()), 0)];
        while let Some((symbol, at)) = stack.pop() {
            let grown = match symbol {
                Symbol::Terminal(_) => None,
                Symbol::Nonterminal(_) => self.tree.twigs[at].grown,
            };
            let Some((production, first)) = grown else {
                self.cheapest.close(symbol, candidate);
                continue;
            };
            candidate.productions.push(production);
            let from = stack.len();
            let mut next = first;
            for &symbol in self.language.bnf().rhs(production) {
                stack.push((symbol, next));
                next += usize::from(matches!(symbol, Symbol::Nonterminal(_)));
            }
            stack[from..].reverse();
        }
    }
}

impl<S: Source> Sequential for Pack<'_, S> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        self.given_up = None;
        self.writable = self.writable.saturating_mul(2);
        self.grow_next(self.options.max_tokens.unwrap_or(u64::MAX), candidate)
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        let Outcome::Rejected(rejection) = outcome else { return Reply::Done };
        let goal = self.goal.take();
        let has_learned = self.learn(rejection);
        if has_learned && rejection.may_retry && self.finish_cut(candidate) {
            self.name_goal(candidate);
            return Reply::Another;
        }
        for target in self.fresh.drain(..) {
            self.source.put_back(target);
        }
        let half = self.last_tokens / 2;
        self.writable = half;
        let may_halve = rejection.may_retry && rejection.attempts <= self.options.attempts;
        if may_halve && half > 0 && self.grow_smaller(half, candidate) {
            return Reply::Another;
        }
        // What does not fit into half of it is given up alone.
        self.given_up = goal;
        if let Some(goal) = goal {
            self.source.give_up(goal);
            self.omitted.insert(goal, Omitted::Unwritten);
        }
        Reply::Done
    }
}

impl<P> Default for Tree<P> {
    fn default() -> Self {
        let (twigs, open, plans) = (Vec::new(), VecDeque::new(), Vec::new());
        Self { twigs, open, plans, tokens: 0, branches: 0 }
    }
}

impl<P> Tree<P> {
    fn clear(&mut self) {
        self.twigs.clear();
        self.open.clear();
        self.plans.clear();
        self.branches = 0;
    }

    fn add_plan(&mut self, plan: &mut Plan) -> usize {
        self.plans.push(std::mem::take(plan));
        self.plans.len() - 1
    }
}

impl Plan {
    /// How many tokens a test grows by if a slot is expanded this way instead of closed off.
    fn more_tokens(&self, cheapest: &CheapestTrees<'_>) -> u64 {
        let cfg = cheapest.cfg();
        let steps = self.steps.iter().map(|step| step.production);
        let productions =
            steps.chain(self.last).chain(self.nodes.iter().filter_map(PlanNode::production));
        productions.fold(0, |more: u64, production| {
            let lhs = Symbol::Nonterminal(cfg.lhs(production));
            let length = |symbols| cheapest.length(symbols).unwrap_or(u64::MAX);
            more.saturating_add(length(cfg.rhs(production)).saturating_sub(length(&[lhs])))
        })
    }
}

impl Plan {
    /// How many steps lead to the first nonterminal of another cycle, if there is one and it does not
    /// end the way: from there on, a better way is found.
    fn until_cycle(
        &self,
        language: &Language,
        components: &Components<NonterminalId>,
    ) -> Option<usize> {
        let enters = |step: &Step| match language.bnf().rhs(step.production)[step.position] {
            Symbol::Nonterminal(below) => {
                let above = language.bnf().lhs(step.production);
                components.on_cycle(below)
                    && components.component(below) != components.component(above)
            }
            Symbol::Terminal(_) => false,
        };
        let found = self.steps[..self.approach].iter().position(enters);
        let goes_on = |&kept: &usize| {
            kept < self.steps.len() || self.last.is_some() || !self.nodes.is_empty()
        };
        found.map(|at| at + 1).filter(goes_on)
    }

    /// Whether something of a kind is left open by the plan.
    fn leaves_open(&self, language: &Language, is_kind: impl Fn(NonterminalId) -> bool) -> bool {
        let is_kind = |symbol: &Symbol| match symbol {
            Symbol::Nonterminal(id) => is_kind(*id),
            Symbol::Terminal(_) => false,
        };
        let beside = |step: &Step| {
            let symbols = language.bnf().rhs(step.production).iter().enumerate();
            symbols.filter(|(at, _)| *at != step.position).any(|(_, symbol)| is_kind(symbol))
        };
        if !self.nodes.is_empty() {
            let open = self.nodes.iter().filter_map(|tree| match tree {
                PlanNode::Open(id) => Some(Symbol::Nonterminal(*id)),
                PlanNode::Production(_) | PlanNode::Closed => None,
            });
            return open.into_iter().any(|slot| is_kind(&slot)) || self.steps.iter().any(beside);
        }
        let end = match (self.last, self.steps.last()) {
            (Some(last), _) => language.bnf().rhs(last),
            (None, Some(step)) => {
                &language.bnf().rhs(step.production)[step.position..=step.position]
            }
            (None, None) => &[],
        };
        end.iter().any(is_kind) || self.steps.iter().any(beside)
    }
}

/// The nonterminals that derive each other, by useful productions.
fn components(language: &Language) -> Components<NonterminalId> {
    let bnf = language.bnf();
    let mut edges = Vec::new();
    for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
        edges.extend(bnf.rhs(production).iter().filter_map(|symbol| match symbol {
            Symbol::Nonterminal(below) => Some((bnf.lhs(production), *below)),
            Symbol::Terminal(_) => None,
        }));
    }
    Components::of(&Rows::group(bnf.nonterminal_count(), &edges))
}

/// The nonterminals that are on no cycle and below none: a tree has them in few places.
fn above_cycles(
    language: &Language,
    components: &Components<NonterminalId>,
) -> IdSet<NonterminalId> {
    let bnf = language.bnf();
    let mut above = IdSet::all(bnf.nonterminal_count());
    let mut work: Vec<NonterminalId> =
        bnf.nonterminals().ids().filter(|&id| components.on_cycle(id)).collect();
    work.iter().for_each(|&id| {
        above.remove(id);
    });
    while let Some(id) = work.pop() {
        for symbol in bnf.productions_of(id).iter().flat_map(|&id| bnf.rhs(id)) {
            if let Symbol::Nonterminal(below) = *symbol
                && above.remove(below)
            {
                work.push(below);
            }
        }
    }
    above
}

/// For each nonterminal of a cycle the nearest production with several of its kind, breadth first.
fn branching(
    language: &Language,
    components: &Components<NonterminalId>,
) -> Table<NonterminalId, Option<Branch>> {
    let bnf = language.bnf();
    let mut branching = Table::filled(None, bnf.nonterminal_count());
    let (mut queue, mut uses) = (VecDeque::new(), Vec::new());
    for production in bnf.productions().filter(|&id| language.useful().has_production(id)) {
        let lhs = bnf.lhs(production);
        let symbols = bnf.rhs(production).iter().enumerate();
        let inside: Vec<(NonterminalId, Step)> = symbols
            .filter_map(|(position, symbol)| match symbol {
                Symbol::Nonterminal(id)
                    if components.component(*id) == components.component(lhs) =>
                {
                    Some((*id, Step { production, position }))
                }
                _ => None,
            })
            .collect();
        if let [_, .., (_, last)] = inside[..]
            && branching[lhs].is_none()
        {
            branching[lhs] = Some(Branch::Here(last));
            queue.push_back(lhs);
        }
        uses.extend(inside);
    }
    let uses = Rows::group(bnf.nonterminal_count(), &uses);
    while let Some(below) = queue.pop_front() {
        for &step in uses.row(below) {
            let above = bnf.lhs(step.production);
            if branching[above].is_none() {
                branching[above] = Some(Branch::Below(step));
                queue.push_back(above);
            }
        }
    }
    branching
}

fn shortest<'v>(language: &'v Language) -> CheapestTrees<'v> {
    CheapestTrees::new(
        language,
        Resolution { embedding: Embedding::Shortest, ..Resolution::default() },
    )
}
