//! Suites that cover criteria: made once, or a second time where tests are chosen among all of them, or where a
//! target was given up that other tests may cover by accident.

use std::ops::ControlFlow;

use gramercy_base::LimitReached;
use gramercy_coverage::{CriterionSpec, TargetId, TargetSet};
use gramercy_derive::strategy::Strategy;
use gramercy_derive::{Resolution, Resolutions};
use gramercy_generate::strategies::kpath::CloseOff;
use gramercy_generate::strategies::lr_bfs::{LrBfs, LrBfsError};
use gramercy_generate::strategies::recurrent::{Recurrent, Until};
use gramercy_generate::strategies::{CriterionRequest, StrategyRequest, packed};
use gramercy_generate::{Minimized, Minimizer};
use gramercy_grammar::Symbol;
use gramercy_language::Language;
use gramercy_sample::GraphOptions;
use gramercy_sample::methods::graph::RandomTrees;
use gramercy_suite::Sink;

use crate::engine::options::{Bounds, Kept, Merge, Options};
use crate::engine::summary::{End, Summary};
use crate::engine::{Engine, NamedCriterion, Watch};
use crate::recipe::{CloseOffName, Minimize, Recipe, Recur, StrategyName, Systematic};
use crate::suite::SuiteError;
use crate::{given, plan};

/// How many tests are made in search of one that is new.
const TRIES_PER_TEST: u64 = 64;
/// Suites with more tests are not made a second time to see what is covered by accident.
const MAX_SURVEYED: u64 = 50_000;
/// Paths that a traversal tries before it is given up: it need not end, even for small grammars.
const MAX_TRAVERSED: usize = 200_000;
/// The most tokens of a random tree.
const MAX_SAMPLED_TOKENS: u64 = 10_000;

/// The most targets of suites that are packed or minimized: both look at targets again and again.
const MAX_PACKED: usize = 2_000_000;
const MAX_MINIMIZED: usize = 4_000_000;
/// The most nonterminals of a grammar whose suites are packed: a repetition `{0,N}` has N of them, one in the other,
/// and trees are cut at each.
const MAX_PACKED_NONTERMINALS: usize = 50_000;
/// The most productions in the tables of all variants.
const MAX_VARIANT_ENTRIES: usize = 20_000_000;

/// Which time a suite is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    /// It ends where the first one ended, whatever the time is.
    Again,
}

/// Makes the suite of a recipe.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    tests: &Systematic,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    check(tests)?;
    let writer = plan::writer(language, &recipe.text)?;
    let mut criteria = plan::criteria(language, &tests.cover)?;
    check_targets(language, &criteria)?;
    check_sizes(language, tests, &criteria)?;
    let resolution = tests.resolution(recipe.seed);
    let resolutions = Resolutions::new(language, resolution, tests.variants);
    let resolutions = resolutions.guided(language, &writer);
    let (mut covered, given) = given::measure(language, &tests.cover, &tests.given)?;
    given::exempt(language, tests, &mut covered)?;
    let requests = requests(recipe, tests, covered, criteria[0].criterion.targets())?;
    criteria.extend(plan::criteria(language, &recipe.report)?);
    let options = Options {
        limit: None,
        shard: recipe.shard,
        seed: recipe.seed,
        merge: if recipe.unique { Merge::Texts } else { Merge::Sentences },
        bounds: Bounds { tokens: tests.max_tokens, bytes: recipe.max_bytes, ..Bounds::default() },
        accepted_by_tool: recipe.accepted_by_tool,
        ..Options::default()
    };
    let engine = Engine::new(language, writer, criteria, options);
    let suite = Suite { language, recipe, tests, resolution, resolutions: &resolutions, requests };
    let summary = match tests.minimize {
        None => suite.make(engine, sink, watch)?,
        Some(minimize) => suite.make_minimized(minimize, engine, sink, watch)?,
    };
    Ok(Summary { given, ..summary })
}

