//! Our LR automata compared with those of bison: LALR(1) and canonical LR(1) states, and conflicts.
//!
//! Both programs read the same file: a grammar that `convert --reduce --to yacc` wrote, because
//! bison drops useless rules, and without precedences, because bison counts conflicts after
//! resolving them and drops states that become unreachable. LR(0) has the states of LALR(1). bison
//! also counts the accepting state. For grammars with precedences, the unresolved conflicts are
//! compared with those that `check` counts.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{self, Entry, Gramercy};
use crate::process::{Call, Fallible, Profile};
use crate::{say, tools};

/// An automaton, by our name and by bison's.
struct Automaton {
    ours: &'static str,
    bisons: &'static str,
}

const LALR: Automaton = Automaton { ours: "lalr", bisons: "lalr" };
/// With more states than SQLite's canonical automaton has, bison takes many minutes.
const MOST_STATES: u64 = 30_000;

const CANONICAL: Automaton = Automaton { ours: "lr1", bisons: "canonical-lr" };

/// The compared numbers.
#[derive(Debug, PartialEq, Eq)]
struct Counts {
    states: u64,
    shift_reduce: u64,
    reduce_reduce: u64,
}

/// Our program, and a folder for the files that both programs read.
struct Comparison {
    gramercy: Gramercy,
    folder: PathBuf,
}

