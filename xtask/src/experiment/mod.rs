//! Experiments: figures that are shown beside published ones, `cargo xtask experiment NAME`.
//!
//! An experiment is a line in [`EXPERIMENTS`] and a function. Its short form takes some seconds.

mod localization;

use std::time::Instant;

use crate::extent::Extent;
use crate::process::Fallible;
use crate::say;

/// An experiment.
struct Experiment {
    name: &'static str,
    about: &'static str,
    run: fn(Extent) -> Fallible,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "faults",
        about: "real faults of grammars are localized and repaired",
        run: localization::faults,
    },
    Experiment {
        name: "seeded-faults",
        about: "seeded faults of grammars are localized, by kind of fault and by suite",
        run: localization::seeded_faults,
    },
];

/// Runs the named experiments, or lists all.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (extent, names) = Extent::of(arguments).ok_or_else(usage)?;
    let chosen = choose(&names, extent).ok_or_else(usage)?;
    for experiment in chosen {
        say(&format!("== {}: {}", experiment.name, experiment.about));
        let begin = Instant::now();
        (experiment.run)(extent).map_err(|problem| format!("{}: {problem}", experiment.name))?;
        say(&format!("== {}, {} s", experiment.name, begin.elapsed().as_secs()));
    }
    Ok(())
}

/// The experiments with these names. Without names, `--short` selects all.
fn choose(names: &[&str], extent: Extent) -> Option<Vec<&'static Experiment>> {
    if *names == ["all"] || (names.is_empty() && extent == Extent::Short) {
        return Some(EXPERIMENTS.iter().collect());
    }
    let named = |name: &&str| EXPERIMENTS.iter().find(|known| known.name == *name);
    let found: Option<Vec<_>> = names.iter().map(named).collect();
    found.filter(|found| !found.is_empty())
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|known| format!("  {:14} {}", known.name, known.about));
    let lines: Vec<_> = lines.collect();
    format!("usage: cargo xtask experiment NAME... [--short], or all of\n\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{EXPERIMENTS, Extent, choose};

    #[test]
    fn experiments_have_names_of_their_own() {
        let names: BTreeSet<_> = EXPERIMENTS.iter().map(|known| known.name).collect();
        assert_eq!(names.len(), EXPERIMENTS.len());
        assert!(EXPERIMENTS.iter().all(|known| !known.about.is_empty()));
    }

    #[test]
    fn experiments_are_chosen_by_name() {
        let all = Some(EXPERIMENTS.len());
        assert_eq!(choose(&[], Extent::Short).map(|found| found.len()), all);
        assert_eq!(choose(&["faults"], Extent::Full).map(|found| found.len()), Some(1));
        assert!(choose(&["lore"], Extent::Full).is_none());
    }
}
