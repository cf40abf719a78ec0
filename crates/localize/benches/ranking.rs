//! How fast rules are ranked once the tests are parsed, with the counts asserted.
//!
//! `cargo bench -p gramercy-localize`. A grammar of 600 productions, 1,000 tests of which 100 fail. The time is the best
//! of several runs, and a multiple of a bare loop over the same spectra.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use gramercy_language::Language;
use gramercy_localize::ranking::{rank, rank_sites};
use gramercy_localize::search::failure::{Depth, Effort, Examiner};
use gramercy_localize::search::weights::Weights;
use gramercy_localize::spectra::{Spectrum, Suspicions, of_derivations};
use gramercy_localize::{Metric, Subject};

const RULES: usize = 119;
const PRODUCTIONS: usize = 600;
const TESTS: usize = 1000;
const FAILING: usize = 100;
const RUNS: usize = 7;

fn main() {
    let language = Language::from_text("bench.y", &grammar()).expect("a grammar");
    // The start production of the core comes on top.
    assert_eq!(language.bnf().production_count(), PRODUCTIONS + 1);
    let subject = Subject::new(&language).expect("a parser");
    let spectra = spectra(&subject);
    let (failing, passing) = spectra.split_at(FAILING);
    let elements: usize = spectra.iter().map(Vec::len).sum();
    let (bare, sum) = best(|| {
        let elements = spectra.iter().flatten();
        elements.fold(0_usize, |sum, element| sum + usize::from(black_box(element) == element))
    });
    assert_eq!(sum, elements);
    for metric in [Metric::Ochiai, Metric::Tarantula, Metric::Jaccard, Metric::DStar] {
        let (time, ranked) = best(|| {
            let suspicions = Suspicions::new(metric, failing, passing);
            let rules = rank(language.grammar(), &suspicions.rules(&subject));
            (rules.len(), rank_sites(suspicions.sites(&subject)).len())
        });
        assert_eq!(ranked.0, RULES + 1);
        say(&format!(
            "{}: {TESTS} tests, {PRODUCTIONS} productions, {elements} elements: {} rules and {} items ranked in \
             {:.1} ms, {:.1} bare loops",
            metric.as_str(),
            ranked.0,
            ranked.1,
            time.as_secs_f64() * 1000.0,
            time.as_secs_f64() / bare.as_secs_f64()
        ));
    }
}

/// A list of statements, and rules with five alternatives each.
fn grammar() -> String {
    let mut text = String::from("%token A B C D E END\n%%\ns : s r0 END | r0 END");
    for alternative in 0..3 {
        let _infallible = write!(text, " | r{} END END", alternative + 1);
    }
    text += " ;\n";
    for rule in 0..RULES {
        let below = |step: usize| format!("r{}", (rule + step).min(RULES - 1));
        let last = if rule + 1 == RULES { "D E".to_owned() } else { format!("D {}", below(1)) };
        let more = if rule + 7 >= RULES { "E E".to_owned() } else { format!("E {} A", below(7)) };
        let _infallible = writeln!(text, "r{rule} : A | B A | C B | {last} | {more} ;");
    }
    text
}

/// The spectra of sentences that take other alternatives each.
fn spectra(subject: &Subject<'_>) -> Vec<Spectrum> {
    let mut examiner = Examiner::new(subject, Weights::default(), Effort::default());
    let mut spectra = Vec::new();
    for test in 0..TESTS {
        let mut text = String::new();
        for part in 0..10 {
            for _ in 0..(test * 31 + part * 17) % (RULES - 1) {
                text += "D ";
            }
            text += ["A END ", "B A END ", "C B END "][(test + part) % 3];
        }
        let examined = examiner.examine(&text, Depth::Spectrum);
        let tree = examined.tree.unwrap_or_else(|| panic!("{text} is a sentence"));
        spectra.push(of_derivations(&tree));
    }
    spectra
}

/// The shortest of several runs, and what it gives.
fn best<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut best = Duration::MAX;
    let mut last = None;
    for _ in 0..RUNS {
        let before = Instant::now();
        last = Some(run());
        best = best.min(before.elapsed());
    }
    (best, last.expect("invariant: it ran"))
}

#[expect(clippy::print_stdout, reason = "the result of a benchmark")]
fn say(text: &str) {
    println!("{text}");
}
