//! Random tests. Every test has its own choices, drawn from the seed and its number, so tests are made
//! in any order.
//!
//! In reading order: `aliases` and `urns` (choices by weight), [`bounds`] (how small and how large trees
//! can be), `rules` (what productions consist of), `receivers` (who takes a tree as it is made) with `runs`
//! and `chains` (tokens that are put down at once), `fill` (what several strategies share), [`depth`],
//! [`free`], `growth` with its tables `parts`, `endings`, `shapes`, `phrases` and `sentences`, [`size`],
//! `lengths` (which lengths exist), [`range`] (several sizes), [`calibration`] (sizes in bytes), [`form`] (the
//! variants of paper 002), [`cooldown`], `mend` (other parts for what cannot be written).

mod aliases;
pub mod bounds;
pub mod calibration;
mod chains;
pub mod cooldown;
pub mod depth;
mod endings;
mod fill;
pub mod form;
pub mod free;
mod growth;
mod lengths;
mod mend;
mod parts;
mod phrases;
pub mod range;
mod receivers;
mod rules;
mod runs;
mod sentences;
mod shapes;
pub mod size;
mod urns;

use gramercy_coverage::Views;

use crate::strategy::Indexed;
use crate::weighing::Weighing;
use fill::Filled;
use form::Order;

/// How choices are made and how a test is kept finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Towards a number of tokens, spread over all open places.
    Size(u64),
    /// Towards numbers of tokens from a range.
    Range(u64, u64),
    /// Down to a depth in nested rules.
    Depth(u32),
    /// By weight alone down to a depth in nested rules, below it as shallow as possible.
    Free(u32),
    /// In an order of paper 002, until so many tokens are certain; then closed off.
    Form(Order, u64),
    /// Down to a depth, every production less likely each time it was used: what Grammarinator does.
    Cooldown {
        /// The depth in nested rules.
        depth: u32,
        /// What the weight of a production is multiplied with when it was used.
        factor: f64,
    },
}

/// All that decides which random tests come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomOptions {
    /// How choices are made.
    pub method: Method,
    /// How probable productions are.
    pub weighing: Weighing,
    /// The seed of the suite.
    pub seed: u64,
    /// The number of tests.
    pub count: u64,
    /// So many tokens, and a test of a depth is closed off: its size may be exponential in the depth.
    pub max_tokens: u64,
}

/// Why there is no test of the wished kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomError {
    /// No sentence exists at all.
    NoSentence,
    /// No tree is as shallow as wished.
    TooShallow {
        /// The depth of the shallowest.
        least: u32,
    },
    /// No sentence is as short as wished.
    TooShort {
        /// The length of the shortest.
        least: u64,
    },
    /// No sentence is as long as wished.
    TooLong {
        /// The length of the longest.
        most: u64,
    },
    /// There are shorter and longer sentences, but none near the wish.
    NoSize {
        /// The nearest length below.
        below: Option<u64>,
        /// The nearest length above, if one was found.
        above: Option<u64>,
    },
}

/// The least depth of a tree of the start symbol, in nested rules; `None` if there is no sentence.
#[must_use]
pub fn least_depth(views: &Views<'_>) -> Option<u32> {
    let least = bounds::Depths::new(views).of(views.bnf.start())?;
    Some(u32::try_from(least).unwrap_or(u32::MAX))
}

/// The strategy of a method.
///
/// # Errors
/// If no test of the wished kind exists.
pub fn strategy<'v>(
    views: &'v Views<'v>,
    options: &RandomOptions,
) -> Result<Box<dyn Indexed + 'v>, RandomError> {
    Ok(match options.method {
        Method::Size(tokens) => Box::new(Filled::new(size::Sized::new(views, options, tokens)?)),
        Method::Range(least, most) => {
            Box::new(Filled::new(range::Range::new(views, options, (least, most))?))
        }
        Method::Free(depth) => Box::new(free::Free::new(views, options, depth)?),
        Method::Depth(depth) => {
            Box::new(Filled::new(depth::DepthBounded::new(views, options, depth)?))
        }
        Method::Form(order, tokens) => Box::new(form::Forms::new(views, options, order, tokens)?),
        Method::Cooldown { depth, factor } => {
            Box::new(Filled::new(cooldown::Cooldown::new(views, options, depth, factor)?))
        }
    })
}
