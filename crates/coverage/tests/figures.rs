//! The figures of the papers, and every criterion against a slow, simple oracle.

use gramercy_base::Limits;
use gramercy_coverage::{Criterion, CriterionSpec, Reading, TargetSet, Views, criteria};
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Bnf, Grammar, GrammarGraph};
use gramercy_parse::{Derivations, TextParser};
use std::path::Path;

const FIGURE_1: &str = r#"
Expr := AddExpr;
AddExpr := MultExpr | AddExpr ("+" | "-") MultExpr;
MultExpr := UnaryExpr | MultExpr ("*" | "/" | "%") UnaryExpr;
UnaryExpr := Identifier | "+" UnaryExpr | "-" UnaryExpr | "++" UnaryExpr | "--" UnaryExpr
    | "(" AddExpr ")" | DecDigits;
DecDigits := DecDigit+;
DecDigit := "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
Identifier := "x" | "y" | "z";
"#;

struct Language {
    grammar: Grammar,
    graph: GrammarGraph,
    bnf: Bnf,
    parser: TextParser,
}

fn language(text: &str) -> Language {
    let files = Memory::with("test.gram", text);
    let loaded = load(Path::new("test.gram"), &files, &LoadOptions::default());
    let grammar = loaded.grammar.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let graph = grammar.graph();
    let bnf = grammar.bnf(&graph, &Limits::default()).expect("small");
    let parser = TextParser::new(&grammar, &bnf, &Limits::default()).expect("small");
    Language { grammar, graph, bnf, parser }
}

impl Language {
    fn views(&self) -> Views<'_> {
        Views::new(&self.grammar, &self.graph, &self.bnf, &Limits::default())
    }

    fn derivations(&self, text: &str) -> Derivations {
        let parsed = self.parser.parse(&mut self.parser.workspace(), text);
        let parsed = parsed.unwrap_or_else(|rejection| panic!("{text}: {rejection:?}"));
        Derivations::of_forest(self.parser.parser(), &parsed.forest)
    }
}

fn measure(criterion: &dyn Criterion, language: &Language, texts: &[&str]) -> TargetSet {
    let mut covered = TargetSet::new();
    for text in texts {
        criterion.cover(&Reading::of(&language.derivations(text)), &mut covered);
    }
    covered
}

#[test]
fn the_expression_of_paper_001_covers_the_paths_that_the_paper_lists() {
    let language = language(FIGURE_1);
    let views = language.views();
    let expected = [(1, 39, 12), (2, 125, 12), (3, 523, 9), (4, 2331, 7), (5, 10245, 5)];
    for (k, targets, covered) in expected {
        let criterion =
            criteria::build(CriterionSpec::KPath(k), &views, &Limits::default()).expect("small");
        assert_eq!(criterion.targets(), targets, "k = {k}");
        assert_eq!(criterion.coverable(), targets, "k = {k}");
        assert_eq!(measure(&*criterion, &language, &["x+42"]).len(), covered, "k = {k}");
    }
    let pairs = criteria::kpath::KPath::new(&views, 2, &Limits::default()).expect("small");
    let covered = measure(&pairs, &language, &["x+42"]);
    let mut steps: Vec<_> = covered
        .iter()
        .map(|target| {
            use gramercy_base::Id;
            let path = pairs.path(target);
            (path[0].index(), path[1].index())
        })
        .collect();
    steps.sort_unstable();
    // The paper's twelve 2-paths by their node numbers.
    let listed = [
        (0, 5),
        (0, 7),
        (0, 10),
        (2, 8),
        (5, 2),
        (7, 8),
        (8, 16),
        (8, 22),
        (16, 39),
        (22, 42),
        (42, 46),
        (42, 48),
    ];
    assert_eq!(steps, listed);
}

#[test]
fn a_path_prints_as_the_pattern_of_paper_001() {
    use gramercy_base::Id;
    let language = language(FIGURE_1);
    let views = language.views();
    let paths = criteria::kpath::KPath::new(&views, 3, &Limits::default()).expect("small");
    let node = gramercy_grammar::NodeId::from_index;
    let rank = paths.paths().rank(&[node(15), node(36), node(11)]).expect("a path");
    let rank = u64::try_from(rank).expect("small");
    assert_eq!(paths.describe(rank), "MultExpr (* | / | %) ( AddExpr - MultExpr )");
}

