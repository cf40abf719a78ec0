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
use crate::process::{Call, Fallible, Output, Profile, root};
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

/// Files that are none: each takes the place of `{}` in [`BAD_FILE_CALLS`].
const BAD_FILES: [&str; 4] = ["pipe.gram", "/dev/zero", "/dev/random", "."];
/// Numbers that are too large or none: each takes the place of `{}` in [`NUMBER_CALLS`].
const NUMBERS: [&str; 6] =
    ["18446744073709551615", "1000000", "4294967296", "18446744073709551616", "-1", "0"];

/// Calls with a file that must be refused.
const BAD_FILE_CALLS: &[&str] = &[
    "stats {} --notation native",
    "check {} --notation native",
    "convert {} --notation native",
    "graph {} --notation native",
    "generate {} --notation native",
    "random {} --notation native",
    "negate {} --notation native",
    "count {} --notation native",
    "compare {} --notation native",
    "init {} --notation native -o new.toml -- true",
    "parse e.gram {}",
    "measure e.gram {}",
    "measure e.gram in.txt --baseline {}",
    "measure e.gram in.txt --exempt {}",
    "generate e.gram --given {}",
    "generate e.gram --from {}",
    "generate e.gram --lexemes {}",
    "generate e.gram --targets {}",
    "stats e.gram --lexer {}",
    "compare e.gram --suite {}",
    "run {} --notation native -- true",
    "run e.gram --db {} -- true",
    "run e.gram --from {} -- true",
    "diff e.gram {}",
    "reduce e.gram {} -- false",
    "localize e.gram --failing {}",
    "localize e.gram --failing in.txt --passing {}",
    "localize e.gram --db {}",
    "repair e.gram --failing {}",
    "learn e.gram --behaviour {} -o new.json",
    "learn e.gram --corpus {} --reports . -o new.json",
    "explain e.gram --model {} --all",
    "explain e.gram --model model.json --since {} --all",
    "predict e.gram --model {} in.txt",
    "predict e.gram --model model.json {}",
    "target e.gram --model {} x",
    "correlate e.gram --behaviour {}",
    "merge {}",
    "merge {} -o new.db",
];

/// Calls with a number that is too large for most of them.
const NUMBER_CALLS: &[&str] = &[
    "count e.gram --sizes {}",
    "count e.gram --unit tokens --sizes {}",
    "count e.gram --words --sizes 9 --max-trees {}",
    "count e.gram --sizes 9 --max-memory {}",
    "generate e.gram --cover kpath:{} --count",
    "generate e.gram --cover bfs:{} --count",
    "generate e.gram --cover step:{} --count",
    "generate e.gram --cover lexeme:{} --count",
    "generate e.gram --shard 1/{} --count",
    "generate e.gram --max-tokens {} --count",
    "generate e.gram -n {} --count",
    "random e.gram --uniform --nodes {}",
    "random e.gram --uniform --tokens {}",
    "random e.gram --boltzmann --nodes {} -n 1",
    "random e.gram --plan --nodes {}",
    "random e.gram --strategy graph --depth {} -n 1",
    "negate e.gram -n {} --count",
    "stats e.gram --kpaths {}",
    "check e.gram --effort {}",
    "parse e.gram --text 1+1 --max-memory {}",
    "parse e.gram --text 1+1 --time-per-input {}",
    "parse e.gram --text 1+1 --jobs {}",
    "measure e.gram in.txt --missing={}",
    "run e.gram -n 3 --jobs {} --db new-{}.db -- true",
    "run e.gram -n 3 --timeout {} --db new-{}.db -- true",
    "reduce e.gram in.txt --jobs {} -- false",
    "reduce e.gram in.txt --runs {} -- false",
    "diff e.gram other.gram -n {}",
    "localize e.gram --failing in.txt --top {}",
    "localize e.gram --failing in.txt --faults {}",
    "localize e.gram --failing in.txt --max-states {}",
    "repair e.gram --failing in.txt --tries {}",
    "repair e.gram --failing in.txt --edits {}",
    "repair e.gram --failing in.txt --proposals {}",
    "learn e.gram --behaviour b.ndjson -o new.json --k {}",
    "learn e.gram --behaviour b.ndjson -o new.json --depth {}",
    "correlate e.gram --behaviour b.ndjson --subsets {}",
    "target e.gram --model model.json x -n {}",
];

