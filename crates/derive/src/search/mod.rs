//! Another tree for a target whose cheapest trees cannot be written: what is fixed about it stays, and
//! everything else is chosen from left to right so that the lexer can make each token in its modes, and so that
//! no two tokens are neighbours that are known to be inseparable.
//!
//! A nonterminal offers its productions, cheap ones first, later attempts with some noise; the first
//! one is taken from which the rest of the tree can be made ([`exits`]), so nothing is ever taken back.
//! Deep below what is fixed only the cheapest trees are offered, and the steps are bounded: the search
//! may fail where a tree exists. Linear in the tree and in the sets that are asked for.

mod exits;
mod guide;
mod inseparable;
mod places;
mod skeleton;

use gramercy_base::Draw;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::candidate::Candidate;
use crate::cheapest::CheapestTrees;
use exits::{Lookout, MAX_LEVEL};
use inseparable::Position;
use skeleton::Item;

pub use exits::Exits;
pub use guide::Guide;
pub use inseparable::InseparablePairs;
pub use places::{TokenSite, TokenSites};
pub use skeleton::{Skeleton, stretched};

/// How many steps a search takes at most.
const MAX_STEPS: usize = 20_000;

/// One search.
pub struct Search<'s, 'g> {
    /// The language whose productions may be used.
    pub language: &'s Language,
    /// Knows which tokens the lexer can make where.
    pub guide: &'s Guide<'g>,
    /// What is offered first, and alone where the tree is deep.
    pub cheapest: &'s CheapestTrees<'s>,
    /// The shortest trees, for parts that must have no token.
    pub nothing: &'s CheapestTrees<'s>,
    /// What is known of this language and these cheapest trees.
    pub exits: &'s mut Exits,
    /// Tokens that must not be neighbours; `exits` holds for these alone.
    pub inseparable: &'s InseparablePairs,
    /// What the noise is drawn from.
    pub draw: Draw,
    /// The most that is added to the length of a production, so that others come first at times.
    pub noise: usize,
}

/// A tree was found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Completed {
    /// The token where a rule matches something, if that was wanted.
    matched: Option<usize>,
}

/// What is still to come.
struct Cell {
    item: Item,
    next: Option<usize>,
    /// Where the text may stand in front of it, so that the rest can be made.
    good: Vec<Position>,
}

impl Search<'_, '_> {
    /// Completes a skeleton in an empty candidate; `None` if no tree was found.
    pub fn complete(mut self, skeleton: &Skeleton, candidate: &mut Candidate) -> Option<Completed> {
        let knew_nothing = self.exits.is_empty();
        let mut completed = self.attempt(skeleton, candidate);
        if self.exits.is_full() {
            // What there was no room for hangs on what was asked before, in whatever order.
            if !knew_nothing {
                self.exits.clear();
                candidate.productions.clear();
                candidate.tokens.clear();
                completed = self.attempt(skeleton, candidate);
            }
            self.exits.clear();
        }
        completed
    }

