//! Tests the readers with files that no author would write.
//!
//! - `mutate [--seconds N] [--reader NAME] [--seed N]` mutates the example grammars and the texts
//!   of the readers' tests endlessly;
//! - `hard [--reader NAME] [--megabytes N]` reads inputs that are deep, large, endless, or not
//!   text;
//! - `law` writes every grammar in every notation and reads it back.
//!
//! An input is read in another process, the [`worker`], whose time and memory are watched: a panic,
//! a stack overflow or an endless loop of a reader is a result and does not end the run. Reader,
//! seed and number determine an input; nothing else is needed to reproduce it.
//!
//! In reading order: [`exercise`], [`dice`], [`seeds`], [`mutate`], [`hard`], [`worker`], [`watch`],
//! [`minimize`], [`campaign`]; and [`law`].

mod campaign;
mod dice;
mod exercise;
mod hard;
mod law;
mod minimize;
mod mutate;
mod seeds;
mod watch;
mod worker;

use std::process::ExitCode;
use std::time::Duration;

use gramercy_grammar::Notation;

const USAGE: &str = "usage: gramercy-fuzz mutate [--seconds N] [--reader NAME] [--seed N]
       gramercy-fuzz hard [--reader NAME] [--megabytes N]
       gramercy-fuzz law";

/// The result of an operation that can fail with a message.
type Fallible<T = ()> = Result<T, String>;

/// The command line options.
struct Options {
    readers: Vec<Notation>,
    /// For each reader.
    time: Duration,
    seed: u64,
    /// Of a large file.
    megabytes: u64,
}

impl Options {
    fn of(arguments: &[String]) -> Fallible<Self> {
        let (readers, time) = (Notation::ALL.to_vec(), Duration::from_secs(60));
        let mut options = Self { readers, time, seed: 0, megabytes: 50 };
        for pair in arguments.chunks(2) {
            let [flag, value] = pair else { return Err(USAGE.into()) };
            match flag.as_str() {
                "--reader" => options.readers = vec![reader(value)?],
                "--seconds" => options.time = Duration::from_secs(number(value)?),
                "--megabytes" => options.megabytes = number(value)?,
                "--seed" => options.seed = number(value)?,
                _ => return Err(USAGE.into()),
            }
        }
        Ok(options)
    }
}

fn number(text: &str) -> Fallible<u64> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}

fn reader(name: &str) -> Fallible<Notation> {
    let known = Notation::ALL.map(Notation::as_str).join(", ");
    let found = Notation::ALL.into_iter().find(|notation| notation.as_str() == name);
    found.ok_or_else(|| format!("there is no reader `{name}`; known are {known}"))
}

fn run(arguments: &[String]) -> Fallible {
    match arguments.split_first() {
        Some((command, rest)) if command == "mutate" => campaign::mutate(&Options::of(rest)?),
        Some((command, rest)) if command == "hard" => campaign::hard(&Options::of(rest)?),
        Some((command, [])) if command == "law" => law::run(),
        Some((command, rest)) if command == "worker" => worker::run(rest),
        _ => Err(USAGE.into()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            say(&message);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "it talks to the developer, or to the process above")]
fn say(text: &str) {
    println!("{text}");
}
