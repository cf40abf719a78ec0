//! From a changed token string to a text, and what is wrong with that text.
//!
//! The text of a mutant is the base text with a few characters replaced, so that everything else in it stays as it
//! was written: lexemes, spacing, comments. Where tokens would run into each other, a blank goes between them; the
//! grammar's own lexer reads the result, and if it does not find the intended tokens, the text is judged as what it
//! is. In a scannerless grammar the text itself is read, character by character.
//!
//! Example: deleting `,` from `[1,2]` gives `[12]`, which is a sentence of another meaning; `[1 2]` is written.
//!
//! Cost: linear in the text; a grammar of tokens only needs nothing but the copy.

use gramercy_base::{IdSet, Table};
use gramercy_grammar::{TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::Writer;
use gramercy_parse::tables::InputId;
use gramercy_parse::{ErrorClass, TextParser, TextWorkspace};

use crate::edit::{Class, Edit, Kind};
use crate::reader::Reader;

/// A token in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its type.
    pub terminal: TerminalId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A sentence with its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// The text.
    pub text: String,
    /// Where its tokens lie.
    pub spans: Vec<Span>,
    /// Its tokens.
    pub tokens: Vec<TerminalId>,
}

impl Base {
    /// A sentence from its text and the places of its tokens.
    #[must_use]
    pub fn new(text: String, spans: Vec<Span>) -> Self {
        let tokens = spans.iter().map(|span| span.terminal).collect();
        Self { text, spans, tokens }
    }

    /// The bytes that a change replaces.
    fn cut(&self, place: usize, removed: usize, puts_in: bool) -> (usize, usize) {
        let start = |at: usize| self.spans.get(at).map(|span| span.start);
        let end = |at: usize| at.checked_sub(1).map(|at| self.spans[at].end);
        let behind = place + removed;
        match (removed, puts_in) {
            (0, _) => {
                let at = start(place).or_else(|| end(place)).unwrap_or(self.text.len());
                (at, at)
            }
            (_, true) => (self.spans[place].start, self.spans[behind - 1].end),
            (_, false) => match (start(behind), end(place)) {
                (Some(next), _) => (self.spans[place].start, next),
                (None, Some(last)) => (last, self.spans[behind - 1].end),
                (None, None) => (self.spans[place].start, self.spans[behind - 1].end),
            },
        }
    }
}

/// What goes between the tokens of a change and its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Separation<'s> {
    left: &'s str,
    between: &'s str,
    right: &'s str,
}

/// Writes the texts of mutants.
#[derive(Clone, Debug)]
pub struct Splicer {
    kind: TextKind,
    lexemes: Table<TerminalId, Box<str>>,
}

impl Splicer {
    /// A writer of changes, with one lexeme for each terminal.
    #[must_use]
    pub fn new(language: &Language, writer: &mut Writer<'_>) -> Self {
        let grammar = language.grammar();
        let lexemes = grammar.terminals().map(|id, terminal| {
            let first = writer.lexemes_of(id).into_iter().find(|text| !text.is_empty());
            first.map_or_else(|| terminal.name.clone(), String::into_boxed_str)
        });
        Self { kind: grammar.text_kind(), lexemes }
    }

    /// The lexeme that is put in for a terminal.
    #[must_use]
    pub fn lexeme(&self, terminal: TerminalId) -> &str {
        &self.lexemes[terminal]
    }

    /// Appends the text of a change to `into`, with blanks where the grammar needs them: the text of a grammar of
    /// tokens only.
    pub fn append(&self, base: &Base, edit: &Edit<'_>, into: &mut String) {
        self.append_with(base, edit, self.usual(base, edit), into);
    }

