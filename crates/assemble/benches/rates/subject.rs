//! Languages, recipes, and how long the tests of a recipe take.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use gramercy_assemble::recipe::{Random, Size, Tests, TextRecipe};
use gramercy_assemble::{Progress, Recipe, Summary, Watch, suite};
use gramercy_base::{Fingerprint, Set};
use gramercy_language::Language;
use gramercy_lexis::Lexemes;
use gramercy_suite::{Sink, SinkError, Test};

use crate::clock;

/// How long a random test is at least to be counted among those that should be distinct.
pub(crate) const LONG: usize = 100;

/// A file of the collection beside the checkout, or of our own examples.
fn file(folder: &str, name: &str) -> Option<PathBuf> {
    let file = match folder {
        "grammars" => gramercy_testkit::examples().join(name),
        shared => gramercy_testkit::shared(shared)?.join(name),
    };
    file.is_file().then_some(file)
}

/// The language of a file, if the file is there.
pub(crate) fn language(folder: &str, name: &str) -> Option<Language> {
    file(folder, name).map(|file| Language::read(file).expect("a grammar"))
}

/// A number of random tests of a size.
pub(crate) fn random(size: Size, lexemes: Lexemes, tests: u64) -> Recipe {
    Recipe {
        tests: Tests::Random(Random { size, ..Random::default() }),
        text: TextRecipe { lexemes, ..TextRecipe::default() },
        ..Recipe::random(tests)
    }
}

/// The suite of a criterion.
pub(crate) fn cover(criterion: &str) -> Recipe {
    Recipe::cover(criterion).expect("a criterion")
}

/// Makes a suite on one core; how long its tests took.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    sink: &mut dyn Sink,
) -> (Duration, Summary) {
    Timed::new(1, clock::on_processor).make(language, recipe, sink)
}

/// As [`make`], by several workers and a clock on the wall.
pub(crate) fn make_with(
    jobs: usize,
    language: &Language,
    recipe: &Recipe,
    sink: &mut dyn Sink,
) -> (Duration, Summary) {
    Timed::new(jobs, clock::on_the_wall).make(language, recipe, sink)
}

/// Times tests from the moment when all that they are made with is built.
struct Timed {
    jobs: usize,
    now: fn() -> Duration,
    begun: Duration,
    last: Duration,
}

impl Timed {
    fn new(jobs: usize, now: fn() -> Duration) -> Self {
        Self { jobs, now, begun: Duration::ZERO, last: Duration::ZERO }
    }

    fn make(
        mut self,
        language: &Language,
        recipe: &Recipe,
        sink: &mut dyn Sink,
    ) -> (Duration, Summary) {
        let summary = suite(language, recipe, sink, &mut self).expect("such tests exist");
        (self.last - self.begun, summary)
    }
}

impl Watch for Timed {
    fn jobs(&self) -> usize {
        self.jobs
    }

    fn begin(&mut self, _: &'static str) {
        assert!(self.begun.is_zero(), "tests are made once");
        self.begun = (self.now)();
    }

    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.last = (self.now)();
        ControlFlow::Continue(())
    }
}

/// Counts tests of at least some length, and how many of them differ.
#[derive(Default)]
pub(crate) struct Distinct {
    pub(crate) least: usize,
    pub(crate) count: u64,
    prints: Set<u128>,
}

impl Distinct {
    pub(crate) fn from(least: usize) -> Self {
        Self { least, ..Self::default() }
    }

    /// How many differ.
    pub(crate) fn different(&self) -> usize {
        self.prints.len()
    }

    /// In percent.
    pub(crate) fn share(&self) -> f64 {
        100.0 * self.prints.len() as f64 / self.count as f64
    }
}

impl Sink for Distinct {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        if test.content.as_bytes().len() >= self.least {
            let mut print = Fingerprint::default();
            print.add_text(&test.content.to_text());
            self.prints.insert(print.finish());
            self.count += 1;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Writes as many tokens of the mean size, one by one.
pub(crate) fn bare_loop(summary: &Summary) -> Duration {
    let size = usize::try_from(summary.bytes / summary.tokens.max(1)).expect("a small size");
    let token = vec![b'x'; size.max(1)];
    let write = || {
        let (mut out, mut buffer) = (std::io::sink(), Vec::new());
        for _ in 0..summary.tokens {
            buffer.extend_from_slice(std::hint::black_box(&token));
            if buffer.len() > 1 << 16 {
                out.write_all(&buffer).expect("nothing is kept");
                buffer.clear();
            }
        }
        std::hint::black_box(&buffer);
    };
    clock::best(|| clock::once(write)).0
}
