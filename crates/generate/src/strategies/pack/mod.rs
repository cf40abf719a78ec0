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
//! With a bound on tokens a target is taken only if the test with it, everything open closed off as
//! shortly as possible, keeps to the bound.
//!
//! What is a target, and where the nearest one is, a [`Source`] knows: [`paths`] for k-paths, and
//! [`chains`] for `rule`, `cdrc` and `step:K`. Cost: linear in the trees, but for the search for the
//! nearest target, which is made anew whenever the nearest one of some place is covered: once a
//! symbolic node or production at most, each linear in the grammar.

pub mod chains;
pub mod paths;

use std::collections::{BTreeMap, VecDeque};

use gramercy_coverage::{TargetId, Views};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use crate::contexts::Step;
use crate::draft::{Draft, Goal};
use crate::minimal::Minimal;
use crate::resolution::{Embedding, Resolution};
use crate::strategies::kpath::Omitted;
use crate::strategy::Sequential;

/// A way from a nonterminal to a target.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The steps, from the nonterminal on.
    pub steps: Vec<Step>,
    /// The production behind them, if the target needs a certain one.
    pub last: Option<ProductionId>,
}

/// Knows what is missing, and where.
pub trait Source {
    /// What is known of a place in a tree; places of one test are counted from 0, the root.
    type Place: Copy + std::fmt::Debug;

    /// A new test begins: the place of its root.
    fn begin(&mut self) -> Self::Place;

    /// A production is used at a place.
    fn used(&mut self, place: Self::Place, production: ProductionId);

    /// The place of a position of a production that is used at a place.
    fn below(
        &mut self,
        place: Self::Place,
        production: ProductionId,
        position: usize,
    ) -> Self::Place;

    /// Takes a missing target off the agenda and plans the way to it from a nonterminal; `None` if
    /// none is missing that can occur below it.
    fn take(
        &mut self,
        nonterminal: NonterminalId,
        place: Self::Place,
        plan: &mut Plan,
    ) -> Option<TargetId>;

    /// Takes any missing target and plans the way to it from the start symbol, if there is one.
    fn take_any(&mut self, plan: &mut Plan) -> Option<(TargetId, bool)>;

    /// A target was not covered after all.
    fn put_back(&mut self, target: TargetId);

    /// A tree is finished: takes what it covers off the agenda, and lists what is new.
    fn finish(&mut self, draft: &Draft, fresh: &mut Vec<TargetId>);

    /// How many targets are missing.
    fn missing(&self) -> u64;
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
    views: &'v Views<'v>,
    minimal: Minimal<'v>,
    source: S,
    options: PackOptions,
    tree: Tree<S::Place>,
    plan: Plan,
    /// What the last test covers that nothing before did.
    fresh: Vec<TargetId>,
    goal: Option<TargetId>,
    last_tokens: u64,
    omitted: BTreeMap<TargetId, Omitted>,
}

/// A tree in the making.
#[derive(Debug)]
struct Tree<P> {
    twigs: Vec<Twig<P>>,
    open: VecDeque<(usize, Option<Planned>)>,
    plans: Vec<Plan>,
    /// How many tokens it has with everything open closed off.
    tokens: u64,
}

/// A nonterminal of a tree.
#[derive(Clone, Copy, Debug)]
struct Twig<P> {
    nonterminal: NonterminalId,
    place: P,
    /// Its production and the first of the twigs below; none while it is open.
    grown: Option<(ProductionId, usize)>,
}

/// Which step of which plan a slot takes.
#[derive(Clone, Copy, Debug)]
struct Planned {
    plan: usize,
    step: usize,
}

impl<'v, S: Source> Pack<'v, S> {
    /// A packed suite of what a source misses.
    #[must_use]
    pub fn new(views: &'v Views<'v>, source: S, options: PackOptions) -> Self {
        Self {
            views,
            minimal: shortest(views),
            source,
            options,
            tree: Tree::default(),
            plan: Plan::default(),
            fresh: Vec::new(),
            goal: None,
            last_tokens: 0,
            omitted: BTreeMap::new(),
        }
    }

    /// What is still missing.
    #[must_use]
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The targets that were given up, with the reason.
    #[must_use]
    pub fn omitted(&self) -> &BTreeMap<TargetId, Omitted> {
        &self.omitted
    }

    /// How many targets the last test was the first to cover.
    #[must_use]
    pub fn gain(&self) -> u64 {
        self.fresh.len() as u64
    }

    /// Grows a test of at most so many tokens; `false` if nothing is missing.
    fn grow(&mut self, most: u64, draft: &mut Draft) -> bool {
        self.fresh.clear();
        if !self.begin(most) {
            return false;
        }
        while let Some((at, planned)) = self.tree.open.pop_front() {
            let Twig { nonterminal, place, .. } = self.tree.twigs[at];
            let planned = planned.or_else(|| self.plan_slot(nonterminal, place, most));
            if let Some(planned) = planned {
                self.expand(at, planned);
            }
        }
        self.emit(draft);
        self.last_tokens = draft.tokens.len() as u64;
        self.source.finish(draft, &mut self.fresh);
        let criterion = self.options.criterion;
        draft.goal = self.goal.map(|target| Goal { criterion, target });
        true
    }

