//! `rule`, `cdrc` and `step:K`: nested productions with everything beside them cheap.

use gramercy_base::Id;
use gramercy_coverage::criteria::rule::Rules;
use gramercy_coverage::criteria::step::{Chain, Steps};
use gramercy_coverage::{TargetId, Views};
use gramercy_grammar::ProductionId;

use super::{Build, Fragments};
use crate::contexts::Contexts;

impl Fragments for Rules<'_> {
    type Paths<'m> = ();

    fn paths<'m>(&self, _: &Views<'_>, _: &Contexts<'m>) {}

    fn build(&self, views: &Views<'_>, (): &(), target: TargetId, into: &mut impl Build) {
        let index = usize::try_from(target).expect("invariant: productions fit in memory");
        let production = ProductionId::from_index(index);
        let lhs = views.bnf.lhs(production);
        into.open(lhs);
        into.production(production);
        into.close(views.bnf.rhs(production));
        into.finish(lhs);
    }
}

impl Fragments for Steps<'_> {
    type Paths<'m> = ();

    fn paths<'m>(&self, _: &Views<'_>, _: &Contexts<'m>) {}

    #[inline]
    fn build(&self, views: &Views<'_>, (): &(), target: TargetId, into: &mut impl Build) {
        let Chain { steps, last } = self.chain(target);
        let root = views.bnf.lhs(steps.first().map_or(last, |step| step.production));
        into.open(root);
        for step in &steps {
            into.production(step.production);
            into.close(&views.bnf.rhs(step.production)[..step.position]);
        }
        into.production(last);
        into.close(views.bnf.rhs(last));
        for step in steps.iter().rev() {
            into.close(&views.bnf.rhs(step.production)[step.position + 1..]);
        }
        into.finish(root);
    }
}
