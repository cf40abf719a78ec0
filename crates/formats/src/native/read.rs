//! Reads the statements of a file.

use std::path::Path;

use gramercy_base::{Diagnostic, SourceId, Span};
use gramercy_grammar::{Associativity, Grammar};

use super::body::Commands;
use super::codes::REPEATED;
use super::syntax::{Modes, NativeFile, PrecedenceLevel, Sort, TokenSyntax};
use super::{check, lower};
use crate::cursor::Cursor;
use crate::ebnf::numbers::Lost;
use crate::ebnf::scanner::{Scanner, Style, skip_byte_order_mark, skip_trivia};
use crate::ebnf::syntax::{Argument, ExprNode, ExprNodeKind, NameId, RuleSyntax, Tree};
use crate::{Reading, codes, suggest};

/// Reads a file of the native notation. All its errors are reported.
pub fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let text = reading.text(source);
    let cursor = Cursor::new(source, &text);
    let scanner = Scanner { cursor, reading, tree: Tree::default() };
    let file = Statements::new(scanner).read(&text);
    let checked = check::check(reading, &file)?;
    Some(lower::lower(reading, &file, &checked, path))
}

/// The keywords at the beginning of a statement.
const KEYWORDS: [&str; 10] = [
    "start",
    "token",
    "skip",
    "fragment",
    "nocase",
    "mode",
    "left",
    "right",
    "nonassoc",
    "precedence",
];

/// The signs of other notations between the name of a rule and its right-hand side.
const FOREIGN_SIGNS: [&str; 4] = ["::=", "=", ":", "->"];

pub(super) const STYLE: Style = Style { is_name, quotes: "\"'/`", begins_statement };

pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

pub(super) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$'".contains(c)
}

/// Takes a name, quoted or not; returns whether there was one.
fn skip_name(cursor: &mut Cursor<'_>) -> bool {
    if cursor.eat("`") {
        cursor.eat_while(|c| c != '`' && c != '\n');
        return cursor.eat("`");
    }
    cursor.peek().is_some_and(is_name_start) && !cursor.eat_while(is_name).is_empty()
}

/// Whether the sign of a definition follows a name, possibly after `token` and similar words.
pub(super) fn begins_rule(mut cursor: Cursor<'_>) -> bool {
    const BEFORE_NAME: [&str; 4] = ["nocase", "token", "skip", "fragment"];
    // At most two of these words are before a name.
    for _ in 0..3 {
        let start = cursor.offset();
        if !skip_name(&mut cursor) {
            return false;
        }
        let word = cursor.text_from(start);
        skip_trivia(&mut cursor);
        if cursor.rest().starts_with(":=") || cursor.rest().starts_with("|=") {
            return true;
        }
        if !BEFORE_NAME.contains(&word) {
            return false;
        }
    }
    false
}

/// Whether a rule begins here or, at the beginning of a line, a declaration.
fn begins_statement(mut cursor: Cursor<'_>) -> bool {
    if begins_rule(cursor.clone()) {
        return true;
    }
    let before = cursor.text_from(0).trim_end_matches([' ', '\t']);
    let first_on_line = before.is_empty() || before.ends_with('\n');
    let word = cursor.eat_while(is_name);
    skip_trivia(&mut cursor);
    let operand = cursor.peek().is_some_and(|c| is_name_start(c) || "\"'`".contains(c));
    first_on_line && KEYWORDS.contains(&word) && operand
}

/// A name and its span.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) id: NameId,
    pub(super) span: Span,
    /// Whether it is in backticks.
    pub(super) quoted: bool,
}

impl Name {
    fn argument(self) -> Argument {
        Argument { name: self.id, span: self.span }
    }
}

impl Scanner<'_, '_, '_> {
    /// Reads a name, if one is next.
    pub(super) fn name(&mut self) -> Result<Option<Name>, Lost> {
        self.trivia();
        let start = self.cursor.offset();
        if self.cursor.eat("`") {
            return self.quoted_name(start).map(Some);
        }
        if !self.cursor.peek().is_some_and(is_name_start) {
            return Ok(None);
        }
        let text = self.cursor.eat_while(is_name);
        let (id, span) = (self.tree.name(text), self.cursor.span_from(start));
        Ok(Some(Name { id, span, quoted: false }))
    }

    /// Reads the rest of a name after the first backtick. A backtick in a name is doubled.
    fn quoted_name(&mut self, start: usize) -> Result<Name, Lost> {
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.eat_while(|c| c != '`' && c != '\n'));
            if !self.cursor.eat("`") {
                let span = self.cursor.span_from(start);
                let message = "this name has no end";
                let help = "close it with a backtick on the same line";
                self.reading.report(Diagnostic::at(codes::UNTERMINATED, span, message).help(help));
                return Err(Lost);
            }
            if !self.cursor.eat("`") {
                break;
            }
            text.push('`');
        }
        let span = self.cursor.span_from(start);
        if text.is_empty() {
            self.reading.syntax_error(span, "a name cannot be empty");
        }
        Ok(Name { id: self.tree.name(&text), span, quoted: true })
    }

    /// Reads a name that must be next.
    pub(super) fn expect_name(&mut self, what: &str) -> Result<Name, Lost> {
        match self.name()? {
            Some(name) => Ok(name),
            None => {
                self.reading.report(self.expected(what));
                Err(Lost)
            }
        }
    }

    /// Reads a name or a literal that must be next.
    pub(super) fn terminal(&mut self) -> Result<ExprNode, Lost> {
        let next = self.next();
        let start = self.cursor.offset();
        let kind = match next {
            Some('"' | '\'') => ExprNodeKind::Literal(self.literal()?),
            _ => ExprNodeKind::Name(self.expect_name("a token or a literal")?.id),
        };
        Ok(ExprNode { kind, span: self.cursor.span_from(start) })
    }

    fn expect_semicolon(&mut self) -> Result<(), Lost> {
        if self.eat(";") {
            return Ok(());
        }
        self.reading.report(self.expected("`;`"));
        Err(Lost)
    }
}

