//! A level with several stacks: all its reductions, then all its shifts.
//!
//! An edge that is added when reductions were already made from some vertex may open new paths for
//! them. Such edges wait in a queue, and each is handled as if no younger edge were there yet: every
//! path is followed once, when the youngest of its edges is handled. Within a level the path of a
//! production is known from where it begins, because an automaton has one step for each symbol, so
//! the part above a new edge is climbed and not searched.
//!
//! A level costs its paths: with n tokens and a fixed grammar at most n² of them, and a bounded
//! number on LR-like grammars.

use gramercy_base::{Id, Map, Set};
use gramercy_grammar::ProductionId;
use gramercy_lr::StateId;

use super::{Driver, Stuck};
use crate::build::{Build, Prefix};
use crate::stacks::{Age, Edge, VertexId};
use crate::tables::{Action, InputId};

/// What is known about a level; its memory is used again for the next one.
#[derive(Clone, Debug)]
pub(super) struct Level<V> {
    /// The vertices, in the order in which they were made.
    pub(super) vertices: Vec<VertexId>,
    /// The number of nodes from which reductions were begun.
    begun: usize,
    /// The vertex of a state, as its place in `vertices` with the level's stamp; empty until there
    /// are several stacks.
    by_state: Vec<(u32, u32)>,
    stamp: u32,
    /// The edges from one vertex of the level to another.
    inner: Map<(VertexId, VertexId), (V, Age)>,
    /// The edges that were added to vertices after their first ones.
    further: Set<(VertexId, VertexId)>,
    /// The reductions over at least one symbol that were begun, each with the top of its stacks.
    begun_reductions: Vec<(VertexId, ProductionId)>,
    /// Further edges whose paths are still to be followed, the oldest first.
    waiting: Vec<NewEdge<V>>,
    /// The paths that are being followed, and their steps.
    paths: Vec<Path>,
    steps: Vec<Step<V>>,
}

/// An edge that was added to a vertex after its first one.
#[derive(Clone, Copy, Debug)]
struct NewEdge<V> {
    from: VertexId,
    edge: Edge<V>,
    age: Age,
}

/// A way down the stacks that has not left the level.
#[derive(Clone, Copy, Debug)]
struct Path {
    at: VertexId,
    /// The symbols that are still to be passed.
    left: u32,
    /// The number of its last step, from 1; 0 if there is none.
    last: u32,
}

/// A child that a path passed, and the number of the step before.
#[derive(Clone, Copy, Debug)]
struct Step<V> {
    value: V,
    before: u32,
}

impl<V> Default for Level<V> {
    fn default() -> Self {
        Self {
            vertices: Vec::new(),
            begun: 0,
            by_state: Vec::new(),
            stamp: 0,
            inner: Map::default(),
            further: Set::default(),
            begun_reductions: Vec::new(),
            waiting: Vec::new(),
            paths: Vec::new(),
            steps: Vec::new(),
        }
    }
}

impl<V> Level<V> {
    /// Nothing is known yet.
    fn clear(&mut self, states: usize) {
        self.by_state.resize(states, (0, 0));
        self.stamp += 1;
        self.vertices.clear();
        self.begun = 0;
        self.inner.clear();
        self.further.clear();
        self.begun_reductions.clear();
    }

    /// The place of a state's vertex.
    #[inline]
    fn place_of(&self, state: StateId) -> Option<usize> {
        let (stamp, at) = self.by_state[state.index()];
        (stamp == self.stamp).then_some(at as usize)
    }

    fn add_vertex(&mut self, state: StateId, vertex: VertexId) {
        let at = u32::try_from(self.vertices.len()).expect("invariant: states fit");
        self.by_state[state.index()] = (self.stamp, at);
        self.vertices.push(vertex);
    }

    /// A path with one more step.
    #[inline]
    fn step(&mut self, path: Path, edge: Edge<V>) -> Path {
        self.steps.push(Step { value: edge.value, before: path.last });
        let last = u32::try_from(self.steps.len()).expect("invariant: steps fit in 32 bits");
        Path { at: edge.to, left: path.left - 1, last }
    }
}

