//! The shared packed forest: all derivations of one input.
//!
//! A node is a nonterminal over a range of tokens, or a *prefix*: the first k symbols of a
//! production over a range of tokens. Each way to derive it is an [`Alternative`]. As long as a node
//! has one derivation by a production, that alternative lists all children; a second one makes both
//! binary, a prefix and a last child, so that the forest stays cubic in the input. Alternatives of
//! one production are told apart by the place where the last child begins, because what a node
//! derives is determined by its label and range.
//!
//! Tokens have no nodes: a child that is a token is its index, and the production says which
//! terminal it stands for. All arrays only grow, so a checkpoint is their lengths.

use gramercy_base::Id;
use gramercy_grammar::{NonterminalId, ProductionId};

gramercy_base::define_id!(pub struct ForestNodeId, "a node of a forest");

/// A child in a forest: a node, or a token of the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Child(u32);

const TOKEN: u32 = 1 << 31;

impl Child {
    /// The token with this index.
    #[inline]
    pub(crate) fn token(index: u32) -> Self {
        debug_assert!(index < TOKEN, "invariant: an input has fewer than 2^31 tokens");
        Child(index | TOKEN)
    }

    #[inline]
    pub(crate) fn node(node: ForestNodeId) -> Self {
        Child(u32::try_from(node.index()).expect("invariant: ids fit in 32 bits"))
    }

    /// The index of the token, if it is one.
    #[inline]
    #[must_use]
    pub fn as_token(self) -> Option<usize> {
        (self.0 & TOKEN != 0).then_some((self.0 & !TOKEN) as usize)
    }

    /// The node, if it is one.
    #[inline]
    #[must_use]
    pub fn as_node(self) -> Option<ForestNodeId> {
        (self.0 & TOKEN == 0).then(|| ForestNodeId::from_index(self.0 as usize))
    }
}

impl std::fmt::Debug for Child {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_token() {
            Some(token) => write!(f, "Token({token})"),
            None => write!(f, "Node({})", self.0),
        }
    }
}

/// What a node derives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// A nonterminal.
    Nonterminal(NonterminalId),
    /// The first symbols of a production: at least two, and not all.
    Prefix(ProductionId, u32),
}

#[derive(Clone, Copy, Debug)]
struct Node {
    label: Label,
    start: u32,
    end: u32,
    /// The newest alternative.
    newest: Option<PackedId>,
}

gramercy_base::define_id!(pub(crate) struct PackedId, "an alternative of a forest node");

#[derive(Clone, Copy, Debug)]
struct Packed {
    production: ProductionId,
    children: u32,
    /// The number of children, or [`BINARY`].
    len: u32,
    older: Option<PackedId>,
}

const BINARY: u32 = u32::MAX;

/// One way to derive a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative<'f> {
    /// All children.
    All(ProductionId, &'f [Child]),
    /// The children but the last, as a prefix (where that is one symbol, the child itself), and the
    /// last.
    Binary(ProductionId, Child, Child),
}

impl Alternative<'_> {
    /// The production; of a prefix node, the one it is a prefix of.
    #[must_use]
    pub fn production(&self) -> ProductionId {
        match *self {
            Alternative::All(production, _) | Alternative::Binary(production, ..) => production,
        }
    }

    /// What stands directly below.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = Child> + '_ {
        let (all, pair) = match self {
            Alternative::All(_, children) => (*children, None),
            Alternative::Binary(_, prefix, last) => (&[][..], Some([*prefix, *last])),
        };
        all.iter().copied().chain(pair.into_iter().flatten())
    }
}

/// All derivations of one input.
#[derive(Clone, Debug, Default)]
pub struct Forest {
    nodes: Vec<Node>,
    packed: Vec<Packed>,
    children: Vec<Child>,
    root: Option<ForestNodeId>,
}

/// The lengths of a forest's arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) nodes: usize,
    packed: usize,
    children: usize,
}

impl Forest {
    /// The node of the start symbol over the whole input; `None` if it was not accepted.
    #[must_use]
    pub fn root(&self) -> Option<ForestNodeId> {
        self.root
    }

    /// The number of nodes; not all need to be below the root.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What a node derives.
    #[must_use]
    pub fn label(&self, node: ForestNodeId) -> Label {
        self.nodes[node.index()].label
    }

    /// The tokens that a node spans.
    #[must_use]
    pub fn range(&self, node: ForestNodeId) -> std::ops::Range<usize> {
        let node = &self.nodes[node.index()];
        node.start as usize..node.end as usize
    }

