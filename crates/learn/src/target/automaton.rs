//! Follows paths down a tree: which demanded or forbidden paths end at a node (Aho and Corasick, "Efficient string
//! matching: an aid to bibliographic search", CACM 1975).
//!
//! A state is the longest suffix of the way from the root that begins some path.
//!
//! Example: for the paths `a b c` and `b d` the states are the empty way, `a`, `a b`, `a b c`, `b` and `b d`. From
//! `a b` the node `d` leads to `b d`.

use gramercy_base::{Map, to_u32};
use gramercy_grammar::NodeId;

use super::constraint::Constraint;

/// The most demanded paths: sets of them are numbers.
pub const MOST_PRESENT: usize = 8;

/// What ends at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The demanded paths that end there, a bit each.
    pub present: u32,
    /// Whether a forbidden path ends there.
    pub is_forbidden: bool,
}

/// The automaton of a constraint.
#[derive(Clone, Debug)]
pub struct PathAutomaton {
    next: Map<(u32, NodeId), u32>,
    suffix: Vec<u32>,
    endings: Vec<Ending>,
}

impl PathAutomaton {
    /// The automaton that finds the paths of a constraint.
    ///
    /// # Panics
    /// If more paths are demanded than sets have bits.
    #[must_use]
    pub fn new(constraint: &Constraint) -> Self {
        assert!(constraint.present.len() <= MOST_PRESENT, "invariant: trees are shallow");
        let mut made =
            Self { next: Map::default(), suffix: vec![0], endings: vec![Ending::default()] };
        let mut ways = vec![Vec::new()];
        for (number, path) in constraint.present.iter().enumerate() {
            let state = made.add(path, &mut ways);
            made.endings[state].present |= 1 << number;
        }
        for path in &constraint.absent {
            let state = made.add(path, &mut ways);
            made.endings[state].is_forbidden = true;
        }
        made.link(&ways);
        made
    }

    fn add(&mut self, path: &[NodeId], ways: &mut Vec<Vec<NodeId>>) -> usize {
        let mut state = 0;
        for (at, &node) in path.iter().enumerate() {
            let known = to_u32(self.endings.len());
            state = *self.next.entry((state, node)).or_insert(known);
            if state == known {
                self.endings.push(Ending::default());
                ways.push(path[..=at].to_vec());
            }
        }
        state as usize
    }

    /// Finds for each state the state of its longest proper suffix, short ways first.
    fn link(&mut self, ways: &[Vec<NodeId>]) {
        self.suffix = vec![0; ways.len()];
        let mut order: Vec<usize> = (1..ways.len()).collect();
        order.sort_by_key(|&state| ways[state].len());
        for state in order {
            let way = &ways[state];
            let longest = (1..way.len()).find_map(|from| self.state_of(&way[from..]));
            let suffix = longest.unwrap_or(0);
            self.suffix[state] = suffix;
            let ending = self.endings[suffix as usize];
            self.endings[state].present |= ending.present;
            self.endings[state].is_forbidden |= ending.is_forbidden;
        }
    }

    fn state_of(&self, way: &[NodeId]) -> Option<u32> {
        way.iter().try_fold(0, |state, &node| self.next.get(&(state, node)).copied())
    }

    /// The state after one more node.
    #[must_use]
    pub fn step(&self, mut state: u32, node: NodeId) -> u32 {
        loop {
            if let Some(&next) = self.next.get(&(state, node)) {
                return next;
            }
            if state == 0 {
                return 0;
            }
            state = self.suffix[state as usize];
        }
    }

    /// What ends in a state.
    #[must_use]
    pub fn ending(&self, state: u32) -> Ending {
        self.endings[state as usize]
    }
}
