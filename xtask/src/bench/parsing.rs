//! Parsing: compared with other parsers, with growing inputs, and with very ambiguous inputs.
//!
//! The other parsers are in a separate workspace (`benches/peers`), so that no other build needs
//! them.

use std::fmt::Write as _;

use super::plot::{self, Series};
use super::{Bench, best, milliseconds};
use crate::extent::Extent;
use crate::gramercy::{Entry, scratch};
use crate::process::{Cargo, Fallible, root, target};

pub(super) const LEFT_OUT: &str =
    "Left out: parsers of others have to be built, which takes minutes.\n";

/// A document, and examples of large grammars.
pub(super) fn beside_others(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let mut text = String::from(
        "Recognition is to be compared with ANTLR without its tree, which then builds nothing but \
         tokens; a forest of all trees with ANTLR's one tree, and with those of tree-sitter and lark. \
         Times are those that the parsing thread runs.\n\n\
         One token-dense JSON document of 1 MB:\n\n",
    );
    text.push_str(&table(&peers(&["json", "1000000"])?, "forest"));
    for name in ["sqlite", "golang", "mysql"] {
        let _infallible = write!(text, "\nExamples of {name}:\n\n");
        text.push_str(&table(&peers(&["examples", name])?, "forest"));
    }
    Ok(text)
}

/// Documents of one kind in many sizes.
pub(super) fn growth(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let mut text = String::from(
        "Forests of JSON documents; memory is what the process took beside the document.\n\n\
         | bytes | ms | ns a byte | forest, bytes a byte | all memory, bytes a byte |\n\
         |--:|--:|--:|--:|--:|\n",
    );
    let mut points = Vec::new();
    for bytes in ["10000", "100000", "1000000", "10000000", "100000000"] {
        for line in peers(&["growth", bytes])?.lines() {
            let _infallible = writeln!(text, "| {} |", line.replace('\t', " | "));
            points.push(Point::of(line)?);
        }
    }
    text.push_str("\n![Time and memory by the size of the document](parsing.svg)\n");
    super::write(&bench.folder.join("parsing.svg"), &growth_plot(&points))?;
    Ok(text)
}

/// A line of the benchmark of growth.
struct Point {
    bytes: f64,
    time: f64,
    /// Megabytes of the process without the document.
    memory: f64,
}

impl Point {
    fn of(line: &str) -> Fallible<Self> {
        let number = |text: &str| text.parse::<f64>().map_err(|error| format!("{line}: {error}"));
        let [bytes, time, _, _, memory] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("no line of figures: {line}"));
        };
        let bytes = number(bytes)?;
        Ok(Self { bytes, time: number(time)?, memory: number(memory)? * bytes / 1e6 })
    }
}

fn growth_plot(points: &[Point]) -> String {
    let series = |name, color, of: fn(&Point) -> f64| {
        let points = points.iter().map(|it| (it.bytes, of(it))).collect();
        Series { name, color, points }
    };
    let series =
        [series("forest, ms", "#06c", |it| it.time), series("memory, MB", "#c30", |it| it.memory)];
    plot::svg("Parsing; dashed: linear growth", "bytes", &series)
}

/// Grammars with the maximal number of trees.
pub(super) fn ambiguous(bench: &Bench) -> Fallible<String> {
    if bench.extent == Extent::Short {
        return Ok(LEFT_OUT.into());
    }
    let mut text = String::new();
    for (grammar, length) in [("E := E E | \"a\";", "300"), ("S := S S S | S S | \"a\";", "150")] {
        let _infallible = write!(text, "`{grammar}` on {length} letters:\n\n");
        text.push_str(&table(&peers(&["ambiguous", grammar, length])?, "forest"));
        text.push('\n');
    }
    Ok(text)
}

/// The whole program over many small files.
pub(super) fn many_files(bench: &Bench) -> Fallible<String> {
    let (files, runs) = match bench.extent {
        Extent::Short => (20, 1),
        Extent::Full => (1000, 5),
    };
    let folder = scratch("bench-json")?;
    let record = r#"{"a":1,"b":[true,null,2.5,[]],"c":{"d":"x","e":{}}}"#;
    let document = format!("[{}]", vec![record; 2000 / record.len()].join(","));
    for file in 0..files {
        super::write(&folder.join(format!("{file:04}.json")), &document)?;
    }
    let json = Entry::new(root().join("grammars/json.gram"));
    let inputs = folder.to_string_lossy();
    let time = best(runs, || {
        bench.gramercy.on("measure", &json, &[&inputs, "--cover", "kpath:4", "--quiet"])
    })?;
    Ok(format!(
        "`gramercy measure --cover kpath:4` over {files} JSON files of {} bytes takes {:.0} ms.\n",
        document.len(),
        milliseconds(time)
    ))
}

/// The output of the program in `benches/peers`.
pub(super) fn peers(arguments: &[&str]) -> Fallible<String> {
    let folder = target()?.join("peers/build");
    let manifest = "benches/peers/Cargo.toml";
    Cargo::new(["run", "--quiet", "--release", "--locked", "--manifest-path", manifest])
        .with(&["--target-dir", &folder.to_string_lossy(), "--"])
        .with(arguments)
        .output()
}

/// A line of figures: name, milliseconds, note.
type Figures<'t> = (&'t str, f64, &'t str);

/// The figures as a table, with ratios to one of them, followed by the missing peers.
fn table(printed: &str, unit: &str) -> String {
    let (figures, skipped) = figures(printed);
    let of_unit = figures.iter().find(|(name, ..)| *name == unit).map(|(_, time, _)| *time);
    let mut text = format!("| | ms | times {unit} | |\n|---|--:|--:|---|\n");
    for (name, time, note) in figures {
        let ratio = of_unit.map_or(f64::NAN, |unit| time / unit);
        let _infallible = writeln!(text, "| {name} | {time:.2} | {ratio:.2} | {note} |");
    }
    for (name, reason) in skipped {
        let _infallible = writeln!(text, "\nWithout {name}: {reason}");
    }
    text
}

fn figures(printed: &str) -> (Vec<Figures<'_>>, Vec<(&str, &str)>) {
    let (mut figures, mut skipped) = (Vec::new(), Vec::new());
    for line in printed.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["skipped", name, reason] => skipped.push((name, reason)),
            [name, time, note] => figures.push((name, time.parse().unwrap_or(f64::NAN), note)),
            _ => {}
        }
    }
    (figures, skipped)
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn figures_become_ratios() {
        let printed = "ours\t2.0\tall trees\npeer\t5\t\nskipped\tother\tnot there\n";
        let expected = "| | ms | times ours | |\n|---|--:|--:|---|\n\
                        | ours | 2.00 | 1.00 | all trees |\n| peer | 5.00 | 2.50 |  |\n\
                        \nWithout other: not there\n";
        assert_eq!(table(printed, "ours"), expected);
    }
}
