//! `step:K` and `cdrc`: nested productions with everything beside them cheap.

use std::ops::Range;

use gramercy_coverage::TargetId;
use gramercy_coverage::criteria::step::{Chain, Step, Steps};
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_language::Language;

use super::{Build, Cover, Fragments};
use gramercy_derive::candidate::{Candidate, Goal};
use gramercy_derive::contexts::Contexts;
use gramercy_derive::strategy::Propose;

impl Fragments for Steps<'_> {
    type Paths<'m> = ();

    fn paths<'m>(&self, _: &Language, _: &Contexts<'m>) {}

    #[inline]
    fn build(&self, language: &Language, (): &(), target: TargetId, into: &mut impl Build) {
        let Chain { steps, last } = self.chain(target);
        let root = language.bnf().lhs(steps.first().map_or(last, |step| step.production));
        into.open(root);
        for step in &steps {
            into.production(step.production);
            into.close(&language.bnf().rhs(step.production)[..step.position]);
        }
        into.production(last);
        into.close(language.bnf().rhs(last));
        for step in steps.iter().rev() {
            into.close(&language.bnf().rhs(step.production)[step.position + 1..]);
        }
        into.finish(root);
    }

    fn proposer<'m>(cover: &'m Cover<'_, Self>) -> Box<dyn Propose + 'm> {
        Box::new(ChainProposer::new(cover))
    }
}

/// Proposes chains one after the other: those that share all steps also share all that stands beside the
/// last production.
struct ChainProposer<'m, 'c, 'v> {
    cover: &'m Cover<'c, Steps<'v>>,
    steps: Vec<Step>,
    /// The numbers of the tests that share what is known.
    numbers: Range<u64>,
    /// Their last productions.
    productions: &'m [ProductionId],
    before: Candidate,
    behind: Candidate,
}

impl<'m, 'c, 'v> ChainProposer<'m, 'c, 'v> {
    fn new(cover: &'m Cover<'c, Steps<'v>>) -> Self {
        let (before, behind) = (Candidate::default(), Candidate::default());
        Self { cover, steps: Vec::new(), numbers: 0..0, productions: &[], before, behind }
    }

    /// Finds all that the tests around a number share; `false` if it is one test alone.
    fn prepare(&mut self, number: u64) -> bool {
        let Cover { language, criterion, targets, grounds, .. } = self.cover;
        let target = number % targets;
        let siblings = criterion.siblings(target, &mut self.steps);
        let (Some(first), Some(last)) = (self.steps.first(), self.steps.last()) else {
            return false;
        };
        let variant = usize::try_from(number / targets).expect("invariant: one of the variants");
        let (contexts, bnf) = (&grounds[variant].contexts, language.bnf());
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
            contexts.cheapest().close_all(left, &mut self.before);
        }
        self.behind.clear();
        for step in self.steps.iter().rev() {
            let right = &bnf.rhs(step.production)[step.position + 1..];
            contexts.cheapest().close_all(right, &mut self.behind);
        }
        contexts.finish(root, &mut self.behind);
        true
    }
}

impl Propose for ChainProposer<'_, '_, '_> {
    fn propose(&mut self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let cover = self.cover;
        let is_alone = attempt > 0 || cover.has_uncoverable;
        if is_alone || (!self.numbers.contains(&number) && !self.prepare(number)) {
            return cover.candidate(number, attempt, candidate);
        }
        let at = usize::try_from(number - self.numbers.start).expect("invariant: they are few");
        let variant = usize::try_from(number / cover.targets).expect("invariant: one of them");
        let target = number % cover.targets;
        candidate.goal = Some(Goal { criterion: cover.index, target });
        candidate.append(&self.before);
        candidate.productions.push(self.productions[at]);
        let rhs = cover.language.bnf().rhs(self.productions[at]);
        cover.grounds[variant].contexts.cheapest().close_all(rhs, candidate);
        candidate.append(&self.behind);
        true
    }
}
