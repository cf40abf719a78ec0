//! The running example of Havrikov, Kampmann, Zeller (TOSEM, section 5): which expressions reach a function that applies
//! the distributive rule.

use std::path::Path;

use gramercy_base::Draw;
use gramercy_coverage::measure::CountedTrees;
use gramercy_language::Language;
use gramercy_learn::behaviour::{Behaviour, Observed, Report, TargetInfo};
use gramercy_learn::explain::explain;
use gramercy_learn::features::columns::ColumnsBuilder;
use gramercy_learn::features::extract::Extractor;
use gramercy_learn::model::{Known, Model, TargetModel};
use gramercy_learn::predict::{Predictor, Questions, leaf};
use gramercy_learn::train::{Balance, Learner};
use gramercy_learn::{FeatureSet, TrainOptions, train};

pub(crate) const TARGET: &str = "distributive_rule";

/// Figure 1 of the publication.
pub(crate) fn language() -> Language {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars/expr.gram");
    Language::read(path).expect("the grammar is part of the project")
}

pub(crate) fn observed(text: &str, is_covered: bool) -> Observed {
    let target = TargetInfo::named(TARGET);
    let mut report = Report::default();
    report.add(target, u64::from(is_covered));
    Observed { name: text.to_owned(), text: text.to_owned(), report }
}

pub(crate) fn learn(language: &Language, inputs: Vec<Observed>, options: &TrainOptions) -> Model {
    let behaviour = Behaviour::new(inputs);
    let parser = language.parser().expect("it has a parser");
    let mut extractor =
        Extractor::new(language, parser, &options.features, CountedTrees::All).expect("small");
    let mut builder = ColumnsBuilder::new(&options.features);
    for input in &behaviour.inputs {
        builder.add(&extractor.text(&input.text).expect("it is in the language"));
    }
    train(language, &behaviour, &builder.finish(), options)
}

pub(crate) fn tree(model: &Model) -> &TargetModel {
    match model.target(TARGET) {
        Some(Known::Tree(target)) => target,
        other => panic!("{other:?}"),
    }
}

fn predicts(language: &Language, model: &Model, text: &str) -> bool {
    let parser = language.parser().expect("it has a parser");
    let questions = Questions::new(model).expect("it is whole");
    let mut predictor = Predictor::new(language, parser, &questions).expect("small");
    let answers = predictor.answers(text).expect("it is in the language");
    leaf(&tree(model).tree, &answers).1.is_covered()
}

/// Table 6.
pub(crate) fn table_six() -> Vec<Observed> {
    let covered = ["(1+2)*3", "1*(2+3)", "(1+2)*(3+4)"];
    let others = ["1", "1+2", "(1+2)", "1*2", "1+2*3"];
    let inputs = covered.iter().map(|text| observed(text, true));
    inputs.chain(others.iter().map(|text| observed(text, false))).collect()
}

#[test]
fn table_six_gives_a_tree_that_is_consistent_with_figure_seven() {
    let language = language();
    let features = FeatureSet::paths(1);
    let options = TrainOptions { features, balance: Balance::None, ..TrainOptions::default() };
    let model = learn(&language, table_six(), &options);
    for input in table_six() {
        let expected = !input.report.covered.is_empty();
        assert_eq!(predicts(&language, &model, &input.text), expected, "{}", input.text);
    }
    // A product and parentheses, as in Figure 7, which the same publication calls wrong about this input.
    assert_eq!(tree(&model).splits(), 2);
    assert!(predicts(&language, &model, "(x*2)"));
    let texts: Vec<String> = explain(&language, &model, tree(&model)).conditions[0]
        .clauses
        .iter()
        .map(|clause| clause.pattern.clone())
        .collect();
    assert!(texts.iter().any(|text| text.contains("( AddExpr )")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("MultExpr")), "{texts:?}");
}

#[test]
fn a_question_of_an_optimal_tree_must_correct_more_than_one_input() {
    let language = language();
    let learner = Learner::Optimal;
    let options = TrainOptions { learner, depth: 3, ..TrainOptions::default() };
    let model = learn(&language, table_six(), &options);
    // Parentheses are wrong about one of the eight inputs, and a second question would correct only that one.
    let wrong = table_six().into_iter().filter(|input| {
        predicts(&language, &model, &input.text) == input.report.covered.is_empty()
    });
    assert_eq!((tree(&model).splits(), wrong.count()), (1, 1));
}

