//! Single tokens of a sentence are deleted, inserted, substituted and transposed.
//!
//! On the sentences of a pop-edge suite these are the edge mutations of Rossouw and Fischer (JSS 2024, section 6.1),
//! which change terminal push edges of a path in the LR-graph: the same changes of the word, without transpositions.
//! On any sentences they are the word mutations of Raselimo, Taljaard and Fischer (SLE 2019, section 4).
//!
//! All changes of one sentence that are visited give different texts. Inserting `x` before or after an equal `x` is
//! one change, and so is deleting any token of a run of equal ones; substitutions and transpositions of unequal
//! neighbours all differ. So counting needs no set of what was seen.
//!
//! Example: `[ ]` of `D: "[" D "]" D | ;` by pairs: `] [ ]`, `[ ] [`, `] ]`, `[ [`, `]`, `[`.

use std::ops::ControlFlow;

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;

use super::Visit;
use crate::check::Check;
use crate::edit::{Edit, Family, Kind, Operator};

/// Changes of single tokens.
#[derive(Clone, Debug)]
pub struct Words {
    family: Family,
    set: IdSet<TerminalId>,
}

impl Words {
    /// All changes of tokens, for a grammar with this number of terminals.
    #[must_use]
    pub fn new(terminals: usize) -> Self {
        Self { family: Family::Word, set: IdSet::new(terminals) }
    }

    /// Changes of edges of a path.
    #[must_use]
    pub fn of_edges(terminals: usize) -> Self {
        Self { family: Family::Edge, set: IdSet::new(terminals) }
    }

    /// Whether neighbours change places too.
    fn transposes(&self) -> bool {
        self.family == Family::Word
    }

    /// Visits all changes that leave the language, by place.
    pub fn visit(
        &mut self,
        tokens: &[TerminalId],
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let family = self.family;
        let mut visit = |kind, place, removed, inserted: &[TerminalId]| {
            let operator = Operator { family, kind };
            visit(&Edit { operator, place, removed, inserted, item: None })
        };
        for place in 0..=tokens.len() {
            self.insertions(tokens, place, check);
            for token in self.set.iter() {
                visit(Kind::Insert, place, 0, &[token])?;
            }
            let Some(&here) = tokens.get(place) else { break };
            if is_first_of_run(tokens, place) && check.is_negative(place, 1, &[]) {
                visit(Kind::Delete, place, 1, &[])?;
            }
            self.set.clear();
            check.substitutions(place, &mut self.set);
            for token in self.set.iter() {
                visit(Kind::Substitute, place, 1, &[token])?;
            }
            if let Some(&next) = tokens.get(place + 1).filter(|_| self.transposes())
                && next != here
                && check.is_negative(place, 2, &[next, here])
            {
                visit(Kind::Transpose, place, 2, &[next, here])?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many changes leave the language.
    pub fn count(&mut self, tokens: &[TerminalId], check: &mut dyn Check) -> u64 {
        let mut sum = 0;
        for place in 0..=tokens.len() {
            self.insertions(tokens, place, check);
            sum += self.set.len() as u64;
            let Some(&here) = tokens.get(place) else { break };
            let is_deleted = is_first_of_run(tokens, place) && check.is_negative(place, 1, &[]);
            sum += u64::from(is_deleted);
            self.set.clear();
            check.substitutions(place, &mut self.set);
            sum += self.set.len() as u64;
            if let Some(&next) = tokens.get(place + 1).filter(|_| self.transposes()) {
                let is_swapped = next != here && check.is_negative(place, 2, &[next, here]);
                sum += u64::from(is_swapped);
            }
        }
        sum
    }

    /// The insertions at a place that are not insertions at an earlier one.
    fn insertions(&mut self, tokens: &[TerminalId], place: usize, check: &mut dyn Check) {
        self.set.clear();
        check.insertions(place, &mut self.set);
        if let Some(before) = place.checked_sub(1) {
            self.set.remove(tokens[before]);
        }
    }
}

/// Whether another token, or none, is before this one.
fn is_first_of_run(tokens: &[TerminalId], place: usize) -> bool {
    place.checked_sub(1).is_none_or(|before| tokens[before] != tokens[place])
}
