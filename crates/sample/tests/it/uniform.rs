//! Uniform trees: chi-square tests against lists of all trees, which notice a bias of one in a thousand; ranks; and
//! the same trees whatever the precision.

use std::sync::Arc;

use gramercy_analysis::counts::SizeUnit;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_base::{Id, IdSet, IndexMap};
use gramercy_derive::Candidate;
use gramercy_grammar::ProductionId;
use gramercy_language::Language;
use gramercy_sample::methods::uniform::{
    Ranking, Sampler, Scratch, SizeRange, SpaceError, Stream, TreeSpace, distinct_ranks,
};

pub(crate) const JSON: &str = "%token LETTER DIGIT\n%%
Object: '{' '}' | '{' Members '}'; Members: Pair | Pair ',' Members; Pair: LETTER ':' Value;
Array: '[' ']' | '[' Elements ']'; Elements: Value | Value ',' Elements;
Value: LETTER | Object | DIGIT | Array;";
pub(crate) const EXAMPLE_2: &str = "%%\nS: S S | 'a' T | X 'b'; T: 'a' 'a'; X: T X | 'b';";
pub(crate) const DANGLING: &str = "%%\nS: 'i' S | 'i' S 'e' S | 'x';";

/// Grammars with a range of sizes that has some thousands of trees.
const CASES: [(&str, SizeUnit, usize, usize); 6] = [
    (JSON, SizeUnit::Nodes, 36, 37),
    (EXAMPLE_2, SizeUnit::Nodes, 24, 30),
    (DANGLING, SizeUnit::Tokens, 1, 14),
    ("%%\nS: | 'a' S 'b' S;", SizeUnit::Tokens, 14, 14),
    ("%%\nE: E '+' T | T; T: T '*' F | F; F: '(' E ')' | 'x';", SizeUnit::Nodes, 20, 26),
    ("%%\nS: A B A; A: 'a' A | ; B: 'b' B | A 'c' | S 'd';", SizeUnit::Tokens, 2, 7),
];

pub(crate) fn space(
    language: &Language,
    unit: SizeUnit,
    least: usize,
    most: usize,
) -> Arc<TreeSpace> {
    let range = SizeRange { unit, least, most };
    Arc::new(TreeSpace::new(language, range, MemoryLimit::default()).expect("sizes are finite"))
}

pub(crate) fn language(text: &str) -> Language {
    Language::from_text("test.y", text).expect("a grammar")
}

