//! How long uniform trees take: tables first, then trees, beside a bare loop.
//!
//! `cargo bench -p gramercy-sample --bench uniform -- GRAMMAR SIZE…` prints a line per size in nodes, with fields
//! separated by tabs: the size, milliseconds for the tables, trees per second, how many times longer a tree takes than
//! a bare loop that copies its tokens and productions, and kilobytes of memory. `plan GRAMMAR SIZE JOBS` prints how
//! many nonterminals a plan is made for, and its seconds from start to end. Other times are the processor's.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gramercy_analysis::counts::SizeUnit;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_derive::Candidate;
use gramercy_language::Language;
use gramercy_sample::methods::uniform::{
    ElementKind, ElementKinds, Elements, Plan, PlanOptions, Sampler, Scratch, SizeRange, Stream,
    TreeSpace,
};
use gramercy_testkit::clock::{on_processor, peak_memory};

/// Trees are drawn for at least this long.
const ENOUGH: Duration = Duration::from_secs(1);

fn main() {
    // cargo itself adds a flag.
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["plan", grammar, size, jobs] => plan(&read(grammar), number(size), number(jobs)),
        [grammar, sizes @ ..] => {
            let language = read(grammar);
            sizes.iter().for_each(|size| trees(&language, number(size)));
        }
        [] => {}
    }
}

fn read(grammar: &str) -> Language {
    Language::read(Path::new(grammar)).expect("a grammar")
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

fn nodes(size: usize) -> SizeRange {
    SizeRange { unit: SizeUnit::Nodes, least: size, most: size }
}

fn trees(language: &Language, size: usize) {
    let begin = on_processor();
    let space = TreeSpace::new(language, nodes(size), MemoryLimit::default()).expect("few tables");
    let sampler = Sampler::new(Arc::new(space), None).expect("a size with trees");
    let tables = on_processor() - begin;
    let (mut scratch, mut candidate) = (Scratch::default(), Candidate::default());
    let per_tree = repeat(|at| {
        candidate.clear();
        sampler.draw(&mut Stream::new([0, at, 0, 0]), &mut scratch, &mut candidate);
    });
    let mut copy = Candidate::default();
    let bare = repeat(|_| {
        copy.clear();
        candidate.tokens.iter().for_each(|&token| copy.tokens.push(token));
        candidate.productions.iter().for_each(|&id| copy.productions.push(id));
        std::hint::black_box(&copy);
    });
    say(&format!(
        "{size}\t{:.2}\t{:.0}\t{:.1}\t{}",
        tables.as_secs_f64() * 1000.0,
        1.0 / per_tree,
        per_tree / bare,
        peak_memory()
    ));
}

/// The mean seconds of a step, which gets its number.
fn repeat(mut step: impl FnMut(u64)) -> f64 {
    let (begin, mut steps) = (on_processor(), 0_u32);
    loop {
        for _ in 0..16 {
            step(u64::from(steps));
            steps += 1;
        }
        let time = on_processor() - begin;
        if time >= ENOUGH {
            return time.as_secs_f64() / f64::from(steps);
        }
    }
}

fn plan(language: &Language, size: usize, jobs: usize) {
    let begin = std::time::Instant::now();
    let limit = MemoryLimit::default();
    let elements =
        Elements::new(language, &ElementKinds(vec![ElementKind::Nonterminals]), nodes(size), limit);
    let options = PlanOptions { jobs, ..PlanOptions::default() };
    let plan = Plan::new(&elements.expect("elements"), options).expect("a plan");
    say(&format!("{}\t{:.1}", plan.elements.len(), begin.elapsed().as_secs_f64()));
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its times")]
fn say(text: &str) {
    println!("{text}");
}
