//! `gramercy random`: random tests of a wished size or depth.

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use clap::error::ErrorKind;
use clap::{Args, Parser, ValueEnum, ValueHint};
use gramercy::base::{Diagnostic, Limits};
use gramercy::coverage::Views;
use gramercy::generate::Weighing;
use gramercy::generate::pipeline::options::{Bounds, Merge, Texts};
use gramercy::generate::pipeline::summary::End;
use gramercy::generate::strategies::random::calibration::{self, Calibrated};
use gramercy::generate::strategies::random::form::Order;
use gramercy::generate::strategies::random::{
    self as library, Method, RandomError, RandomOptions, least_depth,
};
use gramercy::generate::strategies::runs::RandomTrees;
use gramercy::generate::{Options, Pipeline, Shard, Strategy, Summary};
use gramercy::lexis::Writer;

use super::suites::{self, Criteria, Places, run_pipeline};
use crate::codes;
use crate::console::Console;
use crate::flags::{
    AlternativeArgs, DestinationArgs, GrammarArgs, JsonArgs, LexemeArgs, LoadedGrammar, factor,
    jobs, lexeme_template, not_negative, shard,
};
use crate::outcome::{Failure, Outcome};
use crate::render::{json, numbers, summary};

const HEADING: &str = "Suite options";
/// The tokens of a test, if nothing is wished.
const TOKENS: u64 = 50;
/// How much deeper than the shallowest a test may be, if nothing is wished.
const DEPTH_BEYOND: u32 = 6;
/// How many tests are made in search of one that is new.
const TRIES_PER_UNIQUE: u64 = 64;

/// Make random tests of a wished size or depth
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
    #[command(flatten)]
    recipe: Recipe,
    /// Make the suite again that this manifest speaks of
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// How many tests to make at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    jobs: Option<usize>,
    /// Only say how many tests there are
    #[arg(long, help_heading = HEADING)]
    count: bool,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// All that decides about a suite.
#[derive(Args)]
struct Recipe {
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
    #[arg(long, value_name = "NAME")]
    strategy: Option<Way>,
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
    /// What it is noted for that tests cover it first, in NDJSON and --csv
    #[arg(long, value_name = "CRITERIA")]
    cover: Option<Criteria>,
    /// How many tests to make
    #[arg(long = "tests", short = 'n', value_name = "N", default_value_t = 10, help_heading = HEADING)]
    tests: u64,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = HEADING)]
    seed: u64,
    /// Keep part I of N of the suite; `auto` asks the job scheduler's environment
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = HEADING)]
    shard: Option<Shard>,
    /// Make tests that all differ; keeps 16 bytes in memory for each
    #[arg(long, help_heading = HEADING)]
    unique: bool,
    /// Close a test of a depth off as soon as it has so many tokens
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = HEADING)]
    max_tokens: u64,
    /// Leave out tests with more bytes than this
    #[arg(long, value_name = "N", help_heading = HEADING)]
    max_bytes: Option<usize>,
    #[command(flatten)]
    lexemes: LexemeArgs,
}

