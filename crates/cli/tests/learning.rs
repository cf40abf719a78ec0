//! Programs that are run to learn from them: collected, verified, refined, and asked why they fail.
#![expect(clippy::disallowed_methods, reason = "the program under test here is our own")]
#![expect(clippy::print_stdout, reason = "what is skipped is said")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SUM: &str = "Sum := Term (\"+\" Term)*;\nTerm := \"1\" | \"2\" | \"(\" Sum \")\";\n";
/// Calls a function for sums, and another one for sums in parentheses.
const C: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int plus(void) { return 1; }
int nested(void) { return 2; }
int main(int count, char **words) {
  char text[10000] = {0};
  FILE *file = fopen(words[1], "r");
  fread(text, 1, sizeof text - 1, file);
  if (strchr(text, '+')) plus();
  for (int at = 0, depth = 0; text[at]; at++) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth && text[at] == '+') { nested(); break; }
  }
  if (strstr(text, "((((")) abort();
  return 0;
}
"#;
const PYTHON: &str = "import sys

def plus():
    return 1

def nested(text):
    depth = 0
    for letter in text:
        depth += (letter == '(') - (letter == ')')
        if depth and letter == '+':
            return deep()

def deep():
    return 2

text = open(sys.argv[1]).read()
if '+' in text:
    plus()
nested(text)
";

/// A folder of its own for a test, with the grammar and the programs.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("learning-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for (file, text) in [("sum.gram", SUM), ("sum.c", C), ("sum.py", PYTHON)] {
        std::fs::write(folder.join(file), text).expect("the file can be written");
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().expect("gramercy starts");
    let text = |bytes| String::from_utf8(bytes).expect("it is UTF-8");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Whether a program of the machine does its work; else the test is skipped.
fn has(folder: &Path, program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let output = command.current_dir(folder).args(arguments).output();
    let is_there = output.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("skipped: {program} {arguments:?} does not work here");
    }
    is_there
}

fn explained(folder: &Path, target: &str) -> Value {
    let (code, stdout, stderr) =
        run(folder, &["explain", "sum.gram", "--model", "model.json", target, "--json"]);
    assert_eq!(code, 0, "{stderr}");
    serde_json::from_str(&stdout).expect("it is JSON")
}

fn learn(folder: &Path, more: &[&str], command: &[&str]) -> (i32, String, String) {
    let start = ["learn", "sum.gram", "--random", "60", "--json", "-o", "model.json"];
    let arguments: Vec<&str> =
        start.iter().chain(more).chain(&["--"]).chain(command).copied().collect();
    run(folder, &arguments)
}

/// The targets of a model whose names end so, with the numbers of inputs that cover them.
fn covered(folder: &Path, ending: &str) -> Option<u64> {
    let text = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
    let model: Value = serde_json::from_str(&text).expect("it is JSON");
    let targets = model["targets"].as_array().expect("a list");
    let is_it = |target: &&Value| target["name"].as_str().is_some_and(|it| it.ends_with(ending));
    targets.iter().find(is_it).and_then(|target| target["covered"].as_u64())
}

