//! The proofs. Each returns whether everything holds.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use gramercy_base::parallel;
use gramercy_proof::antlr::subject::{self, Subject};
use gramercy_proof::antlr::tool::Tool;
use gramercy_proof::antlr::trial::{self, Trial};
use gramercy_proof::seeded_faults::seeding::Fault;
use gramercy_proof::{
    Fallible, antlr, faults, languages, lr_suites, negatives, preferred_trees, seeded_faults,
    suites,
};

use crate::arguments::{Arguments, USAGE};
use crate::{say, show};

/// The time limit of ANTLR for a text: some grammars are slow; random ones may not terminate.
const PATIENCE: Duration = Duration::from_secs(10);
const PATIENCE_WITH_RANDOM: Duration = Duration::from_secs(3);

/// The grammars of the collection and of rare features in the short versions.
const SHORT: [&str; 6] = ["json", "edn", "promql", "modes", "non_greedy", "recursive"];

/// The faults of the short version.
const SHORT_FAULTS: [&str; 5] =
    ["08-turtle", "09-smiles", "15-protobuf3", "40-json", "47-fortran77"];

/// The criteria of the full proof.
const COVERS: [&str; 24] = [
    "symbol",
    "rule",
    "cdrc",
    "cdrc-full",
    "step:2",
    "step:3",
    "step:4",
    "bfs:2",
    "bfs:3",
    "deriv",
    "pll",
    "pair",
    "kpath:1",
    "kpath:2",
    "kpath:3",
    "kpath:4",
    "lexeme:1",
    "lexeme:2",
    "lexeme:3",
    "kpath:2+lexeme:1",
    "pop-edge:lr0",
    "pop-edge:lr1",
    "lr-path:2",
    "lr-path:3",
];

/// ANTLR, or `None` with a printed reason.
fn find_tool() -> Option<Tool> {
    let tool = Tool::find();
    if let Err(reason) = &tool {
        say(&format!("ANTLR cannot be had, so only our own reading is proven: {reason}"));
    }
    tool.ok()
}

/// All verdicts equal those of ANTLR; with `--random N`, also on N random grammars.
pub(crate) fn antlr(arguments: &[String]) -> Fallible<bool> {
    let mut arguments = Arguments::of(arguments, &["--random", "--texts", "--tokens", "--seed"])?;
    let own = subject::own();
    if arguments.is_short {
        arguments.names.extend(SHORT.map(str::to_owned));
        arguments.names.extend(own.iter().map(|subject| subject.name.clone()));
    }
    let effort = trial::Effort {
        texts: arguments.number("--texts", if arguments.is_short { 20 } else { 200 }) as usize,
        tokens: arguments.number("--tokens", 60).max(1) as usize,
        seed: u64::from(arguments.number("--seed", 0)),
        patience: PATIENCE,
    };
    let (tool, mut trials) = (find_tool(), Vec::new());
    let hasty = trial::Effort { patience: PATIENCE_WITH_RANDOM, ..effort };
    let random = u64::from(arguments.number("--random", 0));
    for subject in subject::random(effort.seed..effort.seed + random)? {
        trials.push(judged(tool.as_ref(), &subject, &hasty)?);
    }
    let subjects = [own, subject::features(), subject::collection()?].concat();
    for subject in subjects.iter().filter(|subject| arguments.mean(&subject.name)) {
        trials.push(judged(tool.as_ref(), subject, &effort)?);
    }
    show(&antlr::table::table(&trials));
    Ok(!trials.iter().any(Trial::failed))
}

fn judged(tool: Option<&Tool>, subject: &Subject, effort: &trial::Effort) -> Fallible<Trial> {
    let trial =
        trial::run(tool, subject, effort).map_err(|error| format!("{}: {error}", subject.name))?;
    say(&format!("{}: {} notes", trial.name, trial.notes.len()));
    Ok(trial)
}

/// All suites cover the targets that they claim.
pub(crate) fn suites(arguments: &[String]) -> Fallible<bool> {
    let mut arguments = Arguments::of(arguments, &["--targets"])?;
    if arguments.is_short {
        arguments.names.extend(SHORT.map(str::to_owned));
    }
    let usual = if arguments.is_short { 1_000 } else { 1_000_000 };
    let effort = suites::trial::Effort {
        covers: COVERS.to_vec(),
        kind: suites::trial::SuiteKind::Small,
        most_targets: u64::from(arguments.number("--targets", usual)),
    };
    let tool = find_tool();
    let (own, features) = (suites::subject::own(), suites::subject::features());
    let subjects = [own, features, suites::subject::collection()?].concat();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results = Vec::new();
    parallel::in_order(
        jobs,
        subjects.iter().filter(|subject| arguments.mean(&subject.name)),
        || (),
        |(), subject| {
            let suites = suites::trial::all(tool.as_ref(), subject, &effort, &say);
            suites.map_err(|error| format!("{}: {error}", subject.name))
        },
        |suites| {
            if let Ok(suites) = &suites {
                say(&suites::table::table(std::slice::from_ref(suites)));
            }
            results.push(suites);
            ControlFlow::Continue(())
        },
    );
    let all = results.into_iter().collect::<Fallible<Vec<_>>>()?;
    show(&suites::table::table(&all));
    Ok(!all.iter().any(suites::table::Suites::failed))
}

