//! A grammar with all that is needed to read inputs by it.

use std::borrow::Cow;

use gramercy::base::{Diagnostic, Limits};
use gramercy::language::Language;
use gramercy::lexis::LexerError;
use gramercy::parse::text::TextParserError;
use gramercy::parse::{ErrorClass, TextParser, TextRejection, TextWorkspace};
use gramercy::suite::{CorpusError, Input};
use gramercy::{Grammar, check};

use crate::codes;
use crate::console::Console;
use crate::flags::{GrammarArgs, InputLimitArgs, LoadedGrammar, Trees};
use crate::outcome::Failure;
use crate::render::rejections::{Problem, Rejected};

/// Inputs of this size or more would not fit the numbers of tokens.
const LARGEST: usize = 1 << 31;

/// A grammar, ready to read by.
pub(super) struct Reading {
    pub(super) language: Language,
}

impl Reading {
    /// Loads a grammar; says so where it has no sentence.
    pub(super) fn new(
        grammar: &GrammarArgs,
        limits: Limits,
        console: &Console,
    ) -> Result<Self, Failure> {
        let LoadedGrammar { language, .. } = grammar.load(limits, console)?;
        let grammar = language.grammar();
        language.parser().map_err(|error| no_parser(grammar, &error))?;
        if language.useful().is_empty() {
            let start = &grammar.rules()[grammar.start()];
            let message = format!("`{}` derives no sentence: every input is rejected", start.name);
            let error = Diagnostic::at(check::codes::EMPTY_LANGUAGE, start.span, message);
            console.report(&[error], grammar.sources());
        }
        Ok(Self { language })
    }

    pub(super) fn grammar(&self) -> &Grammar {
        self.language.grammar()
    }

    pub(super) fn parser(&self) -> &TextParser {
        self.language.parser().expect("invariant: it was built before")
    }

    /// The text of an input, or why it has none.
    pub(super) fn text<'i>(&self, input: &'i Input) -> Result<Cow<'i, str>, Box<Rejected>> {
        let problem = match input.text() {
            Ok(text) if text.len() < LARGEST => return Ok(text),
            Ok(_) => Problem::TooLarge(LARGEST),
            Err(byte) => Problem::NotText(byte, input.encoding),
        };
        Err(Box::new(Rejected::without_text(&input.name, &input.content, &problem)))
    }

    /// What there is to say about an input that reached a limit, if that is why it has no verdict.
    pub(super) fn limited(
        &self,
        limits: &InputLimitArgs,
        trees: Trees,
        name: &str,
        rejection: &TextRejection,
    ) -> Option<Limited> {
        let ErrorClass::Limit(limit) = rejection.class else { return None };
        let (message, help) = limits.in_words(limit);
        let help = match trees {
            Trees::All => format!("{help}, or use --trees preferred, which takes far less"),
            Trees::Preferred => help.to_owned(),
        };
        let (input, message) = (name.to_owned(), format!("{name}: {message}"));
        let diagnostic = Diagnostic::new(codes::INPUT_LIMIT, message).help(help);
        Some(Limited { input, diagnostic })
    }

    /// A rejection in words.
    pub(super) fn rejected(
        &self,
        workspace: &mut TextWorkspace,
        input: &Input,
        text: &str,
        rejection: &TextRejection,
    ) -> Rejected {
        let (tokens, _) = self.parser().tokens(workspace, text);
        let token = tokens.get(rejection.token);
        let mut rejected = Rejected::new(self.grammar(), &input.name, text, token, rejection);
        rejected.error.byte = input.byte_of(text, rejection.byte);
        rejected
    }
}

/// An input without a verdict.
#[derive(Debug)]
pub(super) struct Limited {
    pub(super) input: String,
    pub(super) diagnostic: Diagnostic,
}

/// What cannot be read is told on standard error, and the rest is still read.
pub(super) fn unreadable(error: &CorpusError) -> Diagnostic {
    Diagnostic::new(codes::UNREADABLE_INPUT, format!("cannot read {error}"))
}

/// Why there is no parser for a grammar, in words.
pub(super) fn no_parser(grammar: &Grammar, error: &TextParserError) -> Failure {
    match *error {
        TextParserError::Limit(limit) | TextParserError::Lexer(LexerError::Limit(limit)) => {
            limit.into()
        }
        TextParserError::Lexer(LexerError::LeftRecursion(rule)) => {
            let rule = &grammar.rules()[rule];
            let message = format!("`{}` can call itself before it reads anything", rule.name);
            let diagnostic = Diagnostic::at(codes::NO_LEXER, rule.span, message);
            Failure::Refused(vec![diagnostic], grammar.sources().clone())
        }
        TextParserError::Lexer(LexerError::NoLexicalRules) => {
            unreachable!("invariant: only grammars with lexical rules have a lexer")
        }
    }
}
