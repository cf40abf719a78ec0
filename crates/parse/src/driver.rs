//! The parser's driver: LR while there is one thing to do, generalized LR where there are several.
//!
//! With one stack and one action the driver is a plain LR parser (METHODS, after McPeak's hybrid).
//! Otherwise a whole level is worked off with a graph-structured stack: every reduction along every
//! path, and again along the paths through any edge that is added later, which makes empty rules,
//! hidden left recursion and cycles come out right (Nozohoor-Farshi's correction of Tomita). Paths
//! into earlier levels, which never change, are followed once: what lies below a vertex for the
//! first k symbols of a production is remembered, so no input costs more than cubic time.
//!
//! An LR parser may reduce before it notices an error but never shifts a wrong token, so the first
//! token that no stack can shift is the exact place of the error; the grammar must be reduced.

use gramercy_base::{Id, Map, Set};
use gramercy_grammar::{Cfg, ProductionId};
use gramercy_lr::{Automaton, StateId};

use crate::build::{Build, Prefix};
use crate::stacks::{Edge, StackMark, Stacks, VertexId};
use crate::tables::{Action, InputId, Inputs, Tables};

/// The grammar, its automaton and its alphabet: what all parses share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine<'m> {
    pub(crate) cfg: &'m Cfg,
    pub(crate) automaton: &'m Automaton,
    pub(crate) inputs: &'m Inputs,
}

/// A parse under way.
#[derive(Debug)]
pub(crate) struct Driver<'m, B: Build> {
    machine: Machine<'m>,
    tables: &'m mut Tables,
    stacks: Stacks<B::Value>,
    build: B,
    /// The tops of all stacks after the last token.
    tops: Vec<VertexId>,
    level: u32,
    scratch: Scratch<B::Value>,
}

/// Memory that is used again in every level.
#[derive(Debug)]
struct Scratch<V> {
    /// The children of a reduction.
    children: Vec<V>,
    /// This level's vertices, each with whether its reductions were done.
    vertices: Vec<(VertexId, bool)>,
    /// This level's vertex of a state, as its place in `vertices` with the level's stamp; empty
    /// until there are several stacks.
    by_state: Vec<(u32, u32)>,
    stamp: u32,
    /// Whether this level has an edge within itself.
    has_inner_edges: bool,
    /// The edges that were added to this level's vertices behind their first ones.
    further_edges: Set<(VertexId, VertexId)>,
    /// What lies below a vertex of an earlier level, for the first symbols of a production.
    below: Map<(VertexId, ProductionId, u32), (u32, u32)>,
    found: Vec<(VertexId, Prefix<V>)>,
    below_journal: Vec<(VertexId, ProductionId, u32)>,
}

/// What a driver was at some token.
#[derive(Clone, Debug)]
pub(crate) struct Checkpoint<M> {
    level: u32,
    tops: Vec<VertexId>,
    stacks: StackMark,
    build: M,
    found: usize,
    journal: usize,
}

/// No stack can shift the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

impl<'m, B: Build> Driver<'m, B> {
    pub(crate) fn new(machine: Machine<'m>, tables: &'m mut Tables, build: B) -> Self {
        let (stacks, bottom) = Stacks::new(machine.automaton.initial());
        let scratch = Scratch {
            children: Vec::new(),
            vertices: Vec::new(),
            by_state: Vec::new(),
            stamp: 0,
            has_inner_edges: false,
            further_edges: Set::default(),
            below: Map::default(),
            found: Vec::new(),
            below_journal: Vec::new(),
        };
        Self { machine, tables, stacks, build, tops: vec![bottom], level: 0, scratch }
    }

    /// Reads a token.
    #[inline]
    pub(crate) fn token(&mut self, input: InputId) -> Result<(), Stuck> {
        self.build.begin_level();
        if let [top] = self.tops[..] {
            match self.alone(top, input) {
                Alone::Shifted(top) => {
                    self.tops[0] = top;
                    self.level += 1;
                    return Ok(());
                }
                Alone::Stuck => return Err(Stuck),
                Alone::Accepted(_) => unreachable!("invariant: only the end is accepted"),
                Alone::Several(top) => self.share(&[top]),
            }
        } else {
            let tops = std::mem::take(&mut self.tops);
            self.share(&tops);
        }
        self.reduce_all(input);
        self.shift_all(input)
    }

