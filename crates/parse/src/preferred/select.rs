//! Chooses a way for every node, children first, once for each bound under which it is asked for.

use std::cmp::Ordering;

use gramercy_base::{Map, Table};
use gramercy_grammar::{ProductionId, TerminalId};

use super::compare::{Known, Unrolled, compare};
use super::{Order, Role};
use crate::budget::{Budget, InputLimit};
use crate::derivations::{Derivations, Derived, DerivedChild, DerivedId, TokenRange, Way};

gramercy_base::define_id!(pub(crate) struct PickId, "a node of derivations under a bound");

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// What the grammar prefers, where operators bind tight enough.
    Preferred,
    /// Any finite derivation.
    Any,
}

/// A node, and the least that an operator in it must bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Pick {
    node: DerivedId,
    bound: u32,
}

/// What stands below a chosen node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChosenPart {
    Terminal(TerminalId, TokenRange),
    Pick(PickId),
}

/// The ways that are chosen.
#[derive(Debug)]
pub(crate) struct Selection<'d> {
    order: &'d Order,
    wanted: Wanted,
    derivations: &'d Derivations,
    /// The newest pick of a node; each names the one before it. There are few, one for each bound.
    newest: Table<DerivedId, Option<PickId>>,
    older: Table<PickId, Option<PickId>>,
    picks: Table<PickId, Pick>,
    /// The number of the chosen way; none if no way is allowed, or none is decided yet.
    ways: Table<PickId, Option<usize>>,
}

impl<'d> Selection<'d> {
    pub(crate) fn new(
        order: &'d Order,
        wanted: Wanted,
        derivations: &'d Derivations,
        budget: &mut Budget,
    ) -> Result<Self, InputLimit> {
        let mut selection = Self {
            order,
            wanted,
            derivations,
            newest: Table::filled(None, derivations.len()),
            older: Table::new(),
            picks: Table::new(),
            ways: Table::new(),
        };
        selection.id(Pick { node: derivations.root(), bound: 0 });
        let nodes = selection.children_first();
        selection.choose(&nodes, budget)?;
        Ok(selection)
    }

    pub(crate) fn order(&self) -> &Order {
        self.order
    }

    pub(crate) fn root(&self) -> PickId {
        gramercy_base::Id::from_index(0)
    }

    /// The chosen tree.
    pub(crate) fn tree(&self) -> Derivations {
        build(self.root(), |&pick| self.ways[pick].map(|way| self.piece(pick, way)))
    }

    /// The label, range, production and parts of a node, derived in one of its ways.
    pub(crate) fn piece(&self, pick: PickId, way: usize) -> OpenNode<PickId> {
        self.piece_of(pick, self.unrolled(pick, way))
    }

    /// A way to derive a node, whichever prefixes it takes, that is as wanted.
    pub(crate) fn find_piece(
        &self,
        pick: PickId,
        is_wanted: impl Fn(&OpenNode<PickId>) -> bool,
    ) -> Option<OpenNode<PickId>> {
        let mut stack = vec![(pick, Vec::new())];
        while let Some((at, reversed)) = stack.pop() {
            for way in self.derivations.ways(self.picks[at].node) {
                let mut reversed = reversed.clone();
                self.unroll_way(at, &way, &mut reversed);
                if let Some(prefix) = way.prefix {
                    let bound = self.picks[at].bound;
                    stack.push((self.known(Pick { node: prefix, bound }), reversed));
                    continue;
                }
                reversed.reverse();
                let way = Unrolled { production: way.production, parts: reversed };
                let piece = self.piece_of(pick, way);
                if is_wanted(&piece) {
                    return Some(piece);
                }
            }
        }
        None
    }

    fn piece_of(&self, pick: PickId, way: Unrolled) -> OpenNode<PickId> {
        let Unrolled { production, parts } = way;
        let node = self.picks[pick].node;
        let parts = parts.iter().map(|part| match *part {
            ChosenPart::Terminal(terminal, range) => OpenChild::Terminal(terminal, range),
            ChosenPart::Pick(pick) => OpenChild::Node(pick),
        });
        OpenNode {
            label: self.derivations.label(node),
            range: self.derivations.range(node),
            production,
            parts: parts.collect(),
        }
    }

    /// The node of a pick.
    pub(crate) fn node(&self, pick: PickId) -> DerivedId {
        self.picks[pick].node
    }

    /// The tokens that it spans.
    pub(crate) fn range(&self, pick: PickId) -> TokenRange {
        self.derivations.range(self.picks[pick].node)
    }

    /// The number of the way that was chosen for a node, if one is allowed.
    pub(crate) fn way(&self, pick: PickId) -> Option<usize> {
        self.ways[pick]
    }

