//! `pair`: two symbols side by side. Some production has a part that ends with the one and a later part
//! that begins with the other, and nothing between them.
//!
//! For a left symbol, a search up along right edges finds the cheapest way down to it from every
//! nonterminal. With it, every such production has a price, and a search down along left edges from
//! all second parts at once finds the cheapest pair for every right symbol. So each left symbol costs
//! two searches, near-linear in the grammar, made when it is first asked for.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use gramercy_analysis::{Nullable, Rows};
use gramercy_base::Table;
use gramercy_coverage::TargetId;
use gramercy_coverage::criteria::pair::Pairs;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use super::ways::{Along, BySymbol, Cost, RhsPosition, Search, number, step_cost, sum, vanishes};
use super::{Build, Fragments};
use gramercy_derive::cheapest::CheapestTrees;
use gramercy_derive::contexts::Contexts;

gramercy_base::define_id!(pub struct SymbolNumber, "a symbol among all");
gramercy_base::define_id!(pub struct PlaceNumber, "a position with nothing after it");

/// The cheapest pairs of every left symbol.
pub struct Neighbours<'m> {
    cheapest: &'m CheapestTrees<'m>,
    nullable: Nullable,
    /// What the context of each nonterminal costs.
    contexts: Table<NonterminalId, Option<Cost>>,
    /// Positions after which everything can vanish.
    places: Table<PlaceNumber, RhsPosition>,
    /// Those of each symbol.
    of_symbol: Rows<SymbolNumber, PlaceNumber>,
    pairs: Table<SymbolNumber, OnceLock<OfLeft>>,
}

/// The cheapest pairs of one left symbol.
struct OfLeft {
    /// For each nonterminal the first step down to the left symbol, along right edges.
    down: Table<NonterminalId, Option<RhsPosition>>,
    /// For each right symbol the last step down to it along left edges; none where it stands in the
    /// production itself.
    last: BySymbol<Option<RhsPosition>>,
    /// For each symbol with which such a way begins, the production with both parts.
    joints: BySymbol<Option<Joint>>,
}

/// A production with two positions.
#[derive(Clone, Copy, Debug)]
struct Joint {
    production: ProductionId,
    left: u32,
    right: u32,
}

impl<'m> Neighbours<'m> {
    fn new(language: &Language, contexts: &Contexts<'m>) -> Self {
        let cfg = language.bnf().cfg();
        let nullable = Nullable::of(cfg);
        let (mut places, mut edges) = (Table::new(), Vec::new());
        let used = cfg.productions().filter(|&id| language.useful().has_production(id));
        for production in used {
            for position in (0..cfg.rhs(production).len()).rev() {
                let place = RhsPosition::new(production, position);
                if !vanishes(&nullable, place.behind(cfg)) {
                    break;
                }
                let symbol = number(cfg, place.symbol(cfg));
                let symbol: SymbolNumber = gramercy_base::Id::from_index(symbol);
                edges.push((symbol, places.push(place)));
            }
        }
        let symbols = cfg.nonterminal_count() + cfg.terminal_count();
        Self {
            cheapest: contexts.cheapest(),
            nullable,
            contexts: cfg.nonterminals().map(|id| contexts.cost(id)).collect(),
            places,
            of_symbol: Rows::group(symbols, &edges),
            pairs: (0..symbols).map(|_| OnceLock::new()).collect(),
        }
    }

    fn of(&self, language: &Language, left: Symbol) -> &OfLeft {
        let number: SymbolNumber = gramercy_base::Id::from_index(number(self.cheapest.cfg(), left));
        self.pairs[number].get_or_init(|| self.find(language, left))
    }

    fn find(&self, language: &Language, left: Symbol) -> OfLeft {
        let cfg = self.cheapest.cfg();
        let (costs, down) = self.up_from(left);
        let mut joints = BySymbol::filled(None, cfg);
        let mut search = Search::new(language, self.cheapest, &self.nullable, Along::Left);
        for production in cfg.productions().filter(|&id| language.useful().has_production(id)) {
            for joint in self.joints(production) {
                let rhs = cfg.rhs(production);
                let (at, to) = (joint.left as usize, joint.right as usize);
                let (Some(above), Some(below)) =
                    (self.contexts[cfg.lhs(production)], costs[rhs[at]])
                else {
                    continue;
                };
                let here = step_cost(self.cheapest, [&rhs[..at], &rhs[to + 1..]]);
                if search.offer(rhs[to], sum(sum(above, below), here), None) {
                    joints[rhs[to]] = Some(joint);
                }
            }
        }
        search.run();
        OfLeft { down, last: search.last, joints }
    }