#[test]
fn a_cyclic_grammar_is_measured() {
    let language = language(r#"start S; S := A; A := A | "a" | B; B := A "";"#);
    let views = language.views();
    for spec in all_specs() {
        let criterion = criteria::build(spec, &views, &Limits::default()).expect("small");
        let covered = measure(&*criterion, &language, &["a"]);
        assert_eq!(covered.len(), criterion.coverable(), "{spec}");
    }
}

fn all_specs() -> Vec<CriterionSpec> {
    let names = [
        "symbol",
        "rule",
        "cdrc",
        "step:3",
        "step:4",
        "bfs:1",
        "bfs:2",
        "deriv",
        "pll",
        "pair",
        "kpath:1",
        "kpath:2",
        "kpath:3",
        "kpath:4",
        "push-edge:lr0",
        "push-edge:lr1",
        "pop-edge:lr0",
        "pop-edge:lr1",
        "lr-path:1",
        "lr-path:2",
    ];
    names.iter().map(|name| name.parse().expect("known")).collect()
}

/// What is covered is coverable, and enough sentences cover all that is.
fn check_complete(text: &str, sentences: &[&str]) {
    let language = language(text);
    let views = language.views();
    for spec in all_specs() {
        let criterion = criteria::build(spec, &views, &Limits::default()).expect("small");
        let covered = measure(&*criterion, &language, sentences);
        let coverable: TargetSet = (0..criterion.targets())
            .filter(|&target| criterion.uncoverable(target).is_none())
            .collect();
        assert_eq!(coverable.len(), criterion.coverable(), "{spec}");
        let missing: Vec<_> = coverable
            .iter()
            .filter(|&target| !covered.contains(target))
            .map(|target| criterion.describe(target))
            .collect();
        assert!(missing.is_empty(), "{spec}: {missing:?}");
        assert!(covered.iter().all(|target| coverable.contains(target)), "{spec}");
    }
}

#[test]
fn all_sentences_of_a_finite_language_cover_everything() {
    check_complete(
        r#"start S; S := A B? | "c" A; A := "a" | "b" C; B := "x" | ""; C := "d" {1,2} | "e"*; D := "u" D;"#,
        &[
            "a", "ax", "bd", "bdd", "b", "be", "bee", "bdx", "bddx", "bx", "bex", "beex", "ca",
            "cbd", "cbdd", "cb", "cbe", "cbee", "beeex", "cbeee", "beee", "beeeex", "cbeeee",
            "beeee",
        ],
    );
}

#[test]
fn recursion_is_covered_once_it_is_deep_enough() {
    check_complete(
        r#"start E; E := E "+" T | T; T := "(" E ")" | "n";"#,
        &[
            "n",
            "n+n",
            "n+n+n",
            "(n)",
            "((n))",
            "(n+n)",
            "(n+n)+n",
            "n+(n)",
            "n+(n+n)",
            "(((n)))",
            "((n)+n)",
            "n+n+n+n",
            "n+((n))",
            "((n+n))",
            "(n+(n))",
            "((n)+(n))",
            "(n)+n+n",
            "(n)+(n)",
            "((n))+n",
            "n+n+(n)",
            "(n+n+n)",
            "((n)+n)+n",
            "((((n))))",
            "n+(n+n+n)",
            "(n)+(n)+(n)",
            "(n+n)+(n+n)+(n+n)",
            "((n+n)+(n+n))",
            "((n+n+n))",
            "(n)+n+n+n",
            "((n))+((n))",
            "n+((n+n))",
            "n+((n)+n)",
            "n+(((n)))",
            "(((n))+n)",
            "((n)+n+n)",
            "((n+(n)))",
            "(((n+n)))",
            "(((n)))+n",
            "((n+n))+n",
            "(n+(n)+n)",
            "(n+(n+n))",
            "(n+((n)))",
            "((n)+((n)))",
            "n+n+((n))",
            "n+n+(n+n)",
            "(n+(n))+n",
            "(n+n+n)+n",
            "n+(n)+n",
            "((n)+(n))+n",
            "((n))+n+n",
            "(n+n)+n+n",
            "(n)+(n)+n",
            "n+(n)+(n)",
            "n+n+n+n+n",
            "n+(n)+n+n",
            "n+(n+(n))",
            "(n+n+n+n)",
            "(n+n+(n))",
        ],
    );
}