    /// The separation of tokens that need a blank between them.
    fn usual(&self, base: &Base, edit: &Edit<'_>) -> Separation<'static> {
        let blank = if self.kind == TextKind::Scannerless { "" } else { " " };
        let is_inner = edit.place < base.tokens.len();
        let is_pure = edit.removed == 0;
        Separation {
            left: if is_pure && !is_inner && edit.place > 0 { blank } else { "" },
            between: blank,
            right: if is_pure && is_inner { blank } else { "" },
        }
    }

    fn append_with(
        &self,
        base: &Base,
        edit: &Edit<'_>,
        separation: Separation<'_>,
        into: &mut String,
    ) {
        let (from, to) = base.cut(edit.place, edit.removed, !edit.inserted.is_empty());
        into.push_str(&base.text[..from]);
        into.push_str(separation.left);
        for (at, &token) in edit.inserted.iter().enumerate() {
            if at > 0 {
                into.push_str(separation.between);
            }
            into.push_str(&self.lexemes[token]);
        }
        into.push_str(separation.right);
        into.push_str(&base.text[to..]);
    }

    /// Where the tokens of a changed text lie, if it was written with the usual separation.
    fn spans(&self, base: &Base, edit: &Edit<'_>) -> Vec<Span> {
        let separation = self.usual(base, edit);
        let (from, to) = base.cut(edit.place, edit.removed, !edit.inserted.is_empty());
        let mut spans = base.spans[..edit.place].to_vec();
        let mut at = from + separation.left.len();
        for (number, &terminal) in edit.inserted.iter().enumerate() {
            at += if number > 0 { separation.between.len() } else { 0 };
            let end = at + self.lexemes[terminal].len();
            spans.push(Span { terminal, start: at, end });
            at = end;
        }
        at += separation.right.len();
        spans.extend(base.spans[edit.place + edit.removed..].iter().map(|span| Span {
            terminal: span.terminal,
            start: span.start - to + at,
            end: span.end - to + at,
        }));
        spans
    }
}

/// The first error of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The number of the first token that cannot come, or cannot be made.
    pub token: usize,
    /// Where it begins; at the end, the text's length.
    pub byte: usize,
    /// The class of the error.
    pub class: Class,
    /// The terminals that could have come there.
    pub expected: IdSet<TerminalId>,
    /// Whether the text could have ended there.
    pub end_expected: bool,
}

/// Reads texts of mutants.
#[derive(Debug)]
pub struct Judge<'j> {
    parser: &'j TextParser,
    lexing: TextWorkspace,
    reader: Reader<'j>,
    inputs: Vec<InputId>,
    kind: TextKind,
    /// What was read last.
    spans: Vec<Span>,
}

/// A text as input symbols, as far as there are any.
struct Scanned {
    /// Where each symbol begins.
    starts: Vec<usize>,
    /// Where and why it stops early.
    stopped: Option<(usize, ErrorClass)>,
}

impl<'j> Judge<'j> {
    /// A judge that reads with `reader`.
    #[must_use]
    pub fn new(language: &Language, parser: &'j TextParser, reader: Reader<'j>) -> Self {
        let (lexing, kind) = (parser.workspace(), language.grammar().text_kind());
        Self { parser, lexing, reader, inputs: Vec::new(), kind, spans: Vec::new() }
    }

    /// Looks at another base.
    pub fn begin(&mut self, base: &Base) {
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.clear();
        match self.kind {
            TextKind::Scannerless => {
                let parser = self.parser.parser();
                inputs.extend(base.text.chars().map(|c| parser.input_of_char(c)));
            }
            TextKind::Lexed | TextKind::TokensOnly => {
                inputs.extend(base.tokens.iter().map(|&token| InputId::of_token(token)));
            }
        }
        self.reader.begin(&inputs);
        self.inputs = inputs;
    }

    /// The tokens of the text that was read last.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether the base is a sentence; only then anything else makes sense.
    pub fn is_sentence(&mut self) -> bool {
        self.reader.go_to(self.reader.base().len()) && self.reader.is_sentence()
    }

