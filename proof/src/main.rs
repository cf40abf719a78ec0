//! `gramercy-proof antlr [--short] [--random N] [--texts N] [--tokens N] [--seed N] [GRAMMAR…]`: ANTLR
//! judges; with `--random`, N random grammars before the others.

use std::process::ExitCode;
use std::time::Duration;

use gramercy_proof::Fallible;
use gramercy_proof::antlr::subject::{self, Subject};
use gramercy_proof::antlr::table;
use gramercy_proof::antlr::tool::Tool;
use gramercy_proof::antlr::trial::{self, Effort, Trial};

const USAGE: &str = "usage: gramercy-proof antlr [--short] [--random N] [--texts N] [--tokens N] \
                     [--seed N] [GRAMMAR…]";

/// How long ANTLR may think about a text: some grammars are slow, random ones never end instead.
const PATIENCE: Duration = Duration::from_secs(10);
const PATIENCE_WITH_RANDOM: Duration = Duration::from_secs(3);

/// The grammars of the collection and of rare features that the short form tries.
const SHORT: [&str; 6] = ["json", "edn", "promql", "modes", "non_greedy", "recursive"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((name, rest)) if name == "antlr" => match antlr(rest) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(message) => {
                say(&message);
                ExitCode::FAILURE
            }
        },
        _ => {
            say(USAGE);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "it talks to the developer who started it")]
fn say(text: &str) {
    eprintln!("{text}");
}

#[expect(clippy::print_stdout, reason = "the table is the result")]
fn show(text: &str) {
    println!("{text}");
}

/// Whether everything is as it must be.
fn antlr(arguments: &[String]) -> Fallible<bool> {
    let mut effort = Effort { texts: 200, tokens: 60, seed: 0, patience: PATIENCE };
    let (mut names, mut random, mut rest) = (Vec::new(), 0, arguments.iter());
    while let Some(argument) = rest.next() {
        let mut number = || {
            let value = rest.next().ok_or_else(|| USAGE.to_owned())?;
            value.parse::<u32>().map_err(|error| format!("{value}: {error}"))
        };
        match argument.as_str() {
            "--short" => {
                effort.texts = 20;
                names.extend(SHORT.map(str::to_owned));
                names.extend(subject::own().into_iter().map(|subject| subject.name));
            }
            "--random" => random = u64::from(number()?),
            "--texts" => effort.texts = number()? as usize,
            "--tokens" => effort.tokens = number()?.max(1) as usize,
            "--seed" => effort.seed = u64::from(number()?),
            flag if flag.starts_with('-') => return Err(USAGE.into()),
            name => names.push(name.to_owned()),
        }
    }
    let tool = Tool::find();
    if let Err(reason) = &tool {
        say(&format!("ANTLR cannot be had, so only our own reading is proven: {reason}"));
    }
    let (tool, mut trials) = (tool.as_ref().ok(), Vec::new());
    let hasty = Effort { patience: PATIENCE_WITH_RANDOM, ..effort };
    for subject in subject::random(effort.seed..effort.seed + random)? {
        trials.push(judged(tool, &subject, &hasty)?);
    }
    let subjects = [subject::own(), subject::features(), subject::collection()?].concat();
    let chosen = |subject: &&Subject| names.is_empty() || names.contains(&subject.name);
    for subject in subjects.iter().filter(chosen) {
        trials.push(judged(tool, subject, &effort)?);
    }
    show(&table::table(&trials));
    Ok(!trials.iter().any(Trial::failed))
}

fn judged(tool: Option<&Tool>, subject: &Subject, effort: &Effort) -> Fallible<Trial> {
    let trial =
        trial::run(tool, subject, effort).map_err(|error| format!("{}: {error}", subject.name))?;
    say(&format!("{}: {} notes", trial.name, trial.notes.len()));
    Ok(trial)
}
