//! How readers build a [`Grammar`]: declare names, build expressions bottom up, define rules,
//! finish.
//!
//! The builder keeps the model's invariants, so that no later phase has to check them:
//! - every expression is built after its children, so children have smaller ids than their parents;
//! - parentheses around one expression, alternations of one alternative without attributes and
//!   sequences of one item are replaced by that expression or item; an empty sequence is the empty
//!   literal;
//! - equal terminals are one terminal, numbered as [`TerminalId`] says;
//! - every declared rule is defined, and syntax rules refer to syntax rules only.
//!
//! The reader diagnoses mistakes of the *user* (undefined names, duplicate rules) before it calls
//! the builder.

use gramercy_base::{Id, Map, Sources, Span, Table};

use crate::{
    Alternative, Attributes, Command, ExpectedConflicts, Expr, ExprId, ExprKind, Grammar, Lexicon,
    Notation, Note, NoteKind, Precedence, Rule, RuleId, RuleKind, Terminal, TerminalId,
    TerminalKind,
};

/// A grammar under construction.
#[derive(Debug)]
pub struct GrammarBuilder {
    name: Box<str>,
    notation: Notation,
    rules: Table<RuleId, Declared>,
    exprs: Table<ExprId, Expr>,
    terminals: Table<TerminalId, Terminal>,
    interned: Map<TerminalKind, TerminalId>,
    tokens: Map<Box<str>, TerminalId>,
    lexicon: Option<Lexicon>,
    notes: Vec<Note>,
    last_defined: Option<RuleId>,
    expected_conflicts: Option<ExpectedConflicts>,
    scattered: bool,
}

#[derive(Debug)]
struct Declared {
    name: Box<str>,
    span: Span,
    kind: RuleKind,
    alternatives: Vec<Alternative>,
    body: Option<Span>,
}

impl GrammarBuilder {
    /// A grammar without rules.
    #[must_use]
    pub fn new(name: &str, notation: Notation) -> Self {
        Self {
            name: name.into(),
            notation,
            rules: Table::new(),
            exprs: Table::new(),
            terminals: Table::new(),
            interned: Map::default(),
            tokens: Map::default(),
            lexicon: None,
            notes: Vec::new(),
            last_defined: None,
            expected_conflicts: None,
            scattered: false,
        }
    }

    /// Declares a rule; [`define`](Self::define) must follow.
    pub fn declare(&mut self, name: &str, kind: RuleKind, span: Span) -> RuleId {
        let (name, alternatives) = (name.into(), Vec::new());
        self.rules.push(Declared { name, span, kind, alternatives, body: None })
    }

    /// Adds alternatives to a declared rule. A yacc rule may be defined several times: its
    /// alternatives are joined.
    pub fn define(&mut self, rule: RuleId, alternatives: Vec<Alternative>, span: Span) {
        let declared = &mut self.rules[rule];
        self.scattered |= declared.body.is_some() && self.last_defined != Some(rule);
        self.last_defined = Some(rule);
        declared.body = Some(declared.body.map_or(span, |body| body.to(span)));
        declared.alternatives.extend(alternatives);
    }

    /// The name of a declared rule.
    #[must_use]
    pub fn rule_name(&self, rule: RuleId) -> &str {
        &self.rules[rule].name
    }

    /// The terminal of a kind, created at its first mention. For token types use
    /// [`token`](Self::token).
    pub fn terminal(&mut self, kind: TerminalKind, name: &str, span: Span) -> TerminalId {
        if let Some(&known) = self.interned.get(&kind) {
            return known;
        }
        let id = self.new_terminal(kind.clone(), name, Some(span));
        self.interned.insert(kind, id);
        id
    }

    /// The token type of a name, created at its first mention.
    pub fn token(&mut self, name: &str, span: Option<Span>) -> TerminalId {
        if let Some(&known) = self.tokens.get(name) {
            return known;
        }
        let id =
            self.new_terminal(TerminalKind::Token { name: name.into(), text: None }, name, span);
        self.tokens.insert(name.into(), id);
        id
    }

    /// The token type of a name, if it was mentioned.
    #[must_use]
    pub fn known_token(&self, name: &str) -> Option<TerminalId> {
        self.tokens.get(name).copied()
    }

    /// Sets the text of a token type, unless it already has one.
    pub fn set_token_text(&mut self, token: TerminalId, new: &str) {
        match &mut self.terminals[token].kind {
            TerminalKind::Token { text, .. } => {
                text.get_or_insert_with(|| new.into());
            }
            other => unreachable!("invariant: {other:?} is a token type"),
        }
    }

