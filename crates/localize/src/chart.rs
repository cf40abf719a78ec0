//! Charts: everything that a grammar can be doing at each place of an input, and trials from any of these places.
//!
//! Earley's algorithm (CACM 1970) keeps for every place the *items* A → α • β with the place where A began. That makes
//! two questions cheap that localization asks thousands of times: which items are live where an input fails, and how
//! far the rest of the input can be read if one of them were another one. Such a trial adds its own levels on top of
//! the chart and never copies it. Nullable nonterminals are passed when they are predicted (Aycock and Horspool, The
//! Computer Journal 2002), and only items that can go on with the next input symbol are kept.
//!
//! Linear on LR-like grammars without right recursion, at worst cubic in the input; a budget of items bounds it.
//!
//! Example: `list : '[' 'x' ']'` on `[ ]`: the items at place 1 are `list → '[' • 'x' ']'` from 0. The trial "without
//! `'x'`" begins at place 1 with `list → '[' 'x' • ']'` from 0, reads `]` and accepts.

use gramercy_base::{IdSet, Set, to_u32};
use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_parse::tables::InputId;

use crate::slots::{SlotId, Slots};

/// A slot of a production, and where the production begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item {
    /// Where in the production.
    pub slot: SlotId,
    /// The place at which the production begins.
    pub origin: u32,
}

/// All items at one place of the input.
#[derive(Clone, Debug, Default)]
pub struct Level {
    items: Vec<Item>,
    /// Items before a nonterminal, by nonterminal.
    waiting: Vec<(NonterminalId, Item)>,
}

impl Level {
    /// The items, those that were read first.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The items before a nonterminal.
    fn waiting(&self, nonterminal: NonterminalId) -> impl Iterator<Item = Item> + '_ {
        let from = self.waiting.partition_point(|&(other, _)| other < nonterminal);
        let rest = self.waiting[from..].iter();
        rest.take_while(move |&&(other, _)| other == nonterminal).map(|&(_, item)| item)
    }

    /// Adds the items of another level at the same place.
    fn merge(&mut self, other: Level) {
        self.items.extend(other.items);
        self.items.sort_unstable();
        self.items.dedup();
        self.waiting.extend(other.waiting);
        self.waiting.sort_unstable();
        self.waiting.dedup();
    }
}

/// What comes next in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ahead {
    /// All items are wanted, whatever comes next.
    Anything,
    Input(InputId),
    End,
}

impl Ahead {
    fn of(tokens: &[InputId], at: usize) -> Self {
        tokens.get(at).map_or(Ahead::End, |&input| Ahead::Input(input))
    }
}

/// The items read so far, level by level.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    levels: Vec<Level>,
}

/// How far a reading came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// How many input symbols were read.
    pub level: usize,
    /// Whether the whole input was accepted.
    pub accepted: bool,
}

/// A reading that began at some place of a chart with other items.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The level of the chart at which the other items began.
    base: usize,
    /// The first level of its own.
    start: usize,
    levels: Vec<Level>,
    /// How far it came.
    pub reached: Reached,
}

/// Reads inputs with one grammar.
#[derive(Debug)]
pub struct Reader<'s> {
    slots: &'s Slots,
    seen: Set<Item>,
    predicted: IdSet<NonterminalId>,
    /// Items that may still be made.
    pub budget: u64,
    /// A change of the grammar that holds from where a trial begins.
    pub overlay: Option<Overlay>,
}

/// A change of one slot: where one of some words comes, another slot is reached.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The slot.
    pub slot: SlotId,
    /// The slot after one of the words.
    pub target: SlotId,
    /// The words.
    pub words: Vec<Vec<InputId>>,
}

impl<'s> Reader<'s> {
    /// A reader that makes at most this number of items.
    #[must_use]
    pub fn new(slots: &'s Slots, budget: u64) -> Self {
        let predicted = IdSet::new(slots.cfg().nonterminal_count());
        Self { slots, seen: Set::default(), predicted, budget, overlay: None }
    }