    /// Reads the end of input: whether the tokens so far are a sentence.
    pub(crate) fn end(&mut self) -> Result<(), Stuck> {
        let end = self.machine.inputs.end();
        self.build.begin_level();
        if let [top] = self.tops[..] {
            match self.alone(top, end) {
                Alone::Accepted(value) => {
                    self.build.accept(value);
                    return Ok(());
                }
                Alone::Stuck => return Err(Stuck),
                Alone::Shifted(_) => unreachable!("invariant: the end is not shifted"),
                Alone::Several(top) => self.share(&[top]),
            }
        } else {
            let tops = self.tops.clone();
            self.share(&tops);
        }
        self.reduce_all(end);
        self.accept_any(end)
    }

    /// The states of all stacks once every possible reduction was made, whatever comes next: what
    /// they shift is exactly what can come next, because no stack ever leaves the viable prefixes.
    pub(crate) fn viable_states(&mut self) -> Vec<StateId> {
        let tops = self.tops.clone();
        self.build.begin_level();
        self.share(&tops);
        self.reduce_all(self.machine.inputs.anything());
        let vertices = self.scratch.vertices.iter();
        vertices.map(|&(vertex, _)| self.stacks.vertex(vertex).state).collect()
    }

    /// The number of tokens read.
    pub(crate) fn level(&self) -> u32 {
        self.level
    }

    pub(crate) fn into_build(self) -> B {
        self.build
    }

    pub(crate) fn checkpoint(&mut self) -> Checkpoint<B::Mark> {
        Checkpoint {
            level: self.level,
            tops: self.tops.clone(),
            stacks: self.stacks.mark(),
            build: self.build.mark(),
            found: self.scratch.found.len(),
            journal: self.scratch.below_journal.len(),
        }
    }

    pub(crate) fn resume(&mut self, at: &Checkpoint<B::Mark>) {
        self.level = at.level;
        self.tops.clone_from(&at.tops);
        self.stacks.rewind(at.stacks);
        self.build.rewind(at.build);
        for key in self.scratch.below_journal.drain(at.journal..) {
            self.scratch.below.remove(&key);
        }
        self.scratch.found.truncate(at.found);
    }

    fn action(&mut self, state: StateId, input: InputId) -> Action {
        self.tables.action(self.machine.automaton, self.machine.inputs, state, input)
    }

    fn goto(&mut self, below: VertexId, production: ProductionId) -> StateId {
        let lhs = self.machine.cfg.lhs(production);
        let state = self.stacks.vertex(below).state;
        self.tables.goto(self.machine.automaton, self.machine.inputs, state, lhs)
    }

    /// Plain LR, as long as there is one thing to do.
    #[inline]
    fn alone(&mut self, mut top: VertexId, input: InputId) -> Alone<B::Value> {
        loop {
            match self.action(self.stacks.vertex(top).state, input) {
                Action::Shift(state) => {
                    let value = self.build.token(self.level);
                    let below = Edge { to: top, value };
                    return Alone::Shifted(self.stacks.push(state, self.level + 1, below));
                }
                Action::Reduce(production) => match self.reduce_alone(top, production) {
                    Some(new) => top = new,
                    None => return Alone::Several(top),
                },
                Action::Accept => {
                    // A stack that was shared may hold several values of the start symbol's node,
                    // which are all the same node.
                    let edge = self.stacks.edges(top).next().expect("invariant: not the bottom");
                    return Alone::Accepted(edge.value);
                }
                Action::Error => return Alone::Stuck,
                Action::Several(_) => return Alone::Several(top),
            }
        }
    }

