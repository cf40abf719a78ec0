//! `gramercy predict`: what inputs cover, without running the program.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Sources};
use gramercy::coverage::TargetSet;
use gramercy::coverage::select::select;
use gramercy::learn::model::Model;
use gramercy::learn::predict::{Predictor, Questions, predictions};
use gramercy::suite::{CorpusError, Input};
use serde::Serialize;

use super::inputs::Inputs;
use super::learning;
use super::reading::{Reading, unreadable};
use crate::codes;
use crate::console::Console;
use crate::flags::{CorpusArgs, GrammarArgs, JobArgs, JsonArgs};
use crate::outcome::{Failure, Outcome};
use crate::render::json;
use crate::render::rejections::Rejected;

/// Predict which targets inputs reach, without running the program
#[derive(Args)]
#[command(after_help = "\
With --select or --changed, only the smallest subset of the inputs is listed that is predicted to reach the targets.

The exit code is 1 if an input is rejected, or a selected target is reached by no input; 2 if an input cannot be read.

Examples:
  gramercy predict grammar.gram --model model.json inputs/ --json
  gramercy predict grammar.gram --model model.json corpus.ndjson --select parse_number,parse_string
  gramercy predict grammar.gram --model model.json corpus/ --changed src/lexer.c:120-140")]
pub(crate) struct Predict {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// The file of the model
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// Inputs to predict
    #[arg(value_name = "INPUT", required = true, value_hint = ValueHint::AnyPath)]
    inputs: Vec<String>,
    #[command(flatten)]
    corpus: CorpusArgs,
    /// List the smallest subset of the inputs that is predicted to reach these targets
    #[arg(long, value_name = "TARGETS", value_delimiter = ',')]
    select: Vec<String>,
    /// As --select, with all targets in these lines of a file
    #[arg(long, value_name = "FILE:LINES")]
    changed: Vec<Changed>,
    #[command(flatten)]
    jobs: JobArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// Lines of a source file: `file.c:10-20,33`, or the whole file.
#[derive(Clone, Debug)]
struct Changed {
    file: String,
    lines: Vec<(u32, u32)>,
}

impl std::str::FromStr for Changed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((file, lines)) = text.rsplit_once(':') else {
            return Ok(Self { file: text.to_owned(), lines: Vec::new() });
        };
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (range.0 <= range.1).then_some(range)
        };
        let lines: Option<Vec<(u32, u32)>> = lines.split(',').map(range).collect();
        let lines = lines.ok_or("a file with lines is needed, such as lexer.c:10-20,33")?;
        Ok(Self { file: file.to_owned(), lines })
    }
}

/// What became of an input.
enum Predicted {
    Answers(String, Vec<bool>),
    Rejected(Box<Rejected>),
    Unreadable(CorpusError),
}

