//! Seeded faults: single changes of correct grammars, and how well they are localized from suites of the correct
//! grammar.
//!
//! Every fault is an edit of the grammar's text (see [`seeding`]). The suites of a grammar are made once. The tests of
//! each suite are run on the faulty grammar; those whose verdict is wrong are the failing tests, the others pass. A
//! fault that no test of a suite notices does not count for this suite. Some of the
//! faults are repaired too (see [`repairs`]). The tables are in [`tables`].
//!
//! Cost of a fault: the tables of the faulty grammar, one recognition per test, and the explanations of at most
//! [`FAILING`] tests for each suite.

pub mod repairs;
pub mod seeding;
pub mod tables;

use std::path::{Path, PathBuf};

use gramercy_assemble::negative::recipe::Negative;
use gramercy_assemble::recipe::Tests as Kind;
use gramercy_assemble::{Recipe, Tests};
use gramercy_formats::Memory;
use gramercy_grammar::RuleId;
use gramercy_language::Language;
use gramercy_localize::search::failure::Effort;
use gramercy_localize::{FailingTest, Options, Subject, Wanted, localize};

use crate::Fallible;
use crate::languages;
use seeding::{Fault, FaultKind, Position};

/// Tests of a positive suite.
const POSITIVE: usize = 1000;
/// Tests of a negative suite, evenly chosen from the first tests of the whole suite.
const NEGATIVE: usize = 2000;
const MADE: u64 = 40_000;
/// Failing and passing tests of a suite that are used for a fault.
const FAILING: usize = 10;
const PASSING: usize = 300;

/// The suites: positive ones by criterion, negative ones by operator.
pub const SUITES: [&str; 6] =
    ["cdrc", "pop-edge:lr0", "rule", "rule mutants", "edge mutants", "stack mutants"];

/// The grammars, of the collection next to the checkout.
pub const GRAMMARS: [&str; 8] =
    ["ampl.y", "simpl18.y", "go.y", "sqlite.y", "css3.y", "dot.y", "toylang.y", "vdm.y"];

/// A test of a suite.
type SuiteTest = (String, Wanted);

/// A correct grammar with its suites and faults.
#[derive(Debug)]
pub struct Seeded {
    /// The name of the grammar.
    pub name: String,
    file: PathBuf,
    language: Language,
    suites: Vec<Vec<SuiteTest>>,
    /// The faults.
    pub faults: Vec<Fault>,
}

/// Where the faulty rule and the faulty item are ranked.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    /// The rank of the rule.
    pub rule: f64,
    /// The rank of the faulty item, where there is one.
    pub item: Option<f64>,
}

/// A fault that was localized.
#[derive(Clone, Debug)]
pub struct Ranks {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// Where the fault is.
    pub position: Position,
    /// The number of rules.
    pub rules: usize,
    /// By suite, and the union of all suites last; `None` where no test notices.
    pub ranks: Vec<Option<Rank>>,
}

/// A grammar of the collection with its suites and at most a number of faults, evenly chosen.
///
/// # Errors
/// If the grammar cannot be read.
pub fn seed(folder: &Path, name: &str, most: usize) -> Fallible<Seeded> {
    let file = folder.join(name);
    let language = languages::read(&file, None)?;
    let suites = SUITES.iter().map(|suite| tests(&language, suite)).collect();
    let all = seeding::faults(language.grammar());
    let faults = evenly(&all, most).cloned().collect();
    Ok(Seeded { name: name.to_owned(), file, language, suites, faults })
}

/// At most a number of values, evenly chosen.
fn evenly<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let chosen = most.min(all.len());
    (0..chosen).map(move |at| &all[at * all.len() / chosen])
}

fn tests(language: &Language, suite: &str) -> Vec<SuiteTest> {
    let operator = suite.strip_suffix(" mutants");
    let recipe = match operator {
        None => Recipe::cover(suite).ok(),
        Some(operator) => operator.parse().ok().map(|operator| {
            let negative =
                Negative { mutate: vec![operator], cover: Vec::new(), ..Negative::default() };
            Recipe { tests: Kind::Negative(negative), ..Recipe::default() }
        }),
    };
    let Some(mut recipe) = recipe else { return Vec::new() };
    recipe.limit = Some(if operator.is_some() { MADE } else { POSITIVE as u64 });
    let made: Vec<_> = Tests::new(language, &recipe)
        .filter_map(Result::ok)
        .filter_map(|test| {
            let byte = test.error.as_ref().and_then(|error| error.byte);
            let wanted = match operator {
                Some(_) => Wanted::Reject(byte),
                None => Wanted::Accept,
            };
            Some((test.text?.into_owned(), wanted))
        })
        .collect();
    let Ok(parser) = languages::parser(language) else { return Vec::new() };
    let mut workspace = parser.workspace();
    let most = if operator.is_some() { NEGATIVE } else { POSITIVE };
    // Texts that stand for other tokens, because two tokens have one name, say nothing about a fault.
    let chosen = evenly(&made, most).filter(|(text, wanted)| {
        parser.recognize(&mut workspace, text).is_ok() == (*wanted == Wanted::Accept)
    });
    chosen.cloned().collect()
}

