//! How the random parts of tests are drawn.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use gramercy::generate::{Choice, DrawOptions, LeastUsed, Weighing};

const HEADING: &str = "Random parts";

/// The options of random trees. None has a default of its own, so that one which has nothing to decide
/// about can be refused.
#[derive(Args)]
pub(crate) struct DrawingArgs {
    /// Depth of random trees in nodes of the grammar graph, where the grammar allows it [default: 30]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    depth: Option<u32>,
    #[command(flatten)]
    alternatives: AlternativeArgs,
    /// Added to the probabilities that a grammar gives [default: 0]
    #[arg(long, value_name = "F", value_parser = not_negative, help_heading = HEADING)]
    damping: Option<f64>,
    /// The power that probabilities are raised to: 0 makes all choices equal [default: 1]
    #[arg(long, value_name = "F", value_parser = not_negative, help_heading = HEADING)]
    similarity: Option<f64>,
}

/// How alternatives are chosen.
#[derive(Args)]
pub(crate) struct AlternativeArgs {
    /// Most repetitions of what the grammar repeats without end [default: 10]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    repetitions: Option<u32>,
    /// Alternatives: weighted, uniform, or used least: least-symbol, least-pair:N (among the last N),
    /// least-path:K [default: weighted]
    #[arg(long, value_name = "HOW", help_heading = HEADING)]
    choose: Option<Choosing>,
    /// Choose only among alternatives of the C-th smallest height, from 0 [default: all that fit]
    #[arg(long, value_name = "C", help_heading = HEADING)]
    partition: Option<usize>,
}

/// How alternatives are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choosing {
    Weighted,
    Uniform,
    Least(LeastUsed),
}

impl FromStr for Choosing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |number: &str| match number.parse::<usize>() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("`{number}` is no number from 1 on")),
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

impl fmt::Display for Choosing {
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

impl AlternativeArgs {
    /// The options of random trees of a depth, or of the usual one, and so with the tokens.
    pub(crate) fn options(
        &self,
        depth: Option<u32>,
        weighing: Weighing,
        tokens: Option<u64>,
    ) -> DrawOptions {
        let usual = DrawOptions::default();
        DrawOptions {
            depth: depth.unwrap_or(usual.depth),
            repetitions: self.repetitions.unwrap_or(usual.repetitions),
            choice: match self.choose.unwrap_or(Choosing::Weighted) {
                Choosing::Weighted => Choice::Weighted(weighing),
                Choosing::Uniform => Choice::Uniform,
                Choosing::Least(what) => Choice::LeastUsed(what),
            },
            partition: self.partition,
            tokens: tokens.unwrap_or(usual.tokens),
        }
    }

    fn is_weighted(&self) -> bool {
        matches!(self.choose, None | Some(Choosing::Weighted))
    }

    fn given(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let all = [
            ("--repetitions", self.repetitions.map(|most| most.to_string())),
            ("--choose", self.choose.map(|how| how.to_string())),
            ("--partition", self.partition.map(|partition| partition.to_string())),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// The first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.given().map(|(name, _)| name).next()
    }

    /// The arguments that say the same.
    pub(crate) fn arguments(&self) -> Vec<String> {
        self.given().map(|(name, value)| format!("{name}={value}")).collect()
    }
}

impl DrawingArgs {
    /// The options, ready for use.
    pub(crate) fn options(&self) -> DrawOptions {
        self.alternatives.options(self.depth, self.weighing(), None)
    }

    fn weighing(&self) -> Weighing {
        let usual = Weighing::default();
        Weighing {
            damping: self.damping.unwrap_or(usual.damping),
            similarity: self.similarity.unwrap_or(usual.similarity),
        }
    }

    /// Those that bend probabilities, which other choices do not look at.
    pub(crate) fn idle(&self) -> Option<&'static str> {
        match (self.damping, self.similarity) {
            _ if self.alternatives.is_weighted() => None,
            (Some(_), _) => Some("--damping"),
            (_, Some(_)) => Some("--similarity"),
            _ => None,
        }
    }

    fn given(&self) -> impl Iterator<Item = (&'static str, String)> + use<> {
        let all = [
            ("--depth", self.depth.map(|depth| depth.to_string())),
            ("--damping", self.damping.map(|damping| damping.to_string())),
            ("--similarity", self.similarity.map(|similarity| similarity.to_string())),
        ];
        let own = all.into_iter().filter_map(|(name, value)| Some((name, value?)));
        own.chain(self.alternatives.given())
    }

    /// The first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        self.given().map(|(name, _)| name).next()
    }

    /// The arguments that say the same.
    pub(crate) fn arguments(&self) -> Vec<String> {
        self.given().map(|(name, value)| format!("{name}={value}")).collect()
    }
}

fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| "it is no number".to_owned())
}

/// Reads a number from 0 on.
pub(crate) fn not_negative(text: &str) -> Result<f64, String> {
    match number(text)? {
        number if number < 0.0 => Err("it must not be negative".to_owned()),
        number => Ok(number),
    }
}

/// Reads a number above 0, up to 1.
pub(crate) fn factor(text: &str) -> Result<f64, String> {
    match number(text)? {
        number if number > 0.0 && number <= 1.0 => Ok(number),
        _ => Err("it must be above 0 and at most 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::Choosing;

    #[test]
    fn choices_are_read_and_written() {
        for name in ["weighted", "uniform", "least-symbol", "least-pair:50", "least-path:3"] {
            assert_eq!(name.parse::<Choosing>().map(|how| how.to_string()), Ok(name.to_owned()));
        }
        for wrong in ["", "least", "least-pair", "least-pair:0", "least-path:x", "random"] {
            assert!(wrong.parse::<Choosing>().is_err(), "{wrong}");
        }
    }
}
