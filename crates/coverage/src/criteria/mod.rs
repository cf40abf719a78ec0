//! The criteria, a file each, and their registry.

pub mod bfs;
pub mod deriv;
pub mod kpath;
pub mod lexeme;
pub mod lr_edge;
pub mod lr_path;
pub mod pair;
pub mod pll;
pub mod rule;
pub mod step;
pub mod symbol;

mod bottom_up;
mod relation;

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Cfg, ProductionId, Symbol};
use gramercy_language::Language;

use crate::criterion::Uncoverable;
use crate::spec::{Argument, Entry, Takes};

/// All criteria, in the order of help texts.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "symbol",
        takes: Takes::Nothing,
        help: "every symbol occurs",
        build: |language, _| Ok(Box::new(symbol::Symbols::new(language))),
    },
    Entry {
        name: "rule",
        takes: Takes::Nothing,
        help: "every production is used",
        build: |language, _| Ok(Box::new(rule::Rules::new(language))),
    },
    Entry {
        name: "step",
        takes: Takes::Number,
        help: "every chain of K nested productions occurs",
        build: |language, argument| Ok(Box::new(step::Steps::new(language, argument.k)?)),
    },
    Entry {
        name: "bfs",
        takes: Takes::Number,
        help: "everything occurs that K rounds of replacing all nonterminals can give",
        build: |language, argument| Ok(Box::new(bfs::Bfs::new(language, argument.k)?)),
    },
    Entry {
        name: "deriv",
        takes: Takes::Nothing,
        help: "every symbol occurs below every nonterminal that derives it",
        build: |language, _| Ok(Box::new(deriv::Deriv::new(language))),
    },
    Entry {
        name: "pll",
        takes: Takes::Nothing,
        help: "every nonterminal begins with every terminal it can begin with",
        build: |language, _| Ok(Box::new(pll::Pll::new(language))),
    },
    Entry {
        name: "pair",
        takes: Takes::Nothing,
        help: "every two symbols are neighbours that can be",
        build: |language, _| Ok(Box::new(pair::Pairs::new(language))),
    },
    Entry {
        name: "kpath",
        takes: Takes::Number,
        help: "every path of K symbolic nodes of the grammar graph occurs",
        build: |language, argument| Ok(Box::new(kpath::KPath::new(language, argument.k)?)),
    },
    Entry {
        name: "lexeme",
        takes: Takes::Number,
        help: "every path of K symbolic nodes inside every token rule occurs in a lexeme",
        build: |language, argument| Ok(Box::new(lexeme::Lexemes::new(language, argument.k)?)),
    },
    Entry {
        name: "push-edge",
        takes: Takes::Automaton,
        help: "every push edge of the LR-graph is taken; measured only",
        build: |language, argument| {
            Ok(Box::new(lr_edge::LrEdges::push(language, argument.automaton)?))
        },
    },
    Entry {
        name: "pop-edge",
        takes: Takes::Automaton,
        help: "every pop edge of the LR-graph is taken",
        build: |language, argument| {
            Ok(Box::new(lr_edge::LrEdges::pop(language, argument.automaton)?))
        },
    },
    Entry {
        name: "lr-path",
        takes: Takes::NumberAndAutomaton,
        help: "every K pop edges of the LR-graph that can follow each other do",
        build: |language, Argument { k, automaton }| {
            Ok(Box::new(lr_path::LrPaths::new(language, k, automaton)?))
        },
    },
];

/// Another name of a criterion.
#[derive(Debug)]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// The criterion it stands for.
    pub stands_for: &'static str,
    /// Whether the criterion is shown by this name.
    pub is_usual: bool,
}

/// The other names.
pub const ALIASES: &[Alias] = &[
    Alias { name: "cdrc", stands_for: "step:2", is_usual: true },
    Alias { name: "cdrc-full", stands_for: "bfs:2", is_usual: false },
];

/// The limit that more targets than can be held would break.
pub(crate) fn too_many_targets(limits: &Limits) -> LimitReached {
    LimitReached { what: "targets", limit: limits.targets, option: Some("--max-targets") }
}

/// Whether tables of K levels over a grammar are of a size that can be held.
fn check_levels(cfg: &Cfg, k: u32, limits: &Limits) -> Result<(), LimitReached> {
    let level = cfg.size() + cfg.production_count();
    match usize::try_from(k).unwrap_or(usize::MAX).saturating_mul(level) <= limits.symbols {
        true => Ok(()),
        false => Err(LimitReached {
            what: "entries in the tables of all levels",
            limit: limits.symbols,
            option: None,
        }),
    }
}

/// Why no sentence uses a production; `None` if one does.
fn useless_production(language: &Language, production: ProductionId) -> Option<Uncoverable> {
    if language.useful().has_production(production) {
        None
    } else if language.productive().has_production(production) {
        Some(Uncoverable::Unreachable)
    } else {
        Some(Uncoverable::Unproductive)
    }
}

/// Why no sentence uses both symbols of a pair; `None` if no symbol is the reason.
fn useless_of_pair(language: &Language, (left, right): (Symbol, Symbol)) -> Option<Uncoverable> {
    useless_symbol(language, left).or(useless_symbol(language, right))
}

/// Why no sentence uses a symbol; `None` if one does.
fn useless_symbol(language: &Language, symbol: Symbol) -> Option<Uncoverable> {
    let is_unproductive = |symbol| match symbol {
        Symbol::Nonterminal(id) => !language.productive().contains(id),
        Symbol::Terminal(_) => false,
    };
    if language.useful().contains(symbol) {
        None
    } else if is_unproductive(symbol) {
        Some(Uncoverable::Unproductive)
    } else {
        Some(Uncoverable::Unreachable)
    }
}
