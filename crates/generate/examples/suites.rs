//! Four ways to a suite of 2-paths, side by side on ten grammars: `cargo run --release -p
//! gramercy-generate --example suites`, with a number for another K.
//!
//! *default* are small tests for one missing path each; *minimized* are those of them that greedy set
//! cover keeps; *packed* are tests as large as they need to be; *random* are as many depth-bounded
//! trees as there are default tests. Shown are tests, tokens and the targets covered.

use std::collections::BTreeMap;

use gramercy_base::{Draw, Limits};
use gramercy_coverage::criteria::kpath::KPath;
use gramercy_coverage::{Criterion, Reading, TargetSet, Views};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::strategies::kpath::{KPathOptions, KPathStrategy};
use gramercy_generate::strategies::pack::paths::MissingPaths;
use gramercy_generate::strategies::pack::{Pack, PackOptions};
use gramercy_generate::{Draft, DrawOptions, Drawer, Minimizer, Sequential};
use gramercy_grammar::{Grammar, Tree};
use gramercy_parse::Derivations;

const GRAMMARS: [&str; 10] = [
    "arithmetic",
    "clojure",
    "csv",
    "iso8601",
    "js",
    "json",
    "kotlin",
    "regex",
    "regex_generative",
    "tribble",
];

fn main() {
    let Some(folder) = gramercy_testkit::shared("tribble") else { return };
    let k = std::env::args().nth(1).and_then(|k| k.parse().ok()).unwrap_or(2);
    say(&format!(
        "{:18}{:>9} {:>27} {:>27} {:>27} {:>27}",
        "", "targets", "default", "minimized", "packed", "random"
    ));
    for name in GRAMMARS {
        let file = folder.join(name).with_extension("tribble");
        if let Some(grammar) = load(&file, &Disk, &LoadOptions::default()).grammar {
            row(name, &grammar, k);
        }
    }
}

fn row(name: &str, grammar: &Grammar, k: u32) {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let criterion = KPath::new(&views, k, &limits).expect("within the limits");
    let paths = KPathStrategy::new(&views, KPathOptions::new(k), &limits);
    let default = all(&mut paths.expect("within the limits"));
    let minimized = minimized(&views, &criterion, &default);
    let source = MissingPaths::new(&views, k, &TargetSet::new(), &limits);
    let packed =
        all(&mut Pack::new(&views, source.expect("within the limits"), PackOptions::default()));
    let random = random(&views, default.len());
    let cells = [default, minimized, packed, random].map(|tests| cell(&views, &criterion, &tests));
    let targets = criterion.coverable();
    say(&format!("{name:18}{targets:9} {}", cells.join(" ")));
}

fn all(strategy: &mut dyn Sequential) -> Vec<Draft> {
    let (mut tests, mut draft) = (Vec::new(), Draft::default());
    while strategy.next(&mut draft) {
        tests.push(std::mem::take(&mut draft));
    }
    tests
}

fn minimized(views: &Views<'_>, criterion: &KPath<'_>, tests: &[Draft]) -> Vec<Draft> {
    let targets = (criterion.targets(), TargetSet::new());
    let mut minimizer = Minimizer::new(&[targets], usize::MAX).expect("no limit");
    for test in tests {
        let covered: Vec<_> = covered(views, criterion, test).iter().map(|id| (0, id)).collect();
        minimizer.add(&covered).expect("no limit");
    }
    minimizer.select(None).kept.into_iter().map(|at| tests[at].clone()).collect()
}

fn random(views: &Views<'_>, tests: usize) -> Vec<Draft> {
    let mut drawer = Drawer::new(views, DrawOptions { repetitions: 3, ..DrawOptions::default() });
    let draw = |number| {
        let mut draft = Draft::default();
        drawer.sentence(&mut Draw::new([number, 0, 0, 0]), &mut draft);
        draft
    };
    (0..tests as u64).map(draw).collect()
}

fn covered(views: &Views<'_>, criterion: &KPath<'_>, test: &Draft) -> TargetSet {
    let mut covered = TargetSet::new();
    let tree = Tree::new(views.bnf, test.productions.clone());
    let derivations = Derivations::of_tree(views.bnf, &tree);
    criterion.cover(&Reading::of(&derivations), &mut covered);
    covered
}

fn cell(views: &Views<'_>, criterion: &KPath<'_>, tests: &[Draft]) -> String {
    let (mut union, mut lengths) = (TargetSet::new(), BTreeMap::new());
    for test in tests {
        union.union_with(&covered(views, criterion, test));
        *lengths.entry(test.tokens.len()).or_insert(0_usize) += 1;
    }
    let tokens: usize = lengths.iter().map(|(length, tests)| length * tests).sum();
    format!("{:>8} {tokens:>10} {:>7}", tests.len(), union.len())
}

#[expect(clippy::print_stdout, reason = "a table is printed")]
fn say(text: &str) {
    println!("{text}");
}
