//! Determines the column of each vertex and the layout edges.
//!
//! Two rankings are tried. By *depth*, a depth-first walk along the solid edges distinguishes
//! forward edges from edges back to a vertex on the current path, and the column of a vertex is the
//! length of the longest chain of forward edges. By *breadth*, it is the length of the shortest
//! chain. The first one is more readable; the second one is used if its edges pass far fewer
//! columns, as in large graphs with many cycles. The solid edges that then lead forward are the
//! layout edges. With labels, every second column is for them. Linear.

use std::collections::VecDeque;

use gramercy_base::{Id, Table};

use super::Input;
use crate::sketch::VertexId;

/// How many times more columns the edges of the more readable ranking may pass.
const PATIENCE: usize = 3;

pub(super) struct Ranks {
    /// The column of each vertex.
    pub(super) of: Table<VertexId, usize>,
    /// The layout edges by their sources, in the order of the input.
    pub(super) layout_edges: Table<VertexId, Vec<usize>>,
    /// The edges from a vertex to itself.
    pub(super) loops: Table<VertexId, Vec<usize>>,
    /// All other edges.
    pub(super) others: Vec<usize>,
    /// The vertices in the order of a depth-first walk along layout edges.
    pub(super) preorder: Vec<VertexId>,
}

pub(super) fn rank(input: &Input) -> Ranks {
    let solid = Solid::new(input);
    let (by_depth, by_breadth) = (solid.by_depth(), solid.by_breadth());
    let step = 1 + usize::from(input.edges.iter().any(|edge| edge.label.is_some()));
    let breadth_is_better = passed(input, &by_breadth) * PATIENCE < passed(input, &by_depth);
    let best = if breadth_is_better { by_breadth } else { by_depth };
    let of = best.map(|_, rank| rank * step);
    let vertices = input.sizes.len();
    let mut ranks = Ranks {
        of,
        layout_edges: Table::filled(Vec::new(), vertices),
        loops: Table::filled(Vec::new(), vertices),
        others: Vec::new(),
        preorder: Vec::new(),
    };
    for (index, edge) in input.edges.iter().enumerate() {
        if edge.from == edge.to {
            ranks.loops[edge.from].push(index);
        } else if edge.solid && ranks.of[edge.from] < ranks.of[edge.to] {
            ranks.layout_edges[edge.from].push(index);
        } else {
            ranks.others.push(index);
        }
    }
    let layout_edges = Solid { input, roots: solid.roots, leaving: ranks.layout_edges.clone() };
    ranks.preorder = layout_edges.walk(|_| {}).0;
    ranks
}

/// The total number of columns that all edges pass.
fn passed(input: &Input, ranks: &Table<VertexId, usize>) -> usize {
    let columns =
        |(from, to): (usize, usize)| if from < to { to - from - 1 } else { from - to + 1 };
    let edges = input.edges.iter().filter(|edge| edge.from != edge.to);
    edges.map(|edge| columns((ranks[edge.from], ranks[edge.to]))).sum()
}

/// The solid edges of a graph, or some of them.
struct Solid<'a> {
    input: &'a Input,
    /// The start vertices of walks: first those without incoming edges, then all others.
    roots: Vec<VertexId>,
    leaving: Table<VertexId, Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    NotYet,
    Open,
    Done,
}

impl<'a> Solid<'a> {
    fn new(input: &'a Input) -> Self {
        let mut leaving: Table<VertexId, Vec<usize>> = Table::filled(Vec::new(), input.sizes.len());
        let mut entered = Table::filled(false, input.sizes.len());
        for (index, edge) in input.edges.iter().enumerate() {
            if edge.solid && edge.from != edge.to {
                leaving[edge.from].push(index);
                entered[edge.to] = true;
            }
        }
        let all = (0..input.sizes.len()).map(VertexId::from_index);
        let roots = all.clone().filter(|&vertex| !entered[vertex]).chain(all).collect();
        Self { input, roots, leaving }
    }

    /// The longest chain of forward edges to each vertex.
    fn by_depth(&self) -> Table<VertexId, usize> {
        let mut leads_on = vec![false; self.input.edges.len()];
        let (_, postorder) = self.walk(|edge| leads_on[edge] = true);
        let mut ranks: Table<VertexId, usize> = Table::filled(0, self.leaving.len());
        for vertex in postorder.into_iter().rev() {
            for &edge in self.leaving[vertex].iter().filter(|&&edge| leads_on[edge]) {
                let to = self.input.edges[edge].to;
                ranks[to] = ranks[to].max(ranks[vertex] + 1);
            }
        }
        ranks
    }

    /// The shortest chain of edges to each vertex.
    fn by_breadth(&self) -> Table<VertexId, usize> {
        let mut ranks: Table<VertexId, Option<usize>> = Table::filled(None, self.leaving.len());
        for &root in &self.roots {
            if ranks[root].is_some() {
                continue;
            }
            ranks[root] = Some(0);
            let mut queue = VecDeque::from([(root, 0)]);
            while let Some((vertex, rank)) = queue.pop_front() {
                for &edge in &self.leaving[vertex] {
                    let to = self.input.edges[edge].to;
                    if ranks[to].is_none() {
                        ranks[to] = Some(rank + 1);
                        queue.push_back((to, rank + 1));
                    }
                }
            }
        }
        ranks.map(|_, rank| rank.expect("invariant: every vertex is a root"))
    }

    /// Walks depth first and calls `leads_on` for every edge that does not lead back to a vertex on
    /// the current path. Returns the vertices in preorder and in postorder.
    fn walk(&self, mut leads_on: impl FnMut(usize)) -> (Vec<VertexId>, Vec<VertexId>) {
        let mut visits = Table::filled(Visit::NotYet, self.leaving.len());
        let (mut met, mut left) = (Vec::new(), Vec::new());
        for &root in &self.roots {
            if visits[root] != Visit::NotYet {
                continue;
            }
            visits[root] = Visit::Open;
            met.push(root);
            let mut open = vec![(root, self.leaving[root].iter())];
            while let Some((vertex, edges)) = open.last_mut() {
                let Some(&edge) = edges.next() else {
                    visits[*vertex] = Visit::Done;
                    left.push(*vertex);
                    open.pop();
                    continue;
                };
                let to = self.input.edges[edge].to;
                if visits[to] != Visit::Open {
                    leads_on(edge);
                }
                if visits[to] == Visit::NotYet {
                    visits[to] = Visit::Open;
                    met.push(to);
                    open.push((to, self.leaving[to].iter()));
                }
            }
        }
        (met, left)
    }
}
