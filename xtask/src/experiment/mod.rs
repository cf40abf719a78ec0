//! Experiments whose results stand in the guide: `cargo xtask experiment NAME`.
//!
//! An experiment is a line in [`EXPERIMENTS`] and a module. It runs our programs as users do, and prints tables in
//! Markdown. Each has two extents: the full one installs the programs it needs; the short one takes some seconds, and
//! prints what it skips if a program is missing.

mod campaigns;

use crate::extent::Extent;
use crate::process::Fallible;
use crate::say;

/// An experiment.
struct Experiment {
    name: &'static str,
    about: &'static str,
    run: fn(Extent) -> Fallible,
}

const EXPERIMENTS: &[Experiment] = &[Experiment {
    name: "campaigns",
    about: "suites of well-known languages against well-known programs, each disagreement explained",
    run: campaigns::run,
}];

/// Runs the named experiments, or lists all.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (extent, names) = Extent::of(arguments).ok_or_else(usage)?;
    let named = |name: &&str| EXPERIMENTS.iter().find(|experiment| experiment.name == *name);
    let chosen: Option<Vec<_>> = match names[..] {
        [] if extent == Extent::Short => Some(EXPERIMENTS.iter().collect()),
        ref names => names.iter().map(named).collect(),
    };
    let chosen = chosen.filter(|chosen| !chosen.is_empty()).ok_or_else(usage)?;
    for experiment in chosen {
        say(&format!("== {}: {}", experiment.name, experiment.about));
        (experiment.run)(extent).map_err(|problem| format!("{}: {problem}", experiment.name))?;
    }
    Ok(())
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|one| format!("  {:10} {}", one.name, one.about));
    let lines: Vec<_> = lines.collect();
    format!("usage: cargo xtask experiment NAME... [--short], one of\n\n{}", lines.join("\n"))
}
