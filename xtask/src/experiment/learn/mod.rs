//! Which input features reach which code of real programs: Tables 9 to 11 of Havrikov, Kampmann and Zeller ("From input
//! coverage to code coverage", TOSEM) made again.
//!
//! For each subject 1,000 random inputs are run and learned from. Trees predict what 1,000 fresh inputs cover, and inputs
//! are made for each target. Three ways of learning are compared: greedy trees as in the publication, provably optimal
//! ones, and greedy ones that were refined by more runs. The report is `target/xtask/experiment-learn/report.md`.
//!
//! In reading order: [`subjects`], [`measure`], [`statistics`], [`tables`], [`failures`] (an experiment of its own).

pub(super) mod failures;
mod measure;
mod statistics;
mod subjects;
mod tables;

use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Fallible, Profile, root};
use crate::say;
use measure::{Lab, Learned, Quality, Reached};
use subjects::{SUBJECTS, Subject};

/// A way to learn, with the options for it.
const WAYS: [(&str, &[&str]); 3] = [
    ("greedy", &[]),
    ("optimal", &["--learner", "optimal", "--depth", "3"]),
    ("refined", &["--refine", "--max-runs", "1000"]),
];

/// What is known about a subject.
struct Row {
    name: &'static str,
    kind: &'static str,
    observed: usize,
    trainable: usize,
    /// For each way to learn.
    ways: Vec<Way>,
    /// Spearman's rho of k-path and branch coverage for k from 1 to 5.
    correlation: Vec<f64>,
}

struct Way {
    name: &'static str,
    questions: f64,
    quality: Quality,
    reached: Reached,
}

/// Runs the experiment on the named subjects, or on all.
pub(super) fn run(extent: Extent, names: &[&str]) -> Fallible {
    if let Some(unknown) = names.iter().find(|name| SUBJECTS.iter().all(|it| it.name != **name)) {
        let known: Vec<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
        return Err(format!("there is no subject `{unknown}`, but {}", known.join(", ")));
    }
    let is_chosen = |subject: &&Subject| match (names, extent) {
        ([], Extent::Short) => subject.name == "python-json",
        ([], Extent::Full) => true,
        _ => names.contains(&subject.name),
    };
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let (mut rows, mut failures) = (Vec::new(), Vec::new());
    for subject in SUBJECTS.iter().filter(is_chosen) {
        match examine(&gramercy, subject, extent) {
            Ok(Some(row)) => rows.push(row),
            Ok(None) => {}
            Err(error) => failures.push(format!("{}: {error}", subject.name)),
        }
        let report = tables::report(&rows);
        let path = scratch("experiment-learn")?.join("report.md");
        std::fs::write(&path, &report).map_err(|error| error.to_string())?;
    }
    say(&tables::report(&rows));
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn examine(gramercy: &Gramercy, subject: &Subject, extent: Extent) -> Fallible<Option<Row>> {
    let Some(command) = subject.command("functions", extent)? else { return Ok(None) };
    let folder = scratch("experiment-learn")?.join(subject.name);
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let grammar = root().join(subject.grammar);
    let lab = Lab { gramercy, grammar, folder, command };
    let inputs = if extent == Extent::Short { "60" } else { "1000" };
    let ways = if extent == Extent::Short { &WAYS[..1] } else { &WAYS[..] };
    lab.learn("fresh", &["--random", inputs, "--seed", "2"], &[])?;
    let fresh = lab.runs("fresh")?;
    let (mut found, mut first): (Vec<Way>, Option<Learned>) = (Vec::new(), None);
    for (name, options) in ways {
        let learned = lab.learn(name, &["--random", inputs, "--seed", "1"], options)?;
        let quality = lab.quality(&learned, &fresh)?;
        let reached = lab.reached(&learned, &fresh)?;
        say(&format!(
            "{} {name}: accuracy {:.3}, precision {:.3}, recall {:.3}, relative {:.3}, absolute {:.3}",
            subject.name,
            quality.accuracy,
            quality.precision,
            quality.recall,
            reached.relative[1],
            reached.absolute[1]
        ));
        found.push(Way { name, questions: learned.questions, quality, reached });
        first.get_or_insert(learned);
    }
    let first = first.ok_or("no way to learn")?;
    let correlation = match extent {
        Extent::Short => Vec::new(),
        Extent::Full => correlation(&lab, subject)?,
    };
    Ok(Some(Row {
        name: subject.name,
        kind: subject.kind,
        observed: first.observed,
        trainable: first.trainable.len(),
        ways: found,
        correlation,
    }))
}

/// Correlates the coverage of k-paths with that of branches.
fn correlation(lab: &Lab<'_>, subject: &Subject) -> Fallible<Vec<f64>> {
    let Some(command) = subject.command("branches", Extent::Full)? else { return Ok(Vec::new()) };
    let (grammar, folder) = (lab.grammar.clone(), lab.folder.clone());
    let lab = Lab { gramercy: lab.gramercy, grammar, folder, command };
    lab.learn("branches", &["--random", "1000", "--seed", "1"], &["--depth", "1"])?;
    lab.correlate("branches")
}
