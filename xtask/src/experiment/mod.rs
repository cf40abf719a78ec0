//! Experiments: figures beside those of other programs, over many cases: `cargo xtask experiment NAME`.
//!
//! An experiment is a line in [`EXPERIMENTS`] and a module. It writes a report below the target directory, and fails
//! if a figure is not what we promise. The full extent installs the programs it compares with; the short one takes some
//! seconds and what is there, and is part of every change.

mod reduce;

use crate::extent::Extent;
use crate::process::Fallible;
use crate::say;

struct Experiment {
    name: &'static str,
    about: &'static str,
    run: fn(Extent) -> Fallible,
}

const EXPERIMENTS: &[Experiment] = &[Experiment {
    name: "reduce",
    about: "sizes and runs of reductions beside ddmin, Picireny and Shrink Ray",
    run: reduce::run,
}];

/// Runs the named experiments, or lists all. `--short` alone selects all.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (extent, names) = Extent::of(arguments).ok_or_else(usage)?;
    let all = *names == ["all"] || (names.is_empty() && extent == Extent::Short);
    let named = |name: &&str| EXPERIMENTS.iter().find(|experiment| experiment.name == *name);
    let chosen: Option<Vec<&Experiment>> =
        if all { Some(EXPERIMENTS.iter().collect()) } else { names.iter().map(named).collect() };
    let chosen = chosen.filter(|chosen| !chosen.is_empty()).ok_or_else(usage)?;
    for experiment in chosen {
        say(&format!("experiment {}: {}", experiment.name, experiment.about));
        (experiment.run)(extent)?;
    }
    Ok(())
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|one| format!("  {:10} {}", one.name, one.about));
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!("usage: cargo xtask experiment [--short] NAME…|all\n\n{lines}")
}
