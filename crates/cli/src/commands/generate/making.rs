//! Makes the suite of a recipe: once, or where tests are chosen among all or a target was given up that
//! others may cover by chance, a second time if it is not too large.

use std::ops::ControlFlow;

use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::{CriterionSpec, TargetId, TargetSet, Views};
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::strategies::lr_bfs::{LrBfs, LrBfsError};
use gramercy::generate::strategies::runs::{RandomTrees, Recurrent, Until};
use gramercy::generate::strategies::{self, Wishes};
use gramercy::generate::{Closings, Kept, Minimized, Minimizer, Pipeline, Strategy, Summary};

use super::recipe::{Recipe, Recur, StrategyName};
use crate::codes;
use crate::commands::suites::{Places, run_pipeline, run_survey};
use crate::console::Console;
use crate::outcome::Failure;

/// How many tests are made in search of one that is new.
const TRIES_PER_TEST: u64 = 64;
/// Suites with more tests are not made a second time to see what is covered by chance.
const MOST_LOOKED_AT: u64 = 50_000;
/// Paths that a traversal tries before it is given up: it need not end, even for small grammars.
const MOST_PATHS: usize = 200_000;

/// All that strategies are made from.
pub(super) struct Making<'m> {
    pub(super) recipe: &'m Recipe,
    pub(super) views: &'m Views<'m>,
    pub(super) closings: &'m Closings<'m>,
    pub(super) wishes: Vec<Wishes>,
    pub(super) limits: Limits,
}

/// A suite that was made.
pub(super) struct Made {
    pub(super) summary: Summary,
    /// How its tests were chosen, and from how many.
    pub(super) minimized: Option<(Minimized, u64)>,
}

/// Which time a suite is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    First,
    /// It ends where the first one ended, whatever the time is.
    Again,
}

