//! What a corpus covers: one value, as JSON and as tables. The names of the fields are fixed.

use std::fmt::Write;

use gramercy::base::{Map, Span};
use gramercy::coverage::select::{Selection, select};
use gramercy::coverage::{Criterion, TargetSet};
use gramercy::language::Language;
use serde::{Serialize, Serializer};

use super::Palette;
use super::numbers::grouped;
use super::rejections::{Rejected, plain};
use super::table::Table;
use crate::commands::expectations::Judgement;

/// The most rejected inputs that a table lists.
const REJECTED: usize = 50;

/// Everything that `measure` shows.
#[derive(Serialize)]
pub(crate) struct Report<'r> {
    /// The fingerprint of the grammar.
    pub(crate) fingerprint: String,
    pub(crate) inputs: usize,
    /// Those that are not in the language, though they should be, or nothing is expected of them.
    pub(crate) rejected: &'r [Rejected],
    /// How many are not in the language, as they should be.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) expected_rejections: u64,
    /// Those that should be rejected, and are accepted or rejected elsewhere.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) unexpected: &'r [Unexpected],
    /// Those that reached a limit: nothing is known about them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) limited: &'r [String],
    /// The derivations of an input that count.
    pub(crate) trees: &'static str,
    /// By the names of the criteria.
    #[serde(serialize_with = "as_map")]
    pub(crate) criteria: Vec<(String, CriterionReport)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) selected: Option<Selected<'r>>,
    /// How many missing targets people want to see.
    #[serde(skip)]
    pub(crate) shown: usize,
}

/// An input that was read otherwise than its corpus says.
#[derive(Serialize)]
pub(crate) struct Unexpected {
    pub(crate) input: String,
    pub(crate) judgement: Judgement,
}

fn as_map<S: Serializer>(
    pairs: &[(String, CriterionReport)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, report)| (name, report)))
}

/// What is covered of one criterion.
#[derive(Serialize)]
pub(crate) struct CriterionReport {
    pub(crate) targets: u64,
    pub(crate) coverable: u64,
    pub(crate) covered: u64,
    /// How many targets are left out on request.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) exempt: u64,
    #[serde(flatten)]
    pub(crate) missing: Missing,
    /// The patterns of all that is covered, for a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) covered_patterns: Option<Vec<String>>,
}

/// What is not covered.
#[derive(Serialize)]
pub(crate) struct Missing {
    /// What could be.
    #[serde(rename = "missing")]
    pub(crate) targets: Vec<MissingTarget>,
    /// How many more there are than were asked for.
    #[serde(rename = "missing_more", skip_serializing_if = "is_zero")]
    more: u64,
    /// What no sentence covers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    uncoverable: Vec<MissingTarget>,
}

/// A target that is not covered.
#[derive(Serialize)]
pub(crate) struct MissingTarget {
    pub(crate) rank: u64,
    pub(crate) pattern: String,
    /// The pattern in few words.
    #[serde(skip)]
    outline: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<MissingPosition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct MissingPosition {
    file: String,
    line: usize,
    column: usize,
}

/// A choice of inputs that covers what all of them cover.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Selected<'r> {
    inputs: Vec<SelectedInput<'r>>,
    #[serde(skip)]
    of: usize,
    #[serde(skip)]
    bound: f64,
}

#[derive(Serialize)]
struct SelectedInput<'r> {
    input: &'r str,
    /// How many targets it is the first to cover.
    covers: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl CriterionReport {
    /// The share that is covered of what can be, in percent.
    pub(crate) fn share(&self) -> f64 {
        Self::share_of(self.covered, self.coverable)
    }

    /// A share in percent; of nothing, all is covered.
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    pub(crate) fn share_of(covered: u64, coverable: u64) -> f64 {
        if coverable == 0 { 100.0 } else { covered as f64 * 100.0 / coverable as f64 }
    }

    /// The share for people, rounded down: all is 100.0% only if nothing is missing.
    pub(crate) fn percent(&self) -> String {
        let tenths = match self.coverable {
            0 => 1000,
            coverable => u128::from(self.covered) * 1000 / u128::from(coverable),
        };
        format!("{}.{}%", tenths / 10, tenths % 10)
    }
}

