//! Makes the tree of a way with everything beside it closed off at random.

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::ProductionId;

use crate::contexts::Step;
use crate::draft::Draft;
use crate::drawing::Drawer;

use super::growing::Way;

/// A tree that is being made along a way.
pub(super) struct Closing<'c, 'v> {
    pub(super) views: &'v Views<'v>,
    pub(super) drawer: &'c mut Drawer<'v>,
    pub(super) draw: Draw,
}

impl Closing<'_, '_> {
    /// Makes the tree in an empty draft.
    pub(super) fn close(&mut self, way: Way<'_>, draft: &mut Draft) {
        let bnf = self.views.bnf;
        let mut bases = Vec::with_capacity(way.steps.len());
        let mut base = 0;
        for &Step { production, position } in way.steps {
            bases.push(base);
            draft.productions.push(production);
            self.positions(production, 0..position, base, draft);
            base = self.drawer.slot(production, position, base).base;
        }
        if let Some(production) = way.last {
            draft.productions.push(production);
            self.positions(production, 0..bnf.rhs(production).len(), base, draft);
        } else if let (Some(step), Some(&base)) = (way.steps.last(), bases.last()) {
            self.positions(step.production, step.position..step.position + 1, base, draft);
        }
        for (step, &base) in way.steps.iter().zip(&bases).rev() {
            let rest = step.position + 1..bnf.rhs(step.production).len();
            self.positions(step.production, rest, base, draft);
        }
    }

    /// Closes off some positions of a production that is expanded at a depth.
    fn positions(
        &mut self,
        production: ProductionId,
        positions: std::ops::Range<usize>,
        base: u32,
        draft: &mut Draft,
    ) {
        for position in positions {
            let slot = self.drawer.slot(production, position, base);
            self.drawer.close(slot, &mut self.draw, draft);
        }
    }
}
