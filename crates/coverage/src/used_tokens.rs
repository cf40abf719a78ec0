//! Which token rules an input of the language may contain a match of.
//!
//! A match that makes a token for the parser belongs to an input only if some useful production has that
//! token, alone or in a class of tokens. A match that the parser does not see (`skip`, `more`, another
//! channel) may stand in any input. A rule that does both on different alternatives may occur too.
//!
//! Example: in `s : A EOF ; A : 'a' ; B : 'b' ; C : 'c' -> skip ;` an input has matches of A and C, never of B.
//! Linear in the grammar.

use gramercy_base::IdSet;
use gramercy_grammar::{Command, ExprKind, Grammar, RuleId, Symbol, TerminalId, TerminalKind};
use gramercy_language::Language;
use gramercy_lexis::effect::is_visible;

use crate::token_grammar::exprs_below;

/// The tokens that sentences contain.
#[derive(Debug)]
pub(crate) struct UsedTokens {
    tokens: IdSet<TerminalId>,
    /// Whether a match kept by `more` can take the token that it begins to a channel that the parser does not read.
    /// Then every token may be one that the parser does not see.
    is_hidden_by_more: bool,
}

impl UsedTokens {
    /// The tokens of a language.
    pub(crate) fn of(language: &Language) -> Self {
        let (grammar, useful) = (language.grammar(), language.useful());
        let terminals = grammar.terminals();
        let mut tokens = IdSet::new(terminals.len());
        let of_syntax = terminals.ids().take(grammar.syntax_terminals());
        for id in of_syntax.filter(|&id| useful.contains(Symbol::Terminal(id))) {
            tokens.insert(id);
            if let TerminalKind::AnyTokenBut(excluded) = &terminals[id].kind {
                let members = terminals.ids().filter(|member| !excluded.contains(member));
                members.for_each(|member| _ = tokens.insert(member));
            }
        }
        let is_hidden_by_more = grammar.exprs().values().any(|expr| match &expr.kind {
            ExprKind::Commands(commands) => {
                commands.contains(&Command::More) && commands.iter().any(is_hiding)
            }
            _ => false,
        });
        Self { tokens, is_hidden_by_more }
    }

    /// Whether an input may contain a match of a token rule.
    pub(crate) fn may_occur(&self, grammar: &Grammar, rule: RuleId) -> bool {
        let own = grammar.rules()[rule].token().is_some_and(|own| self.tokens.contains(own.token));
        let is_let_through = |command: &Command| match command {
            Command::Skip | Command::More => true,
            Command::Type(token) => self.tokens.contains(*token),
            Command::Channel(_) => is_hiding(command),
            Command::Mode(_) | Command::PushMode(_) | Command::PopMode => false,
        };
        own || self.is_hidden_by_more
            || exprs_below(grammar, rule).into_iter().any(|expr| match &expr.kind {
                ExprKind::Commands(commands) => commands.iter().any(is_let_through),
                _ => false,
            })
    }
}

/// Whether a command puts a token on a channel that the parser does not read.
fn is_hiding(command: &Command) -> bool {
    matches!(command, Command::Channel(channel) if !is_visible(Some(*channel)))
}
