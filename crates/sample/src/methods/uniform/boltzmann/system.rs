//! The sums of weights of all trees, by nonterminal, and what is expected of a tree.
//!
//! The sums X are the least solution of X = Σ over productions of weight · Π Xᵢ. Components of nonterminals that derive
//! each other are solved one after the other, those that others use first, each by Newton's method from 0, which
//! increases to the least solution (Etessami and Yannakakis, "Recursive Markov chains, stochastic grammars, and
//! monotone systems of nonlinear equations", JACM 2009; Esparza, Kiefer and Luttenberger, "Computing the least fixed
//! point of positive polynomial systems", SIAM J. Comput. 2010). Where there is none a step is negative, or does not
//! end. Unlike rounds of plain iteration, steps stay few where a small change of z makes the sums infinite, which is
//! where large trees are.
//!
//! With the probabilities of productions, the expected size m of a nonterminal is Σ p(r) · (β(r) + Σ m(Xᵢ)): a system
//! of linear equations with the same components. So are expected numbers of symbols.
//!
//! Example: for `S: S S | "a";` in tokens and z = 0.24, Newton's steps from 0 are 0.24, 0.3508, 0.3919, 0.3997, 0.4, and
//! the expected size is 0.6 + 0.4 · 2m, so m = 3. Cost: the cube of the largest component for each of some ten steps.

use gramercy_analysis::{Components, Rows};
use gramercy_base::Id;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use super::super::space::TreeSpace;
use super::Frequency;

/// The equations of a grammar.
pub(super) struct System {
    productions: Vec<Option<Equation>>,
    /// The productions of each nonterminal.
    of: Vec<Vec<usize>>,
    /// Nonterminals that derive each other, in order; after those that they use.
    components: Vec<Vec<usize>>,
    start: usize,
}

/// A counted production.
struct Equation {
    lhs: usize,
    /// What it adds to the size, then to the number of each tuned symbol.
    own: Vec<f64>,
    /// Its nonterminals.
    inner: Vec<usize>,
}

/// A solution for some parameters.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// The logarithms of the weights of a unit of size and of each tuned symbol.
    pub(super) logs: Vec<f64>,
    /// The logarithm of the sum of the weights of all trees.
    pub(super) log_sum: f64,
    /// For every production, its probability among those of its nonterminal.
    pub(super) probabilities: Vec<f64>,
    /// The expected size, and the expected number of each tuned symbol.
    pub(super) means: Vec<f64>,
}

/// Newton's steps double the digits, unless the solution is about to vanish: then each gives one bit.
const MAX_STEPS: u32 = 200;
/// Steps end when they change a sum by less than this, relative to it.
const PRECISION: f64 = 1e-14;
/// Rounding is larger where sums are about to become infinite, but not beyond this.
const ROUNDING: f64 = 1e-7;
const LARGEST: f64 = 1e250;

impl System {
    #[expect(clippy::cast_precision_loss, reason = "sizes of productions are small")]
    pub(super) fn new(space: &TreeSpace, frequencies: &[Frequency]) -> Self {
        let forms = space.forms();
        let cfg = forms.cfg();
        let equation = |production: ProductionId| {
            let counted = forms.counted(production)?;
            let (lhs, rhs) = (cfg.lhs(production), cfg.rhs(production));
            let number = |frequency: &Frequency| match frequency.symbol {
                Symbol::Nonterminal(symbol) => f64::from(u8::from(lhs == symbol)),
                Symbol::Terminal(_) => {
                    rhs.iter().filter(|&&of| of == frequency.symbol).map(|_| 1.0).sum()
                }
            };
            let own = [counted.own as f64].into_iter().chain(frequencies.iter().map(number));
            let inner = rhs.iter().filter_map(|symbol| match *symbol {
                Symbol::Nonterminal(nonterminal) => Some(nonterminal.index()),
                Symbol::Terminal(_) => None,
            });
            Some(Equation { lhs: lhs.index(), own: own.collect(), inner: inner.collect() })
        };
        let productions: Vec<_> = cfg.productions().map(equation).collect();
        let mut of = vec![Vec::new(); cfg.nonterminal_count()];
        for (at, equation) in productions.iter().enumerate() {
            of[cfg.lhs(ProductionId::from_index(at)).index()].extend(equation.as_ref().map(|_| at));
        }
        let mut used: Rows<NonterminalId, NonterminalId> = Rows::new();
        for own in &of {
            let inner = own.iter().filter_map(|&at| productions[at].as_ref());
            used.push(inner.flat_map(|of| &of.inner).map(|&at| NonterminalId::from_index(at)));
        }
        let components = Components::of(&used);
        let members = |id| {
            let mut members: Vec<usize> =
                components.members(id).iter().map(|member| member.index()).collect();
            members.sort_unstable();
            members
        };
        let components = components.ids().map(members).collect();
        Self { productions, of, components, start: cfg.start().index() }
    }

    /// The solution for the logarithms of weights; `None` if sums are infinite.
    pub(super) fn solve(&self, logs: &[f64]) -> Option<Solved> {
        let weight = |equation: &Equation| {
            equation.own.iter().zip(logs).map(|(own, log)| own * log).sum::<f64>().exp()
        };
        let weights: Vec<f64> =
            self.productions.iter().map(|of| of.as_ref().map_or(0.0, weight)).collect();
        let mut sums = vec![0.0; self.of.len()];
        for component in &self.components {
            self.sum_up(component, &weights, &mut sums)?;
        }
        let term = |(at, of): (usize, &Option<Equation>)| {
            let of = of.as_ref().filter(|of| sums[of.lhs] > 0.0)?;
            Some(weights[at] * of.inner.iter().map(|&at| sums[at]).product::<f64>() / sums[of.lhs])
        };
        let probabilities: Vec<f64> =
            self.productions.iter().enumerate().map(|of| term(of).unwrap_or(0.0)).collect();
        let mut means = vec![vec![0.0; logs.len()]; self.of.len()];
        for component in &self.components {
            self.expect(component, &probabilities, &mut means)?;
        }
        Some(Solved {
            logs: logs.to_vec(),
            log_sum: sums[self.start].ln(),
            probabilities,
            means: std::mem::take(&mut means[self.start]),
        })
    }

