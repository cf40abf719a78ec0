//! `kpath:K`: small tests that contain all paths of K symbolic nodes (Havrikov, Kampmann, Zeller, TOSEM, Algorithm 1).
//!
//! For the first path that is still missing, a tree is made that contains it: the cheapest way down to its first
//! node, the path, and everything beside it closed off, as cheaply as possible or at random. Whatever the tree
//! contains besides, by accident, is missing no longer, so every test was needed when it was made. Paths are ranks in
//! a bit set ([`Agenda`]); none is held but the one in hand. Those whose last node comes about by completion off are
//! left to the end, when most of them are there by accident; the others go from the last to the first, so that the
//! way down to a path shows what is near the root before it is asked for. When all are done, the paths that are
//! shorter and lie in no path of K nodes follow ([`short`]).
//!
//! Departures from the paper: the way to the first node and the steps of the path are the cheapest in
//! what the resolution measures, not in edges of the graph; both come from tables that are made once
//! ([`Routes`]).
//!
//! Cost: linear in the trees that are made, times K for their inner nodes; choosing the next path
//! takes a few steps. Memory is a bit a path and K numbers a node of the graph.

mod completion;
mod growing;
mod short;

use std::collections::BTreeMap;

use gramercy_analysis::KPaths;
use gramercy_base::{Draw, IdSet, LimitReached};
use gramercy_coverage::{TargetId, TargetSet};
use gramercy_grammar::NodeId;
use gramercy_language::Language;

use gramercy_derive::agenda::Agenda;
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::Step;
use gramercy_derive::path_ranks::{Ended, PathRanks, PathWalk, Symbolic};
use gramercy_derive::resolution::{Resolution, Ties};
use gramercy_derive::routes::{From, Noise, Route, Routes};
use gramercy_derive::search::{Exits, Guide, InseparablePairs, Search, Skeleton, stretched};
use gramercy_derive::strategy::{Outcome, Rejection, Reply, Sequential};
use gramercy_sample::graph_sampler::{GraphOptions, GraphSampler};

use growing::{Ground, Grower, Way};
use short::ShortPaths;

/// How everything beside a path is closed off.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum CloseOff {
    /// As cheaply as possible.
    #[default]
    Shortest,
    /// At random, within a depth: Algorithm 2.
    Random(GraphOptions),
}

/// How a suite of k-paths is made.
#[derive(Clone, Debug)]
pub struct KPathOptions {
    /// How many symbolic nodes a path has.
    pub k: u32,
    /// The number of the criterion among those of the suite.
    pub criterion: usize,
    /// What is cheap.
    pub resolution: Resolution,
    /// How everything beside a path is closed off.
    pub close_off: CloseOff,
    /// What random choices are drawn from.
    pub seed: u64,
    /// What is covered already.
    pub given: TargetSet,
    /// The only targets wanted, if not all.
    pub wanted: Option<TargetSet>,
    /// No test has more tokens, where that can be kept.
    pub max_tokens: Option<u64>,
    /// How many other tests are offered for a path whose first one could not be written.
    pub attempts: u32,
}

impl KPathOptions {
    /// What is usual for a k.
    #[must_use]
    pub fn new(k: u32) -> Self {
        Self {
            k,
            criterion: 0,
            resolution: Resolution::default(),
            close_off: CloseOff::default(),
            seed: 0,
            given: TargetSet::new(),
            wanted: None,
            max_tokens: None,
            attempts: 16,
        }
    }
}

/// How often a test that can be written is searched for, each time with more noise.
const SEARCHES: u32 = 2;

/// Why a target is in no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// No sentence contains it: something would have to follow the end of input.
    Impossible,
    /// The number of tokens of the shortest test that contains it, which is more than allowed.
    TooLong(u64),
    /// None of the tests that were offered could be written.
    Unwritten,
}

/// The tests of a suite for k-paths, one after the other.
#[derive(Debug)]
pub struct KPathStrategy<'v> {
    language: &'v Language,
    options: KPathOptions,
    symbolic: Symbolic,
    ranks: PathRanks,
    agenda: Agenda,
    shorts: ShortPaths,
    /// The language in which tests are made: of all that can be written.
    writable: &'v Language,
    /// Knows which tokens the lexer can make where.
    guide: Option<&'v Guide<'v>>,
    /// Tokens that rejected tests showed to be inseparable.
    inseparable: InseparablePairs,
    /// The usual way to make a test, and others by the number of the attempt.
    makers: Vec<Maker<'v>>,
    /// Makes tests for paths that no text has, so that it is told what stands in the way.
    beyond: Option<Maker<'v>>,
    walk: PathWalk,
    current: Current,
    omitted: BTreeMap<TargetId, Omitted>,
    made: u64,
    /// The nodes that completion off brings about.
    easy: IdSet<NodeId>,
    /// Where the search for targets that do not end in such a node goes on.
    cursor: TargetId,
}