/// The same program with the coverage of three tools: the same functions are covered by the same number of inputs.
#[test]
fn coverage_is_collected_by_all_presets() {
    let folder = folder("presets");
    let mut found = Vec::new();
    if has(&folder, "gcc", &["--coverage", "-w", "sum.c", "-o", "sum-gcc"])
        && has(&folder, "gcov", &["--version"])
    {
        let (code, _, stderr) = learn(&folder, &["--collect", "gcc"], &["./sum-gcc", "{}"]);
        assert_eq!(code, 0, "{stderr}");
        found.push((covered(&folder, ":plus"), covered(&folder, ":nested")));
        // A program that crashes has no coverage, and the reason is said.
        let crashed = stderr.contains("SIGABRT ended the program");
        let (_, inputs, _) = run(&folder, &["random", "sum.gram", "-n", "1"]);
        assert!(crashed || !inputs.contains("(((("), "{stderr}");
    }
    let clang =
        ["-fprofile-instr-generate", "-fcoverage-mapping", "-w", "sum.c", "-o", "sum-clang"];
    if has(&folder, "clang", &clang) && has(&folder, "llvm-profdata", &["--version"]) {
        let (code, _, stderr) = learn(&folder, &["--collect", "clang"], &["./sum-clang", "{}"]);
        assert_eq!(code, 0, "{stderr}");
        found.push((covered(&folder, ":plus"), covered(&folder, ":nested")));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    assert!(found.iter().all(|(plus, nested)| plus.is_some() && nested.is_some()), "{found:?}");
}

#[test]
fn coverage_of_python_programs_is_collected() {
    let folder = folder("python");
    if !has(&folder, "python3", &["-c", "import coverage"]) {
        return;
    }
    let more = ["--collect", "coverage.py", "--random", "8"];
    let start = ["learn", "sum.gram", "-o", "model.json"];
    let command = ["--", "python3", "sum.py", "{}"];
    let arguments: Vec<&str> = start.iter().chain(&more).chain(&command).copied().collect();
    let (code, _, stderr) = run(&folder, &arguments);
    assert_eq!(code, 0, "{stderr}");
    let text = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
    assert!(text.contains("sum.py:plus") && text.contains("sum.py:deep"), "{text}");
}

#[test]
fn templates_of_the_user_collect_any_report() {
    let folder = folder("templates");
    let export = "if grep -q '+' \"$COVERAGE/text\"; then n=1; else n=0; fi; \
                  printf 'TN:\\nSF:a.c\\nFN:1,plus\\nFNDA:%s,plus\\nend_of_record\\n' $n";
    let reset = "echo reset > \"$COVERAGE/text\"";
    let script = "\"$@\" > \"$COVERAGE/text\"";
    let more = ["--collect", "command", "--reset", reset, "--run", script, "--export", export];
    let (code, _, stderr) = learn(&folder, &more, &["cat", "{}"]);
    assert_eq!(code, 0, "{stderr}");
    let explanation = explained(&folder, "a.c:plus").to_string();
    assert!(explanation.contains("+ Term"), "{explanation}");
}

/// A harness answers with JSON; its runs are kept, so the second time it is not needed.
#[test]
fn a_harness_is_asked_once_for_each_input() {
    let folder = folder("harness");
    let harness = "import json, struct, sys
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
while True:
    head = stdin.read(4)
    if len(head) < 4:
        break
    text = stdin.read(struct.unpack('<I', head)[0]).decode()
    open(sys.argv[1], 'a').write('x')
    calls = {'read': 1, 'plus': text.count('+')}
    stdout.write(('accept ' + json.dumps({'covered': [], 'calls': calls}) + '\\n').encode())
    stdout.flush()
";
    std::fs::write(folder.join("harness.py"), harness).expect("the file can be written");
    if !has(&folder, "python3", &["-c", ""]) {
        return;
    }
    let counter = folder.join("counter");
    std::fs::write(&counter, "").expect("the file can be written");
    let here = folder.display().to_string();
    let path = counter.display().to_string();
    // The counter is named in the environment of a shell, because files that the command names decide about the cache.
    let script = format!("exec python3 harness.py {path}");
    let more = ["--collect", "harness", "--allow-writes", &here];
    let (code, first, stderr) = learn(&folder, &more, &["sh", "-c", &script]);
    assert_eq!(code, 0, "{stderr}");
    let asked = || std::fs::metadata(&counter).expect("it is there").len();
    assert_eq!(asked(), 60);
    let model = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
    let (_, second, _) = learn(&folder, &more, &["sh", "-c", &script]);
    assert_eq!((asked(), second), (60, first));
    let again = std::fs::read_to_string(folder.join("model.json")).expect("it was written");
    assert_eq!(again, model);
}

/// The conditions under which a program fails, learned from a campaign's database and from verdicts of runs.
#[test]
fn failures_are_explained() {
    let folder = folder("failures");
    let script = "if grep -q '+(' \"$1\"; then echo 'error: no group here' >&2; exit 3; fi";
    let program = ["sh", "-c", script, "sh", "{}"];
    let start = ["run", "sum.gram", "--random", "200", "--tokens", "8", "--db", "a.db", "--quiet"];
    let arguments: Vec<&str> = start.iter().chain(&["--"]).chain(&program).copied().collect();
    assert_eq!(run(&folder, &arguments).0, 1);
    let from_db = ["learn", "sum.gram", "--db", "a.db", "-o", "model.json", "--message", "group"];
    let (code, _, stderr) = run(&folder, &from_db);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("tests are not in the language and are left out"), "{stderr}");
    let targets = [
        "verdict:rejected-positive",
        "ending:exit 3",
        "message:error: no group here",
        "message~group",
    ];
    for target in targets {
        let explanation = explained(&folder, target);
        let clauses = explanation["conditions"][0]["clauses"].to_string();
        assert!(clauses.contains("+ Term") || clauses.contains("+ ( Sum )"), "{target}: {clauses}");
    }
    let (code, _, stderr) = run(&folder, &[&from_db[..], &["--subject", "x"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("the campaign has no program `x`"), "{stderr}");
}

/// Four inputs teach a wrong condition, which more runs correct; then all tests reach the target.
#[test]
fn refinement_corrects_conditions_and_tests_are_verified() {
    let folder = folder("refine");
    let inputs = "{\"text\":\"1\"}\n{\"text\":\"(1+1)\"}\n{\"text\":\"2\"}\n{\"text\":\"2+2\"}\n";
    std::fs::write(folder.join("few.ndjson"), inputs).expect("the file can be written");
    let script = "if grep -q '(1' \"$1\"; then exit 3; fi";
    let more = ["--collect", "verdict", "--corpus", "few.ndjson"];
    let (code, _, stderr) = learn(&folder, &more, &["sh", "-c", script, "sh", "{}"]);
    assert_eq!(code, 0, "{stderr}");
    let target =
        ["target", "sum.gram", "--model", "model.json", "ending:exit 3", "-n", "12", "--verify"];
    let (before, ..) = run(&folder, &target);
    assert_eq!(before, 1, "the condition is wrong");
    let refined =
        [&target[..], &["--refine", "--max-runs", "300", "--refined", "better.json"]].concat();
    let (code, stdout, stderr) = run(&folder, &refined);
    assert!(stderr.contains("leaves of `ending:exit 3`"), "{stderr}");
    assert!(code == 0 || stderr.contains("of 12 tests reach"), "{stderr}");
    assert!(stdout.lines().count() >= 10, "{stdout}{stderr}");
    assert!(stdout.lines().all(|line| line.contains("(1")), "{stdout}");
}

#[test]
fn programs_that_cannot_be_learned_from_are_named() {
    let folder = folder("bad");
    let check = |more: &[&str], command: &[&str], code: i32, message: &str| {
        let (found, _, stderr) = learn(&folder, more, command);
        assert_eq!(found, code, "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    };
    check(&["--collect", "gcc"], &["./nothing", "{}"], 3, "cannot start `./nothing`");
    check(&["--collect", "gcc"], &["cat", "{}"], 3, "it is not built with gcc --coverage");
    check(&["--collect", "command"], &["cat", "{}"], 2, "give --export");
    check(&["--collect", "gcc"], &[], 2, "--collect needs a program");
    check(&["--collect", "harness"], &["true"], 3, "the harness ended with exit code 0");
    let export = ["--collect", "command", "--export", "echo nonsense"];
    check(&export, &["cat", "{}"], 3, "no coverage report that is known");
    check(&["--behaviour", "sum.gram"], &["cat"], 2, "only run with --collect");
    let behaviour =
        "{\"input\":\"1\",\"covered\":[]}\n{\"input\":\"1+1\",\"covered\":[\"plus\"]}\n";
    std::fs::write(folder.join("runs.ndjson"), behaviour).expect("the file can be written");
    run(&folder, &["learn", "sum.gram", "--behaviour", "runs.ndjson", "-o", "model.json"]);
    let verify = ["target", "sum.gram", "--model", "model.json", "plus", "--verify"];
    let (code, _, stderr) = run(&folder, &verify);
    assert_eq!(code, 2);
    assert!(stderr.contains("the model does not say how the program is run"), "{stderr}");
}
