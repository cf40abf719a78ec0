//! Decides which edges shape the drawing and which column each vertex is in.
//!
//! A depth-first walk along the solid edges tells those that lead forward from those that lead back
//! to a vertex on the way. Forward edges shape the drawing; a vertex is as far to the right as the
//! longest chain of them that leads to it. With labels, every second column is for them. Linear.

use gramercy_base::{Id, Table};

use super::Input;
use crate::sketch::VertexId;

pub(super) struct Ranks {
    /// The column of each vertex.
    pub(super) of: Table<VertexId, usize>,
    /// The edges that shape the drawing, by their sources, in the order of the input.
    pub(super) shaping: Table<VertexId, Vec<usize>>,
    /// The edges from a vertex to itself.
    pub(super) loops: Table<VertexId, Vec<usize>>,
    /// All other edges.
    pub(super) others: Vec<usize>,
    /// The vertices in the order in which the walk met them.
    pub(super) preorder: Vec<VertexId>,
}

pub(super) fn rank(input: &Input) -> Ranks {
    let vertices = input.sizes.len();
    let mut ranks = Ranks {
        of: Table::filled(0, vertices),
        shaping: Table::filled(Vec::new(), vertices),
        loops: Table::filled(Vec::new(), vertices),
        others: Vec::new(),
        preorder: Vec::new(),
    };
    let mut solid: Table<VertexId, Vec<usize>> = Table::filled(Vec::new(), vertices);
    for (index, edge) in input.edges.iter().enumerate() {
        if edge.from == edge.to {
            ranks.loops[edge.from].push(index);
        } else if edge.solid {
            solid[edge.from].push(index);
        } else {
            ranks.others.push(index);
        }
    }
    let postorder = ranks.walk(input, &solid);
    ranks.others.sort_unstable();
    let step = 1 + usize::from(input.edges.iter().any(|edge| edge.label.is_some()));
    for vertex in postorder.into_iter().rev() {
        for &edge in &ranks.shaping[vertex] {
            let to = input.edges[edge].to;
            ranks.of[to] = ranks.of[to].max(ranks.of[vertex] + step);
        }
    }
    ranks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    NotYet,
    Open,
    Done,
}

impl Ranks {
    /// Walks along the solid edges; the vertices in the order in which the walk left them.
    fn walk(&mut self, input: &Input, solid: &Table<VertexId, Vec<usize>>) -> Vec<VertexId> {
        let mut visits = Table::filled(Visit::NotYet, solid.len());
        let mut postorder = Vec::new();
        // First from where nothing leads to, then from whatever is left.
        let mut entered = Table::filled(false, solid.len());
        solid.values().flatten().for_each(|&edge| entered[input.edges[edge].to] = true);
        let roots = (0..solid.len()).map(VertexId::from_index);
        let roots = roots.clone().filter(|&root| !entered[root]).chain(roots);
        for root in roots {
            if visits[root] != Visit::NotYet {
                continue;
            }
            let mut open = vec![(root, solid[root].iter())];
            visits[root] = Visit::Open;
            self.preorder.push(root);
            while let Some((vertex, edges)) = open.last_mut() {
                let Some(&edge) = edges.next() else {
                    visits[*vertex] = Visit::Done;
                    postorder.push(*vertex);
                    open.pop();
                    continue;
                };
                let to = input.edges[edge].to;
                if visits[to] == Visit::Open {
                    self.others.push(edge);
                    continue;
                }
                self.shaping[*vertex].push(edge);
                if visits[to] == Visit::NotYet {
                    visits[to] = Visit::Open;
                    self.preorder.push(to);
                    open.push((to, solid[to].iter()));
                }
            }
        }
        postorder
    }
}
