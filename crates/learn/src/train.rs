//! From behaviour and features to a model, one target after the other, in parallel.
//!
//! Classes of different size: by default all inputs are seen as they are. They can be balanced: either all inputs of the
//! smaller class are seen and as many of the larger one, drawn from the seed and the target's number (as Havrikov,
//! Kampmann and Zeller do, TOSEM, section 5.4); support and precision are then those of this sample. Or all inputs are
//! seen, and those of the smaller class weigh more, so that both classes weigh the same. Both find more of the inputs
//! that cover a rare target, at the price of conditions that other inputs contradict. Optimal trees count errors
//! exactly and see all inputs.

use std::ops::ControlFlow;

use gramercy_base::named::{Choice, Named, choice};
use gramercy_base::{Draw, IndexMap, parallel};
use gramercy_coverage::measure::CountedTrees;
use gramercy_language::Language;

use crate::behaviour::Behaviour;
use crate::bits;
use crate::features::columns::Columns;
use crate::features::{Feature, FeatureSet};
use crate::model::{
    InputsInfo, KIND, Leaf, Model, ModelNode, ModelOptions, SCHEMA, Status, TargetModel,
};
use crate::trees::cart::weighted_cart;
use crate::trees::optimal::{OptimalOptions, optimal};
use crate::trees::{Node, Tree, is_majority, leaf_of};

/// Fewer inputs than this in the smaller class are too few to learn from.
pub const FEW_SAMPLES: u32 = 5;
/// The most equal features that a model keeps for one question.
const GROUP: usize = 32;

/// How trees are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// Greedily, as CART does.
    Cart,
    /// With a proof that no smaller or better tree exists.
    Optimal,
}

impl Named for Learner {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Cart, "cart", "greedy trees with Gini impurity"),
        choice(Self::Optimal, "optimal", "provably optimal trees with few questions"),
    ];
}

/// How classes of different size are balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Balance {
    /// All inputs are seen, and both classes weigh the same.
    Weights,
    /// The larger class is sampled down to the size of the smaller one.
    Subsample,
    /// All inputs are seen.
    None,
}

impl Named for Balance {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Weights, "weights", "all inputs, and both classes weigh the same"),
        choice(
            Self::Subsample,
            "subsample",
            "as many inputs of the larger class as of the smaller one",
        ),
        choice(Self::None, "none", "all inputs"),
    ];
}

/// How a model is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainOptions {
    /// Which features are looked at.
    pub features: FeatureSet,
    /// The trees of an input that count.
    pub trees: CountedTrees,
    /// The learner.
    pub learner: Learner,
    /// How classes are balanced for greedy trees.
    pub balance: Balance,
    /// The most questions on the way to a leaf.
    pub depth: u32,
    /// The cost of a question of an optimal tree, in inputs.
    pub leaf_cost: u64,
    /// The work for one optimal tree, in words of bits that are looked at.
    pub budget: u64,
    /// The seed of subsamples.
    pub seed: u64,
    /// The number of threads.
    pub jobs: usize,
}

impl Default for TrainOptions {
    fn default() -> Self {
        let OptimalOptions { leaf_cost, budget, .. } = OptimalOptions::default();
        Self {
            features: FeatureSet::paths(4),
            trees: CountedTrees::All,
            learner: Learner::Cart,
            balance: Balance::None,
            depth: 5,
            leaf_cost,
            budget,
            seed: 0,
            jobs: 1,
        }
    }
}

/// Learns a tree for each target that some inputs cover and others do not. The rows of the columns are the inputs of
/// the behaviour.
///
/// # Panics
/// If they are not.
#[must_use]
pub fn train(
    language: &Language,
    behaviour: &Behaviour,
    columns: &Columns,
    options: &TrainOptions,
) -> Model {
    assert_eq!(columns.rows(), behaviour.inputs.len(), "invariant: both tables have the same rows");
    let mut model = empty_model(language, behaviour, columns, options);
    let rows = columns.rows();
    let mut open = Vec::new();
    for (number, (info, covered)) in behaviour.targets.iter().zip(&behaviour.covered).enumerate() {
        match bits::count(covered) as usize {
            0 => model.never.push(info.clone()),
            all if all == rows => model.always.push(info.clone()),
            _ => open.push(number),
        }
    }
    let by_size = sizes(behaviour);
    let mut building =
        Building { features: IndexMap::default(), examples: IndexMap::default(), by_size };
    parallel::in_order(
        options.jobs,
        open.into_iter(),
        || (),
        |(), number| (number, learn_one(columns, &behaviour.covered[number], number, options)),
        |(number, learned)| {
            let covered = &behaviour.covered[number];
            model.targets.push(TargetModel {
                info: behaviour.targets[number].clone(),
                covered: bits::count(covered),
                few_samples: learned.few_samples,
                optimality_gap: learned.gap,
                tree: building.nodes(&learned.tree, columns, covered),
            });
            ControlFlow::Continue(())
        },
    );
    let group = |&column: &usize| columns.group(column).iter().take(GROUP).cloned().collect();
    model.features = building.features.keys().map(group).collect::<Vec<Vec<Feature>>>();
    let text = |&row: &usize| behaviour.inputs[row].text.clone();
    model.examples = building.examples.keys().map(text).collect();
    model
}

