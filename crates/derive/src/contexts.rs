//! The cheapest way from the start symbol down to every nonterminal: its embedding (Rossouw and Fischer, JSS 2024).
//!
//! A way is a list of steps, each a position of a production. By length, a step costs the cheapest
//! yields of what stands beside the position, and equally long ways are told apart by their number
//! of steps; by depth it costs one. Dijkstra's algorithm over the occurrences of nonterminals finds
//! all ways at once; they share their beginnings, so each nonterminal stores one step. Near-linear in
//! the grammar. What a way puts before and after the nonterminal is kept where it is of usual size.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use gramercy_base::{IndexSet, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::candidate::{Candidate, StoredTree, StoredTrees};
use crate::cheapest::CheapestTrees;
use crate::resolution::Embedding;

/// In how many of their last steps other ways differ from the cheapest, and how many of each kind there are at most.
const OTHER_STEPS: usize = 3;
const OTHER_WAYS: usize = 24;

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
    cheapest: &'m CheapestTrees<'m>,
    ways: Table<NonterminalId, Option<Way>>,
    before: Table<NonterminalId, Option<StoredTree>>,
    behind: Table<NonterminalId, Option<StoredTree>>,
    stored: StoredTrees,
    /// The positions of every nonterminal, made when they are first asked for.
    positions: OnceLock<Table<NonterminalId, Vec<Step>>>,
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
    /// The ways of a grammar, with everything beside them as `cheapest` says.
    #[must_use]
    pub fn new(language: &Language, cheapest: &'m CheapestTrees<'m>) -> Self {
        let cfg = cheapest.cfg();
        let nothing = || Table::filled(None, cfg.nonterminal_count());
        let (before, behind, stored) = (nothing(), nothing(), StoredTrees::default());
        let ways = Search::new(language, cheapest).run();
        let positions = OnceLock::new();
        let mut contexts = Self { cheapest, ways, before, behind, stored, positions };
        contexts.keep_all();
        contexts
    }

    /// What stands beside the ways.
    #[must_use]
    pub fn cheapest(&self) -> &'m CheapestTrees<'m> {
        self.cheapest
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
            last(self.cheapest.cfg().lhs(step.production))
        })
    }

    /// Other ways to a nonterminal than the cheapest, those that differ in their last step first, then those that
    /// differ in the last two, and so on; of each kind the cheapest.
    ///
    /// Example: in `list: OPEN item* CLOSE;` the cheapest way to `item` makes it the last one. A way that differs in
    /// two steps has another item after it.
    #[must_use]
    pub fn other_ways(&self, language: &Language, nonterminal: NonterminalId) -> Vec<Vec<Step>> {
        let mut found: IndexSet<Vec<Step>> = IndexSet::default();
        let usual = self.way(nonterminal);
        // The last steps of ways, each with the nonterminal that it begins with.
        let mut ends = vec![(nonterminal, Vec::new())];
        for _ in 0..OTHER_STEPS {
            let mut longer: Vec<(Cost, NonterminalId, Vec<Step>)> = Vec::new();
            for (top, end) in &ends {
                for &step in self.steps_to(language, *top) {
                    let above = self.cheapest.cfg().lhs(step.production);
                    let steps: Vec<Step> = std::iter::once(step).chain(end.clone()).collect();
                    let beside = steps.iter().map(|step| self.beside(*step));
                    let beside = beside.fold(0, u64::saturating_add);
                    let Some((length, depth)) = self.cost(above) else { continue };
                    let cost = (length.saturating_add(beside), depth + steps.len() as u64);
                    longer.push((cost, above, steps));
                }
            }
            longer.sort_by_key(|(cost, ..)| *cost);
            longer.truncate(OTHER_WAYS);
            for (_, above, end) in &longer {
                let way: Vec<Step> = self.way(*above).into_iter().chain(end.clone()).collect();
                if way != usual {
                    found.insert(way);
                }
            }
            ends = longer.into_iter().map(|(_, above, end)| (above, end)).collect();
        }
        found.into_iter().collect()
    }

    /// The positions of a nonterminal in productions that some sentence uses.
    fn steps_to(&self, language: &Language, nonterminal: NonterminalId) -> &[Step] {
        let all = self.positions.get_or_init(|| {
            let cfg = self.cheapest.cfg();
            let mut all = Table::filled(Vec::new(), cfg.nonterminal_count());
            for production in cfg.productions() {
                let is_used = language.productive().has_production(production);
                if !is_used || !self.reach(cfg.lhs(production)) {
                    continue;
                }
                for (position, &symbol) in cfg.rhs(production).iter().enumerate() {
                    if let Symbol::Nonterminal(id) = symbol {
                        all[id].push(Step { production, position });
                    }
                }
            }
            all
        });
        &all[nonterminal]
    }

    /// The length of what stands beside a step.
    fn beside(&self, step: Step) -> u64 {
        let rhs = self.cheapest.cfg().rhs(step.production);
        let length = |symbols| self.cheapest.length(symbols).unwrap_or(u64::MAX);
        length(&rhs[..step.position]).saturating_add(length(&rhs[step.position + 1..]))
    }

    /// Appends everything that comes before a nonterminal.
    ///
    /// # Panics
    /// If no sentence contains it.
    #[inline]
    pub fn open(&self, nonterminal: NonterminalId, candidate: &mut Candidate) {
        match &self.before[nonterminal] {
            Some(tree) => self.stored.copy(tree, candidate),
            None => self.way(nonterminal).into_iter().for_each(|step| self.begin(step, candidate)),
        }
    }

    /// Appends everything that comes after a nonterminal.
    ///
    /// # Panics
    /// If no sentence contains it.
    #[inline]
    pub fn finish(&self, nonterminal: NonterminalId, candidate: &mut Candidate) {
        match &self.behind[nonterminal] {
            Some(tree) => self.stored.copy(tree, candidate),
            None => self.way_up(nonterminal).for_each(|step| self.end(step, candidate)),
        }
    }

    /// Appends a production up to a position.
    #[inline]
    pub fn begin(&self, step: Step, candidate: &mut Candidate) {
        candidate.productions.push(step.production);
        let rhs = self.cheapest.cfg().rhs(step.production);
        self.cheapest.close_all(&rhs[..step.position], candidate);
    }

    /// Appends the rest of a production after a position.
    #[inline]
    pub fn end(&self, step: Step, candidate: &mut Candidate) {
        let rhs = self.cheapest.cfg().rhs(step.production);
        self.cheapest.close_all(&rhs[step.position + 1..], candidate);
    }

    fn keep_all(&mut self) {
        let mut order: Vec<(Cost, NonterminalId)> = self
            .ways
            .iter()
            .filter_map(|(id, way)| way.as_ref().map(|way| (way.cost, id)))
            .collect();
        order.sort_unstable();
        let mut candidate = Candidate::default();
        for (_, nonterminal) in order {
            let last = self.ways[nonterminal].expect("invariant: only such are listed").last;
            let above = last.map(|step| (step, self.cheapest.cfg().lhs(step.production)));
            if above.is_none_or(|(_, above)| self.before[above].is_some()) {
                candidate.clear();
                if let Some((step, above)) = above {
                    self.open(above, &mut candidate);
                    self.begin(step, &mut candidate);
                }
                self.before[nonterminal] = self.stored.store(&candidate);
            }
            if above.is_none_or(|(_, above)| self.behind[above].is_some()) {
                candidate.clear();
                if let Some((step, above)) = above {
                    self.end(step, &mut candidate);
                    self.finish(above, &mut candidate);
                }
                self.behind[nonterminal] = self.stored.store(&candidate);
            }
        }
    }
}

