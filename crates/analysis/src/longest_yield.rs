//! The length of the longest string that a nonterminal derives, or that it is unbounded.
//!
//! The length is unbounded exactly if a nonterminal derives itself with a terminal next to it. So
//! the components of the derivation graph are solved successors first. A component is unbounded if
//! one of its productions refers back to the component next to symbols that can have text, or
//! refers back twice and some production has text. In any other component, a reference back adds
//! nothing, and the longest string is that of the best production without its references back.
//! Linear in the grammar.
//!
//! Example: in `S: A A; A: a | B; B: A E; E: ;` the component {A, B} is bounded, because E has no
//! text: A has length 1 and S has length 2. With `E: e | ;` both are unbounded.

use gramercy_base::Table;
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol};

use crate::{Components, Productive, Rows};

/// The length of a longest string in terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Longest {
    /// There is no string.
    Nothing,
    /// The number of terminals. Lengths beyond 64 bits are all the same.
    Tokens(u64),
    /// There is always a longer string.
    Unbounded,
}

impl Longest {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Longest::Nothing, _) | (_, Longest::Nothing) => Longest::Nothing,
            (Longest::Unbounded, _) | (_, Longest::Unbounded) => Longest::Unbounded,
            (Longest::Tokens(a), Longest::Tokens(b)) => Longest::Tokens(a.saturating_add(b)),
        }
    }
}

/// For each nonterminal the length of its longest string.
#[derive(Clone, Debug)]
pub struct LongestYield(Table<NonterminalId, Longest>);

impl LongestYield {
    /// The longest strings of a grammar.
    #[must_use]
    pub fn of(cfg: &Cfg, productive: &Productive) -> Self {
        let usable = |production: ProductionId| productive.has_production(production);
        let mut edges = Vec::new();
        for production in cfg.productions().filter(|&production| usable(production)) {
            edges.extend(nonterminals(cfg, production).map(|below| (cfg.lhs(production), below)));
        }
        let components = Components::of(&Rows::group(cfg.nonterminal_count(), &edges));
        let mut longest = Self(Table::filled(Longest::Nothing, cfg.nonterminal_count()));
        for component in components.ids() {
            let members = components.members(component);
            let productions = members.iter().flat_map(|&member| cfg.productions_of(member));
            let productions = productions.copied().filter(|&production| usable(production));
            let is_inside = |id| components.component(id) == component;
            let parts = productions.map(|id| longest.apart(cfg, id, is_inside)).collect::<Vec<_>>();
            let best = of_component(&parts);
            members.iter().for_each(|&member| longest.0[member] = best);
        }
        longest
    }

    /// The longest string of the symbols outside a component, and the number of symbols inside it.
    fn apart(
        &self,
        cfg: &Cfg,
        production: ProductionId,
        is_inside: impl Fn(NonterminalId) -> bool,
    ) -> (Longest, usize) {
        let leads_back = |symbol: &Symbol| match *symbol {
            Symbol::Nonterminal(id) => is_inside(id),
            Symbol::Terminal(_) => false,
        };
        let rhs = cfg.rhs(production).iter();
        rhs.fold((Longest::Tokens(0), 0), |(beside, back), symbol| match leads_back(symbol) {
            true => (beside, back + 1),
            false => (beside.plus(self.of_symbol(*symbol)), back),
        })
    }

    fn of_symbol(&self, symbol: Symbol) -> Longest {
        match symbol {
            Symbol::Terminal(_) => Longest::Tokens(1),
            Symbol::Nonterminal(id) => self.0[id],
        }
    }

    /// The length of the longest string of a nonterminal.
    #[must_use]
    pub fn length(&self, nonterminal: NonterminalId) -> Longest {
        self.0[nonterminal]
    }

    /// The length of the longest string that these symbols derive.
    #[must_use]
    pub fn of_symbols(&self, symbols: &[Symbol]) -> Longest {
        let start = Longest::Tokens(0);
        symbols.iter().fold(start, |sum, &symbol| sum.plus(self.of_symbol(symbol)))
    }
}

/// The longest string of a component, from its productions without their references back. A
/// reference back makes the length unbounded if there is text next to it, or if a production has
/// two of them and there is text in any production.
fn of_component(productions: &[(Longest, usize)]) -> Longest {
    let longest = productions.iter().map(|&(beside, _)| beside).max();
    let has_text = longest > Some(Longest::Tokens(0));
    let grows = |&(beside, back): &(Longest, usize)| {
        back > 1 && has_text || back > 0 && beside > Longest::Tokens(0)
    };
    match productions.iter().any(grows) {
        true => Longest::Unbounded,
        false => longest.unwrap_or(Longest::Nothing),
    }
}

fn nonterminals(cfg: &Cfg, production: ProductionId) -> impl Iterator<Item = NonterminalId> + '_ {
    cfg.rhs(production).iter().filter_map(|&symbol| match symbol {
        Symbol::Nonterminal(id) => Some(id),
        Symbol::Terminal(_) => None,
    })
}
