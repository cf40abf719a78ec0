//! How the coverage of one run is reset, recorded and exported, one preset for each tool.
//!
//! The three templates are shell commands. Each test has a directory of its own, which is empty before the run, so most
//! tools need no reset. In all templates `$COVERAGE` is a directory for coverage data; `"$@"` is the program's command.

use gramercy_base::named::{Choice, Named, choice};

/// Where behaviour comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// gcc --coverage.
    Gcc,
    /// clang -fprofile-instr-generate -fcoverage-mapping.
    Clang,
    /// coverage.py.
    CoveragePy,
    /// `JaCoCo`.
    Jacoco,
    /// A long-lived program whose answers say what each input covers.
    Harness,
    /// The templates of the user.
    Command,
    /// Not coverage, but how the program ended and what it said.
    Verdict,
}

impl Named for Preset {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Gcc, "gcc", "programs built with gcc --coverage"),
        choice(
            Self::Clang,
            "clang",
            "programs built with clang -fprofile-instr-generate -fcoverage-mapping",
        ),
        choice(Self::CoveragePy, "coverage.py", "Python programs: python3 SCRIPT …"),
        choice(Self::Jacoco, "jacoco", "Java programs: java … CLASS"),
        choice(
            Self::Harness,
            "harness",
            "a long-lived program that answers `accept JSON` or `reject JSON`",
        ),
        choice(Self::Command, "command", "the commands of --reset, --run and --export"),
        choice(Self::Verdict, "verdict", "how the program ends and what it says"),
    ];
}

/// Shell commands around a run.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Templates {
    /// Runs before the program.
    pub reset: String,
    /// Runs the program.
    pub run: String,
    /// Prints the coverage report on standard output.
    pub export: String,
}

impl Preset {
    /// Its templates.
    #[must_use]
    pub fn templates(self) -> Templates {
        let (run, export) = match self {
            Self::Gcc => (r#"GCOV_PREFIX="$COVERAGE" "$@""#, GCC_EXPORT),
            Self::Clang => (r#"LLVM_PROFILE_FILE="$COVERAGE/%p-%m.profraw" "$@""#, CLANG_EXPORT),
            Self::CoveragePy => (COVERAGE_PY_RUN, COVERAGE_PY_EXPORT),
            Self::Jacoco => (JACOCO_RUN, include_str!("jacoco.sh")),
            Self::Harness | Self::Command | Self::Verdict => (r#""$@""#, ""),
        };
        Templates { reset: String::new(), run: run.to_owned(), export: export.to_owned() }
    }
}

/// The notes of the compiler lie where the program was built; gcov looks for them beside the data.
const GCC_EXPORT: &str = r#"cd "$COVERAGE" || exit 1
find . -name '*.gcda' > list
[ -s list ] || { echo 'the program wrote no .gcda file: it is not built with gcc --coverage, or it crashed' >&2; exit 1; }
while read -r data; do notes="${data%.gcda}.gcno"; ln -s "${notes#.}" "$notes"; done < list
xargs "${GCOV:-gcov}" --branch-probabilities --json-format --stdout < list"#;

const CLANG_EXPORT: &str = r#"set -- "${COVERAGE_BINARY:-$(command -v "$1")}"
ls "$COVERAGE"/*.profraw > /dev/null 2>&1 || { echo 'the program wrote no .profraw file: it is not built with clang -fprofile-instr-generate, or it crashed' >&2; exit 1; }
"${LLVM_PROFDATA:-llvm-profdata}" merge -sparse "$COVERAGE"/*.profraw -o "$COVERAGE/merged" &&
"${LLVM_COV:-llvm-cov}" export "$1" -instr-profile="$COVERAGE/merged""#;

const COVERAGE_PY_RUN: &str = r#"python="$1"; shift
"$python" -m coverage run --branch --data-file="$COVERAGE/data" "$@""#;

const COVERAGE_PY_EXPORT: &str =
    r#""$1" -m coverage json --quiet --data-file="$COVERAGE/data" -o -"#;

/// The agent keeps the class files that the program loaded, so the report needs no other ones.
const JACOCO_RUN: &str = r#"agent="$JACOCO_AGENT"
if [ -z "$agent" ]; then
  agent="$COVERAGE/jacocoagent.jar"
  (cd "$COVERAGE" && jar xf "${JACOCO_JARS:-/usr/share/java}/org.jacoco.agent.jar" jacocoagent.jar)
fi
options="destfile=$COVERAGE/jacoco.exec,classdumpdir=$COVERAGE/classes,includes=${JACOCO_INCLUDES:-*}"
JAVA_TOOL_OPTIONS="-javaagent:$agent=$options" "$@""#;