    fn equations(&self, nonterminal: usize) -> impl Iterator<Item = (usize, &Equation)> {
        let own = self.of[nonterminal].iter();
        own.filter_map(|&at| self.productions[at].as_ref().map(|equation| (at, equation)))
    }

    /// The sums of a component, by Newton's method.
    fn sum_up(&self, component: &[usize], weights: &[f64], sums: &mut [f64]) -> Option<()> {
        let local = |nonterminal: usize| component.binary_search(&nonterminal).ok();
        let mut before = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let mut matrix = Matrix::identity(component.len(), 1);
            for (row, &nonterminal) in component.iter().enumerate() {
                let mut value = 0.0;
                for (at, equation) in self.equations(nonterminal) {
                    let inner = &equation.inner;
                    value += weights[at] * inner.iter().map(|&at| sums[at]).product::<f64>();
                    for (position, column) in
                        inner.iter().enumerate().filter_map(|(i, &at)| Some((i, local(at)?)))
                    {
                        let others = inner.iter().enumerate().filter(|(i, _)| *i != position);
                        let others = others.map(|(_, &at)| sums[at]).product::<f64>();
                        *matrix.at(row, column) -= weights[at] * others;
                    }
                }
                *matrix.right(row, 0) = value - sums[nonterminal];
            }
            matrix.solve()?;
            let mut change = 0.0_f64;
            for (row, &nonterminal) in component.iter().enumerate() {
                let (step, sum) = (*matrix.right(row, 0), &mut sums[nonterminal]);
                if !step.is_finite() || step < -ROUNDING * *sum || *sum > LARGEST {
                    return None;
                }
                *sum = (*sum + step).max(0.0);
                if *sum > 0.0 {
                    change = change.max(step.abs() / *sum);
                }
            }
            // Steps that no longer become smaller are rounding, if they are small.
            if change < PRECISION || (change < ROUNDING && change > before / 2.0) {
                return Some(());
            }
            before = change;
        }
        None
    }

    /// What is expected of the nonterminals of a component.
    fn expect(
        &self,
        component: &[usize],
        probabilities: &[f64],
        means: &mut [Vec<f64>],
    ) -> Option<()> {
        let count = means[component[0]].len();
        let mut matrix = Matrix::identity(component.len(), count);
        for (row, &nonterminal) in component.iter().enumerate() {
            for (at, equation) in self.equations(nonterminal) {
                let probability = probabilities[at];
                for (right, own) in equation.own.iter().enumerate() {
                    *matrix.right(row, right) += probability * own;
                }
                for &inner in &equation.inner {
                    match component.binary_search(&inner) {
                        Ok(column) => *matrix.at(row, column) -= probability,
                        Err(_) => {
                            for (right, mean) in means[inner].iter().enumerate() {
                                *matrix.right(row, right) += probability * mean;
                            }
                        }
                    }
                }
            }
        }
        matrix.solve()?;
        for (row, &nonterminal) in component.iter().enumerate() {
            for right in 0..count {
                let mean = *matrix.right(row, right);
                if !mean.is_finite() || mean < 0.0 {
                    return None;
                }
                means[nonterminal][right] = mean;
            }
        }
        Some(())
    }
}

/// Linear equations with some right-hand sides.
pub(super) struct Matrix {
    rows: usize,
    width: usize,
    numbers: Vec<f64>,
}

impl Matrix {
    /// The identity, with right-hand sides of 0.
    pub(super) fn identity(rows: usize, rights: usize) -> Self {
        let width = rows + rights;
        let mut matrix = Self { rows, width, numbers: vec![0.0; rows * width] };
        (0..rows).for_each(|at| *matrix.at(at, at) = 1.0);
        matrix
    }

    pub(super) fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.numbers[row * self.width + column]
    }

    pub(super) fn right(&mut self, row: usize, right: usize) -> &mut f64 {
        &mut self.numbers[row * self.width + self.rows + right]
    }

    /// Replaces right-hand sides by solutions, by elimination with the largest pivots; `None` if there are none.
    pub(super) fn solve(&mut self) -> Option<()> {
        let (rows, width) = (self.rows, self.width);
        for column in 0..rows {
            let size = |row: &usize| self.numbers[row * width + column].abs();
            let pivot = (column..rows).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let value = self.numbers[pivot * width + column];
            if value == 0.0 || !value.is_finite() {
                return None;
            }
            for at in 0..width {
                self.numbers.swap(column * width + at, pivot * width + at);
            }
            let (above, below) = self.numbers.split_at_mut((column + 1) * width);
            let pivot_row = &above[column * width..];
            for row in below.chunks_exact_mut(width) {
                let factor = row[column] / value;
                if factor != 0.0 {
                    row[column..].iter_mut().zip(&pivot_row[column..]).for_each(|(to, from)| {
                        *to -= factor * from;
                    });
                }
            }
        }
        for column in (0..rows).rev() {
            let value = *self.at(column, column);
            for right in 0..width - rows {
                *self.right(column, right) /= value;
                let solution = *self.right(column, right);
                for row in 0..column {
                    let factor = *self.at(row, column);
                    *self.right(row, right) -= factor * solution;
                }
            }
        }
        Some(())
    }
}
