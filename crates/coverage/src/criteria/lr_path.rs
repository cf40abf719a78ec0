//! `lr-path:K` and `lr-path:K:A`: every K pop edges of the LR-graph of automaton A that can follow each
//! other, with only shifts of terminals between them, do so on the path of some sentence (the first
//! future work of Rossouw, Fischer, JSS 2024, whose criterion is K = 1).
//!
//! Targets are the *valid* sequences, those that occur in the parse of some sentence at all, so all of
//! them can be covered; [`PopPaths`] says which these are, counts and ranks them. In a grammar with
//! useless productions they are sequences over the automaton of the others. Without a name A is `lr0`.
//!
//! In a tree, pop edges are its nodes with the states in which they begin, and those that follow each
//! other are neighbors in postorder. So a node is measured by the first and the last K - 1 pop edges
//! below it, or by all of them if they are fewer than K; every sequence that spans two neighbors is
//! found where they meet. In a forest a node has sets of all these, as the least fixpoint where
//! derivations are cyclic: linear in a tree, and in a forest in the sizes of the sets.

use std::collections::BTreeSet;

use gramercy_base::{Id, IndexMap, LimitReached, Span};
use gramercy_grammar::{ProductionId, Symbol};
use gramercy_lr::{Construction, GotoId, PopId, PopPaths, StateId};
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId, Way};

use crate::criteria::lr_edge::describe_pop;
use crate::criterion::{Criterion, Reading, Uncoverable};
use crate::pattern;
use crate::targets::{TargetId, TargetSet};
use gramercy_language::Language;
use gramercy_language::LrView;

/// The valid sequences of K pop edges as targets.
#[derive(Debug)]
pub struct LrPaths<'v> {
    language: &'v Language,
    lr: &'v LrView,
    paths: PopPaths,
}

impl<'v> LrPaths<'v> {
    /// The targets.
    ///
    /// # Errors
    /// If they are more than the limit on targets or cannot be counted in memory, or the automaton has
    /// more states than the limit.
    pub fn new(
        language: &'v Language,
        k: u32,
        construction: Construction,
    ) -> Result<Self, LimitReached> {
        let lr = language.useful_lr(construction)?;
        let paths = PopPaths::new(lr.cfg(), &lr.automaton, &lr.gotos, k, language.limits())?;
        Ok(Self { language, lr, paths })
    }

    /// The sequences.
    #[must_use]
    pub fn paths(&self) -> &PopPaths {
        &self.paths
    }

    fn pop(&self, pop: PopId) -> (GotoId, ProductionId) {
        self.lr.gotos.pop_at(self.lr.cfg(), pop.index())
    }
}

impl Criterion for LrPaths<'_> {
    fn targets(&self) -> u64 {
        self.paths.count()
    }

    fn coverable(&self) -> u64 {
        self.paths.count()
    }

    fn uncoverable(&self, _: TargetId) -> Option<Uncoverable> {
        None
    }

    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet) {
        let derivations = reading.derivations;
        let mut measuring = Measuring::new(self, derivations);
        measuring.run();
        for path in &measuring.found {
            let rank = self.paths.rank(path);
            covered.insert(rank.expect("invariant: the derivation takes these edges"));
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let edges = self.paths.path(target).into_iter().map(|pop| {
            let (goto, production) = self.pop(pop);
            let state = self.lr.gotos.source(goto);
            describe_pop(self.language, &self.lr.automaton, state, production)
        });
        edges.collect::<Vec<_>>().join(", ")
    }

    fn place(&self, target: TargetId) -> Option<Span> {
        let first = self.paths.path(target)[0];
        pattern::production_place(self.language, self.pop(first).1)
    }
}

/// Pop edges in the order in which they are taken.
type Run = Vec<PopId>;

/// The pop edges below a node, or of some neighbors, as far as they matter: over all its trees.
#[derive(Clone, Debug, Default, PartialEq)]
struct Runs {
    /// All edges, where they are fewer than K.
    short: BTreeSet<Run>,
    /// The first K - 1 and the last K - 1 edges, where they are K or more.
    first: BTreeSet<Run>,
    last: BTreeSet<Run>,
}

impl Runs {
    fn nothing() -> Self {
        Self { short: BTreeSet::from([Run::new()]), ..Self::default() }
    }

    fn one(pop: PopId, k: usize) -> Self {
        match k {
            1 => Self {
                first: BTreeSet::from([vec![]]),
                last: BTreeSet::from([vec![]]),
                ..Self::default()
            },
            _ => Self { short: BTreeSet::from([vec![pop]]), ..Self::default() },
        }
    }
}

/// Derivations on their way to the sequences that they take.
struct Measuring<'m> {
    criterion: &'m LrPaths<'m>,
    derivations: &'m Derivations,
    k: usize,
    /// Nodes with the states in which they begin, those below a node after it.
    runs: IndexMap<(DerivedId, StateId), Runs>,
    found: BTreeSet<Run>,
}

