//! What each failing test says about the places of a grammar, and all failing tests together.
//!
//! A wrongly rejected test is explained by single changes (see [`search`](crate::search)). Each change is made at a
//! *site*: an item of a production, an item of a token rule, or a rule as a whole, which has one more alternative or
//! matches another text. The likelihoods of the explanations of an error are votes for their sites, and the best of a
//! rule's sites votes for the rule. A wrongly accepted test votes for what it exercises and passing tests do not.
//!
//! Passing tests are evidence too. If they use most productions, one that they never use is conspicuous: with a wrong
//! symbol in it no test can pass. Let them use the share *s* of all productions; an innocent production is unused with
//! the probability 1 − *s*, so an explanation at an unused one is likelier by the factor 1 / (1 − *s*).
//!
//! Tests are put together under the assumption that few faults cause all failures: a site that is a fair explanation
//! of every test is better than one that is the best explanation of some of them and none of the others. The vote *v*
//! of a test counts ln(1 + v / ε), which is the logarithm of a likelihood with a floor.
//!
//! Example: `stmt → print • expr ;` explains three tests with the votes 0.3, 0.3 and 0.3, and a rule that only one of
//! them uses has the votes 0.8, 0 and 0. With ε = 0.5 the sums are 3 · 0.47 = 1.41 and 0.96.
//!
//! Linear in the number of all explanations.

use gramercy_base::{IdSet, IndexMap, Table};
use gramercy_grammar::{ProductionId, RuleId};
use gramercy_parse::{DerivedChild, ProductionSource, TokenRange};

use crate::localize::{FailingTest, Pointer, Wanted};
use crate::search::failure::Examined;
use crate::search::weights::Weights;
use crate::search::{Change, Explanation, Layer};
use crate::slots::SlotId;
use crate::spectra::{Element, Spectrum, Suspicions};
use crate::subject::Subject;

/// Where a grammar may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// A rule as a whole: it lacks an alternative, or matches another text.
    Rule(RuleId),
    /// An item of a production that is written in a rule.
    Item(RuleId, Layer, SlotId),
}

impl Site {
    /// The rule.
    #[must_use]
    pub fn rule(self) -> RuleId {
        match self {
            Site::Rule(rule) | Site::Item(rule, ..) => rule,
        }
    }

    fn of(explanation: &Explanation) -> Self {
        match explanation.change {
            Change::Alternative | Change::Rematch => Site::Rule(explanation.rule),
            Change::Insert
            | Change::Skip
            | Change::Substitute
            | Change::Transpose
            | Change::Repeat
            | Change::Widen => Site::Item(explanation.rule, explanation.layer, explanation.slot),
        }
    }
}

/// The votes of a test.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    /// By rule.
    pub rules: IndexMap<RuleId, f64>,
    /// By site.
    pub sites: IndexMap<Site, f64>,
}

/// What passing tests use.
#[derive(Clone, Debug)]
pub struct Used {
    productions: IdSet<ProductionId>,
    /// How much likelier an explanation at an unused production is: a logarithm.
    surprise: f64,
}