/// A random expression with its tree: an operand of a product is a parenthesized sum or difference, or not.
pub(crate) struct Expressions {
    draw: Draw,
}

impl Expressions {
    pub(crate) fn new(seed: u64) -> Self {
        Self { draw: Draw::new([seed, 0, 0, 0]) }
    }

    /// A text, and whether the distributive rule applies somewhere in it.
    pub(crate) fn next(&mut self) -> (String, bool) {
        let sum = self.sum(4);
        (sum.text, sum.applies)
    }

    fn sum(&mut self, depth: u32) -> Sum {
        let first = self.product(depth);
        let mut sum = Sum { is_sum: false, ..first };
        while depth > 0 && self.draw.below(3) == 0 {
            let operator = ["+", "-"][self.draw.below(2)];
            let next = self.product(depth - 1);
            let text = format!("{}{operator}{}", sum.text, next.text);
            sum = Sum { text, applies: sum.applies | next.applies, is_sum: true };
        }
        sum
    }

    /// `is_sum` of the result tells whether it is nothing but a parenthesized sum.
    fn product(&mut self, depth: u32) -> Sum {
        let mut product = self.operand(depth);
        while depth > 0 && self.draw.below(3) == 0 {
            let operator = ["*", "/", "%"][self.draw.below(3)];
            let next = self.operand(depth - 1);
            let text = format!("{}{operator}{}", product.text, next.text);
            let applies = product.applies | next.applies | product.is_sum | next.is_sum;
            product = Sum { text, applies, is_sum: false };
        }
        product
    }

    fn operand(&mut self, depth: u32) -> Sum {
        let leaf = |text: &str| Sum { text: text.to_owned(), applies: false, is_sum: false };
        match self.draw.below(if depth == 0 { 2 } else { 5 }) {
            0 => leaf(["x", "y", "z"][self.draw.below(3)]),
            1 => leaf(["0", "1", "42", "9"][self.draw.below(4)]),
            2 => {
                let operator = ["+", "-", "++", "--"][self.draw.below(4)];
                let inner = self.operand(depth - 1);
                Sum { text: format!("{operator}{}", inner.text), is_sum: false, ..inner }
            }
            _ => {
                let inner = self.sum(depth - 1);
                Sum { text: format!("({})", inner.text), ..inner }
            }
        }
    }
}

struct Sum {
    text: String,
    applies: bool,
    is_sum: bool,
}

/// Different expressions.
pub(crate) fn expressions(seed: u64, count: usize) -> Vec<(String, bool)> {
    let mut drawn = Expressions::new(seed);
    let mut seen = gramercy_base::Set::default();
    let mut found = Vec::new();
    while found.len() < count {
        let (text, applies) = drawn.next();
        if seen.insert(text.clone()) {
            found.push((text, applies));
        }
    }
    found
}

#[test]
fn a_thousand_inputs_teach_the_distributive_rule_exactly() {
    let language = language();
    let inputs = expressions(1, 1000).into_iter().map(|(text, applies)| observed(&text, applies));
    let model = learn(&language, inputs.collect(), &TrainOptions::default());
    let parser = language.parser().expect("it has a parser");
    let questions = Questions::new(&model).expect("it is whole");
    let mut predictor = Predictor::new(&language, parser, &questions).expect("small");
    let target = tree(&model);
    let fresh = expressions(2, 10_000);
    let wrong = fresh.iter().filter(|(text, applies)| {
        let answers = predictor.answers(text).expect("it is in the language");
        leaf(&target.tree, &answers).1.is_covered() != *applies
    });
    let wrong: Vec<_> = wrong.take(5).collect();
    let explanation = explain(&language, &model, target);
    assert!(wrong.is_empty(), "{wrong:?} {:#?}", explanation.conditions);
    let patterns: Vec<&str> = explanation
        .conditions
        .iter()
        .flat_map(|condition| &condition.clauses)
        .filter(|clause| clause.present)
        .map(|clause| clause.pattern.as_str())
        .collect();
    let is_named = |pattern: &&str| pattern.contains("MultExpr (* | / | %) ( AddExpr");
    assert!(patterns.iter().any(is_named), "{patterns:?}");
}
