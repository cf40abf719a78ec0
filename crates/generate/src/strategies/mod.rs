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
pub mod recurrent;
pub mod variants;

use gramercy_base::LimitReached;
use gramercy_coverage::criteria::deriv::Deriv;
use gramercy_coverage::criteria::lr_edge::LrEdges;
use gramercy_coverage::criteria::lr_path::LrPaths;
use gramercy_coverage::criteria::pair::Pairs;
use gramercy_coverage::criteria::pll::Pll;
use gramercy_coverage::criteria::step::Steps;
use gramercy_coverage::criteria::symbol::Symbols;
use gramercy_coverage::{Argument, Criterion, CriterionSpec, TargetId, TargetSet};
use gramercy_derive::resolution::Resolution;
use gramercy_derive::resolutions::Resolutions;
use gramercy_derive::strategy::{Indexed, Strategy};
use gramercy_language::Language;

use cover::described::Described;
use cover::{Cover, Fragments};
use kpath::{CloseOff, KPathOptions, KPathStrategy};
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

/// A criterion with a strategy of its own. Others get the strategy for fragments, if they describe theirs.
struct Entry {
    /// The criterion's name.
    criterion: &'static str,
    /// Makes small tests that do not depend on each other.
    small: for<'s> fn(&StrategyRequest<'s, '_>) -> Result<Box<dyn Indexed + 's>, StrategyError>,
    /// Makes few large tests.
    packed: for<'s> fn(Packing<'s, '_>) -> Result<Box<dyn PackedPart + 's>, StrategyError>,
}

/// The criteria with strategies of their own. The tests for `kpath:K` depend on each other; their strategies
/// are [`KPathStrategy`] and [`PackedPaths`].
const REGISTRY: &[Entry] = &[
    Entry {
        criterion: "symbol",
        small: |making| Ok(making.cover(Symbols::new(making.language))),
        packed: |packing| Ok(packing.fragments(Symbols::new)),
    },
    Entry {
        criterion: "rule",
        small: |making| making.described(),
        packed: |packing| packing.chains(1),
    },
    Entry {
        criterion: "step",
        small: |making| Ok(making.cover(Steps::new(making.language, making.argument().k)?)),
        packed: |packing| {
            let k = packing.making.argument().k;
            packing.chains(k)
        },
    },
    Entry {
        criterion: "deriv",
        small: |making| Ok(making.cover(Deriv::new(making.language))),
        packed: |packing| Ok(packing.fragments(Deriv::new)),
    },
    Entry {
        criterion: "pll",
        small: |making| Ok(making.cover(Pll::new(making.language))),
        packed: |packing| {
            let language = packing.making.language;
            Ok(packing.fragments(|writable| Pll::new(language).within(writable)))
        },
    },
    Entry {
        criterion: "pair",
        small: |making| Ok(making.cover(Pairs::new(making.language))),
        packed: |packing| {
            let language = packing.making.language;
            Ok(packing.fragments(|writable| Pairs::new(language).within(writable)))
        },
    },
    Entry {
        criterion: "lexeme",
        small: |making| Ok(Box::new(making.lexemes()?)),
        packed: |packing| packing.lexemes(),
    },
    Entry {
        criterion: "pop-edge",
        small: |making| making.variants(|resolution| making.pop_edges(resolution)),
        packed: |packing| {
            let StrategyRequest { language, .. } = *packing.making;
            let tests = packing.making.pop_edges(packing.making.resolution())?;
            let criterion = LrEdges::pop(language, packing.making.argument().automaton)?;
            Ok(packing.parts(LrParts::new(language, tests, criterion)))
        },
    },
    Entry {
        criterion: "lr-path",
        small: |making| making.variants(|resolution| making.lr_paths(resolution)),
        packed: |packing| {
            let StrategyRequest { language, .. } = *packing.making;
            let Argument { k, automaton } = packing.making.argument();
            let tests = packing.making.lr_paths(packing.making.resolution())?;
            let criterion = LrPaths::new(language, k, automaton)?;
            Ok(packing.parts(LrParts::new(language, tests, criterion)))
        },
    },
];

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

/// What is requested of the suite of one criterion.
#[derive(Clone, Debug, Default)]
pub struct CriterionRequest {
    /// The targets that are covered already.
    pub given: TargetSet,
    /// The only targets that are requested, if not all.
    pub wanted: Option<TargetSet>,
    /// How everything beside a k-path is closed off.
    pub close_off: CloseOff,
    /// The seed of random choices.
    pub seed: u64,
    /// The most tokens of a packed test.
    pub max_tokens: Option<u64>,
}