    /// Reduces, unless the stack branches on the way down.
    #[inline]
    fn reduce_alone(&mut self, top: VertexId, production: ProductionId) -> Option<VertexId> {
        let len = self.machine.cfg.rhs(production).len();
        self.scratch.children.clear();
        let mut below = top;
        for _ in 0..len {
            let edge = self.stacks.only_edge(below)?;
            self.scratch.children.push(edge.value);
            below = edge.to;
        }
        self.scratch.children.reverse();
        let range = (self.stacks.vertex(below).level, self.level);
        let children = &self.scratch.children;
        let value = self.build.reduce_only(self.machine.cfg, production, children, range);
        self.stacks.pop_to(below);
        let state = self.goto(below, production);
        Some(self.stacks.push(state, self.level, Edge { to: below, value }))
    }

    /// Begins to work on several stacks.
    fn share(&mut self, tops: &[VertexId]) {
        self.build.begin_sharing();
        self.stacks.keep();
        let scratch = &mut self.scratch;
        scratch.by_state.resize(self.machine.automaton.state_count(), (0, 0));
        scratch.vertices.clear();
        scratch.has_inner_edges = false;
        scratch.further_edges.clear();
        scratch.stamp += 1;
        for &top in tops {
            self.remember(top);
        }
    }

    fn remember(&mut self, vertex: VertexId) {
        let state = self.stacks.vertex(vertex).state;
        let at = u32::try_from(self.scratch.vertices.len()).expect("invariant: states fit");
        self.scratch.by_state[state.index()] = (self.scratch.stamp, at);
        self.scratch.vertices.push((vertex, false));
    }

    /// All reductions that the input symbol allows, until there is nothing new.
    fn reduce_all(&mut self, input: InputId) {
        let mut at = 0;
        while at < self.scratch.vertices.len() {
            let vertex = self.scratch.vertices[at].0;
            self.scratch.vertices[at].1 = true;
            self.reduce_from(vertex, input, None);
            at += 1;
        }
    }

    /// The reductions from a vertex; with `through`, only those that pass that edge.
    fn reduce_from(&mut self, top: VertexId, input: InputId, through: Option<Through<B::Value>>) {
        match self.action(self.stacks.vertex(top).state, input) {
            Action::Reduce(production) => self.reduce_paths(top, production, input, through),
            Action::Several(at) => {
                for place in 0..self.tables.several(at).reductions.len() {
                    let production = self.tables.several(at).reductions[place];
                    self.reduce_paths(top, production, input, through);
                }
            }
            Action::Error | Action::Shift(_) | Action::Accept => {}
        }
    }

    /// Reduces along every path, or every path through an edge.
    fn reduce_paths(
        &mut self,
        top: VertexId,
        production: ProductionId,
        input: InputId,
        through: Option<Through<B::Value>>,
    ) {
        let len = u32::try_from(self.machine.cfg.rhs(production).len()).expect("invariant: fits");
        if let Some((base, passed)) = self.straight_down(top, len, through) {
            if passed {
                self.complete_children(production, None, base, input);
            }
            return;
        }
        // Paths within this level, which may still grow, are followed one by one.
        let mut paths = vec![self.first_path(top, len, through)];
        while let Some(path) = paths.pop() {
            if path.left == 0 {
                if path.passed {
                    self.complete(production, None, &path.children, path.at, input);
                }
                continue;
            }
            if self.stacks.vertex(path.at).level < self.level {
                if path.passed {
                    self.reduce_below(production, &path, input);
                }
                continue;
            }
            // With one step left, only the edge itself passes it: a vertex may have very many others.
            if path.left == 1 && !path.passed {
                let wanted = through.filter(|through| through.from == path.at);
                paths.extend(wanted.map(|Through { edge, .. }| path.over(edge, true)));
                continue;
            }
            for edge in self.stacks.edges(path.at) {
                let is_wanted = |through: Through<B::Value>| {
                    through.from == path.at && through.edge.to == edge.to
                };
                let passed = path.passed || through.is_some_and(is_wanted);
                paths.push(path.over(edge, passed));
            }
        }
    }

    /// The beginning of the paths from a vertex. Without edges within the level, those through an
    /// edge begin with it, and the vertex's other edges need no look.
    fn first_path(
        &self,
        top: VertexId,
        len: u32,
        through: Option<Through<B::Value>>,
    ) -> Path<B::Value> {
        match through {
            Some(Through { from, edge }) if from == top && !self.scratch.has_inner_edges => {
                Path { at: edge.to, left: len - 1, children: vec![edge.value], passed: true }
            }
            _ => Path { at: top, left: len, children: Vec::new(), passed: through.is_none() },
        }
    }

