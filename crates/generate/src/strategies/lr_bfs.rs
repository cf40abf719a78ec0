//! Breadth-first traversal of the LR-graph, LR-BFS (Rossouw, Fischer, JSS 2024, section 4, Algorithm 2).
//!
//! *Flooding* keeps a queue of valid paths from the initial state, takes the first and puts back its
//! extensions by every edge that keeps it valid, until every edge was taken. *Completion* does the same
//! from each path that is left, until one accepts. As printed, an accepting path that is taken from the
//! queue would be lost; as in the paper's Figure 2 it is kept. Edges that sentences cannot take are not
//! waited for, since the automaton is that of the useful productions. Paths that leave the same stack
//! go on alike, so completion follows the first of them only: the result is the same.
//!
//! The queue grows exponentially with the length of the longest path that some edge needs, so this is
//! for teaching, and a check of the other strategies on small grammars. The number of paths is bounded.
//! Paths share their stacks and trees: a path costs a few words.

use std::collections::VecDeque;
use std::fmt;

use gramercy_base::{Id, LimitReached, Map, Set, Table, define_id};
use gramercy_coverage::criteria::lr_edge::LrEdges;
use gramercy_coverage::{Criterion, TargetSet};
use gramercy_grammar::{NonterminalId, ProductionId, TerminalId};
use gramercy_language::{Language, LrView};
use gramercy_lr::{Construction, Label, StateId};

use gramercy_derive::candidate::Candidate;
use gramercy_derive::strategy::{Outcome, Reply, Sequential};

/// The tests of a traversal.
#[derive(Clone, Debug)]
pub struct LrBfs {
    tests: Vec<Candidate>,
    next: usize,
    queue: Vec<usize>,
}

/// Why there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LrBfsError {
    /// The automaton has too many states.
    Limit(LimitReached),
    /// Too many paths were needed.
    GivenUp {
        /// How many there were.
        paths: usize,
        /// How many edges none of them takes.
        missing: u64,
        /// How many edges there are.
        edges: u64,
        /// One of those that are missing; nothing if only the completion of paths did not end.
        example: Option<String>,
    },
}

impl fmt::Display for LrBfsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(limit) => limit.fmt(f),
            Self::GivenUp { paths, missing, edges, example } => {
                write!(f, "the traversal was given up after {paths} paths")?;
                match example {
                    Some(example) => write!(
                        f,
                        ": {missing} of {edges} edges were not reached, such as {example}; \
                         covering `pop-edge` gives a test for every one"
                    ),
                    None => f.write_str(": all edges were reached, but not all paths completed"),
                }
            }
        }
    }
}

impl std::error::Error for LrBfsError {}

impl From<LimitReached> for LrBfsError {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}

impl LrBfs {
    /// Traverses the graph of an automaton with a bound on the number of paths.
    ///
    /// # Errors
    /// If these paths do not suffice, or the automaton has more states than the limit.
    pub fn new(
        language: &Language,
        construction: Construction,
        max_paths: usize,
    ) -> Result<Self, LrBfsError> {
        let lr = language.useful_lr(construction)?;
        let mut walker = Walker::new(lr, max_paths);
        let mut traversal = Self { tests: Vec::new(), next: 0, queue: Vec::new() };
        if language.useful().is_empty() {
            return Ok(traversal);
        }
        let given_up = |walker: &Walker<'_>| walker.given_up(language, construction);
        let Some(paths) = walker.flood(&mut traversal.queue) else { return Err(given_up(&walker)) };
        for path in paths {
            let Some(tree) = walker.complete(path) else { return Err(given_up(&walker)) };
            traversal.tests.push(walker.candidate(tree));
        }
        Ok(traversal)
    }

    /// How many paths were in the queue at every layer of the flooding phase (Figure 2 of the paper).
    #[must_use]
    pub fn queue(&self) -> &[usize] {
        &self.queue
    }
}

impl Sequential for LrBfs {
    fn propose(&mut self, candidate: &mut Candidate) -> bool {
        let Some(test) = self.tests.get(self.next) else { return false };
        self.next += 1;
        candidate.clone_from(test);
        true
    }

    /// A path has one sentence, so there is no other candidate.
    fn conclude(&mut self, _: Outcome<'_>, _: &mut Candidate) -> Reply {
        Reply::Done
    }
}

