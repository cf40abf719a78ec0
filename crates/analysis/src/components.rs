//! Strongly connected components, and sets that spread along the edges of a graph.
//!
//! The least solution of X(v) = own(v) ∪ ⋃ X(w) over the edges v → w is the same for all members of
//! a component, and components can be solved one after the other, successors first. So each edge is
//! visited once, even on cycles (DeRemer, Pennello, TOPLAS 1982, section 4, on the search of
//! Tarjan, SICOMP 1972, here without recursion).
//!
//! Example: for the edges 0 → 1, 1 → 2, 2 → 1 the components are {1, 2} and {0}, in this order. If
//! own(0) = {a}, own(1) = {b}, own(2) = {c}, then X(1) = X(2) = {b, c} and X(0) = {a, b, c}.
//!
//! Linear in nodes and edges, times the words of a set.

use gramercy_base::{BitMatrix, Id, Table, to_u32};

use crate::Rows;

gramercy_base::define_id!(
    /// Successors of a component come before it.
    pub struct ComponentId, "a strongly connected component");

/// The strongly connected components of a graph.
#[derive(Clone, Debug)]
pub struct Components<I: Id> {
    of: Table<I, ComponentId>,
    members: Rows<ComponentId, I>,
    cyclic: Table<ComponentId, bool>,
}

impl<I: Id> Components<I> {
    /// The components of a graph that is given by its successor lists.
    #[must_use]
    pub fn of(graph: &Rows<I, I>) -> Self {
        let mut search = TarjanSearch::new(graph);
        for node in graph.ids() {
            search.visit(node);
        }
        let members = search.members;
        let mut of = Table::filled(ComponentId::from_index(0), graph.len());
        for (component, nodes) in members.iter() {
            nodes.iter().for_each(|&node| of[node] = component);
        }
        let is_cyclic = |nodes: &[I]| nodes.len() > 1 || graph.row(nodes[0]).contains(&nodes[0]);
        let cyclic = members.iter().map(|(_, nodes)| is_cyclic(nodes)).collect();
        Self { of, members, cyclic }
    }

    /// The component of a node.
    #[must_use]
    pub fn component(&self, node: I) -> ComponentId {
        self.of[node]
    }

    /// The nodes of a component.
    #[must_use]
    pub fn members(&self, component: ComponentId) -> &[I] {
        self.members.row(component)
    }

    /// All components, successors first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = ComponentId> + use<I> {
        self.members.ids()
    }

    /// Whether a node reaches itself along at least one edge.
    #[must_use]
    pub fn on_cycle(&self, node: I) -> bool {
        self.cyclic[self.of[node]]
    }

    /// The components whose nodes reach themselves, successors first.
    pub fn cycles(&self) -> impl Iterator<Item = &[I]> {
        self.ids().filter(|&id| self.cyclic[id]).map(|id| self.members(id))
    }
}

/// Adds to the set of every node the sets of all nodes that it reaches.
pub fn spread<I: Id, C: Id>(graph: &Rows<I, I>, sets: &mut BitMatrix<I, C>) {
    let components = Components::of(graph);
    for component in components.ids() {
        let members = components.members(component);
        let first = members[0];
        for &member in members {
            sets.union_rows(first, member);
            for &successor in graph.row(member) {
                if components.component(successor) != component {
                    sets.union_rows(first, successor);
                }
            }
        }
        members.iter().for_each(|&member| {
            sets.union_rows(member, first);
        });
    }
}

/// Tarjan's search. A node's number is 0 before its visit, then the least stack height that it is
/// known to reach, and `DONE` when its component is complete.
struct TarjanSearch<'g, I> {
    graph: &'g Rows<I, I>,
    number: Table<I, u32>,
    stack: Vec<I>,
    /// The nodes being visited, each with its height on the stack and its next successor.
    open: Vec<(I, u32, usize)>,
    members: Rows<ComponentId, I>,
}

const DONE: u32 = u32::MAX;

