//! What a suite is and how it is made, as one value. With the same language and version, the same recipe gives the
//! same bytes.
//!
//! Flags, `gramercy.toml`, manifests and library users make recipes. A recipe says nothing about how fast a suite
//! is made or where it goes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::named::{Choice, Named, choice};
use gramercy_coverage::{CriterionSpec, TargetId, TargetSet};
use gramercy_derive::{Embedding, Resolution, Ties};
use gramercy_lexis::{Alphabet, Lexemes, Spacing};
use gramercy_sample::Weighing;
use gramercy_sample::methods::{Alternatives, Choose, Method};
use serde::{Deserialize, Serialize};

use crate::engine::options::Shard;
use crate::named;
pub use crate::negative::recipe::{Bases, Negative};
pub use crate::uniform::recipe::{Over, Selection, Uniform};

/// How a suite is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Which tests are made.
    pub tests: Tests,
    /// The seed of everything that is drawn.
    pub seed: u64,
    /// The suite ends after this number of tests.
    pub limit: Option<u64>,
    /// Of the whole suite only this part is kept.
    #[serde(with = "named::optional_text")]
    pub shard: Option<Shard>,
    /// Whether one of several tests with equal text is kept; else equal sentences of systematic suites are merged.
    pub unique: bool,
    /// Tests with more bytes are left out.
    pub max_bytes: Option<usize>,
    /// Whether tests are left out that the parser of the notation's own tool rejects, and base tests of negative ones.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted_by_tool: bool,
    /// Criteria whose coverage is recorded beside those that the suite is made for.
    #[serde(with = "named::list")]
    pub report: Vec<CriterionSpec>,
    /// How tokens become text.
    pub text: TextRecipe,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            tests: Tests::Systematic(Systematic::default()),
            seed: 0,
            limit: None,
            shard: None,
            unique: false,
            max_bytes: None,
            accepted_by_tool: false,
            report: Vec::new(),
            text: TextRecipe::default(),
        }
    }
}

impl Recipe {
    /// A suite that covers these criteria with small tests, each as cheap as possible.
    ///
    /// # Errors
    /// If one of the names, joined with `+`, is not a criterion.
    pub fn cover(criteria: &str) -> Result<Self, gramercy_coverage::SpecError> {
        let cover = CriterionSpec::parse_list(criteria)?;
        let tests = Tests::Systematic(Systematic { cover, ..Systematic::default() });
        Ok(Self { tests, ..Self::default() })
    }

    /// A number of random tests.
    #[must_use]
    pub fn random(tests: u64) -> Self {
        Self { tests: Tests::Random(Random::default()), limit: Some(tests), ..Self::default() }
    }
}

/// Which tests are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tests {
    /// Tests that cover criteria.
    Systematic(Systematic),
    /// Random tests.
    Random(Random),
    /// Tests that must fail.
    Negative(Negative),
    /// Exactly uniform random tests.
    Uniform(Uniform),
    /// Tests that a model predicts to reach a target of a program.
    Guided(Guided),
}

/// Tests that a model predicts to reach a target of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Guided {
    /// The file of the model.
    pub model: String,
    /// The name of the target.
    pub target: String,
}

/// Tests that cover criteria.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Systematic {
    /// What the suite covers.
    #[serde(with = "named::list")]
    pub cover: Vec<CriterionSpec>,
    /// How it covers that.
    #[serde(with = "named::choice")]
    pub strategy: StrategyName,
    /// What is small about the rest of a test.
    #[serde(with = "named::choice")]
    pub embedding: Embedding,
    /// What the length of a text is measured in.
    #[serde(rename = "yield", with = "named::choice")]
    pub length: Length,
    /// Which of equally cheap choices is taken.
    #[serde(with = "named::choice")]
    pub ties: TieBreak,
    /// The suites of this number of ways to break ties are merged.
    pub variants: u32,
    /// What these inputs cover is left out: files, folders, patterns, archives or NDJSON.
    pub given: Vec<String>,
    /// Targets that nothing is made for: lines of a list of [`Exemptions`](gramercy_coverage::Exemptions).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exempt: Vec<String>,
    /// Tests are made only for the targets of these ranks.
    #[serde(with = "named::optional_text")]
    pub targets: Option<Ranks>,
    /// Tests that are not needed are left out.
    pub minimize: Option<Minimize>,
    /// How everything beside a k-path is closed off.
    #[serde(with = "named::choice")]
    pub close_off: CloseOffName,
    /// Random tests follow, until there are this many in all.
    pub fall_over: Option<u64>,
    /// The suite of k-paths is made again and again with other choices.
    #[serde(with = "named::optional_text")]
    pub recur: Option<Recur>,
    /// How random parts are drawn.
    pub sampling: Sampling,
    /// Tests with more tokens are left out.
    pub max_tokens: Option<usize>,
}

