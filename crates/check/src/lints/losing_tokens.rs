//! Token rules that never win: wherever they match, a rule that is listed first matches too. The
//! classic is a keyword behind the rule for identifiers. Rules that serve others are reported as
//! fragments that are not marked.

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
                    "with the predicate of `{}`, which was set aside, that may be otherwise",
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
        diagnostic = diagnostic.label(grammar.expr(expr).span, "waits for the token in vain");
    }
    diagnostic
}
