//! `rule`: every production is used (paper 002). Ranks are those of the productions. Measuring is
//! linear in the derivations.

use gramercy_base::{Id, Span};
use gramercy_grammar::ProductionId;

use crate::criteria::useless_production;
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use crate::views::Views;

/// The productions of a grammar as targets.
#[derive(Debug)]
pub struct Rules<'v> {
    views: &'v Views<'v>,
}

impl<'v> Rules<'v> {
    /// The targets.
    #[must_use]
    pub fn new(views: &'v Views<'v>) -> Self {
        Self { views }
    }
}

/// The production of a rank.
fn production(target: TargetId) -> ProductionId {
    let index = usize::try_from(target).expect("invariant: productions fit in memory");
    ProductionId::from_index(index)
}

impl Criterion for Rules<'_> {
    fn targets(&self) -> u64 {
        self.views.bnf.production_count() as u64
    }

    fn coverable(&self) -> u64 {
        self.views.useful.productions().len() as u64
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        useless_production(self.views, production(target))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        for node in derivations.ids() {
            for way in derivations.ways(node) {
                covered.insert(way.production.index() as TargetId);
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::production(self.views, production(target))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::production_place(self.views, production(target))
    }
}
