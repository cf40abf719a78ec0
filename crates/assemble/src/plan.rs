//! What every recipe needs before tests are made: a writer of texts, criteria, and what holds for every test.

use gramercy_coverage::CriterionSpec;
use gramercy_language::Language;
use gramercy_lexis::{Pool, WriteOptions, Writer};

use crate::engine::NamedCriterion;
use crate::recipe::{TextRecipe, TokenLexemes};
use crate::suite::SuiteError;

/// The writer of texts that a recipe asks for.
///
/// # Errors
/// If the grammar has no lexer, or a lexeme of the pool belongs to no token or is read as another one.
pub fn writer<'l>(language: &'l Language, text: &TextRecipe) -> Result<Writer<'l>, SuiteError> {
    let mut writer = language.writer(&write_options(language, text)?)?;
    match writer.wrong_pool_lexemes() {
        wrong if wrong.is_empty() => Ok(writer),
        wrong => Err(SuiteError::WrongLexemes(wrong)),
    }
}

/// How the writer of a recipe writes.
///
/// # Errors
/// If a lexeme of the pool belongs to no token.
pub fn write_options(language: &Language, text: &TextRecipe) -> Result<WriteOptions, SuiteError> {
    let mut pool = Pool::new();
    for TokenLexemes { token, texts } in &text.pool {
        texts.iter().for_each(|text| pool.add(token, text));
    }
    if let [first, ..] = pool.unknown_names(language.grammar())[..] {
        return Err(SuiteError::UnknownToken(first.to_owned()));
    }
    Ok(WriteOptions {
        lexemes: text.lexemes,
        spacing: text.spacing,
        alphabet: text.alphabet.clone(),
        lexeme_length: text.lexeme_length,
        pool,
        limits: *language.limits(),
    })
}

/// The criteria of a language, with their names.
///
/// # Errors
/// If one of them has too many targets, or its automaton too many states.
pub fn criteria<'l>(
    language: &'l Language,
    specs: &[CriterionSpec],
) -> Result<Vec<NamedCriterion<'l>>, SuiteError> {
    let named = |spec: &CriterionSpec| {
        Ok(NamedCriterion { name: spec.to_string(), criterion: spec.build(language)? })
    };
    specs.iter().map(named).collect()
}
