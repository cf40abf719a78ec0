//! Declared precedences of terminals and productions, as yacc defines them.
//!
//! A production has the precedence of its `%prec` token, else of its last terminal.

use gramercy_base::Table;
use gramercy_grammar::{
    Associativity, Bnf, Grammar, Notation, Precedence, ProductionId, Symbol, TerminalId,
};

/// The precedences of a grammar.
#[derive(Clone, Debug)]
pub struct Precedences {
    productions: Table<ProductionId, Option<Precedence>>,
    terminals: Table<TerminalId, Option<Precedence>>,
}

/// What a declared precedence says about shifting a token or reducing a production.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// The token is shifted.
    Shift,
    /// The production is reduced.
    Reduce,
    /// Neither: operators that do not associate stand side by side.
    Error,
    /// Nothing is declared.
    Undeclared,
}

impl Precedences {
    /// The precedences of a grammar.
    #[must_use]
    pub fn of(grammar: &Grammar, bnf: &Bnf) -> Self {
        let terminals = grammar.terminals().map(|_, terminal| terminal.precedence);
        let of_production = |production| {
            let declared = bnf.attributes(grammar, production).and_then(|it| it.precedence_of);
            let mut symbols = bnf.rhs(production).iter().rev();
            let last = || {
                symbols.find_map(|symbol| match *symbol {
                    Symbol::Terminal(terminal) => Some(terminal),
                    Symbol::Nonterminal(_) => None,
                })
            };
            terminals[declared.or_else(last)?]
        };
        Self { productions: bnf.productions().map(of_production).collect(), terminals }
    }

    /// Whether a grammar's trees are chosen by the precedence of terminals: always in yacc, elsewhere where
    /// a terminal has one. ANTLR has no such declaration.
    #[must_use]
    pub fn decide_in(grammar: &Grammar) -> bool {
        match grammar.notation() {
            Notation::Yacc => true,
            Notation::Antlr4 => false,
            _ => grammar.terminals().values().any(|terminal| terminal.precedence.is_some()),
        }
    }

    /// The precedence of a terminal.
    pub(crate) fn of_terminal(&self, terminal: TerminalId) -> Option<Precedence> {
        self.terminals[terminal]
    }

    /// How bison resolves the conflict between reducing a production and shifting a token.
    pub(crate) fn resolve(
        &self,
        production: ProductionId,
        token: Option<Precedence>,
    ) -> Resolution {
        let (Some(own), Some(token)) = (self.productions[production], token) else {
            return Resolution::Undeclared;
        };
        match own.level.cmp(&token.level) {
            std::cmp::Ordering::Less => Resolution::Shift,
            std::cmp::Ordering::Greater => Resolution::Reduce,
            std::cmp::Ordering::Equal => match token.associativity {
                Associativity::Left => Resolution::Reduce,
                Associativity::Right => Resolution::Shift,
                Associativity::Never => Resolution::Error,
                Associativity::Undeclared => Resolution::Undeclared,
            },
        }
    }

    /// Whether to reduce a production rather than to shift a token, where one of the two must be done.
    pub(crate) fn reduces(&self, production: ProductionId, token: TerminalId) -> bool {
        matches!(
            self.resolve(production, self.terminals[token]),
            Resolution::Reduce | Resolution::Error
        )
    }
}
