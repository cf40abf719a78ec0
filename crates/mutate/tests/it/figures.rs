//! Figures that an independent implementation found too.

use std::ops::ControlFlow;

use gramercy_analysis::{
    Adjacency, First, Follow, Last, Length, Nullable, Precede, TerminalOrEnd, TerminalSets,
};
use gramercy_base::{Fingerprint, Id, IdSet, Set};
use gramercy_derive::{Candidate, CheapestTrees, Contexts, Embedding, Resolution, Ties};
use gramercy_grammar::{Cfg, NonterminalId, Symbol, TerminalId};
use gramercy_language::Language;
use gramercy_lr::Construction;
use gramercy_mutate::check::exact::Exact;
use gramercy_mutate::check::pairs::Pairs;
use gramercy_mutate::operators::edge::Edges;
use gramercy_mutate::operators::rule::Rules;
use gramercy_mutate::operators::stack::Stacks;
use gramercy_mutate::{Check, Edit, Item, Kind, Reader, Vocabulary};

use crate::support::{pop_edge_trees, pop_edge_words, read, shared};

/// All edits of all words that a check finds: insertions, substitutions, deletions, insertions at the end.
fn raw_counts(words: &[Vec<TerminalId>], terminals: usize, check: &mut dyn Check) -> [usize; 4] {
    let mut set = IdSet::new(terminals);
    let mut counts = [0; 4];
    for word in words {
        check.begin(word);
        for place in 0..=word.len() {
            set.clear();
            check.insertions(place, &mut set);
            counts[if place == word.len() { 3 } else { 0 }] += set.len();
            if place < word.len() {
                set.clear();
                check.substitutions(place, &mut set);
                counts[1] += set.len();
                counts[2] += usize::from(check.is_negative(place, 1, &[]));
            }
        }
    }
    counts
}

/// A fingerprint of a changed word.
fn print(word: &[TerminalId], edit: &Edit<'_>) -> u128 {
    let mut print = Fingerprint::default();
    let (before, rest) = word.split_at(edit.place);
    let all = before.iter().chain(edit.inserted).chain(&rest[edit.removed..]);
    all.for_each(|token| print.add(token.index() as u64));
    print.finish()
}

/// Distinct token strings over all words, and how many mutants there are within words.
fn distinct(
    words: &[Vec<TerminalId>],
    terminals: usize,
    check: &mut dyn Check,
) -> (usize, u64, u64) {
    let mut edges = Edges::new(terminals);
    let (mut seen, mut visited, mut counted) = (Set::default(), 0, 0);
    for word in words {
        check.begin(word);
        counted += edges.count(word, check);
        let _ = edges.visit(word, check, &mut |edit| {
            visited += 1;
            seen.insert(print(word, edit));
            ControlFlow::Continue(())
        });
    }
    (seen.len(), visited, counted)
}

