//! Choices among the productions that a budget allows, by weight.
//!
//! Which productions are allowed changes at few budgets, so for each nonterminal there are slots for
//! every range of budgets between them, and a choice is one draw and one look-up. Where these would take
//! more than a multiple of the room of the productions, there are none, and a choice looks at all
//! productions.

use gramercy_base::{Draw, Id, Table, to_u32};
use gramercy_grammar::{NonterminalId, ProductionId};
use gramercy_language::Language;

use crate::grow::aliases::{self, AliasSlot};

/// Ranges of budgets of a nonterminal at most.
const MAX_LEVELS: usize = 1024;
/// The most slots of a nonterminal, for each of its productions.
const MAX_TICKETS: usize = 64;

/// What a production needs at least, and what it can take at most.
pub(crate) type Bounds = (u32, u32);

/// No bound on what a production can take.
pub(crate) const ANY: u32 = u32::MAX;

/// For every nonterminal the choices among its productions, by budget.
#[derive(Clone, Debug)]
pub(crate) struct AliasTables {
    /// The productions of every nonterminal in ascending order of what they need.
    entries: Vec<Entry>,
    /// Where the entries of each nonterminal begin; after them the number of all.
    starts: Vec<u32>,
    rows: Table<NonterminalId, Row>,
    /// Where the levels of each nonterminal lie; nowhere if it has no slots.
    levels_of: Table<NonterminalId, (u32, u32)>,
    levels: Vec<Level>,
    /// For small budgets, where the slots lie.
    listed: Vec<(u32, u32)>,
    slots: Vec<AliasSlot<ProductionId>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    production: ProductionId,
    least: u32,
    most: u32,
    weight: f64,
}

/// From one budget up to the next, where the choices are the same.
#[derive(Clone, Copy, Debug)]
struct Level {
    from: u32,
    first: u32,
    end: u32,
}

/// The slots of a nonterminal. The last level is by far the most asked for.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// From this budget on the slots lie here.
    from: u32,
    first: u32,
    end: u32,
    /// Where the list begins that says for every budget below where the slots lie.
    listed: u32,
}

/// No list of budgets.
const UNLISTED: u32 = u32::MAX;

/// Up to this budget, slots are listed for each.
const MAX_LISTED: u32 = 64;

impl AliasTables {
    /// The productions with bounds, by their nonterminals.
    pub(crate) fn new(
        language: &Language,
        weights: &Table<ProductionId, f64>,
        bounds: impl Fn(ProductionId) -> Option<Bounds>,
    ) -> Self {
        let mut alias_tables = Self {
            entries: Vec::new(),
            starts: vec![0],
            rows: Table::with_capacity(language.bnf().cfg().nonterminal_count()),
            levels_of: Table::with_capacity(language.bnf().cfg().nonterminal_count()),
            levels: Vec::new(),
            listed: Vec::new(),
            slots: Vec::new(),
        };
        for nonterminal in language.bnf().cfg().nonterminals() {
            let entry = |&production: &ProductionId| {
                let (least, most) = bounds(production)?;
                Some(Entry { production, least, most, weight: weights[production] })
            };
            let mut entries: Vec<Entry> =
                language.bnf().productions_of(nonterminal).iter().filter_map(entry).collect();
            entries.sort_by_key(|entry| entry.least);
            let first = to_u32(alias_tables.levels.len());
            alias_tables.add_levels(&entries);
            alias_tables.levels_of.push((first, to_u32(alias_tables.levels.len())));
            let row = alias_tables.row(nonterminal);
            alias_tables.rows.push(row);
            alias_tables.entries.extend(entries);
            alias_tables.starts.push(to_u32(alias_tables.entries.len()));
        }
        alias_tables
    }

    /// The slots of the last level, and a list of those below.
    fn row(&mut self, nonterminal: NonterminalId) -> Row {
        let mut row = Row { from: ANY, first: 0, end: 0, listed: UNLISTED };
        let Some(&Level { from, first, end }) = self.levels(nonterminal).last() else { return row };
        (row.from, row.first, row.end) = (from, first, end);
        if from <= MAX_LISTED {
            row.listed = to_u32(self.listed.len());
            for budget in 0..from {
                let level = self.level(nonterminal, budget);
                self.listed.push(level.map_or((0, 0), |of| (of.first, of.end)));
            }
        }
        row
    }

    fn levels(&self, nonterminal: NonterminalId) -> &[Level] {
        let (first, end) = self.levels_of[nonterminal];
        &self.levels[first as usize..end as usize]
    }

    fn add_levels(&mut self, row: &[Entry]) {
        let mut budgets: Vec<u32> = row.iter().map(|entry| entry.least).collect();
        budgets.extend(row.iter().filter(|entry| entry.most < ANY).map(|entry| entry.most + 1));
        budgets.sort_unstable();
        budgets.dedup();
        if budgets.len() > MAX_LEVELS {
            return;
        }
        let choices: Vec<Vec<Entry>> = budgets.iter().map(|&from| allowed(row, from)).collect();
        if choices.iter().map(Vec::len).sum::<usize>() > MAX_TICKETS * row.len() {
            return;
        }
        for (&from, choice) in budgets.iter().zip(&choices) {
            let first = to_u32(self.slots.len());
            let things: Vec<(ProductionId, f64)> =
                choice.iter().map(|entry| (entry.production, entry.weight)).collect();
            self.slots.extend(aliases::slots(&things));
            self.levels.push(Level { from, first, end: to_u32(self.slots.len()) });
        }
    }

