//! The strategies, and which of them makes the suite of a criterion.

pub mod cover;
pub mod forests;
pub mod kpath;
pub mod lexeme;
pub mod lr_bfs;
pub mod lr_path;
pub mod missing;
pub mod pack;
pub mod pop_edge;
pub mod random;
pub mod runs;
pub mod variants;

use gramercy_base::{LimitReached, Limits};
use gramercy_coverage::criteria::bfs::Bfs;
use gramercy_coverage::criteria::deriv::Deriv;
use gramercy_coverage::criteria::lr_edge::LrEdges;
use gramercy_coverage::criteria::lr_path::LrPaths;
use gramercy_coverage::criteria::pair::Pairs;
use gramercy_coverage::criteria::pll::Pll;
use gramercy_coverage::criteria::rule::Rules;
use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{Criterion, CriterionSpec, TargetId, TargetSet, Views};

use crate::closings::Closings;
use crate::resolution::Resolution;
use crate::strategy::{Indexed, Strategy};
use cover::{Cover, Fragments};
use kpath::{Closing, KPathOptions, KPathStrategy};
use lexeme::LexemeTests;
use lr_path::LrPathTests;
use missing::Missing;
use pack::chains::MissingChains;
use pack::fragments::FragmentParts;
use pack::joined::{Joined, Packed, PackedPart};
use pack::lr_parts::LrParts;
use pack::parts::{MissingParts, Parts};
use pack::paths::PackedPaths;
use pack::texts::TextParts;
use pack::{Pack, PackOptions, Source};
use pop_edge::PopEdges;
use variants::Variants;

/// Why there is no strategy for a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyError {
    /// Its targets are too many.
    Limit(LimitReached),
    /// No strategy makes suites for it.
    NoStrategy(CriterionSpec),
}

impl From<LimitReached> for StrategyError {
    fn from(limit: LimitReached) -> Self {
        StrategyError::Limit(limit)
    }
}

/// What is wished of the suite of one criterion.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// What is covered already.
    pub given: TargetSet,
    /// The only targets that are wanted, if not all.
    pub wanted: Option<TargetSet>,
    /// How everything beside a k-path is closed off.
    pub closing: Closing,
    /// What random choices are drawn from.
    pub seed: u64,
    /// No packed test has more tokens.
    pub max_tokens: Option<u64>,
}

impl Wishes {
    /// Whether a test for a target is wanted.
    #[must_use]
    pub fn wants(&self, target: TargetId) -> bool {
        !self.given.contains(target)
            && self.wanted.as_ref().is_none_or(|wanted| wanted.contains(target))
    }

    fn is_all(&self) -> bool {
        self.given.is_empty() && self.wanted.is_none()
    }

    /// What of so many targets is not wanted.
    fn unwanted(&self, targets: u64) -> TargetSet {
        match self.wanted {
            None => self.given.clone(),
            Some(_) => (0..targets).filter(|&target| !self.wants(target)).collect(),
        }
    }

    /// The options of a suite of k-paths, which is number `index` among those of a suite.
    #[must_use]
    pub fn for_paths(&self, k: u32, index: usize, resolution: Resolution) -> KPathOptions {
        KPathOptions {
            criterion: index,
            resolution,
            closing: self.closing,
            seed: self.seed,
            given: self.given.clone(),
            wanted: self.wanted.clone(),
            max_tokens: self.max_tokens,
            ..KPathOptions::new(k)
        }
    }
}

/// The strategy that covers a criterion, which is number `index` among those of the suite.
///
/// # Errors
/// See [`StrategyError`].
pub fn build<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    wishes: &Wishes,
    limits: &Limits,
) -> Result<Strategy<'s>, StrategyError> {
    if let CriterionSpec::KPath(k) = spec {
        let resolution = closings.variants()[0].resolution();
        // Whoever writes tests keeps the bound, and tells what it leaves out.
        let options = KPathOptions { max_tokens: None, ..wishes.for_paths(k, index, resolution) };
        return Ok(Strategy::Sequential(Box::new(paths(views, closings, options, limits)?)));
    }
    Ok(Strategy::Indexed(build_indexed(spec, index, views, closings, wishes, limits)?))
}

/// A suite for k-paths, made of what can be written.
fn paths<'v>(
    views: &'v Views<'v>,
    closings: &'v Closings<'v>,
    options: KPathOptions,
    limits: &Limits,
) -> Result<KPathStrategy<'v>, LimitReached> {
    let paths = KPathStrategy::within(views, closings.writable(views), options, limits)?;
    Ok(paths.guided(closings.guide()))
}

/// The strategy of a criterion whose tests do not depend on each other, without those that are not
/// wanted.
fn build_indexed<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    wishes: &Wishes,
    limits: &Limits,
) -> Result<Box<dyn Indexed + 's>, StrategyError> {
    if let CriterionSpec::Lexeme(k) = spec {
        let is_wanted = |target| wishes.wants(target);
        return Ok(Box::new(LexemeTests::new(views, k, closings, index, &is_wanted, limits)?));
    }
    let all = build_all(spec, index, views, closings, limits)?;
    Ok(if wishes.is_all() { all } else { Box::new(Missing::new(all, wishes.clone())) })
}

/// All tests of a criterion that do not depend on each other.
fn build_all<'s>(
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
        CriterionSpec::KPath(_) | CriterionSpec::Lexeme(_) | CriterionSpec::PushEdge(_) => {
            return Err(StrategyError::NoStrategy(spec));
        }
    })
}

