//! The least solution of equations in which a variable has the cost of its cheapest rule, and a
//! rule costs the combination of its parts.
//!
//! Nullable, productive, shortest yield and height all have this structure: a nonterminal is as
//! cheap as its cheapest production; a production has a cost of its own and the costs of its
//! symbols. Knuth's generalization of Dijkstra's algorithm (Knuth, IPL 1977) settles variables in
//! ascending order of cost; a rule enters the queue when the last of its parts is settled. The
//! queue has one bucket per cost, because there are far fewer costs than rules.
//!
//! Example: shortest yields of `S: a S b | A; A: a A | a;`. The only rule without parts is A: a
//! with cost 1, so A is settled with 1. Now S: A enters with cost 1 and A: a A with cost 2. S is
//! settled with 1. The rules S: a S b, with cost 3, and A: a A come too late to change anything.
//!
//! Every rule is queued at most once and every occurrence of a variable is visited once: linear,
//! except for the logarithm of the number of different costs and for sorting each bucket.

use std::collections::BTreeMap;

use gramercy_base::{Id, Table, to_u32};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::Rows;

/// The rules and their variables.
pub trait Rules {
    /// An unknown of the equations.
    type Variable: Id;
    /// One way to derive its head.
    type Rule: Id;

    /// The number of variables.
    fn variable_count(&self) -> usize;
    /// The number of rules.
    fn rule_count(&self) -> usize;
    /// The variable that a rule derives.
    fn head(&self, rule: Self::Rule) -> Self::Variable;
    /// The variables on the right-hand side of a rule, with repetitions.
    fn parts(&self, rule: Self::Rule) -> impl Iterator<Item = Self::Variable>;
}

/// The costs of rules. A rule must cost at least as much as each of its parts.
pub trait Measure<R> {
    /// Costs in ascending order.
    type Cost: Copy + Ord;

    /// The cost of a rule without its parts; `None` if the rule must not be used.
    fn base(&self, rule: R) -> Option<Self::Cost>;
    /// Adds the cost of one part to the cost of a rule.
    fn add(&self, cost: Self::Cost, part: Self::Cost) -> Self::Cost;
}

/// For every variable that has a solution, its least cost and a rule that achieves it.
pub type Solution<V, R, C> = Table<V, Option<(C, R)>>;

/// The least solution. If every rule costs more than each of its parts, the named rule is the first
/// one that achieves the cost; in any case, following the named rules terminates.
pub fn solve<S: Rules, M: Measure<S::Rule>>(
    rules: &S,
    measure: &M,
) -> Solution<S::Variable, S::Rule, M::Cost> {
    let mut solution = Table::filled(None, rules.variable_count());
    let PendingRules { mut pending, occurrences } = PendingRules::new(rules, measure);
    let mut queue: BTreeMap<M::Cost, Vec<S::Rule>> = BTreeMap::new();
    for (rule, state) in pending.iter() {
        if let Some(PendingRule { cost, missing: 0 }) = *state {
            queue.entry(cost).or_default().push(rule);
        }
    }
    while let Some((cost, mut ready)) = queue.pop_first() {
        ready.sort_unstable();
        for rule in ready {
            let head = rules.head(rule);
            if solution[head].is_some() {
                continue;
            }
            solution[head] = Some((cost, rule));
            for &user in occurrences.row(head) {
                let state = pending[user].as_mut().expect("invariant: only usable rules occur");
                state.cost = measure.add(state.cost, cost);
                state.missing -= 1;
                if state.missing == 0 {
                    queue.entry(state.cost).or_default().push(user);
                }
            }
        }
    }
    solution
}

/// A rule with parts that are not settled.
#[derive(Clone, Copy)]
struct PendingRule<C> {
    cost: C,
    missing: u32,
}

/// The usable rules before anything is settled, and the occurrences of each variable in them.
struct PendingRules<V: Id, R: Id, C> {
    pending: Table<R, Option<PendingRule<C>>>,
    occurrences: Rows<V, R>,
}

impl<V: Id, R: Id, C> PendingRules<V, R, C> {
    fn new(
        rules: &impl Rules<Variable = V, Rule = R>,
        measure: &impl Measure<R, Cost = C>,
    ) -> Self {
        let mut occurrences = Vec::new();
        let mut pending = |rule: R| {
            let cost = measure.base(rule)?;
            let before = occurrences.len();
            occurrences.extend(rules.parts(rule).map(|part| (part, rule)));
            let missing = to_u32(occurrences.len() - before);
            Some(PendingRule { cost, missing })
        };
        let pending = (0..rules.rule_count()).map(|rule| pending(R::from_index(rule))).collect();
        Self { pending, occurrences: Rows::group(rules.variable_count(), &occurrences) }
    }
}

impl Rules for Cfg {
    type Variable = NonterminalId;
    type Rule = ProductionId;

    fn variable_count(&self) -> usize {
        self.nonterminals().len()
    }

    fn rule_count(&self) -> usize {
        self.production_count()
    }

    fn head(&self, rule: ProductionId) -> NonterminalId {
        self.lhs(rule)
    }

    fn parts(&self, rule: ProductionId) -> impl Iterator<Item = NonterminalId> {
        self.rhs(rule).iter().filter_map(|&symbol| match symbol {
            Symbol::Nonterminal(nonterminal) => Some(nonterminal),
            Symbol::Terminal(_) => None,
        })
    }
}
