//! Suites of exactly uniform random tests.
//!
//! In reading order: [`recipe`], and here how the strategy of a recipe is made.

pub mod recipe;

use std::sync::Arc;

use dashu_int::UBig;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_derive::strategy::Strategy;
use gramercy_grammar::Symbol;
use gramercy_language::Language;
use gramercy_sample::methods::uniform::{
    Boltzmann, BoltzmannTrees, Drawn, ElementError, ElementKinds, Elements, Frequency, Plan,
    PlanError, PlanOptions, RankedTrees, Ranking, Ranks, Sampler, Stream, TreeSpace, TuneError,
    UniformTrees, WordTrees, distinct_ranks, plan,
};
use gramercy_suite::Sink;

use crate::engine::options::{Bounds, Merge, Options};
use crate::engine::summary::{Summary, UniformFigures};
use crate::engine::{Engine, Progress, Watch};
use crate::plan as preparation;
use crate::random::TESTS;
use crate::recipe::Recipe;
use crate::suite::SuiteError;
use recipe::{Over, Selection, Uniform};

/// How many other trees are drawn for a test whose first one has no text.
const MAX_ATTEMPTS: u32 = 1000;

/// A strategy with what it reports.
struct Made<'l> {
    strategy: Strategy<'l>,
    drawn: Option<Arc<Drawn>>,
    promise: String,
    remarks: Vec<String>,
    count: u64,
}

/// Makes the suite of a recipe.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    tests: &Uniform,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    check(recipe, tests)?;
    let writer = preparation::writer(language, &recipe.text)?;
    let made = strategy(language, recipe, tests, watch)?;
    let criteria = preparation::criteria(language, &recipe.report)?;
    let options = Options {
        limit: Some(made.count),
        shard: recipe.shard,
        seed: recipe.seed,
        max_attempts: if made.drawn.is_some() { MAX_ATTEMPTS } else { 0 },
        merge: Merge::Nothing,
        bounds: Bounds { tokens: None, bytes: recipe.max_bytes, least_bytes: None },
        accepted_by_tool: recipe.accepted_by_tool,
        ..Options::default()
    };
    let engine = Engine::new(language, writer, criteria, options);
    let mut summary = engine.run(&mut [made.strategy], sink, watch)?;
    let drawn = made.drawn.unwrap_or_default();
    if let Some(limit) = drawn.limit() {
        return Err(limit.into());
    }
    let mut remarks = made.remarks;
    if let Some((sized, least, mean, most)) = drawn.sizes() {
        let unit = tests.unit.name();
        remarks.push(format!(
            "{sized} trees of an accepted size among {} drawn, from {least} to {most} {unit}, {mean:.1} in the mean",
            drawn.trees()
        ));
    }
    summary.uniform = Some(UniformFigures {
        promise: made.promise,
        drawn: drawn.trees(),
        without_text: drawn.rejected(),
        repeated: drawn.repeated(),
        gave_up: drawn.gave_up(),
        remarks,
    });
    Ok(summary)
}

/// Refuses what would change the distribution, or does not go together.
fn check(recipe: &Recipe, tests: &Uniform) -> Result<(), SuiteError> {
    let wrong = match &tests.selection {
        _ if recipe.unique => "uniform tests are not made unique by text: use --distinct",
        Selection::Independent => return Ok(()),
        _ if tests.over == Over::Words => "only independent tests are uniform over words",
        _ => return Ok(()),
    };
    Err(SuiteError::Conflict(wrong.to_owned()))
}

/// The trees of a recipe.
///
/// # Errors
/// If sizes are not well defined.
pub fn space(language: &Language, tests: &Uniform) -> Result<Arc<TreeSpace>, SuiteError> {
    let memory = MemoryLimit { bytes: tests.memory.saturating_mul(1 << 20) };
    Ok(Arc::new(TreeSpace::new(language, tests.range(), memory)?))
}

