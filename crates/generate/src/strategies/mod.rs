//! The strategies, and which of them makes the suite of a criterion.

pub mod cover;
pub mod kpath;
pub mod lexeme;
pub mod lr_bfs;
pub mod lr_path;
pub mod missing;
pub mod pack;
pub mod pop_edge;
pub mod random;
pub mod variants;

use gramercy_base::{LimitReached, Limits};
use gramercy_coverage::criteria::bfs::Bfs;
use gramercy_coverage::criteria::deriv::Deriv;
use gramercy_coverage::criteria::pair::Pairs;
use gramercy_coverage::criteria::pll::Pll;
use gramercy_coverage::criteria::rule::Rules;
use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{CriterionSpec, TargetSet, Views};

use crate::closings::Closings;
use crate::resolution::Resolution;
use crate::strategy::{Indexed, Strategy};
use cover::Cover;
use kpath::{KPathOptions, KPathStrategy};
use lexeme::LexemeTests;
use lr_path::LrPathTests;
use missing::Missing;
use pack::chains::MissingChains;
use pack::paths::PackedPaths;
use pack::{Pack, PackOptions};
use pop_edge::PopEdges;
use variants::Variants;

/// Why there is no strategy for a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// Its targets are too many.
    Limit(LimitReached),
    /// No strategy makes suites for it.
    NoStrategy(CriterionSpec),
    /// No strategy packs its targets into few tests.
    NotPacked(CriterionSpec),
}

impl From<LimitReached> for StrategyError {
    fn from(limit: LimitReached) -> Self {
        StrategyError::Limit(limit)
    }
}

/// The strategy that covers a criterion, which is number `index` among those of the suite, but for the
/// targets that are given.
///
/// # Errors
/// See [`StrategyError`].
pub fn build<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    given: &TargetSet,
    limits: &Limits,
) -> Result<Strategy<'s>, StrategyError> {
    if let CriterionSpec::KPath(k) = spec {
        let resolution = closings.variants()[0].resolution();
        let options = KPathOptions {
            criterion: index,
            resolution,
            given: given.clone(),
            ..KPathOptions::new(k)
        };
        return Ok(Strategy::Sequential(Box::new(KPathStrategy::new(views, options, limits)?)));
    }
    let all = build_indexed(spec, index, views, closings, limits)?;
    Ok(Strategy::Indexed(match given.is_empty() {
        true => all,
        false => Box::new(Missing::new(all, given.clone())),
    }))
}

/// The strategy of a criterion whose tests do not depend on each other.
fn build_indexed<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    limits: &Limits,
) -> Result<Box<dyn Indexed + 's>, StrategyError> {
    Ok(match spec {
        CriterionSpec::Rule => Cover::new(Rules::new(views), index, views, closings).boxed(),
        CriterionSpec::Step(k) => {
            Cover::new(Steps::new(views, k, limits)?, index, views, closings).boxed()
        }
        CriterionSpec::Symbol => Cover::new(Symbols::new(views), index, views, closings).boxed(),
        CriterionSpec::Bfs(k) => {
            Cover::new(Bfs::new(views, k, limits)?, index, views, closings).boxed()
        }
        CriterionSpec::Deriv => Cover::new(Deriv::new(views), index, views, closings).boxed(),
        CriterionSpec::Pll => Cover::new(Pll::new(views), index, views, closings).boxed(),
        CriterionSpec::Pair => Cover::new(Pairs::new(views), index, views, closings).boxed(),
        CriterionSpec::PopEdge(construction) => variants(closings, |resolution| {
            PopEdges::new(views, construction, resolution, index, limits)
        })?,
        CriterionSpec::LrPath(k, construction) => variants(closings, |resolution| {
            LrPathTests::new(views, (k, construction), resolution, index, limits)
        })?,
        CriterionSpec::Lexeme(k) => Box::new(LexemeTests::new(views, k, closings, index, limits)?),
        CriterionSpec::KPath(_) | CriterionSpec::PushEdge(_) => {
            return Err(StrategyError::NoStrategy(spec));
        }
    })
}

/// The strategy that covers a criterion with as few tests as possible.
///
/// # Errors
/// See [`StrategyError`]. Criteria whose targets cannot be steered to have no such strategy.
pub fn build_packed<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    (given, max_tokens): (&TargetSet, Option<u64>),
    limits: &Limits,
) -> Result<Strategy<'s>, StrategyError> {
    let chains = |k| -> Result<Strategy<'s>, StrategyError> {
        let source = MissingChains::new(views, k, given, limits)?;
        let options = PackOptions { criterion: index, max_tokens, ..PackOptions::default() };
        Ok(Strategy::Sequential(Box::new(Pack::new(views, source, options))))
    };
    match spec {
        CriterionSpec::Rule => chains(1),
        CriterionSpec::Step(k) => chains(k),
        CriterionSpec::KPath(k) => {
            let options = KPathOptions {
                criterion: index,
                max_tokens,
                given: given.clone(),
                ..KPathOptions::new(k)
            };
            Ok(Strategy::Sequential(Box::new(PackedPaths::new(views, options, limits)?)))
        }
        // A lexeme a test: few sentences have room for many that are fixed.
        CriterionSpec::Lexeme(_) => build(spec, index, views, closings, given, limits),
        other => Err(StrategyError::NotPacked(other)),
    }
}

/// A strategy for each of the resolutions that a suite merges.
fn variants<'s, S: Indexed + 's>(
    closings: &Closings<'_>,
    make: impl Fn(Resolution) -> Result<S, LimitReached>,
) -> Result<Box<dyn Indexed + 's>, LimitReached> {
    let all = closings.variants().iter().map(|minimal| make(minimal.resolution()));
    Ok(Box::new(Variants::new(all.collect::<Result<_, _>>()?)))
}