impl Making<'_> {
    /// Makes the suite. Where the user wants no more before tests could be chosen, there are none.
    pub(super) fn make(
        &self,
        pipeline: &mut Pipeline<'_>,
        places: &Places<'_>,
        console: &mut Console,
    ) -> Result<Made, Failure> {
        if self.recipe.minimize {
            return self.make_minimized(pipeline, places, console);
        }
        let wished = self.recipe.wished_tests().into_iter();
        pipeline.options.limit = wished.chain(self.recipe.suite.limit).min();
        let mut first = self.strategies(Pass::First)?;
        let mut summary = run_pipeline(pipeline, &mut first, places, console)?;
        drop(first);
        if summary.has_unwritten_targets()
            && !summary.is_measured
            && summary.end != End::Interrupted
            && summary.numbered <= MOST_LOOKED_AT
        {
            pipeline.options.limit = Some(summary.numbered);
            let mut covered = vec![TargetSet::new(); pipeline.criteria.len()];
            self.survey_again(pipeline, console, |_, covers| {
                covers.iter().for_each(|&(at, target)| _ = covered[at].insert(target));
                ControlFlow::Continue(())
            })?;
            summary.withdraw(&covered);
        }
        Ok(Made { summary, minimized: None })
    }

    fn make_minimized(
        &self,
        pipeline: &mut Pipeline<'_>,
        places: &Places<'_>,
        console: &mut Console,
    ) -> Result<Made, Failure> {
        pipeline.options.limit = self.recipe.wished_tests();
        let (looked, minimizer) = self.look(pipeline, console)?;
        if looked.end == End::Interrupted {
            return Ok(Made { summary: looked, minimized: None });
        }
        let most = self.recipe.suite.limit.map(|most| usize::try_from(most).unwrap_or(usize::MAX));
        let minimized = minimizer.select(most);
        drop(minimizer);
        pipeline.options.limit = None;
        pipeline.options.kept = Some(Kept::new(&minimized.kept));
        let written = run_pipeline(pipeline, &mut self.strategies(Pass::Again)?, places, console)?;
        let end = if minimized.is_cut { End::Limit } else { End::Complete };
        let of = looked.numbered;
        let summary = Summary {
            tests: written.tests,
            tokens: written.tokens,
            bytes: written.bytes,
            longest: written.longest,
            end: if written.end == End::Interrupted { End::Interrupted } else { end },
            ..looked
        };
        Ok(Made { summary, minimized: Some((minimized, of)) })
    }

    /// Notes what each test of the suite covers.
    fn look(
        &self,
        pipeline: &Pipeline<'_>,
        console: &Console,
    ) -> Result<(Summary, Minimizer), Failure> {
        let given = self.wishes.iter().map(|wishes| wishes.given.clone());
        let targets = pipeline.criteria.iter().map(|named| named.criterion.targets());
        let criteria: Vec<_> = targets.zip(given).collect();
        let mut minimizer = Minimizer::new(&criteria, self.recipe.minimize_bytes())?;
        let mut covered = vec![TargetSet::new(); criteria.len()];
        let mut full = None;
        let mut looked = self.survey(pipeline, Pass::First, console, |test, covers| {
            // What is only reported on comes last, and needs no test.
            let covers = &covers[..covers.partition_point(|&(at, _)| at < criteria.len())];
            covers.iter().for_each(|&(at, target)| _ = covered[at].insert(target));
            match minimizer.add(test, covers) {
                Ok(()) => ControlFlow::Continue(()),
                Err(limit) => {
                    full = Some(limit);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(limit) = full {
            return Err(limit.into());
        }
        looked.withdraw(&covered);
        Ok((looked, minimizer))
    }

    /// Makes a suite that was made before, only to see what its tests cover.
    pub(super) fn survey_again(
        &self,
        pipeline: &Pipeline<'_>,
        console: &Console,
        survey: impl FnMut(usize, &[(usize, TargetId)]) -> ControlFlow<()>,
    ) -> Result<Summary, Failure> {
        self.survey(pipeline, Pass::Again, console, survey)
    }

    fn survey(
        &self,
        pipeline: &Pipeline<'_>,
        pass: Pass,
        console: &Console,
        mut survey: impl FnMut(usize, &[(usize, TargetId)]) -> ControlFlow<()>,
    ) -> Result<Summary, Failure> {
        Ok(run_survey(pipeline, &mut self.strategies(pass)?, &mut survey, console))
    }

    /// The strategies of the suite, one behind the other.
    fn strategies(&self, pass: Pass) -> Result<Vec<Strategy<'_>>, Failure> {
        let Recipe { cover, suite, drawing, .. } = self.recipe;
        let mut all: Vec<Strategy<'_>> = match self.recipe.strategy {
            StrategyName::LrBfs => {
                let traversal = |&spec: &CriterionSpec| traversal(spec, self.views, &self.limits);
                cover.0.iter().map(traversal).collect::<Result<_, _>>()?
            }
            StrategyName::Cover if self.recipe.pack => vec![strategies::build_packed(
                &cover.0,
                self.views,
                self.closings,
                &self.wishes,
                &self.limits,
            )?],
            StrategyName::Cover => self.small_tests()?,
        };
        if let Some(recur) = self.recipe.recur {
            all.push(self.recurrent(recur, pass)?);
        }
        if let Some(tests) = self.recipe.fall_over {
            let tries = tests.saturating_mul(TRIES_PER_TEST);
            let trees = RandomTrees::new(self.views, drawing.options(), suite.seed, tries);
            all.push(Strategy::Sequential(Box::new(trees)));
        }
        Ok(all)
    }

    /// A strategy a criterion; those that are made again and again come behind them.
    fn small_tests(&self) -> Result<Vec<Strategy<'_>>, Failure> {
        let once = |(_, spec): &(usize, &CriterionSpec)| {
            self.recipe.recur.is_none() || !matches!(spec, CriterionSpec::KPath(_))
        };
        let build = |(index, &spec): (usize, &CriterionSpec)| {
            let wishes = &self.wishes[index];
            strategies::build(spec, index, self.views, self.closings, wishes, &self.limits)
        };
        let built = self.recipe.cover.0.iter().enumerate().filter(once).map(build);
        Ok(built.collect::<Result<_, _>>()?)
    }

    /// Suites for k-paths, again and again.
    fn recurrent(&self, recur: Recur, pass: Pass) -> Result<Strategy<'_>, Failure> {
        let until = match (recur, pass) {
            (Recur::Tests(tests), _) => Until::Tests(tests.saturating_mul(TRIES_PER_TEST)),
            (Recur::Time(time), Pass::First) => Until::Elapsed(time),
            (Recur::Time(_), Pass::Again) => Until::Tests(u64::MAX),
        };
        let resolution = self.recipe.resolution();
        let suites =
            self.recipe.cover.0.iter().enumerate().filter_map(|(index, spec)| match spec {
                CriterionSpec::KPath(k) => {
                    Some(self.wishes[index].for_paths(*k, index, resolution))
                }
                _ => None,
            });
        let (views, suites) = (self.views, suites.collect());
        let recurrent = Recurrent::new(views, self.closings, suites, until, &self.limits)?;
        Ok(Strategy::Sequential(Box::new(recurrent)))
    }
}

/// The traversal of the graph whose pop edges are to be covered.
fn traversal<'s>(
    spec: CriterionSpec,
    views: &Views<'_>,
    limits: &Limits,
) -> Result<Strategy<'s>, Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::NO_STRATEGY, message));
    let CriterionSpec::PopEdge(automaton) = spec else {
        return Err(refuse(format!("`lr-bfs` covers pop edges, not `{spec}`")));
    };
    match LrBfs::new(views, automaton, MOST_PATHS, limits) {
        Ok(tests) => Ok(Strategy::Sequential(Box::new(tests))),
        Err(LrBfsError::Limit(limit)) => Err(limit.into()),
        Err(given_up) => Err(refuse(given_up.to_string())),
    }
}