/// The statements so far.
struct Statements<'a, 'r, 't> {
    scanner: Scanner<'a, 'r, 't>,
    rules: Vec<RuleSyntax>,
    sorts: Vec<Sort>,
    tokens: Vec<TokenSyntax>,
    modes: Modes,
    /// The mode of the following token rules.
    mode: usize,
    /// Whether there is a `mode` declaration.
    has_modes: bool,
    starts: Vec<Argument>,
    levels: Vec<PrecedenceLevel>,
    nocase_literals: bool,
}

impl<'a, 'r, 't> Statements<'a, 'r, 't> {
    fn new(scanner: Scanner<'a, 'r, 't>) -> Self {
        Self {
            scanner,
            rules: Vec::new(),
            sorts: Vec::new(),
            tokens: Vec::new(),
            modes: Modes::default(),
            mode: 0,
            has_modes: false,
            starts: Vec::new(),
            levels: Vec::new(),
            nocase_literals: false,
        }
    }

    fn read(mut self, text: &'t str) -> NativeFile<'t> {
        skip_byte_order_mark(&mut self.scanner.cursor);
        while self.scanner.next().is_some() {
            if self.statement().is_err() {
                self.scanner.recover(&STYLE);
            }
        }
        let Self { scanner, rules, sorts, tokens, modes, has_modes, starts, levels, .. } = self;
        let has_lexer = has_modes || sorts.iter().any(|sort| !sort.is_syntax());
        NativeFile {
            text,
            tree: scanner.tree,
            rules,
            sorts,
            tokens,
            modes,
            has_lexer,
            starts,
            levels,
            nocase_literals: self.nocase_literals,
        }
    }

    fn statement(&mut self) -> Result<(), Lost> {
        let Some(first) = self.scanner.name()? else {
            let mut error = self.scanner.expected("a rule");
            if self.scanner.cursor.rest().starts_with("...") {
                error = error.help("write the rules in place of `...`");
            }
            self.scanner.reading.report(error);
            return Err(Lost);
        };
        let ahead = self.scanner.ahead();
        let signs = [":=", "|="].iter().chain(&FOREIGN_SIGNS);
        if first.quoted || signs.into_iter().any(|sign| ahead.rest().starts_with(sign)) {
            return self.rule(first, Sort::Syntax);
        }
        let word: Box<str> = self.scanner.tree.text(first.id).into();
        match &*word {
            "start" => self.start(),
            "token" | "skip" | "fragment" => self.lexical(&word, false),
            "nocase" => self.nocase(),
            "mode" => self.mode(),
            "left" => self.level(Associativity::Left),
            "right" => self.level(Associativity::Right),
            "nonassoc" => self.level(Associativity::Never),
            "precedence" => self.level(Associativity::Undeclared),
            _ => {
                self.scanner.trivia();
                let mut error = self.scanner.expected("`:=`");
                error.help = suggest::did_you_mean(&word, KEYWORDS)
                    .filter(|_| self.scanner.cursor.peek().is_some_and(is_name_start));
                self.scanner.reading.report(error);
                Err(Lost)
            }
        }
    }

    fn start(&mut self) -> Result<(), Lost> {
        let name = self.scanner.expect_name("the name of a rule")?.argument();
        if let Some(first) = self.starts.first() {
            let message = "the start rule was declared before";
            let diagnostic = Diagnostic::at(REPEATED, name.span, message);
            self.scanner.reading.report(diagnostic.label(first.span, "declared here"));
        }
        self.starts.push(name);
        self.scanner.expect_semicolon()
    }

    fn mode(&mut self) -> Result<(), Lost> {
        let name = self.scanner.expect_name("the name of a mode")?.argument();
        self.has_modes = true;
        self.mode = self.modes.add(&self.scanner.tree, name);
        self.scanner.expect_semicolon()
    }

    fn level(&mut self, associativity: Associativity) -> Result<(), Lost> {
        let mut operands = vec![self.scanner.terminal()?];
        while self.scanner.eat(",") {
            operands.push(self.scanner.terminal()?);
        }
        self.levels.push(PrecedenceLevel { associativity, operands });
        self.scanner.expect_semicolon()
    }

    /// Reads the statement after `nocase`.
    fn nocase(&mut self) -> Result<(), Lost> {
        let name = self.scanner.expect_name("`token`, `skip`, `fragment` or `literals`")?;
        let word: Box<str> = self.scanner.tree.text(name.id).into();
        match &*word {
            "token" | "skip" | "fragment" => self.lexical(&word, true),
            "literals" => {
                self.nocase_literals = true;
                self.scanner.expect_semicolon()
            }
            _ => {
                let message = "`nocase` must be before `token`, `skip`, `fragment` or `literals`";
                self.scanner.reading.syntax_error(name.span, message);
                Err(Lost)
            }
        }
    }

    /// Reads the statement after `token`, `skip` or `fragment`: a rule, or token types without one.
    fn lexical(&mut self, keyword: &str, ignore_case: bool) -> Result<(), Lost> {
        let literal = matches!(self.scanner.next(), Some('"' | '\''));
        if keyword == "token" && literal {
            return self.declared_tokens(None);
        }
        let name = self.scanner.expect_name("a name")?;
        let ahead = self.scanner.ahead();
        let declares = ahead.peek().is_none_or(|c| ",;\"'".contains(c));
        match keyword {
            "token" if declares => self.declared_tokens(Some(name)),
            "fragment" => self.rule(name, Sort::Fragment { ignore_case }),
            "skip" => self.skip_rule(name, Sort::Token { mode: self.mode, ignore_case }),
            _ => self.rule(name, Sort::Token { mode: self.mode, ignore_case }),
        }
    }

    /// Reads the list after `token`; its first name may already be read.
    fn declared_tokens(&mut self, mut first: Option<Name>) -> Result<(), Lost> {
        loop {
            let token = match first.take() {
                Some(name) => self.declared_token(name)?,
                None => match self.scanner.next() {
                    Some('"' | '\'') => self.declared_literal()?,
                    _ => {
                        let name = self.scanner.expect_name("a name or a literal")?;
                        self.declared_token(name)?
                    }
                },
            };
            self.tokens.push(token);
            if !self.scanner.eat(",") {
                return self.scanner.expect_semicolon();
            }
        }
    }

    fn declared_token(&mut self, name: Name) -> Result<TokenSyntax, Lost> {
        let has_text = matches!(self.scanner.next(), Some('"' | '\''));
        let text = if has_text { Some(self.scanner.literal()?) } else { None };
        Ok(TokenSyntax { name: name.argument(), text })
    }

    fn declared_literal(&mut self) -> Result<TokenSyntax, Lost> {
        let start = self.scanner.cursor.offset();
        let text = self.scanner.literal()?;
        let name = self.scanner.tree.name(self.scanner.cursor.text_from(start));
        let name = Argument { name, span: self.scanner.cursor.span_from(start) };
        Ok(TokenSyntax { name, text: Some(text) })
    }

    /// Reads the statement after the name of a rule.
    fn rule(&mut self, name: Name, sort: Sort) -> Result<(), Lost> {
        let sort = self.sign(name, sort)?;
        self.right_hand_side(name, sort, Commands::AsWritten)
    }

    fn skip_rule(&mut self, name: Name, sort: Sort) -> Result<(), Lost> {
        let sort = self.sign(name, sort)?;
        self.right_hand_side(name, sort, Commands::Skip)
    }

    fn right_hand_side(&mut self, name: Name, sort: Sort, commands: Commands) -> Result<(), Lost> {
        let mut rule = self.scanner.open_rule(name.id, name.span);
        let result = self.scanner.body(&mut rule, commands);
        if result.is_err() {
            self.scanner.recover(&STYLE);
        }
        let rule = self.scanner.close_rule(rule);
        self.rules.push(rule);
        self.sorts.push(sort);
        Ok(())
    }

    /// Reads `:=`, or `|=` where that is allowed; the sign of another notation is reported and
    /// accepted.
    fn sign(&mut self, name: Name, sort: Sort) -> Result<Sort, Lost> {
        if !name.quoted && self.scanner.tree.text(name.id) == "EOF" {
            let message = "`EOF` is the end of input and cannot be a rule";
            let diagnostic = Diagnostic::at(codes::SYNTAX, name.span, message);
            self.scanner
                .reading
                .report(diagnostic.help("write the name in backticks: `` `EOF` ``"));
        }
        if self.scanner.eat(":=") {
            return Ok(sort);
        }
        if sort == Sort::Syntax && self.scanner.cursor.eat("|=") {
            return Ok(Sort::Continued);
        }
        let error = self.scanner.expected("`:=`");
        let cursor = &mut self.scanner.cursor;
        let Some(sign) = FOREIGN_SIGNS.into_iter().find(|sign| cursor.eat(sign)) else {
            self.scanner.reading.report(error);
            return Err(Lost);
        };
        let help = format!("this notation writes `:=`, not `{sign}`");
        self.scanner.reading.report(error.help(help));
        Ok(sort)
    }
}