/// The test in hand.
#[derive(Debug, Default)]
struct Current {
    path: Vec<NodeId>,
    target: Option<TargetId>,
    /// How many other makers tried it.
    attempts: u32,
    /// How many stretched ways were searched along.
    stretched: usize,
    /// What it covers that nothing before did.
    fresh: Vec<TargetId>,
    fresh_shorts: Vec<Vec<NodeId>>,
    /// What it covers that was given up before.
    revived: Vec<(TargetId, Omitted)>,
}

/// One consistent way to embed paths and to close off the rest.
#[derive(Debug)]
struct Maker<'v> {
    cheapest: CheapestTrees<'v>,
    routes: Routes,
    grower: Grower,
    sampler: Option<GraphSampler<'v>>,
    route: Route,
    steps: Vec<Step>,
    /// What searches found out.
    exits: Exits,
}

/// What trees take off the agenda.
struct Found<'f> {
    agenda: &'f mut Agenda,
    shorts: &'f mut ShortPaths,
    fresh: &'f mut Vec<TargetId>,
    fresh_shorts: &'f mut Vec<Vec<NodeId>>,
    omitted: &'f mut BTreeMap<TargetId, Omitted>,
    revived: &'f mut Vec<(TargetId, Omitted)>,
}

impl Found<'_> {
    #[inline]
    fn path(&mut self, rank: TargetId) {
        if self.agenda.remove(rank) {
            self.fresh.push(rank);
        } else if !self.omitted.is_empty() {
            self.revived.extend(self.omitted.remove_entry(&rank));
        }
    }

    fn count(&self) -> usize {
        self.fresh.len() + self.fresh_shorts.len()
    }

    fn short(&mut self, path: &[NodeId]) {
        if self.shorts.cover(path) {
            self.fresh_shorts.push(path.to_vec());
        }
    }
}

impl<'v> KPathStrategy<'v> {
    /// A suite for a grammar.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    ///
    /// # Panics
    /// If K is 0.
    pub fn new(language: &'v Language, options: KPathOptions) -> Result<Self, LimitReached> {
        Self::within(language, language, options)
    }

    /// A suite whose tests are made of what the `writable` language of the grammar has, as far as paths can
    /// be covered so: a token that no text has would spoil the test.
    ///
    /// # Errors
    /// If there are more paths than the limit on targets.
    ///
    /// # Panics
    /// If K is 0.
    pub fn within(
        language: &'v Language,
        writable: &'v Language,
        options: KPathOptions,
    ) -> Result<Self, LimitReached> {
        let k = options.k as usize;
        let symbolic = Symbolic::new(language);
        let ranks = PathRanks::new(language, k)?;
        let mut agenda = coverable(language, &ranks)?;
        agenda.remove_all(&options.given);
        if let Some(wanted) = &options.wanted {
            agenda = wanted.iter().filter(|&target| agenda.contains(target)).fold(
                Agenda::empty(ranks.len()),
                |mut agenda, target| {
                    agenda.insert(target);
                    agenda
                },
            );
        }
        let shorts = ShortPaths::new(language, if options.wanted.is_some() { 1 } else { k })?;
        let makers = vec![Maker::new(writable, &symbolic, &options, 0)];
        let easy = makers[0].routes.in_cheapest_trees(writable, &makers[0].cheapest);
        let (walk, current) = (PathWalk::default(), Current::default());
        let (omitted, made) = (BTreeMap::new(), 0);
        Ok(Self {
            language,
            options,
            symbolic,
            ranks,
            agenda,
            shorts,
            writable,
            guide: None,
            inseparable: InseparablePairs::default(),
            makers,
            beyond: None,
            walk,
            current,
            omitted,
            made,
            easy,
            cursor: TargetId::MAX,
        })
    }

    /// Where a test cannot be written, others are searched for with this guide first.
    #[must_use]
    pub fn guided(self, guide: Option<&'v Guide<'v>>) -> Self {
        Self { guide, ..self }
    }

