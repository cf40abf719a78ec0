//! The BNF core: plain productions. Every position of a production names its node of the grammar
//! graph.
//!
//! For a yacc source the core is exactly the productions of the file. [`expand_repeats`] lowers
//! EBNF, [`split_at_eof`] lowers the end of input. All criteria treat auxiliary nonterminals like
//! any other nonterminal.

use gramercy_base::{Id, LimitReached, Limits, Table, to_u32};

use crate::{
    Attributes, Cfg, ExprId, ExprKind, Grammar, GrammarGraph, NodeId, NonterminalId, ProductionId,
    RuleId, Symbol, expand_repeats, split_at_eof,
};

/// What a nonterminal was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A rule.
    Rule(RuleId),
    /// A group with several alternatives.
    Group(ExprId),
    /// A quantifier, or the remaining optional copies of one with a maximum.
    Repeat(ExprId),
    /// The choice between the two forms of the start rule; see [`split_at_eof`].
    Start,
}

/// Where the end of input occurs in the strings that a nonterminal derives; see [`split_at_eof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EofForm {
    /// Nowhere.
    Inner,
    /// Once, and only further ends of input after it.
    Final,
    /// The strings consist of ends of input only, or are empty.
    Tail,
}

/// A nonterminal of the core.
#[derive(Clone, Debug)]
pub struct Nonterminal {
    /// A name that is unique among nonterminals and terminals: the name of the rule, or a name made
    /// from it.
    pub name: Box<str>,
    /// What it was made from.
    pub origin: Origin,
    /// Where the end of input occurs in what it derives.
    pub eof_form: EofForm,
}

/// One item of a production under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DraftItem {
    /// A symbol and its node.
    Symbol(Symbol, Option<NodeId>),
    /// A leaf without text: the empty literal.
    Silent(NodeId),
    /// The end of input.
    Eof(NodeId),
}

/// A production under construction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductionDraft {
    pub(crate) lhs: NonterminalId,
    pub(crate) alternative: Option<AlternativeRef>,
    /// The range of its items in [`BnfDraft::items`].
    items: (u32, u32),
}

/// An alternative of an alternation in the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlternativeRef {
    /// The alternation.
    pub alternation: ExprId,
    /// Which of its alternatives.
    pub index: u32,
}

/// Nonterminals and productions under construction.
#[derive(Clone, Debug)]
pub(crate) struct BnfDraft {
    pub(crate) nonterminals: Table<NonterminalId, Nonterminal>,
    pub(crate) start: NonterminalId,
    pub(crate) productions: Vec<ProductionDraft>,
    items: Vec<DraftItem>,
}

impl BnfDraft {
    /// Nonterminals without productions.
    pub(crate) fn new(
        nonterminals: Table<NonterminalId, Nonterminal>,
        start: NonterminalId,
    ) -> Self {
        Self { nonterminals, start, productions: Vec::new(), items: Vec::new() }
    }

    /// Appends a production.
    pub(crate) fn push(
        &mut self,
        lhs: NonterminalId,
        alternative: Option<AlternativeRef>,
        items: impl IntoIterator<Item = DraftItem>,
    ) {
        let start = to_u32(self.items.len());
        self.items.extend(items);
        let items = (start, to_u32(self.items.len()));
        self.productions.push(ProductionDraft { lhs, alternative, items });
    }

    /// The items of a production.
    pub(crate) fn items(&self, draft: &ProductionDraft) -> &[DraftItem] {
        &self.items[draft.items.0 as usize..draft.items.1 as usize]
    }
}

/// The BNF core of a grammar: a [`Cfg`] with links to the grammar and its graph.
#[derive(Clone, Debug)]
pub struct Bnf {
    cfg: Cfg,
    nonterminals: Table<NonterminalId, Nonterminal>,
    /// The graph node of every position of every production.
    nodes: Vec<Option<NodeId>>,
    silent: Vec<(u32, NodeId)>,
    silent_ends: Table<ProductionId, u32>,
    alternatives: Table<ProductionId, Option<AlternativeRef>>,
}

impl Bnf {
    /// The core of a grammar.
    ///
    /// # Errors
    /// If bounded repetitions expand beyond the limit on symbols.
    pub fn new(
        grammar: &Grammar,
        graph: &GrammarGraph,
        limits: &Limits,
    ) -> Result<Self, LimitReached> {
        let mut drafts = expand_repeats::expand(grammar, graph, limits)?;
        if grammar.is_scattered() {
            sort_by_position(&mut drafts, grammar);
        }
        let drafts = split_at_eof::split(drafts, limits)?;
        Ok(Self::freeze(drafts, grammar.syntax_terminals()))
    }

