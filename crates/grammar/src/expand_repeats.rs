//! Lowers EBNF to productions.
//!
//! `x?` is Q: ε | x; `x*` is Q: ε | Q x; `x+` is Q: x | Q x; `x{n,m}` is n copies, then m-n nested
//! optionals; without a maximum, n copies, then `x*`. A group with several alternatives gets its
//! own nonterminal; other groups are inlined. Each quantifier and each such group becomes one
//! nonterminal, even if the expression around it is copied.
//!
//! Example: `S: x (a | b){1,2};` becomes S: x S_1 S_2; S_1: a | b; S_2: ε | S_1. The group has one
//! nonterminal, `S_1`, for both copies.
//!
//! Linear in the grammar times the number of copies of bounded quantifiers, which
//! [`Limits::symbols`] limits.

use std::collections::VecDeque;

use gramercy_base::{LimitReached, Limits, Set, Table, to_u32};

use crate::bnf::{AlternativeRef, BnfDraft, DraftItem};
use crate::{
    EofForm, ExprId, ExprKind, Grammar, GrammarGraph, Nonterminal, NonterminalId, Origin, RuleId,
    Symbol, TerminalKind,
};

pub(crate) fn expand(
    grammar: &Grammar,
    graph: &GrammarGraph,
    limits: &Limits,
) -> Result<BnfDraft, LimitReached> {
    let mut expansion = Expansion::new(grammar, graph, limits);
    for (rule, _) in grammar.syntax_rules() {
        expansion.rule(rule)?;
    }
    Ok(expansion.drafts)
}

struct Expansion<'g> {
    grammar: &'g Grammar,
    graph: &'g GrammarGraph,
    drafts: BnfDraft,
    of_rule: Table<RuleId, Option<NonterminalId>>,
    of_expr: Table<ExprId, Option<NonterminalId>>,
    /// Groups and quantifiers whose productions are not built yet.
    pending: VecDeque<(NonterminalId, ExprId)>,
    /// The names of the grammar that could collide with a name made from a rule's name.
    names: Set<&'g str>,
    /// The rule whose right-hand side is being lowered, and how many names are made from its name.
    current: (RuleId, usize),
    symbols: usize,
    limit: usize,
}

impl<'g> Expansion<'g> {
    fn new(grammar: &'g Grammar, graph: &'g GrammarGraph, limits: &Limits) -> Self {
        let mut nonterminals = Table::new();
        let mut of_rule = Table::filled(None, grammar.rules().len());
        for (id, rule) in grammar.syntax_rules() {
            let (name, origin) = (rule.name.clone(), Origin::Rule(id));
            of_rule[id] =
                Some(nonterminals.push(Nonterminal { name, origin, eof_form: EofForm::Inner }));
        }
        let start = of_rule[grammar.start()].expect("invariant: the start is a syntax rule");
        let rules = grammar.rules().values().map(|rule| &*rule.name);
        let terminals = grammar.terminals().values().map(|terminal| &*terminal.name);
        Self {
            grammar,
            graph,
            drafts: BnfDraft::new(nonterminals, start),
            of_rule,
            of_expr: Table::filled(None, grammar.exprs().len()),
            pending: VecDeque::new(),
            names: rules.chain(terminals).filter(|name| is_numbered(name)).collect(),
            current: (grammar.start(), 0),
            symbols: 0,
            limit: limits.symbols,
        }
    }

    fn rule(&mut self, rule: RuleId) -> Result<(), LimitReached> {
        self.current = (rule, 0);
        let lhs = self.of_rule[rule].expect("invariant: a syntax rule has its nonterminal");
        self.alternatives(lhs, self.grammar.rules()[rule].body)?;
        while let Some((lhs, expr)) = self.pending.pop_front() {
            match self.grammar.expr(expr).kind {
                ExprKind::Alternation(_) => self.alternatives(lhs, expr)?,
                ExprKind::Repeat { body, min, max, .. } => {
                    self.repeat(lhs, expr, body, min, max)?;
                }
                _ => unreachable!("invariant: only groups and quantifiers are pending"),
            }
        }
        Ok(())
    }

    fn alternatives(
        &mut self,
        lhs: NonterminalId,
        alternation: ExprId,
    ) -> Result<(), LimitReached> {
        let grammar = self.grammar;
        let ExprKind::Alternation(alternatives) = &grammar.expr(alternation).kind else {
            unreachable!("invariant: a body or a group is an alternation");
        };
        for (index, alternative) in alternatives.iter().enumerate() {
            let items = self.items(alternative.expr)?;
            let index = to_u32(index);
            let alternative = Some(AlternativeRef { alternation, index });
            self.drafts.push(lhs, alternative, items);
        }
        Ok(())
    }

