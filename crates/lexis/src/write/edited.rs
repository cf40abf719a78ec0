//! A text that becomes the next one by an edit.
//!
//! Where every terminal has one text, two token strings with the same beginning and the same end have
//! texts that differ in the middle only. Systematic suites have such neighbours: large shortest sentences
//! with another small part in each. Cost: a comparison of the tokens, a copy of what is after the middle if
//! its length changes, and the middle.

use gramercy_grammar::TerminalId;

/// How many tokens are compared in one go.
const BLOCK: usize = 32;

/// A token string and its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Edited {
    tokens: Vec<TerminalId>,
    text: String,
    /// Where the text of each token ends.
    ends: Vec<usize>,
    middle: String,
    middle_ends: Vec<usize>,
}

impl Edited {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Turns the text into that of other tokens; `None`, and nothing is changed, if one has no text.
    pub(super) fn edit<'t>(
        &mut self,
        tokens: &[TerminalId],
        text_of: impl Fn(TerminalId) -> Option<&'t str>,
    ) -> Option<()> {
        let before = common_prefix(&self.tokens, tokens);
        let behind = common_suffix(&self.tokens[before..], &tokens[before..]);
        let old = before..self.tokens.len() - behind;
        let start = before.checked_sub(1).map_or(0, |last| self.ends[last]);
        let end = old.end.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.middle.clear();
        self.middle_ends.clear();
        let middle = &tokens[before..tokens.len() - behind];
        for &token in middle {
            self.middle.push_str(text_of(token)?);
            self.middle_ends.push(start + self.middle.len());
        }
        self.text.replace_range(start..end, &self.middle);
        self.tokens.splice(old.clone(), middle.iter().copied());
        self.ends.splice(old, self.middle_ends.iter().copied());
        let new_end = start + self.middle.len();
        if new_end != end {
            let moved = &mut self.ends[tokens.len() - behind..];
            moved.iter_mut().for_each(|at| *at = *at - end + new_end);
        }
        Some(())
    }
}

fn common_prefix(one: &[TerminalId], other: &[TerminalId]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(one, other)| are_equal(one, other)).count();
    let rest = one[same..].iter().zip(&other[same..]);
    same + rest.take_while(|(one, other)| one == other).count()
}

fn common_suffix(one: &[TerminalId], other: &[TerminalId]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let same = BLOCK * blocks.take_while(|(one, other)| are_equal(one, other)).count();
    let (one, other) = (&one[..one.len() - same], &other[..other.len() - same]);
    let rest = one.iter().rev().zip(other.iter().rev());
    same + rest.take_while(|(one, other)| one == other).count()
}

/// Without a branch for each token.
fn are_equal(one: &[TerminalId], other: &[TerminalId]) -> bool {
    one.iter().zip(other).fold(true, |same, (one, other)| same & (one == other))
}

#[cfg(test)]
mod tests {
    use gramercy_base::{Draw, Id};
    use gramercy_grammar::TerminalId;

    use super::Edited;

    #[test]
    fn edits_lead_to_the_same_text_as_writing() {
        const TEXTS: [&str; 5] = ["", "a", "bc", "é", "a long text"];
        let draw = &mut Draw::new([0; 4]);
        let mut edited = Edited::default();
        let mut tokens: Vec<TerminalId> = Vec::new();
        for _ in 0..2000 {
            // Something is taken out, and something else put in.
            let from = draw.below(tokens.len() + 1);
            let to = from + draw.below((tokens.len() - from).min(70) + 1);
            let new = draw.below(70);
            let drawn: Vec<_> = (0..new).map(|_| TerminalId::from_index(draw.below(5))).collect();
            tokens.splice(from..to, drawn);
            let text_of = |token: TerminalId| Some(TEXTS[token.index()]);
            edited.edit(&tokens, text_of).expect("all have texts");
            let expected: String = tokens.iter().map(|token| TEXTS[token.index()]).collect();
            assert_eq!(edited.text(), expected);
            let mut foreign = tokens.clone();
            foreign.push(TerminalId::from_index(5));
            let text_of = |token: TerminalId| TEXTS.get(token.index()).copied();
            assert_eq!(edited.edit(&foreign, text_of), None);
            assert_eq!(edited.text(), expected);
        }
    }
}
