//! The minimal automaton of a language, by Hopcroft's partition refinement in Valmari's version for
//! partial automata (Hopcroft 1971; Valmari, IPL 2012): states and edges are partitioned together.
//! A block of edges has one class and leads into one block of states. It splits every block of
//! states that contains only some of its sources, and a new block of states splits the blocks of
//! edges that lead into it. The larger part of a split keeps its name, so each edge is visited a
//! logarithmic number of times.
//!
//! Example: states 0 –a→ 1, 0 –b→ 2, 1 –c→ 3, 2 –c→ 3, where 3 accepts. The first partition is {0,
//! 1, 2} and {3}. The edges by c split off {1, 2}; no block of edges splits {1, 2}, so these two
//! states are merged.
//!
//! Cost: O(m log n) for m edges and n states; sorting the edges by class adds O(m log m).

use gramercy_base::{Id, Table, define_id};

use crate::class_dfa::{ClassDfa, Edge, Incoming, StateId};

define_id!(struct BlockId, "a block of a partition");
define_id!(struct EdgeId, "an edge of the automaton that is minimized");

/// The minimal automaton of the same language, states numbered breadth first, edges ascending. Two
/// automata over the same classes accept the same language exactly if the results are equal.
pub(crate) fn minimize(dfa: &ClassDfa) -> ClassDfa {
    let dfa = dfa.trimmed();
    let blocks = equivalent_states(&dfa);
    quotient(&dfa, &blocks).renumbered()
}

/// Partitions the states, which are all reachable and live.
fn equivalent_states(dfa: &ClassDfa) -> Partition<StateId> {
    let incoming = Incoming::of(dfa);
    let sources: Table<EdgeId, StateId> =
        dfa.states().flat_map(|state| dfa.edges(state).iter().map(move |_| state)).collect();
    let all_edges = dfa.all_edges();
    let mut states = Partition::by_key(dfa.len(), |state| dfa.is_accepting(state));
    let mut edges = Partition::by_key(sources.len(), |edge: EdgeId| all_edges[edge.index()].class);
    // An edge that leads into none of the other blocks leads into the first one.
    let (mut done_states, mut done_edges) = (1, 0);
    while let Some(block) = edges.block_at(done_edges) {
        edges.members(block).iter().for_each(|&edge| states.mark(sources[edge]));
        states.split();
        done_edges += 1;
        while let Some(block) = states.block_at(done_states) {
            let into = states.members(block).iter().flat_map(|&state| incoming.edges(state));
            into.for_each(|&(_, edge)| edges.mark(EdgeId::from_index(edge)));
            edges.split();
            done_states += 1;
        }
    }
    states
}

/// One state per block; the block of the start is the first.
fn quotient(dfa: &ClassDfa, blocks: &Partition<StateId>) -> ClassDfa {
    let start = blocks.block_of[dfa.start()];
    let first = BlockId::from_index(0);
    let swapped = |block: BlockId| match block {
        _ if block == start => first,
        _ if block == first => start,
        _ => block,
    };
    let state_of = |state| StateId::from_index(swapped(blocks.block_of[state]).index());
    let mut result = ClassDfa::new();
    for block in blocks.blocks.ids() {
        let any = blocks.members(swapped(block))[0];
        let edges = dfa.edges(any).iter();
        let edges = edges.map(|edge| Edge { target: state_of(edge.target), ..*edge });
        result.push(dfa.is_accepting(any), edges);
    }
    result
}

/// A partition that is refined by marking members and splitting their blocks.
struct Partition<E> {
    /// All members, block by block; in each block the marked ones come first.
    members: Vec<E>,
    position: Table<E, usize>,
    block_of: Table<E, BlockId>,
    blocks: Table<BlockId, Block>,
    /// The blocks with a marked member.
    touched: Vec<BlockId>,
}

#[derive(Clone, Copy)]
struct Block {
    first: usize,
    end: usize,
    marked: usize,
}

impl<E: Id> Partition<E> {
    /// The first `len` ids in blocks of equal keys.
    fn by_key<K: Ord>(len: usize, key: impl Fn(E) -> K) -> Self {
        let mut members: Vec<E> = (0..len).map(E::from_index).collect();
        members.sort_by_key(|&member| key(member));
        let mut partition = Self {
            position: Table::filled(0, len),
            block_of: Table::filled(BlockId::from_index(0), len),
            blocks: Table::new(),
            touched: Vec::new(),
            members,
        };
        let mut first = 0;
        let members = std::mem::take(&mut partition.members);
        for same in members.chunk_by(|&a, &b| key(a) == key(b)) {
            let block = partition.blocks.push(Block { first, end: first + same.len(), marked: 0 });
            for (at, &member) in (first..).zip(same) {
                partition.position[member] = at;
                partition.block_of[member] = block;
            }
            first += same.len();
        }
        partition.members = members;
        partition
    }

    fn block_at(&self, index: usize) -> Option<BlockId> {
        (index < self.blocks.len()).then(|| BlockId::from_index(index))
    }

    fn members(&self, block: BlockId) -> &[E] {
        let Block { first, end, .. } = self.blocks[block];
        &self.members[first..end]
    }

    /// Marks a member. Marking it twice has no further effect.
    fn mark(&mut self, member: E) {
        let id = self.block_of[member];
        let block = &mut self.blocks[id];
        let (at, to) = (self.position[member], block.first + block.marked);
        if at < to {
            return;
        }
        if block.marked == 0 {
            self.touched.push(id);
        }
        block.marked += 1;
        let other = self.members[to];
        self.members.swap(at, to);
        self.position[member] = to;
        self.position[other] = at;
    }

    /// Divides each touched block into its marked and its unmarked members and unmarks all. The
    /// smaller part becomes the new block.
    fn split(&mut self) {
        for id in std::mem::take(&mut self.touched) {
            let Block { first, end, marked } = self.blocks[id];
            let middle = first + marked;
            self.blocks[id].marked = 0;
            if middle == end {
                continue;
            }
            let (kept, new) = if marked <= end - middle {
                ((middle, end), (first, middle))
            } else {
                ((first, middle), (middle, end))
            };
            self.blocks[id] = Block { first: kept.0, end: kept.1, marked: 0 };
            let new_id = self.blocks.push(Block { first: new.0, end: new.1, marked: 0 });
            for &member in &self.members[new.0..new.1] {
                self.block_of[member] = new_id;
            }
        }
    }
}
