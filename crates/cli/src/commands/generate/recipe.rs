//! All that decides about a suite: arguments that a manifest keeps, made ready for the library.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{Args, Parser, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::{CriterionSpec, Measure, TargetId, TargetSet, Views};
use gramercy::generate::strategies::Wishes;
use gramercy::generate::strategies::kpath::Closing;
use gramercy::generate::{Resolution, Ties};
use gramercy::parse::TextParser;
use gramercy::suite::Corpus;

use crate::codes;
use crate::commands::reading::{no_parser, unreadable};
use crate::commands::suites::Criteria;
use crate::console::Console;
use crate::flags::{DrawingArgs, LexemeArgs, ResolutionArgs, SuiteArgs, TieBreak};
use crate::outcome::Failure;
use crate::render::numbers;

/// All that decides about a suite.
#[derive(Args)]
pub(super) struct Recipe {
    /// What the suite is to cover
    #[arg(long, value_name = "CRITERIA", default_value = "kpath:2+lexeme:1")]
    pub(super) cover: Criteria,
    #[command(flatten)]
    resolution: ResolutionArgs,
    /// How the suite is made
    #[arg(long, value_name = "NAME", default_value = "cover")]
    pub(super) strategy: StrategyName,
    /// Leave out what these inputs cover: files, folders, patterns, archives or NDJSON
    #[arg(long, value_name = "CORPUS", value_hint = ValueHint::AnyPath)]
    given: Vec<String>,
    /// Make tests only for the targets of these ranks, such as 3,10-19; for one criterion
    #[arg(long, value_name = "RANKS")]
    pub(super) targets: Option<Ranks>,
    /// Make few large tests that hold as many targets as fit
    #[arg(long, conflicts_with_all = ["variants", "close_off", "recur"])]
    pub(super) pack: bool,
    /// Leave out tests that are not needed to cover the same: the smallest choice that greedy set cover
    /// finds; with -n, so many that cover the most
    #[arg(long)]
    pub(super) minimize: bool,
    /// Memory for what tests cover while --minimize chooses, in MiB
    #[arg(long, value_name = "N", default_value_t = 1024)]
    minimize_memory: usize,
    /// Merge the suites of so many ways to break ties
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) variants: u32,
    /// Give up on a criterion with more targets than this
    #[arg(long, value_name = "N", default_value_t = Limits::default().targets)]
    max_targets: usize,
    /// How to close off what stands beside a path of kpath:K [default: shortest]
    #[arg(long, value_name = "HOW", help_heading = "Random parts")]
    close_off: Option<CloseOff>,
    /// Random tests behind the others, until there are N in all
    #[arg(long, value_name = "N", help_heading = "Random parts", conflicts_with = "recur")]
    pub(super) fall_over: Option<u64>,
    /// The suite of kpath:K again and again with other choices, until there are so many tests, or for so
    /// long: 500, 90s, 5m, 2h
    #[arg(long, value_name = "N|TIME", help_heading = "Random parts")]
    pub(super) recur: Option<Recur>,
    #[command(flatten)]
    pub(super) drawing: DrawingArgs,
    #[command(flatten)]
    pub(super) suite: SuiteArgs,
    #[command(flatten)]
    pub(super) lexemes: LexemeArgs,
}

