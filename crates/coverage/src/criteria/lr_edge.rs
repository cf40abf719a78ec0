//! `push-edge:A` and `pop-edge:A`: every edge of the LR-graph of automaton A is taken (Rossouw, Fischer, JSS 2024).
//!
//! Which edges a derivation takes depends on the state to its left, so measuring goes down from the
//! root with the state in which each node begins: linear in the pairs of a node and a state. Edges
//! are ranked in the graph's own order. LALR(1) has the graph of LR(0). An edge can be covered if it
//! lies on a reduction path that can be embedded in a sentence's ([`EmbeddingTree`]); in a grammar
//! with symbols that derive nothing that is more than that its own symbols derive something.

use gramercy_base::{Id, LimitReached, Set, Span};
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_lr::{Automaton, Construction, EmbeddingTree, GotoId, Gotos, Label, LabelId, StateId};
use gramercy_parse::{Derived, DerivedChild, DerivedId};

use crate::criteria::{useless_production, useless_symbol};
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;
use gramercy_language::LrView;

/// The push or pop edges of an LR-graph as targets.
#[derive(Debug)]
pub struct LrEdges<'v> {
    language: &'v Language,
    automaton: &'v Automaton,
    gotos: &'v Gotos,
    kind: Kind,
    coverable: TargetSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Push,
    Pop,
}

impl<'v> LrEdges<'v> {
    /// The push edges.
    ///
    /// # Errors
    /// If the automaton has more states than the limit.
    pub fn push(language: &'v Language, construction: Construction) -> Result<Self, LimitReached> {
        Self::new(language, construction, Kind::Push)
    }

    /// The pop edges.
    ///
    /// # Errors
    /// If the automaton has more states than the limit.
    pub fn pop(language: &'v Language, construction: Construction) -> Result<Self, LimitReached> {
        Self::new(language, construction, Kind::Pop)
    }

    fn new(
        language: &'v Language,
        construction: Construction,
        kind: Kind,
    ) -> Result<Self, LimitReached> {
        let LrView { automaton, gotos, .. } = language.lr(construction)?;
        let mut edges = Self { language, automaton, gotos, kind, coverable: TargetSet::new() };
        edges.find_coverable();
        Ok(edges)
    }

    /// Walks along all reduction paths that can be embedded.
    fn find_coverable(&mut self) {
        let (cfg, productive) = (self.language.bnf(), &self.language.productive());
        let chosen = |id| productive.has_production(id);
        let tree = EmbeddingTree::new(cfg, self.automaton, self.gotos, &chosen);
        let mut coverable = TargetSet::with_room(self.targets());
        if self.kind == Kind::Push && !tree.order().is_empty() {
            self.cover_start(&mut coverable);
        }
        for &goto in tree.order() {
            let productions = cfg.productions_of(self.gotos.nonterminal(goto)).iter().copied();
            for production in productions.filter(|&id| chosen(id)) {
                match self.kind {
                    Kind::Pop => {
                        coverable.insert(self.gotos.pop_rank(cfg, goto, production) as u64);
                    }
                    Kind::Push => self.cover_path(goto, production, &mut coverable),
                }
            }
        }
        self.coverable = coverable;
    }

    /// The push of the start symbol and that of the end.
    fn cover_start(&self, covered: &mut TargetSet) {
        let (labels, initial) = (self.automaton.labels(), self.automaton.initial());
        let start = labels.nonterminal(self.language.bnf().start());
        covered.insert(self.push_rank(initial, start));
        covered.insert(self.push_rank(self.step(initial, start), labels.end()));
    }

    /// All pushes of a reduction path.
    fn cover_path(&self, goto: GotoId, production: ProductionId, covered: &mut TargetSet) {
        let labels = self.automaton.labels();
        let mut at = self.gotos.source(goto);
        for &symbol in self.language.bnf().rhs(production) {
            let label = labels.symbol(symbol);
            covered.insert(self.push_rank(at, label));
            at = self.step(at, label);
        }
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &Automaton {
        self.automaton
    }

    /// The state that a push edge leaves, and its label.
    fn push_edge(&self, target: TargetId) -> (StateId, LabelId) {
        let rows = self.automaton.all_transitions();
        let at = fit(target);
        (rows.row_at(at), rows.items()[at].label)
    }

    /// The push that a pop edge is followed by, and its production.
    fn pop_edge(&self, target: TargetId) -> (GotoId, ProductionId) {
        self.gotos.pop_at(self.language.bnf(), fit(target))
    }

    fn push_rank(&self, state: StateId, label: LabelId) -> TargetId {
        let rows = self.automaton.all_transitions();
        let at = rows.row(state).binary_search_by_key(&label, |step| step.label);
        let at = at.expect("invariant: the derivation pushes it");
        (rows.range(state).start + at) as u64
    }

    fn pop_rank(&self, state: StateId, production: ProductionId) -> TargetId {
        let goto = self.gotos.find(state, self.language.bnf().lhs(production));
        let goto = goto.expect("invariant: what is derived is in the closure");
        self.gotos.pop_rank(self.language.bnf(), goto, production) as u64
    }

    fn step(&self, state: StateId, label: LabelId) -> StateId {
        self.automaton.step(state, label).expect("invariant: a derivation is in the automaton")
    }
}

impl Criterion for LrEdges<'_> {
    fn targets(&self) -> u64 {
        match self.kind {
            Kind::Push => self.automaton.all_transitions().items().len() as u64,
            Kind::Pop => self.gotos.pop_count() as u64,
        }
    }