impl<'g, I: Id> TarjanSearch<'g, I> {
    fn new(graph: &'g Rows<I, I>) -> Self {
        let (number, members) = (Table::filled(0, graph.len()), Rows::new());
        Self { graph, number, stack: Vec::new(), open: Vec::new(), members }
    }

    fn visit(&mut self, root: I) {
        if self.number[root] == 0 {
            self.enter(root);
        }
        while let Some((node, height, next)) = self.open.last_mut() {
            let (node, height) = (*node, *height);
            match self.graph.row(node).get(*next) {
                Some(&successor) => {
                    *next += 1;
                    match self.number[successor] {
                        0 => self.enter(successor),
                        number => self.number[node] = self.number[node].min(number),
                    }
                }
                None => self.leave(node, height),
            }
        }
    }

    fn enter(&mut self, node: I) {
        self.stack.push(node);
        let height = to_u32(self.stack.len());
        self.number[node] = height;
        self.open.push((node, height, 0));
    }

    fn leave(&mut self, node: I, height: u32) {
        self.open.pop();
        let number = self.number[node];
        if let Some(&(parent, ..)) = self.open.last() {
            self.number[parent] = self.number[parent].min(number);
        }
        if number == height {
            let members = self.stack.drain(height as usize - 1..);
            self.members.push(members.inspect(|&member| self.number[member] = DONE));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Components, spread};
    use crate::Rows;
    use gramercy_base::{BitMatrix, Id};

    gramercy_base::define_id!(struct ThingId, "a thing");

    fn graph(nodes: usize, edges: &[(usize, usize)]) -> Rows<ThingId, ThingId> {
        let id = ThingId::from_index;
        let edges: Vec<_> = edges.iter().map(|&(from, to)| (id(from), id(to))).collect();
        Rows::group(nodes, &edges)
    }

    fn check(nodes: usize, edges: &[(usize, usize)], expected: &[&[usize]], cyclic: &[usize]) {
        let components = Components::of(&graph(nodes, edges));
        let lists: Vec<Vec<usize>> = components
            .ids()
            .map(|id| {
                let mut members: Vec<_> =
                    components.members(id).iter().map(|m| m.index()).collect();
                members.sort_unstable();
                members
            })
            .collect();
        assert_eq!(lists, expected);
        let on_cycle = |&node: &usize| components.on_cycle(ThingId::from_index(node));
        assert_eq!((0..nodes).filter(on_cycle).collect::<Vec<_>>(), cyclic);
    }

    #[test]
    fn successors_come_first() {
        check(3, &[(0, 1), (1, 2)], &[&[2], &[1], &[0]], &[]);
        check(3, &[(0, 1), (1, 0), (1, 2), (2, 2)], &[&[2], &[0, 1]], &[0, 1, 2]);
        check(4, &[(0, 1), (1, 2), (2, 0), (0, 3), (3, 1)], &[&[0, 1, 2, 3]], &[0, 1, 2, 3]);
        check(2, &[], &[&[0], &[1]], &[]);
    }

    #[test]
    fn a_long_chain_needs_no_call_stack() {
        let edges: Vec<_> = (1..200_000).map(|node| (node - 1, node)).collect();
        assert_eq!(Components::of(&graph(200_000, &edges)).ids().count(), 200_000);
    }

    #[test]
    fn sets_spread_through_cycles_against_the_edges() {
        let graph = graph(4, &[(0, 1), (1, 0), (1, 2), (3, 0)]);
        let id = ThingId::from_index;
        let mut sets: BitMatrix<ThingId, ThingId> = BitMatrix::new(4, 4);
        (0..4).for_each(|node| {
            sets.insert(id(node), id(node));
        });
        spread(&graph, &mut sets);
        let row = |node| sets.iter_row(id(node)).map(Id::index).collect::<Vec<_>>();
        assert_eq!(
            [row(0), row(1), row(2), row(3)],
            [vec![0, 1, 2], vec![0, 1, 2], vec![2], vec![0, 1, 2, 3]]
        );
    }
}
