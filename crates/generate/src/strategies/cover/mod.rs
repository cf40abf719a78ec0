//! The generic cover algorithm (Raselimo, Taljaard, Fischer, SLE 2019; Algorithm 1 of Rossouw, Fischer, JSS 2024):
//! for every target of a criterion the smallest fragment of a tree that has it, in the cheapest context of its root,
//! with everything else as cheap as possible.
//!
//! Targets are unranked one by one, so nothing is held but the tables of the criterion and of the
//! resolutions, and tests can be made in any order. A fragment is a few copies of trees that were made
//! before: linear in the tokens. Criteria differ in their fragments only, a file each. Where the cheapest
//! trees of all resolutions cannot be written as text, others are searched for ([`search`](gramercy_derive::search)).

pub mod chain;
pub mod deriv;
pub mod described;
pub mod pair;
pub mod pll;
pub mod symbol;
mod ways;

use std::sync::{Mutex, PoisonError};

use gramercy_base::Draw;
use gramercy_coverage::{Criterion, TargetId};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::{Contexts, Step};
use gramercy_derive::resolutions::Resolutions;
use gramercy_derive::search::{Exits, Guide, InseparablePairs, Search, Skeleton};
use gramercy_derive::strategy::{Indexed, Propose};

/// What a tree is built with, from left to right.
pub trait Build {
    /// Everything before a nonterminal, from the start symbol on.
    fn open(&mut self, nonterminal: NonterminalId);
    /// Everything after a nonterminal.
    fn finish(&mut self, nonterminal: NonterminalId);
    /// A production; its parts follow.
    fn production(&mut self, production: ProductionId);
    /// Symbols with whatever is cheapest below them.
    fn close(&mut self, symbols: &[Symbol]);
    /// Symbols with nothing below them.
    fn vanish(&mut self, symbols: &[Symbol]);
}

/// A criterion whose targets are fragments of trees.
pub trait Fragments: Criterion {
    /// What is found once for each resolution.
    type Paths<'m>: Send + Sync;

    /// Finds it.
    fn paths<'m>(&self, language: &Language, contexts: &Contexts<'m>) -> Self::Paths<'m>;

    /// Builds the tree of a target that some sentence covers.
    fn build(
        &self,
        language: &Language,
        paths: &Self::Paths<'_>,
        target: TargetId,
        into: &mut impl Build,
    );

    /// Proposes the candidates of a suite; a criterion whose neighbouring targets share much can do it faster.
    fn proposer<'m>(cover: &'m Cover<'_, Self>) -> Box<dyn Propose + 'm>
    where
        Self: Sized,
    {
        Box::new(|number, attempt, candidate: &mut Candidate| {
            cover.candidate(number, attempt, candidate)
        })
    }
}

/// The suite of one criterion.
pub struct Cover<'c, F: Fragments> {
    language: &'c Language,
    criterion: F,
    index: usize,
    targets: u64,
    has_uncoverable: bool,
    variants: u64,
    /// The variants of the resolution, then those to fall back on.
    grounds: Vec<Ground<'c, F>>,
    nothing: &'c CheapestTrees<'c>,
    guide: Option<&'c Guide<'c>>,
}

/// How often the neighbours of a tree are learned in one search for others.
const MAX_LEARNING: usize = 8;
/// How many searches there are for a target that cannot be written otherwise, along the cheapest ways; after these
/// come searches along other ways.
const SEARCHES: u64 = 12;
const OTHER_SEARCHES: usize = 72;

/// Everything that is cheapest by one resolution.
struct Ground<'c, F: Fragments> {
    contexts: Contexts<'c>,
    paths: F::Paths<'c>,
    /// What searches found out.
    exits: Mutex<Exits>,
}

impl<'c, F: Fragments + 'c> Cover<'c, F> {
    /// The suite of a criterion that is number `index` among those of the suite.
    #[must_use]
    pub fn new(
        criterion: F,
        index: usize,
        language: &'c Language,
        resolutions: &'c Resolutions<'c>,
    ) -> Self {
        let ground = |cheapest| {
            let contexts = Contexts::new(language, cheapest);
            let paths = criterion.paths(language, &contexts);
            Ground { contexts, paths, exits: Mutex::default() }
        };
        let grounds =
            resolutions.variants().iter().chain(resolutions.others()).map(ground).collect();
        let targets = criterion.targets();
        let has_uncoverable = criterion.coverable() < targets;
        let variants = resolutions.variants().len() as u64;
        let nothing = resolutions.shortest();
        let guide = resolutions.guide();
        Self {
            language,
            criterion,
            index,
            targets,
            has_uncoverable,
            variants,
            grounds,
            nothing,
            guide,
        }
    }

    /// As one of many strategies.
    #[must_use]
    pub fn boxed(self) -> Box<dyn Indexed + 'c> {
        Box::new(self)
    }
}