/// Grammars of a collection next to the checkout, and the tokens of a random text that is parsed with them.
const LONG_TEXTS: &[(&str, &str)] = &[
    ("antlr/promql/PromQLParser.g4", "100000"),
    ("tribble/clojure.tribble", "20000"),
    ("antlr/sqlite/SQLiteParser.g4", "100000"),
    ("antlr/json/JSON.g4", "100000"),
];

/// Calls in a folder with a grammar, an input, a model and files that are none.
struct Sweep<'s> {
    gramercy: &'s Gramercy,
    folder: &'s Path,
}

impl<'s> Sweep<'s> {
    fn new(gramercy: &'s Gramercy, folder: &'s Path) -> Fallible<Self> {
        let guide = root().join("guide/runs");
        let copies = [
            (examples_folder().join("expr.gram"), "e.gram"),
            (guide.join("expr.ndjson"), "b.ndjson"),
            (guide.join("expr-model.json"), "model.json"),
        ];
        let failed = |error: std::io::Error| error.to_string();
        for (from, to) in copies {
            fs::copy(from, folder.join(to)).map_err(failed)?;
        }
        let text = fs::read_to_string(folder.join("e.gram")).map_err(failed)?;
        fs::write(folder.join("other.gram"), text.replace("\"+\"", "\"#\"")).map_err(failed)?;
        fs::write(folder.join("in.txt"), "1+").map_err(failed)?;
        Ok(Self { gramercy, folder })
    }

    /// A call ends by itself, within little memory.
    fn check(&self, line: &str) -> Fallible {
        const BOUNDED: &str =
            "ulimit -v 2000000; cd \"$0\"; exec timeout \"$@\" < /dev/null > /dev/null";
        let call = Call::new("bash").args(["-c", BOUNDED]).arg(self.folder).arg(SECONDS);
        judge(&call.arg(self.gramercy.path()).args(line.split(' ')).finish()?)
    }

    /// A long random text of a grammar is parsed.
    fn check_long_text(&self, grammar: &str, tokens: &str) -> Fallible {
        const PARSED: &str = "cd \"$5\"; ulimit -v $0; \"$1\" random \"$2\" -n 1 --tokens \"$3\" \
            --format ndjson --no-config > text.ndjson && exec timeout $4 \"$1\" parse \"$2\" text.ndjson > /dev/null";
        let path = root().join("../shared/grammars").join(grammar);
        if !path.exists() {
            say(&format!("left out: {} is not there", path.display()));
            return Ok(());
        }
        let call = Call::new("bash").args(["-c", PARSED, KIBIBYTES]).arg(self.gramercy.path());
        judge(&call.arg(path).args([tokens, SECONDS]).arg(self.folder).finish()?)
    }
}

/// Whether a call ended with a documented exit code and no trace of a crash.
fn judge(output: &Output) -> Fallible {
    match output.code {
        Some(0..=3) if !output.stderr.contains("backtrace") => Ok(()),
        Some(124) => Err(format!("not done after {SECONDS} s")),
        code => Err(format!("exit code {code:?}: {}", output.stderr.trim())),
    }
}

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
    let sweep = Sweep::new(&gramercy, &folder)?;
    let (bad_files, numbers): (&[&str], &[&str]) = match extent {
        Extent::Full => (&BAD_FILES, &NUMBERS),
        Extent::Short => (&BAD_FILES[..1], &NUMBERS[..1]),
    };
    for (lines, values) in [(BAD_FILE_CALLS, bad_files), (NUMBER_CALLS, numbers)] {
        for line in lines {
            for value in values {
                calls += 1;
                let line = line.replace("{}", value);
                if let Err(problem) = sweep.check(&line) {
                    failures.push(format!("{line}: {problem}"));
                }
            }
        }
    }
    for (grammar, tokens) in LONG_TEXTS.iter().filter(|_| extent == Extent::Full) {
        calls += 1;
        if let Err(problem) = sweep.check_long_text(grammar, tokens) {
            failures.push(format!("a text of {tokens} tokens of {grammar}: {problem}"));
        }
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
        judge(&call.finish()?)
    }
}
