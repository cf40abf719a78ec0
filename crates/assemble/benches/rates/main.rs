//! How fast tests are made and written, once their strategy is built: from the first candidate to the lines of a
//! suite.
//!
//! `cargo bench -p gramercy-assemble --bench rates -- random|depth|suites|paths|tests|grammars|two`, all of them
//! without a word. Figures are lines of fields separated by tabs, with what they are in the first line. Rates are
//! those of one core: time on a processor, the best of some runs. Beside every
//! rate stand the mean size of a test, the share of distinct ones, and the time of a bare loop that writes
//! as much in the same run. Numbers of tests are asserted.

mod clock;
mod growth;
mod paths;
mod random;
mod subject;
mod suites;
mod two;

fn main() {
    let mut wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if wanted.is_empty() {
        let all = ["random", "depth", "suites", "paths", "tests", "grammars", "two"];
        wanted = all.map(str::to_owned).into();
    }
    for name in wanted {
        match &*name {
            "random" => random::rates(),
            "depth" => random::depth(),
            "suites" => suites::rates(),
            "paths" => paths::rates(),
            "tests" => growth::with_tests(),
            "grammars" => growth::with_the_grammar(),
            "two" => two::rates(),
            other => say(&format!("there are no figures of the name {other}")),
        }
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark shows its figures")]
fn say(line: &str) {
    println!("{line}");
}
