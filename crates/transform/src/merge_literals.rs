//! Joins adjacent literals of a concatenation: `"a" "b" X "c"` becomes `"ab" X "c"`. An inner
//! concatenation that becomes a single literal is joined with its neighbors. Literals with a label
//! are not joined, nor are token types, because other text can be between tokens. Linear.

use gramercy_base::{LimitReached, Limits, Map, Span};
use gramercy_grammar::{ExprId, ExprKind, Grammar, TerminalKind};

use crate::names::literal_name;
use crate::rebuild::{Copying, Occurrence, Pass, PlainCopy, rebuild};

/// The grammar with adjacent literals joined.
///
/// # Errors
/// If the grammar is larger than the limit on symbols allows.
pub fn merge_literals(grammar: &Grammar, limits: &Limits) -> Result<Grammar, LimitReached> {
    let merged = rebuild(grammar, limits, &mut Merging { literals: Map::default() })?;
    // A second copy removes the literals that no rule uses any more.
    rebuild(&merged, limits, &mut PlainCopy)
}

struct Merging {
    /// The copied literals, by their copies.
    literals: Map<ExprId, Literal>,
}

#[derive(Clone)]
struct Literal {
    text: String,
    span: Span,
}

impl Pass for Merging {
    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        let expr = copying.grammar.expr(occurrence.expr);
        let copy = match &expr.kind {
            ExprKind::Sequence(_) => {
                let joined = self.join(copying, &parts);
                let span = copying.span(occurrence);
                copying.builder.sequence(joined, span)
            }
            _ => copying.same(occurrence, parts),
        };
        if copying.label(occurrence).is_some() {
            self.literals.remove(&copy);
        } else if let ExprKind::Terminal(terminal) = expr.kind
            && let TerminalKind::Literal(text) = &copying.grammar.terminals()[terminal].kind
        {
            let text = text.clone().into();
            self.literals.insert(copy, Literal { text, span: copying.span(occurrence) });
        }
        Ok(copy)
    }
}

impl Merging {
    /// The items of a concatenation with every run of literals joined.
    fn join(&mut self, copying: &mut Copying<'_>, items: &[ExprId]) -> Vec<ExprId> {
        let is_literal = |item: &ExprId| self.literals.contains_key(item);
        let runs: Vec<_> = items.chunk_by(|a, b| is_literal(a) && is_literal(b)).collect();
        runs.into_iter().map(|run| self.join_run(copying, run)).collect()
    }

    fn join_run(&mut self, copying: &mut Copying<'_>, run: &[ExprId]) -> ExprId {
        let &[first, .., last] = run else { return run[0] };
        let text: String = run.iter().map(|item| &*self.literals[item].text).collect();
        let span = self.literals[&first].span.to(self.literals[&last].span);
        let copy = copying.builder.literal(&text, &literal_name(&text), span);
        self.literals.insert(copy, Literal { text, span });
        copy
    }
}
