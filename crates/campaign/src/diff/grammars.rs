//! What a change of a grammar changes: each grammar's suites are read by the other.
//!
//! A text that only the old grammar accepts is *newly rejected*; one that only the new grammar accepts is *newly
//! accepted*. Texts that both accept are compared: one that has several trees only in the new grammar is *newly
//! ambiguous*, and one whose chosen tree has another shape is *parsed differently*. Shapes are compared by the rules
//! that both grammars have, and the tokens that they span.
//!
//! Three suites of each grammar are read: one test per alternative, which makes small witnesses; what the recipes
//! say; and, if their lexers differ, one test per alternative with lexemes that only this grammar knows (see
//! `lexemes`). A text of a negative suite is a witness if the other grammar accepts it.
//!
//! Suites are finite, so what is found is real, and what is not found is not proven to be unchanged.
//!
//! Cost: each text is recognized by both grammars, and parsed by both if both accept it; 32 bytes of memory per text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use gramercy_assemble::recipe::Tests;
use gramercy_assemble::{Recipe, SuiteError, plan, suite};
use gramercy_base::named::{Choice, Named, choice};
use gramercy_base::{Fingerprint, Id, Map};
use gramercy_grammar::Origin;
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{Derivations, Derived, ErrorClass, Preferences, TextRejection, TextWorkspace};
use gramercy_suite::{Sink, SinkError, Test};

use super::lexemes;

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
    /// Different texts of all suites.
    pub tests: u64,
    /// For the positive suites of the old and of the new grammar, how many of their texts each of both accepts.
    pub accepted: [[u64; 2]; 2],
    /// What changed, by kind; the largest groups first.
    pub changes: Vec<Change>,
    /// Whether all suites were read, or the watcher broke off.
    pub is_complete: bool,
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

/// Is told how many texts were read, and may break off.
pub type Watcher<'w> = dyn FnMut(u64) -> ControlFlow<()> + 'w;

/// Compares an old and a new grammar on the suites of both.
///
/// # Errors
/// See [`DiffError`].
pub fn review(
    old: &Language,
    new: &Language,
    recipes: &[Recipe],
    watcher: &mut Watcher<'_>,
) -> Result<Review, DiffError> {
    let mut comparing = Comparing::new(old, new, watcher)?;
    for (number, [own, other]) in [[old, new], [new, old]].into_iter().enumerate() {
        for recipe in recipes_of(own, other, recipes) {
            // Negative tests are no part of the table of accepted tests.
            let is_positive = !matches!(recipe.tests, Tests::Negative(_));
            let row = is_positive.then_some(number);
            let mut reading = Reading(|text: &str| comparing.read(text, row));
            match suite(own, &recipe, &mut reading, &mut ()) {
                // A grammar without sentences accepts nothing.
                Err(SuiteError::NoSentence | SuiteError::NothingToCover(_)) => {}
                Err(_) if comparing.is_stopped => return Ok(comparing.review()),
                made => drop(made?),
            }
        }
    }
    Ok(comparing.review())
}

/// Compares an old and a new grammar on given texts.
///
/// # Errors
/// See [`DiffError`].
pub fn review_texts<'t>(
    old: &Language,
    new: &Language,
    texts: impl Iterator<Item = std::borrow::Cow<'t, str>>,
    watcher: &mut Watcher<'_>,
) -> Result<Review, DiffError> {
    let mut comparing = Comparing::new(old, new, watcher)?;
    for text in texts {
        if comparing.read(&text, Some(0)).is_break() {
            break;
        }
    }
    Ok(comparing.review())
}

/// The suites of a grammar, small tests first.
fn recipes_of(own: &Language, other: &Language, recipes: &[Recipe]) -> Vec<Recipe> {
    let text = recipes.first().map(|recipe| recipe.text.clone()).unwrap_or_default();
    let small = Recipe { text, ..Recipe::cover("rule").unwrap_or_default() };
    let pool = lexemes::only_in(own, other);
    // Lexemes that the user chose stay.
    let pool: Vec<_> = pool
        .into_iter()
        .filter(|one| small.text.pool.iter().all(|it| it.token != one.token))
        .collect();
    let mut all = vec![small.clone()];
    all.extend_from_slice(recipes);
    if !pool.is_empty() {
        let mut special = small;
        special.text.pool.extend(pool);
        remove_misread(own, &mut special);
        all.push(special);
    }
    all
}

