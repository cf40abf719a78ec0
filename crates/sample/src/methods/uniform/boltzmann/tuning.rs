//! The weights for which the expected size and the expected numbers of symbols are as requested.
//!
//! With n the requested size and nᵢ the requested numbers of symbols, they minimize
//! log A − n log z − Σ nᵢ log uᵢ, which is convex in the logarithms: its derivatives are the expected numbers minus the
//! requested ones (Bendkowski, Bodini and Dovgal, "Polynomial tuning of multiparametric combinatorial samplers", ANALCO
//! 2018). For given u the best z is the one with the expected size n, found by bisection and then by false position on
//! one over the square of the mean, which is nearly linear where means are large. What is left is convex in the
//! logarithms of u alone, and is minimized by Newton's method, with second derivatives from differences; a step is
//! halved until there is a z and the function decreases.
//!
//! Cost: some thirty solutions of the [system](super::system) for each z, and one z for each symbol and step.

use super::system::{Matrix, Solved, System};
use super::{Frequency, TuneError};

/// What was found.
pub(super) struct Tuned {
    pub(super) solved: Solved,
    /// Whether the expected size is less than requested, because sums with a greater z are infinite.
    pub(super) is_singular: bool,
}

/// How far the logarithm of z goes.
const FARTHEST: f64 = 40.0;
const TRIALS: u32 = 160;
const NEWTON_STEPS: u32 = 60;
const HALVINGS: u32 = 40;
/// How near expected numbers come to the requested ones, relative to them.
const NEAR: f64 = 1e-6;
/// The same for sizes, whose differences are used.
const SAME_SIZE: f64 = 1e-9;
/// How far expected numbers may be from the requested ones.
const NEAR_ENOUGH: f64 = 1e-3;
/// The longest step of a logarithm, and a short one for differences.
const LONGEST: f64 = 2.0;
const SHORT: f64 = 1e-3;

pub(super) fn tune(
    system: &System,
    size: f64,
    frequencies: &[Frequency],
) -> Result<Tuned, TuneError> {
    let tuned = for_size(system, size, &vec![0.0; frequencies.len()])?;
    if frequencies.is_empty() {
        return Ok(tuned);
    }
    if tuned.is_singular {
        return Err(TuneError::NoSize(tuned.solved.means[0]));
    }
    let wanted: Vec<f64> = frequencies.iter().map(|of| size * of.share).collect();
    let solved = Tuning { system, size, wanted: &wanted }.minimize(tuned.solved);
    let off = |at: usize| (solved.means[1 + at] / wanted[at] - 1.0).abs();
    match (0..wanted.len()).max_by(|&a, &b| off(a).total_cmp(&off(b))) {
        Some(at) if off(at) > NEAR_ENOUGH => {
            let share = solved.means[1 + at] / solved.means[0];
            Err(TuneError::NoShare(frequencies[at].symbol, share))
        }
        _ => Ok(Tuned { solved, is_singular: false }),
    }
}

/// The solution with an expected size, for the logarithms of the weights of symbols.
fn for_size(system: &System, size: f64, symbols: &[f64]) -> Result<Tuned, TuneError> {
    // One over the square of a mean, less that of the size: nearly linear, where it is known.
    let excess = |mean: f64| (mean * mean).recip() - (size * size).recip();
    let (mut low, mut high) = ((-FARTHEST, None), (FARTHEST, None));
    let (mut best, mut is_infinite) = (None::<Solved>, false);
    for trial in 0..TRIALS {
        let log = match (low, high) {
            // Every third trial halves what is left, so that it ends in any case.
            ((left, Some(over)), (right, Some(under))) if trial % 3 > 0 => {
                left + (right - left) * over / (over - under)
            }
            ((left, _), (right, _)) => left + (right - left) / 2.0,
        };
        let logs: Vec<f64> = [log].into_iter().chain(symbols.iter().copied()).collect();
        match system.solve(&logs) {
            // Weights are so small that they vanish.
            Some(solved) if !solved.log_sum.is_finite() => low = (log, None),
            Some(solved) => {
                let mean = solved.means[0];
                let off = |mean: f64| (mean / size - 1.0).abs();
                if best.as_ref().is_none_or(|best| off(mean) < off(best.means[0])) {
                    best = Some(solved);
                }
                if off(mean) < SAME_SIZE {
                    break;
                }
                match mean < size {
                    true => low = (log, Some(excess(mean))),
                    false => high = (log, Some(excess(mean))),
                }
            }
            None => {
                is_infinite = true;
                high = (log, None);
            }
        }
    }
    match best {
        Some(solved) if (solved.means[0] / size - 1.0).abs() < NEAR_ENOUGH => {
            Ok(Tuned { solved, is_singular: false })
        }
        Some(solved) if is_infinite && solved.means[0] < size => {
            Ok(Tuned { solved, is_singular: true })
        }
        best => Err(TuneError::NoSize(best.map_or(0.0, |solved| solved.means[0]))),
    }
}

