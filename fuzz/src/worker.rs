//! The process that reads inputs: it prints the number of the next input, and reads it. The parent
//! process watches it.

use std::path::Path;
use std::time::Instant;

use gramercy_grammar::Notation;

use crate::exercise::{self, exercise};
use crate::seeds::Seeds;
use crate::{Fallible, hard, mutate, number, reader, say};

/// The default stack size of a thread.
const STACK: usize = 2 << 20;

/// Executes `stream READER SEED FIRST`, `file READER PATH`, or `hard READER NAME MEGABYTES`.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["stream", name, seed, first] => stream(reader(name)?, number(seed)?, number(first)?),
        ["file", name, path] => file(reader(name)?, Path::new(path)),
        ["hard", name, input, size] => read_hard(reader(name)?, input, number(size)?),
        _ => Err("a worker is started by the others".into()),
    }
}

/// Runs on a small stack.
fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> Fallible<T> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    let thread = thread.map_err(|error| format!("no thread: {error}"))?;
    thread.join().map_err(|_| "it panicked".into())
}

/// Reads one input after the other. Before each, prints its number and the number of grammars so
/// far.
fn stream(reader: Notation, seed: u64, first: u64) -> Fallible {
    let seeds = Seeds::collect(reader)?;
    on_small_stack(move || {
        let mut grammars = 0_u64;
        for index in first.. {
            say(&format!("{index} {grammars}"));
            let input = mutate::input(&seeds, seed, index);
            grammars += u64::from(exercise(reader, input).is_grammar());
        }
    })
}

fn file(reader: Notation, path: &Path) -> Fallible {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    on_small_stack(move || drop(exercise(reader, text)))
}

fn read_hard(reader: Notation, name: &str, megabytes: u64) -> Fallible {
    let input = hard::ALL.iter().find(|hard| hard.name == name);
    let input = input.ok_or_else(|| format!("there is no hard input `{name}`"))?;
    let megabytes = usize::try_from(megabytes).map_err(|error| error.to_string())?;
    let scale = hard::Scale::of(megabytes);
    let files = (input.files)(reader, scale).ok_or("not in this notation")?;
    say("0 0");
    let begin = Instant::now();
    let outcome = on_small_stack(move || exercise::read(reader, &files))?;
    let seconds = begin.elapsed().as_secs_f64();
    say(&format!("{seconds:6.2} s  {}", input.verdict(&outcome)?));
    Ok(())
}