/// Refuses what does not go together.
fn check(tests: &Systematic) -> Result<(), SuiteError> {
    let names = tests.cover_name();
    let is_packed = tests.strategy == StrategyName::Pack;
    let message = if tests.close_off == CloseOffName::Random && !tests.has_paths() {
        format!("--close-off is for kpath:K; tests for `{names}` have no other parts")
    } else if tests.recur.is_some() && !tests.has_paths() {
        format!("--recur is for kpath:K; for `{names}` use --variants")
    } else if tests.targets.is_some() && tests.cover.len() > 1 {
        format!("--targets are ranks of one criterion, and `{names}` are several")
    } else if is_packed && tests.variants > 1 {
        "--pack makes one suite: it has no --variants".to_owned()
    } else if let Some(option) = unfit_for_traversal(tests) {
        format!("--strategy lr-bfs takes paths as they come: it has no {option}")
    } else {
        return Ok(());
    };
    Err(SuiteError::Conflict(message))
}

/// An option that the traversal of an LR-graph does not have.
fn unfit_for_traversal(tests: &Systematic) -> Option<&'static str> {
    let given = [
        ("--given", !tests.given.is_empty()),
        ("--exempt", !tests.exempt.is_empty()),
        ("--targets", tests.targets.is_some()),
        ("--variants", tests.variants > 1),
    ];
    let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
    given.next().map(|(name, _)| name).filter(|_| tests.strategy == StrategyName::LrBfs)
}

