//! The cheapest routes over productions to the symbolic nodes of the grammar graph.
//!
//! Paths are made of symbolic nodes, trees of productions. From a reference to the next symbolic node
//! lead *silent* steps: positions that stand for groups and quantifiers, which have nonterminals of
//! their own. An [`Arrival`] is the cheapest such route from the nonterminal of a rule to a symbolic
//! node in its right-hand side. A node can have several: one for each form of the rule that the
//! end of input makes, and for each form of what it refers to. A way from the root to a node, and
//! the embedding of a path, are chains of arrivals.
//!
//! A step costs what stands beside it, closed off as cheaply as possible; equally long routes are told
//! apart by their number of steps. One search a rule finds its arrivals, one over all rules the
//! ways down to each: near-linear in the grammar. Embedding a path of k nodes takes k steps, but for
//! the forms.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use gramercy_analysis::{Components, Rows};
use gramercy_base::{Draw, Id, IdSet, Table};
use gramercy_grammar::{NodeId, NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::cheapest::CheapestTrees;
use crate::contexts::Step;
use crate::path_ranks::Symbolic;
use crate::resolution::Embedding;

gramercy_base::define_id!(
    /// Sorted by node.
    pub struct ArrivalId, "a route to a symbolic node");
gramercy_base::define_id!(struct LinkId, "a silent step");

/// Length, then the number of steps; by depth, the number of steps alone.
pub type Cost = (u64, u64);

/// The cheapest route from a rule's nonterminal to a symbolic node of its right-hand side.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The rule's nonterminal.
    pub head: NonterminalId,
    /// The symbolic node.
    pub node: NodeId,
    /// The symbol that stands for it; none for an empty literal or an end of input.
    pub symbol: Option<Symbol>,
    /// The production in which the node stands.
    pub production: ProductionId,
    /// At which position; for leaves without symbol this means nothing.
    pub position: usize,
    /// What stands beside the route.
    pub cost: Cost,
    link: Option<LinkId>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    step: Step,
    above: Option<LinkId>,
}

/// Random additions to the costs of steps, so that other routes win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noise {
    /// Which of all draws.
    pub seed: u64,
    /// Which of several.
    pub variant: u64,
    /// At most so much a step.
    pub most: u64,
}

/// Where routes begin, and what they cost.
#[derive(Clone, Copy, Debug)]
pub enum From<'c> {
    /// At rules that something refers to.
    Rules,
    /// At every nonterminal, those of groups and quantifiers too. Routes out of a cycle of
    /// nonterminals cost much more than those that leave something of it open beside them.
    All(&'c Components<NonterminalId>),
}

/// What a route costs more that leaves nothing open of the cycle where it begins.
const DEAD: u64 = 1 << 32;

/// All arrivals, and the ways to all rules.
#[derive(Clone, Debug)]
pub struct Routes {
    arrivals: Table<ArrivalId, Arrival>,
    of_node: Rows<NodeId, ArrivalId>,
    of_head: Rows<NonterminalId, ArrivalId>,
    links: Table<LinkId, Link>,
    ways: Table<NonterminalId, Option<Way>>,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    cost: Cost,
    /// None at the start symbol.
    last: Option<ArrivalId>,
}

/// A chain of arrivals from the start symbol, and what it costs with its end closed off.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// From the start symbol on.
    pub arrivals: Vec<ArrivalId>,
    /// The length of the shortest sentence with it.
    pub length: u64,
    layers: Vec<Layered>,
}

#[derive(Clone, Copy, Debug)]
struct Layered {
    arrival: ArrivalId,
    cost: Cost,
    before: usize,
}

impl Routes {
    /// The routes of a grammar, with everything beside them as `cheapest` says.
    #[must_use]
    pub fn new(
        language: &Language,
        symbolic: &Symbolic,
        cheapest: &CheapestTrees<'_>,
        from: From<'_>,
        noise: Option<Noise>,
    ) -> Self {
        let mut search = Search::new(language, symbolic, cheapest, noise);
        let heads = match from {
            From::Rules => heads(language, symbolic),
            From::All(components) => {
                search.components = Some(components);
                all_useful(language)
            }
        };
        for head in heads {
            search.run(head);
        }
        search.finish()
    }

