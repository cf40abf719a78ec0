//! The linear program: maximize p subject to p ≤ Σ π(e) · P(f | e) for every f, and Σ π(e) = 1.

use good_lp::{Expression, ProblemVariables, Solution as _, SolverModel, microlp, variable};

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
    let mut variables = ProblemVariables::new();
    let pi: Vec<_> = given.iter().map(|_| variables.add(variable().min(0.0).max(1.0))).collect();
    let p = variables.add(variable().min(0.0).max(1.0));
    let mut model = variables.maximise(p).using(microlp);
    let total: Expression = pi.iter().copied().sum();
    model = model.with(total.eq(1.0));
    for f in 0..given.len() {
        let covers: Expression = pi.iter().zip(given).map(|(&pi, row)| row[f] * pi).sum();
        model = model.with(covers.geq(p));
    }
    let solved = model.solve().map_err(|error| error.to_string())?;
    let rounded = |variable| match solved.value(variable) {
        value if value < ROUNDING => 0.0,
        value => value,
    };
    let mut pi: Vec<f64> = pi.into_iter().map(rounded).collect();
    let total: f64 = pi.iter().sum();
    pi.iter_mut().for_each(|pi| *pi /= total);
    Ok(Solution { pi })
}
