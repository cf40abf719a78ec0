//! The first error of mutated inputs, against a naive recognizer that decides for every prefix
//! whether some continuation exists.
//!
//! The oracle is Earley's algorithm in its plainest form, on the productive part of the BNF core: a
//! prefix can be continued exactly if some item is left, and what can come next stands after the
//! dots. Terminals of a scannerless grammar are matched letter by letter.

use std::collections::BTreeSet;

use gramercy_base::{Id, Limits};
use gramercy_formats::{Disk, LoadOptions, load};
use gramercy_grammar::{
    Bnf, Grammar, NonterminalId, ProductionId, Symbol, TerminalId, TerminalKind, TextKind,
};
use gramercy_parse::{ErrorClass, TextParser};

/// What the oracle reads.
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Token(TerminalId),
    Letter(char),
}

/// A production with a dot, the place where it began, and how much of a literal was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    production: ProductionId,
    dot: usize,
    within: usize,
    began: usize,
}

struct Oracle<'o> {
    grammar: &'o Grammar,
    bnf: &'o Bnf,
    productive: Vec<bool>,
}

/// Where an input stops being the beginning of a sentence, and what could come there.
#[derive(Debug, PartialEq)]
struct Place {
    at: usize,
    expected: BTreeSet<TerminalId>,
    end: bool,
}

impl<'o> Oracle<'o> {
    fn new(grammar: &'o Grammar, bnf: &'o Bnf) -> Self {
        let mut productive = vec![false; bnf.nonterminal_count()];
        loop {
            let before = productive.clone();
            for production in bnf.productions() {
                if bnf.rhs(production).iter().all(|&symbol| derives(&productive, symbol)) {
                    productive[bnf.lhs(production).index()] = true;
                }
            }
            if before == productive {
                return Self { grammar, bnf, productive };
            }
        }
    }

    /// The first place at which the input cannot go on; its length if it can only not end.
    fn place(&self, input: &[Unit]) -> Place {
        let mut sets: Vec<BTreeSet<Item>> = Vec::new();
        let mut kernel = BTreeSet::new();
        self.predict(self.bnf.start(), 0, &mut kernel);
        for at in 0..=input.len() {
            sets.push(kernel);
            self.close(&mut sets, at);
            let next = input.get(at).map(|&unit| self.scan(&sets[at], unit));
            match next {
                Some(next) if !next.is_empty() => kernel = next,
                _ => return self.what_could_come(&sets[at], at),
            }
        }
        unreachable!("the end of the input stops it")
    }

    fn predict(&self, nonterminal: NonterminalId, began: usize, items: &mut BTreeSet<Item>) {
        for &production in self.bnf.productions_of(nonterminal) {
            if self.bnf.rhs(production).iter().all(|&symbol| derives(&self.productive, symbol)) {
                items.insert(Item { production, dot: 0, within: 0, began });
            }
        }
    }

    fn symbol(&self, item: &Item) -> Option<Symbol> {
        self.bnf.rhs(item.production).get(item.dot).copied()
    }

    /// Adds everything that follows without reading, again and again until nothing is new.
    fn close(&self, sets: &mut [BTreeSet<Item>], at: usize) {
        loop {
            let mut new = BTreeSet::new();
            for item in &sets[at] {
                match self.symbol(item) {
                    Some(Symbol::Nonterminal(id)) => self.predict(id, at, &mut new),
                    Some(Symbol::Terminal(_)) => {}
                    None => {
                        let lhs = Symbol::Nonterminal(self.bnf.lhs(item.production));
                        let waiting = &sets[item.began];
                        let moved = waiting.iter().filter(|other| self.symbol(other) == Some(lhs));
                        new.extend(moved.map(|other| Item { dot: other.dot + 1, ..*other }));
                    }
                }
            }
            let before = sets[at].len();
            sets[at].extend(new);
            if sets[at].len() == before {
                return;
            }
        }
    }

    fn scan(&self, items: &BTreeSet<Item>, unit: Unit) -> BTreeSet<Item> {
        let mut next = BTreeSet::new();
        for item in items {
            let Some(Symbol::Terminal(terminal)) = self.symbol(item) else { continue };
            let whole = Item { dot: item.dot + 1, within: 0, ..*item };
            match (unit, &self.grammar.terminals()[terminal].kind) {
                (Unit::Token(token), _) if token == terminal => {
                    next.insert(whole);
                }
                (Unit::Letter(c), TerminalKind::Literal(text)) => {
                    let mut rest = text.chars().skip(item.within);
                    if rest.next() == Some(c) {
                        let part = Item { within: item.within + 1, ..*item };
                        next.insert(if rest.next().is_none() { whole } else { part });
                    }
                }
                _ => {}
            }
        }
        next
    }

