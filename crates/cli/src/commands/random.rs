//! `gramercy random`: random tests of a requested size or depth.

use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{Random as RandomRecipe, Recipe, Sampling, Size, Tests, Uniform};
use gramercy::assemble::{Shard, random};
use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::CriterionSpec;
use gramercy::sample::methods::uniform::ElementKinds;
use gramercy::sample::methods::{Method, REGISTRY};

use super::suites::{Order, Wanted, load_manifest, refuse_ignored, writes_lexeme_template};
use super::uniform::Asked;
use crate::codes;
use crate::console::Console;
use crate::flags::{
    AlternativeArgs, Criteria, DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar,
    Sizes, UniformArgs, factor, jobs, not_negative, seed, shard,
};
use crate::outcome::{Failure, Outcome};

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
  gramercy random grammar.gram --bytes 1k-4k -o corpus/ --ext json
  gramercy random grammar.g4 --depth 12 --unique --format ndjson
  gramercy random grammar.g4 --strategy cooldown --depth 20 --cooldown 0.8
  gramercy random grammar.y --uniform --nodes 20 -n 1000
  gramercy random grammar.y --uniform --tokens 12 --words
  gramercy random grammar.y --plan --nodes 20 --cover nonterminal --confidence 0.99
  gramercy random grammar.y --uniform --nodes 20 --biased --cover production -n 50")]
pub(crate) struct Random {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Tokens of a test, about: a number, or a range such as 10-50 [default: 50]
    #[arg(long, value_name = "N", conflicts_with_all = ["bytes", "depth"])]
    tokens: Option<Sizes>,
    /// Bytes of a test, about: a number, or a range such as 1k-4k
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    bytes: Option<Sizes>,
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
    #[command(flatten)]
    uniform: UniformArgs,
    /// Criteria whose coverage NDJSON and --csv record; with --plan or --biased what to cover: nonterminal,
    /// production, node, kpath:2 or symbols:NAME,NAME
    #[arg(long, value_name = "CRITERIA")]
    cover: Vec<Cover>,
    /// How many tests to make [default: 10; with --all all trees]
    #[arg(
        long, short = 'n', visible_alias = "tests", value_name = "N", help_heading = HEADING
    )]
    limit: Option<u64>,
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
    /// Leave out tests that the parser of the notation's own tool rejects: bison loses sentences where it
    /// resolves conflicts
    #[arg(long, help_heading = HEADING)]
    accepted_by_tool: bool,
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

/// What is covered: criteria, or elements that a plan is made for.
#[derive(Clone, Debug)]
struct Cover(String);

impl FromStr for Cover {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.parse::<ElementKinds>(), text.parse::<Criteria>()) {
            (Err(_), Err(error)) => Err(error.to_string()),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

/// The registered methods.
fn methods() -> impl TypedValueParser<Value = Method> {
    let value =
        |entry: &gramercy::sample::methods::Entry| PossibleValue::new(entry.name).help(entry.help);
    PossibleValuesParser::new(REGISTRY.iter().map(value))
        .map(|name| name.parse().expect("invariant: the parser lets only known names through"))
}

impl Random {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let has_json = self.count || self.uniform.plan || !self.uniform.rank.is_empty();
        let (given, from) = (self.grammar.given(), self.from.as_deref());
        refuse_ignored(given, from, &self.destination, has_json)?;
        self.grammar.given().say_seed(self.seed, console);
        let limits = Limits::default();
        let (loaded, recipe) = match &self.from {
            Some(path) => {
                let is_ours = |tests: &Tests| matches!(tests, Tests::Random(_) | Tests::Uniform(_));
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
        let cover = self.cover();
        let asked = Asked {
            args: &self.uniform,
            loaded: &loaded,
            recipe: &recipe,
            cover: cover.as_deref(),
            is_json: self.json.json,
            jobs: self.jobs,
        };
        if let Some(outcome) = asked.run(console)? {
            return Ok(outcome);
        }
        if writes_lexeme_template(&self.lexemes, &loaded, &recipe, console)? {
            return Ok(Outcome::Clean);
        }
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: jobs(self.jobs),
            wanted: Wanted::new(self.count, &self.json),
            only: None,
        };
        order.run(console)
    }

    /// The recipe that the flags describe.
    fn recipe(&self, loaded: &LoadedGrammar) -> Result<Recipe, Failure> {
        let tests = match self.uniform.is_wanted() {
            true => Tests::Uniform(self.uniform_tests()?),
            false => Tests::Random(self.random_tests()?),
        };
        let is_planned = self.uniform.plan || self.uniform.biased;
        let is_all = self.uniform.all || !self.uniform.unrank.is_empty();
        Ok(Recipe {
            tests,
            seed: self.seed,
            limit: self.limit.or((!is_all).then_some(random::TESTS)),
            shard: self.shard,
            unique: self.unique,
            max_bytes: self.max_bytes,
            accepted_by_tool: self.accepted_by_tool,
            report: match is_planned {
                true => Vec::new(),
                false => self.reported()?,
            },
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }

    /// What is covered, joined with `+`.
    fn cover(&self) -> Option<String> {
        let names: Vec<&str> = self.cover.iter().map(|cover| &*cover.0).collect();
        (!names.is_empty()).then(|| names.join("+"))
    }

    /// The criteria whose coverage is recorded.
    fn reported(&self) -> Result<Vec<CriterionSpec>, Failure> {
        let Some(names) = self.cover() else { return Ok(Vec::new()) };
        let criteria = names.parse::<Criteria>().map_err(|error| {
            let message = format!("invalid value '{names}' for '--cover <CRITERIA>': {error}\n");
            clap::Error::raw(ErrorKind::ValueValidation, message)
        })?;
        Ok(criteria.0)
    }

    fn uniform_tests(&self) -> Result<Uniform, Failure> {
        if self.bytes.is_some() || self.depth.is_some() || self.strategy.is_some() {
            let message = "uniform tests have a size: use --nodes, --tokens or --characters\n";
            return Err(clap::Error::raw(ErrorKind::ArgumentConflict, message).into());
        }
        Ok(self.uniform.recipe(self.tokens, self.cover().as_deref()))
    }

    fn random_tests(&self) -> Result<RandomRecipe, Failure> {
        if let Some(option) = self.uniform.first_given() {
            let message = format!("{option} is for --uniform\n");
            return Err(clap::Error::raw(ErrorKind::MissingRequiredArgument, message).into());
        }
        let mut sampling =
            Sampling { damping: self.damping, similarity: self.similarity, ..Sampling::default() };
        self.alternatives.apply(&mut sampling);
        Ok(RandomRecipe {
            method: self.strategy,
            size: match (self.tokens.map(Sizes::bounds), self.bytes.map(Sizes::bounds), self.depth)
            {
                (Some((least, most)), _, _) => Size::Tokens(least, most),
                (_, Some((least, most)), _) => Size::Bytes(least, most),
                (_, _, Some(depth)) => Size::Depth(depth),
                _ => Size::Default,
            },
            cooldown: self.cooldown,
            sampling,
            max_tokens: self.max_tokens,
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
