//! What a whole text is from a given stack of modes: one token, or nothing that the parser sees.

use gramercy_base::LimitReached;
use gramercy_grammar::TerminalId;

use crate::lexemes::LexemeId;
use crate::reach::Begun;
use crate::routes::Tools;
use crate::scan::Run;
use crate::stacks::StackId;

/// A text cut into lexemes.
#[derive(Clone, Debug)]
pub(crate) struct Spelled {
    /// The token that all of it is; `None` if it is hidden.
    pub(crate) token: Option<TerminalId>,
    /// The stack after it.
    pub(crate) next: StackId,
    pub(crate) lexemes: Box<[LexemeId]>,
}

/// Cuts a text into lexemes; `None` if it is neither one visible token nor hidden as a whole.
///
/// The text is taken to go on after its end, where its last lexemes could still become longer:
/// the writer watches the automaton.
pub(crate) fn spell(
    tools: &mut Tools<'_>,
    stack: StackId,
    text: &str,
) -> Result<Option<Spelled>, LimitReached> {
    let (mut at, mut next, mut begun) = (0, stack, Begun::Nothing);
    let (mut token, mut cut) = (None, Vec::new());
    // Where the token begins that is being made.
    let mut begin = 0;
    while at < text.len() {
        let mode = tools.stacks.mode(next);
        let start = tools.dfa.start(tools.lexer, mode)?;
        let mut run = Run::new(tools.dfa.cell(start), at);
        while run.at < text.len() && run.any_step(tools.lexer, tools.dfa, text)? {}
        let Some(winner) = tools.dfa.winner_of(run.last) else { return Ok(None) };
        let effect = &tools.dfa.outcome(winner.outcome).effect;
        // Nothing comes before or after a visible token, and nothing is read forever.
        if token.is_some() || run.end == at {
            return Ok(None);
        }
        token = effect.visible_token(begun.channel());
        let Some(after) = tools.stacks.after(next, effect) else { return Ok(None) };
        if token.is_some() && begin > 0 {
            return Ok(None);
        }
        cut.push((&text[at..run.end], run.last));
        begun = begun.after(effect);
        (at, next) = (run.end, after);
        begin = if begun == Begun::Nothing { at } else { begin };
    }
    if begun != Begun::Nothing || cut.is_empty() {
        return Ok(None);
    }
    let lexemes = cut.into_iter().map(|(text, end)| tools.book.intern(text, end)).collect();
    Ok(Some(Spelled { token, next, lexemes }))
}
