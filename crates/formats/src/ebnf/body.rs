//! Builds the tree of one right-hand side.
//!
//! Open parentheses are on an explicit stack, so nesting costs memory but no call stack; the caller
//! limits the nesting. Parentheses around a single item are dropped.

use gramercy_base::Span;

use super::syntax::{Branch, ExprNodeId, ExprNodeKind, Marks, Tree};

/// A right-hand side under construction.
pub(crate) struct Body {
    groups: Vec<Group>,
}

/// An open parenthesis, or the right-hand side itself.
struct Group {
    opened: Span,
    label: Option<Box<str>>,
    branches: Vec<Branch>,
    items: Vec<ExprNodeId>,
    marks: Option<Box<Marks>>,
    ended: bool,
    has_commands: bool,
}

impl Group {
    fn new(opened: Span, label: Option<Box<str>>) -> Self {
        let (branches, items) = (Vec::new(), Vec::new());
        Self { opened, label, branches, items, marks: None, ended: false, has_commands: false }
    }

    /// Ends the current alternative. `end` is its end if it is empty.
    fn end_branch(&mut self, tree: &mut Tree, end: Span) {
        let node = match self.items[..] {
            [] => tree.push(ExprNodeKind::Literal("".into()), end),
            [only] => only,
            [first, .., last] => {
                let span = tree.node(first).span.to(tree.node(last).span);
                tree.push(ExprNodeKind::Sequence(self.items.as_slice().into()), span)
            }
        };
        self.items.clear();
        self.branches.push(Branch { node, marks: self.marks.take() });
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

    /// The number of open parentheses.
    pub(crate) fn depth(&self) -> usize {
        self.groups.len() - 1
    }

    /// Whether the current alternative has no item yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.groups.last().is_none_or(|group| group.items.is_empty())
    }

    /// Whether the current alternative takes no further item, because it has marks or commands.
    pub(crate) fn has_ended(&self) -> bool {
        self.groups.last().is_some_and(|group| group.ended)
    }

    /// Whether the current alternative has commands.
    pub(crate) fn has_commands(&self) -> bool {
        self.groups.last().is_some_and(|group| group.has_commands)
    }

    /// Adds the commands of the current alternative, after which no item may follow.
    pub(crate) fn commands(&mut self, commands: ExprNodeId) {
        self.item(commands);
        self.end_items();
        self.group().has_commands = true;
    }

    /// Forbids further items in this alternative.
    pub(crate) fn end_items(&mut self) {
        self.group().ended = true;
    }

    /// Adds an item to the current alternative.
    pub(crate) fn item(&mut self, node: ExprNodeId) {
        self.group().items.push(node);
    }

    /// Adds a quantifier to the last item.
    pub(crate) fn repeat(
        &mut self,
        tree: &mut Tree,
        (min, max): (u32, Option<u32>),
        greedy: bool,
        quantifier: Span,
    ) {
        let item = self.group().items.last_mut().expect("invariant: a quantifier follows an item");
        let span = tree.node(*item).span.to(quantifier);
        *item = tree.push(ExprNodeKind::Repeat { body: *item, min, max, greedy }, span);
    }

    /// The marks of the current alternative.
    pub(crate) fn marks(&mut self) -> &mut Marks {
        self.group().marks.get_or_insert_default()
    }

    /// Begins the next alternative.
    pub(crate) fn bar(&mut self, tree: &mut Tree, bar: Span) {
        let end = Span { end: bar.start, ..bar };
        self.group().end_branch(tree, end);
    }

    /// Opens a parenthesis; `label` is the label of the group.
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
        let node = match &group.branches[..] {
            [Branch { node, marks: None }] => *node,
            _ => {
                let span = group.opened.to(parenthesis);
                tree.push(ExprNodeKind::Alternation(group.branches.into()), span)
            }
        };
        if let Some(label) = group.label {
            tree.label(node, &label);
        }
        self.item(node);
        true
    }

    /// The innermost open parenthesis.
    pub(crate) fn unclosed(&self) -> Option<Span> {
        (self.depth() > 0).then(|| self.groups[self.depth()].opened)
    }

    /// The alternatives; open parentheses end here.
    pub(crate) fn finish(mut self, tree: &mut Tree, end: Span) -> Vec<Branch> {
        let end = Span { end: end.start, ..end };
        while self.close(tree, end) {}
        let mut group = self.groups.pop().expect("invariant: the right-hand side is open");
        group.end_branch(tree, end);
        group.branches
    }
}
