//! Laws on random grammars, in which conflicts, duplicates, ε-rules, hidden left recursion, unit cycles
//! and useless symbols are all frequent: suites take every edge that can be taken, by a run of the
//! automaton that knows no trees, and as the breadth-first traversal does.
//!
//! With `GRAMERCY_PROOF=all` in the environment there are many more grammars.

use std::collections::BTreeSet;

use gramercy_base::Map;
use gramercy_coverage::{Reading, TargetSet};
use gramercy_derive::strategy::Indexed;
use gramercy_derive::{Candidate, LrContexts, Resolution, Ties};
use gramercy_generate::strategies::lr_bfs::LrBfs;
use gramercy_generate::strategies::lr_path::LrPathTests;
use gramercy_generate::strategies::pop_edge::PopEdges;
use gramercy_grammar::{ProductionId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_lr::Construction::{self, Canonical, Lr0};
use gramercy_lr::GotoId;
use proptest::prelude::*;

use crate::grammars::{bnf_texts, ebnf_texts, for_random};
use crate::languages::{self, yacc};
use crate::lr_checks::{all_candidates, by_edges, check_covers, lr_path, pop_edge, push_edge};
use crate::paths::support::candidates;
use crate::support::derivations;
use crate::texts;

/// Sentences with more tokens are not run naively.
const MAX_TOKENS: usize = 14;

/// How many grammars, for a law that takes some.
fn cases(usual: u32) -> u32 {
    let is_proof = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    if is_proof { 40 * usual } else { usual }
}

/// Everything that an automaton can do on a sentence.
struct Runs<'a, 'v> {
    contexts: &'a LrContexts<'v>,
    tokens: &'a [TerminalId],
    /// Where what is pushed can end if it begins at a token.
    ends: Map<(GotoId, usize), BTreeSet<usize>>,
}

impl<'a, 'v> Runs<'a, 'v> {
    /// Repeats all reductions until there are no new ones.
    fn new(contexts: &'a LrContexts<'v>, tokens: &'a [TerminalId]) -> Self {
        let mut runs = Self { contexts, tokens, ends: Map::default() };
        let count = |runs: &Self| runs.ends.values().map(BTreeSet::len).sum::<usize>();
        let mut before = usize::MAX;
        while before != count(&runs) {
            before = count(&runs);
            for goto in contexts.gotos().ids() {
                for start in 0..=tokens.len() {
                    let ends: BTreeSet<usize> = runs
                        .productions(goto)
                        .filter_map(|production| runs.along(goto, production, start).pop())
                        .flatten()
                        .collect();
                    runs.ends.entry((goto, start)).or_default().extend(ends);
                }
            }
        }
        runs
    }

    fn productions(&self, goto: GotoId) -> impl Iterator<Item = ProductionId> + use<'a, 'v> {
        let nonterminal = self.contexts.gotos().nonterminal(goto);
        self.contexts.cfg().productions_of(nonterminal).iter().copied()
    }

    /// The symbols of a production from the state of a push, with the pushes of nonterminals.
    fn symbols(&self, goto: GotoId, production: ProductionId) -> Vec<(Symbol, Option<GotoId>)> {
        let (contexts, cfg) = (self.contexts, self.contexts.cfg());
        let state = contexts.gotos().source(goto);
        let pushes: Map<usize, GotoId> =
            contexts.gotos().along(cfg, contexts.automaton(), state, production).collect();
        let symbols = cfg.rhs(production).iter().enumerate();
        symbols.map(|(at, &symbol)| (symbol, pushes.get(&at).copied())).collect()
    }

    /// Where a symbol that begins at a token can end.
    fn after(&self, (symbol, push): (Symbol, Option<GotoId>), start: usize) -> BTreeSet<usize> {
        match (symbol, push) {
            (Symbol::Terminal(terminal), _) if self.tokens.get(start) == Some(&terminal) => {
                BTreeSet::from([start + 1])
            }
            (_, Some(goto)) => self.ends.get(&(goto, start)).cloned().unwrap_or_default(),
            _ => BTreeSet::new(),
        }
    }

    /// Where a production can be after each of its symbols, and before the first.
    fn along(&self, goto: GotoId, production: ProductionId, start: usize) -> Vec<BTreeSet<usize>> {
        let mut along = vec![BTreeSet::from([start])];
        for symbol in self.symbols(goto, production) {
            let next = along[along.len() - 1].iter().flat_map(|&at| self.after(symbol, at));
            along.push(next.collect());
        }
        along
    }

    /// The pop edges of all runs that accept, by their ranks.
    fn pops(&self) -> BTreeSet<usize> {
        let (contexts, cfg) = (self.contexts, self.contexts.cfg());
        let root = contexts.gotos().find(contexts.automaton().initial(), cfg.start());
        let (mut seen, mut pops) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<_> = root.map(|root| (root, 0, self.tokens.len())).into_iter().collect();
        while let Some((goto, start, end)) = open.pop() {
            if !seen.insert((goto, start, end)) {
                continue;
            }
            for production in self.productions(goto) {
                let along = self.along(goto, production, start);
                if !along[along.len() - 1].contains(&end) {
                    continue;
                }
                pops.insert(contexts.gotos().pop_rank(cfg, goto, production));
                // From the end back, what leads there.
                let mut fitting = BTreeSet::from([end]);
                let symbols = self.symbols(goto, production);
                for (&symbol, before) in symbols.iter().zip(&along).rev() {
                    let mut leading = BTreeSet::new();
                    for &from in before {
                        for &to in self.after(symbol, from).intersection(&fitting) {
                            leading.insert(from);
                            open.extend(symbol.1.map(|goto| (goto, from, to)));
                        }
                    }
                    fitting = leading;
                }
            }
        }
        pops
    }
}

/// Runs of the automaton on the sentences alone take the edges that tests are made for, and all runs
/// together take no other edges than those that can be covered.
fn check_runs(text: &str, language: &Language, construction: Construction) {
    let suite = PopEdges::new(language, construction, by_edges(Ties::First), 0).expect("small");
    let criterion = pop_edge(construction).build(language).expect("small");
    let mut runs: Map<Vec<TerminalId>, BTreeSet<usize>> = Map::default();
    let mut proposer = suite.proposer();
    for number in 0..suite.count() {
        let mut candidate = Candidate::default();
        if !proposer.propose(number, 0, &mut candidate) || candidate.tokens.len() > MAX_TOKENS {
            continue;
        }
        let taken = runs
            .entry(candidate.tokens.clone())
            .or_insert_with(|| Runs::new(suite.contexts(), &candidate.tokens).pops());
        let rank = usize::try_from(number).expect("small");
        assert!(taken.contains(&rank), "{text} {construction:?}: {}", criterion.describe(number));
        for &rank in &*taken {
            assert!(criterion.uncoverable(rank as u64).is_none(), "{text} {construction:?}");
        }
    }
}

#[test]
fn runs_of_the_automaton_take_the_edges_that_tests_are_made_for() {
    for_random(cases(20), bnf_texts(), |text| {
        let language = yacc(text);
        check_runs(text, &language, Lr0);
        check_runs(text, &language, Canonical);
        Ok(())
    });
}

#[test]
fn every_edge_and_every_sequence_is_taken_in_random_grammars() {
    for_random(cases(60), prop_oneof![bnf_texts(), ebnf_texts()], |text| {
        let language = languages::of(texts::read(text));
        for construction in Construction::ALL {
            for resolution in
                [Resolution::default(), by_edges(Ties::Random { seed: 4, variant: 0 })]
            {
                let suite = PopEdges::new(&language, construction, resolution, 0).expect("small");
                check_covers(&language, pop_edge(construction), &suite);
            }
        }
        let pairs = LrPathTests::new(&language, (2, Lr0), Resolution::default(), 0);
        let pairs = pairs.expect("small");
        if pairs.count() < 500 {
            check_covers(&language, lr_path(2, Lr0), &pairs);
        }
        Ok(())
    });
}

/// All tests of a traversal with few paths, if that ends.
fn traversed(language: &Language, construction: Construction) -> Option<Vec<Candidate>> {
    let mut traversal = LrBfs::new(language, construction, 5_000).ok()?;
    Some(candidates(&mut traversal))
}

#[test]
fn suites_take_the_edges_that_the_traversal_takes() {
    let ended = std::cell::Cell::new(0);
    for_random(cases(150), bnf_texts(), |text| {
        let language = yacc(text);
        for construction in [Lr0, Canonical] {
            let Some(traversed) = traversed(&language, construction) else { continue };
            ended.set(ended.get() + 1);
            let suite = PopEdges::new(&language, construction, Resolution::default(), 0);
            let tests = all_candidates(&suite.expect("small"));
            for spec in [push_edge(construction), pop_edge(construction)] {
                let criterion = spec.build(&language).expect("small");
                let covered = |tests: &[Candidate]| {
                    let mut covered = TargetSet::new();
                    for test in tests {
                        criterion.cover(&Reading::of(&derivations(&language, test)), &mut covered);
                    }
                    covered
                };
                prop_assert_eq!(covered(&tests), covered(&traversed), "{}: {}", text, spec);
            }
        }
        Ok(())
    });
    // The others have too many paths.
    assert!(ended.get() > 100, "{}", ended.get());
}