    /// The productions of a quantifier's nonterminal.
    fn repeat(
        &mut self,
        lhs: NonterminalId,
        expr: ExprId,
        body: ExprId,
        min: u32,
        max: Option<u32>,
    ) -> Result<(), LimitReached> {
        let once = self.items(body)?;
        match max {
            None => {
                let first = if min == 1 { &once[..] } else { &[] };
                self.drafts.push(lhs, None, first.iter().copied());
                self.count(once.len() + 1)?;
                let again = self.symbol(lhs, expr);
                self.drafts.push(lhs, None, std::iter::once(again).chain(once));
            }
            Some(max) => {
                let mut lhs = lhs;
                for left in (min..max).rev() {
                    self.drafts.push(lhs, None, []);
                    let (here, mut rest) = (lhs, None);
                    if left > min {
                        lhs = self.auxiliary(Origin::Repeat(expr));
                        rest = Some(self.symbol(lhs, expr));
                    }
                    self.count(once.len() + usize::from(rest.is_some()))?;
                    self.drafts.push(here, None, once.iter().copied().chain(rest));
                }
            }
        }
        Ok(())
    }

    /// The items that an expression contributes to the production that contains it.
    fn items(&mut self, root: ExprId) -> Result<Vec<DraftItem>, LimitReached> {
        let (mut items, mut stack) = (Vec::new(), vec![root]);
        while let Some(expr) = stack.pop() {
            match &self.grammar.expr(expr).kind {
                ExprKind::Sequence(parts) => stack.extend(parts.iter().rev()),
                ExprKind::Alternation(alternatives) => match &alternatives[..] {
                    [only] => stack.push(only.expr),
                    _ => items.push(self.nonterminal(expr, Origin::Group(expr))),
                },
                &ExprKind::Repeat { body, min, max, .. } => {
                    // `x+` has a nonterminal of its own; other minima are copies.
                    let copies = if min == 1 && max.is_none() { 0 } else { min };
                    self.copies(&mut items, body, copies)?;
                    if max.is_none_or(|max| max > copies) {
                        items.push(self.nonterminal(expr, Origin::Repeat(expr)));
                    }
                }
                ExprKind::Rule(rule) => {
                    let id = self.of_rule[*rule].expect("invariant: syntax refers to syntax");
                    items
                        .push(DraftItem::Symbol(Symbol::Nonterminal(id), self.graph.node_of(expr)));
                }
                ExprKind::Terminal(terminal) => {
                    let node = self.graph.node_of(expr);
                    let of_leaf = || node.expect("invariant: a leaf of a syntax rule has a node");
                    items.push(match &self.grammar.terminals()[*terminal].kind {
                        TerminalKind::Eof => DraftItem::Eof(of_leaf()),
                        kind if kind.is_empty() => DraftItem::Silent(of_leaf()),
                        _ => DraftItem::Symbol(Symbol::Terminal(*terminal), node),
                    });
                }
                ExprKind::Commands(_) => unreachable!("invariant: commands are lexical"),
            }
            self.count(1)?;
        }
        Ok(items)
    }

    fn copies(
        &mut self,
        items: &mut Vec<DraftItem>,
        body: ExprId,
        copies: u32,
    ) -> Result<(), LimitReached> {
        if copies > 0 {
            let once = self.items(body)?;
            for _ in 0..copies {
                self.count(once.len().max(1))?;
                items.extend(&once);
            }
        }
        Ok(())
    }

    /// An occurrence of the nonterminal of a group or quantifier, created at its first use.
    fn nonterminal(&mut self, expr: ExprId, origin: Origin) -> DraftItem {
        let id = self.of_expr[expr].unwrap_or_else(|| {
            let new = self.auxiliary(origin);
            self.of_expr[expr] = Some(new);
            self.pending.push_back((new, expr));
            new
        });
        self.symbol(id, expr)
    }

    fn symbol(&self, id: NonterminalId, expr: ExprId) -> DraftItem {
        DraftItem::Symbol(Symbol::Nonterminal(id), self.graph.node_of(expr))
    }

    fn auxiliary(&mut self, origin: Origin) -> NonterminalId {
        let rule = &self.grammar.rules()[self.current.0].name;
        let name = loop {
            self.current.1 += 1;
            // Names made from different rules differ, because a number has no underscore.
            let name = format!("{rule}_{}", self.current.1);
            if !self.names.contains(&*name) {
                break name.into();
            }
        };
        self.drafts.nonterminals.push(Nonterminal { name, origin, eof_form: EofForm::Inner })
    }

    fn count(&mut self, new: usize) -> Result<(), LimitReached> {
        self.symbols += new;
        if self.symbols > self.limit {
            let what = "symbols after the expansion of repetitions";
            return Err(LimitReached { what, limit: self.limit, option: Some("--max-symbols") });
        }
        Ok(())
    }
}

/// Whether a name ends in an underscore and a number.
fn is_numbered(name: &str) -> bool {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once('_').is_some_and(|(_, rest)| is_number(rest))
}
