//! How large negative suites are: the default one for the ANTLR grammars of a collection, and suites for single
//! criteria for well-known grammars.

use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, antlr_collection, examples};
use crate::process::{Fallible, Profile, root};
use crate::say;

/// The criteria of the default suite, and the others.
const CRITERIA: [&str; 4] =
    ["item-edit+lexeme-error", "item-edit", "lexeme-error", "error-entry:lr0"];

/// Makes the tables; names choose grammars.
pub(super) fn run(extent: Extent, names: &[&str]) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let mut entries = examples()?;
    if extent == Extent::Full {
        let folder = root().join("../shared/grammars/pytomata");
        let known = ["ampl20.y", "go.y", "sqlite.y"].map(|file| folder.join(file));
        entries.extend(known.into_iter().filter(|path| path.is_file()).map(Entry::new));
        entries.extend(antlr_collection()?);
    }
    let mut table = String::from(
        "| grammar | default suite | bytes a test | `item-edit` | `lexeme-error` | `error-entry:lr0` |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for entry in entries.iter().filter(|it| names.is_empty() || names.contains(&&*it.name())) {
        let row = row(&gramercy, entry)?;
        say(&row);
        table += &format!("{row}\n");
    }
    say(&format!("\n{table}"));
    Ok(())
}

fn row(gramercy: &Gramercy, entry: &Entry) -> Fallible<String> {
    let mut cells = Vec::new();
    for criteria in CRITERIA {
        let made =
            gramercy.on("negate", entry, &["--cover", criteria, "--quiet", "--format", "nul"]);
        let output = made.finish()?;
        match output.code {
            // Nothing is negative (1).
            Some(0 | 1) => {}
            // The canonical automaton of a large grammar reaches the limit on states.
            Some(3) if output.stderr.contains("limit-reached") => {
                cells.push("–".to_owned());
                continue;
            }
            _ => return Err(format!("{}: {}", entry.name(), output.stderr)),
        }
        let tests = output.stdout.matches('\0').count();
        cells.push(tests.to_string());
        if cells.len() == 1 {
            let bytes = (output.stdout.len() - tests) as f64 / tests.max(1) as f64;
            cells.push(format!("{bytes:.0}"));
        }
    }
    Ok(format!("| {} | {} |", entry.name(), cells.join(" | ")))
}
