//! Random trees of bounded depth: Algorithm 2 of Havrikov, Kampmann, Zeller, TOSEM, with the corrections below.
//!
//! Depth is that of the grammar graph, synthetic nodes included, as in the paper. A production fits
//! if every node it adds, with the shallowest tree below it, ends above the limit; among those that fit
//! one is chosen. Where none fits, which only alternations can bring about, the tree is closed off as
//! shallowly as possible, and the limit is exceeded by what the grammar demands. So it is once a tree has
//! enough tokens.
//!
//! The number of repetitions of a quantifier without maximum is drawn from its minimum up to a bound.
//! The choice between alternatives is uniform, follows the probabilities of the notation, or prefers
//! what was used least; before that it can be restricted to the alternatives that are the c-th lowest.
//! Linear in the tree, times the alternatives at each choice.

use gramercy_analysis::{Heights, NodeHeights};
use gramercy_base::{Draw, Table};
use gramercy_grammar::{ExprKind, NodeId, NonterminalId, Origin, ProductionId, Symbol};
use gramercy_language::Language;

use crate::least_used::{Above, LeastUsed, Uses};
use crate::methods::bounds::max_expansions;
use crate::weighing::{Weighing, weights};
use gramercy_derive::candidate::Candidate;
use gramercy_derive::path_ranks::Symbolic;

/// How alternatives are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// All alike.
    Uniform,
    /// By the probabilities of the notation.
    Weighted(Weighing),
    /// What was used least so far, ties drawn.
    LeastUsed(LeastUsed),
}

/// How random trees are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphOptions {
    /// The depth in nodes of the grammar graph that a tree does not exceed if it need not.
    pub depth: u32,
    /// The maximum number of repetitions where the grammar has none, unless its minimum is larger.
    pub repetitions: u32,
    /// How alternatives are chosen.
    pub choice: Choice,
    /// Only the alternatives of the c-th smallest height are chosen from, counted from 0, or of the
    /// greatest where there are fewer heights; without it, all that fit.
    pub partition: Option<usize>,
    /// Number of tokens after which the rest of a tree is as low as possible: trees may be exponential in the depth.
    pub tokens: u64,
}

impl Default for GraphOptions {
    fn default() -> Self {
        let (choice, partition) = (Choice::Uniform, None);
        Self { depth: 30, repetitions: 10, choice, partition, tokens: 10_000 }
    }
}

/// Makes random trees.
#[derive(Clone, Debug)]
pub struct GraphSampler<'v> {
    language: &'v Language,
    symbolic: Symbolic,
    options: GraphOptions,
    heights: Heights,
    /// How far each node is below the root of its right-hand side.
    within: Table<NodeId, u32>,
    /// How deep a production goes at least, from the root of its rule's right-hand side.
    needs: Table<ProductionId, u32>,
    weights: Option<Table<ProductionId, f64>>,
    uses: Option<Uses>,
    stack: Vec<Slot>,
    fitting: Vec<ProductionId>,
}

/// Something still to be derived.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// What is to be derived.
    pub symbol: Symbol,
    /// The depth of the root of the right-hand side it is derived in: that of its rule, or for what
    /// stands for a group or quantifier, that of the rule it stands in.
    pub base: u32,
    above: Above,
}

impl Slot {
    /// A slot of a nonterminal, or of anything else, with nothing known above it.
    #[must_use]
    pub fn new(symbol: Symbol, base: u32) -> Self {
        Self { symbol, base, above: Above::default() }
    }
}

impl<'v> GraphSampler<'v> {
    /// A sampler of a grammar's trees.
    #[must_use]
    pub fn new(language: &'v Language, options: GraphOptions) -> Self {
        let productive = |production| language.productive().has_production(production);
        let heights = Heights::among(language.bnf(), &productive);
        let within = depths_within(language);
        let needs = needs(language, &within);
        let weights = match options.choice {
            Choice::Weighted(weighing) => Some(weights(language, weighing)),
            Choice::Uniform | Choice::LeastUsed(_) => None,
        };
        let uses = match options.choice {
            Choice::LeastUsed(what) => Some(Uses::new(what)),
            Choice::Uniform | Choice::Weighted(_) => None,
        };
        let symbolic = Symbolic::new(language);
        let (stack, fitting) = (Vec::new(), Vec::new());
        Self { language, symbolic, options, heights, within, needs, weights, uses, stack, fitting }
    }