impl Missing {
    /// The first missing targets, up to a number, and the first ones that cannot be covered.
    pub(crate) fn list(
        language: &Language,
        criterion: &dyn Criterion,
        covered: &TargetSet,
        exempt: &TargetSet,
        most: usize,
    ) -> Self {
        let left = exempt
            .iter()
            .filter(|&target| !covered.contains(target) && criterion.uncoverable(target).is_none());
        let count = criterion.coverable() - covered.len() - left.count() as u64;
        let (mut targets, mut uncoverable) = (Vec::new(), Vec::new());
        let hopeless = criterion.targets() - criterion.coverable();
        let enough = |found: usize, all: u64| found >= most || found as u64 == all;
        let is_missing = |rank: &u64| !covered.contains(*rank) && !exempt.contains(*rank);
        for rank in (0..criterion.targets()).filter(is_missing) {
            if enough(targets.len(), count) && enough(uncoverable.len(), hopeless) {
                break;
            }
            let reason = criterion.uncoverable(rank).map(|reason| reason.as_str());
            let (list, all) = match reason {
                None => (&mut targets, count),
                Some(_) => (&mut uncoverable, hopeless),
            };
            if !enough(list.len(), all) {
                list.push(MissingTarget {
                    rank,
                    pattern: criterion.describe(rank),
                    outline: criterion.outline(rank),
                    place: criterion.place(rank).map(|span| MissingPosition::of(language, span)),
                    reason,
                });
            }
        }
        let more = count - targets.len() as u64;
        for list in [&mut targets, &mut uncoverable] {
            tell_apart(list);
        }
        Self { targets, more, uncoverable }
    }
}

/// Adds the rank to outlines that stand in the list more than once.
fn tell_apart(targets: &mut [MissingTarget]) {
    let mut seen: Map<String, u32> = Map::default();
    for target in targets.iter() {
        *seen.entry(target.in_words()).or_default() += 1;
    }
    for target in targets.iter_mut().filter(|target| seen[&target.in_words()] > 1) {
        target.outline.push_str(&format!("  #{}", target.rank));
    }
}

impl MissingTarget {
    /// The target on one line, and its place.
    pub(crate) fn in_words(&self) -> String {
        let mut words = match &self.place {
            Some(MissingPosition { file, line, column }) => {
                format!("{}  {file}:{line}:{column}", self.outline)
            }
            None => self.outline.clone(),
        };
        if let Some(reason) = self.reason {
            let _ = write!(words, "  ({reason})");
        }
        words
    }
}

impl MissingPosition {
    fn of(language: &Language, span: Span) -> Self {
        let sources = language.grammar().sources();
        let position = sources.position(span);
        let file = sources.get(span.source).name().to_owned();
        Self { file, line: position.line, column: position.column }
    }
}

impl<'r> Selected<'r> {
    /// The greedy choice.
    pub(crate) fn of(names: &'r [String], covered: &[Vec<TargetSet>]) -> Self {
        let Selection { chosen, gains, bound } = select(covered);
        let inputs = chosen.iter().zip(gains);
        let inputs =
            inputs.map(|(&at, covers)| SelectedInput { input: names[at].as_str(), covers });
        Self { inputs: inputs.collect(), of: names.len(), bound }
    }

    /// The names of the chosen inputs.
    pub(crate) fn names(&self) -> Vec<&'r str> {
        self.inputs.iter().map(|input| input.input).collect()
    }

    fn for_people(&self, palette: Palette) -> String {
        let heading = format!("Selected {} of {}", grouped(self.inputs.len()), grouped(self.of));
        let mut table = Table::of_numbers([&*heading, "covers first"]);
        for SelectedInput { input, covers } in &self.inputs {
            table.row([plain(input), grouped(covers)]);
        }
        let mut text = table.render(palette);
        let _ = writeln!(text, "At most {:.2} times as many as the smallest choice.", self.bound);
        text
    }
}

