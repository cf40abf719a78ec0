//! Replaces every regular expression by rules made from its minimal automaton, so that k-paths
//! extend into it: one rule per state with edges, as [`Unfolded`] describes. Each occurrence gets
//! its own rules, because k-paths distinguish occurrences.
//!
//! A regular expression of the empty language has no rules and stays. Character classes stay too:
//! they are single characters already. Linear in the ranges on the edges of the automata.

use gramercy_base::{LimitReached, Limits, Map, Span, Table};
use gramercy_grammar::{Alternative, ExprId, ExprKind, Grammar, RuleId, TerminalId, TerminalKind};
use gramercy_regular::unfold::{self, CharAtom, UnfoldedId, UnfoldedState};
use gramercy_regular::{CharSet, Dfa, Unfolded};

use crate::names::{literal_name, range_name};
use crate::rebuild::{Copying, Occurrence, Pass, below, rebuild};

/// The grammar with rules instead of regular expressions.
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
            let alternatives = RuleBuilder { copying, rules: &rules, span }.alternatives(state)?;
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

/// Builds the rules of one automaton.
struct RuleBuilder<'a, 'g> {
    copying: &'a mut Copying<'g>,
    rules: &'a Table<UnfoldedId, RuleId>,
    span: Span,
}

impl RuleBuilder<'_, '_> {
    fn alternatives(&mut self, state: &UnfoldedState) -> Result<Vec<Alternative>, LimitReached> {
        let mut exprs = match &state.alternatives[..] {
            // Characters alone are alternatives themselves, with or without the empty word.
            [unfold::Alternative { atoms, next: None }] => self.atoms(atoms)?,
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
        let atoms = self.atoms(&of.atoms)?.into_iter().map(Alternative::plain).collect();
        let builder = &mut self.copying.builder;
        let mut items = vec![builder.alternation(atoms, self.span)];
        items.extend(of.next.map(|next| builder.reference(self.rules[next], self.span)));
        Ok(builder.sequence(items, self.span))
    }

    fn atoms(&mut self, atoms: &[CharAtom]) -> Result<Vec<ExprId>, LimitReached> {
        self.copying.count(atoms.len())?;
        Ok(atoms.iter().map(|&atom| self.atom(atom)).collect())
    }

    fn atom(&mut self, atom: CharAtom) -> ExprId {
        let (first, last) = match atom {
            CharAtom::Literal(code) => (code, code),
            CharAtom::Range(first, last) => (first, last),
        };
        let builder = &mut self.copying.builder;
        match (atom, char::from_u32(first)) {
            (CharAtom::Literal(_), Some(c)) => {
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
