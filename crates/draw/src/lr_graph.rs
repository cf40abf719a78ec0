//! The picture of the LR-graph, after Figure 1 of Rossouw, Fischer, JSS 2024.
//!
//! Vertices are states with their items, up to a limit: first the kernel, then the closure, both with
//! lookaheads if the automaton has them. The initial state is gray, the accepting one has a double
//! outline, and states with conflicts, before precedence resolves any, are red and list the tokens of
//! their conflicts. Push edges are solid with their symbol; pop edges are dashed with A/n: the left-hand
//! side and the number of popped states. Linear in the edges.

use gramercy_base::{Id, IndexSet, Map};
use gramercy_grammar::{Bnf, Grammar, ProductionId, Symbol};
use gramercy_lr::{
    Closures, Label as Symbolic, LabelId, LookaheadsId, LrGraph, StateId, TerminalOrEnd, conflicts,
};

use crate::sketch::{Edge, Label, Look, Sketch, Stroke, Vertex, VertexId};

/// The maximal number of items on a state.
const MOST_ITEMS: usize = 12;
/// The maximal number of lookaheads on an item.
const MOST_LOOKAHEADS: usize = 6;

/// A picture of the LR-graph of a grammar's BNF core.
#[must_use]
pub fn lr_graph(grammar: &Grammar, bnf: &Bnf, graph: &LrGraph<'_>) -> Sketch {
    let automaton = graph.automaton();
    let mut conflicts: Map<StateId, Vec<TerminalOrEnd>> = Map::default();
    for conflict in conflicts::conflicts(bnf, automaton) {
        conflicts.entry(conflict.state).or_default().push(conflict.next);
    }
    let closures = Closures::new(bnf);
    let sketcher = LrGraphSketcher { grammar, bnf, graph, closures, conflicts };
    let construction = automaton.construction().as_str();
    let title = format!("LR-graph of {} ({construction})", grammar.name());
    let vertices = automaton.states().map(|state| sketcher.vertex(state)).collect();
    Sketch { title, ordered: false, vertices, edges: sketcher.edges() }
}

struct LrGraphSketcher<'a> {
    grammar: &'a Grammar,
    bnf: &'a Bnf,
    graph: &'a LrGraph<'a>,
    closures: Closures<'a>,
    /// The states with conflicts, and the next inputs on which they have them.
    conflicts: Map<StateId, Vec<TerminalOrEnd>>,
}

impl LrGraphSketcher<'_> {
    fn vertex(&self, state: StateId) -> Vertex {
        let automaton = self.graph.automaton();
        let name = format!("q{}", state.index());
        let (look, heading) = if state == automaton.initial() {
            (Look::Start, "q_init".into())
        } else if state == automaton.accepting() {
            (Look::Accept, "q_acc".into())
        } else if self.conflicts.contains_key(&state) {
            (Look::Conflict, name.clone())
        } else {
            (Look::State, name.clone())
        };
        let heading = match self.conflicts.get(&state) {
            Some(inputs) => format!("{heading}, conflict on{}", self.names(inputs.iter().copied())),
            None => heading,
        };
        Vertex { name, look, label: Label::Lines(heading, self.items(state)) }
    }

    fn items(&self, state: StateId) -> Vec<String> {
        let automaton = self.graph.automaton();
        let items = automaton.items();
        let kernel = automaton.kernel(state).iter().map(|kernel| {
            let (production, dot) = (items.production(kernel.item), items.dot(kernel.item));
            let lookaheads = kernel.lookaheads.map(|lookaheads| self.lookaheads(lookaheads));
            self.item(production, dot) + &lookaheads.unwrap_or_default()
        });
        let lookaheads = self.closures.lookaheads(automaton, state);
        let closure = self.graph.pops_to(state).map(|production| {
            let lookaheads = lookaheads.get(&self.bnf.lhs(production));
            let lookaheads = lookaheads.map(|inputs| self.names(inputs.iter()));
            self.item(Some(production), 0) + &lookaheads.unwrap_or_default()
        });
        let mut lines: Vec<String> = kernel.chain(closure).collect();
        if lines.len() > MOST_ITEMS {
            let more = lines.len() - (MOST_ITEMS - 1);
            lines.truncate(MOST_ITEMS - 1);
            lines.push(format!("\u{2026} {more} more"));
        }
        lines
    }

    /// A production with a dot; `None` is that of the augmented start.
    fn item(&self, production: Option<ProductionId>, dot: usize) -> String {
        let bnf = self.bnf;
        let name = |&symbol: &Symbol| bnf.symbol_name(self.grammar, symbol).to_owned();
        let (lhs, mut rhs): (String, Vec<String>) = match production {
            Some(production) => {
                let lhs = name(&Symbol::Nonterminal(bnf.lhs(production)));
                (lhs, bnf.rhs(production).iter().map(name).collect())
            }
            None => {
                let start = name(&Symbol::Nonterminal(bnf.start()));
                (format!("{start}'"), vec![start, "$".into()])
            }
        };
        rhs.insert(dot, "\u{2022}".into());
        format!("{lhs} \u{2192} {}", rhs.join(" "))
    }

    fn lookaheads(&self, lookaheads: LookaheadsId) -> String {
        self.names(self.graph.automaton().lookahead_ids(lookaheads))
    }

    /// Some inputs in braces, after a space.
    fn names(&self, inputs: impl Iterator<Item = TerminalOrEnd>) -> String {
        let automaton = self.graph.automaton();
        let label = |next| self.symbol(automaton.labels().input(next));
        let mut names: Vec<_> = inputs.map(label).collect();
        if names.len() > MOST_LOOKAHEADS {
            let more = names.len() - (MOST_LOOKAHEADS - 1);
            names.truncate(MOST_LOOKAHEADS - 1);
            names.push(format!("\u{2026} {more} more"));
        }
        // The augmented start has no lookaheads.
        if names.is_empty() { String::new() } else { format!(" {{{}}}", names.join(" ")) }
    }

    fn symbol(&self, label: LabelId) -> String {
        let bnf = self.bnf;
        let name = |symbol| bnf.symbol_name(self.grammar, symbol).to_owned();
        match self.graph.automaton().labels().label(label) {
            Symbolic::Terminal(terminal) => name(Symbol::Terminal(terminal)),
            Symbolic::End => "$".into(),
            Symbolic::Nonterminal(nonterminal) => name(Symbol::Nonterminal(nonterminal)),
        }
    }

    fn edges(&self) -> Vec<Edge> {
        let bnf = self.bnf;
        let vertex = |state: StateId| VertexId::from_index(state.index());
        let push = self.graph.push_edges().map(|edge| Edge {
            from: vertex(edge.source),
            to: vertex(edge.target),
            stroke: Stroke::Solid,
            label: self.symbol(edge.label),
        });
        // A repeated production gives equal edges.
        let pop: IndexSet<_> = self
            .graph
            .pop_edges()
            .map(|edge| {
                let production = edge.production;
                (edge.source, bnf.lhs(production), bnf.rhs(production).len(), edge.target)
            })
            .collect();
        let pop = pop.into_iter().map(|(source, lhs, len, target)| Edge {
            from: vertex(source),
            to: vertex(target),
            stroke: Stroke::Dashed,
            label: format!("{}/{len}", bnf.nonterminals()[lhs].name),
        });
        push.chain(pop).collect()
    }
}
