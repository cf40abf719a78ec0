//! The automaton type that all constructions return.
//!
//! States are numbered breadth first from the initial one, the successors of a state in the order
//! of their labels. The accepting state, which is entered by reading `$`, is one of the states
//! (Rossouw, Fischer, JSS 2024, section 2). Kernels, transitions and reductions are flat lists;
//! equal sets of lookaheads are stored once.

use gramercy_analysis::{Rows, TerminalOrEnd};
use gramercy_base::{Id, LimitReached, Limits, bits};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId};

use crate::items::{ItemId, Items};
use crate::labels::{LabelId, Labels};
use crate::{Facts, canonical, lalr, lr0};

gramercy_base::define_id!(pub struct StateId, "a state of an LR automaton");
gramercy_base::define_id!(pub struct LookaheadsId, "a set of lookaheads");

/// The algorithm that builds an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Construction {
    /// Without lookaheads.
    Lr0,
    /// The states of LR(0), with the merged lookaheads of LR(1).
    Lalr,
    /// Canonical LR(1): lookaheads distinguish states.
    Canonical,
}

impl Construction {
    /// All constructions.
    pub const ALL: [Construction; 3] =
        [Construction::Lr0, Construction::Lalr, Construction::Canonical];

    /// The name on the command line and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Construction::Lr0 => "lr0",
            Construction::Lalr => "lalr",
            Construction::Canonical => "lr1",
        }
    }

    /// The automaton of a grammar.
    ///
    /// # Errors
    /// If it has more states than the limits allow.
    pub fn build(
        self,
        cfg: &Cfg,
        facts: &Facts<'_>,
        limits: &Limits,
    ) -> Result<Automaton, LimitReached> {
        match self {
            Construction::Lr0 => lr0::build(cfg, facts, limits),
            Construction::Lalr => lalr::build(cfg, facts, limits),
            Construction::Canonical => canonical::build(cfg, facts, limits),
        }
    }
}

/// An item of a state's kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelItem {
    /// The item.
    pub item: ItemId,
    /// The lookaheads; `None` in an automaton without lookaheads.
    pub lookaheads: Option<LookaheadsId>,
}

/// A transition of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The symbol that is read or pushed.
    pub label: LabelId,
    /// The next state.
    pub target: StateId,
}

/// A complete production in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reduction {
    /// The production.
    pub production: ProductionId,
    /// The lookaheads for which it is reduced; `None` means all, in an automaton without
    /// lookaheads.
    pub lookaheads: Option<LookaheadsId>,
}

/// An LR automaton.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub(crate) construction: Construction,
    pub(crate) items: Items,
    pub(crate) kernels: Rows<StateId, KernelItem>,
    pub(crate) transitions: Rows<StateId, Transition>,
    pub(crate) reductions: Rows<StateId, Reduction>,
    pub(crate) lookaheads: Rows<LookaheadsId, u64>,
}

impl Automaton {
    /// Its construction.
    #[must_use]
    pub fn construction(&self) -> Construction {
        self.construction
    }

    /// The items of its grammar.
    #[must_use]
    pub fn items(&self) -> &Items {
        &self.items
    }

    /// The numbering of its labels.
    #[inline]
    #[must_use]
    pub fn labels(&self) -> Labels {
        self.items.labels()
    }

    /// All states, breadth first from the initial one.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = StateId> + ExactSizeIterator + use<> {
        self.kernels.ids()
    }

    /// The number of states, the accepting one included.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.kernels.len()
    }

    /// The initial state.
    #[must_use]
    pub fn initial(&self) -> StateId {
        StateId::from_index(0)
    }

    /// The state that is entered by reading `$`.
    #[must_use]
    pub fn accepting(&self) -> StateId {
        let labels = self.labels();
        let step = |state: Option<StateId>, label| state.and_then(|state| self.step(state, label));
        let start = self.items.next(self.items.start());
        let start = start.expect("invariant: S' → S $ has two symbols");
        step(step(Some(self.initial()), start), labels.end())
            .expect("invariant: S and then $ can be pushed")
    }

    /// The kernel items of a state, ascending; they determine its closure.
    #[must_use]
    pub fn kernel(&self, state: StateId) -> &[KernelItem] {
        self.kernels.row(state)
    }

    /// The label of all transitions into a state; the initial one has none.
    #[must_use]
    pub fn accessing(&self, state: StateId) -> Option<LabelId> {
        self.items.previous(self.kernel(state)[0].item)
    }

    /// The transitions of a state, in the order of their labels.
    #[inline]
    #[must_use]
    pub fn transitions(&self, state: StateId) -> &[Transition] {
        self.transitions.row(state)
    }

    /// The transitions of all states.
    #[must_use]
    pub fn all_transitions(&self) -> &Rows<StateId, Transition> {
        &self.transitions
    }

    /// The next state for a label.
    #[inline]
    #[must_use]
    pub fn step(&self, state: StateId, label: LabelId) -> Option<StateId> {
        let row = self.transitions(state);
        let at = row.binary_search_by_key(&label, |transition| transition.label).ok()?;
        Some(row[at].target)
    }

    /// The nonterminals in the closure of a state, ascending, each with its next state.
    pub fn gotos(
        &self,
        state: StateId,
    ) -> impl DoubleEndedIterator<Item = (NonterminalId, StateId)> + '_ {
        let (labels, row) = (self.labels(), self.transitions(state));
        let from = row.partition_point(|step| labels.as_nonterminal(step.label).is_none());
        row[from..].iter().map(move |step| {
            let nonterminal = labels.as_nonterminal(step.label);
            (nonterminal.expect("invariant: nonterminals come last"), step.target)
        })
    }

    /// The complete productions of a state, in file order.
    #[must_use]
    pub fn reductions(&self, state: StateId) -> &[Reduction] {
        self.reductions.row(state)
    }

    /// The bits of a set of lookaheads.
    #[must_use]
    pub fn lookaheads(&self, id: LookaheadsId) -> &[u64] {
        self.lookaheads.row(id)
    }

    /// The members of a set of lookaheads, ascending.
    pub fn lookahead_ids(&self, id: LookaheadsId) -> impl Iterator<Item = TerminalOrEnd> + '_ {
        bits::ones(self.lookaheads(id))
    }
}
