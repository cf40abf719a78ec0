//! Single characters of a text are deleted, inserted, substituted and transposed.
//!
//! Of all characters that the grammar never tells apart, one stands for the others: two of them at the same place give
//! the same verdict and the same error. Most errors that people test for by hand lie below the level of tokens
//! (`01`, `1.`, `tru`, a string that is not closed), where changes of whole tokens do not reach.
//!
//! All changes of one text that are visited give different texts, as those of [`words`](super::word) do.
//!
//! Example: `[1]` of a grammar for JSON: `1]`, `{1]`, `[01]`, `[-]`, `[1`.
//!
//! Cost: characters times classes of characters, each a text to be read.

use std::ops::ControlFlow;

use gramercy_base::IndexMap;
use gramercy_grammar::TextKind;
use gramercy_language::Language;
use gramercy_parse::TextParser;

use crate::edit::Kind;

/// A change of a text: from byte `place` on, `removed` bytes give way to `inserted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CharacterEdit<'e> {
    /// What is done.
    pub kind: Kind,
    /// The byte at which it is done.
    pub place: usize,
    /// How many bytes are taken out.
    pub removed: usize,
    /// What is put in.
    pub inserted: &'e str,
}

impl CharacterEdit<'_> {
    /// Puts the changed text into `into`.
    pub fn apply(&self, text: &str, into: &mut String) {
        into.clear();
        into.push_str(&text[..self.place]);
        into.push_str(self.inserted);
        into.push_str(&text[self.place + self.removed..]);
    }
}

/// One character for each class that a grammar tells apart.
#[derive(Clone, Debug)]
pub struct Characters {
    representatives: Vec<char>,
}

impl Characters {
    /// The characters of a language; none for a grammar of tokens only. Readable ones stand for the others.
    #[must_use]
    pub fn new(language: &Language, parser: &TextParser) -> Self {
        let class: Box<dyn Fn(char) -> usize> =
            match (language.grammar().text_kind(), parser.lexer()) {
                (TextKind::Scannerless, _) => {
                    let parser = parser.parser();
                    Box::new(|c| gramercy_base::Id::index(parser.input_of_char(c)))
                }
                (TextKind::Lexed, Some(lexer)) => {
                    Box::new(|c| gramercy_base::Id::index(lexer.class_of(c)))
                }
                _ => return Self { representatives: Vec::new() },
            };
        let readable = ('0'..='9').chain('a'..='z').chain('A'..='Z').chain('!'..='~');
        let mut found = IndexMap::default();
        for c in readable.chain(" \n\t".chars()).chain('\0'..=char::MAX) {
            found.entry(class(c)).or_insert(c);
        }
        Self { representatives: found.into_values().collect() }
    }

    /// One character for each class.
    #[must_use]
    pub fn representatives(&self) -> &[char] {
        &self.representatives
    }

    /// Visits all changes of a text, by place.
    pub fn visit(
        &self,
        text: &str,
        visit: &mut dyn FnMut(&CharacterEdit<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut buffer = [0; 4];
        let mut before = None;
        let places = text.char_indices().map(|(place, c)| (place, Some(c)));
        for (place, here) in places.chain([(text.len(), None)]) {
            for &c in self.representatives.iter().filter(|&&c| Some(c) != before) {
                let inserted = &*c.encode_utf8(&mut buffer);
                visit(&CharacterEdit { kind: Kind::Insert, place, removed: 0, inserted })?;
            }
            let Some(here) = here else { break };
            let removed = here.len_utf8();
            if before != Some(here) {
                visit(&CharacterEdit { kind: Kind::Delete, place, removed, inserted: "" })?;
            }
            for &c in self.representatives.iter().filter(|&&c| c != here) {
                let inserted = &*c.encode_utf8(&mut buffer);
                visit(&CharacterEdit { kind: Kind::Substitute, place, removed, inserted })?;
            }
            let next = text[place + removed..].chars().next();
            if let Some(next) = next.filter(|&next| next != here) {
                let inserted = &*String::from_iter([next, here]);
                let removed = inserted.len();
                visit(&CharacterEdit { kind: Kind::Transpose, place, removed, inserted })?;
            }
            before = Some(here);
        }
        ControlFlow::Continue(())
    }
}
