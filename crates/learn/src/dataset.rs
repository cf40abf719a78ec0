//! Inputs with what a program did on them and with their features: what models are learned from.
//!
//! Inputs can be added at any time, and only new ones are parsed, so learning again after a few more runs of the program
//! costs no more than the trees. Of inputs with equal texts only the first counts.

use std::ops::ControlFlow;

use gramercy_base::{Fingerprint, LimitReached, Set, parallel};
use gramercy_language::Language;
use gramercy_parse::TextParser;

use crate::behaviour::{Behaviour, Observed};
use crate::features::columns::ColumnsBuilder;
use crate::features::extract::{Extractor, InputFeatures};
use crate::model::Model;
use crate::train::{TrainOptions, train};

/// Inputs of a language with behaviour and features.
pub struct Dataset<'d> {
    language: &'d Language,
    parser: &'d TextParser,
    options: TrainOptions,
    inputs: Vec<Observed>,
    features: Vec<InputFeatures>,
    texts: Set<u128>,
    repeated: usize,
}

impl<'d> Dataset<'d> {
    /// A dataset without inputs. The options say which features are looked at, and how models are learned.
    ///
    /// # Errors
    /// If a criterion has too many targets.
    pub fn new(
        language: &'d Language,
        parser: &'d TextParser,
        options: TrainOptions,
    ) -> Result<Self, LimitReached> {
        options.features.check(language)?;
        let (inputs, features, texts) = (Vec::new(), Vec::new(), Set::default());
        Ok(Self { language, parser, options, inputs, features, texts, repeated: 0 })
    }

    /// Adds inputs and extracts their features in parallel. Returns the inputs that the grammar rejects, which are not
    /// added.
    ///
    /// # Panics
    /// Never: the features were checked when the dataset was made.
    pub fn add(&mut self, observed: Vec<Observed>) -> Vec<Observed> {
        let total = observed.len();
        let new: Vec<Observed> =
            observed.into_iter().filter(|input| self.texts.insert(print(&input.text))).collect();
        self.repeated += total - new.len();
        let (language, parser, options) = (self.language, self.parser, &self.options);
        let extractor = || {
            let made = Extractor::new(language, parser, &options.features, options.trees);
            made.expect("invariant: the features were checked")
        };
        let mut found: Vec<Option<InputFeatures>> = Vec::with_capacity(new.len());
        parallel::in_order(
            options.jobs,
            new.iter(),
            extractor,
            |extractor, input| extractor.text(&input.text).ok(),
            |features| {
                found.push(features);
                ControlFlow::Continue(())
            },
        );
        let mut rejected = Vec::new();
        for (input, features) in new.into_iter().zip(found) {
            match features {
                Some(features) => {
                    self.inputs.push(input);
                    self.features.push(features);
                }
                None => rejected.push(input),
            }
        }
        rejected
    }

    /// The inputs, each text once.
    #[must_use]
    pub fn inputs(&self) -> &[Observed] {
        &self.inputs
    }

    /// The number of inputs whose text occurred before.
    #[must_use]
    pub fn repeated(&self) -> usize {
        self.repeated
    }

    /// Whether an input of this text was added, or rejected.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        self.texts.contains(&print(text))
    }

    /// How models are learned.
    #[must_use]
    pub fn options(&self) -> &TrainOptions {
        &self.options
    }

    /// The language of the inputs.
    #[must_use]
    pub fn language(&self) -> &'d Language {
        self.language
    }

    /// The parser of the language.
    #[must_use]
    pub fn parser(&self) -> &'d TextParser {
        self.parser
    }

    /// What the program did on all inputs.
    #[must_use]
    pub fn behaviour(&self) -> Behaviour {
        Behaviour { repeated: self.repeated, ..Behaviour::new(self.inputs.clone()) }
    }

    /// The features of all inputs, in the same order as their behaviour.
    #[must_use]
    pub fn columns(&self) -> ColumnsBuilder {
        let mut builder = ColumnsBuilder::new(&self.options.features);
        self.features.iter().for_each(|features| builder.add(features));
        builder
    }

    /// Learns a model from all inputs.
    #[must_use]
    pub fn train(&self) -> Model {
        train(self.language, &self.behaviour(), &self.columns().finish(), &self.options)
    }
}

fn print(text: &str) -> u128 {
    let mut print = Fingerprint::default();
    print.add_text(text);
    print.finish()
}
