//! An LR automaton with the facts that a search needs: transitions backward, first sets, and
//! shortest yields.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_analysis::{First, Length, Nullable, Productive, Rows, ShortestYield};
use gramercy_base::{Id, LimitReached, Limits, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_lr::{Automaton, Construction, Facts, ItemId, Label, LabelId, StateId};

/// An LALR(1) automaton and facts about its grammar. All symbols of the grammar are useful.
pub(crate) struct Machine<'a> {
    pub(crate) cfg: &'a Cfg,
    pub(crate) automaton: Automaton,
    pub(crate) nullable: Nullable,
    pub(crate) first: First,
    pub(crate) yields: ShortestYield,
    predecessors: Rows<StateId, StateId>,
    /// For every state the length of the shortest input that leads to it.
    distances: Table<StateId, u64>,
    /// For every nonterminal the productions that begin with it.
    beginning_with: Rows<NonterminalId, ProductionId>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(cfg: &'a Cfg, limits: &Limits) -> Result<Self, LimitReached> {
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, &Productive::of(cfg), &nullable);
        let facts = Facts { nullable: &nullable, first: &first };
        let automaton = Construction::Lalr.build(cfg, &facts, limits)?;
        let steps = automaton.all_transitions().iter();
        let steps: Vec<_> =
            steps.flat_map(|(from, row)| row.iter().map(move |step| (step.target, from))).collect();
        let begins = |id: ProductionId| match cfg.rhs(id).first() {
            Some(&Symbol::Nonterminal(first)) => Some((first, id)),
            Some(Symbol::Terminal(_)) | None => None,
        };
        let begins: Vec<_> = cfg.productions().filter_map(begins).collect();
        let mut machine = Self {
            cfg,
            predecessors: Rows::group(automaton.state_count(), &steps),
            distances: Table::filled(u64::MAX, automaton.state_count()),
            automaton,
            nullable,
            first,
            yields: ShortestYield::of(cfg, Length::Terminals),
            beginning_with: Rows::group(cfg.nonterminal_count(), &begins),
        };
        machine.measure();
        Ok(machine)
    }

    /// Computes the distances of all states by Dijkstra's algorithm.
    fn measure(&mut self) {
        let initial = self.automaton.initial();
        self.distances[initial] = 0;
        let mut queue = BinaryHeap::from([Reverse((0, initial))]);
        while let Some(Reverse((distance, state))) = queue.pop() {
            if distance > self.distances[state] {
                continue;
            }
            for step in self.automaton.transitions(state) {
                let further = distance.saturating_add(self.cost(step.label));
                if further < self.distances[step.target] {
                    self.distances[step.target] = further;
                    queue.push(Reverse((further, step.target)));
                }
            }
        }
    }

    /// The length of the shortest input that leads to a state, by [`cost`](Self::cost).
    pub(crate) fn distance(&self, state: StateId) -> u64 {
        self.distances[state]
    }

    /// The cost of a transition: the length of its shortest yield plus one, so that no transition
    /// is free.
    pub(crate) fn cost(&self, label: LabelId) -> u64 {
        self.length(label).saturating_add(1)
    }

    pub(crate) fn predecessors(&self, state: StateId) -> &[StateId] {
        self.predecessors.row(state)
    }

    /// The items in the closure of a state with this nonterminal after their dot.
    pub(crate) fn items_before(&self, state: StateId, next: NonterminalId) -> Vec<ItemId> {
        let (automaton, items) = (&self.automaton, self.automaton.items());
        let label = automaton.labels().nonterminal(next);
        let kernel = automaton.kernel(state).iter().map(|kernel| kernel.item);
        let kernel = kernel.filter(|&item| items.next(item) == Some(label));
        let is_there = |&&id: &&ProductionId| {
            automaton.step(state, automaton.labels().nonterminal(self.cfg.lhs(id))).is_some()
        };
        let closure = self.beginning_with.row(next).iter().filter(is_there);
        kernel.chain(closure.map(|&id| items.first(id))).collect()
    }

    /// The left-hand side of an item; `None` is that of S' → S `$`.
    pub(crate) fn lhs(&self, item: ItemId) -> Option<NonterminalId> {
        self.automaton.items().production(item).map(|id| self.cfg.lhs(id))
    }

    /// The symbols after the dot of an item.
    pub(crate) fn behind(&self, item: ItemId) -> Vec<LabelId> {
        let items = self.automaton.items();
        let from = (item.index()..).map(ItemId::from_index);
        from.map_while(|item| items.next(item)).collect()
    }

    /// Whether the dot of an item is at the left.
    pub(crate) fn is_left(&self, item: ItemId) -> bool {
        self.automaton.items().previous(item).is_none()
    }

    /// The item with its dot one symbol to the left.
    pub(crate) fn retreat(&self, item: ItemId) -> ItemId {
        assert!(
            self.automaton.items().previous(item).is_some(),
            "invariant: the dot can move left"
        );
        ItemId::from_index(item.index() - 1)
    }

    pub(crate) fn label(&self, label: LabelId) -> Label {
        self.automaton.labels().label(label)
    }

    pub(crate) fn is_nullable(&self, label: LabelId) -> bool {
        match self.label(label) {
            Label::Nonterminal(id) => self.nullable.contains(id),
            Label::Terminal(_) | Label::End => false,
        }
    }

    /// The length of the shortest string that a label derives.
    pub(crate) fn length(&self, label: LabelId) -> u64 {
        match self.label(label) {
            Label::Nonterminal(id) => {
                self.yields.length(id).expect("invariant: all symbols are productive")
            }
            Label::Terminal(_) => 1,
            Label::End => 0,
        }
    }

    /// The first of several symbols that can begin with a token, if all symbols before it are
    /// nullable.
    pub(crate) fn position_of(&self, labels: &[LabelId], next: LabelId) -> Option<usize> {
        let empty = labels.iter().take_while(|&&label| self.is_nullable(label)).count();
        let until = labels.len().min(empty + 1);
        labels[..until].iter().position(|&label| self.can_begin(label, next))
    }

    /// Whether a label is this terminal or `$`, or can begin with it.
    pub(crate) fn can_begin(&self, label: LabelId, next: LabelId) -> bool {
        match self.label(label) {
            Label::Nonterminal(id) => {
                let next = self.automaton.labels().as_input(next);
                self.first.contains(id, next.expect("invariant: only inputs are read"))
            }
            Label::Terminal(_) | Label::End => label == next,
        }
    }
}