impl Default for Systematic {
    fn default() -> Self {
        let cover = CriterionSpec::parse_list("kpath:2+lexeme:1");
        Self {
            cover: cover.expect("invariant: both are criteria"),
            strategy: StrategyName::Cover,
            embedding: Embedding::default(),
            length: Length::Terminals,
            ties: TieBreak::First,
            variants: 1,
            given: Vec::new(),
            exempt: Vec::new(),
            targets: None,
            minimize: None,
            close_off: CloseOffName::Shortest,
            fall_over: None,
            recur: None,
            sampling: Sampling::default(),
            max_tokens: None,
        }
    }
}

impl Systematic {
    /// What decides which tree is the cheapest.
    #[must_use]
    pub fn resolution(&self, seed: u64) -> Resolution {
        let ties = match self.ties {
            TieBreak::First => Ties::First,
            TieBreak::Random => Ties::Random { seed, variant: 0 },
        };
        Resolution { embedding: self.embedding, length: self.length, ties }
    }

    /// The number of tests that random parts fill the suite up to.
    #[must_use]
    pub fn requested_tests(&self) -> Option<u64> {
        match self.recur {
            Some(Recur::Tests(tests)) => Some(tests),
            _ => self.fall_over,
        }
    }

    /// Whether k-paths are among what is covered.
    #[must_use]
    pub fn has_paths(&self) -> bool {
        self.cover.iter().any(|spec| spec.path_length().is_some())
    }

    /// The criteria as the user names them.
    #[must_use]
    pub fn cover_name(&self) -> String {
        self.cover.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
    }
}

/// How a suite covers its criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrategyName {
    /// Small tests.
    Cover,
    /// Few large tests.
    Pack,
    /// The traversal of an LR-graph.
    LrBfs,
}

impl Named for StrategyName {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Cover, "cover", "a small test for each target that no earlier test covers"),
        choice(Self::Pack, "pack", "few large tests that hold as many targets as fit"),
        choice(
            Self::LrBfs,
            "lr-bfs",
            "a breadth-first traversal of the LR-graph, for pop edges of small grammars",
        ),
    ];
}

/// Which of equally cheap choices is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieBreak {
    /// The first in file order.
    First,
    /// The first in an order that is drawn from the seed.
    Random,
}

impl Named for TieBreak {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::First, "first", "by the order of the grammar file"),
        choice(Self::Random, "random", "by an order that is drawn from the seed"),
    ];
}

/// How everything beside a k-path is closed off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseOffName {
    /// As cheaply as possible.
    Shortest,
    /// At random.
    Random,
}

impl Named for CloseOffName {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Shortest, "shortest", "as shortly as possible"),
        choice(Self::Random, "random", "at random within a depth"),
    ];
}

/// How tests that are not needed are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Minimize {
    /// Memory for what tests cover, in MiB.
    pub memory: usize,
}

/// How random parts of systematic suites are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// The depth of random trees, in nodes of the grammar graph.
    pub depth: u32,
    /// The most repetitions of what the grammar repeats without end.
    pub repetitions: u32,
    /// How alternatives are chosen.
    #[serde(with = "named::text")]
    pub choose: Choose,
    /// Only alternatives of the c-th smallest height are chosen from.
    pub partition: Option<usize>,
    /// What is added to the probabilities of the grammar.
    pub damping: f64,
    /// The power that probabilities are raised to.
    pub similarity: f64,
}

impl Default for Sampling {
    fn default() -> Self {
        let Alternatives { repetitions, choose, partition } = Alternatives::default();
        let Weighing { damping, similarity } = Weighing::default();
        Self { depth: 30, repetitions, choose, partition, damping, similarity }
    }
}

impl Sampling {
    /// How alternatives are chosen.
    #[must_use]
    pub fn alternatives(&self) -> Alternatives {
        let Self { repetitions, choose, partition, .. } = *self;
        Alternatives { repetitions, choose, partition }
    }

    /// How probable productions are.
    #[must_use]
    pub fn weighing(&self) -> Weighing {
        Weighing { damping: self.damping, similarity: self.similarity }
    }
}

/// Random tests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// How choices are made and tests are ended; by default what the size asks for.
    #[serde(with = "named::optional_text")]
    pub method: Option<Method>,
    /// How large tests are.
    pub size: Size,
    /// What a production's weight is multiplied with each time it was used, by `cooldown`.
    pub cooldown: f64,
    /// How alternatives are chosen by `graph`, and how probable productions are.
    pub sampling: Sampling,
    /// A test of a depth is closed off at this number of tokens.
    pub max_tokens: u64,
}

