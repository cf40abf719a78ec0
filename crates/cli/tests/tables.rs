//! The tables in the guide's page of `compare` are what the program prints. They need the grammars of
//! the LR paper; the large ones take minutes and take part with `GRAMERCY_PROOF=all` in the environment.

use std::path::Path;
use std::process::Command;

const CRITERIA: [&str; 9] =
    ["pop-edge:lr0", "pop-edge:lr1", "pll", "rule", "cdrc", "step:3", "step:4", "deriv", "bfs:2"];

/// What `compare` prints, table by table.
fn compare(grammar: &Path, repeat: &str, embedding: &str) -> Vec<String> {
    #[expect(clippy::disallowed_methods, reason = "the binary under test")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_gramercy"));
    command.arg("compare").arg(grammar).args(["--repeat", repeat, "--yield", "edges"]);
    command.args(["--embedding", embedding]);
    command.args(CRITERIA.iter().flat_map(|criterion| ["--cover", criterion]));
    let output = command.output().expect("the binary starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("tables are text");
    text.split("\n\n").map(str::to_owned).collect()
}

/// The sizes of a criterion's suites, as the guide has them.
fn sizes(table: &str, criterion: &str) -> String {
    let row = table.lines().find(|line| line.split_whitespace().next() == Some(criterion));
    let cells: Vec<&str> = row.expect("a row for each criterion").split_whitespace().collect();
    let [_, _, average, smallest, largest, ..] = cells[..] else { panic!("{cells:?}") };
    format!("{average} ({smallest} to {largest})")
}

fn check(file: &str, name: &str, repeat: &str) {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    let guide = gramercy_testkit::workspace().join("guide/compare.md");
    let guide = std::fs::read_to_string(guide).expect("the guide");
    let (_, section) = guide.split_once(&format!("\n### {name}\n")).expect("a section");
    let shallowest = compare(&folder.join(file), repeat, "shallowest");
    let shortest = compare(&folder.join(file), repeat, "shortest");
    for criterion in CRITERIA {
        let row = section.lines().find(|line| line.starts_with(&format!("| `{criterion}` |")));
        let cells: Vec<&str> = row.expect("a row").split('|').map(str::trim).collect();
        let found = [sizes(&shallowest[0], criterion), sizes(&shortest[0], criterion)];
        assert_eq!([cells[2], cells[4]], found, "{name}, {criterion}");
    }
    assert!(section.contains(shortest[1].trim_end()), "{name}:\n{}", shortest[1]);
}

#[test]
fn ampl() {
    check("ampl20.y", "AMPL", "100");
}

#[test]
fn large_grammars() {
    if std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all") {
        check("go.y", "Go", "100");
        check("sqlite.y", "SQLite", "10");
    }
}
