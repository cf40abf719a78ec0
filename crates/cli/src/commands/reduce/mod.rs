//! `gramercy reduce`: a small text that is still interesting.

mod condition;
mod shrink_ray;
mod watching;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueHint};
use gramercy::base::{Diagnostic, Fingerprint, Limits, Sources};
use gramercy::campaign::Verdict;
use gramercy::campaign::reduce::{
    Bounds, Confirmed, Ended, Options, ProgramCondition, Reduced, Reducer, Stay, Verdicts,
    VerdictsError,
};
use gramercy::subject::{Launched, LauncherCommand, Subject, SubjectError};
use gramercy::suite::{Corpus, CorpusError, Input};
use serde_json::json;

use super::reading::{no_parser, unreadable};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    GrammarArgs, JsonArgs, LoadedGrammar, OracleArgs, ProgramArgs, duration, jobs, named,
};
use crate::outcome::{Failure, Outcome};
use crate::output_file::names_folder;
use crate::render::numbers::grouped;
use condition::Case;
use watching::Watching;

const CONDITION: &str = "Condition";
const REDUCTION: &str = "Reduction options";

/// Make a failing input small: the smallest one found for which a program still does the same
#[derive(Args)]
#[command(after_help = "\
A text is interesting if the command ends with exit code 0. With --verdict it is interesting if `gramercy run` would
give this verdict, and with --group if it would belong to this group of a campaign. A text reaches the command as the
file {}, without {} on standard input, with --argument as an argument, or with --persistent one after the other to one
process.

An input of the language stays in the language, and one that is outside stays outside with the same kind of error;
--any allows everything. The result does not depend on the number of jobs. Exit code 2 means that the input itself is
not interesting, 130 that Ctrl-C ended the reduction; the smallest text so far is written then too.

Examples:
  gramercy reduce json.g4 big.json -o small.json -- ./still-fails.sh {}
  gramercy reduce json.g4 big.json --verdict crash -- ./parser {}
  gramercy reduce json.g4 --db jq.db --group 2 -o small.json
  gramercy reduce json.g4 crashes/ -o reduced/ --verdict crash -- ./parser {}
  gramercy reduce json.g4 big.json --state big.state --resume -- ./slow.sh {}
  gramercy reduce json.g4 --shrink-ray")]
