//! The parser against slow, simple oracles on small grammars.

use gramercy_base::{Id, Limits, Map, Sources};
use gramercy_grammar::{
    Alternative as Branch, Bnf, Cfg, Grammar, GrammarBuilder, NonterminalId, Notation, RuleKind,
    Symbol, TerminalId,
};
use gramercy_parse::count::TreeCount;
use gramercy_parse::tables::InputId;
use gramercy_parse::{Parser, Recognizer, Rejection};
use proptest::prelude::*;

/// A grammar as data: for each nonterminal its right-hand sides; small numbers are nonterminals,
/// negative ones terminals.
type Plain = Vec<Vec<Vec<i8>>>;

const TERMINALS: usize = 2;
const PRIME: u128 = (1 << 61) - 1;

fn grammar_of(plain: &Plain) -> Grammar {
    let mut sources = Sources::new();
    let source = sources.add("test", "");
    let span = gramercy_base::Span::new(source, 0, 0);
    let mut builder = GrammarBuilder::new("test", Notation::Native);
    let rules: Vec<_> = (0..plain.len())
        .map(|at| builder.declare(&format!("N{at}"), RuleKind::Syntax, span))
        .collect();
    for (rule, alternatives) in rules.iter().zip(plain) {
        let mut branches = Vec::new();
        for rhs in alternatives {
            let items = rhs.iter().map(|&symbol| match usize::try_from(symbol) {
                Ok(rule) => builder.reference(rules[rule % rules.len()], span),
                Err(_) => {
                    let token = builder.token(&format!("t{}", -symbol), None);
                    builder.leaf(token, span)
                }
            });
            let items = items.collect();
            branches.push(Branch::plain(builder.sequence(items, span)));
        }
        builder.define(*rule, branches, span);
    }
    builder.finish(rules[0], sources)
}

fn bnf_of(grammar: &Grammar) -> Bnf {
    grammar.bnf(&grammar.graph(), &Limits::default()).expect("small")
}

/// The number of trees over a range by brute force, modulo a prime: there may be very many.
struct Naive<'c> {
    cfg: &'c Cfg,
    input: &'c [TerminalId],
    memo: Map<(Vec<Symbol>, usize, usize, u32), u128>,
}

impl Naive<'_> {
    /// Trees of a sequence of symbols with height at most `height`.
    fn count(&mut self, symbols: &[Symbol], start: usize, end: usize, height: u32) -> u128 {
        let Some((first, rest)) = symbols.split_first() else {
            return u128::from(start == end);
        };
        let key = (symbols.to_vec(), start, end, height);
        if let Some(&known) = self.memo.get(&key) {
            return known;
        }
        let mut sum: u128 = 0;
        for middle in start..=end {
            let of_first = match *first {
                Symbol::Terminal(terminal) => {
                    u128::from(middle == start + 1 && self.input[start] == terminal)
                }
                Symbol::Nonterminal(nonterminal) if height > 0 => {
                    let mut sum: u128 = 0;
                    for &production in self.cfg.productions_of(nonterminal) {
                        let rhs = self.cfg.rhs(production).to_vec();
                        sum = (sum + self.count(&rhs, start, middle, height - 1)) % PRIME;
                    }
                    sum
                }
                Symbol::Nonterminal(_) => 0,
            };
            if of_first > 0 {
                let of_rest = self.count(rest, middle, end, height);
                sum = (sum + of_first * of_rest) % PRIME;
            }
        }
        self.memo.insert(key, sum);
        sum
    }
}

/// The trees of the whole input: a finite number, or `None` if taller trees never cease.
fn naive_trees(cfg: &Cfg, input: &[TerminalId]) -> Option<u128> {
    let tall = u32::try_from(cfg.nonterminal_count() * (2 * input.len() + 1) + 1).expect("small");
    let mut naive = Naive { cfg, input, memo: Map::default() };
    let start = [Symbol::Nonterminal(cfg.start())];
    let count = naive.count(&start, 0, input.len(), tall);
    let taller = naive.count(&start, 0, input.len(), 2 * tall);
    (count == taller).then_some(count)
}