    fn what_could_come(&self, items: &BTreeSet<Item>, at: usize) -> Place {
        let mut place = Place { at, expected: BTreeSet::new(), end: false };
        for item in items {
            match self.symbol(item) {
                Some(Symbol::Terminal(terminal)) => {
                    place.expected.insert(terminal);
                }
                Some(Symbol::Nonterminal(_)) => {}
                None => {
                    let is_start = self.bnf.lhs(item.production) == self.bnf.start();
                    place.end |= is_start && item.began == 0;
                }
            }
        }
        place
    }
}

fn derives(productive: &[bool], symbol: Symbol) -> bool {
    match symbol {
        Symbol::Terminal(_) => true,
        Symbol::Nonterminal(id) => productive[id.index()],
    }
}

/// Numbers that look random and are the same in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }
}

/// A text with a unit inserted, deleted or replaced, once or twice.
fn mutate(units: &[String], alphabet: &[String], draws: &mut Draws) -> Vec<String> {
    let mut units = units.to_vec();
    for _ in 0..=draws.below(2) {
        let other = alphabet[draws.below(alphabet.len())].clone();
        let at = draws.below(units.len() + 1);
        match draws.below(3) {
            0 => units.insert(at, other),
            _ if at == units.len() => {}
            1 => {
                units.remove(at);
            }
            _ => units[at] = other,
        }
    }
    units
}

/// The short accepted texts of a corpus.
fn accepted(corpus: &str) -> Vec<String> {
    let path = gramercy_testkit::examples().join(corpus);
    let text = std::fs::read_to_string(path).expect("a corpus");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
    let accepted = lines.filter(|line: &serde_json::Value| line["expect"] == "accept");
    let texts = accepted.map(|line| line["text"].as_str().expect("a text").to_owned());
    texts.filter(|text| text.len() <= 120).collect()
}

fn check(file: &str, corpus: &str, count: usize) {
    let path = gramercy_testkit::examples().join(file);
    let grammar = load(&path, &Disk, &LoadOptions::default()).grammar.expect("a grammar");
    let bnf = grammar.bnf(&grammar.graph(), &Limits::default()).expect("small");
    let parser = TextParser::new(&grammar, &bnf, &Limits::default()).expect("small");
    let oracle = Oracle::new(&grammar, &bnf);
    let mut workspace = parser.workspace();
    let (glue, cut): (&str, fn(&str) -> Vec<String>) = match grammar.text_kind() {
        TextKind::TokensOnly => (" ", |text| text.split_whitespace().map(str::to_owned).collect()),
        _ => ("", |text| text.chars().map(String::from).collect()),
    };
    let texts: Vec<_> = accepted(corpus).iter().map(|text| cut(text)).collect();
    let alphabet: BTreeSet<String> = texts.iter().flatten().cloned().collect();
    let alphabet: Vec<_> = alphabet.into_iter().collect();
    let (mut draws, mut rejected) = (Draws(7), 0);
    for _ in 0..count {
        let text = mutate(&texts[draws.below(texts.len())], &alphabet, &mut draws).join(glue);
        let (tokens, stopped) = parser.tokens(&mut workspace, &text);
        let units: Vec<_> = tokens
            .iter()
            .map(|token| match token.terminal {
                Some(terminal) => Unit::Token(terminal),
                None => Unit::Letter(text[token.start as usize..].chars().next().expect("one")),
            })
            .collect();
        let place = oracle.place(&units);
        let is_whole = place.at == units.len() && stopped.is_none();
        match parser.recognize(&mut workspace, &text) {
            Ok(()) => assert!(is_whole && place.end, "{file}: {text:?} was accepted"),
            Err(error) => {
                rejected += 1;
                assert!(!(is_whole && place.end), "{file}: {text:?} was rejected");
                let expected = error.expected.iter().collect();
                let found = Place { at: error.token, expected, end: error.end_expected };
                assert_eq!(found, place, "{file}: {text:?}");
                let byte = match tokens.get(place.at) {
                    Some(token) => token.start as usize,
                    None => stopped.as_ref().map_or(text.len(), |(byte, _)| *byte),
                };
                assert_eq!(error.byte, byte, "{file}: {text:?}");
                assert_eq!(error.class == ErrorClass::End, is_whole, "{file}: {text:?}");
            }
        }
    }
    assert!(rejected * 3 > count, "{file}: only {rejected} of {count} were rejected");
}

#[test]
fn scannerless_expressions() {
    check("expr.gram", "expr.corpus.ndjson", 200);
}

#[test]
fn json() {
    check("json.gram", "json.corpus.ndjson", 200);
}

#[test]
fn programs() {
    check("mini.gram", "mini.corpus.ndjson", 200);
}

#[test]
fn a_calculator_of_tokens() {
    check("calc.y", "calc.corpus.ndjson", 200);
}

#[test]
fn an_ambiguous_grammar() {
    check("dangling-else.y", "dangling-else.corpus.ndjson", 200);
}
