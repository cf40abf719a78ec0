//! A context-free grammar prepared for charts: every position of every production is a *slot*, with the input symbols
//! that can come next there.
//!
//! The same type serves the parser's grammar, whose input symbols are tokens, and the lexical rules, whose input
//! symbols are classes of characters. The tables take one bit for every slot and input symbol.
//!
//! Example: `list : '[' item ']'` has four slots; the one before `item` can go on with what `item` can begin with.

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{BitMatrix, Id, IdSet, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_parse::tables::{InputId, Inputs};

gramercy_base::define_id!(pub struct SlotId, "a position of a production");

/// A grammar with its slots.
#[derive(Clone, Debug)]
pub struct Slots {
    cfg: Cfg,
    inputs: usize,
    nullable: Nullable,
    productions: Table<SlotId, ProductionId>,
    first_slots: Table<ProductionId, SlotId>,
    next: Table<SlotId, Option<Symbol>>,
    rest_nullable: IdSet<SlotId>,
    rest_first: BitMatrix<SlotId, InputId>,
    terminals: BitMatrix<InputId, TerminalId>,
}

impl Slots {
    /// The slots of a grammar.
    #[must_use]
    pub fn new(cfg: Cfg, inputs: &Inputs) -> Self {
        let nullable = Nullable::of(&cfg);
        let first = First::of(&cfg, &Productive::of(&cfg), &nullable);
        let mut terminals = BitMatrix::new(inputs.len() + 1, cfg.terminal_count());
        let mut holders: Table<TerminalId, Vec<InputId>> =
            Table::filled(Vec::new(), cfg.terminal_count());
        for input in (0..inputs.len()).map(InputId::from_index) {
            for &terminal in inputs.terminals(input) {
                terminals.insert(input, terminal);
                holders[terminal].push(input);
            }
        }
        let firsts = first_inputs(&cfg, &first, &holders, inputs.len() + 1);
        let slots = cfg.size() + cfg.production_count();
        let mut made = Self {
            inputs: inputs.len(),
            productions: Table::with_capacity(slots),
            first_slots: Table::with_capacity(cfg.production_count()),
            next: Table::with_capacity(slots),
            rest_nullable: IdSet::new(slots),
            rest_first: BitMatrix::new(slots, inputs.len() + 1),
            terminals,
            nullable,
            cfg,
        };
        made.add_productions(&firsts, &holders);
        made
    }

    fn add_productions(
        &mut self,
        firsts: &BitMatrix<NonterminalId, InputId>,
        holders: &Table<TerminalId, Vec<InputId>>,
    ) {
        for production in self.cfg.productions() {
            let rhs = self.cfg.rhs(production);
            let start = self.next.len();
            self.first_slots.push(SlotId::from_index(start));
            for &symbol in rhs {
                self.next.push(Some(symbol));
                self.productions.push(production);
            }
            self.next.push(None);
            self.productions.push(production);
            self.rest_nullable.insert(SlotId::from_index(start + rhs.len()));
            for at in (0..rhs.len()).rev() {
                let slot = SlotId::from_index(start + at);
                match rhs[at] {
                    Symbol::Terminal(terminal) => {
                        for &input in &holders[terminal] {
                            self.rest_first.insert(slot, input);
                        }
                    }
                    Symbol::Nonterminal(nonterminal) => {
                        self.rest_first.union_row(slot, firsts.row(nonterminal));
                    }
                }
                if self.nullable.symbol(rhs[at]) {
                    let after = SlotId::from_index(start + at + 1);
                    self.rest_first.union_rows(slot, after);
                    if self.rest_nullable.contains(after) {
                        self.rest_nullable.insert(slot);
                    }
                }
            }
        }
    }

    /// The grammar.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// The number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether there is no slot.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// An input symbol that no terminal matches: text that is no token.
    #[must_use]
    pub fn unknown(&self) -> InputId {
        InputId::from_index(self.inputs)
    }

    /// The production of a slot.
    #[inline]
    #[must_use]
    pub fn production(&self, slot: SlotId) -> ProductionId {
        self.productions[slot]
    }

    /// How many symbols come before a slot.
    #[must_use]
    pub fn dot(&self, slot: SlotId) -> usize {
        slot.index() - self.first_slots[self.productions[slot]].index()
    }

    /// The slot before the first symbol of a production.
    #[inline]
    #[must_use]
    pub fn first(&self, production: ProductionId) -> SlotId {
        self.first_slots[production]
    }

    /// The slot after the last symbol of a production.
    #[must_use]
    pub fn last(&self, production: ProductionId) -> SlotId {
        SlotId::from_index(self.first_slots[production].index() + self.cfg.rhs(production).len())
    }

    /// The symbol after a slot.
    #[inline]
    #[must_use]
    pub fn next(&self, slot: SlotId) -> Option<Symbol> {
        self.next[slot]
    }

    /// The slot after the next symbol.
    #[inline]
    #[must_use]
    pub fn after(&self, slot: SlotId) -> SlotId {
        SlotId::from_index(slot.index() + 1)
    }

    /// The slot before the previous symbol.
    #[must_use]
    pub fn before(&self, slot: SlotId) -> Option<SlotId> {
        (self.dot(slot) > 0).then(|| SlotId::from_index(slot.index() - 1))
    }

    /// Whether the symbols after a slot derive the empty string.
    #[inline]
    #[must_use]
    pub fn may_end(&self, slot: SlotId) -> bool {
        self.rest_nullable.contains(slot)
    }

    /// Whether what comes after a slot can begin with an input symbol.
    #[inline]
    #[must_use]
    pub fn may_read(&self, slot: SlotId, input: InputId) -> bool {
        self.rest_first.contains(slot, input)
    }

    /// Whether a symbol derives the empty string.
    #[must_use]
    pub fn is_nullable(&self, symbol: Symbol) -> bool {
        self.nullable.symbol(symbol)
    }

    /// Whether an input symbol is a terminal.
    #[inline]
    #[must_use]
    pub fn is(&self, input: InputId, terminal: TerminalId) -> bool {
        self.terminals.contains(input, terminal)
    }
}

/// For each nonterminal, the input symbols that can begin what it derives.
fn first_inputs(
    cfg: &Cfg,
    first: &First,
    holders: &Table<TerminalId, Vec<InputId>>,
    inputs: usize,
) -> BitMatrix<NonterminalId, InputId> {
    let mut sets = BitMatrix::new(cfg.nonterminal_count(), inputs);
    for nonterminal in cfg.nonterminals() {
        for (terminal, holders) in holders.iter() {
            if first.contains(nonterminal, terminal.into()) {
                for &input in holders {
                    sets.insert(nonterminal, input);
                }
            }
        }
    }
    sets
}
