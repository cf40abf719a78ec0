//! `gramercy-proof antlr [--short] [--texts N] [--tokens N] [--seed N] [GRAMMAR…]`: ANTLR judges.
//! `gramercy-proof lr-suites [--short]`: whole suites over LR-graphs are read back.

use std::process::ExitCode;

use gramercy_proof::antlr::subject::{self, Subject};
use gramercy_proof::antlr::table;
use gramercy_proof::antlr::tool::Tool;
use gramercy_proof::antlr::trial::{self, Effort, Trial};
use gramercy_proof::{Fallible, lr_suites};

const USAGE: &str = "\
usage: gramercy-proof antlr [--short] [--texts N] [--tokens N] [--seed N] [GRAMMAR…]
       gramercy-proof lr-suites [--short]";

/// The grammars of the collection that the short form tries.
const SHORT: [&str; 3] = ["json", "edn", "promql"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((name, rest)) if name == "antlr" => antlr(rest),
        Some((name, rest)) if name == "lr-suites" => lr_suites(rest),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            say(&message);
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
    let mut effort = Effort { texts: 200, tokens: 60, seed: 0 };
    let (mut names, mut rest) = (Vec::new(), arguments.iter());
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
    let subjects = [subject::own(), subject::collection()?].concat();
    let chosen = |subject: &&Subject| names.is_empty() || names.contains(&subject.name);
    let mut trials: Vec<Trial> = Vec::new();
    for subject in subjects.iter().filter(chosen) {
        let trial = trial::run(tool.as_ref().ok(), subject, &effort)
            .map_err(|error| format!("{}: {error}", subject.name))?;
        say(&format!("{}: {} notes", trial.name, trial.notes.len()));
        trials.push(trial);
    }
    show(&table::table(&trials));
    Ok(!trials.iter().any(Trial::failed))
}

/// Whether everything is as it must be.
fn lr_suites(arguments: &[String]) -> Fallible<bool> {
    let effort = match arguments {
        [] => lr_suites::Effort { draws: 20, texts: usize::MAX },
        [short] if short == "--short" => lr_suites::Effort { draws: 2, texts: 600 },
        _ => return Err(USAGE.to_owned()),
    };
    let mut is_fine = true;
    for file in lr_suites::grammars() {
        for outcome in lr_suites::run(&file, &effort)? {
            is_fine &= outcome.complaints.is_empty();
            show(&outcome.to_string());
        }
    }
    Ok(is_fine)
}