impl Default for Random {
    fn default() -> Self {
        Self {
            method: None,
            size: Size::Default,
            cooldown: 0.5,
            sampling: Sampling::default(),
            max_tokens: 10_000,
        }
    }
}

impl Random {
    /// The method: the chosen one, or what the size asks for.
    ///
    /// # Panics
    /// Never: both usual methods are registered.
    #[must_use]
    pub fn method(&self) -> Method {
        let usual = if matches!(self.size, Size::Depth(_)) { "depth" } else { "size" };
        self.method.unwrap_or_else(|| usual.parse().expect("invariant: both are registered"))
    }
}

/// How large random tests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// What is usual for the method.
    Default,
    /// The least and the most tokens, about.
    Tokens(u64, u64),
    /// The least and the most bytes, about.
    Bytes(u64, u64),
    /// The depth.
    Depth(u32),
}

/// How tokens become text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRecipe {
    /// Which lexemes.
    #[serde(with = "named::choice")]
    pub lexemes: Lexemes,
    /// Lexemes of tokens that get no others.
    pub pool: Vec<TokenLexemes>,
    /// The least number of characters of a lexeme, where there are such.
    pub lexeme_length: usize,
    /// What goes between tokens.
    #[serde(with = "named::choice")]
    pub spacing: Spacing,
    /// Which characters lexemes may have: `any`, `ascii` or a list such as `a-z0-9`.
    #[serde(with = "named::text")]
    pub alphabet: Alphabet,
}

impl Default for TextRecipe {
    fn default() -> Self {
        Self {
            lexemes: Lexemes::default(),
            pool: Vec::new(),
            lexeme_length: 0,
            spacing: Spacing::default(),
            alphabet: Alphabet::any(),
        }
    }
}

/// The lexemes of one token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenLexemes {
    /// The token's name.
    pub token: String,
    /// Its lexemes.
    pub texts: Vec<String>,
}

/// How long the suite of k-paths is made again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recur {
    /// Until there are this many tests.
    Tests(u64),
    /// For this time. What is made then depends on the machine.
    Time(Duration),
}

impl FromStr for Recur {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let number = digits.parse::<u64>().ok().filter(|&number| number > 0);
        let wrong = || "a number of tests, or a time such as 90s, 5m or 2h".to_owned();
        let number = number.ok_or_else(wrong)?;
        let seconds = match &text[digits.len()..] {
            "" => return Ok(Self::Tests(number)),
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            _ => return Err(wrong()),
        };
        Ok(Self::Time(Duration::from_secs(number.saturating_mul(seconds))))
    }
}

impl fmt::Display for Recur {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tests(tests) => write!(f, "{tests}"),
            Self::Time(time) => write!(f, "{}s", time.as_secs()),
        }
    }
}

/// Targets by their ranks: `3,10-19`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks(Vec<(TargetId, TargetId)>);

impl Ranks {
    /// These targets.
    #[must_use]
    pub fn of(targets: &[TargetId]) -> Self {
        Self(targets.iter().map(|&target| (target, target)).collect())
    }

    /// The highest rank.
    #[must_use]
    pub fn last(&self) -> TargetId {
        self.0.iter().map(|&(_, last)| last).max().unwrap_or(0)
    }

    /// The targets.
    #[must_use]
    pub fn set(&self) -> TargetSet {
        self.0.iter().flat_map(|&(first, last)| first..=last).collect()
    }
}

impl FromStr for Ranks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (range.0 <= range.1).then_some(range)
        };
        let wrong = |part: &str| format!("`{part}` is no rank and no range of ranks, such as 3-7");
        text.split(',')
            .map(|part| range(part).ok_or_else(|| wrong(part)))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |(first, last): &(TargetId, TargetId)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        f.write_str(&self.0.iter().map(one).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::{Ranks, Recur};

    #[test]
    fn runs_and_ranks_are_read_and_written() {
        let recur = |text: &str| text.parse::<Recur>().ok().map(|recur| recur.to_string());
        for (text, written) in [("500", "500"), ("90s", "90s"), ("5m", "300s"), ("2h", "7200s")] {
            assert_eq!(recur(text).as_deref(), Some(written));
        }
        for wrong in ["", "0", "x", "5d", "m", "1.5h", "-1"] {
            assert_eq!(recur(wrong), None, "{wrong}");
        }
        let ranks = |text: &str| text.parse::<Ranks>().ok().map(|ranks| ranks.to_string());
        assert_eq!(ranks("3, 5-7,5-5").as_deref(), Some("3,5-7,5"));
        for wrong in ["", "a", "7-5", "1,,2", "1-2-3", "-4"] {
            assert_eq!(ranks(wrong), None, "{wrong}");
        }
    }
}
