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

use crate::criterion::{Criterion, Uncoverable};
use crate::spec::CriterionSpec;
use crate::views::Views;

/// The criterion of a name, for a grammar.
///
/// # Errors
/// If its targets are too many to be counted or held, or an automaton has too many states.
pub fn build<'v>(
    spec: CriterionSpec,
    views: &'v Views<'v>,
    limits: &Limits,
) -> Result<Box<dyn Criterion + 'v>, LimitReached> {
    let criterion: Box<dyn Criterion + 'v> = match spec {
        CriterionSpec::Symbol => Box::new(symbol::Symbols::new(views)),
        CriterionSpec::Rule => Box::new(rule::Rules::new(views)),
        CriterionSpec::Step(k) => Box::new(step::Steps::new(views, k, limits)?),
        CriterionSpec::Bfs(k) => Box::new(bfs::Bfs::new(views, k, limits)?),
        CriterionSpec::Deriv => Box::new(deriv::Deriv::new(views)),
        CriterionSpec::Pll => Box::new(pll::Pll::new(views)),
        CriterionSpec::Pair => Box::new(pair::Pairs::new(views)),
        CriterionSpec::KPath(k) => Box::new(kpath::KPath::new(views, k, limits)?),
        CriterionSpec::Lexeme(k) => Box::new(lexeme::Lexemes::new(views, k, limits)?),
        CriterionSpec::PushEdge(construction) => {
            Box::new(lr_edge::LrEdges::push(views, construction, limits)?)
        }
        CriterionSpec::PopEdge(construction) => {
            Box::new(lr_edge::LrEdges::pop(views, construction, limits)?)
        }
        CriterionSpec::LrPath(k, construction) => {
            Box::new(lr_path::LrPaths::new(views, k, construction, limits)?)
        }
    };
    match criterion.targets() > limits.targets as u64 {
        true => Err(too_many_targets(limits)),
        false => Ok(criterion),
    }
}

/// The limit that more targets than can be held would break.
fn too_many_targets(limits: &Limits) -> LimitReached {
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
fn useless_production(views: &Views<'_>, production: ProductionId) -> Option<Uncoverable> {
    if views.useful.has_production(production) {
        None
    } else if views.productive.has_production(production) {
        Some(Uncoverable::Unreachable)
    } else {
        Some(Uncoverable::Unproductive)
    }
}

/// Why no sentence uses a symbol; `None` if one does.
fn useless_symbol(views: &Views<'_>, symbol: Symbol) -> Option<Uncoverable> {
    let is_unproductive = |symbol| match symbol {
        Symbol::Nonterminal(id) => !views.productive.contains(id),
        Symbol::Terminal(_) => false,
    };
    if views.useful.contains(symbol) {
        None
    } else if is_unproductive(symbol) {
        Some(Uncoverable::Unproductive)
    } else {
        Some(Uncoverable::Unreachable)
    }
}
