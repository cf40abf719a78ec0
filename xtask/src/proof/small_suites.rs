//! Suites of several sizes with the same coverage, compared with random suites of the same size;
//! and the targets that the examples of a grammar do not cover, with the suite that completes them.
//! The program generates and measures them.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{self, Entry, Gramercy};
use crate::process::{Fallible, Profile, root};
use crate::say;

/// The criterion of the suites, with enough targets that random tests miss some.
const COVER: &str = "kpath:3";
/// The criterion for which examples are completed.
const COMPLETED: &str = "rule";

/// Grammars of the project and of the collection: ten of them.
const OWN: [&str; 4] = ["json.gram", "expr.gram", "uri.gram", "MiniParser.g4"];
const OTHERS: [&str; 6] = ["abnf", "dot", "promql", "thrift", "sparql", "sqlite"];

/// The flags for smaller suites. Packed tests are limited, because measuring all trees of a large
/// ambiguous text takes long.
const FORMS: [(&str, &[&str]); 3] = [
    ("small tests", &[]),
    ("minimized", &["--minimize"]),
    ("packed", &["--pack", "--max-tokens", "300"]),
];

struct Comparison {
    gramercy: Gramercy,
    folder: PathBuf,
}

/// A suite with its measurement.
struct Suite {
    file: PathBuf,
    tests: u64,
    bytes: u64,
    unwritten: u64,
    covered: u64,
}

/// The coverage of inputs.
struct Coverage {
    inputs: u64,
    coverable: u64,
    covered: u64,
}

pub(super) fn run(extent: Extent) -> Fallible {
    let comparison = Comparison {
        gramercy: Gramercy::build(Profile::of(extent))?,
        folder: gramercy::scratch("small-suites")?,
    };
    let others = gramercy::antlr_collection()?;
    let own = OWN.map(|name| Entry::new(root().join("grammars").join(name)));
    let mut entries: Vec<(String, &Entry)> =
        own.iter().map(|entry| (entry.name(), entry)).collect();
    if extent == Extent::Full {
        let chosen = others.iter().map(|entry| (folder_name(entry), entry));
        entries.extend(chosen.filter(|(name, _)| OTHERS.contains(&&**name)));
    }
    let mut problems = Vec::new();
    say(&format!(
        "{:<14} {:<12} {:>7} {:>9} {:>8}   of {COVER}",
        "grammar", "suite", "tests", "bytes", "targets"
    ));
    for (name, entry) in &entries {
        let result = comparison.sizes(name, entry);
        problems.extend(result.err().map(|problem| format!("{name}: {problem}")));
    }
    say(&format!(
        "{:<14} {:>9} {:>8} {:>7} {:>8}   of {COMPLETED}",
        "grammar", "examples", "targets", "tests", "targets"
    ));
    let examples = own.iter().chain(others.iter().filter(|_| extent == Extent::Full));
    for entry in examples {
        let result = comparison.completed(entry);
        problems.extend(result.err().map(|problem| format!("{}: {problem}", entry.name())));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The folder of a grammar of the collection is the name of its language.
fn folder_name(entry: &Entry) -> String {
    let folder = entry.path.parent().and_then(Path::file_name);
    folder.unwrap_or_default().to_string_lossy().into_owned()
}

impl Comparison {
    /// The suites of one grammar: smaller ones cover no less, and random ones no more.
    fn sizes(&self, name: &str, entry: &Entry) -> Fallible {
        let mut first = None;
        for (extent, flags) in FORMS {
            let flags = [&["--cover", COVER], flags].concat();
            let suite = self.make(entry, "generate", &flags, COVER)?;
            let show = |extent: &str, suite: &Suite| {
                let Suite { tests, bytes, covered, .. } = suite;
                say(&format!("{name:<14} {extent:<12} {tests:>7} {bytes:>9} {covered:>8}"));
            };
            show(extent, &suite);
            let tests = suite.tests.to_string();
            let random = self.make(entry, "random", &["-n", &tests], COVER)?;
            show("random", &random);
            let (most, least) = *first.get_or_insert((suite.tests, suite.covered));
            if suite.tests > most || suite.covered < least {
                return Err(format!("{extent}: {} tests, {} targets", suite.tests, suite.covered));
            }
            if random.covered > suite.covered {
                return Err(format!("{} random tests cover more than {extent}", random.tests));
            }
        }
        Ok(())
    }

    /// Examples, and the suite that completes them.
    fn completed(&self, entry: &Entry) -> Fallible {
        let Some(examples) = examples(entry) else { return Ok(()) };
        let examples = examples.to_string_lossy();
        let flags = ["--cover", COMPLETED, "--given", &examples];
        let suite = self.make(entry, "generate", &flags, COMPLETED)?;
        let before = self.covered(entry, COMPLETED, &[&examples])?;
        let after = self.covered(entry, COMPLETED, &[&examples, &suite.file.to_string_lossy()])?;
        let name = if entry.start.is_some() { folder_name(entry) } else { entry.name() };
        let (tests, inputs) = (suite.tests, before.inputs);
        let (few, all) = (before.covered, after.covered);
        say(&format!("{name:<14} {inputs:>9} {few:>8} {tests:>7} {all:>8} of {}", after.coverable));
        // Targets without a text stay uncovered, and the program reports them.
        if after.covered + suite.unwritten < after.coverable {
            return Err(format!("{} of {} targets are covered", after.covered, after.coverable));
        }
        Ok(())
    }

    fn make(&self, entry: &Entry, command: &str, flags: &[&str], cover: &str) -> Fallible<Suite> {
        let (file, manifest) = (self.folder.join("suite.ndjson"), self.folder.join("suite.json"));
        let call = self.gramercy.on(command, entry, flags).args(["--format", "ndjson", "--quiet"]);
        let texts = call.arg("--manifest").arg(&manifest).finish()?.success()?;
        let broken = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::write(&file, texts).map_err(|error| broken(&file, error))?;
        let manifest =
            std::fs::read_to_string(&manifest).map_err(|error| broken(&manifest, error))?;
        let manifest = parsed(&manifest)?;
        let Coverage { covered, .. } = self.covered(entry, cover, &[&file.to_string_lossy()])?;
        let figure = |name| number(&manifest, name);
        let (tests, bytes, unwritten) = (figure("tests")?, figure("bytes")?, figure("unwritten")?);
        Ok(Suite { file, tests, bytes, unwritten, covered })
    }

    /// The coverage of inputs; a rejected one covers nothing.
    fn covered(&self, entry: &Entry, cover: &str, inputs: &[&str]) -> Fallible<Coverage> {
        let flags = [inputs, &["--cover", cover, "--trees", "all", "--json", "--quiet"]].concat();
        let report = parsed(&self.gramercy.on("measure", entry, &flags).finish()?.stdout)?;
        let of_cover = &report["criteria"][cover];
        Ok(Coverage {
            inputs: number(&report, "inputs")?,
            coverable: number(of_cover, "coverable")?,
            covered: number(of_cover, "covered")?,
        })
    }
}

/// The file of examples next to a grammar.
fn examples(entry: &Entry) -> Option<PathBuf> {
    let language = entry.name().trim_end_matches("Parser").to_lowercase();
    let own = entry.path.with_file_name(format!("{language}.corpus.ndjson"));
    let others = entry.path.with_file_name("examples.ndjson");
    [own, others].into_iter().find(|path| path.is_file())
}

fn parsed(text: &str) -> Fallible<Value> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text:.200}"))
}

fn number(value: &Value, name: &str) -> Fallible<u64> {
    value[name].as_u64().ok_or_else(|| format!("no {name}: {value}"))
}