    /// All ways to derive a node, in no promised order.
    pub fn alternatives(
        &self,
        node: ForestNodeId,
    ) -> impl Iterator<Item = Alternative<'_>> + Clone + '_ {
        let newest = self.nodes[node.index()].newest;
        let chain = std::iter::successors(newest, |id| self.packed[id.index()].older);
        chain.map(|id| self.alternative(id))
    }

    /// Whether every node has one derivation only, so that there is one tree. Linear, and the
    /// opposite is not promised: nodes that are not below the root count as well.
    #[must_use]
    pub fn is_surely_unambiguous(&self) -> bool {
        self.packed.iter().all(|packed| packed.older.is_none())
    }

    /// The bytes that the forest takes.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.packed.capacity() * size_of::<Packed>()
            + self.children.capacity() * size_of::<Child>()
    }

    /// Nothing, in the same memory.
    pub(crate) fn clear(&mut self) {
        self.truncate(Mark::default());
    }

    /// The numbers of alternatives and of children.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.packed.len(), self.children.len())
    }

    pub(crate) fn set_root(&mut self, root: Option<ForestNodeId>) {
        self.root = root;
    }

    pub(crate) fn alternative(&self, id: PackedId) -> Alternative<'_> {
        let Packed { production, children, len, .. } = self.packed[id.index()];
        let start = children as usize;
        match len {
            BINARY => {
                Alternative::Binary(production, self.children[start], self.children[start + 1])
            }
            len => Alternative::All(production, &self.children[start..start + len as usize]),
        }
    }

    pub(crate) fn add_node(&mut self, label: Label, start: u32, end: u32) -> ForestNodeId {
        let id = ForestNodeId::from_index(self.nodes.len());
        assert!(id.index() < TOKEN as usize, "invariant: a forest has fewer than 2^31 nodes");
        self.nodes.push(Node { label, start, end, newest: None });
        id
    }

    pub(crate) fn add_all(
        &mut self,
        node: ForestNodeId,
        production: ProductionId,
        children: impl IntoIterator<Item = Child>,
    ) -> PackedId {
        let start = self.children.len();
        self.children.extend(children);
        let len = self.children.len() - start;
        self.add_packed(node, production, start, u32::try_from(len).expect("invariant: fits"))
    }

    pub(crate) fn add_binary(
        &mut self,
        node: ForestNodeId,
        production: ProductionId,
        prefix: Child,
        last: Child,
    ) {
        let start = self.children.len();
        self.children.extend([prefix, last]);
        self.add_packed(node, production, start, BINARY);
    }

    fn add_packed(
        &mut self,
        node: ForestNodeId,
        production: ProductionId,
        children: usize,
        len: u32,
    ) -> PackedId {
        let id = PackedId::from_index(self.packed.len());
        let children = u32::try_from(children).expect("invariant: children fit in 32 bits");
        let older = self.nodes[node.index()].newest.replace(id);
        self.packed.push(Packed { production, children, len, older });
        id
    }

    /// Takes an alternative out of a node's list.
    pub(crate) fn remove(&mut self, node: ForestNodeId, gone: PackedId) {
        let older = self.packed[gone.index()].older;
        let newest = &mut self.nodes[node.index()].newest;
        if *newest == Some(gone) {
            *newest = older;
            return;
        }
        let mut at = newest.expect("invariant: the alternative is in the list");
        while self.packed[at.index()].older != Some(gone) {
            at = self.packed[at.index()].older.expect("invariant: the alternative is in the list");
        }
        self.packed[at.index()].older = older;
    }

    pub(crate) fn newest(&self, node: ForestNodeId) -> Option<PackedId> {
        self.nodes[node.index()].newest
    }

    /// The newest way to derive a node by a production. A node has few productions, and one that was
    /// used lately is found at once.
    pub(crate) fn newest_by(
        &self,
        node: ForestNodeId,
        production: ProductionId,
    ) -> Option<PackedId> {
        let mut chain =
            std::iter::successors(self.newest(node), |id| self.packed[id.index()].older);
        chain.find(|id| self.packed[id.index()].production == production)
    }

    pub(crate) fn set_newest(&mut self, node: ForestNodeId, newest: Option<PackedId>) {
        self.nodes[node.index()].newest = newest;
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), packed: self.packed.len(), children: self.children.len() }
    }

    pub(crate) fn truncate(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.packed.truncate(mark.packed);
        self.children.truncate(mark.children);
        self.root = None;
    }
}