    /// The targets that are still missing.
    #[must_use]
    pub fn missing(&self) -> &Agenda {
        &self.agenda
    }

    /// The targets that were given up, with the reason.
    #[must_use]
    pub fn omitted(&self) -> &BTreeMap<TargetId, Omitted> {
        &self.omitted
    }

    /// How many targets the last test was the first to cover.
    #[must_use]
    pub fn gain(&self) -> u64 {
        (self.current.fresh.len() + self.current.fresh_shorts.len()) as u64
    }

    /// The next missing target: first those that completion off does not bring about, then the others.
    fn next_target(&mut self) -> Option<TargetId> {
        while let Some(target) = self.agenda.last_below(self.cursor) {
            self.cursor = target;
            let path = self.ranks.path(target);
            if path.last().is_some_and(|&last| !self.easy.contains(last)) {
                return Some(target);
            }
        }
        self.agenda.first_in(0, self.ranks.len())
    }

    /// The next path to make a test for; `false` if nothing is missing.
    fn choose(&mut self) -> bool {
        self.current = Current::default();
        if let Some(target) = self.next_target() {
            self.current.path = self.ranks.path(target);
            self.current.target = Some(target);
            return true;
        }
        match self.shorts.next() {
            Some(path) => {
                self.current.path = path;
                true
            }
            None => false,
        }
    }

    /// Makes a test for this path next, if it is missing; `false` if there is none.
    pub(crate) fn next_for(&mut self, target: TargetId, candidate: &mut Candidate) -> bool {
        if !self.agenda.contains(target) {
            return false;
        }
        let path = self.ranks.path(target);
        self.current = Current { path, target: Some(target), ..Current::default() };
        match self.make(0, candidate) {
            Ok(()) => {
                self.made += 1;
                true
            }
            Err(why) => {
                self.omit(why);
                false
            }
        }
    }

    /// Makes a test for the path in hand, and takes what it covers off the agenda.
    fn make(&mut self, attempt: u32, candidate: &mut Candidate) -> Result<(), Omitted> {
        let at = attempt as usize;
        while self.makers.len() <= at {
            let next = self.makers.len() as u64;
            self.makers.push(Maker::new(self.writable, &self.symbolic, &self.options, next));
        }
        if !self.makers[at].find(&self.current.path) {
            return self.make_beyond(attempt, candidate);
        }
        candidate.clear();
        if self.makers[at].sampler.is_some() {
            self.draw(attempt, candidate);
            if !self.is_too_long(candidate) {
                self.cover(candidate);
                self.name_goal(candidate);
                return Ok(());
            }
            candidate.clear();
        }
        self.grow_within(Some(at), candidate)
    }

    /// Searches for a test whose tokens the lexer can make, along the usual way of the path.
    fn search(&mut self, attempt: u32, candidate: &mut Candidate) -> bool {
        let maker = &mut self.makers[0];
        if !maker.find(&self.current.path) {
            return false;
        }
        let last = maker.routes.last_production(&maker.route);
        let skeleton = Skeleton::of_way(self.language.bnf().cfg(), &maker.steps, last);
        let noise = attempt.min(SEARCHES) as usize - 1;
        let draw = Draw::new([self.options.seed, self.made, attempt.into(), 2]);
        self.complete(&skeleton, (draw, noise), candidate)
    }

    /// Searches along the ways that go once more through a repetition, from the first that was not tried on.
    fn search_stretched(&mut self, candidate: &mut Candidate) -> bool {
        let maker = &mut self.makers[0];
        if self.guide.is_none() || !maker.find(&self.current.path) {
            return false;
        }
        let last = maker.routes.last_production(&maker.route);
        let ways = stretched(self.language.bnf(), &maker.steps, last);
        for way in ways.iter().skip(self.current.stretched) {
            self.current.stretched += 1;
            let skeleton = Skeleton::of_way(self.language.bnf().cfg(), way, last);
            let draw = Draw::new([self.options.seed, self.made, 0, 3]);
            if self.complete(&skeleton, (draw, 0), candidate) {
                return true;
            }
        }
        false
    }