/// What a manifest keeps of the arguments.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Kept {
    #[command(flatten)]
    recipe: Recipe,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum StrategyName {
    /// A small test for each target that no earlier test was made for
    Cover,
    /// The traversal of an LR-graph by paper 003, for pop edges of small grammars
    LrBfs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CloseOff {
    /// As shortly as possible
    Shortest,
    /// At random within a depth
    Random,
}

/// How long suites are made again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Recur {
    Tests(u64),
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

/// Targets by their ranks.
#[derive(Clone)]
pub(super) struct Ranks(Vec<(TargetId, TargetId)>);

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

impl Ranks {
    /// These targets.
    pub(super) fn of(targets: &[TargetId]) -> Self {
        Self(targets.iter().map(|&target| (target, target)).collect())
    }

    /// The highest rank.
    fn last(&self) -> TargetId {
        self.0.iter().map(|&(_, last)| last).max().unwrap_or(0)
    }

    fn set(&self) -> TargetSet {
        self.0.iter().flat_map(|&(first, last)| first..=last).collect()
    }
}

impl Recipe {
    /// The recipe that these arguments say.
    pub(super) fn from_arguments(arguments: &[String]) -> Result<Self, Failure> {
        Ok(Kept::try_parse_from(arguments)?.recipe)
    }

    /// Refuses what does not belong together.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let has_paths = self.cover.0.iter().any(|spec| matches!(spec, CriterionSpec::KPath(_)));
        let names = self.cover.names().join("+");
        let message = if self.close_off.is_some() && !has_paths {
            format!("--close-off is for kpath:K; tests for `{names}` have no other parts")
        } else if self.recur.is_some() && !has_paths {
            format!("--recur is for kpath:K; for `{names}` use --variants")
        } else if self.targets.is_some() && self.cover.0.len() > 1 {
            format!("--targets are ranks of one criterion, and `{names}` are several")
        } else if let Some(option) = self.unfit_for_traversal() {
            format!("--strategy lr-bfs takes paths as they come: it has no {option}")
        } else {
            return Ok(());
        };
        Err(clap::Error::raw(ErrorKind::ArgumentConflict, message + "\n").into())
    }

    /// What is said about random parts that do not exist. It may stand in `gramercy.toml` for other
    /// commands, so it is no mistake.
    pub(super) fn idle(&self) -> Option<Diagnostic> {
        let is_drawn = self.close_off == Some(CloseOff::Random) || self.fall_over.is_some();
        let message = match (self.drawing.first_given(), self.drawing.idle()) {
            (Some(option), _) if !is_drawn => {
                format!("{option} is about random parts: use --close-off random or --fall-over")
            }
            (_, Some(option)) => format!("{option} bends probabilities: use --choose weighted"),
            _ => return None,
        };
        Some(Diagnostic::new(codes::IDLE_OPTION, message))
    }

    /// An option that the traversal of an LR-graph does not know.
    fn unfit_for_traversal(&self) -> Option<&'static str> {
        let given = [
            ("--pack", self.pack),
            ("--given", !self.given.is_empty()),
            ("--targets", self.targets.is_some()),
            ("--variants", self.variants > 1),
        ];
        let mut given = given.into_iter().filter(|(_, is_given)| *is_given);
        given.next().map(|(name, _)| name).filter(|_| self.strategy == StrategyName::LrBfs)
    }

    pub(super) fn limits(&self) -> Limits {
        Limits { targets: self.max_targets, ..Limits::default() }
    }

    /// The most bytes that are kept of what tests cover.
    pub(super) fn minimize_bytes(&self) -> usize {
        self.minimize_memory.saturating_mul(1 << 20)
    }

    pub(super) fn resolution(&self) -> Resolution {
        self.resolution.with(match self.suite.ties {
            TieBreak::First => Ties::First,
            TieBreak::Random => Ties::Random { seed: self.suite.seed, variant: 0 },
        })
    }

    /// So many tests are to be made, beside what covers something.
    pub(super) fn wished_tests(&self) -> Option<u64> {
        match self.recur {
            Some(Recur::Tests(tests)) => Some(tests),
            _ => self.fall_over,
        }
    }

    /// What is wished of each criterion, of which some targets are given.
    pub(super) fn wishes(
        &self,
        given: Vec<TargetSet>,
        targets: u64,
    ) -> Result<Vec<Wishes>, Failure> {
        if let Some(ranks) = self.targets.as_ref().filter(|ranks| ranks.last() >= targets) {
            let (name, last) = (self.cover.names().join("+"), ranks.last());
            let message = format!("`{name}` has no target of rank {last}");
            let help = format!("ranks go from 0 to {}", targets.saturating_sub(1));
            let diagnostic = Diagnostic::new(codes::NOTHING_TO_COVER, message).help(help);
            return Err(Failure::refused(diagnostic));
        }
        let closing = match self.close_off {
            Some(CloseOff::Random) => Closing::Random(self.drawing.options()),
            _ => Closing::Shortest,
        };
        let wish = |given| Wishes {
            given,
            wanted: self.targets.as_ref().map(Ranks::set),
            closing,
            seed: self.suite.seed,
            max_tokens: self.suite.max_tokens.map(|tokens| tokens as u64),
        };
        Ok(given.into_iter().map(wish).collect())
    }

    /// What the given inputs cover of each criterion. What is not in the language covers nothing, and
    /// is told.
    pub(super) fn given(
        &self,
        views: &Views<'_>,
        limits: &Limits,
        console: &Console,
    ) -> Result<Vec<TargetSet>, Failure> {
        if self.given.is_empty() {
            return Ok(vec![TargetSet::new(); self.cover.0.len()]);
        }
        let parser = TextParser::new(views.grammar, views.bnf, limits)
            .map_err(|error| no_parser(views.grammar, &error))?;
        let criteria = self.cover.named(views, limits)?;
        let criteria = criteria.into_iter().map(|named| named.criterion).collect();
        let productions = views.bnf.production_count();
        let measure = Measure { parser: &parser, criteria, productions, preferences: None };
        let (mut workspace, mut sum) = (parser.workspace(), measure.nothing());
        let (mut problems, mut rejected) = (Vec::new(), Vec::new());
        Corpus::new(&self.given).for_each(|input| {
            match input {
                Err(error) => problems.push(unreadable(&error)),
                Ok(input) => {
                    let text = input.text();
                    let measured = text.and_then(|text| {
                        measure.text(&mut workspace, text).map_err(|rejection| rejection.byte)
                    });
                    match measured {
                        Ok(covered) => _ = sum.add(&covered),
                        Err(byte) => rejected.push((input.name, byte)),
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if let Some((name, byte)) = rejected.first() {
            let count = numbers::grouped(rejected.len() as u64);
            let message = format!("{count} of the given inputs are rejected and cover nothing");
            let note = format!("the first is `{name}`, at byte {byte}");
            problems.push(Diagnostic::new(codes::GIVEN_REJECTED, message).note(note));
        }
        console.report(&problems, views.grammar.sources());
        Ok(sum.targets)
    }

    /// The arguments that make the same suite, which has so many tests.
    pub(super) fn arguments(&self, tests: u64) -> Vec<String> {
        let name = |value: clap::builder::PossibleValue| value.get_name().to_owned();
        let strategy = self.strategy.to_possible_value().expect("invariant: all have names");
        // What is made in a time is made again by its number.
        let recur = self.recur.map(|recur| match recur {
            Recur::Time(_) => Recur::Tests(tests.max(1)),
            tests => tests,
        });
        let close_off = self.close_off.and_then(|how| how.to_possible_value()).map(name);
        let optional = [
            ("close-off", close_off),
            ("fall-over", self.fall_over.map(|tests| tests.to_string())),
            ("recur", recur.map(|recur| recur.to_string())),
            ("targets", self.targets.as_ref().map(Ranks::to_string)),
            // Packed suites have none, and say so.
            ("variants", Some(self.variants.to_string()).filter(|_| !self.pack)),
        ];
        let optional = optional.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let mut arguments = vec![
            format!("--cover={}", self.cover.names().join("+")),
            format!("--strategy={}", strategy.get_name()),
            format!("--max-targets={}", self.max_targets),
        ];
        arguments.extend(optional.map(|(name, value)| format!("--{name}={value}")));
        arguments.extend(self.resolution.arguments());
        arguments.extend(self.given.iter().map(|corpus| format!("--given={corpus}")));
        arguments.extend(self.pack.then(|| "--pack".to_owned()));
        arguments.extend(self.minimize.then(|| "--minimize".to_owned()));
        arguments
            .extend(self.minimize.then(|| format!("--minimize-memory={}", self.minimize_memory)));
        arguments.extend(self.drawing.arguments());
        arguments.extend(self.suite.arguments());
        arguments.extend(self.lexemes.arguments());
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::{Ranks, Recur};

    #[test]
    fn times_and_ranks_are_read_and_written() {
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