fn strategy<'l>(
    language: &'l Language,
    recipe: &Recipe,
    tests: &Uniform,
    watch: &mut dyn Watch,
) -> Result<Made<'l>, SuiteError> {
    let requested = recipe.limit.unwrap_or(TESTS);
    let range = tests.range();
    match &tests.selection {
        Selection::Independent => {
            let sampler = Sampler::new(space(language, tests)?, None)?;
            let words = match tests.over {
                Over::Trees => None,
                Over::Words => Some(WordTrees::new(language, range)?),
            };
            let trees = UniformTrees::new(vec![(1.0, sampler)], words, recipe.seed, requested);
            if let Some(share) = trees.hopeless_share()? {
                return Err(SuiteError::TooAmbiguous(share));
            }
            let drawn = Some(trees.drawn());
            let promise = match tests.over {
                Over::Trees => format!("every tree of {range} has the same probability"),
                Over::Words => format!("every word of {range} has the same probability"),
            };
            let strategy = Strategy::Indexed(Box::new(trees));
            Ok(Made { strategy, drawn, promise, remarks: Vec::new(), count: requested })
        }
        Selection::Distinct => {
            let ranking = Ranking::new(space(language, tests)?)?;
            let mut stream = Stream::new([recipe.seed, 0, 0, DISTINCT]);
            let ranks = distinct_ranks(ranking.total(), requested, &mut stream)?;
            let promise =
                format!("every set of different trees of {range} has the same probability");
            Ok(ranked(ranking, Ranks::These(ranks), promise))
        }
        Selection::All => {
            let ranking = Ranking::new(space(language, tests)?)?;
            let all = u64::try_from(ranking.total()).unwrap_or(u64::MAX);
            let count = recipe.limit.map_or(all, |limit| limit.min(all));
            let promise = format!("all trees of {range}, in order");
            Ok(ranked(ranking, Ranks::First(count), promise))
        }
        Selection::Ranks(ranks) => {
            let ranking = Ranking::new(space(language, tests)?)?;
            let ranks =
                ranks.iter().map(|text| read_rank(text, &ranking)).collect::<Result<_, _>>();
            let promise = format!("trees of {range} by rank");
            Ok(ranked(ranking, Ranks::These(ranks?), promise))
        }
        Selection::Biased(bias) => biased(language, recipe, tests, bias, watch),
        Selection::Boltzmann(tuning) => boltzmann(language, recipe, tests, tuning),
    }
}

/// Trees that each cover an element which is picked by a plan.
fn biased<'l>(
    language: &'l Language,
    recipe: &Recipe,
    tests: &Uniform,
    bias: &recipe::Biased,
    watch: &mut dyn Watch,
) -> Result<Made<'l>, SuiteError> {
    let kinds = &bias.cover;
    let options = PlanOptions { jobs: watch.jobs(), max_elements: bias.max_elements };
    watch.begin("elements planned");
    let (elements, plan) = make_plan(language, tests, kinds, options, &mut |done, all| {
        watch.progress(&Progress { tests: done, bytes: 0, done, all: Some(all) })
    })?;
    watch.begin("tests");
    let samplers = samplers(&elements, &plan)?;
    let count = recipe.limit.unwrap_or(TESTS);
    let range = tests.range();
    let promise = format!(
        "every tree of {range} that covers an element has the same probability; the element is picked among {}",
        samplers.len()
    );
    let trees = UniformTrees::new(samplers, None, recipe.seed, count);
    let covered = plan.biased.probability(count.into());
    let mut remarks = vec![format!(
        "each element of {kinds} is covered by a test with a probability of at least {:.4}, and all by {count} tests \
         with one of at least {:.4}",
        plan.p, covered.least
    )];
    if !plan.impossible.is_empty() {
        remarks.push(format!("no tree of {range} covers {}", plan.impossible.join(", ")));
    }
    let drawn = Some(trees.drawn());
    let strategy = Strategy::Indexed(Box::new(trees));
    Ok(Made { strategy, drawn, promise, remarks, count })
}

/// A sampler for each element that a plan picks, with the probability that it does.
///
/// # Errors
/// If tables take more memory than allowed.
pub fn samplers(elements: &Elements, plan: &Plan) -> Result<Vec<(f64, Sampler)>, SuiteError> {
    let picked = || plan.elements.iter().filter(|planned| planned.pi > 0.0);
    let sets = picked().map(|planned| elements.list[planned.index].productions.clone());
    let samplers = Sampler::covering(&elements.space, sets)?;
    Ok(picked().map(|planned| planned.pi).zip(samplers).collect())
}

/// The plan that covers all elements of some kinds with the highest probability.
///
/// # Errors
/// If there is no such tree, or no plan, or the watcher stops the work.
pub fn make_plan(
    language: &Language,
    tests: &Uniform,
    kinds: &str,
    options: PlanOptions,
    watch: &mut plan::Watch<'_>,
) -> Result<(Elements, Plan), SuiteError> {
    let kinds: ElementKinds = kinds.parse().map_err(SuiteError::Conflict)?;
    let memory = MemoryLimit { bytes: tests.memory.saturating_mul(1 << 20) };
    let elements = Elements::new(language, &kinds, tests.range(), memory);
    let elements = elements.map_err(|error| match error {
        ElementError::Space(error) => error.into(),
        ElementError::Unknown(name) => {
            SuiteError::Conflict(format!("no sentence of the grammar has a symbol `{name}`"))
        }
    })?;
    let plan = Plan::watched(&elements, options, watch).map_err(|error| match error {
        PlanError::Space(error) => SuiteError::from(error),
        PlanError::Stopped => SuiteError::Interrupted,
        PlanError::Unsolved(why) => {
            SuiteError::Conflict(format!("the linear program has no solution: {why}"))
        }
    })?;
    Ok((elements, plan))
}

