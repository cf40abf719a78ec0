//! Token rules that never win: wherever they match, an earlier rule matches too. A typical case is
//! a keyword after the rule for identifiers. Token rules that only other lexical rules use are
//! reported as missing fragments.

use gramercy_base::Diagnostic;
use gramercy_lexis::{Inventory, NeverWins};

use crate::codes::LOSING_TOKEN;
use crate::context::Context;
use crate::walk;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(lexical) = &context.lexical else {
        return;
    };
    for mode in lexical.inventory.modes.values().filter(|mode| mode.reachable && mode.complete) {
        let losers = mode.never.iter().filter(|never| !context.helpers.contains(never.rule));
        found.extend(losers.map(|never| report(context, &lexical.inventory, never)));
    }
}

fn report(context: &Context<'_>, inventory: &Inventory, never: &NeverWins) -> Diagnostic {
    let grammar = context.grammar;
    let rule = &grammar.rules()[never.rule];
    let mut diagnostic = match &never.instead {
        None => {
            let message = format!("the token rule `{}` matches no text", rule.name);
            Diagnostic::at(LOSING_TOKEN, rule.span, message)
        }
        Some((winner, text)) => {
            let winner = &grammar.rules()[*winner];
            let message = format!(
                "the token rule `{}` never wins: where it matches, `{}` does, as with {text:?}",
                rule.name, winner.name
            );
            let at = Diagnostic::at(LOSING_TOKEN, rule.span, message).label(winner.span, "wins");
            match [rule, winner].into_iter().find(|rule| context.has_predicate(rule)) {
                Some(guarded) => at.note(format!(
                    "the predicate of `{}` is ignored; with it, this may be different",
                    guarded.name
                )),
                None => at.help(format!("list `{}` first, or remove it", rule.name)),
            }
        }
    };
    let token = rule.token().expect("invariant: modes hold token rules").token;
    if inventory.missing.contains(&token)
        && let Some(expr) = walk::first_use(grammar, token)
    {
        diagnostic = diagnostic.label(grammar.expr(expr).span, "used here");
    }
    diagnostic
}