    /// The pick of a node without a bound, if it was met.
    pub(crate) fn unbounded(&self, node: DerivedId) -> Option<PickId> {
        self.find(Pick { node, bound: 0 })
    }

    /// The chosen way of a decided node, with all its parts.
    pub(crate) fn chosen(&self, pick: PickId) -> Unrolled {
        self.unrolled(pick, self.ways[pick].expect("invariant: parts are decided first"))
    }

    /// A way of a node with all its parts, those of chosen prefixes among them.
    pub(crate) fn unrolled(&self, pick: PickId, way: usize) -> Unrolled {
        self.unrolled_in(Vec::new(), pick, way)
    }

    /// The same in memory that was used before.
    fn unrolled_in(&self, memory: Vec<ChosenPart>, pick: PickId, way: usize) -> Unrolled {
        let (mut pick, mut way) = (pick, way);
        let mut reversed = memory;
        reversed.clear();
        loop {
            let derived = self.way_at(pick, way);
            self.unroll_way(pick, &derived, &mut reversed);
            let Some(prefix) = derived.prefix else {
                reversed.reverse();
                return Unrolled { production: derived.production, parts: reversed };
            };
            pick = self.known(Pick { node: prefix, bound: self.picks[pick].bound });
            way = self.ways[pick].expect("invariant: prefixes are decided first");
        }
    }

    /// Adds the parts of a way that are not in its prefix, the last first.
    fn unroll_way(&self, pick: PickId, way: &Way<'_>, reversed: &mut Vec<ChosenPart>) {
        let positions = (way.position..way.position + way.parts.len()).rev();
        reversed.extend(way.parts.iter().rev().zip(positions).map(
            |(part, position)| match *part {
                DerivedChild::Terminal(terminal, range) => ChosenPart::Terminal(terminal, range),
                DerivedChild::Node(node) => {
                    ChosenPart::Pick(self.known(self.below(pick, way, node, position)))
                }
            },
        ));
    }

