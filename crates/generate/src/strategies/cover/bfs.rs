//! `bfs:K` and `cdrc-full`: the productions of K levels with the cheapest below them.

use gramercy_coverage::criteria::bfs::{Bfs, Shape};
use gramercy_coverage::{TargetId, Views};
use gramercy_grammar::{Cfg, Symbol};

use super::{Build, Fragments};
use crate::contexts::Contexts;

impl Fragments for Bfs<'_> {
    type Paths<'m> = ();

    fn paths<'m>(&self, _: &Views<'_>, _: &Contexts<'m>) {}

    fn build(&self, views: &Views<'_>, (): &(), target: TargetId, into: &mut impl Build) {
        let shape = self.shape(target);
        let root = views.bnf.lhs(shape.production);
        into.open(root);
        put(views.bnf, &shape, into);
        into.finish(root);
    }
}

/// Recurses K deep.
fn put(cfg: &Cfg, shape: &Shape, into: &mut impl Build) {
    into.production(shape.production);
    let rhs = cfg.rhs(shape.production);
    let mut below = shape.below.iter();
    let mut from = 0;
    for (at, symbol) in rhs.iter().enumerate() {
        if let Symbol::Nonterminal(_) = symbol
            && let Some(below) = below.next()
        {
            into.close(&rhs[from..at]);
            put(cfg, below, into);
            from = at + 1;
        }
    }
    into.close(&rhs[from..]);
}
