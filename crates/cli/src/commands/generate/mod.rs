//! `gramercy generate`: a suite that covers criteria.

mod forests;

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gramercy::assemble::recipe::{
    CloseOffName, Minimize, Ranks, Recipe, Recur, StrategyName, Systematic, Tests,
};
use gramercy::base::{Diagnostic, Limits};

use self::forests::{ForestArgs, ForestTable};
use crate::codes;
use crate::commands::suites::{
    Order, Wanted, load_manifest, refuse_ignored, writes_lexeme_template,
};
use crate::console::Console;
use crate::flags::{
    Criteria, DestinationArgs, DrawingArgs, ExemptArgs, GrammarArgs, JsonArgs, LexemeArgs,
    LoadedGrammar, ResolutionArgs, SuiteArgs, criteria, criterion_specs, named,
};
use crate::outcome::{Failure, Outcome};

/// Make a suite of positive tests that covers criteria
#[derive(Args)]
#[command(after_help = format!("\
{}
Examples:
  gramercy generate grammar.gram
  gramercy generate grammar.gram --cover kpath:3 --pack
  gramercy generate grammar.gram --cover kpath:3 --minimize
  gramercy generate grammar.y --cover step:3 --count
  gramercy generate grammar.g4 --cover rule+pll -n 100 --format ndjson
  gramercy generate grammar.g4 --given examples/ --pack
  gramercy generate grammar.gram --fall-over 1000 --depth 20 --choose least-path:2
  gramercy generate grammar.gram --cover kpath:3 --close-off random --recur 5m
  gramercy generate grammar.gram --cover kpath:2 --forests 20 -o forests/
  gramercy generate grammar.gram -o suite/ --ext json
  gramercy generate grammar.gram --from suite/suite.json -o again.tar.zst", crate::flags::criteria_help()))]
