//! Laws of the transformations on random small grammars: each keeps the language, and each has the
//! result that it promises. The oracle computes all short words of a grammar by iteration.

use std::collections::BTreeSet;

use gramercy_base::{Limits, SourceId, Sources, Span, Table};
use gramercy_grammar::{
    Alternative, ExprId, ExprKind, Grammar, GrammarBuilder, Notation, RuleId, RuleKind,
    TerminalKind,
};
use gramercy_regular::{CharSet, Dfa, Regex};
use gramercy_transform::{TransformError, Transformation};
use proptest::prelude::{Just, Strategy, prop, prop_oneof};
use proptest::test_runner::{Config, RngSeed};
use proptest::{prop_assert, prop_assert_eq, proptest};

/// The length of the longest words that are compared.
const LONGEST: usize = 4;
const LETTERS: [&str; 2] = ["a", "b"];

type Words = BTreeSet<String>;

/// A random right-hand side.
#[derive(Clone, Debug)]
enum RandomExpr {
    Literal(&'static str),
    Regex(Regex),
    Rule(usize),
    Sequence(Vec<RandomExpr>),
    Choice(Vec<RandomExpr>),
    Repeat(Box<RandomExpr>, u32, Option<u32>, bool),
}

fn regexes() -> impl Strategy<Value = Regex> {
    let set = |text: &str| Regex::Chars(text.chars().collect());
    let leaf = prop_oneof![
        Just(Regex::Empty),
        Just(Regex::Nothing),
        Just(set("a")),
        Just(set("ab")),
        Just(Regex::Chars(CharSet::range('b'.into(), 'z'.into()))),
    ];
    leaf.prop_recursive(3, 6, 2, |inner| {
        let two = prop::collection::vec(inner.clone(), 2);
        prop_oneof![
            two.clone().prop_map(Regex::Concat),
            two.prop_map(Regex::Union),
            (inner, 0u32..2, prop::option::of(1u32..3)).prop_map(|(inner, min, max)| {
                Regex::Repeat { inner: Box::new(inner), min, max }
            }),
        ]
    })
}

fn exprs(rules: usize) -> impl Strategy<Value = RandomExpr> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["", "a", "b", "ab"]).prop_map(RandomExpr::Literal),
        3 => (0..rules).prop_map(RandomExpr::Rule),
        1 => regexes().prop_map(RandomExpr::Regex),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            some.clone().prop_map(RandomExpr::Sequence),
            some.prop_map(RandomExpr::Choice),
            (inner, 0u32..3, prop::option::of(0u32..2), prop::bool::ANY).prop_map(
                |(inner, min, more, greedy)| {
                    RandomExpr::Repeat(Box::new(inner), min, more.map(|more| min + more), greedy)
                }
            ),
        ]
    })
}

fn grammars() -> impl Strategy<Value = Grammar> {
    (1usize..4)
        .prop_flat_map(|rules| prop::collection::vec(exprs(rules), rules))
        .prop_map(|exprs| build(&exprs))
}

fn build(exprs: &[RandomExpr]) -> Grammar {
    let mut sources = Sources::new();
    let mut building = Building {
        builder: GrammarBuilder::new("random", Notation::Native),
        source: sources.add("random", ""),
        rules: Vec::new(),
    };
    for name in ["A", "B", "C"].iter().take(exprs.len()) {
        let rule = building.builder.declare(name, RuleKind::Syntax, building.span());
        building.rules.push(rule);
    }
    for (index, random) in exprs.iter().enumerate() {
        let expr = building.expr(random);
        let (rule, span) = (building.rules[index], building.span());
        building.builder.define(rule, vec![Alternative::plain(expr)], span);
    }
    building.builder.finish(building.rules[0], sources)
}

struct Building {
    builder: GrammarBuilder,
    source: SourceId,
    rules: Vec<RuleId>,
}

impl Building {
    fn span(&self) -> Span {
        Span::new(self.source, 0, 0)
    }

