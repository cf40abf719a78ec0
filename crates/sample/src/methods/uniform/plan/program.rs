//! The linear program: maximize p subject to p ≤ Σ π(e) · P(f | e) for every f, and Σ π(e) = 1.

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::probabilities::Probabilities;

/// The probabilities with which elements are picked.
#[derive(Clone, Debug)]
pub struct Solution {
    /// For each class of elements.
    pub pi: Vec<f64>,
}

impl Solution {
    /// The probability that a tree covers a class.
    #[must_use]
    pub fn covers(&self, known: &Probabilities, f: usize) -> f64 {
        let covers = self.pi.iter().enumerate().map(|(e, pi)| pi * known.given[e][f]);
        covers.sum::<f64>().min(1.0)
    }
}

/// Below this a probability is the solver's rounding.
const ROUNDING: f64 = 1e-9;

/// Solves the program for the probabilities P(f | e), by e.
///
/// # Errors
/// If the solver finds no solution.
pub fn solve(given: &[Vec<f64>]) -> Result<Solution, String> {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let pi: Vec<_> = given.iter().map(|_| program.add_var(0.0, (0.0, 1.0))).collect();
    let p = program.add_var(1.0, (0.0, 1.0));
    let total: Vec<_> = pi.iter().map(|&pi| (pi, 1.0)).collect();
    program.add_constraint(total, ComparisonOp::Eq, 1.0);
    for f in 0..given.len() {
        let covers = pi.iter().zip(given).map(|(&pi, row)| (pi, row[f]));
        let covers: Vec<_> = covers.filter(|&(_, share)| share > 0.0).chain([(p, -1.0)]).collect();
        program.add_constraint(covers, ComparisonOp::Ge, 0.0);
    }
    let solved = program.solve().map_err(|error| error.to_string())?;
    let solved = solved.into_solution().map_err(|_| "the solver was interrupted".to_owned())?;
    let rounded = |variable| match solved.var_value(variable) {
        value if value < ROUNDING => 0.0,
        value => value,
    };
    let mut pi: Vec<f64> = pi.into_iter().map(rounded).collect();
    let total: f64 = pi.iter().sum();
    pi.iter_mut().for_each(|pi| *pi /= total);
    Ok(Solution { pi })
}
