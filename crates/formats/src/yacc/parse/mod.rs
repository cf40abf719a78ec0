//! Turns tokens into a [`File`].
//!
//! An error is reported and skipped: parsing continues at the next `;`, `|`, directive, `%%` or
//! `name :`, so all errors of a file are reported at once. There is no recursion: the only nested
//! construct, the arguments of parameterized rules, has an explicit stack. Linear in the tokens.

mod declarations;
mod rules;
mod templates;

use std::borrow::Cow;
use std::collections::VecDeque;

use gramercy_base::{Diagnostic, Map, Span};

use super::ast::{File, Mention, Spelling, SymbolId};
use super::directive::Directive;
use super::lex::{Kind, Lexer, Token};
use super::shown;
use crate::cursor::Cursor;
use crate::{Reading, codes};

/// The number of tokens of lookahead.
const SIGHT: usize = 3;

/// Parses a file and adds its content to `file`.
pub(crate) fn parse<'t>(reading: &mut Reading<'_>, cursor: Cursor<'t>, file: File<'t>) -> File<'t> {
    let mut parser = Parser {
        lexer: Lexer::new(reading, cursor),
        ahead: VecDeque::new(),
        file,
        lhs: None,
        section: Section::Declarations,
        last: None,
        action_labels: Map::default(),
        recovering: false,
        comma_reported: false,
    };
    parser.look_ahead();
    parser.declarations();
    parser.rules();
    parser.file
}

struct Parser<'p, 'r, 't> {
    lexer: Lexer<'p, 'r, 't>,
    ahead: VecDeque<Token<'t>>,
    file: File<'t>,
    /// The rule that a `|` would continue.
    lhs: Option<SymbolId>,
    section: Section,
    /// The span of the last token.
    last: Option<Span>,
    /// The labeled actions of the current alternative.
    action_labels: Map<&'t str, usize>,
    /// Whether the parser is inside an erroneous construct.
    recovering: bool,
    comma_reported: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Declarations,
    Rules,
    /// Rules before the first `%%`, which may still follow.
    EarlyRules,
}

impl<'t> Parser<'_, '_, 't> {
    /// Keeps enough tokens of lookahead to recognize `name [label] :`.
    fn look_ahead(&mut self) {
        while self.ahead.len() < SIGHT {
            let token = self.lexer.next();
            self.ahead.push_back(token);
        }
    }

    fn peek_at(&self, distance: usize) -> &Token<'t> {
        &self.ahead[distance]
    }

    fn peek(&self) -> &Kind<'t> {
        &self.ahead[0].kind
    }

    fn bump(&mut self) -> Token<'t> {
        let token = self.ahead.pop_front().expect("invariant: there are tokens of lookahead");
        self.look_ahead();
        self.last = Some(token.span);
        token
    }

    fn eat(&mut self, wanted: &Kind<'_>) -> bool {
        let found = self.peek() == wanted;
        if found {
            self.bump();
        }
        found
    }

    /// Whether `name :` or `name [label] :` is next.
    fn at_rule(&self) -> bool {
        if !matches!(self.peek(), Kind::Name(_) | Kind::Quoted(_) | Kind::Text(_)) {
            return false;
        }
        let colon = if matches!(self.peek_at(1).kind, Kind::Label(_)) { 2 } else { 1 };
        self.peek_at(colon).kind == Kind::Colon
    }

    /// Whether a directive of an alternative is next.
    fn at_remark(&self) -> bool {
        let Kind::Directive(word) = self.peek() else {
            return false;
        };
        Directive::of(word).is_some_and(Directive::is_of_alternative)
    }

    fn eat_symbol(&mut self) -> Option<Mention> {
        let (spelling, text) = match self.peek() {
            Kind::Name(name) => (Spelling::Name, Cow::Borrowed(*name)),
            Kind::Quoted(text) => (Spelling::Quoted, text.clone()),
            Kind::Text(text) => (Spelling::Text, text.clone()),
            _ => return None,
        };
        let symbol = self.file.symbols.intern(spelling, text);
        Some(Mention { symbol, span: self.bump().span })
    }

    fn eat_number(&mut self) -> Option<u32> {
        let Kind::Number(number) = *self.peek() else {
            return None;
        };
        self.bump();
        Some(number)
    }

    fn eat_code(&mut self) -> bool {
        let found = matches!(self.peek(), Kind::Code(_));
        if found {
            self.bump();
        }
        found
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.lexer.reading.report(diagnostic);
    }

    fn unexpected(&mut self, wanted: &str) {
        let token = self.peek_at(0).clone();
        let found = describe(&token.kind);
        let diagnostic =
            Diagnostic::at(codes::SYNTAX, token.span, format!("expected {wanted}, found {found}"));
        let diagnostic = match help_on(&token.kind) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        self.report(diagnostic);
    }

    /// Skips to where parsing can continue after an error.
    fn skip_mistake(&mut self) {
        self.recovering = true;
        loop {
            match self.peek() {
                Kind::Pipe | Kind::Semicolon | Kind::Separator | Kind::End | Kind::Prologue => {
                    return;
                }
                Kind::Directive(_) if !self.at_remark() => return,
                _ if self.at_rule() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }
}

fn describe(kind: &Kind<'_>) -> String {
    let sign = match kind {
        Kind::Name(name) => return format!("`{}`", shown(name)),
        Kind::Quoted(text) | Kind::Text(text) | Kind::Translatable(text) => {
            return format!("the quoted text `{}`", shown(text));
        }
        Kind::Directive(word) => return format!("`%{}`", shown(word)),
        Kind::Label(name) => return format!("`[{}]`", shown(name)),
        Kind::Number(number) => return format!("the number {number}"),
        Kind::Stray(c) if c.is_control() => return format!("the character U+{:04X}", *c as u32),
        Kind::Stray(c) | Kind::Suffix(c) => return format!("`{c}`"),
        Kind::Tag => return "a tag".into(),
        Kind::End => return "the end of the file".into(),
        Kind::Prologue => "%{",
        Kind::Code(_) => "{",
        Kind::Predicate => "%?{",
        Kind::Separator => "%%",
        Kind::Colon => ":",
        Kind::Semicolon => ";",
        Kind::Pipe => "|",
        Kind::Equal => "=",
        Kind::Comma => ",",
        Kind::Open => "(",
        Kind::Close => ")",
    };
    format!("`{sign}`")
}

fn help_on(kind: &Kind<'_>) -> Option<&'static str> {
    match kind {
        Kind::Open | Kind::Close => Some("yacc has no groups; define a rule for the group"),
        Kind::Suffix(_) => Some("a suffix is directly after a symbol"),
        Kind::Stray('}') => Some("no `{` is open here"),
        Kind::Stray('%') => Some("a `%}` without `%{`, or a `%` without its word"),
        Kind::Equal => Some("yacc separates a rule from its name by `:`"),
        _ => None,
    }
}