    fn expr(&mut self, random: &RandomExpr) -> ExprId {
        let span = self.span();
        match random {
            RandomExpr::Literal(text) => self.builder.literal(text, &format!("{text:?}"), span),
            RandomExpr::Regex(regex) => {
                let source = format!("{regex:?}");
                let kind =
                    TerminalKind::Regex { source: source.clone().into(), regex: regex.clone() };
                let terminal = self.builder.terminal(kind, &source, span);
                self.builder.leaf(terminal, span)
            }
            RandomExpr::Rule(rule) => self.builder.reference(self.rules[*rule], span),
            RandomExpr::Sequence(items) => {
                let items = items.iter().map(|item| self.expr(item)).collect();
                self.builder.sequence(items, span)
            }
            RandomExpr::Choice(branches) => {
                let branches = branches.iter().map(|b| Alternative::plain(self.expr(b))).collect();
                self.builder.alternation(branches, span)
            }
            RandomExpr::Repeat(inner, min, max, greedy) => {
                let inner = self.expr(inner);
                self.builder.repeat(inner, *min, *max, *greedy, span)
            }
        }
    }
}

/// All words over the letters up to the longest.
fn all_words() -> Words {
    let mut words = Words::from([String::new()]);
    for _ in 0..LONGEST {
        let longer = words.iter().flat_map(|word| LETTERS.map(|letter| format!("{word}{letter}")));
        let longer: Vec<_> = longer.collect();
        words.extend(longer);
    }
    words
}

/// The short words of a terminal.
fn leaf(kind: &TerminalKind) -> Words {
    match kind {
        TerminalKind::Literal(text) => Words::from([text.to_string()]),
        TerminalKind::Chars(set) => {
            let chars = set.chars().take_while(|&c| c <= 'z').map(String::from);
            chars.filter(|c| LETTERS.contains(&c.as_str())).collect()
        }
        TerminalKind::Regex { regex, .. } => {
            let dfa = Dfa::minimal(regex, &Limits::default()).expect("small");
            all_words().into_iter().filter(|word| dfa.matches(word)).collect()
        }
        other => unreachable!("no {other:?} is drawn"),
    }
}

/// The short words that a grammar derives: a least fixpoint over its rules.
fn words(grammar: &Grammar) -> Words {
    let leaves = grammar.terminals().map(|_, terminal| leaf(&terminal.kind));
    let mut of_expr: Table<ExprId, Words> = Table::filled(Words::new(), grammar.exprs().len());
    loop {
        let mut grew = false;
        for (id, expr) in grammar.exprs().iter() {
            let new = match &expr.kind {
                ExprKind::Alternation(alternatives) => {
                    alternatives.iter().flat_map(|a| of_expr[a.expr].clone()).collect()
                }
                ExprKind::Sequence(items) => {
                    let empty = Words::from([String::new()]);
                    items.iter().fold(empty, |before, &item| joined(&before, &of_expr[item]))
                }
                ExprKind::Repeat { body, min, max, .. } => repeated(&of_expr[*body], *min, *max),
                ExprKind::Rule(rule) => of_expr[grammar.rules()[*rule].body].clone(),
                ExprKind::Terminal(terminal) => leaves[*terminal].clone(),
                ExprKind::Commands(_) => unreachable!("there is no lexer"),
            };
            grew |= new.len() > of_expr[id].len();
            of_expr[id] = new;
        }
        if !grew {
            return of_expr[grammar.rules()[grammar.start()].body].clone();
        }
    }
}

fn joined(before: &Words, after: &Words) -> Words {
    let pairs = before.iter().flat_map(|b| after.iter().map(move |a| format!("{b}{a}")));
    pairs.filter(|word| word.len() <= LONGEST).collect()
}