/// Refuses to make a suite for nothing.
fn check_targets(language: &Language, criteria: &[NamedCriterion<'_>]) -> Result<(), SuiteError> {
    if !language.useful().contains(Symbol::Nonterminal(language.bnf().start())) {
        return Err(SuiteError::NoSentence);
    }
    // Where no path is that long, a suite of k-paths has the shorter ones.
    let is_path = |named: &NamedCriterion<'_>| named.name.starts_with("kpath:");
    if criteria.iter().any(|named| named.criterion.coverable() > 0 || is_path(named)) {
        return Ok(());
    }
    let names: Vec<&str> = criteria.iter().map(|named| named.name.as_str()).collect();
    Err(SuiteError::NothingToCover(names.join("+")))
}

/// Refuses suites whose tables would not fit in memory, before any is made.
fn check_sizes(
    language: &Language,
    tests: &Systematic,
    criteria: &[NamedCriterion<'_>],
) -> Result<(), SuiteError> {
    let refuse = |what, limit| Err(LimitReached { what, limit, option: None }.into());
    let of_variants = tests.variants as usize;
    if of_variants.saturating_mul(language.bnf().cfg().production_count()) > MAX_VARIANT_ENTRIES {
        return refuse("productions in the tables of all --variants", MAX_VARIANT_ENTRIES);
    }
    let targets = criteria.iter().map(|named| named.criterion.targets());
    let targets = targets.fold(0, u64::saturating_add);
    let exceeds = |limit: usize| targets > limit as u64;
    let is_packed = tests.strategy == StrategyName::Pack;
    if is_packed && language.bnf().cfg().nonterminal_count() > MAX_PACKED_NONTERMINALS {
        let what = "nonterminals of the BNF core in a suite of --pack";
        return refuse(what, MAX_PACKED_NONTERMINALS);
    }
    if is_packed && exceeds(MAX_PACKED) {
        return refuse("targets in a suite of --pack", MAX_PACKED);
    }
    if tests.minimize.is_some() && exceeds(MAX_MINIMIZED) {
        return refuse("targets in a suite of --minimize", MAX_MINIMIZED);
    }
    Ok(())
}

/// What is requested of each criterion, of which some targets are covered already.
fn requests(
    recipe: &Recipe,
    tests: &Systematic,
    given: Vec<TargetSet>,
    targets: u64,
) -> Result<Vec<CriterionRequest>, SuiteError> {
    if let Some(ranks) = tests.targets.as_ref().filter(|ranks| ranks.last() >= targets) {
        let (criterion, rank) = (tests.cover_name(), ranks.last());
        return Err(SuiteError::NoSuchRank { criterion, rank, targets });
    }
    let close_off = match tests.close_off {
        CloseOffName::Random => CloseOff::Random(graph_options(tests)),
        CloseOffName::Shortest => CloseOff::Shortest,
    };
    let request = |given| CriterionRequest {
        given,
        wanted: tests.targets.as_ref().map(crate::recipe::Ranks::set),
        close_off,
        seed: recipe.seed,
        max_tokens: tests.max_tokens.map(|tokens| tokens as u64),
    };
    Ok(given.into_iter().map(request).collect())
}

fn graph_options(tests: &Systematic) -> GraphOptions {
    let sampling = &tests.sampling;
    sampling.alternatives().graph_options(sampling.depth, sampling.weighing(), MAX_SAMPLED_TOKENS)
}

/// Everything that the strategies of a suite are built from.
struct Suite<'s> {
    language: &'s Language,
    recipe: &'s Recipe,
    tests: &'s Systematic,
    resolution: Resolution,
    resolutions: &'s Resolutions<'s>,
    requests: Vec<CriterionRequest>,
}

impl<'s> Suite<'s> {
    fn make(
        &self,
        mut engine: Engine<'_>,
        sink: &mut dyn Sink,
        watch: &mut dyn Watch,
    ) -> Result<Summary, SuiteError> {
        let requested = self.tests.requested_tests().into_iter();
        engine.options.limit = requested.chain(self.recipe.limit).min();
        let mut first = self.strategies(Pass::First)?;
        let mut summary = engine.run(&mut first, sink, watch)?;
        drop(first);
        if summary.has_unwritten_targets()
            && !summary.is_measured
            && summary.end != End::Interrupted
            && summary.numbered <= MAX_SURVEYED
        {
            engine.options.limit = Some(summary.numbered);
            let mut covered = vec![TargetSet::new(); engine.criteria().len()];
            let mut survey = |_, covers: &[(usize, TargetId)]| {
                covers.iter().for_each(|&(at, target)| _ = covered[at].insert(target));
                ControlFlow::Continue(())
            };
            engine.survey(&mut self.strategies(Pass::Again)?, &mut survey, watch);
            summary.withdraw(&covered);
        }
        Ok(summary)
    }

    /// Makes the suite without tests that are not needed. If it is interrupted before tests could be chosen, there
    /// are none.
    fn make_minimized(
        &self,
        minimize: Minimize,
        mut engine: Engine<'_>,
        sink: &mut dyn Sink,
        watch: &mut dyn Watch,
    ) -> Result<Summary, SuiteError> {
        engine.options.limit = self.tests.requested_tests();
        let (surveyed, minimizer) = self.survey(minimize, &engine, watch)?;
        if surveyed.end == End::Interrupted {
            sink.finish()?;
            return Ok(surveyed);
        }
        let most = self.recipe.limit.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        let minimized = minimizer.select(most);
        drop(minimizer);
        engine.options.limit = None;
        engine.options.kept = Some(Kept::new(&minimized.kept));
        let written = engine.run(&mut self.strategies(Pass::Again)?, sink, watch)?;
        let end = if minimized.is_cut { End::Limit } else { End::Complete };
        let of = surveyed.numbered;
        Ok(Summary {
            tests: written.tests,
            tokens: written.tokens,
            bytes: written.bytes,
            longest: written.longest,
            end: if written.end == End::Interrupted { End::Interrupted } else { end },
            minimized: Some((minimized, of)),
            ..surveyed
        })
    }

    /// Records what each test of the suite covers.
    fn survey(
        &self,
        minimize: Minimize,
        engine: &Engine<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(Summary, Minimizer), SuiteError> {
        let given = self.requests.iter().map(|request| request.given.clone());
        let targets = engine.criteria().iter().map(|named| named.criterion.targets());
        let criteria: Vec<_> = targets.zip(given).collect();
        let bytes = minimize.memory.saturating_mul(1 << 20);
        let mut minimizer = Minimizer::new(&criteria, bytes)?;
        let mut covered = vec![TargetSet::new(); criteria.len()];
        let mut full = None;
        let mut survey = |test, covers: &[(usize, TargetId)]| {
            // Criteria that are only reported on come last, and need no test.
            let covers = &covers[..covers.partition_point(|&(at, _)| at < criteria.len())];
            covers.iter().for_each(|&(at, target)| _ = covered[at].insert(target));
            match minimizer.add(test, covers) {
                Ok(()) => ControlFlow::Continue(()),
                Err(limit) => {
                    full = Some(limit);
                    ControlFlow::Break(())
                }
            }
        };
        let mut strategies = self.strategies(Pass::First)?;
        let mut surveyed = engine.survey(&mut strategies, &mut survey, watch);
        drop(strategies);
        if let Some(limit) = full {
            return Err(limit.into());
        }
        surveyed.withdraw(&covered);
        Ok((surveyed, minimizer))
    }

    /// The strategies of the suite, one after the other.
    fn strategies(&self, pass: Pass) -> Result<Vec<Strategy<'s>>, SuiteError> {
        let language = self.language;
        let cover = &self.tests.cover;
        let mut all: Vec<Strategy<'_>> = match self.tests.strategy {
            StrategyName::LrBfs => {
                let traversal = |spec: &CriterionSpec| traversal(spec, language);
                cover.iter().map(traversal).collect::<Result<_, _>>()?
            }
            StrategyName::Pack => vec![packed(&self.makings())?],
            StrategyName::Cover => {
                // Paths that recur are made by a strategy of their own.
                let is_once = |making: &&StrategyRequest<'_, '_>| {
                    self.tests.recur.is_none() || making.spec.path_length().is_none()
                };
                let makings = self.makings();
                let small = makings.iter().filter(is_once).map(StrategyRequest::small);
                small.collect::<Result<_, _>>()?
            }
        };
        if let Some(recur) = self.tests.recur {
            all.push(self.recurrent(recur, pass)?);
        }
        if let Some(tests) = self.tests.fall_over {
            let tries = tests.saturating_mul(TRIES_PER_TEST);
            let options = graph_options(self.tests);
            let trees = RandomTrees::new(language, options, self.recipe.seed, tries);
            all.push(Strategy::Sequential(Box::new(trees)));
        }
        Ok(all)
    }

    fn makings(&self) -> Vec<StrategyRequest<'s, '_>> {
        let all = self.tests.cover.iter().zip(&self.requests).enumerate();
        let (language, resolutions) = (self.language, self.resolutions);
        let making = |(index, (&spec, request))| StrategyRequest {
            spec,
            index,
            language,
            resolutions,
            request,
        };
        all.map(making).collect()
    }

    /// The suites for k-paths, again and again.
    fn recurrent(&self, recur: Recur, pass: Pass) -> Result<Strategy<'s>, SuiteError> {
        let until = match (recur, pass) {
            (Recur::Tests(tests), _) => Until::Tests(tests.saturating_mul(TRIES_PER_TEST)),
            (Recur::Time(time), Pass::First) => Until::Elapsed(time),
            (Recur::Time(_), Pass::Again) => Until::Tests(u64::MAX),
        };
        let all = self.tests.cover.iter().zip(&self.requests).enumerate();
        let paths = all.filter_map(|(index, (spec, request))| {
            Some(request.for_paths(spec.path_length()?, index, self.resolution))
        });
        let recurrent = Recurrent::new(self.language, self.resolutions, paths.collect(), until)?;
        Ok(Strategy::Sequential(Box::new(recurrent)))
    }
}

/// The traversal of the graph whose pop edges are to be covered.
fn traversal<'s>(spec: &CriterionSpec, language: &Language) -> Result<Strategy<'s>, SuiteError> {
    if spec.name() != "pop-edge" {
        let message = format!("--strategy lr-bfs covers pop edges, not `{spec}`");
        return Err(SuiteError::Conflict(message));
    }
    match LrBfs::new(language, spec.argument().automaton, MAX_TRAVERSED) {
        Ok(tests) => Ok(Strategy::Sequential(Box::new(tests))),
        Err(LrBfsError::Limit(limit)) => Err(limit.into()),
        Err(given_up) => Err(SuiteError::Traversal(given_up)),
    }
}

/// How good a choice of tests is: how they were chosen, and from how many.
pub type Chosen = (Minimized, u64);