    /// The grammar.
    #[must_use]
    pub fn slots(&self) -> &'s Slots {
        self.slots
    }

    /// The chart of the beginning of an input that nonterminal `start` derives.
    pub fn begin(&mut self, start: NonterminalId, tokens: &[InputId]) -> Chart {
        let slots = self.slots;
        let productions = slots.cfg().productions_of(start);
        let seeds = productions.iter().map(|&id| Item { slot: slots.first(id), origin: 0 });
        let level = self.close(seeds, 0, Ahead::of(tokens, 0), |_, _, _| ());
        Chart { levels: vec![level] }
    }

    /// Reads on as far as possible.
    pub fn read(&mut self, chart: &mut Chart, start: NonterminalId, tokens: &[InputId]) -> Reached {
        while let Some(&input) = tokens.get(chart.levels.len() - 1) {
            let at = chart.levels.len();
            let last = &chart.levels[at - 1];
            let seeds: Vec<_> = self.scan(last, input).collect();
            if seeds.is_empty() || self.budget == 0 {
                break;
            }
            let level = self.close(seeds, at, Ahead::of(tokens, at), |origin, waited, see| {
                visit(chart.levels.get(origin), waited, see);
            });
            chart.levels.push(level);
        }
        let level = chart.levels.len() - 1;
        let accepted = level == tokens.len() && self.accepts(&chart.levels[level], start, level);
        Reached { level, accepted }
    }

    /// All items at a level, whatever comes next.
    pub fn frontier(
        &mut self,
        chart: &Chart,
        start: NonterminalId,
        tokens: &[InputId],
        at: usize,
    ) -> Level {
        if at == 0 {
            let slots = self.slots;
            let productions = slots.cfg().productions_of(start);
            let seeds = productions.iter().map(|&id| Item { slot: slots.first(id), origin: 0 });
            return self.close(seeds, 0, Ahead::Anything, |_, _, _| ());
        }
        let seeds: Vec<_> = self.scan(&chart.levels[at - 1], tokens[at - 1]).collect();
        if seeds.is_empty() {
            // A recovery jumped here: what it began with is kept.
            return chart.levels[at].clone();
        }
        self.close(seeds, at, Ahead::Anything, |origin, waited, see| {
            visit(chart.levels[..at].get(origin), waited, see);
        })
    }

    /// Reads on from other items: they are at level `at`, and were made of items in `frontier`, which is all of level
    /// `base`.
    pub fn attempt(
        &mut self,
        chart: &Chart,
        (frontier, base): (&Level, usize),
        seeds: &[Item],
        at: usize,
        (start, tokens): (NonterminalId, &[InputId]),
        limit: usize,
    ) -> Trial {
        let mut trial = Trial {
            base,
            start: at,
            levels: Vec::new(),
            reached: Reached { level: at, accepted: false },
        };
        let first =
            self.close(seeds.iter().copied(), at, Ahead::of(tokens, at), |origin, waited, see| {
                trial.waiting(chart, frontier, origin, waited, see);
            });
        trial.levels.push(first);
        self.extend(chart, frontier, &mut trial, (start, tokens), limit);
        trial
    }

    /// Reads on with a trial, up to a level.
    pub fn extend(
        &mut self,
        chart: &Chart,
        frontier: &Level,
        trial: &mut Trial,
        (start, tokens): (NonterminalId, &[InputId]),
        limit: usize,
    ) {
        let mut pending = Vec::new();
        self.jump(
            &trial.levels[trial.reached.level - trial.start],
            tokens,
            trial.reached.level,
            &mut pending,
        );
        while trial.reached.level < limit.min(tokens.len()) && self.budget > 0 {
            let at = trial.reached.level;
            let last = &trial.levels[at - trial.start];
            let mut seeds: Vec<_> = self.scan(last, tokens[at]).collect();
            seeds.extend(pending.iter().filter(|(to, _)| *to == at + 1).map(|&(_, item)| item));
            pending.retain(|(to, _)| *to > at + 1);
            if seeds.is_empty() && pending.is_empty() {
                return;
            }
            let level =
                self.close(seeds, at + 1, Ahead::of(tokens, at + 1), |origin, waited, see| {
                    trial.waiting(chart, frontier, origin, waited, see);
                });
            self.jump(&level, tokens, at + 1, &mut pending);
            trial.levels.push(level);
            trial.reached.level = at + 1;
        }
        let level = trial.reached.level;
        if level == tokens.len() {
            trial.reached.accepted = self.accepts(&trial.levels[level - trial.start], start, level);
        }
    }

    /// Adds the items that the overlay leads to from a level.
    fn jump(&self, level: &Level, tokens: &[InputId], at: usize, pending: &mut Vec<(usize, Item)>) {
        let Some(overlay) = &self.overlay else { return };
        for word in overlay.words.iter().filter(|word| tokens[at..].starts_with(word)) {
            let changed = level.items.iter().filter(|item| item.slot == overlay.slot);
            let to = |item: &Item| Item { slot: overlay.target, origin: item.origin };
            pending.extend(changed.map(|item| (at + word.len(), to(item))));
        }
    }

    /// All nonterminals that derive the next symbols of an input, for each number of symbols up to a limit.
    pub fn phrases(
        &mut self,
        tokens: &[InputId],
        from: usize,
        limit: usize,
    ) -> Vec<Vec<NonterminalId>> {
        let slots = self.slots;
        let tokens = &tokens[from..tokens.len().min(from + limit)];
        let Some(&first) = tokens.first() else { return Vec::new() };
        let seeds = slots.cfg().productions().map(|id| Item { slot: slots.first(id), origin: 0 });
        let seeds: Vec<_> = seeds.filter(|item| slots.may_read(item.slot, first)).collect();
        let mut levels = vec![self.close(seeds, 0, Ahead::Input(first), |_, _, _| ())];
        let mut found = Vec::new();
        for (at, &input) in tokens.iter().enumerate() {
            let seeds: Vec<_> = self.scan(&levels[at], input).collect();
            if seeds.is_empty() || self.budget == 0 {
                break;
            }
            // What comes after a phrase is not known.
            let ahead = if at + 1 == tokens.len() { Ahead::End } else { Ahead::of(tokens, at + 1) };
            let level = self.close(seeds, at + 1, ahead, |origin, waited, see| {
                visit(levels.get(origin), waited, see);
            });
            let whole = level.items.iter().filter(|item| item.origin == 0);
            let whole = whole.filter(|item| slots.next(item.slot).is_none());
            let mut whole: Vec<_> =
                whole.map(|item| slots.cfg().lhs(slots.production(item.slot))).collect();
            whole.sort_unstable();
            whole.dedup();
            found.push(whole);
            levels.push(level);
        }
        found
    }

    /// The items after an input symbol.
    fn scan<'l>(
        &self,
        level: &'l Level,
        input: InputId,
    ) -> impl Iterator<Item = Item> + use<'l, 's> {
        let slots = self.slots;
        level.items.iter().filter_map(move |item| match slots.next(item.slot) {
            Some(Symbol::Terminal(terminal)) if slots.is(input, terminal) => {
                Some(Item { slot: slots.after(item.slot), origin: item.origin })
            }
            _ => None,
        })
    }

    /// Whether a whole input was read as the start symbol.
    fn accepts(&self, level: &Level, start: NonterminalId, at: usize) -> bool {
        let slots = self.slots;
        if at == 0 && slots.is_nullable(Symbol::Nonterminal(start)) {
            return true;
        }
        let is_whole = |item: &Item| {
            let production = slots.production(item.slot);
            item.origin == 0
                && slots.next(item.slot).is_none()
                && slots.cfg().lhs(production) == start
        };
        level.items.iter().any(is_whole)
    }

    /// All items at a level that follow from some of them. `below` visits the items before a nonterminal at a level.
    fn close(
        &mut self,
        seeds: impl IntoIterator<Item = Item>,
        at: usize,
        ahead: Ahead,
        below: impl Fn(usize, NonterminalId, &mut dyn FnMut(Item)),
    ) -> Level {
        self.seen.clear();
        self.predicted.clear();
        let slots = self.slots;
        let here = to_u32(at);
        // What can come next is not known where the grammar is changed.
        let ahead = if self.overlay.is_some() { Ahead::Anything } else { ahead };
        let mut items: Vec<Item> = Vec::new();
        let add = |seen: &mut Set<Item>, items: &mut Vec<Item>, item: Item| {
            let is_wanted = match ahead {
                Ahead::Anything => true,
                Ahead::Input(input) => slots.may_end(item.slot) || slots.may_read(item.slot, input),
                Ahead::End => slots.may_end(item.slot),
            };
            if is_wanted && seen.insert(item) {
                items.push(item);
            }
        };
        for seed in seeds {
            add(&mut self.seen, &mut items, seed);
        }
        let mut done = 0;
        while done < items.len() {
            let item = items[done];
            done += 1;
            match slots.next(item.slot) {
                Some(Symbol::Terminal(_)) => {}
                Some(Symbol::Nonterminal(wanted)) => {
                    if self.predicted.insert(wanted) {
                        for &production in slots.cfg().productions_of(wanted) {
                            let item = Item { slot: slots.first(production), origin: here };
                            add(&mut self.seen, &mut items, item);
                        }
                    }
                    if slots.is_nullable(Symbol::Nonterminal(wanted)) {
                        let passed = Item { slot: slots.after(item.slot), origin: item.origin };
                        add(&mut self.seen, &mut items, passed);
                    }
                }
                None => {
                    let made = slots.cfg().lhs(slots.production(item.slot));
                    below(item.origin as usize, made, &mut |waiting| {
                        let passed =
                            Item { slot: slots.after(waiting.slot), origin: waiting.origin };
                        add(&mut self.seen, &mut items, passed);
                    });
                }
            }
        }
        self.budget = self.budget.saturating_sub(items.len() as u64);
        let mut waiting: Vec<_> = items
            .iter()
            .filter_map(|&item| match slots.next(item.slot) {
                Some(Symbol::Nonterminal(wanted)) => Some((wanted, item)),
                _ => None,
            })
            .collect();
        waiting.sort_unstable();
        Level { items, waiting }
    }
}

