//! The BNF core: plain productions, each position of which names the graph node it stands for.
//!
//! For a yacc source the core is the file's productions, one to one. EBNF is lowered by
//! [`expand_repeats`](crate::expand_repeats), the end of input by
//! [`split_at_eof`](crate::split_at_eof). Auxiliary nonterminals are ordinary ones in every
//! criterion.

use gramercy_base::{Id, LimitReached, Limits, Table};

use crate::{
    Attributes, ExprId, ExprKind, Grammar, GrammarGraph, NodeId, Notation, RuleId, TerminalId,
    expand_repeats, split_at_eof,
};

gramercy_base::define_id!(
    /// Those of the rules come first, in file order, then auxiliary ones.
    pub struct NonterminalId, "a nonterminal of the BNF core");
gramercy_base::define_id!(
    /// In file order.
    pub struct ProductionId, "a production of the BNF core");

/// A terminal or a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A terminal.
    Terminal(TerminalId),
    /// A nonterminal.
    Nonterminal(NonterminalId),
}

/// What a nonterminal was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A rule.
    Rule(RuleId),
    /// A group with several alternatives.
    Group(ExprId),
    /// A quantifier, or what is left of one with a maximum.
    Repeat(ExprId),
    /// The choice between the two forms of the start rule.
    Start,
}

/// How a nonterminal treats the end of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// It derives no end of input.
    Inner,
    /// It derives the end of input, and nothing else behind it.
    Final,
    /// It derives nothing but ends of input, if anything.
    Tail,
}

/// A nonterminal of the core.
#[derive(Clone, Debug)]
pub struct Nonterminal {
    /// A name that is unique among nonterminals and terminals: the rule's, or one made from it.
    pub name: Box<str>,
    /// What it was made from.
    pub origin: Origin,
    /// How it treats the end of input.
    pub form: Form,
}

/// One item of a production under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A symbol and its node.
    Symbol(Symbol, Option<NodeId>),
    /// A leaf without text: the empty literal.
    Silent(NodeId),
    /// The end of input.
    Eof(NodeId),
}

/// A production under construction.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) lhs: NonterminalId,
    pub(crate) items: Vec<Item>,
    pub(crate) alternative: Option<AlternativeRef>,
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
pub(crate) struct Drafts {
    pub(crate) nonterminals: Table<NonterminalId, Nonterminal>,
    pub(crate) productions: Vec<Draft>,
    pub(crate) start: NonterminalId,
}

#[derive(Clone, Debug)]
struct Production {
    lhs: NonterminalId,
    rhs: (u32, u32),
    silent: (u32, u32),
    alternative: Option<AlternativeRef>,
}

