//! A grammar's automaton with the numbering of its pushes: the third view, made where it is needed.

use std::borrow::Cow;

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::Cfg;
use gramercy_lr::{Automaton, Construction, Facts, Gotos, pop_paths};

use crate::views::Views;

/// An automaton of a grammar.
#[derive(Clone, Debug)]
pub struct LrView<'v> {
    /// The productions that it is made of. Ids are those of the BNF core.
    pub cfg: Cow<'v, Cfg>,
    /// The automaton.
    pub automaton: Automaton,
    /// Its pushes of nonterminals.
    pub gotos: Gotos,
}

impl<'v> LrView<'v> {
    /// The automaton of the whole grammar.
    ///
    /// # Errors
    /// If it has more states than the limit.
    pub fn whole(
        views: &Views<'v>,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let cfg: &'v Cfg = views.bnf;
        Self::new(Cow::Borrowed(cfg), &views.productive, construction, limits)
    }

    /// The automaton of what sentences use: of the whole grammar, if they use all of it.
    ///
    /// # Errors
    /// If it has more states than the limit.
    pub fn useful(
        views: &Views<'v>,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let is_useful = |id| views.useful.has_production(id);
        if views.bnf.productions().all(is_useful) {
            return Self::whole(views, construction, limits);
        }
        let cfg = pop_paths::without_useless(views.bnf, &is_useful);
        let productive = Productive::of(&cfg);
        Self::new(Cow::Owned(cfg), &productive, construction, limits)
    }

    fn new(
        cfg: Cow<'v, Cfg>,
        productive: &Productive,
        construction: Construction,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let nullable = Nullable::of(&cfg);
        let first = First::of(&cfg, productive, &nullable);
        let facts = Facts { nullable: &nullable, first: &first };
        let automaton = construction.build(&cfg, &facts, limits)?;
        let gotos = Gotos::of(&cfg, &automaton);
        Ok(Self { cfg, automaton, gotos })
    }
}
