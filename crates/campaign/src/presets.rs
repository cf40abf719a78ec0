//! Oracles for programs that many people have: how they are called, and what their complaints mean.
//!
//! A preset is one line of [`PRESETS`]. Each is tested against the real program, where it is installed.

use gramercy_subject::{Delivery, Program};

use crate::oracle::OracleSpec;

/// How a well-known program is called and understood.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it judges.
    pub help: &'static str,
    /// The program and its arguments.
    pub command: &'static [&'static str],
    /// The extension of files; empty where tests come on standard input.
    pub extension: &'static str,
    /// Output that means acceptance: complaints about more than syntax.
    pub accept_output: &'static [&'static str],
    /// Output that means rejection.
    pub reject_output: &'static [&'static str],
    /// Exit codes that mean rejection; none means all but 0.
    pub reject_exit: &'static [i32],
    /// Where the output names a line and a column.
    pub position: Option<&'static str>,
    /// What is added to its columns, so that they begin with 1.
    pub column_offset: i64,
    /// Text that the program accepts, for tests.
    pub accepted: &'static str,
    /// Text that it rejects.
    pub rejected: &'static str,
    /// Text with a complaint that counts as acceptance.
    pub semantic: Option<&'static str>,
}

/// What most presets have in common.
const PLAIN: Preset = Preset {
    name: "",
    help: "",
    command: &[],
    extension: "",
    accept_output: &[],
    reject_output: &[],
    reject_exit: &[],
    position: None,
    column_offset: 0,
    accepted: "",
    rejected: "",
    semantic: None,
};

/// The presets, by name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "bash",
        help: "bash -n: shell scripts",
        command: &["bash", "-n", "{}"],
        extension: "sh",
        position: Some(r"line (?<line>\d+): "),
        accepted: "if true; then echo a; fi\n",
        rejected: "if true; then echo a;\n",
        ..PLAIN
    },
    Preset {
        name: "clang",
        help: "clang -fsyntax-only: C, where only errors of syntax count",
        command: &[
            "clang",
            "-fsyntax-only",
            "-fno-color-diagnostics",
            "-w",
            "-ferror-limit=0",
            "-x",
            "c",
            "{}",
        ],
        extension: "c",
        reject_output: &[C_SYNTAX_CLANG],
        accept_output: &[r"error: "],
        position: Some(r":(?<line>\d+):(?<column>\d+): error: "),
        accepted: "int main(void) { return 0; }\n",
        rejected: "int main(void) { return 0;\n",
        semantic: Some("int main(void) { return undeclared; }\n"),
        ..PLAIN
    },
    Preset {
        name: "gcc",
        help: "gcc -fsyntax-only: C, where only errors of syntax count",
        command: &["gcc", "-fsyntax-only", "-w", "-fdiagnostics-color=never", "-x", "c", "{}"],
        extension: "c",
        reject_output: &[C_SYNTAX_GCC],
        accept_output: &[r"error: "],
        position: Some(r":(?<line>\d+):(?<column>\d+): error: "),
        accepted: "int main(void) { return 0; }\n",
        rejected: "int main(void) { return 0;\n",
        semantic: Some("int main(void) { return undeclared; }\n"),
        ..PLAIN
    },
    Preset {
        name: "gccgo",
        help: "gccgo -fsyntax-only: Go, where only errors of syntax count",
        command: &["gccgo", "-fsyntax-only", "{}"],
        extension: "go",
        reject_output: &[
            r"error: (?:syntax error|expected|unexpected|invalid character|missing|unterminated|malformed|.*not terminated|illegal|newline in)",
        ],
        accept_output: &[r"error: |undefined|declared but not used|imported and not used"],
        position: Some(r":(?<line>\d+):(?<column>\d+): error: "),
        accepted: "package p\n",
        rejected: "package\n",
        semantic: Some("package p\nfunc f() { g() }\n"),
        ..PLAIN
    },
    Preset {
        name: "gofmt",
        help: "gofmt -e: syntax of Go",
        command: &["gofmt", "-e", "{}"],
        extension: "go",
        position: Some(r":(?<line>\d+):(?<column>\d+): "),
        accepted: "package p\n",
        rejected: "package\n",
        ..PLAIN
    },
    Preset {
        name: "jq",
        help: "jq: JSON on standard input",
        command: &["jq", "."],
        position: Some(r"at line (?<line>\d+), column (?<column>\d+)"),
        accepted: "{\"a\": [1, null]}",
        rejected: "{\"a\": [1, null}",
        ..PLAIN
    },
    Preset {
        name: "lua",
        help: "luac -p: syntax of Lua",
        command: &["luac5.4", "-p", "{}"],
        extension: "lua",
        reject_output: &[r"near |expected|unfinished|malformed|invalid escape|escape sequence"],
        accept_output: &[
            r"<goto|label|break outside|too many|cannot use '\.\.\.'|attempt to assign to const|unknown attribute",
        ],
        position: Some(r":(?<line>\d+): "),
        accepted: "local a = 1\n",
        rejected: "local a = = 1\n",
        ..PLAIN
    },
    Preset {
        name: "node",
        help: "node --check: syntax of JavaScript",
        command: &["node", "--check", "{}"],
        extension: "js",
        position: Some(r"\.js:(?<line>\d+)"),
        accepted: "let a = 1;\n",
        rejected: "let a = ;\n",
        ..PLAIN
    },
    Preset {
        name: "perl",
        help: "perl -c: syntax of Perl",
        command: &["perl", "-c", "{}"],
        extension: "pl",
        reject_output: &[
            r"syntax error|Missing right|Unmatched|Can't find string terminator|Unrecognized character",
        ],
        accept_output: &[r"Can't locate|not allowed while .strict|requires explicit package name"],
        position: Some(r"at .* line (?<line>\d+)"),
        accepted: "my $a = 1;\n",
        rejected: "my $a = ;\n",
        semantic: Some("use No::Such::Module;\n"),
        ..PLAIN
    },
    Preset {
        name: "php",
        help: "php -l: syntax of PHP",
        command: &["php", "-l", "{}"],
        extension: "php",
        reject_output: &[r"Parse error"],
        accept_output: &[r"Fatal error"],
        position: Some(r"on line (?<line>\d+)"),
        accepted: "<?php $a = 1;\n",
        rejected: "<?php $a = ;\n",
        semantic: Some("<?php class A { function f() {} function f() {} }\n"),
        ..PLAIN
    },
    Preset {
        name: "python-json",
        help: "python3 -m json.tool: JSON on standard input",
        command: &["python3", "-m", "json.tool"],
        position: Some(r"line (?<line>\d+) column (?<column>\d+)"),
        accepted: "{\"a\": [1, null]}",
        rejected: "{\"a\": [1, null}",
        ..PLAIN
    },
    Preset {
        name: "python-toml",
        help: "python3, module tomllib: TOML on standard input",
        command: &["python3", "-c", "import sys, tomllib; tomllib.load(sys.stdin.buffer)"],
        reject_output: &[r"TOMLDecodeError|UnicodeDecodeError"],
        position: Some(r"at line (?<line>\d+), column (?<column>\d+)"),
        accepted: "a = [1, 2]\n",
        rejected: "a = [1, 2\n",
        ..PLAIN
    },
    Preset {
        name: "ruby",
        help: "ruby -c: syntax of Ruby",
        command: &["ruby", "-c", "{}"],
        extension: "rb",
        position: Some(r":(?<line>\d+): "),
        accepted: "a = 1\n",
        rejected: "a = (\n",
        ..PLAIN
    },
    Preset {
        name: "sqlite3",
        help: "sqlite3: SQL on standard input, where only errors of syntax count",
        // It goes on after errors beyond syntax, so that those of syntax in later statements are found.
        command: &["sqlite3", "-batch", ":memory:"],
        reject_output: &[r"syntax error|unrecognized token|incomplete input"],
        accept_output: &[r"(?i)error|no such|already exists|misuse"],
        accepted: "SELECT 1;",
        rejected: "SELECT FROM;",
        semantic: Some("SELECT a FROM missing;"),
        ..PLAIN
    },
    Preset {
        name: "xmllint",
        help: "xmllint --noout: well-formed XML",
        command: &["xmllint", "--noout", "--nonet", "{}"],
        extension: "xml",
        accept_output: &[],
        position: Some(r":(?<line>\d+): "),
        accepted: "<a><b/></a>",
        rejected: "<a><b></a>",
        ..PLAIN
    },
];

