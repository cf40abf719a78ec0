//! The tables of seeded faults: shares by kind of fault, by suite and by grammar.

use super::repairs::RepairedFault;
use super::seeding::{FaultKind, Position};
use super::{Rank, Ranks, SUITES};
use crate::columns::aligned;
use crate::faults::percent;

/// What is published for single faults.
const PUBLISHED: &str = "published for single faults: rules first in 41.5 % and in the top five in 73.6 % with spectra \
    of real parsers, 60.4 % and 97.0 % with synthetic spectra; items first in 43.4 %, in the top five in 70.1 %; \
    faults at the first position of an alternative: median ranks of 50 to 82 % of all rules";

/// All tables.
#[must_use]
pub fn tables(ranks: &[(String, Ranks)]) -> String {
    let all: Vec<_> = ranks.iter().map(|(_, ranks)| ranks).collect();
    let mut rows = Vec::new();
    for kind in FaultKind::ALL {
        let of: Vec<_> = all.iter().copied().filter(|ranks| ranks.kind == kind).collect();
        rows.extend(by_suite(kind.name(), &of));
    }
    let first = |ranks: &&&Ranks| ranks.position == Position::First;
    let at_first: Vec<_> = all.iter().filter(first).copied().collect();
    rows.extend(by_suite("at the first position", &at_first));
    rows.extend(by_suite("all", &all));
    let mut grammars: Vec<&str> = ranks.iter().map(|(grammar, _)| &**grammar).collect();
    grammars.dedup();
    for grammar in grammars {
        let of = ranks.iter().filter(|(name, _)| name == grammar);
        let of: Vec<_> = of.map(|(_, ranks)| ranks).collect();
        rows.extend(by_suite(grammar, &of).pop());
    }
    let head =
        ["fault", "suite", "noticed", "first", "top five", "median", "item first", "item top five"];
    format!("{}\n\n{} faults; {PUBLISHED}", aligned(&head, &rows).join("\n"), ranks.len())
}

fn by_suite(name: &str, of: &[&Ranks]) -> Vec<[String; 8]> {
    let suites = SUITES.iter().copied().chain(["union"]).enumerate();
    suites.filter_map(|(at, suite)| row(name, suite, at, of)).collect()
}

fn row(name: &str, suite: &str, at: usize, of: &[&Ranks]) -> Option<[String; 8]> {
    let noticed = of.iter().filter_map(|ranks| Some((ranks.ranks[at]?, ranks.rules)));
    let noticed: Vec<(Rank, usize)> = noticed.collect();
    if noticed.is_empty() {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "numbers of rules")]
    let mut parts: Vec<_> =
        noticed.iter().map(|(rank, rules)| 100.0 * rank.rule / *rules as f64).collect();
    parts.sort_by(f64::total_cmp);
    let within = |most: f64| noticed.iter().filter(|(rank, _)| rank.rule <= most).count();
    let items: Vec<_> = noticed.iter().filter_map(|(rank, _)| rank.item).collect();
    let items_within = |most: f64| match items.is_empty() {
        true => "-".to_owned(),
        false => percent(items.iter().filter(|&&rank| rank <= most).count(), items.len()),
    };
    Some([
        name.to_owned(),
        suite.to_owned(),
        format!("{}/{}", noticed.len(), of.len()),
        percent(within(1.0), noticed.len()),
        percent(within(5.0), noticed.len()),
        format!("{:.1} %", parts[parts.len() / 2]),
        items_within(1.0),
        items_within(5.0),
    ])
}

/// The shares of repaired faults.
#[must_use]
pub fn repairs(repaired: &[RepairedFault]) -> String {
    let row = |name: &str, of: &[&RepairedFault]| {
        let passes = of.iter().filter(|fault| fault.passes).count();
        let first = of.iter().filter(|fault| fault.equal == Some(0)).count();
        let any = of.iter().filter(|fault| fault.equal.is_some()).count();
        let share = |count: usize| percent(count, of.len());
        [name.to_owned(), of.len().to_string(), share(passes), share(first), share(any)]
    };
    let mut rows = Vec::new();
    for kind in FaultKind::ALL {
        let of: Vec<_> = repaired.iter().filter(|fault| fault.kind == kind).collect();
        if !of.is_empty() {
            rows.push(row(kind.name(), &of));
        }
    }
    rows.push(row("all", &repaired.iter().collect::<Vec<_>>()));
    let head = ["fault", "repaired", "all tests pass", "first patch equal", "one of three equal"];
    aligned(&head, &rows).join("\n")
}
