//! The comparison with ANTLR for one grammar.

use std::time::Duration;

use gramercy_base::IndexMap;
use gramercy_language::Language;
use gramercy_lexis::{Lexemes, WriteOptions};
use gramercy_testkit::random::Random;

use super::judge::Verdict;
use super::judges::Judges;
use super::mutants::mutant;
use super::subject::{AntlrInput, Subject};
use super::tool::Tool;
use crate::round_trip::{self, WrittenTree};
use crate::{Fallible, languages};

/// The amount of work.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of texts of random trees.
    pub texts: usize,
    /// The approximate maximal number of tokens of each.
    pub tokens: usize,
    /// The seed of the trees.
    pub seed: u64,
    /// The time limit of ANTLR for one text.
    pub patience: Duration,
}

/// The results for one grammar.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The grammar's name.
    pub name: String,
    /// The input of ANTLR.
    pub input_kind: Option<AntlrInput>,
    /// Ignored code, because of which ANTLR may accept less.
    pub ignored_code: Vec<&'static str>,
    /// Why there is no judge, if there is none.
    pub unjudged: Option<String>,
    /// Examples with equal verdicts, and all examples.
    pub examples: (usize, usize),
    /// Texts of random trees that ANTLR accepts, and all with a verdict.
    pub accepted: (usize, usize),
    /// Mutants with equal verdicts, and all with a verdict of ANTLR.
    pub mutants: (usize, usize),
    /// Texts of random trees that are read back to their trees, and all texts.
    pub read_back: (usize, usize),
    /// Texts without a verdict in time.
    pub undecided: usize,
    /// Trees without a text, and those whose tokens are impossible in the lexer's modes.
    pub unwritten: (usize, usize),
    /// The obstacles of trees without a text, and their numbers.
    pub obstacles: IndexMap<String, usize>,
    /// Examples that both reject when predicates and actions are ignored.
    pub remarks: Vec<String>,
    /// Defects, one line each.
    pub notes: Vec<String>,
}

impl Trial {
    /// Whether all verdicts must be equal.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        let plain = self.ignored_code.is_empty() || self.input_kind == Some(AntlrInput::Converted);
        plain && self.unjudged.is_none()
    }

    /// Whether there is a defect without an excuse.
    #[must_use]
    pub fn failed(&self) -> bool {
        let counts = [self.examples, self.accepted, self.mutants];
        let differ = counts.iter().any(|(agreed, all)| agreed < all);
        self.read_back.0 < self.read_back.1 || (self.is_strict() && differ)
    }
}

/// Tries a grammar.
///
/// # Errors
/// If it cannot be read, or a program cannot be started.
pub fn run(tool: Option<&Tool>, subject: &Subject, effort: &Effort) -> Fallible<Trial> {
    let language = languages::read(&subject.main, subject.start.as_deref())?;
    let mut trial = Trial {
        name: subject.name.clone(),
        input_kind: Some(subject.input_kind),
        ..Trial::default()
    };
    trial.ignored_code = languages::ignored_code(&language);
    let mut judges = match tool {
        None => Err("ANTLR is not there".to_owned()),
        Some(tool) => Judges::new(tool, subject, &language, effort.patience),
    };
    match &mut judges {
        Ok(judges) => examples(subject, &language, judges, &mut trial)?,
        Err(reason) => trial.unjudged = Some(reason.clone()),
    }
    for lexemes in [Lexemes::Varied, Lexemes::Random] {
        texts(&language, lexemes, effort, judges.as_mut().ok(), &mut trial)?;
    }
    Ok(trial)
}

