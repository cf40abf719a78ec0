//! Changes of the parser's rules that explain an error.
//!
//! At the error and at some tokens before it, every live item A → α • X β is changed in every way: the next tokens are
//! inserted before X or stand in its place, X is left out, X and the symbol after it change places, what was read is
//! repeated. The rest of the input is then
//! read from the changed item on, on top of the chart. A change counts by how far that goes, less what it costs.
//!
//! Example: `stmt : 'print' expr ';'` on `print 1 2 ;`: at `2` the item `stmt → 'print' expr • ';'` is live. With `2`
//! inserted there the rest is read to the end.
//!
//! A trial costs what it reads, mostly a token or two; the best are read on to a horizon.

use gramercy_grammar::{NonterminalId, RuleId, Symbol};
use gramercy_parse::tables::InputId;

use crate::chart::{Chart, Item, Level, Reached, Reader, by_slot};
use crate::kinds::Kinds;
use crate::search::gaps::{Gaps, MAX_GAP};
use crate::search::weights::{HORIZON, Weights};
use crate::search::{Change, Explanation, Layer};
use crate::slots::SlotId;
use crate::subject::Subject;

/// Tokens after the error that a first trial reads.
const FIRST_LOOK: usize = 3;
/// How many trials are read on.
const MAX_LONG: usize = 400;
/// Symbols left out in a row.
const MAX_SKIP: usize = 3;

/// An input that was read up to an error.
#[derive(Clone, Copy, Debug)]
pub struct Stopped<'a> {
    /// What was read.
    pub chart: &'a Chart,
    /// The start symbol and the whole input.
    pub input: (NonterminalId, &'a [InputId]),
    /// The texts of its tokens.
    pub texts: &'a [&'a str],
    /// The first token that cannot come.
    pub error: usize,
}

/// A changed item.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    source: SlotId,
    target: SlotId,
    change: Change,
    gap: usize,
    place: usize,
    cost: f64,
    reached: Reached,
}

/// Items at a place, with all that is needed for trials from there.
#[derive(Debug)]
pub struct TrialPoint {
    /// The number of tokens before it.
    pub at: usize,
    /// All items there.
    pub frontier: Level,
    slots: Vec<(SlotId, Vec<u32>)>,
}

impl TrialPoint {
    /// All items at a place.
    pub fn new(reader: &mut Reader<'_>, stopped: &Stopped<'_>, at: usize) -> Self {
        let (start, inputs) = stopped.input;
        let frontier = reader.frontier(stopped.chart, start, inputs, at);
        let slots = by_slot(&frontier);
        Self { at, frontier, slots }
    }

    fn origins(&self, slot: SlotId) -> &[u32] {
        match self.slots.binary_search_by_key(&slot, |(slot, _)| *slot) {
            Ok(at) => &self.slots[at].1,
            Err(_) => &[],
        }
    }

    /// The rules of items at this place.
    pub fn live<'p>(
        &'p self,
        subject: &'p Subject<'_>,
    ) -> impl Iterator<Item = (RuleId, SlotId)> + 'p {
        self.slots.iter().filter_map(|&(slot, _)| subject.owner(slot).map(|rule| (rule, slot)))
    }

    /// Whether the parser can read an input symbol here.
    #[must_use]
    pub fn expects(&self, subject: &Subject<'_>, input: InputId) -> bool {
        self.slots.iter().any(|&(slot, _)| match subject.slots().next(slot) {
            Some(Symbol::Terminal(terminal)) => subject.slots().is(input, terminal),
            _ => false,
        })
    }
}

/// Searches the changes at places before an error.
pub fn search(
    subject: &Subject<'_>,
    weights: &Weights,
    reader: &mut Reader<'_>,
    gaps: &mut Gaps,
    stopped: &Stopped<'_>,
    places: &[TrialPoint],
) -> Vec<Explanation> {
    let mut search = Search { subject, weights, stopped, candidates: Vec::new() };
    for place in places {
        let inputs = stopped.input.1;
        let longest = MAX_GAP.min(inputs.len() - place.at);
        let costs = gaps.costs(reader, weights, inputs, place.at, longest);
        search.place(reader, place, &costs);
        search.transpositions(reader, gaps, place);
    }
    search.finish(reader, places)
}

struct Search<'a, 'l> {
    subject: &'a Subject<'l>,
    weights: &'a Weights,
    stopped: &'a Stopped<'a>,
    candidates: Vec<Candidate>,
}