    fn attempt(&mut self, skeleton: &Skeleton, candidate: &mut Candidate) -> Option<Completed> {
        let Self { language, guide, cheapest, nothing, inseparable, ref draw, noise, .. } = *self;
        let exits = &mut *self.exits;
        let knowledge = &mut *guide.knowledge();
        let mut from = Position::at_start(knowledge.writer.start_modes());
        let lookout = Lookout { language, guide, cheapest, knowledge, exits, inseparable };
        let mut way = Way { lookout, draw: draw.clone(), noise, cells: Vec::new() };
        let mut to_come = way.plan(skeleton.items(), from, None)?;
        let mut completed = Completed::default();
        for _ in 0..MAX_STEPS {
            let Some(at) = to_come else { return Some(completed) };
            let Cell { item, next, .. } = way.cells[at];
            to_come = next;
            let behind = match item {
                Item::Production(production) => {
                    candidate.productions.push(production);
                    Some(from)
                }
                Item::Nothing(symbol) => {
                    nothing.close(symbol, candidate);
                    Some(from)
                }
                Item::Matched(token, rule) => {
                    completed.matched = Some(candidate.tokens.len());
                    candidate.tokens.push(token);
                    way.lookout.step_match(from, token, rule)
                }
                Item::Free(Symbol::Terminal(token), _) => {
                    candidate.tokens.push(token);
                    way.lookout.step(from, token)
                }
                Item::Free(Symbol::Nonterminal(id), level) if level >= MAX_LEVEL => {
                    way.lookout.behind_cheapest(id, from, candidate)
                }
                Item::Free(Symbol::Nonterminal(id), level) => {
                    let (production, first) = way
                        .choose(id, level, from, next)
                        .expect("invariant: the rest can be made from here");
                    candidate.productions.push(production);
                    to_come = first;
                    Some(from)
                }
            };
            from = behind.expect("invariant: the rest can be made from here");
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
    /// Puts items in front of a list, if all of it can be made from some position on: the list.
    fn plan(
        &mut self,
        items: &[Item],
        from: Position,
        next: Option<usize>,
    ) -> Option<Option<usize>> {
        // Forward what can be reached, then backward what leads on.
        let mut reached = vec![vec![from]];
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
        let leads_on = |at: &Position| next.is_none_or(|next| self.cells[next].is_good(*at));
        let mut good: Vec<Position> = end.into_iter().filter(leads_on).collect();
        let (start, mut to_come) = (self.cells.len(), next);
        for (&item, mut before) in items.iter().zip(reached).rev() {
            before.retain(|&at| {
                let behind = match item {
                    Item::Production(_) | Item::Nothing(_) => vec![at],
                    Item::Free(symbol, level) => self.lookout.behind(symbol, level, &[at]),
                    Item::Matched(token, rule) => self.lookout.behind_match(token, rule, &[at]),
                };
                behind.iter().any(|at| good.binary_search(at).is_ok())
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
        from: Position,
        next: Option<usize>,
    ) -> Option<(ProductionId, Option<usize>)> {
        let cfg = self.lookout.cheapest.cfg();
        self.offers(id, from).into_iter().find_map(|production| {
            let item = |&symbol: &Symbol| Item::Free(symbol, level + 1);
            let items: Vec<Item> = cfg.rhs(production).iter().map(item).collect();
            Some((production, self.plan(&items, from, next)?))
        })
    }

    /// The productions of a nonterminal that can begin at a position, the best first.
    fn offers(&mut self, id: NonterminalId, from: Position) -> Vec<ProductionId> {
        let Lookout { language, guide, cheapest, knowledge, .. } = &mut self.lookout;
        let (cfg, first) = (cheapest.cfg(), cheapest.production(id));
        let mut offers: Vec<(u64, bool, ProductionId)> = Vec::new();
        for &production in cfg.productions_of(id) {
            let is_used = language.productive().has_production(production);
            if is_used && guide.can_begin(cfg.rhs(production), from.modes, knowledge) {
                let length = cheapest.length(cfg.rhs(production)).unwrap_or(u64::MAX);
                let noise = self.draw.below(self.noise + 1) as u64;
                let is_other = first != Some(production);
                offers.push((length.saturating_add(noise), is_other, production));
            }
        }
        offers.sort_unstable();
        offers.into_iter().map(|(.., production)| production).collect()
    }
}

impl Cell {
    fn is_good(&self, at: Position) -> bool {
        self.good.binary_search(&at).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use gramercy_base::Draw;
    use gramercy_formats::{LoadOptions, Memory};
    use gramercy_language::Language;
    use gramercy_lexis::WriteOptions;

    use super::{Exits, Guide, InseparablePairs, Search, Skeleton};
    use crate::candidate::Candidate;
    use crate::cheapest::CheapestTrees;
    use crate::contexts::Contexts;
    use crate::resolution::Resolution;

    #[test]
    fn what_is_found_hangs_on_no_other_search_however_little_room_there_is() {
        let lexer =
            "lexer grammar L; A: 'a'; B: 'b' -> mode(M); mode M; MA: 'a' -> type(A); Z: 'z';";
        let parser = "parser grammar P; options { tokenVocab = L; }
            s: x y Z; x: A | A y x | x B; y: x? A | B | ;";
        let files = Memory::with("L.g4", lexer).and("P.g4", parser);
        let language = Language::read_from("P.g4", &files, &LoadOptions::default());
        let language = language.expect("a grammar");
        let bnf = language.bnf();
        let writer = language.writer(&WriteOptions::default()).expect("a lexer");
        let guide = Guide::new(&language, writer, None);
        let cheapest = CheapestTrees::new(&language, Resolution::default());
        let contexts = Contexts::new(&language, &cheapest);
        let skeleton = |production| {
            let steps = contexts.way(bnf.lhs(production));
            Skeleton::of_way(bnf, &steps, Some(production))
        };
        let (language, guide, cheapest) = (&language, &guide, &cheapest);
        let search = |skeleton: &Skeleton, exits: &mut Exits| {
            let (draw, mut candidate) = (Draw::new([1, 0, 0, 0]), Candidate::default());
            let (nothing, inseparable) = (cheapest, &InseparablePairs::default());
            let (noise, draw) = (2, draw);
            let search =
                Search { language, guide, cheapest, nothing, exits, inseparable, draw, noise };
            let completed = search.complete(skeleton, &mut candidate);
            completed.map(|_| (candidate.productions, candidate.tokens))
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