/// Complaints of gcc about syntax.
const C_SYNTAX_GCC: &str = r"error: (?:expected|stray|missing terminating|unterminated|.* before .* token|empty character|invalid suffix|.*at end of input|two or more data types|unknown type name)";
/// Complaints of clang about syntax.
const C_SYNTAX_CLANG: &str = r"error: (?:expected|extraneous|missing terminating|unterminated|empty character|invalid suffix|non-ASCII|source file is not valid|unknown type name|type specifier missing)";

impl Preset {
    /// The preset of a name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The program, with the usual bounds.
    #[must_use]
    pub fn program(&self) -> Program {
        let command = self.command.iter().map(|word| (*word).to_owned()).collect();
        let mut program = Program::new(command);
        if let Delivery::File { extension } = &mut program.delivery {
            self.extension.clone_into(extension);
        }
        program
    }

    /// How its responses are recognized. Positions are compared only where the user asks for it.
    #[must_use]
    pub fn oracle(&self) -> OracleSpec {
        let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        OracleSpec {
            accept_exit: Vec::new(),
            reject_exit: self.reject_exit.to_vec(),
            accept_output: all(self.accept_output),
            reject_output: all(self.reject_output),
            crash_output: Vec::new(),
            position: None,
            column_offset: self.column_offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PRESETS;

    #[test]
    fn presets_are_sorted_and_complete() {
        assert!(PRESETS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for preset in PRESETS {
            assert!(!preset.help.is_empty() && !preset.command.is_empty(), "{}", preset.name);
            let mut oracle = preset.oracle();
            oracle.position = preset.position.map(str::to_owned);
            assert!(oracle.build().is_ok(), "{}", preset.name);
        }
    }
}
