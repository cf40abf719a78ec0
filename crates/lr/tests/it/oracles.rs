//! Automata and graphs of random grammars against the definitions, taken literally.

use std::collections::{BTreeMap, BTreeSet};

use gramercy_analysis::{First, Nullable, Productive, TerminalOrEnd};
use gramercy_base::{Id, bits};
use gramercy_grammar::{Bnf, Symbol};
use gramercy_lr::Construction::{Canonical, Lalr, Lr0};
use gramercy_lr::{
    Automaton, ConflictCounts, Construction, ItemId, LabelId, LrGraph, PopEdge, ReductionPath,
    StateId, conflicts,
};
use proptest::prelude::*;

use crate::Views;
use crate::build;
use crate::grammars::{bnf_texts, ebnf_texts, for_random};

/// Items with their lookaheads.
type ItemSet = BTreeMap<ItemId, BTreeSet<TerminalOrEnd>>;

/// The canonical collection by closing and advancing complete item sets.
struct Naive<'a> {
    bnf: &'a Bnf,
    automaton: &'a Automaton,
    nullable: Nullable,
    first: First,
}

impl<'a> Naive<'a> {
    fn new(bnf: &'a Bnf, automaton: &'a Automaton) -> Self {
        let (productive, nullable) = (Productive::of(bnf), Nullable::of(bnf));
        let first = First::of(bnf, &productive, &nullable);
        Self { bnf, automaton, nullable, first }
    }

    fn close(&self, kernel: &ItemSet) -> ItemSet {
        let mut closed = kernel.clone();
        loop {
            let before = closed.clone();
            for (&item, follow) in &before {
                let labels = self.automaton.labels();
                let next = self.automaton.items().next(item);
                let Some(inner) = next.and_then(|label| labels.as_nonterminal(label)) else {
                    continue;
                };
                for &production in self.bnf.productions_of(inner) {
                    let entry = closed.entry(self.automaton.items().first(production));
                    entry.or_default().extend(self.behind(item, follow));
                }
            }
            if closed == before {
                return closed;
            }
        }
    }

    /// The lookaheads of the symbol after an item's dot.
    fn behind(&self, item: ItemId, follow: &BTreeSet<TerminalOrEnd>) -> BTreeSet<TerminalOrEnd> {
        let items = self.automaton.items();
        let Some(production) = items.production(item) else {
            return [TerminalOrEnd::end(self.bnf)].into();
        };
        let rest: &[Symbol] = &self.bnf.rhs(production)[items.dot(item) + 1..];
        let mut behind: BTreeSet<_> =
            self.first.of_symbols(self.bnf, &self.nullable, rest).iter().collect();
        if self.nullable.all(rest) {
            behind.extend(follow);
        }
        behind
    }

    /// Kernels and transitions, breadth first in the order of labels.
    fn collect(&self) -> (Vec<ItemSet>, Vec<BTreeMap<LabelId, usize>>) {
        let items = self.automaton.items();
        let mut kernels = vec![ItemSet::from([(items.start(), BTreeSet::new())])];
        let mut transitions = Vec::new();
        while transitions.len() < kernels.len() {
            let mut successors: BTreeMap<LabelId, ItemSet> = BTreeMap::new();
            for (item, follow) in self.close(&kernels[transitions.len()]) {
                if let Some(label) = items.next(item) {
                    successors.entry(label).or_default().insert(items.advance(item), follow);
                }
            }
            let number = |(label, kernel): (LabelId, ItemSet)| {
                let known = kernels.iter().position(|known| *known == kernel);
                let number = known.unwrap_or_else(|| {
                    kernels.push(kernel);
                    kernels.len() - 1
                });
                (label, number)
            };
            transitions.push(successors.into_iter().map(number).collect());
        }
        (kernels, transitions)
    }
}