    /// Where a path of some length ends that has no branches, and whether it passes an edge; its
    /// children are left in the scratch memory.
    fn straight_down(
        &mut self,
        top: VertexId,
        len: u32,
        through: Option<Through<B::Value>>,
    ) -> Option<(VertexId, bool)> {
        self.scratch.children.clear();
        let (mut at, mut passed) = (top, through.is_none());
        for _ in 0..len {
            let edge = self.stacks.only_edge(at)?;
            passed |= through.is_some_and(|through| through.from == at);
            self.scratch.children.push(edge.value);
            at = edge.to;
        }
        self.scratch.children.reverse();
        Some((at, passed))
    }

    /// Goes on into earlier levels.
    fn reduce_below(&mut self, production: ProductionId, path: &Path<B::Value>, input: InputId) {
        let (from, len) = self.below(path.at, production, path.left);
        for at in from..from + len {
            let (base, prefix) = self.scratch.found[at as usize];
            self.complete(production, Some(prefix), &path.children, base, input);
        }
    }

    /// A reduction with all its parts; `upper` holds the last children, the last one first.
    fn complete(
        &mut self,
        production: ProductionId,
        prefix: Option<Prefix<B::Value>>,
        upper: &[B::Value],
        base: VertexId,
        input: InputId,
    ) {
        self.scratch.children.clear();
        // A prefix of one symbol is its first child.
        let prefix = match prefix {
            Some(Prefix { len: 1, value, .. }) => {
                self.scratch.children.push(value);
                None
            }
            other => other,
        };
        self.scratch.children.extend(upper.iter().rev());
        self.complete_children(production, prefix, base, input);
    }

    /// A reduction whose last children are in the scratch memory.
    fn complete_children(
        &mut self,
        production: ProductionId,
        prefix: Option<Prefix<B::Value>>,
        base: VertexId,
        input: InputId,
    ) {
        let range = (self.stacks.vertex(base).level, self.level);
        let children = &self.scratch.children;
        let value = self.build.reduce(self.machine.cfg, production, prefix, children, range);
        let state = self.goto(base, production);
        self.go_to(state, Edge { to: base, value }, input);
    }

    /// Puts a state on top of a vertex; reduces again where that makes new paths.
    fn go_to(&mut self, state: StateId, edge: Edge<B::Value>, input: InputId) {
        let is_inner = self.stacks.vertex(edge.to).level == self.level;
        let (stamp, at) = self.scratch.by_state[state.index()];
        if stamp != self.scratch.stamp {
            let new = self.stacks.push(state, self.level, edge);
            self.scratch.has_inner_edges |= is_inner;
            self.remember(new);
            return;
        }
        let vertex = self.scratch.vertices[at as usize].0;
        if self.has_edge(vertex, edge.to) {
            return;
        }
        self.stacks.add_edge(vertex, edge);
        self.scratch.further_edges.insert((vertex, edge.to));
        self.scratch.has_inner_edges |= is_inner;
        let through = Through { from: vertex, edge };
        if self.scratch.has_inner_edges {
            for place in 0..self.scratch.vertices.len() {
                let (top, done) = self.scratch.vertices[place];
                if done {
                    self.reduce_from(top, input, Some(through));
                }
            }
        } else if self.scratch.vertices[at as usize].1 {
            self.reduce_from(vertex, input, Some(through));
        }
    }

    /// Whether there is an edge already: of most vertices a look at a few edges tells, but one may
    /// have as many as there are tokens.
    fn has_edge(&self, from: VertexId, to: VertexId) -> bool {
        const FEW: usize = 6;
        let mut edges = self.stacks.edges(from);
        edges.by_ref().take(FEW).any(|known| known.to == to)
            || (edges.next().is_some() && self.scratch.further_edges.contains(&(from, to)))
    }