/// What a manifest keeps of the arguments.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct Kept {
    #[command(flatten)]
    recipe: Recipe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Way {
    /// Towards a number of tokens, spread over all open places
    Size,
    /// Down to a depth in nested rules
    Depth,
    /// By weight alone down to a depth, below it as shallow as possible
    Free,
    /// Down to a depth in nodes of the grammar graph, alternatives as --choose says
    Graph,
    /// Expand any nonterminal, and close off by force when so many tokens are certain
    Forced,
    /// As forced, but go on with what the last expansion brought
    DepthFirst,
    /// As forced, but go on to the right of the last expansion
    BreadthFirst,
    /// Down to a depth, what was used becomes less likely: the model of Grammarinator
    Cooldown,
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

impl Way {
    fn has_depth(self) -> bool {
        matches!(self, Way::Depth | Way::Cooldown | Way::Free | Way::Graph)
    }
}

impl Random {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let loaded = self.grammar.load(Limits::default(), console)?;
        let fingerprint = suites::fingerprint(&loaded.grammar);
        match &self.from {
            None => self.make(&self.recipe, &loaded, &fingerprint, console),
            Some(path) => {
                let arguments = suites::arguments_from(path, &fingerprint, "random")?;
                let recipe = Kept::try_parse_from(&arguments)?.recipe;
                self.make(&recipe, &loaded, &fingerprint, console)
            }
        }
    }

    fn make(
        &self,
        recipe: &Recipe,
        loaded: &LoadedGrammar,
        fingerprint: &str,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let (grammar, limits) = (&loaded.grammar, Limits::default());
        let idle: Vec<Diagnostic> = recipe.idle()?.into_iter().collect();
        console.report(&idle, grammar.sources());
        let mut writer = recipe.lexemes.writer(grammar, limits)?;
        if let Some(path) = &self.recipe.lexemes.write_lexemes {
            let template = lexeme_template(grammar, &mut writer);
            std::fs::write(path, template).map_err(|error| Failure::unwritable(path, &error))?;
            return Ok(Outcome::Clean);
        }
        writer.quicken(recipe.seed)?;
        let graph = grammar.graph();
        let bnf = grammar.bnf(&graph, &limits)?;
        let views = Views::new(grammar, &graph, &bnf, &limits);
        let random = recipe.random_options(&views, &mut writer)?;
        let strategy = recipe.strategy(&views, &random)?;
        let criteria = match &recipe.cover {
            Some(criteria) => criteria.named(&views, &limits)?,
            None => Vec::new(),
        };
        let pipeline = Pipeline { views: &views, writer, criteria, options: self.options(recipe) };
        let places = Places {
            destination: &self.destination,
            texts: pipeline.options.texts,
            criteria: pipeline.criteria.iter().map(|named| named.name.clone()).collect(),
        };
        let mut strategies = [strategy];
        let summary = run_pipeline(&pipeline, &mut strategies, &places, console)?;
        self.tell(&summary, recipe, &pipeline, console)?;
        if let Some(path) = self.destination.manifest().filter(|_| !self.count) {
            let manifest =
                suites::manifest("random", recipe.arguments(), loaded, fingerprint, &summary);
            let written = std::fs::write(&path, manifest.to_json());
            written.map_err(|error| Failure::unwritable(&path, &error))?;
        }
        Ok(if summary.end == End::Interrupted { Outcome::Interrupted } else { Outcome::Clean })
    }

    fn options(&self, recipe: &Recipe) -> Options {
        let bytes = recipe.bytes.map(|bytes| {
            let tolerance = calibration::tolerance(bytes);
            let whole = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
            (whole(bytes.saturating_sub(tolerance)), whole(bytes.saturating_add(tolerance)))
        });
        let most = bytes.map(|(_, most)| most).into_iter().chain(recipe.max_bytes).min();
        Options {
            jobs: jobs(self.jobs),
            limit: Some(recipe.tests),
            shard: recipe.shard,
            seed: recipe.seed,
            merge: if recipe.unique { Merge::Texts } else { Merge::Nothing },
            bounds: Bounds {
                tokens: None,
                bytes: most,
                least_bytes: bytes.map(|(least, _)| least),
            },
            texts: if self.count { Texts::Counted } else { Texts::Wanted },
            ..Options::default()
        }
    }

    fn tell(
        &self,
        summary: &Summary,
        recipe: &Recipe,
        pipeline: &Pipeline<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        if self.count {
            let tests = summary.tests;
            match self.json.json {
                true => json::write(console.out(), &summary::Count::new(tests, None))?,
                false => writeln!(console.out(), "{}", numbers::grouped(tests))?,
            }
        }
        let mut findings = summary::findings(summary, pipeline);
        if recipe.unique
            && recipe.shard.is_none()
            && summary.end == End::Complete
            && summary.tests < recipe.tests
        {
            let found = numbers::grouped(summary.tests);
            let message = format!("only {found} tests were found that differ");
            findings.push(Diagnostic::new(codes::FEW_TESTS, message));
        }
        console.report(&findings, pipeline.views.grammar.sources());
        if !self.count {
            console.remark(&summary::random_line(summary));
        }
        Ok(())
    }
}