impl Predict {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let (reading, model) = learning::load(&self.grammar, &self.model, console)?;
        let wanted = self.wanted(&model)?;
        let mut gathered = Gathered::default();
        let mut written = Ok(());
        self.predict(&reading, &model, console, |predicted, console| {
            written = match predicted {
                Predicted::Answers(name, answers) => match wanted.is_empty() {
                    true => self.show(&model, &name, &answers, console),
                    false => {
                        gathered.add(&model, &wanted, name, &answers);
                        Ok(())
                    }
                },
                Predicted::Rejected(rejected) => {
                    gathered.rejected += 1;
                    console.report(&[left_out(&rejected)], &Sources::new());
                    Ok(())
                }
                Predicted::Unreadable(error) => {
                    gathered.is_unreadable = true;
                    console.report(&[unreadable(&error)], &Sources::new());
                    Ok(())
                }
            };
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        written?;
        let mut is_complete = true;
        if !wanted.is_empty() {
            is_complete = self.show_selection(&wanted, &gathered, console)?;
        }
        match (gathered.is_unreadable, gathered.rejected > 0 || !is_complete) {
            (true, _) => Err(Failure::Reported),
            (false, true) => Ok(Outcome::Found),
            (false, false) => Ok(Outcome::Clean),
        }
    }

    fn predict(
        &self,
        reading: &Reading,
        model: &Model,
        console: &mut Console,
        mut consume: impl FnMut(Predicted, &mut Console) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let damaged = |error| {
            let message = format!("cannot use `{}` as a model: {error}", self.model.display());
            Failure::refused(Diagnostic::new(codes::BAD_MODEL, message))
        };
        let questions = Questions::new(model).map_err(damaged)?;
        let language = &reading.language;
        // The first one shows whether the features are within the limits.
        Predictor::new(language, reading.parser(), &questions)?;
        let worker = || {
            let made = Predictor::new(language, reading.parser(), &questions);
            (made.expect("invariant: it was made before"), reading.parser().workspace())
        };
        let inputs = Inputs {
            texts: &[],
            corpus: self.corpus.corpus(&self.inputs, self.grammar.encoding()),
            jobs: self.jobs.jobs(),
        };
        inputs.for_each(
            worker,
            |(predictor, workspace), input: Result<Input, CorpusError>| match input {
                Err(error) => Predicted::Unreadable(error),
                Ok(input) => match reading.text(&input) {
                    Err(rejected) => Predicted::Rejected(rejected),
                    Ok(text) => match predictor.answers(&text) {
                        Ok(answers) => Predicted::Answers(input.name.clone(), answers),
                        Err(rejection) => {
                            let rejected = reading.rejected(workspace, &input, &text, &rejection);
                            Predicted::Rejected(Box::new(rejected))
                        }
                    },
                },
            },
            |predicted| consume(predicted, console),
        );
        Ok(())
    }

    /// The targets to select inputs for.
    fn wanted(&self, model: &Model) -> Result<Vec<String>, Failure> {
        let mut wanted = Vec::new();
        for name in &self.select {
            model.target(name).ok_or_else(|| learning::unknown_target(model, name))?;
            wanted.push(name.clone());
        }
        for Changed { file, lines } in &self.changed {
            let names = model.infos().filter(|info| info.is_in(file, lines));
            let before = wanted.len();
            wanted.extend(names.map(|info| info.name.clone()));
            if wanted.len() == before {
                let message = format!("the model knows no target in these lines of `{file}`");
                let help = "models know files and lines if they are learned from coverage reports";
                let diagnostic = Diagnostic::new(codes::UNKNOWN_TARGET, message).help(help);
                return Err(Failure::refused(diagnostic));
            }
        }
        wanted.dedup();
        Ok(wanted)
    }

    fn show(
        &self,
        model: &Model,
        input: &str,
        answers: &[bool],
        console: &mut Console,
    ) -> Result<(), Failure> {
        let all = predictions(model, answers);
        if !self.json.json {
            let covered = all.filter(|prediction| prediction.is_covered);
            let names: Vec<String> = covered
                .map(|prediction| format!("{} ({:.2})", prediction.target, prediction.confidence))
                .collect();
            return Ok(writeln!(console.out(), "{input}: {}", names.join(", "))?);
        }
        let targets = all.map(|prediction| {
            let (covered, confidence) = (prediction.is_covered, prediction.confidence);
            (prediction.target.into_owned(), Target { covered, confidence })
        });
        Ok(json::write(console.out(), &Line { input, targets: targets.collect() })?)
    }

    /// Lists the selected inputs; whether they are predicted to reach all targets.
    fn show_selection(
        &self,
        wanted: &[String],
        gathered: &Gathered,
        console: &mut Console,
    ) -> Result<bool, Failure> {
        let selection = select(&gathered.covered);
        let names: Vec<&str> =
            selection.chosen.iter().map(|&at| gathered.names[at].as_str()).collect();
        let mut reached = TargetSet::new();
        gathered.covered.iter().for_each(|covered| _ = reached.union_with(&covered[0]));
        let unreached: Vec<&str> = (0..)
            .zip(wanted)
            .filter(|(at, _)| !reached.contains(*at))
            .map(|(_, name)| name.as_str())
            .collect();
        if self.json.json {
            json::write(console.out(), &Selected { selected: &names, unreached: &unreached })?;
        } else {
            for name in &names {
                writeln!(console.out(), "{name}")?;
            }
        }
        let warning = |name: &&str| {
            let message = format!("no input is predicted to reach `{name}`");
            Diagnostic::new(codes::UNREACHED, message)
        };
        let warnings: Vec<Diagnostic> = unreached.iter().map(warning).collect();
        console.report(&warnings, &Sources::new());
        Ok(unreached.is_empty())
    }
}

/// The inputs to select from.
#[derive(Default)]
struct Gathered {
    names: Vec<String>,
    covered: Vec<Vec<TargetSet>>,
    rejected: usize,
    is_unreadable: bool,
}

impl Gathered {
    fn add(&mut self, model: &Model, wanted: &[String], name: String, answers: &[bool]) {
        let covered: Vec<_> =
            predictions(model, answers).filter(|prediction| prediction.is_covered).collect();
        let is_reached = |name: &String| covered.iter().any(|one| one.target == name.as_str());
        let reached = (0..).zip(wanted).filter(|(_, name)| is_reached(name)).map(|(at, _)| at);
        self.names.push(name);
        self.covered.push(vec![reached.collect()]);
    }
}

#[derive(Serialize)]
struct Line<'l> {
    input: &'l str,
    targets: BTreeMap<String, Target>,
}

#[derive(Serialize)]
struct Target {
    covered: bool,
    confidence: f64,
}

#[derive(Serialize)]
struct Selected<'s> {
    selected: &'s [&'s str],
    unreached: &'s [&'s str],
}

fn left_out(rejected: &Rejected) -> Diagnostic {
    let Rejected { input, error } = rejected;
    let message = format!(
        "`{input}` is rejected at line {}, column {}: nothing is predicted",
        error.line, error.column
    );
    Diagnostic::new(codes::REJECTED, message)
}
