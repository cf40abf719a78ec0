//! `pll`: the cheapest way down along left edges, with nothing before it.

use gramercy_coverage::TargetId;
use gramercy_coverage::criteria::pll::Pll;
use gramercy_grammar::Symbol;
use gramercy_language::Language;

use super::ways::{AllWays, Along};
use super::{Build, Fragments};
use gramercy_derive::contexts::Contexts;

/// The ways down from every nonterminal along left edges.
pub struct DownLeft<'m>(AllWays<'m>);

impl Fragments for Pll<'_> {
    type Paths<'m> = DownLeft<'m>;

    fn paths<'m>(&self, _: &Language, contexts: &Contexts<'m>) -> DownLeft<'m> {
        DownLeft(AllWays::new(contexts.cheapest(), Along::Left))
    }

    fn build(
        &self,
        language: &Language,
        paths: &DownLeft<'_>,
        target: TargetId,
        into: &mut impl Build,
    ) {
        let (root, terminal) = self.pair(target);
        let cfg = language.bnf().cfg();
        let first = Symbol::Terminal(terminal);
        let steps = paths.0.from(language, root).up_from(cfg, first);
        into.open(root);
        for step in steps.iter().rev() {
            into.production(step.production);
            into.vanish(step.before(cfg));
        }
        into.close(&[first]);
        steps.iter().for_each(|step| into.close(step.behind(cfg)));
        into.finish(root);
    }
}
