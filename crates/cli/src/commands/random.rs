//! `gramercy random`: random tests of a requested size or depth.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{Random as RandomRecipe, Recipe, Sampling, Size, Tests};
use gramercy::assemble::{Shard, plan, random};
use gramercy::base::{Diagnostic, Limits};
use gramercy::sample::methods::{Method, REGISTRY};

use super::suites::{Order, Wanted, load_manifest, refuse_ignored};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    AlternativeArgs, Criteria, DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar,
    criteria, criterion_specs, factor, jobs, lexeme_template, not_negative, seed, shard,
};
use crate::outcome::{Failure, Outcome};
use crate::output_file;
use crate::render::suite_errors;

const HEADING: &str = "Suite options";

/// Make random tests of a requested size or depth
#[derive(Args)]
#[command(after_help = "\
A size in tokens is met within a tenth, or two tokens; one in bytes within a quarter, or eight bytes.
Sizes that no sentence has are refused, and the nearest ones are named.

Examples:
  gramercy random grammar.gram
  gramercy random grammar.g4 -n 1000 --tokens 200 --seed 7
  gramercy random grammar.g4 --tokens 10-500
  gramercy random grammar.gram --strategy graph --choose least-path:3
  gramercy random grammar.gram --bytes 4096 -o corpus/ --ext json
  gramercy random grammar.g4 --depth 12 --unique --format ndjson
  gramercy random grammar.g4 --strategy cooldown --depth 20 --cooldown 0.8")]
pub(crate) struct Random {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Tokens of a test, about: a number, or a range such as 10-50 [default: 50]
    #[arg(long, value_name = "N", conflicts_with_all = ["bytes", "depth"])]
    tokens: Option<Tokens>,
    /// Bytes of a test, about
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    bytes: Option<u64>,
    /// Nested rules in a test, at most [default: 6 more than the shallowest test has]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// How choices are made and tests are ended [default: depth with --depth, else size]
    #[arg(long, value_name = "NAME", value_parser = methods())]
    strategy: Option<Method>,
    /// What a production's weight is multiplied with each time it was used in a test
    #[arg(long, value_name = "F", default_value_t = 0.5, value_parser = factor)]
    cooldown: f64,
    /// Added to the probabilities that a grammar gives
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = not_negative)]
    damping: f64,
    /// The power that probabilities are raised to: 0 makes all choices equal
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = not_negative)]
    similarity: f64,
    #[command(flatten)]
    alternatives: AlternativeArgs,
    /// Criteria whose coverage NDJSON and --csv record
    #[arg(
        long, value_name = "CRITERIA", value_parser = criteria(), hide_possible_values = true
    )]
    cover: Vec<Criteria>,
    /// How many tests to make
    #[arg(
        long, short = 'n', visible_alias = "tests", value_name = "N",
        default_value_t = random::TESTS, help_heading = HEADING
    )]
    limit: u64,
    /// Seed of everything that is drawn: a number, or `random` for another one each time
    #[arg(
        long, value_name = "N", default_value = "0", value_parser = seed, help_heading = HEADING
    )]
    seed: u64,
    /// Keep part I of N of the suite; `auto` asks the job scheduler's environment
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = HEADING)]
    shard: Option<Shard>,
    /// Make tests that all differ; keeps 16 bytes in memory for each
    #[arg(long, help_heading = HEADING)]
    unique: bool,
    /// Close a test of a depth off as soon as it has N tokens
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = HEADING)]
    max_tokens: u64,
    /// Leave out tests with more bytes than this
    #[arg(long, value_name = "N", help_heading = HEADING)]
    max_bytes: Option<usize>,
    #[command(flatten)]
    lexemes: LexemeArgs,
    /// Recreate the suite described by this manifest
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// How many tests to make at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    jobs: Option<usize>,
    /// Only print how many tests there are
    #[arg(long, help_heading = HEADING)]
    count: bool,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// The registered methods.
fn methods() -> impl TypedValueParser<Value = Method> {
    let value =
        |entry: &gramercy::sample::methods::Entry| PossibleValue::new(entry.name).help(entry.help);
    PossibleValuesParser::new(REGISTRY.iter().map(value))
        .map(|name| name.parse().expect("invariant: the parser lets only known names through"))
}

/// The least and the most tokens of a test, about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tokens(u64, u64);

impl FromStr for Tokens {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if least <= most => Ok(Self(least, most)),
            _ => Err("a number, or a range such as 10-50".to_owned()),
        }
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(least, most) if least == most => write!(f, "{least}"),
            Self(least, most) => write!(f, "{least}-{most}"),
        }
    }
}

impl Random {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        refuse_ignored(self.grammar.given(), self.from.as_deref(), self.count)?;
        self.grammar.given().say_seed(self.seed, console);
        let limits = Limits::default();
        let (loaded, recipe) = match &self.from {
            Some(path) => {
                let is_ours = |tests: &Tests| matches!(tests, Tests::Random(_));
                let (loaded, recipe) =
                    load_manifest(path, &self.grammar, limits, is_ours, console)?;
                (loaded, Recipe { shard: self.shard.or(recipe.shard), ..recipe })
            }
            None => {
                let loaded = self.grammar.load(limits, console)?;
                let recipe = self.recipe(&loaded)?;
                let idle: Vec<Diagnostic> = self.idle(&recipe).into_iter().collect();
                console.report(&idle, loaded.grammar().sources());
                (loaded, recipe)
            }
        };
        if let Some(path) = &self.lexemes.write_lexemes {
            let writer = plan::writer(&loaded.language, &recipe.text);
            let mut writer =
                writer.map_err(|error| suite_errors::failure(error, &loaded.language))?;
            let template = lexeme_template(loaded.grammar(), &mut writer);
            output_file::write(path, &template, console)?;
            return Ok(Outcome::Clean);
        }
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: jobs(self.jobs),
            wanted: match (self.count, self.json.json) {
                (false, _) => Wanted::Tests,
                (true, false) => Wanted::Count,
                (true, true) => Wanted::JsonCount,
            },
        };
        order.run(console)
    }

    /// The recipe that the flags describe.
    fn recipe(&self, loaded: &LoadedGrammar) -> Result<Recipe, Failure> {
        let mut sampling =
            Sampling { damping: self.damping, similarity: self.similarity, ..Sampling::default() };
        self.alternatives.apply(&mut sampling);
        let tests = RandomRecipe {
            method: self.strategy,
            size: match (self.tokens, self.bytes, self.depth) {
                (Some(Tokens(least, most)), _, _) => Size::Tokens(least, most),
                (_, Some(bytes), _) => Size::Bytes(bytes),
                (_, _, Some(depth)) => Size::Depth(depth),
                _ => Size::Default,
            },
            cooldown: self.cooldown,
            sampling,
            max_tokens: self.max_tokens,
        };
        Ok(Recipe {
            tests: Tests::Random(tests),
            seed: self.seed,
            limit: Some(self.limit),
            shard: self.shard,
            unique: self.unique,
            max_bytes: self.max_bytes,
            report: criterion_specs(&self.cover),
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }

    /// A note about options for alternatives that this method does not choose. They may stand in `gramercy.toml`
    /// for other commands, so they are no mistake.
    fn idle(&self, recipe: &Recipe) -> Option<Diagnostic> {
        let Tests::Random(tests) = &recipe.tests else { return None };
        let method = tests.method().name();
        let option = self.alternatives.first_given().filter(|_| method != "graph")?;
        let message = format!("{option} is for --strategy graph, not `{method}`");
        Some(Diagnostic::new(codes::IDLE_OPTION, message))
    }
}