fn kernel_of(automaton: &Automaton, state: StateId) -> ItemSet {
    let set = |item: &gramercy_lr::KernelItem| {
        let lookaheads = item.lookaheads.map(|id| automaton.lookahead_ids(id).collect());
        (item.item, lookaheads.unwrap_or_default())
    };
    automaton.kernel(state).iter().map(set).collect()
}

fn transitions_of(automaton: &Automaton, state: StateId) -> BTreeMap<LabelId, usize> {
    automaton.transitions(state).iter().map(|t| (t.label, t.target.index())).collect()
}

#[test]
fn canonical_is_the_collection_of_item_sets() {
    for_random(300, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        let automaton = build(bnf, Canonical);
        let naive = Naive::new(bnf, &automaton);
        let (kernels, transitions) = naive.collect();
        prop_assert_eq!(automaton.state_count(), kernels.len());
        for (state, (kernel, transitions)) in
            automaton.states().zip(kernels.iter().zip(&transitions))
        {
            prop_assert_eq!(&kernel_of(&automaton, state), kernel);
            prop_assert_eq!(&transitions_of(&automaton, state), transitions);
            check_reductions(bnf, &automaton, state, &naive.close(kernel))?;
        }
        Ok(())
    });
}

/// The complete items of a closed state are its reductions, with the same lookaheads.
fn check_reductions(
    bnf: &Bnf,
    automaton: &Automaton,
    state: StateId,
    closed: &ItemSet,
) -> Result<(), TestCaseError> {
    let items = automaton.items();
    let mut complete: Vec<_> = closed
        .iter()
        .filter(|&(&item, _)| items.next(item).is_none())
        .filter_map(|(&item, follow)| Some((items.production(item)?, follow.clone())))
        .collect();
    complete.sort();
    let reductions: Vec<_> = automaton
        .reductions(state)
        .iter()
        .map(|reduction| {
            let set = reduction.lookaheads.map(|id| automaton.lookahead_ids(id).collect());
            (reduction.production, set.unwrap_or_default())
        })
        .collect();
    prop_assert_eq!(&reductions, &complete, "{} productions", bnf.production_count());
    Ok(())
}

#[test]
fn lalr_is_canonical_merged_by_items() {
    for_random(300, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        let [lr0, lalr, canonical] = Construction::ALL.map(|which| build(bnf, which));
        let items = |kernel: ItemSet| kernel.into_keys().collect::<Vec<_>>();
        let mut merged: BTreeMap<Vec<ItemId>, ItemSet> = BTreeMap::new();
        for state in canonical.states() {
            let kernel = kernel_of(&canonical, state);
            let into = merged.entry(items(kernel.clone())).or_default();
            for (item, lookaheads) in kernel {
                into.entry(item).or_default().extend(lookaheads);
            }
        }
        prop_assert_eq!(lalr.state_count(), merged.len());
        prop_assert_eq!(lr0.state_count(), merged.len());
        for state in lalr.states() {
            let kernel = kernel_of(&lalr, state);
            prop_assert_eq!(&items(kernel_of(&lr0, state)), &items(kernel.clone()));
            prop_assert_eq!(transitions_of(&lr0, state), transitions_of(&lalr, state));
            prop_assert_eq!(Some(&kernel), merged.get(&items(kernel.clone())));
            let closed = Naive::new(bnf, &lalr).close(&kernel);
            check_reductions(bnf, &lalr, state, &closed)?;
        }
        Ok(())
    });
}

/// Pop edges by their definition: from complete items backwards along push edges (Rossouw, Fischer,
/// JSS 2024, section 3).
fn backward_pop_edges(bnf: &Bnf, automaton: &Automaton) -> BTreeSet<PopEdge> {
    let mut edges = BTreeSet::new();
    for source in automaton.states() {
        for reduction in automaton.reductions(source) {
            let mut here = BTreeSet::from([source]);
            for &symbol in bnf.rhs(reduction.production).iter().rev() {
                let label = automaton.labels().symbol(symbol);
                let leads = |&from: &StateId| {
                    automaton.step(from, label).is_some_and(|to| here.contains(&to))
                };
                here = automaton.states().filter(leads).collect();
            }
            let lhs = automaton.labels().nonterminal(bnf.lhs(reduction.production));
            for target in here.into_iter().filter(|&q| automaton.step(q, lhs).is_some()) {
                edges.insert(PopEdge { source, production: reduction.production, target });
            }
        }
    }
    edges
}