impl CriterionRequest {
    /// Whether a test for a target is requested.
    #[must_use]
    pub fn wants(&self, target: TargetId) -> bool {
        !self.given.contains(target)
            && self.wanted.as_ref().is_none_or(|wanted| wanted.contains(target))
    }

    fn is_all(&self) -> bool {
        self.given.is_empty() && self.wanted.is_none()
    }

    /// The targets that are not requested.
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
            close_off: self.close_off,
            seed: self.seed,
            given: self.given.clone(),
            wanted: self.wanted.clone(),
            max_tokens: self.max_tokens,
            ..KPathOptions::new(k)
        }
    }
}

/// Everything that the strategy of one criterion is made from.
#[derive(Clone, Copy)]
pub struct StrategyRequest<'s, 'r> {
    /// The criterion.
    pub spec: CriterionSpec,
    /// Its number among those of the suite.
    pub index: usize,
    /// The language.
    pub language: &'s Language,
    /// How trees are derived.
    pub resolutions: &'s Resolutions<'s>,
    /// What is requested.
    pub request: &'r CriterionRequest,
}

impl<'s> StrategyRequest<'s, '_> {
    /// The strategy that covers the criterion with small tests.
    ///
    /// # Errors
    /// See [`StrategyError`].
    pub fn small(&self) -> Result<Strategy<'s>, StrategyError> {
        let Some(k) = self.spec.path_length() else {
            return Ok(Strategy::Indexed(self.indexed()?));
        };
        let options = self.request.for_paths(k, self.index, self.resolution());
        // The engine applies the bound on tokens, and reports what it leaves out.
        let options = KPathOptions { max_tokens: None, ..options };
        let paths = paths(self.language, self.resolutions, options)?;
        Ok(Strategy::Sequential(Box::new(paths)))
    }

    /// The strategy whose tests do not depend on each other, without those that are not requested.
    fn indexed(&self) -> Result<Box<dyn Indexed + 's>, StrategyError> {
        let all = match self.entry() {
            Some(entry) => (entry.small)(self)?,
            None => self.described()?,
        };
        let is_complete = self.request.is_all() || self.spec.name() == "lexeme";
        Ok(if is_complete { all } else { Box::new(Missing::new(all, self.request.clone())) })
    }

    fn packed(&self) -> Result<Box<dyn PackedPart + 's>, StrategyError> {
        if let Some(k) = self.spec.path_length() {
            let options = self.request.for_paths(k, self.index, self.resolution());
            let packed = PackedPaths::new(self.language, self.writable(), options)?;
            return Ok(Box::new(packed.guided(self.resolutions.guide())));
        }
        let packing = Packing { making: self, small: self.indexed()?, request: self.request };
        match self.entry() {
            Some(entry) => (entry.packed)(packing),
            None => {
                let criterion = self.describe(self.writable())?;
                Ok(packing.fragments(|_| criterion))
            }
        }
    }

    fn entry(&self) -> Option<&'static Entry> {
        REGISTRY.iter().find(|entry| entry.criterion == self.spec.name())
    }

    fn argument(&self) -> Argument {
        self.spec.argument()
    }

    fn resolution(&self) -> Resolution {
        self.resolutions.variants()[0].resolution()
    }

    /// The language in which large tests grow.
    fn writable(&self) -> &'s Language {
        self.resolutions.writable(self.language)
    }

    /// The strategy for criteria whose targets are fragments of trees.
    fn cover<F: Fragments + 's>(&self, criterion: F) -> Box<dyn Indexed + 's> {
        Box::new(Cover::new(criterion, self.index, self.language, self.resolutions))
    }

    /// The strategy of a criterion that describes its fragments.
    fn described(&self) -> Result<Box<dyn Indexed + 's>, StrategyError> {
        Ok(self.cover(self.describe(self.language)?))
    }

    fn describe(&self, language: &'s Language) -> Result<Described<'s>, StrategyError> {
        let criterion = self.spec.build(language)?;
        Described::new(criterion).ok_or(StrategyError::NoStrategy(self.spec))
    }

    fn lexemes(&self) -> Result<LexemeTests<'s>, LimitReached> {
        let Self { language, resolutions, index, .. } = *self;
        let is_wanted = |target| self.request.wants(target);
        LexemeTests::new(language, self.argument().k, resolutions, index, &is_wanted)
    }

    fn pop_edges(&self, resolution: Resolution) -> Result<PopEdges<'s>, LimitReached> {
        PopEdges::new(self.language, self.argument().automaton, resolution, self.index)
    }

    fn lr_paths(&self, resolution: Resolution) -> Result<LrPathTests<'s>, LimitReached> {
        let Argument { k, automaton } = self.argument();
        LrPathTests::new(self.language, (k, automaton), resolution, self.index)
    }

    /// A strategy for each of the resolutions that a suite merges.
    fn variants<S: Indexed + 's>(
        &self,
        make: impl Fn(Resolution) -> Result<S, LimitReached>,
    ) -> Result<Box<dyn Indexed + 's>, StrategyError> {
        let all = self.resolutions.variants().iter().map(|cheapest| make(cheapest.resolution()));
        Ok(Box::new(Variants::new(all.collect::<Result<_, _>>()?)))
    }
}