    /// Plans the first target of a test, and gives up those that fit in none.
    fn begin(&mut self, most: u64) -> bool {
        let start = self.views.bnf.start();
        loop {
            let place = self.source.begin();
            self.tree.clear();
            let length = self.minimal.length(&[Symbol::Nonterminal(start)]);
            self.tree.tokens = length.unwrap_or(u64::MAX);
            self.tree.twigs.push(Twig { nonterminal: start, place, grown: None });
            let near = self.source.take(start, place, &mut self.plan).map(|target| (target, true));
            let taken = near.or_else(|| self.source.take_any(&mut self.plan));
            let Some((target, is_possible)) = taken else { return false };
            let tokens = self.tree.tokens.saturating_add(self.plan.more_tokens(&self.minimal));
            if is_possible && tokens <= most {
                self.goal = Some(target);
                self.fresh.push(target);
                self.tree.tokens = tokens;
                let planned = self.tree.add_plan(&mut self.plan);
                self.tree.open.push_back((0, Some(planned)));
                return true;
            }
            let why = if is_possible { Omitted::TooLong(tokens) } else { Omitted::Impossible };
            self.omitted.insert(target, why);
        }
    }

    /// Finds a target for a slot, if one is missing that fits.
    fn plan_slot(
        &mut self,
        nonterminal: NonterminalId,
        place: S::Place,
        most: u64,
    ) -> Option<Planned> {
        let target = self.source.take(nonterminal, place, &mut self.plan)?;
        let tokens = self.tree.tokens.saturating_add(self.plan.more_tokens(&self.minimal));
        if tokens > most {
            self.source.put_back(target);
            return None;
        }
        self.fresh.push(target);
        self.tree.tokens = tokens;
        Some(self.tree.add_plan(&mut self.plan))
    }

    /// Expands a slot by the next production of its plan and opens what is below.
    fn expand(&mut self, at: usize, Planned { plan, step }: Planned) {
        let Plan { steps, last } = &self.tree.plans[plan];
        let (taken, production) = match (steps.get(step), last) {
            (Some(step), _) => (Some(step.position), step.production),
            (None, Some(last)) if step == steps.len() => (None, *last),
            // The way is done: what is left is a slot like others.
            _ => {
                self.tree.open.push_back((at, None));
                return;
            }
        };
        let place = self.tree.twigs[at].place;
        self.source.used(place, production);
        self.tree.twigs[at].grown = Some((production, self.tree.twigs.len()));
        for (position, &symbol) in self.views.bnf.rhs(production).iter().enumerate() {
            let Symbol::Nonterminal(nonterminal) = symbol else { continue };
            let place = self.source.below(place, production, position);
            let is_taken = taken == Some(position);
            let planned = is_taken.then_some(Planned { plan, step: step + 1 });
            self.tree.open.push_back((self.tree.twigs.len(), planned));
            self.tree.twigs.push(Twig { nonterminal, place, grown: None });
        }
    }

    /// Writes the tree down, with everything open closed off.
    fn emit(&mut self, draft: &mut Draft) {
        draft.clear();
        let mut stack = vec![(Symbol::Nonterminal(self.views.bnf.start()), 0)];
        while let Some((symbol, at)) = stack.pop() {
            let grown = match symbol {
                Symbol::Terminal(_) => None,
                Symbol::Nonterminal(_) => self.tree.twigs[at].grown,
            };
            let Some((production, first)) = grown else {
                self.minimal.close(symbol, draft);
                continue;
            };
            draft.productions.push(production);
            let from = stack.len();
            let mut next = first;
            for &symbol in self.views.bnf.rhs(production) {
                stack.push((symbol, next));
                next += usize::from(matches!(symbol, Symbol::Nonterminal(_)));
            }
            stack[from..].reverse();
        }
    }
}

impl<S: Source> Sequential for Pack<'_, S> {
    fn next(&mut self, draft: &mut Draft) -> bool {
        self.grow(self.options.max_tokens.unwrap_or(u64::MAX), draft)
    }

    fn again(&mut self, attempt: u32, draft: &mut Draft) -> bool {
        let goal = self.goal.take();
        for target in self.fresh.drain(..) {
            self.source.put_back(target);
        }
        let half = self.last_tokens / 2;
        if attempt <= self.options.attempts && half > 0 && self.grow(half, draft) {
            return true;
        }
        // What does not fit into half of it is given up alone.
        if let Some(goal) = goal {
            self.omitted.insert(goal, Omitted::Unwritten);
        }
        false
    }
}

impl<P> Default for Tree<P> {
    fn default() -> Self {
        Self { twigs: Vec::new(), open: VecDeque::new(), plans: Vec::new(), tokens: 0 }
    }
}

impl<P> Tree<P> {
    fn clear(&mut self) {
        self.twigs.clear();
        self.open.clear();
        self.plans.clear();
    }

    fn add_plan(&mut self, plan: &mut Plan) -> Planned {
        self.plans.push(std::mem::take(plan));
        Planned { plan: self.plans.len() - 1, step: 0 }
    }
}

impl Plan {
    /// How many tokens a test grows by if a slot is expanded this way instead of closed off.
    fn more_tokens(&self, minimal: &Minimal<'_>) -> u64 {
        let cfg = minimal.cfg();
        let productions = self.steps.iter().map(|step| step.production).chain(self.last);
        productions.fold(0, |more: u64, production| {
            let lhs = Symbol::Nonterminal(cfg.lhs(production));
            let length = |symbols| minimal.length(symbols).unwrap_or(u64::MAX);
            more.saturating_add(length(cfg.rhs(production)).saturating_sub(length(&[lhs])))
        })
    }
}

fn shortest<'v>(views: &'v Views<'v>) -> Minimal<'v> {
    Minimal::new(views, Resolution { embedding: Embedding::Shortest, ..Resolution::default() })
}
