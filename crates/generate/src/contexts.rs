//! The cheapest way from the start symbol down to every nonterminal: what papers 002 and 003 call
//! its embedding.
//!
//! A way is a list of steps, each a position of a production. By length, a step costs the cheapest
//! yields of what stands beside the position, and equally long ways are told apart by their number
//! of steps; by depth it costs one. Dijkstra's algorithm over the occurrences of nonterminals finds
//! all ways at once; they share their beginnings, so each nonterminal stores one step. Near-linear in
//! the grammar. What a way puts before and behind the nonterminal is kept where it is of usual size.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::Table;
use gramercy_coverage::Views;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::draft::{Draft, Piece, Pieces};
use crate::minimal::Minimal;
use crate::resolution::Embedding;

/// One step down: a position of a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The production.
    pub production: ProductionId,
    /// Which of its symbols the way goes to.
    pub position: usize,
}

/// For each nonterminal the cheapest way down to it.
#[derive(Clone, Debug)]
pub struct Contexts<'m> {
    minimal: &'m Minimal<'m>,
    ways: Table<NonterminalId, Option<Way>>,
    before: Table<NonterminalId, Option<Piece>>,
    behind: Table<NonterminalId, Option<Piece>>,
    pieces: Pieces,
}

/// The end of a way.
#[derive(Clone, Copy, Debug)]
struct Way {
    cost: Cost,
    /// None at the start symbol.
    last: Option<Step>,
}

/// Length, then the number of steps; by depth, the number of steps alone.
type Cost = (u64, u64);

impl<'m> Contexts<'m> {
    /// The ways of a grammar, with everything beside them as `minimal` says.
    #[must_use]
    pub fn new(views: &Views<'_>, minimal: &'m Minimal<'m>) -> Self {
        let cfg = minimal.cfg();
        let nothing = || Table::filled(None, cfg.nonterminal_count());
        let (before, behind, pieces) = (nothing(), nothing(), Pieces::default());
        let ways = Search::new(views, minimal).run();
        let mut contexts = Self { minimal, ways, before, behind, pieces };
        contexts.keep_all();
        contexts
    }

    /// What stands beside the ways.
    #[must_use]
    pub fn minimal(&self) -> &'m Minimal<'m> {
        self.minimal
    }

    /// Whether some sentence contains the nonterminal.
    #[must_use]
    pub fn reach(&self, nonterminal: NonterminalId) -> bool {
        self.ways[nonterminal].is_some()
    }

    /// What the way to a nonterminal costs: length, then steps; `None` if there is no way.
    #[must_use]
    pub fn cost(&self, nonterminal: NonterminalId) -> Option<(u64, u64)> {
        self.ways[nonterminal].map(|way| way.cost)
    }

    /// The way to a nonterminal, from the start symbol on.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn way(&self, nonterminal: NonterminalId) -> Vec<Step> {
        let mut steps: Vec<Step> = self.way_up(nonterminal).collect();
        steps.reverse();
        steps
    }

    /// The steps to a nonterminal, the last first.
    fn way_up(&self, nonterminal: NonterminalId) -> impl Iterator<Item = Step> + '_ {
        let last = |id: NonterminalId| {
            self.ways[id].expect("invariant: the nonterminal occurs in sentences").last
        };
        std::iter::successors(last(nonterminal), move |step| {
            last(self.minimal.cfg().lhs(step.production))
        })
    }

    /// Appends everything that comes before a nonterminal.
    ///
    /// # Panics
    /// If no sentence contains it.
    #[inline]
    pub fn open(&self, nonterminal: NonterminalId, draft: &mut Draft) {
        match &self.before[nonterminal] {
            Some(piece) => self.pieces.copy(piece, draft),
            None => self.way(nonterminal).into_iter().for_each(|step| self.begin(step, draft)),
        }
    }

    /// Appends everything that comes behind a nonterminal.
    ///
    /// # Panics
    /// If no sentence contains it.
    #[inline]
    pub fn finish(&self, nonterminal: NonterminalId, draft: &mut Draft) {
        match &self.behind[nonterminal] {
            Some(piece) => self.pieces.copy(piece, draft),
            None => self.way_up(nonterminal).for_each(|step| self.end(step, draft)),
        }
    }

    /// Appends a production up to a position.
    #[inline]
    pub fn begin(&self, step: Step, draft: &mut Draft) {
        draft.productions.push(step.production);
        let rhs = self.minimal.cfg().rhs(step.production);
        self.minimal.close_all(&rhs[..step.position], draft);
    }

    /// Appends the rest of a production behind a position.
    #[inline]
    pub fn end(&self, step: Step, draft: &mut Draft) {
        let rhs = self.minimal.cfg().rhs(step.production);
        self.minimal.close_all(&rhs[step.position + 1..], draft);
    }

    fn keep_all(&mut self) {
        let mut order: Vec<(Cost, NonterminalId)> = self
            .ways
            .iter()
            .filter_map(|(id, way)| way.as_ref().map(|way| (way.cost, id)))
            .collect();
        order.sort_unstable();
        let mut draft = Draft::default();
        for (_, nonterminal) in order {
            let last = self.ways[nonterminal].expect("invariant: only such are listed").last;
            let above = last.map(|step| (step, self.minimal.cfg().lhs(step.production)));
            if above.is_none_or(|(_, above)| self.before[above].is_some()) {
                draft.clear();
                if let Some((step, above)) = above {
                    self.open(above, &mut draft);
                    self.begin(step, &mut draft);
                }
                self.before[nonterminal] = self.pieces.keep(&draft);
            }
            if above.is_none_or(|(_, above)| self.behind[above].is_some()) {
                draft.clear();
                if let Some((step, above)) = above {
                    self.end(step, &mut draft);
                    self.finish(above, &mut draft);
                }
                self.behind[nonterminal] = self.pieces.keep(&draft);
            }
        }
    }
}

