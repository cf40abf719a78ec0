//! Chores of the workspace: `cargo xtask NAME`. A chore is a line in [`CHORES`] and, if it is more
//! than a command or two, a module.

mod bench;
mod experiment;
mod extent;
mod gramercy;
mod process;
mod proof;
mod tidy;
mod tools;

use std::process::ExitCode;

use process::{Cargo, Fallible, run};

/// A command of `cargo xtask`.
struct Chore {
    name: &'static str,
    about: &'static str,
    /// Takes the arguments after the name.
    run: fn(&[String]) -> Fallible,
}

const CHORES: &[Chore] = &[
    Chore { name: "ci", about: "all that a change must pass: runs .ci/run", run: ci },
    Chore { name: "test", about: "all tests; arguments go to the test runner", run: test },
    Chore { name: "bless", about: "accept what the tests print now: read the diff!", run: bless },
    Chore {
        name: "tidy",
        about: "crate edges, dependencies, licences, left-overs",
        run: tidy::run,
    },
    Chore { name: "fuzz", about: "mutated grammars for all readers; takes --seconds", run: fuzz },
    Chore { name: "proof", about: "what is shown beside others; alone, lists it", run: proof::run },
    Chore { name: "bench", about: "how fast, as a report; takes --short", run: bench::run },
    Chore {
        name: "experiment",
        about: "tables of experiments; alone, lists them; takes --short",
        run: experiment::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chore = arguments.first().and_then(|name| CHORES.iter().find(|chore| chore.name == name));
    let result = match chore {
        Some(chore) => (chore.run)(&arguments[1..]),
        None => Err(usage()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let lines = CHORES.iter().map(|chore| format!("  {:10} {}", chore.name, chore.about));
    format!("usage: cargo xtask NAME\n\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[expect(clippy::print_stderr, reason = "a chore talks to the developer who started it")]
fn say(text: &str) {
    eprintln!("{text}");
}

fn ci(_: &[String]) -> Fallible {
    run("bash", &[".ci/run"])
}

/// Tests run under nextest if it is installed: it is faster, but does not run the examples in the
/// documentation.
fn test(arguments: &[String]) -> Fallible {
    if !Cargo::has("nextest") {
        say("cargo-nextest is not installed; running the tests with cargo itself");
        return Cargo::new(["test", "--workspace", "--locked"]).with(arguments).run();
    }
    Cargo::new(["nextest", "run", "--workspace", "--locked"]).with(arguments).run()?;
    Cargo::new(["test", "--doc", "--workspace", "--locked", "--quiet"]).run()
}

fn fuzz(arguments: &[String]) -> Fallible {
    Cargo::new(["run", "--release", "--quiet", "--package", "gramercy-fuzz", "--", "mutate"])
        .with(arguments)
        .run()
}

fn bless(arguments: &[String]) -> Fallible {
    let selection = if arguments.is_empty() { &["--workspace".to_owned()] } else { arguments };
    Cargo::new(["test", "--no-fail-fast", "--quiet"])
        .with(selection)
        .env("TRYCMD", "overwrite")
        .env("SNAPSHOTS", "overwrite")
        .run()
}
