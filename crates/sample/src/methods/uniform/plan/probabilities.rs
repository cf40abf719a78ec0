//! How probable it is that a uniform tree covers an element, and another one if it does.
//!
//! With A all trees of the range, p(e) = |with e| / |A|, counted without a subtraction. For two elements
//! P(e and f) = 1 − |without e| − |without f| + |without both|, each over |A|. Where p(e) is small this difference
//! loses its precision, and P(not f | e) = |with e, without f| / |with e| is counted instead.
//!
//! Some of it is known without counting: if no tree without f can use e, then e implies f; and elements that imply
//! each other are one class. An element that all trees cover is implied by every other.
//!
//! Cost: a table for each class and for each pair of classes that neither implies the other.

use gramercy_analysis::counts::{Arithmetic, CountTables, Restriction, Short, ShortNumber};
use gramercy_base::{Id, IdSet, LimitReached, parallel};

use super::super::elements::{Element, Elements};
use super::super::space::TreeSpace;
use super::{PlanError, PlanOptions, Watch};
use std::ops::ControlFlow;

/// What is known of classes of elements.
#[derive(Clone, Debug)]
pub struct Probabilities {
    /// For each class, the probability that a uniform tree covers it.
    pub p: Vec<f64>,
    /// For each class e and class f, the probability that a uniform tree that covers e also covers f.
    pub given: Vec<Vec<f64>>,
    /// For each element its class, if some tree covers it.
    pub class_of: Vec<Option<usize>>,
    /// For each class its first element.
    pub first_of: Vec<usize>,
}

/// Below this, probabilities are counted without a difference.
pub(super) const SMALL: f64 = 1e-4;

type Numbers = CountTables<ShortNumber>;

impl Probabilities {
    /// How many classes there are.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.p.len()
    }

    /// Counts.
    ///
    /// # Errors
    /// If there is no tree, too many classes, or too little memory.
    pub fn new(
        elements: &Elements,
        options: PlanOptions,
        watch: &mut Watch<'_>,
    ) -> Result<Self, PlanError> {
        let (space, list) = (&*elements.space, &elements.list);
        let all = space.tables(&Short, &Restriction::All)?;
        let total = sum(space, &all);
        if total.is_zero() {
            return Err(PlanError::Space(space.no_size()));
        }
        let mut steps = Steps { done: 0, all: 2 * list.len() as u64, watch };
        let work = |at: usize| single(space, &all, &list[at]);
        let counts = in_parallel(options.jobs, list.len(), &mut steps, work)?;
        let implied = implications(space, list);
        let is_covered = |at: usize| !counts[at].with.is_zero();
        let (mut class_of, mut first_of) = (vec![None; list.len()], Vec::new());
        for at in (0..list.len()).filter(|&at| is_covered(at)) {
            let is_always = |at: usize| counts[at].without.is_zero();
            let is_same = |&first: &usize| {
                (is_always(at) && is_always(first))
                    || (implied[at].contains(ElementId::from_index(first))
                        && implied[first].contains(ElementId::from_index(at)))
            };
            let known = first_of.iter().position(is_same);
            class_of[at] = Some(known.unwrap_or_else(|| {
                first_of.push(at);
                first_of.len() - 1
            }));
        }
        let open = first_of.iter().filter(|&&at| !counts[at].without.is_zero()).count();
        if open > options.max_elements {
            let limit = options.max_elements;
            let what = "elements to be covered with the highest probability";
            return Err(LimitReached { what, limit, option: Some("--max-elements") }.into());
        }
        let p: Vec<f64> =
            first_of.iter().map(|&at| counts[at].with.ratio(&total).min(1.0)).collect();
        let mut known = Self { given: vec![vec![1.0; p.len()]; p.len()], p, class_of, first_of };
        steps.all = (list.len() + known.classes()) as u64;
        let pairs = known.pairs(&counts, &implied);
        let work = |e: usize| {
            Pairs { elements, counts: &counts, total: &total, known: &known }.without(e, &pairs[e])
        };
        let found = in_parallel(options.jobs, known.classes(), &mut steps, work)?;
        for (e, f, probability) in found.into_iter().flatten() {
            known.given[e][f] = probability;
        }
        Ok(known)
    }

    /// For each class, those whose pairs have to be counted; the others become known.
    fn pairs(&mut self, counts: &[Single], implied: &[IdSet<ElementId>]) -> Vec<Vec<usize>> {
        let classes = self.classes();
        let mut open = vec![Vec::new(); classes];
        for e in 0..classes {
            for f in 0..e {
                let (at_e, at_f) = (self.first_of[e], self.first_of[f]);
                if counts[at_e].without.is_zero() || counts[at_f].without.is_zero() {
                    // One of them is always covered.
                    self.given[e][f] = self.p[f];
                    self.given[f][e] = self.p[e];
                } else if implied[at_e].contains(ElementId::from_index(at_f)) {
                    self.given[f][e] = (self.p[e] / self.p[f]).min(1.0);
                } else if implied[at_f].contains(ElementId::from_index(at_e)) {
                    self.given[e][f] = (self.p[f] / self.p[e]).min(1.0);
                } else {
                    open[e].push(f);
                    open[f].push(e);
                }
            }
        }
        open
    }
}

