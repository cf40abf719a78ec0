//! What is shown beside other programs, or takes too long for every day: `cargo xtask proof NAME`.
//!
//! A proof is a line in [`PROOFS`] and a module. It runs our programs from outside, as users do, and
//! fails with a sentence that names everything that did not hold. Each has two forms: the full one,
//! which installs the programs it needs, and a short one of some seconds, which every change must
//! pass and which says what it leaves out where a program is missing.

mod bison;
mod judged;
mod readers;
mod small_suites;
mod uniform;

use std::time::Instant;

use crate::form::Form;
use crate::process::Fallible;
use crate::say;

/// Something that can be shown.
struct Proof {
    name: &'static str,
    about: &'static str,
    run: fn(Form) -> Fallible,
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
        name: "small-suites",
        about: "smaller suites cover no less, random ones no more, and examples are completed",
        run: small_suites::run,
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
];

/// Runs the proofs that are named, or lists all.
pub(crate) fn run(arguments: &[String]) -> Fallible {
    let (form, names) = Form::of(arguments).ok_or_else(usage)?;
    let chosen = choose(&names, form).ok_or_else(usage)?;
    let failures: Vec<_> =
        chosen.into_iter().filter_map(|proof| prove(proof, form).err()).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// The proofs of these names. The short forms are all wanted if none is named.
fn choose(names: &[&str], form: Form) -> Option<Vec<&'static Proof>> {
    if *names == ["all"] || (names.is_empty() && form == Form::Short) {
        return Some(PROOFS.iter().collect());
    }
    let named = |name: &&str| PROOFS.iter().find(|proof| proof.name == *name);
    let found: Option<Vec<_>> = names.iter().map(named).collect();
    found.filter(|found| !found.is_empty())
}

fn prove(proof: &Proof, form: Form) -> Fallible {
    say(&format!("== {}: {}", proof.name, proof.about));
    let begin = Instant::now();
    let result = (proof.run)(form);
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

    use super::{Form, PROOFS, choose};

    #[test]
    fn proofs_have_names_of_their_own() {
        let names: BTreeSet<_> = PROOFS.iter().map(|proof| proof.name).collect();
        assert_eq!(names.len(), PROOFS.len());
        assert!(PROOFS.iter().all(|proof| !proof.about.is_empty()));
    }

    #[test]
    fn proofs_are_chosen_by_name() {
        let chosen = |names: &[&str], form| {
            choose(names, form).map(|found| found.iter().map(|it| it.name).collect::<Vec<_>>())
        };
        assert_eq!(chosen(&["law", "bison"], Form::Full), Some(vec!["law", "bison"]));
        assert_eq!(chosen(&["all"], Form::Full).map(|all| all.len()), Some(PROOFS.len()));
        assert_eq!(chosen(&[], Form::Short).map(|all| all.len()), Some(PROOFS.len()));
        assert_eq!(chosen(&[], Form::Full), None);
        assert_eq!(chosen(&["lore"], Form::Full), None);
    }
}
