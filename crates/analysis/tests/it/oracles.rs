//! Facts about random grammars against slow definitions.
//!
//! The strings that a grammar derives are tested by intersection with a small automaton: repeated
//! passes find the triples (p, A, q) such that A derives a string that leads from p to q.

use gramercy_analysis::{
    Adjacency, Cyclic, First, Follow, Heights, Last, LeftRecursive, Length, Nullable, Precede,
    Productive, Reachable, ShortestYield, TerminalOrEnd, Useful, Viable,
};
use gramercy_base::{Id, Set, Table};
use gramercy_grammar::{Bnf, NonterminalId, Origin, Symbol, TerminalId};
use proptest::prelude::*;

use crate::Views;
use crate::grammars::{bnf_texts, ebnf_texts, for_random};

use Letter::{Any, Only};

/// What a transition of an automaton reads.
#[derive(Clone, Copy)]
enum Letter {
    Any,
    Only(usize),
}

/// The letter for a nonterminal that is not expanded.
const HOLE: usize = usize::MAX;

/// Whether `from` derives a string that leads the automaton from state 0 to `accept`. The
/// nonterminal `hole` may also stay unexpanded.
fn derives(
    bnf: &Bnf,
    from: NonterminalId,
    hole: Option<NonterminalId>,
    steps: &[(usize, Letter, usize)],
    accept: usize,
) -> bool {
    let mut known: Set<(usize, NonterminalId, usize)> = Set::default();
    if let Some(hole) = hole {
        known.extend(
            steps
                .iter()
                .filter(|(_, letter, _)| matches!(letter, Only(HOLE)))
                .map(|&(p, _, q)| (p, hole, q)),
        );
    }
    loop {
        let before = known.len();
        for production in bnf.productions() {
            for p in 0..=accept {
                for q in ends(bnf.rhs(production), p, accept, steps, &known) {
                    known.insert((p, bnf.lhs(production), q));
                }
            }
        }
        if known.len() == before {
            return known.contains(&(0, from, accept));
        }
    }
}

fn ends(
    rhs: &[Symbol],
    start: usize,
    states: usize,
    steps: &[(usize, Letter, usize)],
    known: &Set<(usize, NonterminalId, usize)>,
) -> Vec<usize> {
    let mut here = vec![start];
    for &symbol in rhs {
        let goes = |p: usize, q: usize| match symbol {
            Symbol::Terminal(terminal) => steps.iter().any(|&(from, letter, to)| {
                (from, to) == (p, q)
                    && match letter {
                        Any => true,
                        Only(only) => only == terminal.index(),
                    }
            }),
            Symbol::Nonterminal(nonterminal) => known.contains(&(p, nonterminal, q)),
        };
        here = (0..=states).filter(|&q| here.iter().any(|&p| goes(p, q))).collect();
    }
    here
}

struct All {
    productive: Productive,
    useful: Useful,
    nullable: Nullable,
    first: First,
    last: Last,
    follow: Follow,
    precede: Precede,
    adjacency: Adjacency,
}

fn all(bnf: &Bnf) -> All {
    let productive = Productive::of(bnf);
    let useful = Useful::of(bnf, &productive);
    let nullable = Nullable::of(bnf);
    let first = First::of(bnf, &productive, &nullable);
    let last = Last::of(bnf, &productive, &nullable);
    let follow = Follow::of(bnf, &useful, &nullable, &first);
    let precede = Precede::of(bnf, &useful, &nullable, &last);
    let adjacency = Adjacency::of(bnf, &useful, &nullable, &first, &follow);
    All { productive, useful, nullable, first, last, follow, precede, adjacency }
}

