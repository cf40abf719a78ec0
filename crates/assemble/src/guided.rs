//! Suites of tests that a model predicts to reach a target of a program.

use gramercy_base::files;
use gramercy_derive::strategy::Strategy;
use gramercy_language::Language;
use gramercy_learn::Model;
use gramercy_learn::target::{Guided as GuidedTests, GuidedError};
use gramercy_suite::Sink;

use crate::engine::options::{Bounds, Merge, Options};
use crate::engine::summary::Summary;
use crate::engine::{Engine, Watch};
use crate::recipe::{Guided, Recipe};
use crate::suite::SuiteError;
use crate::{plan, random};

/// How many tests are made in search of one that is new.
const TRIES: u64 = 64;

/// Makes the suite of a recipe. All tests differ.
pub(crate) fn make(
    language: &Language,
    recipe: &Recipe,
    tests: &Guided,
    sink: &mut dyn Sink,
    watch: &mut dyn Watch,
) -> Result<Summary, SuiteError> {
    let mut writer = plan::writer(language, &recipe.text)?;
    let writable = random::drawn_language(language, &mut writer);
    let model = read_model(language, tests)?;
    let limit = recipe.limit.unwrap_or(random::TESTS);
    let text = plan::write_options(language, &recipe.text)?;
    let draws = (recipe.seed, limit.saturating_mul(TRIES));
    let guided = GuidedTests::new(language, &writable, &model, &tests.target, text, draws);
    let strategy = guided.map_err(|error| refused(tests, error))?;
    let criteria = plan::criteria(language, &recipe.report)?;
    let options = Options {
        limit: Some(limit),
        shard: recipe.shard,
        seed: recipe.seed,
        merge: Merge::Texts,
        bounds: Bounds { bytes: recipe.max_bytes, ..Bounds::default() },
        accepted_by_tool: recipe.accepted_by_tool,
        ..Options::default()
    };
    let engine = Engine::new(language, writer, criteria, options);
    Ok(engine.run(&mut [Strategy::Indexed(Box::new(strategy))], sink, watch)?)
}

/// The most bytes of a model.
const MAX_MODEL_BYTES: usize = 1 << 30;

fn read_model(language: &Language, tests: &Guided) -> Result<Model, SuiteError> {
    let file = &tests.model;
    let text = files::read_text(file.as_ref(), MAX_MODEL_BYTES);
    let text =
        text.map_err(|error| SuiteError::Conflict(format!("cannot read `{file}`: {error}")))?;
    let model = Model::from_json(&text, language);
    model.map_err(|error| SuiteError::Conflict(format!("cannot use `{file}` as a model: {error}")))
}

fn refused(tests: &Guided, error: GuidedError) -> SuiteError {
    match error {
        GuidedError::Limit(limit) => SuiteError::Limit(limit),
        GuidedError::Lexer(error) => SuiteError::Lexer(error),
        error => SuiteError::Conflict(format!("no test for `{}`: {error}", tests.target)),
    }
}