gramercy_base::define_id!(struct ElementId, "an element");

/// The trees with and without one element.
#[derive(Clone, Debug)]
struct Single {
    with: ShortNumber,
    without: ShortNumber,
}

fn single(space: &TreeSpace, all: &Numbers, element: &Element) -> Result<Single, LimitReached> {
    let productions = &element.productions;
    let without = space.tables(&Short, &Restriction::Without(productions, all))?;
    let with = space.tables(&Short, &Restriction::With(productions, all, &without))?;
    Ok(Single { with: sum(space, &with), without: sum(space, &without) })
}

/// What is known of single classes, for counting pairs.
struct Pairs<'p> {
    elements: &'p Elements,
    counts: &'p [Single],
    total: &'p ShortNumber,
    known: &'p Probabilities,
}

impl Pairs<'_> {
    fn class(&self, class: usize) -> (&Element, &Single, f64) {
        let at = self.known.first_of[class];
        (&self.elements.list[at], &self.counts[at], self.known.p[class])
    }

    /// Probabilities P(second | first), as triples, from the trees without class `e`, for some other classes.
    fn without(
        &self,
        e: usize,
        others: &[usize],
    ) -> Result<Vec<(usize, usize, f64)>, LimitReached> {
        let ((element, single, p), mut found) = (self.class(e), Vec::new());
        if others.is_empty() {
            return Ok(found);
        }
        let space = self.elements.space.without(&element.productions);
        let all = space.tables(&Short, &Restriction::All)?;
        for &f in others {
            let (other, other_single, other_p) = self.class(f);
            // Of two that are not small, both probabilities come from one difference.
            if other_p >= SMALL && p >= SMALL && e > f {
                continue;
            }
            let wanted = &other.productions;
            let neither = space.tables(&Short, &Restriction::Without(wanted, &all))?;
            if other_p < SMALL {
                let with = space.tables(&Short, &Restriction::With(wanted, &all, &neither))?;
                let alone = sum(&space, &with).ratio(&other_single.with);
                found.push((f, e, (1.0 - alone).clamp(0.0, 1.0)));
                continue;
            }
            let share = |number: &ShortNumber| number.ratio(self.total);
            let none = share(&sum(&space, &neither));
            let both = 1.0 - share(&single.without) - share(&other_single.without) + none;
            found.push((f, e, (both / other_p).clamp(0.0, 1.0)));
            if p >= SMALL {
                found.push((e, f, (both / p).clamp(0.0, 1.0)));
            }
        }
        Ok(found)
    }
}

/// The trees of the start symbol over all sizes of the range.
pub(super) fn sum(space: &TreeSpace, tables: &Numbers) -> ShortNumber {
    let (range, mut sum) = (space.range(), Short.zero());
    for size in range.least..=range.most {
        Short.add(&mut sum, tables.of(space.start(), size));
    }
    sum
}

/// For each element, the elements that every tree covers that covers it.
fn implications(space: &TreeSpace, list: &[Element]) -> Vec<IdSet<ElementId>> {
    let mut implied = vec![IdSet::new(list.len()); list.len()];
    for (at, element) in list.iter().enumerate() {
        let usable = space.useful_without(&element.productions);
        for (other, implied) in list.iter().zip(&mut implied) {
            if !other.productions.iter().any(|production| usable.contains(production)) {
                implied.insert(ElementId::from_index(at));
            }
        }
    }
    implied
}

/// How much of the work is done.
struct Steps<'s, 'w> {
    done: u64,
    all: u64,
    watch: &'s mut Watch<'w>,
}

/// Does something for each number below a count, in several threads.
fn in_parallel<T: Send>(
    jobs: usize,
    count: usize,
    steps: &mut Steps<'_, '_>,
    work: impl Fn(usize) -> Result<T, LimitReached> + Sync,
) -> Result<Vec<T>, PlanError> {
    let (mut found, mut failed) = (Vec::with_capacity(count), None);
    parallel::in_order(
        jobs,
        0..count,
        || (),
        |(), at| work(at),
        |result| match result {
            Ok(result) => {
                found.push(result);
                steps.done += 1;
                let goes_on = (steps.watch)(steps.done, steps.all);
                if goes_on.is_break() {
                    failed = Some(PlanError::Stopped);
                }
                goes_on
            }
            Err(limit) => {
                failed = Some(limit.into());
                ControlFlow::Break(())
            }
        },
    );
    failed.map_or(Ok(found), Err)
}