#[test]
fn sets_are_what_strings_of_terminals_show() {
    for_random(400, bnf_texts(), |text| {
        let views = Views::of(text);
        let (bnf, facts) = (&views.bnf, all(&views.bnf));
        for a in bnf.nonterminals().ids() {
            let any = derives(bnf, a, None, &[(0, Any, 0)], 0);
            prop_assert_eq!(facts.productive.contains(a), any, "productive {:?}", a);
            prop_assert_eq!(facts.nullable.contains(a), derives(bnf, a, None, &[], 0));
            let used = any && derives(bnf, bnf.start(), Some(a), &around(&[HOLE]), 1);
            prop_assert_eq!(facts.useful.contains(Symbol::Nonterminal(a)), used, "useful {:?}", a);
            for t in bnf.terminals() {
                let (letter, id) = (t.index(), TerminalOrEnd::from(t));
                let begins = derives(bnf, a, None, &[(0, Only(letter), 1), (1, Any, 1)], 1);
                prop_assert_eq!(facts.first.contains(a, id), begins, "first {:?} {:?}", a, t);
                let ends = derives(bnf, a, None, &[(0, Any, 0), (0, Only(letter), 1)], 1);
                prop_assert_eq!(facts.last.contains(a, id), ends, "last {:?} {:?}", a, t);
                let steps = around(&[HOLE, letter]);
                let follows = any && derives(bnf, bnf.start(), Some(a), &steps, 2);
                prop_assert_eq!(facts.follow.contains(a, id), follows, "follow {:?} {:?}", a, t);
                let steps = around(&[letter, HOLE]);
                let precedes = any && derives(bnf, bnf.start(), Some(a), &steps, 2);
                prop_assert_eq!(facts.precede.contains(a, id), precedes, "precede {:?}", a);
            }
            let end = TerminalOrEnd::end(bnf);
            let at_end = &[(0, Any, 0), (0, Only(HOLE), 1)];
            let follows = any && derives(bnf, bnf.start(), Some(a), at_end, 1);
            prop_assert_eq!(facts.follow.contains(a, end), follows, "follow {:?} $", a);
            let at_begin = &[(0, Only(HOLE), 1), (1, Any, 1)];
            let precedes = any && derives(bnf, bnf.start(), Some(a), at_begin, 1);
            prop_assert_eq!(facts.precede.contains(a, end), precedes, "precede {:?} ⊢", a);
        }
        Ok(())
    });
}

/// An automaton for any letters, then these letters, then any letters.
fn around(letters: &[usize]) -> Vec<(usize, Letter, usize)> {
    let mut steps = vec![(0, Any, 0), (letters.len(), Any, letters.len())];
    steps.extend(letters.iter().enumerate().map(|(at, &letter)| (at, Only(letter), at + 1)));
    steps
}

#[test]
fn adjacent_terminals_follow_each_other_in_some_sentence() {
    for_random(400, bnf_texts(), |text| {
        let views = Views::of(text);
        let (bnf, adjacency) = (&views.bnf, all(&views.bnf).adjacency);
        let (start, end) = (bnf.start(), TerminalOrEnd::end(bnf));
        for a in bnf.terminals() {
            let letter = a.index();
            for b in bnf.terminals() {
                let found = derives(bnf, start, None, &around(&[letter, b.index()]), 2);
                prop_assert_eq!(adjacency.contains(a.into(), b.into()), found, "{:?} {:?}", a, b);
            }
            let last = derives(bnf, start, None, &[(0, Any, 0), (0, Only(letter), 1)], 1);
            prop_assert_eq!(adjacency.contains(a.into(), end), last, "{:?} $", a);
            let first = derives(bnf, start, None, &[(0, Only(letter), 1), (1, Any, 1)], 1);
            prop_assert_eq!(adjacency.contains(end, a.into()), first, "⊢ {:?}", a);
        }
        prop_assert_eq!(adjacency.contains(end, end), derives(bnf, start, None, &[], 0));
        prop_assert_eq!(adjacency.pairs().count(), adjacency.len());
        Ok(())
    });
}

/// The least solution of the minimum over productions of `cost`, by passes until nothing changes.
fn relax(
    bnf: &Bnf,
    cost: impl Fn(&[Symbol], &Table<NonterminalId, Option<u64>>) -> Option<u64>,
) -> Table<NonterminalId, Option<u64>> {
    let mut best = Table::filled(None, bnf.nonterminals().len());
    loop {
        let before = best.clone();
        for production in bnf.productions() {
            if let Some(cost) = cost(bnf.rhs(production), &best) {
                let best: &mut Option<u64> = &mut best[bnf.lhs(production)];
                *best = Some(best.map_or(cost, |best| best.min(cost)));
            }
        }
        if best == before {
            return best;
        }
    }
}

