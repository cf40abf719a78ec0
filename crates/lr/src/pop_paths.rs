//! Sequences of K pop edges that follow each other on the path of some sentence.
//!
//! Between two reductions of a parse there are only shifts of terminals. A sequence is *valid* if some
//! sentence has a derivation whose path takes its edges one right after the other in that sense; in
//! the tree, they are K nodes that follow each other in postorder. Whatever terminals are shifted
//! between them, the same edges are the same sequence.
//!
//! What is known of the stack after some of the edges is a list of nonterminals, each with the state
//! onto which it was pushed, and between them terminals only. Nothing is known of what lies below, nor
//! need it be: every path of pushes from the initial state is the stack of some parse. So the next edge
//! is one of two kinds.
//!
//! - Its production has no nonterminal: it was shifted as a whole, and terminals lead from the state on
//!   top to the edge's target. Its left-hand side is pushed as one more entry.
//! - The last nonterminal of its production is the entry on top, pushed onto the same state; those
//!   before it are the entries below that, as far as these are known. If there is a further entry,
//!   terminals lead from it to the edge's target. Its left-hand side takes the place of all of them.
//!
//! So the edges determine the entries, and valid sequences are the paths of a deterministic system that
//! can be counted from the end: the number of ways to go on is found once for every list of entries.
//! With sums over what comes before, that ranks sequences and back without listing them. All this
//! needs a grammar in which every production takes part in some sentence. Costs grow with the number
//! of lists of entries, which is that of valid sequences one edge shorter at most; the last edge is
//! never stored.

use gramercy_analysis::Rows;
use gramercy_base::{Id, IdSet, LimitReached, Limits, Map, Set, Table};
use gramercy_grammar::Cfg;

use crate::automaton::{Automaton, StateId};
use crate::gotos::{GotoId, Gotos};

gramercy_base::define_id!(
    /// The rank of a pop edge.
    pub struct PopId, "a pop edge");
gramercy_base::define_id!(struct EntriesId, "a list of entries of the stack");

/// What is kept of continuations at most.
const MAX_CONTINUATIONS: usize = 20_000_000;
/// The most edges of a sequence: every level of the table costs memory.
const MAX_LENGTH: u32 = 1_000;

/// All valid sequences of a length.
#[derive(Clone, Debug)]
pub struct PopPaths {
    relation: Relation,
    /// For 1 to K - 1 further edges.
    levels: Vec<Level>,
    /// For each push the number of sequences whose first edge ends in one before it, and the number
    /// of all.
    starts: Vec<u64>,
}

/// Which pop edges can follow which.
#[derive(Clone, Debug)]
struct Relation {
    gotos: Gotos,
    /// For each pop edge the push that it ends in.
    ends: Table<PopId, GotoId>,
    /// The pushes of nonterminals along the reduction path of each pop edge.
    parts: Rows<PopId, GotoId>,
    /// For each push of a nonterminal, the pop edges on whose paths it is the last.
    closed_by: Rows<GotoId, PopId>,
    /// For each state the pop edges back to it by productions of terminals alone.
    shifted: Rows<StateId, PopId>,
    /// For each state those to which terminals lead, itself included, ascending.
    reached: Rows<StateId, StateId>,
    /// For each state the number of pop edges to all these by productions of terminals alone.
    fresh: Table<StateId, u64>,
}

/// Lists of entries with what can follow them.
#[derive(Clone, Debug, Default)]
struct Level {
    entries: Rows<EntriesId, GotoId>,
    known: Map<Box<[GotoId]>, EntriesId>,
    /// In how many ways each can be followed.
    counts: Table<EntriesId, u64>,
    /// The next edge, the entries after it on the next level, and the number of sequences by the
    /// edges before; nothing on the last level, where every edge counts one.
    next: Rows<EntriesId, (PopId, EntriesId, u64)>,
}

