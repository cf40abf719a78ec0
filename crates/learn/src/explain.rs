//! The conditions of a target in the grammar's words.

use gramercy_language::Language;
use serde::{Deserialize, Serialize};

use crate::behaviour::TargetInfo;
use crate::model::{Clause, Leaf, Model, Status, TargetModel};

/// What is known about when a target is covered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The target.
    pub target: String,
    /// The number of inputs that cover it.
    pub covered: u32,
    /// The number of inputs.
    pub inputs: usize,
    /// Each of them is enough.
    pub conditions: Vec<Condition>,
    /// The number of inputs in the smaller class, if that is too small to learn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub few_samples: Option<u32>,
    /// By how much another tree might be better, in inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimality_gap: Option<u64>,
}

impl Explanation {
    /// The explanation of a target that every input covers, or none.
    #[must_use]
    pub fn constant(model: &Model, target: &TargetInfo, is_covered: bool) -> Self {
        let inputs = model.inputs.count;
        let covered = if is_covered { u32::try_from(inputs).unwrap_or(u32::MAX) } else { 0 };
        let always = is_covered.then(|| Condition {
            clauses: Vec::new(),
            support: covered,
            precision: 1.0,
            example: None,
            counter_example: None,
            status: Status::Untested,
        });
        Self {
            target: target.name.clone(),
            covered,
            inputs,
            conditions: always.into_iter().collect(),
            few_samples: None,
            optimality_gap: None,
        }
    }
}

/// Clauses that all hold for an input, which is then predicted to cover the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The clauses.
    pub clauses: Vec<ClauseText>,
    /// The number of inputs for which all hold.
    pub support: u32,
    /// The share of them that covers the target.
    pub precision: f64,
    /// The smallest of them that covers the target.
    pub example: Option<String>,
    /// The smallest of them that does not cover the target.
    pub counter_example: Option<String>,
    /// What tests of the condition showed.
    pub status: Status,
}

/// A clause in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClauseText {
    /// Whether inputs must have the feature, or must not.
    pub present: bool,
    /// The feature.
    pub pattern: String,
    /// Other features that no input tells apart from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equal: Vec<String>,
}

/// Explains when a target is covered. The condition with the greatest support comes first.
#[must_use]
pub fn explain(language: &Language, model: &Model, target: &TargetModel) -> Explanation {
    let all = target.conjunctions();
    let covering = all.iter().filter(|(_, leaf)| leaf.is_covered());
    let mut conditions: Vec<Condition> =
        covering.map(|(clauses, leaf)| condition(language, model, clauses, leaf)).collect();
    conditions.sort_by_key(|condition| std::cmp::Reverse(condition.support));
    Explanation {
        target: target.info.name.clone(),
        covered: target.covered,
        inputs: model.inputs.count,
        conditions,
        few_samples: target.few_samples,
        optimality_gap: target.optimality_gap,
    }
}

fn condition(language: &Language, model: &Model, clauses: &[Clause], leaf: &Leaf) -> Condition {
    let text = |example: Option<usize>| example.map(|example| model.examples[example].clone());
    Condition {
        clauses: needed(model, clauses).map(|clause| words(language, model, clause)).collect(),
        support: leaf.total,
        precision: f64::from(leaf.covered) / f64::from(leaf.total.max(1)),
        example: text(leaf.example),
        counter_example: text(leaf.counter_example),
        status: leaf.status,
    }
}

/// The clauses without those that another one implies: who has a path has all paths in it, and who lacks a path lacks
/// all paths that contain it.
fn needed<'c>(model: &'c Model, clauses: &'c [Clause]) -> impl Iterator<Item = Clause> + 'c {
    let path = |clause: &Clause| model.features[clause.feature][0].path();
    clauses.iter().copied().filter(move |clause| {
        let Some(own) = path(clause) else { return true };
        !clauses.iter().any(|other| {
            other.feature != clause.feature
                && other.is_present == clause.is_present
                && path(other).is_some_and(|other_path| match clause.is_present {
                    true => contains(&other_path, &own),
                    false => contains(&own, &other_path),
                })
        })
    })
}

/// Whether a list contains another one without gaps.
pub(crate) fn contains<T: PartialEq>(list: &[T], part: &[T]) -> bool {
    list.windows(part.len()).any(|window| window == part)
}

/// A clause in words.
#[must_use]
pub fn words(language: &Language, model: &Model, clause: Clause) -> ClauseText {
    let mut texts: Vec<String> = Vec::new();
    for feature in &model.features[clause.feature] {
        let text = feature.describe(language);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let equal = texts.split_off(1);
    let pattern = texts.pop().expect("invariant: a group has a feature");
    ClauseText { present: clause.is_present, pattern, equal }
}
