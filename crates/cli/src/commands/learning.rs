//! What the commands about learning share: models from files, and what is said about rejected inputs.

use std::path::Path;

use gramercy::base::{Diagnostic, Limits, Sources, files};
use gramercy::learn::behaviour::Observed;
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

/// The most bytes of a model, of a file of behaviour and of a coverage report.
pub(super) const MAX_BYTES: usize = 1 << 30;

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
    let text = files::read_text(path, MAX_BYTES);
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

/// Names inputs that the grammar rejects, and why.
pub(super) fn report_rejected(reading: &Reading, rejected: &[Observed], console: &Console) {
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
