//! A test in the making: a derivation tree with its sentence, as flat lists.
//!
//! Both lists are made of the same pieces in the same order (the way down to a nonterminal, what
//! stands below it, the rest), so a tree is put together by copying, and its tokens are known
//! without a walk over it.

use std::ops::Range;

use gramercy_coverage::TargetId;
use gramercy_grammar::{ProductionId, RuleId, TerminalId};
use gramercy_lexis::Part;

/// A derivation tree with its sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The productions of the leftmost derivation; where nobody wants them, some may be left out.
    pub productions: Vec<ProductionId>,
    /// The sentence.
    pub tokens: Vec<TerminalId>,
    /// Texts that tokens must have, by their index, ascending.
    pub lexemes: Vec<(usize, Fixed)>,
    /// Texts beside the tokens that the parser must not see.
    pub hidden: Vec<Fixed>,
    /// What it is made for, if for something in particular.
    pub goal: Option<Goal>,
    /// How many targets it is the first to cover, where more than its goal are known.
    pub gain: u64,
    /// Whether nobody wants the productions.
    pub is_sentence_only: bool,
}

/// A text that a test must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The text.
    pub text: Box<str>,
    /// The token rule that is to match something of it.
    pub rule: RuleId,
    /// What the rule is to match.
    pub matched: Range<usize>,
}

impl Fixed {
    /// A text that a rule is to match, and what stands beside it.
    pub(crate) fn new(text: &str, part: &Part) -> Self {
        let Part { rule, before, behind, .. } = part;
        let matched = before.len()..before.len() + text.len();
        Self { text: [before, text, behind].concat().into(), rule: *rule, matched }
    }

    /// A text that a rule is to match as a whole.
    pub(crate) fn whole(text: &str, rule: RuleId) -> Self {
        Self { text: text.into(), rule, matched: 0..text.len() }
    }

    /// What is to be matched by which rule if the text begins there.
    pub(crate) fn matched_at(&self, start: usize) -> (RuleId, Range<usize>) {
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

impl Draft {
    /// Forgets the test, but for its memory and what is wanted.
    pub fn clear(&mut self) {
        self.productions.clear();
        self.tokens.clear();
        self.lexemes.clear();
        self.hidden.clear();
        self.goal = None;
        self.gain = 0;
    }

    /// How many targets it is the first to cover, for all that is known.
    pub(crate) fn known_gain(&self) -> u64 {
        self.gain.max(u64::from(self.goal.is_some()))
    }

    /// Appends the productions and tokens of another.
    #[inline]
    pub(crate) fn append(&mut self, other: &Self) {
        if !self.is_sentence_only {
            self.productions.extend_from_slice(&other.productions);
        }
        self.tokens.extend_from_slice(&other.tokens);
    }

    fn lengths(&self) -> (usize, usize) {
        (self.productions.len(), self.tokens.len())
    }
}

/// Pieces of trees that are used again and again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    all: Draft,
}

/// A piece: where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    productions: Range<u32>,
    tokens: Range<u32>,
}

/// What is kept of pieces at most: together, in entries of both lists, and of one of them.
const MAX_ENTRIES: usize = 1 << 24;
const MAX_ENTRIES_OF_PIECE: usize = 1 << 12;

impl Pieces {
    /// Keeps what a draft holds; `None` if that is too much, and has to be made anew each time.
    pub(crate) fn keep(&mut self, draft: &Draft) -> Option<Piece> {
        let (productions, tokens) = self.all.lengths();
        let more = draft.productions.len() + draft.tokens.len();
        if more > MAX_ENTRIES_OF_PIECE || productions + tokens + more > MAX_ENTRIES {
            return None;
        }
        self.all.productions.extend_from_slice(&draft.productions);
        self.all.tokens.extend_from_slice(&draft.tokens);
        let now = self.all.lengths();
        let (productions, tokens) = (fit(productions)..fit(now.0), fit(tokens)..fit(now.1));
        Some(Piece { productions, tokens })
    }

    /// Appends a piece to a draft.
    #[inline]
    pub(crate) fn copy(&self, piece: &Piece, draft: &mut Draft) {
        let Piece { productions, tokens } = piece;
        if !draft.is_sentence_only {
            let productions = productions.start as usize..productions.end as usize;
            draft.productions.extend_from_slice(&self.all.productions[productions]);
        }
        let tokens = tokens.start as usize..tokens.end as usize;
        draft.tokens.extend_from_slice(&self.all.tokens[tokens]);
    }
}

fn fit(n: usize) -> u32 {
    u32::try_from(n).expect("invariant: pieces are bounded")
}
