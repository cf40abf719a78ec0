//! Proofs that compare with other programs or take too long for every change: `cargo xtask proof
//! NAME`.
//!
//! A proof is a line in [`PROOFS`] and a module. It runs our programs as users do, and fails with a
//! message that names everything that does not hold. Each has two extents: the full one installs
//! the programs it needs; the short one takes some seconds, is part of every change, and prints
//! what it skips if a program is missing.

mod bison;
mod campaigns;
mod grammar_changes;
mod hostile;
mod judged;
mod negatives;
mod readers;
mod reports;
mod slurm;
mod small_suites;
mod uniform;

use std::time::Instant;

use crate::extent::Extent;
use crate::process::Fallible;
use crate::say;

/// A proof.
struct Proof {
    name: &'static str,
    about: &'static str,
    run: fn(Extent) -> Fallible,
}

const PROOFS: &[Proof] = &[
    Proof {
        name: "bison",
        about: "states and conflicts of LALR(1) and LR(1) automata are those of bison",
        run: bison::run,
    },
    Proof {
        name: "antlr",
        about: "ANTLR accepts what we accept, and every text of a random tree",
        run: judged::antlr,
    },
    Proof {
        name: "suites",
        about: "suites of every criterion parse and cover what they say; ANTLR accepts them",
        run: judged::suites,
    },
    Proof {
        name: "lr-suites",
        about: "whole suites over LR-graphs parse, and the parses take every edge",
        run: judged::lr_suites,
    },
    Proof {
        name: "preferred-trees",
        about: "preferred trees are those that ANTLR and bison build themselves",
        run: judged::preferred_trees,
    },
    Proof {
        name: "small-suites",
        about: "smaller suites cover no less, random ones no more, and examples are completed",
        run: small_suites::run,
    },
    Proof {
        name: "negatives",
        about: "no negative test is accepted, and each is rejected where it says",
        run: negatives::run,
    },
    Proof {
        name: "negatives-programs",
        about: "programs that many people use reject negative tests, or it is explained why not",
        run: negatives::programs::run,
    },
    Proof {
        name: "negatives-tools",
        about: "ANTLR and bison reject negative tests, at the token that we name",
        run: judged::negatives,
    },
    Proof {
        name: "uniform",
        about: "uniform trees and words are uniform, and a bias of one in a thousand is noticed",
        run: uniform::run,
    },
    Proof {
        name: "law",
        about: "what is written is read back as the same productions, on every grammar there is",
        run: readers::law,
    },
    Proof {
        name: "fuzz",
        about: "mutated grammars make no reader panic, hang or grow",
        run: readers::fuzz,
    },
    Proof {
        name: "bad-input",
        about: "what is 100,000 deep, 50 MB long or no text at all gets its diagnostic",
        run: readers::bad_input,
    },
    Proof {
        name: "hostile",
        about: "calls that ask for too much end soon, with an answer or a diagnostic",
        run: hostile::run,
    },
    Proof {
        name: "hostile-programs",
        about: "programs that hang, fork, fill and kill leave nothing behind and lose no verdict",
        run: campaigns::hostile,
    },
    Proof {
        name: "killed-campaigns",
        about: "a campaign that is killed again and again ends as if it never had been",
        run: campaigns::killed,
    },
    Proof {
        name: "grammar-changes",
        about: "a difference is found in every real change of a grammar",
        run: grammar_changes::run,
    },
    Proof {
        name: "report-page",
        about: "the HTML report works in a browser, is valid and asks no network",
        run: reports::page,
    },
    Proof {
        name: "report-forms",
        about: "SARIF, JUnit and TAP are valid and read by other people's programs",
        run: reports::forms,
    },
    Proof {
        name: "slurm",
        about: "a job array with a requeued task gives the report of a single run",
        run: slurm::run,
    },
];

/// Runs the named proofs, or lists all.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (extent, names) = Extent::of(arguments).ok_or_else(usage)?;
    let chosen = choose(&names, extent).ok_or_else(usage)?;
    let failures: Vec<_> =
        chosen.into_iter().filter_map(|proof| prove(proof, extent).err()).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The proofs with these names. Without names, `--short` selects all.
fn choose(names: &[&str], extent: Extent) -> Option<Vec<&'static Proof>> {
    if *names == ["all"] || (names.is_empty() && extent == Extent::Short) {
        return Some(PROOFS.iter().collect());
    }
    let named = |name: &&str| PROOFS.iter().find(|proof| proof.name == *name);
    let found: Option<Vec<_>> = names.iter().map(named).collect();
    found.filter(|found| !found.is_empty())
}

fn prove(proof: &Proof, extent: Extent) -> Fallible {
    say(&format!("== {}: {}", proof.name, proof.about));
    let begin = Instant::now();
    let result = (proof.run)(extent);
    let how = if result.is_ok() { "holds" } else { "does not hold" };
    say(&format!("== {} {how}, {} s", proof.name, begin.elapsed().as_secs()));
    result.map_err(|problem| format!("{}: {problem}", proof.name))
}

fn usage() -> String {
    let lines = PROOFS.iter().map(|proof| format!("  {:10} {}", proof.name, proof.about));
    let lines: Vec<_> = lines.collect();
    format!("usage: cargo xtask proof NAME... [--short], or all of\n\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Extent, PROOFS, choose};

    #[test]
    fn proofs_have_names_of_their_own() {
        let names: BTreeSet<_> = PROOFS.iter().map(|proof| proof.name).collect();
        assert_eq!(names.len(), PROOFS.len());
        assert!(PROOFS.iter().all(|proof| !proof.about.is_empty()));
    }

    #[test]
    fn proofs_are_chosen_by_name() {
        let chosen = |names: &[&str], extent| {
            choose(names, extent).map(|found| found.iter().map(|it| it.name).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&["law", "bison"], Extent::Full), Some(vec!["law", "bison"]));
        assert_eq!(chosen(&["all"], Extent::Full).map(|all| all.len()), Some(PROOFS.len()));
        assert_eq!(chosen(&[], Extent::Short).map(|all| all.len()), Some(PROOFS.len()));
        assert_eq!(chosen(&[], Extent::Full), None);
        assert_eq!(chosen(&["lore"], Extent::Full), None);
    }
}
