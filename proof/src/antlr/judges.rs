//! The judges of one grammar: one that takes its start rule as it is, and a second that asks for the end
//! of input where the grammar forgets to.

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
    /// Texts without a verdict in time, and the length of the shortest of them.
    late: (usize, usize),
}

/// So many texts without a verdict, and only shorter ones are asked about.
const MAX_LATE: usize = 8;

impl Judges {
    /// The judges of a grammar, and how long they may think about a text.
    ///
    /// # Errors
    /// If ANTLR cannot make its parsers.
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

    /// The verdict; where the start rule merely ended early, that of the rule that asks for the end.
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
