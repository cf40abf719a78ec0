//! Expressions as phrases. Bounded repetitions, which ANTLR does not have, are expanded: the
//! minimum number of copies, then a star or nested optional copies.

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Command, ExprId, ExprKind, Grammar, Notation, RuleId, TerminalId};

use super::phrase::{Branch, Phrase};
use super::precedence;

/// The leaves of expressions in one kind of output.
pub(super) trait Leaves {
    /// The remaining budget.
    fn budget(&mut self) -> &mut Budget;
    /// An occurrence of a terminal.
    fn terminal(&mut self, terminal: TerminalId) -> Result<Phrase, LimitReached>;
    /// The name of a rule.
    fn rule(&self, rule: RuleId) -> String;
    /// A lexer command.
    fn command(&self, command: Command) -> String;
    /// Whether items and alternatives may have labels.
    fn takes_labels(&self) -> bool {
        true
    }
}

/// The remaining budget.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { left: limits.symbols, limit: limits.symbols }
    }

    pub(super) fn take(&mut self, symbols: usize) -> Result<(), LimitReached> {
        let what = "symbols after the expansion of repetitions";
        let reached = LimitReached { what, limit: self.limit, option: Some("--max-symbols") };
        self.left = self.left.checked_sub(symbols).ok_or(reached)?;
        Ok(())
    }
}

/// From this number on, optional copies are not nested, to limit the nesting for parsers.
const MOST_NESTED: u32 = 200;

/// A repetition.
pub(super) fn repeated(
    body: Phrase,
    (min, max): (u32, Option<u32>),
    greedy: bool,
    budget: &mut Budget,
) -> Result<Phrase, LimitReached> {
    let suffix = |plain, lazy| if greedy { plain } else { lazy };
    let once = |body, suffix| Phrase::Repeat(Box::new(body), suffix);
    match (min, max) {
        (0, None) => return Ok(once(body, suffix("*", "*?"))),
        (1, None) => return Ok(once(body, suffix("+", "+?"))),
        (0, Some(1)) => return Ok(once(body, suffix("?", "??"))),
        (1, Some(1)) => return Ok(body),
        _ => {}
    }
    let copies = max.unwrap_or(min).max(min);
    budget.take(body.size().saturating_mul(copies as usize))?;
    let mut items = vec![body.clone(); min as usize];
    match max {
        None => items.push(once(body, suffix("*", "*?"))),
        Some(max) => {
            let optional = max.saturating_sub(min);
            if optional > MOST_NESTED {
                items.extend(vec![once(body, suffix("?", "??")); optional as usize]);
            } else if optional > 0 {
                let innermost = once(body.clone(), suffix("?", "??"));
                items.push((1..optional).fold(innermost, |inner, _| {
                    let sequence = Phrase::Sequence(vec![body.clone(), inner]);
                    once(sequence, suffix("?", "??"))
                }));
            }
        }
    }
    Ok(Phrase::sequence(items))
}

/// An expression as a phrase. Readers limit the nesting.
pub(super) fn phrase(
    grammar: &Grammar,
    leaves: &mut dyn Leaves,
    id: ExprId,
) -> Result<Phrase, LimitReached> {
    let expr = grammar.expr(id);
    let phrase = match &expr.kind {
        ExprKind::Alternation(alternatives) => {
            let parts = alternatives.iter().map(|a| phrase(grammar, leaves, a.expr));
            Phrase::choice(parts.collect::<Result<_, _>>()?)
        }
        ExprKind::Sequence(items) => {
            let parts = items.iter().map(|&item| phrase(grammar, leaves, item));
            Phrase::Sequence(parts.collect::<Result<_, _>>()?)
        }
        &ExprKind::Repeat { body, min, max, greedy } => {
            let body = phrase(grammar, leaves, body)?;
            repeated(body, (min, max), greedy, leaves.budget())?
        }
        ExprKind::Rule(rule) => Phrase::Atom(leaves.rule(*rule)),
        ExprKind::Terminal(terminal) => leaves.terminal(*terminal)?,
        ExprKind::Commands(commands) => {
            let commands: Vec<_> = commands.iter().map(|&c| leaves.command(c)).collect();
            Phrase::Commands(commands.join(", "))
        }
    };
    Ok(match expr.label.as_deref().and_then(|label| legal_label(leaves, label)) {
        Some(label) => Phrase::Label(label, Box::new(phrase)),
        None => phrase,
    })
}

fn legal_label(leaves: &dyn Leaves, label: &str) -> Option<String> {
    (leaves.takes_labels() && super::names::is_identifier(label)).then(|| label.to_owned())
}

/// The alternatives of a rule's right-hand side.
pub(super) fn branches(
    grammar: &Grammar,
    leaves: &mut dyn Leaves,
    body: ExprId,
) -> Result<Vec<Branch>, LimitReached> {
    let ExprKind::Alternation(alternatives) = &grammar.expr(body).kind else {
        unreachable!("invariant: a right-hand side is an alternation");
    };
    let mut branches = Vec::with_capacity(alternatives.len());
    for (index, associativity) in precedence::ordered(grammar, body, alternatives) {
        let alternative = &alternatives[index];
        let phrase = phrase(grammar, leaves, alternative.expr)?;
        let attributes = alternative.attributes.as_ref();
        let label = attributes.and_then(|attributes| attributes.label.as_deref());
        let label = label.and_then(|label| legal_label(leaves, label));
        branches.push(Branch { phrase, label, associativity });
    }
    let labels: Vec<_> = branches.iter().map(|branch| branch.label.as_deref()).collect();
    if !may_be_labelled(grammar, body, &labels) {
        branches.iter_mut().for_each(|branch| branch.label = None);
    }
    Ok(branches)
}

/// Whether ANTLR accepts these labels: all alternatives of a rule have one or none, no other rule
/// has the same, and none is the name of a rule, ignoring case.
fn may_be_labelled(grammar: &Grammar, body: ExprId, labels: &[Option<&str>]) -> bool {
    let all: Option<Vec<&str>> = labels.iter().copied().collect();
    let Some(all) = all else { return false };
    if grammar.notation() == Notation::Antlr4 {
        return true;
    }
    let is_name = |label: &str, name: &str| label.to_lowercase() == name.to_lowercase();
    grammar.rules().values().all(|rule| {
        let others = match &grammar.expr(rule.body).kind {
            ExprKind::Alternation(alternatives) if rule.body != body => &alternatives[..],
            _ => &[],
        };
        let others = others.iter().filter_map(|other| other.attributes.as_ref()?.label.as_deref());
        let others: Vec<_> = others.collect();
        !all.iter().any(|label| is_name(label, &rule.name) || others.contains(label))
    })
}
