//! A graph to be drawn: vertices and edges with their texts and styles, without positions. It can
//! be written as DOT, or laid out and written as SVG.

use std::fmt;

use gramercy_base::Table;

use crate::{dot, graph_svg};

gramercy_base::define_id!(pub struct VertexId, "a vertex of a sketch");

/// A graph to be drawn.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub(crate) title: String,
    /// Whether the order of the outgoing edges of a vertex is significant.
    pub(crate) ordered: bool,
    pub(crate) vertices: Table<VertexId, Vertex>,
    pub(crate) edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    /// Its name in DOT: a letter and a number.
    pub(crate) name: String,
    pub(crate) look: Look,
    pub(crate) label: Label,
}

/// The style of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A small circle: an alternation, a concatenation or a quantifier.
    Synthetic,
    /// A box: a reference.
    Reference,
    /// A box with round corners: a terminal.
    Terminal,
    /// A state of an automaton.
    State,
    /// A state with conflicts.
    Conflict,
    /// The initial state.
    Start,
    /// The accepting state.
    Accept,
}

/// The text of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Text(String),
    /// A name with a number as subscript.
    Numbered(String, usize),
    /// A heading and lines below it.
    Lines(String, Vec<String>),
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Text(text) => f.write_str(text),
            Label::Numbered(name, number) => write!(f, "{name} {number}"),
            Label::Lines(heading, lines) => {
                f.write_str(heading)?;
                lines.iter().try_for_each(|line| write!(f, "; {line}"))
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: VertexId,
    pub(crate) to: VertexId,
    pub(crate) stroke: Stroke,
    /// Its text; may be empty.
    pub(crate) label: String,
}

/// The style of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// The structure that the layout shows.
    Solid,
    /// An edge across that structure.
    Dashed,
}

impl Sketch {
    /// As a file for Graphviz.
    #[must_use]
    pub fn to_dot(&self) -> String {
        dot::write(self)
    }

    /// As a picture.
    ///
    /// # Errors
    /// If the graph is too large for a readable picture.
    pub fn to_svg(&self) -> Result<String, TooLarge> {
        let (vertices, edges) = (self.vertices.len(), self.edges.len());
        if vertices > TooLarge::VERTICES || edges > TooLarge::EDGES {
            return Err(TooLarge { vertices, edges });
        }
        Ok(graph_svg::write(self))
    }
}

/// A graph that is too large for a readable picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of edges.
    pub edges: usize,
}

impl TooLarge {
    /// The maximal number of vertices of a picture.
    pub const VERTICES: usize = 2_000;
    /// The maximal number of edges of a picture.
    pub const EDGES: usize = 10_000;
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a graph of {} nodes and {} edges is too large for a picture, which shows at most {} \
             nodes and {} edges; write it as DOT, which has no limit",
            self.vertices,
            self.edges,
            Self::VERTICES,
            Self::EDGES
        )
    }
}

impl std::error::Error for TooLarge {}