#[test]
fn least_costs_are_those_of_repeated_relaxation() {
    for_random(400, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        for (length, own) in [(Length::Terminals, 0), (Length::LrEdges, 2)] {
            let shortest = ShortestYield::of(bnf, length);
            let expected = relax(bnf, |rhs, best| {
                rhs.iter().try_fold(own, |sum, &symbol| match symbol {
                    Symbol::Terminal(_) => Some(sum + 1),
                    Symbol::Nonterminal(inner) => best[inner].map(|cost| sum + cost),
                })
            });
            for a in bnf.nonterminals().ids() {
                prop_assert_eq!(shortest.length(a), expected[a]);
                let Some(production) = shortest.production(a) else { continue };
                prop_assert_eq!(shortest.of_production(bnf, production), expected[a]);
                let mut word: Vec<TerminalId> = Vec::new();
                shortest.write(bnf, &[Symbol::Nonterminal(a)], &mut word);
                if length == Length::Terminals {
                    prop_assert_eq!(Some(word.len() as u64), expected[a]);
                } else {
                    let achieve = |&&id: &&_| shortest.of_production(bnf, id) == expected[a];
                    prop_assert_eq!(bnf.productions_of(a).iter().find(achieve), Some(&production));
                }
            }
        }
        let heights = Heights::of(bnf);
        let expected = relax(bnf, |rhs, best| {
            rhs.iter().try_fold(1, |highest: u64, &symbol| match symbol {
                Symbol::Terminal(_) => Some(highest),
                Symbol::Nonterminal(inner) => best[inner].map(|height| highest.max(height + 1)),
            })
        });
        for a in bnf.nonterminals().ids() {
            prop_assert_eq!(heights.height(a).map(u64::from), expected[a]);
            let achieve = |&&id: &&_| {
                heights.height(a).is_some() && heights.of_production(bnf, id) == heights.height(a)
            };
            let first = bnf.productions_of(a).iter().find(achieve).copied();
            prop_assert_eq!(heights.production(a), first);
        }
        Ok(())
    });
}

/// Whether a nonterminal reaches itself along edges A → B for A → α B β where `fits` holds for α
/// and β.
fn returns(
    bnf: &Bnf,
    nonterminal: NonterminalId,
    fits: impl Fn(&[Symbol], &[Symbol]) -> bool,
) -> bool {
    let (mut seen, mut work) = (Set::default(), vec![nonterminal]);
    while let Some(a) = work.pop() {
        for &production in bnf.productions_of(a) {
            let rhs = bnf.rhs(production);
            for (at, &symbol) in rhs.iter().enumerate() {
                if let Symbol::Nonterminal(b) = symbol
                    && fits(&rhs[..at], &rhs[at + 1..])
                    && seen.insert(b)
                {
                    work.push(b);
                }
            }
        }
    }
    seen.contains(&nonterminal)
}

#[test]
fn recursive_nonterminals_reach_themselves() {
    for_random(400, bnf_texts(), |text| {
        let Views { bnf, .. } = &Views::of(text);
        let nullable = Nullable::of(bnf);
        let (cyclic, left) = (Cyclic::of(bnf, &nullable), LeftRecursive::of(bnf, &nullable));
        let reachable = Reachable::of(bnf);
        for a in bnf.nonterminals().ids() {
            let alone = returns(bnf, a, |l, r| nullable.all(l) && nullable.all(r));
            prop_assert_eq!(cyclic.contains(a), alone, "cyclic {:?}", a);
            let begins = returns(bnf, a, |l, _| nullable.all(l));
            prop_assert_eq!(left.contains(a), begins, "left recursive {:?}", a);
            let plain = returns(bnf, a, |l, _| l.is_empty());
            prop_assert_eq!(left.is_hidden(a), begins && !plain, "hidden {:?}", a);
            let found = a == bnf.start() || derives_form(bnf, a);
            prop_assert_eq!(reachable.contains(Symbol::Nonterminal(a)), found);
        }
        let grouped: usize = cyclic.groups().map(<[_]>::len).sum();
        let ids = bnf.nonterminals().ids();
        prop_assert_eq!(grouped, ids.filter(|&a| cyclic.contains(a)).count());
        Ok(())
    });
}

/// Whether some sentential form contains the nonterminal.
fn derives_form(bnf: &Bnf, wanted: NonterminalId) -> bool {
    let (mut seen, mut work) = (Set::default(), vec![bnf.start()]);
    while let Some(a) = work.pop() {
        let rhs = bnf.productions_of(a).iter().flat_map(|&production| bnf.rhs(production));
        for &symbol in rhs {
            if let Symbol::Nonterminal(b) = symbol
                && seen.insert(b)
            {
                work.push(b);
            }
        }
    }
    seen.contains(&wanted)
}

#[test]
fn both_views_agree_on_what_is_productive() {
    for_random(400, ebnf_texts(), |text| {
        let views = Views::of(text);
        let (productive, viable) = (Productive::of(&views.bnf), Viable::of(&views.graph));
        for (id, nonterminal) in views.bnf.nonterminals().iter() {
            if let Origin::Rule(rule) = nonterminal.origin {
                let body = views.grammar.rules()[rule].body;
                let node = views.graph.node_of(body).expect("a body has a node");
                prop_assert_eq!(productive.contains(id), viable.is_productive(node));
            }
        }
        Ok(())
    });
}
