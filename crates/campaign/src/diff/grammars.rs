//! What a change of a grammar changes: each grammar's suite is read by the other.
//!
//! A text of the old suite that the new grammar rejects is *newly rejected*; a text of the new suite that the old one
//! rejects is *newly accepted*. Texts that both accept are compared: one that has several trees only in the new
//! grammar is *newly ambiguous*, and one whose chosen tree has another shape is *parsed differently*. Shapes are
//! compared by the rules that both grammars have, and the tokens that they span.
//!
//! Suites are finite, so what is found is real, and what is not found is not proven to be unchanged.

use std::collections::{BTreeMap, BTreeSet};

use gramercy_assemble::{Recipe, SuiteError, suite};
use gramercy_base::named::{Choice, Named, choice};
use gramercy_grammar::Origin;
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{Derivations, Derived, ErrorClass, Preferences, TextRejection, TextWorkspace};
use gramercy_suite::{Sink, SinkError, Test};

/// What can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The new grammar accepts what the old one rejects.
    Accepted,
    /// The new grammar rejects what the old one accepts.
    Rejected,
    /// Both accept it, with trees of different shapes.
    ParsedDifferently,
    /// Only the new grammar has several trees for it.
    Ambiguous,
}

impl Named for Kind {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Accepted, "accepted", "newly accepted"),
        choice(Self::Rejected, "rejected", "newly rejected"),
        choice(Self::ParsedDifferently, "parsed-differently", "parsed differently"),
        choice(Self::Ambiguous, "ambiguous", "newly ambiguous"),
    ];
}

/// Texts that changed in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// In which way.
    pub kind: Kind,
    /// What they have in common, in words.
    pub detail: String,
    /// How many there are.
    pub tests: u64,
    /// The smallest one.
    pub witness: String,
}

/// The review of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// Texts of both suites.
    pub tests: u64,
    /// What changed, by kind; the largest groups first.
    pub changes: Vec<Change>,
}

/// Why grammars cannot be compared.
#[derive(Debug)]
pub enum DiffError {
    /// A suite cannot be made.
    Suite(SuiteError),
    /// A grammar has no parser.
    Parser(TextParserError),
}

impl From<SuiteError> for DiffError {
    fn from(error: SuiteError) -> Self {
        Self::Suite(error)
    }
}

impl From<TextParserError> for DiffError {
    fn from(error: TextParserError) -> Self {
        Self::Parser(error)
    }
}

/// Compares an old and a new grammar.
///
/// # Errors
/// See [`DiffError`].
pub fn review(old: &Language, new: &Language, recipes: &[Recipe]) -> Result<Review, DiffError> {
    let (mut before, mut after) = (Reader::new(old)?, Reader::new(new)?);
    let common: BTreeSet<&str> = before.rules().filter(|name| after.has_rule(name)).collect();
    let text = recipes.first().map(|recipe| recipe.text.clone()).unwrap_or_default();
    let small = Recipe { text, ..Recipe::cover("rule").unwrap_or_default() };
    let mut found = Found::default();
    let mut seen = BTreeSet::new();
    for language in [old, new] {
        let mut reading = Reading(|text: &str| {
            if !seen.insert(text.to_owned()) {
                return;
            }
            found.tests += 1;
            match (before.read(text), after.read(text)) {
                (Ok(_), Err(at)) => found.note(Kind::Rejected, at, text),
                (Err(at), Ok(_)) => found.note(Kind::Accepted, at, text),
                (Ok(was), Ok(is)) => {
                    if !was.is_ambiguous && is.is_ambiguous {
                        found.note(Kind::Ambiguous, "several trees".to_owned(), text);
                    } else if let Some(rule) = was.differs(&is, &common) {
                        found.note(Kind::ParsedDifferently, format!("rule `{rule}`"), text);
                    }
                }
                (Err(_), Err(_)) => {}
            }
        });
        // Small tests first: one per rule makes small witnesses.
        for recipe in [&small].into_iter().chain(recipes) {
            match suite(language, recipe, &mut reading, &mut ()) {
                // A grammar without sentences accepts nothing.
                Err(SuiteError::NoSentence | SuiteError::NothingToCover(_)) => {}
                made => drop(made?),
            }
        }
    }
    Ok(found.review())
}

