//! What each criterion must do.

use gramercy_base::Span;
use gramercy_parse::Derivations;

use crate::targets::{TargetId, TargetSet};

/// A set of targets, and how derivations cover them.
pub trait Criterion: Send + Sync + std::fmt::Debug {
    /// The number of targets.
    fn targets(&self) -> u64;

    /// How many of them some sentence covers.
    fn coverable(&self) -> u64;

    /// Why no sentence covers a target; `None` if one does.
    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable>;

    /// Adds what derivations cover: every target that some tree among them covers.
    fn cover(&self, derivations: &Derivations, covered: &mut TargetSet);

    /// A target for people.
    fn describe(&self, target: TargetId) -> String;

    /// The place in the grammar file that a target speaks of.
    fn place(&self, target: TargetId) -> Option<Span>;
}

/// Why no sentence covers a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncoverable {
    /// The start rule does not lead there.
    Unreachable,
    /// Something in it, or beside it, derives nothing.
    Unproductive,
}

impl Uncoverable {
    /// The reason for people.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Uncoverable::Unreachable => "the start rule does not lead there",
            Uncoverable::Unproductive => "it needs something that derives no text",
        }
    }
}
