//! Stacks of return states as a shared graph.
//!
//! A context is a set of stacks: a sorted list of return states, each with the context below it. Equal contexts are
//! one value, so comparing two costs one step. The empty stack means *any caller* where callers are not known
//! ([`Bottom::AnyCaller`]), and then absorbs every other stack; elsewhere it is the end of the real calls.

use gramercy_base::{Id, Map};

gramercy_base::define_id!(pub(crate) struct ContextId, "a set of stacks of return states");

/// What the empty stack means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bottom {
    /// The callers are not known.
    AnyCaller,
    /// There are no further callers.
    NoCaller,
}

/// A return state with the stacks below it.
pub(crate) type Entry = (u32, ContextId);

/// In place of a return state: the stack ends here.
pub(crate) const END: u32 = u32::MAX;

/// All contexts made so far.
#[derive(Clone, Debug)]
pub(crate) struct Contexts {
    bottom: Bottom,
    entries: Vec<Entry>,
    /// Where the entries of a context end.
    ends: Vec<u32>,
    singletons: Map<Entry, ContextId>,
    several: Map<Box<[Entry]>, ContextId>,
    merged: Map<(ContextId, ContextId), ContextId>,
}

impl Contexts {
    pub(crate) fn new(bottom: Bottom) -> Self {
        let mut made = Self {
            bottom,
            entries: Vec::new(),
            ends: Vec::new(),
            singletons: Map::default(),
            several: Map::default(),
            merged: Map::default(),
        };
        made.clear();
        made
    }

    /// Only the empty stack.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
        self.singletons.clear();
        self.several.clear();
        self.merged.clear();
        self.push_new(&[(END, Self::empty())]);
    }

    /// The empty stack.
    #[inline]
    pub(crate) fn empty() -> ContextId {
        ContextId::from_index(0)
    }

    /// The bytes that they take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let hashed = self.singletons.capacity() + self.several.capacity() + self.merged.capacity();
        self.entries.capacity() * size_of::<Entry>() + hashed * 2 * size_of::<Entry>()
    }

    /// How many entries are stored.
    pub(crate) fn len(&self) -> usize {
        self.entries.len() + self.merged.len()
    }

    /// The stacks of a context, by their top.
    #[inline]
    pub(crate) fn entries(&self, id: ContextId) -> &[Entry] {
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[id.index()] as usize]
    }

    /// A return state on top of other stacks.
    pub(crate) fn push(&mut self, return_state: u32, below: ContextId) -> ContextId {
        let entry = (return_state, below);
        if let Some(&known) = self.singletons.get(&entry) {
            return known;
        }
        let id = self.push_new(&[entry]);
        self.singletons.insert(entry, id);
        id
    }

    /// The stacks that have a return state on top, without it.
    #[inline]
    pub(crate) fn pop(&self, id: ContextId, return_state: u32) -> Option<ContextId> {
        let entries = self.entries(id);
        let at = entries.binary_search_by_key(&return_state, |&(state, _)| state).ok()?;
        Some(entries[at].1)
    }

    /// The stacks of two contexts together.
    pub(crate) fn merge(&mut self, one: ContextId, other: ContextId) -> ContextId {
        if let Some(known) = self.known_merge(one, other) {
            return known;
        }
        // Contexts below are merged first, without recursion: stacks are as deep as inputs.
        let mut tasks = vec![(one, other)];
        while let Some(&(a, b)) = tasks.last() {
            if self.known_merge(a, b).is_some() {
                tasks.pop();
                continue;
            }
            let missing = tasks.len();
            self.push_missing(a, b, &mut tasks);
            if tasks.len() == missing {
                let made = self.merge_entries(a, b);
                self.merged.insert(ordered(a, b), made);
                tasks.pop();
            }
        }
        self.known_merge(one, other).expect("invariant: it was just made")
    }

    fn known_merge(&self, a: ContextId, b: ContextId) -> Option<ContextId> {
        if a == b {
            return Some(a);
        }
        if self.bottom == Bottom::AnyCaller && (a == Self::empty() || b == Self::empty()) {
            return Some(Self::empty());
        }
        self.merged.get(&ordered(a, b)).copied()
    }

    fn push_missing(&self, a: ContextId, b: ContextId, tasks: &mut Vec<(ContextId, ContextId)>) {
        let (mut left, mut right) = (self.entries(a), self.entries(b));
        while let ([(state, below), rest @ ..], [(other, other_below), other_rest @ ..]) =
            (left, right)
        {
            match state.cmp(other) {
                std::cmp::Ordering::Less => left = rest,
                std::cmp::Ordering::Greater => right = other_rest,
                std::cmp::Ordering::Equal => {
                    if self.known_merge(*below, *other_below).is_none() {
                        tasks.push((*below, *other_below));
                    }
                    (left, right) = (rest, other_rest);
                }
            }
        }
    }

    fn merge_entries(&mut self, a: ContextId, b: ContextId) -> ContextId {
        let (mut left, mut right) = (self.entries(a), self.entries(b));
        let mut merged: Vec<Entry> = Vec::with_capacity(left.len() + right.len());
        loop {
            match (left, right) {
                ([], rest) | (rest, []) => {
                    merged.extend(rest);
                    break;
                }
                ([one, rest @ ..], [other, other_rest @ ..]) => match one.0.cmp(&other.0) {
                    std::cmp::Ordering::Less => {
                        merged.push(*one);
                        left = rest;
                    }
                    std::cmp::Ordering::Greater => {
                        merged.push(*other);
                        right = other_rest;
                    }
                    std::cmp::Ordering::Equal => {
                        let below = self.known_merge(one.1, other.1);
                        merged.push((one.0, below.expect("invariant: it was merged first")));
                        (left, right) = (rest, other_rest);
                    }
                },
            }
        }
        if let [(state, below)] = merged[..]
            && state != END
        {
            return self.push(state, below);
        }
        if let Some(&known) = self.several.get(&merged[..]) {
            return known;
        }
        let id = self.push_new(&merged);
        self.several.insert(merged.into(), id);
        id
    }

    fn push_new(&mut self, entries: &[Entry]) -> ContextId {
        let id = ContextId::from_index(self.ends.len());
        self.entries.extend_from_slice(entries);
        let end = u32::try_from(self.entries.len()).expect("invariant: entries fit in 32 bits");
        self.ends.push(end);
        id
    }
}

fn ordered(a: ContextId, b: ContextId) -> (ContextId, ContextId) {
    if a < b { (a, b) } else { (b, a) }
}
