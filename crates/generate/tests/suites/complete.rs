//! Every criterion on every example grammar: each test parses, and all targets that are written are
//! covered, as the parser and the criterion themselves measure it.
//!
//! With `GRAMERCY_PROOF=all` the same over the collection of grammars, for criteria with under a
//! million targets there, with a table of what is unwritten.

use std::path::{Path, PathBuf};

use gramercy_base::{Limits, Map};
use gramercy_coverage::{Covered, Measure, Reading, TargetSet, criteria};
use gramercy_grammar::{TerminalId, TextKind};
use gramercy_parse::{Derivations, TextParser};
use gramercy_suite::Wants;

use crate::support::{Form, Kept, Recipe, Subject};

const CRITERIA: [&str; 16] = [
    "symbol",
    "rule",
    "cdrc",
    "step:3",
    "bfs:2",
    "deriv",
    "pll",
    "pair",
    "rule+pll",
    "kpath:1",
    "kpath:3",
    "lexeme:1",
    "lexeme:3",
    "kpath:2+lexeme:2",
    "pop-edge:lr1",
    "lr-path:2",
];

/// How many targets a criterion may have: on an ordinary day, and in a proof.
const MOST_TARGETS: [u64; 2] = [4_000, 1_000_000];

/// For suites that are made small, and measured again by a parser of all trees.
const MOST_TARGETS_OF_SMALL: u64 = 400;

/// What was found out about one suite.
struct Report {
    targets: u64,
    tests: u64,
    unwritten: u64,
    obstacles: Vec<String>,
}

/// Makes a suite and measures it; `None` if it would be too large.
fn report(subject: &Subject, cover: &'static str, form: Form, most: u64) -> Option<Report> {
    let (views, limits) = (subject.views(), Limits::default());
    let recipe = Recipe { form, ..Recipe::of(cover) };
    let build = |spec| criteria::build(spec, &views, &limits);
    let criteria: Vec<_> = recipe.specs().into_iter().map(build).collect::<Result<_, _>>().ok()?;
    let coverable: Vec<u64> = criteria.iter().map(|criterion| criterion.coverable()).collect();
    if criteria.iter().map(|criterion| criterion.targets()).sum::<u64>() > most {
        return None;
    }
    let parser = TextParser::new(&subject.grammar, &subject.bnf, &limits).expect("a parser");
    let measure = Measure {
        parser: &parser,
        criteria,
        productions: subject.bnf.production_count(),
        preferences: None,
    };
    let mut kept = Kept { wants: Wants { tokens: true, ..Wants::default() }, ..Kept::default() };
    let summary = recipe.make(subject, &mut kept);
    let covered = covered(subject, &measure, &kept);
    let mut unwritten = vec![TargetSet::new(); coverable.len()];
    for target in &summary.unwritten {
        let goal = target.goal.expect("a cover suite has goals");
        unwritten[goal.criterion].insert(goal.target);
    }
    for (at, &coverable) in coverable.iter().enumerate() {
        let missing = unwritten[at].iter().filter(|&target| !covered.targets[at].contains(target));
        let missing = missing.count() as u64;
        let told = |target| unwritten[at].contains(target);
        let criterion = &measure.criteria[at];
        let lost = (0..criterion.targets()).find(|&id| {
            !covered.targets[at].contains(id) && !told(id) && criterion.uncoverable(id).is_none()
        });
        if let Some(lost) = lost {
            let target = criterion.describe(lost);
            panic!("{cover}, {form:?}: {target} is neither covered nor told: {kept:?}");
        }
        assert_eq!(covered.targets[at].len() + missing, coverable, "{cover}, {form:?}");
    }
    let obstacles = summary.unwritten.iter().take(3);
    Some(Report {
        targets: coverable.iter().sum(),
        tests: summary.tests,
        unwritten: summary.unwritten_count,
        obstacles: obstacles.map(|of| format!("{:?}", of.obstacle)).collect(),
    })
}

