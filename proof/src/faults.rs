//! Real faults of grammars: repairs that their authors made, with the inputs that the old grammar rejects.

use std::path::{Path, PathBuf};
use std::time::Instant;

use gramercy_formats::LoadOptions;
use gramercy_language::Language;
use gramercy_localize::{FailingTest, Options, Subject, localize};

use crate::Fallible;

/// A repair.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    grammar: PathBuf,
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
        let changed = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let folder = folder.join(name);
        cases.push(Case {
            name: name.to_owned(),
            grammar: folder.join("before").join(grammar),
            start: start.to_owned(),
            changed,
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
    rank: f64,
    rules: usize,
    rejected: usize,
    inputs: usize,
    seconds: f64,
    details: String,
}

impl Found {
    /// A line about it.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "{:24} rank {:6} of {:4}  rejects {}/{}  {:.2} s{}",
            self.name, self.rank, self.rules, self.rejected, self.inputs, self.seconds, self.details
        )
    }
}

/// Localizes a fault.
///
/// # Errors
/// If its files cannot be read.
pub fn run(case: &Case, verbose: usize) -> Fallible<Found> {
    let at = |e: &dyn std::fmt::Display| format!("{}: {e}", case.name);
    let options = LoadOptions { start: Some(case.start.clone()), ..LoadOptions::default() };
    let language = Language::read_with(&case.grammar, &options).map_err(|e| at(&e))?;
    let texts: Vec<_> = case
        .inputs
        .iter()
        .filter_map(|input| std::fs::read(input).ok())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let texts: Vec<_> = texts.iter().map(String::as_str).collect();
    let subject = Subject::new(&language).map_err(|e| format!("{}: {e:?}", case.name))?;
    let before = Instant::now();
    let tests: Vec<_> = texts.iter().map(|text| FailingTest::rejected(text)).collect();
    let mut options = Options::default();
    macro_rules! weights { ($($name:ident)*) => { $( if let Ok(v) = std::env::var(concat!("W_", stringify!($name))) { options.weights.$name = v.parse().unwrap(); } )* } }
    weights!(insert skip substitute alternative choice unread unread_insert behind_token atomic unlike unbalanced hidden space repeat symbol phrase distance token_distance keyword progress accepted widen widen_more character unmatched matched rematch later temperature);
    let localized = localize(&subject, &tests, &[], &options);
    let seconds = before.elapsed().as_secs_f64();
    let grammar = language.grammar();
    let name = |rule| &*grammar.rules()[rule].name;
    let is_changed = |rule| case.changed.iter().any(|changed| changed == name(rule));
    let rank = localized.ranking.iter().find(|ranked| is_changed(ranked.rule));
    let rejected = localized.failing.iter().filter(|input| !input.errors.is_empty()).count();
    let mut details = String::new();
    for ranked in localized.ranking.iter().take(verbose) {
        let mark = if is_changed(ranked.rule) { '*' } else { ' ' };
        details += &format!("\n   {mark} {:6} {:.4} {}", ranked.rank, ranked.score, name(ranked.rule));
    }
    if verbose > 0 {
        for (examined, text) in localized.failing.iter().zip(&texts) {
            for error in &examined.errors {
                let (line, column) = position(text, error.byte);
                let rest: String = text[error.byte..].chars().take(30).collect();
                details += &format!("\n   error at token {} {line}:{column} {rest:?}", error.token);
                let mut shown: Vec<gramercy_grammar::RuleId> = Vec::new();
                for e in &error.explanations {
                    if shown.len() >= verbose || shown.contains(&e.rule) {
                        continue;
                    }
                    shown.push(e.rule);
                    details += &format!(
                        "\n    {} {:8.3} {:?} {} slot {:?} token {} gap {} reached {:?} {}",
                        if is_changed(e.rule) { '*' } else { ' ' },
                        e.energy, e.change, name(e.rule), e.slot, e.token, e.gap, e.reached, subject.describe(e, text)
                    );
                }
            }
        }
    }
    Ok(Found {
        name: case.name.clone(),
        rank: rank.map_or(f64::INFINITY, |ranked| ranked.rank),
        rules: localized.ranking.len(),
        rejected,
        inputs: texts.len(),
        seconds,
        details,
    })
}

fn position(text: &str, byte: usize) -> (usize, usize) {
    let before = &text[..byte];
    let line = before.matches('\n').count() + 1;
    (line, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1)
}

/// The shares of all cases.
#[must_use]
pub fn summary(found: &[Found]) -> String {
    let share = |most: f64, part: &dyn Fn(usize) -> bool| {
        let cases = found.iter().enumerate().filter(|(at, _)| part(*at));
        let (mut good, mut all) = (0, 0);
        for (_, case) in cases {
            all += 1;
            good += usize::from(case.rank <= most);
        }
        format!("{good}/{all}")
    };
    let reciprocal = |part: &dyn Fn(usize) -> bool| {
        let ranks: Vec<_> =
            found.iter().enumerate().filter(|(at, _)| part(*at)).map(|(_, case)| case.rank).collect();
        ranks.iter().map(|rank| 1.0 / rank).sum::<f64>() / ranks.len() as f64
    };
    let mut text = String::new();
    for (name, part) in [
        ("all", &(|_| true) as &dyn Fn(usize) -> bool),
        ("even", &|at| at % 2 == 0),
        ("odd", &|at| at % 2 == 1),
    ] {
        text += &format!(
            "{name:5} first {} top five {} top ten {} mean reciprocal rank {:.3}\n",
            share(1.0, part), share(5.0, part), share(10.0, part), reciprocal(part)
        );
    }
    text
}