fn empty_model(
    language: &Language,
    behaviour: &Behaviour,
    columns: &Columns,
    options: &TrainOptions,
) -> Model {
    Model {
        schema: SCHEMA,
        kind: KIND.to_owned(),
        grammar: language.fingerprint(),
        options: ModelOptions {
            features: options.features.to_string(),
            trees: match options.trees {
                CountedTrees::All => "all",
                CountedTrees::Preferred => "preferred",
            }
            .to_owned(),
            learner: options.learner.name().to_owned(),
            balance: options.balance.name().to_owned(),
            depth: options.depth,
            seed: options.seed,
        },
        inputs: InputsInfo { count: behaviour.inputs.len(), fingerprint: behaviour.fingerprint() },
        observed_features: columns.observed(),
        different_features: columns.len(),
        features: Vec::new(),
        targets: Vec::new(),
        always: Vec::new(),
        never: Vec::new(),
        examples: Vec::new(),
        program: None,
    }
}

/// The inputs from the smallest to the largest.
fn sizes(behaviour: &Behaviour) -> Vec<usize> {
    let mut order: Vec<usize> = (0..behaviour.inputs.len()).collect();
    order.sort_by_key(|&row| (behaviour.inputs[row].text.len(), row));
    order
}

struct Learned {
    tree: Tree,
    few_samples: Option<u32>,
    gap: Option<u64>,
}

fn learn_one(
    columns: &Columns,
    positives: &[u64],
    number: usize,
    options: &TrainOptions,
) -> Learned {
    let rows = bits::all(columns.rows());
    let covered = bits::count(positives);
    let smaller = covered.min(bits::count(&rows) - covered);
    let few_samples = (smaller < FEW_SAMPLES).then_some(smaller);
    match options.learner {
        Learner::Cart => {
            let weight = f64::from(bits::count(&rows) - covered) / f64::from(covered.max(1));
            let (sample, weight) = match options.balance {
                Balance::Weights => (rows, weight),
                Balance::Subsample => (subsample(&rows, positives, options.seed, number), 1.0),
                Balance::None => (rows, 1.0),
            };
            let tree = weighted_cart(columns, positives, &sample, options.depth, weight);
            Learned { tree: tree.counted(columns, positives, &sample), few_samples, gap: None }
        }
        Learner::Optimal => {
            let TrainOptions { depth, leaf_cost, budget, .. } = *options;
            let found = optimal(columns, positives, OptimalOptions { depth, leaf_cost, budget });
            let gap = Some(found.gap()).filter(|&gap| gap > 0);
            Learned { tree: found.tree, few_samples, gap }
        }
    }
}

/// All rows of the smaller class, and as many of the larger one.
fn subsample(rows: &[u64], positives: &[u64], seed: u64, number: usize) -> Vec<u64> {
    let covered = bits::both(rows, positives);
    let others = bits::without(rows, positives);
    let (mut sample, larger) = match bits::count(&covered) <= bits::count(&others) {
        true => (covered, others),
        false => (others, covered),
    };
    let mut draw = Draw::new([seed, number as u64, 0, 0x006c_6561_726e]);
    let mut larger: Vec<usize> = bits::ones(&larger).collect();
    for at in 0..(bits::count(&sample) as usize).min(larger.len()) {
        let other = at + draw.below(larger.len() - at);
        larger.swap(at, other);
        bits::insert(&mut sample, larger[at]);
    }
    sample
}

/// The parts of a model that targets share.
struct Building {
    /// The columns that trees ask about.
    features: IndexMap<usize, ()>,
    /// The inputs that leaves give as examples.
    examples: IndexMap<usize, ()>,
    by_size: Vec<usize>,
}

impl Building {
    fn nodes(&mut self, tree: &Tree, columns: &Columns, covered: &[u64]) -> Vec<ModelNode> {
        let mut smallest: Vec<[Option<usize>; 2]> = vec![[None; 2]; tree.nodes().len()];
        for &row in &self.by_size {
            let is_covered = bits::contains(covered, row);
            let first = &mut smallest[leaf_of(tree, columns, row)][usize::from(is_covered)];
            *first = first.or(Some(row));
        }
        let nodes = tree.nodes().iter().zip(smallest);
        nodes.map(|(node, smallest)| self.node(*node, smallest)).collect()
    }

    fn node(&mut self, node: Node, smallest: [Option<usize>; 2]) -> ModelNode {
        match node {
            Node::Split { column, absent, present } => {
                let entry = self.features.entry(column);
                let feature = entry.index();
                entry.or_default();
                ModelNode::Split { feature, absent, present }
            }
            Node::Leaf { covered, total } => {
                let predicted = usize::from(is_majority(covered, total));
                let mut example = |row: Option<usize>| {
                    let entry = self.examples.entry(row?);
                    let index = entry.index();
                    entry.or_default();
                    Some(index)
                };
                let (example, counter_example) =
                    (example(smallest[predicted]), example(smallest[1 - predicted]));
                let status = Status::Untested;
                ModelNode::Leaf(Leaf { covered, total, example, counter_example, status })
            }
        }
    }
}