define_id!(struct StackId, "a stack, by its topmost entry");
define_id!(struct ShapeId, "the states of a stack");
define_id!(struct TreeId, "a tree of a symbol on a stack");

#[derive(Clone, Copy)]
struct Stack {
    state: StateId,
    below: Option<(StackId, TreeId)>,
    shape: ShapeId,
}

enum Node {
    Terminal(TerminalId),
    Production(ProductionId, Vec<TreeId>),
}

/// A path by what it leaves.
#[derive(Clone, Copy)]
enum Path {
    /// A stack.
    Pushed(StackId),
    /// A stack without the right-hand side that was popped, whose left-hand side comes next.
    Popped(StackId, TreeId),
    /// Nothing: it has the tree of the whole.
    Accepted(TreeId),
}

/// Extends paths.
struct Walker<'w> {
    lr: &'w LrView,
    stacks: Table<StackId, Stack>,
    shapes: Map<(StateId, Option<ShapeId>), ShapeId>,
    trees: Table<TreeId, Node>,
    pushes: TargetSet,
    pops: TargetSet,
    left: usize,
    max_paths: usize,
}

impl<'w> Walker<'w> {
    fn new(lr: &'w LrView, max_paths: usize) -> Self {
        let (stacks, shapes, trees) = (Table::new(), Map::default(), Table::new());
        let (pushes, pops) = (TargetSet::new(), TargetSet::new());
        Self { lr, stacks, shapes, trees, pushes, pops, left: max_paths, max_paths }
    }

    fn stack(&mut self, state: StateId, below: Option<(StackId, TreeId)>) -> StackId {
        let new = ShapeId::from_index(self.shapes.len());
        let key = (state, below.map(|(stack, _)| self.stacks[stack].shape));
        let shape = *self.shapes.entry(key).or_insert(new);
        self.stacks.push(Stack { state, below, shape })
    }

    fn edges(&self) -> u64 {
        (self.lr.automaton.all_transitions().items().len() + self.lr.gotos.pop_count()) as u64
    }

    /// The paths that together take all edges.
    fn flood(&mut self, sizes: &mut Vec<usize>) -> Option<Vec<Path>> {
        let bottom = self.stack(self.lr.automaton.initial(), None);
        let (mut layer, mut finished) = (vec![Path::Pushed(bottom)], Vec::new());
        loop {
            sizes.push(layer.len() + finished.len());
            let mut queue: VecDeque<Path> = layer.into();
            let mut longer = Vec::new();
            while let Some(path) = queue.pop_front() {
                match path {
                    Path::Accepted(_) => finished.push(path),
                    _ => self.extend(path, &mut longer)?,
                }
                if self.pushes.len() + self.pops.len() == self.edges() {
                    finished.extend(queue);
                    finished.extend(longer);
                    // The last layer, as far as it was needed.
                    sizes.push(finished.len());
                    return Some(finished);
                }
            }
            layer = longer;
        }
    }

    /// The tree of the first sentence that is found to begin as a path does.
    fn complete(&mut self, path: Path) -> Option<TreeId> {
        let mut seen: Set<(ShapeId, Option<NonterminalId>)> = Set::default();
        let (mut queue, mut longer) = (VecDeque::from([path]), Vec::new());
        while let Some(path) = queue.pop_front() {
            let leaves = match path {
                Path::Accepted(tree) => return Some(tree),
                Path::Pushed(stack) => (self.stacks[stack].shape, None),
                Path::Popped(stack, tree) => (self.stacks[stack].shape, Some(self.popped(tree))),
            };
            if seen.insert(leaves) {
                self.extend(path, &mut longer)?;
                queue.extend(longer.drain(..));
            }
        }
        unreachable!(
            "invariant: every stack of a grammar without useless productions can be reduced"
        )
    }

    /// The nonterminal of a tree that was popped.
    fn popped(&self, tree: TreeId) -> NonterminalId {
        match self.trees[tree] {
            Node::Production(production, _) => self.lr.cfg().lhs(production),
            Node::Terminal(_) => unreachable!("invariant: what is popped is a production"),
        }
    }

