//! One grammar before the judge.

use std::time::Duration;

use gramercy_base::IndexMap;
use gramercy_language::Language;
use gramercy_lexis::{Lexemes, WriteOptions};
use gramercy_testkit::random::Random;

use super::judge::Verdict;
use super::judges::Judges;
use super::mutants::mutant;
use super::subject::{Form, Subject};
use super::tool::Tool;
use crate::round_trip::{self, Made};
use crate::{Fallible, languages};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Texts of random trees.
    pub texts: usize,
    /// Tokens of each, about at most.
    pub tokens: usize,
    /// The seed of the trees.
    pub seed: u64,
    /// How long ANTLR may think about one text.
    pub patience: Duration,
}

/// What came of a trial.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// The grammar's name.
    pub name: String,
    /// What ANTLR read.
    pub form: Option<Form>,
    /// Code that we ignore, so that ANTLR may accept less than we do.
    pub ignored_code: Vec<&'static str>,
    /// Why there is no judge, if there is none.
    pub unjudged: Option<String>,
    /// Examples on which we agree, and how many there are.
    pub examples: (usize, usize),
    /// Texts of random trees that ANTLR accepts, and how many it had a verdict on.
    pub accepted: (usize, usize),
    /// Mutants of these texts on which we agree, and how many ANTLR had a verdict on.
    pub mutants: (usize, usize),
    /// Texts of random trees that we read back to their trees, and how many there are.
    pub read_back: (usize, usize),
    /// Texts on which ANTLR had no verdict in time.
    pub undecided: usize,
    /// Trees that could not be written, and those whose tokens the lexer's modes rule out.
    pub unwritten: (usize, usize),
    /// What stood in the way of trees that could not be written, and how often.
    pub obstacles: IndexMap<String, usize>,
    /// Examples that nobody accepts once predicates and actions are ignored.
    pub remarks: Vec<String>,
    /// What is wrong, one line each.
    pub notes: Vec<String>,
}

impl Trial {
    /// Whether we and ANTLR must agree on everything.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        let plain = self.ignored_code.is_empty() || self.form == Some(Form::Converted);
        plain && self.unjudged.is_none()
    }

    /// Whether something is wrong that nothing excuses.
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
    let mut trial =
        Trial { name: subject.name.clone(), form: Some(subject.form), ..Trial::default() };
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

/// Compares our verdicts on the examples with the judge's.
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
        // Where ANTLR accepts less than we do, mutants would only repeat it.
        Some(judges) if trial.is_strict() => {
            judge_mutants(language, &texts.made, effort, judges, trial)
        }
        _ => Ok(()),
    }
}

/// Compares verdicts on texts that are nearly right, as many as there are texts.
fn judge_mutants(
    language: &Language,
    made: &[Made],
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
    made: &Made,
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