fn inputs(length: usize) -> Vec<Vec<TerminalId>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|word| {
                (0..TERMINALS).map(move |next| {
                    let mut word: Vec<TerminalId> = word.clone();
                    word.push(TerminalId::from_index(next));
                    word
                })
            })
            .collect();
        all.extend(last.clone());
    }
    all
}

fn parse(grammar: &Grammar, input: &[TerminalId]) -> Result<TreeCount, Rejection> {
    let bnf = bnf_of(grammar);
    let parser = Parser::new(grammar, &bnf, &Limits::default()).expect("small");
    let mut workspace = parser.workspace();
    let input: Vec<InputId> = input.iter().map(|&token| parser.input_of_token(token)).collect();
    let forest = parser.parse(&mut workspace, &input).map(|forest| forest.count_trees());
    assert_eq!(parser.recognize(&mut workspace, &input).err(), forest.clone().err());
    forest
}

fn check_all(plain: &Plain, length: usize) {
    let grammar = grammar_of(plain);
    let bnf = bnf_of(&grammar);
    // Tokens that the grammar does not mention have no id.
    let known = bnf.terminal_count();
    let words = inputs(length);
    let words: Vec<_> =
        words.into_iter().filter(|word| word.iter().all(|id| id.index() < known)).collect();
    let trees: Vec<_> = words.iter().map(|word| naive_trees(bnf.cfg(), word)).collect();
    let sentences: Vec<&Vec<TerminalId>> = words
        .iter()
        .zip(&trees)
        .filter(|(_, trees)| **trees != Some(0))
        .map(|(word, _)| word)
        .collect();
    for (word, trees) in words.iter().zip(&trees) {
        match (parse(&grammar, word), trees) {
            (Ok(TreeCount::Infinite), None) => {}
            (Ok(TreeCount::Finite(count)), Some(expected)) => {
                let count = u128::try_from(count % dashu_int::UBig::from(PRIME)).expect("small");
                assert_eq!(count, *expected, "{word:?} in {plain:?}");
            }
            (Err(rejection), Some(0)) => check_place(&rejection, word, &sentences, plain),
            (found, expected) => panic!("{word:?} in {plain:?}: {found:?}, not {expected:?}"),
        }
    }
}

/// What the sentences at hand allow must be allowed; what they do not is checked only where longer
/// sentences cannot exist.
fn check_place(
    rejection: &Rejection,
    word: &[TerminalId],
    sentences: &[&Vec<TerminalId>],
    plain: &Plain,
) {
    let prefix = &word[..rejection.at];
    for sentence in sentences.iter().filter(|sentence| sentence.starts_with(prefix)) {
        match sentence.get(rejection.at) {
            None => assert!(rejection.end_expected, "{word:?} in {plain:?}: {rejection:?}"),
            Some(next) => {
                assert!(rejection.expected.contains(*next), "{word:?} in {plain:?}: {rejection:?}");
            }
        }
    }
    if let Some(next) = word.get(rejection.at) {
        assert!(!rejection.expected.contains(*next), "{word:?} in {plain:?}: {rejection:?}");
    } else {
        assert!(!rejection.end_expected, "{word:?} in {plain:?}: {rejection:?}");
    }
}

/// Reads all words up to a length, each from the checkpoint of the word without its last token.
fn explore(
    recognizer: &mut Recognizer<'_>,
    parser: &Parser,
    grammar: &Grammar,
    word: &mut Vec<TerminalId>,
    length: usize,
) {
    let fresh = parse(grammar, word);
    assert_eq!(recognizer.is_sentence(), fresh.is_ok(), "{word:?}");
    if let Err(rejection) = fresh {
        assert_eq!(rejection.at, word.len(), "{word:?}");
        assert_eq!(recognizer.expected(), (rejection.expected, rejection.end_expected), "{word:?}");
    }
    if word.len() == length {
        return;
    }
    let here = recognizer.checkpoint();
    for next in (0..grammar.syntax_terminals()).map(TerminalId::from_index) {
        word.push(next);
        if recognizer.read(parser.input_of_token(next)) {
            explore(recognizer, parser, grammar, word, length);
        } else {
            assert!(parse(grammar, word).is_err_and(|r| r.at + 1 == word.len()), "{word:?}");
        }
        recognizer.resume(&here);
        word.pop();
    }
}