    /// All valid extensions of a path by an edge; `None` if there are too many paths.
    fn extend(&mut self, path: Path, longer: &mut Vec<Path>) -> Option<()> {
        let before = longer.len();
        match path {
            Path::Accepted(_) => {}
            Path::Popped(stack, tree) => longer.push(self.push_popped(stack, tree)),
            Path::Pushed(stack) => {
                self.shift(stack, longer);
                self.pop(stack, longer);
            }
        }
        self.left = self.left.checked_sub(longer.len() - before)?;
        Some(())
    }

    fn push_popped(&mut self, stack: StackId, tree: TreeId) -> Path {
        let label = self.lr.automaton.labels().nonterminal(self.popped(tree));
        let state = self.stacks[stack].state;
        let row = self.lr.automaton.transitions(state);
        let at = row.binary_search_by_key(&label, |step| step.label);
        let at = at.expect("invariant: what is popped can be pushed");
        self.push(stack, at, tree)
    }

    /// Pushes the symbol of a tree along the transition at a place among those of the state on top.
    fn push(&mut self, stack: StackId, at: usize, tree: TreeId) -> Path {
        let state = self.stacks[stack].state;
        let transitions = self.lr.automaton.all_transitions();
        self.pushes.insert((transitions.range(state).start + at) as u64);
        let state = transitions.row(state)[at].target;
        Path::Pushed(self.stack(state, Some((stack, tree))))
    }

    fn shift(&mut self, stack: StackId, longer: &mut Vec<Path>) {
        let state = self.stacks[stack].state;
        let labels = self.lr.automaton.labels();
        for at in 0..self.lr.automaton.transitions(state).len() {
            let step = self.lr.automaton.transitions(state)[at];
            match labels.label(step.label) {
                Label::Nonterminal(_) => break,
                Label::Terminal(terminal) => {
                    let tree = self.trees.push(Node::Terminal(terminal));
                    longer.push(self.push(stack, at, tree));
                }
                Label::End => {
                    let (_, tree) = self.stacks[stack].below.expect("invariant: a sentence");
                    self.push(stack, at, tree);
                    longer.push(Path::Accepted(tree));
                }
            }
        }
    }

    fn pop(&mut self, stack: StackId, longer: &mut Vec<Path>) {
        let lr = self.lr;
        for reduction in lr.automaton.reductions(self.stacks[stack].state) {
            let production = reduction.production;
            let (mut at, mut children) = (stack, Vec::new());
            for _ in lr.cfg().rhs(production) {
                let (below, tree) = self.stacks[at].below.expect("invariant: the path spells it");
                children.push(tree);
                at = below;
            }
            children.reverse();
            let goto = lr.gotos.find(self.stacks[at].state, lr.cfg().lhs(production));
            let goto = goto.expect("invariant: the item began here");
            self.pops.insert(lr.gotos.pop_rank(lr.cfg(), goto, production) as u64);
            let tree = self.trees.push(Node::Production(production, children));
            longer.push(Path::Popped(at, tree));
        }
    }

    fn candidate(&self, tree: TreeId) -> Candidate {
        let (mut candidate, mut stack) = (Candidate::default(), vec![tree]);
        while let Some(tree) = stack.pop() {
            match &self.trees[tree] {
                Node::Terminal(terminal) => candidate.tokens.push(*terminal),
                Node::Production(production, children) => {
                    candidate.productions.push(*production);
                    stack.extend(children.iter().rev());
                }
            }
        }
        candidate
    }

    fn given_up(&self, language: &Language, construction: Construction) -> LrBfsError {
        let edges = self.edges();
        let missing = edges - self.pushes.len() - self.pops.len();
        let example = (0..self.lr.gotos.pop_count() as u64).find(|&pop| !self.pops.contains(pop));
        // Where the whole grammar is useful, pop edges are those of the criterion.
        let describe = |pop| {
            let edges = LrEdges::pop(language, construction).ok()?;
            (edges.targets() == self.lr.gotos.pop_count() as u64).then(|| edges.describe(pop))
        };
        let example = match missing {
            0 => None,
            _ => Some(example.and_then(describe).unwrap_or_else(|| "a push edge".to_owned())),
        };
        LrBfsError::GivenUp { paths: self.max_paths, missing, edges, example }
    }
}