/// Removes lexemes from a recipe that the whole lexer reads as other tokens, such as those of another mode.
fn remove_misread(language: &Language, recipe: &mut Recipe) {
    let Err(SuiteError::WrongLexemes(wrong)) = plan::writer(language, &recipe.text) else { return };
    for (token, text) in wrong {
        let name = &language.grammar().terminals()[token].name;
        let of_token = recipe.text.pool.iter_mut().filter(|one| *one.token == **name);
        of_token.for_each(|one| one.texts.retain(|it| *it != text));
    }
    recipe.text.pool.retain(|one| !one.texts.is_empty());
}

/// Two grammars that read the same texts.
struct Comparing<'c, 'w> {
    before: Reader<'c>,
    after: Reader<'c>,
    /// Which of both accepts a text, by its fingerprint; and of whose suite it is.
    known: Map<u128, ([bool; 2], [bool; 2])>,
    accepted: [[u64; 2]; 2],
    changes: BTreeMap<(Kind, String), (u64, String)>,
    watcher: &'w mut Watcher<'w>,
    is_stopped: bool,
}

impl<'c, 'w> Comparing<'c, 'w> {
    fn new(
        old: &'c Language,
        new: &'c Language,
        watcher: &'w mut Watcher<'w>,
    ) -> Result<Self, TextParserError> {
        let names = |language: &'c Language| -> BTreeSet<&'c str> {
            language.grammar().rules().values().map(|rule| &*rule.name).collect()
        };
        let common: Vec<&str> = names(old).intersection(&names(new)).copied().collect();
        Ok(Self {
            before: Reader::new(old, &common)?,
            after: Reader::new(new, &common)?,
            known: Map::default(),
            accepted: [[0; 2]; 2],
            changes: BTreeMap::new(),
            watcher,
            is_stopped: false,
        })
    }

    /// Reads a text, which is counted in the row of the old (0) or the new (1) grammar, or in none.
    fn read(&mut self, text: &str, row: Option<usize>) -> ControlFlow<()> {
        let mut print = Fingerprint::default();
        print.add_text(text);
        let print = print.finish();
        let (accepts, counted) = match self.known.get(&print) {
            Some(&(accepts, counted)) => (accepts, counted),
            None => (self.compare(text), [false; 2]),
        };
        let mut counted = counted;
        if let Some(row) = row.filter(|&row| !counted[row]) {
            counted[row] = true;
            for (count, accepts) in self.accepted[row].iter_mut().zip(accepts) {
                *count += u64::from(accepts);
            }
        }
        self.known.insert(print, (accepts, counted));
        let went_on = (self.watcher)(self.known.len() as u64);
        self.is_stopped |= went_on.is_break();
        went_on
    }

    /// Which of both accepts a text. What differs is noted.
    fn compare(&mut self, text: &str) -> [bool; 2] {
        match (self.before.recognize(text), self.after.recognize(text)) {
            (Ok(()), Err(at)) => {
                self.note(Kind::Rejected, at, text);
                [true, false]
            }
            (Err(at), Ok(())) => {
                self.note(Kind::Accepted, at, text);
                [false, true]
            }
            (Ok(()), Ok(())) => {
                self.compare_trees(text);
                [true, true]
            }
            (Err(_), Err(_)) => [false, false],
        }
    }

    fn compare_trees(&mut self, text: &str) {
        let (Ok(was), Ok(is)) = (self.before.shape(text), self.after.shape(text)) else {
            // A forest takes more memory than an answer; the limits may allow only the latter.
            return;
        };
        if !was.is_ambiguous && is.is_ambiguous {
            self.note(Kind::Ambiguous, "several trees".to_owned(), text);
        } else if let Some(rule) = was.differs(&is) {
            let name = self.before.common[rule as usize];
            self.note(Kind::ParsedDifferently, format!("rule `{name}`"), text);
        }
    }

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
        let (tests, is_complete) = (self.known.len() as u64, !self.is_stopped);
        Review { tests, accepted: self.accepted, changes, is_complete }
    }
}

