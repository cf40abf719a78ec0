//! The declarations: `%token` and similar directives, and the directives that are only skipped.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::{Associativity, ExpectedConflicts, NoteKind};

use super::{Parser, Section};
use crate::yacc::ast::{Alias, IgnoredPart, Mention, PrecedenceLevel, Spelling, TokenDeclaration};
use crate::yacc::directive::{Arguments, Directive};
use crate::yacc::lex::{Kind, Token};
use crate::yacc::{codes as yacc_codes, shown};
use crate::{codes, suggest};

impl Parser<'_, '_, '_> {
    pub(super) fn declarations(&mut self) {
        loop {
            match self.peek() {
                Kind::Separator => {
                    self.bump();
                    self.section = Section::Rules;
                    return;
                }
                Kind::End => return self.report_missing_section(),
                Kind::Semicolon | Kind::Prologue => {
                    self.bump();
                }
                Kind::Directive(_) => self.declaration(),
                _ if self.at_rule() => {
                    self.section = Section::EarlyRules;
                    return self.report_missing_section();
                }
                Kind::Pipe => {
                    self.unexpected("a declaration");
                    self.bump();
                }
                _ => {
                    self.unexpected("a declaration");
                    self.skip_mistake();
                }
            }
        }
    }

    fn report_missing_section(&mut self) {
        let span = self.peek_at(0).span;
        let message = "there is no `%%` before the rules";
        let help = "put a line `%%` between the declarations and the rules";
        self.report(Diagnostic::at(yacc_codes::MISSING_SECTION, span, message).help(help));
    }

    /// Skips to the end of a directive with an error.
    fn skip_arguments(&mut self) {
        self.recovering = true;
        while !self.at_rule()
            && !matches!(
                self.peek(),
                Kind::Directive(_)
                    | Kind::Semicolon
                    | Kind::Separator
                    | Kind::Prologue
                    | Kind::Pipe
                    | Kind::End
            )
        {
            self.bump();
        }
    }

    /// The number of conflicts of one kind, as the author declares it.
    fn expect(&mut self, word: &str, span: Span) {
        let Some(number) = self.eat_number() else {
            self.unexpected(&format!("a number after `%{word}`"));
            self.skip_arguments();
            return;
        };
        let none = ExpectedConflicts { shift_reduce: 0, reduce_reduce: 0, span };
        let expected = self.file.expected.get_or_insert(none);
        if word.ends_with("rr") {
            expected.reduce_reduce = number;
        } else {
            expected.shift_reduce = number;
        }
    }

    /// One directive with its arguments.
    pub(super) fn declaration(&mut self) {
        let Token { kind: Kind::Directive(word), span } = self.bump() else {
            unreachable!("invariant: a directive comes");
        };
        (self.lhs, self.recovering) = (None, false);
        match Directive::of(word) {
            Some(Directive::Token) => self.token_declarations(word),
            Some(Directive::Nonterminal | Directive::Type) => {
                self.file.declares_others = true;
                self.typed_symbols(word);
            }
            Some(Directive::Precedence(associativity)) => self.level(word, span, associativity),
            Some(Directive::Start) => self.start(),
            Some(Directive::Rule) => self.template(),
            Some(Directive::Expect) => self.expect(word, span),
            Some(Directive::Other(arguments)) => {
                self.file.ignored.entry(word).or_insert(span);
                if !self.arguments(word, arguments) {
                    self.skip_arguments();
                }
            }
            Some(
                Directive::Prec
                | Directive::DynamicPrec
                | Directive::Merge
                | Directive::Empty
                | Directive::Inline,
            ) => {
                let message = format!("`%{word}` does not belong here");
                let help = if word == "inline" {
                    "it follows `%rule`"
                } else {
                    "it must be in an alternative of a rule"
                };
                self.report(Diagnostic::at(codes::SYNTAX, span, message).help(help));
                self.skip_arguments();
            }
            None => self.unknown_directive(word, span),
        }
    }

    fn unknown_directive(&mut self, word: &str, span: Span) {
        let message = format!("there is no directive `%{}`", shown(word));
        let mut diagnostic = Diagnostic::at(yacc_codes::UNKNOWN_DIRECTIVE, span, message);
        // Directives of one letter are too similar to others.
        let words = Directive::words().filter(|known| known.len() > 1);
        diagnostic.help = suggest::nearest(&shown(word), words)
            .map(|nearest| format!("did you mean `%{nearest}`?"));
        self.report(diagnostic);
        self.skip_arguments();
    }

    /// The arguments of a directive without an effect on the grammar; returns whether they are
    /// present.
    fn arguments(&mut self, word: &str, arguments: Arguments) -> bool {
        let found = match arguments {
            Arguments::None => true,
            Arguments::OptionalText => {
                self.eat_text();
                true
            }
            Arguments::Text => {
                self.eat(&Kind::Equal);
                self.eat_text()
            }
            Arguments::Code => self.eat_code(),
            Arguments::Codes => {
                let found = self.eat_code();
                while self.eat_code() {}
                found
            }
            Arguments::NamedCode => {
                self.eat_name();
                self.eat_code()
            }
            Arguments::CodeAndSymbols => {
                let found = self.eat_code();
                while !self.at_rule() && (self.eat(&Kind::Tag) || self.eat_symbol().is_some()) {}
                found
            }
            Arguments::Definition => {
                self.file.other_automata |= matches!(self.peek(), Kind::Name("lr.type"));
                let found = self.eat_name() || self.eat_text();
                if !self.eat_name() && !self.eat_text() && !self.eat_code() {
                    self.eat_number();
                }
                found
            }
            Arguments::Name => self.eat_name(),
        };
        if !found {
            let wanted = match arguments {
                Arguments::Text => "a string",
                Arguments::Definition | Arguments::Name => "a name",
                _ => "code in braces",
            };
            self.unexpected(&format!("{wanted} after `%{word}`"));
        }
        found
    }

    fn eat_text(&mut self) -> bool {
        let found = matches!(self.peek(), Kind::Text(_));
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn eat_name(&mut self) -> bool {
        let found = matches!(self.peek(), Kind::Name(_)) && !self.at_rule();
        if found {
            self.bump();
        }
        found
    }

    /// Tags and commas between declared symbols.
    fn skip_tags(&mut self) {
        while self.eat(&Kind::Tag) || self.eat(&Kind::Comma) {}
    }

    fn token_declarations(&mut self, word: &str) {
        let mut found = false;
        loop {
            self.skip_tags();
            match self.peek() {
                Kind::Name(_) | Kind::Quoted(_) if !self.at_rule() => {
                    let token = self.eat_symbol().expect("invariant: a symbol comes");
                    let number = self.token_number();
                    let alias = self.alias();
                    self.file.tokens.push(TokenDeclaration { token, number, alias });
                    found = true;
                }
                _ => break,
            }
        }
        let stops = matches!(self.peek(), Kind::Text(_) | Kind::Translatable(_) | Kind::Number(_));
        if !found || stops {
            self.unexpected(&format!("the name of a token after `%{word}`"));
            self.skip_arguments();
        }
    }

    /// A token's number. Ruby's grammar has `RUBY_TOKEN(NAME)`, which its build replaces.
    fn token_number(&mut self) -> Option<u32> {
        let called = matches!(self.peek(), Kind::Name(_)) && self.peek_at(1).kind == Kind::Open;
        if called {
            self.bump();
            self.bump();
            self.eat_name();
            self.eat(&Kind::Close);
            return None;
        }
        self.eat_number()
    }

    fn alias(&mut self) -> Option<Alias> {
        let (text, translatable) = match self.peek() {
            Kind::Text(text) => (text.clone(), false),
            Kind::Translatable(text) => (text.clone(), true),
            _ => return None,
        };
        let symbol = self.file.symbols.intern(Spelling::Text, text);
        Some(Alias { text: Mention { symbol, span: self.bump().span }, translatable })
    }

    fn typed_symbols(&mut self, word: &str) {
        self.skip_tags();
        if self.at_rule() || self.eat_symbol().is_none() {
            self.unexpected(&format!("symbols after `%{word}`"));
            return self.skip_arguments();
        }
        while !self.at_rule() {
            self.skip_tags();
            if self.at_rule() || self.eat_symbol().is_none() {
                return;
            }
        }
    }

    fn level(&mut self, word: &str, span: Span, associativity: Associativity) {
        let mut tokens = Vec::new();
        loop {
            self.skip_tags();
            if self.at_rule() {
                break;
            }
            let Some(token) = self.eat_symbol() else {
                break;
            };
            let number = self.eat_number();
            tokens.push(token);
            if number.is_some() {
                self.file.tokens.push(TokenDeclaration { token, number, alias: None });
            }
        }
        if tokens.is_empty() {
            self.unexpected(&format!("tokens after `%{word}`"));
            return self.skip_arguments();
        }
        if associativity == Associativity::Never {
            let span = tokens.iter().fold(span, |span, token| span.to(token.span));
            let message = format!(
                "`%{word}`: the original rejects two of these operators side by side, \
                 the plain grammar does not"
            );
            self.file.asides.push(IgnoredPart { kind: NoteKind::NonAssociative, span, message });
        }
        self.file.levels.push(PrecedenceLevel { associativity, tokens });
    }

    fn start(&mut self) {
        let before = self.file.starts.len();
        while !self.at_rule()
            && let Some(start) = self.eat_symbol()
        {
            self.file.starts.push(start);
        }
        if self.file.starts.len() == before {
            self.unexpected("the name of a rule after `%start`");
            self.skip_arguments();
        }
    }
}
