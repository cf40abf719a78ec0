//! Whether a forest holds a given tree: the proof that a text was read as it was meant.
//!
//! Nodes are determined by what they derive and where, so the tree leads the way: no search, linear
//! in the tree times the alternatives of the nodes it meets.

use gramercy_base::Map;
use gramercy_grammar::{Bnf, Tree};

use crate::derivations::{Derivations, Derived, DerivedChild, DerivedId, TokenRange};

impl Derivations {
    /// Whether one of these derivations is the tree. Its tokens are those of the input, one to one;
    /// in a scannerless grammar `range_of` says which characters the n-th terminal is.
    #[must_use]
    pub fn contains(&self, bnf: &Bnf, tree: &Tree, range_of: impl Fn(usize) -> TokenRange) -> bool {
        let wanted = Derivations::of_tree(bnf, tree);
        let nodes: Map<(Derived, TokenRange), Vec<DerivedId>> =
            self.ids().fold(Map::default(), |mut nodes, id| {
                let same: &mut Vec<_> = nodes.entry((self.label(id), self.range(id))).or_default();
                same.push(id);
                nodes
            });
        let place = |range: TokenRange| {
            let start = match range.start {
                0 => 0,
                start => range_of(start as usize - 1).end,
            };
            match range.end {
                end if end == range.start => TokenRange { start, end: start },
                end => TokenRange {
                    start: range_of(range.start as usize).start,
                    end: range_of(end as usize - 1).end,
                },
            }
        };
        wanted.ids().all(|id| {
            let way = wanted.ways(id).next().expect("invariant: a tree's node has one way");
            let key = (wanted.label(id), place(wanted.range(id)));
            let range_of_part = |part: &DerivedChild| match part {
                DerivedChild::Terminal(_, range) => place(*range),
                DerivedChild::Node(node) => place(wanted.range(*node)),
            };
            let ends: Vec<_> = way.parts.iter().map(|part| range_of_part(part).end).collect();
            let same = nodes.get(&key).map_or(&[][..], |same| same);
            same.iter().any(|&node| self.has_way(node, way.production, &ends))
        })
    }

    /// Whether a node can be derived by a production whose parts end at these places.
    fn has_way(
        &self,
        node: DerivedId,
        production: gramercy_grammar::ProductionId,
        ends: &[u32],
    ) -> bool {
        let mut tasks = vec![(node, ends.len())];
        while let Some((node, len)) = tasks.pop() {
            for way in self.ways(node).filter(|way| way.production == production) {
                let here = way.parts.iter().zip(way.position..);
                let fits = here.clone().all(|(part, at)| match part {
                    DerivedChild::Terminal(_, range) => range.end == ends[at],
                    DerivedChild::Node(node) => self.range(*node).end == ends[at],
                });
                match way.prefix {
                    _ if !fits || way.position + way.parts.len() != len => {}
                    None => return true,
                    Some(prefix) if self.range(prefix).end == ends[way.position - 1] => {
                        tasks.push((prefix, way.position));
                    }
                    Some(_) => {}
                }
            }
        }
        false
    }
}
