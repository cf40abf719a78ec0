//! What is fixed about a tree that is searched for.

use gramercy_grammar::{Bnf, Cfg, Origin, ProductionId, RuleId, Symbol, TerminalId};

use crate::contexts::Step;

/// A part of a tree that is fixed, or not.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Production(ProductionId),
    /// Anything below a symbol, this number of levels below what is fixed.
    Free(Symbol, u32),
    /// Nothing below a symbol.
    Nothing(Symbol),
    /// A token where a rule is to match something: of it, or before it.
    Matched(TerminalId, RuleId),
}

/// What is fixed about a tree.
#[derive(Debug, Default)]
pub struct Skeleton {
    items: Vec<Item>,
}

impl Skeleton {
    /// A way down from the start symbol, and the production after it, if that is given.
    pub fn of_way(cfg: &Cfg, steps: &[Step], last: Option<ProductionId>) -> Self {
        let mut skeleton = Self::default();
        for step in steps {
            skeleton.production(step.production);
            skeleton.free(&cfg.rhs(step.production)[..step.position]);
        }
        match (last, steps.last()) {
            (Some(last), _) => {
                skeleton.production(last);
                skeleton.free(cfg.rhs(last));
            }
            (None, Some(step)) => {
                skeleton.free(&cfg.rhs(step.production)[step.position..=step.position]);
            }
            (None, None) => skeleton.free(&[Symbol::Nonterminal(cfg.start())]),
        }
        for step in steps.iter().rev() {
            skeleton.free(&cfg.rhs(step.production)[step.position + 1..]);
        }
        skeleton
    }

    /// A way down from the start symbol to a token where a rule is to match something.
    pub(super) fn of_match(cfg: &Cfg, steps: &[Step], rule: RuleId) -> Self {
        let mut skeleton = Self::of_way(cfg, steps, None);
        let behind = |step: &Step| cfg.rhs(step.production).len() - step.position - 1;
        let at = skeleton.items.len() - 1 - steps.iter().map(behind).sum::<usize>();
        let Item::Free(Symbol::Terminal(token), _) = skeleton.items[at] else {
            unreachable!("invariant: the last step is to a token");
        };
        skeleton.items[at] = Item::Matched(token, rule);
        skeleton
    }

    /// Adds a production; its parts follow.
    pub fn production(&mut self, production: ProductionId) {
        self.items.push(Item::Production(production));
    }

    /// Adds symbols with anything below them.
    pub fn free(&mut self, symbols: &[Symbol]) {
        self.items.extend(symbols.iter().map(|&symbol| Item::Free(symbol, 0)));
    }

    /// Adds symbols with nothing below them.
    pub fn vanish(&mut self, symbols: &[Symbol]) {
        self.items.extend(symbols.iter().map(|&symbol| Item::Nothing(symbol)));
    }

    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }
}

/// Ways that go once more through one of the repetitions on a way, or on the production after it: so something else
/// follows in the repetition, where the way itself ends with it.
///
/// Example: the way to `COMMENT` in `(NL COMMENT?)* COMMA` makes the comment the neighbour of the comma. One that goes
/// once more through the repetition leaves room for a line end between them.
#[must_use]
pub fn stretched(bnf: &Bnf, steps: &[Step], last: Option<ProductionId>) -> Vec<Vec<Step>> {
    let productions = steps.iter().map(|step| step.production).chain(last);
    let mut found = Vec::new();
    for (at, production) in productions.enumerate() {
        let id = bnf.lhs(production);
        let is_rule = matches!(bnf.nonterminals()[id].origin, Origin::Rule(_));
        let again = bnf.cfg().productions_of(id).iter().find_map(|&production| {
            let is_same = |symbol: &Symbol| *symbol == Symbol::Nonterminal(id);
            let position = bnf.rhs(production).iter().position(is_same)?;
            Some(Step { production, position })
        });
        if let Some(again) = again.filter(|_| !is_rule) {
            found.push([&steps[..at], &[again], &steps[at..]].concat());
        }
    }
    found
}
