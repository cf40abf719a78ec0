//! What the place of a nonterminal says about its look-aheads.
//!
//! Behind the dot of A → α • B γ, the look-aheads of B are first(γ) and, where γ is nullable, those
//! of A. Both depend on the item alone and are prepared once; equal sets are stored once. Linear in
//! the grammar, times the words of a set.

use gramercy_analysis::TerminalOrEnd;
use gramercy_analysis::sides::Beside;
use gramercy_base::{Id, IdSet, Table};
use gramercy_grammar::{Cfg, NonterminalId, Symbol};

use crate::Facts;
use crate::automaton::LookaheadsId;
use crate::intern::Interner;
use crate::items::{ItemId, Items};

/// Sets of look-aheads, no two of them equal.
pub(crate) type Sets = Interner<LookaheadsId, u64>;

/// A nonterminal behind a dot.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The nonterminal.
    pub(crate) of: NonterminalId,
    /// What can come next within the production.
    pub(crate) generates: LookaheadsId,
    /// Whether the left-hand side's look-aheads are the nonterminal's too.
    pub(crate) passes: bool,
}

/// The contexts of all items that have a nonterminal behind the dot.
pub(crate) struct Contexts {
    of: Table<ItemId, Option<Context>>,
    /// The empty set: what follows S' → S `$`.
    pub(crate) nothing: LookaheadsId,
}

impl Contexts {
    pub(crate) fn new(cfg: &Cfg, facts: &Facts<'_>, items: &Items, sets: &mut Sets) -> Self {
        let empty = IdSet::<TerminalOrEnd>::new(TerminalOrEnd::count(cfg));
        let (nothing, _) = sets.intern(empty.words());
        let mut contexts = Self { of: Table::filled(None, items.count()), nothing };
        let mut end = empty;
        end.insert(TerminalOrEnd::end(cfg));
        let (generates, _) = sets.intern(end.words());
        contexts.of[items.start()] = Some(Context { of: cfg.start(), generates, passes: false });
        for production in cfg.productions() {
            let first = items.first(production).index();
            let mut beside = Beside::new(cfg, facts.nullable, facts.first.sets());
            for (dot, &symbol) in cfg.rhs(production).iter().enumerate().rev() {
                if let Symbol::Nonterminal(of) = symbol {
                    let (generates, _) = sets.intern(beside.terminals.words());
                    let context = Context { of, generates, passes: beside.at_end };
                    contexts.of[ItemId::from_index(first + dot)] = Some(context);
                }
                beside.extend(symbol);
            }
        }
        contexts
    }

    /// The nonterminal behind the dot of an item, if there is one.
    #[inline]
    pub(crate) fn behind_dot(&self, item: ItemId) -> Option<Context> {
        self.of[item]
    }
}
