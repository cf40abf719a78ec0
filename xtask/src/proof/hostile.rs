//! Calls that ask for too much: huge numbers in options, grammars that grow when they are expanded, and whatever
//! else must end soon with an answer or a diagnostic.
//!
//! Every call runs with bounds on time and memory. It holds if the program ends by itself with an exit code that is
//! documented, and prints no trace of a crash. A case is a line in [`CASES`]; the short form leaves out the large
//! grammars. Cost: seconds in the short form, minutes in the full one.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::extent::Extent;
use crate::gramercy::{Gramercy, examples_folder, scratch};
use crate::process::{Call, Fallible, Profile};
use crate::say;

/// The most seconds and KiB of address space of a call.
const SECONDS: &str = "60";
const KIBIBYTES: &str = "6000000";

/// A call of the program.
struct Case {
    /// The command.
    command: &'static str,
    /// The grammar.
    grammar: Source,
    /// Everything else.
    arguments: &'static [&'static str],
}

/// Where the grammar of a case comes from.
#[derive(Clone, Copy)]
enum Source {
    /// An example of the project.
    Example(&'static str),
    /// A file that is made for the case.
    Made(&'static Made),
}

/// A grammar that is made.
struct Made {
    file: &'static str,
    text: fn() -> String,
    is_large: bool,
}

const EXPR: Source = Source::Example("expr.gram");
const REPEAT: Source = Source::Made(&Made {
    file: "repeat.gram",
    text: || "s := \"a\"{1000000};\n".to_owned(),
    is_large: false,
});
const OPTIONAL: Source = Source::Made(&Made {
    file: "optional.gram",
    text: || "s := \"a\"{0,1000000};\n".to_owned(),
    is_large: true,
});
const LITERALS: Source =
    Source::Made(&Made { file: "literals.gram", text: literals, is_large: true });
const CHAIN: Source = Source::Made(&Made { file: "chain.gram", text: chain, is_large: true });
const REGEX: Source = Source::Made(&Made {
    file: "regex.gram",
    text: || "s := /(a|b)*a(a|b){16}/;\n".to_owned(),
    is_large: true,
});

const fn case(command: &'static str, grammar: Source, arguments: &'static [&'static str]) -> Case {
    Case { command, grammar, arguments }
}

/// All calls.
const CASES: &[Case] = &[
    case("generate", EXPR, &["--cover", "lr-path:1000000"]),
    case("generate", EXPR, &["--cover", "lr-path:4294967295"]),
    case("generate", EXPR, &["--pack", "--cover", "kpath:10"]),
    case("generate", EXPR, &["--pack", "--cover", "bfs:4"]),
    case("generate", EXPR, &["--minimize", "--cover", "kpath:10"]),
    case("generate", EXPR, &["--variants", "1000000"]),
    case("random", EXPR, &["--tokens", "1000000000000"]),
    case("random", EXPR, &["--strategy", "forced", "--tokens", "1000000000000"]),
    case("random", EXPR, &["--bytes", "1000000000000"]),
    case("random", EXPR, &["--strategy", "cooldown", "--depth", "30"]),
    case("random", EXPR, &["--strategy", "free", "--depth", "4000000000"]),
    case("random", EXPR, &["-n", "1000000000000", "--count"]),
    case("stats", REPEAT, &[]),
    case("generate", REPEAT, &[]),
    case("parse", REPEAT, &["--text", "aa"]),
    case("generate", OPTIONAL, &["--count"]),
    case("generate", OPTIONAL, &["--pack"]),
    case("stats", LITERALS, &[]),
    case("generate", LITERALS, &["--count"]),
    case("parse", LITERALS, &["--text", "w5"]),
    case("stats", CHAIN, &[]),
    case("generate", CHAIN, &["--cover", "kpath:3", "--count"]),
    case("stats", REGEX, &[]),
    case("generate", REGEX, &[]),
];

/// 100,000 alternatives.
fn literals() -> String {
    let words: Vec<String> = (0..100_000).map(|number| format!("\"w{number}\"")).collect();
    format!("s := {};\n", words.join(" | "))
}

/// 100,000 rules, each of which refers to the next.
fn chain() -> String {
    let mut text = String::new();
    for number in 0..100_000 {
        _ = writeln!(text, "r{number} := r{};", number + 1);
    }
    text + "r100000 := \"x\";\n"
}

/// Runs the calls.
pub(super) fn run(extent: Extent) -> Fallible {
    let gramercy = Gramercy::build(Profile::of(extent))?;
    let folder = scratch("hostile")?;
    let cases = CASES.iter().filter(|case| extent == Extent::Full || !case.grammar.is_large());
    let (mut failures, mut calls) = (Vec::new(), 0);
    for case in cases {
        calls += 1;
        if let Err(problem) = case.check(&gramercy, &folder) {
            failures.push(format!("{}: {problem}", case.name()));
        }
    }
    say(&format!("{} of {calls} calls ended by themselves", calls - failures.len()));
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

impl Source {
    fn is_large(self) -> bool {
        matches!(self, Self::Made(Made { is_large: true, .. }))
    }

    /// The file, which is written if it has to be made.
    fn path(self, folder: &Path) -> Fallible<PathBuf> {
        match self {
            Self::Example(file) => Ok(examples_folder().join(file)),
            Self::Made(made) => {
                let path = folder.join(made.file);
                let broken = |error: std::io::Error| format!("{}: {error}", path.display());
                fs::write(&path, (made.text)()).map_err(broken)?;
                Ok(path)
            }
        }
    }
}

impl Case {
    fn name(&self) -> String {
        let file = match self.grammar {
            Source::Example(file) => file,
            Source::Made(made) => made.file,
        };
        format!("{} {file} {}", self.command, self.arguments.join(" "))
    }

    fn check(&self, gramercy: &Gramercy, folder: &Path) -> Fallible {
        const BOUNDED: &str = "ulimit -v $0; exec timeout \"$@\"";
        let path = self.grammar.path(folder)?;
        let call = Call::new("bash").args(["-c", BOUNDED, KIBIBYTES, SECONDS]);
        let call = call.arg(gramercy.path()).arg(self.command).arg(&path).args(self.arguments);
        let output = call.finish()?;
        match output.code {
            Some(0..=3) if !output.stderr.contains("backtrace") => Ok(()),
            Some(124) => Err(format!("not done after {SECONDS} s")),
            code => Err(format!("exit code {code:?}: {}", output.stderr.trim())),
        }
    }
}