fn with_exact<T>(language: &Language, run: impl FnOnce(&mut Exact<'_>) -> T) -> T {
    let parser = language.parser().expect("within the limits").parser();
    let mut workspace = parser.workspace();
    let reader = Reader::new(parser, &mut workspace).expect("there are sentences");
    run(&mut Exact::new(Vocabulary::new(language), reader))
}

struct EdgeFigures {
    file: &'static str,
    automaton: Construction,
    words: (usize, usize),
    pairs: [usize; 4],
    exact: Option<[usize; 4]>,
    distinct: (usize, Option<usize>),
}

fn check_edges(figures: &EdgeFigures) {
    let Some(language) = shared(figures.file) else { return };
    let words = pop_edge_words(&language, figures.automaton);
    assert_eq!((words.len(), words.iter().map(Vec::len).sum()), figures.words, "{}", figures.file);
    let terminals = language.bnf().terminal_count();
    let mut pairs = Pairs::new(&language);
    assert_eq!(raw_counts(&words, terminals, &mut pairs), figures.pairs, "{}", figures.file);
    let (different, visited, counted) = distinct(&words, terminals, &mut pairs);
    assert_eq!(different, figures.distinct.0, "{}", figures.file);
    assert_eq!(visited, counted, "{}", figures.file);
    let Some(expected) = figures.exact else { return };
    with_exact(&language, |exact| {
        assert_eq!(raw_counts(&words, terminals, exact), expected, "{}", figures.file);
        let (different, visited, counted) = distinct(&words, terminals, exact);
        assert_eq!(Some(different), figures.distinct.1, "{}", figures.file);
        assert_eq!(visited, counted, "{}", figures.file);
    });
}

#[test]
fn edge_mutants_of_ampl() {
    check_edges(&EdgeFigures {
        file: "ampl20.y",
        automaton: Construction::Lr0,
        words: (128, 1822),
        pairs: [82_805, 79_314, 1_496, 5_888],
        exact: Some([85_052, 82_543, 1_734, 6_016]),
        distinct: (163_859, Some(169_174)),
    });
    check_edges(&EdgeFigures {
        file: "ampl20.y",
        automaton: Construction::Canonical,
        words: (572, 8195),
        pairs: [370_090, 351_664, 6_511, 26_312],
        exact: Some([381_497, 366_379, 7_738, 26_884]),
        distinct: (718_214, Some(742_933)),
    });
}

#[test]
fn edge_mutants_of_go() {
    // Reading seven million mutants takes a minute without optimization.
    let is_thorough = std::env::var("GRAMERCY_PROOF").is_ok_and(|what| what == "all");
    check_edges(&EdgeFigures {
        file: "go.y",
        automaton: Construction::Lr0,
        words: (2_707, 45_355),
        pairs: [2_921_206, 2_837_718, 19_592, 208_439],
        exact: is_thorough.then_some([3_456_462, 3_419_492, 42_702, 211_146]),
        distinct: (5_815_513, is_thorough.then_some(6_875_771)),
    });
}

/// Every edit of some words is read from its first token on by a parser that knows nothing of a base.
#[test]
fn exact_mutants_of_go_read_from_scratch() {
    let Some(language) = shared("go.y") else { return };
    let words = pop_edge_words(&language, Construction::Lr0);
    let all: Vec<TerminalId> = Vocabulary::new(&language).all().iter().collect();
    let parser = language.parser().expect("within the limits").parser();
    let mut workspace = parser.workspace();
    let mut is_sentence = |tokens: &[TerminalId]| {
        let inputs: Vec<_> = tokens.iter().map(|&id| parser.input_of_token(id)).collect();
        parser.recognize(&mut workspace, &inputs).is_ok()
    };
    let mut read = 0;
    with_exact(&language, |exact| {
        for word in words.iter().step_by(300) {
            exact.begin(word);
            let (mut inserted, mut substituted) = (
                IdSet::new(language.bnf().terminal_count()),
                IdSet::new(language.bnf().terminal_count()),
            );
            for place in 0..=word.len() {
                let (before, rest) = word.split_at(place);
                inserted.clear();
                exact.insertions(place, &mut inserted);
                substituted.clear();
                if !rest.is_empty() {
                    exact.substitutions(place, &mut substituted);
                    let deleted = [before, &rest[1..]].concat();
                    assert_eq!(exact.is_negative(place, 1, &[]), !is_sentence(&deleted));
                }
                for &token in &all {
                    let mutant = [before, &[token], rest].concat();
                    assert_eq!(inserted.contains(token), !is_sentence(&mutant), "{mutant:?}");
                    if rest.first().is_some_and(|&here| here != token) {
                        let mutant = [before, &[token], &rest[1..]].concat();
                        assert_eq!(
                            substituted.contains(token),
                            !is_sentence(&mutant),
                            "{mutant:?}"
                        );
                    }
                    read += 2;
                }
            }
        }
    });
    assert!(read > 10_000, "{read}");
}

/// What can stand beside an item in any sentence, and which symbols do not fit in between: the conditions on rules of
/// Raselimo, Taljaard and Fischer, with both boundaries and the begin and end of sentences.
struct ItemPairs<'l> {
    cfg: &'l Cfg,
    nullable: Nullable,
    first: First,
    last: Last,
    follow: Follow,
    precede: Precede,
    adjacency: Adjacency,
}

impl<'l> ItemPairs<'l> {
    fn new(language: &'l Language) -> Self {
        let (cfg, useful) = (language.bnf().cfg(), language.useful());
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, language.productive(), &nullable);
        let last = Last::of(cfg, language.productive(), &nullable);
        let follow = Follow::of(cfg, useful, &nullable, &first);
        let precede = Precede::of(cfg, useful, &nullable, &last);
        let adjacency = Adjacency::of(cfg, useful, &nullable, &first, &follow);
        Self { cfg, nullable, first, last, follow, precede, adjacency }
    }

    fn is_nullable(&self, symbols: &[Symbol]) -> bool {
        let is = |symbol: &Symbol| matches!(symbol, Symbol::Nonterminal(id) if self.nullable.contains(*id));
        symbols.iter().all(is)
    }

    /// What these symbols can begin or end with, the outermost first.
    fn outermost<'s>(
        &self,
        symbols: impl Iterator<Item = &'s Symbol>,
        sets: &TerminalSets,
    ) -> IdSet<TerminalOrEnd> {
        let mut set = IdSet::new(TerminalOrEnd::count(self.cfg));
        for symbol in symbols {
            match *symbol {
                Symbol::Terminal(id) => _ = set.insert(id.into()),
                Symbol::Nonterminal(id) => _ = set.union_with(sets.row(id)),
            }
            if !self.is_nullable(&[*symbol]) {
                break;
            }
        }
        set
    }

    fn left(&self, lhs: NonterminalId, before: &[Symbol]) -> IdSet<TerminalOrEnd> {
        let mut left = self.outermost(before.iter().rev(), self.last.sets());
        if self.is_nullable(before) {
            left.union_with(self.precede.sets().row(lhs));
        }
        left
    }

    fn right(&self, lhs: NonterminalId, behind: &[Symbol]) -> IdSet<TerminalOrEnd> {
        let mut right = self.outermost(behind.iter(), self.first.sets());
        if self.is_nullable(behind) {
            right.union_with(self.follow.sets().row(lhs));
        }
        right
    }

    fn are_strangers(&self, left: &IdSet<TerminalOrEnd>, right: &IdSet<TerminalOrEnd>) -> bool {
        left.iter().all(|a| right.iter().all(|b| !self.adjacency.contains(a, b)))
    }
}

