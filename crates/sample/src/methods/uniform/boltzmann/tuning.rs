//! The weights for which the expected size and the expected numbers of symbols are as requested.
//!
//! With n the requested size and nᵢ the requested numbers of symbols, they minimize
//! log A − n log z − Σ nᵢ log uᵢ, which is convex in the logarithms: its derivatives are the expected numbers minus the
//! requested ones (Bendkowski, Bodini and Dovgal, "Polynomial tuning of multiparametric combinatorial samplers", ANALCO
//! 2018). Without symbols z is found by bisection. With symbols the minimum is found from there by Newton's method, with
//! second derivatives from differences; a step is halved until sums are finite and the function decreases.
//!
//! Cost: some hundred solutions of the [system](super::system).

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
const BISECTIONS: u32 = 120;
const NEWTON_STEPS: u32 = 100;
const HALVINGS: u32 = 60;
/// How near expected numbers come to the requested ones, relative to them.
const NEAR: f64 = 1e-6;
/// How far expected numbers may be from the requested ones.
const NEAR_ENOUGH: f64 = 1e-3;
/// The longest step of a logarithm.
const LONGEST: f64 = 2.0;

pub(super) fn tune(
    system: &System,
    size: f64,
    frequencies: &[Frequency],
) -> Result<Tuned, TuneError> {
    let tuned = for_size(system, size, frequencies.len())?;
    if frequencies.is_empty() {
        return Ok(tuned);
    }
    let wanted: Vec<f64> =
        [size].into_iter().chain(frequencies.iter().map(|of| size * of.share)).collect();
    let solved = minimize(system, tuned.solved, &wanted);
    let off = |at: usize| (solved.means[at] / wanted[at] - 1.0).abs();
    let worst = (1..wanted.len()).max_by(|&a, &b| off(a).total_cmp(&off(b)));
    match worst {
        Some(at) if off(at) > NEAR_ENOUGH => {
            let share = solved.means[at] / solved.means[0];
            Err(TuneError::NoShare(frequencies[at - 1].symbol, share))
        }
        _ if off(0) > NEAR_ENOUGH => Err(TuneError::NoSize(solved.means[0])),
        _ => Ok(Tuned { solved, is_singular: false }),
    }
}

/// The solution with an expected size, where symbols have no weights of their own.
fn for_size(system: &System, size: f64, symbols: usize) -> Result<Tuned, TuneError> {
    let (mut low, mut high) = (-FARTHEST, FARTHEST);
    let (mut best, mut is_infinite) = (None::<Solved>, false);
    for _ in 0..BISECTIONS {
        let middle = low + (high - low) / 2.0;
        let mut logs = vec![0.0; 1 + symbols];
        logs[0] = middle;
        match system.solve(&logs) {
            // Weights are so small that they vanish.
            Some(solved) if !solved.log_sum.is_finite() => low = middle,
            Some(solved) => {
                let is_nearer =
                    |best: &Solved| (solved.means[0] - size).abs() < (best.means[0] - size).abs();
                let is_less = solved.means[0] < size;
                if best.as_ref().is_none_or(is_nearer) {
                    best = Some(solved);
                }
                match is_less {
                    true => low = middle,
                    false => high = middle,
                }
            }
            None => {
                is_infinite = true;
                high = middle;
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

/// The function that is minimized.
fn value(solved: &Solved, wanted: &[f64]) -> f64 {
    solved.log_sum - solved.logs.iter().zip(wanted).map(|(log, wanted)| log * wanted).sum::<f64>()
}

fn minimize(system: &System, begin: Solved, wanted: &[f64]) -> Solved {
    let mut solved = begin;
    for _ in 0..NEWTON_STEPS {
        let is_near = |(mean, wanted): (&f64, &f64)| (mean / wanted - 1.0).abs() < NEAR;
        if solved.means.iter().zip(wanted).all(is_near) {
            break;
        }
        let Some(step) = newton_step(system, &solved, wanted) else { break };
        let slope: f64 =
            step.iter().zip(&solved.means).zip(wanted).map(|((s, m), w)| s * (m - w)).sum();
        let before = value(&solved, wanted);
        let mut length = 1.0;
        let next = (0..HALVINGS).find_map(|_| {
            let moved = solved.logs.iter().zip(&step).map(|(log, step)| log + length * step);
            let found = system.solve(&moved.collect::<Vec<_>>());
            let is_less = |next: &Solved| {
                next.log_sum.is_finite() && value(next, wanted) <= before + 1e-4 * length * slope
            };
            let found = found.filter(is_less);
            length /= 2.0;
            found
        });
        let Some(next) = next else { break };
        solved = next;
    }
    solved
}

/// A step of Newton's method downwards; `None` if second derivatives cannot be had.
fn newton_step(system: &System, solved: &Solved, wanted: &[f64]) -> Option<Vec<f64>> {
    let count = wanted.len();
    // Means change by the square of the size with the logarithm of z: so little that they change by a thousandth.
    let little = 1e-3 / (1.0 + solved.means[0] * solved.means[0]);
    let mut hessian = Matrix::identity(count, 1);
    for column in 0..count {
        let mut logs = solved.logs.clone();
        // Smaller weights have finite sums too.
        logs[column] -= little;
        let below = system.solve(&logs)?;
        for row in 0..count {
            *hessian.at(row, column) = (solved.means[row] - below.means[row]) / little;
        }
        *hessian.at(column, column) *= 1.0 + 1e-9;
        *hessian.right(column, 0) = wanted[column] - solved.means[column];
    }
    hessian.solve()?;
    let step: Vec<f64> = (0..count).map(|row| *hessian.right(row, 0)).collect();
    let longest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
    let slope: f64 =
        step.iter().zip(&solved.means).zip(wanted).map(|((s, m), w)| s * (m - w)).sum();
    if !longest.is_finite() || slope >= 0.0 {
        return None;
    }
    let factor = (LONGEST / longest).min(1.0);
    Some(step.into_iter().map(|step| step * factor).collect())
}
