//! From the words of a `.g4` file to its tree.
//!
//! Recursive descent with one token of look-ahead. A mistake is reported where it stands and the
//! parser goes on behind the next `;`, or with the next rule where a `;` seems to be missing, so that
//! one run finds the mistakes of all rules. Sections and rules are taken in any order. Linear in the
//! text; parentheses are nested no deeper than the limit, beyond which they are skipped.

use gramercy_base::{Diagnostic, SourceId, Span};
use gramercy_grammar::{Associativity, NoteKind};

use super::codes as antlr;
use super::lex::{Kind, Lexer, Token, is_token_name};
use super::tree::{
    Alternative, Aside, Atom, Block, CommandSyntax, Element, File, GrammarKind, Rule, SetItem,
    SetItemKind, Setting, Suffix,
};
use crate::{Reading, codes};

/// The tree of a file. Mistakes are reported, and what they spoil is left out.
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
    };
    parser.file();
    parser.file
}

/// A mistake was reported; whoever can go on, does.
struct Reported;

type Parsed<T> = Result<T, Reported>;

struct Parser<'l, 'r, 't> {
    lexer: Lexer<'l, 'r, 't>,
    next: Token,
    /// The place of the token before.
    last: Span,
    file: File,
    /// The name of a rule that was read while its predecessor lacked a `;`.
    rule_name: Option<Span>,
    /// Whether brackets are character sets.
    lexical: bool,
    nesting: usize,
    too_deep: bool,
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

    /// Takes code in braces, whose opening brace comes next.
    fn code(&mut self) -> Parsed<Span> {
        if !self.at(Kind::LeftBrace) {
            return Err(self.unexpected("code in braces"));
        }
        self.skip_enclosed();
        Ok(self.last)
    }

    /// Takes arguments in brackets, whose opening bracket comes next.
    fn arguments(&mut self) -> Parsed<Span> {
        if !self.at(Kind::LeftBracket) {
            return Err(self.unexpected("declarations in brackets"));
        }
        let span = self.lexer.arguments(self.next);
        self.last = span;
        self.next = self.lexer.next();
        Ok(span)
    }

    /// Takes code, arguments or a character set, whose opening bracket comes next.
    fn skip_enclosed(&mut self) {
        let open = self.next;
        self.last = match open.kind {
            Kind::LeftBrace => self.lexer.code(open),
            _ if self.lexical => self.lexer.char_set(open),
            _ => self.lexer.arguments(open),
        };
        self.next = self.lexer.next();
    }

    // Mistakes.

    fn report(&mut self, diagnostic: Diagnostic) {
        self.lexer.reading.report(diagnostic);
    }

    fn unexpected(&mut self, wanted: &str) -> Reported {
        self.complain(wanted, None)
    }

    /// Says what was wanted instead of the next token. Characters that mean nothing were reported.
    fn complain(&mut self, wanted: &str, help: Option<String>) -> Reported {
        if !self.at(Kind::Bad) {
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

    /// Skips to behind the next `;` or to the head of what looks like the next rule.
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
                Kind::Name => name = Some(self.bump().span),
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

    /// Something at which no rule or section begins.
    fn stray(&mut self) -> Reported {
        let reported = self.unexpected("a rule");
        if self.at(Kind::RightBrace) || self.at(Kind::RightParenthesis) || self.at(Kind::Bad) {
            self.bump();
        }
        reported
    }

    // Sections.

    fn options(&mut self) -> Parsed<()> {
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
        let help = "what they say is joined; ANTLR wants one section";
        self.report(Diagnostic::at(antlr::REPEATED_SECTION, section, message).help(help));
    }

    /// `{ name = value ; … }`, whose opening brace comes next.
    fn options_body(&mut self) -> Parsed<Vec<Setting>> {
        self.expect(Kind::LeftBrace, "`{`")?;
        let mut options = Vec::new();
        while self.eat(Kind::RightBrace).is_none() {
            let name = self.expect(Kind::Name, "the name of an option or `}`")?;
            self.expect(Kind::Assign, "`=`")?;
            let value = self.option_value()?;
            options.push(Setting { name, value });
            if !self.at(Kind::RightBrace) {
                self.expect(Kind::Semicolon, "`;` after an option")?;
            }
        }
        Ok(options)
    }

    fn option_value(&mut self) -> Parsed<Span> {
        match self.next.kind {
            Kind::LeftBrace => self.code(),
            Kind::Literal | Kind::Integer | Kind::Star => Ok(self.bump().span),
            Kind::Name => self.qualified_name(),
            _ => Err(self.unexpected("the value of an option")),
        }
    }

    fn qualified_name(&mut self) -> Parsed<Span> {
        let mut span = self.expect(Kind::Name, "a name")?;
        while self.eat(Kind::Dot).is_some() || self.eat(Kind::ColonColon).is_some() {
            span = span.to(self.expect(Kind::Name, "a name")?);
        }
        Ok(span)
    }

    fn tokens(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if !self.file.tokens.is_empty() {
            self.repeated(word);
        }
        let mut old = false;
        self.bump();
        while self.eat(Kind::RightBrace).is_none() {
            let name = self.id()?;
            if !is_token_name(self.text(name)) {
                let message = "the names of tokens begin with an upper-case letter";
                self.report(Diagnostic::at(codes::SYNTAX, name, message));
            }
            self.file.tokens.push(name);
            old |= self.old_alias(name)? || self.at(Kind::Semicolon);
            self.separator()?;
        }
        if old {
            let message = "this section is written as in ANTLR 3";
            let help = "ANTLR 4 wants names with commas between them";
            self.report(Diagnostic::at(antlr::OLD_SYNTAX, word, message).help(help));
        }
        Ok(())
    }

    fn channels(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        if self.file.kind != GrammarKind::Lexer {
            self.for_lexers_only(word, "channels");
        }
        self.bump();
        while self.eat(Kind::RightBrace).is_none() {
            let name = self.id()?;
            self.file.channels.push(name);
            self.separator()?;
        }
        Ok(())
    }

    fn id(&mut self) -> Parsed<Span> {
        self.expect(Kind::Name, "a name or `}`")
    }

    /// What stands between two names of a list in braces.
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
        let span = name.to(span);
        self.file.rules.push(Rule { name, span, lexical, fragment, mode, options, body });
        Ok(true)
    }

    fn imports(&mut self) -> Parsed<()> {
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

    fn mode(&mut self) -> Parsed<()> {
        let word = self.bump().span;
        let name = self.expect(Kind::Name, "the name of a mode")?;
        if self.file.kind != GrammarKind::Lexer {
            self.for_lexers_only(word, "modes");
        }
        self.file.modes.push(name);
        self.expect(Kind::Semicolon, "`;` after the mode's name").map(drop)
    }

    /// `@header {…}` or `@parser::members {…}`.
    fn named_action(&mut self) -> Parsed<()> {
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
        self.file.asides.push(Aside { kind, span });
        Ok(())
    }

    // Rules.

    fn rule(&mut self) -> Parsed<()> {
        let start = self.rule_name.unwrap_or(self.next.span);
        let fragment = self.modifiers();
        let name = match self.rule_name.take() {
            Some(name) => name,
            None => self.expect(Kind::Name, "the name of a rule")?,
        };
        self.lexical = is_token_name(self.text(name));
        self.check_name(name);
        let (lexical, mode) = (self.lexical, self.file.modes.len().checked_sub(1));
        let (options, body, outcome) = match self.head_and_body() {
            Ok((options, body)) => (options, body, Ok(())),
            // A broken rule is still known by its name.
            Err(reported) => (Vec::new(), broken(name), Err(reported)),
        };
        let span = start.to(self.last);
        self.file.rules.push(Rule { name, span, lexical, fragment, mode, options, body });
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
                "fragment" => fragment = true,
                "public" | "private" | "protected" => {}
                _ => break,
            }
            self.bump();
        }
        fragment
    }

    fn check_name(&mut self, name: Span) {
        let text = self.text(name);
        if text == "EOF" || is_keyword(text) {
            let message = format!("`{text}` cannot be the name of a rule");
            let help = match text {
                "EOF" => "the end of input is always known by this name",
                _ => "it is a word of the notation",
            };
            self.report(Diagnostic::at(antlr::RESERVED_NAME, name, message).help(help));
        }
    }

    /// Everything between a rule's name and its colon.
    fn rule_head(&mut self) -> Parsed<Vec<Setting>> {
        let mut options = Vec::new();
        loop {
            match self.next.kind {
                Kind::LeftBracket => drop(self.arguments()?),
                Kind::At => self.rule_action()?,
                Kind::Name => match self.text(self.next.span) {
                    "returns" | "locals" => {
                        self.bump();
                        self.arguments()?;
                    }
                    "throws" => self.throws()?,
                    "options" if self.lexer.brace_follows() => {
                        self.bump();
                        options.extend(self.options_body()?);
                    }
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
    fn rule_action(&mut self) -> Parsed<()> {
        let at = self.bump().span;
        self.expect(Kind::Name, "the name of an action")?;
        let span = at.to(self.code()?);
        self.file.asides.push(Aside { kind: NoteKind::Action, span });
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

    fn missing_semicolon(&mut self) -> Reported {
        let behind = Span { start: self.last.end, ..self.last };
        let message = "a `;` is missing here";
        let help = "every rule ends with `;`";
        self.report(Diagnostic::at(codes::SYNTAX, behind, message).help(help));
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
            self.file.asides.push(Aside { kind: NoteKind::Action, span });
        }
    }

    // Right-hand sides.

    fn alternatives(&mut self, depth: usize) -> Parsed<Block> {
        let mut alternatives = vec![self.alternative(depth)?];
        while self.eat(Kind::Or).is_some() {
            alternatives.push(self.alternative(depth)?);
        }
        let span = alternatives[0].span.to(alternatives[alternatives.len() - 1].span);
        Ok(Block { alternatives, span })
    }

    fn alternative(&mut self, depth: usize) -> Parsed<Alternative> {
        let start = self.next.span;
        let associativity = self.element_options()?.and_then(|options| options.associativity);
        let mut elements = Vec::new();
        while self.rule_name.is_none()
            && let Some(element) = self.element(depth)?
        {
            elements.push(element);
        }
        let commands = match self.eat(Kind::Arrow) {
            Some(arrow) => self.commands(arrow)?,
            None => Vec::new(),
        };
        let label = match self.eat(Kind::Hash) {
            Some(_) => Some(self.expect(Kind::Name, "the alternative's name")?),
            None => None,
        };
        let empty = Span { end: start.start, ..start };
        let is_empty = elements.is_empty() && commands.is_empty() && label.is_none();
        let span = if is_empty { empty } else { start.to(self.last) };
        Ok(Alternative { elements, commands, label, associativity, span })
    }

    /// `-> skip, mode(X)`, whose arrow was taken.
    fn commands(&mut self, arrow: Span) -> Parsed<Vec<CommandSyntax>> {
        if !self.lexical {
            let message = "commands are for lexer rules";
            self.report(Diagnostic::at(codes::SYNTAX, arrow, message));
        }
        let mut commands = Vec::new();
        loop {
            let name = self.expect(Kind::Name, "a lexer command")?;
            let mut argument = None;
            if self.eat(Kind::LeftParenthesis).is_some() {
                argument = Some(match self.next.kind {
                    Kind::Name | Kind::Integer => self.bump().span,
                    _ => return Err(self.unexpected("a name or a number")),
                });
                self.expect(Kind::RightParenthesis, "`)`")?;
            }
            commands.push(CommandSyntax { name, argument });
            if self.eat(Kind::Comma).is_none() {
                return Ok(commands);
            }
        }
    }

    /// The next element, if one begins here.
    fn element(&mut self, depth: usize) -> Parsed<Option<Element>> {
        let (atom, span, label) = match self.next.kind {
            Kind::Name => match self.name_or_label(depth)? {
                Some(found) => found,
                None => return Ok(None),
            },
            Kind::LeftBrace => return self.code_element().map(Some),
            _ => match self.atom(depth)? {
                Some((atom, span)) => (atom, span, None),
                None => return Ok(None),
            },
        };
        let adorned = self.adornment()?;
        let suffix = self.suffix()?;
        Ok(Some(Element { atom, span, label, suffix, adorned }))
    }

    /// A reference, or a label and what it names; nothing at the head of the next rule.
    fn name_or_label(&mut self, depth: usize) -> Parsed<Option<(Atom, Span, Option<Span>)>> {
        if is_keyword(self.text(self.next.span)) {
            return Ok(None);
        }
        let before = self.last;
        let name = self.bump().span;
        match self.next.kind {
            Kind::Colon => {
                self.last = before;
                self.missing_semicolon();
                self.rule_name = Some(name);
                Ok(None)
            }
            Kind::Assign | Kind::PlusAssign => {
                self.bump();
                self.check_label(name);
                let labeled = match self.next.kind {
                    Kind::Name => Some(self.reference()?),
                    _ => self.atom(depth)?,
                };
                match labeled {
                    Some((atom, span)) => Ok(Some((atom, span, Some(name)))),
                    None => Err(self.unexpected("something that the label names")),
                }
            }
            _ => {
                let atom = self.referred(name)?;
                Ok(Some((atom, name, None)))
            }
        }
    }

    fn check_label(&mut self, label: Span) {
        if self.lexical {
            let message = "lexer rules have no labels";
            let help = "leave the label out";
            self.report(Diagnostic::at(codes::SYNTAX, label, message).help(help));
        }
    }

    fn reference(&mut self) -> Parsed<(Atom, Span)> {
        let name = self.bump().span;
        Ok((self.referred(name)?, name))
    }

    /// What a name refers to; arguments are set aside.
    fn referred(&mut self, name: Span) -> Parsed<Atom> {
        let is_token = is_token_name(self.text(name));
        if self.at(Kind::LeftBracket) && !self.lexical {
            if is_token {
                return Err(self.unexpected("no arguments for a token"));
            }
            self.arguments()?;
        }
        Ok(if is_token { Atom::Token } else { Atom::Rule })
    }

    fn atom(&mut self, depth: usize) -> Parsed<Option<(Atom, Span)>> {
        let start = self.next.span;
        let atom = match self.next.kind {
            Kind::Literal => {
                let first = self.bump().span;
                match self.eat(Kind::Range) {
                    Some(_) => Atom::Range(first, self.expect(Kind::Literal, "a literal")?),
                    None => Atom::Literal,
                }
            }
            Kind::LeftBracket if self.lexical => {
                self.skip_enclosed();
                Atom::Set
            }
            Kind::LeftBracket => {
                let help = "move it to a lexer rule and refer to that".into();
                return Err(self.complain("an element of a parser rule", Some(help)));
            }
            Kind::Tilde => {
                self.bump();
                Atom::Not(self.excluded()?)
            }
            Kind::Dot => {
                self.bump();
                Atom::Any
            }
            Kind::LeftParenthesis => self.block(depth + 1)?,
            _ => return Ok(None),
        };
        Ok(Some((atom, start.to(self.last))))
    }

    fn block(&mut self, depth: usize) -> Parsed<Atom> {
        let open = self.bump().span;
        if depth > self.nesting {
            self.skip_block(open);
            return Ok(Atom::Broken);
        }
        let has_options = self.at_word("options") && self.lexer.brace_follows();
        if has_options || self.at(Kind::At) {
            self.block_head()?;
        }
        self.eat(Kind::Colon);
        let block = self.alternatives(depth)?;
        if self.rule_name.is_some() {
            return Err(Reported);
        }
        if self.eat(Kind::RightParenthesis).is_none() {
            let found = self.unexpected("`|` or `)`");
            // A forgotten parenthesis is the only mistake if the rule ends here.
            return if self.at(Kind::Semicolon) { Ok(Atom::Broken) } else { Err(found) };
        }
        Ok(Atom::Block(block))
    }

    /// `options {…} @init {…}` at the beginning of a block, up to the colon.
    fn block_head(&mut self) -> Parsed<()> {
        if self.eat_word("options") {
            self.options_body()?;
        }
        while self.at(Kind::At) {
            self.rule_action()?;
        }
        match self.at(Kind::Colon) {
            true => Ok(()),
            false => Err(self.unexpected("`:`")),
        }
    }

    /// Skips to behind the parenthesis that closes an open one.
    fn skip_block(&mut self, open: Span) {
        if !self.too_deep {
            self.too_deep = true;
            let message = format!("parentheses are nested more than {} deep", self.nesting);
            let help = "give inner parts rules of their own";
            self.report(Diagnostic::at(codes::NESTED_TOO_DEEPLY, open, message).help(help));
        }
        let mut depth = 1;
        while depth > 0 {
            match self.next.kind {
                Kind::LeftParenthesis => depth += 1,
                Kind::RightParenthesis => depth -= 1,
                Kind::Semicolon | Kind::End => return,
                Kind::LeftBrace | Kind::LeftBracket => {
                    self.skip_enclosed();
                    continue;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// What stands behind `~`.
    fn excluded(&mut self) -> Parsed<Vec<SetItem>> {
        if self.eat(Kind::LeftParenthesis).is_none() {
            return Ok(vec![self.set_item()?]);
        }
        let mut items = vec![self.set_item()?];
        while self.eat(Kind::Or).is_some() {
            items.push(self.set_item()?);
        }
        self.expect(Kind::RightParenthesis, "`|` or `)`")?;
        Ok(items)
    }

    fn set_item(&mut self) -> Parsed<SetItem> {
        let start = self.next.span;
        let kind = match self.next.kind {
            Kind::Literal => match self.atom(0)? {
                Some((Atom::Range(first, last), _)) => SetItemKind::Range(first, last),
                _ => SetItemKind::Literal,
            },
            Kind::LeftBracket if self.lexical => {
                self.skip_enclosed();
                SetItemKind::Set
            }
            Kind::Name if is_token_name(self.text(start)) => {
                self.bump();
                SetItemKind::Token
            }
            _ if self.lexical => return Err(self.unexpected("a character, a range or a set")),
            _ => return Err(self.unexpected("a token or a literal")),
        };
        let span = start.to(self.last);
        self.adornment()?;
        Ok(SetItem { kind, span })
    }

    /// `{…}`, `{…}?`, `{…}?<fail='…'>` and ANTLR 3's `{…}?=>`.
    fn code_element(&mut self) -> Parsed<Element> {
        let mut span = self.code()?;
        let mut kind = NoteKind::Action;
        if let Some(question) = self.eat(Kind::Question) {
            kind = NoteKind::Predicate;
            span = span.to(question);
        }
        if kind == NoteKind::Predicate && self.at(Kind::Assign) {
            self.bump();
            let end = self.expect(Kind::Greater, "`>`")?;
            let message = "gated predicates are those of ANTLR 3";
            let help = "write `{…}?`";
            self.report(Diagnostic::at(antlr::OLD_SYNTAX, span.to(end), message).help(help));
        }
        self.file.asides.push(Aside { kind, span });
        let adorned = self.adornment()?;
        let (atom, label, suffix) = (Atom::Code, None, None);
        Ok(Element { atom, span, label, suffix, adorned })
    }

    fn suffix(&mut self) -> Parsed<Option<Suffix>> {
        let (min, max) = match self.next.kind {
            Kind::Question => (0, Some(1)),
            Kind::Star => (0, None),
            Kind::Plus => (1, None),
            _ => return Ok(None),
        };
        let start = self.bump().span;
        let greedy = self.eat(Kind::Question).is_none();
        let span = start.to(self.last);
        if matches!(self.next.kind, Kind::Question | Kind::Star | Kind::Plus) {
            let message = "a second repetition of the same element";
            let help = "put parentheses around the inner repetition";
            self.report(Diagnostic::at(codes::SYNTAX, self.next.span, message).help(help));
            while matches!(self.next.kind, Kind::Question | Kind::Star | Kind::Plus) {
                self.bump();
            }
        }
        Ok(Some(Suffix { min, max, greedy, span }))
    }

    /// Options of an element, which have no bearing on the language. Whether there were any.
    fn adornment(&mut self) -> Parsed<bool> {
        let start = self.next.span;
        let Some(options) = self.element_options()? else {
            return Ok(false);
        };
        if options.associativity.is_some() {
            let span = start.to(self.last);
            let message = "an associativity counts at the beginning of an alternative only";
            let help = "write it there; here ANTLR ignores it";
            let code = antlr::MISPLACED_ASSOCIATIVITY;
            self.report(Diagnostic::at(code, span, message).help(help));
        }
        Ok(true)
    }

    /// `<assoc=right, name, other='value'>`.
    fn element_options(&mut self) -> Parsed<Option<ElementOptions>> {
        if self.eat(Kind::Less).is_none() {
            return Ok(None);
        }
        let mut options = ElementOptions { associativity: None };
        while self.eat(Kind::Greater).is_none() {
            let name = self.qualified_name()?;
            if self.eat(Kind::Assign).is_some() {
                let value = self.option_value()?;
                if self.text(name) == "assoc" {
                    options.associativity = self.associativity(value);
                }
            }
            if !self.at(Kind::Greater) {
                self.expect(Kind::Comma, "`,` or `>`")?;
            }
        }
        Ok(Some(options))
    }

    fn associativity(&mut self, value: Span) -> Option<Associativity> {
        match self.text(value) {
            "right" => Some(Associativity::Right),
            "left" => Some(Associativity::Left),
            other => {
                let message = format!("an associativity is `left` or `right`, not `{other}`");
                self.report(Diagnostic::at(antlr::BAD_OPTION, value, message));
                None
            }
        }
    }
}

struct ElementOptions {
    associativity: Option<Associativity>,
}

/// A block of one alternative of one element.
fn block_of(atom: Atom, span: Span) -> Block {
    let element = Element { atom, span, label: None, suffix: None, adorned: false };
    let (elements, commands) = (vec![element], Vec::new());
    let alternative = Alternative { elements, commands, label: None, associativity: None, span };
    Block { alternatives: vec![alternative], span }
}

fn broken(span: Span) -> Block {
    block_of(Atom::Broken, span)
}

/// Words that ANTLR keeps for itself everywhere.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "import"
            | "fragment"
            | "lexer"
            | "parser"
            | "grammar"
            | "protected"
            | "public"
            | "private"
            | "returns"
            | "locals"
            | "throws"
            | "catch"
            | "finally"
            | "mode"
    )
}

fn shortened(text: &str) -> String {
    const MOST: usize = 30;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
