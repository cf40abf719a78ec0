//! `gramercy reduce GRAMMAR --shrink-ray`: an external reducer of Shrink Ray.

use std::fs::File;
use std::io::{self, BufReader};
use std::os::fd::AsFd;
use std::sync::mpsc::channel;

use gramercy::campaign::reduce::shrink_ray::Session;
use gramercy::campaign::reduce::{Ended, Options, Reducer, Stay, Verdicts};

use super::Reduce;
use crate::commands::reading::no_parser;
use crate::flags::{LoadedGrammar, jobs};
use crate::outcome::{Failure, Outcome};

/// The environment variable in which Shrink Ray says how many queries it answers at the same time.
const PARALLELISM: &str = "SHRINKRAY_REDUCER_PARALLELISM";

/// Reduces test cases until standard input ends.
pub(super) fn serve(reduce: &Reduce, loaded: &LoadedGrammar) -> Result<Outcome, Failure> {
    // The console holds the lock of standard output, and queries are sent by other threads.
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let session = Session::new(output);
    let (sender, test_cases) = channel();
    let mut reducer =
        Reducer::new(&loaded.language).map_err(|error| no_parser(loaded.grammar(), &error))?;
    let parallelism = std::env::var(PARALLELISM).ok().and_then(|number| number.parse().ok());
    let jobs = reduce.jobs.map_or_else(|| parallelism.unwrap_or(1), |own| jobs(Some(own)));
    std::thread::scope(|scope| {
        let session = &session;
        scope.spawn(move || session.listen(BufReader::new(input), &sender));
        for content in test_cases {
            // A test case that is no text is left to other reducers.
            if let Ok(text) = loaded.language.input_encoding().decode(&content) {
                let stay = match reducer.membership(&text) {
                    Stay::Inside if !reduce.any => Stay::Inside,
                    // What is outside of the language need not stay there: Shrink Ray knows no grammar.
                    _ => Stay::Anywhere,
                };
                let options = Options { stay, jobs, ..reduce.options() };
                // A test case is interesting by definition; verdicts belong to it alone.
                let mut verdicts = Verdicts::default();
                verdicts.assume(&content);
                let reduced = reducer.reduce(&text, session, &options, &mut verdicts, &mut ());
                if let Ended::Failed(_) = reduced.ended {
                    break;
                }
            }
            if session.idle().is_err() {
                break;
            }
        }
    });
    Ok(Outcome::Clean)
}
