//! A table of how coverage grows with the tests, as CSV: one line per test, with the sums so far.

use std::io::Write;

use crate::sink::{Sink, SinkError, Wants};
use crate::test::Test;

/// The table.
#[derive(Debug)]
pub struct CoverageTable<W> {
    out: W,
    criteria: Vec<String>,
    covered: Vec<u64>,
    tokens: u64,
    bytes: u64,
    begun: bool,
}

impl<W: Write> CoverageTable<W> {
    /// Writes to a stream, with a column for each of these criteria.
    pub fn new(out: W, criteria: Vec<String>) -> Self {
        let covered = vec![0; criteria.len()];
        Self { out, criteria, covered, tokens: 0, bytes: 0, begun: false }
    }

    fn begin(&mut self) -> std::io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            writeln!(self.out, "test,tokens,bytes,{}", self.criteria.join(","))?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for CoverageTable<W> {
    fn wants(&self) -> Wants {
        Wants { covers: true, ..Wants::default() }
    }

    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        self.begin()?;
        self.tokens += test.token_count as u64;
        self.bytes += test.content.as_bytes().len() as u64;
        for target in test.covers {
            let at = self.criteria.iter().position(|name| name == target.criterion);
            self.covered[at.expect("invariant: only named criteria are covered")] += 1;
        }
        write!(self.out, "{},{},{}", test.id, self.tokens, self.bytes)?;
        for covered in &self.covered {
            write!(self.out, ",{covered}")?;
        }
        Ok(writeln!(self.out)?)
    }

    fn flush(&mut self) -> Result<(), SinkError> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.begin()?;
        self.flush()
    }
}