/// The search for all ways.
struct Search<'s> {
    language: &'s Language,
    cheapest: &'s CheapestTrees<'s>,
    ways: Table<NonterminalId, Option<Way>>,
    queue: BinaryHeap<Reverse<(Cost, NonterminalId)>>,
}

impl<'s> Search<'s> {
    fn new(language: &'s Language, cheapest: &'s CheapestTrees<'s>) -> Self {
        let ways = Table::filled(None, cheapest.cfg().nonterminal_count());
        Self { language, cheapest, ways, queue: BinaryHeap::new() }
    }

    fn cfg(&self) -> &'s Cfg {
        self.cheapest.cfg()
    }

    fn run(mut self) -> Table<NonterminalId, Option<Way>> {
        let start = self.cfg().start();
        if self.cheapest.production(start).is_some() {
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
            if !self.language.productive().has_production(production) {
                continue;
            }
            let whole = self.cheapest.length(rhs).expect("invariant: the production is productive");
            for (position, &symbol) in rhs.iter().enumerate() {
                let Symbol::Nonterminal(below) = symbol else { continue };
                let beside = match self.cheapest.resolution().embedding {
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
        let length =
            |symbols| self.cheapest.length(symbols).expect("invariant: all are productive");
        match whole {
            u64::MAX => length(&rhs[..position]).saturating_add(length(&rhs[position + 1..])),
            _ => whole - length(&rhs[position..=position]),
        }
    }

    fn offer(&mut self, nonterminal: NonterminalId, cost: Cost, last: Option<Step>) {
        let place = |step: Option<Step>| {
            step.map(|Step { production, position }| {
                self.cheapest.resolution().ties.place(production, position)
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
