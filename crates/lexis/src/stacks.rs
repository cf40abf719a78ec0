//! Stacks of modes, interned: the position of a lexer between two tokens.

use gramercy_base::{Id, Linked};
use gramercy_grammar::ModeId;

use crate::effect::{Effect, ModeChange};

gramercy_base::define_id!(pub(crate) struct StackId, "a stack of modes, never empty");

/// All stacks met so far.
#[derive(Clone, Debug)]
pub(crate) struct Stacks {
    lists: Linked<StackId, ModeId>,
}

impl Stacks {
    /// The stack with which a lexer begins is there from the start.
    pub(crate) fn new() -> Self {
        let mut lists = Linked::new();
        lists.push(None, ModeId::from_index(0));
        Self { lists }
    }

    /// The stack with which a lexer begins.
    pub(crate) fn initial() -> StackId {
        StackId::from_index(0)
    }

    /// The current mode.
    pub(crate) fn mode(&self, stack: StackId) -> ModeId {
        self.lists.get(stack).1
    }

    /// How many modes are on a stack.
    pub(crate) fn depth(&self, stack: StackId) -> usize {
        self.lists.iter(Some(stack)).count()
    }

    /// The modes, the current one last.
    pub(crate) fn modes(&self, stack: StackId) -> Vec<ModeId> {
        let mut modes: Vec<_> = self.lists.iter(Some(stack)).collect();
        modes.reverse();
        modes
    }

    /// The stack after a match; `None` if a mode is popped that was never pushed.
    #[inline]
    pub(crate) fn after(&mut self, stack: StackId, effect: &Effect) -> Option<StackId> {
        effect.mode_changes.iter().try_fold(stack, |stack, change| {
            let (below, _) = self.lists.get(stack);
            match *change {
                ModeChange::Set(mode) => Some(self.lists.push(below, mode)),
                ModeChange::Push(mode) => Some(self.lists.push(Some(stack), mode)),
                ModeChange::Pop => below,
            }
        })
    }
}
