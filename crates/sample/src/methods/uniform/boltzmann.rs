//! Boltzmann samplers: trees of about a size without tables, and with tuned frequencies of symbols.
//!
//! Every production r has the weight z^β(r) · Π u(s), over its symbols s whose frequency is tuned. With A the sum of
//! the weights of all trees of a nonterminal A, taking r with probability weight(r) · Π Xᵢ / A gives every tree a
//! probability proportional to its weight (Duchon, Flajolet, Louchard and Schaeffer, "Boltzmann samplers for the
//! random generation of combinatorial structures", CPC 2004). Without tuned frequencies trees of one size are equally
//! likely, up to the rounding of doubles; the size itself is random, and trees that are not near the requested one
//! are drawn again. Memory does not depend on the size.
//!
//! The parameters z and u are those for which the expected size and the expected numbers of symbols are as requested.
//! They minimize log A − n log z − Σ nᵢ log uᵢ, which is convex in the logarithms (Bendkowski, Bodini and Dovgal,
//! "Polynomial tuning of multiparametric combinatorial samplers", ANALCO 2018). The minimum is found by one parameter
//! after the other, each by bisection, with z for the size inside.
//!
//! Example: for `S: S S | "a";` in tokens, S = S² + z, the expected size is infinite at z = 1/4 and 10 at
//! z = 0.2475…

use gramercy_analysis::counts::Forms;
use gramercy_analysis::counts::forms::Unit;
use gramercy_base::{Id, Table};
use gramercy_derive::candidate::Candidate;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use super::space::TreeSpace;
use super::stream::Stream;

/// A symbol whose frequency is tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency {
    /// The symbol.
    pub symbol: Symbol,
    /// The share of the size that it makes up in the mean.
    pub share: f64,
}

/// Why a sampler cannot be tuned.
#[derive(Clone, Debug, PartialEq)]
pub enum TuneError {
    /// The expected size cannot be as large as requested: all trees are smaller, or so much rarer when they are
    /// larger that the mean stays below. The largest mean that was found.
    NoSize(f64),
    /// No weights give a symbol this share; what was nearest.
    NoShare(Symbol, f64),
}

/// Draws trees with probabilities proportional to their weights.
#[derive(Clone, Debug)]
pub struct Boltzmann {
    /// For every production, its probability among those of its nonterminal.
    probabilities: Table<ProductionId, f64>,
    /// The weight of a unit of size.
    pub z: f64,
    /// The weights of tuned symbols, in order.
    pub weights: Vec<f64>,
    /// The expected size.
    pub mean: f64,
    /// The expected shares of the size that tuned symbols make up.
    pub shares: Vec<f64>,
}

/// How far parameters go, as logarithms.
const FARTHEST: f64 = 40.0;
const SIZE_STEPS: u32 = 46;
const SHARE_STEPS: u32 = 26;
const SWEEPS: u32 = 20;
/// How near expected shares come to the requested ones, relative to them.
const NEAR: f64 = 1e-4;
/// How near sums of weights come to their limits.
const PRECISION: f64 = 1e-12;
/// Sums of trees with a mean size m converge in some 30 · m rounds; what takes longer has a larger mean.
const ROUNDS_PER_SIZE: f64 = 60.0;
const MORE_ROUNDS: f64 = 1000.0;

impl Boltzmann {
    /// A sampler of trees whose expected size is the requested one.
    ///
    /// # Errors
    /// If there is none.
    pub fn tune(
        space: &TreeSpace,
        size: f64,
        frequencies: &[Frequency],
    ) -> Result<Self, TuneError> {
        let mut weights = vec![0.0; frequencies.len()];
        let system = System::new(space, size, frequencies);
        let mut solved = system.for_size(size, &weights)?;
        for _ in 0..SWEEPS {
            let is_near =
                |(at, of): (usize, &Frequency)| (solved.shares[at] / of.share - 1.0).abs() < NEAR;
            if frequencies.iter().enumerate().all(is_near) {
                break;
            }
            for (at, frequency) in frequencies.iter().enumerate() {
                let (mut low, mut high) = (-FARTHEST, FARTHEST);
                for _ in 0..SHARE_STEPS {
                    weights[at] = (low + high) / 2.0;
                    match system.for_size(size, &weights) {
                        Ok(found) => {
                            let is_less = found.shares[at] < frequency.share;
                            if is_less {
                                low = weights[at];
                            } else {
                                high = weights[at];
                            }
                            solved = found;
                        }
                        // Where no size is reached the symbol has taken over, or vanished: towards the middle.
                        Err(_) if weights[at] > 0.0 => high = weights[at],
                        Err(_) => low = weights[at],
                    }
                }
            }
        }
        for (at, frequency) in frequencies.iter().enumerate() {
            if (solved.shares[at] / frequency.share - 1.0).abs() > 0.01 {
                return Err(TuneError::NoShare(frequency.symbol, solved.shares[at]));
            }
        }
        Ok(Self {
            probabilities: system.probabilities(&solved),
            z: solved.log_z.exp(),
            weights: weights.into_iter().map(f64::exp).collect(),
            mean: solved.mean,
            shares: solved.shares,
        })
    }

