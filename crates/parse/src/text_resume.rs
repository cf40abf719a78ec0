//! Reading a text character by character, and going back to an earlier character.
//!
//! As [`Recognizer`], one level below: the lexer is part of what is remembered. Variants of a text
//! share its beginning; each resumes from the checkpoint before its edit, wherever that is: between two tokens, or in
//! the middle of one. The first error of a text is found as soon as the characters that decide it were fed.
//!
//! A checkpoint costs the tops of the parser's stacks, the text of the match under way and the stack of modes.

use gramercy_base::IdSet;
use gramercy_grammar::TerminalId;
use gramercy_lexis::{Dfa, Incremental, Lexer, LexicalError, ScanState, Token};

use crate::resume::{Checkpoint, Recognizer};
use crate::text::{ErrorClass, TextParser, TextRejection, TextWorkspace};

/// A recognizer that has read the beginning of a text.
#[derive(Debug)]
pub struct TextRecognizer<'p> {
    parser: &'p TextParser,
    recognizer: Recognizer<'p>,
    lexing: Option<Lexing<'p>>,
    /// How many bytes were fed.
    offset: usize,
    stuck: Option<Stuck>,
}

/// The lexer, where the grammar has lexical rules.
#[derive(Debug)]
struct Lexing<'p> {
    lexer: &'p Lexer,
    dfa: &'p mut Dfa,
    state: ScanState,
}

/// Why no text with this beginning is in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stuck {
    class: ErrorClass,
    token: usize,
    byte: usize,
}

/// A place to which a [`TextRecognizer`] can go back, until it goes back to an earlier one.
#[derive(Clone, Debug)]
pub struct TextCheckpoint {
    parsing: Checkpoint,
    lexing: ScanState,
    offset: usize,
    stuck: Option<Stuck>,
}

impl TextCheckpoint {
    /// How many bytes come before it.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl<'p> TextRecognizer<'p> {
    /// Nothing read yet. `None` for a grammar of tokens only, whose inputs are lists of names, and for a grammar
    /// without sentences.
    #[must_use]
    pub fn new(parser: &'p TextParser, workspace: &'p mut TextWorkspace) -> Option<Self> {
        if parser.is_tokens_only() {
            return None;
        }
        let TextWorkspace { parsing, lexing, .. } = workspace;
        let recognizer = Recognizer::new(parser.parser(), parsing)?;
        let lexing = parser.lexer().zip(lexing.as_mut()).map(|(lexer, dfa)| Lexing {
            lexer,
            dfa,
            state: ScanState::default(),
        });
        Some(Self { parser, recognizer, lexing, offset: 0, stuck: None })
    }

    /// How many bytes were fed.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Feeds text; `false` if no text with this beginning is in the language. Then only [`resume`](Self::resume)
    /// and [`rejection`](Self::rejection) make sense.
    pub fn feed(&mut self, text: &str) -> bool {
        text.chars().all(|c| self.feed_char(c))
    }

    /// Feeds a character.
    pub fn feed_char(&mut self, c: char) -> bool {
        if self.stuck.is_some() {
            return false;
        }
        let byte = self.offset;
        self.offset += c.len_utf8();
        match &mut self.lexing {
            None => {
                let input = self.parser.parser().input_of_char(c);
                if !self.recognizer.read(input) {
                    let token = self.recognizer.position();
                    self.stuck = Some(Stuck { class: ErrorClass::Token(None), token, byte });
                }
            }
            Some(Lexing { lexer, dfa, state }) => {
                let mut tokens =
                    Tokens { recognizer: &mut self.recognizer, stuck: &mut self.stuck };
                let mut scan = Incremental::with_state(lexer, dfa, std::mem::take(state));
                let fed = scan.feed(c, &mut |token| tokens.read(token));
                *state = scan.into_state();
                tokens.fail(fed, self.offset);
            }
        }
        self.stuck.is_none()
    }

    /// Whether the text that was fed is in the language. The place is kept, and more can be fed.
    pub fn is_sentence(&mut self) -> bool {
        let here = self.checkpoint();
        let is_sentence = self.finish().is_ok();
        self.resume(&here);
        is_sentence
    }

    /// Why the text that was fed, and nothing more, is not in the language; `None` if it is. The place is kept.
    pub fn rejection(&mut self) -> Option<Box<TextRejection>> {
        let here = self.checkpoint();
        let rejection = self.finish().err().map(|stuck| Box::new(self.explain(stuck)));
        self.resume(&here);
        rejection
    }

    /// Ends the text.
    fn finish(&mut self) -> Result<(), Stuck> {
        if let Some(Lexing { lexer, dfa, state }) = &mut self.lexing
            && self.stuck.is_none()
        {
            let mut tokens = Tokens { recognizer: &mut self.recognizer, stuck: &mut self.stuck };
            let mut scan = Incremental::with_state(lexer, dfa, std::mem::take(state));
            let finished = scan.finish(&mut |token| tokens.read(token));
            *state = scan.into_state();
            tokens.fail(finished, self.offset);
        }
        match &self.stuck {
            Some(stuck) => Err(stuck.clone()),
            None if self.recognizer.is_sentence() => Ok(()),
            None => {
                let token = self.recognizer.position();
                Err(Stuck { class: ErrorClass::End, token, byte: self.offset })
            }
        }
    }

    fn explain(&mut self, stuck: Stuck) -> TextRejection {
        let (expected, end_expected) = self.recognizer.expected();
        let Stuck { class, token, byte } = stuck;
        TextRejection { class, token, byte, expected, end_expected }
    }

    /// The terminals that can come next, after the tokens that are complete, and whether the input can end there.
    pub fn expected(&mut self) -> (IdSet<TerminalId>, bool) {
        self.recognizer.expected()
    }

    /// This place.
    pub fn checkpoint(&mut self) -> TextCheckpoint {
        TextCheckpoint {
            parsing: self.recognizer.checkpoint(),
            lexing: self.lexing.as_ref().map(|lexing| lexing.state.clone()).unwrap_or_default(),
            offset: self.offset,
            stuck: self.stuck.clone(),
        }
    }

    /// Goes back.
    pub fn resume(&mut self, at: &TextCheckpoint) {
        self.recognizer.resume(&at.parsing);
        if let Some(lexing) = &mut self.lexing {
            lexing.state.clone_from(&at.lexing);
        }
        self.offset = at.offset;
        self.stuck.clone_from(&at.stuck);
    }
}

/// Hands tokens to the parser.
struct Tokens<'t, 'p> {
    recognizer: &'t mut Recognizer<'p>,
    stuck: &'t mut Option<Stuck>,
}

impl Tokens<'_, '_> {
    /// Reads a token, if the parser sees it; `false` if it cannot come.
    fn read(&mut self, token: Token) -> bool {
        if !token.visible {
            return true;
        }
        let input = crate::tables::InputId::of_token(token.terminal);
        let is_read = self.recognizer.read(input);
        if !is_read {
            let class = ErrorClass::Token(Some(token.terminal));
            let position = self.recognizer.position();
            *self.stuck = Some(Stuck { class, token: position, byte: token.start });
        }
        is_read
    }

    /// Notes an error of the lexer, unless an earlier token cannot come.
    fn fail(&mut self, result: Result<(), LexicalError>, offset: usize) {
        if let (Err(error), None) = (result, &self.stuck) {
            let byte = error.byte().unwrap_or(offset);
            let token = self.recognizer.position();
            *self.stuck = Some(Stuck { class: ErrorClass::Lexical(error), token, byte });
        }
    }
}