    /// Sets the precedence of a terminal.
    pub fn set_precedence(&mut self, terminal: TerminalId, precedence: Precedence) {
        self.terminals[terminal].precedence = Some(precedence);
    }

    fn new_terminal(&mut self, kind: TerminalKind, name: &str, span: Option<Span>) -> TerminalId {
        self.terminals.push(Terminal { kind, name: name.into(), span, precedence: None })
    }

    /// An occurrence of a terminal.
    pub fn leaf(&mut self, terminal: TerminalId, span: Span) -> ExprId {
        self.expr(ExprKind::Terminal(terminal), span)
    }

    /// An occurrence of text in a scannerless grammar or a lexical rule.
    pub fn literal(&mut self, text: &str, name: &str, span: Span) -> ExprId {
        let terminal = self.terminal(TerminalKind::Literal(text.into()), name, span);
        self.leaf(terminal, span)
    }

    /// The empty literal: an empty alternative.
    pub fn empty(&mut self, span: Span) -> ExprId {
        self.literal("", "\"\"", span)
    }

    /// The end of input.
    pub fn eof(&mut self, span: Span) -> ExprId {
        let eof = self.terminal(TerminalKind::Eof, "EOF", span);
        self.leaf(eof, span)
    }

    /// A reference to a rule.
    pub fn reference(&mut self, rule: RuleId, span: Span) -> ExprId {
        self.expr(ExprKind::Rule(rule), span)
    }

    /// A sequence of expressions.
    pub fn sequence(&mut self, items: Vec<ExprId>, span: Span) -> ExprId {
        match items[..] {
            [] => self.empty(span),
            [only] => only,
            _ => self.expr(ExprKind::Sequence(items.into()), span),
        }
    }

    /// A choice between alternatives.
    pub fn alternation(&mut self, alternatives: Vec<Alternative>, span: Span) -> ExprId {
        match &alternatives[..] {
            [Alternative { expr, attributes: None }] => *expr,
            _ => self.expr(ExprKind::Alternation(alternatives.into()), span),
        }
    }

    /// A repetition of an expression.
    pub fn repeat(
        &mut self,
        body: ExprId,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        span: Span,
    ) -> ExprId {
        self.expr(ExprKind::Repeat { body, min, max, greedy }, span)
    }

    /// The commands that the lexer executes when it matches this alternative.
    pub fn commands(&mut self, commands: Vec<Command>, span: Span) -> ExprId {
        self.expr(ExprKind::Commands(commands.into()), span)
    }

    /// Names an occurrence.
    pub fn label(&mut self, expr: ExprId, label: &str) {
        self.exprs[expr].label = Some(label.into());
    }

    fn expr(&mut self, kind: ExprKind, span: Span) -> ExprId {
        self.exprs.push(Expr { kind, span, label: None })
    }

    /// Records that something is ignored.
    pub fn note(&mut self, kind: NoteKind, span: Option<Span>, message: impl Into<String>) {
        self.notes.push(Note { kind, span, message: message.into() });
    }

    /// Sets how many conflicts the author expects.
    pub fn expect_conflicts(&mut self, expected: ExpectedConflicts) {
        self.expected_conflicts = Some(expected);
    }

    /// Sets the modes and channels of the lexer.
    pub fn set_lexicon(&mut self, lexicon: Lexicon) {
        self.lexicon = Some(lexicon);
    }

    /// Freezes the grammar. All spans are in `sources`.
    ///
    /// # Panics
    /// If an invariant of the model is broken, which is the reader's fault and never the user's.
    #[must_use]
    pub fn finish(mut self, start: RuleId, sources: Sources) -> Grammar {
        assert!(
            self.rules[start].kind == RuleKind::Syntax,
            "invariant: the start is a syntax rule"
        );
        let mut rules = Table::with_capacity(self.rules.len());
        for declared in std::mem::take(&mut self.rules).values_mut() {
            let span = declared.body.unwrap_or_else(|| {
                panic!("invariant: the declared rule {} is defined", declared.name)
            });
            let alternatives = self.without_parentheses(std::mem::take(&mut declared.alternatives));
            let body = self.expr(ExprKind::Alternation(alternatives.into()), span);
            let name = std::mem::take(&mut declared.name);
            rules.push(Rule { name, span: declared.span, kind: declared.kind.clone(), body });
        }
        self.freeze(rules, start, sources)
    }

    /// Removes the parentheses around a right-hand side that is a single group.
    fn without_parentheses(&self, mut alternatives: Vec<Alternative>) -> Vec<Alternative> {
        while let [Alternative { expr, attributes: None }] = alternatives[..]
            && let ExprKind::Alternation(inner) = &self.exprs[expr].kind
        {
            alternatives = inner.to_vec();
        }
        alternatives
    }

