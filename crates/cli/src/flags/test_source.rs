//! Which tests a campaign runs: suites that are made on the fly, positive and negative, or tests that exist.

use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{
    Minimize, Negative, Random, Recipe, Size, StrategyName, Systematic, Tests, TieBreak,
};
use gramercy::assemble::{Manifest, Shard};
use gramercy::base::named::{Choice, Named, choice};
use gramercy::base::{Diagnostic, Limits};
use gramercy::campaign::Source;

use super::{
    Criteria, GrammarArgs, LexemeArgs, LoadedGrammar, MutationArgs, NegativeCriteria,
    ResolutionArgs, criteria, criterion_specs, named, seed, shard,
};
use crate::codes;
use crate::console::Console;
use crate::outcome::Failure;

const SUITE: &str = "Suite options";

/// The options of every command that runs tests.
#[derive(Args)]
pub(crate) struct TestArgs {
    /// Which tests to make: those that a program must accept, must reject, or both
    #[arg(
        long, value_name = "KIND", default_value = "both", value_parser = named::<Kind>(),
        help_heading = SUITE
    )]
    kind: Kind,
    /// Criteria to cover, joined with + [default: kpath:2+lexeme:1]
    #[arg(
        long, value_name = "CRITERIA", help_heading = SUITE, conflicts_with = "from",
        value_parser = criteria(), hide_possible_values = true
    )]
    cover: Vec<Criteria>,
    /// Random tests beside those of --cover, or instead of them
    #[arg(long, value_name = "N", help_heading = SUITE, conflicts_with = "from")]
    random: Option<u64>,
    /// Run these tests instead: a folder, archive, NDJSON file, or the manifest of a suite
    #[arg(long, value_name = "PATH", help_heading = SUITE, value_hint = ValueHint::AnyPath)]
    from: Vec<String>,
    /// End each suite after this number of tests
    #[arg(long, short = 'n', value_name = "N", help_heading = SUITE)]
    limit: Option<u64>,
    /// Seed of everything that is drawn: a number, or `random` for another one each time
    #[arg(long, value_name = "N", default_value = "0", value_parser = seed, help_heading = SUITE)]
    seed: u64,
    /// Which of equally cheap choices to take
    #[arg(
        long, value_name = "HOW", default_value = "first", value_parser = named::<TieBreak>(),
        help_heading = SUITE
    )]
    ties: TieBreak,
    /// Make few large tests that hold as many targets as fit
    #[arg(long, help_heading = SUITE, conflicts_with = "variants")]
    pack: bool,
    /// Leave out tests that are not needed to cover the same
    #[arg(long, help_heading = SUITE)]
    minimize: bool,
    /// Merge the suites of N ways to break ties
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = SUITE)]
    variants: u32,
    /// Leave out what these inputs cover: files, folders, patterns, archives or NDJSON
    #[arg(long, value_name = "CORPUS", help_heading = SUITE, value_hint = ValueHint::AnyPath)]
    given: Vec<String>,
    /// Tokens of a random test, about [default: 50]
    #[arg(long, value_name = "N", help_heading = SUITE, requires = "random")]
    tokens: Option<u64>,
    /// Nested rules in a random test, at most
    #[arg(
        long, value_name = "N", help_heading = SUITE, requires = "random", conflicts_with = "tokens"
    )]
    depth: Option<u32>,
    /// Keep one of several tests with equal text
    #[arg(long, help_heading = SUITE)]
    unique: bool,
    /// Leave out tests with more tokens than this
    #[arg(long, value_name = "N", help_heading = SUITE)]
    max_tokens: Option<usize>,
    /// Leave out tests with more bytes than this
    #[arg(long, value_name = "N", help_heading = SUITE)]
    max_bytes: Option<usize>,
    /// Run part I of N of the tests; `auto` asks the job scheduler's environment
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = SUITE)]
    shard: Option<Shard>,
    #[command(flatten)]
    resolution: ResolutionArgs,
    #[command(flatten)]
    lexemes: LexemeArgs,
    /// Negative criteria to cover, joined with + [default: item-edit+lexeme-error]
    #[arg(
        long, value_name = "CRITERIA", help_heading = "Negative tests", conflicts_with_all = ["mutate", "from"]
    )]
    negative: Option<NegativeCriteria>,
    #[command(flatten)]
    mutation: MutationArgs,
}

/// Which tests are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Both,
    Positive,
    Negative,
}

impl Named for Kind {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Both, "both", "tests to accept, then tests to reject"),
        choice(Self::Positive, "positive", "tests to accept"),
        choice(Self::Negative, "negative", "tests to reject"),
    ];
}

