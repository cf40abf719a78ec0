//! Real faults of grammars: repairs that their authors made, with the inputs that the old grammar rejects.
//!
//! For each repair, the rules of the old grammar are ranked by the rejected inputs alone, and with a suite of the old
//! grammar as passing tests. The rank of the first rule that the authors changed counts. Then patches are proposed, and
//! a patched grammar is compared with that of the authors by suites of both.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gramercy_assemble::{Recipe, Tests};
use gramercy_campaign::diff::grammars;
use gramercy_formats::{Disk, LoadOptions};
use gramercy_language::Language;
use gramercy_localize::repair::search::Source;
use gramercy_localize::repair::{PatchedFiles, RepairOptions, RepairTest, repair};
use gramercy_localize::{FailingTest, Localized, Options, Subject, Wanted, localize};

use crate::Fallible;
use crate::columns::aligned;

/// Passing tests that are made from an old grammar.
const PASSING: u64 = 200;

/// A repair.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    grammar: PathBuf,
    repaired: PathBuf,
    start: String,
    changed: Vec<String>,
    inputs: Vec<PathBuf>,
}

/// All cases of the collection next to the checkout, or `None` with a printed reason.
///
/// # Errors
/// If its index cannot be read.
pub fn cases() -> Fallible<Option<Vec<Case>>> {
    let Some(folder) = gramercy_testkit::shared("../faults") else { return Ok(None) };
    let index = folder.join("index.tsv");
    let text = std::fs::read_to_string(&index).map_err(|e| format!("{}: {e}", index.display()))?;
    let mut cases = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let [name, grammar, start, modified, _, removed, ..] = fields[..] else { continue };
        let names = modified.split(',').chain(removed.split(','));
        let folder = folder.join(name);
        cases.push(Case {
            name: name.to_owned(),
            grammar: folder.join("before").join(grammar),
            repaired: folder.join("after").join(grammar),
            start: start.to_owned(),
            changed: names.filter(|name| !name.is_empty()).map(str::to_owned).collect(),
            inputs: files(&folder.join("examples"))?,
        });
    }
    Ok(Some(cases))
}

fn files(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}

/// How a fault was found.
#[derive(Clone, Debug)]
pub struct Found {
    name: String,
    /// The rank of the first changed rule, by failing inputs alone and with passing ones.
    ranks: [f64; 2],
    rules: usize,
    rejected: usize,
    inputs: usize,
    seconds: f64,
    patch: Option<Patched>,
}

/// What became of a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patched {
    /// No patch makes all inputs pass.
    Not,
    /// One does.
    Passes,
    /// And suites of the patched grammar and of the authors' have the same verdicts.
    Equal,
}

impl Case {
    fn load(&self) -> LoadOptions {
        LoadOptions { start: Some(self.start.clone()), ..LoadOptions::default() }
    }
}

/// What is done with a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It is localized.
    Localize,
    /// And repaired, which takes longer.
    Repair,
}

/// Localizes and repairs a fault.
///
/// # Errors
/// If its files cannot be read.
pub fn run(case: &Case, work: Work) -> Fallible<Found> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", case.name);
    let language = Language::read_with(&case.grammar, &case.load()).map_err(|e| at(&e))?;
    let texts: Vec<_> = case
        .inputs
        .iter()
        .filter_map(|input| std::fs::read(input).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let subject = Subject::new(&language).map_err(|e| format!("{}: {e:?}", case.name))?;
    let tests: Vec<_> = texts.iter().map(|text| FailingTest::rejected(text)).collect();
    let options = Options::default();
    let before = Instant::now();
    let alone = localize(&subject, &tests, &[], &options);
    let seconds = before.elapsed().as_secs_f64();
    let passing = suite(&language);
    let passing: Vec<_> = passing.iter().map(String::as_str).collect();
    let with_passing = localize(&subject, &tests, &passing, &options);
    Ok(Found {
        name: case.name.clone(),
        ranks: [&alone, &with_passing].map(|localized| rank(case, &language, localized)),
        rules: alone.ranking.len(),
        rejected: tests.len() - alone.not_failing.len(),
        inputs: tests.len(),
        seconds,
        patch: match work {
            Work::Localize => None,
            Work::Repair => Some(patched(case, &texts)),
        },
    })
}

