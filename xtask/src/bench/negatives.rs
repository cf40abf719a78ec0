//! Negative tests: how many mutants are counted, written and read in a second, and the largest suites.

use std::fmt::Write as _;

use super::Bench;
use crate::extent::Extent;
use crate::gramercy::Entry;
use crate::process::{Call, Fallible, root};

/// What is done with the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// They are counted.
    Counted,
    /// They are written through a pipe.
    Written,
    /// They are written to nowhere, by two workers.
    Nowhere,
}

/// A suite that is made.
struct Workload {
    file: &'static str,
    /// Operator, base tests and check.
    flags: [&'static str; 6],
    put_to: Use,
    /// Tests a second that are asked for, in millions.
    wanted: Option<f64>,
}

const fn workload(
    file: &'static str,
    [mutate, of, check]: [&'static str; 3],
    put_to: Use,
    wanted: Option<f64>,
) -> Workload {
    Workload { file, flags: ["--mutate", mutate, "--of", of, "--check", check], put_to, wanted }
}

const WORKLOADS: &[Workload] = &[
    workload("sqlite.y", ["edge", "pop-edge:lr0", "pairs"], Use::Counted, Some(20.0)),
    workload("sqlite.y", ["edge", "pop-edge:lr1", "pairs"], Use::Counted, Some(20.0)),
    workload("sqlite.y", ["edge", "pop-edge:lr0", "pairs"], Use::Written, Some(5.0)),
    workload("go.y", ["edge", "pop-edge:lr0", "pairs"], Use::Written, Some(5.0)),
    workload("ampl20.y", ["edge", "pop-edge:lr1", "exact"], Use::Counted, Some(1.0)),
    workload("ampl20.y", ["edge", "pop-edge:lr1", "exact"], Use::Written, Some(1.0)),
    workload("sqlite.y", ["edge", "pop-edge:lr0", "exact"], Use::Counted, Some(0.3)),
    workload("sqlite.y", ["edge", "pop-edge:lr0", "exact"], Use::Written, Some(0.3)),
    workload("sqlite.y", ["edge", "pop-edge:lr1", "pairs"], Use::Nowhere, None),
    workload("sqlite.y", ["stack", "pop-edge:lr0", "pairs"], Use::Nowhere, None),
    workload("ampl20.y", ["rule", "rule", "exact"], Use::Nowhere, None),
];

/// Seconds from start to end, and of the processor; MB of memory.
struct Cost {
    seconds: f64,
    processor: f64,
    megabytes: f64,
}

/// The section.
pub(super) fn section(bench: &Bench) -> Fallible<String> {
    let folder = root().join("../shared/grammars/pytomata");
    let mut text = String::from(
        "Mutants of suites over LR-graphs (`--ties first --yield edges --embedding shallowest`), the whole program from \
         the grammar's file on, with one worker; where tests go nowhere, with two. Rates are by the processor's time.\n\n\
         | grammar | mutants | of | check | tests | s | s of the processor | million tests a second | asked for | MB |\n\
         |---|---|---|---|--:|--:|--:|--:|--:|--:|\n",
    );
    if bench.extent == Extent::Short || !folder.is_dir() {
        let calc = workload("calc.y", ["edge", "pop-edge:lr0", "pairs"], Use::Written, None);
        text.push_str(&calc.row(bench, &Entry::new(root().join("grammars/calc.y")))?);
        return Ok(text);
    }
    for workload in WORKLOADS {
        text.push_str(&workload.row(bench, &Entry::new(folder.join(workload.file)))?);
    }
    Ok(text)
}

impl Workload {
    fn call(&self, bench: &Bench, entry: &Entry, more: &[&str]) -> Call {
        let mut flags = self.flags.to_vec();
        // The rule operator makes its own base tests.
        if self.flags[1] == "rule" {
            flags.drain(2..4);
        }
        flags.extend(["--ties", "first", "--yield", "edges", "--embedding", "shallowest"]);
        flags.extend(["--quiet", "--jobs", if self.put_to == Use::Nowhere { "2" } else { "1" }]);
        flags.extend(more);
        bench.gramercy.on("negate", entry, &flags)
    }

    fn row(&self, bench: &Bench, entry: &Entry) -> Fallible<String> {
        let counted = self.call(bench, entry, &["--count", "--json"]).finish()?.success()?;
        let counted: serde_json::Value =
            serde_json::from_str(&counted).map_err(|error| error.to_string())?;
        let tests = counted["tests"].as_f64().ok_or("no number of tests")?;
        let Cost { seconds, processor, megabytes } = self.cost(bench, entry)?;
        let [_, mutate, _, of, _, check] = self.flags;
        let how = match self.put_to {
            Use::Counted => "counted",
            Use::Written => "written",
            Use::Nowhere => "written to nowhere",
        };
        let mut row = String::new();
        let wanted = self.wanted.map_or_else(String::new, |wanted| wanted.to_string());
        let rate = tests / 1e6 / processor.max(1e-3);
        let _infallible = writeln!(
            row,
            "| {} | {mutate}, {how} | {of} | {check} | {tests} | {seconds:.2} | {processor:.2} | **{rate:.1}** | {wanted} | {megabytes:.0} |",
            self.file
        );
        Ok(row)
    }

    fn cost(&self, bench: &Bench, entry: &Entry) -> Fallible<Cost> {
        let more: &[&str] = if self.put_to == Use::Counted { &["--count"] } else { &[] };
        let to = if self.put_to == Use::Written { "> >(cat > /dev/null)" } else { "> /dev/null" };
        let script = MEASURED.replace("TO", to);
        let measured = Call::new("bash").args(["-c", &script, "bash"]);
        let output = measured.call(&self.call(bench, entry, more)).finish()?.success()?;
        let numbers: Vec<f64> = output
            .split(|c: char| c.is_whitespace() || "ms".contains(c))
            .filter_map(|word| word.parse().ok())
            .collect();
        // Begin, end, memory; minutes and seconds of the shell, then of the program, in user and system mode each.
        let [begin, end, kilobytes, _, _, _, _, minutes, seconds, ..] = numbers[..] else {
            return Err(format!("no times: {output}"));
        };
        Ok(Cost {
            seconds: end - begin,
            processor: 60.0 * minutes + seconds,
            megabytes: kilobytes / 1024.0,
        })
    }
}

/// A script for bash that runs a command and prints when it began and ended, the most memory that it had, and the
/// times of the processor.
const MEASURED: &str = "begin=$EPOCHREALTIME; most=0; \"$@\" TO & p=$!
while kill -0 $p 2> /dev/null; do
  while read -r key value _; do [ \"$key\" = VmHWM: ] && most=$value; done < /proc/$p/status
  read -r -t 0.02 <> <(:)
done 2> /dev/null
wait $p || exit 1; echo $begin $EPOCHREALTIME $most; times";
