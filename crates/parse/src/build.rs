//! What the driver makes while it parses: nothing, or a forest. A type parameter of the driver, so
//! that recognition pays for nothing it does not need.

use gramercy_base::{Id, Map, Set};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId};

use crate::forest::{Alternative, Child, Forest, ForestNodeId, Label, Mark, PackedId};

/// What is built along the way.
pub trait Build {
    /// What stands for a parsed symbol.
    type Value: Copy + std::fmt::Debug;
    /// How far the building has come.
    type Mark: Copy + std::fmt::Debug;

    /// A token.
    fn token(&mut self, index: u32) -> Self::Value;

    /// A reduction while there is one stack only: nothing else derives the same.
    fn reduce_only(
        &mut self,
        cfg: &Cfg,
        production: ProductionId,
        children: &[Self::Value],
        range: (u32, u32),
    ) -> Self::Value;

    /// A reduction where others may derive the same: all of `children` but those of `prefix`.
    fn reduce(
        &mut self,
        cfg: &Cfg,
        production: ProductionId,
        prefix: Option<Prefix<Self::Value>>,
        children: &[Self::Value],
        range: (u32, u32),
    ) -> Self::Value;

    /// One more way to derive the first symbols of a production: a shorter prefix (or the first
    /// child) and one more child.
    fn extend_prefix(
        &mut self,
        production: ProductionId,
        prefix: Prefix<Self::Value>,
        child: Self::Value,
        end: u32,
    ) -> Prefix<Self::Value>;

    /// A new token is about to be looked at; reductions now end at `level`.
    fn begin_level(&mut self);

    /// Several stacks from here to the end of the level.
    fn begin_sharing(&mut self);

    /// Remembers how far the building has come.
    fn mark(&self) -> Self::Mark;

    /// Goes back to an earlier mark.
    fn rewind(&mut self, mark: Self::Mark);

    /// The start symbol over the whole input.
    fn accept(&mut self, value: Self::Value);

    /// The bytes that were taken for what is built.
    fn memory(&self) -> usize;
}

/// The first symbols of a production, over a range that begins at `start`.
#[derive(Clone, Copy, Debug)]
pub struct Prefix<V> {
    /// How many symbols.
    pub len: u32,
    /// Where they begin.
    pub start: u32,
    /// What stands for them: of one symbol, the child itself.
    pub value: V,
}

/// Builds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recognize;

impl Build for Recognize {
    type Value = ();
    type Mark = ();

    #[inline]
    fn token(&mut self, _: u32) {}

    #[inline]
    fn reduce_only(&mut self, _: &Cfg, _: ProductionId, _: &[()], _: (u32, u32)) {}

    #[inline]
    fn reduce(&mut self, _: &Cfg, _: ProductionId, _: Option<Prefix<()>>, _: &[()], _: (u32, u32)) {
    }

    #[inline]
    fn extend_prefix(&mut self, _: ProductionId, prefix: Prefix<()>, (): (), _: u32) -> Prefix<()> {
        Prefix { len: prefix.len + 1, ..prefix }
    }

    #[inline]
    fn begin_level(&mut self) {}

    #[inline]
    fn begin_sharing(&mut self) {}

    #[inline]
    fn mark(&self) {}

    #[inline]
    fn rewind(&mut self, (): ()) {}

    #[inline]
    fn accept(&mut self, (): ()) {}

    fn memory(&self) -> usize {
        0
    }
}

/// Builds the forest of all derivations.
#[derive(Clone, Debug, Default)]
pub struct BuildForest {
    forest: Forest,
    /// Whether the memory of the last forest came back.
    is_recycled: bool,
    /// Where this level's nodes begin.
    level: usize,
    /// This level's nonterminal nodes, once several stacks share them.
    shared: Map<(NonterminalId, u32), ForestNodeId>,
    /// Where the last children of this level's binary alternatives begin.
    pivots: Set<(ForestNodeId, ProductionId, u32)>,
    /// Prefix nodes of all levels: production, length, start, end.
    prefixes: Map<(ProductionId, u32, u32, u32), ForestNodeId>,
    prefix_pivots: Set<(ForestNodeId, u32)>,
    /// What was done to prefixes, so that it can be undone.
    journal: Vec<Done>,
}

