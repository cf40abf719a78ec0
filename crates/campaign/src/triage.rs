//! Groups findings that seem to have one cause.
//!
//! Findings are first told apart by verdict, by how the program ended and by its normalized message. A group of these
//! is then split by the grammar: an *element* (a rule's alternative, a symbol, a path within a token or between
//! nested symbols; for negative tests the kind of the first error, and the operator, rule and item of the mutation) that
//! many of its tests have and no passing test has. Characters and pairs of characters are elements too, for mistakes
//! that the grammar knows nothing of, such as one escape of a class. The most frequent element takes its tests out of
//! the group, and the search goes on with the rest. Where no element is missing in all passing tests, the one with the
//! largest difference of shares is taken. A message is a strong sign of one cause: findings with the same message are
//! split only by elements that a good part of them has.
//!
//! Worked example: of the tests of a JSON grammar, `[1e5]`, `1e5` and `{"a":[]}` are rejected with the same message,
//! `[1]`, `[]` and `{}` pass. The lexeme path `exp → "e"` is in the first two and in no passing test: one group, with
//! that reason. Left is `{"a":[]}`, which alone has the alternative `obj → "{" pair "}"`: a second group.
//!
//! The elements are learned from the smallest findings of a group and from the first passing tests; then every
//! finding is assigned. Linear in the findings times the groups they are split into.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gramercy_coverage::{CountedTrees, Criterion, CriterionSpec, Measure};
use gramercy_language::Language;
use gramercy_parse::{ErrorClass, TextWorkspace};
use gramercy_suite::document::Mutation;
use rusqlite::{Connection, params};

use crate::case::{Case, Expectation};
use crate::element_place::ElementPlace;
use crate::journal::read::{self, Which};
use crate::report::{Finding, Group};
use crate::verdict::Verdict;

/// What elements are made of, the most telling first.
const CRITERIA: [&str; 4] = ["rule", "lexeme:1", "symbol", "kpath:2"];
/// Findings from which the elements of a group are learned.
const LEARNED: usize = 300;
/// Passing tests that findings are compared with.
const COMPARED: usize = 2000;
/// Groups into which findings with the same message are split.
const SPLITS: usize = 8;
/// Groups with more findings are not split.
const SPLIT_TESTS: u64 = 100_000;
/// Different messages that are told apart; the others are one group per verdict.
const MESSAGES: usize = 200;
/// Elements that are listed for a group.
const LISTED: usize = 5;
/// The least difference of shares that is worth a word.
const CONTRAST: f64 = 0.5;
/// The least share of findings with the same message that an element must have to split them, and of any findings that
/// characters must have.
const SHARE_OF_MESSAGE: f64 = 0.25;
/// How much more telling characters must be than elements of the grammar.
const HANDICAP_OF_TEXT: f64 = 0.15;
/// Characters of a test that are elements.
const CHARACTERS: usize = 2000;

/// A part of the grammar, or of a mutation, that tests have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// As a pattern.
    pub text: String,
    /// Where it stands in the grammar.
    pub place: Option<ElementPlace>,
}

/// An element, in the order of preference.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// A target of one of the criteria.
    Target(usize, u64),
    /// Something about the first error of a negative test.
    Error(String),
    /// Something about a mutation.
    Mutation(String),
    /// A character, or two that follow each other.
    Text(char, Option<char>),
}

impl Key {
    fn is_text(&self) -> bool {
        matches!(self, Self::Text(..))
    }

    /// How telling it is, beside others.
    fn weight(&self, contrast: f64) -> f64 {
        if self.is_text() { contrast - HANDICAP_OF_TEXT } else { contrast }
    }
}

/// The groups of a subject's findings, the worst verdicts and the largest groups first.
///
/// # Errors
/// If the database fails.
pub fn groups(
    db: &Connection,
    subject: usize,
    language: Option<&Language>,
) -> rusqlite::Result<Vec<Group>> {
    let mut elements = Elements::new(language);
    let mut passing = None;
    let mut groups = Vec::new();
    for alike in Alike::of(db, subject)? {
        let passing = match &mut passing {
            Some(passing) => passing,
            none => none.insert(Passing::read(db, subject, &mut elements)?),
        };
        groups.extend(alike.split(db, subject, &mut elements, passing)?);
    }
    groups.sort_by_key(|group: &Group| {
        (severity(group.verdict), std::cmp::Reverse(group.tests), group.smallest.case.id)
    });
    Ok(groups)
}

