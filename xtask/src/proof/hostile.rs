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
    /// A file of the machine.
    Path(&'static str),
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
    case("generate", EXPR, &["--jobs", "1000000", "--count"]),
    case("random", EXPR, &["--lexemes", "/dev/zero"]),
    case("random", FOREVER, &["-n", "200", "--count"]),
    case("generate", FOREVER, &["--count"]),
    case("parse", FOREVER, &["--text", "[ [ ] ]"]),
    case("parse", EXPR, &["/dev/zero"]),
    case("parse", EXPR, &["/dev/random"]),
    case("measure", EXPR, &["/dev/zero"]),
    case("stats", Source::Path("/dev/zero"), &["--notation", "native"]),
    case("check", Source::Path("/dev/random"), &["--notation", "yacc"]),
    case("graph", LONG, &["--kind", "railroad"]),
    case("stats", KEYWORDS, &[]),
    case("generate", KEYWORDS, &["--cover", "rule", "--count"]),
    case("generate", KEYWORDS, &["--cover", "kpath:2", "--count"]),
    case("stats", HUGE, &[]),
];

/// Calls whose standard output is a full disk: each ends with exit code 3.
const FULL_DISK: &[(&str, &[&str])] = &[
    ("stats", &[]),
    ("convert", &["--to", "antlr4"]),
    ("parse", &["--text", "x"]),
    ("measure", &["--cover", "rule", "Cargo.toml"]),
    ("compare", &["--cover", "rule"]),
    ("check", &[]),
    ("graph", &[]),
    ("generate", &[]),
    ("random", &[]),
    ("negate", &[]),
    ("count", &[]),
    ("man", &[]),
    ("--help", &[]),
];

/// A parser with resolved conflicts that would reduce the empty production forever.
const FOREVER: Source = Source::Made(&Made {
    file: "forever.y",
    text: || "%%\nd: | '[' d ']' | d d;\n".to_owned(),
    is_large: false,
});
/// One alternative of many symbols.
const LONG: Source = Source::Made(&Made {
    file: "long.gram",
    text: || format!("s := {};\n", "\"a\" ".repeat(20_000)),
    is_large: true,
});
/// A large lexer whose case does not matter, with comments that nest.
const KEYWORDS: Source =
    Source::Made(&Made { file: "Keywords.g4", text: keywords, is_large: false });
/// More bytes than a grammar may have.
const HUGE: Source = Source::Made(&Made {
    file: "huge.gram",
    text: || "# a comment that is repeated again and again\n".repeat(4_500_000),
    is_large: true,
});

/// 900 keywords.
fn keywords() -> String {
    let mut text =
        "grammar Keywords;\noptions { caseInsensitive = true; }\nfile: stmt* EOF;\nstmt\n"
            .to_owned();
    for number in 0..900 {
        let sign = if number == 0 { ':' } else { '|' };
        _ = writeln!(text, "  {sign} K{number} (ID | NUMBER | STRING)? ';'");
    }
    text += "  ;\n";
    for number in 0..900_u32 {
        let letters = (0..4 + number % 36).map(|at| {
            let letter = number.wrapping_mul(7).wrapping_add(at * at + number / (at + 1)) % 26;
            char::from(b'A' + u8::try_from(letter).unwrap_or(0))
        });
        let word: String = letters.collect();
        _ = writeln!(text, "K{number}: '{word}{}';", letters_of(number));
    }
    text + "ID: [A-Z_] [A-Z_0-9]*;\nNUMBER: [0-9]+;\nSTRING: '\\'' ~'\\''* '\\'';\n\
        COMMENT: '/*' (COMMENT | .)*? '*/' -> channel(HIDDEN);\nWS: [ \\t\\r\\n]+ -> skip;\n"
}

/// A number in letters, so that no two keywords are equal.
fn letters_of(mut number: u32) -> String {
    let mut letters = String::new();
    loop {
        letters.push(char::from(b'A' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
        if number == 0 {
            return letters;
        }
    }
}

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
    for (command, arguments) in FULL_DISK {
        calls += 1;
        if let Err(problem) = check_full_disk(&gramercy, command, arguments) {
            failures.push(format!("{command} > /dev/full: {problem}"));
        }
    }
    calls += 1;
    if let Err(problem) = check_fifo(&gramercy, &folder) {
        failures.push(format!("a FIFO: {problem}"));
    }
    say(&format!("{} of {calls} calls ended by themselves", calls - failures.len()));
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// A command that cannot write what it prints ends with exit code 3 and says so.
fn check_full_disk(gramercy: &Gramercy, command: &str, arguments: &[&str]) -> Fallible {
    const FULL: &str = "exec timeout \"$@\" > /dev/full";
    let mut call = Call::new("bash").args(["-c", FULL, "bash", SECONDS]);
    call = call.arg(gramercy.path()).arg(command);
    if !matches!(command, "man" | "--help") {
        call = call.arg(examples_folder().join("expr.gram"));
    }
    let output = call.args(arguments).finish()?;
    match output.code {
        Some(3) if !output.stderr.trim().is_empty() => Ok(()),
        code => Err(format!("exit code {code:?}: {}", output.stderr.trim())),
    }
}

/// A named pipe that nobody writes to is refused, as a grammar and as an input.
fn check_fifo(gramercy: &Gramercy, folder: &Path) -> Fallible {
    const PIPES: &str = "rm -f \"$0/pipe.gram\"; mkfifo \"$0/pipe.gram\"; \
        timeout 10 \"$1\" stats \"$0/pipe.gram\"; a=$?; timeout 10 \"$1\" parse \"$2\" \"$0/pipe.gram\"; echo $a $?";
    let call = Call::new("bash").args(["-c", PIPES]).arg(folder).arg(gramercy.path());
    let output = call.arg(examples_folder().join("expr.gram")).finish()?;
    match output.stdout.lines().next_back() {
        Some("2 2") => Ok(()),
        codes => Err(format!("exit codes {codes:?}: {}", output.stderr.trim())),
    }
}

impl Source {
    fn is_large(self) -> bool {
        matches!(self, Self::Made(Made { is_large: true, .. }))
    }

    /// The file, which is written if it has to be made.
    fn path(self, folder: &Path) -> Fallible<PathBuf> {
        match self {
            Self::Example(file) => Ok(examples_folder().join(file)),
            Self::Path(path) => Ok(PathBuf::from(path)),
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
            Source::Example(file) | Source::Path(file) => file,
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
