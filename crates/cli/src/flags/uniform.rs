//! Flags of uniform random tests.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};
use gramercy::analysis::counts::SizeUnit;
use gramercy::assemble::recipe::{Over, Selection, Uniform};
use gramercy::assemble::uniform::recipe::{Biased, Boltzmann};

const HEADING: &str = "Uniform options";

/// Flags of uniform random tests.
#[derive(Args)]
pub(crate) struct UniformArgs {
    /// Make tests that are exactly uniform: every derivation tree of the size has the same probability
    #[arg(long, help_heading = HEADING)]
    pub(crate) uniform: bool,
    /// Nodes of a uniform tree, exactly: a number, or a range such as 10-50
    #[arg(
        long, value_name = "N", conflicts_with_all = ["bytes", "depth", "tokens", "characters"],
        help_heading = HEADING
    )]
    pub(crate) nodes: Option<Sizes>,
    /// Characters of a uniform test, without spacing, exactly: a number, or a range
    #[arg(
        long, value_name = "N", conflicts_with_all = ["bytes", "depth", "tokens"],
        help_heading = HEADING
    )]
    pub(crate) characters: Option<Sizes>,
    /// Take all sizes up to the requested one
    #[arg(long, help_heading = HEADING)]
    pub(crate) at_most: bool,
    /// Give every word the same probability, not every tree
    #[arg(long, help_heading = HEADING)]
    pub(crate) words: bool,
    /// Draw trees that all differ
    #[arg(long, conflicts_with_all = ["all", "unrank"], help_heading = HEADING)]
    pub(crate) distinct: bool,
    /// List all trees of the size, in a fixed order; -n bounds them
    #[arg(long, conflicts_with = "unrank", help_heading = HEADING)]
    pub(crate) all: bool,
    /// Make the trees of these ranks in that order
    #[arg(long, value_name = "R,R", value_delimiter = ',', help_heading = HEADING)]
    pub(crate) unrank: Vec<String>,
    /// Print the rank of each tree of this input
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = HEADING)]
    pub(crate) rank: Vec<PathBuf>,
    /// Let each test cover an element of --cover that is picked so that all are covered soon
    #[arg(
        long, conflicts_with_all = ["all", "unrank", "distinct", "words", "boltzmann"],
        help_heading = HEADING
    )]
    pub(crate) biased: bool,
    /// Show how probably tests cover each element of --cover, and which elements to pick how often
    #[arg(long, help_heading = HEADING)]
    pub(crate) plan: bool,
    /// With --plan, the probability of covering everything that a number of tests is asked for
    #[arg(long, value_name = "P", default_value_t = 0.99, value_parser = probability, help_heading = HEADING)]
    pub(crate) confidence: f64,
    /// With --plan, write the probability of covering everything by the number of tests as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = HEADING)]
    pub(crate) curve: Option<PathBuf>,
    /// With --plan, draw this number of suites of -n tests, and print how many of them cover everything
    #[arg(long, value_name = "N", requires = "plan", help_heading = HEADING)]
    pub(crate) simulate: Option<u64>,
    /// With --plan or --biased, the most elements that are planned for
    #[arg(long, value_name = "N", default_value_t = 500, help_heading = HEADING)]
    pub(crate) max_elements: usize,
    /// Draw trees of about the size by a Boltzmann sampler, for sizes whose tables do not fit
    #[arg(long, conflicts_with_all = ["all", "unrank", "distinct", "words"], help_heading = HEADING)]
    pub(crate) boltzmann: bool,
    /// With --boltzmann, how far sizes may be from the requested one, as a share of it
    #[arg(long, value_name = "F", default_value_t = 0.1, value_parser = probability, help_heading = HEADING)]
    pub(crate) tolerance: f64,
    /// Draw trees by a Boltzmann sampler in which symbols make up these shares of the size in the mean
    #[arg(
        long, value_name = "NAME=F", value_delimiter = ',', value_parser = frequency,
        conflicts_with_all = ["all", "unrank", "distinct", "words", "biased"], help_heading = HEADING
    )]
    pub(crate) tune: Vec<(String, f64)>,
    /// With --boltzmann or --tune, print the grammar in the native notation with the tuned probabilities
    #[arg(long, help_heading = HEADING)]
    pub(crate) print_weights: bool,
    /// Memory for tables with numbers of trees, in MiB
    #[arg(long, value_name = "MIB", default_value_t = Uniform::default().memory, help_heading = HEADING)]
    pub(crate) max_memory: usize,
}

