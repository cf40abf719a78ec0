//! How the random parts of tests are drawn.

use clap::Args;
use gramercy::assemble::recipe::Sampling;
use gramercy::sample::methods::Choose;

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
    choose: Option<Choose>,
    /// Choose only among alternatives of the C-th smallest height, from 0 [default: all that fit]
    #[arg(long, value_name = "C", help_heading = HEADING)]
    partition: Option<usize>,
}

impl AlternativeArgs {
    /// Puts what was given into the options of random trees.
    pub(crate) fn apply(&self, sampling: &mut Sampling) {
        sampling.repetitions = self.repetitions.unwrap_or(sampling.repetitions);
        sampling.choose = self.choose.unwrap_or(sampling.choose);
        sampling.partition = self.partition;
    }

    /// The first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--repetitions", self.repetitions.is_some()),
            ("--choose", self.choose.is_some()),
            ("--partition", self.partition.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

impl DrawingArgs {
    /// The options, ready for use.
    pub(crate) fn sampling(&self) -> Sampling {
        let mut sampling = Sampling::default();
        sampling.depth = self.depth.unwrap_or(sampling.depth);
        sampling.damping = self.damping.unwrap_or(sampling.damping);
        sampling.similarity = self.similarity.unwrap_or(sampling.similarity);
        self.alternatives.apply(&mut sampling);
        sampling
    }

    /// An option that bends probabilities, which other choices do not look at.
    pub(crate) fn idle(&self) -> Option<&'static str> {
        let is_weighted = matches!(self.alternatives.choose, None | Some(Choose::Weighted));
        match (self.damping, self.similarity) {
            _ if is_weighted => None,
            (Some(_), _) => Some("--damping"),
            (_, Some(_)) => Some("--similarity"),
            _ => None,
        }
    }

    /// The first option that was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--depth", self.depth.is_some()),
            ("--damping", self.damping.is_some()),
            ("--similarity", self.similarity.is_some()),
        ];
        let own = given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name);
        own.or_else(|| self.alternatives.first_given())
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