    /// What lies below a vertex of an earlier level for the first `left` symbols of a production:
    /// where it is in `found`.
    fn below(&mut self, top: VertexId, production: ProductionId, left: u32) -> (u32, u32) {
        let mut tasks = vec![(top, left)];
        while let Some(&(vertex, left)) = tasks.last() {
            let key = (vertex, production, left);
            if self.scratch.below.contains_key(&key) {
                tasks.pop();
                continue;
            }
            let missing = tasks.len();
            if left > 1 {
                let known = &self.scratch.below;
                let below = self.stacks.edges(vertex).map(|edge| (edge.to, left - 1));
                tasks.extend(
                    below.filter(|&(to, left)| !known.contains_key(&(to, production, left))),
                );
            }
            if tasks.len() == missing {
                tasks.pop();
                self.find_below(vertex, production, left);
            }
        }
        self.scratch.below[&(top, production, left)]
    }

    fn find_below(&mut self, vertex: VertexId, production: ProductionId, left: u32) {
        let end = self.stacks.vertex(vertex).level;
        let edges: Vec<_> = self.stacks.edges(vertex).collect();
        let mut found: Vec<(VertexId, Prefix<B::Value>)> = Vec::new();
        for edge in edges {
            if left == 1 {
                let start = self.stacks.vertex(edge.to).level;
                found.push((edge.to, Prefix { len: 1, start, value: edge.value }));
                continue;
            }
            let (from, len) = self.scratch.below[&(edge.to, production, left - 1)];
            for at in from..from + len {
                let (base, prefix) = self.scratch.found[at as usize];
                let longer = self.build.extend_prefix(production, prefix, edge.value, end);
                found.push((base, longer));
            }
        }
        // Several ways to the same base share one prefix node.
        found.sort_by_key(|(base, _)| *base);
        found.dedup_by_key(|(base, _)| *base);
        let fit = |n: usize| u32::try_from(n).expect("invariant: paths fit in 32 bits");
        let place = (fit(self.scratch.found.len()), fit(found.len()));
        self.scratch.found.extend(found);
        self.scratch.below.insert((vertex, production, left), place);
        self.scratch.below_journal.push((vertex, production, left));
    }

    /// Shifts the token on every stack that can.
    fn shift_all(&mut self, input: InputId) -> Result<(), Stuck> {
        let vertices = std::mem::take(&mut self.scratch.vertices);
        let value = self.build.token(self.level);
        self.tops.clear();
        self.scratch.stamp += 1;
        for &(vertex, _) in &vertices {
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
        self.scratch.vertices = vertices;
        self.stacks.keep();
        if self.tops.is_empty() {
            return Err(Stuck);
        }
        self.level += 1;
        Ok(())
    }

    fn shift(&mut self, state: StateId, edge: Edge<B::Value>) {
        let (stamp, at) = self.scratch.by_state[state.index()];
        if stamp == self.scratch.stamp {
            self.stacks.add_edge(self.tops[at as usize], edge);
            return;
        }
        let at = u32::try_from(self.tops.len()).expect("invariant: states fit");
        self.scratch.by_state[state.index()] = (self.scratch.stamp, at);
        self.tops.push(self.stacks.push(state, self.level + 1, edge));
    }

    fn accept_any(&mut self, end: InputId) -> Result<(), Stuck> {
        for place in 0..self.scratch.vertices.len() {
            let vertex = self.scratch.vertices[place].0;
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

/// What became of one stack.
enum Alone<V> {
    Shifted(VertexId),
    Accepted(V),
    Stuck,
    /// There are several things to do, or the stack below branches.
    Several(VertexId),
}

/// An edge that was added after reductions were done.
#[derive(Clone, Copy, Debug)]
struct Through<V> {
    from: VertexId,
    edge: Edge<V>,
}

/// A way down the stack that has not left the current level.
struct Path<V> {
    at: VertexId,
    left: u32,
    /// The children passed, the last one first.
    children: Vec<V>,
    passed: bool,
}

impl<V: Copy> Path<V> {
    /// One step further.
    fn over(&self, edge: Edge<V>, passed: bool) -> Self {
        let mut children = self.children.clone();
        children.push(edge.value);
        Self { at: edge.to, left: self.left - 1, children, passed }
    }
}