/// The least and the greatest size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes(pub(crate) usize, pub(crate) usize);

impl Sizes {
    /// Both sizes.
    pub(crate) fn bounds(self) -> (u64, u64) {
        (self.0 as u64, self.1 as u64)
    }
}

impl FromStr for Sizes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Self(least, most)),
            _ => Err("a number such as 50 or 4k, or a range such as 10-50 or 1k-4k".to_owned()),
        }
    }
}

/// A number; `k` stands for 1024 and `M` for 1024 times 1024.
fn number(text: &str) -> Option<usize> {
    let (digits, factor) = match text.as_bytes() {
        [.., b'k' | b'K'] => (&text[..text.len() - 1], 1 << 10),
        [.., b'm' | b'M'] => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(factor)
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(least, most) if least == most => write!(f, "{least}"),
            Self(least, most) => write!(f, "{least}-{most}"),
        }
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..1.0).contains(&number) && number > 0.0 => Ok(number),
        _ => Err("a number between 0 and 1".to_owned()),
    }
}

fn frequency(text: &str) -> Result<(String, f64), String> {
    let wrong = || format!("`{text}` is not a symbol with a share, such as Array=0.2");
    let (name, share) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok((name.to_owned(), probability(share).map_err(|_| wrong())?))
}

impl UniformArgs {
    /// Whether tests are uniform.
    pub(crate) fn is_wanted(&self) -> bool {
        self.uniform || self.plan
    }

    /// An option that only uniform tests have, if one was given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.nodes.is_some(), "--nodes"),
            (self.characters.is_some(), "--characters"),
            (self.at_most, "--at-most"),
            (self.words, "--words"),
            (self.distinct, "--distinct"),
            (self.all, "--all"),
            (!self.unrank.is_empty(), "--unrank"),
            (!self.rank.is_empty(), "--rank"),
            (self.biased, "--biased"),
            (self.curve.is_some(), "--curve"),
            (self.boltzmann, "--boltzmann"),
            (!self.tune.is_empty(), "--tune"),
            (self.print_weights, "--print-weights"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, name)| name)
    }

    /// The recipe, given the tokens and the elements to be covered that other flags name.
    pub(crate) fn recipe(&self, tokens: Option<Sizes>, cover: Option<&str>) -> Uniform {
        let usual = Uniform::default();
        let (unit, sizes) = match (self.nodes, tokens, self.characters) {
            (Some(nodes), _, _) => (SizeUnit::Nodes, nodes),
            (_, Some(tokens), _) => (SizeUnit::Tokens, tokens),
            (_, _, Some(characters)) => (SizeUnit::Characters, characters),
            _ => (usual.unit, Sizes(usual.least, usual.most)),
        };
        let selection = if self.boltzmann || self.print_weights || !self.tune.is_empty() {
            let (tolerance, frequencies) = (self.tolerance, self.tune.clone());
            Selection::Boltzmann(Boltzmann { tolerance, frequencies })
        } else if self.biased {
            let cover = cover.unwrap_or("nonterminal").to_owned();
            Selection::Biased(Biased { cover, max_elements: self.max_elements })
        } else if self.all {
            Selection::All
        } else if self.distinct {
            Selection::Distinct
        } else if !self.unrank.is_empty() {
            Selection::Ranks(self.unrank.clone())
        } else {
            Selection::Independent
        };
        Uniform {
            unit,
            least: if self.at_most { 0 } else { sizes.0 },
            most: sizes.1,
            over: if self.words { Over::Words } else { Over::Trees },
            selection,
            memory: self.max_memory,
        }
    }
}