    /// The smallest depth that some tree keeps to; `None` if the grammar has no tree.
    #[must_use]
    pub fn least_depth(&self) -> Option<u32> {
        let bnf = self.language.bnf();
        let productions = bnf.productions_of(bnf.start()).iter();
        let productive = productions.filter(|&&id| self.language.productive().has_production(id));
        productive.map(|&production| self.needs[production]).min()
    }

    /// Appends a random sentence; `false` if the grammar has none.
    pub fn sentence(&mut self, draw: &mut Draw, candidate: &mut Candidate) -> bool {
        let start = self.language.bnf().start();
        let is_any = self.language.productive().contains(start);
        if is_any {
            self.close(Slot::new(Symbol::Nonterminal(start), 0), draw, candidate);
        }
        is_any
    }

    /// The slot at a position of a production that is expanded at `base`.
    #[must_use]
    pub fn slot(&self, production: ProductionId, position: usize, base: u32) -> Slot {
        let bnf = self.language.bnf();
        let symbol = bnf.rhs(production)[position];
        let node = self.symbolic.nodes(bnf, production)[position];
        Slot::new(symbol, node.map_or(base, |node| base + self.within[node] + 1))
    }

    /// Appends a random tree of a slot.
    ///
    /// # Panics
    /// If it derives nothing.
    pub fn close(&mut self, slot: Slot, draw: &mut Draw, candidate: &mut Candidate) {
        if let Some(uses) = &mut self.uses {
            uses.begin();
        }
        self.stack.push(slot);
        while let Some(slot) = self.stack.pop() {
            match slot.symbol {
                Symbol::Terminal(terminal) => candidate.tokens.push(terminal),
                Symbol::Nonterminal(nonterminal) => self.expand(nonterminal, slot, draw, candidate),
            }
        }
    }

    fn expand(
        &mut self,
        nonterminal: NonterminalId,
        slot: Slot,
        draw: &mut Draw,
        candidate: &mut Candidate,
    ) {
        self.fitting.clear();
        let is_full = candidate.tokens.len() as u64 >= self.options.tokens
            || candidate.productions.len() as u64 >= max_expansions(self.options.tokens);
        match is_full {
            true => candidate.is_closed_off = true,
            false => self.find_fitting(nonterminal, slot.base),
        }
        match (self.fitting.len(), self.repeated(nonterminal)) {
            (0, _) => {
                let lowest = self.heights.production(nonterminal);
                self.apply(lowest.expect("invariant: the slot is productive"), slot, candidate);
            }
            (2, Some((once, again))) => self.repeat(once, again, slot, draw, candidate),
            _ => {
                let production = self.choose(slot.above, draw);
                self.apply(production, slot, candidate);
            }
        }
    }

    fn find_fitting(&mut self, nonterminal: NonterminalId, base: u32) {
        let (language, needs, limit) = (self.language, &self.needs, self.options.depth);
        let fits = |&&id: &&ProductionId| {
            language.productive().has_production(id) && base.saturating_add(needs[id]) <= limit
        };
        self.fitting.extend(language.bnf().productions_of(nonterminal).iter().filter(fits));
        if let Some(partition) = self.options.partition
            && self.repeated(nonterminal).is_none()
        {
            let mut heights: Vec<u32> = self.fitting.iter().map(|&id| needs[id]).collect();
            heights.sort_unstable();
            heights.dedup();
            let chosen = heights.get(partition).or(heights.last()).copied();
            self.fitting.retain(|&id| Some(needs[id]) == chosen);
        }
    }

    /// The productions of a quantifier without maximum: how it begins, and how it goes on.
    fn repeated(&self, nonterminal: NonterminalId) -> Option<(ProductionId, ProductionId)> {
        let bnf = self.language.bnf();
        let Origin::Repeat(expr) = bnf.nonterminals()[nonterminal].origin else { return None };
        let is_endless =
            matches!(self.language.grammar().expr(expr).kind, ExprKind::Repeat { max: None, .. });
        let own = Some(&Symbol::Nonterminal(nonterminal));
        match bnf.productions_of(nonterminal) {
            &[once, again] if is_endless && bnf.rhs(again).first() == own => Some((once, again)),
            _ => None,
        }
    }

