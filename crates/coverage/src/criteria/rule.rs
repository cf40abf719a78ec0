//! `rule`: every production is used (Raselimo, Taljaard, Fischer, SLE 2019). Ranks are those of the productions.
//! Measuring is linear in the derivations.

use gramercy_base::{Id, Span};
use gramercy_grammar::ProductionId;

use crate::criteria::useless_production;
use crate::criterion::{Criterion, Fragment, FragmentItem, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;

/// The productions of a grammar as targets.
#[derive(Debug)]
pub struct Rules<'v> {
    language: &'v Language,
}

impl<'v> Rules<'v> {
    /// The targets.
    #[must_use]
    pub fn new(language: &'v Language) -> Self {
        Self { language }
    }
}

/// The production of a rank.
fn production(target: TargetId) -> ProductionId {
    let index = usize::try_from(target).expect("invariant: productions fit in memory");
    ProductionId::from_index(index)
}

impl Criterion for Rules<'_> {
    fn targets(&self) -> u64 {
        self.language.bnf().production_count() as u64
    }

    fn coverable(&self) -> u64 {
        self.language.useful().productions().len() as u64
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        useless_production(self.language, production(target))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        for node in derivations.ids() {
            for way in derivations.ways(node) {
                covered.insert(way.production.index() as TargetId);
            }
        }
    }

    fn fragment(&self, target: TargetId) -> Option<Fragment> {
        let (bnf, production) = (self.language.bnf(), production(target));
        let below = bnf.rhs(production).iter().map(|&symbol| FragmentItem::Any(symbol));
        let items = std::iter::once(FragmentItem::Production(production)).chain(below).collect();
        Some(Fragment { root: bnf.lhs(production), items })
    }

    fn describe(&self, target: TargetId) -> String {
        pattern::production(self.language, production(target))
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        pattern::production_place(self.language, production(target))
    }
}