/// The tests of complete suites over LR-graphs parse and take every edge.
pub(crate) fn lr_suites(arguments: &[String]) -> Fallible<bool> {
    let effort = match arguments {
        [] => lr_suites::Effort { draws: 20, texts: usize::MAX },
        [short] if short == "--short" => lr_suites::Effort { draws: 2, texts: 600 },
        _ => return Err(USAGE.to_owned()),
    };
    let mut is_fine = true;
    for file in lr_suites::grammars() {
        for outcome in lr_suites::run(&file, &effort)? {
            is_fine &= outcome.complaints.is_empty();
            show(&outcome.to_string());
        }
    }
    Ok(is_fine)
}

/// Negative tests of all grammars are read again, and rejected where they say.
pub(crate) fn negatives_again(arguments: &[String]) -> Fallible<bool> {
    let arguments = Arguments::of(arguments, &["--tests"])?;
    let most = arguments.number("--tests", if arguments.is_short { 500 } else { 500_000 });
    let mut grammars: Vec<(PathBuf, Option<String>)> =
        lr_suites::grammars().into_iter().map(|path| (path, None)).collect();
    for folder in ["pytomata", "tribble"].into_iter().filter_map(gramercy_testkit::shared) {
        let files = gramercy_testkit::files_in(&folder, &["y", "tribble", "scala"]);
        grammars.extend(files.into_iter().map(|path| (path, None)));
    }
    grammars.extend(subject::collection()?.into_iter().map(|it| (it.main, it.start)));
    grammars.sort();
    grammars.dedup();
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    grammars.retain(|(path, _)| arguments.mean(&name(path)));
    let (mut tests, mut is_fine) = (0, true);
    parallel::in_order(
        std::thread::available_parallelism().map_or(1, usize::from),
        grammars.iter(),
        || (),
        |(), (path, start)| {
            let begin = std::time::Instant::now();
            let read = languages::read(path, start.as_deref());
            let outcome =
                read.and_then(|language| negatives::again::run(&language, u64::from(most)));
            (name(path), outcome, begin.elapsed().as_secs())
        },
        |(name, outcome, seconds)| {
            match outcome {
                Ok(outcome) => {
                    tests += outcome.tests;
                    is_fine &= outcome.problems.is_empty();
                    say(&format!("{name}: {} tests, {seconds} s", outcome.tests));
                    outcome.problems.iter().for_each(|problem| say(&format!("{name}: {problem}")));
                }
                Err(reason) => {
                    let first = reason.lines().next().unwrap_or_default();
                    say(&format!("{name}: left out: {first}"));
                }
            }
            ControlFlow::Continue(())
        },
    );
    show(&format!("{tests} negative tests of {} grammars were read again", grammars.len()));
    Ok(is_fine)
}

/// ANTLR and bison reject negative tests, at the token that we name.
pub(crate) fn negatives(arguments: &[String]) -> Fallible<bool> {
    let mut arguments = Arguments::of(arguments, &["--tests"])?;
    if arguments.is_short {
        arguments.names.extend(SHORT.map(str::to_owned));
        arguments
            .names
            .extend(["expr.gram", "mini.gram", "dyck-right.y", "sum.y"].map(str::to_owned));
    }
    let most = arguments.number("--tests", if arguments.is_short { 40 } else { 2_000 });
    let (own, features) = (subject::own(), subject::features());
    let subjects = [own, features, subject::collection()?].concat();
    let chosen = || subjects.iter().filter(|subject| arguments.mean(&subject.name));
    let mut is_fine = true;
    if let Some(tool) = find_tool() {
        let mut trials = Vec::new();
        for subject in chosen() {
            let trial = negatives::antlr::run(&tool, subject, u64::from(most), PATIENCE);
            trials.push(trial.map_err(|error| format!("{}: {error}", subject.name))?);
            say(&subject.name);
        }
        is_fine &= !trials.iter().any(negatives::antlr::Trial::failed);
        show(&format!("ANTLR\n{}\n", negatives::antlr::table(&trials)));
    }
    let mut grammars: Vec<(String, PathBuf, Option<&str>)> = Vec::new();
    for path in
        lr_suites::grammars().into_iter().filter(|path| path.extension() == Some("y".as_ref()))
    {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        grammars.push((name, path, None));
    }
    grammars.retain(|(name, ..)| arguments.mean(name));
    let texts = chosen().map(|it| (it.name.clone(), it.main.clone(), it.start.as_deref()));
    grammars.extend(texts);
    let mut trials = Vec::new();
    for (name, path, start) in &grammars {
        let language = languages::read(path, *start)?;
        match negatives::bison::run(name, &language, most as usize) {
            Ok(trial) => trials.push(trial),
            Err(problem) if arguments.is_short => say(&format!("bison is left out: {problem}")),
            Err(problem) => return Err(problem),
        }
    }
    is_fine &= !trials.iter().any(negatives::bison::Trial::failed);
    show(&format!("bison\n{}", negatives::bison::table(&trials)));
    Ok(is_fine)
}

