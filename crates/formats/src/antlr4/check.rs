//! Reports what ANTLR would reject in a grammar that is usable nevertheless, and the one error that
//! makes a lexer impossible: left recursion in lexer rules.
//!
//! ANTLR accepts left recursion only if an alternative of a rule begins with the rule itself.
//! Linear in the grammar.

use gramercy_base::{Diagnostic, Id, Table};
use gramercy_grammar::{ExprId, ExprKind, Grammar, Rule, RuleId};

use super::codes as antlr;
use super::implications::Implications;
use crate::Reading;

/// Reports the findings about a finished grammar.
pub(super) fn check(reading: &mut Reading<'_>, grammar: &Grammar) {
    let nullable = nullable(grammar);
    for rule in grammar.rules().values() {
        check_token(reading, &nullable, rule);
        check_loops(reading, grammar, &nullable, rule);
    }
    for cycle in left_recursion(grammar, &nullable) {
        report_left_recursion(reading, grammar, &cycle);
    }
}

/// The nullable expressions.
fn nullable(grammar: &Grammar) -> Table<ExprId, bool> {
    let exprs = grammar.exprs();
    let mut implications = Implications::new(exprs.len());
    for (id, expr) in exprs.iter() {
        let effect = id.index();
        match &expr.kind {
            ExprKind::Alternation(alternatives) => {
                for alternative in alternatives {
                    implications.imply([alternative.expr.index()], effect);
                }
            }
            ExprKind::Sequence(items) => {
                implications.imply(items.iter().map(|item| item.index()), effect);
            }
            ExprKind::Repeat { min: 0, .. } | ExprKind::Commands(_) => {
                implications.imply([], effect);
            }
            ExprKind::Repeat { body, .. } => implications.imply([body.index()], effect),
            ExprKind::Rule(rule) => {
                implications.imply([grammar.rules()[*rule].body.index()], effect);
            }
            ExprKind::Terminal(terminal) => {
                if grammar.terminals()[*terminal].kind.is_empty() {
                    implications.imply([], effect);
                }
            }
        }
    }
    implications.solve().into()
}

fn check_token(reading: &mut Reading<'_>, nullable: &Table<ExprId, bool>, rule: &Rule) {
    if rule.token().is_some() && nullable[rule.body] {
        let message = format!("the token rule `{}` matches the empty text", rule.name);
        let help = "make sure that it matches at least one character";
        reading.report(Diagnostic::at(antlr::EMPTY_TOKEN, rule.span, message).help(help));
    }
}

fn check_loops(
    reading: &mut Reading<'_>,
    grammar: &Grammar,
    nullable: &Table<ExprId, bool>,
    rule: &Rule,
) {
    let (mut pending, mut loops) = (vec![rule.body], Vec::new());
    while let Some(id) = pending.pop() {
        let expr = grammar.expr(id);
        if matches!(&expr.kind, ExprKind::Repeat { body, max: None, .. } if nullable[*body]) {
            loops.push(expr.span);
        }
        push_parts(&expr.kind, &mut pending);
    }
    loops.sort_unstable();
    for span in loops {
        let message = "the body of this repetition can be empty";
        let help = "ANTLR rejects such loops; make sure that the body is not empty";
        reading.report(Diagnostic::at(antlr::NULLABLE_LOOP, span, message).help(help));
    }
}

/// Adds the children of an expression.
fn push_parts(kind: &ExprKind, into: &mut Vec<ExprId>) {
    match kind {
        ExprKind::Alternation(alternatives) => into.extend(alternatives.iter().map(|a| a.expr)),
        ExprKind::Sequence(items) => into.extend(items),
        ExprKind::Repeat { body, .. } => into.push(*body),
        ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
    }
}

/// Groups of mutually left-recursive rules, each in file order.
fn left_recursion(grammar: &Grammar, nullable: &Table<ExprId, bool>) -> Vec<Vec<RuleId>> {
    let begins = grammar.rules().map(|id, rule| first_rules(grammar, nullable, id, rule));
    let mut cycles = Cycles::new(&begins);
    grammar.rules().ids().for_each(|rule| cycles.visit(rule));
    cycles.found
}

/// The rules with which a rule can begin, without the left recursion that ANTLR accepts.
fn first_rules(
    grammar: &Grammar,
    nullable: &Table<ExprId, bool>,
    id: RuleId,
    rule: &Rule,
) -> Vec<RuleId> {
    let mut found = Vec::new();
    let mut pending = vec![rule.body];
    while let Some(expr) = pending.pop() {
        match &grammar.expr(expr).kind {
            ExprKind::Rule(to) => found.push(*to),
            ExprKind::Sequence(items) => {
                let skipped = usize::from(rule.is_syntax() && is_direct(grammar, rule, id, expr));
                let through = items.iter().position(|&item| !nullable[item]);
                let end = through.map_or(items.len(), |at| at + 1);
                pending.extend(items.get(skipped..end).unwrap_or_default());
            }
            kind => push_parts(kind, &mut pending),
        }
    }
    found
}