    /// An arrival.
    #[inline]
    #[must_use]
    pub fn arrival(&self, id: ArrivalId) -> &Arrival {
        &self.arrivals[id]
    }

    /// The arrivals at a node.
    #[inline]
    #[must_use]
    pub fn at(&self, node: NodeId) -> &[ArrivalId] {
        self.of_node.row(node)
    }

    /// The arrivals in the right-hand side of a rule, those that leave a cycle last.
    #[must_use]
    pub fn from(&self, head: NonterminalId) -> &[ArrivalId] {
        self.of_head.row(head)
    }

    /// Finds the cheapest chain of arrivals that contains a path, from the start symbol on; `false` if
    /// there is none.
    pub fn embed(&self, cheapest: &CheapestTrees<'_>, path: &[NodeId], route: &mut Route) -> bool {
        let is_found =
            self.chain(cheapest, path, |head| self.ways[head].map(|way| way.cost), route);
        if is_found {
            self.add_way(route);
        }
        is_found
    }

    /// As [`embed`](Self::embed), but the chain begins at a nonterminal, directly with the path.
    pub fn embed_below(
        &self,
        cheapest: &CheapestTrees<'_>,
        head: NonterminalId,
        path: &[NodeId],
        route: &mut Route,
    ) -> bool {
        self.chain(cheapest, path, |of| (of == head).then_some((0, 0)), route)
    }

    /// Finds the cheapest chain of arrivals at the nodes of a path, which costs so much to begin at a
    /// nonterminal.
    fn chain(
        &self,
        cheapest: &CheapestTrees<'_>,
        path: &[NodeId],
        begin: impl Fn(NonterminalId) -> Option<Cost>,
        route: &mut Route,
    ) -> bool {
        route.layers.clear();
        let (mut from, mut to) = (0, 0);
        for (at, &node) in path.iter().enumerate() {
            for &id in self.at(node) {
                let arrival = &self.arrivals[id];
                let best = if at == 0 {
                    begin(arrival.head).map(|cost| (cost, usize::MAX))
                } else {
                    let above = Some(Symbol::Nonterminal(arrival.head));
                    let fits =
                        |&at: &usize| self.arrivals[route.layers[at].arrival].symbol == above;
                    let before = (from..to).filter(fits);
                    before.map(|at| (route.layers[at].cost, at)).min()
                };
                if let Some((cost, before)) = best {
                    let cost = add(cost, arrival.cost);
                    route.layers.push(Layered { arrival: id, cost, before });
                }
            }
            (from, to) = (to, route.layers.len());
        }
        self.choose_end(cheapest, from..to, route)
    }

    fn choose_end(
        &self,
        cheapest: &CheapestTrees<'_>,
        ends: std::ops::Range<usize>,
        route: &mut Route,
    ) -> bool {
        let whole = |at: usize| {
            let Layered { arrival, cost, .. } = route.layers[at];
            let own = self.arrivals[arrival].symbol.map_or(Some(0), |end| cheapest.length(&[end]));
            (add(cost, (own.expect("invariant: arrivals are productive"), 0)), at)
        };
        let Some((cost, mut at)) = ends.map(whole).min() else { return false };
        route.length = cost.0;
        route.arrivals.clear();
        loop {
            let Layered { arrival, before, .. } = route.layers[at];
            route.arrivals.push(arrival);
            if before == usize::MAX {
                break;
            }
            at = before;
        }
        route.arrivals.reverse();
        true
    }

    /// Puts the way down to the first arrival before it.
    fn add_way(&self, route: &mut Route) {
        route.arrivals.reverse();
        let first = route.arrivals[route.arrivals.len() - 1];
        let mut head = self.arrivals[first].head;
        while let Some(last) = self.ways[head].and_then(|way| way.last) {
            route.arrivals.push(last);
            head = self.arrivals[last].head;
        }
        route.arrivals.reverse();
    }