/// Preferred trees are those of ANTLR and bison.
pub(crate) fn preferred_trees(arguments: &[String]) -> Fallible<bool> {
    let arguments = Arguments::of(arguments, &["--grammars", "--texts", "--seed"])?;
    let effort = |short: u32| preferred_trees::Effort {
        grammars: u64::from(
            arguments.number("--grammars", if arguments.is_short { short } else { 500 }),
        ),
        texts: arguments.number("--texts", if arguments.is_short { 20 } else { 60 }) as usize,
        seed: u64::from(arguments.number("--seed", 0)),
    };
    let mut is_fine = true;
    if let Some(tool) = find_tool() {
        let outcome = preferred_trees::antlr(&tool, &effort(20))?;
        is_fine &= outcome.complaints.is_empty();
        show(&format!("ANTLR: {outcome}"));
    }
    match preferred_trees::bison(&effort(4)) {
        Ok(outcome) => {
            is_fine &= outcome.complaints.is_empty();
            show(&format!("bison: {outcome}"));
        }
        Err(problem) if arguments.is_short => say(&format!("bison is left out: {problem}")),
        Err(problem) => return Err(problem),
    }
    Ok(is_fine)
}

/// Real faults of grammars are found and repaired.
pub(crate) fn faults(arguments: &[String]) -> Fallible<bool> {
    let arguments = Arguments::of(arguments, &["--patches"])?;
    let work = match arguments.number("--patches", 1) {
        0 => faults::Work::Localize,
        _ => faults::Work::Repair,
    };
    let Some(mut cases) = faults::cases()? else { return Ok(true) };
    if arguments.is_short {
        cases.retain(|case| SHORT_FAULTS.contains(&&*case.name));
    }
    cases.retain(|case| arguments.mean(&case.name));
    let mut results = Vec::new();
    parallel::in_order(
        std::thread::available_parallelism().map_or(1, usize::from),
        cases.into_iter(),
        || (),
        |(), case| faults::run(&case, work),
        |result| {
            match result {
                Ok(result) => results.push(result),
                Err(message) => say(&message),
            }
            ControlFlow::Continue(())
        },
    );
    show(&faults::table(&results));
    Ok(!results.is_empty())
}

/// Faults that are made on purpose are found.
pub(crate) fn seeded_faults(arguments: &[String]) -> Fallible<bool> {
    let arguments = Arguments::of(arguments, &["--faults", "--repairs"])?;
    let Some(folder) = gramercy_testkit::shared("pytomata") else { return Ok(true) };
    let (names, usual, repairs): (&[&str], u32, u32) = match arguments.is_short {
        true => (&["simpl18.y"], 60, 6),
        false => (&seeded_faults::GRAMMARS, 4000, 40),
    };
    let repairs = arguments.number("--repairs", repairs) as usize;
    let most = arguments.number("--faults", usual) as usize;
    let (mut ranks, mut repaired) = (Vec::new(), Vec::new());
    for name in names.iter().filter(|name| arguments.mean(name)) {
        let seeded = seeded_faults::seed(&folder, name, most)?;
        let before = ranks.len();
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        let localize = |(): &mut (), fault: &Fault| seeded.run(fault);
        parallel::in_order(
            jobs,
            seeded.faults.iter(),
            || (),
            localize,
            |found| {
                ranks.extend(found.map(|found| ((*name).to_owned(), found)));
                ControlFlow::Continue(())
            },
        );
        let repair = |(): &mut (), fault: &Fault| seeded.repair(fault);
        parallel::in_order(
            jobs,
            seeded.chosen(repairs),
            || (),
            repair,
            |found| {
                repaired.extend(found);
                ControlFlow::Continue(())
            },
        );
        say(&format!("{name}: {} faults", ranks.len() - before));
    }
    show(&seeded_faults::tables::tables(&ranks));
    show(&seeded_faults::tables::repairs(&repaired));
    Ok(!ranks.is_empty())
}
