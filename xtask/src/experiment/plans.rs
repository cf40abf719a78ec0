//! How many tests cover all nonterminals with a probability of 99 %, plain uniform ones beside those of a plan, and how
//! many simulated suites do what was predicted.
//!
//! Holds if for each grammar the share of simulated suites that cover everything is within the predicted bounds, give or
//! take five standard deviations of a simulation. Suites have as many tests as certainly reach a probability of a half. Where
//! plain uniform tests need more than [`MOST_TESTS`] for that, only those of the plan are simulated. Cost: seconds in
//! the short form, some minutes in the full one, most of it for plans of SQLite.

use std::fmt::Write as _;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, antlr_collection, examples_folder, scratch};
use crate::process::{Fallible, Profile, root};
use crate::say;

/// The nodes of trees.
const NODES: &str = "60";
/// Suites with more tests are not simulated.
const MOST_TESTS: u64 = 5_000;

/// A grammar of the table.
struct Subject {
    name: &'static str,
    entry: Entry,
}

/// Names of subjects choose those that contain them.
pub(super) fn run(extent: Extent, names: &[&str]) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let mut subjects = subjects(extent)?;
    subjects.retain(|one| names.is_empty() || names.iter().any(|name| one.name.contains(name)));
    let mut report = format!(
        "Trees of {NODES} nodes. Where two numbers stand, fewer tests than the first certainly do not suffice, and the \
         second certainly suffices.\n\n\
         | grammar | nonterminals | least p, uniform | least p, by plan | tests for 99 %, uniform | by plan | simulated |\n\
         |---|--:|--:|--:|--:|--:|---|\n"
    );
    let (mut problems, suites) = (Vec::new(), if extent == Extent::Short { "100" } else { "1000" });
    for subject in &subjects {
        let plan = plan(&gramercy, subject, &["--confidence", "0.99"])?;
        let simulated = simulate(&gramercy, subject, suites, &mut problems)?;
        let row = row(subject.name, &plan, &simulated);
        say(row.trim_end());
        report.push_str(&row);
    }
    let path = scratch("experiment-plans")?.join("report.md");
    std::fs::write(&path, report).map_err(|error| format!("{}: {error}", path.display()))?;
    say(&format!("written to {}", path.display()));
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn subjects(extent: Extent) -> Fallible<Vec<Subject>> {
    let example = |name, file| Subject { name, entry: Entry::new(examples_folder().join(file)) };
    let mut subjects = vec![example("JSON", "json.gram"), example("CSV", "csv.gram")];
    if extent == Extent::Short {
        return Ok(subjects);
    }
    subjects.push(example("URI", "uri.gram"));
    let sqlite = root().join("../shared/grammars/pytomata/sqlite.y");
    if !sqlite.is_file() {
        say("left out: the grammars next to the checkout are not there");
        return Ok(subjects);
    }
    for entry in antlr_collection()? {
        match &*entry.name() {
            "Abnf" => subjects.push(Subject { name: "ABNF, for ANTLR", entry }),
            "DOT" => subjects.push(Subject { name: "DOT, for ANTLR", entry }),
            _ => {}
        }
    }
    subjects.push(Subject { name: "SQLite, for yacc", entry: Entry::new(sqlite) });
    Ok(subjects)
}

fn plan(gramercy: &Gramercy, subject: &Subject, arguments: &[&str]) -> Fallible<Value> {
    let shared = ["--plan", "--nodes", NODES, "--cover", "nonterminal", "--json", "--quiet"];
    let call = gramercy.on("random", &subject.entry, &[&shared[..], arguments].concat());
    serde_json::from_str(&call.finish()?.success()?).map_err(|error| error.to_string())
}

/// What was predicted and what was simulated, for uniform tests and for those of a plan.
fn simulate(
    gramercy: &Gramercy,
    subject: &Subject,
    suites: &str,
    problems: &mut Vec<String>,
) -> Fallible<String> {
    let half = plan(gramercy, subject, &["--confidence", "0.5"])?;
    let mut parts = Vec::new();
    for (way, name) in [("plain", "uniform"), ("biased", "by plan")] {
        let Some(tests) = half[way]["tests_for_confidence"].as_u64().filter(|&of| of <= MOST_TESTS)
        else {
            continue;
        };
        let tests = tests.to_string();
        let found = plan(gramercy, subject, &["-n", &tests, "--simulate", suites])?;
        let found = &found[way];
        let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let bounds = [number(&found["probability"][0]), number(&found["probability"][1])];
        let simulated = &found["simulated"];
        let share = number(&simulated["complete"]) / number(&simulated["suites"]);
        let spread = 5.0 * (0.25 / number(&simulated["suites"])).sqrt();
        let is_within = bounds[0] - spread <= share && share <= bounds[1] + spread;
        let part = format!("{tests} tests {name}: {} predicted, {share:.3}", range(bounds));
        if !is_within {
            problems.push(format!("{}: {part}", subject.name));
        }
        parts.push(part);
    }
    Ok(parts.join("; "))
}

fn range([least, most]: [f64; 2]) -> String {
    match most - least < 0.000_5 {
        true => format!("{least:.3}"),
        false => format!("{least:.3} to {most:.3}"),
    }
}

fn row(name: &str, plan: &Value, simulated: &str) -> String {
    let elements = plan["elements"].as_object().map_or(0, serde_json::Map::len);
    let mut row = format!("| {name} | {elements} | ");
    let tests = |way: &str| {
        let of = &plan[way];
        match (count(&of["tests_at_least"]), count(&of["tests_for_confidence"])) {
            (least, certain) if least == certain => certain,
            (least, certain) => format!("{least} to {certain}"),
        }
    };
    for p in [&plan["p_min"], &plan["p"]] {
        let _infallible = write!(row, "{} | ", probability(p.as_f64().unwrap_or(f64::NAN)));
    }
    let _infallible = writeln!(row, "{} | {} | {simulated} |", tests("plain"), tests("biased"));
    row
}

fn probability(p: f64) -> String {
    if p < 0.001 { format!("{p:.1e}") } else { format!("{p:.3}") }
}

/// A number with separators; a large one with the digits that matter.
fn count(value: &Value) -> String {
    let Some(number) = value.as_f64() else { return "more than 1e38".to_owned() };
    if number >= 1e9 {
        return format!("{number:.2e}");
    }
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn rows_have_bounds_where_they_differ() {
        let plan = json!({
            "elements": {"A": {}, "B": {}}, "p_min": 1.6e-10, "p": 0.074,
            "plain": {"tests_at_least": 29_623_945_489_u64, "tests_for_confidence": 29_623_945_489_u64},
            "biased": {"tests_at_least": 1061, "tests_for_confidence": 1107}
        });
        let row = super::row("X", &plan, "");
        assert_eq!(row, "| X | 2 | 1.6e-10 | 0.074 | 2.96e10 | 1,061 to 1,107 |  |\n");
    }
}
