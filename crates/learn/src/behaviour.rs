//! What a program did on each input: the targets that it covered, and how often.

use std::sync::Arc;

use gramercy_base::{Fingerprint, IndexMap, Set};
use serde::{Deserialize, Serialize};

use crate::bits;

/// What was observed on one input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observed {
    /// The name of the input, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What the program did.
    pub report: Report,
}

/// What a program did on one input, as a coverage report says.
///
/// Targets are shared: many inputs cover the same ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The targets that were covered, each with the number of its calls where that is known.
    pub covered: Vec<(Arc<TargetInfo>, Option<u64>)>,
    /// Targets that exist and were not covered, where the report lists them.
    pub uncovered: Vec<Arc<TargetInfo>>,
}

impl Report {
    /// Adds a target with the number of its calls.
    pub fn add(&mut self, target: impl Into<Arc<TargetInfo>>, calls: u64) {
        match calls {
            0 => self.uncovered.push(target.into()),
            _ => self.covered.push((target.into(), Some(calls))),
        }
    }

    /// Whether a target of this name is covered.
    #[must_use]
    pub fn covers(&self, name: &str) -> bool {
        self.covered.iter().any(|(target, _)| target.name == name)
    }
}

/// A target: a function, a line, a branch, or a verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TargetInfo {
    /// Its name, which is unique.
    pub name: String,
    /// The source file that holds it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its first line, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_line: Option<u32>,
    /// Its last line, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_line: Option<u32>,
}

impl TargetInfo {
    /// A target of which only the name is known.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Whether it lies in a file and has one of these lines. A file is named by its path, or by the end of it.
    #[must_use]
    pub fn is_in(&self, file: &str, lines: &[(u32, u32)]) -> bool {
        let Some(own) = &self.file else { return false };
        let is_file =
            own == file || own.ends_with(&format!("/{file}")) || file.ends_with(&format!("/{own}"));
        let Some(first) = self.first_line else { return is_file };
        let last = self.last_line.unwrap_or(first);
        is_file && (lines.is_empty() || lines.iter().any(|&(from, to)| from <= last && first <= to))
    }
}

/// What a program did on all inputs: a row of bits for each target.
#[derive(Clone, Debug, Default)]
pub struct Behaviour {
    /// The inputs, each text once.
    pub inputs: Vec<Observed>,
    /// The targets in the order in which they were first named.
    pub targets: Vec<TargetInfo>,
    /// For each target the inputs that cover it.
    pub covered: Vec<Vec<u64>>,
    /// Inputs whose text occurred before.
    pub repeated: usize,
}

impl Behaviour {
    /// For each input whether no earlier one has the same text.
    #[must_use]
    pub fn first_texts(observed: &[Observed]) -> Vec<bool> {
        let mut seen = Set::default();
        let is_first = |input: &Observed| {
            let mut print = Fingerprint::default();
            print.add_text(&input.text);
            seen.insert(print.finish())
        };
        observed.iter().map(is_first).collect()
    }

    /// The behaviour that was observed. Of inputs with equal texts only the first counts.
    #[must_use]
    pub fn new(observed: Vec<Observed>) -> Self {
        let (mut is_first, total) = (Self::first_texts(&observed).into_iter(), observed.len());
        let mut inputs = observed;
        inputs.retain(|_| is_first.next().unwrap_or(false));
        let repeated = total - inputs.len();
        let mut targets: IndexMap<String, Arc<TargetInfo>> = IndexMap::default();
        for report in inputs.iter().map(|input| &input.report) {
            let covered = report.covered.iter().map(|(target, _)| target);
            for target in covered.chain(&report.uncovered) {
                let known =
                    targets.entry(target.name.clone()).or_insert_with(|| Arc::clone(target));
                if known.file.is_none() && target.file.is_some() {
                    *known = Arc::clone(target);
                }
            }
        }
        let mut covered = vec![vec![0; bits::words(inputs.len())]; targets.len()];
        for (row, input) in inputs.iter().enumerate() {
            for (target, _) in &input.report.covered {
                let at = targets.get_index_of(&target.name);
                bits::insert(&mut covered[at.expect("invariant: it was listed")], row);
            }
        }
        let targets = targets.into_values().map(|target| TargetInfo::clone(&target)).collect();
        Self { inputs, targets, covered, repeated }
    }

    /// A fingerprint of all inputs and of what they cover.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut print = Fingerprint::default();
        self.inputs.iter().for_each(|input| print.add_text(&input.text));
        for (target, covered) in self.targets.iter().zip(&self.covered) {
            print.add_text(&target.name);
            covered.iter().for_each(|&word| print.add(word));
        }
        format!("{:032x}", print.finish())
    }
}
