//! Terminal push edges along the path of a sentence in the LR-graph are inserted, substituted and deleted.
//!
//! After Rossouw and Fischer (JSS 2024, section 6.1), who take the sentences of pop-edge suites. A terminal push edge
//! of the path is a token of the sentence, so these are changes of single tokens: at every place, before the end too,
//! where the publication's tool inserts nothing.
//!
//! All changes of one sentence that are visited give different texts. Inserting `x` before or after an equal `x` is
//! one change, and so is deleting any token of a run of equal ones; substitutions all differ. So counting needs no set
//! of what was seen.
//!
//! Example: `[ ]` of `D: "[" D "]" D | ;` by pairs: `] [ ]`, `[ ] [`, `] ]`, `[ [`, `]`, `[`.
//!
//! Cost: for each place what the check costs for all tokens there, and each change that is visited. Counting visits
//! none.

use std::ops::ControlFlow;

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;

use super::Visit;
use crate::check::Check;
use crate::edit::{Edit, Family, Kind, Operator};

/// Changes of terminal push edges.
#[derive(Clone, Debug)]
pub struct Edges {
    family: Family,
    set: IdSet<TerminalId>,
}

impl Edges {
    /// All changes, for a grammar with this number of terminals.
    #[must_use]
    pub fn new(terminals: usize) -> Self {
        Self::named(Family::Edge, terminals)
    }

    /// The same changes in the name of another family.
    pub(super) fn named(family: Family, terminals: usize) -> Self {
        Self { family, set: IdSet::new(terminals) }
    }

    /// Visits all changes that leave the language, by place.
    pub fn visit(
        &mut self,
        tokens: &[TerminalId],
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        (0..=tokens.len()).try_for_each(|place| self.visit_place(tokens, place, check, visit))
    }

    /// How many changes leave the language.
    pub fn count(&mut self, tokens: &[TerminalId], check: &mut dyn Check) -> u64 {
        (0..=tokens.len()).map(|place| self.count_place(tokens, place, check)).sum()
    }

    /// Visits the changes at one place, which may be the end.
    pub(super) fn visit_place(
        &mut self,
        tokens: &[TerminalId],
        place: usize,
        check: &mut dyn Check,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let family = self.family;
        let mut visit = |kind, removed, inserted: &[TerminalId]| {
            let operator = Operator { family, kind };
            visit(&Edit { operator, place, removed, inserted, item: None })
        };
        self.insertions(tokens, place, check);
        self.set.iter().try_for_each(|token| visit(Kind::Insert, 0, &[token]))?;
        if place == tokens.len() {
            return ControlFlow::Continue(());
        }
        if is_first_of_run(tokens, place) && check.is_negative(place, 1, &[]) {
            visit(Kind::Delete, 1, &[])?;
        }
        self.substitutions(place, check);
        self.set.iter().try_for_each(|token| visit(Kind::Substitute, 1, &[token]))
    }

    /// How many changes at one place leave the language.
    pub(super) fn count_place(
        &mut self,
        tokens: &[TerminalId],
        place: usize,
        check: &mut dyn Check,
    ) -> u64 {
        self.insertions(tokens, place, check);
        let mut sum = self.set.len();
        if place < tokens.len() {
            let is_deleted = is_first_of_run(tokens, place) && check.is_negative(place, 1, &[]);
            self.substitutions(place, check);
            sum += usize::from(is_deleted) + self.set.len();
        }
        sum as u64
    }

    /// The insertions at a place that are not insertions at an earlier one.
    fn insertions(&mut self, tokens: &[TerminalId], place: usize, check: &mut dyn Check) {
        self.set.clear();
        check.insertions(place, &mut self.set);
        if let Some(before) = place.checked_sub(1) {
            self.set.remove(tokens[before]);
        }
    }

    fn substitutions(&mut self, place: usize, check: &mut dyn Check) {
        self.set.clear();
        check.substitutions(place, &mut self.set);
    }
}

/// Whether another token, or none, is before this one.
fn is_first_of_run(tokens: &[TerminalId], place: usize) -> bool {
    place.checked_sub(1).is_none_or(|before| tokens[before] != tokens[place])
}
