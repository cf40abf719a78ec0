//! How much the sizes of pop-edge suites vary with ties, as in Table 2 of paper 003.
//!
//! `cargo bench -p gramercy-generate --bench suite_sizes`. Sizes over 100 resolutions, 10 for the largest,
//! are shown, and the first 20 must lie near the range of 20 runs of a reference: within a hundredth, or a
//! twentieth where only its mean is known.

use gramercy_analysis::shortest_yield::Length;
use gramercy_base::Limits;
use gramercy_coverage::Views;
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_generate::compare::{Comparing, Contender};
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_generate::{Draft, Indexed, Resolution, Ties};
use gramercy_grammar::Grammar;
use gramercy_lr::Construction::{self, Canonical, Lr0};

/// A grammar, how many resolutions there are, and the range of sizes that the reference has seen.
struct Workload {
    file: &'static str,
    construction: Construction,
    repeat: u64,
    range: (u64, u64),
}

const fn workload(
    file: &'static str,
    construction: Construction,
    repeat: u64,
    range: (u64, u64),
) -> Workload {
    Workload { file, construction, repeat, range }
}

const WORKLOADS: [Workload; 6] = [
    workload("ampl20.y", Lr0, 100, (140, 147)),
    workload("ampl20.y", Canonical, 100, (625, 642)),
    workload("go.y", Lr0, 100, (3440, 3515)),
    workload("go.y", Canonical, 100, (23_433, 23_538)),
    workload("sqlite.y", Lr0, 100, (20_594, 21_071)),
    // Of the largest only the mean is known.
    workload("sqlite.y", Canonical, 10, (356_833, 356_833)),
];

fn main() {
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return };
    for workload in WORKLOADS {
        let path = folder.join(workload.file);
        let grammar = load(&path, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
        measure(&grammar, &workload);
    }
}

fn measure(grammar: &Grammar, workload: &Workload) {
    let limits = Limits::default();
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
    let views = Views::new(grammar, &graph, &bnf, &limits);
    let name = format!("{}:{}", workload.file, workload.construction.as_str());
    let mut comparing =
        Comparing::new(&bnf, vec![Contender { name: name.clone(), criterion: None }]);
    for variant in 0..workload.repeat {
        let ties = Ties::Random { seed: 0, variant };
        let resolution = Resolution { length: Length::LrEdges, ties, ..Resolution::default() };
        let suite = PopEdges::new(&views, workload.construction, resolution, 0, &limits);
        let suite = suite.expect("within the limits");
        let taken = comparing.suite(0, |take| {
            let mut draft = Draft::default();
            for number in 0..suite.count() {
                draft.clear();
                if suite.make(number, 0, &mut draft) {
                    take(&draft, 0);
                }
            }
            Ok::<(), std::convert::Infallible>(())
        });
        taken.expect("nothing fails");
    }
    let comparison = comparing.finish();
    let (sizes, merged) = (&comparison.standings[0].sizes, comparison.standings[0].merged);
    let (low, high) = workload.range;
    let near = if low == high { 20 } else { 100 };
    for &size in sizes.values().iter().take(20) {
        let is_near = size * near >= low * (near - 1) && size * (near - 1) <= high * near;
        assert!(is_near, "{name}: {size}");
    }
    say(&format!(
        "{name:14} average {:.1}, smallest {}, largest {}, ratio {:.2}, merged {merged}",
        sizes.average(),
        sizes.smallest(),
        sizes.largest(),
        sizes.ratio(),
    ));
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn say(text: &str) {
    println!("{text}");
}
