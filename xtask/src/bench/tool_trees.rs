//! The tree that a grammar's own tool builds: long inputs of kinds that exact parsing finds hard, beside ANTLR, and all
//! examples of the collection.

use std::fmt::Write as _;
use std::time::Duration;

use super::parsing::{LEFT_OUT, peers};
use super::plot::{self, Series};
use super::{Bench, milliseconds};
use crate::extent::Extent;
use crate::gramercy::Entry;
use crate::process::{Fallible, root};

/// The kinds of inputs, the color of their line, and the size that ANTLR reads too. It takes minutes for larger pages.
const KINDS: [(&str, &str, Option<&str>); 5] = [
    ("expression", "#06c", None),
    ("java", "#c30", Some("100000")),
    ("mysql", "#093", Some("100000")),
    ("sqlite", "#909", Some("100000")),
    ("html", "#c80", Some("10000")),
];

const SIZES: [&str; 5] = ["1000", "10000", "100000", "1000000", "10000000"];

/// What one input cost.
struct Figures {
    bytes: f64,
    tokens: f64,
    verdict: f64,
    tree: f64,
    memory: f64,
    /// ANTLR's milliseconds with its tree.
    antlr: Option<f64>,
}

impl Figures {
    fn of(line: &str) -> Fallible<Self> {
        let numbers: Result<Vec<f64>, _> = line.split('\t').map(str::parse).collect();
        let numbers = numbers.map_err(|error| format!("{line}: {error}"))?;
        let [bytes, tokens, _first, _lexing, verdict, tree, memory, ref antlr @ ..] = numbers[..]
        else {
            return Err(format!("no line of figures: {line}"));
        };
        Ok(Self { bytes, tokens, verdict, tree, memory, antlr: antlr.last().copied() })
    }
}

/// Time and memory as inputs grow, and ANTLR's warm time in the same run.
pub(super) fn growth(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let mut text = String::from(
        "An expression with `%left`, string concatenations, short statements, and a page with unclosed tags. Times are \
         those that the thread runs, with the tokens; memory is what reading added to the process.\n\n\
         | kind | bytes | tokens | verdict, ms | tree, ms | memory, MB | ANTLR, ms | ratio |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let (mut times, mut memories) = (Vec::new(), Vec::new());
    for (kind, color, beside) in KINDS {
        let (mut time, mut memory) = (Vec::new(), Vec::new());
        for bytes in SIZES {
            let antlr = (beside == Some(bytes)).then_some("antlr");
            let mut arguments = vec!["tool-trees", kind, bytes];
            arguments.extend(antlr);
            for line in peers(&arguments)?.lines() {
                let Ok(figures) = Figures::of(line) else {
                    let _infallible = writeln!(text, "| {kind} | {line} |");
                    continue;
                };
                text.push_str(&row(kind, &figures));
                time.push((figures.bytes, figures.tree));
                memory.push((figures.bytes, figures.memory.max(0.1)));
            }
        }
        times.push(Series { name: kind, color, points: time });
        memories.push(Series { name: kind, color, points: memory });
    }
    for (name, title, series) in [
        ("tool-trees-time.svg", "Milliseconds for a tree; dashed: linear growth", times),
        ("tool-trees-memory.svg", "Megabytes; dashed: linear growth", memories),
    ] {
        let series: Vec<_> = series.into_iter().filter(|it| !it.points.is_empty()).collect();
        super::write(&bench.folder.join(name), &plot::svg(title, "bytes", &series))?;
        let _infallible = write!(text, "\n![{title}]({name})\n");
    }
    Ok(text)
}

fn row(kind: &str, figures: &Figures) -> String {
    let Figures { bytes, tokens, verdict, tree, memory, antlr } = figures;
    let beside = antlr.map_or(" | ".into(), |antlr| format!("{antlr:.2} | {:.2}", tree / antlr));
    format!("| {kind} | {bytes} | {tokens} | {verdict:.2} | {tree:.2} | {memory:.1} | {beside} |\n")
}

/// `gramercy measure` over all examples of the collection, by all trees and by preferred ones: verdicts and time.
pub(super) fn collection(bench: &Bench) -> Fallible<String> {
    let folder = root().join("../shared/grammars/antlr");
    let Ok(index) = std::fs::read_to_string(folder.join("index.tsv")) else {
        return Ok("Left out: the collection of ANTLR grammars is not there.\n".into());
    };
    let most = if bench.extent == Extent::Short { 3 } else { usize::MAX };
    let mut text = String::from(
        "| grammar | all trees, ms | preferred, ms | inputs | rejected |\n|---|--:|--:|--:|--:|\n",
    );
    let (mut all, mut preferred) = (Duration::ZERO, Duration::ZERO);
    for line in index.lines().skip(1).take(most) {
        let [name, files, start, ..] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let is_main = |file: &&str| !file.contains("Lexer") && !file.contains("Unicode");
        let Some(main) = files.split('+').find(is_main) else { continue };
        let examples = folder.join(name).join("examples.ndjson");
        if std::fs::metadata(&examples).is_ok_and(|it| it.len() == 0) || !examples.is_file() {
            continue;
        }
        let entry = Entry::new(folder.join(name).join(main));
        let measure = |trees: &str| -> Fallible<(Duration, serde_json::Value)> {
            let inputs = examples.to_string_lossy();
            let options = [
                "--start",
                start,
                "--trees",
                trees,
                "--json",
                "--quiet",
                "--time-per-input",
                "20s",
            ];
            let options: Vec<&str> = [&*inputs].into_iter().chain(options).collect();
            let output = bench.gramercy.on("measure", &entry, &options).finish()?;
            let json = serde_json::from_str(&output.stdout);
            Ok((output.time, json.map_err(|error| format!("{name}: {error}"))?))
        };
        let ((slow, before), (fast, after)) = (measure("all")?, measure("preferred")?);
        let rejected = |json: &serde_json::Value| json["rejected"].as_array().map_or(0, Vec::len);
        (all, preferred) = (all + slow, preferred + fast);
        let is_same = before["rejected"] == after["rejected"];
        let _infallible = writeln!(
            text,
            "| {name} | {:.0} | {:.0} | {} | {}{} |",
            milliseconds(slow),
            milliseconds(fast),
            after["inputs"],
            rejected(&after),
            if is_same { "" } else { ", **not the same by all trees**" }
        );
    }
    let _infallible = writeln!(
        text,
        "\nIn all {:.1} s by all trees, {:.1} s by preferred trees. An input that takes more than 20 s is not measured.",
        all.as_secs_f64(),
        preferred.as_secs_f64()
    );
    Ok(text)
}