    fn coverable(&self) -> u64 {
        self.coverable.len()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        if self.coverable.contains(target) {
            return None;
        }
        let reason = match self.kind {
            Kind::Pop => useless_production(self.language, self.pop_edge(target).1),
            Kind::Push => {
                let symbol = match self.automaton.labels().label(self.push_edge(target).1) {
                    Label::Terminal(terminal) => Symbol::Terminal(terminal),
                    Label::Nonterminal(nonterminal) => Symbol::Nonterminal(nonterminal),
                    Label::End => Symbol::Nonterminal(self.language.bnf().start()),
                };
                useless_symbol(self.language, symbol)
            }
        };
        // What is used elsewhere is not used in this state.
        Some(reason.unwrap_or(Uncoverable::Unproductive))
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let labels = self.automaton.labels();
        let initial = self.automaton.initial();
        if self.kind == Kind::Push {
            self.cover_start(covered);
        }
        let mut seen: Set<(DerivedId, StateId)> = Set::default();
        let mut stack = vec![(derivations.root(), initial)];
        while let Some((node, state)) = stack.pop() {
            if !seen.insert((node, state)) {
                continue;
            }
            let is_whole = matches!(derivations.label(node), Derived::Nonterminal(_));
            for way in derivations.ways(node) {
                if let Some(prefix) = way.prefix {
                    stack.push((prefix, state));
                }
                let mut at = state;
                let symbols = self.language.bnf().rhs(way.production);
                for (position, &symbol) in symbols.iter().enumerate() {
                    let part = position.checked_sub(way.position).and_then(|at| way.parts.get(at));
                    if position >= way.position + way.parts.len() {
                        break;
                    }
                    let label = labels.symbol(symbol);
                    if let Some(part) = part {
                        if let DerivedChild::Node(child) = part {
                            stack.push((*child, at));
                        }
                        if self.kind == Kind::Push {
                            covered.insert(self.push_rank(at, label));
                        }
                    }
                    at = self.step(at, label);
                }
                if is_whole && self.kind == Kind::Pop {
                    covered.insert(self.pop_rank(state, way.production));
                }
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        match self.kind {
            Kind::Push => {
                let (state, label) = self.push_edge(target);
                let name = match self.automaton.labels().label(label) {
                    Label::Terminal(terminal) => {
                        pattern::symbol(self.language, Symbol::Terminal(terminal))
                    }
                    Label::Nonterminal(id) => {
                        pattern::symbol(self.language, Symbol::Nonterminal(id))
                    }
                    Label::End => "$",
                };
                let to = self.step(state, label);
                format!("q{} → {name} → q{}", state.index(), to.index())
            }
            Kind::Pop => {
                let (goto, production) = self.pop_edge(target);
                describe_pop(self.language, self.automaton, self.gotos.source(goto), production)
            }
        }
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        match self.kind {
            Kind::Push => None,
            Kind::Pop => pattern::production_place(self.language, self.pop_edge(target).1),
        }
    }
}

/// A pop edge for people.
pub(super) fn describe_pop(
    language: &Language,
    automaton: &Automaton,
    target: StateId,
    production: ProductionId,
) -> String {
    let labels = automaton.labels();
    let source = language.bnf().rhs(production).iter().fold(target, |state, &symbol| {
        let next = automaton.step(state, labels.symbol(symbol));
        next.expect("invariant: what is after a dot can be pushed")
    });
    let production = pattern::production(language, production);
    format!("q{} ⇢ q{} by {production}", source.index(), target.index())
}

fn fit(target: TargetId) -> usize {
    usize::try_from(target).expect("invariant: edges fit in memory")
}