/// What tests cover. In a grammar of tokens only, a text need not say which tokens it is made of: they
/// may look alike, or like white space. There the tokens are parsed.
fn covered(subject: &Subject, measure: &Measure<'_>, kept: &Kept) -> Covered {
    let (parser, mut covered) = (measure.parser, measure.nothing());
    let (mut workspace, mut tables) = (parser.workspace(), parser.parser().workspace());
    let terminals = subject.grammar.terminals().iter();
    let by_name: Map<&str, TerminalId> = terminals.map(|(id, of)| (&*of.name, id)).collect();
    for (text, tokens) in kept.texts.iter().zip(&kept.tokens) {
        let here = match subject.grammar.text_kind() {
            TextKind::TokensOnly => {
                let input =
                    |(name, _): &(String, String)| parser.parser().input_of_token(by_name[&**name]);
                let inputs: Vec<_> = tokens.iter().map(input).collect();
                let forest = parser.parser().parse(&mut tables, &inputs);
                let forest = forest.unwrap_or_else(|error| panic!("`{text}`: {error:?}"));
                measure.reading(&Reading::of(&Derivations::of_forest(parser.parser(), &forest)))
            }
            _ => {
                let covered = measure.text(&mut workspace, text);
                covered.unwrap_or_else(|rejection| panic!("`{text}`: {rejection:?}"))
            }
        };
        covered.add(&here);
    }
    covered
}

#[test]
fn every_target_of_every_example_is_covered() {
    for file in gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]) {
        let Some(subject) = Subject::read(&file) else { continue };
        for cover in CRITERIA {
            if let Some(report) = report(&subject, cover, Form::Small, MOST_TARGETS[0]) {
                let Report { unwritten, obstacles, .. } = report;
                assert_eq!(unwritten, 0, "{} {cover}: {obstacles:?}", file.display());
            }
        }
    }
}

/// Suites that are made smaller lose nothing.
#[test]
fn small_suites_cover_the_same() {
    let (mut small, mut minimized, mut packed) = (0, 0, 0);
    for file in gramercy_testkit::files_in(&gramercy_testkit::examples(), &["gram", "g4", "y"]) {
        let Some(subject) = Subject::read(&file) else { continue };
        for cover in CRITERIA {
            let tests = |form| {
                let Report { tests, unwritten, obstacles, .. } =
                    report(&subject, cover, form, MOST_TARGETS_OF_SMALL)?;
                assert_eq!(unwritten, 0, "{} {cover} {form:?}: {obstacles:?}", file.display());
                Some(tests)
            };
            let Some(usual) = tests(Form::Small) else { continue };
            let fewer = tests(Form::Minimized).expect("as many targets");
            assert!(fewer <= usual, "{} {cover}: {fewer} of {usual}", file.display());
            small += usual;
            minimized += fewer;
            packed += tests(Form::Packed).expect("as many targets");
        }
    }
    assert!(minimized < small && packed < minimized / 2, "{small}, {minimized}, {packed}");
}

/// The grammars of the collection: files that stand alone, and the one of a folder.
fn collection() -> Vec<PathBuf> {
    let folders = ["pytomata", "tribble", "antlr"].map(gramercy_testkit::shared);
    let extensions = ["gram", "g4", "y", "tribble", "scala"];
    let files = folders.iter().flatten();
    files.flat_map(|folder| gramercy_testkit::files_in(folder, &extensions)).collect()
}

#[expect(clippy::print_stdout, reason = "a proof shows its figures")]
fn show(file: &Path, cover: &str, report: &Report) {
    let Report { targets, tests, unwritten, obstacles } = report;
    let name = file.file_stem().unwrap_or_default().display();
    println!("{name} {cover} targets {targets} tests {tests} unwritten {unwritten} {obstacles:?}");
}

#[test]
fn the_collection_is_covered() {
    let is_proof = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    let daily = ["ampl20.y", "go.y", "json_ecma.y", "mysql-grammar.scala", "url.scala"];
    for file in collection() {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !is_proof && !daily.contains(&&*name) {
            continue;
        }
        let Some(subject) = Subject::read(&file) else { continue };
        for cover in CRITERIA {
            let most = MOST_TARGETS[usize::from(is_proof)];
            if let Some(report) = report(&subject, cover, Form::Small, most) {
                show(&file, cover, &report);
            }
        }
    }
}