impl Search<'_, '_> {
    fn place(&mut self, reader: &mut Reader<'_>, place: &TrialPoint, costs: &[f64]) {
        for (slot, origins) in &place.slots {
            let source = *slot;
            let is_unread = origins.iter().all(|&origin| origin as usize == place.at);
            for (target, change, cost) in self.edits(source, is_unread) {
                let first = usize::from(matches!(change, Change::Insert | Change::Substitute));
                let longest = if first == 1 { costs.len() - 1 } else { 0 };
                for (gap, inserted) in costs.iter().enumerate().take(longest + 1).skip(first) {
                    let cost = cost + inserted + self.brackets(place.at, gap);
                    let candidate = Candidate {
                        source,
                        target,
                        change,
                        gap,
                        place: place.at,
                        cost,
                        reached: Reached { level: 0, accepted: false },
                    };
                    self.consider(reader, place, candidate);
                }
            }
            if reader.budget == 0 {
                return;
            }
        }
    }

    /// The next two symbols of every item in the other order.
    fn transpositions(&mut self, reader: &mut Reader<'_>, gaps: &mut Gaps, place: &TrialPoint) {
        let slots = self.subject.slots();
        let inputs = self.stopped.input.1;
        let Some(&next) = inputs.get(place.at) else { return };
        for &(source, _) in &place.slots {
            let Some(first) = slots.next(source) else { continue };
            let middle = slots.after(source);
            let Some(second) = slots.next(middle) else { continue };
            if first == second || !slots.may_read(middle, next) || reader.budget == 0 {
                continue;
            }
            let target = slots.after(middle);
            for read in gaps.lengths(reader, inputs, place.at, second) {
                for more in gaps.lengths(reader, inputs, place.at + read, first) {
                    let candidate = Candidate {
                        source,
                        target,
                        change: Change::Transpose,
                        gap: read + more,
                        place: place.at,
                        cost: self.weights.transpose,
                        reached: Reached { level: 0, accepted: false },
                    };
                    self.consider(reader, place, candidate);
                }
            }
        }
    }

    /// The cost of brackets without a partner in inserted text.
    fn brackets(&self, at: usize, gap: usize) -> f64 {
        let (mut open, mut lowest) = (0_i32, 0);
        for text in &self.stopped.texts[at..at + gap] {
            open += match *text {
                "(" | "[" | "{" => 1,
                ")" | "]" | "}" => -1,
                _ => 0,
            };
            lowest = lowest.min(open);
        }
        if open == 0 && lowest == 0 { 0.0 } else { self.weights.unbalanced }
    }

    /// What it costs that the next text looks unlike a symbol.
    fn unlike(&self, symbol: Symbol, at: usize) -> f64 {
        let text = self.stopped.texts.get(at).and_then(|text| text.chars().next());
        match text {
            Some(c) if !self.subject.kinds().of(symbol).meets(Kinds::of(c)) => self.weights.unlike,
            _ => 0.0,
        }
    }

    /// The changes of an item: the changed slot, the kind, and what it costs without what is inserted.
    fn edits(&self, source: SlotId, is_unread: bool) -> Vec<(SlotId, Change, f64)> {
        let (slots, weights) = (self.subject.slots(), self.weights);
        let unread = if is_unread { weights.unread } else { 0.0 };
        let len = slots.cfg().rhs(slots.production(source)).len();
        let atomic = if len == 1 { weights.atomic } else { 0.0 };
        let before = slots.before(source).and_then(|before| slots.next(before));
        let read = match before {
            Some(Symbol::Terminal(_)) => weights.behind_token,
            _ => 0.0,
        };
        let first = if is_unread { weights.unread_insert } else { 0.0 };
        let mut edits = vec![(source, Change::Insert, weights.insert + atomic + first - read)];
        let (mut target, mut cost) = (source, unread);
        for _ in 0..MAX_SKIP {
            let Some(symbol) = slots.next(target) else { break };
            target = slots.after(target);
            if !slots.is_nullable(symbol) {
                cost += weights.skip;
                edits.push((target, Change::Skip, cost));
            }
        }
        if slots.next(source).is_some() {
            edits.push((slots.after(source), Change::Substitute, weights.substitute));
        }
        if let Some(before) = slots.before(source) {
            edits.push((before, Change::Repeat, weights.repeat));
            if slots.next(source).is_none() && slots.dot(source) > 1 {
                let first = slots.first(slots.production(source));
                edits.push((first, Change::Repeat, weights.repeat));
            }
        }
        edits
    }

