//! The feedback loop: eight inputs and an oracle teach what a thousand random inputs teach.

use std::convert::Infallible;

use gramercy_learn::behaviour::Observed;
use gramercy_learn::model::{ModelNode, Status};
use gramercy_learn::refine::{Ended, RefineOptions, refine};
use gramercy_learn::target::probes::Prober;
use gramercy_learn::verify::{Confusion, compare};
use gramercy_learn::{Dataset, TrainOptions};
use gramercy_lexis::WriteOptions;

use crate::arithmetic::{expressions, language, observed, table_six, tree};

/// Reads an expression and finds products with a parenthesized sum as an operand; slow and simple.
struct Reader<'r> {
    text: &'r [u8],
    at: usize,
    applies: bool,
}

impl Reader<'_> {
    fn next_is(&self, any: &[u8]) -> bool {
        self.text.get(self.at).is_some_and(|byte| any.contains(byte))
    }

    /// Whether it is a sum or difference itself.
    fn sum(&mut self) -> bool {
        self.product();
        let mut is_sum = false;
        while self.next_is(b"+-") {
            self.at += 1;
            self.product();
            is_sum = true;
        }
        is_sum
    }

    fn product(&mut self) {
        let mut has_sum = self.operand();
        let mut is_product = false;
        while self.next_is(b"*/%") {
            self.at += 1;
            has_sum |= self.operand();
            is_product = true;
        }
        self.applies |= is_product && has_sum;
    }

    /// Whether it is a sum in parentheses.
    fn operand(&mut self) -> bool {
        if self.next_is(b"+-") {
            self.at += 1;
            self.operand();
            return false;
        }
        if self.next_is(b"(") {
            self.at += 1;
            let is_sum = self.sum();
            self.at += 1;
            return is_sum;
        }
        self.at += 1;
        while self.next_is(b"0123456789") {
            self.at += 1;
        }
        false
    }
}

fn applies(text: &str) -> bool {
    let mut reader = Reader { text: text.as_bytes(), at: 0, applies: false };
    reader.sum();
    assert_eq!(reader.at, text.len(), "{text}");
    reader.applies
}

#[test]
fn the_oracle_is_that_of_the_generator() {
    for (text, expected) in expressions(7, 2000) {
        assert_eq!(applies(&text), expected, "{text}");
    }
}

#[test]
fn refinement_turns_eight_inputs_into_an_exact_tree() {
    let language = language();
    let parser = language.parser().expect("it has a parser");
    let mut dataset =
        Dataset::new(&language, parser, TrainOptions::default()).expect("few features");
    assert!(dataset.add(table_six()).is_empty());
    let fresh: Vec<Observed> =
        expressions(2, 3000).iter().map(|(text, applies)| observed(text, *applies)).collect();
    let wrong = |found: &[Confusion]| found[0].false_positives + found[0].false_negatives;
    let before = compare(&language, parser, &dataset.train(), &fresh).expect("it is whole");
    assert!(wrong(&before) > 0);
    let writer = language.writer(&WriteOptions::default()).expect("it can be written");
    let mut prober = Prober::new(&language, writer, 0);
    let options = RefineOptions { runs: 2000, rounds: 20, ..RefineOptions::default() };
    let mut run = |texts: Vec<String>| -> Result<Vec<Observed>, Infallible> {
        Ok(texts.iter().map(|text| observed(text, applies(text))).collect())
    };
    let refined = refine(&mut dataset, &mut prober, &options, &mut run).expect("it can be run");
    let after = compare(&language, parser, &refined.model, &fresh).expect("it is whole");
    assert_eq!((refined.ended, wrong(&after)), (Ended::Settled, 0), "{} runs", refined.runs);
    // Nothing that was tested is refuted in the end.
    let statuses = tree(&refined.model).tree.iter().filter_map(|node| match node {
        ModelNode::Leaf(leaf) => Some(leaf.status),
        ModelNode::Split { .. } => None,
    });
    assert!(
        statuses.clone().all(|status| status == Status::Confirmed),
        "{:?}",
        statuses.collect::<Vec<_>>()
    );
    assert_eq!(refined.tests.len(), refined.runs);
}

#[test]
fn a_budget_ends_the_loop() {
    let language = language();
    let parser = language.parser().expect("it has a parser");
    let mut dataset =
        Dataset::new(&language, parser, TrainOptions::default()).expect("few features");
    dataset.add(table_six());
    let writer = language.writer(&WriteOptions::default()).expect("it can be written");
    let mut prober = Prober::new(&language, writer, 0);
    let options = RefineOptions { runs: 3, ..RefineOptions::default() };
    let mut run = |texts: Vec<String>| -> Result<Vec<Observed>, Infallible> {
        Ok(texts.iter().map(|text| observed(text, applies(text))).collect())
    };
    let refined = refine(&mut dataset, &mut prober, &options, &mut run).expect("it can be run");
    assert_eq!((refined.ended, refined.runs), (Ended::Budget, 3));
}
