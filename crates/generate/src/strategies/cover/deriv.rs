//! `deriv`: the cheapest way down from one symbol to the other.

use gramercy_coverage::TargetId;
use gramercy_coverage::criteria::deriv::Deriv;
use gramercy_grammar::Symbol;
use gramercy_language::Language;

use super::ways::{AllWays, Along};
use super::{Build, Fragments};
use gramercy_derive::contexts::Contexts;

/// The ways down from every nonterminal.
pub struct Down<'m>(AllWays<'m>);

impl Fragments for Deriv<'_> {
    type Paths<'m> = Down<'m>;

    fn paths<'m>(&self, _: &Language, contexts: &Contexts<'m>) -> Down<'m> {
        Down(AllWays::new(contexts.cheapest(), Along::All))
    }

    fn build(
        &self,
        language: &Language,
        paths: &Down<'_>,
        target: TargetId,
        into: &mut impl Build,
    ) {
        let (above, below) = self.pair(target);
        let Symbol::Nonterminal(root) = above else {
            unreachable!("invariant: nothing is below a terminal");
        };
        let cfg = language.bnf().cfg();
        let steps = paths.0.from(language, root).up_from(cfg, below);
        into.open(root);
        for step in steps.iter().rev() {
            into.production(step.production);
            into.close(step.before(cfg));
        }
        into.close(&[below]);
        steps.iter().for_each(|step| into.close(step.behind(cfg)));
        into.finish(root);
    }
}