/// The strategy that covers some criteria with as few tests as possible, with a wish for each.
///
/// # Errors
/// See [`StrategyError`].
pub fn build_packed<'s>(
    specs: &[CriterionSpec],
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    wishes: &[Wishes],
    limits: &Limits,
) -> Result<Strategy<'s>, StrategyError> {
    let mut parts = Vec::with_capacity(specs.len());
    for (index, (&spec, wishes)) in specs.iter().zip(wishes).enumerate() {
        parts.push(packed_part(spec, index, views, closings, wishes, limits)?);
    }
    Ok(Strategy::Sequential(Box::new(Joined::new(parts))))
}

/// The packed suite of one criterion.
fn packed_part<'s>(
    spec: CriterionSpec,
    index: usize,
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    wishes: &Wishes,
    limits: &Limits,
) -> Result<Box<dyn PackedPart + 's>, StrategyError> {
    let resolution = closings.variants()[0].resolution();
    let writable = closings.writable(views);
    if let CriterionSpec::KPath(k) = spec {
        let options = wishes.for_paths(k, index, resolution);
        let packed = PackedPaths::new(views, writable, options, limits)?;
        return Ok(Box::new(packed.guided(closings.guide())));
    }
    let small = build_indexed(spec, index, views, closings, wishes, limits)?;
    let packing = Packing { views, closings, wishes, small, index };
    // Where ranks do not depend on the views, criteria of the writable ones do.
    Ok(match spec {
        CriterionSpec::Rule => packing.chains(1, limits)?,
        CriterionSpec::Step(k) => packing.chains(k, limits)?,
        CriterionSpec::Symbol => packing.fragments(Symbols::new(writable)),
        CriterionSpec::Bfs(k) => packing.fragments(Bfs::new(writable, k, limits)?),
        CriterionSpec::Deriv => packing.fragments(Deriv::new(writable)),
        CriterionSpec::Pll => packing.fragments(Pll::new(views).within(writable)),
        CriterionSpec::Pair => packing.fragments(Pairs::new(views).within(writable)),
        CriterionSpec::PopEdge(automaton) => {
            let tests = PopEdges::new(views, automaton, resolution, index, limits)?;
            let criterion = LrEdges::pop(views, automaton, limits)?;
            packing.parts(LrParts::new(views, tests, criterion))
        }
        CriterionSpec::LrPath(k, automaton) => {
            let tests = LrPathTests::new(views, (k, automaton), resolution, index, limits)?;
            let criterion = LrPaths::new(views, k, automaton, limits)?;
            packing.parts(LrParts::new(views, tests, criterion))
        }
        CriterionSpec::Lexeme(k) => {
            let is_wanted = |target| wishes.wants(target);
            let tests = LexemeTests::new(views, k, closings, index, &is_wanted, limits)?;
            let shortest = closings.shortest_writable();
            let symbols = FragmentParts::new(writable, Symbols::new(writable), shortest);
            // Only what is wanted has a text.
            let packing = Packing {
                wishes: &Wishes { max_tokens: wishes.max_tokens, ..Wishes::default() },
                ..packing
            };
            packing.parts(TextParts::new(symbols, tests, closings.guide()))
        }
        CriterionSpec::KPath(_) | CriterionSpec::PushEdge(_) => {
            unreachable!("invariant: small tests are k-paths or there are none")
        }
    })
}

/// What every packed suite is made with.
struct Packing<'s, 'w> {
    views: &'s Views<'s>,
    closings: &'s Closings<'s>,
    wishes: &'w Wishes,
    small: Box<dyn Indexed + 's>,
    index: usize,
}

impl<'s> Packing<'s, '_> {
    /// The views in which large tests grow.
    fn writable(&self) -> &'s Views<'s> {
        self.closings.writable(self.views)
    }

    fn chains(self, k: u32, limits: &Limits) -> Result<Box<dyn PackedPart + 's>, LimitReached> {
        let targets = Steps::new(self.views, k, limits)?.targets();
        let unwanted = self.wishes.unwanted(targets);
        let source = MissingChains::new(self.writable(), k, &unwanted, limits)?;
        Ok(self.pack(source, targets))
    }

    fn fragments<F: Fragments + 's>(self, criterion: F) -> Box<dyn PackedPart + 's> {
        let minimal = self.closings.shortest_writable();
        let parts = FragmentParts::new(self.writable(), criterion, minimal);
        self.parts(parts)
    }

    fn parts<P: Parts + 's>(self, parts: P) -> Box<dyn PackedPart + 's> {
        let targets = parts.targets();
        let unwanted = self.wishes.unwanted(targets);
        let source = MissingParts::new(self.writable(), parts, &unwanted);
        self.pack(source, targets)
    }

    /// Packs what a source has of so many targets.
    fn pack<S: Source + 's>(self, source: S, targets: u64) -> Box<dyn PackedPart + 's> {
        // Some of them no sentence covers: these have no small test either.
        let is_withheld =
            |&target: &TargetId| self.wishes.wants(target) && !source.is_missing(target);
        let withheld = (0..targets).filter(is_withheld).collect();
        let max_tokens = self.wishes.max_tokens;
        let options = PackOptions { criterion: self.index, max_tokens, ..PackOptions::default() };
        let pack = Pack::new(self.writable(), source, options).guided(self.closings.guide());
        Box::new(Packed::new(pack, self.small, withheld))
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
