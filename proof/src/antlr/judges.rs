//! The judges of one grammar: one for its start rule, and a second one that requires the end of
//! input if the start rule does not.

use std::time::Duration;

use gramercy_grammar::NoteKind;
use gramercy_language::Language;

use super::judge::{Judge, Verdict};
use super::subject::Subject;
use super::tool::{End, Input, Tool};
use crate::{Fallible, languages};

/// A judge, and a second one.
#[derive(Debug)]
pub struct Judges {
    first: Judge,
    whole: Option<Judge>,
    /// The number of texts without a verdict in time, and the length of the shortest of them.
    late: (usize, usize),
}

/// After this many texts without a verdict, only shorter texts are judged.
const MAX_LATE: usize = 8;

impl Judges {
    /// The judges of a grammar, with a time limit per text.
    ///
    /// # Errors
    /// If ANTLR cannot build its parsers.
    pub fn new(
        tool: &Tool,
        subject: &Subject,
        language: &Language,
        patience: Duration,
    ) -> Fallible<Self> {
        let input = Input::new(subject, language)?;
        let judge = |end| -> Fallible<Judge> {
            Ok(Judge::new(tool.build(&input, end)?).with_patience(patience))
        };
        let first = judge(End::AsWritten)?;
        let whole = match languages::has_note(language, NoteKind::StartWithoutEof) {
            true => Some(judge(End::AskedFor)?),
            false => None,
        };
        Ok(Self { first, whole, late: (0, usize::MAX) })
    }

    /// The verdict; if the start rule ends early, that of the rule that requires the end of input.
    ///
    /// # Errors
    /// If a judge cannot be started.
    pub fn ask(&mut self, text: &str) -> Fallible<Verdict> {
        if self.late.0 >= MAX_LATE && text.len() >= self.late.1 {
            return Ok(Verdict::Late);
        }
        let mut verdict = self.first.ask(text)?;
        if let Some(whole) = &mut self.whole
            && verdict != Verdict::Accept
        {
            verdict = whole.ask(text)?;
        }
        if verdict == Verdict::Late {
            self.late = (self.late.0 + 1, self.late.1.min(text.len()));
        }
        Ok(verdict)
    }
}