fn check_resuming(plain: &Plain, length: usize) {
    let grammar = grammar_of(plain);
    let bnf = bnf_of(&grammar);
    let parser = Parser::new(&grammar, &bnf, &Limits::default()).expect("small");
    let mut workspace = parser.workspace();
    if let Some(mut recognizer) = Recognizer::new(&parser, &mut workspace) {
        explore(&mut recognizer, &parser, &grammar, &mut Vec::new(), length);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn trees_are_counted_as_by_brute_force(plain in plain_grammars()) {
        check_all(&plain, 5);
    }

    #[test]
    fn going_back_changes_nothing(plain in plain_grammars()) {
        check_resuming(&plain, 4);
    }
}

fn plain_grammars() -> impl Strategy<Value = Plain> {
    let rhs = prop::collection::vec(-2i8..3, 0..4);
    let alternatives = prop::collection::vec(rhs, 1..4);
    prop::collection::vec(alternatives, 1..4)
}

#[test]
fn known_hard_cases() {
    // Hidden left recursion, hidden right recursion, cycles, empty rules in the middle.
    check_all(&vec![vec![vec![1, 0, -1], vec![-2]], vec![vec![], vec![-1]]], 6);
    check_all(&vec![vec![vec![-1, 0, 1], vec![-2]], vec![vec![], vec![-1]]], 6);
    check_all(&vec![vec![vec![0], vec![-1]]], 4);
    check_all(&vec![vec![vec![0, 0], vec![-1], vec![]]], 4);
    check_all(&vec![vec![vec![0, 0, 0], vec![0, 0], vec![-1]]], 7);
    check_all(&vec![vec![vec![-1, 1, -2, 1], vec![]], vec![vec![0], vec![0, 0]]], 5);
}

fn catalan(n: u32) -> dashu_int::UBig {
    (0..n).fold(dashu_int::UBig::ONE, |c, k| c * (2 * (2 * k + 1)) / (k + 2))
}

#[test]
fn an_ambiguous_grammar_has_catalan_many_trees() {
    let grammar = grammar_of(&vec![vec![vec![0, 0], vec![-1]]]);
    let word = vec![TerminalId::from_index(0); 100];
    assert_eq!(parse(&grammar, &word), Ok(TreeCount::Finite(catalan(99))));
}

#[test]
fn many_empty_symbols_side_by_side_have_a_power_of_trees() {
    const LEVELS: i8 = 12;
    let mut plain = vec![vec![[vec![1; 300], vec![-1]].concat()]];
    plain.extend((1..=LEVELS).map(|level| vec![vec![level + 1], vec![]]));
    plain.push(vec![vec![]]);
    let trees = dashu_int::UBig::from(13u8).pow(300);
    let word = [TerminalId::from_index(0)];
    assert_eq!(parse(&grammar_of(&plain), &word), Ok(TreeCount::Finite(trees)));
}

#[test]
fn two_readings_to_the_right_may_be_as_deep_as_the_input_is_long() {
    let list = |rule: i8| vec![vec![-1, rule], vec![]];
    let grammar = grammar_of(&vec![vec![vec![1], vec![2]], list(1), list(2)]);
    let word = vec![TerminalId::from_index(0); 200_000];
    assert_eq!(parse(&grammar, &word), Ok(TreeCount::Finite(2u8.into())));
}

#[test]
fn ids_of_nonterminals_are_those_of_the_rules() {
    let grammar = grammar_of(&vec![vec![vec![1]], vec![vec![-1]]]);
    assert_eq!(bnf_of(&grammar).start(), NonterminalId::from_index(0));
}