    fn freeze(self, mut rules: Table<RuleId, Rule>, start: RuleId, sources: Sources) -> Grammar {
        let Self { name, notation, mut exprs, terminals, lexicon, notes, .. } = self;
        let Self { expected_conflicts, scattered, .. } = self;
        check_references(&rules, &exprs);
        let (order, syntax_terminals) = terminal_order(&rules, &exprs, &terminals);
        let mut renumbered = Table::filled(start_of(&order), terminals.len());
        for (new, &old) in order.iter() {
            renumbered[old] = new;
        }
        let mut terminals = order.map(|_, &old| terminals[old].clone());
        for terminal in terminals.values_mut() {
            if let TerminalKind::AnyTokenBut(members) = &mut terminal.kind {
                members.iter_mut().for_each(|member| *member = renumbered[*member]);
                members.sort_unstable();
            }
        }
        for rule in rules.values_mut() {
            if let RuleKind::Token(token) = &mut rule.kind {
                token.token = renumbered[token.token];
            }
        }
        exprs.values_mut().for_each(|expr| renumber(expr, &renumbered));
        Grammar {
            name,
            notation,
            sources,
            rules,
            exprs,
            terminals,
            syntax_terminals,
            start,
            lexicon,
            notes,
            expected_conflicts,
            scattered,
        }
    }
}

fn start_of(order: &Table<TerminalId, TerminalId>) -> TerminalId {
    order.ids().next().unwrap_or(TerminalId::from_index(0))
}

fn renumber(expr: &mut Expr, renumbered: &Table<TerminalId, TerminalId>) {
    match &mut expr.kind {
        ExprKind::Terminal(terminal) => *terminal = renumbered[*terminal],
        ExprKind::Commands(commands) => {
            for command in commands {
                if let Command::Type(token) = command {
                    *token = renumbered[*token];
                }
            }
        }
        ExprKind::Alternation(alternatives) => {
            let attributes = alternatives.iter_mut().filter_map(|a| a.attributes.as_deref_mut());
            for Attributes { precedence_of, .. } in attributes {
                *precedence_of = precedence_of.map(|token| renumbered[token]);
            }
        }
        ExprKind::Sequence(_) | ExprKind::Repeat { .. } | ExprKind::Rule(_) => {}
    }
}

/// The terminals in their final order, and how many of them occur in syntax rules.
fn terminal_order(
    rules: &Table<RuleId, Rule>,
    exprs: &Table<ExprId, Expr>,
    terminals: &Table<TerminalId, Terminal>,
) -> (Table<TerminalId, TerminalId>, usize) {
    let mut seen = gramercy_base::IdSet::new(terminals.len());
    let mut order = Table::with_capacity(terminals.len());
    for rule in rules.values().filter(|rule| rule.is_syntax()) {
        preorder(exprs, rule.body, |expr| {
            if let ExprKind::Terminal(terminal) = expr.kind
                && terminals[terminal].kind.is_visible()
                && seen.insert(terminal)
            {
                order.push(terminal);
            }
        });
    }
    let in_syntax = order.len();
    let is_token = |id: TerminalId| matches!(terminals[id].kind, TerminalKind::Token { .. });
    for wanted in [true, false] {
        for id in terminals.ids().filter(|&id| is_token(id) == wanted) {
            if seen.insert(id) {
                order.push(id);
            }
        }
    }
    (order, in_syntax)
}

/// Calls `visit` for an expression and everything below it, in textual order.
fn preorder(exprs: &Table<ExprId, Expr>, root: ExprId, mut visit: impl FnMut(&Expr)) {
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        visit(&exprs[id]);
        match &exprs[id].kind {
            ExprKind::Alternation(alternatives) => {
                stack.extend(alternatives.iter().rev().map(|alternative| alternative.expr));
            }
            ExprKind::Sequence(items) => stack.extend(items.iter().rev()),
            ExprKind::Repeat { body, .. } => stack.push(*body),
            ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
        }
    }
}

fn check_references(rules: &Table<RuleId, Rule>, exprs: &Table<ExprId, Expr>) {
    for rule in rules.values() {
        preorder(exprs, rule.body, |expr| {
            if let ExprKind::Rule(to) = expr.kind {
                let to = &rules[to];
                assert!(
                    rule.is_syntax() == to.is_syntax(),
                    "invariant: {} and {} are both syntax rules or both lexical",
                    rule.name,
                    to.name
                );
            }
        });
    }
}
