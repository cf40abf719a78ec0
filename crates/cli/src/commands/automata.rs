//! What every command that builds LR automata does first.

use gramercy::analysis::{First, Nullable, Productive};
use gramercy::base::{LimitReached, Limits};
use gramercy::lr::Facts;
use gramercy::{Automaton, Bnf, Construction};

/// The facts about one BNF core that its automata are built from.
pub(super) struct Automata<'b> {
    bnf: &'b Bnf,
    nullable: Nullable,
    first: First,
    limits: Limits,
}

impl<'b> Automata<'b> {
    /// The automata of a BNF core, none of them built yet.
    pub(super) fn of(bnf: &'b Bnf, limits: Limits) -> Self {
        let nullable = Nullable::of(bnf);
        let first = First::of(bnf, &Productive::of(bnf), &nullable);
        Self { bnf, nullable, first, limits }
    }

    /// One of them.
    pub(super) fn build(&self, construction: Construction) -> Result<Automaton, LimitReached> {
        let facts = Facts { nullable: &self.nullable, first: &self.first };
        construction.build(self.bnf, &facts, &self.limits)
    }
}