    /// One of the productions whose bounds have the budget between them, or else the one that comes
    /// nearest to it from below; `None` if all need more.
    #[inline(always)]
    pub(crate) fn choose(
        &self,
        nonterminal: NonterminalId,
        budget: u32,
        draw: &mut Draw,
    ) -> Option<ProductionId> {
        let row = self.rows[nonterminal];
        let (first, end) = if row.from <= budget {
            (row.first, row.end)
        } else if row.listed != UNLISTED {
            self.listed[(row.listed + budget) as usize]
        } else {
            return self.search(nonterminal, budget, draw);
        };
        match &self.slots[first as usize..end as usize] {
            [] => self.search(nonterminal, budget, draw),
            slots => Some(aliases::choose(slots, draw)),
        }
    }

    /// As [`choose`](Self::choose), for a budget that is not listed.
    #[inline(never)]
    fn search(
        &self,
        nonterminal: NonterminalId,
        budget: u32,
        draw: &mut Draw,
    ) -> Option<ProductionId> {
        if self.levels(nonterminal).is_empty() {
            return self.look(nonterminal, budget, draw);
        }
        let Level { first, end, .. } = self.level(nonterminal, budget)?;
        let slots = &self.slots[first as usize..end as usize];
        (!slots.is_empty()).then(|| aliases::choose(slots, draw))
    }

    /// From which budget on all choices are the same.
    pub(crate) fn last_level(&self, nonterminal: NonterminalId) -> Option<u32> {
        Some(self.levels(nonterminal).last()?.from)
    }

    /// The slots from that budget on.
    pub(crate) fn last_slots(&self, nonterminal: NonterminalId) -> &[AliasSlot<ProductionId>] {
        let Row { first, end, .. } = self.rows[nonterminal];
        &self.slots[first as usize..end as usize]
    }

    /// The level of a budget.
    fn level(&self, nonterminal: NonterminalId, budget: u32) -> Option<Level> {
        let levels = self.levels(nonterminal);
        let above = levels.partition_point(|level| level.from <= budget);
        Some(levels[above.checked_sub(1)?])
    }

    /// As [`choose`](Self::choose), without a table.
    fn look(
        &self,
        nonterminal: NonterminalId,
        budget: u32,
        draw: &mut Draw,
    ) -> Option<ProductionId> {
        let choice = allowed(self.entries_of(nonterminal), budget);
        let sum: f64 = choice.iter().map(|entry| entry.weight).sum();
        let mut left = share(draw.number()) * sum;
        let found = choice.iter().find(|entry| {
            left -= entry.weight;
            left < 0.0
        });
        found.or(choice.last()).map(|entry| entry.production)
    }

    /// What [`choose`](Self::choose) chooses from, and how likely each is; `None` without a table.
    pub(crate) fn chances(
        &self,
        nonterminal: NonterminalId,
        budget: u32,
    ) -> Option<Vec<(ProductionId, f64)>> {
        self.levels(nonterminal).last()?;
        let choice = allowed(self.entries_of(nonterminal), budget);
        let sum: f64 = choice.iter().map(|entry| entry.weight).sum();
        let chance = |weight| if sum > 0.0 { weight / sum } else { 1.0 / choice.len() as f64 };
        Some(choice.iter().map(|entry| (entry.production, chance(entry.weight))).collect())
    }

    fn entries_of(&self, nonterminal: NonterminalId) -> &[Entry] {
        let at = nonterminal.index();
        &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// The productions that need no more than the budget, the least first.
    pub(crate) fn within(
        &self,
        nonterminal: NonterminalId,
        budget: u32,
    ) -> impl Iterator<Item = ProductionId> + Clone + '_ {
        let entries = self.entries_of(nonterminal).iter();
        entries.take_while(move |entry| entry.least <= budget).map(|entry| entry.production)
    }
}

/// The productions that a budget allows; where it lies in a gap, the one that comes nearest to it.
fn allowed(row: &[Entry], budget: u32) -> Vec<Entry> {
    let within = row.iter().filter(|entry| entry.least <= budget).copied();
    let allowed: Vec<Entry> = within.clone().filter(|entry| budget <= entry.most).collect();
    match allowed.is_empty() {
        true => within.max_by_key(|entry| entry.most).into_iter().collect(),
        false => allowed,
    }
}

/// A number from 0 up to 1.
pub(crate) fn share(drawn: u64) -> f64 {
    (drawn >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use gramercy_base::{Draw, Id};
    use gramercy_grammar::ProductionId;

    use super::{Entry, allowed};

    fn entry(index: usize, least: u32, most: u32, weight: f64) -> Entry {
        Entry { production: ProductionId::from_index(index), least, most, weight }
    }

    #[test]
    fn budgets_allow_what_they_should() {
        let row = [entry(0, 1, 1, 1.0), entry(1, 2, 4, 1.0), entry(2, 3, 4, 1.0)];
        let check = |budget, expected: &[usize]| {
            let found = allowed(&row, budget);
            let found: Vec<usize> = found.iter().map(|entry| entry.production.index()).collect();
            assert_eq!(found, expected, "{budget}");
        };
        check(0, &[]);
        check(1, &[0]);
        check(2, &[1]);
        check(3, &[1, 2]);
        check(9, &[2]);
        assert!(super::share(Draw::new([0; 4]).number()) < 1.0);
    }
}
