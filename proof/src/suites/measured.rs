//! A sink that reads every test back as it arrives, and keeps the covered targets: memory does not
//! grow with the suite.

use gramercy_base::Map;
use gramercy_coverage::{Covered, Measure, Reading};
use gramercy_grammar::{TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_parse::{Derivations, TextWorkspace, Workspace};
use gramercy_suite::{Sink, SinkError, Test, Wants};

use crate::Fallible;
use crate::antlr::judge::Verdict;
use crate::antlr::judges::Judges;

/// The maximal number of notes per kind.
const MAX_NOTES: usize = 5;

/// Measures tests.
#[derive(Debug)]
pub struct Measured<'m> {
    language: &'m Language,
    measure: &'m Measure<'m>,
    by_name: Map<&'m str, TerminalId>,
    texts: TextWorkspace,
    tokens: Workspace,
    judge: Option<&'m mut Judges>,
    /// The covered targets.
    pub covered: Covered,
    /// Texts that ANTLR accepts, and all with a verdict.
    pub accepted: (u64, u64),
    /// Texts without a verdict in time.
    pub undecided: u64,
    /// Tests that are not read back: the first few.
    pub complaints: Vec<String>,
    /// Tests that ANTLR rejects: the first few.
    pub rejected: Vec<String>,
}

impl<'m> Measured<'m> {
    /// A sink for the tests of a language; `judge` judges each.
    #[must_use]
    pub fn new(
        language: &'m Language,
        measure: &'m Measure<'m>,
        judge: Option<&'m mut Judges>,
    ) -> Self {
        let terminals = language.grammar().terminals().iter();
        Self {
            language,
            measure,
            by_name: terminals.map(|(id, terminal)| (&*terminal.name, id)).collect(),
            texts: measure.parser.workspace(),
            tokens: measure.parser.parser().workspace(),
            judge,
            covered: measure.nothing(),
            accepted: (0, 0),
            undecided: 0,
            complaints: Vec::new(),
            rejected: Vec::new(),
        }
    }

    /// The targets that a test covers. In a grammar without a lexer, a text does not determine its
    /// tokens: they may look the same, or like white space. There the tokens are parsed.
    fn cover(&mut self, test: &Test<'_>) -> Fallible<Covered> {
        if self.language.grammar().text_kind() != TextKind::TokensOnly {
            let covered = self.measure.text(&mut self.texts, &test.content.to_text());
            return covered.map_err(|rejection| format!("rejected at byte {}", rejection.byte));
        }
        let parser = self.measure.parser.parser();
        let inputs =
            test.tokens.iter().map(|token| parser.input_of_token(self.by_name[token.name]));
        let inputs: Vec<_> = inputs.collect();
        let forest = parser.parse(&mut self.tokens, &inputs);
        let forest = forest.map_err(|error| format!("rejected: {error:?}"))?;
        Ok(self.measure.reading(&Reading::of(&Derivations::of_forest(parser, &forest))))
    }

    fn ask(&mut self, text: &str) -> Fallible {
        let Some(judge) = &mut self.judge else { return Ok(()) };
        match judge.ask(text)? {
            Verdict::Late => self.undecided += 1,
            Verdict::Accept => self.accepted = (self.accepted.0 + 1, self.accepted.1 + 1),
            verdict @ (Verdict::Reject(_) | Verdict::Failure(_)) => {
                self.accepted.1 += 1;
                return Err(format!("ANTLR: {verdict}"));
            }
        }
        Ok(())
    }
}

impl Sink for Measured<'_> {
    fn wants(&self) -> Wants {
        let tokens = self.language.grammar().text_kind() == TextKind::TokensOnly;
        Wants { tokens, ..Wants::TEXT }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        match self.cover(test) {
            Ok(covered) => _ = self.covered.add(&covered),
            Err(problem) => note(&mut self.complaints, test, &problem),
        }
        if let Err(verdict) = self.ask(&test.content.to_text()) {
            note(&mut self.rejected, test, &verdict);
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

fn note(notes: &mut Vec<String>, test: &Test<'_>, problem: &str) {
    if notes.len() < MAX_NOTES {
        notes.push(format!("test {} {:?}: {problem}", test.id, test.content.to_text()));
    }
}
