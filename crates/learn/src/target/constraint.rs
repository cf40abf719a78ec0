//! What an input must have and must not have to arrive at a leaf.

use gramercy_grammar::NodeId;

use crate::explain::contains;
use crate::model::{Clause, Model, Status, TargetModel};

/// The confidence of a leaf that inputs are made for, unless no leaf has as much.
const SURE: f64 = 0.9;

/// A conjunction of clauses about paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Paths that an input must have.
    pub present: Vec<Vec<NodeId>>,
    /// Paths that it must not have.
    pub absent: Vec<Vec<NodeId>>,
}

impl Constraint {
    /// The clauses about paths, without those that others imply.
    #[must_use]
    pub fn new(model: &Model, clauses: &[Clause]) -> Self {
        let paths = |is_present: bool| -> Vec<Vec<NodeId>> {
            let wanted = clauses.iter().filter(|clause| clause.is_present == is_present);
            wanted.filter_map(|clause| model.features[clause.feature][0].path()).collect()
        };
        let present = without_implied(&paths(true), |path, other| contains(other, path));
        let absent = without_implied(&paths(false), contains);
        Self { present, absent }
    }

    /// Whether the clauses contradict each other: a demanded path contains one that is forbidden.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        let has = |path: &Vec<NodeId>| self.absent.iter().any(|absent| contains(path, absent));
        self.present.iter().any(has)
    }
}

/// The paths without those that another one implies. Of equal ones the first stays.
fn without_implied(
    paths: &[Vec<NodeId>],
    is_implied_by: impl Fn(&[NodeId], &[NodeId]) -> bool,
) -> Vec<Vec<NodeId>> {
    let is_needed = |at: usize| {
        !paths.iter().enumerate().any(|(other, path)| {
            other != at && is_implied_by(&paths[at], path) && (paths[at] != *path || other < at)
        })
    };
    (0..paths.len()).filter(|&at| is_needed(at)).map(|at| paths[at].clone()).collect()
}

/// The constraints of the leaves that predict "covered", the surest first. Leaves that tests refuted, and leaves of
/// which little is known, are left out if there are better ones.
#[must_use]
pub fn covering(model: &Model, target: &TargetModel) -> Vec<Constraint> {
    let mut leaves = target.conjunctions();
    leaves.retain(|(_, leaf)| leaf.is_covered());
    if leaves.iter().any(|(_, leaf)| leaf.status != Status::Refuted) {
        leaves.retain(|(_, leaf)| leaf.status != Status::Refuted);
    }
    leaves.sort_by(|(_, a), (_, b)| b.confidence().total_cmp(&a.confidence()));
    let best = leaves.first().map_or(0.0, |(_, leaf)| leaf.confidence());
    leaves.retain(|(_, leaf)| leaf.confidence() >= SURE.min(best));
    leaves.iter().map(|(clauses, _)| Constraint::new(model, clauses)).collect()
}
