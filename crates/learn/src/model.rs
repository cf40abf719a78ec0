//! A model: for each target a decision tree over features, with what users need to trust it.
//!
//! Models are JSON files. They name the grammar by its fingerprint, because the numbers of nodes and productions mean
//! something for this grammar only; they hold the seed, the options and a fingerprint of the inputs, so a model can be
//! made again.

use std::fmt;

use gramercy_coverage::measure::CountedTrees;
use gramercy_language::Language;
use serde::{Deserialize, Serialize};

use crate::behaviour::TargetInfo;
use crate::features::{Feature, FeatureSet};
use crate::trees::is_majority;

/// The version of model files.
pub const SCHEMA: u32 = 1;
/// What model files say about themselves.
pub const KIND: &str = "gramercy-model";

/// Decision trees for all targets of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The version of the file.
    pub schema: u32,
    /// Always `gramercy-model`.
    pub kind: String,
    /// The fingerprint of the grammar.
    pub grammar: String,
    /// How it was learned.
    pub options: ModelOptions,
    /// The inputs that it was learned from.
    pub inputs: InputsInfo,
    /// The number of features that some input has.
    pub observed_features: usize,
    /// The number of different columns of features.
    pub different_features: usize,
    /// The features that trees ask about: groups that were equal on all inputs, the preferred one first.
    pub features: Vec<Vec<Feature>>,
    /// Targets that some inputs cover and others do not.
    pub targets: Vec<TargetModel>,
    /// Targets that every input covers.
    pub always: Vec<TargetInfo>,
    /// Targets that no input covers.
    pub never: Vec<TargetInfo>,
    /// The inputs that leaves give as examples.
    pub examples: Vec<String>,
    /// How the program was run, if it was run to learn; only those who run it understand this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<serde_json::Value>,
}

/// How a model was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelOptions {
    /// Which features were looked at, as text.
    pub features: String,
    /// Whether one tree of an ambiguous input counts (`preferred`) or `all`.
    pub trees: String,
    /// The learner.
    pub learner: String,
    /// How classes of different size were balanced.
    pub balance: String,
    /// The most questions on the way to a leaf.
    pub depth: u32,
    /// The seed of the subsamples.
    pub seed: u64,
}

/// The inputs that a model was learned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputsInfo {
    /// How many there are.
    pub count: usize,
    /// Their fingerprint, with what they cover.
    pub fingerprint: String,
}

/// The decision tree of one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetModel {
    /// The target.
    #[serde(flatten)]
    pub info: TargetInfo,
    /// The number of inputs that cover it.
    pub covered: u32,
    /// The number of inputs in the smaller class, if that is too small to learn from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub few_samples: Option<u32>,
    /// By how much another tree might be better, for optimal trees that the budget did not suffice for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimality_gap: Option<u64>,
    /// The tree; the root is the first node.
    pub tree: Vec<ModelNode>,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelNode {
    /// A question.
    Split {
        /// The group of features that is asked about.
        feature: usize,
        /// The node for inputs without the feature.
        absent: usize,
        /// The node for inputs with it.
        present: usize,
    },
    /// A prediction.
    Leaf(Leaf),
}

/// The prediction for inputs that fulfil all conditions on the way to a leaf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// The inputs that cover the target.
    pub covered: u32,
    /// The inputs that fulfil the conditions.
    pub total: u32,
    /// The smallest input that fulfils the conditions and is as predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<usize>,
    /// The smallest input that fulfils the conditions and is not as predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_example: Option<usize>,
    /// What tests of the prediction showed.
    #[serde(default)]
    pub status: Status,
}

impl Leaf {
    /// Whether inputs here are predicted to cover the target.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        is_majority(self.covered, self.total)
    }

    /// The probability that the prediction is right, by Laplace's rule of succession.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        let right = if self.is_covered() { self.covered } else { self.total - self.covered };
        (f64::from(right) + 1.0) / (f64::from(self.total) + 2.0)
    }
}

/// What tests of a prediction showed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// No input was made to test it.
    #[default]
    Untested,
    /// All inputs that were made to test it behaved as predicted.
    Confirmed,
    /// Some input that was made to test it did not.
    Refuted,
}

impl Status {
    /// The status for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Untested => "untested",
            Self::Confirmed => "confirmed",
            Self::Refuted => "refuted",
        }
    }
}

/// A condition of a conjunction: a group of features, and whether it is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The group of features in the model.
    pub feature: usize,
    /// Whether inputs have it.
    pub is_present: bool,
}

impl TargetModel {
    /// All leaves, each with the conditions on the way to it, present sides first.
    #[must_use]
    pub fn conjunctions(&self) -> Vec<(Vec<Clause>, &Leaf)> {
        let (mut found, mut stack) = (Vec::new(), vec![(0, Vec::new())]);
        while let Some((at, clauses)) = stack.pop() {
            match &self.tree[at] {
                ModelNode::Leaf(leaf) => found.push((clauses, leaf)),
                &ModelNode::Split { feature, absent, present } => {
                    let with = |is_present| {
                        let mut clauses: Vec<Clause> = clauses.clone();
                        clauses.push(Clause { feature, is_present });
                        clauses
                    };
                    stack.push((absent, with(false)));
                    stack.push((present, with(true)));
                }
            }
        }
        found
    }