pub(crate) struct Generate {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// Criteria to cover, joined with + or in several options
    #[arg(
        long, value_name = "CRITERIA", default_value = "kpath:2+lexeme:1", value_parser = criteria(),
        hide_possible_values = true
    )]
    cover: Vec<Criteria>,
    #[command(flatten)]
    resolution: ResolutionArgs,
    /// How the suite is made
    #[arg(
        long, value_name = "NAME", default_value = "cover", value_parser = named::<StrategyName>()
    )]
    strategy: StrategyName,
    /// Leave out what these inputs cover: files, folders, patterns, archives or NDJSON
    #[arg(long, value_name = "CORPUS", value_hint = ValueHint::AnyPath)]
    given: Vec<String>,
    #[command(flatten)]
    exempt: ExemptArgs,
    /// Make tests only for the targets of these ranks, such as 3,10-19; for one criterion
    #[arg(long, value_name = "RANKS")]
    targets: Option<Ranks>,
    /// Make few large tests that hold as many targets as fit: --strategy pack
    #[arg(long, conflicts_with_all = ["variants", "close_off", "recur"])]
    pack: bool,
    /// Leave out tests that are not needed to cover the same, by greedy set cover; with -n, keep the N tests
    /// that cover the most
    #[arg(long)]
    minimize: bool,
    /// Memory for what tests cover while --minimize chooses, in MiB
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "minimize")]
    minimize_memory: usize,
    /// Merge the suites of N ways to break ties
    #[arg(long, value_name = "N", default_value_t = 1)]
    variants: u32,
    /// Give up on a criterion with more targets than this
    #[arg(long, value_name = "N", default_value_t = Limits::default().targets)]
    max_targets: usize,
    /// How to close off what stands beside a path of kpath:K [default: shortest]
    #[arg(
        long, value_name = "HOW", help_heading = "Random parts",
        value_parser = named::<CloseOffName>()
    )]
    close_off: Option<CloseOffName>,
    /// Add random tests until there are N in all
    #[arg(long, value_name = "N", help_heading = "Random parts", conflicts_with = "recur")]
    fall_over: Option<u64>,
    /// Make the suite of kpath:K again and again with other choices, until there are N tests or for a time: 500,
    /// 90s, 5m, 2h
    #[arg(long, value_name = "N|TIME", help_heading = "Random parts")]
    recur: Option<Recur>,
    #[command(flatten)]
    drawing: DrawingArgs,
    #[command(flatten)]
    suite: SuiteArgs,
    #[command(flatten)]
    lexemes: LexemeArgs,
    #[command(flatten)]
    forests: ForestArgs,
    /// Criteria whose coverage NDJSON and --csv record, beside those of --cover
    #[arg(
        long, value_name = "CRITERIA", value_parser = criteria(), hide_possible_values = true
    )]
    report: Vec<Criteria>,
    /// Recreate the suite described by this manifest
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    destination: DestinationArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl Generate {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let (given, from) = (self.grammar.given(), self.from.as_deref());
        refuse_ignored(given, from, &self.destination, self.suite.count)?;
        self.grammar.given().say_seed(self.suite.seed, console);
        let limits = Limits { targets: self.max_targets, ..Limits::default() };
        let (loaded, recipe) = match &self.from {
            Some(path) => {
                let is_ours = |tests: &Tests| matches!(tests, Tests::Systematic(_));
                let (loaded, recipe) =
                    load_manifest(path, &self.grammar, limits, is_ours, console)?;
                (loaded, Recipe { shard: self.suite.shard.or(recipe.shard), ..recipe })
            }
            None => {
                let loaded = self.grammar.load(limits, console)?;
                let idle: Vec<Diagnostic> = self.idle().into_iter().collect();
                console.report(&idle, loaded.grammar().sources());
                let recipe = self.recipe(&loaded)?;
                (loaded, recipe)
            }
        };
        if writes_lexeme_template(&self.lexemes, &loaded, &recipe, console)? {
            return Ok(Outcome::Clean);
        }
        let order = Order {
            loaded: &loaded,
            recipe: &recipe,
            destination: &self.destination,
            jobs: self.suite.jobs(),
            wanted: Wanted::new(self.suite.count, &self.json),
            only: None,
        };
        match self.forests.forests {
            None => order.run(console),
            Some(largest) => self.make_forests(largest, &order, console),
        }
    }

    /// The recipe that the flags describe.
    fn recipe(&self, loaded: &LoadedGrammar) -> Result<Recipe, Failure> {
        let strategy = match (self.pack, self.strategy) {
            (true, StrategyName::LrBfs) => {
                let message = "--strategy lr-bfs takes paths as they come: it has no --pack";
                return Err(Failure::usage(message));
            }
            (true, _) => StrategyName::Pack,
            (false, strategy) => strategy,
        };
        let tests = Systematic {
            cover: criterion_specs(&self.cover),
            strategy,
            embedding: self.resolution.embedding,
            length: self.resolution.length,
            ties: self.suite.ties,
            variants: self.variants,
            given: self.given.clone(),
            exempt: self.exempt.lines()?,
            targets: self.targets.clone(),
            minimize: self.minimize.then_some(Minimize { memory: self.minimize_memory }),
            close_off: self.close_off.unwrap_or(CloseOffName::Shortest),
            fall_over: self.fall_over,
            recur: self.recur,
            sampling: self.drawing.sampling(),
            max_tokens: self.suite.max_tokens,
        };
        Ok(Recipe {
            tests: Tests::Systematic(tests),
            seed: self.suite.seed,
            limit: self.suite.limit,
            shard: self.suite.shard,
            unique: self.suite.unique,
            max_bytes: self.suite.max_bytes,
            accepted_by_tool: self.suite.accepted_by_tool,
            report: criterion_specs(&self.report),
            text: self.lexemes.recipe(loaded.grammar())?,
        })
    }

    /// A note about options for random parts that the suite does not have. They may stand in `gramercy.toml` for
    /// other commands, so they are no mistake.
    fn idle(&self) -> Option<Diagnostic> {
        let is_drawn = self.close_off == Some(CloseOffName::Random) || self.fall_over.is_some();
        let message = match (self.drawing.first_given(), self.drawing.idle()) {
            (Some(option), _) if !is_drawn => {
                format!("{option} is about random parts: use --close-off random or --fall-over")
            }
            (_, Some(option)) => format!("{option} bends probabilities: use --choose weighted"),
            _ => return None,
        };
        Some(Diagnostic::new(codes::IDLE_OPTION, message))
    }

    /// A suite for each of several subsets of targets, in a folder of its own.
    fn make_forests(
        &self,
        largest: usize,
        order: &Order<'_>,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let [spec] = criterion_specs(&self.cover)[..] else {
            return Err(Failure::usage(
                "--forests are subsets of the targets of one criterion: say which with --cover",
            ));
        };
        let Some(folder) = self.destination.folder() else {
            return Err(Failure::usage("--forests are folders: name one with -o"));
        };
        let criterion = spec.build(&order.loaded.language)?;
        let mut table = ForestTable::new();
        for forest in &self.forests.forests(largest, &*criterion) {
            let mut recipe = order.recipe.clone();
            if let Tests::Systematic(tests) = &mut recipe.tests {
                tests.targets = Some(Ranks::of(&forest.targets));
            }
            let destination = self.destination.below(&forest.name);
            let order = Order { recipe: &recipe, destination: &destination, ..*order };
            let (outcome, covered) = order.run_measured(console)?;
            table.add(forest, &outcome, covered);
            if outcome.is_interrupted() {
                table.write(&folder)?;
                return Ok(Outcome::Interrupted);
            }
        }
        table.write(&folder)?;
        Ok(Outcome::Clean)
    }
}
