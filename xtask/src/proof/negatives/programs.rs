//! Programs that many people use are asked about negative tests: none may accept one, unless it is explained.
//!
//! An explanation in [`EXPLAINED`] says of every single test whether it is the reason
//! why the program accepts that test: the grammar says something else than the language's definition, or the program
//! does. What no explanation fits makes the proof fail. A program that rejects a test for another reason than syntax
//! (a table that does not exist) does not accept it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::explanations::{EXPLAINED, Explanation};
use crate::extent::Extent;
use crate::gramercy::{Entry, Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::{say, tools};

/// A program and the grammar of its language.
struct Judged {
    /// The name that the script knows.
    program: &'static str,
    /// What must be installed, and its Debian package.
    needs: (&'static str, &'static str),
    grammar: &'static str,
    start: Option<&'static str>,
}

const JUDGED: &[Judged] = &[
    Judged {
        program: "python-json",
        needs: ("python3", "python3"),
        grammar: "grammars/json.gram",
        start: None,
    },
    Judged { program: "jq", needs: ("jq", "jq"), grammar: "grammars/json.gram", start: None },
    Judged {
        program: "python-toml",
        needs: ("python3", "python3"),
        grammar: "../shared/grammars/antlr/toml/TomlParser.g4",
        start: Some("document"),
    },
    Judged {
        program: "luac5.4",
        needs: ("luac5.4", "lua5.4"),
        grammar: "../shared/grammars/antlr/lua/LuaParser.g4",
        start: Some("chunk"),
    },
    Judged {
        program: "sqlite3",
        needs: ("sqlite3", "sqlite3"),
        grammar: "../shared/grammars/antlr/sqlite/SQLiteParser.g4",
        start: Some("parse"),
    },
    Judged {
        program: "xmllint",
        needs: ("xmllint", "libxml2-utils"),
        grammar: "../shared/grammars/antlr/xml/XMLParser.g4",
        start: Some("document"),
    },
];

/// How tests are made; the short form takes few of them.
const SUITES: &[&[&str]] = &[
    &["--cover", "item-edit+lexeme-error"],
    &["--cover", "error-entry:lr0"],
    &["--mutate", "rule", "--select", "item"],
    &["--mutate", "word", "--select", "pair"],
    &["--mutate", "character", "--select", "pair"],
    &["--mutate", "encoding"],
];

/// The most tests of a suite, in the full and in the short form.
const MOST: [&str; 2] = ["10000", "60"];

/// The script that asks programs, with the root of the checkout as working directory.
const SCRIPT: &str = "xtask/src/proof/negatives/judge.py";

/// Asks all programs.
pub(crate) fn run(extent: Extent) -> Fallible {
    if !tools::have("python3", "python3", extent)? {
        return Ok(());
    }
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("negatives-programs")?;
    let mut outcome = Outcome::default();
    for judged in JUDGED {
        if judged.can_be_asked(extent)? {
            let tests = judged.ask(&gramercy, &folder, extent, &mut outcome)?;
            say(&format!("{}: {tests} negative tests", judged.program));
        }
    }
    say(&outcome.table());
    match &outcome.unexplained[..] {
        [] => Ok(()),
        some => Err(format!("accepted, and not explained:\n{}", some.join("\n"))),
    }
}

impl Judged {
    fn can_be_asked(&self, extent: Extent) -> Fallible<bool> {
        if !root().join(self.grammar).is_file() {
            say(&format!("{} is skipped: {} is not there", self.program, self.grammar));
            return Ok(false);
        }
        tools::have(self.needs.0, self.needs.1, extent)
    }

    fn ask(
        &self,
        gramercy: &Gramercy,
        folder: &Path,
        extent: Extent,
        outcome: &mut Outcome,
    ) -> Fallible<u64> {
        let entry = Entry { path: self.grammar.into(), start: self.start.map(str::to_owned) };
        let file = folder.join("tests.ndjson");
        let (made, mut tests) = (file.to_string_lossy().into_owned(), 0);
        for suite in SUITES {
            let mut arguments = suite.to_vec();
            let most = MOST[usize::from(extent == Extent::Short)];
            arguments.extend(["-n", most, "--quiet", "--format", "ndjson", "-o", &made]);
            gramercy.on("negate", &entry, &arguments).finish()?.success()?;
            let asked = Call::new("python3").args([SCRIPT, self.program, &made]).finish()?;
            let answers = asked.success()?;
            let suite = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
            if suite.lines().count() != answers.lines().count() {
                return Err(format!("{} was not asked about every test", self.program));
            }
            for (test, answer) in suite.lines().zip(answers.lines()) {
                outcome.enter(self.program, &value(test)?, &value(answer)?);
                tests += 1;
            }
        }
        Ok(tests)
    }
}

fn value(text: &str) -> Fallible<Value> {
    serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))
}

/// Which tests were accepted, and why.
#[derive(Default)]
struct Outcome {
    /// For each program and explanation the number of tests, and the smallest.
    explained: BTreeMap<(String, usize), (u64, String)>,
    unexplained: Vec<String>,
}

impl Outcome {
    fn enter(&mut self, program: &str, test: &Value, answer: &Value) {
        if answer["accepted"] != true {
            return;
        }
        // Bytes that are not UTF-8 are shown as base64.
        let text = test["text"].as_str().or(test["bytes"].as_str()).unwrap_or_default();
        let fits = |one: &Explanation| one.programs.contains(&program) && (one.fits)(test);
        let Some(number) = EXPLAINED.iter().position(fits) else {
            return self.unexplained.push(format!("{program}: {test}"));
        };
        let entry = self.explained.entry((program.to_owned(), number));
        let (count, smallest) = entry.or_insert_with(|| (0, text.to_owned()));
        *count += 1;
        if text.len() < smallest.len() {
            text.clone_into(smallest);
        }
    }

    /// A line for each explanation that was needed.
    fn table(&self) -> String {
        let mut table = String::from(
            "Bytes that are not UTF-8 are shown as base64.\n\n| program | cause in | tests | smallest | why |\n|---|---|---:|---|---|\n",
        );
        for ((program, number), (count, smallest)) in &self.explained {
            let Explanation { cause, why, .. } = &EXPLAINED[*number];
            let smallest = smallest.escape_debug().to_string().replace("\\\"", "\"");
            table += &format!("| {program} | {cause} | {count} | `` {smallest} `` | {why} |\n");
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Outcome;

    #[test]
    fn what_is_accepted_needs_an_explanation() {
        let mut outcome = Outcome::default();
        let test = |text: &str| json!({ "text": text, "error": { "class": "lexical" } });
        outcome.enter("jq", &test("[00]"), &json!({ "accepted": false }));
        outcome.enter("jq", &test("[00]"), &json!({ "accepted": true }));
        outcome.enter("jq", &test("00"), &json!({ "accepted": true }));
        outcome.enter("python-json", &test("00"), &json!({ "accepted": true }));
        assert_eq!(outcome.unexplained.len(), 1);
        assert!(outcome.table().contains("| 2 | `` 00 `` |"), "{}", outcome.table());
    }
}
