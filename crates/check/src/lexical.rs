//! Facts about the lexer of a grammar.

use gramercy_base::{IdSet, LimitReached, Limits};
use gramercy_grammar::{Command, ExprKind, Grammar, RuleId, TerminalId, TerminalKind};
use gramercy_lexis::{Dfa, Inventory, Lexer, LexerError};

use crate::walk;

/// The modes and tokens of a lexer.
pub(crate) struct Lexical {
    pub(crate) inventory: Inventory,
    /// The rules that match the empty text without changing the mode.
    pub(crate) idle: Vec<RuleId>,
}

impl Lexical {
    /// Analyzes the lexer of a grammar; `None` if it has none, or one with errors that the reader
    /// reported.
    pub(crate) fn of(grammar: &Grammar, limits: &Limits) -> Result<Option<Self>, LimitReached> {
        let lexer = match Lexer::new(grammar, limits) {
            Ok(lexer) => lexer,
            Err(LexerError::NoLexicalRules | LexerError::LeftRecursion(_)) => return Ok(None),
            Err(LexerError::Limit(limit)) => return Err(limit),
        };
        let mut dfa = Dfa::new(&lexer, limits.states);
        let inventory = Inventory::new(grammar, &lexer, &mut dfa)?;
        let mut idle = Vec::new();
        for (mode, _) in inventory.modes.iter().filter(|(_, of_mode)| of_mode.reachable) {
            let start = dfa.start(&lexer, mode)?;
            let outcome = dfa.winner(start).map(|outcome| dfa.outcome(outcome));
            let outcome = outcome.filter(|outcome| outcome.effect.mode_changes.is_empty());
            idle.extend(outcome.map(|outcome| outcome.rule));
        }
        Ok(Some(Self { inventory, idle }))
    }

    /// Whether all modes of the lexer are analyzed completely, so that anything that was not found
    /// does not exist.
    pub(crate) fn is_complete(&self) -> bool {
        self.inventory.modes.values().all(|mode| mode.complete || !mode.reachable)
    }
}

/// The rules that create tokens of a type, by their own type or by a command.
pub(crate) fn makers(grammar: &Grammar, token: TerminalId) -> Vec<RuleId> {
    let changes_type = |body| {
        walk::exprs(grammar, body).any(|expr| match &grammar.expr(expr).kind {
            ExprKind::Commands(commands) => commands.contains(&Command::Type(token)),
            _ => false,
        })
    };
    let rules = grammar.rules().iter();
    rules
        .filter(|(_, rule)| {
            rule.token().is_some_and(|own| own.token == token || changes_type(rule.body))
        })
        .map(|(id, _)| id)
        .collect()
}

/// The tokens that syntax rules use: directly, as members of a class, or for their precedence.
pub(crate) fn used_tokens(grammar: &Grammar) -> IdSet<TerminalId> {
    let mut used = IdSet::new(grammar.terminals().len());
    for (id, terminal) in grammar.terminals().iter().take(grammar.syntax_terminals()) {
        used.insert(id);
        if let TerminalKind::AnyTokenBut(excluded) = &terminal.kind {
            let members = grammar.terminals().ids().filter(|id| !excluded.contains(id));
            members.for_each(|member| _ = used.insert(member));
        }
    }
    for (_, rule) in grammar.syntax_rules() {
        for expr in walk::exprs(grammar, rule.body) {
            if let ExprKind::Alternation(alternatives) = &grammar.expr(expr).kind {
                let said = alternatives.iter().filter_map(|it| it.attributes.as_deref());
                let tokens = said.filter_map(|attributes| attributes.precedence_of);
                tokens.for_each(|token| _ = used.insert(token));
            }
        }
    }
    used
}

/// The token rules without commands whose tokens neither the parser nor a command uses, but to
/// which other lexical rules refer.
pub(crate) fn helpers(grammar: &Grammar, used: &IdSet<TerminalId>) -> IdSet<RuleId> {
    let mut helpers = IdSet::new(grammar.rules().len());
    let named = tokens_in_commands(grammar);
    let is_idle = |token: TerminalId| !used.contains(token) && !named.contains(token);
    let has_commands = |body| {
        let is_command = |expr| matches!(grammar.expr(expr).kind, ExprKind::Commands(_));
        walk::exprs(grammar, body).any(is_command)
    };
    for (user, targets) in walk::references(grammar).iter() {
        for &rule in targets.iter().filter(|&&rule| rule != user) {
            let target = &grammar.rules()[rule];
            let is_unused = target.token().is_some_and(|own| is_idle(own.token));
            if is_unused && !has_commands(target.body) {
                helpers.insert(rule);
            }
        }
    }
    helpers
}

/// The token types in commands.
fn tokens_in_commands(grammar: &Grammar) -> IdSet<TerminalId> {
    let mut named = IdSet::new(grammar.terminals().len());
    for expr in grammar.exprs().values() {
        if let ExprKind::Commands(commands) = &expr.kind {
            for command in commands {
                if let Command::Type(token) = command {
                    named.insert(*token);
                }
            }
        }
    }
    named
}
