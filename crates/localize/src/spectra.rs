//! Spectra: which elements of a grammar each test exercises, and how suspicious that makes them.
//!
//! An accepted test exercises the productions of its tree, and pairs of a position and the production used there. A
//! rejected test exercises the items that were live on any stack up to its error, so the element of an item tells how
//! far its production was used. Let an element be exercised by ef of F failing and by ep of P passing tests:
//!
//! - Ochiai: ef / √(F · (ef + ep))
//! - Tarantula: (ef / F) / (ef / F + ep / P)
//! - Jaccard: ef / (F + ep)
//! - D*: ef² / (ep + F − ef)
//!
//! A rule is as suspicious as its most suspicious element. See Wong et al., A Survey on Software Fault Localization,
//! TSE 2016, for the formulas, and Raselimo and Fischer, Spectrum-based fault localization for context-free grammars,
//! SLE 2019, for their use on grammars.
//!
//! Linear in the sum of the lengths of all spectra.
//!
//! Example: two failing tests use production 3, one of three passing ones does: Ochiai is 2 / √(2 · 3) = 0.82.

use gramercy_base::{IndexMap, Table};
use gramercy_grammar::{ProductionId, RuleId};
use gramercy_parse::{Derivations, DerivedChild, ProductionSource};

use crate::evidence::Site;
use crate::search::Layer;
use crate::slots::SlotId;
use crate::subject::Subject;

/// How suspicion is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Changes of single rules that explain the failing tests, and spectra where tests are wrongly accepted.
    #[default]
    Explain,
    /// Ochiai's coefficient.
    Ochiai,
    /// Tarantula.
    Tarantula,
    /// Jaccard's coefficient.
    Jaccard,
    /// D* with the exponent 2.
    DStar,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Metric; 5] =
        [Metric::Explain, Metric::Ochiai, Metric::Tarantula, Metric::Jaccard, Metric::DStar];

    /// The name on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Metric::Explain => "explain",
            Metric::Ochiai => "ochiai",
            Metric::Tarantula => "tarantula",
            Metric::Jaccard => "jaccard",
            Metric::DStar => "dstar",
        }
    }

    /// The suspicion of an element that `failed` of `failing` and `passed` of `passing` tests exercise. The first
    /// metric has none of its own here and is Ochiai's.
    #[must_use]
    pub fn suspicion(self, failed: u32, passed: u32, failing: u32, passing: u32) -> f64 {
        let [ef, ep, f, p] = [failed, passed, failing, passing].map(f64::from);
        if failed == 0 {
            return 0.0;
        }
        match self {
            Metric::Explain | Metric::Ochiai => ef / (f * (ef + ep)).sqrt(),
            Metric::Tarantula => (ef / f) / (ef / f + if passing == 0 { 0.0 } else { ep / p }),
            Metric::Jaccard => ef / (f + ep),
            // A perfect element is above all others instead of infinite.
            Metric::DStar => ef * ef / (ep + f - ef).max(0.5),
        }
    }
}

/// An element of the BNF core, or a token rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// A production was used as a whole.
    Production(ProductionId),
    /// A production was used up to a position.
    Item(ProductionId, u32),
    /// A production was used at a position of another one.
    Pair(ProductionId, u32, ProductionId),
    /// A token rule matched.
    Token(RuleId),
}

/// The suspicion of a pair that is explained by its production.
const INDIRECT: f64 = 0.9;

/// The elements that a test exercises.
pub type Spectrum = Vec<Element>;

/// The spectrum of an accepted test from its trees.
#[must_use]
pub fn of_derivations(tree: &Derivations) -> Spectrum {
    let mut spectrum = Vec::new();
    for node in tree.ids() {
        for way in tree.ways(node) {
            spectrum.push(Element::Production(way.production));
            for (at, part) in way.parts.iter().enumerate() {
                let DerivedChild::Node(child) = part else { continue };
                let position = gramercy_base::to_u32(way.position + at);
                for below in tree.ways(*child) {
                    spectrum.push(Element::Pair(way.production, position, below.production));
                }
            }
        }
    }
    spectrum
}