    /// Whether a change of tokens leaves the language of token strings.
    pub fn is_negative(&mut self, edit: &Edit<'_>) -> bool {
        let inserted = edit.inserted.iter().map(|&token| InputId::of_token(token));
        self.reader.error_of_edit(edit.place, edit.removed, inserted).is_some()
    }

    /// Writes the text of a change into an empty `text`; whether its tokens are the intended ones.
    pub fn write(
        &mut self,
        splicer: &Splicer,
        base: &Base,
        edit: &Edit<'_>,
        text: &mut String,
    ) -> bool {
        if self.kind != TextKind::Lexed {
            splicer.append(base, edit, text);
            return self.kind == TextKind::TokensOnly;
        }
        let intended = edit.apply(&base.tokens);
        let same = |blank| Separation { left: blank, between: blank, right: blank };
        let tries = [same(""), splicer.usual(base, edit), same(" "), same("\n")];
        for separation in tries {
            text.clear();
            splicer.append_with(base, edit, separation, text);
            let (found, stopped) = self.parser.tokens(&mut self.lexing, text);
            let found = found.iter().map(|token| token.terminal);
            if stopped.is_none() && found.eq(intended.iter().map(|&token| Some(token))) {
                return true;
            }
        }
        text.clear();
        splicer.append_with(base, edit, same(""), text);
        false
    }

    /// What is wrong with the text of a change whose tokens are the intended ones; `None` if it is in the language.
    pub fn explain(
        &mut self,
        splicer: &Splicer,
        base: &Base,
        edit: &Edit<'_>,
        text: &str,
    ) -> Option<Rejected> {
        if self.kind != TextKind::TokensOnly {
            return self.read(text, edit.operator.kind);
        }
        self.spans = splicer.spans(base, edit);
        let inserted = edit.inserted.iter().map(|&token| InputId::of_token(token));
        let token = self.reader.error_of_edit(edit.place, edit.removed, inserted)?;
        let (expected, end_expected) = self.reader.expected_here();
        let (byte, class) = match self.spans.get(token) {
            Some(span) => (span.start, edit.operator.kind.class()),
            None => (text.len(), Class::End),
        };
        Some(Rejected { token, byte, class, expected, end_expected })
    }

    /// Reads a text that was made by a kind of change; `None` if it is in the language.
    pub fn read(&mut self, text: &str, kind: Kind) -> Option<Rejected> {
        let mut inputs = Vec::with_capacity(self.inputs.len() + 1);
        let Scanned { starts, stopped } = self.scan(text, &mut inputs);
        let error = self.reader.error_of(&inputs);
        // A text that stops being tokens is no sentence, wherever its tokens are wrong.
        let token = match (error, &stopped) {
            (Some(error), _) => error,
            (None, Some(_)) => inputs.len(),
            (None, None) => return None,
        };
        let (expected, end_expected) = self.reader.expected_here();
        let (byte, class) = match (starts.get(token), stopped) {
            (Some(&start), _) => (start, kind.class()),
            (None, Some((byte, _))) => (byte, Class::Lexical),
            (None, None) => (text.len(), Class::End),
        };
        Some(Rejected { token, byte, class, expected, end_expected })
    }

    /// The input symbols of a text.
    fn scan(&mut self, text: &str, inputs: &mut Vec<InputId>) -> Scanned {
        self.spans.clear();
        if self.kind == TextKind::Scannerless {
            let parser = self.parser.parser();
            inputs.extend(text.chars().map(|c| parser.input_of_char(c)));
            let starts = text.char_indices().map(|(start, _)| start).collect();
            return Scanned { starts, stopped: None };
        }
        let (tokens, stopped) = self.parser.tokens(&mut self.lexing, text);
        for token in &tokens {
            let terminal = token.terminal.expect("invariant: tokens have types");
            inputs.push(InputId::of_token(terminal));
            let (start, end) = (token.start as usize, token.end as usize);
            self.spans.push(Span { terminal, start, end });
        }
        let starts = tokens.iter().map(|token| token.start as usize).collect();
        Scanned { starts, stopped }
    }
}
