//! Keeps what takes part in a sentence: rules that the start reaches and that derive something, and
//! of these the alternatives that do. In the result every symbol and every k-path is coverable.
//!
//! An expression is *productive* if it derives a finite tree: an alternation if one of its
//! alternatives does, a sequence if all its items do, a quantifier if what it repeats does or if it
//! need not repeat; a character class or regex if it has a word. A quantifier over something
//! unproductive becomes the empty literal. Linear, apart from the automata of the regexes.

use gramercy_base::{IdSet, LimitReached, Limits, Table};
use gramercy_grammar::{ExprId, ExprKind, Grammar, RuleId, TerminalKind};
use gramercy_regular::Dfa;

use crate::TransformError;
use crate::rebuild::{Copying, Occurrence, Pass, parts, rebuild};

/// The grammar without what takes no part in any sentence.
///
/// # Errors
/// If there is no sentence, or if an automaton or the grammar is larger than the limits allow.
pub fn reduce(grammar: &Grammar, limits: &Limits) -> Result<Grammar, TransformError> {
    let productive = productive(grammar, limits)?;
    if !productive.contains(grammar.rules()[grammar.start()].body) {
        return Err(TransformError::NoSentence);
    }
    let reached = reached(grammar, &productive);
    Ok(rebuild(grammar, limits, &mut Reduction { grammar, productive, reached })?)
}

struct Reduction<'g> {
    grammar: &'g Grammar,
    productive: IdSet<ExprId>,
    reached: IdSet<RuleId>,
}

impl Pass for Reduction<'_> {
    fn keeps(&self, rule: RuleId) -> bool {
        self.reached.contains(rule)
    }

    fn derives(&self, expr: ExprId) -> bool {
        self.productive.contains(expr)
    }

    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        Ok(match &self.grammar.expr(occurrence.expr).kind {
            ExprKind::Alternation(alternatives) => {
                let kept = alternatives.iter().filter(|kept| self.derives(kept.expr)).collect();
                copying.alternation(kept, parts, occurrence)
            }
            ExprKind::Repeat { .. } if parts.is_empty() => {
                let span = copying.span(occurrence);
                copying.builder.empty(span)
            }
            _ => copying.same(occurrence, parts),
        })
    }
}

/// The expressions that derive something.
fn productive(grammar: &Grammar, limits: &Limits) -> Result<IdSet<ExprId>, LimitReached> {
    let exprs = grammar.exprs();
    // How many more expressions must turn out productive before this one is, and whom it tells.
    let mut missing: Table<ExprId, usize> = Table::filled(0, exprs.len());
    let mut tells: Table<ExprId, Vec<ExprId>> = Table::filled(Vec::new(), exprs.len());
    for (id, expr) in exprs.iter() {
        let needs = match &expr.kind {
            ExprKind::Rule(rule) => vec![grammar.rules()[*rule].body],
            ExprKind::Repeat { min: 0, .. } => Vec::new(),
            _ => parts(grammar, id),
        };
        missing[id] = match &expr.kind {
            ExprKind::Alternation(_) => 1,
            ExprKind::Terminal(terminal) => {
                usize::from(is_empty(&grammar.terminals()[*terminal].kind, limits)?)
            }
            _ => needs.len(),
        };
        needs.into_iter().for_each(|needed| tells[needed].push(id));
    }
    let mut productive = IdSet::new(exprs.len());
    let mut agenda: Vec<ExprId> = exprs.ids().filter(|&id| missing[id] == 0).collect();
    while let Some(id) = agenda.pop() {
        productive.insert(id);
        for &user in &tells[id] {
            missing[user] = missing[user].saturating_sub(1);
            if missing[user] == 0 && !productive.contains(user) {
                agenda.push(user);
            }
        }
    }
    Ok(productive)
}

/// Whether a terminal has no text at all.
fn is_empty(kind: &TerminalKind, limits: &Limits) -> Result<bool, LimitReached> {
    match kind {
        TerminalKind::Chars(set) => Ok(set.is_empty()),
        TerminalKind::Regex { regex, .. } => Ok(Dfa::minimal(regex, limits)?.is_empty()),
        TerminalKind::Literal(_)
        | TerminalKind::Token { .. }
        | TerminalKind::AnyTokenBut(_)
        | TerminalKind::Eof => Ok(false),
    }
}

/// The syntax rules that the start reaches through productive alternatives.
fn reached(grammar: &Grammar, productive: &IdSet<ExprId>) -> IdSet<RuleId> {
    let mut reached = IdSet::new(grammar.rules().len());
    reached.insert(grammar.start());
    let mut agenda = vec![grammar.rules()[grammar.start()].body];
    while let Some(expr) = agenda.pop() {
        match grammar.expr(expr).kind {
            ExprKind::Rule(rule) => {
                if reached.insert(rule) {
                    agenda.push(grammar.rules()[rule].body);
                }
            }
            _ => agenda.extend(parts(grammar, expr).iter().filter(|&&p| productive.contains(p))),
        }
    }
    reached
}