    /// The number of questions.
    #[must_use]
    pub fn splits(&self) -> usize {
        self.tree.len() / 2
    }
}

/// What a model knows about a target.
#[derive(Clone, Copy, Debug)]
pub enum Known<'m> {
    /// A tree.
    Tree(&'m TargetModel),
    /// Every input covers it.
    Always(&'m TargetInfo),
    /// No input covers it.
    Never(&'m TargetInfo),
}

impl Model {
    /// What the model knows about a target of this name; `None` if it does not know the name.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<Known<'_>> {
        let is_named = |info: &&TargetInfo| info.name == name;
        self.targets
            .iter()
            .find(|target| target.info.name == name)
            .map(Known::Tree)
            .or_else(|| self.always.iter().find(is_named).map(Known::Always))
            .or_else(|| self.never.iter().find(is_named).map(Known::Never))
    }

    /// The names of all targets.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let trees = self.targets.iter().map(|target| &target.info);
        trees.chain(&self.always).chain(&self.never).map(|info| &*info.name)
    }

    /// All targets.
    pub fn infos(&self) -> impl Iterator<Item = &TargetInfo> {
        self.targets.iter().map(|target| &target.info).chain(&self.always).chain(&self.never)
    }

    /// The features that were looked at.
    ///
    /// # Errors
    /// If the model names unknown ones.
    pub fn feature_set(&self) -> Result<FeatureSet, ModelError> {
        self.options.features.parse().map_err(ModelError::Damaged)
    }

    /// The trees of an input that count.
    #[must_use]
    pub fn counted_trees(&self) -> CountedTrees {
        match &*self.options.trees {
            "preferred" => CountedTrees::Preferred,
            _ => CountedTrees::All,
        }
    }

    /// The file's text.
    ///
    /// # Panics
    /// Never: a model can always be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("invariant: a model is JSON");
        text.push('\n');
        text
    }

    /// Reads a model and checks that it belongs to a language.
    ///
    /// # Errors
    /// See [`ModelError`].
    pub fn from_json(text: &str, language: &Language) -> Result<Self, ModelError> {
        let head: Head = serde_json::from_str(text).map_err(|_| ModelError::NoModel)?;
        if head.kind != KIND {
            return Err(ModelError::NoModel);
        }
        if head.schema != SCHEMA {
            return Err(ModelError::Version(head.schema));
        }
        let model: Self =
            serde_json::from_str(text).map_err(|error| ModelError::Damaged(error.to_string()))?;
        if model.grammar != language.fingerprint() {
            return Err(ModelError::OtherGrammar);
        }
        model.check(language)?;
        Ok(model)
    }

    /// Whether all numbers in the file mean something.
    fn check(&self, language: &Language) -> Result<(), ModelError> {
        self.feature_set()?;
        let damaged = |what: &str| Err(ModelError::Damaged(what.to_owned()));
        let has_group = |group: &Vec<Feature>| {
            !group.is_empty() && group.iter().all(|feature| feature.fits(language))
        };
        if !self.features.iter().all(has_group) {
            return damaged("a feature that the grammar does not have");
        }
        for target in &self.targets {
            let nodes = target.tree.len();
            let is_whole = target.tree.iter().enumerate().all(|(at, node)| match node {
                // Children come after their parents, so every way down ends.
                &ModelNode::Split { feature, absent, present } => {
                    feature < self.features.len()
                        && (at + 1..nodes).contains(&absent)
                        && (at + 1..nodes).contains(&present)
                }
                ModelNode::Leaf(leaf) => {
                    let is_example = |example: &usize| *example < self.examples.len();
                    leaf.covered <= leaf.total
                        && leaf.example.iter().chain(&leaf.counter_example).all(is_example)
                }
            });
            if nodes == 0 || !is_whole {
                return damaged("a tree with a node that does not exist");
            }
        }
        Ok(())
    }
}

/// What every model file begins with.
#[derive(Deserialize)]
struct Head {
    schema: u32,
    kind: String,
}

/// Why a file is not a model of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// It is no model at all.
    NoModel,
    /// It has another version.
    Version(u32),
    /// It was learned with another grammar, or another start rule.
    OtherGrammar,
    /// Something in it cannot be.
    Damaged(String),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => f.write_str("it is no model"),
            Self::Version(version) => {
                write!(
                    f,
                    "it is a model of version {version}, and this program reads version {SCHEMA}"
                )
            }
            Self::OtherGrammar => {
                f.write_str("it was learned with another grammar, or with another start rule")
            }
            Self::Damaged(what) => write!(f, "it is damaged: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}