    /// For every production, its probability among those of its nonterminal.
    #[must_use]
    pub fn probabilities(&self) -> &Table<ProductionId, f64> {
        &self.probabilities
    }

    /// Appends a tree to an empty candidate; `None` if it becomes larger than `most`, else its size.
    pub fn draw(
        &self,
        space: &TreeSpace,
        most: usize,
        stream: &mut Stream,
        candidate: &mut Candidate,
    ) -> Option<usize> {
        let (forms, mut size) = (space.forms(), 0);
        let cfg = forms.cfg();
        let mut open = vec![Symbol::Nonterminal(space.start())];
        while let Some(symbol) = open.pop() {
            match symbol {
                Symbol::Terminal(terminal) => candidate.tokens.push(terminal),
                Symbol::Nonterminal(nonterminal) => {
                    let production = self.production(forms, nonterminal, stream);
                    let counted = forms.counted(production);
                    size += counted.expect("invariant: only counted ones are probable").own;
                    if size > most || open.len() > most.saturating_add(cfg.size()) {
                        return None;
                    }
                    candidate.productions.push(space.origin(production));
                    open.extend(cfg.rhs(production).iter().rev());
                }
            }
        }
        Some(size)
    }

    fn production(
        &self,
        forms: &Forms,
        nonterminal: NonterminalId,
        stream: &mut Stream,
    ) -> ProductionId {
        let productions = forms.cfg().productions_of(nonterminal).iter();
        let mut share = stream.share();
        let mut last = None;
        for &production in productions.filter(|&&id| self.probabilities[id] > 0.0) {
            if share < self.probabilities[production] {
                return production;
            }
            share -= self.probabilities[production];
            last = Some(production);
        }
        last.expect("invariant: a useful nonterminal has a production")
    }
}

/// The sums of weights as a system of equations.
struct System<'s> {
    forms: &'s Forms,
    start: NonterminalId,
    /// For every production, how many of each tuned symbol it has.
    tuned: Vec<Vec<f64>>,
    /// After this number of rounds sums are taken for too large.
    max_rounds: u64,
}

/// A solution for some parameters.
#[derive(Clone, Debug)]
struct Solved {
    log_z: f64,
    weights: Vec<f64>,
    /// The sums of weights by unit.
    values: Vec<f64>,
    mean: f64,
    shares: Vec<f64>,
}

