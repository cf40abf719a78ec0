//! Random methods, one file each, and their registry.
//!
//! In reading order: [`bounds`] (how small and how large trees can be), `lengths` (which lengths exist), [`size`],
//! [`range`] (several sizes), [`calibration`] (sizes in bytes), [`depth`], [`free`], [`cooldown`], [`form`] (trees
//! grown as sentential forms), [`graph`] (trees by the grammar graph), [`uniform`] (every tree with the same
//! probability).

pub mod bounds;
pub mod calibration;
pub mod cooldown;
pub mod depth;
pub mod form;
pub mod free;
pub mod graph;
pub(crate) mod lengths;
pub mod range;
pub mod size;
pub mod uniform;

use std::fmt;
use std::str::FromStr;

use gramercy_derive::strategy::Strategy;
use gramercy_language::Language;

use crate::graph_sampler::{Choice, GraphOptions};
use crate::grow::fill::Filled;
use crate::least_used::LeastUsed;
use crate::weighing::Weighing;
use form::{Forms, Order};

/// A line of the registry.
#[derive(Debug)]
pub struct Entry {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What it does, in one line.
    pub help: &'static str,
    /// What bounds a test.
    pub bound: Bound,
    /// Makes the strategy.
    pub build: Build,
}

/// What bounds the tests of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number of tokens.
    Tokens,
    /// A depth.
    Depth,
}

/// Makes the strategy of a method.
pub type Build = for<'v> fn(&'v Language, &RandomOptions) -> Result<Strategy<'v>, RandomError>;

/// All methods, in the order of help texts.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "size",
        help: "towards a number of tokens, spread over all open nonterminals",
        bound: Bound::Tokens,
        build: |language, options| {
            let (least, most) = options.tokens;
            Ok(Strategy::Indexed(match least < most {
                true => Box::new(Filled::new(range::Range::new(language, options, (least, most))?)),
                false => Box::new(Filled::new(size::Sized::new(language, options, least)?)),
            }))
        },
    },
    Entry {
        name: "depth",
        help: "down to a depth in nested rules",
        bound: Bound::Depth,
        build: |language, options| {
            let trees = depth::DepthBounded::new(language, options, options.depth)?;
            Ok(Strategy::Indexed(Box::new(Filled::new(trees))))
        },
    },
    Entry {
        name: "free",
        help: "by weight alone down to a depth, below it as shallow as possible",
        bound: Bound::Depth,
        build: |language, options| {
            let trees = free::Free::new(language, options, options.depth)?;
            Ok(Strategy::Indexed(Box::new(trees)))
        },
    },
    Entry {
        name: "graph",
        help: "down to a depth in nodes of the grammar graph, alternatives as --choose says",
        bound: Bound::Depth,
        build: |language, options| {
            let RandomOptions { seed, count, .. } = *options;
            let trees = graph::RandomTrees::new(language, options.graph_options(), seed, count);
            Ok(Strategy::Sequential(Box::new(trees)))
        },
    },
    Entry {
        name: "forced",
        help: "expand any nonterminal, and close off by force at a number of tokens",
        bound: Bound::Tokens,
        build: |language, options| forms(language, options, Order::Any),
    },
    Entry {
        name: "depth-first",
        help: "as forced, but go on with what the last expansion brought",
        bound: Bound::Tokens,
        build: |language, options| forms(language, options, Order::DepthFirst),
    },
    Entry {
        name: "breadth-first",
        help: "as forced, but go on to the right of the last expansion",
        bound: Bound::Tokens,
        build: |language, options| forms(language, options, Order::BreadthFirst),
    },
    Entry {
        name: "cooldown",
        help: "down to a depth, what was used becomes less likely: the model of Grammarinator",
        bound: Bound::Depth,
        build: |language, options| {
            let RandomOptions { depth, cooldown, .. } = *options;
            let trees = cooldown::Cooldown::new(language, options, depth, cooldown)?;
            Ok(Strategy::Indexed(Box::new(Filled::new(trees))))
        },
    },
];

fn forms<'v>(
    language: &'v Language,
    options: &RandomOptions,
    order: Order,
) -> Result<Strategy<'v>, RandomError> {
    let forms = Forms::new(language, options, order, options.tokens.0)?;
    Ok(Strategy::Indexed(Box::new(forms)))
}

