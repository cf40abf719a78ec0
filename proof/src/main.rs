//! `gramercy-proof antlr`, `suites`, `lr-suites`, `negatives`, `preferred-trees` and `faults`: the long proofs and experiments,
//! and those with ANTLR as the judge.

mod arguments;
mod commands;

use std::process::ExitCode;

use arguments::USAGE;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let held = match arguments.split_first() {
        Some((name, rest)) if name == "antlr" => commands::antlr(rest),
        Some((name, rest)) if name == "suites" => commands::suites(rest),
        Some((name, rest)) if name == "lr-suites" => commands::lr_suites(rest),
        Some((name, rest)) if name == "negatives-again" => commands::negatives_again(rest),
        Some((name, rest)) if name == "negatives" => commands::negatives(rest),
        Some((name, rest)) if name == "preferred-trees" => commands::preferred_trees(rest),
        Some((name, rest)) if name == "faults" => commands::faults(rest),
        Some((name, rest)) if name == "seeded-faults" => commands::seeded_faults(rest),
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