fn repeated(once: &Words, min: u32, max: Option<u32>) -> Words {
    let longest = u32::try_from(LONGEST).expect("short");
    let mut exactly = Words::from([String::new()]);
    (0..min).for_each(|_| exactly = joined(&exactly, once));
    let mut all = exactly.clone();
    // More repetitions add only empty ones.
    for _ in min..max.unwrap_or(u32::MAX).min(min + longest) {
        exactly = joined(&exactly, once);
        all.extend(exactly.iter().cloned());
    }
    all
}

fn has_expr(grammar: &Grammar, wanted: impl Fn(ExprId, &ExprKind) -> bool) -> bool {
    grammar.exprs().iter().any(|(id, expr)| wanted(id, &expr.kind))
}

fn is_literal(grammar: &Grammar, expr: ExprId) -> bool {
    matches!(grammar.expr(expr).kind, ExprKind::Terminal(terminal)
        if matches!(grammar.terminals()[terminal].kind, TerminalKind::Literal(_)))
}

/// Whether a terminal is a regular expression of the empty language.
fn is_nothing(kind: &TerminalKind) -> bool {
    let TerminalKind::Regex { regex, .. } = kind else { return false };
    Dfa::minimal(regex, &Limits::default()).expect("small").is_empty()
}

/// Whether a grammar has the properties that a transformation promises.
fn has_promised_result(transformation: Transformation, grammar: &Grammar) -> bool {
    match transformation {
        Transformation::InlineReferences { .. } => true,
        Transformation::Reduce => {
            let again = transformation.apply(grammar, &Limits::default()).expect("not empty");
            again.exprs().len() == grammar.exprs().len()
                && !grammar.terminals().values().any(|terminal| is_nothing(&terminal.kind))
        }
        Transformation::ExtractAlternations => {
            let bodies: BTreeSet<_> = grammar.rules().values().map(|rule| rule.body).collect();
            !has_expr(grammar, |id, kind| {
                matches!(kind, ExprKind::Alternation(a) if a.len() > 1) && !bodies.contains(&id)
            })
        }
        Transformation::EpsilonizeQuantifiers => {
            !has_expr(grammar, |_, kind| matches!(kind, ExprKind::Repeat { min: 0, .. }))
        }
        Transformation::UnfoldRegexes => grammar.terminals().values().all(|terminal| {
            !matches!(terminal.kind, TerminalKind::Regex { .. }) || is_nothing(&terminal.kind)
        }),
        Transformation::MergeLiterals => !has_expr(grammar, |_, kind| {
            let ExprKind::Sequence(items) = kind else { return false };
            items.windows(2).any(|two| two.iter().all(|&item| is_literal(grammar, item)))
        }),
    }
}

fn has_distinct_names(grammar: &Grammar) -> bool {
    let names: BTreeSet<_> = grammar.rules().values().map(|rule| &rule.name).collect();
    names.len() == grammar.rules().len()
}

fn transformations() -> impl Strategy<Value = Vec<Transformation>> {
    let one = prop_oneof![
        3 => prop::sample::select(Transformation::ALL.to_vec()),
        1 => (0usize..4).prop_map(|levels| Transformation::InlineReferences { levels }),
    ];
    prop::collection::vec(one, 1..4)
}

/// The same cases in every run.
fn config() -> Config {
    Config {
        cases: 2000,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn transformations_keep_the_language(original in grammars(), chosen in transformations()) {
        let expected = words(&original);
        let limits = Limits { symbols: 20_000, ..Limits::default() };
        let mut grammar = original;
        for transformation in chosen {
            grammar = match transformation.apply(&grammar, &limits) {
                Ok(new) => new,
                Err(TransformError::NoSentence) => {
                    prop_assert!(expected.is_empty());
                    return Ok(());
                }
                Err(TransformError::Limit(_)) => return Ok(()),
            };
            prop_assert_eq!(&words(&grammar), &expected, "after {:?}", transformation);
            prop_assert!(has_promised_result(transformation, &grammar), "after {:?}", transformation);
            prop_assert!(has_distinct_names(&grammar));
        }
    }
}
