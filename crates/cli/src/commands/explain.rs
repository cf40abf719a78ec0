//! `gramercy explain`: the conditions of a target in the grammar's words.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gramercy::learn::compare::changes;
use gramercy::learn::explain::{Explanation, explain};
use gramercy::learn::model::{Known, Model};

use super::learning;
use super::reading::Reading;
use crate::console::Console;
use crate::flags::{GrammarArgs, JsonArgs};
use crate::outcome::{Failure, Outcome};
use crate::render::{explanations, json};

/// Explain which inputs reach a target, in the grammar's own words
#[derive(Args)]
#[command(after_help = "\
Each condition is enough for an input to be predicted to reach the target. Support is the number of inputs that fulfil \
it, precision the share of them that reach the target.

With --since, the exit code is 1 if a condition changed.

Examples:
  gramercy explain grammar.gram --model model.json parse_number
  gramercy explain grammar.gram --model model.json parse_number --json
  gramercy explain grammar.gram --model model.json --all --format markdown
  gramercy explain grammar.gram --model model.json --all --format html > report.html
  gramercy explain grammar.gram --model model.json --since old-model.json")]
pub(crate) struct Explain {
    #[command(flatten)]
    grammar: GrammarArgs,
    /// The file of the model
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: PathBuf,
    /// The target to explain
    #[arg(value_name = "TARGET", required_unless_present_any = ["all", "since"], conflicts_with_all = ["all", "since"])]
    target: Option<String>,
    /// Explain all targets
    #[arg(long)]
    all: bool,
    /// Show the conditions that changed since this model
    #[arg(long, value_name = "OLD_MODEL", conflicts_with = "all", value_hint = ValueHint::FilePath)]
    since: Option<PathBuf>,
    /// The form of the explanation
    #[arg(long, value_name = "FORM", default_value = "text", conflicts_with = "json")]
    format: Form,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For terminals
    Text,
    /// For documents
    Markdown,
    /// For browsers
    Html,
}

impl Explain {
    pub(crate) fn run(&self, console: &mut Console) -> Result<Outcome, Failure> {
        let (reading, model) = learning::load(&self.grammar, &self.model, console)?;
        if let Some(old) = &self.since {
            let old = learning::read_model(old, &reading)?;
            return self.show_changes(&reading, &old, &model, console);
        }
        match &self.target {
            Some(target) => self.one(&reading, &model, target, console)?,
            None => self.all(&reading, &model, console)?,
        }
        Ok(Outcome::Clean)
    }

    fn one(
        &self,
        reading: &Reading,
        model: &Model,
        target: &str,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let known = model.target(target).ok_or_else(|| learning::unknown_target(model, target))?;
        let explanation = explanation(reading, model, known);
        match self.json.json {
            true => json::write(console.out(), &explanation)?,
            false => {
                let text = self.render(&[explanation]);
                console.out().write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }

    fn all(&self, reading: &Reading, model: &Model, console: &mut Console) -> Result<(), Failure> {
        let names = model.names().filter_map(|name| model.target(name));
        let all: Vec<Explanation> = names.map(|known| explanation(reading, model, known)).collect();
        match self.json.json {
            true => {
                #[derive(serde::Serialize)]
                struct All<'a> {
                    targets: &'a [Explanation],
                }
                json::write(console.out(), &All { targets: &all })?;
            }
            false => console.out().write_all(self.render(&all).as_bytes())?,
        }
        Ok(())
    }

    fn render(&self, explanations: &[Explanation]) -> String {
        match self.format {
            Form::Text => explanations::text(explanations),
            Form::Markdown => explanations::markdown(explanations),
            Form::Html => explanations::html(explanations),
        }
    }

    fn show_changes(
        &self,
        reading: &Reading,
        old: &Model,
        new: &Model,
        console: &mut Console,
    ) -> Result<Outcome, Failure> {
        let changes = changes(&reading.language, old, new);
        if self.json.json {
            #[derive(serde::Serialize)]
            struct Changes<'a> {
                changes: &'a [gramercy::learn::compare::Change],
            }
            json::write(console.out(), &Changes { changes: &changes })?;
        } else {
            console.out().write_all(explanations::changes(&changes).as_bytes())?;
        }
        Ok(if changes.is_empty() { Outcome::Clean } else { Outcome::Found })
    }
}

/// What is known about a target. One that is always covered has a condition without clauses, one that never is has none.
fn explanation(reading: &Reading, model: &Model, known: Known<'_>) -> Explanation {
    match known {
        Known::Tree(target) => explain(&reading.language, model, target),
        Known::Always(info) => Explanation::constant(model, info, true),
        Known::Never(info) => Explanation::constant(model, info, false),
    }
}
