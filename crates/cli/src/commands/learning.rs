//! What the commands about learning share: models from files, and features of inputs.

use std::ops::ControlFlow;
use std::path::Path;

use gramercy::base::{Diagnostic, Limits, Sources, parallel};
use gramercy::coverage::measure::CountedTrees;
use gramercy::learn::FeatureSet;
use gramercy::learn::behaviour::{Behaviour, Observed};
use gramercy::learn::features::columns::ColumnsBuilder;
use gramercy::learn::features::extract::{Extractor, InputFeatures};
use gramercy::learn::model::Model;
use gramercy::suite::Input;

use super::reading::Reading;
use crate::codes;
use crate::console::Console;
use crate::flags::GrammarArgs;
use crate::outcome::Failure;
use crate::render::rejections::Rejected;

/// How many rejected inputs are named.
const NAMED: usize = 5;

/// Loads a grammar and a model of it.
pub(super) fn load(
    grammar: &GrammarArgs,
    model: &Path,
    console: &Console,
) -> Result<(Reading, Model), Failure> {
    let reading = Reading::new(grammar, Limits::default(), console)?;
    let model = read_model(model, &reading)?;
    Ok((reading, model))
}

/// Reads a model of a grammar.
pub(super) fn read_model(path: &Path, reading: &Reading) -> Result<Model, Failure> {
    let refuse = |message: String| Failure::refused(Diagnostic::new(codes::BAD_MODEL, message));
    let here = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| refuse(format!("cannot read `{here}`: {error}")))?;
    let model = Model::from_json(&text, &reading.language);
    model.map_err(|error| refuse(format!("cannot use `{here}` as a model: {error}")))
}

/// A target that a model does not know, with the most similar name that it knows.
pub(super) fn unknown_target(model: &Model, name: &str) -> Failure {
    let message = format!("the model does not know the target `{name}`");
    let mut diagnostic = Diagnostic::new(codes::UNKNOWN_TARGET, message);
    let is_part = |known: &&str| known.contains(name);
    let similar = model.names().find(is_part).or_else(|| model.names().next());
    diagnostic.help = similar.map(|similar| format!("it knows `{similar}`, for example"));
    Failure::refused(diagnostic)
}

/// The inputs that the grammar accepts, with their features.
pub(super) struct Extracted {
    pub(super) behaviour: Behaviour,
    pub(super) features: ColumnsBuilder,
    pub(super) rejected: usize,
}

/// Extracts the features of all inputs, in parallel. Rejected inputs are left out, and told.
pub(super) fn extract(
    reading: &Reading,
    observed: Vec<Observed>,
    set: &FeatureSet,
    trees: CountedTrees,
    jobs: usize,
    console: &Console,
) -> Result<Extracted, Failure> {
    set.check(&reading.language)?;
    let extractor = || {
        let made = Extractor::new(&reading.language, reading.parser(), set, trees);
        made.expect("invariant: the features were checked")
    };
    let mut found: Vec<Option<InputFeatures>> = Vec::new();
    parallel::in_order(
        jobs,
        observed.iter(),
        extractor,
        |extractor, input| extractor.text(&input.text).ok(),
        |features| {
            found.push(features);
            ControlFlow::Continue(())
        },
    );
    let rejected = found.iter().filter(|features| features.is_none()).count();
    report_rejected(reading, observed.iter().zip(&found), console);
    // Equal texts have equal features, so the inputs that the behaviour keeps are found again by their texts.
    let accepted: Vec<(Observed, InputFeatures)> = observed
        .into_iter()
        .zip(found)
        .filter_map(|(input, features)| Some((input, features?)))
        .collect();
    let (inputs, features): (Vec<_>, Vec<_>) = accepted.into_iter().unzip();
    let mut builder = ColumnsBuilder::new(set);
    let is_first = Behaviour::first_texts(&inputs);
    features.iter().zip(is_first).filter(|(_, first)| *first).for_each(|(one, _)| builder.add(one));
    Ok(Extracted { behaviour: Behaviour::new(inputs), features: builder, rejected })
}

fn report_rejected<'i>(
    reading: &Reading,
    inputs: impl Iterator<Item = (&'i Observed, &'i Option<InputFeatures>)>,
    console: &Console,
) {
    let rejected: Vec<&Observed> =
        inputs.filter(|(_, features)| features.is_none()).map(|(input, _)| input).collect();
    let mut workspace = reading.parser().workspace();
    let mut diagnostics = Vec::new();
    for input in rejected.iter().take(NAMED) {
        if let Err(rejection) = reading.parser().forest(&mut workspace, &input.text) {
            let Observed { name, text, .. } = input;
            let named = Input::new(name.clone(), Vec::new());
            let error = reading.rejected(&mut workspace, &named, text, &rejection);
            diagnostics.push(left_out(&error));
        }
    }
    if rejected.len() > NAMED {
        let message = format!("{} more inputs are rejected and left out", rejected.len() - NAMED);
        diagnostics.push(Diagnostic::new(codes::LEFT_OUT, message));
    }
    console.report(&diagnostics, &Sources::new());
}

fn left_out(rejected: &Rejected) -> Diagnostic {
    let Rejected { input, error } = rejected;
    let message = format!(
        "`{input}` is rejected at line {}, column {} and left out",
        error.line, error.column
    );
    Diagnostic::new(codes::LEFT_OUT, message)
}
