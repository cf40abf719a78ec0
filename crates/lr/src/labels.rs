//! Labels of LR automata: a terminal, the end of input, or a nonterminal.

use gramercy_analysis::TerminalOrEnd;
use gramercy_base::Id;
use gramercy_grammar::{Cfg, NonterminalId, Symbol, TerminalId};

gramercy_base::define_id!(
    /// Terminals come first, then `$`, then nonterminals, each in the order of their own ids.
    pub struct LabelId, "the label of a push edge");

/// The meaning of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A terminal.
    Terminal(TerminalId),
    /// The end of input, `$`.
    End,
    /// A nonterminal.
    Nonterminal(NonterminalId),
}

/// The numbering of labels.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    terminals: usize,
    nonterminals: usize,
}

impl Labels {
    /// The labels of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg) -> Self {
        Self { terminals: cfg.terminal_count(), nonterminals: cfg.nonterminal_count() }
    }

    /// The number of labels.
    #[must_use]
    pub fn count(self) -> usize {
        self.terminals + 1 + self.nonterminals
    }

    /// The label of a symbol.
    #[inline]
    #[must_use]
    pub fn symbol(self, symbol: Symbol) -> LabelId {
        match symbol {
            Symbol::Terminal(terminal) => LabelId::from_index(terminal.index()),
            Symbol::Nonterminal(nonterminal) => self.nonterminal(nonterminal),
        }
    }

    /// The label of a nonterminal.
    #[inline]
    #[must_use]
    pub fn nonterminal(self, nonterminal: NonterminalId) -> LabelId {
        LabelId::from_index(self.terminals + 1 + nonterminal.index())
    }

    /// The label of the end of input.
    #[must_use]
    pub fn end(self) -> LabelId {
        LabelId::from_index(self.terminals)
    }

    /// The label of an input.
    #[must_use]
    pub fn input(self, next: TerminalOrEnd) -> LabelId {
        LabelId::from_index(next.index())
    }

    /// The meaning of a label.
    #[must_use]
    pub fn label(self, id: LabelId) -> Label {
        match (self.as_nonterminal(id), self.as_input(id)) {
            (Some(nonterminal), _) => Label::Nonterminal(nonterminal),
            (None, Some(_)) if id == self.end() => Label::End,
            (None, _) => Label::Terminal(TerminalId::from_index(id.index())),
        }
    }

    /// The nonterminal, if the label is a nonterminal.
    #[inline]
    #[must_use]
    pub fn as_nonterminal(self, id: LabelId) -> Option<NonterminalId> {
        id.index().checked_sub(self.terminals + 1).map(NonterminalId::from_index)
    }

    /// The terminal or the end of input, if the label is one.
    #[inline]
    #[must_use]
    pub fn as_input(self, id: LabelId) -> Option<TerminalOrEnd> {
        (id.index() <= self.terminals).then(|| TerminalOrEnd::from_index(id.index()))
    }
}
