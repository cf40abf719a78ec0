//! Does covering more of the grammar cover more of the program? (Havrikov, Kampmann, Zeller, TOSEM, section 4.4)
//!
//! Suites of growing size are put together from inputs whose behaviour is known: for n from 1 to the number of k-paths
//! that some input has, several random subsets of n of these paths are drawn, and for each path of a subset one random
//! input that has it. The coverage of a suite, of the grammar and of the program, is that of all its inputs together,
//! so no program has to run again. Spearman's coefficient then says how monotonic the relation is.
//!
//! Sizes grow by a constant factor beyond the first hundred, so the number of suites stays small.

use gramercy_base::Draw;

use crate::behaviour::Behaviour;
use crate::bits;
use crate::features::Feature;
use crate::features::columns::Paths;
use crate::statistics::{Spearman, spearman};

/// How suites are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorrelateOptions {
    /// The longest paths.
    pub longest: u32,
    /// Subsets of each size.
    pub subsets: u32,
    /// The seed.
    pub seed: u64,
}

/// The relation for one length of paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// The length.
    pub k: u32,
    /// How many paths some input has.
    pub paths: usize,
    /// For each suite the share of these paths that it covers, and the share of all targets.
    pub suites: Vec<(f64, f64)>,
    /// How monotonic the relation is; `None` if one of both shares is constant.
    pub spearman: Option<Spearman>,
}

/// The relation between the coverage of paths and that of the program, for each length of paths.
#[must_use]
pub fn correlate(
    behaviour: &Behaviour,
    paths: &Paths,
    options: &CorrelateOptions,
) -> Vec<Correlation> {
    (1..=options.longest).map(|k| for_length(behaviour, paths, k, options)).collect()
}

fn for_length(
    behaviour: &Behaviour,
    paths: &Paths,
    k: u32,
    options: &CorrelateOptions,
) -> Correlation {
    let is_long =
        |feature: &Feature| matches!(feature, Feature::Path(path) if path.len() == k as usize);
    let of_length: Vec<&[u32]> =
        paths.iter().filter(|(feature, _)| is_long(feature)).map(|(_, rows)| rows).collect();
    let mut suites = Vec::new();
    for size in sizes(of_length.len()) {
        for number in 0..options.subsets {
            let keys = [options.seed, u64::from(k), size as u64, u64::from(number)];
            let suite = draw_suite(&of_length, size, &mut Draw::new(keys), behaviour.inputs.len());
            suites.push((share_of_paths(&of_length, &suite), share_of_targets(behaviour, &suite)));
        }
    }
    let spearman = spearman(&suites);
    Correlation { k, paths: of_length.len(), suites, spearman }
}

/// All sizes up to a hundred, then a tenth more each time.
fn sizes(most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(1), |&size: &usize| Some(size + 1 + size.saturating_sub(100) / 10))
        .take_while(move |&size| size <= most)
}

/// The inputs of a suite that covers random paths.
fn draw_suite(paths: &[&[u32]], size: usize, draw: &mut Draw, inputs: usize) -> Vec<u64> {
    let mut order: Vec<usize> = (0..paths.len()).collect();
    let mut suite = vec![0; bits::words(inputs)];
    for at in 0..size {
        let other = at + draw.below(order.len() - at);
        order.swap(at, other);
        let rows = paths[order[at]];
        let is_covered = rows.iter().any(|&row| bits::contains(&suite, row as usize));
        if !is_covered {
            bits::insert(&mut suite, rows[draw.below(rows.len())] as usize);
        }
    }
    suite
}

fn share_of_paths(paths: &[&[u32]], suite: &[u64]) -> f64 {
    let is_covered = |rows: &&&[u32]| rows.iter().any(|&row| bits::contains(suite, row as usize));
    share(paths.iter().filter(is_covered).count(), paths.len())
}

fn share_of_targets(behaviour: &Behaviour, suite: &[u64]) -> f64 {
    let is_covered = |rows: &&Vec<u64>| rows.iter().zip(suite).any(|(a, b)| a & b != 0);
    share(behaviour.covered.iter().filter(is_covered).count(), behaviour.covered.len())
}

#[expect(clippy::cast_precision_loss, reason = "numbers of targets are far below 2^53")]
fn share(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}