/// The BNF core of a grammar.
#[derive(Clone, Debug)]
pub struct Bnf {
    nonterminals: Table<NonterminalId, Nonterminal>,
    productions: Table<ProductionId, Production>,
    symbols: Vec<Symbol>,
    nodes: Vec<Option<NodeId>>,
    silent: Vec<(u32, NodeId)>,
    by_lhs: Vec<ProductionId>,
    lhs_ranges: Table<NonterminalId, (u32, u32)>,
    start: NonterminalId,
    terminals: usize,
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
        if matches!(grammar.notation(), Notation::Yacc | Notation::Native) {
            sort_by_place(&mut drafts, grammar);
        }
        let drafts = split_at_eof::split(drafts, limits)?;
        Ok(Self::freeze(drafts, grammar.syntax_terminals()))
    }

    fn freeze(drafts: Drafts, terminals: usize) -> Self {
        let Drafts { nonterminals, productions: drafts, start } = drafts;
        let mut bnf = Self {
            lhs_ranges: Table::filled((0, 0), nonterminals.len()),
            nonterminals,
            productions: Table::with_capacity(drafts.len()),
            symbols: Vec::new(),
            nodes: Vec::new(),
            silent: Vec::new(),
            by_lhs: Vec::new(),
            start,
            terminals,
        };
        drafts.into_iter().for_each(|draft| bnf.push(draft));
        bnf.index_by_lhs();
        bnf
    }

    fn push(&mut self, draft: Draft) {
        let (rhs, silent) = (fit(self.symbols.len()), fit(self.silent.len()));
        for item in draft.items {
            match item {
                Item::Symbol(symbol, node) => {
                    self.symbols.push(symbol);
                    self.nodes.push(node);
                }
                Item::Silent(node) | Item::Eof(node) => {
                    self.silent.push((fit(self.symbols.len()) - rhs, node));
                }
            }
        }
        self.productions.push(Production {
            lhs: draft.lhs,
            rhs: (rhs, fit(self.symbols.len())),
            silent: (silent, fit(self.silent.len())),
            alternative: draft.alternative,
        });
    }

    fn index_by_lhs(&mut self) {
        let mut of: Vec<_> = self.productions.iter().map(|(id, p)| (p.lhs, id)).collect();
        of.sort_unstable();
        self.by_lhs = of.iter().map(|&(_, id)| id).collect();
        for (at, (lhs, _)) in of.iter().enumerate() {
            let range = &mut self.lhs_ranges[*lhs];
            if range.1 == 0 {
                range.0 = fit(at);
            }
            range.1 = fit(at + 1);
        }
    }

    /// All nonterminals.
    #[must_use]
    pub fn nonterminals(&self) -> &Table<NonterminalId, Nonterminal> {
        &self.nonterminals
    }

    /// How many terminals there are: the first so many of the grammar's.
    #[must_use]
    pub fn terminal_count(&self) -> usize {
        self.terminals
    }

    /// All terminals.
    pub fn terminals(&self) -> impl DoubleEndedIterator<Item = TerminalId> + use<> {
        (0..self.terminals).map(TerminalId::from_index)
    }

    /// All productions, in file order.
    pub fn productions(
        &self,
    ) -> impl DoubleEndedIterator<Item = ProductionId> + ExactSizeIterator + use<> {
        self.productions.ids()
    }

    /// The number of productions.
    #[must_use]
    pub fn production_count(&self) -> usize {
        self.productions.len()
    }

    /// The nonterminal that derives whole sentences.
    #[must_use]
    pub fn start(&self) -> NonterminalId {
        self.start
    }

    /// The left-hand side of a production.
    #[inline]
    #[must_use]
    pub fn lhs(&self, production: ProductionId) -> NonterminalId {
        self.productions[production].lhs
    }

    /// The right-hand side of a production.
    #[inline]
    #[must_use]
    pub fn rhs(&self, production: ProductionId) -> &[Symbol] {
        let (start, end) = self.productions[production].rhs;
        &self.symbols[start as usize..end as usize]
    }

    /// For every position of the right-hand side, the graph node it stands for. Only the choice
    /// between two forms of the start rule has none.
    #[inline]
    #[must_use]
    pub fn nodes(&self, production: ProductionId) -> &[Option<NodeId>] {
        let (start, end) = self.productions[production].rhs;
        &self.nodes[start as usize..end as usize]
    }

    /// The leaves of a production that have no text (empty literals, ends of input), each with the
    /// number of positions before it.
    #[must_use]
    pub fn silent(&self, production: ProductionId) -> &[(u32, NodeId)] {
        let (start, end) = self.productions[production].silent;
        &self.silent[start as usize..end as usize]
    }

    /// The alternative that a production comes from; productions that only repeat have none.
    #[must_use]
    pub fn alternative(&self, production: ProductionId) -> Option<AlternativeRef> {
        self.productions[production].alternative
    }

    /// What the notation says about the alternative that a production comes from.
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

    /// The productions of a nonterminal, in file order.
    #[inline]
    #[must_use]
    pub fn productions_of(&self, nonterminal: NonterminalId) -> &[ProductionId] {
        let (start, end) = self.lhs_ranges[nonterminal];
        &self.by_lhs[start as usize..end as usize]
    }

    /// The name of a symbol.
    #[must_use]
    pub fn symbol_name<'a>(&'a self, grammar: &'a Grammar, symbol: Symbol) -> &'a str {
        match symbol {
            Symbol::Terminal(terminal) => &grammar.terminals()[terminal].name,
            Symbol::Nonterminal(nonterminal) => &self.nonterminals[nonterminal].name,
        }
    }

    /// The number of symbols on all right-hand sides.
    #[must_use]
    pub fn size(&self) -> usize {
        self.symbols.len()
    }
}

/// Puts the productions of a rule that is defined in several places where the file has them.
/// Auxiliary ones stay behind the last alternative of their rule.
fn sort_by_place(drafts: &mut Drafts, grammar: &Grammar) {
    let nonterminals = &drafts.nonterminals;
    let mut place = None;
    let mut placed: Vec<_> = std::mem::take(&mut drafts.productions)
        .into_iter()
        .map(|draft| {
            let of_rule = matches!(nonterminals[draft.lhs].origin, Origin::Rule(_));
            if let Some(of) = draft.alternative.filter(|_| of_rule) {
                place = Some(grammar.expr(alternative_expr(grammar, of)).span);
            }
            (place, draft)
        })
        .collect();
    placed.sort_by_key(|(place, _)| *place);
    drafts.productions = placed.into_iter().map(|(_, draft)| draft).collect();
}

pub(crate) fn alternative_expr(grammar: &Grammar, of: AlternativeRef) -> ExprId {
    match &grammar.expr(of.alternation).kind {
        ExprKind::Alternation(alternatives) => alternatives[of.index as usize].expr,
        other => unreachable!("invariant: {other:?} is an alternation"),
    }
}

fn fit(n: usize) -> u32 {
    u32::try_from(n).expect("invariant: the limit on symbols is below 32 bits")
}
