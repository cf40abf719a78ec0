//! Replaces references by the right-hand sides they stand for, a number of levels deep.
//!
//! With one level, `A := "a" B; B := "b" C; C := "c"` becomes `A := "a" ("b" C); C := "c"`; with two
//! nothing is left of B and C. A recursive rule is unrolled that many times and then refers to
//! itself. Rules that the start does not reach any more are gone, as in Tribble, which repeats the
//! whole step on its own result: its n levels are 2^n - 1 of ours.
//!
//! What is inlined keeps its own places inside and stands, as a whole, at the place and under the
//! label of the reference. Linear in the result, which may be exponential in the levels and which
//! [`Limits::symbols`] bounds.

use gramercy_base::{LimitReached, Limits, Set, Table};
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId};

use crate::rebuild::{Pass, below, rebuild, too_large};

/// The grammar with references replaced by what they stand for, `levels` times over.
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

/// A right-hand side of one plain alternative is that alternative.
fn without_parentheses(grammar: &Grammar, mut expr: ExprId) -> ExprId {
    while let ExprKind::Alternation(alternatives) = &grammar.expr(expr).kind
        && let [only] = &alternatives[..]
        && only.attributes.is_none()
    {
        expr = only.expr;
    }
    expr
}

/// The rules that the start reaches once references are inlined: those at the end of a chain of
/// references whose length is a multiple of `levels + 1`.
///
/// Every pair of a rule and its distance from the kept rule above it is a reference that will be
/// inlined, so there are no more pairs than expressions in the result.
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
