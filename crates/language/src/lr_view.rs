//! An automaton of a grammar with its numbered push edges of nonterminals.

use std::ops::Deref;
use std::sync::Arc;

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Bnf, Cfg};
use gramercy_lr::{Automaton, Construction, Facts, Gotos};

/// An automaton with its productions.
#[derive(Clone, Debug)]
pub struct LrView {
    cfg: Productions,
    /// The automaton.
    pub automaton: Automaton,
    /// Its push edges of nonterminals.
    pub gotos: Gotos,
}

/// The productions of an automaton.
#[derive(Clone, Debug)]
pub(crate) enum Productions {
    /// All productions of the grammar.
    Whole(Arc<Bnf>),
    /// The useful productions.
    Useful(Box<Cfg>),
}

impl Deref for Productions {
    type Target = Cfg;

    fn deref(&self) -> &Cfg {
        match self {
            Productions::Whole(bnf) => bnf,
            Productions::Useful(cfg) => cfg,
        }
    }
}

impl LrView {
    pub(crate) fn new(
        cfg: Productions,
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

    /// The productions of the automaton. Ids are those of the BNF core.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }
}
