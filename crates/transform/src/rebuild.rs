//! Copies a grammar through a builder; a [`Pass`] defines where the copy differs.
//!
//! Expressions are copied bottom up without recursion, so neither the nesting of a file nor
//! inlining can exhaust the stack. New rules come after the rule that they belong to, with a name
//! made from its name. Linear in the expressions of the copy, which [`Limits::symbols`] limits.

use gramercy_base::{LimitReached, Limits, Map, Span, Table};
use gramercy_grammar::{
    Alternative, Attributes, Command, ExprId, ExprKind, Grammar, GrammarBuilder, Lexicon, Mode,
    Rule, RuleId, RuleKind, TerminalId, TerminalKind, TokenRule,
};

use crate::names::Names;

/// The differences of a copy from its original. They concern only syntax rules.
pub(crate) trait Pass {
    /// Whether a rule is kept. A kept rule must not refer to a rule that is not.
    fn keeps(&self, _rule: RuleId) -> bool {
        true
    }

    /// The expressions of a right-hand side that need new rules, and how many, in textual order.
    fn new_rules(&self, _rule: RuleId) -> Vec<(ExprId, usize)> {
        Vec::new()
    }

    /// Whether an alternative or the body of a quantifier is copied. A pass that omits any has its
    /// own [`copy`](Pass::copy) for expressions with missing children.
    fn derives(&self, _expr: ExprId) -> bool {
        true
    }

    /// The expression that is copied instead of an expression, with the span of the latter. `level`
    /// is the number of enclosing replacements.
    fn replacement(&self, _expr: ExprId, _level: usize) -> Option<ExprId> {
        None
    }

    /// The probability of an alternative in the copy, if it is not that of the original.
    fn probability(&self, _alternation: ExprId, _index: u32) -> Option<f64> {
        None
    }

    /// The copy of an occurrence whose children are copied.
    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        Ok(copying.same(occurrence, parts))
    }
}

/// The pass without changes.
pub(crate) struct PlainCopy;

impl Pass for PlainCopy {}

/// An expression and its position.
#[derive(Clone, Copy)]
pub(crate) struct Occurrence {
    /// The expression that is copied.
    pub(crate) expr: ExprId,
    /// The position: itself, or the expression that it replaces.
    pub(crate) at: ExprId,
}

/// The copy of `grammar` that `pass` describes.
pub(crate) fn rebuild(
    grammar: &Grammar,
    limits: &Limits,
    pass: &mut impl Pass,
) -> Result<Grammar, LimitReached> {
    let mut copying = Copying::new(grammar, limits);
    copying.declare_all(pass);
    for (id, rule) in grammar.rules().iter() {
        match copying.rules[id] {
            None => {}
            Some(copy) if rule.is_syntax() => copying.rule(rule, copy, pass)?,
            Some(copy) => copying.rule(rule, copy, &mut PlainCopy)?,
        }
    }
    Ok(copying.finish())
}

/// Gives an alternative a probability.
pub(crate) fn set_probability(alternative: &mut Alternative, probability: f64) {
    let mut attributes = alternative.attributes.take().unwrap_or_default();
    attributes.probability = Some(probability);
    alternative.attributes = Some(attributes);
}

/// A copy under construction.
pub(crate) struct Copying<'g> {
    pub(crate) grammar: &'g Grammar,
    pub(crate) builder: GrammarBuilder,
    rules: Table<RuleId, Option<RuleId>>,
    new_rules: Map<ExprId, Vec<RuleId>>,
    terminals: Table<TerminalId, Option<TerminalId>>,
    made: usize,
    limit: usize,
}

/// A pending operation on a right-hand side.
enum CopyTask {
    /// Copy an occurrence; the number of enclosing replacements.
    Visit(Occurrence, usize),
    /// Build an occurrence; the number of its children, which are the last copies.
    Build(Occurrence, usize),
}

impl<'g> Copying<'g> {
    fn new(grammar: &'g Grammar, limits: &Limits) -> Self {
        let mut copying = Self {
            grammar,
            builder: GrammarBuilder::new(grammar.name(), grammar.notation()),
            rules: Table::filled(None, grammar.rules().len()),
            new_rules: Map::default(),
            terminals: Table::filled(None, grammar.terminals().len()),
            made: 0,
            limit: limits.symbols,
        };
        // Token types are kept even if no rule uses them.
        for (id, terminal) in grammar.terminals().iter() {
            if matches!(terminal.kind, TerminalKind::Token { .. }) {
                copying.terminal(id);
            }
        }
        copying
    }

    fn declare_all(&mut self, pass: &impl Pass) {
        let grammar = self.grammar;
        let mut names = Names::of(grammar);
        for (id, rule) in grammar.rules().iter() {
            if rule.is_syntax() && !pass.keeps(id) {
                continue;
            }
            let kind = self.kind(&rule.kind);
            self.rules[id] = Some(self.builder.declare(&rule.name, kind, rule.span));
            if rule.is_syntax() {
                self.declare_new(&rule.name, &pass.new_rules(id), &mut names);
            }
        }
    }