    /// A number of repetitions is drawn, and the quantifier expanded so often.
    fn repeat(
        &mut self,
        once: ProductionId,
        again: ProductionId,
        slot: Slot,
        draw: &mut Draw,
        candidate: &mut Candidate,
    ) {
        let least = u32::from(!self.language.bnf().rhs(once).is_empty());
        let more = self.options.repetitions.saturating_sub(least) as usize;
        let drawn = draw.below(more + 1);
        for _ in 0..drawn {
            candidate.productions.push(again);
            // What is repeated stands after the quantifier itself.
            self.push_slots(again, 1, slot);
        }
        self.apply(once, slot, candidate);
    }

    fn choose(&mut self, above: Above, draw: &mut Draw) -> ProductionId {
        if let Some(uses) = &self.uses {
            let language = (self.language.bnf(), &self.symbolic);
            uses.keep_least_used(language, above, &mut self.fitting);
        }
        match &self.weights {
            Some(weights) => by_weight(&self.fitting, weights, draw),
            None => self.fitting[draw.below(self.fitting.len())],
        }
    }

    fn apply(&mut self, production: ProductionId, slot: Slot, candidate: &mut Candidate) {
        candidate.productions.push(production);
        if let Some(uses) = &mut self.uses {
            uses.count((self.language.bnf(), &self.symbolic), slot.above, production);
        }
        self.push_slots(production, 0, slot);
    }

    fn push_slots(&mut self, production: ProductionId, from: usize, slot: Slot) {
        let bnf = self.language.bnf();
        for position in (from..bnf.rhs(production).len()).rev() {
            let mut below = self.slot(production, position, slot.base);
            let node = self.symbolic.nodes(bnf, production)[position];
            below.above = match (&mut self.uses, node) {
                (Some(uses), Some(node)) => uses.below(slot.above, node),
                _ => slot.above,
            };
            self.stack.push(below);
        }
    }
}

fn by_weight(
    fitting: &[ProductionId],
    weights: &Table<ProductionId, f64>,
    draw: &mut Draw,
) -> ProductionId {
    const STEPS: usize = 1 << 53;
    let total: f64 = fitting.iter().map(|&id| weights[id]).sum();
    // Alternatives of probability 0 may be all that fit.
    if total <= 0.0 {
        return fitting[draw.below(fitting.len())];
    }
    #[expect(clippy::cast_precision_loss, reason = "53 bits are what a float holds")]
    let mut left = draw.below(STEPS) as f64 / STEPS as f64 * total;
    for &id in fitting {
        left -= weights[id];
        if left < 0.0 {
            return id;
        }
    }
    let possible = fitting.iter().rev().find(|&&id| weights[id] > 0.0);
    *possible.expect("invariant: the sum is positive")
}

/// How far each node is below the root of its right-hand side.
fn depths_within(language: &Language) -> Table<NodeId, u32> {
    let graph = language.graph();
    let mut within = Table::filled(0, graph.len());
    let bodies = language.grammar().syntax_rules().filter_map(|(_, rule)| graph.node_of(rule.body));
    let mut stack: Vec<NodeId> = bodies.collect();
    while let Some(node) = stack.pop() {
        if !graph.kind(node).is_symbolic() {
            for &child in graph.children(node) {
                within[child] = within[node] + 1;
                stack.push(child);
            }
        }
    }
    within
}

fn needs(language: &Language, within: &Table<NodeId, u32>) -> Table<ProductionId, u32> {
    let (bnf, heights) = (language.bnf(), NodeHeights::of(language.graph()));
    let need = |node: NodeId| within[node].saturating_add(heights.height(node).unwrap_or(0));
    let of_production = |production: ProductionId| {
        // Only the choice between two forms of the start rule stands for no node.
        let nodes =
            bnf.nodes(production).iter().map(|node| node.unwrap_or(language.graph().root()));
        let silent = bnf.silent(production).iter().map(|&(_, leaf)| leaf);
        nodes.chain(silent).map(need).max().unwrap_or(0)
    };
    bnf.productions().map(of_production).collect()
}
