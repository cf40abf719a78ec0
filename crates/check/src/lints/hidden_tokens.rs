//! Tokens that parser rules use but never see, because the lexer always skips them or puts them on
//! another channel. Other lints report tokens whose rules never win or are in unreachable modes;
//! readers report tokens without any rule.

use gramercy_base::Diagnostic;
use gramercy_grammar::{RuleId, TerminalId};

use crate::codes::HIDDEN_TOKEN;
use crate::context::Context;
use crate::lexical::{Lexical, makers};
use crate::walk;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(lexical) = context.lexical.as_ref().filter(|lexical| lexical.is_complete()) else {
        return;
    };
    for &token in &lexical.inventory.missing {
        let makers = makers(context.grammar, token);
        let winning = makers.iter().copied().find(|&rule| wins(lexical, rule));
        found.extend(winning.map(|rule| report(context, token, rule)));
    }
}

fn wins(lexical: &Lexical, rule: RuleId) -> bool {
    let mut reachable = lexical.inventory.modes.values().filter(|mode| mode.reachable);
    reachable.any(|mode| mode.winners.iter().any(|example| example.rule == rule))
}

fn report(context: &Context<'_>, token: TerminalId, rule: RuleId) -> Diagnostic {
    let grammar = context.grammar;
    let name = &grammar.terminals()[token].name;
    let message = format!("the parser never sees the token `{name}`");
    let rule = &grammar.rules()[rule];
    let mut diagnostic = Diagnostic::at(HIDDEN_TOKEN, rule.span, message)
        .note(format!("`{}` is always skipped or on another channel", rule.name));
    if let Some(expr) = walk::first_use(grammar, token) {
        diagnostic = diagnostic.label(grammar.expr(expr).span, "used here");
    }
    diagnostic.help("remove the command, or remove the token from the parser rules")
}