/// The minimization over the weights of symbols.
struct Tuning<'t> {
    system: &'t System,
    size: f64,
    /// The expected numbers of symbols.
    wanted: &'t [f64],
}

impl Tuning<'_> {
    /// The solution for the logarithms of the weights of symbols, if one has the expected size.
    fn solve(&self, symbols: &[f64]) -> Option<Solved> {
        let tuned = for_size(self.system, self.size, symbols).ok()?;
        (!tuned.is_singular).then_some(tuned.solved)
    }

    /// The function that is minimized.
    fn value(&self, solved: &Solved) -> f64 {
        let wanted = [&self.size].into_iter().chain(self.wanted);
        solved.log_sum - solved.logs.iter().zip(wanted).map(|(log, of)| log * of).sum::<f64>()
    }

    /// What the expected numbers of symbols exceed the requested ones by.
    fn slopes(&self, solved: &Solved) -> Vec<f64> {
        solved.means[1..].iter().zip(self.wanted).map(|(mean, wanted)| mean - wanted).collect()
    }

    fn minimize(&self, begin: Solved) -> Solved {
        let mut solved = begin;
        for _ in 0..NEWTON_STEPS {
            let slopes = self.slopes(&solved);
            if slopes.iter().zip(self.wanted).all(|(slope, of)| slope.abs() < NEAR * of) {
                break;
            }
            let Some(step) = self.newton_step(&solved, &slopes) else { break };
            let Some(next) = self.walk(&solved, &step, &slopes) else { break };
            solved = next;
        }
        solved
    }

    /// The longest part of a step, by halving, that makes the function smaller.
    fn walk(&self, from: &Solved, step: &[f64], slopes: &[f64]) -> Option<Solved> {
        let slope: f64 = step.iter().zip(slopes).map(|(step, slope)| step * slope).sum();
        let (before, mut length) = (self.value(from), 1.0);
        (0..HALVINGS).find_map(|_| {
            let moved = from.logs[1..].iter().zip(step).map(|(log, step)| log + length * step);
            let moved: Vec<f64> = moved.collect();
            let most = before + 1e-4 * length * slope + 1e-12 * before.abs();
            length /= 2.0;
            self.solve(&moved).filter(|next| self.value(next) <= most)
        })
    }

    /// A step of Newton's method downwards; `None` if second derivatives cannot be had.
    fn newton_step(&self, solved: &Solved, slopes: &[f64]) -> Option<Vec<f64>> {
        let count = slopes.len();
        let mut hessian = Matrix::identity(count, 1);
        for column in 0..count {
            let mut symbols = solved.logs[1..].to_vec();
            symbols[column] -= SHORT;
            let below = self.slopes(&self.solve(&symbols)?);
            for row in 0..count {
                *hessian.at(row, column) = (slopes[row] - below[row]) / SHORT;
            }
            *hessian.at(column, column) += 1e-9;
            *hessian.right(column, 0) = -slopes[column];
        }
        hessian.solve()?;
        let mut step: Vec<f64> = (0..count).map(|row| *hessian.right(row, 0)).collect();
        let is_down = step.iter().zip(slopes).map(|(step, slope)| step * slope).sum::<f64>() < 0.0;
        if !is_down {
            // Differences are too rough here: straight down.
            step = slopes.iter().zip(self.wanted).map(|(slope, of)| -slope / of).collect();
        }
        let longest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        let factor = (LONGEST / longest).min(1.0);
        longest.is_finite().then(|| step.iter().map(|step| step * factor).collect())
    }
}