/// The strategy that covers several criteria with as few tests as possible.
///
/// # Errors
/// See [`StrategyError`].
pub fn packed<'s>(all: &[StrategyRequest<'s, '_>]) -> Result<Strategy<'s>, StrategyError> {
    let parts = all.iter().map(StrategyRequest::packed).collect::<Result<_, _>>()?;
    Ok(Strategy::Sequential(Box::new(Joined::new(parts))))
}

/// A suite for k-paths, made of what can be written.
fn paths<'v>(
    language: &'v Language,
    resolutions: &'v Resolutions<'v>,
    options: KPathOptions,
) -> Result<KPathStrategy<'v>, LimitReached> {
    let paths = KPathStrategy::within(language, resolutions.writable(language), options)?;
    Ok(paths.guided(resolutions.guide()))
}

/// What the packed suite of one criterion is made from.
struct Packing<'s, 'r> {
    making: &'r StrategyRequest<'s, 'r>,
    small: Box<dyn Indexed + 's>,
    request: &'r CriterionRequest,
}

impl<'s> Packing<'s, '_> {
    fn chains(self, k: u32) -> Result<Box<dyn PackedPart + 's>, StrategyError> {
        let targets = Steps::new(self.making.language, k)?.targets();
        let unwanted = self.request.unwanted(targets);
        let source = MissingChains::new(self.making.writable(), k, &unwanted)?;
        Ok(self.pack(source, targets))
    }

    /// Packs the fragments of a criterion over the language in which large tests grow.
    fn fragments<F: Fragments + 's>(
        self,
        criterion: impl FnOnce(&'s Language) -> F,
    ) -> Box<dyn PackedPart + 's> {
        let writable = self.making.writable();
        let cheapest = self.making.resolutions.shortest_writable();
        let parts = FragmentParts::new(writable, criterion(writable), cheapest);
        self.parts(parts)
    }

    fn lexemes(self) -> Result<Box<dyn PackedPart + 's>, StrategyError> {
        let StrategyRequest { resolutions, .. } = *self.making;
        let (writable, tests) = (self.making.writable(), self.making.lexemes()?);
        let cheapest = resolutions.shortest_writable();
        let symbols = FragmentParts::new(writable, Symbols::new(writable), cheapest);
        // Only what is requested has a text.
        let max_tokens = self.request.max_tokens;
        let request = &CriterionRequest { max_tokens, ..CriterionRequest::default() };
        let parts = TextParts::new(symbols, tests, resolutions.guide());
        Ok(Packing { making: self.making, small: self.small, request }.parts(parts))
    }

    fn parts<P: Parts + 's>(self, parts: P) -> Box<dyn PackedPart + 's> {
        let targets = parts.targets();
        let unwanted = self.request.unwanted(targets);
        let source = MissingParts::new(self.making.writable(), parts, &unwanted);
        self.pack(source, targets)
    }

    fn pack<S: Source + 's>(self, source: S, targets: u64) -> Box<dyn PackedPart + 's> {
        // Some targets are in no sentence of the writable language: these have no small test either.
        let is_withheld =
            |&target: &TargetId| self.request.wants(target) && !source.is_missing(target);
        let withheld = (0..targets).filter(is_withheld).collect();
        let options = PackOptions {
            criterion: self.making.index,
            max_tokens: self.request.max_tokens,
            ..PackOptions::default()
        };
        let pack = Pack::new(self.making.writable(), source, options);
        let pack = pack.guided(self.making.resolutions.guide());
        Box::new(Packed::new(pack, self.small, withheld))
    }
}