impl Recipe {
    fn way(&self) -> Result<Way, Failure> {
        let usual = if self.depth.is_some() { Way::Depth } else { Way::Size };
        let way = self.strategy.unwrap_or(usual);
        let is_sized = self.tokens.is_some() || self.bytes.is_some();
        let is_range = self.tokens.is_some_and(|tokens| tokens.0 < tokens.1);
        let wrong = match (way.has_depth(), self.depth, is_sized) {
            (true, _, true) => "a depth and no size: use --depth",
            _ if is_range && way != Way::Size => "one size and no range: use one number",
            (false, Some(_), _) => "a size and no depth: use --tokens",
            // Where they end is known in tokens only.
            _ if self.bytes.is_some() && way != Way::Size => "no size in bytes: use --tokens",
            _ => return Ok(way),
        };
        let name = name(way);
        let message = format!("tests of the strategy `{name}` have {wrong}\n");
        Err(clap::Error::raw(ErrorKind::ArgumentConflict, message).into())
    }

    /// All that decides which tests are made.
    fn random_options<'v>(
        &self,
        views: &'v Views<'v>,
        writer: &mut Writer<'_>,
    ) -> Result<RandomOptions, Failure> {
        let way = self.way()?;
        let tries = if self.unique { TRIES_PER_UNIQUE } else { 1 };
        let mut options = RandomOptions {
            method: Method::Size(TOKENS),
            weighing: Weighing { damping: self.damping, similarity: self.similarity },
            seed: self.seed,
            count: self.tests.saturating_mul(tries),
            max_tokens: self.max_tokens,
        };
        options.method = match way.has_depth() {
            true => {
                let least = least_depth(views).ok_or_else(|| no_such_size(RandomError::NoSentence));
                let depth = self.depth.unwrap_or(least?.saturating_add(DEPTH_BEYOND));
                match way {
                    Way::Cooldown => Method::Cooldown { depth, factor: self.cooldown },
                    Way::Free => Method::Free(depth),
                    _ => Method::Depth(depth),
                }
            }
            false => {
                let tokens = self.size(views, writer, &options)?;
                match way {
                    Way::Forced => Method::Form(Order::Any, tokens),
                    Way::DepthFirst => Method::Form(Order::DepthFirst, tokens),
                    Way::BreadthFirst => Method::Form(Order::BreadthFirst, tokens),
                    _ => match self.tokens {
                        Some(Tokens(least, most)) if least < most => Method::Range(least, most),
                        _ => Method::Size(tokens),
                    },
                }
            }
        };
        Ok(options)
    }

    /// What is said about alternatives that this strategy does not choose. It may stand in
    /// `gramercy.toml` for other commands, so it is no mistake.
    fn idle(&self) -> Result<Option<Diagnostic>, Failure> {
        let way = self.way()?;
        let option = self.alternatives.first_given().filter(|_| way != Way::Graph);
        Ok(option.map(|option| {
            let message = format!("{option} is for --strategy graph, not `{}`", name(way));
            Diagnostic::new(codes::IDLE_OPTION, message)
        }))
    }

    /// The strategy; all but one make tests in any order.
    fn strategy<'v>(
        &self,
        views: &'v Views<'v>,
        options: &RandomOptions,
    ) -> Result<Strategy<'v>, Failure> {
        if self.way()? == Way::Graph {
            let tokens = Some(self.max_tokens);
            let drawing = self.alternatives.options(self.depth, options.weighing, tokens);
            let trees = RandomTrees::new(views, drawing, options.seed, options.count);
            return Ok(Strategy::Sequential(Box::new(trees)));
        }
        library::strategy(views, options).map(Strategy::Indexed).map_err(no_such_size)
    }

    /// The wished number of tokens. Where nothing is wished, sizes that do not exist are passed over.
    fn size<'v>(
        &self,
        views: &'v Views<'v>,
        writer: &mut Writer<'_>,
        options: &RandomOptions,
    ) -> Result<u64, Failure> {
        let Some(bytes) = self.bytes else {
            return match self.tokens {
                Some(Tokens(least, _)) => Ok(least),
                None => {
                    let found = calibration::nearest(views, options, TOKENS);
                    found.map(|(_, tokens)| tokens).map_err(no_such_size)
                }
            };
        };
        let found = calibration::calibrate(views, writer, options, bytes).map_err(no_such_size)?;
        let Calibrated { tokens, mean_bytes } = found;
        if mean_bytes.abs_diff(bytes) > calibration::tolerance(bytes) {
            let (bytes, mean) = (numbers::grouped(bytes), numbers::grouped(mean_bytes));
            let message = format!("no tests of about {bytes} bytes were found");
            let help = format!("the nearest have about {mean} bytes");
            let diagnostic = Diagnostic::new(codes::NO_SUCH_SIZE, message).help(help);
            return Err(Failure::refused(diagnostic));
        }
        Ok(tokens)
    }

    /// The arguments that make the same suite.
    fn arguments(&self) -> Vec<String> {
        let optional = [
            ("tokens", self.tokens.map(|tokens| tokens.to_string())),
            ("bytes", self.bytes.map(|bytes| bytes.to_string())),
            ("depth", self.depth.map(|depth| depth.to_string())),
            ("strategy", self.strategy.map(name)),
            ("cover", self.cover.as_ref().map(|criteria| criteria.names().join("+"))),
            ("shard", self.shard.map(|shard| shard.to_string())),
            ("max-bytes", self.max_bytes.map(|most| most.to_string())),
        ];
        let given = optional.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let mut arguments: Vec<String> =
            given.map(|(name, value)| format!("--{name}={value}")).collect();
        arguments.extend([
            format!("--cooldown={}", self.cooldown),
            format!("--damping={}", self.damping),
            format!("--similarity={}", self.similarity),
            format!("--tests={}", self.tests),
            format!("--seed={}", self.seed),
            format!("--max-tokens={}", self.max_tokens),
        ]);
        arguments.extend(self.alternatives.arguments());
        arguments.extend(self.unique.then(|| "--unique".to_owned()));
        arguments.extend(self.lexemes.arguments());
        arguments
    }
}

