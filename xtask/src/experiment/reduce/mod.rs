//! Reductions beside plain ddmin on tokens, Picireny and Shrink Ray: sizes and runs over many cases.
//!
//! Holds if our result is never larger than the smallest of the others, if ddmin needs at least three times our runs in
//! the median, and if results and runs do not depend on the number of jobs. The large JSON document has an optimum of
//! 11 bytes, which is reached in fewer than 79 runs. Reports the speed-up over jobs with a condition that takes its
//! time, and the time per run that is not the condition's. Cost: seconds in the short form, an hour in the full one.

mod cases;
mod ddmin;
mod others;
mod peers;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, examples_folder, scratch};
use crate::process::{Fallible, Profile};
use crate::say;
use cases::Case;
use others::Others;
use peers::Peers;

/// The result of a reducer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figures {
    pub(super) bytes: usize,
    pub(super) runs: u64,
    /// Whether it ended by itself, and not because its time was over.
    pub(super) is_finished: bool,
}

/// The results of all reducers on a case.
struct Row {
    name: String,
    input: usize,
    ours: Figures,
    others: Others,
}

/// Names of subjects choose the cases that contain them.
pub(super) fn run(extent: Extent, subjects: &[&str]) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("experiment-reduce")?;
    let mut failures = needle(&gramercy, &folder)?;
    let mut cases = cases::all(&gramercy, &folder, extent)?;
    let is_chosen = |name: &str| subjects.is_empty() || subjects.iter().any(|it| name.contains(it));
    cases.retain(|case| is_chosen(&case.name));
    let peers = match extent {
        Extent::Short => Peers::none(),
        Extent::Full => Peers::install(),
    };
    let mut rows = Vec::new();
    for case in &cases {
        let row = compare(&gramercy, case, &peers, &mut failures)?;
        say(&line(&row));
        rows.push(row);
    }
    judge(&rows, &mut failures);
    let speed = match extent {
        Extent::Short => String::new(),
        Extent::Full => speed_up(&gramercy, &folder)?,
    };
    let report = report(&rows, &speed);
    let path = folder.join("report.md");
    fs::write(&path, report).map_err(|error| error.to_string())?;
    say(&format!("{} cases; the report is {}", rows.len(), path.display()));
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Our result on a case, with some number of jobs.
fn ours(gramercy: &Gramercy, case: &Case, jobs: usize) -> Fallible<(Figures, String)> {
    let out = case.folder.join(format!("ours-{jobs}.txt"));
    let (input, out_path) = (case.input().display().to_string(), out.display().to_string());
    let jobs = jobs.to_string();
    let arguments = ["--no-config", "--quiet", "--json", "--jobs", &jobs, "-o", &out_path];
    let call = gramercy.on("reduce", &case.grammar, &arguments).arg(input);
    let output = call.arg("--").arg(case.test()).arg("{}").finish()?;
    let stdout = output.success().map_err(|error| format!("{}: {error}", case.name))?;
    let document: Value = serde_json::from_str(&stdout).map_err(|error| error.to_string())?;
    let number = |key: &str| document[key].as_u64().ok_or(format!("{stdout}: no {key}"));
    let bytes = usize::try_from(number("bytes")?).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(&out).map_err(|error| error.to_string())?;
    Ok((Figures { bytes, runs: number("runs")?, is_finished: true }, text))
}

fn compare(
    gramercy: &Gramercy,
    case: &Case,
    peers: &Peers,
    failures: &mut Vec<String>,
) -> Fallible<Row> {
    let (mine, text) = ours(gramercy, case, 1)?;
    let (parallel, same) = ours(gramercy, case, 3)?;
    if (mine, &text) != (parallel, &same) {
        failures.push(format!("{}: another result with 3 jobs: {same:?}, not {text:?}", case.name));
    }
    let others = Others::of(case, peers)?;
    Ok(Row { name: case.name.clone(), input: case.text.len(), ours: mine, others })
}

/// What must hold for all rows.
fn judge(rows: &[Row], failures: &mut Vec<String>) {
    for row in rows {
        if row.ours.bytes > row.others.smallest() {
            failures.push(format!("{}: larger than another's: {}", row.name, line(row)));
        }
    }
    let mut ratios: Vec<u64> =
        rows.iter().map(|row| 100 * row.others.ddmin.runs / row.ours.runs.max(1)).collect();
    ratios.sort_unstable();
    if let Some(&median) = ratios.get(ratios.len() / 2) {
        say(&format!(
            "ddmin needs {}.{:02} times our runs in the median",
            median / 100,
            median % 100
        ));
        if median < 300 {
            failures.push("ddmin needs less than three times our runs in the median".to_owned());
        }
    }
}