#[test]
fn pop_edges_are_found_forward_as_backward() {
    for_random(200, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        for construction in [Lr0, Canonical] {
            let automaton = build(bnf, construction);
            let graph = LrGraph::new(bnf, &automaton);
            let edges: Vec<_> = graph.pop_edges().collect();
            prop_assert_eq!(graph.pop_edge_count(), edges.len());
            let set: BTreeSet<_> = edges.iter().copied().collect();
            prop_assert_eq!(set, backward_pop_edges(bnf, &automaton));
            for (rank, &pop) in edges.iter().enumerate() {
                prop_assert_eq!(graph.pop_rank(pop.target, pop.production), Some(rank));
                prop_assert_eq!(graph.pop_edge_at(rank), pop);
                let path = ReductionPath::of(&graph, pop);
                let path = path.expect("a pop edge has its path");
                prop_assert_eq!(path.states.last(), Some(&pop.source));
                prop_assert_eq!(path.push.source, pop.target);
            }
        }
        Ok(())
    });
}

#[test]
fn pop_labels_are_fewer_only_for_repeated_productions() {
    for_random(200, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        let automaton = build(bnf, Lalr);
        let graph = LrGraph::new(bnf, &automaton);
        let label = |pop: PopEdge| {
            (pop.source, bnf.lhs(pop.production), bnf.rhs(pop.production).len(), pop.target)
        };
        let labels: BTreeSet<_> = graph.pop_edges().map(label).collect();
        let duplicates = gramercy_analysis::Duplicates::of(bnf);
        prop_assert_eq!(graph.pop_label_count(&duplicates), labels.len());
        Ok(())
    });
}

#[test]
fn conflicts_are_counted_as_they_are_listed() {
    for_random(200, ebnf_texts(), |text| {
        let views = Views::of(text);
        for construction in Construction::ALL {
            let automaton = build(&views.bnf, construction);
            let counts = ConflictCounts::of(&views.bnf, &automaton);
            let (mut sr, mut rr) = (0, 0);
            let (mut sr_states, mut rr_states) = (BTreeSet::new(), BTreeSet::new());
            for conflict in conflicts::conflicts(&views.bnf, &automaton) {
                if conflict.shift.is_some() {
                    sr += 1;
                    sr_states.insert(conflict.state);
                }
                if conflict.reductions.len() > 1 {
                    rr += conflict.reductions.len() - 1;
                    rr_states.insert(conflict.state);
                }
            }
            let listed = [sr, sr_states.len(), rr, rr_states.len()];
            let (s, r) = (counts.shift_reduce, counts.reduce_reduce);
            prop_assert_eq!([s.conflicts, s.states, r.conflicts, r.states], listed);
        }
        Ok(())
    });
}

#[test]
fn a_state_is_entered_by_one_label() {
    for_random(100, ebnf_texts(), |text| {
        let views = Views::of(text);
        let automaton = build(&views.bnf, Canonical);
        prop_assert_eq!(automaton.accessing(automaton.initial()), None);
        for state in automaton.states() {
            for step in automaton.transitions(state) {
                prop_assert_eq!(automaton.accessing(step.target), Some(step.label));
            }
            for reduction in automaton.reductions(state) {
                let set = automaton.lookaheads(reduction.lookaheads.expect("lookaheads"));
                let ids = bits::ones::<TerminalOrEnd>(set);
                prop_assert!(ids.count() <= TerminalOrEnd::count(&views.bnf));
            }
        }
        Ok(())
    });
}
