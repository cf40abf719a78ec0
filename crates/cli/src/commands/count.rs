//! `gramercy count`: numbers of derivation trees and words by size.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use clap::Args;
use gramercy::analysis::counts::SizeUnit;
use gramercy::analysis::counts::tables::MemoryLimit;
use gramercy::assemble::SuiteError;
use gramercy::base::{Diagnostic, Limits};
use gramercy::language::Language;
use gramercy::sample::methods::uniform::words::{Words, count_words};
use gramercy::sample::methods::uniform::{SizeRange, TreeSpace};
use serde::Serialize;

use crate::codes;
use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs, Sizes, named};
use crate::outcome::{Failure, Outcome};
use crate::render::numbers::grouped;
use crate::render::table::Table;
use crate::render::{json, suite_errors};

/// Count the derivation trees and words of each size
#[derive(Args)]
#[command(after_help = "\
Trees are those of the BNF core: the nodes of groups and repetitions count too. An empty leaf does not count.
A word is a string of terminals. Words are shown where every word has one tree, or with --words.

Examples:
  gramercy count grammar.y --sizes 1-40
  gramercy count grammar.gram --sizes 1-12 --unit tokens --words
  gramercy count grammar.y --sizes 500 --json")]
pub(crate) struct Count {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// The sizes: a number, or a range
    #[arg(long, value_name = "N", default_value = "1-20")]
    sizes: Sizes,
    /// What sizes are measured in
    #[arg(long, value_name = "UNIT", default_value = "nodes", value_parser = named::<SizeUnit>())]
    unit: SizeUnit,
    /// Count words too, by listing all trees of a size
    #[arg(long)]
    words: bool,
    /// With --words, the most trees of a size that are listed
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_trees: u64,
    /// Memory for tables with numbers of trees, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    max_memory: usize,
    #[command(flatten)]
    json: JsonArgs,
}

/// Sizes of grammars that are ambiguous nowhere are found by listing at most this number of trees.
const LISTED_UNASKED: u64 = 2000;

/// What is counted, as a document.
#[derive(Serialize)]
struct Counts {
    unit: &'static str,
    trees: BTreeMap<usize, String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    words: BTreeMap<usize, String>,
}

impl Count {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        let language = &loaded.language;
        let counted = self.count(language, console);
        let counts = counted.map_err(|error: SuiteError| suite_errors::failure(error, language))?;
        match self.json.json {
            true => json::write(console.out(), &counts)?,
            false => {
                let text = table(&counts).render(console.out_palette());
                console.out().write_all(text.as_bytes())?;
            }
        }
        Ok(Outcome::Clean)
    }

    fn count(&self, language: &Language, console: &Console) -> Result<Counts, SuiteError> {
        let range = SizeRange { unit: self.unit, least: self.sizes.0, most: self.sizes.1 };
        let memory = MemoryLimit { bytes: self.max_memory.saturating_mul(1 << 20) };
        let space = Arc::new(TreeSpace::new(language, range, memory)?);
        let (tables, _) = space.count()?;
        let trees: BTreeMap<_, _> = (range.least..=range.most)
            .map(|size| (size, tables.of(space.start(), size).clone()))
            .collect();
        let most = if self.words { self.max_trees } else { LISTED_UNASKED };
        let mut words = BTreeMap::new();
        let mut beyond = Vec::new();
        for (size, found) in count_words(language, &space, &tables, most)? {
            match found {
                Words::Counted(found) => {
                    // Without --words only sizes without ambiguity are told.
                    if self.words || found == trees[&size] {
                        words.insert(size, found.to_string());
                    }
                }
                Words::TooMany => beyond.push(size),
            }
        }
        if self.words
            && let [first, ..] = beyond[..]
        {
            let message = format!(
                "words are not counted from {first} {} on: there are more than {} trees",
                self.unit.name(),
                grouped(most)
            );
            let warning = Diagnostic::new(codes::NOT_COUNTED, message);
            console.report(
                &[warning.help("list more of them with --max-trees")],
                &language.grammar().sources().clone(),
            );
        }
        let trees = trees.into_iter().map(|(size, trees)| (size, trees.to_string())).collect();
        Ok(Counts { unit: self.unit.name(), trees, words })
    }
}

fn table(counts: &Counts) -> Table {
    let has_words = !counts.words.is_empty();
    let mut headings = vec![counts.unit, "trees"];
    headings.extend(has_words.then_some("words"));
    let mut table = Table::of_numbers(headings);
    for (size, trees) in &counts.trees {
        let words = counts.words.get(size).map_or_else(String::new, grouped);
        let cells = [size.to_string(), grouped(trees)];
        table.row(cells.into_iter().chain(has_words.then_some(words)));
    }
    table
}
