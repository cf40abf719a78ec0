//! A grammar combined with a constraint on paths: exactly the trees that fulfil it.
//!
//! A *state* is a nonterminal with a state of the path automaton, which knows the way down to it. Productions with a
//! node at which a forbidden path ends are left out. The *cost* of a state for a set of demanded paths is the size of
//! its smallest tree in which all of them end somewhere: the smallest sum over a production's children, over all ways
//! to share the set out among them. Costs are computed from below until nothing changes; a cost that stays infinite
//! means that no tree fulfils the constraint.
//!
//! With p demanded paths a production costs 3ᵖ steps per child. Trees of depth 5 demand at most 5 paths, and states
//! are few, because a nonterminal is reached in few states of the automaton.
//!
//! Example: `S: "(" S ")" | "a";` with the path `S S` demanded (one pair of parentheses within another). The states are
//! S with an empty way, S after `S`, and S after `S S`. The cost of the first for the demanded path is that of `((a))`.

use gramercy_base::{Draw, IndexSet, LimitReached, to_u32};
use gramercy_coverage::path_walk::symbolic_node;
use gramercy_derive::Candidate;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use super::automaton::PathAutomaton;
use super::constraint::Constraint;

/// The most entries of the table of costs.
const ENTRIES: usize = 1 << 22;
/// No tree.
const INFINITE: u32 = u32::MAX;

/// A production in a state.
#[derive(Clone, Debug)]
struct Choice {
    production: ProductionId,
    /// The tokens of the production, and one for itself.
    own: u32,
    /// The demanded paths that end at one of its positions.
    met: u32,
    children: Vec<u32>,
}

/// All trees of a grammar that fulfil a constraint.
#[derive(Debug)]
pub struct Product<'l> {
    language: &'l Language,
    /// All demanded paths, a bit each.
    demanded: u32,
    choices: Vec<Vec<Choice>>,
    /// For each state and each set of demanded paths the size of its smallest tree.
    costs: Vec<u32>,
}

impl<'l> Product<'l> {
    /// Combines a grammar with a constraint.
    ///
    /// # Errors
    /// If the combination is too large.
    pub fn new(language: &'l Language, constraint: &Constraint) -> Result<Self, LimitReached> {
        let automaton = PathAutomaton::new(constraint);
        let sets = 1 << constraint.present.len();
        let mut states = IndexSet::default();
        states.insert((language.bnf().start(), 0));
        let mut choices = Vec::new();
        while choices.len() < states.len() {
            if states.len() * sets > ENTRIES {
                let what = "states of the grammar combined with a condition";
                return Err(LimitReached { what, limit: ENTRIES, option: None });
            }
            let (nonterminal, way) = states[choices.len()];
            choices.push(choices_of(language, &automaton, nonterminal, way, &mut states));
        }
        let costs = vec![INFINITE; choices.len() * sets];
        let mut product = Self { language, demanded: to_u32(sets - 1), choices, costs };
        product.compute_costs();
        Ok(product)
    }

    fn sets(&self) -> usize {
        self.demanded as usize + 1
    }

    fn cost(&self, state: u32, set: u32) -> u32 {
        self.costs[state as usize * self.sets() + set as usize]
    }

