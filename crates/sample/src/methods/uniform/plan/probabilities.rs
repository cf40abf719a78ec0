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

use gramercy_analysis::counts::tables::With;
use gramercy_analysis::counts::{Arithmetic, CountTables, Restriction, Short, ShortNumber};
use gramercy_base::{Id, IdSet, LimitReached, parallel};
use gramercy_grammar::ProductionId;

use super::super::elements::{Element, Elements};
use super::super::space::TreeSpace;
use super::{PlanError, PlanOptions};
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
const SMALL: f64 = 1e-4;

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
    pub fn new(elements: &Elements, options: PlanOptions) -> Result<Self, PlanError> {
        let (space, list) = (&*elements.space, &elements.list);
        let all = space.tables(&Short, &Restriction::All)?;
        let total = sum(space, &all);
        if total.is_zero() {
            return Err(PlanError::Space(space.no_size()));
        }
        let counts = in_parallel(options.jobs, list.len(), |at| single(space, &all, &list[at]))?;
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
        known.count_pairs(elements, &counts, &implied, &total, &all, options)?;
        Ok(known)
    }

    fn count_pairs(
        &mut self,
        elements: &Elements,
        counts: &[Single],
        implied: &[IdSet<ElementId>],
        total: &ShortNumber,
        all: &Numbers,
        options: PlanOptions,
    ) -> Result<(), PlanError> {
        let (space, list) = (&*elements.space, &elements.list);
        let classes = self.classes();
        let (mut pairs, first_of) = (Vec::new(), self.first_of.clone());
        for e in 0..classes {
            for f in 0..e {
                let (at_e, at_f) = (first_of[e], first_of[f]);
                if counts[at_e].without.is_zero() || counts[at_f].without.is_zero() {
                    // One of them is always covered.
                    self.given[e][f] = self.p[f];
                    self.given[f][e] = self.p[e];
                } else if implied[at_e].contains(ElementId::from_index(at_f)) {
                    self.given[f][e] = (self.p[e] / self.p[f]).min(1.0);
                } else if implied[at_f].contains(ElementId::from_index(at_e)) {
                    self.given[e][f] = (self.p[f] / self.p[e]).min(1.0);
                } else {
                    pairs.push((e, f));
                }
            }
        }
        let p = self.p.clone();
        let found = in_parallel(options.jobs, pairs.len(), |at| {
            let (e, f) = pairs[at];
            let both = Both {
                space,
                all,
                total,
                sides: [(e, &list[first_of[e]]), (f, &list[first_of[f]])].map(
                    |(class, element)| Side {
                        element,
                        counts: &counts[first_of[class]],
                        p: p[class],
                    },
                ),
            };
            both.count()
        })?;
        for (&(e, f), [f_given_e, e_given_f]) in pairs.iter().zip(found) {
            self.given[e][f] = f_given_e;
            self.given[f][e] = e_given_f;
        }
        Ok(())
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
    let without = space.tables(&Short, &Restriction::Without(productions))?;
    let with = space.tables(&Short, &Restriction::With(productions, all, &without))?;
    Ok(Single { with: sum(space, &with), without: sum(space, &without) })
}

/// Two elements, and what is known of each.
struct Both<'b> {
    space: &'b TreeSpace,
    all: &'b Numbers,
    total: &'b ShortNumber,
    sides: [Side<'b>; 2],
}

struct Side<'b> {
    element: &'b Element,
    counts: &'b Single,
    p: f64,
}

impl Both<'_> {
    /// P(second | first) and P(first | second).
    fn count(&self) -> Result<[f64; 2], LimitReached> {
        let [one, other] = &self.sides;
        let mut union = one.element.productions.clone();
        union.union_with(other.element.productions.words());
        let neither = self.space.tables(&Short, &Restriction::Without(&union))?;
        let share = |number: &ShortNumber| number.ratio(self.total);
        let none = share(&sum(self.space, &neither));
        let both = 1.0 - share(&one.counts.without) - share(&other.counts.without) + none;
        let given = |of: &Side<'_>, other: &Side<'_>| match of.p < SMALL {
            false => Ok((both / of.p).clamp(0.0, 1.0)),
            true => self.given_small(of, other, &neither),
        };
        Ok([given(one, other)?, given(other, one)?])
    }

    /// P(other | of), where P(of) is small.
    fn given_small(
        &self,
        of: &Side<'_>,
        other: &Side<'_>,
        neither: &Numbers,
    ) -> Result<f64, LimitReached> {
        let excluded = &other.element.productions;
        let all = self.space.tables(&Short, &Restriction::Without(excluded))?;
        let with = With { wanted: &of.element.productions, all: &all, without: neither };
        let alone = self.space.tables(&Short, &Restriction::WithAmong(with, excluded))?;
        debug_assert_eq!(self.all.largest(), alone.largest());
        Ok((1.0 - sum(self.space, &alone).ratio(&of.counts.with)).clamp(0.0, 1.0))
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
        let usable = useful_without(space, &element.productions);
        for (other, implied) in list.iter().zip(&mut implied) {
            if !other.productions.iter().any(|production| usable.contains(production)) {
                implied.insert(ElementId::from_index(at));
            }
        }
    }
    implied
}

/// The productions that trees use which use none of some productions.
fn useful_without(space: &TreeSpace, excluded: &IdSet<ProductionId>) -> IdSet<ProductionId> {
    let forms = space.forms();
    let cfg = forms.cfg();
    let without = cfg.without_productions(&|production| {
        excluded.contains(production) || forms.counted(production).is_none()
    });
    let useful =
        gramercy_analysis::Useful::of(&without, &gramercy_analysis::Productive::of(&without));
    let mut set = IdSet::new(cfg.production_count());
    cfg.productions().filter(|&id| useful.has_production(id)).for_each(|id| _ = set.insert(id));
    set
}

/// Does something for each number below a count, in several threads.
pub(super) fn in_parallel<T: Send>(
    jobs: usize,
    count: usize,
    work: impl Fn(usize) -> Result<T, LimitReached> + Sync,
) -> Result<Vec<T>, LimitReached> {
    let (mut found, mut failed) = (Vec::with_capacity(count), None);
    parallel::in_order(
        jobs,
        0..count,
        || (),
        |(), at| work(at),
        |result| match result {
            Ok(result) => {
                found.push(result);
                ControlFlow::Continue(())
            }
            Err(limit) => {
                failed = Some(limit);
                ControlFlow::Break(())
            }
        },
    );
    failed.map_or(Ok(found), Err)
}