/// The search for all ways.
struct Search<'s> {
    views: &'s Views<'s>,
    minimal: &'s Minimal<'s>,
    ways: Table<NonterminalId, Option<Way>>,
    queue: BinaryHeap<Reverse<(Cost, NonterminalId)>>,
}

impl<'s> Search<'s> {
    fn new(views: &'s Views<'s>, minimal: &'s Minimal<'s>) -> Self {
        let ways = Table::filled(None, minimal.cfg().nonterminal_count());
        Self { views, minimal, ways, queue: BinaryHeap::new() }
    }

    fn cfg(&self) -> &'s Cfg {
        self.minimal.cfg()
    }

    fn run(mut self) -> Table<NonterminalId, Option<Way>> {
        let start = self.cfg().start();
        if self.minimal.production(start).is_some() {
            self.offer(start, (0, 0), None);
        }
        while let Some(Reverse((cost, nonterminal))) = self.queue.pop() {
            if self.ways[nonterminal].is_some_and(|way| way.cost == cost) {
                self.go_down(cost, nonterminal);
            }
        }
        self.ways
    }

    fn go_down(&mut self, cost: Cost, nonterminal: NonterminalId) {
        let cfg = self.cfg();
        for &production in cfg.productions_of(nonterminal) {
            let rhs = cfg.rhs(production);
            if !self.views.productive.has_production(production) {
                continue;
            }
            let whole = self.minimal.length(rhs).expect("invariant: the production is productive");
            for (position, &symbol) in rhs.iter().enumerate() {
                let Symbol::Nonterminal(below) = symbol else { continue };
                let beside = match self.minimal.resolution().embedding {
                    Embedding::Shallowest => 0,
                    Embedding::Shortest => self.beside(whole, rhs, position),
                };
                let cost = (cost.0.saturating_add(beside), cost.1 + 1);
                self.offer(below, cost, Some(Step { production, position }));
            }
        }
    }

    /// The length of what stands beside a position. Lengths beyond 64 bits are all one, so then it
    /// is summed anew.
    fn beside(&self, whole: u64, rhs: &[Symbol], position: usize) -> u64 {
        let length = |symbols| self.minimal.length(symbols).expect("invariant: all are productive");
        match whole {
            u64::MAX => length(&rhs[..position]).saturating_add(length(&rhs[position + 1..])),
            _ => whole - length(&rhs[position..=position]),
        }
    }

    fn offer(&mut self, nonterminal: NonterminalId, cost: Cost, last: Option<Step>) {
        let place = |step: Option<Step>| {
            step.map(|Step { production, position }| {
                self.minimal.resolution().ties.place(production, position)
            })
        };
        let is_better = match self.ways[nonterminal] {
            None => true,
            Some(way) if way.cost == cost => place(last) < place(way.last),
            Some(way) => cost < way.cost,
        };
        if is_better {
            if self.ways[nonterminal].is_none_or(|way| way.cost != cost) {
                self.queue.push(Reverse((cost, nonterminal)));
            }
            self.ways[nonterminal] = Some(Way { cost, last });
        }
    }
}