    /// The pairs of positions of a production with nothing between them.
    fn joints(&self, production: ProductionId) -> impl Iterator<Item = Joint> + '_ {
        let rhs = self.cheapest.cfg().rhs(production);
        let lefts = 0..rhs.len();
        lefts.flat_map(move |left| {
            let rights = (left + 1..rhs.len())
                .take_while(move |&right| vanishes(&self.nullable, &rhs[left + 1..right]));
            rights.map(move |right| {
                let at = |position| RhsPosition::new(production, position).position;
                Joint { production, left: at(left), right: at(right) }
            })
        })
    }

    /// For every symbol the cost of the cheapest way down to `left` along right edges, and for every
    /// nonterminal its first step.
    fn up_from(
        &self,
        left: Symbol,
    ) -> (BySymbol<Option<Cost>>, Table<NonterminalId, Option<RhsPosition>>) {
        let cfg = self.cheapest.cfg();
        let mut costs: BySymbol<Option<Cost>> = BySymbol::filled(None, cfg);
        let mut down = Table::filled(None, cfg.nonterminal_count());
        let ties = self.cheapest.resolution().ties;
        let order = |place: Option<RhsPosition>| {
            place.map(|at| ties.place(at.production, at.position as usize))
        };
        costs[left] = Some((0, 0));
        let mut queue = BinaryHeap::from([Reverse(((0, 0), left))]);
        while let Some(Reverse((cost, symbol))) = queue.pop() {
            if costs[symbol] != Some(cost) {
                continue;
            }
            let number: SymbolNumber = gramercy_base::Id::from_index(number(cfg, symbol));
            for &place in self.of_symbol.row(number) {
                let place = self.places[place];
                let cost = sum(cost, step_cost(self.cheapest, [place.before(cfg), &[]]));
                let lhs = cfg.lhs(place.production);
                let above = Symbol::Nonterminal(lhs);
                let known = costs[above];
                let is_tie = known == Some(cost) && above != left;
                if known.is_none_or(|known| cost < known) {
                    costs[above] = Some(cost);
                    down[lhs] = Some(place);
                    queue.push(Reverse((cost, above)));
                } else if is_tie && order(Some(place)) < order(down[lhs]) {
                    down[lhs] = Some(place);
                }
            }
        }
        (costs, down)
    }
}

impl OfLeft {
    /// The steps down from a part to the left symbol.
    fn down(&self, cfg: &Cfg, part: Symbol, left: Symbol) -> Vec<RhsPosition> {
        let mut steps = Vec::new();
        let mut symbol = part;
        while symbol != left {
            let Symbol::Nonterminal(id) = symbol else {
                unreachable!("invariant: a way down ends at the left symbol");
            };
            let step = self.down[id].expect("invariant: the part ends with the left symbol");
            steps.push(step);
            symbol = step.symbol(cfg);
        }
        steps
    }

    /// The steps up from the right symbol to a part, and the production of both.
    fn up(&self, cfg: &Cfg, right: Symbol) -> (Vec<RhsPosition>, Joint) {
        let mut steps = Vec::new();
        let mut symbol = right;
        while let Some(step) = self.last[symbol] {
            steps.push(step);
            symbol = Symbol::Nonterminal(cfg.lhs(step.production));
        }
        (steps, self.joints[symbol].expect("invariant: the pair can stand side by side"))
    }
}

impl Fragments for Pairs<'_> {
    type Paths<'m> = Neighbours<'m>;

    fn paths<'m>(&self, language: &Language, contexts: &Contexts<'m>) -> Neighbours<'m> {
        Neighbours::new(language, contexts)
    }

    fn build(
        &self,
        language: &Language,
        paths: &Neighbours<'_>,
        target: TargetId,
        into: &mut impl Build,
    ) {
        let (left, right) = self.pair(target);
        let cfg = language.bnf().cfg();
        let pairs = paths.of(language, left);
        let (ups, joint) = pairs.up(cfg, right);
        let rhs = cfg.rhs(joint.production);
        let (at, to) = (joint.left as usize, joint.right as usize);
        let downs = pairs.down(cfg, rhs[at], left);
        let root = cfg.lhs(joint.production);
        into.open(root);
        into.production(joint.production);
        into.close(&rhs[..at]);
        for step in &downs {
            into.production(step.production);
            into.close(step.before(cfg));
        }
        into.close(&[left]);
        downs.iter().rev().for_each(|step| into.vanish(step.behind(cfg)));
        into.vanish(&rhs[at + 1..to]);
        for step in ups.iter().rev() {
            into.production(step.production);
            into.vanish(step.before(cfg));
        }
        into.close(&[right]);
        ups.iter().for_each(|step| into.close(step.behind(cfg)));
        into.close(&rhs[to + 1..]);
        into.finish(root);
    }
}
