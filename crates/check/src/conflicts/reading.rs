//! Readings: partial derivations of an input in the order of a leftmost derivation.
//!
//! The part before the conflict comes from the path of a search backward. The part after it is
//! derived by the moves of a search forward, or as short as possible.

use gramercy_grammar::ProductionId;
use gramercy_lr::{Label, LabelId};

use super::backward::{BackwardStep, Config, SearchSide};
use super::beginnings::Beginnings;
use super::forward::Move;
use super::machine::Machine;

/// An event of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The beginning of a production.
    Open(ProductionId),
    /// The end of the innermost production.
    Close,
    /// A symbol that is not expanded.
    Leaf(LabelId),
    /// A symbol that derives the empty string.
    Empty(LabelId),
    /// A symbol that begins with the conflict's token; see [`with_token`].
    Next(LabelId),
    /// The position of the conflict.
    Dot,
}

/// A reading whose end is not derived yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenReading {
    /// The part up to the conflict.
    pub(crate) before: Vec<Event>,
    /// The symbols to derive, with the ends of productions; as short as possible.
    pub(crate) behind: Vec<Event>,
}

impl OpenReading {
    /// The reading of a side along a path to the conflict.
    pub(crate) fn along<const N: usize>(
        machine: &Machine<'_>,
        path: &[&Config<N>],
        side: usize,
        next: LabelId,
    ) -> Self {
        let items = machine.automaton.items();
        let open = |config: &Config<N>| items.production(config.sides[side].item).map(Event::Open);
        let mut before: Vec<_> = open(path[0]).into_iter().collect();
        // From the outside to the inside; reversed at the end.
        let mut behind: Vec<Vec<Event>> = vec![before.iter().map(|_| Event::Close).collect()];
        for pair in path.windows(2) {
            let (outer, inner) = (pair[0], pair[1]);
            match outer.step {
                BackwardStep::Back(label) => before.push(Event::Leaf(label)),
                BackwardStep::Up(up) if up == side => {
                    before.extend(open(inner));
                    behind.push(rest(machine, outer.sides[side], inner.sides[side], next));
                    behind.push(vec![Event::Close]);
                }
                BackwardStep::Up(_) | BackwardStep::Begin => {}
            }
        }
        behind.reverse();
        Self { before, behind: behind.concat() }
    }

    /// Appends the symbols after the dot of the conflict's own item: nothing, or the symbols that
    /// begin with its token.
    pub(crate) fn with_rest_of(mut self, machine: &Machine<'_>, side: SearchSide) -> Self {
        let mut labels = machine.behind(side.item).into_iter();
        let first = labels.next().map(Event::Next);
        let rest: Vec<_> = first.into_iter().chain(labels.map(Event::Leaf)).collect();
        self.behind.splice(0..0, rest);
        self.before.push(Event::Dot);
        self
    }

    /// The symbols to derive.
    pub(crate) fn labels(&self) -> Vec<LabelId> {
        let label = |event: &Event| match *event {
            Event::Leaf(label) | Event::Empty(label) | Event::Next(label) => Some(label),
            Event::Open(_) | Event::Close | Event::Dot => None,
        };
        self.behind.iter().filter_map(label).collect()
    }

    /// The reading with the shortest end.
    pub(crate) fn closed(&self) -> Vec<Event> {
        [&self.before[..], &self.behind].concat()
    }

    /// The same without the condition on the conflict's token.
    pub(crate) fn indifferent(mut self) -> Self {
        for event in &mut self.behind {
            if let Event::Empty(label) | Event::Next(label) = *event {
                *event = Event::Leaf(label);
            }
        }
        self
    }
}

/// The symbols after the production that a side went up from.
fn rest(machine: &Machine<'_>, outer: SearchSide, inner: SearchSide, next: LabelId) -> Vec<Event> {
    let labels = &machine.behind(outer.item)[1..];
    match (inner.waits, outer.waits) {
        (false, _) => labels.iter().map(|&label| Event::Leaf(label)).collect(),
        (true, true) => labels.iter().map(|&label| Event::Empty(label)).collect(),
        (true, false) => {
            let position = machine.position_of(labels, next);
            let position = position.expect("invariant: a side waits until the token can come");
            let event = |(at, &label): (usize, &LabelId)| match at.cmp(&position) {
                std::cmp::Ordering::Less => Event::Empty(label),
                std::cmp::Ordering::Equal => Event::Next(label),
                std::cmp::Ordering::Greater => Event::Leaf(label),
            };
            labels.iter().enumerate().map(event).collect()
        }
    }
}

