//! Replaces references by the right-hand sides of their rules, to a given depth.
//!
//! With one level, `A := "a" B; B := "b" C; C := "c"` becomes `A := "a" ("b" C); C := "c"`; with
//! two levels, B and C disappear. A recursive rule is unrolled to that depth and then refers to
//! itself. Rules that the start rule no longer reaches are removed, as in Tribble, which applies
//! the whole step to its own result: n levels there are 2^n - 1 levels here.
//!
//! Inside an inlined right-hand side all spans are kept; as a whole it has the span and the label
//! of the reference. Linear in the result, which may be exponential in the levels and which
//! [`Limits::symbols`] limits.

use gramercy_base::{LimitReached, Limits, Set, Table};
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId};

use crate::rebuild::{Pass, below, rebuild, too_large};

/// The grammar with references replaced by right-hand sides, `levels` times.
///
/// # Errors
/// If the result is larger than the limit on symbols allows.
pub fn inline_references(
    grammar: &Grammar,
    levels: usize,
    limits: &Limits,
) -> Result<Grammar, LimitReached> {
    let kept = still_reached(grammar, levels, limits)?;
    rebuild(grammar, limits, &mut Inlining { grammar, levels, kept })
}

struct Inlining<'g> {
    grammar: &'g Grammar,
    levels: usize,
    kept: Table<RuleId, bool>,
}

impl Pass for Inlining<'_> {
    fn keeps(&self, rule: RuleId) -> bool {
        self.kept[rule]
    }

    fn replacement(&self, expr: ExprId, level: usize) -> Option<ExprId> {
        match self.grammar.expr(expr).kind {
            ExprKind::Rule(rule) if level < self.levels => {
                Some(without_parentheses(self.grammar, self.grammar.rules()[rule].body))
            }
            _ => None,
        }
    }
}

/// A right-hand side of one alternative without attributes is that alternative.
fn without_parentheses(grammar: &Grammar, mut expr: ExprId) -> ExprId {
    while let ExprKind::Alternation(alternatives) = &grammar.expr(expr).kind
        && let [only] = &alternatives[..]
        && only.attributes.is_none()
    {
        expr = only.expr;
    }
    expr
}

/// The rules that the start rule reaches after inlining: those at the end of a chain of references
/// whose length is a multiple of `levels + 1`.
///
/// Every pair of a rule and its distance from the kept rule above it is a reference that is
/// inlined, so there are at most as many pairs as expressions in the result.
fn still_reached(
    grammar: &Grammar,
    levels: usize,
    limits: &Limits,
) -> Result<Table<RuleId, bool>, LimitReached> {
    let mut kept = Table::filled(false, grammar.rules().len());
    let mut seen = Set::default();
    let mut agenda = vec![(grammar.start(), 0)];
    seen.insert((grammar.start(), 0));
    while let Some((rule, level)) = agenda.pop() {
        kept[rule] |= level == 0;
        let next = if level == levels { 0 } else { level + 1 };
        for expr in below(grammar, grammar.rules()[rule].body) {
            if let ExprKind::Rule(to) = grammar.expr(expr).kind
                && seen.insert((to, next))
            {
                agenda.push((to, next));
            }
        }
        if seen.len() > limits.symbols {
            return Err(too_large(limits.symbols));
        }
    }
    Ok(kept)
}