/// Visits the items before a nonterminal at a level; a level that is not closed yet has none, because nonterminals that
/// derive the empty string are passed when they are predicted.
fn visit(level: Option<&Level>, wanted: NonterminalId, see: &mut dyn FnMut(Item)) {
    if let Some(level) = level {
        level.waiting(wanted).for_each(see);
    }
}

impl Trial {
    /// Its own levels, each with the number of input symbols before it.
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = (usize, &Level)> {
        self.levels.iter().enumerate().map(|(at, level)| (self.start + at, level))
    }

    /// The items before a nonterminal at a level of the chart, of the place where the trial begins, or of the trial.
    fn waiting(
        &self,
        chart: &Chart,
        frontier: &Level,
        origin: usize,
        wanted: NonterminalId,
        see: &mut dyn FnMut(Item),
    ) {
        if origin < self.base {
            chart.levels[origin].waiting(wanted).for_each(&mut *see);
        } else if origin == self.base {
            frontier.waiting(wanted).for_each(&mut *see);
        }
        if let Some(level) = origin.checked_sub(self.start).and_then(|at| self.levels.get(at)) {
            level.waiting(wanted).for_each(see);
        }
    }
}

impl Chart {
    /// The number of input symbols read.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.levels.len() - 1
    }

    /// The items at a level that can go on with the next input symbol.
    #[must_use]
    pub fn level(&self, at: usize) -> &Level {
        &self.levels[at]
    }

    /// Goes on as a trial did.
    pub fn adopt(&mut self, frontier: Level, trial: Trial) {
        self.levels.truncate(trial.base);
        self.levels.push(frontier);
        let mut own = trial.levels.into_iter();
        if trial.start == trial.base
            && let Some(first) = own.next()
        {
            self.levels[trial.base].merge(first);
        }
        while self.levels.len() < trial.start {
            self.levels.push(Level::default());
        }
        self.levels.extend(own);
    }
}

/// The origins of each slot's items at a level, in the order of slots.
#[must_use]
pub fn by_slot(level: &Level) -> Vec<(SlotId, Vec<u32>)> {
    let mut items = level.items.clone();
    items.sort_unstable();
    let mut grouped: Vec<(SlotId, Vec<u32>)> = Vec::new();
    for item in items {
        match grouped.last_mut() {
            Some((slot, origins)) if *slot == item.slot => origins.push(item.origin),
            _ => grouped.push((item.slot, vec![item.origin])),
        }
    }
    grouped
}
