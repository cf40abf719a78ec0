//! The strategy whose candidates are predicted to reach a target.

use std::fmt;

use gramercy_base::{Draw, LimitReached};
use gramercy_derive::Candidate;
use gramercy_derive::strategy::{Indexed, Propose};
use gramercy_language::Language;
use gramercy_lexis::{Choice, LexerError, WriteOptions, Writer};
use gramercy_parse::TextParser;

use super::constraint::covering;
use super::product::Product;
use crate::model::{Known, Model, ModelError, TargetModel};
use crate::predict::{Predictor, Questions, leaf};

/// How many trees are drawn in search of one that the model predicts to cover the target.
const DRAWS: u64 = 32;
/// The largest room beyond the smallest tree, in tokens and productions.
const ROOM: usize = 60;

/// Candidates that a model predicts to cover a target.
pub struct Guided<'g> {
    language: &'g Language,
    parser: &'g TextParser,
    questions: Questions<'g>,
    target: &'g TargetModel,
    products: Vec<Product<'g>>,
    text: WriteOptions,
    seed: u64,
    count: u64,
}

impl<'g> Guided<'g> {
    /// The candidates for a target, `count` of them. Only sentences of `writable` are drawn, which has the grammar
    /// of `language`.
    ///
    /// # Errors
    /// See [`GuidedError`].
    pub fn new(
        language: &'g Language,
        writable: &'g Language,
        model: &'g Model,
        target: &str,
        text: WriteOptions,
        (seed, count): (u64, u64),
    ) -> Result<Self, GuidedError> {
        let target = match model.target(target) {
            Some(Known::Tree(target)) => target,
            Some(Known::Always(_)) => return Err(GuidedError::Always),
            Some(Known::Never(_)) => return Err(GuidedError::Never),
            None => return Err(GuidedError::Unknown),
        };
        let constraints = covering(model, target);
        if constraints.is_empty() {
            return Err(GuidedError::NoLeaf);
        }
        let mut products = Vec::new();
        for constraint in constraints.iter().filter(|constraint| !constraint.is_contradictory()) {
            let product = Product::new(writable, constraint).map_err(GuidedError::Limit)?;
            products.extend(product.is_feasible().then_some(product));
        }
        if products.is_empty() {
            return Err(GuidedError::Infeasible(constraints.len()));
        }
        let parser = language.parser().map_err(|_| GuidedError::NoParser)?;
        let questions = Questions::new(model).map_err(GuidedError::Model)?;
        Ok(Self { language, parser, questions, target, products, text, seed, count })
    }
}

impl Indexed for Guided<'_> {
    fn count(&self) -> u64 {
        self.count
    }

    fn proposer(&self) -> Box<dyn Propose + '_> {
        let Self { language, parser, questions, text, .. } = self;
        let checking = Predictor::new(language, parser, questions)
            .ok()
            .zip(language.writer(text).ok())
            .map(|(predictor, writer)| Checking { predictor, writer });
        Box::new(Proposer { guided: self, checking })
    }
}

/// Writes a candidate and asks the model about its text.
struct Checking<'c> {
    predictor: Predictor<'c>,
    writer: Writer<'c>,
}

struct Proposer<'p> {
    guided: &'p Guided<'p>,
    /// `None` if the features are beyond the limits: then nothing can be predicted.
    checking: Option<Checking<'p>>,
}

impl Propose for Proposer<'_> {
    fn propose(&mut self, number: u64, attempt: u32, candidate: &mut Candidate) -> bool {
        let Guided { products, seed, target, .. } = self.guided;
        let Some(checking) = &mut self.checking else { return false };
        let turn = usize::try_from(number % products.len() as u64);
        let product = &products[turn.expect("invariant: it is below a length")];
        for again in 0..DRAWS {
            let mut draw =
                Draw::new([*seed, number, u64::from(attempt) << 32 | again, 0x7461_7267]);
            // The first candidate of each leaf is the smallest one; later ones get more and more room.
            let round = number / products.len() as u64 + again + u64::from(attempt);
            let room = if round == 0 {
                0
            } else {
                draw.below(usize::try_from(4 + round).unwrap_or(ROOM).min(ROOM))
            };
            candidate.productions.clear();
            candidate.tokens.clear();
            product.draw(u32::try_from(room).unwrap_or(0), &mut draw, candidate);
            if checking.is_predicted(target, candidate, *seed, number) {
                return true;
            }
        }
        candidate.productions.clear();
        candidate.tokens.clear();
        false
    }
}

impl Checking<'_> {
    /// Whether the model predicts that a text of the candidate covers the target. What has no text is left to the
    /// engine, which knows what to do about it.
    fn is_predicted(
        &mut self,
        target: &TargetModel,
        candidate: &Candidate,
        seed: u64,
        number: u64,
    ) -> bool {
        let choice = Choice { seed, test: number, fixed: &[] };
        let Ok(written) = self.writer.write(&candidate.tokens, &choice) else { return true };
        match self.predictor.answers(&written.text) {
            Ok(answers) => leaf(&target.tree, &answers).1.is_covered(),
            Err(_) => false,
        }
    }
}

/// Why no candidate reaches a target.
#[derive(Clone, Debug, PartialEq)]
pub enum GuidedError {
    /// The model does not know the target.
    Unknown,
    /// Every input covers it.
    Always,
    /// No input of the training set covers it.
    Never,
    /// No leaf of its tree predicts that it is covered.
    NoLeaf,
    /// No sentence fulfils any of its conditions, of which there are this many.
    Infeasible(usize),
    /// The grammar has no parser.
    NoParser,
    /// A condition is too large for the grammar.
    Limit(LimitReached),
    /// The model cannot be used.
    Model(ModelError),
    /// The lexical rules make no lexer.
    Lexer(LexerError),
}

impl fmt::Display for GuidedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("the model does not know this target"),
            Self::Always => {
                f.write_str("every input of the training set covers it: any input will do")
            }
            Self::Never => f.write_str(
                "no input of the training set covers it, so nothing was learned about it",
            ),
            Self::NoLeaf => f.write_str(
                "no condition makes it likely: too few inputs of the training set cover it",
            ),
            Self::Infeasible(conditions) => {
                write!(f, "no sentence of the grammar fulfils any of its {conditions} conditions")
            }
            Self::NoParser => f.write_str("the grammar has no parser"),
            Self::Limit(limit) => limit.fmt(f),
            Self::Model(error) => error.fmt(f),
            Self::Lexer(error) => write!(f, "the lexical rules make no lexer: {error:?}"),
        }
    }
}

impl std::error::Error for GuidedError {}