    /// If a chain ends in a leaf without text, the production of that.
    #[must_use]
    pub fn last_production(&self, route: &Route) -> Option<ProductionId> {
        let last = route.arrivals.last().map(|&last| self.arrival(last));
        last.filter(|last| last.symbol.is_none()).map(|last| last.production)
    }

    /// The steps of a chain, one arrival after the other.
    pub fn steps_of(&self, route: &Route, steps: &mut Vec<Step>) {
        steps.clear();
        route.arrivals.iter().for_each(|&arrival| self.steps(arrival, steps));
    }

    /// All arrivals.
    pub fn arrivals(&self) -> impl Iterator<Item = (ArrivalId, &Arrival)> {
        self.arrivals.iter()
    }

    /// Appends the steps of an arrival, the silent ones first. The step to a leaf without symbol is
    /// none: its production is expanded as a whole.
    pub fn steps(&self, id: ArrivalId, steps: &mut Vec<Step>) {
        let Arrival { link, symbol, production, position, .. } = self.arrivals[id];
        let from = steps.len();
        let mut link = link;
        while let Some(id) = link {
            steps.push(self.links[id].step);
            link = self.links[id].above;
        }
        steps[from..].reverse();
        if symbol.is_some() {
            steps.push(Step { production, position });
        }
    }

    /// The nodes that cheapest trees contain, directly below the node that refers to their right-hand side.
    #[must_use]
    pub fn in_cheapest_trees(
        &self,
        language: &Language,
        cheapest: &CheapestTrees<'_>,
    ) -> IdSet<NodeId> {
        let mut nodes = IdSet::new(language.graph().len());
        for arrival in self.arrivals.values() {
            let above = std::iter::successors(arrival.link, |&link| self.links[link].above);
            let silent = above.map(|link| self.links[link].step.production);
            if silent.chain([arrival.production]).all(|id| cheapest.is_cheapest(id)) {
                nodes.insert(arrival.node);
            }
        }
        nodes
    }

    fn find_ways(&mut self, start: NonterminalId) {
        let mut queue = BinaryHeap::new();
        self.ways[start] = Some(Way { cost: (0, 0), last: None });
        queue.push(Reverse(((0, 0), start)));
        while let Some(Reverse((cost, head))) = queue.pop() {
            if self.ways[head].is_none_or(|way| way.cost != cost) {
                continue;
            }
            for &id in self.of_head.row(head) {
                let arrival = &self.arrivals[id];
                let Some(Symbol::Nonterminal(below)) = arrival.symbol else { continue };
                let cost = add(cost, arrival.cost);
                if self.ways[below].is_none_or(|way| cost < way.cost) {
                    self.ways[below] = Some(Way { cost, last: Some(id) });
                    queue.push(Reverse((cost, below)));
                }
            }
        }
    }
}

fn add(a: Cost, b: Cost) -> Cost {
    (a.0.saturating_add(b.0), a.1.saturating_add(b.1))
}

/// The nonterminals that paths go through: those of rules that are referred to, and the start.
fn heads(language: &Language, symbolic: &Symbolic) -> Vec<NonterminalId> {
    let bnf = language.bnf();
    let mut heads = vec![bnf.start()];
    for production in bnf.productions() {
        let symbols = bnf.rhs(production).iter().zip(symbolic.nodes(bnf, production));
        heads.extend(symbols.filter_map(|(&symbol, node)| match (symbol, node) {
            (Symbol::Nonterminal(id), Some(_)) => Some(id),
            _ => None,
        }));
    }
    heads.sort_unstable();
    heads.dedup();
    heads.retain(|&head| language.useful().contains(Symbol::Nonterminal(head)));
    heads
}

fn all_useful(language: &Language) -> Vec<NonterminalId> {
    let is_useful = |&id: &NonterminalId| language.useful().contains(Symbol::Nonterminal(id));
    language.bnf().nonterminals().ids().filter(is_useful).collect()
}

