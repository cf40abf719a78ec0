//! The frozen grammar.

use gramercy_base::{IdSet, LimitReached, Limits, Sources, Table};

use crate::{
    Bnf, ExpectedConflicts, Expr, ExprId, GrammarGraph, Lexicon, Note, Rule, RuleId, Terminal,
    TerminalId, TerminalKind,
};

/// The notation that a grammar was written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The native notation: that of Havrikov, Kampmann, Zeller, TOSEM, extended.
    Native,
    /// ANTLR 4.
    Antlr4,
    /// yacc and bison.
    Yacc,
    /// The text form of Tribble.
    Tribble,
    /// The Scala form of Tribble and Codeine.
    Scala,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] =
        [Notation::Native, Notation::Antlr4, Notation::Yacc, Notation::Tribble, Notation::Scala];

    /// The name on the command line and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Notation::Native => "native",
            Notation::Antlr4 => "antlr4",
            Notation::Yacc => "yacc",
            Notation::Tribble => "tribble",
            Notation::Scala => "scala",
        }
    }
}

/// How the sentences of a grammar become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Terminals are text; the text of a sentence is their concatenation.
    Scannerless,
    /// Lexical rules define the text of each token.
    Lexed,
    /// Token types are only names.
    TokensOnly,
}

/// A grammar as its file defines it: built once, validated, immutable.
#[derive(Clone, Debug)]
pub struct Grammar {
    pub(crate) name: Box<str>,
    pub(crate) notation: Notation,
    pub(crate) sources: Sources,
    pub(crate) rules: Table<RuleId, Rule>,
    pub(crate) exprs: Table<ExprId, Expr>,
    pub(crate) terminals: Table<TerminalId, Terminal>,
    pub(crate) syntax_terminals: usize,
    pub(crate) start: RuleId,
    pub(crate) lexicon: Option<Lexicon>,
    pub(crate) notes: Vec<Note>,
    pub(crate) expected_conflicts: Option<ExpectedConflicts>,
    pub(crate) scattered: bool,
}

impl Grammar {
    /// The name of the grammar, or of its file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many conflicts the author expects, if the file says so and the same conflicts can be
    /// counted here.
    #[must_use]
    pub fn expected_conflicts(&self) -> Option<ExpectedConflicts> {
        self.expected_conflicts
    }

    /// The notation it was read from.
    #[must_use]
    pub fn notation(&self) -> Notation {
        self.notation
    }

    /// The files it was read from.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// All rules, syntax and lexical, in file order; implicit token rules come last.
    #[must_use]
    pub fn rules(&self) -> &Table<RuleId, Rule> {
        &self.rules
    }

    /// The rules that the parser uses, in file order.
    pub fn syntax_rules(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        self.rules.iter().filter(|(_, rule)| rule.is_syntax())
    }

    /// Whether some rule is defined several times with other rules in between. Then productions are
    /// in the order of the file, otherwise rule by rule.
    #[must_use]
    pub fn is_scattered(&self) -> bool {
        self.scattered
    }

    /// The number of rules in the file.
    #[must_use]
    pub fn written_rules(&self) -> usize {
        let implicit = |rule: &&Rule| rule.token().is_some_and(|token| token.implicit);
        self.rules.len() - self.rules.values().filter(implicit).count()
    }

    /// The rule with a name.
    #[must_use]
    pub fn rule_named(&self, name: &str) -> Option<RuleId> {
        self.rules.iter().find(|(_, rule)| *rule.name == *name).map(|(id, _)| id)
    }

    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    /// All expressions.
    #[must_use]
    pub fn exprs(&self) -> &Table<ExprId, Expr> {
        &self.exprs
    }

    /// All terminals; see [`TerminalId`] for their order.
    #[must_use]
    pub fn terminals(&self) -> &Table<TerminalId, Terminal> {
        &self.terminals
    }

    /// How many of the first terminals occur in syntax rules: the terminals of the BNF core.
    #[must_use]
    pub fn syntax_terminals(&self) -> usize {
        self.syntax_terminals
    }

    /// The terminals of the BNF core that no text matches, as a set in which every terminal of the grammar can be
    /// looked up. A regular expression whose automaton exceeds the limits counts as one that matches some text.
    #[must_use]
    pub fn textless_terminals(&self, limits: &Limits) -> IdSet<TerminalId> {
        let mut textless = IdSet::new(self.terminals.len());
        for (id, terminal) in self.terminals.iter().take(self.syntax_terminals) {
            if terminal.kind.is_textless(limits).unwrap_or(false) {
                textless.insert(id);
            }
        }
        textless
    }

    /// The start rule.
    #[must_use]
    pub fn start(&self) -> RuleId {
        self.start
    }

    /// The lexer's modes and channels, if the grammar has lexical rules.
    #[must_use]
    pub fn lexicon(&self) -> Option<&Lexicon> {
        self.lexicon.as_ref()
    }

    /// Everything that the reader ignored.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How sentences become text.
    #[must_use]
    pub fn text_kind(&self) -> TextKind {
        let is_token = |terminal: &Terminal| {
            matches!(terminal.kind, TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_))
        };
        if self.lexicon.is_some() {
            TextKind::Lexed
        } else if self.terminals.values().any(is_token) {
            TextKind::TokensOnly
        } else {
            TextKind::Scannerless
        }
    }

    /// The grammar graph.
    #[must_use]
    pub fn graph(&self) -> GrammarGraph {
        GrammarGraph::new(self)
    }

    /// The BNF core.
    ///
    /// # Errors
    /// If bounded repetitions expand beyond the limit on symbols.
    pub fn bnf(&self, graph: &GrammarGraph, limits: &Limits) -> Result<Bnf, LimitReached> {
        Bnf::new(self, graph, limits)
    }
}
