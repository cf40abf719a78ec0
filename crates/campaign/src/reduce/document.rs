//! The input as the reducer sees it: its text, its leaves with the gaps before them, and its tree.
//!
//! A leaf is a token; in a scannerless grammar, a terminal. What stands between leaves (white space, comments) is the
//! gap before the next leaf. An input outside of the language has a tree where few changes lead into it (see
//! [`recover`]): then a leaf may have an empty text, or one that is not a text of its terminal.

use std::ops::Range;
use std::sync::Arc;

use gramercy_base::{Map, to_u32};
use gramercy_grammar::{TerminalId, TerminalKind, TextKind};
use gramercy_language::Language;
use gramercy_parse::text::TextParserError;
use gramercy_parse::{ErrorClass, TextParser, TextRejection, TextWorkspace};

use super::recover;
use super::tree::Tree;
use super::units::Units;
use super::yields::Yields;

/// A token with the gap before it, as bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its type.
    pub(super) terminal: TerminalId,
    /// Where the gap before it begins.
    pub(super) gap: u32,
    /// Its first byte.
    pub(super) start: u32,
    /// One past its last byte.
    pub(super) end: u32,
}

/// An input that was read.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) text: Arc<str>,
    pub(super) leaves: Vec<Leaf>,
    /// Without nodes if nothing is known about the structure.
    pub(super) tree: Tree,
}

impl Document {
    /// The text of a leaf.
    pub(super) fn lexeme(&self, leaf: usize) -> &str {
        let Leaf { start, end, .. } = self.leaves[leaf];
        &self.text[start as usize..end as usize]
    }

    /// The bytes of leaves, with the gaps before them.
    pub(super) fn bytes(&self, leaves: &Range<u32>) -> Range<usize> {
        let (first, last) = (leaves.start as usize, leaves.end as usize);
        match first < last {
            true => self.leaves[first].gap as usize..self.leaves[last - 1].end as usize,
            false => 0..0,
        }
    }

    /// The number of bytes of leaves.
    pub(super) fn len(&self, leaves: &Range<u32>) -> usize {
        self.bytes(leaves).len()
    }

    /// The leaf that covers a byte, or follows it.
    pub(super) fn leaf_at(&self, byte: usize) -> usize {
        self.leaves.partition_point(|leaf| leaf.end as usize <= byte)
    }

    /// All leaves.
    pub(super) fn all(&self) -> Range<u32> {
        0..to_u32(self.leaves.len())
    }

    /// What follows the last leaf.
    pub(super) fn tail(&self) -> &str {
        let end = self.leaves.last().map_or(0, |leaf| leaf.end as usize);
        &self.text[end..]
    }
}

/// Where a text is.
pub(super) enum Membership {
    /// In the language.
    Inside,
    /// Outside, with this kind of error.
    Outside(ErrorKind),
    /// A limit was reached.
    Unknown,
}

/// Which texts may be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stay {
    /// Texts of the language.
    Inside,
    /// Texts outside of the language whose first error is of this kind, or of any.
    Outside(Option<ErrorKind>),
    /// All texts.
    Anywhere,
}

/// What kind of error the first one is: where the error is, as far as it can be compared between texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorKind {
    /// The token before the error.
    pub after: Option<TerminalId>,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong at an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// This token cannot come there.
    Token(Option<TerminalId>),
    /// The text ends too early.
    End,
    /// There is no token.
    Lexical,
}

impl Problem {
    fn of(rejection: &TextRejection) -> Option<Self> {
        match rejection.class {
            ErrorClass::Token(terminal) => Some(Self::Token(terminal)),
            ErrorClass::End => Some(Self::End),
            ErrorClass::Lexical(_) | ErrorClass::UnknownToken => Some(Self::Lexical),
            ErrorClass::Limit(_) => None,
        }
    }
}

/// Everything about the language that edits are made from.
pub(super) struct Tools<'l> {
    pub(super) language: &'l Language,
    pub(super) parser: &'l TextParser,
    pub(super) workspace: TextWorkspace,
    pub(super) yields: Yields,
    pub(super) units: Units,
    /// What must stand between two texts.
    glue: Map<(Box<str>, Box<str>), Glue>,
}

/// What stands between two tokens.
pub(super) type Glue = &'static str;

/// Longer texts are looked at each time.
const MAX_MEMO: usize = 64;

impl<'l> Tools<'l> {
    pub(super) fn new(language: &'l Language) -> Result<Self, TextParserError> {
        let parser = language.parser()?;
        Ok(Self {
            language,
            parser,
            workspace: parser.workspace(),
            yields: Yields::new(language),
            units: Units::new(language.bnf()),
            glue: Map::default(),
        })
    }

    /// Reads a text of the language.
    pub(super) fn read(&mut self, text: &str) -> Result<Document, Box<TextRejection>> {
        let read = self.parser.preferred(&mut self.workspace, text)?;
        let (tree, leaves) = Tree::new(&read.tree, &read.tokens);
        Ok(Document { text: text.into(), leaves, tree })
    }