/// How many standard deviations a chi-square is beyond what is expected, by Wilson and Hilferty's cube root.
pub(crate) fn deviation(found: &[u64]) -> f64 {
    let expected = found.iter().sum::<u64>() as f64 / found.len() as f64;
    let chi: f64 = found.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
    let freedom = (found.len() - 1) as f64;
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

/// All trees of a space, in order.
fn all(ranking: &Ranking) -> IndexMap<Vec<ProductionId>, u64> {
    let total = u64::try_from(ranking.total()).expect("a small space");
    let mut trees = IndexMap::default();
    for rank in 0..total {
        let mut candidate = Candidate::default();
        assert!(ranking.unrank(&rank.into(), &mut candidate));
        assert_eq!(ranking.rank(&candidate.productions), Some(rank.into()));
        assert!(trees.insert(candidate.productions, 0).is_none(), "trees differ");
    }
    assert!(!ranking.unrank(&total.into(), &mut Candidate::default()));
    trees
}

/// Draws trees and counts each; one in `bias` draws gives the first tree.
fn histogram(
    sampler: &Sampler,
    trees: &IndexMap<Vec<ProductionId>, u64>,
    draws: u64,
    bias: Option<u64>,
) -> Vec<u64> {
    let mut found = vec![0; trees.len()];
    let (mut scratch, mut candidate) = (Scratch::default(), Candidate::default());
    for number in 0..draws {
        if bias.is_some_and(|bias| number % bias == 0) {
            found[0] += 1;
            continue;
        }
        candidate.clear();
        sampler.draw(&mut Stream::new([1, number, 0, 0]), &mut scratch, &mut candidate);
        found[trees.get_index_of(&candidate.productions).expect("it is one of the trees")] += 1;
    }
    found
}

#[test]
fn every_tree_is_equally_likely() {
    let mut rejected = 0;
    for (text, unit, least, most) in CASES {
        let language = language(text);
        let space = space(&language, unit, least, most);
        let trees = all(&Ranking::new(Arc::clone(&space)).expect("there are trees"));
        let sampler = Sampler::new(space, None).expect("there are trees");
        let count = trees.len() as f64;
        let draws = 12 * trees.len() as u64;
        let fair = deviation(&histogram(&sampler, &trees, draws, None));
        assert!(fair.abs() < 4.0, "{text}: {fair}");
        // A bias of one in a thousand adds this to the chi-square, whose spread is the root of twice the trees.
        let shift = draws as f64 * count / 1e6;
        if shift > 10.0 * (2.0 * count).sqrt() {
            let biased = deviation(&histogram(&sampler, &trees, draws, Some(1000)));
            assert!(biased > 6.0, "{text}: {biased}");
            rejected += 1;
        }
    }
    assert!(rejected > 0, "some case notices the bias");
}

#[test]
fn every_tree_that_covers_something_is_equally_likely() {
    for (text, unit, least, most) in
        [(JSON, SizeUnit::Nodes, 30, 31), (EXAMPLE_2, SizeUnit::Nodes, 20, 27)]
    {
        let language = language(text);
        let space = space(&language, unit, least, most);
        let trees = all(&Ranking::new(Arc::clone(&space)).expect("there are trees"));
        for nonterminal in language.bnf().cfg().nonterminals().skip(1) {
            let mut must = IdSet::new(language.bnf().production_count());
            for &production in language.bnf().productions_of(nonterminal) {
                must.insert(production);
            }
            let covers = |tree: &Vec<ProductionId>| tree.iter().any(|&id| must.contains(id));
            let trees: IndexMap<_, _> = trees
                .iter()
                .filter(|(tree, _)| covers(tree))
                .map(|(k, v)| (k.clone(), *v))
                .collect();
            let sampler =
                Sampler::new(Arc::clone(&space), Some(must.clone())).expect("some cover it");
            let fair = deviation(&histogram(&sampler, &trees, 20 * trees.len() as u64, None));
            assert!(fair.abs() < 4.0, "{text}: {nonterminal:?} {fair}");
        }
    }
}

#[test]
fn the_precision_decides_about_nothing() {
    for (text, unit, least, most) in CASES {
        let language = language(text);
        let space = space(&language, unit, least, most);
        let must = || {
            let mut must = IdSet::new(language.bnf().production_count());
            must.insert(ProductionId::from_index(language.bnf().production_count() - 1));
            must
        };
        for must in [None, Some(must())] {
            let short = Sampler::new(Arc::clone(&space), must.clone()).expect("there are trees");
            let long = Sampler::new(Arc::clone(&space), must).expect("there are trees");
            let (long, mut scratch) = (long.by_long_numbers(), Scratch::default());
            for number in 0..200 {
                let (mut one, mut other) = (Candidate::default(), Candidate::default());
                short.draw(&mut Stream::new([3, number, 0, 0]), &mut scratch, &mut one);
                long.draw(&mut Stream::new([3, number, 0, 0]), &mut scratch, &mut other);
                assert_eq!(one, other, "{text}");
            }
        }
    }
}

#[test]
fn distinct_ranks_differ_and_are_all_if_need_be() {
    let mut stream = Stream::new([5, 0, 0, 0]);
    let ranks = distinct_ranks(&100_u32.into(), 1000, &mut stream).expect("few");
    let mut sorted = ranks.clone();
    sorted.sort();
    assert_ne!(ranks, sorted);
    assert_eq!(sorted, (0..100_u32).map(Into::into).collect::<Vec<_>>());
    // Each of ten numbers is among three of them equally often.
    let mut found = [0_u64; 10];
    for _ in 0..3000 {
        for rank in distinct_ranks(&10_u32.into(), 3, &mut stream).expect("few") {
            found[usize::try_from(rank).expect("below ten")] += 1;
        }
    }
    assert_eq!(found.iter().sum::<u64>(), 9000);
    assert!(deviation(&found).abs() < 4.0, "{found:?}");
}

#[test]
fn sizes_without_a_tree_name_the_nearest() {
    let language = language(JSON);
    let space = space(&language, SizeUnit::Nodes, 12, 13);
    let range = space.range();
    let error = Sampler::new(space, None).expect_err("no tree has 12 or 13 nodes");
    assert_eq!(error, SpaceError::NoSize { range, below: Some(11), above: Some(14) });
}
