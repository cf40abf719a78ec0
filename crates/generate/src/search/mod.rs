//! Another tree for a target whose cheapest trees cannot be written: what is fixed about it stays, and
//! everything else is chosen from left to right so that the lexer can make each token in its modes.
//!
//! A nonterminal offers its productions, cheap ones first, later attempts with some noise; the first
//! one is taken from which the rest of the tree can be made ([`exits`]), so nothing is ever taken back.
//! Deep below what is fixed only the cheapest trees are offered, and the steps are bounded: the search
//! may fail where a tree exists. Linear in the tree and in the sets that are asked for.

mod exits;
mod guide;
mod places;
mod skeleton;

use gramercy_base::Draw;
use gramercy_coverage::Views;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_lexis::Modes;

use crate::draft::Draft;
use crate::minimal::Minimal;
use exits::{Lookout, MAX_LEVEL};
use skeleton::Item;

pub(crate) use exits::Exits;
pub use guide::Guide;
pub(crate) use places::{Place, Places};
pub(crate) use skeleton::Skeleton;

/// How many steps a search takes at most.
const MAX_STEPS: usize = 20_000;

/// One search.
pub(crate) struct Search<'s, 'g> {
    pub(crate) views: &'s Views<'s>,
    pub(crate) guide: &'s Guide<'g>,
    pub(crate) minimal: &'s Minimal<'s>,
    pub(crate) nothing: &'s Minimal<'s>,
    /// What is known of these views and cheapest trees.
    pub(crate) exits: &'s mut Exits,
    /// What decides about the noise, and how much of it there is.
    pub(crate) draw: Draw,
    pub(crate) noise: usize,
}

/// A tree was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Completed {
    /// The token where a rule matches something, if that was wanted.
    matched: Option<usize>,
}

/// What is still to come.
struct Cell {
    item: Item,
    next: Option<usize>,
    /// The modes in front of it from which the rest can be made.
    good: Vec<Modes>,
}

impl Search<'_, '_> {
    /// Completes a skeleton in an empty draft; `None` if no tree was found.
    pub(crate) fn complete(mut self, skeleton: &Skeleton, draft: &mut Draft) -> Option<Completed> {
        let knew_nothing = self.exits.is_empty();
        let mut completed = self.attempt(skeleton, draft);
        if self.exits.is_full() {
            // What there was no room for hangs on what was asked before, in whatever order.
            if !knew_nothing {
                self.exits.clear();
                draft.productions.clear();
                draft.tokens.clear();
                completed = self.attempt(skeleton, draft);
            }
            self.exits.clear();
        }
        completed
    }

    fn attempt(&mut self, skeleton: &Skeleton, draft: &mut Draft) -> Option<Completed> {
        let Self { views, guide, minimal, nothing, ref mut exits, ref draw, noise } = *self;
        let knowledge = &mut *guide.knowledge();
        let mut modes = knowledge.writer.start_modes();
        let lookout = Lookout { views, guide, minimal, knowledge, exits };
        let mut way = Way { lookout, draw: draw.clone(), noise, cells: Vec::new() };
        let mut to_come = way.plan(skeleton.items(), modes, None)?;
        let mut completed = Completed::default();
        for _ in 0..MAX_STEPS {
            let Some(at) = to_come else { return Some(completed) };
            let Cell { item, next, .. } = way.cells[at];
            to_come = next;
            let behind = match item {
                Item::Production(production) => {
                    draft.productions.push(production);
                    Some(modes)
                }
                Item::Nothing(symbol) => {
                    nothing.close(symbol, draft);
                    Some(modes)
                }
                Item::Matched(token, rule) => {
                    completed.matched = Some(draft.tokens.len());
                    draft.tokens.push(token);
                    way.lookout.knowledge.behind_match(modes, token, rule)
                }
                Item::Free(Symbol::Terminal(token), _) => {
                    draft.tokens.push(token);
                    way.lookout.knowledge.behind(modes, token)
                }
                Item::Free(Symbol::Nonterminal(id), level) if level >= MAX_LEVEL => {
                    way.lookout.behind_cheapest(id, modes, draft)
                }
                Item::Free(Symbol::Nonterminal(id), level) => {
                    let (production, first) = way
                        .choose(id, level, modes, next)
                        .expect("invariant: the rest can be made from here");
                    draft.productions.push(production);
                    to_come = first;
                    Some(modes)
                }
            };
            modes = behind.expect("invariant: the rest can be made from here");
        }
        None
    }
}

/// The list of what is to come, while a tree is made.
struct Way<'w, 'g> {
    lookout: Lookout<'w, 'g>,
    draw: Draw,
    noise: usize,
    cells: Vec<Cell>,
}

