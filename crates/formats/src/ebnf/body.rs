//! Puts the pieces of one right-hand side together.
//!
//! Open parentheses are on a stack of their own, so nesting costs memory and no call stack; how deep
//! they may go is the caller's limit. Parentheses around one thing are that thing.

use gramercy_base::Span;

use super::syntax::{Branch, Marks, PieceId, PieceKind, Tree};

/// A right-hand side under construction.
pub(crate) struct Body {
    groups: Vec<Group>,
}

/// An open parenthesis, or the right-hand side itself.
struct Group {
    opened: Span,
    label: Option<Box<str>>,
    branches: Vec<Branch>,
    items: Vec<PieceId>,
    marks: Option<Box<Marks>>,
    ended: bool,
    has_commands: bool,
}

impl Group {
    fn new(opened: Span, label: Option<Box<str>>) -> Self {
        let (branches, items) = (Vec::new(), Vec::new());
        Self { opened, label, branches, items, marks: None, ended: false, has_commands: false }
    }

    /// Ends the alternative at hand. `end` is where it ends if it is empty.
    fn end_branch(&mut self, tree: &mut Tree, end: Span) {
        let piece = match self.items[..] {
            [] => tree.push(PieceKind::Literal("".into()), end),
            [only] => only,
            [first, .., last] => {
                let span = tree.piece(first).span.to(tree.piece(last).span);
                tree.push(PieceKind::Sequence(self.items.as_slice().into()), span)
            }
        };
        self.items.clear();
        self.branches.push(Branch { piece, marks: self.marks.take() });
        self.ended = false;
        self.has_commands = false;
    }
}

impl Body {
    /// A right-hand side that begins at `start`.
    pub(crate) fn new(start: Span) -> Self {
        Self { groups: vec![Group::new(start, None)] }
    }

    fn group(&mut self) -> &mut Group {
        self.groups.last_mut().expect("invariant: the right-hand side itself is never closed")
    }

    /// How many parentheses are open.
    pub(crate) fn depth(&self) -> usize {
        self.groups.len() - 1
    }

    /// Whether the alternative at hand has no item yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.last().is_none_or(|group| group.items.is_empty())
    }

    /// Whether the alternative at hand takes no further item: marks or commands were read.
    pub(crate) fn has_ended(&self) -> bool {
        self.groups.last().is_some_and(|group| group.ended)
    }

    /// Whether the alternative at hand has commands.
    pub(crate) fn has_commands(&self) -> bool {
        self.groups.last().is_some_and(|group| group.has_commands)
    }

    /// Adds the commands of the alternative at hand, behind which no item may follow.
    pub(crate) fn commands(&mut self, commands: PieceId) {
        self.item(commands);
        self.end_items();
        self.group().has_commands = true;
    }

    /// Says that no further item may follow in this alternative.
    pub(crate) fn end_items(&mut self) {
        self.group().ended = true;
    }

    /// Adds an item to the alternative at hand.
    pub(crate) fn item(&mut self, piece: PieceId) {
        self.group().items.push(piece);
    }

    /// Puts a quantifier on the last item.
    pub(crate) fn repeat(
        &mut self,
        tree: &mut Tree,
        (min, max): (u32, Option<u32>),
        greedy: bool,
        quantifier: Span,
    ) {
        let item = self.group().items.last_mut().expect("invariant: a quantifier follows an item");
        let span = tree.piece(*item).span.to(quantifier);
        *item = tree.push(PieceKind::Repeat { body: *item, min, max, greedy }, span);
    }

    /// What is said about the alternative at hand.
    pub(crate) fn marks(&mut self) -> &mut Marks {
        self.group().marks.get_or_insert_default()
    }

    /// Begins the next alternative.
    pub(crate) fn bar(&mut self, tree: &mut Tree, bar: Span) {
        let end = Span { end: bar.start, ..bar };
        self.group().end_branch(tree, end);
    }

    /// Opens a parenthesis; `label` is the name of the whole group.
    pub(crate) fn open(&mut self, parenthesis: Span, label: Option<Box<str>>) {
        self.groups.push(Group::new(parenthesis, label));
    }

    /// Closes a parenthesis and adds the group as an item. `false` if none is open.
    pub(crate) fn close(&mut self, tree: &mut Tree, parenthesis: Span) -> bool {
        if self.depth() == 0 {
            return false;
        }
        let mut group = self.groups.pop().expect("invariant: a parenthesis is open");
        group.end_branch(tree, Span { end: parenthesis.start, ..parenthesis });
        let piece = match &group.branches[..] {
            [Branch { piece, marks: None }] => *piece,
            _ => {
                let span = group.opened.to(parenthesis);
                tree.push(PieceKind::Alternation(group.branches.into()), span)
            }
        };
        if let Some(label) = group.label {
            tree.label(piece, &label);
        }
        self.item(piece);
        true
    }

    /// The innermost parenthesis that is still open.
    pub(crate) fn unclosed(&self) -> Option<Span> {
        (self.depth() > 0).then(|| self.groups[self.depth()].opened)
    }

    /// The alternatives; parentheses that are still open end here.
    pub(crate) fn finish(mut self, tree: &mut Tree, end: Span) -> Vec<Branch> {
        let end = Span { end: end.start, ..end };
        while self.close(tree, end) {}
        let mut group = self.groups.pop().expect("invariant: the right-hand side is open");
        group.end_branch(tree, end);
        group.branches
    }
}