/// Compares the verdicts on the examples.
fn examples(
    subject: &Subject,
    language: &Language,
    judges: &mut Judges,
    trial: &mut Trial,
) -> Fallible {
    let parser = languages::parser(language)?;
    let mut workspace = parser.workspace();
    for example in subject.examples()? {
        let theirs = judges.ask(&example.text)?;
        if theirs == Verdict::Late {
            trial.undecided += 1;
            continue;
        }
        let ours = parser.recognize(&mut workspace, &example.text);
        trial.examples.1 += 1;
        if ours.is_ok() == (theirs == Verdict::Accept) {
            trial.examples.0 += 1;
            if !trial.ignored_code.is_empty() && theirs != Verdict::Accept {
                let name = &example.name;
                trial.remarks.push(format!("without the ignored code, {name}: {theirs}"));
            }
            continue;
        }
        let ours = match ours {
            Ok(()) => "accept".to_owned(),
            Err(rejection) => format!("reject at byte {}", rejection.byte),
        };
        trial.notes.push(format!("example {}: we {ours}, ANTLR: {theirs}", example.name));
    }
    Ok(())
}

/// Writes random trees, reads them back and has them judged.
fn texts(
    language: &Language,
    lexemes: Lexemes,
    effort: &Effort,
    mut judges: Option<&mut Judges>,
    trial: &mut Trial,
) -> Fallible {
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = language.writer(&options).map_err(|error| format!("{error:?}"))?;
    let count = effort.texts.div_ceil(2);
    let texts = round_trip::texts(language, &mut writer, count, effort.tokens, effort.seed);
    trial.unwritten.0 += texts.unwritten.len();
    for unwritable in &texts.unwritten {
        let reason = unwritable.obstacle.describe(language.grammar());
        *trial.obstacles.entry(reason).or_default() += 1;
    }
    trial.unwritten.1 += texts.ruled_out;
    let mut workspace = languages::parser(language)?.workspace();
    for made in &texts.made {
        trial.read_back.1 += 1;
        match round_trip::complaint(language, &mut workspace, made) {
            None => trial.read_back.0 += 1,
            Some(complaint) => trial.notes.push(format!("{lexemes:?} text {complaint}")),
        }
        judge_text(made, judges.as_deref_mut(), lexemes, trial)?;
    }
    match judges {
        // If ANTLR accepts less, mutants would only repeat that.
        Some(judges) if trial.is_strict() => {
            judge_mutants(language, &texts.made, effort, judges, trial)
        }
        _ => Ok(()),
    }
}

/// Compares verdicts on nearly correct texts, as many as there are texts.
fn judge_mutants(
    language: &Language,
    made: &[WrittenTree],
    effort: &Effort,
    judges: &mut Judges,
    trial: &mut Trial,
) -> Fallible {
    let parser = languages::parser(language)?;
    let mut workspace = parser.workspace();
    let mut random = Random(effort.seed ^ made.len() as u64);
    for one in made {
        let text = mutant(&one.written.text, &random.pick(made).written.text, &mut random);
        let theirs = judges.ask(&text)?;
        if theirs == Verdict::Late {
            trial.undecided += 1;
            continue;
        }
        let ours = parser.recognize(&mut workspace, &text);
        trial.mutants.1 += 1;
        if ours.is_ok() == (theirs == Verdict::Accept) {
            trial.mutants.0 += 1;
            continue;
        }
        let ours =
            ours.map_or_else(|error| format!("reject at {}", error.byte), |()| "accept".into());
        trial.notes.push(format!("mutant {text:?}: we {ours}, ANTLR: {theirs}"));
    }
    Ok(())
}

fn judge_text(
    made: &WrittenTree,
    judges: Option<&mut Judges>,
    lexemes: Lexemes,
    trial: &mut Trial,
) -> Fallible {
    let Some(judges) = judges else { return Ok(()) };
    let text = &made.written.text;
    let verdict = judges.ask(text)?;
    match verdict {
        Verdict::Accept => trial.accepted.0 += 1,
        Verdict::Late => trial.undecided += 1,
        Verdict::Reject(_) | Verdict::Failure(_) => {
            trial.notes.push(format!("{lexemes:?} text {text:?}: {verdict}"));
        }
    }
    trial.accepted.1 += usize::from(verdict != Verdict::Late);
    Ok(())
}