impl Way<'_, '_> {
    /// Puts items in front of a list, if all of it can be made from some modes on: the list.
    fn plan(&mut self, items: &[Item], modes: Modes, next: Option<usize>) -> Option<Option<usize>> {
        // Forward what can be reached, then backward what leads on.
        let mut reached = vec![vec![modes]];
        for &item in items {
            let before = reached.last().expect("invariant: there is one more than items");
            let behind = match item {
                Item::Production(_) | Item::Nothing(_) => before.clone(),
                Item::Free(symbol, level) => self.lookout.behind(symbol, level, before),
                Item::Matched(token, rule) => self.lookout.behind_match(token, rule, before),
            };
            if behind.is_empty() {
                return None;
            }
            reached.push(behind);
        }
        let end = reached.pop().expect("invariant: there is one more than items");
        let leads_on = |modes: &Modes| next.is_none_or(|next| self.cells[next].is_good(*modes));
        let mut good: Vec<Modes> = end.into_iter().filter(leads_on).collect();
        let (start, mut to_come) = (self.cells.len(), next);
        for (&item, mut before) in items.iter().zip(reached).rev() {
            before.retain(|&modes| {
                let behind = match item {
                    Item::Production(_) | Item::Nothing(_) => vec![modes],
                    Item::Free(symbol, level) => self.lookout.behind(symbol, level, &[modes]),
                    Item::Matched(token, rule) => self.lookout.behind_match(token, rule, &[modes]),
                };
                behind.iter().any(|modes| good.binary_search(modes).is_ok())
            });
            good.clone_from(&before);
            self.cells.push(Cell { item, next: to_come, good: before });
            to_come = Some(self.cells.len() - 1);
        }
        if good.is_empty() {
            self.cells.truncate(start);
            return None;
        }
        Some(to_come)
    }

    /// The first offer from which the rest can be made, and what is to come with it.
    fn choose(
        &mut self,
        id: NonterminalId,
        level: u32,
        modes: Modes,
        next: Option<usize>,
    ) -> Option<(ProductionId, Option<usize>)> {
        let cfg = self.lookout.minimal.cfg();
        self.offers(id, modes).into_iter().find_map(|production| {
            let item = |&symbol: &Symbol| Item::Free(symbol, level + 1);
            let items: Vec<Item> = cfg.rhs(production).iter().map(item).collect();
            Some((production, self.plan(&items, modes, next)?))
        })
    }

    /// The productions of a nonterminal that can begin in these modes, the best first.
    fn offers(&mut self, id: NonterminalId, modes: Modes) -> Vec<ProductionId> {
        let Lookout { views, guide, minimal, knowledge, .. } = &mut self.lookout;
        let (cfg, cheapest) = (minimal.cfg(), minimal.production(id));
        let mut offers: Vec<(u64, bool, ProductionId)> = Vec::new();
        for &production in cfg.productions_of(id) {
            let is_used = views.productive.has_production(production);
            if is_used && guide.can_begin(cfg.rhs(production), modes, knowledge) {
                let length = minimal.length(cfg.rhs(production)).unwrap_or(u64::MAX);
                let noise = self.draw.below(self.noise + 1) as u64;
                let is_other = cheapest != Some(production);
                offers.push((length.saturating_add(noise), is_other, production));
            }
        }
        offers.sort_unstable();
        offers.into_iter().map(|(.., production)| production).collect()
    }
}

impl Cell {
    fn is_good(&self, modes: Modes) -> bool {
        self.good.binary_search(&modes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use gramercy_base::{Draw, Limits};
    use gramercy_coverage::Views;
    use gramercy_formats::{LoadOptions, Memory, load};
    use gramercy_lexis::{WriteOptions, Writer};

    use super::{Exits, Guide, Search, Skeleton};
    use crate::contexts::Contexts;
    use crate::draft::Draft;
    use crate::minimal::Minimal;
    use crate::resolution::Resolution;

    #[test]
    fn what_is_found_hangs_on_no_other_search_however_little_room_there_is() {
        let lexer =
            "lexer grammar L; A: 'a'; B: 'b' -> mode(M); mode M; MA: 'a' -> type(A); Z: 'z';";
        let parser = "parser grammar P; options { tokenVocab = L; }
            s: x y Z; x: A | A y x | x B; y: x? A | B | ;";
        let files = Memory::with("L.g4", lexer).and("P.g4", parser);
        let loaded = load(Path::new("P.g4"), &files, &LoadOptions::default());
        let grammar = loaded.grammar.expect("a grammar");
        let (graph, limits) = (grammar.graph(), Limits::default());
        let bnf = grammar.bnf(&graph, &limits).expect("within the limits");
        let views = Views::new(&grammar, &graph, &bnf, &limits);
        let writer = Writer::new(&grammar, &WriteOptions::default()).expect("a lexer");
        let guide = Guide::new(&views, writer, None);
        let minimal = Minimal::new(&views, Resolution::default());
        let contexts = Contexts::new(&views, &minimal);
        let skeleton = |production| {
            let steps = contexts.way(bnf.lhs(production));
            Skeleton::of_way(&bnf, &steps, Some(production))
        };
        let (views, guide, minimal) = (&views, &guide, &minimal);
        let search = |skeleton: &Skeleton, exits: &mut Exits| {
            let (draw, mut draft) = (Draw::new([1, 0, 0, 0]), Draft::default());
            let search = Search { views, guide, minimal, nothing: minimal, exits, draw, noise: 2 };
            let completed = search.complete(skeleton, &mut draft);
            completed.map(|_| (draft.productions, draft.tokens))
        };
        let (mut found, mut lost) = (0, 0);
        for room in 0..80 {
            let mut shared = Exits::with_room(room);
            for production in bnf.cfg().productions() {
                let skeleton = skeleton(production);
                let alone = search(&skeleton, &mut Exits::with_room(room));
                assert_eq!(search(&skeleton, &mut shared), alone, "{production:?}, {room}");
                *if alone.is_some() { &mut found } else { &mut lost } += 1;
            }
        }
        assert!(found > 0 && lost > 0, "{found} found, {lost} lost");
    }
}