impl<F: Fragments> Indexed for Cover<'_, F> {
    fn count(&self) -> u64 {
        self.targets.saturating_mul(self.variants)
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        F::proposer(self)
    }
}

impl<F: Fragments> Cover<'_, F> {
    /// Makes the candidate of a number and attempt; `false` if there is none.
    pub(crate) fn candidate(&self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let (variant, target) = (number / self.targets, number % self.targets);
        if self.has_uncoverable && self.criterion.uncoverable(target).is_some() {
            return false;
        }
        let at = match attempt {
            0 => variant,
            attempt => self.variants + u64::from(attempt) - 1,
        };
        let grounds = self.grounds.len() as u64;
        for ground in at..grounds {
            self.build(ground, target, candidate);
            // The first attempt says what stands in the way.
            if attempt == 0
                || !self.guide.is_some_and(|guide| guide.are_hopeless(&candidate.tokens))
            {
                return true;
            }
        }
        self.search(number, target, at.saturating_sub(grounds), candidate)
    }
}

impl<F: Fragments> Cover<'_, F> {
    /// Builds the tree of a target with what is cheapest by one of the resolutions.
    #[inline]
    fn build(&self, ground: u64, target: TargetId, candidate: &mut Candidate) {
        let ground = usize::try_from(ground).expect("invariant: there are few");
        let Ground { contexts, paths, .. } = &self.grounds[ground];
        candidate.clear();
        candidate.goal = Some(Goal { criterion: self.index, target });
        let mut building = Cheapest { contexts, nothing: self.nothing, candidate };
        self.criterion.build(self.language, paths, target, &mut building);
    }

    /// Searches for a tree with tokens that the lexer can make, from one of several searches on.
    fn search(&self, number: u64, target: TargetId, first: u64, candidate: &mut Candidate) -> bool {
        let Some(guide) = self.guide else { return false };
        (first..SEARCHES).any(|search| {
            let noise = usize::try_from(search).expect("invariant: there are few");
            let ground = &self.grounds[noise % self.grounds.len()];
            let skeleton = self.skeleton(ground, target, None);
            let draw = Draw::new([number, search, 0, 0]);
            self.complete(guide, ground, &skeleton, (draw, noise), target, candidate)
        }) || self.search_elsewhere(guide, target, first.saturating_sub(SEARCHES), candidate)
    }

    /// Searches along other ways to what is fixed, from one of them on.
    fn search_elsewhere(
        &self,
        guide: &Guide<'_>,
        target: TargetId,
        first: u64,
        candidate: &mut Candidate,
    ) -> bool {
        let ground = &self.grounds[0];
        let mut root = Root::default();
        self.criterion.build(self.language, &ground.paths, target, &mut root);
        let Some(root) = root.nonterminal else { return false };
        if guide.is_hopeless(&self.skeleton(ground, target, Some(&[]))) {
            return false;
        }
        let ways = ground.contexts.other_ways(self.language, root);
        let first = usize::try_from(first).unwrap_or(usize::MAX);
        ways.iter().take(OTHER_SEARCHES).skip(first).any(|way| {
            let skeleton = self.skeleton(ground, target, Some(way));
            let draw = Draw::new([0, 0, 0, 2]);
            self.complete(guide, ground, &skeleton, (draw, 0), target, candidate)
        })
    }

    /// What is fixed about the tree of a target, along the cheapest way or another one.
    fn skeleton(&self, ground: &Ground<'_, F>, target: TargetId, way: Option<&[Step]>) -> Skeleton {
        let mut gathering = Gathering::new(&ground.contexts, way);
        self.criterion.build(self.language, &ground.paths, target, &mut gathering);
        gathering.skeleton
    }

    /// Completes a skeleton with tokens that the lexer can make and, if possible, separate.
    fn complete(
        &self,
        guide: &Guide<'_>,
        ground: &Ground<'_, F>,
        skeleton: &Skeleton,
        (draw, noise): (Draw, usize),
        target: TargetId,
        candidate: &mut Candidate,
    ) -> bool {
        candidate.clear();
        candidate.goal = Some(Goal { criterion: self.index, target });
        if guide.is_hopeless(skeleton) {
            return false;
        }
        let Ground { contexts, exits, .. } = ground;
        let exits = &mut *exits.lock().unwrap_or_else(PoisonError::into_inner);
        let search = Search {
            language: self.language,
            guide,
            cheapest: contexts.cheapest(),
            nothing: self.nothing,
            exits,
            inseparable: &InseparablePairs::default(),
            draw,
            noise,
        };
        if search.complete(skeleton, candidate).is_none() {
            return false;
        }
        self.separate(guide, contexts, skeleton, candidate);
        true
    }

    /// Replaces a candidate that has neighbours which nothing separates by one without, if one is found: the pairs
    /// of every tree are learned until the next one has none.
    fn separate(
        &self,
        guide: &Guide<'_>,
        contexts: &Contexts<'_>,
        skeleton: &Skeleton,
        candidate: &mut Candidate,
    ) {
        let (mut pairs, mut exits) = (InseparablePairs::default(), Exits::default());
        let mut other = Candidate { goal: candidate.goal, ..Candidate::default() };
        let mut found = guide.inseparable(&candidate.tokens);
        for _ in 0..MAX_LEARNING {
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(|pair| _ = pairs.insert(pair));
            exits.clear();
            other.productions.clear();
            other.tokens.clear();
            let search = Search {
                language: self.language,
                guide,
                cheapest: contexts.cheapest(),
                nothing: self.nothing,
                exits: &mut exits,
                inseparable: &pairs,
                draw: Draw::new([0, 0, 0, 1]),
                noise: 0,
            };
            if search.complete(skeleton, &mut other).is_none() {
                return;
            }
            found = guide.inseparable(&other.tokens);
            if found.is_empty() {
                other.detail = candidate.detail;
                std::mem::swap(candidate, &mut other);
            }
        }
    }
}

