//! Replaces every regular expression by rules made from its minimal automaton, so that k-paths see
//! inside it: one rule per state with edges, as [`Unfolded`] describes. Each occurrence gets rules
//! of its own, for its contexts are its own.
//!
//! An expression without any word has no rules; it stays as it is. Character classes stay too: they
//! are single characters already. Linear in the ranges on the edges of the automata.

use gramercy_base::{LimitReached, Limits, Map, Span, Table};
use gramercy_grammar::{Alternative, ExprId, ExprKind, Grammar, RuleId, TerminalId, TerminalKind};
use gramercy_regular::unfold::{self, Piece, UnfoldedId, UnfoldedState};
use gramercy_regular::{CharSet, Dfa, Unfolded};

use crate::names::{literal_name, range_name};
use crate::rebuild::{Copying, Occurrence, Pass, below, rebuild};

/// The grammar with rules in the place of regular expressions.
///
/// # Errors
/// If an automaton or the result is larger than the limits allow.
pub fn unfold_regexes(grammar: &Grammar, limits: &Limits) -> Result<Grammar, LimitReached> {
    let mut unfolded = Map::default();
    for (id, terminal) in grammar.terminals().iter().take(grammar.syntax_terminals()) {
        if let TerminalKind::Regex { regex, .. } = &terminal.kind {
            let dfa = Dfa::minimal(regex, limits)?;
            if !dfa.is_empty() {
                unfolded.insert(id, Unfolded::new(&dfa));
            }
        }
    }
    rebuild(grammar, limits, &mut Unfolding { grammar, unfolded })
}

struct Unfolding<'g> {
    grammar: &'g Grammar,
    unfolded: Map<TerminalId, Unfolded>,
}

impl Pass for Unfolding<'_> {
    fn new_rules(&self, rule: RuleId) -> Vec<(ExprId, usize)> {
        let inside = below(self.grammar, self.grammar.rules()[rule].body);
        inside.filter_map(|expr| Some((expr, self.unfolded(expr)?.states.len()))).collect()
    }

    fn copy(
        &mut self,
        copying: &mut Copying<'_>,
        occurrence: Occurrence,
        parts: Vec<ExprId>,
    ) -> Result<ExprId, LimitReached> {
        let Some(unfolded) = self.unfolded(occurrence.expr) else {
            return Ok(copying.same(occurrence, parts));
        };
        let rules: Table<UnfoldedId, RuleId> = copying.new_rules(occurrence.expr).to_vec().into();
        let span = copying.span(occurrence);
        for (id, state) in unfolded.states.iter() {
            let alternatives = Writing { copying, rules: &rules, span }.alternatives(state)?;
            copying.builder.define(rules[id], alternatives, span);
        }
        let start = *rules.values().next().expect("invariant: the start state has a rule");
        Ok(copying.builder.reference(start, span))
    }
}

impl Unfolding<'_> {
    fn unfolded(&self, expr: ExprId) -> Option<&Unfolded> {
        match self.grammar.expr(expr).kind {
            ExprKind::Terminal(terminal) => self.unfolded.get(&terminal),
            _ => None,
        }
    }
}

/// Writes the rules of one automaton.
struct Writing<'a, 'g> {
    copying: &'a mut Copying<'g>,
    rules: &'a Table<UnfoldedId, RuleId>,
    span: Span,
}

impl Writing<'_, '_> {
    fn alternatives(&mut self, state: &UnfoldedState) -> Result<Vec<Alternative>, LimitReached> {
        let mut exprs = match &state.alternatives[..] {
            // Characters alone are the alternatives themselves, beside the empty word or not.
            [unfold::Alternative { pieces, next: None }] => self.pieces(pieces)?,
            several => {
                let exprs: Result<_, _> = several.iter().map(|one| self.alternative(one)).collect();
                exprs?
            }
        };
        if state.or_empty {
            exprs.push(self.copying.builder.empty(self.span));
        }
        Ok(exprs.into_iter().map(Alternative::plain).collect())
    }

    fn alternative(&mut self, of: &unfold::Alternative) -> Result<ExprId, LimitReached> {
        let pieces = self.pieces(&of.pieces)?.into_iter().map(Alternative::plain).collect();
        let builder = &mut self.copying.builder;
        let mut items = vec![builder.alternation(pieces, self.span)];
        items.extend(of.next.map(|next| builder.reference(self.rules[next], self.span)));
        Ok(builder.sequence(items, self.span))
    }

    fn pieces(&mut self, pieces: &[Piece]) -> Result<Vec<ExprId>, LimitReached> {
        self.copying.count(pieces.len())?;
        Ok(pieces.iter().map(|&piece| self.piece(piece)).collect())
    }

    fn piece(&mut self, piece: Piece) -> ExprId {
        let (first, last) = match piece {
            Piece::Literal(code) => (code, code),
            Piece::Range(first, last) => (first, last),
        };
        let builder = &mut self.copying.builder;
        match (piece, char::from_u32(first)) {
            (Piece::Literal(_), Some(c)) => {
                let text = c.to_string();
                builder.literal(&text, &literal_name(&text), self.span)
            }
            _ => {
                let kind = TerminalKind::Chars(CharSet::range(first, last));
                let terminal = builder.terminal(kind, &range_name(first, last), self.span);
                builder.leaf(terminal, self.span)
            }
        }
    }
}
