//! Why programs reject inputs that their grammar allows: campaigns, the groups of their messages, and the condition of
//! each group, tested on the tests of another campaign.
//!
//! A message is learned about if at least [`FEW`] tests of the campaign have it and [`FEW`] do not.

use std::fmt::Write as _;

use serde_json::Value;

use super::measure::{Lab, Learned};
use super::subjects::{SUBJECTS, Subject};
use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::say;

/// The least number of tests on either side.
const FEW: f64 = 5.0;
/// Precision and recall that count as an explanation.
const GOOD: f64 = 0.95;

/// A group of failures with what was learned about it.
struct Group {
    subject: &'static str,
    message: String,
    condition: String,
    tests: f64,
    precision: f64,
    recall: f64,
}

/// Runs the experiment on the named subjects, or on all.
pub(in crate::experiment) fn run(extent: Extent, names: &[&str]) -> Fallible {
    let is_chosen = |subject: &&Subject| match (names, extent) {
        ([], Extent::Short) => subject.name == "tomllib",
        ([], Extent::Full) => true,
        _ => names.contains(&subject.name),
    };
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let (mut groups, mut failures) = (Vec::new(), Vec::new());
    for subject in SUBJECTS.iter().filter(is_chosen) {
        match examine(&gramercy, subject, extent) {
            Ok(found) => groups.extend(found),
            Err(error) => failures.push(format!("{}: {error}", subject.name)),
        }
    }
    let report = table(&groups);
    let path = scratch("experiment-learn")?.join("failures.md");
    std::fs::write(path, &report).map_err(|error| error.to_string())?;
    say(&report);
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

fn examine(gramercy: &Gramercy, subject: &Subject, extent: Extent) -> Fallible<Vec<Group>> {
    let Some(command) = subject.command("verdicts", extent)? else { return Ok(Vec::new()) };
    let folder = scratch("experiment-learn")?.join(format!("{}-failures", subject.name));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let lab = Lab { gramercy, grammar: root().join(subject.grammar), folder, command };
    let tests = if extent == Extent::Short { "100" } else { "2000" };
    let model = campaign(&lab, "known", tests, "1")?;
    campaign(&lab, "fresh", tests, "2")?;
    let fresh = lab.runs("fresh")?;
    let mut groups = Vec::new();
    for (target, counts) in model.trainable.iter().zip(lab.counts(&model, &fresh)?) {
        let Some(message) = target.strip_prefix("message:") else { continue };
        if counts.positives() < FEW {
            continue;
        }
        let quality = counts.quality();
        groups.push(Group {
            subject: subject.name,
            message: message.to_owned(),
            condition: condition(&lab, &model, target)?,
            tests: counts.positives(),
            precision: quality.precision,
            recall: quality.recall,
        });
    }
    say(&format!("{}: {} groups", subject.name, groups.len()));
    Ok(groups)
}

/// Runs a campaign and learns from its database.
fn campaign(lab: &Lab<'_>, name: &str, tests: &str, seed: &str) -> Fallible<Learned> {
    let db = lab.path(&format!("{name}.db"));
    let call = Call::new(lab.gramercy.path()).arg("run").arg(&lab.grammar);
    let call = call.args(["--quiet", "--json", "--kind", "positive", "--persistent", "--unique"]);
    let call = call.args(["--random", tests, "--tokens", "40", "--lexemes", "random"]);
    let call = call.args(["--seed", seed, "--reruns", "0", "--force", "--db"]).arg(&db);
    let ran = call.arg("--").args(&lab.command).finish()?;
    if ran.code.is_none_or(|code| code > 1) {
        return Err(ran.stderr.lines().take(5).collect::<Vec<_>>().join("\n"));
    }
    let file = lab.path(&format!("{name}.json"));
    let call = Call::new(lab.gramercy.path()).arg("learn").arg(&lab.grammar);
    let call = call.args(["--quiet", "--json", "--db"]).arg(&db).arg("-o").arg(&file);
    let call = call.arg("--write-behaviour").arg(lab.path(&format!("{name}.ndjson")));
    call.finish()?.success()?;
    Learned::read(file)
}

/// The condition with the greatest support, in words.
fn condition(lab: &Lab<'_>, model: &Learned, target: &str) -> Fallible<String> {
    let call = Call::new(lab.gramercy.path()).arg("explain").arg(&lab.grammar);
    let call = call.args(["--json", "--model"]).arg(&model.file).arg(target);
    let found: Value =
        serde_json::from_str(&call.finish()?.success()?).map_err(|error| error.to_string())?;
    let clauses = found["conditions"][0]["clauses"].as_array().into_iter().flatten();
    let words = clauses.map(|clause| {
        let pattern = clause["pattern"].as_str().unwrap_or_default();
        match clause["present"].as_bool() {
            Some(true) => format!("`{pattern}`"),
            _ => format!("not `{pattern}`"),
        }
    });
    Ok(words.collect::<Vec<_>>().join(" and "))
}

fn table(groups: &[Group]) -> String {
    let mut text = String::from(
        "| subject | message | condition with the greatest support | tests | precision | recall |\n\
         |---|---|---|---|---|---|\n",
    );
    for group in groups {
        let cell = |text: &str| text.replace('|', "\\|");
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {} | {:.3} | {:.3} |",
            group.subject,
            cell(&group.message),
            cell(&group.condition),
            group.tests,
            group.precision,
            group.recall
        );
    }
    let is_good = |group: &&Group| group.precision >= GOOD && group.recall >= GOOD;
    let good = groups.iter().filter(is_good).count();
    let _infallible = writeln!(
        text,
        "\n{good} of {} groups have a precision and a recall of at least {GOOD} on fresh tests.",
        groups.len()
    );
    text
}