/// Builds with what is cheapest.
struct Cheapest<'b> {
    contexts: &'b Contexts<'b>,
    nothing: &'b CheapestTrees<'b>,
    candidate: &'b mut Candidate,
}

impl Build for Cheapest<'_> {
    #[inline]
    fn open(&mut self, nonterminal: NonterminalId) {
        self.contexts.open(nonterminal, self.candidate);
    }

    #[inline]
    fn finish(&mut self, nonterminal: NonterminalId) {
        self.contexts.finish(nonterminal, self.candidate);
    }

    #[inline]
    fn production(&mut self, production: ProductionId) {
        self.candidate.productions.push(production);
    }

    #[inline]
    fn close(&mut self, symbols: &[Symbol]) {
        self.contexts.cheapest().close_all(symbols, self.candidate);
    }

    #[inline]
    fn vanish(&mut self, symbols: &[Symbol]) {
        self.nothing.close_all(symbols, self.candidate);
    }
}

/// Finds the nonterminal that a fragment begins with.
#[derive(Default)]
struct Root {
    nonterminal: Option<NonterminalId>,
}

impl Build for Root {
    fn open(&mut self, nonterminal: NonterminalId) {
        self.nonterminal = Some(nonterminal);
    }

    fn finish(&mut self, _: NonterminalId) {}

    fn production(&mut self, _: ProductionId) {}

    fn close(&mut self, _: &[Symbol]) {}

    fn vanish(&mut self, _: &[Symbol]) {}
}

/// Gathers what is fixed about a tree.
struct Gathering<'b> {
    contexts: &'b Contexts<'b>,
    /// The way to the fragment, if it is not the cheapest.
    way: Option<&'b [Step]>,
    cfg: &'b Cfg,
    skeleton: Skeleton,
}

impl<'b> Gathering<'b> {
    fn new(contexts: &'b Contexts<'b>, way: Option<&'b [Step]>) -> Self {
        Self { contexts, way, cfg: contexts.cheapest().cfg(), skeleton: Skeleton::default() }
    }

    fn way(&self, nonterminal: NonterminalId) -> Vec<Step> {
        self.way.map_or_else(|| self.contexts.way(nonterminal), <[Step]>::to_vec)
    }
}

impl Build for Gathering<'_> {
    fn open(&mut self, nonterminal: NonterminalId) {
        let cfg = self.cfg;
        for step in self.way(nonterminal) {
            self.production(step.production);
            self.close(&cfg.rhs(step.production)[..step.position]);
        }
    }

    fn finish(&mut self, nonterminal: NonterminalId) {
        let cfg = self.cfg;
        for step in self.way(nonterminal).into_iter().rev() {
            self.close(&cfg.rhs(step.production)[step.position + 1..]);
        }
    }

    fn production(&mut self, production: ProductionId) {
        self.skeleton.production(production);
    }

    fn close(&mut self, symbols: &[Symbol]) {
        self.skeleton.free(symbols);
    }

    fn vanish(&mut self, symbols: &[Symbol]) {
        self.skeleton.vanish(symbols);
    }
}