/// The failing and the passing tests of a suite.
type Judged<'t> = [Vec<&'t SuiteTest>; 2];

impl Seeded {
    /// Some of the faults, evenly chosen.
    pub fn chosen(&self, most: usize) -> impl Iterator<Item = &Fault> {
        evenly(&self.faults, most)
    }

    /// Localizes a fault; `None` if the faulty grammar cannot be read.
    #[must_use]
    pub fn run(&self, fault: &Fault) -> Option<Ranks> {
        let faulty = self.faulty(fault)?;
        let subject = Subject::new(&faulty).ok()?;
        let judged = self.judge(&faulty)?;
        let ranks = judged.iter().enumerate().map(|(at, [failing, passing])| {
            // Negative tests alone do not tell which rules are right.
            let is_negative = SUITES.get(at).is_some_and(|suite| suite.ends_with("mutants"));
            let passing = if is_negative { &judged[0][1] } else { passing };
            rank(&subject, fault, failing, passing)
        });
        let ranks = ranks.collect();
        let rules = faulty.grammar().written_rules();
        Some(Ranks { kind: fault.kind, position: fault.position, rules, ranks })
    }

    /// The grammar with a fault.
    #[must_use]
    pub fn faulty(&self, fault: &Fault) -> Option<Language> {
        let name = self.file.display().to_string();
        let start = &self.language.grammar().rules()[self.language.grammar().start()].name;
        let files = Memory::with(&name, self.faulty_text(fault));
        languages::read_from(&self.file, &files, Some(start)).ok()
    }

    /// Its text.
    #[must_use]
    pub fn faulty_text(&self, fault: &Fault) -> String {
        let source = self.language.grammar().sources().get(fault.span.source);
        let mut text = source.text().to_owned();
        text.replace_range(fault.span.range(), &fault.text);
        text
    }

    /// The failing and the passing tests of each suite, and of the union of all suites.
    fn judge(&self, faulty: &Language) -> Option<Vec<Judged<'_>>> {
        let parser = faulty.parser().ok()?;
        let mut workspace = parser.workspace();
        let mut judged: Vec<Judged<'_>> = Vec::new();
        for suite in &self.suites {
            let mut sides = [Vec::new(), Vec::new()];
            for test in suite {
                let accepted = parser.recognize(&mut workspace, &test.0).is_ok();
                let passes = accepted == (test.1 == Wanted::Accept);
                sides[usize::from(passes)].push(test);
            }
            judged.push(sides);
        }
        let union =
            [0, 1].map(|side| judged.iter().flat_map(|sides| sides[side].clone()).collect());
        judged.push(union);
        Some(judged)
    }
}

fn rank(
    subject: &Subject<'_>,
    fault: &Fault,
    failing: &[&SuiteTest],
    passing: &[&SuiteTest],
) -> Option<Rank> {
    let failed: Vec<_> = evenly(failing, FAILING)
        .map(|(text, wanted)| FailingTest { text, wanted: *wanted, mutated: None })
        .collect();
    if failed.is_empty() {
        return None;
    }
    let positive: Vec<_> = passing.iter().filter(|(_, wanted)| *wanted == Wanted::Accept).collect();
    let passed: Vec<_> = evenly(&positive, PASSING).map(|(text, _)| text.as_str()).collect();
    let effort = Effort { items: 400_000, errors: 2, ..Effort::default() };
    let options = Options { effort, ..Options::default() };
    let localized = localize(subject, &failed, &passed, &options);
    let name = |rule: RuleId| &*subject.grammar().rules()[rule].name;
    let rule = localized.ranking.iter().find(|ranked| name(ranked.rule) == fault.rule);
    let items = fault.items(subject);
    let item = localized.sites.iter().find(|ranked| items.contains(&ranked.site));
    Some(Rank {
        rule: rule.map_or(f64::INFINITY, |ranked| ranked.rank),
        item: (!items.is_empty()).then(|| item.map_or(f64::INFINITY, |ranked| ranked.rank)),
    })
}
