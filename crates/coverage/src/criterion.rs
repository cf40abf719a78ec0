//! What each criterion must do.

use gramercy_base::Span;
use gramercy_grammar::{NonterminalId, ProductionId, RuleId, Symbol};
use gramercy_parse::Derivations;

use crate::pattern;
use crate::targets::{TargetId, TargetSet};

/// What is known of an input that was read, or of a tree that was made.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'r> {
    /// All its trees.
    pub derivations: &'r Derivations,
    /// What its lexer matched, in order: also what the parser does not see. Empty where there is no
    /// lexer, or no text yet.
    pub lexemes: &'r [Lexeme<'r>],
}

impl<'r> Reading<'r> {
    /// Trees without a text.
    #[must_use]
    pub fn of(derivations: &'r Derivations) -> Self {
        Self { derivations, lexemes: &[] }
    }
}

/// What is known of an input that was rejected.
#[derive(Clone, Copy, Debug)]
pub struct RejectedInput<'r> {
    /// The input.
    pub text: &'r str,
    /// The byte of its first error.
    pub byte: usize,
    /// The class of the error, if the corpus tells.
    pub class: Option<&'r str>,
    /// The operator that made it from a sentence, if the corpus tells.
    pub operator: Option<&'r str>,
    /// The item of a rule that was changed, if the corpus tells.
    pub item: Option<&'r str>,
}

/// A match of a lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme<'r> {
    /// The token rule that matched.
    pub rule: RuleId,
    /// What it matched.
    pub text: &'r str,
    /// Whether the input ends after it.
    pub is_last: bool,
}

/// A set of targets, and how inputs cover them.
pub trait Criterion: Send + Sync + std::fmt::Debug {
    /// The number of targets.
    fn targets(&self) -> u64;

    /// How many of them some sentence covers.
    fn coverable(&self) -> u64;

    /// Why no sentence covers a target; `None` if one does.
    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable>;

    /// Adds what an input covers: every target that one of its trees, or one of its lexemes, covers.
    fn cover(&self, reading: &Reading<'_>, covered: &mut TargetSet);

    /// Adds what an input covers that is not in the language: only negative criteria have such targets.
    fn cover_rejected(&self, input: &RejectedInput<'_>, covered: &mut TargetSet) {
        let _ = (input, covered);
    }

    /// Whether lexemes are looked at; else nobody needs to collect them.
    fn reads_lexemes(&self) -> bool {
        false
    }

    /// The smallest fragment of a tree that covers a target that can be covered. A criterion that gives one needs
    /// no strategy of its own for suites to be made for it.
    fn fragment(&self, target: TargetId) -> Option<Fragment> {
        let _ = target;
        None
    }

    /// A target for people.
    fn describe(&self, target: TargetId) -> String;

    /// A target for people, on one line and in few words: what is not near it is left out. Several targets may have
    /// the same outline.
    fn outline(&self, target: TargetId) -> String {
        pattern::shortened(&self.describe(target))
    }

    /// The position of a target in the grammar file.
    fn place(&self, target: TargetId) -> Option<Span>;
}

/// A part of a tree, in the order of its leftmost derivation.
///
/// Example: in `S: A B; A: a | S; B: b;` the chain of `S: A B` and `A: S` is the root `S` with the items
/// `Production(S: A B)`, `Production(A: S)`, `Any(S)`, `Any(B)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The nonterminal at its top.
    pub root: NonterminalId,
    /// What it consists of.
    pub items: Vec<FragmentItem>,
}

/// The next item of a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FragmentItem {
    /// The leftmost open nonterminal is replaced by this production.
    Production(ProductionId),
    /// The leftmost open symbol, with any tree below it.
    Any(Symbol),
}

/// Why no sentence covers a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncoverable {
    /// The start rule does not lead there.
    Unreachable,
    /// Something in it, or beside it, derives nothing.
    Unproductive,
    /// No parser rule uses the token that it belongs to.
    Unused,
}

impl Uncoverable {
    /// The reason for people.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Uncoverable::Unreachable => "the start rule does not lead there",
            Uncoverable::Unproductive => "it needs something that derives no text",
            Uncoverable::Unused => "no parser rule uses its token",
        }
    }
}
