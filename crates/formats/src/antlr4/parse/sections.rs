//! Everything except rules: options, tokens, channels, imports, modes and named actions.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::NoteKind;

use super::rules::block_of;
use super::{Parsed, Parser, Reported};
use crate::antlr4::codes as antlr;
use crate::antlr4::lex::{Kind, is_token_name};
use crate::antlr4::tree::{Atom, GrammarKind, IgnoredCode, Rule, Setting};
use crate::codes;

impl Parser<'_, '_, '_> {
    pub(super) fn options(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if !self.file.options.is_empty() {
            self.repeated(word);
        }
        let options = self.options_body()?;
        self.file.options.extend(options);
        Ok(())
    }

    fn repeated(&mut self, section: Span) {
        let message = format!("there is another `{}` section above", self.text(section));
        let help = "their contents are joined; ANTLR expects one section";
        self.report(Diagnostic::at(antlr::REPEATED_SECTION, section, message).help(help));
    }

    /// `{ name = value ; … }`, whose opening brace is next.
    pub(super) fn options_body(&mut self) -> Parsed<Vec<Setting>> {
        let mut options = Vec::new();
        self.braced(|parser| {
            let name = parser.expect(Kind::Name, "the name of an option or `}`")?;
            parser.expect(Kind::Assign, "`=`")?;
            let value = parser.option_value()?;
            options.push(Setting { name, value });
            if !parser.at(Kind::RightBrace) {
                parser.expect(Kind::Semicolon, "`;` after an option")?;
            }
            Ok(())
        })?;
        Ok(options)
    }

    /// Takes items in braces. An error in one of them ends the section at its closing brace.
    fn braced(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        self.expect(Kind::LeftBrace, "`{`")?;
        while self.eat(Kind::RightBrace).is_none() {
            if item(self).is_err() {
                return self.skip_to_brace();
            }
        }
        Ok(())
    }

    fn skip_to_brace(&mut self) -> Parsed<()> {
        loop {
            match self.next.kind {
                Kind::RightBrace => {
                    self.bump();
                    return Ok(());
                }
                // A colon belongs to a rule, so the closing brace is missing.
                Kind::Colon | Kind::End => return Err(Reported),
                _ => drop(self.bump()),
            }
        }
    }

    pub(super) fn option_value(&mut self) -> Parsed<Span> {
        match self.next.kind {
            Kind::LeftBrace => self.code(),
            Kind::Literal | Kind::Integer | Kind::Star => Ok(self.bump().span),
            Kind::Name => self.qualified_name(),
            _ => Err(self.unexpected("the value of an option")),
        }
    }

    pub(super) fn qualified_name(&mut self) -> Parsed<Span> {
        let mut span = self.expect(Kind::Name, "a name")?;
        while self.eat(Kind::Dot).is_some() || self.eat(Kind::ColonColon).is_some() {
            span = span.to(self.expect(Kind::Name, "a name")?);
        }
        Ok(span)
    }

    pub(super) fn tokens(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if !self.file.tokens.is_empty() {
            self.repeated(word);
        }
        let mut old = false;
        self.braced(|parser| {
            let name = parser.id()?;
            if !is_token_name(parser.text(name)) {
                let message = "the names of tokens begin with an upper-case letter";
                parser.report(Diagnostic::at(codes::SYNTAX, name, message));
            }
            parser.file.tokens.push(name);
            old |= parser.old_alias(name)? || parser.at(Kind::Semicolon);
            parser.separator()
        })?;
        if old {
            let message = "this section is written as in ANTLR 3";
            let help = "ANTLR 4 has names with commas between them";
            self.report(Diagnostic::at(antlr::OLD_SYNTAX, word, message).help(help));
        }
        Ok(())
    }

    pub(super) fn channels(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if self.file.kind != GrammarKind::Lexer {
            self.for_lexers_only(word, "channels");
        }
        self.braced(|parser| {
            let name = parser.id()?;
            parser.file.channels.push(name);
            parser.separator()
        })
    }

    fn id(&mut self) -> Parsed<Span> {
        self.expect(Kind::Name, "a name or `}`")
    }

    /// The separator of two names in braces.
    fn separator(&mut self) -> Parsed<()> {
        if self.at(Kind::RightBrace) || self.eat(Kind::Semicolon).is_some() {
            return Ok(());
        }
        self.expect(Kind::Comma, "`,` or `}`").map(drop)
    }

    fn for_lexers_only(&mut self, word: Span, what: &str) {
        let message = format!("{what} are for lexer grammars");
        let help = "move the lexer rules to a lexer grammar, and name it with `tokenVocab`";
        self.report(Diagnostic::at(antlr::MISPLACED_SECTION, word, message).help(help));
    }

    /// The text that ANTLR 3 could give to a token, as if it were a lexer rule.
    fn old_alias(&mut self, name: Span) -> Parsed<bool> {
        if self.eat(Kind::Assign).is_none() {
            return Ok(false);
        }
        let span = self.expect(Kind::Literal, "a literal")?;
        let body = block_of(Atom::Literal, span);
        let (lexical, fragment, mode, options) = (true, false, None, Vec::new());
        self.file.rules.push(Rule { name, lexical, fragment, mode, options, body });
        Ok(true)
    }

    pub(super) fn imports(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if !self.file.imports.is_empty() {
            self.repeated(word);
        }
        loop {
            let mut name = self.expect(Kind::Name, "the name of a grammar")?;
            if self.eat(Kind::Assign).is_some() {
                name = self.expect(Kind::Name, "the name of a grammar")?;
            }
            self.file.imports.push(name);
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.expect(Kind::Semicolon, "`,` or `;`").map(drop)
    }

    pub(super) fn mode(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        let name = self.expect(Kind::Name, "the name of a mode")?;
        if self.file.kind != GrammarKind::Lexer {
            self.for_lexers_only(word, "modes");
        }
        self.file.modes.push(name);
        self.expect(Kind::Semicolon, "`;` after the mode's name").map(drop)
    }

    /// `@header {…}` or `@parser::members {…}`.
    pub(super) fn named_action(&mut self) -> Parsed<()> {
        let at = self.bump().span;
        let mut name = self.expect(Kind::Name, "the name of an action")?;
        if self.eat(Kind::ColonColon).is_some() {
            name = self.expect(Kind::Name, "the name of an action")?;
        }
        let kind = match self.text(name) {
            "members" => NoteKind::HostCode,
            _ => NoteKind::Action,
        };
        let span = at.to(self.code()?);
        self.file.asides.push(IgnoredCode { kind, span });
        Ok(())
    }
}
