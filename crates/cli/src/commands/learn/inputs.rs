//! Inputs to run a program on, and behaviour from campaigns.

use std::ops::ControlFlow;
use std::path::Path;

use gramercy::Grammar;
use gramercy::assemble::Tests as Suite;
use gramercy::assemble::recipe::{Random, Recipe, Size, Tests, TextRecipe};
use gramercy::base::{Diagnostic, Sources};
use gramercy::campaign::collect::{patterns, verdicts};
use gramercy::language::Language;
use gramercy::learn::behaviour::Observed;
use gramercy::lexis::Lexemes;
use gramercy::suite::Corpus;

use super::Learn;
use crate::codes;
use crate::commands::campaigns::bad_database;
use crate::commands::reading::unreadable;
use crate::console::Console;
use crate::outcome::Failure;
use crate::render::numbers::grouped;
use crate::render::suite_errors;

/// The most tokens of a random input, about.
const TOKENS: u64 = 60;

/// How texts of tokens are found: at random unless the user says otherwise, so that inputs differ in them too.
pub(super) fn text(learn: &Learn, grammar: &Grammar) -> Result<TextRecipe, Failure> {
    let mut text = learn.lexemes.recipe(grammar)?;
    if !learn.grammar.given().has("lexemes") {
        text.lexemes = Lexemes::Random;
    }
    Ok(text)
}

/// The inputs to run the program on, each with its name: a corpus, or random ones.
pub(super) fn texts(
    learn: &Learn,
    language: &Language,
    console: &Console,
) -> Result<Vec<(String, String)>, Failure> {
    if !learn.corpus.is_empty() {
        return Ok(corpus(learn, console));
    }
    let random = Random { size: Size::Tokens(1, TOKENS), ..Random::default() };
    let recipe = Recipe {
        tests: Tests::Random(random),
        seed: learn.seed,
        limit: Some(learn.random),
        unique: true,
        text: text(learn, language.grammar())?,
        ..Recipe::default()
    };
    let mut texts = Vec::new();
    for test in Suite::new(language, &recipe) {
        let test = test.map_err(|error| suite_errors::failure(error, language))?;
        let text = test.text.unwrap_or_default().into_owned();
        texts.push((format!("`{}`", shortened(&text)), text));
    }
    Ok(texts)
}

/// The beginning of an input, for messages.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]).replace('\n', "\\n"),
        None => text.replace('\n', "\\n"),
    }
}

fn corpus(learn: &Learn, console: &Console) -> Vec<(String, String)> {
    let (mut texts, mut warnings) = (Vec::new(), Vec::new());
    let corpus = Corpus::new(&learn.corpus).with_encoding(learn.grammar.encoding());
    corpus.for_each(|input| {
        match input {
            Ok(input) => {
                let text = input.text().map(std::borrow::Cow::into_owned);
                let text =
                    text.unwrap_or_else(|_| String::from_utf8_lossy(&input.content).into_owned());
                texts.push((format!("`{}`", input.name), text));
            }
            Err(error) => warnings.push(unreadable(&error)),
        }
        ControlFlow::Continue(())
    });
    console.report(&warnings, &Sources::new());
    texts
}

/// The verdicts of a campaign.
pub(super) fn from_campaign(
    learn: &Learn,
    db: &Path,
    console: &Console,
) -> Result<Vec<Observed>, Failure> {
    let names = verdicts::subjects(db).map_err(|error| bad_database(&error))?;
    let subject = match &learn.subject {
        None => 0,
        Some(name) => names.iter().position(|known| known == name).ok_or_else(|| {
            let message = format!("the campaign has no program `{name}`");
            let help = format!("it has `{}`", names.join("`, `"));
            Failure::refused(Diagnostic::new(codes::BAD_DATABASE, message).help(help))
        })?,
    };
    let patterns = patterns(&learn.message).map_err(|error| {
        Failure::refused(Diagnostic::new(codes::BAD_PATTERN, error.to_string()))
    })?;
    let found = verdicts::from_journal(db, subject, &patterns);
    let found = found.map_err(|error| bad_database(&error))?;
    for (target, meaning) in &found.groups {
        console.say(&format!("{target}: {meaning}\n"));
    }
    if found.negative > 0 {
        let message = format!(
            "{} tests are not in the language and are left out: they have no features",
            grouped(found.negative as u64)
        );
        console.report(&[Diagnostic::new(codes::LEFT_OUT, message)], &Sources::new());
    }
    Ok(found.observed)
}
