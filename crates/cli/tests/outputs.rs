//! Test files, read by the programs they are written for: each test of a suite is run by pytest and by
//! Rust's test harness, and judged by a parser of somebody else. Where a program is missing, its test
//! says so and is skipped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gramercy_testkit::Folder;

/// Runs a program in a folder; `None` if it is missing.
fn run(program: &Path, arguments: &[&str], folder: &Folder) -> Option<Output> {
    #[expect(clippy::disallowed_methods, reason = "the binary under test, and who reads its files")]
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder.path()).output().ok()
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
    folder.file("conftest.py", conftest.replace("return True", "return False"));
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

include!("suite.rs");
"#;
    folder.file("tests.rs", judge);
    let rustc = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
    let built = run(&rustc, &["--edition=2024", "--test", "tests.rs", "-o", "tests"], &folder);
    let Some(built) = built else { return skip("there is no rustc") };
    assert!(built.status.success(), "{}", text(&built));
    let output = run(&folder.path().join("tests"), &[], &folder).expect("the tests start");
    assert!(text(&output).contains(&format!("{tests} passed")), "{}", text(&output));
}

/// Makes a suite of JSON with some options; what it writes to standard output.
fn generate(options: &[&str], folder: &Folder) -> String {
    let grammar = gramercy_testkit::examples().join("json.gram").display().to_string();
    let gramercy = Path::new(env!("CARGO_BIN_EXE_gramercy"));
    let arguments = [&["generate", &grammar], options].concat();
    let output = run(gramercy, &arguments, folder).expect("the binary starts");
    assert!(output.status.success(), "{options:?}: {}", text(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn manifests_make_the_same_suite_again() {
    let folder = Folder::new("manifests");
    let check = |options: &[&str]| {
        let made = generate(&[options, &["--manifest", "suite.json"]].concat(), &folder);
        assert!(made.lines().count() > 1, "{options:?}");
        assert_eq!(generate(&["--from", "suite.json"], &folder), made, "{options:?}");
    };
    check(&["--minimize"]);
    check(&["--minimize", "--cover", "pair+deriv", "-n", "5"]);
    check(&["--pack", "--minimize", "--cover", "rule+cdrc"]);
    check(&["--cover", "kpath:3", "--shard", "2/3", "--minimize"]);
    check(&["--fall-over", "80", "--depth", "12", "--choose", "least-pair:20", "--seed", "3"]);
    check(&["--cover", "kpath:2", "--close-off", "random", "--recur", "120", "--partition", "1"]);
    check(&["--cover", "kpath:2", "--targets", "3,7-9"]);
    // What is made in a time is made again by its number.
    check(&["--cover", "kpath:2", "--close-off", "random", "--recur", "1s"]);
    check(&["--cover", "kpath:2", "--close-off", "random", "--recur", "1s", "--minimize"]);
}

#[test]
fn forests_are_suites_for_subsets() {
    let folder = Folder::new("forests");
    generate(&["--cover", "kpath:2", "--forests", "3", "--each", "4", "-o", "forests"], &folder);
    let table =
        std::fs::read_to_string(folder.path().join("forests/forests.csv")).expect("a table");
    let rows: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let [name, targets, tests, _, _, covered, ranks] = row[..] else { panic!("{row:?}") };
        let number = |text: &str| text.parse::<usize>().expect("a number");
        assert_eq!(number(targets), ranks.split(' ').count());
        assert!(number(covered) >= number(targets) && number(tests) <= number(targets), "{row:?}");
        let manifest = format!("forests/{name}/suite.json");
        let again = generate(&["--from", &manifest, "--format", "ndjson"], &folder);
        assert_eq!(again.lines().count(), number(tests));
        for rank in ranks.split(' ') {
            let target = format!("\"kpath:2#{rank}\"");
            assert!(again.contains(&target), "{name} covers {target}: {again}");
        }
    }
}

/// On a terminal there is a line with a rate after a second; elsewhere, and with `--quiet`, none.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_terminals() {
    let folder = Folder::new("progress");
    let grammar = gramercy_testkit::examples().join("json.gram").display().to_string();
    let gramercy = env!("CARGO_BIN_EXE_gramercy");
    let on_terminal = |option: &str| {
        let cover = "--cover kpath:2 --close-off random --recur 3s --count";
        let command = format!("'{gramercy}' generate '{grammar}' {cover} {option}");
        run(Path::new("script"), &["-qec", &command, "/dev/null"], &folder)
    };
    let Some(shown) = on_terminal("") else { return skip("there is no `script`") };
    let shown = text(&shown);
    assert!(shown.contains(" tests, ") && shown.contains("/s"), "{shown:?}");
    let quiet = text(&on_terminal("--quiet").expect("it started before"));
    assert!(!quiet.contains("/s"), "{quiet:?}");
    let plain = ["generate", &grammar, "--cover", "kpath:2", "--recur", "2s", "--count"];
    let plain = run(Path::new(gramercy), &plain, &folder).expect("the binary starts");
    assert_eq!(String::from_utf8_lossy(&plain.stderr), "");
}
