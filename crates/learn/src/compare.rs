//! What changed between two models of the same grammar: conditions that came, and conditions that went.
//!
//! After a change of the program, a method that is suddenly reached by other inputs may lack a check on the way to it
//! (Havrikov, Kampmann, Zeller, TOSEM, section 5.2).

use gramercy_language::Language;
use serde::Serialize;

use crate::explain::{Condition, Explanation, explain};
use crate::model::{Known, Model};

/// How a target changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// Only the new model knows it.
    Added {
        /// The target.
        target: String,
    },
    /// Only the old model knows it.
    Removed {
        /// The target.
        target: String,
    },
    /// Other inputs reach it.
    Conditions {
        /// The target.
        target: String,
        /// Conditions that only the new model has.
        added: Vec<Condition>,
        /// Conditions that only the old model has.
        removed: Vec<Condition>,
    },
}

/// All changes, in the order of the new model's targets; removed targets come last.
#[must_use]
pub fn changes(language: &Language, old: &Model, new: &Model) -> Vec<Change> {
    let mut found = Vec::new();
    for name in new.names() {
        let target = name.to_owned();
        if old.target(name).is_none() {
            found.push(Change::Added { target });
            continue;
        }
        let (before, after) = (conditions(language, old, name), conditions(language, new, name));
        let only = |these: &[Condition], those: &[Condition]| {
            let is_new = |one: &&Condition| !those.iter().any(|other| other.clauses == one.clauses);
            these.iter().filter(is_new).cloned().collect::<Vec<_>>()
        };
        let (added, removed) = (only(&after, &before), only(&before, &after));
        if !(added.is_empty() && removed.is_empty()) {
            found.push(Change::Conditions { target, added, removed });
        }
    }
    let is_gone = |name: &&str| new.target(name).is_none();
    found.extend(
        old.names().filter(is_gone).map(|name| Change::Removed { target: name.to_owned() }),
    );
    found
}

/// The conditions of a target: none if it is never covered, and one without clauses if it always is.
fn conditions(language: &Language, model: &Model, name: &str) -> Vec<Condition> {
    match model.target(name) {
        Some(Known::Tree(target)) => explain(language, model, target).conditions,
        Some(Known::Always(info)) => Explanation::constant(model, info, true).conditions,
        Some(Known::Never(_)) | None => Vec::new(),
    }
}
