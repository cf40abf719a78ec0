//! Positive and negative suites of well-known languages against programs that many people use.
//!
//! Every group of findings is compared with [`explained`](explanations::EXPLAINED): who is to blame, the grammar, the
//! program or the way in which it is called, and why. What nobody has explained yet makes the experiment fail. Grammars
//! other than our own come from a collection next to the checkout, and are left out if it is not there.

mod explanations;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::extent::Extent;
use crate::gramercy::{Gramercy, scratch};
use crate::process::{Call, Fallible, Profile, root};
use crate::{say, tools};
use explanations::{Blame, EXPLAINED, Explanation};

/// A suite for a program.
struct Campaign {
    language: &'static str,
    grammar: &'static str,
    start: Option<&'static str>,
    /// The program in tables.
    program: &'static str,
    /// The program that must be there, and its Debian package.
    needs: (&'static str, &'static str),
    /// Options and the command, as for `gramercy run`.
    arguments: &'static [&'static str],
    /// Whether it is part of the short form.
    is_short: bool,
}

const PYTHON_CSV: &str = "import csv, sys\n\
    list(csv.reader(open(sys.argv[1], newline='', encoding='ascii'), strict=True))";
const PYTHON_URI: &str = "import sys, urllib.parse\nurllib.parse.urlsplit(sys.argv[1]).port";
const PYTHON_XML: &str = "import sys, xml.parsers.expat\n\
    xml.parsers.expat.ParserCreate().ParseFile(open(sys.argv[1], 'rb'))";
const RUBY_URI: &str = "URI::RFC3986_Parser.new.parse(ARGV[0])";
const RUBY_CSV: &str = "CSV.parse(STDIN.read, row_sep: \"\\r\\n\")";
const NODE_JSON: &str = "JSON.parse(require('fs').readFileSync(0, 'utf8'))";

const CAMPAIGNS: &[Campaign] = &[
    Campaign {
        language: "JSON",
        grammar: "grammars/json.gram",
        start: None,
        program: "jq",
        needs: ("jq", "jq"),
        arguments: &["--preset", "jq"],
        is_short: true,
    },
    Campaign {
        language: "JSON",
        grammar: "grammars/json.gram",
        start: None,
        program: "Python json",
        needs: ("python3", "python3"),
        arguments: &["--preset", "python-json"],
        is_short: false,
    },
    Campaign {
        language: "JSON",
        grammar: "grammars/json.gram",
        start: None,
        program: "Node JSON.parse",
        needs: ("node", "nodejs"),
        arguments: &["--", "node", "-e", NODE_JSON],
        is_short: false,
    },
    Campaign {
        language: "TOML",
        grammar: "../shared/grammars/antlr/toml/TomlParser.g4",
        start: Some("document"),
        program: "Python tomllib",
        needs: ("python3", "python3"),
        arguments: &["--preset", "python-toml"],
        is_short: false,
    },
    Campaign {
        language: "CSV",
        grammar: "grammars/csv.gram",
        start: None,
        program: "Python csv",
        needs: ("python3", "python3"),
        arguments: &["--", "python3", "-c", PYTHON_CSV, "{}"],
        is_short: true,
    },
    Campaign {
        language: "CSV",
        grammar: "grammars/csv.gram",
        start: None,
        program: "Ruby CSV",
        needs: ("ruby", "ruby"),
        arguments: &["--", "ruby", "-rcsv", "-e", RUBY_CSV],
        is_short: false,
    },
    Campaign {
        language: "URI",
        grammar: "grammars/uri.gram",
        start: None,
        program: "Ruby URI",
        needs: ("ruby", "ruby"),
        arguments: &["--argument", "--", "ruby", "-ruri", "-e", RUBY_URI, "--", "{}"],
        is_short: false,
    },
    Campaign {
        language: "URI",
        grammar: "grammars/uri.gram",
        start: None,
        program: "Python urllib",
        needs: ("python3", "python3"),
        arguments: &["--argument", "--", "python3", "-c", PYTHON_URI, "{}"],
        is_short: false,
    },
    Campaign {
        language: "SQL",
        grammar: "../shared/grammars/antlr/sqlite/SQLiteParser.g4",
        start: Some("parse"),
        program: "sqlite3",
        needs: ("sqlite3", "sqlite3"),
        arguments: &["--preset", "sqlite3", "--cover", "rule"],
        is_short: false,
    },
    Campaign {
        language: "Go",
        grammar: "../shared/grammars/antlr/golang/GoParser.g4",
        start: Some("sourceFile"),
        program: "gofmt",
        needs: ("gofmt", "golang"),
        arguments: &["--preset", "gofmt", "--cover", "rule"],
        is_short: false,
    },
    Campaign {
        language: "Go",
        grammar: "../shared/grammars/antlr/golang/GoParser.g4",
        start: Some("sourceFile"),
        program: "gccgo",
        needs: ("gccgo", "gccgo"),
        arguments: &["--preset", "gccgo", "--cover", "rule", "--kind", "positive"],
        is_short: false,
    },
    Campaign {
        language: "Lua",
        grammar: "../shared/grammars/antlr/lua/LuaParser.g4",
        start: Some("chunk"),
        program: "luac 5.4",
        needs: ("luac5.4", "lua5.4"),
        arguments: &["--preset", "lua"],
        is_short: false,
    },
    Campaign {
        language: "XML",
        grammar: "../shared/grammars/antlr/xml/XMLParser.g4",
        start: Some("document"),
        program: "xmllint",
        needs: ("xmllint", "libxml2-utils"),
        arguments: &["--preset", "xmllint"],
        is_short: false,
    },
    Campaign {
        language: "XML",
        grammar: "../shared/grammars/antlr/xml/XMLParser.g4",
        start: Some("document"),
        program: "Python expat",
        needs: ("python3", "python3"),
        arguments: &["--", "python3", "-c", PYTHON_XML, "{}"],
        is_short: false,
    },
];