impl<B: Build> Driver<'_, B> {
    /// Begins to work on several stacks.
    pub(super) fn share(&mut self, tops: &[VertexId]) {
        self.build.begin_sharing();
        self.stacks.keep();
        self.now.clear(self.machine.automaton.state_count());
        for &top in tops {
            self.now.add_vertex(self.stacks.vertex(top).state, top);
        }
    }

    /// All reductions that the input symbol allows, until there is nothing new.
    pub(super) fn reduce_all(&mut self, input: InputId) {
        while let Some(&vertex) = self.now.vertices.get(self.now.begun) {
            if self.budget.is_spent() {
                return;
            }
            self.now.begun += 1;
            let newest = self.stacks.newest();
            match self.action(self.stacks.vertex(vertex).state, input) {
                Action::Reduce(production) => self.reduce(vertex, production, newest),
                Action::Several(at) => {
                    for place in 0..self.tables.several(at).reductions.len() {
                        let production = self.tables.several(at).reductions[place];
                        self.reduce(vertex, production, newest);
                    }
                }
                Action::Error | Action::Shift(_) | Action::Accept => {}
            }
            self.follow_new_edges();
        }
    }

    /// Reduces along every path from a vertex over edges of at most some age.
    fn reduce(&mut self, top: VertexId, production: ProductionId, newest: Age) {
        let left = u32::try_from(self.machine.cfg.rhs(production).len()).expect("invariant: fits");
        if left > 0 {
            self.now.begun_reductions.push((top, production));
        }
        match self.straight_down(top, left) {
            Some(base) => self.complete(production, None, base),
            None => self.follow(production, Path { at: top, left, last: 0 }, newest),
        }
    }

    /// Where a path of some length ends that has no branches; its children are left in memory.
    fn straight_down(&mut self, top: VertexId, len: u32) -> Option<VertexId> {
        self.children.clear();
        let mut at = top;
        for _ in 0..len {
            let edge = self.stacks.only_edge(at)?;
            self.children.push(edge.value);
            at = edge.to;
        }
        self.children.reverse();
        Some(at)
    }

    /// Reduces along every path through the edges that were added since reductions were begun.
    fn follow_new_edges(&mut self) {
        let mut next = 0;
        while let Some(&new) = self.now.waiting.get(next) {
            if self.budget.is_spent() {
                break;
            }
            next += 1;
            for at in 0..self.now.begun_reductions.len() {
                let (top, production) = self.now.begun_reductions[at];
                if top == new.from || !self.now.inner.is_empty() {
                    self.follow_through(top, production, new);
                }
            }
        }
        self.now.waiting.clear();
    }

    /// Reduces along every path from a vertex through a new edge.
    fn follow_through(&mut self, top: VertexId, production: ProductionId, new: NewEdge<B::Value>) {
        let rhs = self.machine.cfg.rhs(production);
        let labels = self.machine.automaton.labels();
        let passed = self.machine.automaton.accessing(self.stacks.vertex(new.from).state);
        for (place, &symbol) in rhs.iter().enumerate().rev() {
            let is_last = place + 1 == rhs.len();
            let is_passed = passed == Some(labels.symbol(symbol));
            if is_passed && (is_last || !self.now.inner.is_empty()) {
                if let Some(above) = self.climb(top, production, place + 1, new) {
                    let left = u32::try_from(place + 1).expect("invariant: fits");
                    let path = Path { at: new.from, left, last: above };
                    let path = self.now.step(path, new.edge);
                    self.follow(production, path, new.age);
                }
                self.now.steps.clear();
            }
        }
    }

    /// The steps from the top of a reduction down to the new edge, which stands for the symbol
    /// before `above`: the number of the last one.
    fn climb(
        &mut self,
        top: VertexId,
        production: ProductionId,
        above: usize,
        new: NewEdge<B::Value>,
    ) -> Option<u32> {
        let automaton = self.machine.automaton;
        let mut at = new.from;
        self.children.clear();
        for &symbol in &self.machine.cfg.rhs(production)[above..] {
            let label = automaton.labels().symbol(symbol);
            let state = automaton.step(self.stacks.vertex(at).state, label)?;
            let higher = self.now.vertices[self.now.place_of(state)?];
            let &(value, age) = self.now.inner.get(&(higher, at))?;
            if age > new.age {
                return None;
            }
            self.children.push(value);
            at = higher;
        }
        if at != top {
            return None;
        }
        let mut last = 0;
        for &value in self.children.iter().rev() {
            self.now.steps.push(Step { value, before: last });
            last += 1;
        }
        Some(last)
    }

    /// Reduces along every continuation of a path over edges of at most some age.
    fn follow(&mut self, production: ProductionId, path: Path, newest: Age) {
        self.now.paths.push(path);
        while let Some(path) = self.now.paths.pop() {
            if path.left == 0 {
                self.collect_children(path.last, None);
                self.complete(production, None, path.at);
            } else if self.stacks.vertex(path.at).level < self.level {
                self.reduce_below(production, path);
            } else {
                for edge in self.stacks.edges_up_to(path.at, newest) {
                    let longer = self.now.step(path, edge);
                    self.now.paths.push(longer);
                }
            }
        }
        self.now.steps.clear();
    }

    /// Goes on into earlier levels.
    fn reduce_below(&mut self, production: ProductionId, path: Path) {
        let key = (path.at, production, path.left);
        let known = self.below.len();
        let ways = self.below.ways(&self.stacks, &mut self.build, key);
        self.steps((self.below.len() - known) as u64);
        for way in ways {
            let (base, prefix) = self.below.way(way);
            // A prefix of one symbol is its first child.
            let first = (prefix.len == 1).then_some(prefix.value);
            self.collect_children(path.last, first);
            self.complete(production, Some(prefix).filter(|_| first.is_none()), base);
        }
    }

    /// Puts the children of a path into memory, after a first one if it is given.
    fn collect_children(&mut self, last: u32, first: Option<B::Value>) {
        self.children.clear();
        self.children.extend(first);
        let mut step = last;
        while step != 0 {
            let Step { value, before } = self.now.steps[step as usize - 1];
            self.children.push(value);
            step = before;
        }
    }

    /// A reduction whose last children, all but those of the prefix, are in memory.
    fn complete(
        &mut self,
        production: ProductionId,
        prefix: Option<Prefix<B::Value>>,
        base: VertexId,
    ) {
        self.step();
        let range = (self.stacks.vertex(base).level, self.level);
        let children = &self.children;
        let value = self.build.reduce(self.machine.cfg, production, prefix, children, range);
        let state = self.goto(base, production);
        self.go_to(state, Edge { to: base, value });
    }

    /// Puts a state on top of a vertex.
    fn go_to(&mut self, state: StateId, edge: Edge<B::Value>) {
        let is_inner = self.stacks.vertex(edge.to).level == self.level;
        let Some(place) = self.now.place_of(state) else {
            let new = self.stacks.push(state, self.level, edge);
            if is_inner {
                self.now.inner.insert((new, edge.to), (edge.value, self.stacks.newest()));
            }
            self.now.add_vertex(state, new);
            return;
        };
        let vertex = self.now.vertices[place];
        if self.has_edge(vertex, edge.to) {
            return;
        }
        let age = self.stacks.add_edge(vertex, edge);
        self.now.further.insert((vertex, edge.to));
        if is_inner {
            self.now.inner.insert((vertex, edge.to), (edge.value, age));
        }
        if place < self.now.begun || !self.now.inner.is_empty() {
            self.now.waiting.push(NewEdge { from: vertex, edge, age });
        }
    }

    /// Whether there is an edge already: of most vertices a look at a few edges tells, but one may
    /// have as many as there are tokens.
    fn has_edge(&self, from: VertexId, to: VertexId) -> bool {
        const FEW: usize = 6;
        let mut edges = self.stacks.edges(from);
        edges.by_ref().take(FEW).any(|known| known.to == to)
            || (edges.next().is_some() && self.now.further.contains(&(from, to)))
    }

    /// Shifts the token on every stack that can.
    pub(super) fn shift_all(&mut self, input: InputId) -> Result<(), Stuck> {
        if self.budget.is_spent() {
            return Err(Stuck);
        }
        let value = self.build.token(self.level);
        self.tops.clear();
        self.now.stamp += 1;
        for place in 0..self.now.vertices.len() {
            let vertex = self.now.vertices[place];
            match self.action(self.stacks.vertex(vertex).state, input) {
                Action::Shift(state) => self.shift(state, Edge { to: vertex, value }),
                Action::Several(at) => {
                    for place in 0..self.tables.several(at).shifts.len() {
                        let state = self.tables.several(at).shifts[place];
                        self.shift(state, Edge { to: vertex, value });
                    }
                }
                Action::Error | Action::Reduce(_) | Action::Accept => {}
            }
        }
        self.stacks.keep();
        if self.tops.is_empty() {
            return Err(Stuck);
        }
        self.level += 1;
        Ok(())
    }

    fn shift(&mut self, state: StateId, edge: Edge<B::Value>) {
        if let Some(place) = self.now.place_of(state) {
            self.stacks.add_edge(self.tops[place], edge);
            return;
        }
        let at = u32::try_from(self.tops.len()).expect("invariant: states fit");
        self.now.by_state[state.index()] = (self.now.stamp, at);
        self.tops.push(self.stacks.push(state, self.level + 1, edge));
    }

    /// Accepts, if a stack can.
    pub(super) fn accept_any(&mut self, end: InputId) -> Result<(), Stuck> {
        if self.budget.is_spent() {
            return Err(Stuck);
        }
        for place in 0..self.now.vertices.len() {
            let vertex = self.now.vertices[place];
            let accepts = match self.action(self.stacks.vertex(vertex).state, end) {
                Action::Accept => true,
                Action::Several(at) => self.tables.several(at).accept,
                Action::Error | Action::Shift(_) | Action::Reduce(_) => false,
            };
            if accepts {
                let edge = self.stacks.edges(vertex).next().expect("invariant: not the bottom");
                self.build.accept(edge.value);
                return Ok(());
            }
        }
        Err(Stuck)
    }
}
