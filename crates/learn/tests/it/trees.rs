//! Laws of the learners, against slow and simple ones.

use gramercy_base::Draw;
use gramercy_learn::bits;
use gramercy_learn::features::columns::Columns;
use gramercy_learn::trees::optimal::{OptimalOptions, optimal};
use gramercy_learn::trees::{Node, Tree, cart::cart, is_majority, leaf_of};

/// A random table, and a random target that depends on some columns, with noise.
fn table(seed: u64, rows: usize, columns: usize) -> (Columns, Vec<u64>) {
    let mut draw = Draw::new([seed, rows as u64, columns as u64, 0]);
    let mut all = Vec::new();
    for _ in 0..columns {
        let mut column = vec![0; bits::words(rows)];
        let density = 1 + draw.below(4);
        (0..rows)
            .filter(|_| draw.below(5) < density)
            .for_each(|row| bits::insert(&mut column, row));
        all.push(column);
    }
    let (a, b, c) = (draw.below(columns), draw.below(columns), draw.below(columns));
    let mut target = vec![0; bits::words(rows)];
    for row in 0..rows {
        let has = |column: usize| bits::contains(&all[column], row);
        if ((has(a) ^ has(b)) && has(c)) != (draw.below(10) == 0) {
            bits::insert(&mut target, row);
        }
    }
    (Columns::of_bits(rows, all), target)
}

/// The cost of the best tree, by trying all trees.
fn best_cost(columns: &Columns, target: &[u64], rows: &[u64], depth: u32, leaf_cost: u64) -> u64 {
    let covered = u64::from(bits::count_both(rows, target));
    let leaf = covered.min(u64::from(bits::count(rows)) - covered);
    if depth == 0 || leaf == 0 {
        return leaf;
    }
    let split = |column: usize| {
        let has = columns.column(column);
        let (without, with) = (bits::without(rows, has), bits::both(rows, has));
        leaf_cost
            + best_cost(columns, target, &without, depth - 1, leaf_cost)
            + best_cost(columns, target, &with, depth - 1, leaf_cost)
    };
    (0..columns.len()).map(split).min().unwrap_or(leaf).min(leaf)
}

fn cost(tree: &Tree, columns: &Columns, target: &[u64], leaf_cost: u64) -> u64 {
    let wrong =
        (0..columns.rows()).filter(|&row| match tree.nodes()[leaf_of(tree, columns, row)] {
            Node::Leaf { covered, total } => {
                is_majority(covered, total) != bits::contains(target, row)
            }
            Node::Split { .. } => unreachable!("it is a leaf"),
        });
    wrong.count() as u64 + leaf_cost * tree.splits() as u64
}

#[test]
fn optimal_trees_cost_as_little_as_the_best_of_all_trees() {
    for (seed, rows) in (0..40).zip((20..).step_by(3)) {
        let (columns, target) = table(seed, rows, 7);
        for depth in 1..=3 {
            let leaf_cost = 1 + seed % 3;
            let options = OptimalOptions { depth, leaf_cost, ..OptimalOptions::default() };
            let found = optimal(&columns, &target, options);
            let all = bits::all(columns.rows());
            let best = best_cost(&columns, &target, &all, depth, leaf_cost);
            assert_eq!((found.cost, found.gap()), (best, 0), "seed {seed}, depth {depth}");
            // Questions that correct nothing are taken away when leaves are counted.
            assert!(cost(&found.tree, &columns, &target, leaf_cost) <= best, "seed {seed}");
        }
    }
}

#[test]
fn four_levels_are_optimal_too() {
    for seed in 0..3 {
        let (columns, target) = table(seed, 60, 5);
        let options = OptimalOptions { depth: 4, ..OptimalOptions::default() };
        let found = optimal(&columns, &target, options);
        let best = best_cost(&columns, &target, &bits::all(60), 4, 1);
        assert_eq!((found.cost, found.gap()), (best, 0));
    }
}

#[test]
fn a_spent_budget_leaves_a_tree_and_a_true_bound() {
    for seed in 0..20 {
        let (columns, target) = table(seed, 120, 10);
        let whole = optimal(&columns, &target, OptimalOptions::default());
        for budget in [0, 50, 500, 5000] {
            let options = OptimalOptions { budget, ..OptimalOptions::default() };
            let found = optimal(&columns, &target, options);
            assert!(found.lower_bound <= whole.cost && whole.cost <= found.cost, "{seed} {budget}");
        }
    }
}

#[test]
fn one_of_two_features_defeats_the_greedy_learner_only() {
    // Covered exactly if one of columns 0 and 1 is present; column 2 is noise that looks better at first.
    let (mut a, mut b, mut noise, mut target) = (vec![0; 7], vec![0; 7], vec![0; 7], vec![0; 7]);
    for row in 0..400 {
        let (has_a, has_b) = (row % 2 == 1, row / 2 % 2 == 1);
        if has_a {
            bits::insert(&mut a, row);
        }
        if has_b {
            bits::insert(&mut b, row);
        }
        if has_a != has_b {
            bits::insert(&mut target, row);
        }
        if (has_a != has_b) == (row % 7 < 4) {
            bits::insert(&mut noise, row);
        }
    }
    let columns = Columns::of_bits(400, [a, b, noise]);
    let options = OptimalOptions { depth: 2, ..OptimalOptions::default() };
    let found = optimal(&columns, &target, options);
    assert_eq!((found.cost, found.tree.splits(), found.tree.errors()), (3, 3, 0));
    let greedy = cart(&columns, &target, &bits::all(400), 2);
    assert!(greedy.errors() > 0);
}

/// Greedy trees by counting rows one by one.
fn naive(columns: &Columns, target: &[u64], rows: &[usize], depth: u32) -> Tree {
    let covered = |rows: &[usize]| rows.iter().filter(|&&row| bits::contains(target, row)).count();
    let impurity = |rows: &[usize]| {
        let (p, n) = (covered(rows) as f64, rows.len() as f64);
        2.0 * p * (n - p) / n
    };
    let mut best: Option<(f64, usize)> = None;
    if depth > 0 && covered(rows) > 0 && covered(rows) < rows.len() {
        for column in 0..columns.len() {
            let has = |row: &&usize| bits::contains(columns.column(column), **row);
            let with: Vec<usize> = rows.iter().filter(has).copied().collect();
            let without: Vec<usize> = rows.iter().filter(|row| !has(row)).copied().collect();
            if with.is_empty() || without.is_empty() {
                continue;
            }
            let sum = impurity(&with) + impurity(&without);
            if best.is_none_or(|(least, _)| sum < least - 1e-9) {
                best = Some((sum, column));
            }
        }
    }
    let Some((_, column)) = best else { return Tree::leaf() };
    let has = |row: &&usize| bits::contains(columns.column(column), **row);
    let with: Vec<usize> = rows.iter().filter(has).copied().collect();
    let without: Vec<usize> = rows.iter().filter(|row| !has(row)).copied().collect();
    let absent = naive(columns, target, &without, depth - 1);
    Tree::split(column, &absent, &naive(columns, target, &with, depth - 1))
}

#[test]
fn greedy_trees_are_those_of_a_simple_learner() {
    for (seed, rows) in (0..30).zip((50..).step_by(11)) {
        let (columns, target) = table(seed, rows, 12);
        let rows = bits::all(columns.rows());
        let fast = cart(&columns, &target, &rows, 5).counted(&columns, &target, &rows);
        let numbers: Vec<usize> = (0..columns.rows()).collect();
        let slow = naive(&columns, &target, &numbers, 5).counted(&columns, &target, &rows);
        assert_eq!(fast, slow, "seed {seed}");
    }
}