/// For each grammar's suite, how many of its texts each grammar accepts; the diagonal is the suite's size.
///
/// # Errors
/// See [`DiffError`].
pub fn matrix(languages: &[&Language], recipes: &[Recipe]) -> Result<Vec<Vec<u64>>, DiffError> {
    let mut readers: Vec<Reader<'_>> =
        languages.iter().map(|language| Reader::new(language)).collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    for language in languages {
        let mut row = vec![0; readers.len()];
        let mut reading = Reading(|text: &str| {
            for (count, reader) in row.iter_mut().zip(&mut readers) {
                *count += u64::from(reader.accepts(text));
            }
        });
        for recipe in recipes {
            match suite(language, recipe, &mut reading, &mut ()) {
                Err(SuiteError::NoSentence | SuiteError::NothingToCover(_)) => {}
                made => drop(made?),
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Hands the texts of a suite to a function.
struct Reading<F>(F);

impl<F: FnMut(&str)> Sink for Reading<F> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        (self.0)(&test.content.to_text());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A grammar that reads texts.
struct Reader<'r> {
    language: &'r Language,
    workspace: TextWorkspace,
    preferences: Preferences,
}

/// What a grammar makes of a text.
struct Shape {
    is_ambiguous: bool,
    /// Rules with the tokens that they span.
    nodes: BTreeSet<(String, usize, usize)>,
}

impl Shape {
    /// A rule that spans other tokens, if there is one.
    fn differs(&self, other: &Self, common: &BTreeSet<&str>) -> Option<String> {
        let changed = self.nodes.symmetric_difference(&other.nodes);
        changed.map(|(name, ..)| name).find(|name| common.contains(name.as_str())).cloned()
    }
}

impl<'r> Reader<'r> {
    fn new(language: &'r Language) -> Result<Self, TextParserError> {
        let workspace = language.parser()?.workspace();
        let preferences = Preferences::of(language.grammar(), language.bnf());
        Ok(Self { language, workspace, preferences })
    }

    fn rules(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        self.language.grammar().rules().values().map(|rule| &*rule.name)
    }

    fn has_rule(&self, name: &str) -> bool {
        self.rules().any(|rule| rule == name)
    }

    fn accepts(&mut self, text: &str) -> bool {
        let parser = self.language.parser();
        parser.is_ok_and(|parser| parser.recognize(&mut self.workspace, text).is_ok())
    }

    /// The shape of a text, or what cannot come where.
    fn read(&mut self, text: &str) -> Result<Shape, String> {
        let parser = self.language.parser().expect("invariant: it was built before");
        let forest = parser.forest(&mut self.workspace, text);
        let forest = forest.map_err(|rejection| self.in_words(&rejection))?;
        let derivations = Derivations::of_forest(parser.parser(), &forest);
        let is_ambiguous = !derivations.is_unambiguous();
        let chosen = match is_ambiguous {
            true => self.preferences.pick(&derivations),
            false => derivations,
        };
        let bnf = self.language.bnf();
        let named = chosen.ids().filter_map(|node| {
            let Derived::Nonterminal(id) = chosen.label(node) else { return None };
            let nonterminal = &bnf.nonterminals()[id];
            let Origin::Rule(_) = nonterminal.origin else { return None };
            let range = chosen.range(node);
            Some((nonterminal.name.to_string(), range.start as usize, range.end as usize))
        });
        Ok(Shape { is_ambiguous, nodes: named.collect() })
    }

    fn in_words(&self, rejection: &TextRejection) -> String {
        let terminals = self.language.grammar().terminals();
        match &rejection.class {
            ErrorClass::Token(Some(terminal)) => {
                format!("{} cannot come there", terminals[*terminal].name)
            }
            ErrorClass::Token(None) => "a token that cannot come there".to_owned(),
            ErrorClass::End => "the text ends too early".to_owned(),
            ErrorClass::Lexical(_) => "no token can be made there".to_owned(),
            ErrorClass::UnknownToken => "an unknown token".to_owned(),
            ErrorClass::Limit(_) => "it takes too much memory or time".to_owned(),
        }
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    tests: u64,
    changes: BTreeMap<(Kind, String), (u64, String)>,
}

impl Found {
    fn note(&mut self, kind: Kind, detail: String, text: &str) {
        let entry = self.changes.entry((kind, detail)).or_insert_with(|| (0, text.to_owned()));
        entry.0 += 1;
        if text.len() < entry.1.len() {
            text.clone_into(&mut entry.1);
        }
    }

    fn review(self) -> Review {
        let changes = self.changes.into_iter();
        let mut changes: Vec<Change> = changes
            .map(|((kind, detail), (tests, witness))| Change { kind, detail, tests, witness })
            .collect();
        changes.sort_by_key(|change| (change.kind, std::cmp::Reverse(change.tests)));
        Review { tests: self.tests, changes }
    }
}

#[cfg(test)]
mod tests {
    use gramercy_assemble::Recipe;
    use gramercy_language::Language;

    use super::{Kind, matrix, review};

    fn check(old: &str, new: &str, expected: &[(Kind, &str)]) {
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let (old, new) = (language(old), language(new));
        let recipe = Recipe::cover("kpath:2").expect("it is a criterion");
        let review = review(&old, &new, &[recipe]).expect("both have sentences");
        let changes: Vec<_> =
            review.changes.iter().map(|change| (change.kind, change.witness.as_str())).collect();
        assert_eq!(changes, expected);
    }

    const SUM: &str = r#"Sum := Term ("+" Term)*; Term := "1" | "(" Sum ")";"#;

    #[test]
    fn nothing_changed() {
        check(SUM, SUM, &[]);
        let nested = r#"Sum := Term | Sum "+" Term; Term := "1" | "(" Sum ")";"#;
        check(SUM, nested, &[(Kind::ParsedDifferently, "1+1")]);
    }

    #[test]
    fn accepted_and_rejected() {
        let more = r#"Sum := Term ("+" Term)*; Term := "1" | "2" | "(" Sum ")";"#;
        check(SUM, more, &[(Kind::Accepted, "2")]);
        check(more, SUM, &[(Kind::Rejected, "2")]);
    }

    #[test]
    fn ambiguous_and_parsed_differently() {
        let left = r#"Sum := Sum "+" Term | Term; Term := "1";"#;
        let right = r#"Sum := Term "+" Sum | Term; Term := "1";"#;
        let both = r#"Sum := Sum "+" Sum | Term; Term := "1";"#;
        check(left, right, &[(Kind::ParsedDifferently, "1+1")]);
        let recipe = Recipe::cover("kpath:4").expect("it is a criterion");
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let review =
            review(&language(left), &language(both), &[recipe]).expect("both have sentences");
        assert!(review.changes.iter().any(|change| change.kind == Kind::Ambiguous), "{review:?}");
    }

    #[test]
    fn suites_are_read_by_the_others() {
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let (one, two) = (language(SUM), language(r#"Sum := "1";"#));
        let recipe = Recipe::cover("rule").expect("it is a criterion");
        let matrix = matrix(&[&one, &two], &[recipe]).expect("both have sentences");
        assert_eq!(matrix, [[3, 1], [1, 1]]);
    }
}