/// For each grammar's suite, how many of its texts each grammar accepts; the diagonal is the suite's size.
///
/// # Errors
/// See [`DiffError`].
pub fn matrix(languages: &[&Language], recipes: &[Recipe]) -> Result<Vec<Vec<u64>>, DiffError> {
    let mut readers: Vec<Reader<'_>> =
        languages.iter().map(|language| Reader::new(language, &[])).collect::<Result<_, _>>()?;
    let mut rows = Vec::new();
    for language in languages {
        let mut row = vec![0; readers.len()];
        let mut reading = Reading(|text: &str| {
            for (count, reader) in row.iter_mut().zip(&mut readers) {
                *count += u64::from(reader.recognize(text).is_ok());
            }
            ControlFlow::Continue(())
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

impl<F: FnMut(&str) -> ControlFlow<()>> Sink for Reading<F> {
    fn put(&mut self, test: &Test<'_>) -> Result<(), SinkError> {
        match (self.0)(&test.content.to_text()) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                Err(std::io::Error::from(std::io::ErrorKind::BrokenPipe).into())
            }
        }
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
    /// Names of rules that are compared, sorted.
    common: Vec<&'r str>,
    /// For each nonterminal, the number of its rule among these.
    numbers: Vec<Option<u32>>,
}

/// A tree that was chosen for a text.
struct ChosenTree {
    is_ambiguous: bool,
    /// Numbers of rules with the tokens that they span, sorted.
    nodes: Vec<(u32, u32, u32)>,
}

impl ChosenTree {
    /// The number of a rule that spans other tokens, if there is one.
    fn differs(&self, other: &Self) -> Option<u32> {
        let at = self.nodes.iter().zip(&other.nodes).position(|(one, other)| one != other);
        let at = at.unwrap_or(self.nodes.len().min(other.nodes.len()));
        let (one, other) = (self.nodes.get(at), other.nodes.get(at));
        one.into_iter().chain(other).min().map(|&(rule, ..)| rule)
    }
}

impl<'r> Reader<'r> {
    fn new(language: &'r Language, common: &[&'r str]) -> Result<Self, TextParserError> {
        let workspace = language.parser()?.workspace();
        let preferences = Preferences::of(language.grammar(), language.bnf());
        let number = |nonterminal: &gramercy_grammar::Nonterminal| {
            let Origin::Rule(_) = nonterminal.origin else { return None };
            let number = common.binary_search(&&*nonterminal.name).ok()?;
            u32::try_from(number).ok()
        };
        let numbers = language.bnf().nonterminals().values().map(number).collect();
        Ok(Self { language, workspace, preferences, common: common.to_vec(), numbers })
    }

    /// Whether a text is accepted, or what cannot come where.
    fn recognize(&mut self, text: &str) -> Result<(), String> {
        let parser = self.language.parser().expect("invariant: it was built before");
        parser.recognize(&mut self.workspace, text).map_err(|rejection| self.in_words(&rejection))
    }

    /// The tree that is chosen for a text.
    fn shape(&mut self, text: &str) -> Result<ChosenTree, Box<TextRejection>> {
        let parser = self.language.parser().expect("invariant: it was built before");
        let forest = parser.forest(&mut self.workspace, text)?;
        let derivations = Derivations::of_forest(parser.parser(), &forest);
        let is_ambiguous = !derivations.is_unambiguous();
        let chosen = match is_ambiguous {
            true => self.preferences.pick(&derivations),
            false => derivations,
        };
        let numbered = chosen.ids().filter_map(|node| {
            let Derived::Nonterminal(id) = chosen.label(node) else { return None };
            let range = chosen.range(node);
            Some((self.numbers[id.index()]?, range.start, range.end))
        });
        let mut nodes: Vec<_> = numbered.collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(ChosenTree { is_ambiguous, nodes })
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

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use gramercy_assemble::Recipe;
    use gramercy_language::Language;

    use super::{Kind, matrix, review};

    fn check(old: &str, new: &str, expected: &[(Kind, &str)]) {
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let (old, new) = (language(old), language(new));
        let recipe = Recipe::cover("kpath:2").expect("it is a criterion");
        let review = review(&old, &new, &[recipe], &mut |_| ControlFlow::Continue(()))
            .expect("both have sentences");
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
        let (left, both) = (language(left), language(both));
        let review = review(&left, &both, &[recipe], &mut |_| ControlFlow::Continue(()))
            .expect("both have sentences");
        assert!(review.changes.iter().any(|change| change.kind == Kind::Ambiguous), "{review:?}");
    }

    /// No suite has an underscore by chance, but the lexers are compared.
    #[test]
    fn a_character_of_a_token_changed() {
        let old = "S := \"<\" NAME \">\";\ntoken NAME := [a-z] [a-z_]*;";
        let new = "S := \"<\" NAME \">\";\ntoken NAME := [a-z_] [a-z_]*;";
        check(old, new, &[(Kind::Accepted, "<_>")]);
        check(new, old, &[(Kind::Rejected, "<_>")]);
    }

    #[test]
    fn a_review_can_be_stopped() {
        let language = |text| Language::from_text("x.gram", text).expect("it is a grammar");
        let recipe = Recipe::cover("kpath:2").expect("it is a criterion");
        let (one, two) = (language(SUM), language(r#"Sum := "1";"#));
        let review = review(&one, &two, &[recipe], &mut |_| ControlFlow::Break(()))
            .expect("both have sentences");
        assert!(!review.is_complete);
        assert_eq!(review.tests, 1);
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