    fn consider(&mut self, reader: &mut Reader<'_>, place: &TrialPoint, mut candidate: Candidate) {
        let (slots, error) = (self.subject.slots(), self.stopped.error);
        let inputs = self.stopped.input.1;
        let at = place.at + candidate.gap;
        let goes_on = match inputs.get(at) {
            Some(&input) => {
                slots.may_end(candidate.target) || slots.may_read(candidate.target, input)
            }
            None => slots.may_end(candidate.target),
        };
        if !goes_on {
            return;
        }
        let limit = at.max(error) + FIRST_LOOK;
        let reached = self.attempt(reader, place, &candidate, limit);
        if is_beyond(reached, at, error) {
            candidate.reached = reached;
            self.candidates.push(candidate);
        }
    }

    fn attempt(
        &self,
        reader: &mut Reader<'_>,
        place: &TrialPoint,
        candidate: &Candidate,
        limit: usize,
    ) -> Reached {
        let origins = place.origins(candidate.source).iter();
        let seeds: Vec<_> =
            origins.map(|&origin| Item { slot: candidate.target, origin }).collect();
        let base = (&place.frontier, place.at);
        let at = place.at + candidate.gap;
        let Stopped { chart, input, .. } = *self.stopped;
        reader.attempt(chart, base, &seeds, at, input, limit).reached
    }

    /// Reads on with the best candidates.
    fn finish(mut self, reader: &mut Reader<'_>, places: &[TrialPoint]) -> Vec<Explanation> {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by(|a, b| self.energy(a).total_cmp(&self.energy(b)));
        for candidate in candidates.iter_mut().take(MAX_LONG) {
            let place = places.iter().find(|place| place.at == candidate.place);
            let place = place.expect("invariant: candidates come from these places");
            let from = (candidate.place + candidate.gap).max(self.stopped.error);
            if !candidate.reached.accepted && candidate.reached.level >= from + FIRST_LOOK {
                candidate.reached = self.attempt(reader, place, candidate, from + HORIZON);
            }
        }
        candidates.iter().flat_map(|candidate| self.explain(candidate)).collect()
    }

    fn energy(&self, candidate: &Candidate) -> f64 {
        let (weights, error) = (self.weights, self.stopped.error);
        let from = (candidate.place + candidate.gap).max(error);
        let Reached { level, accepted } = candidate.reached;
        let rest = self.stopped.input.1.len() - error;
        let benefit = weights.benefit(level - from, rest, accepted);
        let distance = weights.distance * count(error - candidate.place);
        candidate.cost + distance - benefit
    }

    /// The rules that the change can be made in.
    fn explain(&self, candidate: &Candidate) -> Vec<Explanation> {
        let (slots, weights) = (self.subject.slots(), self.weights);
        let energy = self.energy(candidate);
        let mut explanations = Vec::new();
        let mut push = |rule: Option<RuleId>, change: Change, energy: f64| {
            explanations.extend(rule.map(|rule| Explanation {
                rule,
                change,
                layer: Layer::Syntax,
                slot: candidate.source,
                target: candidate.target,
                token: candidate.place,
                gap: candidate.gap,
                inserted: (0, 0),
                reached: candidate.reached,
                energy,
            }));
        };
        let owner = self.subject.owner(candidate.source);
        let unlike = match (candidate.change, slots.next(candidate.source)) {
            (Change::Substitute, Some(symbol)) => self.unlike(symbol, candidate.place),
            _ => 0.0,
        };
        push(owner, candidate.change, energy + unlike);
        if candidate.change == Change::Substitute {
            let symbol = slots.next(candidate.source).expect("invariant: something is substituted");
            let choice = |of: NonterminalId| {
                let alternatives = count(slots.cfg().productions_of(of).len().max(1));
                let unlike = self.unlike(Symbol::Nonterminal(of), candidate.place);
                energy - weights.substitute + weights.alternative + unlike
                    - weights.choice * alternatives.ln()
            };
            if let Symbol::Nonterminal(of) = symbol {
                push(self.subject.owner_of(of), Change::Alternative, choice(of));
            }
            let production = slots.production(candidate.source);
            if slots.cfg().rhs(production).len() == 1 {
                push(owner, Change::Alternative, choice(slots.cfg().lhs(production)));
            }
        }
        explanations
    }
}

/// Whether a trial from level `at` on explains an error.
fn is_beyond(reached: Reached, at: usize, error: usize) -> bool {
    reached.accepted || reached.level > at.max(error)
}

/// A number of tokens as a factor.
#[expect(clippy::cast_precision_loss, reason = "small numbers of tokens")]
pub(crate) fn count(n: usize) -> f64 {
    n as f64
}