impl PopPaths {
    /// The sequences of `k` edges in an automaton of a grammar without useless productions.
    ///
    /// # Errors
    /// If they are more than the limit on targets, or need too much memory to be counted.
    pub fn new(
        cfg: &Cfg,
        automaton: &Automaton,
        gotos: &Gotos,
        k: u32,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let relation = Relation::new(cfg, automaton, gotos, k)?;
        let levels = make_levels(&relation, k, limits)?;
        let mut paths = Self { relation, levels, starts: vec![0] };
        let mut sum: u64 = 0;
        for goto in gotos.ids() {
            let productions = cfg.productions_of(gotos.nonterminal(goto)).len() as u64;
            let here = paths.after_first(goto).checked_mul(productions);
            sum = here.and_then(|here| sum.checked_add(here)).ok_or(too_many(limits))?;
            paths.starts.push(sum);
        }
        if sum > limits.targets as u64 {
            return Err(too_many(limits));
        }
        Ok(paths)
    }

    /// The number of edges of a sequence.
    #[must_use]
    pub fn length(&self) -> usize {
        self.levels.len() + 1
    }

    /// The number of valid sequences.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// The number of a sequence; `None` if it is not valid or of another length.
    #[must_use]
    pub fn rank(&self, path: &[PopId]) -> Option<u64> {
        let (&first, rest) = path.split_first()?;
        if path.len() != self.length() {
            return None;
        }
        let goto = self.relation.ends[first];
        let within = first.index() - self.relation.gotos.first_pop(goto);
        let mut rank = self.starts[goto.index()] + within as u64 * self.after_first(goto);
        let Some(mut level) = self.levels.len().checked_sub(1) else { return Some(rank) };
        let mut entries = *self.levels[level].known.get(&[goto][..])?;
        for &pop in rest {
            let here = &self.levels[level];
            if level == 0 {
                let row = here.entries.row(entries);
                return Some(rank + self.relation.last_rank(row, pop)?);
            }
            let row = here.next.row(entries);
            let &(_, next, before) = row.iter().find(|(other, ..)| *other == pop)?;
            rank += before;
            (level, entries) = (level - 1, next);
        }
        Some(rank)
    }

    /// The sequence of a number.
    ///
    /// # Panics
    /// If there are not that many.
    #[must_use]
    pub fn path(&self, rank: u64) -> Vec<PopId> {
        assert!(rank < self.count(), "invariant: there is a sequence of this rank");
        let at = self.starts.partition_point(|&before| before <= rank) - 1;
        let goto = GotoId::from_index(at);
        let (within, each) = (rank - self.starts[at], self.after_first(goto));
        let first = self.relation.gotos.first_pop(goto) + fit(within / each);
        let (mut path, mut rest) = (vec![PopId::from_index(first)], within % each);
        let Some(mut level) = self.levels.len().checked_sub(1) else { return path };
        let mut entries = self.levels[level].known[&[goto][..]];
        while level > 0 {
            let row = self.levels[level].next.row(entries);
            let (pop, next, before) = row[row.partition_point(|entry| entry.2 <= rest) - 1];
            path.push(pop);
            (level, entries, rest) = (level - 1, next, rest - before);
        }
        let row = self.levels[0].entries.row(entries);
        let last = self.relation.followers(row).nth(fit(rest));
        path.push(last.expect("invariant: the ways to go on were counted"));
        path
    }

    /// How the entries change with a pop edge that can follow; `None` if it cannot.
    #[must_use]
    pub fn follow(&self, entries: &[GotoId], pop: PopId) -> Option<Vec<GotoId>> {
        let mut after = self.relation.remaining(entries, pop)?.to_vec();
        after.push(self.relation.ends[pop]);
        Some(after)
    }

    /// Whether terminals alone lead from one state to another.
    #[must_use]
    pub fn leads(&self, from: StateId, to: StateId) -> bool {
        self.relation.leads(from, to)
    }

    /// How many sequences begin with one edge that ends in this push.
    fn after_first(&self, goto: GotoId) -> u64 {
        match self.levels.last() {
            None => 1,
            // A push without productions ends no edge.
            Some(level) => level.known.get(&[goto][..]).map_or(0, |&id| level.counts[id]),
        }
    }
}

