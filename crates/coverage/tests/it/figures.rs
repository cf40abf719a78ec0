//! The figures of the papers, and every criterion against a slow, simple oracle.

use gramercy_coverage::criteria::kpath::KPath;
use gramercy_coverage::{Criterion, CriterionSpec, Reading, TargetSet};
use gramercy_grammar::{ProductionId, Symbol, TerminalKind, Tree};
use gramercy_language::Language;
use gramercy_parse::{Derivations, Preferences};

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

fn language(text: &str) -> Language {
    Language::from_text("test.gram", text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn derivations(language: &Language, text: &str) -> Derivations {
    let parser = language.parser().expect("small");
    let parsed = parser.parse(&mut parser.workspace(), text);
    let parsed = parsed.unwrap_or_else(|rejection| panic!("{text}: {rejection:?}"));
    Derivations::of_forest(parser.parser(), &parsed.forest)
}

fn measure(criterion: &dyn Criterion, language: &Language, texts: &[&str]) -> TargetSet {
    let mut covered = TargetSet::new();
    for text in texts {
        criterion.cover(&Reading::of(&derivations(language, text)), &mut covered);
    }
    covered
}

#[test]
fn the_expression_of_figure_1_covers_the_paths_that_the_paper_lists() {
    let language = language(FIGURE_1);
    let expected = [(1, 39, 12), (2, 125, 12), (3, 523, 9), (4, 2331, 7), (5, 10245, 5)];
    for (k, targets, covered) in expected {
        let spec: CriterionSpec = format!("kpath:{k}").parse().expect("a criterion");
        let criterion = spec.build(&language).expect("small");
        assert_eq!(criterion.targets(), targets, "k = {k}");
        assert_eq!(criterion.coverable(), targets, "k = {k}");
        assert_eq!(measure(&*criterion, &language, &["x+42"]).len(), covered, "k = {k}");
    }
    let pairs = KPath::new(&language, 2).expect("small");
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
fn a_path_prints_as_the_pattern_of_the_paper() {
    use gramercy_base::Id;
    let language = language(FIGURE_1);
    let paths = KPath::new(&language, 3).expect("small");
    let node = gramercy_grammar::NodeId::from_index;
    let rank = paths.paths().rank(&[node(15), node(36), node(11)]).expect("a path");
    let rank = u64::try_from(rank).expect("small");
    assert_eq!(paths.describe(rank), "MultExpr (* | / | %) ( AddExpr - MultExpr )");
}

#[test]
fn a_cyclic_grammar_is_measured() {
    let language = language(r#"start S; S := A; A := A | "a" | B; B := A "";"#);
    for spec in all_specs() {
        let criterion = spec.build(&language).expect("small");
        let covered = measure(&*criterion, &language, &["a"]);
        assert_eq!(covered.len(), criterion.coverable(), "{spec}");
    }
}

/// The least length that some symbols derive within some depth, which suffices for small grammars.
fn least(language: &Language, symbols: &[Symbol], depth: usize) -> usize {
    let of = |symbol: &Symbol| match *symbol {
        Symbol::Terminal(_) => 1,
        Symbol::Nonterminal(_) if depth == 0 => 1000,
        Symbol::Nonterminal(id) => {
            let productions = language.bnf().productions_of(id).iter();
            let lengths = productions.map(|&of| least(language, language.bnf().rhs(of), depth - 1));
            lengths.min().unwrap_or(1000)
        }
    };
    symbols.iter().map(of).sum()
}

/// All leftmost derivations of a text from some symbols, by trying everything.
fn derivations_of(language: &Language, symbols: &[Symbol], text: &str) -> Vec<Vec<ProductionId>> {
    if text.len() < least(language, symbols, 3) {
        return Vec::new();
    }
    let Some((first, rest)) = symbols.split_first() else {
        return if text.is_empty() { vec![Vec::new()] } else { Vec::new() };
    };
    match *first {
        Symbol::Terminal(terminal) => {
            let TerminalKind::Literal(literal) = &language.grammar().terminals()[terminal].kind
            else {
                panic!("these grammars have literals only");
            };
            let behind = text.strip_prefix(&**literal);
            behind.map_or_else(Vec::new, |behind| derivations_of(language, rest, behind))
        }
        Symbol::Nonterminal(nonterminal) => {
            let mut found = Vec::new();
            for end in least(language, &[*first], 3)..=text.len() {
                let after = derivations_of(language, rest, &text[end..]);
                for &production in language.bnf().productions_of(nonterminal) {
                    if after.is_empty() {
                        continue;
                    }
                    let rhs = language.bnf().rhs(production);
                    for inner in derivations_of(language, rhs, &text[..end]) {
                        let begun = [&[production], &inner[..]].concat();
                        found.extend(after.iter().map(|after| [&begun[..], after].concat()));
                    }
                }
            }
            found
        }
    }
}

/// Forests are measured as the trees in them are, one by one.
fn check_forest(text: &str, sentence: &str, trees: usize) {
    let language = language(text);
    let start = [Symbol::Nonterminal(language.bnf().start())];
    let all = derivations_of(&language, &start, sentence);
    assert_eq!(all.len(), trees, "{text}");
    let preferred =
        Preferences::of(language.grammar(), language.bnf()).pick(&derivations(&language, sentence));
    for spec in all_specs() {
        let criterion = spec.build(&language).expect("small");
        let mut together = TargetSet::new();
        let mut is_one_of_them = false;
        let mut of_preferred = TargetSet::new();
        criterion.cover(&Reading::of(&preferred), &mut of_preferred);
        for productions in &all {
            let tree = Tree::new(language.bnf(), productions.clone());
            let mut alone = TargetSet::new();
            criterion.cover(&Reading::of(&Derivations::of_tree(language.bnf(), &tree)), &mut alone);
            together.union_with(&alone);
            is_one_of_them |= alone.iter().eq(of_preferred.iter());
        }
        let forest = measure(&*criterion, &language, &[sentence]);
        assert!(forest.iter().eq(together.iter()), "{spec} of {text}");
        assert!(is_one_of_them, "{spec} of the preferred tree of {text}");
    }
}

#[test]
fn a_forest_covers_what_its_trees_cover_together() {
    check_forest(r#"S := S S | "a";"#, "aaaaa", 14);
    check_forest(r#"S := S S S | S S | "a";"#, "aaaa", 10);
    check_forest(r#"S := "i" S | "i" S "e" S | "x";"#, "iixex", 2);
    check_forest(r#"E := E "+" E | E "*" E | "n";"#, "n+n*n+n", 5);
    check_forest(r#"S := T T? T*; T := "a" | "a" "a";"#, "aaa", 6);
    check_forest(r#"S := A B | B A; A := "a"?; B := "a"? "a";"#, "aa", 4);
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
    for spec in all_specs() {
        let criterion = spec.build(&language).expect("small");
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
