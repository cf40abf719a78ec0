//! The paths of symbolic nodes that occur in derivations, found in one walk down.
//!
//! A path exists in a forest of all trees exactly if it can be walked down in it, because everything beside it can
//! be completed in some way (Havrikov, Kampmann, Zeller, TOSEM, section 5.1). A *context* is the list of the last
//! symbolic nodes above a place, and a *step* is a context with the symbolic node that comes next. Contexts and steps
//! are numbered when they are first met, and keep their numbers from one input to the next, so a place that was met
//! before costs one lookup.
//!
//! Linear in a tree; in a forest, cyclic or not, linear in the pairs of a node and its contexts.
//!
//! Example: `Sum := Term ("+" Term)*; Term := "1";` with paths of at most 2 nodes. The tree of `1+1` has the steps
//! `Term₁` (context empty), `Term₁ "1"`, `"+"`, `Term₂` and `Term₂ "1"`.

use gramercy_base::{IndexMap, IndexSet, Set, Table};
use gramercy_grammar::{Bnf, NodeId, Origin, ProductionId, Symbol};
use gramercy_language::Language;
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId};

/// The contexts and steps of the inputs that were walked so far.
#[derive(Clone, Debug)]
pub struct PathSteps {
    longest: usize,
    contexts: IndexSet<Vec<NodeId>>,
    /// For each step the context that it leads to.
    steps: IndexMap<(usize, NodeId), usize>,
}

impl PathSteps {
    /// No step yet. Paths have at most `longest` symbolic nodes.
    ///
    /// # Panics
    /// If `longest` is 0.
    #[must_use]
    pub fn new(longest: usize) -> Self {
        assert!(longest > 0, "invariant: a path has at least one node");
        let mut contexts = IndexSet::default();
        contexts.insert(Vec::new());
        Self { longest, contexts, steps: IndexMap::default() }
    }

    /// The number of steps so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no step yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The path that ends with a step: as many symbolic nodes as there are above it, at most the longest length.
    /// Every suffix of it is a path, too.
    #[must_use]
    pub fn path(&self, step: usize) -> Vec<NodeId> {
        let (&(context, node), _) = self.steps.get_index(step).expect("invariant: it was met");
        let mut path = self.contexts[context].clone();
        path.push(node);
        path
    }

    /// Tells every step that some tree among these takes. Steps may be told several times.
    pub fn walk(
        &mut self,
        language: &Language,
        derivations: &Derivations,
        visit: impl FnMut(usize),
    ) {
        let stack = vec![(derivations.root(), 0)];
        let mut walk = PathWalk { steps: self, language, derivations, visit, stack };
        match derivations.is_unambiguous() {
            true => walk.tree(),
            false => walk.forest(),
        }
    }

    /// The number of a step, and the context that it leads to.
    fn step(&mut self, context: usize, by: NodeId) -> (usize, usize) {
        if let Some((step, _, &next)) = self.steps.get_full(&(context, by)) {
            return (step, next);
        }
        let mut longer = self.contexts[context].clone();
        longer.push(by);
        longer.drain(..longer.len().saturating_sub(self.longest - 1));
        let next = self.contexts.insert_full(longer).0;
        (self.steps.insert_full((context, by), next).0, next)
    }
}

/// The graph node that a position of a production adds to a path, if it adds one.
///
/// A group whose alternatives are all equal has the node of its only alternative, which is met once more below it;
/// so only references to rules and terminals count.
#[must_use]
pub fn symbolic_node(
    language: &Language,
    production: ProductionId,
    position: usize,
) -> Option<NodeId> {
    let bnf = language.bnf();
    bnf.nodes(production)[position].filter(|&node| match bnf.rhs(production)[position] {
        Symbol::Terminal(_) => true,
        symbol => is_reference(bnf, symbol) && language.graph().kind(node).is_symbolic(),
    })
}

/// Whether a symbol was made from a reference to a rule.
fn is_reference(bnf: &Bnf, symbol: Symbol) -> bool {
    match symbol {
        Symbol::Nonterminal(id) => matches!(bnf.nonterminals()[id].origin, Origin::Rule(_)),
        Symbol::Terminal(_) => false,
    }
}

struct PathWalk<'w, V> {
    steps: &'w mut PathSteps,
    language: &'w Language,
    derivations: &'w Derivations,
    visit: V,
    stack: Vec<(DerivedId, usize)>,
}

impl<V: FnMut(usize)> PathWalk<'_, V> {
    /// One derivation: no node is visited twice in the same context.
    fn tree(&mut self) {
        while let Some((node, context)) = self.stack.pop() {
            self.below(node, context, |_, _| true);
        }
    }

    fn forest(&mut self) {
        let mut seen = Visits::new(self.derivations.len());
        while let Some((node, context)) = self.stack.pop() {
            self.below(node, context, |child, context| seen.is_first(child, context));
        }
    }

    fn step(&mut self, context: usize, by: NodeId) -> usize {
        let (step, next) = self.steps.step(context, by);
        (self.visit)(step);
        next
    }

    /// Steps to all leaves below a node, and to those nodes below it that are wanted.
    fn below(
        &mut self,
        node: DerivedId,
        context: usize,
        mut is_wanted: impl FnMut(DerivedId, usize) -> bool,
    ) {
        let (derivations, bnf) = (self.derivations, self.language.bnf());
        let is_whole = matches!(derivations.label(node), Derived::Nonterminal(_));
        for way in derivations.ways(node) {
            if let Some(prefix) = way.prefix.filter(|&prefix| is_wanted(prefix, context)) {
                self.stack.push((prefix, context));
            }
            for (part, position) in way.parts.iter().zip(way.position..) {
                let symbolic = symbolic_node(self.language, way.production, position);
                let next = symbolic.map_or(context, |by| self.step(context, by));
                if let DerivedChild::Node(child) = *part
                    && is_wanted(child, next)
                {
                    self.stack.push((child, next));
                }
            }
            for &(_, leaf) in bnf.silent(way.production).iter().filter(|_| is_whole) {
                self.step(context, leaf);
            }
        }
    }
}

/// The contexts in which each node was visited. The first 64 contexts have a bit each, because a forest has many
/// more ways to a node than nodes, and seldom more contexts.
struct Visits {
    first: Table<DerivedId, u64>,
    others: Set<(DerivedId, usize)>,
}

impl Visits {
    fn new(nodes: usize) -> Self {
        Self { first: Table::filled(0, nodes), others: Set::default() }
    }

    fn is_first(&mut self, node: DerivedId, context: usize) -> bool {
        if context >= u64::BITS as usize {
            return self.others.insert((node, context));
        }
        let before = self.first[node];
        self.first[node] |= 1 << context;
        self.first[node] != before
    }
}