/// The searches from all heads.
struct Search<'s> {
    language: &'s Language,
    symbolic: &'s Symbolic,
    cheapest: &'s CheapestTrees<'s>,
    noise: Option<Noise>,
    components: Option<&'s Components<NonterminalId>>,
    found: Vec<Arrival>,
    links: Table<LinkId, Link>,
    /// The best known step to each nonterminal of the current search.
    best: Table<NonterminalId, Option<(Cost, Option<Link>)>>,
    touched: Vec<NonterminalId>,
    queue: BinaryHeap<Reverse<(Cost, NonterminalId)>>,
}

impl<'s> Search<'s> {
    fn new(
        language: &'s Language,
        symbolic: &'s Symbolic,
        cheapest: &'s CheapestTrees<'s>,
        noise: Option<Noise>,
    ) -> Self {
        let best = Table::filled(None, language.bnf().nonterminal_count());
        let (found, links, touched) = (Vec::new(), Table::new(), Vec::new());
        Self {
            language,
            symbolic,
            cheapest,
            noise,
            components: None,
            found,
            links,
            best,
            touched,
            queue: BinaryHeap::new(),
        }
    }

    fn run(&mut self, head: NonterminalId) {
        let from = self.found.len();
        self.offer(head, (0, 0), None);
        while let Some(Reverse((cost, nonterminal))) = self.queue.pop() {
            match self.best[nonterminal] {
                Some((best, link)) if best == cost => {
                    let link = link.map(|link| self.links.push(link));
                    self.expand(head, nonterminal, cost, link);
                }
                _ => {}
            }
        }
        self.touched.drain(..).for_each(|nonterminal| self.best[nonterminal] = None);
        self.keep_cheapest(from);
    }

    fn offer(&mut self, nonterminal: NonterminalId, cost: Cost, link: Option<Link>) {
        if self.best[nonterminal].is_none_or(|(best, _)| cost < best) {
            self.best[nonterminal] = Some((cost, link));
            self.touched.push(nonterminal);
            self.queue.push(Reverse((cost, nonterminal)));
        }
    }

    fn expand(
        &mut self,
        head: NonterminalId,
        nonterminal: NonterminalId,
        cost: Cost,
        link: Option<LinkId>,
    ) {
        let (language, cheapest) = (self.language, self.cheapest);
        let bnf = language.bnf();
        for &production in bnf.productions_of(nonterminal) {
            if !language.productive().has_production(production) {
                continue;
            }
            let rhs = bnf.rhs(production);
            let beside = Beside::new(cheapest, rhs);
            let found = |node, symbol, position, cost| Arrival {
                head,
                node,
                symbol,
                production,
                position,
                cost,
                link,
            };
            for &(_, leaf) in bnf.silent(production) {
                self.found.push(found(leaf, None, 0, add(cost, (beside.whole, 1))));
            }
            for (position, (&symbol, &node)) in
                rhs.iter().zip(self.symbolic.nodes(bnf, production)).enumerate()
            {
                let noise = self.noise.map_or(0, |noise| noise.of(production, position));
                let cost = add(cost, (beside.position(position).saturating_add(noise), 1));
                match (node, symbol) {
                    (Some(node), _) => self.found.push(found(node, Some(symbol), position, cost)),
                    (None, Symbol::Nonterminal(below)) => {
                        let step = Step { production, position };
                        self.offer(below, cost, Some(Link { step, above: link }));
                    }
                    (None, Symbol::Terminal(_)) => {}
                }
            }
        }
    }

