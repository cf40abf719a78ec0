//! The parser of `.g4` files.
//!
//! Recursive descent with one token of lookahead. An error is reported at its position, and the
//! parser continues after the next `;`, or with the next rule if a `;` seems to be missing, so one
//! run finds the errors of all rules. Sections and rules are accepted in any order. Linear in the
//! text; parentheses that are nested deeper than the limit are skipped.
//!
//! In reading order: this file (tokens, errors, the file as a whole), [`sections`], [`rules`],
//! [`bodies`].

mod bodies;
mod rules;
mod sections;

use gramercy_base::{Diagnostic, SourceId, Span};

use super::lex::{Kind, Lexer, Token};
use super::tree::{File, GrammarKind};
use crate::{Reading, codes};

/// The tree of a file. Errors are reported, and the affected parts are left out.
pub(super) fn parse(reading: &mut Reading<'_>, source: SourceId) -> File {
    let text = reading.text(source);
    let nesting = reading.limits().nesting;
    let mut lexer = Lexer::new(reading, source, &text);
    let next = lexer.next();
    let file = File {
        kind: GrammarKind::Combined,
        name: None,
        options: Vec::new(),
        imports: Vec::new(),
        tokens: Vec::new(),
        channels: Vec::new(),
        modes: Vec::new(),
        rules: Vec::new(),
        asides: Vec::new(),
    };
    let mut parser = Parser {
        lexer,
        next,
        last: next.span,
        file,
        rule_name: None,
        lexical: false,
        nesting,
        too_deep: false,
        unclosed: false,
    };
    parser.file();
    parser.file
}

/// An error is reported; a caller that can continue does so.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'l, 'r, 't> {
    lexer: Lexer<'l, 'r, 't>,
    next: Token,
    /// The span of the previous token.
    last: Span,
    file: File,
    /// The name of the next rule, which was read while the previous rule lacked a `;`.
    rule_name: Option<Span>,
    /// Whether brackets are character sets.
    lexical: bool,
    nesting: usize,
    too_deep: bool,
    /// Whether a missing parenthesis is already reported in this rule.
    unclosed: bool,
}

impl<'t> Parser<'_, '_, 't> {
    // Tokens.

    fn at(&self, kind: Kind) -> bool {
        self.next.kind == kind
    }

    fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Name) && self.text(self.next.span) == word
    }

    fn text(&self, span: Span) -> &'t str {
        self.lexer.text(span)
    }

    fn bump(&mut self) -> Token {
        let token = self.next;
        self.last = token.span;
        self.next = self.lexer.next();
        token
    }

    fn eat(&mut self, kind: Kind) -> Option<Span> {
        self.at(kind).then(|| self.bump().span)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind, wanted: &str) -> Parsed<Span> {
        self.eat(kind).ok_or_else(|| self.unexpected(wanted))
    }

    /// Takes code in braces, whose opening brace is next.
    fn code(&mut self) -> Parsed<Span> {
        if !self.at(Kind::LeftBrace) {
            return Err(self.unexpected("code in braces"));
        }
        self.skip_enclosed();
        Ok(self.last)
    }

    /// Takes arguments in brackets, whose opening bracket is next.
    fn arguments(&mut self) -> Parsed<Span> {
        if !self.at(Kind::LeftBracket) {
            return Err(self.unexpected("declarations in brackets"));
        }
        let span = self.lexer.arguments(self.next);
        self.last = span;
        self.next = self.lexer.next();
        Ok(span)
    }

    /// Takes code, arguments or a character set, whose opening bracket is next.
    fn skip_enclosed(&mut self) {
        let open = self.next;
        self.last = match open.kind {
            Kind::LeftBrace => self.lexer.code(open),
            _ if self.lexical => self.lexer.char_set(open),
            _ => self.lexer.arguments(open),
        };
        self.next = self.lexer.next();
    }

    // Errors.

    fn report(&mut self, diagnostic: Diagnostic) {
        self.lexer.reading.report(diagnostic);
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        self.complain(wanted, None)
    }

    /// Reports what was expected instead of the next token, unless that token is already reported.
    fn complain(&mut self, wanted: &str, help: Option<String>) -> Reported {
        if !self.at(Kind::Bad) && !self.has_run_out() {
            let found = match self.next.kind {
                Kind::End => "the end of the file".to_owned(),
                _ => format!("`{}`", shortened(self.text(self.next.span))),
            };
            let message = format!("expected {wanted}, found {found}");
            let mut diagnostic = Diagnostic::at(codes::SYNTAX, self.next.span, message);
            diagnostic.help = help;
            self.report(diagnostic);
        }
        Reported
    }

    /// Whether the file ends here because of an unclosed construct, which is already reported.
    fn has_run_out(&self) -> bool {
        self.at(Kind::End) && self.lexer.ran_out
    }

    /// Skips to after the next `;` or to the head of what looks like the next rule.
    fn skip_to_next_rule(&mut self) {
        let mut name = None;
        while self.rule_name.is_none() {
            match self.next.kind {
                Kind::End => return,
                Kind::Semicolon => {
                    self.bump();
                    return;
                }
                Kind::Colon if name.is_some() => self.rule_name = name,
                Kind::LeftBrace | Kind::LeftBracket => self.skip_enclosed(),
                Kind::Name if matches!(self.text(self.next.span), "fragment" | "mode") => return,
                Kind::Name => {
                    let word = self.bump().span;
                    name = Some(word).filter(|&word| !rules::is_keyword(self.text(word)));
                }
                _ => {
                    self.bump();
                    name = None;
                }
            }
        }
    }

    // The file.

    fn file(&mut self) {
        if self.head().is_err() {
            self.skip_to_next_rule();
        }
        while self.rule_name.is_some() || !self.at(Kind::End) {
            let before = (self.next.span, self.rule_name.is_some());
            if self.item().is_err() {
                self.skip_to_next_rule();
            }
            debug_assert!(
                before != (self.next.span, self.rule_name.is_some()) || self.at(Kind::End),
                "invariant: the parser advances"
            );
        }
    }

    fn head(&mut self) -> Parsed<()> {
        if self.eat_word("lexer") {
            self.file.kind = GrammarKind::Lexer;
        } else if self.eat_word("parser") {
            self.file.kind = GrammarKind::Parser;
        }
        if !self.eat_word("grammar") {
            let help = match self.at_word("tree") {
                true => "ANTLR 4 has no tree grammars",
                false => "a file begins with `grammar NAME;`",
            };
            return Err(self.complain("`grammar`", Some(help.into())));
        }
        self.file.name = Some(self.expect(Kind::Name, "the grammar's name")?);
        self.expect(Kind::Semicolon, "`;` after the grammar's name")?;
        Ok(())
    }

    fn item(&mut self) -> Parsed<()> {
        if self.rule_name.is_some() {
            return self.rule();
        }
        match self.next.kind {
            Kind::At => self.named_action(),
            Kind::Name => match self.text(self.next.span) {
                "options" if self.lexer.brace_follows() => self.options(),
                "tokens" if self.lexer.brace_follows() => self.tokens(),
                "channels" if self.lexer.brace_follows() => self.channels(),
                "import" => self.imports(),
                "mode" => self.mode(),
                _ => self.rule(),
            },
            _ => Err(self.stray()),
        }
    }

    /// A token that begins no rule or section.
    fn stray(&mut self) -> Reported {
        let reported = self.unexpected("a rule");
        if self.at(Kind::RightBrace) || self.at(Kind::RightParenthesis) || self.at(Kind::Bad) {
            self.bump();
        }
        reported
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 30;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
