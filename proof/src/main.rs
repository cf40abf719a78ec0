//! `gramercy-proof antlr`, `suites` and `lr-suites`: what takes long, and what ANTLR judges.

use std::process::ExitCode;

use gramercy_base::parallel;
use gramercy_proof::Fallible;
use gramercy_proof::antlr;
use gramercy_proof::antlr::tool::Tool;
use gramercy_proof::lr_suites;
use gramercy_proof::suites;

const USAGE: &str = "\
usage: gramercy-proof antlr [--short] [--texts N] [--tokens N] [--seed N] [GRAMMAR…]
       gramercy-proof suites [--short] [--targets N] [GRAMMAR…]
       gramercy-proof lr-suites [--short]";

/// The grammars of the collection that the short forms try.
const SHORT: [&str; 3] = ["json", "edn", "promql"];

/// The criteria of the full proof.
const COVERS: [&str; 24] = [
    "symbol",
    "rule",
    "cdrc",
    "cdrc-full",
    "step:2",
    "step:3",
    "step:4",
    "bfs:2",
    "bfs:3",
    "deriv",
    "pll",
    "pair",
    "kpath:1",
    "kpath:2",
    "kpath:3",
    "kpath:4",
    "lexeme:1",
    "lexeme:2",
    "lexeme:3",
    "kpath:2+lexeme:1",
    "pop-edge:lr0",
    "pop-edge:lr1",
    "lr-path:2",
    "lr-path:3",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let held = match arguments.split_first() {
        Some((name, rest)) if name == "antlr" => prove_antlr(rest),
        Some((name, rest)) if name == "suites" => prove_suites(rest),
        Some((name, rest)) if name == "lr-suites" => prove_lr_suites(rest),
        _ => Err(USAGE.to_owned()),
    };
    match held {
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

/// What arguments say: flags with numbers go to `set`, everything else is the name of a grammar.
fn names(
    arguments: &[String],
    mut set: impl FnMut(&str, Option<u32>) -> bool,
) -> Fallible<Vec<String>> {
    let (mut names, mut rest) = (Vec::new(), arguments.iter().peekable());
    while let Some(argument) = rest.next() {
        if !argument.starts_with('-') {
            names.push(argument.clone());
            continue;
        }
        let number = rest.peek().and_then(|value| value.parse().ok());
        let number = if argument == "--short" { None } else { rest.next().and(number) };
        if !set(argument, number) {
            return Err(USAGE.to_owned());
        }
    }
    Ok(names)
}

/// ANTLR, or nothing with a printed reason.
fn find_tool() -> Option<Tool> {
    let tool = Tool::find();
    if let Err(reason) = &tool {
        say(&format!("ANTLR cannot be had, so only our own reading is proven: {reason}"));
    }
    tool.ok()
}

/// Whether ANTLR and we agree on everything.
fn prove_antlr(arguments: &[String]) -> Fallible<bool> {
    let mut effort = antlr::trial::Effort { texts: 200, tokens: 60, seed: 0 };
    let mut is_short = false;
    let mut names = names(arguments, |flag, number| match (flag, number) {
        ("--short", None) => {
            (is_short, effort.texts) = (true, 20);
            true
        }
        ("--texts", Some(number)) => {
            effort.texts = number as usize;
            true
        }
        ("--tokens", Some(number)) => {
            effort.tokens = number.max(1) as usize;
            true
        }
        ("--seed", Some(number)) => {
            effort.seed = u64::from(number);
            true
        }
        _ => false,
    })?;
    if is_short {
        names.extend(SHORT.map(str::to_owned));
        let small = [antlr::subject::own(), antlr::subject::features()].concat();
        names.extend(small.into_iter().map(|subject| subject.name));
    }
    let tool = find_tool();
    let subjects = antlr::subject::collection()?;
    let subjects = [antlr::subject::own(), antlr::subject::features(), subjects].concat();
    let mut trials = Vec::new();
    for subject in subjects.iter().filter(|it| names.is_empty() || names.contains(&it.name)) {
        let trial = antlr::trial::run(tool.as_ref(), subject, &effort)
            .map_err(|error| format!("{}: {error}", subject.name))?;
        say(&format!("{}: {} notes", trial.name, trial.notes.len()));
        trials.push(trial);
    }
    show(&antlr::table::table(&trials));
    Ok(!trials.iter().any(antlr::trial::Trial::failed))
}

/// Whether all suites cover what they say.
fn prove_suites(arguments: &[String]) -> Fallible<bool> {
    let mut effort = suites::trial::Effort {
        covers: COVERS.to_vec(),
        form: suites::trial::Form::Small,
        most_targets: 1_000_000,
    };
    let mut is_short = false;
    let mut names = names(arguments, |flag, number| match (flag, number) {
        ("--short", None) => {
            (is_short, effort.most_targets) = (true, 1_000);
            true
        }
        ("--targets", Some(number)) => {
            effort.most_targets = u64::from(number);
            true
        }
        _ => false,
    })?;
    if is_short {
        names.extend(SHORT.map(str::to_owned));
    }
    let tool = find_tool();
    let subjects = [suites::subject::own(), suites::subject::collection()?].concat();
    let chosen = subjects.iter().filter(|it| names.is_empty() || names.contains(&it.name));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results = Vec::new();
    parallel::in_order(
        jobs,
        chosen,
        || (),
        |(), subject| {
            let suites = suites::trial::all(tool.as_ref(), subject, &effort);
            say(&format!("{}: done", subject.name));
            suites.map_err(|error| format!("{}: {error}", subject.name))
        },
        |suites| {
            results.push(suites);
            std::ops::ControlFlow::Continue(())
        },
    );
    let all = results.into_iter().collect::<Fallible<Vec<_>>>()?;
    show(&suites::table::table(&all));
    Ok(!all.iter().any(suites::table::Suites::failed))
}

/// Whether the tests of whole suites parse and take every edge.
fn prove_lr_suites(arguments: &[String]) -> Fallible<bool> {
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
