//! Expressions as phrases. Repetitions with bounds, which ANTLR does not have, are written out: the
//! least number of copies, then either a star or nested optional ones.

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Command, ExprId, ExprKind, Grammar, RuleId, TerminalId};

use super::phrase::{Branch, Phrase};

/// What expressions are made of, in the words of one kind of output.
pub(super) trait Leaves {
    /// How much may still be written.
    fn budget(&mut self) -> &mut Budget;
    /// An occurrence of a terminal.
    fn terminal(&mut self, terminal: TerminalId) -> Result<Phrase, LimitReached>;
    /// The name of a rule.
    fn rule(&self, rule: RuleId) -> String;
    /// A lexer command.
    fn command(&self, command: Command) -> String;
}

/// How much may still be written.
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
        let what = "symbols after repetitions were expanded";
        let reached = LimitReached { what, limit: self.limit, option: Some("--max-symbols") };
        self.left = self.left.checked_sub(symbols).ok_or(reached)?;
        Ok(())
    }
}

/// From here on optional copies stand side by side; parsers need not nest that deep.
const MOST_NESTED: u32 = 200;

/// Something several times.
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

/// An expression as a phrase. Nesting is bounded by the readers.
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
    Ok(match expr.label.as_deref().filter(|label| super::names::is_identifier(label)) {
        Some(label) => Phrase::Label(label.to_owned(), Box::new(phrase)),
        None => phrase,
    })
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
    let label = |alternative: &gramercy_grammar::Alternative| {
        let label = alternative.attributes.as_ref()?.label.as_deref()?;
        super::names::is_identifier(label).then(|| label.to_owned())
    };
    let mut branches = Vec::with_capacity(alternatives.len());
    for alternative in alternatives {
        let phrase = phrase(grammar, leaves, alternative.expr)?;
        let attributes = alternative.attributes.as_ref();
        let associativity = attributes.and_then(|attributes| attributes.associativity);
        branches.push(Branch { phrase, label: label(alternative), associativity });
    }
    Ok(branches)
}