impl TestArgs {
    /// Where tests come from.
    pub(crate) fn source(
        &self,
        grammar: &GrammarArgs,
        loaded: &LoadedGrammar,
        console: &Console,
    ) -> Result<Source, Failure> {
        let shard = self.shard;
        let recipes = match &self.from[..] {
            [] => self.recipes(grammar, loaded, console)?,
            [only] if only.ends_with(".json") => vec![self.manifest(only, loaded)?],
            several => return Ok(Source::Corpus { arguments: several.to_vec(), shard }),
        };
        Ok(Source::Recipes { recipes, shard })
    }

    /// The positive suites, for grammars that read each other's.
    pub(crate) fn positive(&self, loaded: &LoadedGrammar) -> Result<Vec<Recipe>, Failure> {
        let base = self.base(loaded)?;
        Ok(self.systematic(&base).into_iter().chain(self.random(&base)).collect())
    }

    fn base(&self, loaded: &LoadedGrammar) -> Result<Recipe, Failure> {
        Ok(Recipe {
            seed: self.seed,
            limit: self.limit,
            unique: self.unique,
            max_bytes: self.max_bytes,
            text: self.lexemes.recipe(loaded.grammar())?,
            ..Recipe::default()
        })
    }

    fn recipes(
        &self,
        grammar: &GrammarArgs,
        loaded: &LoadedGrammar,
        console: &Console,
    ) -> Result<Vec<Recipe>, Failure> {
        let base = self.base(loaded)?;
        let mut recipes = Vec::new();
        if self.kind != Kind::Negative {
            recipes.extend(self.systematic(&base));
            recipes.extend(self.random(&base));
        }
        if self.kind != Kind::Positive {
            recipes.push(self.negative(grammar, &base, console)?);
        }
        Ok(recipes)
    }

    fn systematic(&self, base: &Recipe) -> Option<Recipe> {
        if self.cover.is_empty() && self.random.is_some() {
            return None;
        }
        let usual = Systematic::default();
        let tests = Systematic {
            cover: match &self.cover[..] {
                [] => usual.cover,
                own => criterion_specs(own),
            },
            strategy: if self.pack { StrategyName::Pack } else { usual.strategy },
            embedding: self.resolution.embedding,
            length: self.resolution.length,
            ties: self.ties,
            variants: self.variants,
            given: self.given.clone(),
            minimize: self.minimize.then_some(Minimize { memory: 1024 }),
            max_tokens: self.max_tokens,
            ..usual
        };
        Some(Recipe { tests: Tests::Systematic(tests), ..base.clone() })
    }

    fn random(&self, base: &Recipe) -> Option<Recipe> {
        let tests = self.random?;
        let limit = Some(self.limit.map_or(tests, |limit| limit.min(tests)));
        let size = match (self.tokens, self.depth) {
            (Some(tokens), _) => Size::Tokens(tokens, tokens),
            (_, Some(depth)) => Size::Depth(depth),
            _ => Size::Default,
        };
        let random = Random { size, ..Random::default() };
        Some(Recipe { tests: Tests::Random(random), limit, ..base.clone() })
    }

    fn negative(
        &self,
        grammar: &GrammarArgs,
        base: &Recipe,
        console: &Console,
    ) -> Result<Recipe, Failure> {
        let usual = Negative::default();
        let tests = Negative {
            mutate: self.mutation.families(),
            cover: self.negative.clone().map_or(usual.cover, |criteria| criteria.0),
            of: self.mutation.bases(grammar, Limits::default(), console)?,
            check: self.mutation.check,
            select: self.mutation.select,
            order: self.mutation.order,
            embedding: self.resolution.embedding,
            length: self.resolution.length,
            ties: self.ties,
            max_tokens: self.max_tokens,
            with_positives: false,
        };
        Ok(Recipe { tests: Tests::Negative(tests), ..base.clone() })
    }

    fn manifest(&self, path: &str, loaded: &LoadedGrammar) -> Result<Recipe, Failure> {
        let unusable = |error| {
            let message = format!("cannot use `{path}`: {error}");
            Failure::refused(Diagnostic::new(codes::BAD_MANIFEST, message))
        };
        let manifest = Manifest::read(path.as_ref()).map_err(unusable)?;
        manifest.check(&loaded.language).map_err(unusable)?;
        Ok(Recipe { limit: self.limit.or(manifest.recipe.limit), ..manifest.recipe })
    }
}
