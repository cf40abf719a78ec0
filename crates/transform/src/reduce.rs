//! Removes everything that occurs in no sentence: rules that are unreachable or unproductive, and
//! unproductive alternatives. In the result every symbol and every k-path is coverable.
//!
//! An expression is *productive* if it derives a finite tree; [`Viable`] computes that on the
//! grammar graph. A quantifier over an unproductive expression, or with maximum 0, becomes the
//! empty literal. Linear, apart from the automata of the regexes.
//!
//! Example: `S := A | B "b" | "c" B? ; A := "a" ; B := B "x" ;` becomes `S := A | "c" "" ; A := "a"
//! ;`.

use gramercy_analysis::Viable;
use gramercy_base::{IdSet, LimitReached, Limits};
use gramercy_grammar::{ExprId, ExprKind, Grammar, GrammarGraph, NodeKind, RuleId, TerminalId};

use crate::TransformError;
use crate::rebuild::{Copying, Occurrence, Pass, rebuild};

/// The grammar without everything that occurs in no sentence.
///
/// # Errors
/// If there is no sentence, or if an automaton or the grammar is larger than the limits allow.
pub fn reduce(grammar: &Grammar, limits: &Limits) -> Result<Grammar, TransformError> {
    let graph = grammar.graph();
    let textless = textless(grammar, limits)?;
    let viable = Viable::without(&graph, |terminal| textless.contains(terminal));
    if !viable.is_productive(graph.root()) {
        return Err(TransformError::NoSentence);
    }
    let reduction = &mut Reduction {
        grammar,
        kept: kept(grammar, &graph, &viable),
        reached: reached(grammar, &graph, &viable),
    };
    Ok(rebuild(grammar, limits, reduction)?)
}

struct Reduction<'g> {
    grammar: &'g Grammar,
    kept: IdSet<ExprId>,
    reached: IdSet<RuleId>,
}

impl Pass for Reduction<'_> {
    fn keeps(&self, rule: RuleId) -> bool {
        self.reached.contains(rule)
    }

    fn derives(&self, expr: ExprId) -> bool {
        self.kept.contains(expr)
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

/// The terminals that no text matches.
fn textless(grammar: &Grammar, limits: &Limits) -> Result<IdSet<TerminalId>, LimitReached> {
    let mut textless = IdSet::new(grammar.terminals().len());
    for (id, terminal) in grammar.terminals().iter() {
        if terminal.kind.is_textless(limits)? {
            textless.insert(id);
        }
    }
    Ok(textless)
}

/// The productive expressions, without the bodies of quantifiers with maximum 0.
fn kept(grammar: &Grammar, graph: &GrammarGraph, viable: &Viable) -> IdSet<ExprId> {
    let mut kept = IdSet::new(grammar.exprs().len());
    for expr in grammar.exprs().ids() {
        if graph.node_of(expr).is_some_and(|node| viable.is_productive(node)) {
            kept.insert(expr);
        }
    }
    for expr in grammar.exprs().values() {
        if let ExprKind::Repeat { body, max: Some(0), .. } = expr.kind {
            kept.remove(body);
        }
    }
    kept
}

/// The syntax rules that the start rule reaches by viable edges.
fn reached(grammar: &Grammar, graph: &GrammarGraph, viable: &Viable) -> IdSet<RuleId> {
    let mut reached = IdSet::new(grammar.rules().len());
    reached.insert(grammar.start());
    for node in graph.ids().filter(|&node| viable.is_coverable(node)) {
        if let NodeKind::Reference(rule) = graph.kind(node) {
            reached.insert(rule);
        }
    }
    reached
}