impl Used {
    /// What passing tests use, by their spectra.
    #[must_use]
    pub fn new(subject: &Subject<'_>, passing: &[Spectrum]) -> Self {
        let all = subject.language().bnf().production_count();
        let mut productions = IdSet::new(all);
        for element in passing.iter().flatten() {
            if let Element::Production(production) = element {
                productions.insert(*production);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of productions")]
        let unused = (all - productions.len() + 1) as f64 / (all + 1) as f64;
        Self { productions, surprise: -unused.ln() }
    }

    /// The energy of an explanation, by what passing tests use.
    #[must_use]
    pub fn energy(
        &self,
        subject: &Subject<'_>,
        weights: &Weights,
        explanation: &Explanation,
    ) -> f64 {
        let unused = weights.unused * self.surprise(subject, explanation);
        explanation.energy - unused.min(weights.unused_most)
    }

    /// How much likelier an explanation is by what passing tests do not use.
    fn surprise(&self, subject: &Subject<'_>, explanation: &Explanation) -> f64 {
        let changes_production = match Site::of(explanation) {
            Site::Item(_, Layer::Syntax, _) => explanation.change != Change::Repeat,
            Site::Item(..) | Site::Rule(_) => false,
        };
        if !changes_production {
            return 0.0;
        }
        if self.is_unused(subject, explanation) { self.surprise } else { 0.0 }
    }

    /// Whether an explanation changes a production that no passing test uses, though they use most of them.
    #[must_use]
    pub fn is_conspicuous(&self, subject: &Subject<'_>, explanation: &Explanation) -> bool {
        self.surprise > 1.0 && self.is_unused(subject, explanation)
    }

    /// Whether no passing test uses the production that an explanation changes.
    fn is_unused(&self, subject: &Subject<'_>, explanation: &Explanation) -> bool {
        if explanation.layer != Layer::Syntax {
            return false;
        }
        let production = subject.slots().production(explanation.slot);
        match subject.parser().parser().production_source(production) {
            ProductionSource::Bnf(id) => !self.productions.contains(id),
            _ => false,
        }
    }
}

/// The votes of a rejected test.
pub fn of_rejected(
    subject: &Subject<'_>,
    weights: &Weights,
    used: &Used,
    (test, examined): (usize, &Examined),
    pointers: &mut Table<RuleId, Vec<Pointer>>,
) -> Votes {
    let (mut votes, mut weight) = (Votes::default(), 1.0);
    for error in &examined.errors {
        let energy = |it: &Explanation| used.energy(subject, weights, it);
        let mut best: IndexMap<RuleId, (f64, &Explanation)> = IndexMap::default();
        let mut sites: IndexMap<Site, f64> = IndexMap::default();
        for explanation in &error.explanations {
            let energy = energy(explanation);
            let known = best.entry(explanation.rule).or_insert((energy, explanation));
            if energy < known.0 {
                *known = (energy, explanation);
            }
            let site = sites.entry(Site::of(explanation)).or_insert(energy);
            *site = site.min(energy);
        }
        let least = best.values().map(|known| known.0).fold(f64::INFINITY, f64::min);
        let likelihood = |energy: f64| (-(energy - least) / weights.temperature).exp();
        let sum: f64 = best.values().map(|known| likelihood(known.0)).sum();
        for (&rule, &(energy, known)) in &best {
            let vote = weight * likelihood(energy) / sum;
            *votes.rules.entry(rule).or_default() += vote;
            let explanation = Some(known.clone());
            pointers[rule].push(Pointer { test, byte: error.byte, explanation, vote });
        }
        for (&site, &energy) in &sites {
            *votes.sites.entry(site).or_default() += weight * likelihood(energy) / sum;
        }
        for &(rule, slot) in &error.live {
            let is_read = subject.slots().dot(slot) > 0;
            let vote = weight * if is_read { 1e-6 } else { 1e-7 };
            *votes.rules.entry(rule).or_default() += vote;
            *votes.sites.entry(Site::Item(rule, Layer::Syntax, slot)).or_default() += vote;
        }
        weight *= weights.later * error.progress;
    }
    votes
}

/// The votes of an accepted test: by the suspicions of what it exercises, more near the token that should have been
/// refused where that is known, and four times for the rule that was changed to make the test.
pub fn of_accepted(
    subject: &Subject<'_>,
    suspicions: &Suspicions,
    failing: &FailingTest<'_>,
    (test, examined): (usize, &Examined),
    pointers: &mut Table<RuleId, Vec<Pointer>>,
) -> Votes {
    let place = match failing.wanted {
        Wanted::Reject(place) => place,
        Wanted::Accept => None,
    };
    let mut sites: IndexMap<Site, f64> = IndexMap::default();
    for (element, nearness) in exercised(subject, examined, place) {
        let Some(site) = element.site(subject) else { continue };
        let name = &*subject.grammar().rules()[site.rule()].name;
        let factor = if failing.mutated == Some(name) { 4.0 } else { 1.0 };
        let weight = suspicions.of(element).powi(4) * factor * nearness;
        let known = sites.entry(site).or_default();
        *known = known.max(weight);
    }
    let mut rules: IndexMap<RuleId, f64> = IndexMap::default();
    for (site, &weight) in &sites {
        let known = rules.entry(site.rule()).or_default();
        *known = known.max(weight);
    }
    let sum: f64 = rules.values().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut votes = Votes::default();
    for (rule, weight) in rules {
        let vote = weight / sum;
        votes.rules.insert(rule, vote);
        let byte = place.unwrap_or(0).min(failing.text.len());
        pointers[rule].push(Pointer { test, byte, explanation: None, vote });
    }
    votes.sites = sites.into_iter().map(|(site, weight)| (site, weight / sum)).collect();
    votes
}

/// How much an element counts that ends before the place that should have been refused, and one that begins after it.
const BEFORE: f64 = 0.3;
const AFTER: f64 = 0.03;

/// The elements of an accepted test, each with how much it counts by its distance from a place, if that is known. What
/// let a token in is usually around it; it can be before it, because the token follows from a wrong choice there.
fn exercised(
    subject: &Subject<'_>,
    examined: &Examined,
    place: Option<usize>,
) -> Vec<(Element, f64)> {
    let Some(tree) = &examined.tree else {
        let elements = crate::spectra::of_slots(subject, &examined.used);
        return elements.into_iter().map(|element| (element, 1.0)).collect();
    };
    let token = place.map(|byte| examined.starts.partition_point(|&start| start < byte));
    let nearness = |range: TokenRange| match token {
        Some(token) if token < range.start as usize => AFTER,
        Some(token) if token > range.end as usize => BEFORE,
        _ => 1.0,
    };
    let mut elements = Vec::new();
    for node in tree.ids() {
        let near = nearness(tree.range(node));
        for way in tree.ways(node) {
            elements.push((Element::Production(way.production), near));
            for (at, part) in way.parts.iter().enumerate() {
                let DerivedChild::Node(child) = part else { continue };
                let near = nearness(tree.range(*child));
                let position = gramercy_base::to_u32(way.position + at);
                let below = tree.ways(*child);
                elements.extend(below.map(|below| {
                    (Element::Pair(way.production, position, below.production), near)
                }));
            }
        }
    }
    elements
}

/// The scores of rules and of sites by the votes of all tests.
#[must_use]
pub fn scores(
    weights: &Weights,
    votes: &[Votes],
    rules: usize,
) -> (Table<RuleId, f64>, IndexMap<Site, f64>) {
    let whole = (1.0 + 1.0 / weights.floor).ln();
    let counts = |vote: f64| (1.0 + vote / weights.floor).ln() / whole;
    let mut by_rule: Table<RuleId, f64> = Table::filled(0.0, rules);
    let mut by_site: IndexMap<Site, f64> = IndexMap::default();
    for votes in votes {
        for (&rule, &vote) in &votes.rules {
            by_rule[rule] += counts(vote);
        }
        for (&site, &vote) in &votes.sites {
            *by_site.entry(site).or_default() += counts(vote);
        }
    }
    let mut best: Table<RuleId, f64> = Table::filled(0.0, rules);
    for (site, &score) in &by_site {
        let known = &mut best[site.rule()];
        *known = known.max(score);
    }
    let scores =
        by_rule.map(|rule, score| (1.0 - weights.together) * score + weights.together * best[rule]);
    (scores, by_site)
}
