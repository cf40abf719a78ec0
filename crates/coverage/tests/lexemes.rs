//! The structure inside token rules as targets, measured on lexemes.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_coverage::criteria::lexeme::Lexemes;
use gramercy_coverage::{Criterion, CriterionSpec, Lexeme, Measure, Views, criteria};
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Bnf, Grammar, GrammarGraph};
use gramercy_parse::TextParser;

struct Language {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Bnf,
}

fn language(file: &str, text: &str) -> Language {
    let files = Memory::with(file, text);
    let loaded = load(Path::new(file), &files, &LoadOptions::default());
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
    Language { grammar, graph, bnf }
}

/// A grammar of any tokens with these lexer rules.
fn lexer(rules: &str) -> Language {
    language("G.g4", &format!("grammar G; s : .*? EOF ; {rules}"))
}

impl Language {
    fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }
}

/// Compares what texts cover: the number of targets, of coverable ones, and the covered ones.
fn check(language: &Language, k: u32, counts: (u64, u64), cases: &[(&str, &[&str])]) {
    let (views, limits) = (language.views(), Limits::default());
    let criterion = criteria::build(CriterionSpec::Lexeme(k), &views, &limits).expect("small");
    assert_eq!((criterion.targets(), criterion.coverable()), counts);
    let parser = TextParser::new(&language.grammar, &language.bnf, &limits).expect("small");
    let productions = language.bnf.production_count();
    let measure =
        Measure { parser: &parser, criteria: vec![criterion], productions, preferences: None };
    let mut workspace = parser.workspace();
    for (text, expected) in cases {
        let covered = measure.text(&mut workspace, text).expect("in the language");
        let criterion = &measure.criteria[0];
        let mut found: Vec<_> = covered.targets[0].iter().map(|t| criterion.describe(t)).collect();
        found.sort();
        assert_eq!(found, *expected, "{text:?}");
    }
}

#[test]
fn branches_and_fragments_are_nodes() {
    let rules = "N : D+ ('.' D+)? ; fragment D : [0-4] | [5-9] ; W : ' ' -> skip ;";
    // N: two references and the point; D: two classes; W: one blank.
    check(
        &lexer(rules),
        1,
        (6, 6),
        &[
            ("1", &["N: D (. D+)?", "N: [0-4]"]),
            ("", &[]),
            ("7.3", &["N: D (. D+)?", "N: D+ . D", "N: D+ . D+", "N: [0-4]", "N: [5-9]"]),
            ("5 6", &["N: D (. D+)?", "N: [5-9]", "W: \u{20}"]),
        ],
    );
}

#[test]
fn skipped_and_kept_matches_count_too() {
    let rules = "parser grammar P; options { tokenVocab = L; } s : S* EOF ;";
    let lexer = "lexer grammar L; O : '\"' -> more, mode(IN); C : '/*' 'x'* '*/' -> skip;
        H : '#' -> channel(HIDDEN); mode IN; X : 'a' | 'b' -> more; S : '\"' -> mode(DEFAULT_MODE);";
    let files = Memory::with("P.g4", rules).and("L.g4", lexer);
    let loaded = load(Path::new("P.g4"), &files, &LoadOptions::default());
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
    check(
        &Language { grammar, graph, bnf },
        1,
        (8, 8),
        &[
            ("#", &["H: #"]),
            ("/**/", &["C: /* x* */", "C: /* x* */"]),
            ("/*x*/", &["C: /* x */", "C: /* x* */", "C: /* x* */"]),
            ("\"b\"", &["O: \\\"", "S: \\\"", "X: b"]),
        ],
    );
}

#[test]
fn the_end_of_input_is_covered_only_where_it_is() {
    let rules = "L : '#' ('x' | EOF | ) ; ";
    check(
        &lexer(rules),
        1,
        (4, 4),
        &[
            ("#x", &["L: # (x | EOF | ε)", "L: # x"]),
            ("##x", &["L: # (x | EOF | ε)", "L: # x", "L: # ε"]),
            ("#", &["L: # (x | EOF | ε)", "L: # EOF", "L: # ε"]),
        ],
    );
}

#[test]
fn rules_may_be_recursive_and_ignore_case() {
    check(
        &lexer("C : '(' (C | 'a')* ')' ;"),
        2,
        (4, 4),
        &[("(a)", &[]), ("((a))", &["C: ( ( (C | a)* ) )", "C: ( ( (C | a)* ) )", "C: ( ( a ) )"])],
    );
    check(
        &lexer("options { caseInsensitive = true; } K : 'if' | 'then' ;"),
        1,
        (2, 2),
        &[("iFIF", &["K: 'if'"]), ("THEN", &["K: 'then'"])],
    );
}

#[test]
fn grammars_without_lexical_rules_have_no_targets() {
    check(&language("a.gram", "S := \"a\" | \"b\";"), 1, (0, 0), &[("a", &[])]);
    check(&language("a.y", "%token A B\n%%\ns : A | B ;\n"), 2, (0, 0), &[("A", &[])]);
}

#[test]
fn literals_in_syntax_rules_have_no_targets() {
    let combined = language("G.g4", "grammar G; s : 'if' ID EOF ; ID : [a-z]+ ; W : ' ' -> skip ;");
    check(&combined, 1, (2, 2), &[("if x", &["ID: [a-z]", "W:  "])]);
}

#[test]
fn what_derives_nothing_is_not_coverable() {
    let language = lexer("A : 'a' | 'b' B ; fragment B : 'c' B ;");
    // The second alternative of A needs B, which never ends.
    check(&language, 1, (5, 1), &[("a", &["A: a"])]);
    let views = language.views();
    let criterion = Lexemes::new(&views, 1, &Limits::default()).expect("small");
    let uncoverable = (0..criterion.targets()).filter(|&t| criterion.uncoverable(t).is_some());
    assert_eq!(uncoverable.count(), 4);
}

#[test]
fn a_lexeme_that_its_rule_does_not_derive_covers_nothing() {
    let language = lexer("A : 'a' | 'b' ;");
    let views = language.views();
    let criterion = Lexemes::new(&views, 1, &Limits::default()).expect("small");
    let rule = language.grammar.rule_named("A").expect("a rule");
    let covered = |text| criterion.covered_by(&Lexeme { rule, text, is_last: true }).len();
    assert_eq!([covered("a"), covered("b"), covered("c"), covered("")], [1, 1, 0, 0]);
    assert_eq!(criterion.targets_of(rule), 0..2);
}
