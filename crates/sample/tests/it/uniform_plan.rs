//! Plans, words and Boltzmann samplers: published figures and simulations.

use std::sync::Arc;

use gramercy_analysis::counts::SizeUnit;
use gramercy_analysis::counts::tables::MemoryLimit;
use gramercy_base::{Id, IndexMap};
use gramercy_derive::Candidate;
use gramercy_derive::strategy::Indexed;
use gramercy_grammar::{NonterminalId, ProductionId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_sample::methods::uniform::{
    Boltzmann, ElementKinds, Elements, Frequency, Plan, PlanOptions, Sampler, Scratch, SizeRange,
    Stream, TreeSpace, TuneError, UniformTrees, WordTrees,
};

use crate::uniform::{DANGLING, EXAMPLE_2, JSON, deviation, language, space};
use crate::uniform_constructions::all_trees;

fn elements(language: &Language, kind: &str, size: usize) -> Elements {
    let kind: ElementKinds = kind.parse().expect("a kind");
    let range = SizeRange { unit: SizeUnit::Nodes, least: size, most: size };
    Elements::new(language, &kind, range, MemoryLimit::default()).expect("elements")
}

#[test]
fn the_plan_for_json_is_the_published_one() {
    let language = language(JSON);
    let elements = elements(&language, "nonterminal", 20);
    let plan = Plan::new(&elements, PlanOptions::default()).expect("a plan");
    let found: Vec<_> = plan.elements.iter().map(|of| (&*of.name, of.p * 12.0, of.pi)).collect();
    let near = |left: f64, right: f64| (left - right).abs() < 1e-9;
    for (name, trees, pi) in found {
        let (expected, picked) = match name {
            "Elements" => (8.0, 1.0),
            "Array" => (11.0, 0.0),
            _ => (12.0, 0.0),
        };
        assert!(near(trees, expected) && near(pi, picked), "{name}: {trees} {pi}");
    }
    assert!(near(plan.p, 1.0) && near(plan.p_min, 8.0 / 12.0));
    assert_eq!(plan.biased.trees_for(0.99), (Some(1), Some(1)));
    // 1 − (1/12)^N − (4/12)^N + (1/12)^N: a test without Array has no Elements.
    for tests in 1..6 {
        let exact = 1.0 - (4.0_f64 / 12.0).powi(i32::try_from(tests).expect("it is small"));
        assert!(near(plan.plain.probability(tests).least, exact), "{tests}");
    }
}

/// The probabilities of a plan are those of a simulation.
#[test]
fn plans_foretell_what_tests_cover() {
    for (text, kind, size) in [
        (EXAMPLE_2, "nonterminal", 19),
        (EXAMPLE_2, "production", 23),
        (JSON, "kpath:2", 29),
        (JSON, "symbols:DIGIT,Array", 25),
    ] {
        let language = language(text);
        let elements = elements(&language, kind, size);
        let plan = Plan::new(&elements, PlanOptions::default()).expect("a plan");
        let samplers = plan.elements.iter().filter(|of| of.pi > 0.0).map(|of| {
            let must = elements.list[of.index].productions.clone();
            (of.pi, Sampler::new(Arc::clone(&elements.space), Some(must)).expect("some cover it"))
        });
        let trees = UniformTrees::new(samplers.collect(), None, 3, 4000);
        let mut proposer = trees.proposer();
        // Copies of productions tell elements apart, so trees are looked at by the space's own ranking.
        let mut covered = vec![0_u32; plan.elements.len()];
        let mut candidate = Candidate::default();
        for number in 0..4000 {
            assert!(proposer.propose(number, 0, &mut candidate));
            let own = own_productions(&elements.space, &candidate.productions);
            for (of, covered) in plan.elements.iter().zip(&mut covered) {
                let productions = &elements.list[of.index].productions;
                *covered += u32::from(own.iter().any(|&id| productions.contains(id)));
            }
        }
        for (of, covered) in plan.elements.iter().zip(covered) {
            let (share, spread) =
                (f64::from(covered) / 4000.0, (of.q * (1.0 - of.q) / 4000.0).sqrt());
            assert!(
                (share - of.q).abs() <= 5.0 * spread + 1e-9,
                "{kind} {}: {share} {}",
                of.name,
                of.q
            );
        }
        assert!(plan.p >= plan.p_min - 1e-9, "{kind}");
    }
}

/// The productions of the counted grammar for a tree of the BNF core.
fn own_productions(space: &TreeSpace, tree: &[ProductionId]) -> Vec<ProductionId> {
    let cfg = space.forms().cfg();
    let (mut own, mut open) = (Vec::new(), vec![cfg.start()]);
    for &production in tree {
        let nonterminal = open.pop().expect("a derivation");
        let same = |&&id: &&ProductionId| space.origin(id) == production;
        let id = *cfg.productions_of(nonterminal).iter().find(same).expect("a copy");
        own.push(id);
        open.extend(cfg.rhs(id).iter().rev().filter_map(|symbol| match *symbol {
            Symbol::Nonterminal(nonterminal) => Some(nonterminal),
            Symbol::Terminal(_) => None,
        }));
    }
    own
}

/// Everything is covered as often as the exact probability, or the bounds, say.
#[test]
fn the_probability_of_covering_everything_is_that_of_a_simulation() {
    let language = language(EXAMPLE_2);
    for (kind, tests) in [("nonterminal", 2), ("production", 4)] {
        let elements = elements(&language, kind, 19);
        let plan = Plan::new(&elements, PlanOptions::default()).expect("a plan");
        let sampler = Sampler::new(Arc::clone(&elements.space), None).expect("there are trees");
        let (mut scratch, mut complete) = (Scratch::default(), 0_u32);
        for suite in 0..2000 {
            let mut candidate = Candidate::default();
            for number in 0..tests {
                sampler.draw(&mut Stream::new([9, suite, number, 0]), &mut scratch, &mut candidate);
            }
            let is_covered = |of: &gramercy_sample::methods::uniform::Planned| {
                let productions = &elements.list[of.index].productions;
                candidate.productions.iter().any(|&id| productions.contains(id))
            };
            complete += u32::from(plan.elements.iter().all(is_covered));
        }
        let bounds = plan.plain.probability(tests.into());
        let share = f64::from(complete) / 2000.0;
        let spread = 5.0 * (0.25_f64 / 2000.0).sqrt();
        assert!(bounds.least - spread <= share && share <= bounds.most + spread, "{kind} {share}");
    }
}

#[test]
fn every_word_is_equally_likely() {
    for (text, unit, size) in [(DANGLING, SizeUnit::Tokens, 11), (EXAMPLE_2, SizeUnit::Nodes, 27)] {
        let language = language(text);
        let space = space(&language, unit, size, size);
        let range = space.range();
        let mut words: IndexMap<Vec<TerminalId>, u64> = IndexMap::default();
        let trees = all_trees(Arc::clone(&space));
        for tree in &trees {
            let tree = gramercy_grammar::Tree::new(language.bnf(), tree.clone());
            words.entry(tree.terminals(language.bnf()).collect()).or_insert(0);
        }
        assert!(words.len() < trees.len(), "the grammar is ambiguous");
        let counter = WordTrees::new(&language, range).expect("a parser");
        let sampler = Sampler::new(space, None).expect("there are trees");
        let drawn = UniformTrees::new(vec![(1.0, sampler)], Some(counter), 2, 30_000);
        let (mut proposer, mut candidate) = (drawn.proposer(), Candidate::default());
        let draws = 25 * words.len() as u64;
        for number in 0..draws {
            assert!(proposer.propose(number, 0, &mut candidate));
            words[&candidate.tokens] += 1;
        }
        let found: Vec<u64> = words.values().copied().collect();
        assert!(deviation(&found).abs() < 4.0, "{text}: {}", deviation(&found));
        // The share of trees that are kept is (words)/(trees).
        let kept = draws as f64 / drawn.drawn().trees() as f64;
        let expected = words.len() as f64 / trees.len() as f64;
        assert!((kept / expected - 1.0).abs() < 0.1, "{kept} {expected}");
    }
}

#[test]
fn boltzmann_samplers_have_the_requested_mean_and_shares() {
    let language = language(JSON);
    let space = space(&language, SizeUnit::Nodes, 0, 2000);
    let array = (0..6).map(NonterminalId::from_index);
    let array = array.into_iter().find(|&id| &*language.bnf().nonterminals()[id].name == "Array");
    let symbol = Symbol::Nonterminal(array.expect("it has arrays"));
    for frequencies in [vec![], vec![Frequency { symbol, share: 0.1 }]] {
        let sampler = Boltzmann::tune(&space, 40.0, &frequencies).expect("it is tuned");
        assert!((sampler.mean - 40.0).abs() < 0.5, "{}", sampler.mean);
        let (mut sizes, mut arrays, draws) = (0.0, 0.0, 20_000);
        let mut stream = Stream::new([1, 0, 0, 0]);
        for _ in 0..draws {
            let mut candidate = Candidate::default();
            if let Some(size) = sampler.draw(&space, 100_000, &mut stream, &mut candidate) {
                sizes += size as f64;
                let own = candidate.productions.iter();
                let is_array =
                    |&&id: &&ProductionId| Symbol::Nonterminal(language.bnf().lhs(id)) == symbol;
                arrays += own.filter(is_array).count() as f64;
            }
        }
        let mean = sizes / f64::from(draws);
        assert!((mean / 40.0 - 1.0).abs() < 0.1, "{mean}");
        if !frequencies.is_empty() {
            assert!((arrays / sizes - 0.1).abs() < 0.01, "{}", arrays / sizes);
        }
    }
}

fn symbol(language: &Language, name: &str) -> Symbol {
    let bnf = language.bnf();
    let nonterminals = bnf.cfg().nonterminals().map(Symbol::Nonterminal);
    let mut symbols = nonterminals.chain(bnf.terminals().map(Symbol::Terminal));
    symbols.find(|&id| bnf.symbol_name(language.grammar(), id) == name).expect("a symbol")
}

fn tuned(text: &str, size: f64, shares: &[(&str, f64)]) -> Result<Boltzmann, TuneError> {
    let language = language(text);
    let space = space(&language, SizeUnit::Nodes, 0, 10);
    let frequency = |&(name, share)| Frequency { symbol: symbol(&language, name), share };
    Boltzmann::tune(&space, size, &shares.iter().map(frequency).collect::<Vec<_>>())
}

/// `S: S S | 'a'` in nodes is S = z·S² + z², so S = (1 − √(1 − 4z³)) / 2z and the mean is 1/2 + 3/2 · 1/√(1 − 4z³).
#[test]
fn weights_of_sizes_are_those_of_a_closed_form() {
    for size in [5.0, 100.0, 1e4, 1e6] {
        let sampler = tuned("%%\nS: S S | 'a';", size, &[]).expect("it has trees of all sizes");
        let root = 1.5 / (size - 0.5);
        let expected = ((1.0 - root * root) / 4.0).cbrt();
        assert!((sampler.z / expected - 1.0).abs() < 1e-6, "{size}: {} {expected}", sampler.z);
        assert!((sampler.mean / size - 1.0).abs() < 1e-3 && !sampler.is_singular, "{size}");
    }
}

#[test]
fn several_frequencies_are_tuned_together() {
    let wanted = [("Array", 0.05), ("Object", 0.06), ("DIGIT", 0.02)];
    let sampler = tuned(JSON, 60.0, &wanted).expect("there are such weights");
    assert!((sampler.mean / 60.0 - 1.0).abs() < 1e-3, "{}", sampler.mean);
    for ((name, wanted), share) in wanted.iter().zip(&sampler.shares) {
        assert!((share / wanted - 1.0).abs() < 2e-3, "{name}: {share}");
    }
    // An array has two brackets at least, so it is at most a third of the nodes.
    let refused = tuned(JSON, 60.0, &[("Array", 0.5)]).expect_err("there are no such weights");
    assert!(matches!(refused, TuneError::NoShare(_, share) if share < 0.34), "{refused:?}");
    let refused = tuned("%%\nS: 'a' 'b' | 'c';", 50.0, &[]).expect_err("all trees are small");
    assert!(matches!(refused, TuneError::NoSize(mean) if mean < 3.01), "{refused:?}");
}