    /// Whether an arrival leaves something of the cycle open where it begins, if there is one.
    fn is_live(&self, components: &Components<NonterminalId>, arrival: &Arrival) -> bool {
        let is_inside = |symbol: Symbol| match symbol {
            Symbol::Nonterminal(id) => {
                components.component(id) == components.component(arrival.head)
            }
            Symbol::Terminal(_) => false,
        };
        let bnf = self.language.bnf();
        let beside = |step: Step| {
            let symbols = bnf.rhs(step.production).iter().enumerate();
            symbols.filter(move |(at, _)| *at != step.position).map(|(_, &symbol)| symbol)
        };
        let silent = std::iter::successors(arrival.link, |&link| self.links[link].above);
        let mut silent = silent.map(|link| self.links[link].step);
        let last = match arrival.symbol {
            Some(_) => arrival.position,
            None => usize::MAX,
        };
        let last = Step { production: arrival.production, position: last };
        !components.on_cycle(arrival.head)
            || arrival.symbol.is_some_and(is_inside)
            || beside(last).any(is_inside)
            || silent.any(|step| beside(step).any(is_inside))
    }

    /// Of the arrivals found last, keeps the cheapest for each node and symbol.
    fn keep_cheapest(&mut self, from: usize) {
        if let Some(components) = self.components {
            for at in from..self.found.len() {
                if !self.is_live(components, &self.found[at]) {
                    self.found[at].cost.0 = self.found[at].cost.0.saturating_add(DEAD);
                }
            }
        }
        let ties = self.cheapest.resolution().ties;
        let place = |arrival: &Arrival| ties.place(arrival.production, arrival.position);
        self.found[from..]
            .sort_by_key(|arrival| (arrival.node, arrival.symbol, arrival.cost, place(arrival)));
        let mut kept = from;
        for at in from..self.found.len() {
            let key = |arrival: &Arrival| (arrival.node, arrival.symbol);
            if kept == from || key(&self.found[kept - 1]) != key(&self.found[at]) {
                self.found[kept] = self.found[at];
                kept += 1;
            }
        }
        self.found.truncate(kept);
    }

    fn finish(mut self) -> Routes {
        let bnf = self.language.bnf();
        self.found.sort_by_key(|arrival| arrival.node);
        let arrivals: Table<ArrivalId, Arrival> = self.found.into();
        let by_node: Vec<_> = arrivals.iter().map(|(id, arrival)| (arrival.node, id)).collect();
        let mut by_head: Vec<_> = arrivals.iter().map(|(id, arrival)| (arrival.head, id)).collect();
        by_head.sort_by_key(|&(head, id)| (head, arrivals[id].cost.0 >= DEAD, id));
        let mut routes = Routes {
            of_node: Rows::group(self.language.graph().len(), &by_node),
            of_head: Rows::group(bnf.nonterminal_count(), &by_head),
            arrivals,
            links: self.links,
            ways: Table::filled(None, bnf.nonterminal_count()),
        };
        if self.language.useful().contains(Symbol::Nonterminal(bnf.start())) {
            routes.find_ways(bnf.start());
        }
        routes
    }
}

/// What stands beside each position of a right-hand side, by length; nothing counts by depth.
struct Beside<'s> {
    cheapest: &'s CheapestTrees<'s>,
    rhs: &'s [Symbol],
    whole: u64,
}

impl<'s> Beside<'s> {
    fn new(cheapest: &'s CheapestTrees<'s>, rhs: &'s [Symbol]) -> Self {
        let whole = match cheapest.resolution().embedding {
            Embedding::Shortest => cheapest.length(rhs).expect("invariant: it is productive"),
            Embedding::Shallowest => 0,
        };
        Self { cheapest, rhs, whole }
    }

    /// Lengths beyond 64 bits are all one: what is left of one is taken to be as long.
    fn position(&self, position: usize) -> u64 {
        let own = self.cheapest.length(&self.rhs[position..=position]).unwrap_or(0);
        if self.whole == u64::MAX { u64::MAX } else { self.whole.saturating_sub(own) }
    }
}

impl Noise {
    fn of(self, production: ProductionId, position: usize) -> u64 {
        let keys = [self.seed, self.variant, production.index() as u64, position as u64];
        let bound = usize::try_from(self.most).unwrap_or(usize::MAX).saturating_add(1);
        Draw::new(keys).below(bound) as u64
    }
}