#[test]
fn rule_mutants() {
    let check = |file: &str, language: Option<Language>, deletions, insertions| {
        let Some(language) = language else { return };
        let cheapest = CheapestTrees::new(&language, Resolution::default());
        let contexts = Contexts::new(&language, &cheapest);
        let rules = Rules::new(&language, &contexts);
        let mut pairs = Pairs::new(&language);
        let mut found = Set::default();
        for production in rules.productions() {
            let base = rules.base(production);
            pairs.begin(&base.tokens);
            let _ = rules.visit(&base, &mut pairs, &mut |edit| {
                let item = edit.item.expect("an item is changed");
                found.insert((item, edit.operator.kind, edit.apply(&base.tokens)));
                ControlFlow::Continue(())
            });
        }
        // What no sentence around the production allows is found in the smallest one.
        let (items, cfg) = (ItemPairs::new(&language), language.bnf().cfg());
        let of = |symbols: &[Symbol]| {
            let mut candidate = Candidate::default();
            cheapest.close_all(symbols, &mut candidate);
            candidate.tokens
        };
        let symbols = cfg.terminals().map(Symbol::Terminal);
        let symbols: Vec<Symbol> =
            symbols.chain(cfg.nonterminals().map(Symbol::Nonterminal)).collect();
        // Tokens that are declared and occur in no rule do not count.
        let is_put =
            |symbol: &Symbol| language.useful().contains(*symbol) && !items.is_nullable(&[*symbol]);
        let symbols: Vec<Symbol> = symbols.into_iter().filter(is_put).collect();
        let mut counts = [0; 2];
        for production in rules.productions() {
            let (lhs, rhs) = (cfg.lhs(production), cfg.rhs(production));
            let word = |middle: Vec<TerminalId>, dot: usize, skipped: usize| {
                let mut all = Candidate::default();
                contexts.open(lhs, &mut all);
                cheapest.close_all(&rhs[..dot], &mut all);
                all.tokens.extend(middle);
                cheapest.close_all(&rhs[dot + skipped..], &mut all);
                contexts.finish(lhs, &mut all);
                all.tokens
            };
            for dot in 0..=rhs.len() {
                let (item, left) = (Item { production, dot }, items.left(lhs, &rhs[..dot]));
                if dot < rhs.len() && items.are_strangers(&left, &items.right(lhs, &rhs[dot + 1..]))
                {
                    counts[0] += 1;
                    let mutant = word(Vec::new(), dot, 1);
                    assert!(found.contains(&(item, Kind::Delete, mutant)), "{file}: {item:?}");
                }
                let right = items.right(lhs, &rhs[dot..]);
                for &symbol in &symbols {
                    let begins = items.outermost([symbol].iter(), items.first.sets());
                    let ends = items.outermost([symbol].iter(), items.last.sets());
                    if items.are_strangers(&left, &begins) || items.are_strangers(&ends, &right) {
                        counts[1] += 1;
                        let mutant = word(of(&[symbol]), dot, 0);
                        assert!(found.contains(&(item, Kind::Insert, mutant)), "{file}: {item:?}");
                    }
                }
            }
        }
        assert_eq!(counts, [deletions, insertions], "{file}");
    };
    check("ampl20.y", shared("ampl20.y"), 53, 14_246);
    check("go.y", shared("go.y"), 52, 67_535);
    // bison tells `array` and `'array'` apart; the figure is known for one token.
    let file = gramercy_testkit::shared("pytomata").map(|folder| folder.join("simpl18.y"));
    let text = file.map(|file| std::fs::read_to_string(file).expect("a grammar"));
    let simpl = text.map(|text| read("simpl18.y", &text.replace("'array'", "array")));
    check("simpl18.y", simpl, 48, 14_257);
}

#[test]
fn stack_mutants_of_ampl() {
    let Some(language) = shared("ampl20.y") else { return };
    let trees = pop_edge_trees(&language, Construction::Lr0);
    assert_eq!(trees.len(), 277);
    let resolution =
        Resolution { embedding: Embedding::Shortest, length: Length::LrEdges, ties: Ties::First };
    let cheapest = CheapestTrees::new(&language, resolution);
    let stacks = Stacks::new(&cheapest, language.bnf().productions());
    let mut pairs = Pairs::new(&language);
    let mut seen = [(); 4].map(|()| Set::default());
    for (productions, tokens) in &trees {
        pairs.begin(tokens);
        let _ = stacks.visit(productions, tokens, &mut pairs, &mut |edit| {
            seen[edit.operator.kind as usize].insert(edit.apply(tokens));
            ControlFlow::Continue(())
        });
    }
    let [deleted, inserted, substituted, swapped] = seen.map(|seen| seen.len());
    assert_eq!((inserted, substituted, deleted, swapped), (82_365, 116_988, 383, 0));
}
