//! Items: productions with a dot.
//!
//! The grammar is augmented by S' → S `$`, whose three items come first, followed by the items of
//! every production, dot by dot. So advancing the dot gives the next id.

use gramercy_base::{Id, Table};
use gramercy_grammar::{Cfg, ProductionId, Symbol};

use crate::labels::{LabelId, Labels};

gramercy_base::define_id!(
    /// The items of one production are consecutive.
    pub struct ItemId, "an item: a production with a dot");

/// All items of a grammar.
#[derive(Clone, Debug)]
pub struct Items {
    labels: Labels,
    next: Table<ItemId, Option<LabelId>>,
    production: Table<ItemId, Option<ProductionId>>,
    first: Table<ProductionId, ItemId>,
}

impl Items {
    /// The items of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        let labels = Labels::of(cfg);
        let mut items = Self {
            labels,
            next: Table::new(),
            production: Table::new(),
            first: Table::with_capacity(cfg.production_count()),
        };
        let start = labels.symbol(Symbol::Nonterminal(cfg.start()));
        items.push(None, [start, labels.end()].into_iter());
        for production in cfg.productions() {
            let rhs = cfg.rhs(production).iter().map(|&symbol| labels.symbol(symbol));
            let first = items.push(Some(production), rhs);
            items.first.push(first);
        }
        items
    }

    fn push(
        &mut self,
        production: Option<ProductionId>,
        rhs: impl Iterator<Item = LabelId>,
    ) -> ItemId {
        let first = self.next.next_id();
        for next in rhs.map(Some).chain([None]) {
            self.next.push(next);
            self.production.push(production);
        }
        first
    }

    /// The number of items.
    #[must_use]
    pub fn count(&self) -> usize {
        self.next.len()
    }

    /// The numbering of labels.
    #[inline]
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.labels
    }

    /// S' → • S `$`.
    #[must_use]
    pub fn start(&self) -> ItemId {
        ItemId::from_index(0)
    }

    /// The item of a production with its dot at the left.
    #[inline]
    #[must_use]
    pub fn first(&self, production: ProductionId) -> ItemId {
        self.first[production]
    }

    /// The production of an item; `None` for S' → S `$`.
    #[inline]
    #[must_use]
    pub fn production(&self, item: ItemId) -> Option<ProductionId> {
        self.production[item]
    }

    /// The number of symbols before the dot.
    #[must_use]
    pub fn dot(&self, item: ItemId) -> usize {
        let first = self.production[item].map_or(self.start(), |production| self.first[production]);
        item.index() - first.index()
    }

    /// The symbol after the dot; `None` if the item is complete.
    #[inline]
    #[must_use]
    pub fn next(&self, item: ItemId) -> Option<LabelId> {
        self.next[item]
    }

    /// The symbol before the dot; `None` if the dot is at the left.
    #[must_use]
    pub fn previous(&self, item: ItemId) -> Option<LabelId> {
        // The id before an item with its dot at the left is a complete item.
        item.index().checked_sub(1).and_then(|index| self.next[ItemId::from_index(index)])
    }

    /// The item with the dot one symbol further to the right.
    ///
    /// # Panics
    /// If the item is complete.
    #[inline]
    #[must_use]
    pub fn advance(&self, item: ItemId) -> ItemId {
        assert!(self.next[item].is_some(), "invariant: only an open item advances");
        ItemId::from_index(item.index() + 1)
    }
}