impl<'m> Measuring<'m> {
    fn new(criterion: &'m LrPaths<'m>, derivations: &'m Derivations) -> Self {
        let k = criterion.paths.length();
        Self { criterion, derivations, k, runs: IndexMap::default(), found: BTreeSet::new() }
    }

    fn run(&mut self) {
        let order = self.places();
        let is_cyclic = self.derivations.children_first().is_cyclic;
        loop {
            let mut grew = false;
            for &place in &order {
                let now = self.value(place);
                let before = self.runs.insert(place, now);
                grew |= before.as_ref() != self.runs.get(&place);
            }
            if !(grew && is_cyclic) {
                return;
            }
        }
    }

    /// All nodes with the states in which they begin, each after those below it.
    fn places(&self) -> Vec<(DerivedId, StateId)> {
        let initial = self.criterion.lr.automaton.initial();
        let mut open = gramercy_base::Set::default();
        let (mut order, mut stack) =
            (Vec::new(), vec![((self.derivations.root(), initial), false)]);
        while let Some((place, is_done)) = stack.pop() {
            if is_done {
                order.push(place);
            } else if open.insert(place) {
                stack.push((place, true));
                for way in self.derivations.ways(place.0) {
                    stack.extend(self.below(place.1, &way).map(|below| (below, false)));
                }
            }
        }
        order
    }

    /// What a way is made of, each with the state in which it begins, left to right.
    fn below<'w>(
        &'w self,
        state: StateId,
        way: &Way<'w>,
    ) -> impl Iterator<Item = (DerivedId, StateId)> + 'w {
        let (automaton, labels) =
            (&self.criterion.lr.automaton, self.criterion.lr.automaton.labels());
        let rhs = self.criterion.lr.cfg().rhs(way.production);
        let step = move |at: StateId, symbol: Symbol| {
            let next = automaton.step(at, labels.symbol(symbol));
            next.expect("invariant: a derivation is in the automaton")
        };
        let mut at = rhs[..way.position].iter().fold(state, |at, &symbol| step(at, symbol));
        let prefix = way.prefix.map(|prefix| (prefix, state));
        let parts =
            way.parts.iter().zip(&rhs[way.position..]).filter_map(move |(part, &symbol)| {
                let from = at;
                at = step(at, symbol);
                match part {
                    DerivedChild::Node(node) => Some((*node, from)),
                    DerivedChild::Terminal(..) => None,
                }
            });
        prefix.into_iter().chain(parts)
    }

    fn value(&mut self, (node, state): (DerivedId, StateId)) -> Runs {
        let is_whole = matches!(self.derivations.label(node), Derived::Nonterminal(_));
        let mut all = Runs::default();
        for way in self.derivations.ways(node) {
            let below: Vec<_> = self.below(state, &way).collect();
            let mut runs = Runs::nothing();
            for place in below {
                // Nothing is known yet of a node that is below itself.
                let Some(right) = self.runs.get(&place).cloned() else {
                    runs = Runs::default();
                    break;
                };
                runs = self.join(&runs, &right);
            }
            if is_whole {
                let pop = self.pop(state, way.production);
                if self.k == 1 && runs != Runs::default() {
                    self.found.insert(vec![pop]);
                }
                runs = self.join(&runs, &Runs::one(pop, self.k));
            }
            all.short.extend(runs.short);
            all.first.extend(runs.first);
            all.last.extend(runs.last);
        }
        all
    }

    fn pop(&self, state: StateId, production: ProductionId) -> PopId {
        let lr = &self.criterion.lr;
        let goto = lr.gotos.find(state, lr.cfg().lhs(production));
        let goto = goto.expect("invariant: what is derived is in the closure");
        PopId::from_index(lr.gotos.pop_rank(lr.cfg(), goto, production))
    }

    /// Neighbors, the right after the left; the sequences that span both are found.
    fn join(&mut self, left: &Runs, right: &Runs) -> Runs {
        let mut joined = Runs::default();
        let edge = self.k - 1;
        for a in &left.short {
            for b in &right.short {
                let run = [&a[..], b].concat();
                self.find(&run);
                if run.len() <= edge {
                    joined.short.insert(run);
                } else {
                    joined.first.insert(run[..edge].to_vec());
                    joined.last.insert(run[run.len() - edge..].to_vec());
                }
            }
            for b in &right.first {
                let run = [&a[..], b].concat();
                self.find(&run);
                joined.first.insert(run[..edge].to_vec());
            }
        }
        for a in &left.last {
            for b in right.short.iter().chain(&right.first) {
                self.find(&[&a[..], b].concat());
            }
            for b in &right.short {
                let run = [&a[..], b].concat();
                joined.last.insert(run[run.len() - edge..].to_vec());
            }
        }
        let right_is_any = !(right.short.is_empty() && right.first.is_empty());
        if right_is_any {
            joined.first.extend(left.first.iter().cloned());
        }
        if !(left.short.is_empty() && left.first.is_empty()) {
            joined.last.extend(right.last.iter().cloned());
        }
        joined
    }

    fn find(&mut self, run: &[PopId]) {
        for path in run.windows(self.k) {
            if !self.found.contains(path) {
                self.found.insert(path.to_vec());
            }
        }
    }
}
