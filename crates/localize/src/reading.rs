//! A text as input symbols, errors of the lexer included.
//!
//! Where no token can be made, one character is passed and becomes an *unknown* symbol, which no terminal matches;
//! neighbours are one symbol. So the parser's grammar can be asked about what comes after. Every match of the lexer is
//! kept with the modes before it, because a token rule can be wrong that the parser never sees. Linear in the text.

use gramercy_base::Id;
use gramercy_grammar::{ModeId, RuleId, TextKind};
use gramercy_language::Language;
use gramercy_lexis::{Dfa, Emission, Lexer, Scan, effect};
use gramercy_parse::tables::InputId;
use gramercy_parse::{ErrorClass, TextParser, TextWorkspace};

/// An input symbol with its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The input symbol.
    pub input: InputId,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A match of the lexer, or text that is no token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The token rule; `None` where nothing matched.
    pub rule: Option<RuleId>,
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// How many tokens come before it.
    pub level: usize,
    /// The modes before it.
    pub modes: Vec<ModeId>,
}

/// A text as input symbols.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// What the parser sees.
    pub tokens: Vec<Token>,
    /// What the lexer does; nothing without a lexer.
    pub steps: Vec<Step>,
}

impl Reading {
    /// The input symbols.
    #[must_use]
    pub fn inputs(&self) -> Vec<InputId> {
        self.tokens.iter().map(|token| token.input).collect()
    }
}

/// Reads texts of one language.
#[derive(Debug)]
pub struct TextReader<'l> {
    parser: &'l TextParser,
    workspace: TextWorkspace,
    kind: TextKind,
    dfa: Option<Dfa>,
    unknown: InputId,
}

impl<'l> TextReader<'l> {
    /// A reader; text that is no token becomes `unknown`.
    #[must_use]
    pub fn new(language: &Language, parser: &'l TextParser, unknown: InputId) -> Self {
        let dfa = parser.lexer().map(|lexer| Dfa::new(lexer, language.limits().states));
        let (workspace, kind) = (parser.workspace(), language.grammar().text_kind());
        Self { parser, workspace, kind, dfa, unknown }
    }

    /// The whole text.
    pub fn read(&mut self, text: &str) -> Reading {
        let mut reading = Reading::default();
        match self.kind {
            TextKind::Lexed => self.go_on(&mut reading, text, 0, vec![ModeId::from_index(0)]),
            TextKind::Scannerless | TextKind::TokensOnly => self.plain(&mut reading, text),
        }
        reading
    }

    /// Reads the rest of a text into a reading of its beginning.
    pub fn go_on(&mut self, reading: &mut Reading, text: &str, from: usize, modes: Vec<ModeId>) {
        let (Some(lexer), Some(dfa)) = (self.parser.lexer(), &mut self.dfa) else { return };
        lex(lexer, dfa, text, from, modes, self.unknown, reading);
    }

    fn plain(&mut self, reading: &mut Reading, text: &str) {
        let mut from = 0;
        while from < text.len() {
            let (tokens, stopped) = self.parser.tokens(&mut self.workspace, &text[from..]);
            let rest = &text[from..];
            reading.tokens.extend(tokens.iter().map(|token| {
                let (start, end) = (token.start as usize, token.end as usize);
                let input = match token.terminal {
                    Some(terminal) => InputId::of_token(terminal),
                    None => {
                        let c = rest[start..end].chars().next().expect("invariant: a character");
                        self.parser.parser().input_of_char(c)
                    }
                };
                Token { input, start: from + start, end: from + end }
            }));
            let Some((byte, ErrorClass::UnknownToken)) = stopped else { return };
            let word = rest[byte..].split_whitespace().next().map_or(1, str::len);
            let (start, end) = (from + byte, from + byte + word);
            reading.tokens.push(Token { input: self.unknown, start, end });
            from = end;
        }
    }
}

fn lex(
    lexer: &Lexer,
    dfa: &mut Dfa,
    text: &str,
    from: usize,
    modes: Vec<ModeId>,
    unknown: InputId,
    reading: &mut Reading,
) {
    let (mut base, mut modes) = (from, modes);
    let (mut begin, mut channel) = (from, None);
    loop {
        let mut scan = Scan::with_modes(lexer, dfa, &text[base..], modes.clone());
        let failed = loop {
            let before = scan.modes().to_vec();
            match scan.next_match() {
                Ok(Some(found)) => {
                    let level = reading.tokens.len();
                    let (start, end) = (base + found.start, base + found.end);
                    let outcome = scan.outcome(found.outcome);
                    reading.steps.push(Step {
                        rule: Some(outcome.rule),
                        start,
                        end,
                        level,
                        modes: before,
                    });
                    channel = outcome.effect.channel_after(channel);
                    match outcome.effect.emission {
                        Emission::Token(terminal) => {
                            if effect::is_visible(channel) {
                                let input = InputId::of_token(terminal);
                                reading.tokens.push(Token { input, start: begin, end });
                            }
                            (begin, channel) = (end, None);
                        }
                        Emission::Skip => (begin, channel) = (end, None),
                        Emission::More => {}
                    }
                }
                Ok(None) => break None,
                Err(_) => break Some((base + scan.offset(), before)),
            }
        };
        let Some((at, before)) = failed else { return };
        let Some(passed) = text[at..].chars().next() else { return };
        let end = at + passed.len_utf8();
        push_unknown(reading, unknown, (begin.min(at), end), &before);
        (base, begin, channel) = (end, end, None);
        modes = before;
        if base >= text.len() {
            return;
        }
    }
}

fn push_unknown(
    reading: &mut Reading,
    unknown: InputId,
    (start, end): (usize, usize),
    modes: &[ModeId],
) {
    if let (Some(step), Some(token)) = (reading.steps.last_mut(), reading.tokens.last_mut())
        && step.rule.is_none()
        && step.end == start
        && token.input == unknown
    {
        (step.end, token.end) = (end, end);
        return;
    }
    let level = reading.tokens.len();
    reading.steps.push(Step { rule: None, start, end, level, modes: modes.to_vec() });
    reading.tokens.push(Token { input: unknown, start, end });
}