    fn freeze(drafts: BnfDraft, terminals: usize) -> Self {
        let (mut symbols, mut nodes, mut silent) = (Vec::new(), Vec::new(), Vec::new());
        let (mut ends, mut silent_ends) = (Vec::new(), Table::new());
        for draft in &drafts.productions {
            let start = symbols.len();
            for item in drafts.items(draft) {
                match *item {
                    DraftItem::Symbol(symbol, node) => {
                        symbols.push(symbol);
                        nodes.push(node);
                    }
                    DraftItem::Silent(node) | DraftItem::Eof(node) => {
                        silent.push((to_u32(symbols.len() - start), node));
                    }
                }
            }
            ends.push((draft.lhs, start..symbols.len()));
            silent_ends.push(to_u32(silent.len()));
        }
        let productions = ends.into_iter().map(|(lhs, range)| (lhs, &symbols[range]));
        Self {
            cfg: Cfg::new(terminals, drafts.nonterminals.len(), drafts.start, productions),
            nodes,
            silent,
            silent_ends,
            alternatives: drafts.productions.iter().map(|draft| draft.alternative).collect(),
            nonterminals: drafts.nonterminals,
        }
    }

    /// The productions alone.
    #[must_use]
    pub fn cfg(&self) -> &Cfg {
        &self.cfg
    }

    /// The data of each nonterminal.
    #[must_use]
    pub fn nonterminals(&self) -> &Table<NonterminalId, Nonterminal> {
        &self.nonterminals
    }

    /// For every position of the right-hand side, its graph node. Only the choice between two forms
    /// of the start rule has none.
    #[inline]
    #[must_use]
    pub fn nodes(&self, production: ProductionId) -> &[Option<NodeId>] {
        &self.nodes[self.cfg.positions(production)]
    }

    /// The leaves of a production that have no text (empty literals, ends of input), each with the
    /// number of positions before it.
    #[must_use]
    pub fn silent(&self, production: ProductionId) -> &[(u32, NodeId)] {
        let before = production.index().checked_sub(1).map(ProductionId::from_index);
        let start = before.map_or(0, |before| self.silent_ends[before]);
        &self.silent[start as usize..self.silent_ends[production] as usize]
    }

    /// The alternative that a production comes from; productions that only repeat have none.
    #[must_use]
    pub fn alternative(&self, production: ProductionId) -> Option<AlternativeRef> {
        self.alternatives[production]
    }

    /// The expression of the alternative that a production comes from; productions that only repeat
    /// have none.
    #[must_use]
    pub fn alternative_expr(&self, grammar: &Grammar, production: ProductionId) -> Option<ExprId> {
        self.alternative(production).map(|of| alternative_expr(grammar, of))
    }

    /// The attributes of the alternative that a production comes from.
    #[must_use]
    pub fn attributes<'g>(
        &self,
        grammar: &'g Grammar,
        production: ProductionId,
    ) -> Option<&'g Attributes> {
        let of = self.alternative(production)?;
        match &grammar.expr(of.alternation).kind {
            ExprKind::Alternation(alternatives) => {
                alternatives[of.index as usize].attributes.as_deref()
            }
            other => unreachable!("invariant: {other:?} is an alternation"),
        }
    }

    /// The name of a symbol.
    #[must_use]
    pub fn symbol_name<'a>(&'a self, grammar: &'a Grammar, symbol: Symbol) -> &'a str {
        match symbol {
            Symbol::Terminal(terminal) => &grammar.terminals()[terminal].name,
            Symbol::Nonterminal(nonterminal) => &self.nonterminals[nonterminal].name,
        }
    }
}

/// All methods of [`Cfg`] are methods of the core.
impl std::ops::Deref for Bnf {
    type Target = Cfg;

    fn deref(&self) -> &Cfg {
        &self.cfg
    }
}

/// Sorts the productions of rules that are defined in several parts of the file into file order.
/// Auxiliary productions stay after the last alternative of their rule.
fn sort_by_position(drafts: &mut BnfDraft, grammar: &Grammar) {
    let nonterminals = &drafts.nonterminals;
    let mut position = None;
    let positioned = drafts.productions.iter().map(|&draft| {
        let of_rule = matches!(nonterminals[draft.lhs].origin, Origin::Rule(_));
        if let Some(of) = draft.alternative.filter(|_| of_rule) {
            position = Some(grammar.expr(alternative_expr(grammar, of)).span);
        }
        (position, draft)
    });
    let mut positioned: Vec<_> = positioned.collect();
    positioned.sort_by_key(|(position, _)| *position);
    drafts.productions = positioned.into_iter().map(|(_, draft)| draft).collect();
}

pub(crate) fn alternative_expr(grammar: &Grammar, of: AlternativeRef) -> ExprId {
    match &grammar.expr(of.alternation).kind {
        ExprKind::Alternation(alternatives) => alternatives[of.index as usize].expr,
        other => unreachable!("invariant: {other:?} is an alternation"),
    }
}
