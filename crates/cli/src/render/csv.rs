//! What each input covers, a line each, for spreadsheets (RFC 4180).

use std::io::{self, Write};

use gramercy::coverage::{Covered, TargetSet};

/// A table that is being written.
pub(crate) struct Csv<W> {
    out: W,
    criteria: usize,
}

impl<W: Write> Csv<W> {
    /// The heading, for criteria of these names.
    pub(crate) fn new(mut out: W, criteria: &[String]) -> io::Result<Self> {
        write!(out, "input,verdict")?;
        for name in criteria {
            write!(out, ",{name} covered,{name} new,{name} sum")?;
        }
        write!(out, "\r\n")?;
        Ok(Self { out, criteria: criteria.len() })
    }

    /// An input that is in the language: what it covers, what of it is new, and the sum so far.
    pub(crate) fn accepted(
        &mut self,
        name: &str,
        covered: &Covered,
        new: &[u64],
        sum: &Covered,
    ) -> io::Result<()> {
        let own = covered.targets.iter().map(TargetSet::len);
        let rows = own.zip(new).zip(sum.targets.iter().map(TargetSet::len));
        let rows: Vec<_> = rows.map(|((own, &new), sum)| [own, new, sum]).collect();
        self.row(name, "accepted", &rows)
    }

    /// An input that is not.
    pub(crate) fn rejected(&mut self, name: &str, sum: &Covered) -> io::Result<()> {
        let sums: Vec<_> = sum.targets.iter().map(|sum| [0, 0, sum.len()]).collect();
        self.row(name, "rejected", &sums)
    }

    fn row(&mut self, name: &str, verdict: &str, numbers: &[[u64; 3]]) -> io::Result<()> {
        debug_assert_eq!(numbers.len(), self.criteria, "invariant: a row fits the heading");
        write!(self.out, "{},{verdict}", field(name))?;
        for number in numbers.iter().flatten() {
            write!(self.out, ",{number}")?;
        }
        write!(self.out, "\r\n")
    }

    /// Where it was written.
    pub(crate) fn into_inner(self) -> W {
        self.out
    }
}

/// A field, quoted where it has to be.
pub(crate) fn field(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("a b"), "a b");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("a\"b"), "\"a\"\"b\"");
    }
}
