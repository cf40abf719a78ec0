//! Facts about productions and symbols that a random tree of a requested size needs again and again, in flat tables.
//! Linear in the grammar.

use gramercy_analysis::{Heights, Longest, LongestYield, ShortestYield};
use gramercy_base::{IdSet, Table, to_u32};
use gramercy_grammar::{NonterminalId, ProductionId, Symbol};
use gramercy_language::Language;

use crate::grow::alias_tables::{ANY, Bounds};
use crate::methods::lengths::{self, SmallLengths};

/// How much deeper than need be a part of least length may become.
const PLAY: u32 = 2;

/// What is known of symbols and productions.
#[derive(Debug)]
pub(crate) struct Parts {
    rules: Table<ProductionId, Rule>,
    /// The symbols of productions.
    parts: Vec<ProductionPart>,
    /// Which of a production's parts can have more tokens than the least.
    opens: Vec<u32>,
    /// The least tokens of a nonterminal that derives anything.
    least: Table<NonterminalId, u32>,
    /// The greatest height of a tree that has them.
    height: Table<NonterminalId, u32>,
    /// Of productions with shortest yields the least height, of trees with shortest yields only.
    shortest: Table<ProductionId, Option<u32>>,
    /// What productions that derive anything have at least and can have at most.
    bounds: Table<ProductionId, Option<Bounds>>,
    /// The nonterminals that can have any number of tokens.
    endless: IdSet<NonterminalId>,
    /// Those whose one shortest tree has no tokens.
    silent: IdSet<NonterminalId>,
    /// The lengths that exist, but of those that only pass tokens on.
    lengths: Table<NonterminalId, SmallLengths>,
    /// The productions of those that have but one, with tokens, one open part and nothing to choose.
    passed_on: Table<NonterminalId, Option<ProductionId>>,
}

/// A production: where its parts lie.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    parts: (u32, u32),
    opens: (u32, u32),
    least: u32,
}

/// A symbol of a production.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductionPart {
    pub(crate) symbol: Symbol,
    /// The least tokens it has, and how many more it can have.
    pub(crate) least: u32,
    pub(crate) room: u32,
    /// Whether the only tree with the least has no tokens.
    pub(crate) is_silent: bool,
}

/// A production with everything about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split<'p> {
    /// Its symbols.
    pub(crate) parts: &'p [ProductionPart],
    /// Which of them can have more tokens than the least.
    pub(crate) opens: &'p [u32],
    /// The least tokens of all.
    pub(crate) least: u32,
}

impl Parts {
    pub(crate) fn new(
        language: &Language,
        shortest: &ShortestYield,
        longest: &LongestYield,
    ) -> Self {
        let bnf = language.bnf();
        let usable = |id: ProductionId| language.productive().has_production(id);
        let is_shortest = |production| {
            let lhs = shortest.length(bnf.lhs(production));
            usable(production) && shortest.of_production(bnf, production) == lhs
        };
        let heights = Heights::among(bnf, &is_shortest);
        let bounds = |id| {
            let least = shortest.of_production(bnf, id).filter(|_| usable(id))?;
            Some((small(least), most(longest.of_symbols(bnf.rhs(id)))))
        };
        let height = |id| heights.height(id).unwrap_or(0).saturating_add(PLAY);
        let least = |id| shortest.length(id).map_or(0, small);
        let lowest = |id| heights.of_production(bnf, id).filter(|_| is_shortest(id));
        let mut parts = Self {
            rules: Table::with_capacity(bnf.production_count()),
            parts: Vec::new(),
            opens: Vec::new(),
            least: bnf.cfg().nonterminals().map(least).collect(),
            height: bnf.cfg().nonterminals().map(height).collect(),
            shortest: bnf.cfg().productions().map(lowest).collect(),
            bounds: bnf.cfg().productions().map(bounds).collect(),
            endless: IdSet::new(bnf.cfg().nonterminal_count()),
            silent: IdSet::new(bnf.cfg().nonterminal_count()),
            lengths: lengths::small(language),
            passed_on: Table::filled(None, bnf.cfg().nonterminal_count()),
        };
        let is_endless = |&id: &NonterminalId| longest.length(id) == Longest::Unbounded;
        bnf.cfg().nonterminals().filter(is_endless).for_each(|id| {
            parts.endless.insert(id);
        });
        parts.silent = silent(language, &parts);
        for id in bnf.cfg().productions() {
            parts.add(bnf.rhs(id), longest);
        }
        for nonterminal in bnf.cfg().nonterminals() {
            let mut usable = bnf.productions_of(nonterminal).iter().filter(|&&id| usable(id));
            let only = usable.next().filter(|_| usable.next().is_none());
            parts.passed_on[nonterminal] = only.copied().filter(|&id| parts.is_passing_on(id));
            if parts.passed_on[nonterminal].is_some() {
                parts.lengths[nonterminal] = SmallLengths::ALL;
            }
        }
        parts
    }

    /// Whether a production has tokens and one open part, and nothing else that could be drawn.
    fn is_passing_on(&self, production: ProductionId) -> bool {
        let split = self.split(production);
        let [open] = split.opens else { return false };
        let is_certain = |part: &ProductionPart| {
            part.room > 0 || part.is_silent || matches!(part.symbol, Symbol::Terminal(_))
        };
        split.least > split.parts[*open as usize].least && split.parts.iter().all(is_certain)
    }

