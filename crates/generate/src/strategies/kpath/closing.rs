//! Makes a tree of a route: its steps, and everything beside them closed off.

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::ProductionId;

use crate::contexts::Step;
use crate::draft::Draft;
use crate::drawing::{Drawer, Slot};
use crate::minimal::Minimal;
use crate::routes::{Route, Routes};
use crate::turns::Turns;

use super::Closing;

/// What closes off.
#[derive(Debug)]
pub(super) enum Closer<'v> {
    Shortest(Turns),
    Random(Box<Drawer<'v>>),
}

impl<'v> Closer<'v> {
    pub(super) fn new(views: &'v Views<'v>, minimal: &Minimal<'_>, closing: Closing) -> Self {
        match closing {
            Closing::Shortest => Closer::Shortest(Turns::new(views, minimal)),
            Closing::Random(options) => Closer::Random(Box::new(Drawer::new(views, options))),
        }
    }

    /// Makes the tree of a route in a draft.
    pub(super) fn close(
        &mut self,
        minimal: &Minimal<'_>,
        routes: &Routes,
        route: &Route,
        seed: [u64; 4],
        draft: &mut Draft,
    ) {
        draft.clear();
        let (steps, silent) = steps(routes, route);
        let mut draw = Draw::new(seed);
        let cfg = minimal.cfg();
        let mut bases = Vec::with_capacity(steps.len());
        let mut base = 0;
        for step in &steps {
            bases.push(base);
            draft.productions.push(step.production);
            self.range(minimal, step.production, 0..step.position, base, &mut draw, draft);
            base = self.base_below(*step, base);
        }
        if let Some(production) = silent {
            draft.productions.push(production);
            let all = 0..cfg.rhs(production).len();
            self.range(minimal, production, all, base, &mut draw, draft);
        } else if let Some(&Step { production, position }) = steps.last() {
            let base = bases[bases.len() - 1];
            self.range(minimal, production, position..position + 1, base, &mut draw, draft);
        }
        for (step, &base) in steps.iter().zip(&bases).rev() {
            let rest = step.position + 1..cfg.rhs(step.production).len();
            self.range(minimal, step.production, rest, base, &mut draw, draft);
        }
    }

    /// Closes off some positions of a production that is expanded at a depth.
    fn range(
        &mut self,
        minimal: &Minimal<'_>,
        production: ProductionId,
        positions: std::ops::Range<usize>,
        base: u32,
        draw: &mut Draw,
        draft: &mut Draft,
    ) {
        match self {
            Closer::Shortest(turns) => {
                let symbols = &minimal.cfg().rhs(production)[positions];
                symbols.iter().for_each(|&symbol| turns.close(minimal, symbol, draft));
            }
            Closer::Random(drawer) => {
                for position in positions {
                    let slot: Slot = drawer.slot(production, position, base);
                    drawer.close(slot, draw, draft);
                }
            }
        }
    }

    fn base_below(&self, step: Step, base: u32) -> u32 {
        match self {
            Closer::Shortest(_) => base,
            Closer::Random(drawer) => drawer.slot(step.production, step.position, base).base,
        }
    }
}

/// The steps of a route; if it ends in a leaf without text, the production of that.
fn steps(routes: &Routes, route: &Route) -> (Vec<Step>, Option<ProductionId>) {
    let mut steps = Vec::new();
    route.arrivals.iter().for_each(|&arrival| routes.steps(arrival, &mut steps));
    let last = route.arrivals.last().map(|&last| routes.arrival(last));
    let silent = last.filter(|last| last.symbol.is_none()).map(|last| last.production);
    (steps, silent)
}
