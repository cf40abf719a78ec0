//! Languages for tests.

use gramercy_base::Limits;
use gramercy_grammar::Grammar;
use gramercy_language::Language;

/// A language in the notation that the file's extension names.
pub(crate) fn read(file: &str, text: &str) -> Language {
    Language::from_text(file, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A language of rules in yacc's notation.
pub(crate) fn yacc(text: &str) -> Language {
    read("a.y", &format!("%% {text}"))
}

/// The language of a grammar that was put together.
pub(crate) fn of(grammar: Grammar) -> Language {
    Language::new(grammar, Limits::default()).expect("a small grammar")
}

/// A language of the collection; `None` where that is missing.
pub(crate) fn shared(folder: &str, file: &str) -> Option<Language> {
    let path = gramercy_testkit::shared(folder)?.join(file);
    Some(Language::read(path).unwrap_or_else(|error| panic!("{file}: {error}")))
}
