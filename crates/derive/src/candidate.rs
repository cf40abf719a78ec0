//! A test in the making: a token string, with a derivation tree where there is one.
//!
//! Both are flat lists made of the same parts in the same order (the way down to a nonterminal, what is below
//! it, the rest), so a tree is put together by copying, and its tokens are known without a walk over it.
//!
//! Example: for `S: A "x"; A: "a" | "b";` the tree of `b x` is the productions `S: A x`, `A: b` and the tokens
//! `b`, `x`.

use std::ops::Range;

use gramercy_coverage::TargetId;
use gramercy_grammar::{ProductionId, RuleId, TerminalId};
use gramercy_lexis::LexemePart;

/// A test in the making.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidate {
    /// The productions of the leftmost derivation. Empty, or with gaps, where only the sentence is requested.
    pub productions: Vec<ProductionId>,
    /// The sentence.
    pub tokens: Vec<TerminalId>,
    /// Texts that tokens must have, by their index, ascending.
    pub lexemes: Vec<(usize, FixedText)>,
    /// Texts that must stand beside the tokens, unseen by the parser.
    pub hidden: Vec<FixedText>,
    /// The target it is made for, if there is one.
    pub goal: Option<Goal>,
    /// How many targets it is the first to cover, where more than its goal are known.
    pub gain: u64,
    /// Whether a random tree reached its bound on tokens or expansions, and was closed off.
    pub is_closed_off: bool,
    /// What the engine requests of the strategy.
    pub detail: Detail,
}

/// What is requested of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The tree with its sentence.
    #[default]
    Tree,
    /// The sentence alone.
    Sentence,
}

/// A text that a test must contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedText {
    /// The text.
    pub text: Box<str>,
    /// The token rule that must match a part of it.
    pub rule: RuleId,
    /// The part that the rule must match.
    pub matched: Range<usize>,
}

impl FixedText {
    /// A text that a rule must match, with what stands beside it.
    #[must_use]
    pub fn new(text: &str, part: &LexemePart) -> Self {
        let LexemePart { rule, before, after, .. } = part;
        let matched = before.len()..before.len() + text.len();
        Self { text: [before, text, after].concat().into(), rule: *rule, matched }
    }

    /// A text that a rule must match as a whole.
    #[must_use]
    pub fn whole(text: &str, rule: RuleId) -> Self {
        Self { text: text.into(), rule, matched: 0..text.len() }
    }

    /// The match that is expected if the text begins at a byte.
    #[must_use]
    pub fn matched_at(&self, start: usize) -> (RuleId, Range<usize>) {
        (self.rule, start + self.matched.start..start + self.matched.end)
    }
}

/// A target of one of the criteria that a suite is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    /// Which criterion, counted from 0.
    pub criterion: usize,
    /// Which of its targets.
    pub target: TargetId,
}

impl Candidate {
    /// Empties the candidate. Its memory and the requested detail are kept.
    pub fn clear(&mut self) {
        self.productions.clear();
        self.tokens.clear();
        self.lexemes.clear();
        self.hidden.clear();
        self.goal = None;
        self.gain = 0;
        self.is_closed_off = false;
    }

    /// How many targets it is known to cover first.
    #[must_use]
    pub fn known_gain(&self) -> u64 {
        self.gain.max(u64::from(self.goal.is_some()))
    }

    /// Appends the productions and tokens of another candidate.
    #[inline]
    pub fn append(&mut self, other: &Self) {
        if self.detail == Detail::Tree {
            self.productions.extend_from_slice(&other.productions);
        }
        self.tokens.extend_from_slice(&other.tokens);
    }

    fn lengths(&self) -> (usize, usize) {
        (self.productions.len(), self.tokens.len())
    }
}

/// Trees that are used again and again, in one arena.
#[derive(Clone, Debug, Default)]
pub struct StoredTrees {
    all: Candidate,
}

/// A stored tree: where it lies in the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTree {
    productions: Range<u32>,
    tokens: Range<u32>,
}

/// The most entries of both lists that are stored, of all trees together and of one tree.
const MAX_ENTRIES: usize = 1 << 24;
const MAX_ENTRIES_OF_TREE: usize = 1 << 12;

impl StoredTrees {
    /// Stores the tree of a candidate; `None` if it is too large, and has to be made anew each time.
    ///
    /// # Panics
    /// Never: the number of entries is bounded.
    pub fn store(&mut self, candidate: &Candidate) -> Option<StoredTree> {
        let (productions, tokens) = self.all.lengths();
        let more = candidate.productions.len() + candidate.tokens.len();
        if more > MAX_ENTRIES_OF_TREE || productions + tokens + more > MAX_ENTRIES {
            return None;
        }
        self.all.productions.extend_from_slice(&candidate.productions);
        self.all.tokens.extend_from_slice(&candidate.tokens);
        let now = self.all.lengths();
        let fit = |n: usize| u32::try_from(n).expect("invariant: the arena is bounded");
        let (productions, tokens) = (fit(productions)..fit(now.0), fit(tokens)..fit(now.1));
        Some(StoredTree { productions, tokens })
    }

    /// Appends a stored tree to a candidate.
    #[inline]
    pub fn copy(&self, tree: &StoredTree, candidate: &mut Candidate) {
        let StoredTree { productions, tokens } = tree;
        if candidate.detail == Detail::Tree {
            let productions = productions.start as usize..productions.end as usize;
            candidate.productions.extend_from_slice(&self.all.productions[productions]);
        }
        let tokens = tokens.start as usize..tokens.end as usize;
        candidate.tokens.extend_from_slice(&self.all.tokens[tokens]);
    }
}
