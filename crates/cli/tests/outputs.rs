//! Test files, read by the programs they are written for: each test of a suite is run by pytest and by
//! Rust's test harness, and judged by a parser of somebody else. Where a program is missing, its test
//! says so and is skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gramercy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn file(&self, name: &str, content: &str) {
        std::fs::write(self.0.join(name), content).expect("a file for the test");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a program in a folder; `None` if it is missing.
fn run(program: &Path, arguments: &[&str], folder: &Folder) -> Option<Output> {
    #[expect(clippy::disallowed_methods, reason = "the binary under test, and who reads its files")]
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&folder.0).output().ok()
}

fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    String::from_utf8_lossy(out).into_owned() + &String::from_utf8_lossy(err)
}

/// Writes a suite of JSON, with texts that need care in a program: quotes, backslashes, control
/// characters and what is not ASCII. How many tests it has.
fn json_suite(format: &str, file: &str, folder: &Folder) -> usize {
    let grammar = gramercy_testkit::examples().join("json.gram").display().to_string();
    let suite = ["generate", &grammar, "--cover", "kpath:3+lexeme:3"];
    let gramercy = Path::new(env!("CARGO_BIN_EXE_gramercy"));
    let written = [&suite[..], &["--format", format, "-o", file]].concat();
    let output = run(gramercy, &written, folder).expect("the binary starts");
    assert!(output.status.success(), "{}", text(&output));
    let lines = run(gramercy, &suite, folder).expect("the binary starts");
    lines.stdout.iter().filter(|&&byte| byte == b'\n').count()
}

#[expect(clippy::print_stderr, reason = "a test says why it is skipped")]
fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

#[test]
fn pytest_runs_every_test() {
    let folder = Folder::new("pytest");
    let python = Path::new("python3");
    let version = run(python, &["-m", "pytest", "--version"], &folder);
    if !version.is_some_and(|output| output.status.success()) {
        return skip("python3 has no pytest");
    }
    let tests = json_suite("pytest", "test_suite.py", &folder);
    let conftest = "import json\nimport pytest\n\n\
                    @pytest.fixture\n\
                    def accepts():\n    \
                        def accepts(text):\n        \
                            try:\n            \
                                json.loads(text)\n            \
                                return True\n        \
                            except ValueError:\n            \
                                return False\n    \
                        return accepts\n";
    folder.file("conftest.py", conftest);
    let arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
    let output = run(python, &arguments, &folder).expect("python3 starts");
    let told = text(&output);
    assert!(output.status.success() && told.contains(&format!("{tests} passed")), "{told}");
    // A program that accepts nothing fails every test.
    folder.file("conftest.py", &conftest.replace("return True", "return False"));
    let output = run(python, &arguments, &folder).expect("python3 starts");
    assert!(text(&output).contains(&format!("{tests} failed")), "{}", text(&output));
}

#[test]
fn rust_runs_every_test() {
    let folder = Folder::new("rust");
    let tests = json_suite("rust", "suite.rs", &folder);
    // A judge that knows nothing of JSON but that brackets and quotes are closed.
    let judge = r#"
fn accepts(text: &str) -> bool {
    let (mut depth, mut quoted, mut escaped) = (0i32, false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !quoted
}

#[test]
fn all_are_here() {
    assert_eq!(TESTS.len(), COUNT);
}

include!("suite.rs");
"#;
    folder.file("tests.rs", &judge.replace("COUNT", &tests.to_string()));
    let rustc = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
    let built = run(&rustc, &["--edition=2024", "--test", "tests.rs", "-o", "tests"], &folder);
    let Some(built) = built else { return skip("there is no rustc") };
    assert!(built.status.success(), "{}", text(&built));
    let output = run(&folder.0.join("tests"), &[], &folder).expect("the tests start");
    assert!(text(&output).contains("2 passed"), "{}", text(&output));
}
