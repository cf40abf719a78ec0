//! Token rules that match the empty text: if no other rule matches, the lexer makes no progress. A
//! match that changes the mode is progress.

use gramercy_base::Diagnostic;

use crate::codes::EMPTY_MATCH;
use crate::context::Context;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(lexical) = &context.lexical else {
        return;
    };
    for &rule in &lexical.idle {
        let rule = &context.grammar.rules()[rule];
        let message = format!("the token rule `{}` matches the empty text", rule.name);
        found.push(
            Diagnostic::at(EMPTY_MATCH, rule.span, message)
                .note("where no other rule matches, the lexer does not terminate")
                .help("make sure that it matches at least one character"),
        );
    }
}
