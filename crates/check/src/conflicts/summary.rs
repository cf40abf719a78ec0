//! The number of conflicts, and the results of their explanations.

use gramercy_base::Diagnostic;
use gramercy_lr::Conflict;

use super::causes::Cause;
use super::explain::Explanation;
use crate::codes::CONFLICTS;

/// The results of the explanations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// The number of causes, by the rank of their explanations.
    of_rank: [usize; 4],
    /// Findings that are not shown.
    pub(crate) not_shown: usize,
}

impl Tally {
    pub(crate) fn of(explained: &[(Cause, Explanation)]) -> Self {
        let mut tally = Self::default();
        for (_, explanation) in explained {
            tally.of_rank[explanation.rank()] += 1;
        }
        tally
    }
}

/// The number of conflicts of each kind, as bison counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Shift/reduce conflicts.
    pub shift_reduce: usize,
    /// Reduce/reduce conflicts.
    pub reduce_reduce: usize,
}

impl Counts {
    pub(crate) fn of(left: &[Conflict]) -> Self {
        let beyond_first = |conflict: &Conflict| conflict.reductions.len().saturating_sub(1);
        Self {
            shift_reduce: left.iter().filter(|conflict| conflict.shift.is_some()).count(),
            reduce_reduce: left.iter().map(beyond_first).sum(),
        }
    }

    /// The nonzero numbers in words.
    pub(crate) fn in_words(self) -> String {
        let counts = [
            (self.shift_reduce, "shift/reduce conflict", "shift/reduce conflicts"),
            (self.reduce_reduce, "reduce/reduce conflict", "reduce/reduce conflicts"),
        ];
        match listed(&counts, " and ") {
            none if none.is_empty() => "no conflicts".into(),
            some => some,
        }
    }
}

/// The summary of all conflicts; without a tally, they are only counted.
pub(crate) fn summary(counts: Counts, tally: Option<Tally>, effort: usize) -> Diagnostic {
    let message = format!("LALR(1) leaves {} unresolved", counts.in_words());
    let diagnostic = Diagnostic::new(CONFLICTS, message);
    let Some(Tally { of_rank: [ambiguous, two_ways, merged, unknown], not_shown }) = tally else {
        return diagnostic.help("--conflicts explain shows the reasons");
    };
    let causes = [
        (ambiguous, "ambiguity", "ambiguities"),
        (two_ways, "where the next token does not decide", "where the next token does not decide"),
        (merged, "that only LALR(1) has", "that only LALR(1) has"),
        (unknown, "without an example", "without an example"),
    ];
    let mut diagnostic = diagnostic.note(format!("their causes: {}", listed(&causes, ", ")));
    if unknown > 0 {
        diagnostic = diagnostic.note(format!(
            "the search for an example stops after {effort} steps; raise the limit with --effort"
        ));
    }
    match not_shown {
        0 => diagnostic,
        more => diagnostic.help(format!("--conflicts explain shows {more} more findings")),
    }
}

/// The nonzero numbers, each with its noun in singular or plural.
fn listed(counts: &[(usize, &str, &str)], between: &str) -> String {
    let shown = counts.iter().filter(|(number, ..)| *number > 0);
    let shown = shown.map(|(number, singular, plural)| {
        format!("{number} {}", if *number == 1 { singular } else { plural })
    });
    shown.collect::<Vec<_>>().join(between)
}