fn name(way: Way) -> String {
    way.to_possible_value().expect("invariant: all have names").get_name().to_owned()
}

/// What is told where no test is as wished: always with the nearest that exists.
fn no_such_size(error: RandomError) -> Failure {
    let (message, help) = match error {
        RandomError::NoSentence => {
            let message = "the start rule derives no sentence, so there is nothing to test";
            return Failure::refused(Diagnostic::new(codes::NOTHING_TO_COVER, message));
        }
        RandomError::TooShallow { least } => (
            "no sentence has so shallow a tree".to_owned(),
            format!("the shallowest has {least} nested rules: use --depth {least} or more"),
        ),
        RandomError::TooShort { least } => {
            ("no sentence is so short".to_owned(), format!("the shortest has {}", tokens(least)))
        }
        RandomError::TooLong { most } => {
            ("no sentence is so long".to_owned(), format!("the longest has {}", tokens(most)))
        }
        RandomError::NoSize { below, above } => {
            let sizes: Vec<String> = below.into_iter().chain(above).map(numbers::grouped).collect();
            let help = format!("the nearest have {} tokens", sizes.join(" or "));
            ("no sentence has about so many tokens".to_owned(), help)
        }
    };
    Failure::refused(Diagnostic::new(codes::NO_SUCH_SIZE, message).help(help))
}

fn tokens(count: u64) -> String {
    format!("{} token{}", numbers::grouped(count), if count == 1 { "" } else { "s" })
}
