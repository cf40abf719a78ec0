//! Explanations of a failing input: single changes of the grammar with which it can be read further.
//!
//! In reading order: [`weights`], [`gaps`] (what inserted text costs), [`syntax`] (changes of the parser's rules),
//! [`lexical`] (changes of token rules), [`failure`] (all errors of an input, one after the other).

pub mod failure;
pub mod gaps;
pub mod lexical;
pub mod syntax;
pub mod weights;

use gramercy_grammar::RuleId;

use crate::chart::Reached;
use crate::slots::SlotId;

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// Something is inserted at the slot.
    Insert,
    /// The next symbols are left out.
    Skip,
    /// Something else stands in the place of the next symbol.
    Substitute,
    /// The next two symbols are in the other order.
    Transpose,
    /// The rule has one more alternative.
    Alternative,
    /// What was read may be repeated.
    Repeat,
    /// A set of characters of a token rule has more members.
    Widen,
    /// A token rule matches another text than it does.
    Rematch,
}

/// Where a slot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Layer {
    /// In the parser's grammar.
    Syntax,
    /// Among the lexical rules.
    Lexis,
}

/// A change of one rule that explains an error.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The rule that is changed.
    pub rule: RuleId,
    /// How.
    pub change: Change,
    /// Where the slot is.
    pub layer: Layer,
    /// The slot that is changed.
    pub slot: SlotId,
    /// Where reading goes on in that production.
    pub target: SlotId,
    /// The token before which it is changed.
    pub token: usize,
    /// The text that takes the place of what the grammar has there, from byte to byte.
    pub inserted: (usize, usize),
    /// How many tokens, or characters in a token rule, take the place of what the grammar has there.
    pub gap: usize,
    /// How far the input can then be read.
    pub reached: Reached,
    /// The lower, the likelier.
    pub energy: f64,
}