/// Runs the campaigns of the named languages, or all, and prints the tables.
pub(super) fn run(extent: Extent, languages: &[&str]) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("experiment-campaigns")?;
    let mut totals = String::from(
        "| language | program | tests | pass | rejected positive | accepted negative | other | groups |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut causes = String::from(
        "| language | program | who | tests | smallest | why |\n|---|---|---|---:|---|---|\n",
    );
    let mut unexplained = Vec::new();
    let is_named =
        |campaign: &&Campaign| languages.is_empty() || languages.contains(&campaign.language);
    for campaign in CAMPAIGNS.iter().filter(is_named) {
        if !campaign.is_wanted(extent)? {
            continue;
        }
        let report = campaign.run(&gramercy, &folder)?;
        totals += &campaign.counts(&report);
        causes += &campaign.causes(&report, &mut unexplained);
        say(&format!("{}, {}: {}", campaign.language, campaign.program, report["verdicts"]));
    }
    say(&format!("\n{totals}\n{causes}"));
    match unexplained.is_empty() {
        true => Ok(()),
        false => Err(format!("not explained:\n{}", unexplained.join("\n"))),
    }
}

impl Campaign {
    fn is_wanted(&self, extent: Extent) -> Fallible<bool> {
        if extent == Extent::Short && !self.is_short {
            return Ok(false);
        }
        if !root().join(self.grammar).is_file() {
            say(&format!("left out: {} is not there", self.grammar));
            return Ok(false);
        }
        let (program, package) = self.needs;
        tools::have(program, package, extent)
    }

    fn run(&self, gramercy: &Gramercy, folder: &Path) -> Fallible<Value> {
        let name = format!("{}-{}", self.language, self.program).replace(' ', "-");
        let (page, json) =
            (folder.join(format!("{name}.html")), folder.join(format!("{name}.json")));
        let call = Call::new(gramercy.path()).args(["run", self.grammar, "--quiet"]);
        let call = call.arg("--report").arg(&page).arg("--report").arg(&json);
        let call = self.start.iter().fold(call, |call, start| call.args(["--start", start]));
        let output = call.args(self.arguments).finish()?;
        if !matches!(output.code, Some(0 | 1)) {
            return Err(format!("{name}: {}", output.stderr));
        }
        let text = std::fs::read_to_string(&json).map_err(|error| error.to_string())?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    fn counts(&self, report: &Value) -> String {
        let of = |verdict: &str| report["verdicts"][verdict].as_u64().unwrap_or(0);
        let tests = report["tests"].as_u64().unwrap_or(0);
        let (pass, rejected, accepted) =
            (of("pass"), of("rejected-positive"), of("accepted-negative"));
        let other = tests - pass - rejected - accepted;
        let groups = report["groups"].as_array().map_or(0, Vec::len);
        format!(
            "| {} | {} | {tests} | {pass} | {rejected} | {accepted} | {other} | {groups} |\n",
            self.language, self.program
        )
    }

    /// A line per explanation, with the smallest test of its groups. What has none is noted.
    fn causes(&self, report: &Value, unexplained: &mut Vec<String>) -> String {
        let mut found: BTreeMap<usize, (u64, String)> = BTreeMap::new();
        for group in report["groups"].as_array().into_iter().flatten() {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let (message, reason) = (text(&group["message"]), text(&group["reason"]));
            let (verdict, smallest) = (text(&group["verdict"]), text(&group["smallest"]["text"]));
            let said = format!("{verdict} | {message} | {reason} | {smallest}");
            let is_it = |one: &Explanation| {
                one.language == self.language
                    && (one.program.is_empty() || one.program == self.program)
                    && one.signs.iter().all(|sign| said.contains(sign))
            };
            let Some(explanation) = EXPLAINED.iter().find(|one| is_it(one)) else {
                unexplained.push(format!("{}, {}: {said}", self.language, self.program));
                continue;
            };
            // Several signs may have the same explanation.
            let number = EXPLAINED.iter().position(|one| one.why == explanation.why).unwrap_or(0);
            let tests = group["tests"].as_u64().unwrap_or(0);
            let entry = found.entry(number).or_insert_with(|| (0, smallest.clone()));
            entry.0 += tests;
            if smallest.len() < entry.1.len() {
                entry.1 = smallest;
            }
        }
        let line = |(number, (tests, smallest)): (usize, (u64, String))| {
            let Explanation { blame, why, .. } = &EXPLAINED[number];
            let (language, program) = (self.language, self.program);
            let (blame, smallest) = (blame.name(), cell(&smallest));
            format!("| {language} | {program} | {blame} | {tests} | `` {smallest} `` | {why} |\n")
        };
        found.into_iter().map(line).collect()
    }
}

impl Blame {
    fn name(self) -> &'static str {
        match self {
            Blame::Grammar => "grammar",
            Blame::Program => "program",
            Blame::Harness => "harness",
        }
    }
}

/// A test in a cell of a table.
fn cell(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut line: String = text.escape_debug().take(SHOWN).collect();
    line = line.replace("\\\"", "\"").replace("\\'", "'").replace('|', "\\|");
    if line.is_empty() { "(nothing)".to_owned() } else { line }
}