/// The reading with the conflict's token visible: a symbol that begins with it is expanded down to
/// it. `beginnings` gives the productions; only `$` begins with `$`.
pub(crate) fn with_token(
    machine: &Machine<'_>,
    reading: &[Event],
    beginnings: Option<&Beginnings>,
) -> Vec<Event> {
    let mut shown = Vec::with_capacity(reading.len());
    for &event in reading {
        match event {
            Event::Next(label) => expand_to_token(machine, label, beginnings, &mut shown),
            other => shown.push(other),
        }
    }
    shown
}

fn expand_to_token(
    machine: &Machine<'_>,
    mut label: LabelId,
    beginnings: Option<&Beginnings>,
    shown: &mut Vec<Event>,
) {
    let labels = machine.automaton.labels();
    let mut behind: Vec<Vec<Event>> = Vec::new();
    while let Label::Nonterminal(id) = machine.label(label) {
        let step = beginnings.and_then(|beginnings| beginnings.step(machine, id));
        let (production, at) = step.expect("invariant: it begins with the token");
        let rhs = machine.cfg.rhs(production);
        shown.push(Event::Open(production));
        shown.extend(rhs[..at].iter().map(|&symbol| Event::Empty(labels.symbol(symbol))));
        let rest = rhs[at + 1..].iter().map(|&symbol| Event::Leaf(labels.symbol(symbol)));
        behind.push(rest.chain([Event::Close]).collect());
        label = labels.symbol(rhs[at]);
    }
    shown.push(Event::Leaf(label));
    shown.extend(behind.into_iter().rev().flatten());
}

/// The readings of both sides, completed by the moves to a common end.
pub(crate) fn with_common_end(
    machine: &Machine<'_>,
    sides: &[OpenReading; 2],
    moves: &[Move],
) -> [Vec<Event>; 2] {
    let mut ending = Ending::new(sides);
    let mut first = true;
    for &step in moves {
        ending.close();
        match step {
            Move::Match => ending.match_both(std::mem::take(&mut first)),
            Move::Expand(side, production) => ending.expand(machine, side, production),
        }
    }
    ending.close();
    ending.events
}

struct Ending {
    events: [Vec<Event>; 2],
    /// The symbols to derive, in reverse order.
    left: [Vec<Event>; 2],
}

impl Ending {
    fn new(sides: &[OpenReading; 2]) -> Self {
        let events = [sides[0].before.clone(), sides[1].before.clone()];
        let left = [&sides[0], &sides[1]].map(|side| side.behind.iter().rev().copied().collect());
        Self { events, left }
    }

    /// Ends all productions without remaining symbols.
    fn close(&mut self) {
        for (events, left) in self.events.iter_mut().zip(&mut self.left) {
            while left.last() == Some(&Event::Close) {
                events.extend(left.pop());
            }
        }
    }

    fn pop(&mut self, side: usize) -> LabelId {
        match self.left[side].pop() {
            Some(Event::Leaf(label) | Event::Empty(label) | Event::Next(label)) => label,
            other => unreachable!("invariant: {other:?} is no symbol to derive"),
        }
    }

    fn match_both(&mut self, is_next: bool) {
        for side in 0..2 {
            let label = self.pop(side);
            let event = if is_next { Event::Next(label) } else { Event::Leaf(label) };
            self.events[side].push(event);
        }
    }

    fn expand(&mut self, machine: &Machine<'_>, side: usize, production: ProductionId) {
        self.pop(side);
        self.events[side].push(Event::Open(production));
        self.left[side].push(Event::Close);
        let labels = machine.automaton.labels();
        let rhs = machine.cfg.rhs(production).iter().rev();
        self.left[side].extend(rhs.map(|&symbol| Event::Leaf(labels.symbol(symbol))));
    }
}
