//! Sentences in which token rules match something, for rules of which the cheapest ones have nothing.
//!
//! Nonterminals are visited with the modes in which the lexer can be in front of them, those with short
//! ways first (Dijkstra's algorithm over both together). Left of a step, modes are those of
//! [`exits`](super::exits); what is right of it is not looked at. Every token where a wanted rule can
//! match something is a candidate, and a search completes the trees of the first ones that have any.
//!
//! Cost: nonterminals times modes, and the steps from there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_base::{Draw, IndexMap, Map};
use gramercy_grammar::{ModeId, NonterminalId, ProductionId, RuleId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_lexis::{LexemePart, Modes};

use super::exits::{Exits, Lookout};
use super::guide::Guide;
use super::inseparable::{InseparablePairs, Position};
use super::skeleton::Skeleton;
use super::{Completed, Search};
use crate::candidate::Candidate;
use crate::cheapest::CheapestTrees;
use crate::contexts::Step;

/// How often a nonterminal is visited with the same current modes, on other ways or with other modes
/// below these: rules match the same, but a tree around it may fit.
const MAX_VISITS: u32 = 3;
/// How many places are kept of a rule, and how many candidates for them.
const MAX_PLACES: usize = 3;
const MAX_CANDIDATES: usize = 24;

/// A sentence in which a rule matches something.
#[derive(Debug)]
pub struct TokenSite {
    /// The productions of its leftmost derivation.
    pub productions: Vec<ProductionId>,
    /// Its tokens.
    pub tokens: Vec<TerminalId>,
    /// The token of which it matches something, or before which it does.
    pub at: usize,
    /// The last step of the way to that token.
    pub step: Step,
    /// What the rule matches there.
    pub part: LexemePart,
}

/// Finds places.
pub struct TokenSites<'p, 'g> {
    /// The language whose productions may be used.
    pub language: &'p Language,
    /// Knows which tokens the lexer can make where.
    pub guide: &'p Guide<'g>,
    /// What sentences are made of where nothing else is needed.
    pub cheapest: &'p CheapestTrees<'p>,
    /// The shortest trees, for parts that must have no token.
    pub nothing: &'p CheapestTrees<'p>,
}

/// A nonterminal with modes in front of it.
struct Visit {
    nonterminal: NonterminalId,
    modes: Modes,
    /// From where, unless it is the first.
    from: Option<(usize, Step)>,
}

/// For each rule steps to tokens where it can match something, the shortest ways first.
type Candidates = IndexMap<RuleId, Vec<(usize, Step)>>;

impl TokenSites<'_, '_> {
    /// The places of some rules, as far as there are any.
    pub fn find(
        &self,
        rules: impl IntoIterator<Item = RuleId>,
    ) -> IndexMap<RuleId, Vec<TokenSite>> {
        let mut candidates: Candidates = rules.into_iter().map(|rule| (rule, Vec::new())).collect();
        let visits = self.visit(&mut candidates);
        let mut exits = Exits::default();
        let mut found = IndexMap::default();
        for (rule, candidates) in candidates {
            let complete = |(at, step)| self.complete(rule, &way(&visits, at, step), &mut exits);
            let places = candidates.into_iter().filter_map(complete).take(MAX_PLACES);
            found.insert(rule, places.collect());
        }
        found
    }

    /// Visits nonterminals until there are enough candidates.
    fn visit(&self, candidates: &mut Candidates) -> Vec<Visit> {
        let Self { language, guide, cheapest, .. } = *self;
        let knowledge = &mut *guide.knowledge();
        let modes = knowledge.writer.start_modes();
        let exits = &mut Exits::default();
        let inseparable = &InseparablePairs::default();
        let lookout = Lookout { language, guide, cheapest, knowledge, exits, inseparable };
        let (visits, queue) = (Vec::new(), BinaryHeap::new());
        let mut tour = Tour { lookout, candidates, visits, queue };
        tour.plan(0, Visit { nonterminal: cheapest.cfg().start(), modes, from: None });
        let mut visited: Map<(NonterminalId, Vec<ModeId>), u32> = Map::default();
        while let Some(Reverse((cost, at))) = tour.queue.pop() {
            let Visit { nonterminal, modes, .. } = tour.visits[at];
            let current = tour.lookout.knowledge.writer.current_modes(modes);
            let visits_with = visited.entry((nonterminal, current)).or_default();
            *visits_with += 1;
            if *visits_with <= MAX_VISITS {
                tour.visit(at, cost);
            }
            if tour.candidates.values().all(|of| of.len() >= MAX_CANDIDATES) {
                break;
            }
        }
        tour.visits
    }

    /// Completes a way to a token where a rule can match something.
    fn complete(&self, rule: RuleId, way: &[Step], exits: &mut Exits) -> Option<TokenSite> {
        let step = *way.last()?;
        let Self { language, guide, cheapest, nothing } = *self;
        let skeleton = Skeleton::of_match(cheapest.cfg(), way, rule);
        let (draw, noise) = (Draw::new([0; 4]), 0);
        let mut candidate = Candidate::default();
        let inseparable = &InseparablePairs::default();
        let search = Search { language, guide, cheapest, nothing, exits, inseparable, draw, noise };
        let Completed { matched } = search.complete(&skeleton, &mut candidate)?;
        let at = matched.expect("invariant: the skeleton has such a token");
        let Candidate { productions, tokens, .. } = candidate;
        let part = guide.part(&tokens, at, |part| part.rule == rule)?;
        Some(TokenSite { productions, tokens, at, step, part })
    }
}

/// Visits nonterminals with the modes in front of them.
struct Tour<'t, 'g> {
    lookout: Lookout<'t, 'g>,
    candidates: &'t mut Candidates,
    visits: Vec<Visit>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Tour<'_, '_> {
    fn plan(&mut self, cost: u64, visit: Visit) {
        self.queue.push(Reverse((cost, self.visits.len())));
        self.visits.push(visit);
    }

    /// Takes all steps from a nonterminal.
    fn visit(&mut self, at: usize, cost: u64) {
        let Visit { nonterminal, modes, .. } = self.visits[at];
        let Lookout { language, cheapest, .. } = self.lookout;
        for &production in cheapest.cfg().productions_of(nonterminal) {
            let rhs = cheapest.cfg().rhs(production);
            let length =
                cheapest.length(rhs).filter(|_| language.useful().has_production(production));
            let Some(length) = length else { continue };
            let mut before = vec![Position::at_start(modes)];
            for (position, &symbol) in rhs.iter().enumerate() {
                let from = (at, Step { production, position });
                match symbol {
                    Symbol::Terminal(token) => self.look_at(token, &before, from),
                    Symbol::Nonterminal(below) => {
                        let beside = length - cheapest.length(&[symbol]).unwrap_or(length);
                        let cost = cost.saturating_add(beside).saturating_add(1);
                        for &Position { modes, .. } in &before {
                            self.plan(cost, Visit { nonterminal: below, modes, from: Some(from) });
                        }
                    }
                }
                before = self.lookout.behind(symbol, 0, &before);
            }
        }
    }

    /// Notes the wanted rules that can match something at a token.
    fn look_at(&mut self, token: TerminalId, before: &[Position], from: (usize, Step)) {
        for &Position { modes, .. } in before {
            for part in &*self.lookout.knowledge.writer.parts(modes, Some(token)) {
                if let Some(of) = self.candidates.get_mut(&part.rule)
                    && of.len() < MAX_CANDIDATES
                {
                    of.push(from);
                }
            }
        }
    }
}

/// The steps to a nonterminal that was visited, and one more.
fn way(visits: &[Visit], at: usize, step: Step) -> Vec<Step> {
    let above = |&(at, _): &(usize, Step)| visits[at].from;
    let mut way: Vec<Step> =
        std::iter::successors(Some((at, step)), above).map(|(_, step)| step).collect();
    way.reverse();
    way
}
