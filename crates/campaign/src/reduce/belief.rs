//! How likely each part of the input is needed.
//!
//! Every unit (a leaf of the tree, or a byte) is needed with some probability p, independently of the others; a
//! removal succeeds if none of its units is needed. With the cost c = -ln(1 - p) of a unit, a removal of units D
//! succeeds with probability exp(-C), where C is the sum of their costs. A removal that fails shows that one of its
//! units is needed: by Bayes' rule each p becomes p / (1 - exp(-C)). At the beginning one unit of all is expected to
//! be needed.
//!
//! The idea of learning from failures is that of Wang, Shen, Chen, Xiong and Zhang, Probabilistic Delta Debugging,
//! ESEC/FSE 2021, section 3. They choose among the elements of one list; here every edit of a tree competes by its
//! expected gain, whatever its kind.
//!
//! Example: of 8 units each has p = 1/8. The removal of all of them fails, so each becomes 0.2; a removal of k units
//! now succeeds with probability 0.8^k, and k * 0.8^k is greatest for k = 4 or 5: about half of them is tried next.
//!
//! Linear in the units for every failure.

use std::ops::Range;

/// No unit costs more, so what failed is tried again at last when everything else did too.
const MOST: f64 = 6.0;

/// How much removals cost, in units.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    costs: Vec<f64>,
    /// Sums of the costs before each unit.
    sums: Vec<f64>,
}

impl Belief {
    /// Nothing is known about this number of units.
    pub(super) fn new(units: usize) -> Self {
        Self::of_costs(vec![Self::prior(units); units])
    }

    /// What a unit costs about which nothing is known.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn prior(units: usize) -> f64 {
        (1.0 / units.max(1) as f64).min(0.5)
    }

    /// Units with these costs.
    pub(super) fn of_costs(costs: Vec<f64>) -> Self {
        let mut made = Self { sums: Vec::with_capacity(costs.len() + 1), costs };
        made.sum();
        made
    }

    fn sum(&mut self) {
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        for cost in &self.costs {
            sum += cost;
            self.sums.push(sum);
        }
    }

    /// The cost of one unit.
    pub(super) fn of(&self, unit: usize) -> f64 {
        self.costs[unit]
    }

    /// The cost of removing units.
    pub(super) fn cost(&self, units: &Range<u32>) -> f64 {
        self.sums[units.end as usize] - self.sums[units.start as usize]
    }

    /// The removal of these units failed.
    pub(super) fn fail(&mut self, removed: &[Range<u32>]) {
        let total: f64 = removed.iter().map(|units| self.cost(units)).sum();
        if total <= 0.0 {
            return;
        }
        let failed = -(-total).exp_m1();
        for units in removed {
            for cost in &mut self.costs[units.start as usize..units.end as usize] {
                let needed = -(-*cost).exp_m1() / failed;
                *cost = if needed < 1.0 { (-(-needed).ln_1p()).min(MOST) } else { MOST };
            }
        }
        self.sum();
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::Belief;

    #[test]
    fn a_failure_makes_all_its_units_more_likely_needed() {
        let mut belief = Belief::new(8);
        let whole = |belief: &Belief| belief.cost(&(0..8));
        assert!((whole(&belief) - 1.0).abs() < 1e-9);
        let single = Range { start: 3, end: 4 };
        belief.fail(std::slice::from_ref(&single));
        // The only suspect is needed for sure.
        assert!(belief.cost(&single) > 5.0);
        let others = belief.cost(&(4..8));
        let pair = Range { start: 4, end: 6 };
        belief.fail(std::slice::from_ref(&pair));
        assert!(belief.cost(&(4..6)) > 2.0 * others / 4.0);
        assert!((belief.cost(&(6..8)) - others / 2.0).abs() < 1e-9);
    }
}