impl Relation {
    fn new(cfg: &Cfg, automaton: &Automaton, gotos: &Gotos, k: u32) -> Result<Self, LimitReached> {
        let productions = |goto| cfg.productions_of(gotos.nonterminal(goto));
        let ends = gotos.ids().flat_map(|goto| productions(goto).iter().map(move |_| goto));
        let mut relation = Self {
            gotos: gotos.clone(),
            ends: ends.collect(),
            parts: Rows::new(),
            closed_by: Rows::new(),
            shifted: Rows::new(),
            reached: Rows::new(),
            fresh: Table::new(),
        };
        if k > 1 {
            relation.find_parts(cfg, automaton);
            relation.find_reached(automaton)?;
        }
        Ok(relation)
    }

    fn find_parts(&mut self, cfg: &Cfg, automaton: &Automaton) {
        let (mut closers, mut shifted) = (Vec::new(), Vec::new());
        for goto in self.gotos.ids() {
            let state = self.gotos.source(goto);
            for &production in cfg.productions_of(self.gotos.nonterminal(goto)) {
                let along = self.gotos.along(cfg, automaton, state, production);
                let pop = self.parts.push(along.map(|(_, goto)| goto));
                match self.parts.row(pop).last() {
                    Some(&last) => closers.push((last, pop)),
                    None => shifted.push((state, pop)),
                }
            }
        }
        self.closed_by = Rows::group(self.gotos.len(), &closers);
        self.shifted = Rows::group(automaton.state_count(), &shifted);
    }

    fn find_reached(&mut self, automaton: &Automaton) -> Result<(), LimitReached> {
        let mut is_wanted: IdSet<StateId> = IdSet::new(automaton.state_count());
        self.gotos.ids().for_each(|goto| {
            is_wanted.insert(self.gotos.target(goto));
        });
        for state in automaton.states() {
            let reached =
                if is_wanted.contains(state) { shifts(automaton, state) } else { Vec::new() };
            let count = |&state: &StateId| self.shifted.row(state).len() as u64;
            self.fresh.push(reached.iter().map(count).sum());
            self.reached.push(reached);
            if self.reached.items().len() > MAX_CONTINUATIONS {
                return Err(too_large());
            }
        }
        Ok(())
    }

    fn leads(&self, from: StateId, to: StateId) -> bool {
        self.reached.row(from).binary_search(&to).is_ok()
    }

    /// The entries that a pop edge leaves, if it can follow them.
    fn remaining<'e>(&self, entries: &'e [GotoId], pop: PopId) -> Option<&'e [GotoId]> {
        let parts = self.parts.row(pop);
        let matches = entries.iter().rev().zip(parts.iter().rev()).all(|(a, b)| a == b);
        if !matches {
            return None;
        }
        let rest = &entries[..entries.len().saturating_sub(parts.len())];
        let target = self.gotos.source(self.ends[pop]);
        match rest.last() {
            Some(&below) if !self.leads(self.gotos.target(below), target) => None,
            _ => Some(rest),
        }
    }

    /// The pop edges that can follow these entries: first those that need the top one.
    fn followers<'e>(&'e self, entries: &'e [GotoId]) -> impl Iterator<Item = PopId> + 'e {
        let top = *entries.last().expect("invariant: an edge came before");
        let closers = self.closed_by.row(top).iter().copied();
        let closers = closers.filter(|&pop| self.remaining(entries, pop).is_some());
        let reached = self.reached.row(self.gotos.target(top)).iter();
        closers.chain(reached.flat_map(|&state| self.shifted.row(state)).copied())
    }

    fn count(&self, entries: &[GotoId]) -> u64 {
        let top = *entries.last().expect("invariant: an edge came before");
        let closers = self.closed_by.row(top).iter();
        let closers = closers.filter(|&&pop| self.remaining(entries, pop).is_some()).count();
        closers as u64 + self.fresh[self.gotos.target(top)]
    }

    fn last_rank(&self, entries: &[GotoId], pop: PopId) -> Option<u64> {
        self.followers(entries).position(|other| other == pop).map(|at| at as u64)
    }
}

