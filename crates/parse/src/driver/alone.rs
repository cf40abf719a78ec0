//! Plain LR: one stack, and one thing to do.

use gramercy_grammar::ProductionId;

use super::Driver;
use crate::build::Build;
use crate::stacks::{Edge, VertexId};
use crate::tables::{Action, InputId};

/// What became of one stack.
pub(super) enum Alone<V> {
    Shifted(VertexId),
    Accepted(V),
    Stuck,
    /// There are several things to do, or the stack below branches.
    Several(VertexId),
}

impl<B: Build> Driver<'_, B> {
    /// Plain LR, as long as there is one thing to do.
    #[inline]
    pub(super) fn alone(&mut self, mut top: VertexId, input: InputId) -> Alone<B::Value> {
        loop {
            match self.action(self.stacks.vertex(top).state, input) {
                Action::Shift(state) => {
                    let value = self.build.token(self.level);
                    let below = Edge { to: top, value };
                    return Alone::Shifted(self.stacks.push(state, self.level + 1, below));
                }
                Action::Reduce(production) => match self.reduce_alone(top, production) {
                    Some(new) => top = new,
                    None => return Alone::Several(top),
                },
                Action::Accept => {
                    // A stack that was shared may hold several values of the start symbol's node,
                    // which are all the same node.
                    let edge = self.stacks.edges(top).next().expect("invariant: not the bottom");
                    return Alone::Accepted(edge.value);
                }
                Action::Error => return Alone::Stuck,
                Action::Several(_) => return Alone::Several(top),
            }
        }
    }

    /// Reduces, unless the stack branches on the way down.
    #[inline]
    fn reduce_alone(&mut self, top: VertexId, production: ProductionId) -> Option<VertexId> {
        let len = self.machine.cfg.rhs(production).len();
        self.children.clear();
        let mut below = top;
        for _ in 0..len {
            let edge = self.stacks.only_edge(below)?;
            self.children.push(edge.value);
            below = edge.to;
        }
        self.children.reverse();
        let range = (self.stacks.vertex(below).level, self.level);
        let children = &self.children;
        let value = self.build.reduce_only(self.machine.cfg, production, children, range);
        self.stacks.pop_to(below);
        let state = self.goto(below, production);
        Some(self.stacks.push(state, self.level, Edge { to: below, value }))
    }
}
