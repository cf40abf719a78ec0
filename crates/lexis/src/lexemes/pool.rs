//! Lexemes that a user gives for tokens by name.

use gramercy_base::{IndexMap, Map};
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};

/// Lexemes by the names of their tokens, as a user gives them.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    lexemes: IndexMap<Box<str>, Vec<Box<str>>>,
}

impl Pool {
    /// No lexemes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a lexeme of a token.
    pub fn add(&mut self, token: &str, lexeme: &str) {
        self.lexemes.entry(token.into()).or_default().push(lexeme.into());
    }

    /// The names that are no token of a grammar, in the order given.
    #[must_use]
    pub fn unknown_names(&self, grammar: &Grammar) -> Vec<&str> {
        let by_name = terminals_by_name(grammar);
        let names = self.lexemes.keys().map(|name| &**name);
        names.filter(|name| !by_name.contains_key(name)).collect()
    }

    /// The lexemes by terminal.
    pub(crate) fn by_terminal(&self, grammar: &Grammar) -> IndexMap<TerminalId, Vec<Box<str>>> {
        let by_name = terminals_by_name(grammar);
        let pools = self.lexemes.iter();
        let known = pools.filter_map(|(name, texts)| {
            by_name.get(&**name).map(|&terminal| (terminal, texts.clone()))
        });
        known.collect()
    }
}

/// Token types by their names, and the terminals of syntax rules as they are written there.
fn terminals_by_name(grammar: &Grammar) -> Map<&str, TerminalId> {
    let mut by_name = Map::default();
    for (id, terminal) in grammar.terminals().iter() {
        let is_token = matches!(terminal.kind, TerminalKind::Token { .. });
        if is_token || gramercy_base::Id::index(id) < grammar.syntax_terminals() {
            by_name.entry(&*terminal.name).or_insert(id);
        }
    }
    by_name
}