pub(crate) struct Reduce {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Inputs to reduce: files, folders, archives, NDJSON; - is standard input
    #[arg(value_name = "INPUT", value_hint = ValueHint::AnyPath)]
    inputs: Vec<String>,
    /// Write to this file, or into this folder under the names of the inputs [default: standard output]
    #[arg(long, short, value_name = "PATH", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// A text is interesting if a campaign would give this verdict
    #[arg(long, value_name = "VERDICT", value_parser = named::<Verdict>(), help_heading = CONDITION)]
    verdict: Option<Verdict>,
    /// A text is interesting if it belongs to this group of the campaign in --db, as reports number them
    #[arg(long, value_name = "N", requires = "db", help_heading = CONDITION, conflicts_with = "verdict")]
    group: Option<usize>,
    /// Database of the campaign
    #[arg(long, value_name = "FILE", requires = "group", help_heading = CONDITION, value_hint = ValueHint::FilePath)]
    db: Option<PathBuf>,
    /// Call and understand the program as this preset does
    #[arg(long, value_name = "NAME", help_heading = CONDITION)]
    preset: Option<String>,
    /// Take a text only if it is interesting this number of times more; texts that are not are counted as flaky
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = CONDITION)]
    confirm: u32,
    /// Allow every text, in the language or not
    #[arg(long, help_heading = REDUCTION)]
    any: bool,
    /// Allow any error for inputs outside of the language, not only one of the same kind
    #[arg(long, help_heading = REDUCTION, conflicts_with = "any")]
    any_error: bool,
    /// How many texts to run at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = REDUCTION)]
    jobs: Option<usize>,
    /// Stop after this number of runs
    #[arg(long, value_name = "N", help_heading = REDUCTION)]
    runs: Option<u64>,
    /// Stop after this time, such as 30s, 10m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = REDUCTION)]
    time: Option<Duration>,
    /// Keep all verdicts in this file
    #[arg(long, value_name = "FILE", help_heading = REDUCTION, value_hint = ValueHint::FilePath)]
    state: Option<PathBuf>,
    /// Continue the reduction of --state
    #[arg(long, requires = "state", help_heading = REDUCTION)]
    resume: bool,
    /// Be an external reducer of Shrink Ray, which asks about texts on standard output
    #[arg(long, help_heading = REDUCTION, conflicts_with_all = ["inputs", "output", "verdict", "group", "command", "state", "json"])]
    shrink_ray: bool,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    oracle: OracleArgs,
    #[command(flatten)]
    json: JsonArgs,
    /// The program and its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl Reduce {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        if self.shrink_ray {
            return shrink_ray::serve(self, &loaded);
        }
        let case = self.case(&loaded)?;
        let inputs = self.read_inputs(&case)?;
        if inputs.len() > 1 && !self.output.as_deref().is_some_and(names_folder) {
            let message = format!("there are {} inputs", inputs.len());
            let help = "name a folder for the results, for example -o reduced/";
            return Err(Failure::refused(
                Diagnostic::new(codes::SEVERAL_FILES, message).help(help),
            ));
        }
        if inputs.len() > 1 && self.state.is_some() {
            return Err(Failure::usage("--state is for one input"));
        }
        let mut outcome = Outcome::Clean;
        for input in &inputs {
            outcome = self.reduce(&loaded, &case, input, console)?;
            if outcome == Outcome::Interrupted {
                break;
            }
        }
        Ok(outcome)
    }

    /// All inputs. Without any, that of the group.
    fn read_inputs(&self, case: &Case) -> Result<Vec<Input>, Failure> {
        if let (true, Some(input)) = (self.inputs.is_empty(), &case.input) {
            let name = format!("group-{}", self.group.unwrap_or(0));
            return Ok(vec![Input::new(name, input.clone())]);
        }
        if self.inputs.is_empty() {
            return Err(Failure::usage("name an input"));
        }
        let mut inputs = Vec::new();
        let mut failed: Option<CorpusError> = None;
        let corpus = Corpus::new(&self.inputs).with_encoding(self.grammar.encoding());
        corpus.for_each(|input| match input {
            Ok(input) => {
                inputs.push(input);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        match failed {
            Some(error) => Err(Failure::refused(unreadable(&error))),
            None => Ok(inputs),
        }
    }

    fn reduce(
        &self,
        loaded: &LoadedGrammar,
        case: &Case,
        input: &Input,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let text = input.text().map_err(|byte| {
            let message = format!("{}: this is not text: byte {byte} is not UTF-8", input.name);
            Failure::refused(Diagnostic::new(codes::UNREADABLE_INPUT, message))
        })?;
        let launcher = LauncherCommand::this_program().map_err(|error| cannot_run(&error))?;
        let program = &case.program;
        let make = || -> Result<Box<dyn Subject + Send>, SubjectError> {
            Ok(Box::new(Launched::new(launcher.clone(), program.clone())?))
        };
        let condition = ProgramCondition::new(&loaded.language, &make, case.interest.clone());
        let condition = Confirmed::new(condition, self.confirm);
        let mut reducer =
            Reducer::new(&loaded.language).map_err(|error| no_parser(loaded.grammar(), &error))?;
        let options = Options { stay: self.stay(&mut reducer, &text), ..self.options() };
        let mut verdicts = self.verdicts(loaded, case, &text)?;
        let mut watching = Watching::new(text.len(), console.is_quiet());
        let reduced = reducer.reduce(&text, &condition, &options, &mut verdicts, &mut watching);
        drop(watching);
        self.check_ended(input, &reduced)?;
        self.write(input, &reduced, &text, condition.flaky(), console)?;
        self.tell(&reduced, text.len(), condition.flaky(), console);
        Ok(match reduced.ended {
            Ended::Interrupted => Outcome::Interrupted,
            _ => Outcome::Clean,
        })
    }

    fn options(&self) -> Options {
        Options {
            stay: Stay::Anywhere,
            bounds: Bounds { runs: self.runs, time: self.time },
            jobs: jobs(self.jobs),
        }
    }

    /// Where candidates stay.
    fn stay(&self, reducer: &mut Reducer<'_>, text: &str) -> Stay {
        match (self.any, reducer.membership(text)) {
            (true, _) => Stay::Anywhere,
            (false, Stay::Outside(_)) if self.any_error => Stay::Outside(None),
            (false, place) => place,
        }
    }

    fn verdicts(
        &self,
        loaded: &LoadedGrammar,
        case: &Case,
        text: &str,
    ) -> Result<Verdicts, Failure> {
        let Some(path) = &self.state else { return Ok(Verdicts::default()) };
        let mut print = Fingerprint::default();
        let program = serde_json::to_string(&case.program).unwrap_or_default();
        for part in [&*loaded.language.fingerprint(), text, &program, &case.about] {
            print.add_text(part);
        }
        let about = format!("{:032x}", print.finish());
        let opened = match self.resume {
            true => Verdicts::resume(path, &about),
            false if path.exists() => return Err(state_exists(path)),
            false => Verdicts::create(path, &about),
        };
        opened.map_err(|error| bad_state(path, &error))
    }

    /// The failures of a reduction; what was reached before them is written too.
    fn check_ended(&self, input: &Input, reduced: &Reduced) -> Result<(), Failure> {
        match &reduced.ended {
            Ended::NotInteresting => {
                let message = format!("{}: the input itself is not interesting", input.name);
                let help = "try the command on it by hand: it must end with exit code 0, or as --verdict says";
                Err(Failure::refused(Diagnostic::new(codes::NOT_INTERESTING, message).help(help)))
            }
            Ended::Failed(error) => {
                let diagnostic = Diagnostic::new(codes::CANNOT_RUN, error.to_string());
                Err(Failure::Exhausted(Box::new(diagnostic)))
            }
            Ended::NotKept(reason) => {
                let message = format!("cannot write the state: {reason}");
                Err(Failure::Exhausted(Box::new(Diagnostic::new(codes::UNWRITABLE, message))))
            }
            Ended::Complete | Ended::Runs | Ended::Time | Ended::Interrupted => Ok(()),
        }
    }

    fn write(
        &self,
        input: &Input,
        reduced: &Reduced,
        original: &str,
        flaky: u64,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let bytes = self.grammar.encoding().encode(&reduced.text).unwrap_or_default().into_owned();
        let output = self.output.as_deref().map(|path| place_for(path, input)).transpose()?;
        if let Some(path) = &output {
            std::fs::write(path, &bytes).map_err(|error| Failure::unwritable(path, &error))?;
        }
        if self.json.json {
            let mut document = json!({
                "schema": 1,
                "input": input.name,
                "initial_bytes": original.len(),
                "bytes": bytes.len(),
                "tokens": reduced.tokens,
                "runs": reduced.runs,
                "executed": reduced.executed,
                "flaky": flaky,
                "ended": ended_name(&reduced.ended),
            });
            match &output {
                Some(path) => document["output"] = json!(path.display().to_string()),
                None => document["text"] = json!(reduced.text),
            }
            writeln!(console.out(), "{document}")?;
        } else if output.is_none() {
            console.out().write_all(&bytes)?;
        }
        Ok(())
    }

    /// What was reached, for people.
    fn tell(&self, reduced: &Reduced, before: usize, flaky: u64, console: &Console) {
        let number = |n: usize| grouped(n as u64);
        let end = match reduced.ended {
            Ended::Complete => "no single edit makes it smaller",
            Ended::Runs => "stopped at --runs, it may become smaller",
            Ended::Time => "stopped at --time, it may become smaller",
            _ => "interrupted, it may become smaller",
        };
        let tokens = if reduced.tokens == 1 { "token" } else { "tokens" };
        let runs = if reduced.runs == 1 { "run" } else { "runs" };
        let text = format!(
            "{} -> {} bytes, {} {tokens}, {} {runs}; {end}\n",
            number(before),
            number(reduced.text.len()),
            number(reduced.tokens),
            grouped(reduced.runs),
        );
        console.tell(&text);
        if flaky > 0 {
            let message = format!("{} texts were interesting once, and then not", grouped(flaky));
            let diagnostic = Diagnostic::new(codes::FLAKY_CONDITION, message)
                .help("the command does not always say the same; texts that are not confirmed are not taken");
            console.report(&[diagnostic], &Sources::new());
        }
    }
}

/// The program under test cannot be run.
fn cannot_run(error: &SubjectError) -> Failure {
    Failure::Exhausted(Box::new(Diagnostic::new(codes::CANNOT_RUN, error.to_string())))
}

fn ended_name(ended: &Ended) -> &'static str {
    match ended {
        Ended::Complete => "complete",
        Ended::Runs => "runs",
        Ended::Time => "time",
        Ended::Interrupted => "interrupted",
        Ended::NotInteresting => "not-interesting",
        Ended::Failed(_) | Ended::NotKept(_) => "failed",
    }
}

/// Where the result of an input goes.
fn place_for(path: &Path, input: &Input) -> Result<PathBuf, Failure> {
    if !names_folder(path) {
        return Ok(path.to_owned());
    }
    std::fs::create_dir_all(path).map_err(|error| Failure::unwritable(path, &error))?;
    let name = Path::new(&input.name).file_name().map_or_else(|| "input".into(), ToOwned::to_owned);
    Ok(path.join(name))
}

fn state_exists(path: &Path) -> Failure {
    let message = format!("`{}` is there already", path.display());
    let help = "continue it with --resume, or name another file";
    Failure::refused(Diagnostic::new(codes::BAD_STATE, message).help(help))
}

fn bad_state(path: &Path, error: &VerdictsError) -> Failure {
    let path = path.display();
    let message = match error {
        VerdictsError::NotVerdicts => format!("`{path}` is not the state of a reduction"),
        VerdictsError::Other => {
            format!("`{path}` is about another input, grammar, program or condition")
        }
        VerdictsError::Io(error) => format!("cannot use `{path}`: {error}"),
    };
    Failure::refused(Diagnostic::new(codes::BAD_STATE, message))
}