impl<'s> System<'s> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of rounds, about"
    )]
    fn new(space: &'s TreeSpace, size: f64, frequencies: &[Frequency]) -> Self {
        let forms = space.forms();
        let cfg = forms.cfg();
        let tuned = cfg.productions().map(|production| {
            let count = |frequency: &Frequency| {
                let lhs = Symbol::Nonterminal(cfg.lhs(production));
                match frequency.symbol {
                    Symbol::Nonterminal(_) => f64::from(u8::from(lhs == frequency.symbol)),
                    Symbol::Terminal(_) => {
                        let same = cfg.rhs(production).iter().filter(|&&of| of == frequency.symbol);
                        same.map(|_| 1.0).sum()
                    }
                }
            };
            frequencies.iter().map(count).collect()
        });
        let max_rounds = (ROUNDS_PER_SIZE * size + MORE_ROUNDS) as u64;
        Self { forms, start: space.start(), tuned: tuned.collect(), max_rounds }
    }

    /// The solution with an expected size.
    fn for_size(&self, size: f64, weights: &[f64]) -> Result<Solved, TuneError> {
        let (mut low, mut high) = (-FARTHEST, FARTHEST);
        let (mut best, mut largest) = (None, 0.0_f64);
        for _ in 0..SIZE_STEPS {
            let middle = (low + high) / 2.0;
            match self.solve(middle, weights) {
                Some(solved) => {
                    largest = largest.max(solved.mean);
                    if solved.mean < size {
                        low = middle;
                    } else {
                        high = middle;
                    }
                    best = Some(solved);
                }
                None => high = middle,
            }
        }
        match best {
            Some(solved) if (solved.mean / size - 1.0).abs() < 0.01 => Ok(solved),
            _ => Err(TuneError::NoSize(largest)),
        }
    }

    /// The weight of a production, without its nonterminals.
    #[expect(clippy::cast_precision_loss, reason = "sizes of productions are small")]
    fn own_weight(&self, production: ProductionId, log_z: f64, weights: &[f64]) -> Option<f64> {
        let counted = self.forms.counted(production)?;
        let tuned = self.tuned[production.index()].iter().zip(weights);
        let log =
            log_z * counted.own as f64 + tuned.map(|(count, weight)| count * weight).sum::<f64>();
        Some(log.exp())
    }

    /// The sums of weights, by rounds over all units; `None` if they are infinite.
    fn solve(&self, log_z: f64, weights: &[f64]) -> Option<Solved> {
        let own = self.forms.cfg().productions();
        let own: Vec<_> = own.map(|id| self.own_weight(id, log_z, weights)).collect();
        let values = self.rounds(|values, unit| match self.forms.unit(unit) {
            Unit::Form(first, rest) => values[first.index()] * values[rest.index()],
            Unit::Nonterminal(nonterminal) => {
                let productions = self.forms.cfg().productions_of(nonterminal).iter();
                let term = |&production: &ProductionId| {
                    let form = self.forms.counted(production)?.form;
                    Some(own[production.index()]? * form.map_or(1.0, |form| values[form.index()]))
                };
                productions.filter_map(term).sum()
            }
        })?;
        let mut solved =
            Solved { log_z, weights: weights.to_vec(), values, mean: 0.0, shares: Vec::new() };
        let probabilities = self.probabilities(&solved);
        #[expect(clippy::cast_precision_loss, reason = "sizes of productions are small")]
        let own_size = |production: ProductionId| {
            self.forms.counted(production).map_or(0.0, |counted| counted.own as f64)
        };
        solved.mean = self.expectation(&probabilities, &own_size)?;
        for at in 0..weights.len() {
            let of = |production: ProductionId| self.tuned[production.index()][at];
            solved.shares.push(self.expectation(&probabilities, &of)? / solved.mean);
        }
        Some(solved)
    }

    /// The mean over trees of a sum over their productions; `None` if it is infinite.
    fn expectation(
        &self,
        probabilities: &Table<ProductionId, f64>,
        of: &dyn Fn(ProductionId) -> f64,
    ) -> Option<f64> {
        let means = self.rounds(|means, unit| match self.forms.unit(unit) {
            Unit::Form(first, rest) => means[first.index()] + means[rest.index()],
            Unit::Nonterminal(nonterminal) => {
                let productions = self.forms.cfg().productions_of(nonterminal).iter();
                let term = |&production: &ProductionId| {
                    let form = self.forms.counted(production)?.form;
                    let below = form.map_or(0.0, |form| means[form.index()]);
                    Some(probabilities[production] * (of(production) + below))
                };
                productions.filter_map(term).sum()
            }
        })?;
        Some(means[self.start.index()])
    }

    /// Values that increase to a solution, by rounds over all units.
    fn rounds(
        &self,
        next: impl Fn(&[f64], gramercy_analysis::counts::UnitId) -> f64,
    ) -> Option<Vec<f64>> {
        let mut values = vec![0.0; self.forms.len()];
        for _ in 0..self.max_rounds {
            let mut change = 0.0_f64;
            for &unit in self.forms.order() {
                let value = next(&values, unit);
                if value.is_nan() || value > 1e200 {
                    return None;
                }
                let before = std::mem::replace(&mut values[unit.index()], value);
                if value > 0.0 {
                    change = change.max((value - before) / value);
                }
            }
            if change < PRECISION {
                return Some(values);
            }
        }
        None
    }

    /// For every production, its probability among those of its nonterminal.
    fn probabilities(&self, solved: &Solved) -> Table<ProductionId, f64> {
        let Solved { log_z, weights, values, .. } = solved;
        let probability = |production: ProductionId| {
            let of = values[self.forms.cfg().lhs(production).index()];
            let form = self.forms.counted(production)?.form;
            let weight = self.own_weight(production, *log_z, weights)?;
            let weight = weight * form.map_or(1.0, |form| values[form.index()]);
            (of > 0.0).then(|| weight / of)
        };
        self.forms.cfg().productions().map(|id| probability(id).unwrap_or(0.0)).collect()
    }
}
