//! Single tokens of a sentence are deleted, inserted, substituted and transposed.
//!
//! The word mutations of Raselimo, Taljaard and Fischer (SLE 2019, section 4), on any sentences: the changes of single
//! tokens that [`edge`](super::edge) makes, and transpositions of unequal neighbours. All changes of one sentence that
//! are visited give different texts.
//!
//! Example: `a b` of `S: "a" "b";` over these two tokens: `a a b`, `b a b`, `b`, `b b`, `b a`, `a b b`, `a`, `a a`,
//! `a b a`.
//!
//! Cost: as for edges, and a check for each pair of neighbours.

use std::ops::ControlFlow;

use gramercy_grammar::TerminalId;

use super::Visit;
use super::edge::Edges;
use crate::check::Check;
use crate::edit::{Edit, Family, Kind, Operator};

/// Changes of single tokens.
#[derive(Clone, Debug)]
pub struct Words {
    single: Edges,
}

impl Words {
    /// All changes of tokens, for a grammar with this number of terminals.
    #[must_use]
    pub fn new(terminals: usize) -> Self {
        Self { single: Edges::named(Family::Word, terminals) }
    }

    /// Visits all changes that leave the language, by place.
    pub fn visit(
        &mut self,
        tokens: &[TerminalId],
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let operator = Operator { family: Family::Word, kind: Kind::Transpose };
        for place in 0..=tokens.len() {
            self.single.visit_place(tokens, place, check, visit)?;
            if let Some(inserted) = transposition(tokens, place, check) {
                let inserted = &inserted;
                visit(&Edit { operator, place, removed: 2, inserted, item: None })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many changes leave the language.
    pub fn count(&mut self, tokens: &[TerminalId], check: &mut dyn Check) -> u64 {
        let mut of_place = |place| {
            let is_swapped = transposition(tokens, place, check).is_some();
            self.single.count_place(tokens, place, check) + u64::from(is_swapped)
        };
        (0..=tokens.len()).map(&mut of_place).sum()
    }
}

/// Two neighbours in the other order, if that leaves the language.
fn transposition(
    tokens: &[TerminalId],
    place: usize,
    check: &mut dyn Check,
) -> Option<[TerminalId; 2]> {
    let (&here, &next) = (tokens.get(place)?, tokens.get(place + 1)?);
    let swapped = [next, here];
    (next != here && check.is_negative(place, 2, &swapped)).then_some(swapped)
}
