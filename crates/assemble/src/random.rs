//! Suites of random tests.

use gramercy_language::Language;
use gramercy_lexis::Writer;
use gramercy_sample::methods::calibration::{self, Calibrated};
use gramercy_sample::methods::{Bound, Method, RandomError, RandomOptions, least_depth};
use gramercy_suite::{Sink, Wants};

use crate::engine::options::{Bounds, Merge, Options};
use crate::engine::summary::Summary;
use crate::engine::{Engine, Watch};
use crate::plan;
use crate::recipe::{Random, Recipe, Size};
use crate::suite::SuiteError;

/// The tokens of a test, if no size is requested.
const TOKENS: u64 = 50;
/// How much deeper than the shallowest a test may be, if no depth is requested.
const DEPTH_BEYOND: u32 = 6;
/// How many tests are made in search of one that is new.
const TRIES_PER_UNIQUE: u64 = 64;
/// Suites of at least this number of tests are counted without being made, where that is possible.
const MIN_COUNTED: u64 = 10_000_000;
/// The number of tests, if none is requested.
pub const TESTS: u64 = 10;

/// Makes the suite of a recipe.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    tests: &Random,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    check(tests)?;
    let mut writer = plan::writer(language, &recipe.text)?;
    writer.prepare_quick(recipe.seed)?;
    let drawn = drawn_language(language, &mut writer);
    let options = random_options(&drawn, recipe, tests, &mut writer)?;
    let strategy = tests.method().strategy(&drawn, &options)?;
    let criteria = plan::criteria(language, &recipe.report)?;
    let engine = Engine::new(language, writer, criteria, engine_options(recipe, tests));
    if let Some(counted) = counted(recipe, &engine, sink) {
        return Ok(counted);
    }
    Ok(engine.run(&mut [strategy], sink, watch)?)
}

/// The language that tests are drawn from: without tokens that no text has, such as those that the lexer never
/// makes, as long as anything is left. Each of them would spoil a whole test.
#[must_use]
pub fn drawn_language(language: &Language, writer: &mut Writer<'_>) -> Language {
    let never = writer.never_written();
    if never.is_empty() {
        return language.clone();
    }
    let writable = language.without(&never);
    let is_empty = !writable.productive().contains(language.bnf().start());
    if is_empty { language.clone() } else { writable }
}

/// The number of tests where nothing else is wanted and every test is known to have a text: as many as requested.
fn counted(recipe: &Recipe, engine: &Engine<'_>, sink: &dyn Sink) -> Option<Summary> {
    let is_all = !recipe.unique && recipe.max_bytes.is_none() && recipe.shard.is_none();
    let is_certain = is_all && engine.is_certain() && sink.wants() == Wants::default();
    let tests = recipe.limit.unwrap_or(TESTS);
    (is_certain && tests >= MIN_COUNTED).then(|| Summary {
        tests,
        numbered: tests,
        ..Summary::default()
    })
}

/// Refuses a size that the method does not have.
fn check(tests: &Random) -> Result<(), SuiteError> {
    let method = tests.method();
    let wrong = match (method.bound(), tests.size) {
        (Bound::Depth, Size::Tokens(..) | Size::Bytes(..)) => "a depth and no size: use --depth",
        (_, Size::Tokens(least, most)) if least < most && method.name() != "size" => {
            "one size and no range: use one number"
        }
        (Bound::Tokens, Size::Depth(_)) => "a size and no depth: use --tokens",
        // Where tests of other methods end is known in tokens only.
        (_, Size::Bytes(..)) if method.name() != "size" => "no size in bytes: use --tokens",
        _ => return Ok(()),
    };
    Err(SuiteError::Conflict(format!("tests of the strategy `{method}` have {wrong}")))
}

/// What decides which tests are made.
fn random_options(
    language: &Language,
    recipe: &Recipe,
    tests: &Random,
    writer: &mut Writer<'_>,
) -> Result<RandomOptions, SuiteError> {
    let tries = if recipe.unique { TRIES_PER_UNIQUE } else { 1 };
    let mut options = RandomOptions {
        weighing: tests.sampling.weighing(),
        alternatives: tests.sampling.alternatives(),
        cooldown: tests.cooldown,
        seed: recipe.seed,
        count: recipe.limit.unwrap_or(TESTS).saturating_mul(tries),
        max_tokens: tests.max_tokens,
        ..RandomOptions::default()
    };
    match tests.method().bound() {
        Bound::Depth => options.depth = depth(language, tests)?,
        Bound::Tokens => options.tokens = tokens(language, tests, &options, writer)?,
    }
    Ok(options)
}

/// The depth of tests. Where none is requested, it is a little more than the grammar demands.
fn depth(language: &Language, tests: &Random) -> Result<u32, SuiteError> {
    let is_graph = tests.method() == graph();
    let least = least_depth(language).ok_or(RandomError::NoSentence)?;
    Ok(match tests.size {
        Size::Depth(depth) => depth,
        _ if is_graph => tests.sampling.depth,
        _ => least.saturating_add(DEPTH_BEYOND),
    })
}

fn graph() -> Method {
    "graph".parse().expect("invariant: it is registered")
}

/// The least and the most tokens of tests. Where no size is requested, sizes that do not exist are passed over.
fn tokens(
    language: &Language,
    tests: &Random,
    options: &RandomOptions,
    writer: &mut Writer<'_>,
) -> Result<(u64, u64), SuiteError> {
    let one = match tests.size {
        Size::Tokens(least, most) => return Ok((least, most)),
        Size::Bytes(least, most) => {
            let mut tokens_for = |bytes| {
                let found = calibration::calibrate(language, writer, options, bytes)?;
                let Calibrated { tokens, mean_bytes } = found;
                match mean_bytes.abs_diff(bytes) > calibration::tolerance(bytes) {
                    true => Err(SuiteError::NoBytes { bytes, nearest: mean_bytes }),
                    false => Ok(tokens),
                }
            };
            let fewest = tokens_for(least)?;
            let most = if least == most { fewest } else { tokens_for(most)? };
            return Ok((fewest, most.max(fewest)));
        }
        Size::Default | Size::Depth(_) => calibration::nearest(language, options, TOKENS)?.1,
    };
    Ok((one, one))
}

/// The most further trees that are drawn for a test whose tree cannot be written. In some grammars only one tree in a
/// hundred can, because blanks are tokens that the lexer joins with their neighbours.
const MAX_ATTEMPTS: u32 = 250;

fn engine_options(recipe: &Recipe, tests: &Random) -> Options {
    let bytes = match tests.size {
        Size::Bytes(least, most) => {
            let whole = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
            let least = least.saturating_sub(calibration::tolerance(least));
            let most = most.saturating_add(calibration::tolerance(most));
            Some((whole(least), whole(most)))
        }
        _ => None,
    };
    let most = bytes.map(|(_, most)| most).into_iter().chain(recipe.max_bytes).min();
    let least = bytes.map(|(least, _)| least);
    Options {
        limit: Some(recipe.limit.unwrap_or(TESTS)),
        shard: recipe.shard,
        seed: recipe.seed,
        merge: if recipe.unique { Merge::Texts } else { Merge::Nothing },
        bounds: Bounds { tokens: None, bytes: most, least_bytes: least },
        accepted_by_tool: recipe.accepted_by_tool,
        max_attempts: MAX_ATTEMPTS,
        ..Options::default()
    }
}
