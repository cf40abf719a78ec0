//! Inputs of grammars whose tokens are names: which token a word of an input is.
//!
//! A token has its own name, the name that the grammar writes (`'+'`, with the quotes), and its text (`+`). A name
//! always means its token. A text means its token only where nothing else is written like it: for a grammar with the
//! tokens `array` and `'array'`, the word `array` is the first of them, and the second is written with its quotes.
//! Texts with white space, such as `"end of file"`, are told from several words, unless all of these are tokens too.
//! A character of white space that is a token (`'\\n'` in grammars of lines) is that token, but for the blank, which
//! separates words in every input.
//!
//! Reading and writing use the same table, so what is written is read as it was meant. Linear in the names; a word is
//! found by hashing, and by comparing it with all names that have white space.

use gramercy_base::Map;
use gramercy_grammar::{Grammar, TerminalId, TerminalKind};

/// The words by which token types are written in an input.
#[derive(Clone, Debug, Default)]
pub struct TokenNames {
    words: Map<Box<str>, TerminalId>,
    /// Those with white space in them, the longest first.
    phrases: Vec<(Box<str>, TerminalId)>,
    /// White space that is a token.
    spaces: Map<char, TerminalId>,
}

impl TokenNames {
    /// The words for the tokens of a grammar.
    #[must_use]
    pub fn new(grammar: &Grammar) -> Self {
        let mut names = Self::default();
        let mut texts = Vec::new();
        for (id, terminal) in grammar.terminals().iter() {
            if let TerminalKind::Token { name, text } = &terminal.kind {
                names.add(name, id);
                names.add(&terminal.name, id);
                texts.extend(text.as_ref().map(|text| (text, id)));
            }
        }
        texts.sort_by_key(|(text, _)| text.contains(char::is_whitespace));
        for (text, id) in texts {
            let mut chars = text.chars();
            if let (Some(space), None) = (chars.next(), chars.next())
                && space.is_whitespace()
                && space != ' '
            {
                names.spaces.entry(space).or_insert(id);
            }
            let is_several = text.split_whitespace().all(|word| names.words.contains_key(word));
            if !text.contains(char::is_whitespace) || !is_several {
                names.add(text, id);
            }
        }
        names.phrases.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        names
    }

    /// The next word of a text from a place on: where it begins, and the token that it is with its length.
    #[must_use]
    pub fn next(&self, text: &str, at: usize) -> Option<(usize, Option<(TerminalId, usize)>)> {
        let is_word = |c: char| !c.is_whitespace() || self.spaces.contains_key(&c);
        let start = at + text[at..].find(is_word)?;
        Some((start, self.first_of(&text[start..])))
    }

    /// The token that a text begins with, and its length.
    fn first_of(&self, text: &str) -> Option<(TerminalId, usize)> {
        let first = text.chars().next()?;
        if let Some(&token) = self.spaces.get(&first) {
            return Some((token, first.len_utf8()));
        }
        let ends = |len: usize| text[len..].chars().next().is_none_or(char::is_whitespace);
        let is_here = |name: &str| text.starts_with(name) && ends(name.len());
        if let Some((name, token)) = self.phrases.iter().find(|(name, _)| is_here(name)) {
            return Some((*token, name.len()));
        }
        let word = text.split_whitespace().next()?;
        Some((*self.words.get(word)?, word.len()))
    }

    /// Whether a word is read as a token.
    pub(crate) fn is_read_as(&self, word: &str, token: TerminalId) -> bool {
        self.first_of(word) == Some((token, word.len()))
    }

    /// Whether a text of white space only separates words.
    pub(crate) fn is_separator(&self, text: &str) -> bool {
        !text.chars().any(|c| self.spaces.contains_key(&c))
    }

    /// Adds a name, unless it is another token's already.
    fn add(&mut self, name: &str, token: TerminalId) {
        if name.contains(char::is_whitespace) {
            // A name that begins or ends with white space cannot be told from what separates names.
            let is_known = self.phrases.iter().any(|(known, _)| **known == *name);
            if !is_known && name.trim() == name {
                self.phrases.push((name.into(), token));
            }
        } else if !name.is_empty() {
            self.words.entry(name.into()).or_insert(token);
        }
    }
}
