//! How to cover all elements soon with random trees: which element each tree must cover, with which probability.
//!
//! Picking an element e with probability π(e) and then a uniform tree that covers e covers an element f with
//! probability q(f) = Σ π(e) · P(f | e). The π that maximizes the least q(f) is the solution of a linear program
//! (Dreyfus, Héam and Kouchnarenko, ICST Workshops 2013, section III, after Denise, Gaudel et al., "Coverage-biased random
//! exploration of large models", STTT 2012).
//!
//! P(f | e) comes from inclusion and exclusion over grammars without e, without f and without both
//! ([`probabilities`]); elements that are covered by the same trees are one *class*. The program is solved by
//! [`program`], [`bounds`] tells how probable it is that some number of trees cover everything, and [`simulation`]
//! checks that.
//!
//! Example: for the JSON grammar of that publication and 20 nodes there are 12 trees; all cover Object, Members, Pair
//! and Value, 11 cover Array and 8 Elements. All trees that cover Elements cover everything, so π(Elements) = 1 and the
//! least probability is 1, where plain uniform trees have 8/12.

pub mod bounds;
pub mod probabilities;
pub mod program;
pub mod simulation;

use std::ops::ControlFlow;

use gramercy_base::LimitReached;

use super::elements::Elements;
use super::space::SpaceError;
use bounds::Covering;
use probabilities::Probabilities;

/// A plan.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The elements that some tree covers.
    pub elements: Vec<Planned>,
    /// The elements that no tree of the requested size covers.
    pub impossible: Vec<String>,
    /// The least probability that a plain uniform tree covers an element.
    pub p_min: f64,
    /// The same of trees that are drawn by the plan.
    pub p: f64,
    /// How probable it is that plain uniform trees cover everything.
    pub plain: Covering,
    /// How probable it is that trees drawn by the plan cover everything.
    pub biased: Covering,
}

/// An element in a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// Its number among the elements that the plan was made from.
    pub index: usize,
    /// The probability that a uniform tree covers it.
    pub p: f64,
    /// The probability that it is picked.
    pub pi: f64,
    /// The probability that a tree drawn by the plan covers it.
    pub q: f64,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// No tree has the requested size, or tables take more memory than allowed.
    Space(SpaceError),
    /// There are too many elements, or the program has no solution within the solver's precision.
    Unsolved(String),
    /// The watcher stopped the work.
    Stopped,
}

impl From<LimitReached> for PlanError {
    fn from(limit: LimitReached) -> Self {
        Self::Space(limit.into())
    }
}

/// Is told how many steps of how many are done, and can stop the work.
pub type Watch<'w> = dyn FnMut(u64, u64) -> ControlFlow<()> + 'w;

/// How much work a plan may be.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions {
    /// How many threads count at the same time.
    pub jobs: usize,
    /// The most classes of elements that are not covered by all trees.
    pub max_elements: usize,
}

impl Default for PlanOptions {
    fn default() -> Self {
        Self { jobs: 1, max_elements: 500 }
    }
}

impl Plan {
    /// The best plan for some elements.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn new(elements: &Elements, options: PlanOptions) -> Result<Self, PlanError> {
        Self::watched(elements, options, &mut |_, _| ControlFlow::Continue(()))
    }

    /// The best plan for some elements; `watch` is told how much of the work is done, and of how much, and can stop it.
    ///
    /// # Errors
    /// See [`PlanError`].
    pub fn watched(
        elements: &Elements,
        options: PlanOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, PlanError> {
        let known = Probabilities::new(elements, options, watch)?;
        let solution = program::solve(&known.given).map_err(PlanError::Unsolved)?;
        let covered: Vec<f64> = (0..known.classes()).map(|f| solution.covers(&known, f)).collect();
        let (mut planned, mut impossible) = (Vec::new(), Vec::new());
        for (index, element) in elements.list.iter().enumerate() {
            let Some(class) = known.class_of[index] else {
                impossible.push(element.name.clone());
                continue;
            };
            let pi = match known.first_of[class] == index {
                true => solution.pi[class],
                false => 0.0,
            };
            let (p, q) = (known.p[class], covered[class]);
            planned.push(Planned { name: element.name.clone(), index, p, pi, q });
        }
        let least = |of: &dyn Fn(&Planned) -> f64| planned.iter().map(of).fold(1.0, f64::min);
        let (p_min, p) = (least(&|of| of.p), least(&|of| of.q));
        let plain = Covering::plain(elements, &known)?;
        let biased = Covering::biased(elements, &known, &solution, &covered, &plain)?;
        Ok(Self { elements: planned, impossible, p_min, p, plain, biased })
    }
}