/// The rank of the first changed rule.
fn rank(case: &Case, language: &Language, localized: &Localized) -> f64 {
    let is_changed = |rule| {
        let name = &*language.grammar().rules()[rule].name;
        case.changed.iter().any(|changed| changed == name)
    };
    let first = localized.ranking.iter().find(|ranked| is_changed(ranked.rule));
    first.map_or(f64::INFINITY, |ranked| ranked.rank)
}

/// Tests of the old grammar.
fn suite(language: &Language) -> Vec<String> {
    let Ok(mut recipe) = Recipe::cover("rule") else { return Vec::new() };
    recipe.limit = Some(PASSING);
    let tests = Tests::new(language, &recipe).filter_map(Result::ok);
    tests.filter_map(|test| test.text.map(std::borrow::Cow::into_owned)).collect()
}

fn patched(case: &Case, texts: &[String]) -> Patched {
    let failing: Vec<_> =
        texts.iter().map(|text| RepairTest { text, wanted: Wanted::Accept }).collect();
    let load = case.load();
    let source = Source { path: &case.grammar, files: &Disk, load: &load };
    let options = RepairOptions { proposals: 3, compared: 0, ..RepairOptions::default() };
    let Ok(repaired) = repair(source, &failing, &[], &options, &mut |_| ControlFlow::Continue(()))
    else {
        return Patched::Not;
    };
    let equals = |texts: &gramercy_base::IndexMap<PathBuf, String>| {
        let files = PatchedFiles { files: &Disk, texts: texts.clone() };
        let ours = Language::read_from(&case.grammar, &files, &load).ok()?;
        let theirs = Language::read_with(&case.repaired, &load).ok()?;
        let mut recipe = Recipe::cover("rule").ok()?;
        recipe.limit = Some(PASSING);
        let review =
            grammars::review(&theirs, &ours, &[recipe], &mut |_| ControlFlow::Continue(())).ok()?;
        Some(review.changes.is_empty())
    };
    let is_equal = repaired.proposals.iter().any(|patch| equals(&patch.files) == Some(true));
    match (repaired.proposals.is_empty(), is_equal) {
        (true, _) => Patched::Not,
        (false, false) => Patched::Passes,
        (false, true) => Patched::Equal,
    }
}

/// All cases, and the shares of them.
#[must_use]
pub fn table(found: &[Found]) -> String {
    let head = ["fault", "rules", "rejected", "rank", "with passing", "seconds", "patch"];
    let mut rows = Vec::new();
    for case in found {
        let patch = match case.patch {
            None => "",
            Some(Patched::Not) => "-",
            Some(Patched::Passes) => "passes",
            Some(Patched::Equal) => "equal",
        };
        rows.push([
            case.name.clone(),
            case.rules.to_string(),
            format!("{}/{}", case.rejected, case.inputs),
            case.ranks[0].to_string(),
            case.ranks[1].to_string(),
            format!("{:.2}", case.seconds),
            patch.to_owned(),
        ]);
    }
    format!("{}\n\n{}", aligned(&head, &rows).join("\n"), shares(found))
}

fn shares(found: &[Found]) -> String {
    let of = |count: usize| percent(count, found.len());
    let mut text = String::new();
    for (at, name) in ["failing inputs alone", "with passing inputs"].into_iter().enumerate() {
        let within = |most: f64| of(found.iter().filter(|case| case.ranks[at] <= most).count());
        text += &format!(
            "{name}: a changed rule is first in {}, in the top five in {}, in the top ten in {}\n",
            within(1.0),
            within(5.0),
            within(10.0)
        );
    }
    let patches: Vec<_> = found.iter().filter_map(|case| case.patch).collect();
    if patches.is_empty() {
        return text;
    }
    let passes = patches.iter().filter(|&&patch| patch != Patched::Not).count();
    let equal = patches.iter().filter(|&&patch| patch == Patched::Equal).count();
    text + &format!(
        "patches: all inputs pass in {}, equal to the authors' grammar on suites in {}\n",
        percent(passes, patches.len()),
        percent(equal, patches.len())
    )
}

/// A share in words.
#[must_use]
pub fn percent(part: usize, whole: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "numbers of faults")]
    let share = 100.0 * part as f64 / whole.max(1) as f64;
    format!("{share:.1} % ({part}/{whole})")
}
