//! The features of one input.
//!
//! Paths come from one walk over the derivations: see [`gramercy_coverage::path_walk`]. Each worker keeps its contexts
//! from one input to the next, so an input costs little more than its parse.

use std::sync::Arc;

use gramercy_base::{Id, LimitReached};
use gramercy_coverage::measure::CountedTrees;
use gramercy_coverage::path_walk::PathSteps;
use gramercy_coverage::{Criterion, Lexeme, Reading, TargetSet};
use gramercy_grammar::NodeId;
use gramercy_language::Language;
use gramercy_parse::{Derivations, Derived, RuleMatch, TextParser, TextRejection, TextWorkspace};

use super::{FeatureSet, Quantity};

/// The features that one input has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFeatures {
    /// Paths of which every suffix is a feature.
    pub paths: Vec<Arc<[NodeId]>>,
    /// Covered targets: the number of the criterion in the set, and the rank.
    pub covers: Vec<(usize, u64)>,
    /// Numbers.
    pub quantities: Vec<(Quantity, u64)>,
}

/// Extracts the features of inputs, one after the other. Each worker has its own.
pub struct Extractor<'e> {
    language: &'e Language,
    parser: &'e TextParser,
    trees: CountedTrees,
    set: &'e FeatureSet,
    criteria: Vec<Box<dyn Criterion + 'e>>,
    workspace: TextWorkspace,
    steps: PathSteps,
    /// For each step its path, shared by all inputs.
    paths: Vec<Arc<[NodeId]>>,
    /// For each step the number of the last input that takes it.
    taken: Vec<u32>,
    input: u32,
}

impl<'e> Extractor<'e> {
    /// An extractor of these features.
    ///
    /// # Errors
    /// If a criterion has too many targets.
    pub fn new(
        language: &'e Language,
        parser: &'e TextParser,
        set: &'e FeatureSet,
        trees: CountedTrees,
    ) -> Result<Self, LimitReached> {
        let criteria = set.criteria.iter().map(|spec| spec.build(language));
        Ok(Self {
            language,
            parser,
            trees,
            set,
            criteria: criteria.collect::<Result<_, _>>()?,
            workspace: parser.workspace(),
            steps: PathSteps::new(set.longest_path.max(1) as usize),
            paths: Vec::new(),
            taken: Vec::new(),
            input: 0,
        })
    }

    /// The features of a text.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn text(&mut self, text: &str) -> Result<InputFeatures, Box<TextRejection>> {
        let derivations = self.derivations(text)?;
        let mut features = InputFeatures::default();
        if self.set.longest_path > 0 {
            let steps = self.steps_of(&derivations);
            features.paths = steps.into_iter().map(|step| Arc::clone(&self.paths[step])).collect();
        }
        self.add_targets(text, &derivations, &mut features);
        self.add_quantities(text, &derivations, &mut features);
        Ok(features)
    }

    /// The trees of a text that count.
    ///
    /// # Errors
    /// Where and why it is not in the language.
    pub fn derivations(&mut self, text: &str) -> Result<Derivations, Box<TextRejection>> {
        Ok(match self.trees {
            CountedTrees::All => {
                let forest = self.parser.forest(&mut self.workspace, text)?;
                Derivations::of_forest(self.parser.parser(), &forest)
            }
            CountedTrees::Preferred => self.parser.preferred(&mut self.workspace, text)?.tree,
        })
    }

    /// The steps of an input, each once, in the order in which they are met. Their numbers are those of
    /// [`path`](Self::path).
    pub fn steps_of(&mut self, derivations: &Derivations) -> Vec<usize> {
        self.input += 1;
        let (mut found, input, taken) = (Vec::new(), self.input, &mut self.taken);
        self.steps.walk(self.language, derivations, |step| {
            if step >= taken.len() {
                taken.resize(step + 1, 0);
            }
            if taken[step] != input {
                taken[step] = input;
                found.push(step);
            }
        });
        for step in self.paths.len()..self.steps.len() {
            self.paths.push(self.steps.path(step).into());
        }
        found
    }

    /// The path of a step.
    #[must_use]
    pub fn path(&self, step: usize) -> &[NodeId] {
        &self.paths[step]
    }

    fn add_targets(&mut self, text: &str, derivations: &Derivations, features: &mut InputFeatures) {
        let reads_lexemes = self.criteria.iter().any(|criterion| criterion.reads_lexemes());
        let matches = match reads_lexemes {
            true => self.parser.matches(&mut self.workspace, text),
            false => Vec::new(),
        };
        let lexeme = |&RuleMatch { rule, start, end }: &RuleMatch| Lexeme {
            rule,
            text: &text[start..end],
            is_last: end == text.len(),
        };
        let lexemes: Vec<_> = matches.iter().map(lexeme).collect();
        let reading = Reading { derivations, lexemes: &lexemes };
        for (number, criterion) in self.criteria.iter().enumerate() {
            let mut covered = TargetSet::new();
            criterion.cover(&reading, &mut covered);
            features.covers.extend(covered.iter().map(|rank| (number, rank)));
        }
    }

    fn add_quantities(&self, text: &str, derivations: &Derivations, features: &mut InputFeatures) {
        if self.set.sizes {
            let tokens = derivations.range(derivations.root()).end;
            features.quantities.push((Quantity::Bytes, text.len() as u64));
            features.quantities.push((Quantity::Tokens, u64::from(tokens)));
        }
        if self.set.counts {
            let mut uses = vec![0; self.language.bnf().production_count()];
            for node in derivations.ids() {
                if matches!(derivations.label(node), Derived::Nonterminal(_)) {
                    derivations.ways(node).for_each(|way| uses[way.production.index()] += 1);
                }
            }
            let used = uses.into_iter().zip(0..).filter(|&(uses, _)| uses > 0);
            features.quantities.extend(used.map(|(uses, at)| (Quantity::Uses(at), uses)));
        }
    }
}