/// Trees of a Boltzmann sampler.
fn boltzmann<'l>(
    language: &'l Language,
    recipe: &Recipe,
    tests: &Uniform,
    tuning: &recipe::Boltzmann,
) -> Result<Made<'l>, SuiteError> {
    let (space, sampler) = tune(language, tests, tuning)?;
    let count = recipe.limit.unwrap_or(TESTS);
    let range = space.range();
    let promise = match tuning.frequencies.is_empty() {
        true => format!(
            "trees of {range}; those of equal size have the same probability, up to the rounding of doubles"
        ),
        false => {
            format!("trees of {range}; their probability is proportional to their tuned weight")
        }
    };
    let mut remarks = vec![format!(
        "weight of a unit of size {:.9}, expected size {:.1}",
        sampler.z, sampler.mean
    )];
    if sampler.is_singular {
        remarks.push(
            "no weight has a larger mean, so smaller trees are drawn more often and not kept"
                .to_owned(),
        );
    }
    for ((name, _), share) in tuning.frequencies.iter().zip(&sampler.shares) {
        remarks.push(format!("`{name}` has an expected share of {share:.4}"));
    }
    let trees = BoltzmannTrees::new(sampler, space, recipe.seed, count);
    let drawn = Some(trees.drawn());
    let strategy = Strategy::Indexed(Box::new(trees));
    Ok(Made { strategy, drawn, promise, remarks, count })
}

/// The sampler of a recipe, with the trees whose sizes it accepts.
///
/// # Errors
/// If a symbol is unknown, or no weights give the requested size and shares.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size with a tolerance"
)]
pub fn tune(
    language: &Language,
    tests: &Uniform,
    tuning: &recipe::Boltzmann,
) -> Result<(Arc<TreeSpace>, Boltzmann), SuiteError> {
    let size = tests.most as f64;
    let least = match tests.least == tests.most {
        true => (size * (1.0 - tuning.tolerance)).ceil() as usize,
        false => tests.least,
    };
    let most = match tests.least == tests.most {
        true => (size * (1.0 + tuning.tolerance)).floor() as usize,
        false => tests.most,
    };
    let size = (least as f64 + most as f64) / 2.0;
    let space = space(language, &Uniform { least, most, ..tests.clone() })?;
    let frequencies = tuning.frequencies.iter().map(|(name, share)| {
        let unknown = || SuiteError::Conflict(format!("the grammar has no symbol `{name}`"));
        let symbol = symbol_named(language, name).ok_or_else(unknown)?;
        Ok(Frequency { symbol, share: *share })
    });
    let frequencies = frequencies.collect::<Result<Vec<_>, SuiteError>>()?;
    let sampler = Boltzmann::tune(&space, size, &frequencies).map_err(|error| match error {
        TuneError::NoSize(mean) => SuiteError::Conflict(format!(
            "no weights make trees of {size} {} in the mean; the largest mean that was found is {mean:.1}",
            tests.unit.name()
        )),
        TuneError::NoShare(symbol, share) => {
            let name = language.bnf().symbol_name(language.grammar(), symbol);
            SuiteError::Conflict(format!(
                "no weights give `{name}` the requested share; the nearest that was found is {share:.4}"
            ))
        }
    })?;
    Ok((space, sampler))
}

fn symbol_named(language: &Language, name: &str) -> Option<Symbol> {
    let bnf = language.bnf();
    let nonterminals = bnf.cfg().nonterminals().map(Symbol::Nonterminal);
    let mut symbols = nonterminals.chain(bnf.terminals().map(Symbol::Terminal));
    symbols.find(|&symbol| bnf.symbol_name(language.grammar(), symbol) == name)
}

/// Trees by rank.
fn ranked<'l>(ranking: Ranking, ranks: Ranks, promise: String) -> Made<'l> {
    let remarks = vec![format!("{} trees in all", ranking.total())];
    let trees = RankedTrees::new(ranking, ranks);
    let count = gramercy_derive::strategy::Indexed::count(&trees);
    Made { strategy: Strategy::Indexed(Box::new(trees)), drawn: None, promise, remarks, count }
}

/// Sets the stream of distinct ranks apart from those of tests.
const DISTINCT: u64 = 17;

fn read_rank(text: &str, ranking: &Ranking) -> Result<UBig, SuiteError> {
    let conflict = |message| Err(SuiteError::Conflict(message));
    match UBig::from_str_radix(text.trim(), 10) {
        Ok(rank) if &rank < ranking.total() => Ok(rank),
        Ok(rank) => {
            let last = ranking.total() - UBig::ONE;
            conflict(format!("there is no tree of rank {rank}: ranks go from 0 to {last}"))
        }
        Err(_) => conflict(format!("`{text}` is not a rank: a number from 0 on")),
    }
}