    fn declare_new(&mut self, base: &str, wanted: &[(ExprId, usize)], names: &mut Names) {
        let mut last = 0;
        for &(expr, count) in wanted {
            let span = self.grammar.expr(expr).span;
            let declare = |_| {
                let name = names.fresh(base, &mut last);
                self.builder.declare(&name, RuleKind::Syntax, span)
            };
            self.new_rules.insert(expr, (0..count).map(declare).collect());
        }
    }

    fn kind(&mut self, kind: &RuleKind) -> RuleKind {
        match kind {
            RuleKind::Token(token) => {
                let token_type = self.terminal(token.token);
                RuleKind::Token(TokenRule { token: token_type, ..token.clone() })
            }
            RuleKind::Syntax | RuleKind::Fragment { .. } => kind.clone(),
        }
    }

    fn rule(
        &mut self,
        rule: &Rule,
        copy: RuleId,
        pass: &mut impl Pass,
    ) -> Result<(), LimitReached> {
        let mut alternatives = Vec::new();
        for (index, alternative) in (0..).zip(self.alternatives_of(rule.body)) {
            if pass.derives(alternative.expr) {
                let expr = self.fold(alternative.expr, pass)?;
                let mut alternative = self.alternative(alternative, expr);
                if let Some(probability) = pass.probability(rule.body, index) {
                    set_probability(&mut alternative, probability);
                }
                alternatives.push(alternative);
            }
        }
        self.builder.define(copy, alternatives, self.grammar.expr(rule.body).span);
        Ok(())
    }

    fn fold(&mut self, root: ExprId, pass: &mut impl Pass) -> Result<ExprId, LimitReached> {
        let mut done = Vec::new();
        let mut steps = vec![CopyTask::Visit(Occurrence { expr: root, at: root }, 0)];
        while let Some(step) = steps.pop() {
            match step {
                CopyTask::Visit(Occurrence { expr, at }, level) => {
                    self.count(1)?;
                    if let Some(expr) = pass.replacement(expr, level) {
                        steps.push(CopyTask::Visit(Occurrence { expr, at }, level + 1));
                        continue;
                    }
                    let parts = self.parts(expr, pass);
                    steps.push(CopyTask::Build(Occurrence { expr, at }, parts.len()));
                    let visit = |expr| CopyTask::Visit(Occurrence { expr, at: expr }, level);
                    steps.extend(parts.into_iter().rev().map(visit));
                }
                CopyTask::Build(occurrence, parts) => {
                    let parts = done.split_off(done.len() - parts);
                    done.push(self.build(occurrence, parts, pass)?);
                }
            }
        }
        Ok(done.pop().expect("invariant: the root was copied"))
    }

    /// The children of an expression that are copied.
    fn parts(&self, expr: ExprId, pass: &impl Pass) -> Vec<ExprId> {
        let mut parts = parts(self.grammar, expr);
        if !matches!(self.grammar.expr(expr).kind, ExprKind::Sequence(_)) {
            parts.retain(|&part| pass.derives(part));
        }
        parts
    }

    fn build(
        &mut self,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
        pass: &mut impl Pass,
    ) -> Result<ExprId, LimitReached> {
        let copy = pass.copy(self, occurrence, parts)?;
        if let Some(label) = self.label(occurrence) {
            self.builder.label(copy, label);
        }
        Ok(copy)
    }

    /// The same expression with copied children.
    pub(crate) fn same(&mut self, occurrence: Occurrence, parts: Vec<ExprId>) -> ExprId {
        let span = self.span(occurrence);
        match &self.grammar.expr(occurrence.expr).kind {
            ExprKind::Alternation(alternatives) => {
                self.alternation(alternatives.iter().collect(), parts, occurrence)
            }
            ExprKind::Sequence(_) => self.builder.sequence(parts, span),
            &ExprKind::Repeat { min, max, greedy, .. } => {
                self.builder.repeat(parts[0], min, max, greedy, span)
            }
            &ExprKind::Rule(rule) => self.builder.reference(self.rule_id(rule), span),
            &ExprKind::Terminal(terminal) => {
                let terminal = self.terminal(terminal);
                self.builder.leaf(terminal, span)
            }
            ExprKind::Commands(commands) => {
                let commands = commands.iter().map(|&command| self.command(command)).collect();
                self.builder.commands(commands, span)
            }
        }
    }

    /// An alternation of copied children, with the attributes of these alternatives.
    pub(crate) fn alternation(
        &mut self,
        originals: Vec<&Alternative>,
        parts: Vec<ExprId>,
        occurrence: Occurrence,
    ) -> ExprId {
        let alternatives = self.alternatives(originals, parts);
        let span = self.span(occurrence);
        self.builder.alternation(alternatives, span)
    }

