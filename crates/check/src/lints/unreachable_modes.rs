//! Lexer modes that no command enters.

use gramercy_base::Diagnostic;
use gramercy_grammar::NoteKind;

use crate::codes::UNREACHABLE_MODE;
use crate::context::Context;
use crate::names;

pub(super) fn find(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let (Some(lexical), Some(lexicon)) = (&context.lexical, context.grammar.lexicon()) else {
        return;
    };
    if !lexical.is_complete() {
        return;
    }
    let code = |kind| matches!(kind, NoteKind::HostCode | NoteKind::Action);
    let has_code = context.grammar.notes().iter().any(|note| code(note.kind));
    for (id, mode) in lexicon.modes.iter().filter(|(id, _)| !lexical.inventory.modes[*id].reachable)
    {
        let message = format!("no command enters the mode `{}`", mode.name);
        let mut diagnostic = Diagnostic::new(UNREACHABLE_MODE, message);
        if let Some(span) = lexicon.modes[id].span {
            diagnostic = diagnostic.label(span, "");
        }
        let rules = mode.rules.iter().map(|&rule| &context.grammar.rules()[rule].name);
        diagnostic = diagnostic.note(format!("its rules are never tried: {}", names::list(rules)));
        if has_code {
            let note = "in the original, code that is ignored here may enter it";
            diagnostic = diagnostic.note(note);
        }
        found.push(diagnostic);
    }
}
