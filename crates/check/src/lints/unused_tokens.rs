//! Tokens that no parser rule uses: those that a lexer creates for the parser, where an input with
//! one is rejected, and those that a grammar without a lexer declares. There is one note for all.
//! Token rules that only other token rules use are reported as missing fragments.

use gramercy_base::Diagnostic;
use gramercy_grammar::{Terminal, TerminalId, TerminalKind, TextKind};

use crate::codes::UNUSED_TOKEN;
use crate::context::Context;
use crate::names;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let grammar = context.grammar;
    let exists = |token: TerminalId| match (&context.lexical, grammar.text_kind()) {
        (Some(lexical), _) => !lexical.inventory.made_in[token].is_empty(),
        (None, kind) => kind == TextKind::TokensOnly,
    };
    let own = |rule| grammar.rules()[rule].token().map(|token| token.token);
    let helpers: Vec<_> = context.helpers.iter().filter_map(own).collect();
    let unused: Vec<_> = grammar
        .terminals()
        .iter()
        .filter(|(_, terminal)| matches!(terminal.kind, TerminalKind::Token { .. }))
        .filter(|&(id, _)| !context.used_tokens.contains(id) && exists(id))
        .filter(|(id, _)| !helpers.contains(id))
        .map(|(_, terminal)| terminal)
        .collect();
    found.extend(report(context, &unused));
}

fn report(context: &Context<'_>, unused: &[&Terminal]) -> Option<Diagnostic> {
    let names = names::list(unused.iter().map(|terminal| &terminal.name));
    let message = match unused {
        [] => return None,
        [_] => format!("no parser rule uses the token {names}"),
        _ => format!("no parser rule uses these {} tokens: {names}", unused.len()),
    };
    let places = unused.iter().filter_map(|terminal| terminal.span).take(3);
    let diagnostic = Diagnostic::new(UNUSED_TOKEN, message);
    let diagnostic = places.fold(diagnostic, |diagnostic, span| diagnostic.label(span, ""));
    Some(match context.lexical {
        Some(_) => diagnostic.note("an input that has such a token is rejected"),
        None => diagnostic,
    })
}