    fn add(&mut self, rhs: &[Symbol], longest: &LongestYield) {
        let begin = (to_u32(self.parts.len()), to_u32(self.opens.len()));
        for (at, &symbol) in rhs.iter().enumerate() {
            let part = self.part(symbol, longest);
            if part.room > 0 {
                self.opens.push(to_u32(at));
            }
            self.parts.push(part);
        }
        let sum = rhs.iter().map(|&symbol| self.least_of(symbol)).fold(0, u32::saturating_add);
        self.rules.push(Rule {
            parts: (begin.0, to_u32(self.parts.len())),
            opens: (begin.1, to_u32(self.opens.len())),
            least: sum,
        });
    }

    fn part(&self, symbol: Symbol, longest: &LongestYield) -> ProductionPart {
        let least = self.least_of(symbol);
        let is_silent = match symbol {
            Symbol::Terminal(_) => false,
            Symbol::Nonterminal(id) => self.is_silent(id),
        };
        let room = match most(longest.of_symbols(&[symbol])) {
            ANY => ANY,
            most => most.saturating_sub(least),
        };
        ProductionPart { symbol, least, room, is_silent }
    }

    fn least_of(&self, symbol: Symbol) -> u32 {
        match symbol {
            Symbol::Terminal(_) => 1,
            Symbol::Nonterminal(id) => self.least[id],
        }
    }

    /// The least tokens of a nonterminal that derives anything.
    #[inline]
    pub(crate) fn least(&self, nonterminal: NonterminalId) -> u32 {
        self.least[nonterminal]
    }

    /// How many of so many tokens a nonterminal that can have some of them can have, as far as that is
    /// known.
    #[inline]
    pub(crate) fn fitting(&self, nonterminal: NonterminalId, tokens: u32) -> u32 {
        self.lengths[nonterminal].up_to(tokens)
    }

    /// From how many tokens on all fit, as far as that is known.
    pub(crate) fn without_gap(&self, nonterminal: NonterminalId) -> u32 {
        self.lengths[nonterminal].without_gap()
    }

    /// Whether a nonterminal can have any number of tokens.
    #[inline]
    pub(crate) fn is_endless(&self, nonterminal: NonterminalId) -> bool {
        self.endless.contains(nonterminal)
    }

    /// The only production of a nonterminal that gives all tokens beyond its own to one part: a caller that puts it
    /// down need not draw anything.
    #[inline]
    pub(crate) fn passes_on(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.passed_on[nonterminal]
    }

    /// Whether the only tree with the least tokens has none.
    pub(crate) fn is_silent(&self, nonterminal: NonterminalId) -> bool {
        self.silent.contains(nonterminal)
    }

    /// The greatest height of a tree that has them.
    pub(crate) fn height(&self, nonterminal: NonterminalId) -> u32 {
        self.height[nonterminal]
    }

    /// How many tokens a production has at least and can have at most, if it derives anything.
    pub(crate) fn bounds(&self, production: ProductionId) -> Option<Bounds> {
        self.bounds[production]
    }

    /// The heights that a production with a shortest yield can have.
    pub(crate) fn heights(&self, production: ProductionId) -> Option<Bounds> {
        self.shortest[production].map(|least| (least, ANY))
    }

    /// A production.
    #[inline]
    pub(crate) fn split(&self, production: ProductionId) -> Split<'_> {
        let Rule { parts, opens, least } = self.rules[production];
        Split {
            parts: &self.parts[parts.0 as usize..parts.1 as usize],
            opens: &self.opens[opens.0 as usize..opens.1 as usize],
            least,
        }
    }
}

/// The nonterminals whose one shortest tree has no tokens: nothing is drawn for it.
fn silent(language: &Language, parts: &Parts) -> IdSet<NonterminalId> {
    let bnf = language.bnf();
    let mut silent = IdSet::new(bnf.cfg().nonterminal_count());
    let mut order: Vec<NonterminalId> =
        bnf.cfg().nonterminals().filter(|&id| parts.least[id] == 0).collect();
    // Trees of shortest yields are made of lower ones.
    order.sort_by_key(|&id| parts.height[id]);
    for nonterminal in order {
        let productions = bnf.productions_of(nonterminal).iter();
        let mut shortest = productions.filter(|&&id| parts.shortest[id].is_some());
        let only = shortest.next().filter(|_| shortest.next().is_none());
        let is_silent = |symbol: &Symbol| match symbol {
            Symbol::Terminal(_) => false,
            Symbol::Nonterminal(id) => silent.contains(*id),
        };
        if only.is_some_and(|&id| bnf.rhs(id).iter().all(is_silent)) {
            silent.insert(nonterminal);
        }
    }
    silent
}

fn most(longest: Longest) -> u32 {
    match longest {
        Longest::Nothing => 0,
        Longest::Tokens(most) => small(most).min(ANY - 1),
        Longest::Unbounded => ANY,
    }
}

/// Beyond what fits, everything is as long.
fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
