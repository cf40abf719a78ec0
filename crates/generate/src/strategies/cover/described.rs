//! Criteria that describe the fragments of their targets themselves: `rule`, `bfs:K`, and every new one that
//! implements [`Criterion::fragment`].

use gramercy_base::Span;
use gramercy_coverage::{
    Criterion, Fragment, FragmentItem, Reading, TargetId, TargetSet, Uncoverable,
};
use gramercy_derive::contexts::Contexts;
use gramercy_language::Language;

use super::{Build, Fragments};

/// A criterion that describes its fragments.
#[derive(Debug)]
pub struct Described<'v>(Box<dyn Criterion + 'v>);

impl<'v> Described<'v> {
    /// A criterion, if it describes the fragments of its targets.
    #[must_use]
    pub fn new(criterion: Box<dyn Criterion + 'v>) -> Option<Self> {
        let mut targets = 0..criterion.targets();
        let coverable = targets.find(|&target| criterion.uncoverable(target).is_none());
        let is_described = coverable.is_none_or(|target| criterion.fragment(target).is_some());
        is_described.then_some(Self(criterion))
    }
}

impl Criterion for Described<'_> {
    fn targets(&self) -> u64 {
        self.0.targets()
    }

    fn coverable(&self) -> u64 {
        self.0.coverable()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        self.0.uncoverable(target)
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        self.0.cover(reading, covered);
    }

    fn describe(&self, target: TargetId) -> String {
        self.0.describe(target)
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        self.0.place(target)
    }
}

impl Fragments for Described<'_> {
    type Paths<'m> = ();

    fn paths<'m>(&self, _: &Language, _: &Contexts<'m>) {}

    fn build(&self, _: &Language, (): &(), target: TargetId, into: &mut impl Build) {
        let fragment = self.0.fragment(target);
        let Fragment { root, items } = fragment.expect("invariant: all targets have fragments");
        into.open(root);
        for item in items {
            match item {
                FragmentItem::Production(production) => into.production(production),
                FragmentItem::Any(symbol) => into.close(&[symbol]),
            }
        }
        into.finish(root);
    }
}
