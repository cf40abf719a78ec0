//! Targets that a team has decided to leave uncovered.
//!
//! A list has one target per line: the criterion, white space, and the target's pattern as
//! [`Criterion::describe`] gives it. Empty lines and lines that begin with `#` are skipped. Patterns are
//! compared with runs of white space as one space, so that a list survives a new layout of the grammar.
//!
//! Example: `kpath:2  a d t`.
//!
//! To find the targets of a list, every target of the criteria that it names is described once.

use gramercy_base::{Map, Set};

use crate::criterion::Criterion;
use crate::spec::SpecError;
use crate::targets::{TargetId, TargetSet};

/// The targets to leave, by criterion.
#[derive(Clone, Debug, Default)]
pub struct Exemptions {
    lines: Vec<Exemption>,
}

/// One target to leave; several if they have the same pattern.
#[derive(Clone, Debug)]
struct Exemption {
    criterion: String,
    pattern: String,
}

/// A pattern with single spaces.
fn normal(pattern: &str) -> String {
    pattern.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Exemptions {
    /// Reads a list. `canonical` gives the usual name of a criterion.
    ///
    /// # Errors
    /// The number of the first line, from 1, that names no criterion or no pattern, and why.
    pub fn read(
        text: &str,
        canonical: &dyn Fn(&str) -> Result<String, SpecError>,
    ) -> Result<Self, (usize, SpecError)> {
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (name, pattern) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let criterion = canonical(name).map_err(|error| (number, error))?;
            if pattern.is_empty() {
                let message = format!("`{name}` is followed by no pattern");
                return Err((number, SpecError { message }));
            }
            lines.push(Exemption { criterion, pattern: normal(pattern) });
        }
        Ok(Self { lines })
    }

    /// The targets of a criterion that the list names, and those patterns of it that are of no target.
    #[must_use]
    pub fn of(&self, name: &str, criterion: &dyn Criterion) -> (TargetSet, Vec<&str>) {
        let own = self.lines.iter().filter(|line| line.criterion == name);
        let mut wanted: Map<&str, bool> = own.map(|line| (line.pattern.as_str(), false)).collect();
        let mut targets = TargetSet::new();
        if wanted.is_empty() {
            return (targets, Vec::new());
        }
        for target in 0..criterion.targets() {
            if let Some(is_found) = wanted.get_mut(normal(&criterion.describe(target)).as_str()) {
                *is_found = true;
                targets.insert(target);
            }
        }
        let mut seen = Set::default();
        let of_name = self.lines.iter().filter(|line| line.criterion == name);
        let unknown = of_name.map(|line| line.pattern.as_str());
        let unknown = unknown.filter(|pattern| !wanted[pattern] && seen.insert(*pattern)).collect();
        (targets, unknown)
    }

    /// Whether the list names nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line of a list.
    #[must_use]
    pub fn line(name: &str, criterion: &dyn Criterion, target: TargetId) -> String {
        format!("{name}  {}", normal(&criterion.describe(target)))
    }
}