    /// Reads any text: with a tree where it has one, or nearly has one.
    pub(super) fn read_any(&mut self, text: &str) -> Document {
        self.read(text).unwrap_or_else(|_| recover::recover(self, text))
    }

    /// The number of tokens of any text; in a scannerless grammar, of terminals where they are known.
    pub(super) fn count_tokens(&mut self, text: &str) -> usize {
        match self.read(text) {
            Ok(document) => document.leaves.len(),
            Err(_) => recover::plain_leaves(self, text).len(),
        }
    }

    /// Whether a text may be tried.
    pub(super) fn may_try(&mut self, text: &str, stay: &Stay) -> bool {
        match stay {
            Stay::Anywhere => true,
            Stay::Inside => self.parser.recognize_as_tool(&mut self.workspace, text).is_ok(),
            Stay::Outside(kind) => match (self.membership(text), kind) {
                (Membership::Inside | Membership::Unknown, _) => false,
                (Membership::Outside(_), None) => true,
                (Membership::Outside(found), Some(kind)) => found == *kind,
            },
        }
    }

    /// Where a text is.
    pub(super) fn membership(&mut self, text: &str) -> Membership {
        let Err(rejection) = self.parser.recognize_as_tool(&mut self.workspace, text) else {
            return Membership::Inside;
        };
        let Some(problem) = Problem::of(&rejection) else { return Membership::Unknown };
        let last = rejection.token.checked_sub(1);
        let after = last.and_then(|last| {
            let (tokens, _) = self.parser.tokens(&mut self.workspace, text);
            tokens.get(last)?.terminal
        });
        Membership::Outside(ErrorKind { after, problem })
    }

    /// Whether a text is read as exactly these tokens.
    pub(super) fn is_read_as(&mut self, text: &str, tokens: &[TerminalId]) -> Result<(), usize> {
        if self.language.grammar().text_kind() == TextKind::Scannerless {
            return Ok(());
        }
        let (found, stopped) = self.parser.tokens(&mut self.workspace, text);
        let differs = found.iter().zip(tokens).position(|(found, token)| {
            found.terminal.is_some_and(|found| found != *token && !self.is_class(*token))
        });
        match differs {
            Some(at) => Err(at),
            None if found.len() != tokens.len() || stopped.is_some() => {
                Err(found.len().min(tokens.len()))
            }
            None => Ok(()),
        }
    }

    /// Whether a terminal stands for several types of tokens.
    fn is_class(&self, terminal: TerminalId) -> bool {
        let kind = &self.language.grammar().terminals()[terminal].kind;
        matches!(kind, TerminalKind::AnyTokenBut(_))
    }

    /// What must stand between two neighbours.
    pub(super) fn glue(&mut self, left: &str, right: &str) -> Glue {
        match self.language.grammar().text_kind() {
            TextKind::Scannerless => "",
            TextKind::TokensOnly => " ",
            TextKind::Lexed if left.is_empty() || right.is_empty() => "",
            TextKind::Lexed if left.len() + right.len() > MAX_MEMO => self.find_glue(left, right),
            TextKind::Lexed => {
                let key = (left.into(), right.into());
                if let Some(known) = self.glue.get(&key) {
                    return known;
                }
                let found = self.find_glue(left, right);
                self.glue.insert(key, found);
                found
            }
        }
    }

    fn find_glue(&mut self, left: &str, right: &str) -> Glue {
        let alone = |tools: &mut Self, text: &str| {
            let (tokens, stopped) = tools.parser.tokens(&mut tools.workspace, text);
            match (&tokens[..], stopped) {
                ([one], None) => one.terminal,
                _ => None,
            }
        };
        let (Some(first), Some(second)) = (alone(self, left), alone(self, right)) else {
            return "";
        };
        let tokens = [first, second];
        let fits =
            |between: &&str| self.is_read_as(&format!("{left}{between}{right}"), &tokens).is_ok();
        ["", " ", "\n"].into_iter().find(fits).unwrap_or("")
    }

    /// Some terminal, for texts that are none.
    pub(super) fn any_terminal(&self) -> TerminalId {
        let mut ids = self.language.grammar().terminals().ids();
        ids.next().expect("invariant: a text has characters, so the grammar has terminals")
    }

    /// The type of a text that is one token.
    pub(super) fn type_of(&mut self, text: &str) -> Option<TerminalId> {
        let (tokens, stopped) = self.parser.tokens(&mut self.workspace, text);
        match (&tokens[..], stopped) {
            ([one], None) if one.end as usize == text.len() && one.start == 0 => one.terminal,
            _ => None,
        }
    }

    /// Whether a terminal always has the same text.
    pub(super) fn is_fixed(&self, terminal: TerminalId) -> bool {
        match &self.language.grammar().terminals()[terminal].kind {
            TerminalKind::Literal(_) | TerminalKind::Eof => true,
            TerminalKind::Token { text, .. } => text.is_some(),
            TerminalKind::Chars(_) | TerminalKind::Regex { .. } | TerminalKind::AnyTokenBut(_) => {
                false
            }
        }
    }
}
