//! `rule`, `cdrc` and `step:K`: nested productions with everything beside them cheap.

use std::ops::Range;

use gramercy_base::Id;
use gramercy_coverage::criteria::rule::Rules;
use gramercy_coverage::criteria::step::{Chain, Step, Steps};
use gramercy_coverage::{TargetId, Views};
use gramercy_grammar::{ProductionId, Symbol};

use super::{Build, Cover, Fragments};
use crate::contexts::Contexts;
use crate::draft::{Draft, Goal};
use crate::strategy::{Indexed, Maker};

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

    fn maker<'m>(cover: &'m Cover<'_, Self>) -> Option<Box<dyn Maker + 'm>> {
        (!cover.has_uncoverable).then(|| Box::new(StepMaker::new(cover)) as Box<dyn Maker>)
    }
}

/// Makes chains one behind the other: those that share all steps also share all that stands beside the
/// last production.
struct StepMaker<'m, 'c, 'v> {
    cover: &'m Cover<'c, Steps<'v>>,
    steps: Vec<Step>,
    /// The numbers of the tests that share what is known.
    numbers: Range<u64>,
    /// Their last productions.
    productions: &'m [ProductionId],
    before: Draft,
    behind: Draft,
}

impl<'m, 'c, 'v> StepMaker<'m, 'c, 'v> {
    fn new(cover: &'m Cover<'c, Steps<'v>>) -> Self {
        let (before, behind) = (Draft::default(), Draft::default());
        Self { cover, steps: Vec::new(), numbers: 0..0, productions: &[], before, behind }
    }

    /// Finds all that the tests around a number share; `false` if it is one test alone.
    fn prepare(&mut self, number: u64) -> bool {
        let Cover { views, criterion, targets, grounds, .. } = self.cover;
        let target = number % targets;
        let siblings = criterion.siblings(target, &mut self.steps);
        let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) else {
            return false;
        };
        let variant = usize::try_from(number / targets).expect("invariant: one of the variants");
        let (contexts, bnf) = (&grounds[variant].contexts, views.bnf);
        let root = bnf.lhs(first.production);
        let Symbol::Nonterminal(nonterminal) = bnf.rhs(last.production)[last.position] else {
            unreachable!("invariant: steps lead to nonterminals");
        };
        self.productions = bnf.productions_of(nonterminal);
        let offset = number - target;
        self.numbers = offset + siblings.start..offset + siblings.end;
        self.before.clear();
        contexts.open(root, &mut self.before);
        for step in &self.steps {
            self.before.productions.push(step.production);
            let left = &bnf.rhs(step.production)[..step.position];
            contexts.minimal().close_all(left, &mut self.before);
        }
        self.behind.clear();
        for step in self.steps.iter().rev() {
            let right = &bnf.rhs(step.production)[step.position + 1..];
            contexts.minimal().close_all(right, &mut self.behind);
        }
        contexts.finish(root, &mut self.behind);
        true
    }
}

impl Maker for StepMaker<'_, '_, '_> {
    fn make(&mut self, number: u64, draft: &mut Draft) -> bool {
        let cover = self.cover;
        if !self.numbers.contains(&number) && !self.prepare(number) {
            return cover.make(number, 0, draft);
        }
        let at = usize::try_from(number - self.numbers.start).expect("invariant: they are few");
        let variant = usize::try_from(number / cover.targets).expect("invariant: one of them");
        let target = number % cover.targets;
        draft.goal = Some(Goal { criterion: cover.index, target });
        draft.append(&self.before);
        draft.productions.push(self.productions[at]);
        let rhs = cover.views.bnf.rhs(self.productions[at]);
        cover.grounds[variant].contexts.minimal().close_all(rhs, draft);
        draft.append(&self.behind);
        true
    }
}
