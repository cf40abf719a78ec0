//! A grammar with all that makes suites from it, and what is counted of them.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gramercy_base::{Fingerprint, Limits, Set};
use gramercy_coverage::{CriterionSpec, Views, criteria};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::pipeline::options::Merge;
use gramercy_generate::strategies::Wishes;
use gramercy_generate::strategies::random::{Method, RandomOptions, strategy};
use gramercy_generate::{
    Closings, Named, Options, Pipeline, Resolution, Strategy, Summary, Weighing, strategies,
};
use gramercy_grammar::Grammar;
use gramercy_lexis::{Lexemes, WriteOptions, Writer};
use gramercy_suite::{Sink, SinkError, Test};

use crate::clock;

/// How long a random test is at least to be counted among those that should be distinct.
pub(crate) const LONG: usize = 100;

/// A file of the collection beside the checkout, or of our own examples.
pub(crate) fn file(folder: &str, name: &str) -> Option<PathBuf> {
    let file = match folder {
        "grammars" => gramercy_testkit::examples().join(name),
        shared => gramercy_testkit::shared(shared)?.join(name),
    };
    file.is_file().then_some(file)
}

/// A grammar of a file.
pub(crate) fn grammar(file: &Path) -> Grammar {
    load(file, &Disk, &LoadOptions::default()).grammar.expect("a grammar")
}

/// Makes random tests of a grammar.
pub(crate) fn random(
    grammar: &Grammar,
    (method, lexemes): (Method, Lexemes),
    (count, jobs): (u64, usize),
    mut use_pipeline: impl FnMut(&mut dyn FnMut(&mut dyn Sink) -> Summary),
) {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let options = WriteOptions { lexemes, ..WriteOptions::default() };
    let mut writer = Writer::new(grammar, &options).expect("a lexer");
    writer.quicken(0).expect("within the limits");
    let random =
        RandomOptions { method, weighing: Weighing::default(), seed: 0, count, max_tokens: 10_000 };
    let options = Options { merge: Merge::Nothing, jobs, ..Options::default() };
    let pipeline = Pipeline { views: &views, writer, criteria: Vec::new(), options };
    let strategy = strategy(&views, &random).expect("such tests exist");
    let mut strategies = [Strategy::Indexed(strategy)];
    use_pipeline(&mut |sink| {
        let summary = pipeline.run(&mut strategies, sink, &mut |_| ControlFlow::Continue(()));
        summary.expect("nothing is kept")
    });
}

/// Makes the suite of a criterion.
pub(crate) fn suite(
    grammar: &Grammar,
    cover: &str,
    jobs: usize,
    mut use_pipeline: impl FnMut(&mut dyn FnMut(&mut dyn Sink) -> Summary),
) {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let writer = Writer::new(grammar, &WriteOptions::default()).expect("a writer");
    let spec: CriterionSpec = cover.parse().expect("a criterion");
    let closings = Closings::new(&views, Resolution::default(), 1);
    let strategy = strategies::build(spec, 0, &views, &closings, &Wishes::default(), &limits);
    let criterion = criteria::build(spec, &views, &limits).expect("within the limits");
    let named = Named { name: cover.to_owned(), criterion };
    let options = Options { jobs, ..Options::default() };
    let pipeline = Pipeline { views: &views, writer, criteria: vec![named], options };
    let mut strategies = [strategy.expect("within the limits")];
    use_pipeline(&mut |sink| {
        let summary = pipeline.run(&mut strategies, sink, &mut |_| ControlFlow::Continue(()));
        summary.expect("nothing is kept")
    });
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
        if test.text.len() >= self.least {
            let mut print = Fingerprint::default();
            print.add_text(test.text);
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
    let (time, ()) = clock::best(|| {
        let (mut out, mut buffer) = (std::io::sink(), Vec::new());
        for _ in 0..summary.tokens {
            buffer.extend_from_slice(std::hint::black_box(&token));
            if buffer.len() > 1 << 16 {
                out.write_all(&buffer).expect("nothing is kept");
                buffer.clear();
            }
        }
        std::hint::black_box(&buffer);
    });
    time
}
