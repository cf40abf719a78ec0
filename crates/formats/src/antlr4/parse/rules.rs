//! Rules without their right-hand sides: modifiers, names, the part before the colon and after the
//! semicolon.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::NoteKind;

use super::{Parsed, Parser, Reported};
use crate::antlr4::codes as antlr;
use crate::antlr4::lex::{Kind, is_token_name};
use crate::antlr4::tree::{Alternative, Atom, Block, Element, IgnoredCode, Rule, Setting};
use crate::codes;

impl Parser<'_, '_, '_> {
    pub(super) fn rule(&mut self) -> Parsed<()> {
        let fragment = self.modifiers();
        let name = match self.rule_name.take() {
            Some(name) => name,
            None => self.expect(Kind::Name, "the name of a rule")?,
        };
        self.lexical = is_token_name(self.text(name));
        self.unclosed = false;
        self.check_name(name);
        if fragment && !self.lexical {
            let message = "a parser rule cannot be a fragment";
            let help = "the names of lexer rules begin with an upper-case letter";
            self.report(Diagnostic::at(codes::SYNTAX, name, message).help(help));
        }
        let (lexical, mode) = (self.lexical, self.file.modes.len().checked_sub(1));
        let (options, body, outcome) = match self.head_and_body() {
            Ok((options, body)) => (options, body, Ok(())),
            // A rule with errors is still known by its name.
            Err(reported) => (Vec::new(), broken(name), Err(reported)),
        };
        self.file.rules.push(Rule { name, lexical, fragment, mode, options, body });
        outcome?;
        self.handlers()
    }

    fn head_and_body(&mut self) -> Parsed<(Vec<Setting>, Block)> {
        let options = self.rule_head()?;
        self.colon()?;
        let body = self.alternatives(0)?;
        self.end_of_rule()?;
        Ok((options, body))
    }

    fn modifiers(&mut self) -> bool {
        let mut fragment = false;
        while self.rule_name.is_none() && self.at(Kind::Name) {
            match self.text(self.next.span) {
                "fragment" => {
                    fragment = true;
                    self.bump();
                }
                "public" | "private" | "protected" => self.visibility(),
                _ => break,
            }
        }
        fragment
    }

    /// A word that was a modifier in early versions of ANTLR 4 and is a name in later ones: it is a
    /// modifier if the name of a rule follows.
    fn visibility(&mut self) {
        let word = self.bump().span;
        let is_head = |text| matches!(text, "returns" | "locals" | "throws" | "options");
        if !self.at(Kind::Name) || is_head(self.text(self.next.span)) {
            self.rule_name = Some(word);
        }
    }

    fn check_name(&mut self, name: Span) {
        let text = self.text(name);
        if text == "EOF" || is_keyword(text) {
            let message = format!("`{text}` cannot be the name of a rule");
            let help = match text {
                "EOF" => "this is the name of the end of input",
                _ => "it is a keyword",
            };
            self.report(Diagnostic::at(antlr::RESERVED_NAME, name, message).help(help));
        }
    }

    /// Everything between a rule's name and its colon. Lexer rules have only options.
    fn rule_head(&mut self) -> Parsed<Vec<Setting>> {
        let mut options = Vec::new();
        loop {
            match self.next.kind {
                Kind::Name if self.at_word("options") && self.lexer.brace_follows() => {
                    self.bump();
                    options.extend(self.options_body()?);
                }
                _ if self.lexical => return Ok(options),
                Kind::LeftBracket => drop(self.arguments()?),
                Kind::At => self.rule_action()?,
                Kind::Name => match self.text(self.next.span) {
                    "returns" | "locals" => {
                        self.bump();
                        self.arguments()?;
                    }
                    "throws" => self.throws()?,
                    _ => return Ok(options),
                },
                _ => return Ok(options),
            }
        }
    }

    fn throws(&mut self) -> Parsed<()> {
        self.bump();
        self.qualified_name()?;
        while self.eat(Kind::Comma).is_some() {
            self.qualified_name()?;
        }
        Ok(())
    }

    /// `@init {…}` of a rule or block.
    pub(super) fn rule_action(&mut self) -> Parsed<()> {
        let at = self.bump().span;
        self.expect(Kind::Name, "the name of an action")?;
        let span = at.to(self.code()?);
        self.file.asides.push(IgnoredCode { kind: NoteKind::Action, span });
        Ok(())
    }

    /// The colon, or what looks like a body without one.
    fn colon(&mut self) -> Parsed<()> {
        if self.eat(Kind::Colon).is_some() {
            return Ok(());
        }
        let reported = self.unexpected("`:`");
        match self.next.kind {
            Kind::Literal | Kind::LeftParenthesis | Kind::Tilde | Kind::Dot => Ok(()),
            Kind::Assign | Kind::ColonColon => {
                self.bump();
                Ok(())
            }
            _ => Err(reported),
        }
    }

    fn end_of_rule(&mut self) -> Parsed<()> {
        if self.rule_name.is_some() || self.eat(Kind::Semicolon).is_some() {
            return Ok(());
        }
        match self.next.kind {
            Kind::End => drop(self.missing_semicolon()),
            Kind::Name if is_keyword(self.text(self.next.span)) => drop(self.missing_semicolon()),
            _ => return Err(self.unexpected("`|` or `;`")),
        }
        Ok(())
    }

    pub(super) fn missing_semicolon(&mut self) -> Reported {
        let behind = Span { start: self.last.end, ..self.last };
        if !self.has_run_out() {
            let message = "a `;` is missing here";
            let help = "every rule ends with `;`";
            self.report(Diagnostic::at(codes::SYNTAX, behind, message).help(help));
        }
        Reported
    }

    /// `catch […] {…}` and `finally {…}`.
    fn handlers(&mut self) -> Parsed<()> {
        loop {
            let word = self.next.span;
            if self.eat_word("catch") {
                self.arguments()?;
            } else if !self.eat_word("finally") {
                return Ok(());
            }
            let span = word.to(self.code()?);
            self.file.asides.push(IgnoredCode { kind: NoteKind::Action, span });
        }
    }
}

/// A block of one alternative of one element.
pub(super) fn block_of(atom: Atom, span: Span) -> Block {
    let element = Element { atom, span, label: None, suffix: None, adorned: false };
    let (elements, commands) = (vec![element], Vec::new());
    let alternative = Alternative { elements, commands, label: None, associativity: None, span };
    Block { alternatives: vec![alternative], span }
}

fn broken(span: Span) -> Block {
    block_of(Atom::Broken, span)
}

/// Reserved words of ANTLR.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "import"
            | "fragment"
            | "lexer"
            | "parser"
            | "grammar"
            | "returns"
            | "locals"
            | "throws"
            | "catch"
            | "finally"
            | "mode"
    )
}
