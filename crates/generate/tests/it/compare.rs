//! Comparisons: figures that can be counted by hand, and sizes over many resolutions.

use std::convert::Infallible;

use gramercy_derive::Ties;
use gramercy_derive::strategy::Indexed;
use gramercy_generate::compare::{Compared, Comparing, Comparison, Contender};
use gramercy_generate::strategies::lr_path::LrPathTests;
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_language::Language;
use gramercy_lr::Construction::{self, Canonical, Lr0};

use crate::languages::{shared, yacc};
use crate::lr_checks::{all_candidates, by_edges, lr_path};

/// Sequences of some pop edges of these automata, each repeated with drawn ties.
fn compare(language: &Language, contenders: &[(u32, Construction)], repeat: u64) -> Comparison {
    let contender = |&(k, construction): &(u32, Construction)| {
        let spec = lr_path(k, construction);
        let criterion = spec.build(language).expect("small");
        Contender { name: spec.to_string(), criterion: Some(criterion) }
    };
    let mut comparing = Comparing::new(language.bnf(), contenders.iter().map(contender).collect());
    for variant in 0..repeat {
        for (at, &(k, construction)) in contenders.iter().enumerate() {
            let ties = if repeat == 1 { Ties::First } else { Ties::Random { seed: 0, variant } };
            let resolution = by_edges(ties);
            let tests: Box<dyn Indexed> = match k {
                1 => Box::new(PopEdges::new(language, construction, resolution, 0).expect("small")),
                _ => Box::new(
                    LrPathTests::new(language, (k, construction), resolution, 0).expect("small"),
                ),
            };
            let taken = comparing.suite(at, |take| {
                for candidate in all_candidates(&*tests) {
                    take(Compared::Made(&candidate), candidate.tokens.len() as u64);
                }
                Ok::<(), Infallible>(())
            });
            taken.expect("nothing fails");
        }
    }
    comparing.finish()
}

#[test]
fn brackets_are_compared_by_hand() {
    // LR(0): ε, [], [[]]. LR(1): these, and [[]] within a pair.
    let language = yacc("D: D '[' D ']' | ;");
    let comparison = compare(&language, &[(1, Lr0), (1, Canonical)], 1);
    let [lr0, lr1] = &comparison.standings[..] else { panic!("two contenders") };
    assert_eq!((lr0.sizes.values(), lr0.bytes.values()), (&[3][..], &[6][..]));
    assert_eq!((lr1.sizes.values(), lr1.bytes.values()), (&[4][..], &[12][..]));
    assert_eq!((lr0.merged, lr0.exclusive, lr0.coverable), (3, 0, Some(4)));
    assert_eq!((lr1.merged, lr1.exclusive, lr1.coverable), (4, 1, Some(6)));
    assert_eq!((&lr0.reached_by[..], &lr1.reached_by[..]), (&[4, 4][..], &[5, 6][..]));
    let [pair] = &comparison.pairs[..] else { panic!("one pair") };
    assert_eq!((pair.composite, pair.only_first, pair.only_second), (4, 0, 1));
    assert_eq!((pair.sizes, comparison.all), (None, 4));
    assert_eq!(comparison.share(0, 1), Some(1.0));
    assert!((comparison.share(1, 0).expect("targets") - 5.0 / 6.0).abs() < 1e-9);
}

#[test]
fn sizes_over_many_resolutions_are_told_apart() {
    let Some(language) = shared("pytomata", "ampl20.y") else { return };
    let comparison = compare(&language, &[(1, Lr0), (1, Canonical), (2, Lr0)], 20);
    let [lr0, lr1, pairs] = &comparison.standings[..] else { panic!("three contenders") };
    assert!(lr0.sizes.smallest() >= 138 && lr0.sizes.largest() <= 149, "{:?}", lr0.sizes);
    assert!(lr1.sizes.smallest() >= 620 && lr1.sizes.largest() <= 647, "{:?}", lr1.sizes);
    assert!(lr0.merged > lr0.sizes.largest() && lr0.sizes.ratio() < 1.08);
    // A criterion is reached by its own suite, and the weaker ones by the stronger.
    for (criterion, by) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2)] {
        assert_eq!(comparison.share(criterion, by), Some(1.0), "{criterion} by {by}");
    }
    assert!(comparison.share(1, 0).expect("targets") < 0.7);
    let test = comparison.pairs[0].sizes.expect("two samples");
    assert!(test.p < 1e-6 && test.larger < 1e-9, "{test:?}");
    assert!(pairs.sizes.smallest() > lr0.sizes.largest());
    let sum = lr0.merged + comparison.pairs[0].only_second;
    assert_eq!(comparison.pairs[0].composite, sum);
}
