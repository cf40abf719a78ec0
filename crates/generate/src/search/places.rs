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
use gramercy_coverage::Views;
use gramercy_grammar::{ModeId, NonterminalId, ProductionId, RuleId, Symbol, TerminalId};
use gramercy_lexis::{Modes, Part};

use super::exits::{Exits, Lookout};
use super::guide::Guide;
use super::skeleton::Skeleton;
use super::{Completed, Search};
use crate::contexts::Step;
use crate::draft::Draft;
use crate::minimal::Minimal;

/// How often a nonterminal is visited with the same current modes, on other ways or with other modes
/// below these: rules match the same, but a tree around it may fit.
const MAX_VISITS: u32 = 3;
/// How many places are kept of a rule, and how many candidates for them.
const MAX_PLACES: usize = 3;
const MAX_CANDIDATES: usize = 24;

/// A sentence in which a rule matches something.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) productions: Vec<ProductionId>,
    pub(crate) tokens: Vec<TerminalId>,
    /// The token of which it matches something, or before which it does.
    pub(crate) at: usize,
    /// The last step of the way to that token.
    pub(crate) step: Step,
    pub(crate) part: Part,
}

/// Finds places.
pub(crate) struct Places<'p, 'g> {
    pub(crate) views: &'p Views<'p>,
    pub(crate) guide: &'p Guide<'g>,
    pub(crate) minimal: &'p Minimal<'p>,
    pub(crate) nothing: &'p Minimal<'p>,
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

impl Places<'_, '_> {
    /// The places of some rules, as far as there are any.
    pub(crate) fn find(
        &self,
        rules: impl IntoIterator<Item = RuleId>,
    ) -> IndexMap<RuleId, Vec<Place>> {
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

    fn visit(&self, candidates: &mut Candidates) -> Vec<Visit> {
        let (views, guide, minimal) = (self.views, self.guide, self.minimal);
        let cfg = minimal.cfg();
        let knowledge = &mut *guide.knowledge();
        let modes = knowledge.writer.start_modes();
        let exits = &mut Exits::default();
        let mut lookout = Lookout { views, guide, minimal, knowledge, exits };
        let mut visits = vec![Visit { nonterminal: cfg.start(), modes, from: None }];
        let mut queue = BinaryHeap::from([Reverse((0_u64, 0))]);
        let mut visited: Map<(NonterminalId, Vec<ModeId>), u32> = Map::default();
        while let Some(Reverse((cost, at))) = queue.pop() {
            let Visit { nonterminal, modes, .. } = visits[at];
            let current = lookout.knowledge.writer.current_modes(modes);
            let visits_with = visited.entry((nonterminal, current)).or_default();
            *visits_with += 1;
            if *visits_with > MAX_VISITS {
                continue;
            }
            if candidates.values().all(|of| of.len() >= MAX_CANDIDATES) {
                break;
            }
            for &production in cfg.productions_of(nonterminal) {
                let rhs = cfg.rhs(production);
                let Some(length) = minimal.length(rhs) else { continue };
                if !views.useful.has_production(production) {
                    continue;
                }
                let mut before = vec![modes];
                for (position, &symbol) in rhs.iter().enumerate() {
                    let step = Step { production, position };
                    for &modes in &before {
                        match symbol {
                            Symbol::Terminal(token) => {
                                let parts = lookout.knowledge.writer.parts(modes, Some(token));
                                for part in &*parts {
                                    if let Some(of) = candidates.get_mut(&part.rule)
                                        && of.len() < MAX_CANDIDATES
                                    {
                                        of.push((at, step));
                                    }
                                }
                            }
                            Symbol::Nonterminal(below) => {
                                let beside = length - minimal.length(&[symbol]).unwrap_or(length);
                                let cost = cost.saturating_add(beside).saturating_add(1);
                                queue.push(Reverse((cost, visits.len())));
                                let from = Some((at, step));
                                visits.push(Visit { nonterminal: below, modes, from });
                            }
                        }
                    }
                    before = lookout.behind(symbol, 0, &before);
                }
            }
        }
        visits
    }

    /// Completes a way to a token where a rule can match something.
    fn complete(&self, rule: RuleId, way: &[Step], exits: &mut Exits) -> Option<Place> {
        let step = *way.last()?;
        let Self { views, guide, minimal, nothing } = *self;
        let skeleton = Skeleton::of_match(minimal.cfg(), way, rule);
        let (draw, noise) = (Draw::new([0; 4]), 0);
        let mut draft = Draft::default();
        let search = Search { views, guide, minimal, nothing, exits, draw, noise };
        let Completed { matched } = search.complete(&skeleton, &mut draft)?;
        let at = matched.expect("invariant: the skeleton has such a token");
        let Draft { productions, tokens, .. } = draft;
        let part = guide.part(&tokens, at, |part| part.rule == rule)?;
        Some(Place { productions, tokens, at, step, part })
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