/// Entries whose memory is kept for the next forest.
const KEPT: usize = 1 << 14;
/// The most bytes of a forest that is copied.
const COPIED: usize = 1 << 20;

#[derive(Clone, Copy, Debug)]
enum Done {
    MadePrefix((ProductionId, u32, u32, u32)),
    AddedPivot(ForestNodeId, u32, Option<PackedId>),
}

/// How far a forest has come.
#[derive(Clone, Copy, Debug)]
pub struct ForestMark {
    forest: Mark,
    journal: usize,
}

impl BuildForest {
    /// The forest as far as it was built.
    #[must_use]
    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// Forgets everything, but for small memory.
    pub(crate) fn restart(&mut self) {
        self.forest.clear();
        self.level = 0;
        let sizes = [self.shared.capacity(), self.pivots.capacity(), self.prefixes.capacity()];
        if sizes.into_iter().chain([self.prefix_pivots.capacity()]).any(|size| size > KEPT) {
            let (forest, is_recycled) = (std::mem::take(&mut self.forest), self.is_recycled);
            *self = Self { forest, is_recycled, ..Self::default() };
        }
        self.shared.clear();
        self.pivots.clear();
        self.prefixes.clear();
        self.prefix_pivots.clear();
        self.journal.clear();
    }

    /// Takes a forest back: the next one is built in its memory.
    pub(crate) fn recycle(&mut self, forest: Forest) {
        self.forest = forest;
        self.is_recycled = true;
    }

    /// The forest. Unless its memory comes back, a small one is handed out as a copy of the right size, and
    /// the next is built in the memory that this one grew in.
    pub(crate) fn take_forest(&mut self) -> Forest {
        let is_recycled = std::mem::take(&mut self.is_recycled);
        if is_recycled || self.forest.memory() > COPIED {
            return std::mem::take(&mut self.forest);
        }
        self.forest.clone()
    }

    fn node(&mut self, lhs: NonterminalId, (start, end): (u32, u32)) -> ForestNodeId {
        let forest = &mut self.forest;
        let make = || forest.add_node(Label::Nonterminal(lhs), start, end);
        *self.shared.entry((lhs, start)).or_insert_with(make)
    }

    fn start_of(&self, child: Child) -> u32 {
        let start = match (child.as_token(), child.as_node()) {
            (Some(token), _) => token,
            (None, Some(node)) => self.forest.range(node).start,
            (None, None) => unreachable!("invariant: a child is a token or a node"),
        };
        u32::try_from(start).expect("invariant: tokens fit in 32 bits")
    }

    /// Adds a derivation in binary form.
    fn add_binary(
        &mut self,
        node: ForestNodeId,
        production: ProductionId,
        prefix: Option<Prefix<Child>>,
        children: &[Child],
    ) {
        let (&last, between) = children.split_last().expect("invariant: the last child is given");
        let (mut prefix, between) = match (prefix, between) {
            (Some(prefix), _) => (prefix, between),
            (None, [first, between @ ..]) => {
                (Prefix { len: 1, start: self.start_of(*first), value: *first }, between)
            }
            (None, []) => unreachable!("invariant: a binary derivation has two children"),
        };
        for (at, &child) in between.iter().enumerate() {
            let next = between.get(at + 1).copied().unwrap_or(last);
            let end = self.start_of(next);
            prefix = self.extend_prefix(production, prefix, child, end);
        }
        let pivot = self.start_of(last);
        if self.pivots.insert((node, production, pivot)) {
            self.forest.add_binary(node, production, prefix.value, last);
        }
    }
}

impl Build for BuildForest {
    type Value = Child;
    type Mark = ForestMark;

    #[inline]
    fn token(&mut self, index: u32) -> Child {
        Child::token(index)
    }

