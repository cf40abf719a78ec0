//! Boltzmann samplers: trees of about a size without tables, and with tuned frequencies of symbols.
//!
//! Every production r has the weight z^β(r) · Π u(s), over its symbols s whose frequency is tuned. With A the sum of
//! the weights of all trees of a nonterminal A, taking r with probability weight(r) · Π Xᵢ / A gives every tree a
//! probability proportional to its weight (Duchon, Flajolet, Louchard and Schaeffer, "Boltzmann samplers for the
//! random generation of combinatorial structures", CPC 2004). Without tuned frequencies trees of one size are equally
//! likely, up to the rounding of doubles; the size itself is random, and trees that are not near the requested one
//! are drawn again. Memory does not depend on the size.
//!
//! [`system`] computes the sums of weights and what they imply; [`tuning`] finds the parameters z and u for which the
//! expected size and the expected numbers of symbols are as requested.
//!
//! Example: for `S: S S | "a";` in tokens, S = S² + z, the expected size is infinite at z = 1/4 and 10 at
//! z = 0.2475…

mod system;
mod tuning;

use gramercy_analysis::counts::Forms;
use gramercy_base::Table;
use gramercy_derive::candidate::Candidate;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};

use super::space::TreeSpace;
use super::stream::Stream;
use tuning::Tuned;

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
    /// The expected size cannot be as large as requested: all trees are smaller. The largest mean that was found.
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
    /// Whether the expected size is less than requested, because sums with a greater z are infinite.
    pub is_singular: bool,
}

impl Boltzmann {
    /// A sampler of trees whose expected size is the requested one. Where no sampler has such a mean because large
    /// trees are too rare, and no frequencies are tuned, it is the one with the largest mean.
    ///
    /// # Errors
    /// If there is none.
    pub fn tune(
        space: &TreeSpace,
        size: f64,
        frequencies: &[Frequency],
    ) -> Result<Self, TuneError> {
        let system = system::System::new(space, frequencies);
        let Tuned { solved, is_singular } = tuning::tune(&system, size, frequencies)?;
        let exp = |log: &f64| log.exp();
        Ok(Self {
            z: solved.logs[0].exp(),
            weights: solved.logs[1..].iter().map(exp).collect(),
            mean: solved.means[0],
            shares: solved.means[1..].iter().map(|mean| mean / solved.means[0]).collect(),
            probabilities: solved.probabilities.into_iter().collect(),
            is_singular,
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