/// Whether an expression is an alternative of a rule that begins with the rule itself.
fn is_direct(grammar: &Grammar, rule: &Rule, id: RuleId, expr: ExprId) -> bool {
    let begins_with_itself = match &grammar.expr(expr).kind {
        ExprKind::Sequence(items) => grammar.expr(items[0]).kind == ExprKind::Rule(id),
        _ => false,
    };
    begins_with_itself
        && match &grammar.expr(rule.body).kind {
            ExprKind::Alternation(alternatives) => alternatives.iter().any(|a| a.expr == expr),
            _ => false,
        }
}

fn report_left_recursion(reading: &mut Reading<'_>, grammar: &Grammar, cycle: &[RuleId]) {
    let rules = cycle.iter().map(|&id| &grammar.rules()[id]);
    let names: Vec<_> = rules.clone().take(10).map(|rule| format!("`{}`", rule.name)).collect();
    let more = if cycle.len() > names.len() { ", …" } else { "" };
    let names = names.join(", ");
    let is_lexical = rules.clone().any(|rule| !rule.is_syntax());
    let (code, message, help) = match (is_lexical, cycle.len()) {
        (true, _) => (
            antlr::LEXER_LEFT_RECURSION,
            format!("a lexer rule can begin with itself: {names}{more}"),
            "write a repetition instead",
        ),
        (false, 1) => (
            antlr::MUTUAL_LEFT_RECURSION,
            format!("{names} can begin with itself in a way that ANTLR rejects"),
            "ANTLR accepts left recursion only where an alternative begins with its own rule",
        ),
        (false, _) => (
            antlr::MUTUAL_LEFT_RECURSION,
            format!("these rules can begin with each other: {names}{more}"),
            "ANTLR accepts left recursion only where an alternative begins with its own rule",
        ),
    };
    let mut labels = rules.map(|rule| rule.span);
    let first = labels.next().expect("invariant: a cycle has a rule");
    let diagnostic = Diagnostic::at(code, first, message).help(help);
    reading.report(labels.take(9).fold(diagnostic, |d, span| d.label(span, "")));
}

/// Strongly connected components with a cycle, by Tarjan's algorithm with an explicit stack.
struct Cycles<'g> {
    begins: &'g Table<RuleId, Vec<RuleId>>,
    /// The order of discovery; 0 for rules that are not visited yet.
    order: Table<RuleId, usize>,
    /// The earliest reachable rule on the stack.
    low: Table<RuleId, usize>,
    on_stack: Table<RuleId, bool>,
    stack: Vec<RuleId>,
    next: usize,
    found: Vec<Vec<RuleId>>,
}

impl<'g> Cycles<'g> {
    fn new(begins: &'g Table<RuleId, Vec<RuleId>>) -> Self {
        let len = begins.len();
        Self {
            begins,
            order: Table::filled(0, len),
            low: Table::filled(0, len),
            on_stack: Table::filled(false, len),
            stack: Vec::new(),
            next: 0,
            found: Vec::new(),
        }
    }

    fn visit(&mut self, root: RuleId) {
        if self.order[root] > 0 {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((rule, edge)) = path.last_mut() {
            let (rule, at) = (*rule, *edge);
            *edge += 1;
            match self.begins[rule].get(at) {
                Some(&to) if self.order[to] == 0 => {
                    self.enter(to);
                    path.push((to, 0));
                }
                Some(&to) if self.on_stack[to] => {
                    self.low[rule] = self.low[rule].min(self.order[to]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(rule);
                    if let Some(&(above, _)) = path.last() {
                        self.low[above] = self.low[above].min(self.low[rule]);
                    }
                }
            }
        }
    }

    fn enter(&mut self, rule: RuleId) {
        self.next += 1;
        self.order[rule] = self.next;
        self.low[rule] = self.next;
        self.on_stack[rule] = true;
        self.stack.push(rule);
    }

    /// Removes a component from the stack when its first rule is left.
    fn leave(&mut self, rule: RuleId) {
        if self.low[rule] != self.order[rule] {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.on_stack[member] = false;
            component.push(member);
            if member == rule {
                break;
            }
        }
        component.sort_unstable();
        if component.len() > 1 || self.begins[rule].contains(&rule) {
            self.found.push(component);
        }
    }
}
