//! Which targets an input covers, without running the program.
//!
//! Only the features that trees ask about are looked for. Paths are found in one walk over the input's derivations:
//! each step of the walk knows which of these paths end with it, so an input costs little more than its parse.

use std::borrow::Cow;

use gramercy_base::{Id, Map, to_u32};
use gramercy_coverage::CriterionSpec;
use gramercy_language::Language;
use gramercy_parse::{Derivations, TextParser, TextRejection};

use crate::features::extract::Extractor;
use crate::features::{Feature, FeatureSet};
use crate::model::{Leaf, Model, ModelError, ModelNode};

/// What the trees of a model ask about, prepared for many inputs.
pub struct Questions<'m> {
    model: &'m Model,
    set: FeatureSet,
    /// For each path that is asked about, the number of its question.
    paths: Map<Box<[u32]>, u32>,
    /// The other questions.
    others: Vec<(u32, &'m Feature)>,
}

impl<'m> Questions<'m> {
    /// The questions of a model.
    ///
    /// # Errors
    /// If the model names unknown features.
    pub fn new(model: &'m Model) -> Result<Self, ModelError> {
        let whole = model.feature_set()?;
        let mut set = FeatureSet::paths(0);
        let (mut paths, mut others) = (Map::default(), Vec::new());
        for (number, group) in model.features.iter().enumerate() {
            match &group[0] {
                Feature::Path(path) => {
                    set.longest_path = set.longest_path.max(to_u32(path.len()));
                    paths.insert(path.clone(), to_u32(number));
                }
                other => others.push((to_u32(number), other)),
            }
        }
        let has_criteria = others.iter().any(|(_, other)| matches!(other, Feature::Covers { .. }));
        if has_criteria {
            set.criteria.clone_from(&whole.criteria);
        }
        let has_numbers = others.iter().any(|(_, other)| matches!(other, Feature::AtLeast { .. }));
        set.sizes = whole.sizes && has_numbers;
        set.counts = whole.counts && has_numbers;
        Ok(Self { model, set, paths, others })
    }
}

/// Predicts what inputs cover, one after the other. Each worker has its own.
pub struct Predictor<'p> {
    questions: &'p Questions<'p>,
    extractor: Extractor<'p>,
    /// For each step of the walk, the questions about paths that end with it.
    of_step: Vec<Box<[u32]>>,
    criteria: Vec<CriterionSpec>,
}

impl<'p> Predictor<'p> {
    /// A predictor of a language's inputs.
    ///
    /// # Errors
    /// If a criterion has too many targets.
    pub fn new(
        language: &'p Language,
        parser: &'p TextParser,
        questions: &'p Questions<'p>,
    ) -> Result<Self, gramercy_base::LimitReached> {
        let trees = questions.model.counted_trees();
        let extractor = Extractor::new(language, parser, &questions.set, trees)?;
        let criteria = questions.set.criteria.clone();
        Ok(Self { questions, extractor, of_step: Vec::new(), criteria })
    }

    /// The answers to all questions of the model.
    ///
    /// # Errors
    /// Where and why the text is not in the language.
    pub fn answers(&mut self, text: &str) -> Result<Vec<bool>, Box<TextRejection>> {
        let mut answers = vec![false; self.questions.model.features.len()];
        if self.questions.others.is_empty() {
            let derivations = self.extractor.derivations(text)?;
            self.ask_paths(&derivations, &mut answers);
            return Ok(answers);
        }
        let features = self.extractor.text(text)?;
        for path in &features.paths {
            let numbers: Vec<u32> = path.iter().map(|node| to_u32(node.index())).collect();
            for from in 0..numbers.len() {
                if let Some(&question) = self.questions.paths.get(&numbers[from..]) {
                    answers[question as usize] = true;
                }
            }
        }
        for &(number, feature) in &self.questions.others {
            answers[number as usize] = match feature {
                Feature::Path(_) => unreachable!("invariant: paths are asked for above"),
                Feature::Covers { criterion, rank } => {
                    let at = self.criteria.iter().position(|spec| spec.to_string() == *criterion);
                    at.is_some_and(|at| features.covers.contains(&(at, *rank)))
                }
                Feature::AtLeast { of, least } => {
                    features.quantities.iter().any(|(which, value)| which == of && value >= least)
                }
            };
        }
        Ok(answers)
    }

    fn ask_paths(&mut self, derivations: &Derivations, answers: &mut [bool]) {
        if self.questions.set.longest_path == 0 {
            return;
        }
        for step in self.extractor.steps_of(derivations) {
            while self.of_step.len() <= step {
                let asked = self.asked(self.of_step.len());
                self.of_step.push(asked);
            }
            for &question in &self.of_step[step] {
                answers[question as usize] = true;
            }
        }
    }

    /// The questions about paths that end with a step.
    fn asked(&self, step: usize) -> Box<[u32]> {
        let path: Vec<u32> =
            self.extractor.path(step).iter().map(|node| to_u32(node.index())).collect();
        let asked = (0..path.len()).filter_map(|from| self.questions.paths.get(&path[from..]));
        asked.copied().collect()
    }
}

/// The leaf of a target's tree that an input with these answers arrives at.
#[must_use]
pub fn leaf<'t>(tree: &'t [ModelNode], answers: &[bool]) -> (usize, &'t Leaf) {
    let mut at = 0;
    loop {
        match &tree[at] {
            ModelNode::Leaf(leaf) => return (at, leaf),
            &ModelNode::Split { feature, absent, present } => {
                at = if answers[feature] { present } else { absent };
            }
        }
    }
}

/// The prediction for one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction<'m> {
    /// The target.
    pub target: Cow<'m, str>,
    /// Whether the input is predicted to cover it.
    pub is_covered: bool,
    /// The probability that this is right.
    pub confidence: f64,
}

/// The predictions for all targets of a model.
pub fn predictions<'m>(
    model: &'m Model,
    answers: &'m [bool],
) -> impl Iterator<Item = Prediction<'m>> + 'm {
    let trees = model.targets.iter().map(|target| {
        let (_, leaf) = leaf(&target.tree, answers);
        Prediction {
            target: Cow::Borrowed(&target.info.name),
            is_covered: leaf.is_covered(),
            confidence: leaf.confidence(),
        }
    });
    #[expect(clippy::cast_precision_loss, reason = "numbers of inputs are far below 2^53")]
    let sure = (model.inputs.count as f64 + 1.0) / (model.inputs.count as f64 + 2.0);
    let constant = |is_covered: bool| {
        move |info: &'m crate::TargetInfo| Prediction {
            target: Cow::Borrowed(&info.name),
            is_covered,
            confidence: sure,
        }
    };
    let always = model.always.iter().map(constant(true));
    trees.chain(always).chain(model.never.iter().map(constant(false)))
}