impl Level {
    fn intern(&mut self, entries: &[GotoId]) -> EntriesId {
        if let Some(&known) = self.known.get(entries) {
            return known;
        }
        let id = self.entries.push(entries.iter().copied());
        self.known.insert(entries.into(), id);
        id
    }
}

/// The levels from the one before the last edge on, each made from the one before it in a sequence.
fn make_levels(relation: &Relation, k: u32, limits: &Limits) -> Result<Vec<Level>, LimitReached> {
    if k > MAX_LENGTH {
        let (what, limit) = ("edges in a sequence of pop edges", MAX_LENGTH as usize);
        return Err(LimitReached { what, limit, option: None });
    }
    let mut continuations = 0;
    let mut levels: Vec<Level> = (1..k).map(|_| Level::default()).collect();
    let Some(top) = levels.last_mut() else { return Ok(levels) };
    for &goto in relation.ends.values() {
        top.intern(&[goto]);
    }
    for at in (1..levels.len()).rev() {
        let (lower, upper) = levels.split_at_mut(at);
        let (below, here) = (&mut lower[at - 1], &mut upper[0]);
        let mut after = Vec::new();
        for id in here.entries.ids() {
            let entries = here.entries.row(id);
            let row: Vec<_> = relation
                .followers(entries)
                .map(|pop| {
                    let rest = relation.remaining(entries, pop);
                    after.clear();
                    after.extend_from_slice(rest.expect("invariant: it can follow"));
                    after.push(relation.ends[pop]);
                    (pop, below.intern(&after), 0)
                })
                .collect();
            // What is left of a stack may be as long as the sequence.
            continuations += row.len() + entries.len();
            here.next.push(row);
            if continuations > MAX_CONTINUATIONS {
                return Err(too_large());
            }
        }
    }
    count_levels(relation, &mut levels).ok_or(too_many(limits))?;
    // From here on nothing is looked up but the one entry that a first edge leaves.
    let lower = levels.len() - 1;
    levels[..lower].iter_mut().for_each(|level| level.known = Map::default());
    Ok(levels)
}

/// Counts from the last level back; `None` if a number does not fit.
fn count_levels(relation: &Relation, levels: &mut [Level]) -> Option<()> {
    let last = levels.first_mut()?;
    last.counts = last.entries.iter().map(|(_, entries)| relation.count(entries)).collect();
    for at in 1..levels.len() {
        let (lower, upper) = levels.split_at_mut(at);
        let (below, here) = (&lower[at - 1], &mut upper[0]);
        for id in here.entries.ids() {
            let mut sum: u64 = 0;
            let range = here.next.range(id);
            for (_, after, before) in &mut here.next.items_mut()[range] {
                *before = sum;
                sum = sum.checked_add(below.counts[*after])?;
            }
            here.counts.push(sum);
        }
    }
    Some(())
}

/// The states to which terminals lead from one, itself included, ascending.
fn shifts(automaton: &Automaton, from: StateId) -> Vec<StateId> {
    let labels = automaton.labels();
    let (mut found, mut at) = (vec![from], 0);
    let mut seen: Set<StateId> = [from].into_iter().collect();
    while let Some(&state) = found.get(at) {
        at += 1;
        for step in automaton.transitions(state) {
            if step.label >= labels.end() {
                break;
            }
            if seen.insert(step.target) {
                found.push(step.target);
            }
        }
    }
    found.sort_unstable();
    found
}

fn too_many(limits: &Limits) -> LimitReached {
    LimitReached { what: "targets", limit: limits.targets, option: Some("--max-targets") }
}

fn too_large() -> LimitReached {
    let what = "stacks to be told apart between pop edges";
    LimitReached { what, limit: MAX_CONTINUATIONS, option: None }
}

fn fit(n: u64) -> usize {
    usize::try_from(n).expect("invariant: what is listed fits in memory")
}