/// Notes groups in a journal, so that users can query them.
///
/// # Errors
/// If the database fails.
pub fn store(db: &Connection, groups: &[Group]) -> rusqlite::Result<()> {
    let transaction = db.unchecked_transaction()?;
    db.execute_batch("DELETE FROM groups; DELETE FROM members;")?;
    for (number, group) in groups.iter().enumerate() {
        let row = params![
            number as i64 + 1,
            group.subject as i64,
            group.verdict.number() as i64,
            group.ending,
            group.signature,
            group.reason,
            crate::journal::signed(group.smallest.case.id),
            crate::journal::signed(group.tests),
        ];
        db.execute("INSERT INTO groups VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)?;
        for &test in &group.members {
            let row = params![number as i64 + 1, crate::journal::signed(test)];
            db.prepare_cached("INSERT INTO members VALUES (?, ?)")?.execute(row)?;
        }
    }
    transaction.commit()
}

/// Where a verdict stands in a report.
fn severity(verdict: Verdict) -> usize {
    let order = [
        Verdict::Broken,
        Verdict::Crash,
        Verdict::Hang,
        Verdict::Limit,
        Verdict::RejectedPositive,
        Verdict::AcceptedNegative,
        Verdict::WrongPlace,
        Verdict::Flaky,
        Verdict::Pass,
    ];
    order.iter().position(|&one| one == verdict).unwrap_or(order.len())
}

/// Findings with the same verdict, end and message.
struct Alike {
    verdict: Verdict,
    ending: String,
    signature: String,
    tests: u64,
}

impl Alike {
    fn of(db: &Connection, subject: usize) -> rusqlite::Result<Vec<Self>> {
        let select = "SELECT verdict, ending, signature, count(*) AS tests FROM verdicts \
            WHERE subject = ? AND verdict <> 0 GROUP BY 1, 2, 3 ORDER BY tests DESC, 1, 2, 3";
        let mut select = db.prepare(select)?;
        let mut rows = select.query([subject as i64])?;
        let mut alike: Vec<Self> = Vec::new();
        while let Some(row) = rows.next()? {
            let verdict = usize::try_from(row.get::<_, i64>(0)?).ok().and_then(Verdict::of_number);
            let tests = row.get::<_, i64>(3)?.unsigned_abs();
            let Some(verdict) = verdict else { continue };
            if alike.len() < MESSAGES {
                let (ending, signature) = (row.get(1)?, row.get(2)?);
                alike.push(Self { verdict, ending, signature, tests });
            }
        }
        Ok(alike)
    }

    /// Calls `visit` for the findings, the smallest first.
    fn for_each(
        &self,
        db: &Connection,
        subject: usize,
        mut visit: impl FnMut(u64, Case) -> ControlFlow<()>,
    ) -> rusqlite::Result<()> {
        let select = "SELECT v.test FROM verdicts v JOIN tests t ON t.id = v.test \
            WHERE v.subject = ?1 AND v.verdict <> 0 AND v.verdict = ?2 AND v.ending = ?3 AND v.signature = ?4 \
            ORDER BY length(t.content), t.id";
        let mut select = db.prepare(select)?;
        let wanted =
            params![subject as i64, self.verdict.number() as i64, self.ending, self.signature];
        let mut rows = select.query(wanted)?;
        while let Some(row) = rows.next()? {
            let test = row.get::<_, i64>(0)?.unsigned_abs();
            if visit(test, read::one(db, subject, test)?.case).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Splits the findings by elements.
    fn split(
        &self,
        db: &Connection,
        subject: usize,
        elements: &mut Elements<'_>,
        passing: &Passing,
    ) -> rusqlite::Result<Vec<Group>> {
        let mut learned = Vec::new();
        // What was not read cannot be the reason.
        if self.tests <= SPLIT_TESTS && self.verdict != Verdict::Broken {
            self.for_each(db, subject, |_, case| {
                learned.push((elements.of(&case), case.expect));
                match learned.len() < LEARNED {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            })?;
        }
        let least_share = if self.signature.is_empty() { 0.0 } else { SHARE_OF_MESSAGE };
        let splits = choose(&learned, passing, least_share);
        let mut parts: Vec<(Vec<u64>, u64)> = vec![(Vec::new(), 0); splits.len() + 1];
        self.for_each(db, subject, |test, case| {
            let own = if splits.is_empty() { Vec::new() } else { elements.of(&case) };
            let has = |split: &Split| own.binary_search(&split.key).is_ok();
            let part = splits.iter().position(has).unwrap_or(splits.len());
            let (members, count) = &mut parts[part];
            *count += 1;
            if *count <= SPLIT_TESTS {
                members.push(test);
            }
            ControlFlow::Continue(())
        })?;
        let mut groups = Vec::new();
        for (number, (members, tests)) in parts.into_iter().enumerate() {
            let Some(&smallest) = members.first() else { continue };
            let judged = read::one(db, subject, smallest)?;
            let (stdout, stderr) = read::output(db, subject, smallest)?;
            let (case, judgement) = (judged.case, judged.judgement);
            let split = splits.get(number);
            groups.push(Group {
                subject,
                verdict: self.verdict,
                ending: self.ending.clone(),
                signature: self.signature.clone(),
                reason: match self.verdict {
                    Verdict::Broken => "the program ended before it read the test".to_owned(),
                    _ => reason(split, tests, case.expect, passing, elements),
                },
                elements: elements_of(split, &case, elements),
                tests,
                members,
                smallest: Finding { case, judgement, stdout, stderr },
            });
        }
        Ok(groups)
    }
}

/// How many passing tests have each element.
#[derive(Default)]
struct Passing {
    positive: (u64, BTreeMap<Key, u64>),
    negative: (u64, BTreeMap<Key, u64>),
}

impl Passing {
    fn read(
        db: &Connection,
        subject: usize,
        elements: &mut Elements<'_>,
    ) -> rusqlite::Result<Self> {
        let mut passing = Self::default();
        if elements.measure.is_none() {
            return Ok(passing);
        }
        let mut seen = 0;
        read::for_each(db, subject, Which::Passed, |judged| {
            let (tests, counts) = match judged.case.expect {
                Expectation::Accept => &mut passing.positive,
                Expectation::Reject(_) => &mut passing.negative,
            };
            if *tests < COMPARED as u64 {
                *tests += 1;
                for key in elements.of(&judged.case) {
                    *counts.entry(key).or_default() += 1;
                }
            }
            seen += 1;
            // One kind may come long before the other.
            match seen < 50 * COMPARED {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        Ok(passing)
    }

    fn of(&self, expect: Expectation) -> &(u64, BTreeMap<Key, u64>) {
        match expect {
            Expectation::Accept => &self.positive,
            Expectation::Reject(_) => &self.negative,
        }
    }

    /// The share of passing tests of a kind that have an element.
    #[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
    fn share(&self, key: &Key, expect: Expectation) -> f64 {
        let (tests, counts) = self.of(expect);
        let with = counts.get(key).copied().unwrap_or(0);
        if *tests == 0 { 0.0 } else { with as f64 / *tests as f64 }
    }
}

/// An element that takes tests out of a group.
struct Split {
    key: Key,
    /// The share of passing tests that have it.
    passing: f64,
    /// Further elements that all its tests have and no passing test has.
    others: Vec<Key>,
}

impl Split {
    fn describe(&self, elements: &Elements<'_>) -> Vec<Element> {
        [&self.key].into_iter().chain(&self.others).map(|key| elements.describe(key)).collect()
    }
}

/// The elements of a group. Where none of them has a place in the grammar, the rule in which the smallest test was
/// changed has one.
fn elements_of(split: Option<&Split>, smallest: &Case, elements: &Elements<'_>) -> Vec<Element> {
    let mut listed = split.map_or_else(Vec::new, |split| split.describe(elements));
    if listed.iter().all(|element| element.place.is_none()) {
        let keys = smallest.mutation.as_deref().map(mutation_keys).unwrap_or_default();
        let own = keys.iter().map(|key| elements.describe(key));
        listed.extend(own.filter(|element| element.place.is_some()).take(1));
    }
    listed
}

/// Chooses elements until every learned finding has one, or none is telling.
#[expect(clippy::cast_precision_loss, reason = "a share need not be exact")]
fn choose(learned: &[(Vec<Key>, Expectation)], passing: &Passing, least_share: f64) -> Vec<Split> {
    // Without a passing test, nothing is telling.
    let is_compared = |(_, expect): &&(Vec<Key>, Expectation)| passing.of(*expect).0 > 0;
    let mut left: Vec<&(Vec<Key>, Expectation)> = learned.iter().filter(is_compared).collect();
    let mut splits = Vec::new();
    while let Some((_, expect)) = left.first().filter(|_| splits.len() < SPLITS) {
        let mut counts: BTreeMap<&Key, u64> = BTreeMap::new();
        for (keys, _) in &left {
            keys.iter().for_each(|key| *counts.entry(key).or_default() += 1);
        }
        let telling = counts.iter().map(|(&key, &tests)| {
            let share = passing.share(key, *expect);
            (tests as f64 / left.len() as f64 - share, share, tests, key)
        });
        // An element that no passing test has goes first; of equal ones, the first in the order of preference.
        let best = telling.filter(|&(contrast, share, tests, key)| {
            // Few tests always have some characters of their own.
            let least = if key.is_text() { SHARE_OF_MESSAGE } else { least_share };
            let is_common =
                tests as f64 >= least * left.len() as f64 && (tests > 1 || !key.is_text());
            is_common && (share == 0.0 || contrast >= CONTRAST)
        });
        let best = best.reduce(|best, other| {
            let rank = |it: &(f64, f64, u64, &Key)| (it.1 == 0.0, it.3.weight(it.0));
            if rank(&other) > rank(&best) { other } else { best }
        });
        let Some((_, share, tests, key)) = best else { break };
        let is_other = |other: &&Key| *other != key && counts[*other] >= tests;
        let with: Vec<_> =
            left.iter().filter(|(keys, _)| keys.binary_search(key).is_ok()).collect();
        let others = with.first().map_or(&[][..], |(keys, _)| keys).iter().filter(is_other);
        let others = others.filter(|other| !other.is_text());
        let others = others.filter(|other| {
            passing.share(other, *expect) == 0.0
                && with.iter().all(|(keys, _)| keys.binary_search(other).is_ok())
        });
        let others = others.take(LISTED - 1).cloned().collect();
        splits.push(Split { key: key.clone(), passing: share, others });
        let key = splits.last().map(|split| split.key.clone()).expect("invariant: just pushed");
        left.retain(|(keys, _)| keys.binary_search(&key).is_err());
    }
    splits
}

/// Why findings belong together.
fn reason(
    split: Option<&Split>,
    tests: u64,
    expect: Expectation,
    passing: &Passing,
    elements: &Elements<'_>,
) -> String {
    let these = match tests {
        1 => "this test has".to_owned(),
        2 => "both tests have".to_owned(),
        tests => format!("all {tests} tests have"),
    };
    let (compared, _) = passing.of(expect);
    match split {
        None if *compared == 0 => "no test of this kind passes".to_owned(),
        None => "nothing in the grammar tells these tests from those that pass".to_owned(),
        Some(Split { key, passing: 0.0, .. }) => {
            format!("{these} {}, which no passing test has", elements.name(key))
        }
        Some(Split { key, passing, .. }) => {
            let percent = format!("{:.0}", passing * 100.0);
            format!("{these} {}, which {percent} % of the passing tests have", elements.name(key))
        }
    }
}

/// Finds the elements of tests.
struct Elements<'e> {
    language: Option<&'e Language>,
    measure: Option<Measure<'e>>,
    workspace: Option<TextWorkspace>,
}

impl<'e> Elements<'e> {
    /// Criteria with too many targets are left out.
    fn new(language: Option<&'e Language>) -> Self {
        let measure = language.and_then(|language| {
            let parser = language.parser().ok()?;
            let specs = CRITERIA.iter().filter_map(|name| CriterionSpec::parse_list(name).ok());
            let criteria: Vec<Box<dyn Criterion + 'e>> =
                specs.flatten().filter_map(|spec| spec.build(language).ok()).collect();
            let productions = language.bnf().production_count();
            Some(Measure { parser, criteria, productions, trees: CountedTrees::Preferred })
        });
        Self { language, measure, workspace: None }
    }

    /// The elements of a test, sorted.
    fn of(&mut self, case: &Case) -> Vec<Key> {
        let mut keys = match case.expect {
            Expectation::Accept => self.targets(&case.content),
            Expectation::Reject(_) => {
                let mutation = case.mutation.as_deref().map(mutation_keys).unwrap_or_default();
                mutation.into_iter().chain(self.errors(&case.content)).collect()
            }
        };
        keys.extend(characters(&case.content));
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn targets(&mut self, content: &[u8]) -> Vec<Key> {
        let (Some(measure), Ok(text)) = (&self.measure, std::str::from_utf8(content)) else {
            return Vec::new();
        };
        let workspace = self.workspace.get_or_insert_with(|| measure.parser.workspace());
        let Ok(covered) = measure.text(workspace, text) else { return Vec::new() };
        let sets = covered.targets.iter().enumerate();
        sets.flat_map(|(criterion, set)| {
            set.iter().map(move |target| Key::Target(criterion, target))
        })
        .collect()
    }

    /// What the grammar says about the first error of a negative test.
    fn errors(&mut self, content: &[u8]) -> Vec<Key> {
        let Some(measure) = &self.measure else { return Vec::new() };
        let Ok(text) = std::str::from_utf8(content) else {
            return vec![Key::Error("bytes that are not UTF-8".to_owned())];
        };
        let workspace = self.workspace.get_or_insert_with(|| measure.parser.workspace());
        let Err(rejection) = measure.parser.recognize(workspace, text) else { return Vec::new() };
        let terminals = self.language.map(|language| language.grammar().terminals());
        let what = match (&rejection.class, terminals) {
            (ErrorClass::Token(Some(terminal)), Some(terminals)) => {
                format!("an error at `{}`", terminals[*terminal].name)
            }
            (ErrorClass::End, _) => "an end that comes too early".to_owned(),
            (ErrorClass::Lexical(_), _) => "text that is no token".to_owned(),
            _ => "an unknown token".to_owned(),
        };
        let mut texts = match rejection.end_expected {
            true => vec![
                format!("{what} after a complete sentence"),
                "an error after a complete sentence".to_owned(),
            ],
            false => Vec::new(),
        };
        if text.is_empty() {
            texts.push("no text at all".to_owned());
        }
        texts.push(what);
        texts.into_iter().map(Key::Error).collect()
    }

    fn describe(&self, key: &Key) -> Element {
        match (key, &self.measure) {
            (Key::Target(criterion, target), Some(measure)) => {
                let criterion = &measure.criteria[*criterion];
                let place = criterion
                    .place(*target)
                    .and_then(|span| Some(ElementPlace::of(self.language?.grammar(), span)));
                Element { text: criterion.describe(*target), place }
            }
            (Key::Target(..), None) => Element { text: String::new(), place: None },
            (Key::Error(text), _) => Element { text: text.clone(), place: None },
            (Key::Text(first, second), _) => {
                let text: String = std::iter::once(*first).chain(*second).collect();
                Element { text: format!("the text `{}`", text.escape_debug()), place: None }
            }
            (Key::Mutation(text), _) => {
                Element { text: text.clone(), place: self.rule_place(text) }
            }
        }
    }

    /// Where the rule of a mutation stands.
    fn rule_place(&self, text: &str) -> Option<ElementPlace> {
        let item = || text.strip_prefix("item ")?.split(' ').next();
        let name = text.strip_prefix("rule ").or_else(item)?;
        let grammar = self.language?.grammar();
        let rule = grammar.rules().values().find(|rule| &*rule.name == name)?;
        Some(ElementPlace::of(grammar, rule.span))
    }

    fn name(&self, key: &Key) -> String {
        let text = self.describe(key).text;
        match key {
            Key::Target(..) => format!("`{text}`"),
            Key::Error(_) | Key::Text(..) => text,
            Key::Mutation(_) => format!("the mutation's {text}"),
        }
    }
}

/// The characters of a test, and the pairs of them.
fn characters(content: &[u8]) -> impl Iterator<Item = Key> {
    let text = String::from_utf8_lossy(content);
    let all: Vec<char> = text.chars().take(CHARACTERS).collect();
    let next: Vec<Option<char>> = all.iter().skip(1).copied().map(Some).collect();
    let pairs = all.clone().into_iter().zip(next).map(|(one, other)| Key::Text(one, other));
    all.into_iter().map(|one| Key::Text(one, None)).chain(pairs)
}

/// What is characteristic of a mutation.
fn mutation_keys(json: &str) -> Vec<Key> {
    let Ok(mutation) = serde_json::from_str::<Mutation<'_>>(json) else { return Vec::new() };
    let quoted = |texts: &[std::borrow::Cow<'_, str>]| texts.join(" ");
    let mut texts = vec![format!("operator {}", mutation.operator)];
    texts.extend(mutation.rule.as_ref().map(|rule| format!("rule {rule}")));
    texts.extend(mutation.item.as_ref().map(|item| format!("item {item}")));
    if !mutation.inserted.is_empty() {
        texts.push(format!("insertion of {}", quoted(&mutation.inserted)));
    }
    if !mutation.removed.is_empty() {
        texts.push(format!("removal of {}", quoted(&mutation.removed)));
    }
    texts.into_iter().map(Key::Mutation).collect()
}