impl Report<'_> {
    /// As tables, with an empty line between each two.
    pub(crate) fn for_people(&self, palette: Palette) -> String {
        let mut parts = vec![self.summary(palette)];
        if !self.rejected.is_empty() {
            parts.push(self.rejections(palette));
        }
        if !self.unexpected.is_empty() {
            parts.push(self.unexpected(palette));
        }
        if self.shown > 0 {
            parts.extend(
                self.criteria.iter().filter_map(|(name, of)| self.missing(name, of, palette)),
            );
        }
        parts.extend(self.selected.as_ref().map(|selected| selected.for_people(palette)));
        parts.join("\n")
    }

    fn summary(&self, palette: Palette) -> String {
        let mut table = Table::of_numbers(["Coverage", "targets", "coverable", "covered", "share"]);
        for (name, of) in &self.criteria {
            let numbers = [of.targets, of.coverable, of.covered].map(grouped);
            table.row([name.clone()].into_iter().chain(numbers).chain([of.percent()]));
        }
        let mut text = table.render(palette);
        let expected = self.expected_rejections;
        let rejected = self.rejected.len() as u64 + expected;
        let accepted = self.inputs as u64 - rejected;
        let _ = write!(text, "\n{} accepted, {} rejected", grouped(accepted), grouped(rejected));
        let _ = match expected {
            0 => writeln!(text),
            expected => writeln!(text, ", {} of them as expected", grouped(expected)),
        };
        if !self.limited.is_empty() {
            let count = grouped(self.limited.len());
            let _ = writeln!(text, "{count} not measured: a limit was reached");
        }
        if self.trees == "preferred" {
            let _ = writeln!(text, "the preferred tree of each input counts; see --trees");
        }
        text
    }

    fn rejections(&self, palette: Palette) -> String {
        let heading = palette.heading;
        let mut text = format!("{heading}Rejected{heading:#}\n");
        for rejected in self.rejected.iter().take(REJECTED) {
            let _ = writeln!(text, "{}", rejected.line());
        }
        if let more @ 1.. = self.rejected.len().saturating_sub(REJECTED) {
            let _ = writeln!(text, "and {} more", grouped(more));
        }
        text
    }

    fn unexpected(&self, palette: Palette) -> String {
        let heading = palette.heading;
        let mut text = format!("{heading}Not as expected{heading:#}\n");
        for Unexpected { input, judgement } in self.unexpected.iter().take(REJECTED) {
            let _ = writeln!(text, "{}: {}", plain(input), judgement.in_words().unwrap_or(""));
        }
        if let more @ 1.. = self.unexpected.len().saturating_sub(REJECTED) {
            let _ = writeln!(text, "and {} more", grouped(more));
        }
        text
    }

    fn missing(&self, name: &str, of: &CriterionReport, palette: Palette) -> Option<String> {
        let Missing { targets, more, uncoverable } = &of.missing;
        if targets.is_empty() && uncoverable.is_empty() {
            return None;
        }
        let heading = palette.heading;
        let mut text = format!("{heading}Missing of {name}{heading:#}\n");
        for target in targets.iter().take(self.shown) {
            let _ = writeln!(text, "{}", target.in_words());
        }
        if let more @ 1.. = more + targets.len().saturating_sub(self.shown) as u64 {
            let _ = writeln!(text, "and {} more", grouped(more));
        }
        for target in uncoverable.iter().take(self.shown) {
            let _ = writeln!(text, "never: {}", target.in_words());
        }
        if of.exempt > 0 {
            let _ = writeln!(text, "{} exempt", grouped(of.exempt));
        }
        Some(text)
    }
}