pub(super) fn run(extent: Extent) -> Fallible {
    if !tools::have("bison", "bison", extent)? {
        return Ok(());
    }
    let comparison = Comparison {
        gramercy: Gramercy::build(Profile::of(extent))?,
        folder: gramercy::scratch("bison")?,
    };
    let mut entries = gramercy::examples()?;
    if extent == Extent::Full {
        entries.extend(gramercy::collection()?);
    }
    let mut problems = Vec::new();
    for entry in &entries {
        let result = comparison.compare(entry);
        problems.extend(result.err().map(|problem| format!("{}: {problem}", entry.name())));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

impl Comparison {
    fn compare(&self, entry: &Entry) -> Fallible {
        let arguments = ["--reduce", "--to", "yacc", "--quiet"];
        let written = self.gramercy.on("convert", entry, &arguments).finish()?;
        if written.code != Some(0) {
            say(&format!("{:24} is no grammar, or has no sentence", entry.name()));
            return Ok(());
        }
        let plain: String = written.stdout.lines().filter_map(without_precedence).collect();
        if plain != written.stdout {
            let file = self.save(&entry.name(), "with-precedence", &written.stdout)?;
            self.compare_left_open(entry, &file)?;
        }
        let file = self.save(&entry.name(), "plain", &plain)?;
        // Canonical automata of ANTLR grammars are too large for bison.
        let is_yacc = entry.path.extension().is_some_and(|extension| extension == "y");
        let is_example = entry.path.starts_with(gramercy::examples_folder());
        let automata = if is_yacc || is_example { &[LALR, CANONICAL][..] } else { &[LALR] };
        automata.iter().try_for_each(|automaton| self.compare_automata(entry, &file, automaton))
    }

    /// Writes a file for both programs.
    fn save(&self, name: &str, kind: &str, text: &str) -> Fallible<PathBuf> {
        let path = self.folder.join(format!("{name}-{kind}.y"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    fn compare_automata(&self, entry: &Entry, file: &Path, automaton: &Automaton) -> Fallible {
        let ours = self.our_counts(file, automaton)?;
        if ours.states > MOST_STATES {
            let (name, states) = (entry.name(), ours.states);
            say(&format!("{name:24} {:4} {states:6} states, too many for bison", automaton.ours));
            return Ok(());
        }
        let bisons = bisons(file, automaton)?;
        let Counts { states, shift_reduce, reduce_reduce } = &ours;
        say(&format!(
            "{:24} {:4} {states:6} states, {shift_reduce:6} shift/reduce, {reduce_reduce:6} \
             reduce/reduce",
            entry.name(),
            automaton.ours
        ));
        if ours == bisons {
            return Ok(());
        }
        Err(format!("{}: {ours:?}, bison has {bisons:?}", automaton.ours))
    }

    fn our_counts(&self, file: &Path, automaton: &Automaton) -> Fallible<Counts> {
        let arguments =
            ["--json", "--kpaths", "1", "--lr", automaton.ours, "--max-states", "1000000"];
        let stats = self.gramercy.on("stats", &Entry::new(file), &arguments).finish()?.success()?;
        let stats: Value = serde_json::from_str(&stats).map_err(|error| error.to_string())?;
        let sizes = &stats["lr"][automaton.ours];
        let count = |name: &str| sizes[name].as_u64().ok_or_else(|| format!("stats has no {name}"));
        Ok(Counts {
            states: count("states")?,
            shift_reduce: count("shift_reduce")?,
            reduce_reduce: count("reduce_reduce")?,
        })
    }

    /// Compares the conflicts that precedences do not resolve.
    fn compare_left_open(&self, entry: &Entry, file: &Path) -> Fallible {
        let ours = self.left_open(file)?;
        let bisons = bisons(file, &LALR)?;
        let bisons = (bisons.shift_reduce, bisons.reduce_reduce);
        say(&format!(
            "{:24} lalr, precedences heeded: {} shift/reduce, {} reduce/reduce",
            entry.name(),
            ours.0,
            ours.1
        ));
        if ours == bisons {
            return Ok(());
        }
        Err(format!("precedences leave {ours:?}, by bison {bisons:?}"))
    }

    /// The numbers that `check` reports; 0 if it reports none.
    fn left_open(&self, file: &Path) -> Fallible<(u64, u64)> {
        let arguments = ["--conflicts", "count", "--json"];
        let report = self.gramercy.on("check", &Entry::new(file), &arguments);
        let report = report.finish()?.success()?;
        let report: Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
        let said = report["diagnostics"].as_array().into_iter().flatten();
        let mut counted = said.filter(|diagnostic| diagnostic["code"] == "conflicts");
        let message = counted.next().and_then(|it| it["message"].as_str()).unwrap_or_default();
        Ok((conflicts(message, "shift/reduce")?, conflicts(message, "reduce/reduce")?))
    }
}

/// A line of a written file without its precedence.
fn without_precedence(line: &str) -> Option<String> {
    const DECLARATIONS: [&str; 5] =
        ["%left ", "%right ", "%nonassoc ", "%precedence ", "%glr-parser"];
    if DECLARATIONS.iter().any(|declaration| line.starts_with(declaration)) {
        return None;
    }
    let cut = [" %prec ", " %dprec "].iter().filter_map(|mark| line.find(mark)).min();
    Some(format!("{}\n", &line[..cut.unwrap_or(line.len())]))
}

/// The file is reduced, so a warning about a useless rule is a finding too.
fn bisons(file: &Path, automaton: &Automaton) -> Fallible<Counts> {
    let report = file.with_extension("output");
    let output = Call::new("bison")
        .arg(format!("-Dlr.type={}", automaton.bisons))
        .args(["-Dlr.keep-unreachable-state=true", "-Wno-other", "--report=states"])
        .arg(format!("--report-file={}", report.display()))
        .arg(format!("--output={}", file.with_extension("c").display()))
        .arg(file)
        .env("LC_ALL", "C")
        .finish()?;
    if output.code != Some(0) || output.stderr.contains("useless in grammar") {
        return Err(format!("bison: {}", output.stderr));
    }
    let text = std::fs::read_to_string(&report).map_err(|error| error.to_string())?;
    let is_state = |line: &&str| {
        line.strip_prefix("State ").is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit()))
    };
    Ok(Counts {
        states: text.lines().filter(is_state).count() as u64,
        shift_reduce: conflicts(&output.stderr, "shift/reduce")?,
        reduce_reduce: conflicts(&output.stderr, "reduce/reduce")?,
    })
}

/// The number in a line such as `a.y: warning: 25 shift/reduce conflicts`; 0 without such a line.
fn conflicts(said: &str, kind: &str) -> Fallible<u64> {
    let Some(line) = said.lines().find(|line| line.contains(&format!("{kind} conflict"))) else {
        return Ok(0);
    };
    let words: Vec<_> = line.split_whitespace().collect();
    let at = words.iter().position(|&word| word == kind).filter(|&at| at > 0);
    let number = at.and_then(|at| words[at - 1].parse().ok());
    number.ok_or_else(|| format!("bison says: {line}"))
}

#[cfg(test)]
mod tests {
    use super::{conflicts, without_precedence};

    #[test]
    fn conflicts_are_read() {
        let said = "a.y: warning: 25 shift/reduce conflicts [-Wconflicts-sr]\n";
        assert_eq!(conflicts(said, "shift/reduce"), Ok(25));
        assert_eq!(conflicts(said, "reduce/reduce"), Ok(0));
    }

    #[test]
    fn precedence_is_taken_away() {
        assert_eq!(without_precedence("%left '+'"), None);
        assert_eq!(without_precedence("  | '-' e %prec NEG").as_deref(), Some("  | '-' e\n"));
        assert_eq!(without_precedence("%token A").as_deref(), Some("%token A\n"));
    }
}
