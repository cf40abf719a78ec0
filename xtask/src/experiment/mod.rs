//! Experiments that take long and give tables: `cargo xtask experiment NAME`.
//!
//! An experiment is a line in [`EXPERIMENTS`] and a module. It runs our programs as users do and writes a report below
//! the target directory. The full extent installs the programs it needs; the short one takes some seconds, is part of
//! every change, and prints what it skips if a program is missing.

mod campaigns;
mod learn;
mod localization;
mod negative_suites;
mod plans;
mod reduce;

use std::time::Instant;

use crate::extent::Extent;
use crate::process::Fallible;
use crate::say;

/// An experiment.
struct Experiment {
    name: &'static str,
    about: &'static str,
    /// Takes the extent and the names of subjects; all if there are none.
    run: fn(Extent, &[&str]) -> Fallible,
}

const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "campaigns",
        about: "suites of well-known languages against well-known programs, each disagreement explained",
        run: campaigns::run,
    },
    Experiment {
        name: "learn",
        about: "which input features reach which code of real programs, beside published tables",
        run: learn::run,
    },
    Experiment {
        name: "failures",
        about: "why real programs reject inputs that their grammar allows",
        run: learn::failures::run,
    },
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
    Experiment {
        name: "negative-suites",
        about: "how many negative tests the default suite and each criterion have",
        run: negative_suites::run,
    },
    Experiment {
        name: "plans",
        about: "numbers of tests that cover all nonterminals, uniform and planned, predicted and simulated",
        run: plans::run,
    },
    Experiment {
        name: "reduce",
        about: "sizes and runs of reductions beside ddmin, Picireny and Shrink Ray",
        run: reduce::run,
    },
];

/// Runs the named experiment, or all short ones. Further names choose its subjects.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (extent, names) = Extent::of(arguments).ok_or_else(usage)?;
    let Some((first, subjects)) = names.split_first() else {
        return match extent {
            Extent::Short => EXPERIMENTS.iter().try_for_each(|one| perform(one, extent, &[])),
            Extent::Full => Err(usage()),
        };
    };
    let found = EXPERIMENTS.iter().find(|experiment| experiment.name == *first);
    perform(found.ok_or_else(usage)?, extent, subjects)
}

fn perform(experiment: &Experiment, extent: Extent, subjects: &[&str]) -> Fallible {
    say(&format!("== {}: {}", experiment.name, experiment.about));
    let begin = Instant::now();
    let result = (experiment.run)(extent, subjects);
    say(&format!("== {}, {} s", experiment.name, begin.elapsed().as_secs()));
    result.map_err(|problem| format!("{}: {problem}", experiment.name))
}

fn usage() -> String {
    let lines = EXPERIMENTS.iter().map(|one| format!("  {:10} {}", one.name, one.about));
    let lines: Vec<_> = lines.collect();
    format!("usage: cargo xtask experiment NAME [SUBJECT...] [--short], of\n\n{}", lines.join("\n"))
}
