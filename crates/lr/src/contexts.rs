//! The sources of the lookaheads of a nonterminal.
//!
//! In A → α • B γ, the lookaheads of B are first(γ) and, if γ is nullable, those of A. Both depend
//! only on the item and are prepared once; equal sets are stored once. Linear in the grammar times
//! the words of a set.

use gramercy_analysis::TerminalOrEnd;
use gramercy_analysis::sides::Beside;
use gramercy_base::{Id, IdSet, Table};
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::Facts;
use crate::automaton::LookaheadsId;
use crate::intern::Interner;
use crate::items::{ItemId, Items};

/// Sets of lookaheads, all different.
pub(crate) type Sets = Interner<LookaheadsId, u64>;

/// A nonterminal after a dot.
#[derive(Clone, Copy)]
pub(crate) struct LookaheadContext {
    /// The nonterminal.
    pub(crate) of: NonterminalId,
    /// The terminals that can follow within the production.
    pub(crate) generates: LookaheadsId,
    /// Whether the lookaheads of the left-hand side are also lookaheads of the nonterminal.
    pub(crate) passes: bool,
}

/// The contexts of all items with a nonterminal after the dot.
pub(crate) struct LookaheadContexts {
    of: Table<ItemId, Option<LookaheadContext>>,
    /// The empty set: the lookaheads of S' → S `$`.
    pub(crate) nothing: LookaheadsId,
}

impl LookaheadContexts {
    pub(crate) fn new(cfg: &Cfg, facts: &Facts<'_>, items: &Items, sets: &mut Sets) -> Self {
        let empty = IdSet::<TerminalOrEnd>::new(TerminalOrEnd::count(cfg));
        let (nothing, _) = sets.intern(empty.words());
        let mut contexts = Self { of: Table::filled(None, items.count()), nothing };
        let mut end = empty;
        end.insert(TerminalOrEnd::end(cfg));
        let (generates, _) = sets.intern(end.words());
        contexts.of[items.start()] =
            Some(LookaheadContext { of: cfg.start(), generates, passes: false });
        for production in cfg.productions() {
            let first = items.first(production).index();
            let mut beside = Beside::new(cfg, facts.nullable, facts.first.sets());
            for (dot, &symbol) in cfg.rhs(production).iter().enumerate().rev() {
                if let Symbol::Nonterminal(of) = symbol {
                    let (generates, _) = sets.intern(beside.terminals.words());
                    let context = LookaheadContext { of, generates, passes: beside.at_end };
                    contexts.of[ItemId::from_index(first + dot)] = Some(context);
                }
                beside.extend(symbol);
            }
        }
        contexts
    }

    /// The nonterminal after the dot of an item, if there is one.
    #[inline]
    pub(crate) fn after_dot(&self, item: ItemId) -> Option<LookaheadContext> {
        self.of[item]
    }
}