/// The spectrum of a rejected test from the slots that were live up to its error.
#[must_use]
pub fn of_slots(subject: &Subject<'_>, used: &[SlotId]) -> Spectrum {
    let (slots, parser) = (subject.slots(), subject.parser().parser());
    let mut spectrum = Vec::new();
    for &slot in used {
        let ProductionSource::Bnf(production) = parser.production_source(slots.production(slot))
        else {
            continue;
        };
        let dot = gramercy_base::to_u32(slots.dot(slot));
        if dot > 0 {
            spectrum.push(Element::Item(production, dot));
        }
        if slots.next(slot).is_none() {
            spectrum.push(Element::Production(production));
        }
    }
    spectrum
}

/// How suspicious elements are by the spectra of failing and passing tests.
#[derive(Clone, Debug)]
pub struct Suspicions {
    metric: Metric,
    /// For each element, how many failing and passing tests exercise it.
    counts: IndexMap<Element, [u32; 2]>,
    /// The numbers of failing and passing tests.
    tests: [u32; 2],
}

impl Suspicions {
    /// The suspicions by a metric.
    #[must_use]
    pub fn new(metric: Metric, failing: &[Spectrum], passing: &[Spectrum]) -> Self {
        let mut counts: IndexMap<Element, [u32; 2]> = IndexMap::default();
        let mut elements = Vec::new();
        for (kind, spectra) in [failing, passing].into_iter().enumerate() {
            for spectrum in spectra {
                elements.clone_from(spectrum);
                elements.sort_unstable();
                elements.dedup();
                for &element in &elements {
                    counts.entry(element).or_default()[kind] += 1;
                }
            }
        }
        let tests = [failing.len(), passing.len()].map(gramercy_base::to_u32);
        Self { metric, counts, tests }
    }

    /// The suspicion of an element.
    #[must_use]
    pub fn of(&self, element: Element) -> f64 {
        let own = self.alone(element);
        // A pair is no more suspicious than the production in it, which is in another rule.
        match element {
            Element::Pair(_, _, below) if self.alone(Element::Production(below)) >= own => {
                own * INDIRECT
            }
            _ => own,
        }
    }

    /// Whether no passing test exercises an element.
    #[must_use]
    pub fn is_unused(&self, element: Element) -> bool {
        self.counts.get(&element).is_none_or(|[_, passed]| *passed == 0)
    }

    fn alone(&self, element: Element) -> f64 {
        let [failed, passed] = self.counts.get(&element).copied().unwrap_or_default();
        let [failing, passing] = self.tests;
        self.metric.suspicion(failed, passed, failing, passing)
    }

    /// The suspicion of every rule: that of its most suspicious element.
    #[must_use]
    pub fn rules(&self, subject: &Subject<'_>) -> Table<RuleId, f64> {
        let mut scores = Table::filled(0.0, subject.grammar().rules().len());
        for &element in self.counts.keys() {
            if let Some(rule) = element.rule(subject) {
                scores[rule] = self.of(element).max(scores[rule]);
            }
        }
        scores
    }

    /// The suspicion of every site that a test exercises.
    #[must_use]
    pub fn sites(&self, subject: &Subject<'_>) -> IndexMap<Site, f64> {
        let mut scores: IndexMap<Site, f64> = IndexMap::default();
        for &element in self.counts.keys() {
            if let Some(site) = element.site(subject) {
                let known = scores.entry(site).or_default();
                *known = self.of(element).max(*known);
            }
        }
        scores
    }
}

impl Element {
    /// The rule that the element is written in.
    fn rule(self, subject: &Subject<'_>) -> Option<RuleId> {
        match self {
            Element::Production(production)
            | Element::Item(production, _)
            | Element::Pair(production, _, _) => subject.owner_in_bnf(production),
            Element::Token(rule) => Some(rule),
        }
    }

    /// The site of the element: a production counts as its beginning, a pair as its position.
    #[must_use]
    pub fn site(self, subject: &Subject<'_>) -> Option<Site> {
        let rule = self.rule(subject)?;
        let (production, dot) = match self {
            Element::Production(production) => (production, 0),
            Element::Item(production, dot) | Element::Pair(production, dot, _) => (production, dot),
            Element::Token(_) => return Some(Site::Rule(rule)),
        };
        Some(Site::Item(rule, Layer::Syntax, subject.slot(production, dot as usize)?))
    }
}
