//! Sequences of K pop edges that follow each other on the path of some sentence.
//!
//! Between two reductions of a parse there are only shifts of terminals. A sequence is *valid* if
//! some sentence has a derivation whose path takes its edges directly after each other in this
//! sense; in the tree, they are K nodes that are consecutive in postorder. The terminals that are
//! shifted between them do not matter: the same edges are the same sequence.
//!
//! After some of the edges, the known part of the stack is a list of *entries*: nonterminals, each
//! with the state onto which it was pushed, with only terminals between them. The rest of the stack
//! does not matter, because every path of pushes from the initial state is the stack of some parse.
//! So the next edge is one of two kinds.
//!
//! - Its production has no nonterminal: the whole production is shifted, and terminals lead from
//!   the state on top to the target of the edge. Its left-hand side becomes a new entry.
//! - The last nonterminal of its production is the top entry, pushed onto the same state; the
//!   nonterminals before it are the entries below, as far as these are known. If there is a further
//!   entry, terminals lead from it to the target of the edge. The left-hand side replaces all these
//!   entries.
//!
//! So the edges determine the entries, and valid sequences are the paths of a deterministic system.
//! They are counted from the end: the number of continuations is computed once for every list of
//! entries. Prefix sums of these numbers rank and unrank sequences without listing them. The
//! grammar must not have useless productions. Costs grow with the number of lists of entries, which
//! is at most the number of valid sequences that are one edge shorter; the last edge is never
//! stored.
//!
//! Example: K = 2 for `S: C C; C: c C | d;` with the LR(0) states of [`graph`](crate::graph). After
//! the pop edge by C → d to state 0, the only entry is C on 0 and the top state is 4. C → d is
//! shifted as a whole: terminals lead from 4 to 4 and to 1, so its edges to 4 and to 1 can follow.
//! S → C C and C → c C need C on 4 or on 1 as the top entry. So 2 sequences begin with this edge,
//! and there are 12 in all.

use gramercy_analysis::Rows;
use gramercy_base::{Id, IdSet, LimitReached, Limits, Map, Set, Table};
use gramercy_grammar::Cfg;

use crate::automaton::{Automaton, StateId};
use crate::gotos::{GotoId, Gotos};

gramercy_base::define_id!(
    /// The rank of a pop edge.
    pub struct PopId, "a pop edge");
gramercy_base::define_id!(struct EntriesId, "a list of stack entries");

/// The limit on stored continuations.
const MAX_CONTINUATIONS: usize = 20_000_000;
/// The most edges of a sequence: every level of the table costs memory.
const MAX_LENGTH: u32 = 1_000;

/// All valid sequences of a length.
#[derive(Clone, Debug)]
pub struct PopPaths {
    relation: Relation,
    /// One level for each number of remaining edges, from 1 to K - 1.
    levels: Vec<ContinuationLevel>,
    /// For each push the number of sequences whose first edge is before one of the pushes before
    /// it, and the number of all.
    starts: Vec<u64>,
}

/// Which pop edges can follow which.
#[derive(Clone, Debug)]
struct Relation {
    gotos: Gotos,
    /// For each pop edge the push that follows it.
    ends: Table<PopId, GotoId>,
    /// The pushes of nonterminals along the reduction path of each pop edge.
    parts: Rows<PopId, GotoId>,
    /// For each push of a nonterminal, the pop edges whose reduction paths it is the last push of.
    closed_by: Rows<GotoId, PopId>,
    /// For each state the pop edges back to it by productions without nonterminals.
    shifted: Rows<StateId, PopId>,
    /// For each state the states to which terminals lead, including itself, ascending.
    reached: Rows<StateId, StateId>,
    /// For each state the number of pop edges to these states by productions without nonterminals.
    fresh: Table<StateId, u64>,
}

/// Lists of entries with their continuations.
#[derive(Clone, Debug, Default)]
struct ContinuationLevel {
    entries: Rows<EntriesId, GotoId>,
    known: Map<Box<[GotoId]>, EntriesId>,
    /// The number of continuations of each list.
    counts: Table<EntriesId, u64>,
    /// The next edge, the entries after it on the next level, and the number of sequences through
    /// earlier edges; empty on the last level, where every edge counts one.
    next: Rows<EntriesId, (PopId, EntriesId, u64)>,
}

impl PopPaths {
    /// The sequences of `k` edges in an automaton of a grammar without useless productions.
    ///
    /// # Errors
    /// If there are more than the limit on targets, or counting needs too much memory.
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

    /// The rank of a sequence; `None` if it is not valid or has another length.
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

    /// The sequence of a rank.
    ///
    /// # Panics
    /// If the rank is too large.
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
        path.push(last.expect("invariant: the continuations were counted"));
        path
    }

    /// The entries after a pop edge that can follow; `None` if it cannot.
    #[must_use]
    pub fn follow(&self, entries: &[GotoId], pop: PopId) -> Option<Vec<GotoId>> {
        let mut after = self.relation.remaining(entries, pop)?.to_vec();
        after.push(self.relation.ends[pop]);
        Some(after)
    }

    /// Whether terminals lead from one state to another.
    #[must_use]
    pub fn leads(&self, from: StateId, to: StateId) -> bool {
        self.relation.leads(from, to)
    }

    /// The number of sequences whose first edge is before this push.
    fn after_first(&self, goto: GotoId) -> u64 {
        match self.levels.last() {
            None => 1,
            // A push without productions has no pop edge.
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

    /// The entries that remain after a pop edge, if it can follow these.
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

    /// The pop edges that can follow these entries: first those that use the top entry.
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

impl ContinuationLevel {
    fn intern(&mut self, entries: &[GotoId]) -> EntriesId {
        if let Some(&known) = self.known.get(entries) {
            return known;
        }
        let id = self.entries.push(entries.iter().copied());
        self.known.insert(entries.into(), id);
        id
    }
}

/// The levels, from all edges remaining to the last one; each is built from the previous one.
fn make_levels(
    relation: &Relation,
    k: u32,
    limits: &Limits,
) -> Result<Vec<ContinuationLevel>, LimitReached> {
    if k > MAX_LENGTH {
        let (what, limit) = ("edges in a sequence of pop edges", MAX_LENGTH as usize);
        return Err(LimitReached { what, limit, option: None });
    }
    let mut continuations = 0;
    let mut levels: Vec<ContinuationLevel> = (1..k).map(|_| ContinuationLevel::default()).collect();
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
    // From here on, only the single entry after a first edge is looked up.
    let lower = levels.len() - 1;
    levels[..lower].iter_mut().for_each(|level| level.known = Map::default());
    Ok(levels)
}

/// Counts from the last level back; `None` if a number does not fit.
fn count_levels(relation: &Relation, levels: &mut [ContinuationLevel]) -> Option<()> {
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

/// The states to which terminals lead from a state, including itself, ascending.
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
    let what = "different stacks between pop edges";
    LimitReached { what, limit: MAX_CONTINUATIONS, option: None }
}

fn fit(n: u64) -> usize {
    usize::try_from(n).expect("invariant: what is listed fits in memory")
}
