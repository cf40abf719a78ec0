//! The least solution of equations in which a variable is the best of several rules and a rule costs
//! what its parts cost together.
//!
//! Nullable, productive, shortest yield and height all have this form: a nonterminal is as cheap as
//! its cheapest production, a production costs something itself and something for each of its
//! symbols. Knuth's generalization of Dijkstra's algorithm ("A generalization of Dijkstra's
//! algorithm", Information Processing Letters 1977) settles variables in ascending order of cost;
//! a rule enters the queue when the last of its parts is settled. Rules of equal cost wait in one
//! bucket, and as there are far fewer costs than rules, the queue is one of buckets.
//!
//! Every rule is queued at most once and every occurrence of a variable looked at once: linear but
//! for the logarithm of the number of different costs, and for sorting each bucket.

use std::collections::BTreeMap;

use gramercy_base::{Id, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::Rows;

/// Which rules there are, and of which variables they consist.
pub trait Rules {
    /// What is to be solved for.
    type Variable: Id;
    /// One way to solve for its head.
    type Rule: Id;

    /// The number of variables.
    fn variable_count(&self) -> usize;
    /// The number of rules.
    fn rule_count(&self) -> usize;
    /// The variable that a rule solves for.
    fn head(&self, rule: Self::Rule) -> Self::Variable;
    /// The variables that a rule consists of, each as often as it occurs.
    fn parts(&self, rule: Self::Rule) -> impl Iterator<Item = Self::Variable>;
}

/// What rules cost. A rule must not cost less than any of its parts.
pub trait Measure<R> {
    /// Costs, the cheapest first.
    type Cost: Copy + Ord;

    /// What a rule costs without its parts; `None` if it may not be used.
    fn base(&self, rule: R) -> Option<Self::Cost>;
    /// The cost of a rule, one more of whose parts is known.
    fn add(&self, cost: Self::Cost, part: Self::Cost) -> Self::Cost;
}

/// For every variable that has a solution, its least cost and the rule that achieves it.
pub type Solution<V, R, C> = Table<V, Option<(C, R)>>;

/// The least solution. If every rule costs more than each of its parts, the first of the rules that
/// achieve it is named; in any case following the named rules ends.
pub fn solve<S: Rules, M: Measure<S::Rule>>(
    rules: &S,
    measure: &M,
) -> Solution<S::Variable, S::Rule, M::Cost> {
    let mut solution = Table::filled(None, rules.variable_count());
    let Waiting { mut open, occurrences } = Waiting::new(rules, measure);
    let mut queue: BTreeMap<M::Cost, Vec<S::Rule>> = BTreeMap::new();
    for (rule, state) in open.iter() {
        if let Some(Open { cost, missing: 0 }) = *state {
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
                let state = open[user].as_mut().expect("invariant: only usable rules occur");
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

/// A rule some of whose parts are not settled.
#[derive(Clone, Copy)]
struct Open<C> {
    cost: C,
    missing: u32,
}

/// The usable rules before anything is settled, and where each variable occurs in them.
struct Waiting<V: Id, R: Id, C> {
    open: Table<R, Option<Open<C>>>,
    occurrences: Rows<V, R>,
}

impl<V: Id, R: Id, C> Waiting<V, R, C> {
    fn new(
        rules: &impl Rules<Variable = V, Rule = R>,
        measure: &impl Measure<R, Cost = C>,
    ) -> Self {
        let mut occurrences = Vec::new();
        let mut open = |rule: R| {
            let cost = measure.base(rule)?;
            let before = occurrences.len();
            occurrences.extend(rules.parts(rule).map(|part| (part, rule)));
            let missing = u32::try_from(occurrences.len() - before);
            Some(Open { cost, missing: missing.expect("invariant: parts fit in 32 bits") })
        };
        let open = (0..rules.rule_count()).map(|rule| open(R::from_index(rule))).collect();
        Self { open, occurrences: Rows::group(rules.variable_count(), &occurrences) }
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
