//! A plan for covering everything with random trees: one value, as JSON and as a table.

use std::collections::BTreeMap;

use gramercy::assemble::recipe::Uniform;
use gramercy::sample::methods::uniform::plan::bounds::Covering;
use gramercy::sample::methods::uniform::{Plan, Planned};
use serde::Serialize;

use super::Palette;
use super::numbers::grouped;
use super::table::Table;

/// Everything that `random --plan` shows.
#[derive(Serialize)]
pub(crate) struct PlanView<'p> {
    unit: &'static str,
    sizes: [usize; 2],
    cover: &'p str,
    elements: BTreeMap<&'p str, ElementView>,
    /// Elements that no tree of the size covers.
    impossible: &'p [String],
    /// The least probability that a uniform tree covers an element.
    p_min: f64,
    /// The same of trees that are drawn by the plan.
    p: f64,
    confidence: f64,
    plain: CoveringView,
    biased: CoveringView,
    #[serde(skip)]
    listed: &'p [Planned],
}

#[derive(Serialize)]
struct ElementView {
    p: f64,
    pi: f64,
    q: f64,
}

/// How probable it is that tests cover everything.
#[derive(Serialize)]
struct CoveringView {
    /// Whether the probabilities are exact, not bounds.
    exact: bool,
    /// For how many tests.
    tests: u64,
    /// Their probability of covering everything, at least and at most.
    probability: [f64; 2],
    /// No smaller number of tests reaches the confidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_at_least: Option<u128>,
    /// This number of tests reaches it for certain.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests_for_confidence: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated: Option<SimulatedView>,
}

/// Suites that were drawn.
#[derive(Serialize)]
struct SimulatedView {
    suites: u64,
    /// Those that cover everything.
    complete: u64,
}

/// What a plan is asked for.
pub(crate) struct PlanRequest<'p> {
    pub(crate) tests: &'p Uniform,
    pub(crate) cover: &'p str,
    pub(crate) confidence: f64,
    /// The number of tests whose probability of covering everything is shown.
    pub(crate) count: u64,
    pub(crate) simulated: Option<Simulated>,
}

/// How many of some suites cover everything.
#[derive(Clone, Copy)]
pub(crate) struct Simulated {
    pub(crate) suites: u64,
    pub(crate) plain: u64,
    pub(crate) biased: u64,
}

impl CoveringView {
    fn new(covering: &Covering, confidence: f64, tests: u64) -> Self {
        let (at_least, certain) = covering.trees_for(confidence);
        let bounded = covering.probability(tests.into());
        Self {
            exact: covering.is_exact(),
            tests,
            probability: [bounded.least, bounded.most],
            tests_at_least: at_least,
            tests_for_confidence: certain,
            simulated: None,
        }
    }

    fn in_words(&self, confidence: f64) -> String {
        let [least, most] = self.probability;
        let covered = match least == most {
            true => probability(least),
            false => format!("{} to {}", probability(least), probability(most)),
        };
        let number = |tests: Option<u128>| {
            tests.map_or_else(|| "more than 1e38".to_owned(), number_of_tests)
        };
        let needed = match self.tests_at_least == self.tests_for_confidence {
            true => number(self.tests_for_confidence),
            false => format!(
                "{} (at least {} are needed)",
                number(self.tests_for_confidence),
                number(self.tests_at_least)
            ),
        };
        let simulated = self.simulated.as_ref().map_or(String::new(), |of| {
            format!(" ({} of {} simulated suites do)", grouped(of.complete), grouped(of.suites))
        });
        format!(
            "{} tests cover everything with probability {covered}{simulated}; {confidence} is reached by {needed}",
            grouped(self.tests)
        )
    }
}

/// All digits, or two of them where nobody counts the tests.
#[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
fn number_of_tests(tests: u128) -> String {
    match tests < 1_000_000_000_000 {
        true => grouped(tests),
        false => format!("about {:.1e}", tests as f64),
    }
}

/// Six decimals, or the power of ten where these would show nothing.
fn probability(value: f64) -> String {
    match value > 0.0 && value < 0.000_1 {
        true => format!("{value:.2e}"),
        false => format!("{value:.6}"),
    }
}

impl<'p> PlanView<'p> {
    pub(crate) fn new(plan: &'p Plan, request: PlanRequest<'p>) -> Self {
        let PlanRequest { tests, cover, confidence, count, simulated } = request;
        let complete = |of: fn(&Simulated) -> u64| {
            simulated.map(|all| SimulatedView { suites: all.suites, complete: of(&all) })
        };
        let element = |of: &'p Planned| (&*of.name, ElementView { p: of.p, pi: of.pi, q: of.q });
        Self {
            unit: tests.unit.name(),
            sizes: [tests.least, tests.most],
            cover,
            elements: plan.elements.iter().map(element).collect(),
            impossible: &plan.impossible,
            p_min: plan.p_min,
            p: plan.p,
            confidence,
            plain: CoveringView {
                simulated: complete(|all| all.plain),
                ..CoveringView::new(&plan.plain, confidence, count)
            },
            biased: CoveringView {
                simulated: complete(|all| all.biased),
                ..CoveringView::new(&plan.biased, confidence, count)
            },
            listed: &plan.elements,
        }
    }

    pub(crate) fn for_people(&self, palette: Palette) -> String {
        let mut table = Table::of_numbers([self.cover, "p", "pi", "by plan"]);
        for Planned { name, p, pi, q, .. } in self.listed {
            table.row([name.clone(), probability(*p), probability(*pi), probability(*q)]);
        }
        let mut text = table.render(palette);
        text.push_str(&format!(
            "\nleast probability: {} for uniform trees, {} by the plan\n",
            probability(self.p_min),
            probability(self.p)
        ));
        text.push_str(&format!("uniform: {}\n", self.plain.in_words(self.confidence)));
        text.push_str(&format!("by the plan: {}\n", self.biased.in_words(self.confidence)));
        text
    }
}