    fn way_at(&self, pick: PickId, way: usize) -> Way<'d> {
        self.derivations.way(self.picks[pick].node, way)
    }

    /// The pick of a part that is a node.
    fn below(&self, pick: PickId, way: &Way<'_>, node: DerivedId, position: usize) -> Pick {
        let bound = match (self.order, self.wanted) {
            (Order::Alternatives(choices), Wanted::Preferred) => {
                let choice = choices[way.production];
                let is_last = self.is_last(pick, way, position);
                match choice.role {
                    Role::GoOn(_) if position == 0 => self.picks[pick].bound,
                    _ if is_last => choice.last_operand,
                    _ => 0,
                }
            }
            _ => 0,
        };
        Pick { node, bound }
    }

    /// Whether a position is the last of its production, and not only of a prefix of it.
    fn is_last(&self, pick: PickId, way: &Way<'_>, position: usize) -> bool {
        let is_whole =
            matches!(self.derivations.label(self.picks[pick].node), Derived::Nonterminal(_));
        is_whole && position + 1 == way.position + way.parts.len()
    }

    /// Whether a way is allowed under the bound of its node.
    fn is_allowed(&self, pick: PickId, production: ProductionId) -> bool {
        match (self.order, self.wanted) {
            (Order::Alternatives(choices), Wanted::Preferred) => {
                let choice = choices[production];
                !matches!(choice.role, Role::GoOn(_)) || choice.binds >= self.picks[pick].bound
            }
            _ => true,
        }
    }

    fn id(&mut self, pick: Pick) -> PickId {
        if let Some(known) = self.find(pick) {
            return known;
        }
        let id = self.picks.push(pick);
        self.ways.push(None);
        self.older.push(self.newest[pick.node].replace(id));
        id
    }

    fn find(&self, pick: Pick) -> Option<PickId> {
        let mut chain = std::iter::successors(self.newest[pick.node], |&id| self.older[id]);
        chain.find(|&id| self.picks[id].bound == pick.bound)
    }

    fn known(&self, pick: Pick) -> PickId {
        self.find(pick).expect("invariant: what is asked for was met")
    }

    /// What stands directly below a node, over all allowed ways.
    fn all_below(&self, pick: PickId, below: &mut Vec<Pick>) {
        below.clear();
        for way in self.derivations.ways(self.picks[pick].node) {
            if self.is_allowed(pick, way.production) {
                self.below_way(pick, &way, below);
            }
        }
    }

    fn below_way(&self, pick: PickId, way: &Way<'_>, below: &mut Vec<Pick>) {
        let bound = self.picks[pick].bound;
        below.extend(way.prefix.map(|node| Pick { node, bound }));
        for (part, position) in way.parts.iter().zip(way.position..) {
            if let DerivedChild::Node(node) = *part {
                below.push(self.below(pick, way, node, position));
            }
        }
    }

    /// Makes all picks; each comes after those below it, but for cycles.
    fn children_first(&mut self) -> Vec<PickId> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Not,
            Open,
            Done,
        }
        let mut seen: Table<PickId, Seen> = Table::filled(Seen::Not, 1);
        let (mut nodes, mut stack, mut below) = (Vec::new(), vec![self.root()], Vec::new());
        while let Some(&pick) = stack.last() {
            if seen[pick] != Seen::Not {
                stack.pop();
                if seen[pick] == Seen::Open {
                    seen[pick] = Seen::Done;
                    nodes.push(pick);
                }
                continue;
            }
            seen[pick] = Seen::Open;
            self.all_below(pick, &mut below);
            for &child in &below {
                let id = self.id(child);
                if seen.get(id).is_none() {
                    seen.push(Seen::Not);
                }
                if seen[id] == Seen::Not {
                    stack.push(id);
                }
            }
        }
        nodes
    }

    /// Decides every node that can be; more than one round is needed for cycles only.
    fn choose(&mut self, nodes: &[PickId], budget: &mut Budget) -> Result<(), InputLimit> {
        let mut known = Known::default();
        loop {
            let mut is_new = false;
            for &pick in nodes {
                if self.ways[pick].is_none() {
                    self.ways[pick] = self.best(pick, &mut known, budget)?;
                    is_new |= self.ways[pick].is_some();
                }
            }
            if !is_new || self.ways.values().all(Option::is_some) {
                return Ok(());
            }
        }
    }

    /// The best of the ways whose parts are decided.
    fn best(
        &self,
        pick: PickId,
        known: &mut Known,
        budget: &mut Budget,
    ) -> Result<Option<usize>, InputLimit> {
        let mut below = Vec::new();
        let mut is_ready = |way: &Way<'_>| {
            below.clear();
            self.below_way(pick, way, &mut below);
            below.iter().all(|&part| self.ways[self.known(part)].is_some())
        };
        let ways = self.derivations.ways(self.picks[pick].node).enumerate();
        let mut ready = ways
            .filter(|(_, way)| self.is_allowed(pick, way.production) && is_ready(way))
            .map(|(number, _)| number);
        let Some(mut best) = ready.next() else { return Ok(None) };
        if self.wanted == Wanted::Any {
            return Ok(Some(best));
        }
        let mut of_best = None;
        let mut memory = Vec::new();
        for number in ready {
            let best_way = of_best.get_or_insert_with(|| self.unrolled(pick, best));
            let way = self.unrolled_in(memory, pick, number);
            if budget.step() {
                budget.check(known.memory())?;
            }
            memory = match compare(self, known, &way, best_way) {
                Ordering::Less => {
                    best = number;
                    std::mem::replace(best_way, way).parts
                }
                Ordering::Equal | Ordering::Greater => way.parts,
            };
        }
        Ok(Some(best))
    }
}

/// A node of a tree that is being built.
#[derive(Debug)]
pub(crate) struct OpenNode<K> {
    pub(crate) label: Derived,
    pub(crate) range: TokenRange,
    pub(crate) production: ProductionId,
    pub(crate) parts: Vec<OpenChild<K>>,
}

/// What stands below it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OpenChild<K> {
    Terminal(TerminalId, TokenRange),
    Node(K),
}

/// The tree below a root, breadth first; `piece` says what each node is.
pub(crate) fn build<K: Copy + Eq + std::hash::Hash>(
    root: K,
    piece: impl Fn(&K) -> Option<OpenNode<K>>,
) -> Derivations {
    let (mut made, mut ids, mut queue) = (Derivations::default(), Map::default(), Vec::new());
    let mut add = |made: &mut Derivations, queue: &mut Vec<(DerivedId, OpenNode<K>)>, key: K| {
        *ids.entry(key).or_insert_with(|| {
            let piece = piece(&key).expect("invariant: what a chosen node needs is chosen");
            let id = made.add_node(piece.label, piece.range);
            queue.push((id, piece));
            id
        })
    };
    add(&mut made, &mut queue, root);
    let mut at = 0;
    while at < queue.len() {
        let (id, production) = (queue[at].0, queue[at].1.production);
        let parts = std::mem::take(&mut queue[at].1.parts);
        let parts: Vec<DerivedChild> = parts
            .into_iter()
            .map(|part| match part {
                OpenChild::Terminal(terminal, range) => DerivedChild::Terminal(terminal, range),
                OpenChild::Node(key) => DerivedChild::Node(add(&mut made, &mut queue, key)),
            })
            .collect();
        made.add_only_way(id, production, parts);
        at += 1;
    }
    made
}