    /// Completes a skeleton with tokens that the lexer can make, and takes what it covers off the agenda.
    fn complete(
        &mut self,
        skeleton: &Skeleton,
        (draw, noise): (Draw, usize),
        candidate: &mut Candidate,
    ) -> bool {
        let Some(guide) = self.guide else { return false };
        let maker = &mut self.makers[0];
        let (cheapest, exits) = (&maker.cheapest, &mut maker.exits);
        let (language, nothing, inseparable) = (self.writable, cheapest, &self.inseparable);
        candidate.clear();
        let search = Search { language, guide, cheapest, nothing, exits, inseparable, draw, noise };
        if search.complete(skeleton, candidate).is_none() || self.is_too_long(candidate) {
            return false;
        }
        self.cover(candidate);
        self.name_goal(candidate);
        true
    }

    /// Makes a test for a path that no text has, if some sentence has it.
    fn make_beyond(&mut self, attempt: u32, candidate: &mut Candidate) -> Result<(), Omitted> {
        if attempt > 0 || std::ptr::eq(self.language, self.writable) {
            return Err(Omitted::Impossible);
        }
        let maker = || Maker::new(self.language, &self.symbolic, &self.options, 0);
        if !self.beyond.get_or_insert_with(maker).find(&self.current.path) {
            return Err(Omitted::Impossible);
        }
        candidate.clear();
        self.grow_within(None, candidate)
    }

    /// Makes the tree as cheap as possible, if it is not too long then.
    fn grow_within(&mut self, at: Option<usize>, candidate: &mut Candidate) -> Result<(), Omitted> {
        self.grow(at, candidate);
        if self.is_too_long(candidate) {
            self.unmark();
            return Err(Omitted::TooLong(candidate.tokens.len() as u64));
        }
        self.name_goal(candidate);
        Ok(())
    }

    fn is_too_long(&self, candidate: &Candidate) -> bool {
        self.options.max_tokens.is_some_and(|most| most < candidate.tokens.len() as u64)
    }

    fn name_goal(&self, candidate: &mut Candidate) {
        let criterion = self.options.criterion;
        candidate.goal = self.current.target.map(|target| Goal { criterion, target });
        candidate.gain = self.current.fresh.len() as u64;
    }

    /// Makes the tree as cheap as possible, by one of the makers or by that for what no text has.
    fn grow(&mut self, at: Option<usize>, candidate: &mut Candidate) {
        let Self { agenda, shorts, current, language, symbolic, ranks, omitted, .. } = self;
        let Current { fresh, fresh_shorts, revived, .. } = current;
        let mut found = Found { agenda, shorts, fresh, fresh_shorts, omitted, revived };
        let maker = match at {
            Some(at) => &mut self.makers[at],
            None => self.beyond.as_mut().expect("invariant: it found the way"),
        };
        let last = maker.routes.last_production(&maker.route);
        let Maker { cheapest, grower, steps, .. } = maker;
        let ground = Ground { language, symbolic, ranks, cheapest };
        grower.grow(ground, Way { steps, last }, &mut found, candidate);
    }

    /// Closes the tree off at random.
    fn draw(&mut self, attempt: u32, candidate: &mut Candidate) {
        let draw = Draw::new([self.options.seed, self.made, attempt.into(), 1]);
        let maker = &mut self.makers[attempt as usize];
        let last = maker.routes.last_production(&maker.route);
        let Maker { sampler, steps, .. } = maker;
        let sampler = sampler.as_mut().expect("invariant: only such makers draw");
        let way = Way { steps, last };
        completion::RandomCompletion { language: self.language, sampler, draw }
            .close(way, candidate);
    }

    /// Takes the paths of a tree off the agenda, as if it were a test of this suite.
    pub fn cover(&mut self, candidate: &Candidate) {
        let Self { agenda, shorts, current, omitted, .. } = self;
        let Current { fresh, fresh_shorts, revived, .. } = current;
        let mut found = Found { agenda, shorts, fresh, fresh_shorts, omitted, revived };
        let language = (self.language.bnf(), &self.symbolic, &self.ranks);
        self.walk.walk(language, &candidate.productions, |ended| match ended {
            Ended::Path(rank) => found.path(rank),
            Ended::Short(path) => found.short(path),
        });
    }

    /// Puts back what the last tree covered: it could not be written.
    fn unmark(&mut self) {
        for rank in self.current.fresh.drain(..) {
            self.agenda.insert(rank);
        }
        self.omitted.extend(self.current.revived.drain(..));
        for path in self.current.fresh_shorts.drain(..) {
            self.shorts.uncover(&path);
        }
        self.shorts.restart();
        let makers = self.makers.iter_mut().chain(&mut self.beyond);
        makers.for_each(|maker| maker.grower.forget());
    }

