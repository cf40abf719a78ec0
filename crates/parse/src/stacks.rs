//! The graph-structured stack: all stacks of the parser at once, sharing what they have in common.
//!
//! A vertex is a state at a *level*, the number of tokens before it. Most vertices have one edge,
//! to the vertex below, which is kept in the vertex itself. Edges are only added to vertices of the
//! level that is being worked on, and vertices are only appended, so a checkpoint is two lengths.

use gramercy_base::Id;
use gramercy_lr::StateId;

gramercy_base::define_id!(pub(crate) struct VertexId, "a vertex of the graph-structured stack");

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex<V> {
    pub(crate) state: StateId,
    pub(crate) level: u32,
    first: Option<Edge<V>>,
    /// The newest of the further edges.
    more: Option<std::num::NonZeroU32>,
}

/// A step down, over a parsed symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<V> {
    pub(crate) to: VertexId,
    pub(crate) value: V,
}

/// When an edge was added; edges that are the first of their vertices are as old as the edge before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Age(u32);

#[derive(Clone, Debug)]
pub(crate) struct Stacks<V> {
    vertices: Vec<Vertex<V>>,
    more: Vec<(Edge<V>, Option<std::num::NonZeroU32>)>,
    /// Vertices below this are kept: several stacks, or a checkpoint, may still need them.
    kept: usize,
}

/// The lengths of the arrays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackMark {
    vertices: usize,
    more: usize,
}

impl<V> Default for Stacks<V> {
    fn default() -> Self {
        Self { vertices: Vec::new(), more: Vec::new(), kept: 0 }
    }
}

/// Vertices whose memory is kept for the next input.
const KEPT: usize = 1 << 16;

impl<V: Copy> Stacks<V> {
    /// One stack with one state; a large memory is given back.
    pub(crate) fn restart(&mut self, start: StateId) -> VertexId {
        if self.vertices.capacity() > KEPT || self.more.capacity() > KEPT {
            *self = Self::default();
        }
        self.vertices.clear();
        self.more.clear();
        self.kept = 0;
        self.vertices.push(Vertex { state: start, level: 0, first: None, more: None });
        VertexId::from_index(0)
    }

    #[inline]
    pub(crate) fn vertex(&self, id: VertexId) -> &Vertex<V> {
        &self.vertices[id.index()]
    }

    #[inline]
    pub(crate) fn push(&mut self, state: StateId, level: u32, below: Edge<V>) -> VertexId {
        let id = VertexId::from_index(self.vertices.len());
        self.vertices.push(Vertex { state, level, first: Some(below), more: None });
        id
    }

    /// The only edge of a vertex; `None` if it has several, or is the bottom.
    #[inline]
    pub(crate) fn only_edge(&self, id: VertexId) -> Option<Edge<V>> {
        let vertex = &self.vertices[id.index()];
        if vertex.more.is_none() { vertex.first } else { None }
    }

    /// All edges of a vertex.
    pub(crate) fn edges(&self, id: VertexId) -> impl Iterator<Item = Edge<V>> + '_ {
        self.edges_up_to(id, Age(u32::MAX))
    }

    /// The edges of a vertex that are no younger than some age.
    pub(crate) fn edges_up_to(
        &self,
        id: VertexId,
        newest: Age,
    ) -> impl Iterator<Item = Edge<V>> + '_ {
        let Vertex { first, more, .. } = self.vertices[id.index()];
        let further = std::iter::successors(more, |at| self.more[at.get() as usize - 1].1);
        let further = further.skip_while(move |at| at.get() > newest.0);
        first.into_iter().chain(further.map(|at| self.more[at.get() as usize - 1].0))
    }

    /// Adds an edge after a vertex's first one: the age of the youngest edge there is then.
    pub(crate) fn add_edge(&mut self, from: VertexId, edge: Edge<V>) -> Age {
        let newest = self.vertices[from.index()].more;
        self.more.push((edge, newest));
        let age = self.newest();
        self.vertices[from.index()].more = std::num::NonZeroU32::new(age.0);
        age
    }

    /// The age of the youngest edge.
    #[inline]
    pub(crate) fn newest(&self) -> Age {
        Age(u32::try_from(self.more.len()).expect("invariant: edges fit in 32 bits"))
    }

    /// Forgets everything above a vertex that is the top of the only stack.
    #[inline]
    pub(crate) fn pop_to(&mut self, top: VertexId) {
        self.vertices.truncate((top.index() + 1).max(self.kept));
    }

    /// The bytes that all stacks take.
    pub(crate) fn memory(&self) -> usize {
        self.vertices.capacity() * size_of::<Vertex<V>>()
            + self.more.capacity() * size_of::<(Edge<V>, u32)>()
    }

    /// Keeps everything that there is now.
    pub(crate) fn keep(&mut self) {
        self.kept = self.vertices.len();
    }

    pub(crate) fn mark(&mut self) -> StackMark {
        self.keep();
        StackMark { vertices: self.vertices.len(), more: self.more.len() }
    }

    pub(crate) fn rewind(&mut self, mark: StackMark) {
        self.vertices.truncate(mark.vertices);
        self.more.truncate(mark.more);
        self.kept = mark.vertices;
    }
}
