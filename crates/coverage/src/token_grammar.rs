//! A token rule as a grammar of its own: the rule and everything it refers to become the syntax rules
//! of a scannerless grammar, so that a lexeme has a grammar graph, trees and a forest like any input.
//!
//! Commands are left out, as they match nothing. A literal that ignores case stays one leaf. Greedy
//! and non-greedy loops are the same here: which of them a rule has decides where a match ends, and a
//! lexeme's end is given. Linear in the rules.

use gramercy_base::{Id, IndexSet, LimitReached, Sources};
use gramercy_grammar::{
    Alternative, Expr, ExprId, ExprKind, Grammar, GrammarBuilder, RuleId, RuleKind, TerminalId,
    TerminalKind,
};
use gramercy_language::Language;
use gramercy_regular::{CharSet, Regex, unicode};

/// Whether a lexeme may end the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It does, so a rule may ask for it.
    Here,
    /// It does not; what asks for it derives nothing.
    Elsewhere,
}

/// The language of the lexemes of a token rule. Its places are those of the whole grammar.
pub(crate) fn lexemes_of(
    whole: &Language,
    rule: RuleId,
    end: End,
) -> Result<Language, LimitReached> {
    let grammar = whole.grammar();
    let rules = rules_below(grammar, rule);
    let builder = GrammarBuilder::new(&grammar.rules()[rule].name, grammar.notation());
    let mut copy = Copy { whole: grammar, rules, end, builder, ignore_case: false };
    Language::new(copy.run(), *whole.limits())
}

/// Whether a token rule, or a rule that it refers to, asks for the end of input.
pub(crate) fn asks_for_end(whole: &Grammar, rule: RuleId) -> bool {
    let is_end = |expr: &Expr| match expr.kind {
        ExprKind::Terminal(id) => whole.terminals()[id].kind == TerminalKind::Eof,
        _ => false,
    };
    let rules = rules_below(whole, rule);
    rules.iter().any(|&rule| exprs_below(whole, rule).into_iter().any(is_end))
}

/// A rule and all rules that it refers to, itself first.
fn rules_below(whole: &Grammar, rule: RuleId) -> IndexSet<RuleId> {
    let mut rules = IndexSet::from_iter([rule]);
    let mut at = 0;
    while let Some(&rule) = rules.get_index(at) {
        at += 1;
        rules.extend(exprs_below(whole, rule).iter().filter_map(|expr| match expr.kind {
            ExprKind::Rule(rule) => Some(rule),
            _ => None,
        }));
    }
    rules
}

/// The expressions of a right-hand side, in textual order.
pub(crate) fn exprs_below(whole: &Grammar, rule: RuleId) -> Vec<&Expr> {
    let (mut found, mut stack) = (Vec::new(), vec![whole.rules()[rule].body]);
    while let Some(id) = stack.pop() {
        let expr = whole.expr(id);
        found.push(expr);
        match &expr.kind {
            ExprKind::Alternation(branches) => stack.extend(branches.iter().rev().map(|b| b.expr)),
            ExprKind::Sequence(items) => stack.extend(items.iter().rev()),
            ExprKind::Repeat { body, .. } => stack.push(*body),
            ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
        }
    }
    found
}

struct Copy<'g> {
    whole: &'g Grammar,
    /// The rules, in the order of their new ids.
    rules: IndexSet<RuleId>,
    end: End,
    builder: GrammarBuilder,
    /// Of the rule that is being copied.
    ignore_case: bool,
}

impl Copy<'_> {
    fn run(&mut self) -> Grammar {
        let whole = self.whole;
        let rules: Vec<_> = self.rules.iter().map(|&rule| &whole.rules()[rule]).collect();
        for rule in &rules {
            self.builder.declare(&rule.name, RuleKind::Syntax, rule.span);
        }
        for (at, rule) in rules.iter().enumerate() {
            self.ignore_case = match &rule.kind {
                RuleKind::Token(token) => token.ignore_case,
                RuleKind::Fragment { ignore_case } => *ignore_case,
                RuleKind::Syntax => unreachable!("invariant: {} is lexical", rule.name),
            };
            let span = whole.expr(rule.body).span;
            let branches = self.branches(rule.body);
            self.builder.define(RuleId::from_index(at), branches, span);
        }
        let notation = whole.notation();
        let builder = std::mem::replace(&mut self.builder, GrammarBuilder::new("", notation));
        builder.finish(RuleId::from_index(0), Sources::new())
    }

    fn branches(&mut self, id: ExprId) -> Vec<Alternative> {
        match &self.whole.expr(id).kind {
            ExprKind::Alternation(branches) => {
                branches.iter().map(|branch| Alternative::plain(self.expr(branch.expr))).collect()
            }
            _ => vec![Alternative::plain(self.expr(id))],
        }
    }

    /// Nesting is bounded by the readers.
    fn expr(&mut self, id: ExprId) -> ExprId {
        let Expr { kind, span, .. } = self.whole.expr(id);
        let span = *span;
        match kind {
            ExprKind::Alternation(_) => {
                let branches = self.branches(id);
                self.builder.alternation(branches, span)
            }
            ExprKind::Sequence(items) => {
                let is_text =
                    |item: &&ExprId| !matches!(self.whole.expr(**item).kind, ExprKind::Commands(_));
                let items: Vec<_> = items.iter().filter(is_text).copied().collect();
                let items = items.into_iter().map(|item| self.expr(item)).collect();
                self.builder.sequence(items, span)
            }
            &ExprKind::Repeat { body, min, max, greedy } => {
                let body = self.expr(body);
                self.builder.repeat(body, min, max, greedy, span)
            }
            ExprKind::Rule(rule) => {
                let at = self.rules.get_index_of(rule).expect("invariant: it was found below");
                self.builder.reference(RuleId::from_index(at), span)
            }
            ExprKind::Terminal(terminal) => {
                let (kind, name) = (self.kind(*terminal), &self.whole.terminals()[*terminal].name);
                let terminal = self.builder.terminal(kind, name, span);
                self.builder.leaf(terminal, span)
            }
            ExprKind::Commands(_) => self.builder.empty(span),
        }
    }

    fn kind(&self, terminal: TerminalId) -> TerminalKind {
        match &self.whole.terminals()[terminal].kind {
            TerminalKind::Eof if self.end == End::Elsewhere => {
                TerminalKind::Chars(CharSet::empty())
            }
            TerminalKind::Literal(text) if self.ignore_case && !text.is_empty() => {
                let letters = text.chars().map(|c| {
                    let (lower, upper) = unicode::simple_case_variants(c.into());
                    Regex::Chars(CharSet::from_ranges([(lower, lower), (upper, upper)]))
                });
                let regex = Regex::Concat(letters.collect());
                TerminalKind::Regex { source: text.clone(), regex }
            }
            other => other.clone(),
        }
    }
}