/// The document of 11,337 bytes, whose smallest text with the number 975,318 as the value of some member is 11 bytes.
fn needle(gramercy: &Gramercy, folder: &Path) -> Fallible<Vec<String>> {
    let text = needle_document();
    let folder = folder.join("needle");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let grammar = Entry::new(examples_folder().join("json.gram"));
    let case = Case { name: "needle".to_owned(), grammar, folder, text };
    let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
    write(&case.input(), &case.text)?;
    write(&case.test(), "#!/bin/sh\ngrep -qE '\"[^\"]*\" *: *975318[^0-9]' \"$1\"\n")?;
    crate::process::Call::new("chmod").arg("+x").arg(case.test()).finish()?.success()?;
    let mut failures = Vec::new();
    for jobs in [1, 2, 8] {
        let (figures, small) = ours(gramercy, &case, jobs)?;
        let Figures { bytes, runs, .. } = figures;
        say(&format!(
            "needle, {jobs} jobs: {} -> {bytes} bytes in {runs} runs: {small}",
            case.text.len()
        ));
        if small != OPTIMUM || runs >= 79 {
            failures.push(format!("needle with {jobs} jobs: {small} in {runs} runs"));
        }
    }
    Ok(failures)
}

/// The smallest interesting text of the needle.
const OPTIMUM: &str = "{\"\":975318}";
/// The size of the document with the needle.
const NEEDLE_BYTES: usize = 11_337;

fn needle_document() -> String {
    let mut text = cases::json(200);
    let at = text.find("\"entry71\"").unwrap_or(0);
    text.insert_str(at, "\"found\": [0, {\"a\": 1, \"needle\": 975318, \"z\": []}],\n  ");
    // Entries are dropped, and blanks added, until the size is right.
    while text.len() > NEEDLE_BYTES {
        let last = text.rfind("  \"entry").unwrap_or(0);
        let end = text[last..].find('\n').map_or(text.len(), |at| last + at + 1);
        text.replace_range(last..end, "");
    }
    text.extend(std::iter::repeat_n(' ', NEEDLE_BYTES - text.len()));
    text
}

/// How much time several jobs save with a condition of 100 ms, and the time per run that is not the condition's.
fn speed_up(gramercy: &Gramercy, folder: &Path) -> Fallible<String> {
    let folder = folder.join("speed");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let grammar = Entry::new(examples_folder().join("json.gram"));
    let text = cases::json(60);
    let case = Case { name: "speed".to_owned(), grammar, folder, text };
    fs::write(case.input(), &case.text).map_err(|error| error.to_string())?;
    let mut report =
        String::from("| condition | jobs | seconds | runs | faster |\n|---|--:|--:|--:|--:|\n");
    for (name, wait) in [("100 ms", "sleep 0.1\n"), ("grep alone", "")] {
        let script = format!(
            "#!/bin/sh\n{wait}grep -q red5 \"$1\" && grep -q blue \"$1\" && grep -q 1.5 \"$1\"\n"
        );
        fs::write(case.test(), script).map_err(|error| error.to_string())?;
        crate::process::Call::new("chmod").arg("+x").arg(case.test()).finish()?.success()?;
        let mut first = None;
        for jobs in [1, 2, 4, 8] {
            let began = std::time::Instant::now();
            let (figures, _) = ours(gramercy, &case, jobs)?;
            let seconds = began.elapsed().as_secs_f64();
            let faster = *first.get_or_insert(seconds) / seconds;
            let line =
                format!("| {name} | {jobs} | {seconds:.2} | {} | {faster:.2} |", figures.runs);
            say(&line);
            let _infallible = writeln!(report, "{line}");
        }
    }
    Ok(report)
}

fn cell(figures: Option<Figures>) -> String {
    let mark = |it: &Figures| if it.is_finished { "" } else { "*" };
    figures.map_or("–".to_owned(), |it| format!("{}{} in {}", it.bytes, mark(&it), it.runs))
}

fn line(row: &Row) -> String {
    let Row { name, input, ours, others: Others { ddmin, picireny, shrink_ray } } = row;
    format!(
        "| {name} | {input} | {} | {} | {} | {} |",
        cell(Some(*ours)),
        cell(Some(*ddmin)),
        cell(*picireny),
        cell(*shrink_ray)
    )
}

fn report(rows: &[Row], speed: &str) -> String {
    let mut text = String::from(
        "# Reductions\n\nBytes of the result, and runs of the condition. A reducer marked with a star was stopped after five minutes: \
         this is its best result so far.\n\n\
         | case | bytes | gramercy | ddmin | Picireny | Shrink Ray |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let _infallible = writeln!(text, "{}", line(row));
    }
    let _infallible = write!(text, "\n## Jobs\n\n{speed}");
    text
}