    /// Whether some tree fulfils the constraint.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.cost(0, self.demanded) != INFINITE
    }

    /// The size of the smallest tree: its tokens and productions.
    #[must_use]
    pub fn smallest(&self) -> Option<u32> {
        Some(self.cost(0, self.demanded)).filter(|&cost| cost != INFINITE)
    }

    fn compute_costs(&mut self) {
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.choices.len()];
        for (state, choices) in self.choices.iter().enumerate() {
            for &child in choices.iter().flat_map(|choice| &choice.children) {
                if users[child as usize].last() != Some(&to_u32(state)) {
                    users[child as usize].push(to_u32(state));
                }
            }
        }
        let mut is_waiting = vec![true; self.choices.len()];
        // Later states tend to be deeper, so their costs are known first.
        let mut queue: std::collections::VecDeque<u32> =
            (0..to_u32(self.choices.len())).rev().collect();
        while let Some(state) = queue.pop_front() {
            is_waiting[state as usize] = false;
            if self.improve(state) {
                for &user in &users[state as usize] {
                    if !std::mem::replace(&mut is_waiting[user as usize], true) {
                        queue.push_back(user);
                    }
                }
            }
        }
    }

    /// Computes the costs of a state from those of its children; whether one became less.
    fn improve(&mut self, state: u32) -> bool {
        let mut costs: Vec<u32> = (0..=self.demanded).map(|set| self.cost(state, set)).collect();
        let mut is_better = false;
        for choice in &self.choices[state as usize] {
            let of_children = &self.suffix_costs(choice)[0];
            for set in 0..=self.demanded {
                let cost = of_children[(set & !choice.met) as usize].saturating_add(choice.own);
                if cost < costs[set as usize] {
                    costs[set as usize] = cost;
                    is_better = true;
                }
            }
        }
        let start = state as usize * self.sets();
        let end = start + self.sets();
        self.costs[start..end].copy_from_slice(&costs);
        is_better
    }

    /// For each child, and past the last one, the least cost of it and all later children for each set of demanded
    /// paths.
    fn suffix_costs(&self, choice: &Choice) -> Vec<Vec<u32>> {
        let mut costs = vec![vec![INFINITE; self.sets()]; choice.children.len() + 1];
        costs[choice.children.len()][0] = 0;
        for (at, &child) in choice.children.iter().enumerate().rev() {
            for set in 0..=self.demanded {
                let best = subsets(set).map(|own| {
                    self.cost(child, own).saturating_add(costs[at + 1][(set & !own) as usize])
                });
                costs[at][set as usize] = best.min().unwrap_or(INFINITE);
            }
        }
        costs
    }

    /// Draws a tree that is at most `room` larger than the smallest one, into an empty candidate.
    ///
    /// # Panics
    /// If no tree fulfils the constraint.
    pub fn draw(&self, room: u32, draw: &mut Draw, candidate: &mut Candidate) {
        let smallest = self.smallest().expect("invariant: the constraint is feasible");
        let mut open = vec![Open::State(0, self.demanded, smallest.saturating_add(room))];
        while let Some(next) = open.pop() {
            match next {
                Open::Token(terminal) => candidate.tokens.push(terminal),
                Open::State(state, set, most) => {
                    let production = self.expand(state, set, most, draw, &mut open);
                    candidate.productions.push(production);
                }
            }
        }
    }

    /// Chooses a production of a state, and shares the demanded paths and the room out among its children.
    fn expand(
        &self,
        state: u32,
        set: u32,
        most: u32,
        draw: &mut Draw,
        open: &mut Vec<Open>,
    ) -> ProductionId {
        let choices = &self.choices[state as usize];
        let fitting = choices.iter().filter_map(|choice| {
            let costs = self.suffix_costs(choice);
            let least = costs[0][(set & !choice.met) as usize].saturating_add(choice.own);
            (least <= most && least != INFINITE).then_some((choice, costs))
        });
        let mut fitting: Vec<_> = fitting.collect();
        let (choice, costs) = fitting.swap_remove(draw.below(fitting.len()));
        let (mut set, mut most) = (set & !choice.met, most - choice.own);
        let mut shares = Vec::new();
        for (at, &child) in choice.children.iter().enumerate() {
            let rest = &costs[at + 1];
            let least =
                |own: u32| self.cost(child, own).saturating_add(rest[(set & !own) as usize]);
            let own: Vec<u32> = subsets(set).filter(|&own| least(own) <= most).collect();
            let own = own[draw.below(own.len())];
            let room = (most - least(own)) as usize;
            let is_last = at + 1 == choice.children.len();
            let share = if is_last { room } else { draw.below(room + 1) };
            let share = self.cost(child, own) + to_u32(share);
            set &= !own;
            most -= share;
            shares.push(Open::State(child, own, share));
        }
        let first = open.len();
        let mut shares = shares.into_iter();
        for symbol in self.language.bnf().rhs(choice.production) {
            open.push(match *symbol {
                Symbol::Terminal(terminal) => Open::Token(terminal),
                Symbol::Nonterminal(_) => shares.next().expect("invariant: a share for each child"),
            });
        }
        open[first..].reverse();
        choice.production
    }
}

/// What a tree still needs, from left to right.
enum Open {
    Token(gramercy_grammar::TerminalId),
    /// A state, the demanded paths that must end in its tree, and the largest size of the tree.
    State(u32, u32, u32),
}

/// The productions of a nonterminal at which no forbidden path ends.
fn choices_of(
    language: &Language,
    automaton: &PathAutomaton,
    nonterminal: NonterminalId,
    way: u32,
    states: &mut IndexSet<(NonterminalId, u32)>,
) -> Vec<Choice> {
    let bnf = language.bnf();
    let mut choices = Vec::new();
    for &production in bnf.productions_of(nonterminal) {
        if !language.useful().has_production(production) {
            continue;
        }
        let mut choice = Choice { production, own: 1, met: 0, children: Vec::new() };
        let mut ways = Vec::new();
        let mut is_allowed = true;
        let mut visit = |way: u32| {
            let ending = automaton.ending(way);
            choice.met |= ending.present;
            is_allowed &= !ending.is_forbidden;
        };
        for &(_, leaf) in bnf.silent(production) {
            visit(automaton.step(way, leaf));
        }
        for position in 0..bnf.rhs(production).len() {
            let node = symbolic_node(language, production, position);
            let below = node.map_or(way, |node| automaton.step(way, node));
            if node.is_some() {
                visit(below);
            }
            ways.push(below);
        }
        if !is_allowed {
            continue;
        }
        for (symbol, way) in bnf.rhs(production).iter().zip(ways) {
            match *symbol {
                Symbol::Terminal(_) => choice.own += 1,
                Symbol::Nonterminal(id) => {
                    choice.children.push(to_u32(states.insert_full((id, way)).0));
                }
            }
        }
        choices.push(choice);
    }
    choices
}

/// All subsets of a set, the empty one first.
fn subsets(set: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0_u32);
    std::iter::from_fn(move || {
        let now = next?;
        next = if now == set { None } else { Some(now.wrapping_sub(set) & set) };
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_subsets_are_listed_once() {
        assert_eq!(super::subsets(0b1010).collect::<Vec<_>>(), [0, 0b0010, 0b1000, 0b1010]);
        assert_eq!(super::subsets(0).collect::<Vec<_>>(), [0]);
    }
}