    /// Makes another test for the path in hand after a rejection: by a search, as long as there is something new
    /// to search with, and then by other makers.
    fn retry(&mut self, rejection: &Rejection, candidate: &mut Candidate) -> bool {
        let Rejection { attempts, inseparable, .. } = *rejection;
        let is_learned = inseparable.is_some_and(|pair| self.inseparable.insert(pair));
        if is_learned {
            // What is known of other positions holds no longer.
            self.makers[0].exits.clear();
        }
        if (is_learned || attempts <= SEARCHES) && self.search(attempts, candidate) {
            return true;
        }
        // Searches are no attempts of makers.
        self.current.attempts += 1;
        let maker = self.current.attempts;
        if maker <= self.options.attempts && self.make(maker, candidate).is_ok() {
            return true;
        }
        self.search_stretched(candidate)
    }

    /// The path in hand is in no test.
    fn omit(&mut self, why: Omitted) {
        match self.current.target {
            Some(target) => {
                self.agenda.remove(target);
                self.omitted.insert(target, why);
            }
            None => {
                self.shorts.cover(&self.current.path);
            }
        }
    }
}

impl Sequential for KPathStrategy<'_> {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        while self.choose() {
            match self.make(0, candidate) {
                Ok(()) => {
                    self.made += 1;
                    return true;
                }
                Err(why) => self.omit(why),
            }
        }
        false
    }

    fn conclude(&mut self, outcome: Outcome<'_>, candidate: &mut Candidate) -> Reply {
        let Outcome::Rejected(rejection) = outcome else { return Reply::Done };
        self.unmark();
        if rejection.may_retry && self.retry(rejection, candidate) {
            return Reply::Another;
        }
        self.omit(Omitted::Unwritten);
        Reply::Done
    }

    fn impossible(&self) -> Vec<Goal> {
        let criterion = self.options.criterion;
        let impossible = self.omitted.iter().filter(|(_, why)| **why == Omitted::Impossible);
        impossible.map(|(&target, _)| Goal { criterion, target }).collect()
    }
}

impl<'v> Maker<'v> {
    /// The usual maker, or another one: its ties are drawn, its routes are disturbed more and more,
    /// and every second one closes off at random.
    fn new(
        language: &'v Language,
        symbolic: &Symbolic,
        options: &KPathOptions,
        variant: u64,
    ) -> Self {
        let seed = options.seed;
        let mut resolution = options.resolution;
        let mut close_off = options.close_off;
        if variant > 0 {
            resolution.ties = Ties::Random { seed, variant };
        }
        let cheapest = CheapestTrees::new(language, resolution);
        let noise = (variant > 0).then_some(Noise { seed, variant, most: variant });
        let routes = Routes::new(language, symbolic, &cheapest, From::Rules, noise);
        if variant > 0 && variant.is_multiple_of(2) {
            close_off =
                CloseOff::Random(GraphOptions { repetitions: 2, ..GraphOptions::default() });
        }
        let grower = Grower::new(language, &cheapest);
        let sampler = match close_off {
            CloseOff::Shortest => None,
            CloseOff::Random(options) => Some(GraphSampler::new(language, options)),
        };
        let (route, steps, exits) = (Route::default(), Vec::new(), Exits::default());
        Self { cheapest, routes, grower, sampler, route, steps, exits }
    }

    /// Finds the way of a path; whether there is one.
    fn find(&mut self, path: &[NodeId]) -> bool {
        let Self { cheapest, routes, route, steps, .. } = self;
        let is_found = routes.embed(cheapest, path, route);
        if is_found {
            routes.steps_of(route, steps);
        }
        is_found
    }
}

/// The paths that some derivation tree contains, among all paths.
pub(crate) fn coverable(language: &Language, ranks: &PathRanks) -> Result<Agenda, LimitReached> {
    let coverable = KPaths::coverable(language.graph(), language.viable(), ranks.k())?;
    if coverable.len() == u128::from(ranks.len()) {
        return Ok(Agenda::full(ranks.len()));
    }
    let mut agenda = Agenda::empty(ranks.len());
    let mut rank = 0;
    while rank < coverable.len() {
        let path = coverable.unrank(rank);
        agenda.insert(ranks.rank(&path).expect("invariant: a coverable path is a path"));
        rank += 1;
    }
    Ok(agenda)
}