/// A random method.
#[derive(Clone, Copy, Debug)]
pub struct Method(&'static Entry);

impl Method {
    /// What bounds its tests.
    #[must_use]
    pub fn bound(self) -> Bound {
        self.0.bound
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its strategy.
    ///
    /// # Errors
    /// If no test of the requested kind exists.
    pub fn strategy<'v>(
        self,
        language: &'v Language,
        options: &RandomOptions,
    ) -> Result<Strategy<'v>, RandomError> {
        (self.0.build)(language, options)
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = REGISTRY.iter().find(|entry| entry.name == name).map(Self);
        let known = || REGISTRY.iter().map(|entry| entry.name).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| format!("`{name}` is not a random method; known are {}", known()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// The most tokens of one test: a test is held in memory while it is made and proven.
pub const MAX_TOKENS: u64 = 10_000_000;

/// Refuses a number of tokens that is too large for one test.
fn check_tokens(tokens: u64) -> Result<(), RandomError> {
    if tokens > MAX_TOKENS { Err(RandomError::TooLarge { limit: MAX_TOKENS }) } else { Ok(()) }
}

/// What decides which random tests are made, beside the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomOptions {
    /// The least and the most tokens of a test, about; methods of one size take the first.
    pub tokens: (u64, u64),
    /// The depth of a test, in nested rules or nodes of the graph.
    pub depth: u32,
    /// How probable productions are.
    pub weighing: Weighing,
    /// What a production's weight is multiplied with each time it was used, by `cooldown`.
    pub cooldown: f64,
    /// How `graph` chooses alternatives.
    pub alternatives: Alternatives,
    /// The seed of the suite.
    pub seed: u64,
    /// The number of tests.
    pub count: u64,
    /// A test of a depth is closed off at this number of tokens: its size may be exponential in the depth.
    pub max_tokens: u64,
}

impl Default for RandomOptions {
    fn default() -> Self {
        Self {
            tokens: (50, 50),
            depth: 30,
            weighing: Weighing::default(),
            cooldown: 0.5,
            alternatives: Alternatives::default(),
            seed: 0,
            count: 10,
            max_tokens: 10_000,
        }
    }
}

/// How trees by the grammar graph choose alternatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternatives {
    /// The most repetitions of what the grammar repeats without end.
    pub repetitions: u32,
    /// How one of several alternatives is chosen.
    pub choose: Choose,
    /// Only alternatives of the c-th smallest height are chosen from, counted from 0.
    pub partition: Option<usize>,
}

impl Default for Alternatives {
    fn default() -> Self {
        let GraphOptions { repetitions, partition, .. } = GraphOptions::default();
        Self { repetitions, choose: Choose::Weighted, partition }
    }
}

impl Alternatives {
    /// The options of trees of a depth.
    #[must_use]
    pub fn graph_options(self, depth: u32, weighing: Weighing, max_tokens: u64) -> GraphOptions {
        let choice = match self.choose {
            Choose::Weighted => Choice::Weighted(weighing),
            Choose::Uniform => Choice::Uniform,
            Choose::Least(what) => Choice::LeastUsed(what),
        };
        let Self { repetitions, partition, .. } = self;
        GraphOptions { depth, repetitions, choice, partition, tokens: max_tokens.min(MAX_TOKENS) }
    }
}

impl RandomOptions {
    fn graph_options(&self) -> GraphOptions {
        self.alternatives.graph_options(self.depth, self.weighing, self.max_tokens)
    }
}

/// How one of several alternatives is chosen: `weighted`, `uniform`, `least-symbol`, `least-pair:N`,
/// `least-path:K`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choose {
    /// By weight.
    Weighted,
    /// All alike.
    Uniform,
    /// What was used least so far.
    Least(LeastUsed),
}

impl FromStr for Choose {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |number: &str| match number.parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{number}` is not a number from 1 on")),
        };
        match (text, text.split_once(':')) {
            ("weighted", _) => Ok(Self::Weighted),
            ("uniform", _) => Ok(Self::Uniform),
            ("least-symbol", _) => Ok(Self::Least(LeastUsed::Symbol)),
            (_, Some(("least-pair", window))) => {
                Ok(Self::Least(LeastUsed::Pair { window: number(window)? }))
            }
            (_, Some(("least-path", k))) => Ok(Self::Least(LeastUsed::Path { k: number(k)? })),
            _ => {
                Err("known are weighted, uniform, least-symbol, least-pair:N, least-path:K"
                    .to_owned())
            }
        }
    }
}

impl fmt::Display for Choose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weighted => f.write_str("weighted"),
            Self::Uniform => f.write_str("uniform"),
            Self::Least(LeastUsed::Symbol) => f.write_str("least-symbol"),
            Self::Least(LeastUsed::Pair { window }) => write!(f, "least-pair:{window}"),
            Self::Least(LeastUsed::Path { k }) => write!(f, "least-path:{k}"),
        }
    }
}

/// Why there is no test of the requested kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RandomError {
    /// No sentence exists at all.
    NoSentence,
    /// No tree is as shallow as requested.
    TooShallow {
        /// The depth of the shallowest.
        least: u32,
    },
    /// The requested test would take more memory than is reasonable.
    TooLarge {
        /// The most tokens of a test.
        limit: u64,
    },
    /// No sentence is as short as requested.
    TooShort {
        /// The length of the shortest.
        least: u64,
    },
    /// No sentence is as long as requested.
    TooLong {
        /// The length of the longest.
        most: u64,
    },
    /// There are shorter and longer sentences, but none near the requested length.
    NoSize {
        /// The nearest length below.
        below: Option<u64>,
        /// The nearest length above, if one was found.
        above: Option<u64>,
    },
}

/// The least depth of a tree of the start symbol, in nested rules; `None` if there is no sentence.
#[must_use]
pub fn least_depth(language: &Language) -> Option<u32> {
    let least = bounds::Depths::new(language).of(language.bnf().start())?;
    Some(u32::try_from(least).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{Choose, Method, REGISTRY};

    #[test]
    fn choices_are_read_and_written() {
        for name in ["weighted", "uniform", "least-symbol", "least-pair:50", "least-path:3"] {
            assert_eq!(name.parse::<Choose>().map(|how| how.to_string()), Ok(name.to_owned()));
        }
        for wrong in ["", "least", "least-pair", "least-pair:0", "least-path:x", "random"] {
            assert!(wrong.parse::<Choose>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_registry_is_complete() {
        for (at, entry) in REGISTRY.iter().enumerate() {
            assert!(!entry.help.is_empty(), "{}", entry.name);
            assert!(REGISTRY[..at].iter().all(|other| other.name != entry.name), "{}", entry.name);
            assert_eq!(entry.name.parse::<Method>().map(Method::name), Ok(entry.name));
        }
    }
}
