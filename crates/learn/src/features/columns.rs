//! The features of all inputs as a table of bits: a column for each feature, a row for each input.
//!
//! Only features that some input has get a column, so memory does not depend on how many paths a grammar has. A
//! column that is the same for all inputs is dropped. Equal columns are merged into one *group*: no learner can tell
//! them apart, and users see all of them.
//!
//! Example: of the inputs `1`, `1+1` and `(1)`, the feature `Term "1"` is constant, and `"("` and `")"` are one group.

use std::sync::Arc;

use gramercy_base::{Fingerprint, Id, IndexMap, Map, to_u32};
use gramercy_grammar::NodeId;

use super::extract::InputFeatures;
use super::{Feature, FeatureSet, Quantity};
use crate::bits;

/// The most thresholds of one number.
const THRESHOLDS: usize = 16;

/// A table of features under construction: inputs come one after the other.
#[derive(Debug, Default)]
pub struct ColumnsBuilder {
    criteria: Vec<String>,
    /// For each feature the rows that have it.
    features: IndexMap<Feature, Vec<u32>>,
    /// For each path the numbers of its suffixes.
    suffixes: Map<Arc<[NodeId]>, Vec<u32>>,
    quantities: IndexMap<Quantity, Vec<(u32, u64)>>,
    rows: usize,
}

impl ColumnsBuilder {
    /// A table of these features, without any input yet.
    #[must_use]
    pub fn new(set: &FeatureSet) -> Self {
        let criteria = set.criteria.iter().map(ToString::to_string).collect();
        Self { criteria, ..Self::default() }
    }

    /// Adds the next input.
    pub fn add(&mut self, input: &InputFeatures) {
        let row = to_u32(self.rows);
        self.rows += 1;
        for path in &input.paths {
            if !self.suffixes.contains_key(path) {
                let suffixes = self.intern_suffixes(path);
                self.suffixes.insert(Arc::clone(path), suffixes);
            }
            for &feature in &self.suffixes[path] {
                let rows = &mut self.features[feature as usize];
                if rows.last() != Some(&row) {
                    rows.push(row);
                }
            }
        }
        for &(criterion, rank) in &input.covers {
            let criterion = self.criteria[criterion].clone();
            let feature = Feature::Covers { criterion, rank };
            self.features.entry(feature).or_default().push(row);
        }
        for &(quantity, value) in &input.quantities {
            self.quantities.entry(quantity).or_default().push((row, value));
        }
    }

    /// All features with the inputs that have them, constant and equal ones included.
    #[must_use]
    pub fn into_paths(self) -> Paths {
        Paths { features: self.features }
    }

    fn intern_suffixes(&mut self, path: &[NodeId]) -> Vec<u32> {
        let numbers: Vec<u32> = path.iter().map(|node| to_u32(node.index())).collect();
        let suffix = |from| {
            let entry = self.features.entry(Feature::Path(numbers[from..].into()));
            let index = entry.index();
            entry.or_default();
            to_u32(index)
        };
        (0..path.len()).map(suffix).collect()
    }

    /// The table.
    #[must_use]
    pub fn finish(mut self) -> Columns {
        self.add_thresholds();
        let (rows, words) = (self.rows, bits::words(self.rows));
        let observed = self.features.len();
        let mut features: Vec<(Feature, Vec<u32>)> = self.features.into_iter().collect();
        features.retain(|(_, has)| has.len() < rows);
        features.sort_unstable_by(|(a, _), (b, _)| a.order().cmp(&b.order()));
        let mut columns = Columns { rows, words, observed, bits: Vec::new(), groups: Vec::new() };
        let mut known: Map<u128, usize> = Map::default();
        for (feature, has) in features {
            let mut print = Fingerprint::default();
            has.iter().for_each(|&row| print.add(u64::from(row)));
            let group = *known.entry(print.finish()).or_insert(columns.groups.len());
            if group == columns.groups.len() {
                let start = columns.bits.len();
                columns.bits.resize(start + words, 0);
                has.iter().for_each(|&row| bits::insert(&mut columns.bits[start..], row as usize));
                columns.groups.push(Vec::new());
            }
            columns.groups[group].push(feature);
        }
        columns
    }

    /// Turns numbers into questions: at least the values that divide the inputs into parts of about equal size.
    fn add_thresholds(&mut self) {
        for (&of, values) in &self.quantities {
            let mut sorted: Vec<u64> = values.iter().map(|&(_, value)| value).collect();
            sorted.sort_unstable();
            let cut = |at: usize| sorted[(at * sorted.len() / THRESHOLDS).min(sorted.len() - 1)];
            let mut cuts: Vec<u64> = (0..THRESHOLDS).map(cut).chain([1]).collect();
            cuts.sort_unstable();
            cuts.dedup();
            for least in cuts {
                let has = values.iter().filter(|&&(_, value)| value >= least);
                let rows = has.map(|&(row, _)| row).collect();
                self.features.insert(Feature::AtLeast { of, least }, rows);
            }
        }
    }
}

/// All features, each with the inputs that have it.
#[derive(Clone, Debug)]
pub struct Paths {
    features: IndexMap<Feature, Vec<u32>>,
}

impl Paths {
    /// The features in the order in which they were first met, each with its inputs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (&Feature, &[u32])> {
        self.features.iter().map(|(feature, rows)| (feature, &rows[..]))
    }
}

/// The features of all inputs, without constant ones, equal ones merged.
#[derive(Clone, Debug)]
pub struct Columns {
    rows: usize,
    words: usize,
    observed: usize,
    bits: Vec<u64>,
    groups: Vec<Vec<Feature>>,
}

impl Columns {
    /// A table of given columns, whose features have no meaning: for tests and benchmarks.
    #[must_use]
    pub fn of_bits(rows: usize, columns: impl IntoIterator<Item = Vec<u64>>) -> Self {
        let words = bits::words(rows);
        let mut made = Self { rows, words, observed: 0, bits: Vec::new(), groups: Vec::new() };
        for column in columns {
            assert_eq!(column.len(), words, "invariant: all columns have the same rows");
            made.bits.extend(column);
            made.groups.push(vec![Feature::Path(Box::new([to_u32(made.groups.len())]))]);
        }
        made.observed = made.groups.len();
        made
    }

    /// The number of inputs.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of different columns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no column.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The number of features that some input has, constant and equal ones included.
    #[must_use]
    pub fn observed(&self) -> usize {
        self.observed
    }

    /// The inputs that have a feature.
    #[inline]
    #[must_use]
    pub fn column(&self, column: usize) -> &[u64] {
        &self.bits[column * self.words..(column + 1) * self.words]
    }

    /// The features that are the same on all inputs, the preferred one first.
    #[must_use]
    pub fn group(&self, column: usize) -> &[Feature] {
        &self.groups[column]
    }
}