    #[inline]
    fn reduce_only(
        &mut self,
        cfg: &Cfg,
        production: ProductionId,
        children: &[Child],
        (start, end): (u32, u32),
    ) -> Child {
        let label = Label::Nonterminal(cfg.lhs(production));
        let node = self.forest.add_node(label, start, end);
        self.forest.add_all(node, production, children.iter().copied());
        Child::node(node)
    }

    fn reduce(
        &mut self,
        cfg: &Cfg,
        production: ProductionId,
        prefix: Option<Prefix<Child>>,
        children: &[Child],
        range: (u32, u32),
    ) -> Child {
        let node = self.node(cfg.lhs(production), range);
        let single = prefix.is_none() && children.len() <= 1;
        match self.forest.newest_by(node, production) {
            // The same single child, or none: the same derivation.
            Some(_) if single => {}
            None if prefix.is_none_or(|prefix| prefix.len == 1) => {
                let first = prefix.map(|prefix| prefix.value);
                let all = first.into_iter().chain(children.iter().copied());
                self.forest.add_all(node, production, all);
            }
            Some(known) => {
                if let Alternative::All(_, all) = self.forest.alternative(known) {
                    let all = all.to_vec();
                    self.forest.remove(node, known);
                    self.add_binary(node, production, None, &all);
                }
                self.add_binary(node, production, prefix, children);
            }
            None => self.add_binary(node, production, prefix, children),
        }
        Child::node(node)
    }

    fn extend_prefix(
        &mut self,
        production: ProductionId,
        prefix: Prefix<Child>,
        child: Child,
        end: u32,
    ) -> Prefix<Child> {
        let (len, start) = (prefix.len + 1, prefix.start);
        let key = (production, len, start, end);
        let node = match self.prefixes.get(&key) {
            Some(&known) => known,
            None => {
                let node = self.forest.add_node(Label::Prefix(production, len), start, end);
                self.prefixes.insert(key, node);
                self.journal.push(Done::MadePrefix(key));
                node
            }
        };
        let pivot = self.start_of(child);
        if self.prefix_pivots.insert((node, pivot)) {
            self.journal.push(Done::AddedPivot(node, pivot, self.forest.newest(node)));
            self.forest.add_binary(node, production, prefix.value, child);
        }
        Prefix { len, start, value: Child::node(node) }
    }

    #[inline]
    fn begin_level(&mut self) {
        self.level = self.forest.len();
        if !self.shared.is_empty() {
            self.shared.clear();
            self.pivots.clear();
        }
    }

    fn begin_sharing(&mut self) {
        for index in self.level..self.forest.len() {
            let node = ForestNodeId::from_index(index);
            if let Label::Nonterminal(lhs) = self.forest.label(node)
                && self.forest.newest(node).is_some()
            {
                let start = u32::try_from(self.forest.range(node).start).expect("invariant: fits");
                self.shared.entry((lhs, start)).or_insert(node);
            }
        }
    }

    fn mark(&self) -> ForestMark {
        ForestMark { forest: self.forest.mark(), journal: self.journal.len() }
    }

    fn rewind(&mut self, mark: ForestMark) {
        for done in self.journal.drain(mark.journal..).rev() {
            match done {
                Done::MadePrefix(key) => {
                    self.prefixes.remove(&key);
                }
                Done::AddedPivot(node, pivot, newest) => {
                    self.prefix_pivots.remove(&(node, pivot));
                    self.forest.set_newest(node, newest);
                }
            }
        }
        self.forest.truncate(mark.forest);
        self.shared.clear();
        self.pivots.clear();
        self.level = self.forest.len();
    }

    fn accept(&mut self, value: Child) {
        self.forest.set_root(value.as_node());
    }

    fn memory(&self) -> usize {
        let prefixes = self.prefixes.capacity() * size_of::<((ProductionId, u32, u32, u32), u32)>();
        let pivots = self.prefix_pivots.capacity() * size_of::<(ForestNodeId, u32)>();
        self.forest.memory() + prefixes + pivots + self.journal.capacity() * size_of::<Done>()
    }
}