    /// Alternatives with copied children and the attributes of these alternatives.
    pub(crate) fn alternatives(
        &mut self,
        originals: Vec<&Alternative>,
        parts: Vec<ExprId>,
    ) -> Vec<Alternative> {
        let pairs = originals.into_iter().zip(parts);
        pairs.map(|(original, part)| self.alternative(original, part)).collect()
    }

    fn alternative(&mut self, original: &Alternative, expr: ExprId) -> Alternative {
        let attributes = original.attributes.as_ref().map(|attributes| {
            let precedence_of = attributes.precedence_of.map(|token| self.terminal(token));
            Box::new(Attributes { precedence_of, ..(**attributes).clone() })
        });
        Alternative { expr, attributes }
    }

    fn command(&mut self, command: Command) -> Command {
        match command {
            Command::Type(token) => Command::Type(self.terminal(token)),
            other => other,
        }
    }

    fn terminal(&mut self, id: TerminalId) -> TerminalId {
        if let Some(known) = self.terminals[id] {
            return known;
        }
        let terminal = &self.grammar.terminals()[id];
        let copy = match &terminal.kind {
            TerminalKind::Token { name, text } => {
                let token = self.builder.token(name, terminal.span);
                if let Some(text) = text {
                    self.builder.set_token_text(token, text);
                }
                token
            }
            kind => {
                let kind = match kind {
                    TerminalKind::AnyTokenBut(members) => TerminalKind::AnyTokenBut(
                        members.iter().map(|&member| self.terminal(member)).collect(),
                    ),
                    other => other.clone(),
                };
                let span = terminal.span.expect("invariant: only token types lack a span");
                self.builder.terminal(kind, &terminal.name, span)
            }
        };
        if let Some(precedence) = terminal.precedence {
            self.builder.set_precedence(copy, precedence);
        }
        self.terminals[id] = Some(copy);
        copy
    }

    fn finish(mut self) -> Grammar {
        let grammar = self.grammar;
        for note in grammar.notes() {
            self.builder.note(note.kind, note.span, note.message.clone());
        }
        if let Some(lexicon) = grammar.lexicon() {
            let modes = lexicon.modes.map(|_, mode| Mode {
                rules: mode.rules.iter().map(|&rule| self.rule_id(rule)).collect(),
                ..mode.clone()
            });
            self.builder.set_lexicon(Lexicon { modes, channels: lexicon.channels.clone() });
        }
        let start = self.rule_id(grammar.start());
        self.builder.finish(start, grammar.sources().clone())
    }

    fn rule_id(&self, original: RuleId) -> RuleId {
        self.rules[original].expect("invariant: the rule of a kept reference is kept")
    }

    /// The new rules of an expression.
    pub(crate) fn new_rules(&self, expr: ExprId) -> &[RuleId] {
        self.new_rules.get(&expr).map_or(&[], Vec::as_slice)
    }

    /// The span of an occurrence.
    pub(crate) fn span(&self, occurrence: Occurrence) -> Span {
        self.grammar.expr(occurrence.at).span
    }

    /// The label of an occurrence.
    pub(crate) fn label(&self, occurrence: Occurrence) -> Option<&'g str> {
        let label = |expr| self.grammar.expr(expr).label.as_deref();
        label(occurrence.at).or_else(|| label(occurrence.expr))
    }

    /// The alternatives of a right-hand side.
    fn alternatives_of(&self, body: ExprId) -> &'g [Alternative] {
        match &self.grammar.expr(body).kind {
            ExprKind::Alternation(alternatives) => alternatives,
            other => unreachable!("invariant: the right-hand side {other:?} is an alternation"),
        }
    }

    /// Counts new expressions.
    pub(crate) fn count(&mut self, new: usize) -> Result<(), LimitReached> {
        self.made += new;
        if self.made > self.limit {
            return Err(too_large(self.limit));
        }
        Ok(())
    }
}

/// The error of a transformation whose result would be too large.
pub(crate) fn too_large(limit: usize) -> LimitReached {
    let what = "expressions of the transformed grammar";
    LimitReached { what, limit, option: Some("--max-symbols") }
}

/// The children of an expression, in textual order.
pub(crate) fn parts(grammar: &Grammar, expr: ExprId) -> Vec<ExprId> {
    match &grammar.expr(expr).kind {
        ExprKind::Alternation(alternatives) => alternatives.iter().map(|a| a.expr).collect(),
        ExprKind::Sequence(items) => items.to_vec(),
        ExprKind::Repeat { body, .. } => vec![*body],
        ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => Vec::new(),
    }
}

/// An expression and all its descendants, in textual order, parents first.
pub(crate) fn below(grammar: &Grammar, root: ExprId) -> impl Iterator<Item = ExprId> + '_ {
    let mut stack = vec![root];
    std::iter::from_fn(move || {
        let expr = stack.pop()?;
        stack.extend(parts(grammar, expr).into_iter().rev());
        Some(expr)
    })
}
