//! Ordinary lexemes: short, readable texts of a token, for tests of the grammar's structure. What is unusual about a
//! token (escapes, characters beyond ASCII, long digits) stays in the tests that are made for it, so that one lexical
//! defect does not fail every test.
//!
//! A text is a walk over the rule's structure ([`Shape`]). It takes the branch with the fewest characters that are
//! neither letters nor digits, leaves out what is optional, and repeats only what is written with letters and digits.
//! Several [`Style`]s give several texts: other letters, other equally plain branches, more rounds of loops. Each text
//! is checked by the lexer, so that an identifier is never a keyword.
//!
//! Example: `STRING : '"' ( ~["\\] | '\\' ["\\/bfnrt] )* '"'`. Without rounds the text is `""`, which has no letter
//! and is kept only if there is nothing else. With one round the plainest branch is `~["\\]`, and its first characters
//! are `a`, `b`, `c`: the lexemes are `"a"`, `"b"`, `"c"` and, with two rounds, `"ab"`.
//!
//! Cost: a bounded number of walks, each linear in its text.

use crate::alphabet::{CharKind, Pick};
use crate::lexemes::shape::{PUNCTUATION_WEIGHT, Shape, ShapeId, Shapes};

/// The most ordinary lexemes of a token.
const MAX_TEXTS: usize = 4;
/// The longest text, and the deepest nesting of a walk.
const MAX_CHARS: usize = 60;
const MAX_DEPTH: usize = 200;

/// How a walk decides where several ways are equally plain.
#[derive(Clone, Copy)]
struct Style {
    /// Which of several equally plain branches and characters is taken.
    rotation: usize,
    /// How often loops go round beyond their minimum.
    rounds: u32,
}

const STYLES: [Style; 8] = [
    Style { rotation: 0, rounds: 0 },
    Style { rotation: 1, rounds: 0 },
    Style { rotation: 0, rounds: 1 },
    Style { rotation: 1, rounds: 1 },
    Style { rotation: 2, rounds: 1 },
    Style { rotation: 0, rounds: 2 },
    Style { rotation: 2, rounds: 0 },
    Style { rotation: 3, rounds: 2 },
];

/// Ordinary texts of `root` that satisfy `is_right`; none if no walk leads to one.
pub(crate) fn texts(
    shapes: &Shapes,
    root: ShapeId,
    mut is_right: impl FnMut(&str) -> bool,
) -> Vec<String> {
    let (mut readable, mut bare): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for style in STYLES {
        let Some(text) = Walk::over(shapes, root, style) else { continue };
        let has_word = text.chars().any(|c| c.is_ascii_alphanumeric());
        let texts = if has_word { &mut readable } else { &mut bare };
        if !texts.contains(&text) && is_right(&text) {
            texts.push(text);
        }
        if readable.len() == MAX_TEXTS {
            break;
        }
    }
    if readable.is_empty() { bare } else { readable }
}

/// A text that is being made.
struct Walk<'s> {
    shapes: &'s Shapes,
    style: Style,
    text: String,
    chars: usize,
}

impl<'s> Walk<'s> {
    fn over(shapes: &'s Shapes, root: ShapeId, style: Style) -> Option<String> {
        let mut walk = Self { shapes, style, text: String::new(), chars: 0 };
        walk.shape(root, 0)?;
        Some(walk.text).filter(|text| !text.is_empty())
    }

    /// `None` if this way leads to no text within the bounds.
    fn shape(&mut self, shape: ShapeId, depth: usize) -> Option<()> {
        if self.chars > MAX_CHARS || depth > MAX_DEPTH {
            return None;
        }
        let shapes = self.shapes;
        match &shapes.nodes[shape] {
            Shape::Chars { picks, .. } => self.character(picks),
            Shape::Sequence(items) => {
                items.iter().try_for_each(|&item| self.shape(item, depth + 1))
            }
            Shape::Choice(branches) => self.shape(self.branch(branches)?, depth + 1),
            Shape::Repeat { body, min, max } => {
                let rounds = min.saturating_add(self.extra_rounds(*body, *min, *max));
                (0..rounds).try_for_each(|_| self.shape(*body, depth + 1))
            }
            Shape::Rule(rule) => self.shape(shapes.rules[*rule]?, depth + 1),
        }
    }

    /// One of the characters of the best kind: `a` before `b`, but `1` before `0`.
    fn character(&mut self, picks: &[Pick]) -> Option<()> {
        let kind = picks.first()?.kind;
        let alike = picks.iter().take_while(|pick| pick.kind == kind).count();
        let is_zero_first = kind == CharKind::Digit && alike > 1 && picks[0].c == '0';
        let at = (self.style.rotation + self.chars_of_word() + usize::from(is_zero_first)) % alike;
        self.text.push(picks[at].c);
        self.chars += 1;
        Some(())
    }

    /// How many letters and digits the text has, so that a word is `ab` and not `aa`.
    fn chars_of_word(&self) -> usize {
        self.text.chars().filter(char::is_ascii_alphanumeric).count()
    }

    /// The plainest branch, or one of them.
    fn branch(&self, branches: &[ShapeId]) -> Option<ShapeId> {
        let weight = |branch: &&ShapeId| self.shapes.plainest[**branch];
        let least = branches.iter().filter_map(|branch| weight(&branch)).min()?;
        let alike = || branches.iter().filter(|branch| weight(branch) == Some(least));
        alike().nth(self.style.rotation % alike().count()).copied()
    }

    /// Rounds beyond the minimum: only of loops, and only where letters and digits are repeated.
    fn extra_rounds(&self, body: ShapeId, min: u32, max: Option<u32>) -> u32 {
        let is_word = self.shapes.plainest[body].is_some_and(|weight| weight < PUNCTUATION_WEIGHT);
        match max {
            Some(1) => 0,
            _ if !is_word => 0,
            max => self.style.rounds.min(max.map_or(u32::MAX, |max| max.saturating_sub(min))),
        }
    }
}
