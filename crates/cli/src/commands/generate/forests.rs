//! Suites for subsets of targets, one folder each (Havrikov, Kampmann, Zeller, TOSEM, section 4.4).

use std::fmt::Write;
use std::path::Path;

use clap::Args;
use gramercy::coverage::{Criterion, TargetId};
use gramercy::generate::strategies::forests::{ForestOptions, subsets};

use gramercy::assemble::Summary;
use gramercy::assemble::recipe::Ranks;

use crate::outcome::Failure;

/// Which subsets get a suite.
#[derive(Args)]
pub(super) struct ForestArgs {
    /// Suites for subsets of 1 to N targets, each in its own folder below -o, with a table of coverage
    #[arg(
        long, value_name = "N", requires = "output",
        conflicts_with_all = ["targets", "fall_over", "recur", "minimize", "count", "from", "csv"]
    )]
    pub(super) forests: Option<usize>,
    /// How many subsets of each size --forests takes
    #[arg(
        long, value_name = "N", default_value_t = ForestOptions::default().each, requires = "forests"
    )]
    each: usize,
}

/// One of the suites.
pub(super) struct Forest {
    /// The name of its folder: the number of targets, and which of these subsets it is.
    pub(super) name: String,
    /// Its targets.
    pub(super) targets: Vec<TargetId>,
}

impl ForestArgs {
    /// The suites for a criterion, smaller subsets first.
    pub(super) fn forests(&self, largest: usize, criterion: &dyn Criterion) -> Vec<Forest> {
        let options = ForestOptions { largest, each: self.each };
        let is_coverable = |&target: &TargetId| criterion.uncoverable(target).is_none();
        let coverable = (0..criterion.targets()).filter(is_coverable);
        let (mut forests, mut before, mut number) = (Vec::new(), 0, 0);
        for targets in subsets(coverable, options) {
            number = if targets.len() == before { number + 1 } else { 1 };
            before = targets.len();
            let name = format!("forest-{:03}-{number:03}", targets.len());
            forests.push(Forest { name, targets });
        }
        forests
    }
}

/// A table of what the suites cover.
pub(super) struct ForestTable(String);

impl ForestTable {
    pub(super) fn new() -> Self {
        Self("forest,targets,tests,tokens,bytes,covered,ranks\n".to_owned())
    }

    pub(super) fn add(&mut self, forest: &Forest, summary: &Summary, covered: u64) {
        let Summary { tests, tokens, bytes, .. } = summary;
        let ranks = Ranks::of(&forest.targets).to_string().replace(',', " ");
        let Forest { name, targets } = forest;
        let targets = targets.len();
        let _ = writeln!(self.0, "{name},{targets},{tests},{tokens},{bytes},{covered},{ranks}");
    }

    /// Writes it into a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join("forests.csv");
        std::fs::write(&path, &self.0).map_err(|error| Failure::unwritable(&path, &error))
    }
}
