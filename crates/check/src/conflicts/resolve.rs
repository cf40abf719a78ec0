//! Resolves conflicts by precedence and associativity as yacc does: a production has the precedence
//! of its `%prec` token, otherwise of its last terminal. If it and the next token both have a
//! precedence, the higher one wins; if they are equal, the associativity decides.

use gramercy_grammar::{Associativity, Bnf, Grammar, Precedence, ProductionId, Symbol, TerminalId};
use gramercy_lr::Conflict;

use super::reduced::Reduced;

/// The precedences of a grammar.
pub(crate) struct Precedences<'a> {
    grammar: &'a Grammar,
    bnf: &'a Bnf,
    /// Where the productions of conflicts come from, if not from the BNF core itself.
    reduced: Option<&'a Reduced>,
}

impl<'a> Precedences<'a> {
    pub(crate) fn new(grammar: &'a Grammar, bnf: &'a Bnf, reduced: Option<&'a Reduced>) -> Self {
        Self { grammar, bnf, reduced }
    }

    /// The rest of a conflict; `None` if it is resolved.
    pub(crate) fn unresolved(&self, mut conflict: Conflict) -> Option<Conflict> {
        let next = conflict.next.terminal(self.bnf).and_then(|id| self.of_terminal(id));
        if let Some(next) = next {
            let mut reductions = std::mem::take(&mut conflict.reductions);
            reductions.retain(|&production| match self.of_production(production) {
                Some(own) if conflict.shift.is_some() => {
                    let winner = winner(own, next);
                    if matches!(winner, Winner::Reduction | Winner::Neither) {
                        conflict.shift = None;
                    }
                    matches!(winner, Winner::Reduction | Winner::Undecided)
                }
                _ => true,
            });
            conflict.reductions = reductions;
        }
        let actions = conflict.reductions.len() + usize::from(conflict.shift.is_some());
        (actions > 1).then_some(conflict)
    }

    fn of_terminal(&self, terminal: TerminalId) -> Option<Precedence> {
        self.grammar.terminals()[terminal].precedence
    }

    fn of_production(&self, production: ProductionId) -> Option<Precedence> {
        let production = self.reduced.map_or(production, |reduced| reduced.original(production));
        let said = self.bnf.attributes(self.grammar, production).and_then(|it| it.precedence_of);
        let last = || {
            self.bnf.rhs(production).iter().rev().find_map(|symbol| match *symbol {
                Symbol::Terminal(terminal) => Some(terminal),
                Symbol::Nonterminal(_) => None,
            })
        };
        self.of_terminal(said.or_else(last)?)
    }
}

enum Winner {
    Shift,
    Reduction,
    Neither,
    Undecided,
}

fn winner(production: Precedence, next: Precedence) -> Winner {
    match production.level.cmp(&next.level) {
        std::cmp::Ordering::Less => Winner::Shift,
        std::cmp::Ordering::Greater => Winner::Reduction,
        std::cmp::Ordering::Equal => match next.associativity {
            Associativity::Left => Winner::Reduction,
            Associativity::Right => Winner::Shift,
            Associativity::Never => Winner::Neither,
            Associativity::Undeclared => Winner::Undecided,
        },
    }
}
