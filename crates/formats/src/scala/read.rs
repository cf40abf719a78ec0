//! Reads the Scala notation.

use std::path::Path;

use gramercy_base::{Diagnostic, SourceId};
use gramercy_grammar::{Grammar, Notation};
use gramercy_regular::CharSet;

use crate::cursor::Cursor;
use crate::ebnf::numbers::{Bounds, Lost};
use crate::ebnf::pattern;
use crate::ebnf::plain::File;
use crate::ebnf::rule::OpenRule;
use crate::ebnf::scanner::{Scanner, Style, skip_byte_order_mark, skip_trivia};
use crate::ebnf::syntax::{ExprNodeKind, RuleSyntax, Tree};
use crate::{Reading, codes};

/// Reads a file of the Scala notation. All its errors are reported.
pub fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let text = reading.text(source);
    let cursor = Cursor::new(source, &text);
    let mut scanner = Scanner { cursor, reading, tree: Tree::default() };
    let rules = scanner.scala_file();
    let file = File { text: &text, tree: scanner.tree, rules };
    file.into_grammar(reading, Notation::Scala, path)
}

const STYLE: Style =
    Style { is_name: |c| c == '\'' || is_symbol(c), quotes: "\"", begins_statement: begins_rule };

fn is_symbol(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Whether `:=` follows a symbol.
fn begins_rule(mut cursor: Cursor<'_>) -> bool {
    if !cursor.eat("'") {
        return false;
    }
    cursor.eat_while(is_symbol);
    skip_trivia(&mut cursor);
    cursor.rest().starts_with(":=")
}

impl Scanner<'_, '_, '_> {
    fn scala_file(&mut self) -> Vec<RuleSyntax> {
        skip_byte_order_mark(&mut self.cursor);
        self.skip_imports();
        if !(self.eat("Grammar") && self.eat("(")) {
            let error = self.expected("`Grammar(`");
            self.reading.report(error.help("the rules are in `Grammar( 'a := … , 'b := … )`"));
            self.recover(&STYLE);
        }
        let rules = self.scala_rules();
        if self.next().is_some() {
            let error = self.expected("the end of the file after `Grammar(…)`");
            self.reading.report(error);
        }
        rules
    }

    fn skip_imports(&mut self) {
        self.trivia();
        while self.cursor.eat("import ") {
            self.cursor.eat_while(|c| !"\n;".contains(c));
            self.eat(";");
            self.trivia();
        }
    }

    /// Reads up to and including the closing parenthesis of the grammar.
    fn scala_rules(&mut self) -> Vec<RuleSyntax> {
        let mut rules = Vec::new();
        loop {
            match self.next() {
                Some(')') => {
                    self.cursor.bump();
                    return rules;
                }
                Some('\'') => rules.extend(self.scala_rule()),
                Some(_) => {
                    self.reading.report(self.expected("a rule").help("a rule is `'name := …`"));
                    self.recover(&STYLE);
                }
                None => {
                    // After another error, the parenthesis may already be skipped.
                    if !self.reading.has_errors() {
                        self.reading.report(self.expected("`)` at the end of the grammar"));
                    }
                    return rules;
                }
            }
        }
    }

    fn scala_rule(&mut self) -> Option<RuleSyntax> {
        let start = self.cursor.offset();
        self.cursor.bump();
        let name = self.cursor.eat_while(is_symbol);
        if name.is_empty() {
            self.reading.report(self.expected("a name after `'`"));
            self.recover(&STYLE);
            return None;
        }
        let (name, span) = (self.tree.name(name), self.cursor.span_from(start));
        if !self.eat(":=") {
            self.reading.report(self.expected("`:=`").help("a rule is `'name := …`"));
            self.recover(&STYLE);
            return None;
        }
        let mut rule = self.open_rule(name, span);
        if self.scala_body(&mut rule).is_err() {
            self.recover(&STYLE);
        }
        let rule = self.close_rule(rule);
        self.eat(",");
        Some(rule)
    }

    /// Reads up to the comma or parenthesis after the rule.
    fn scala_body(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        loop {
            self.scala_operand(rule)?;
            self.scala_operators(rule)?;
            if matches!(self.next(), None | Some(',' | ')')) {
                self.report_unclosed(&rule.body);
                return Ok(());
            }
            if begins_rule(self.cursor.clone()) {
                let diagnostic = self.expected("`,` before the next rule");
                self.reading.report(diagnostic);
                return Ok(());
            }
            match self.cursor.peek() {
                Some('|') => self.bar(&mut rule.body),
                Some('~') if !rule.body.has_ended() => {
                    self.cursor.bump();
                }
                _ => {
                    let ended = rule.body.has_ended();
                    let what =
                        if ended { "`|` or `,` after a probability" } else { "`~`, `|` or `,`" };
                    self.reading.report(self.expected(what));
                    return Err(Lost);
                }
            }
        }
    }

    /// Reads opening parentheses and an atom.
    fn scala_operand(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        while self.next() == Some('(') {
            self.open_group(&mut rule.body, None)?;
        }
        self.scala_atom(rule)
    }

    /// Reads the suffixes of an atom: quantifiers, probabilities, closing parentheses.
    fn scala_operators(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        let mut quantified = false;
        loop {
            match self.next() {
                Some('.') => {
                    let bounds = self.scala_quantifier()?;
                    if quantified {
                        let message = "an item takes only one quantifier";
                        let diagnostic = Diagnostic::at(codes::SYNTAX, bounds.span, message);
                        let help = "put the item and its quantifier in parentheses";
                        self.reading.report(diagnostic.help(help));
                    }
                    rule.body.repeat(&mut self.tree, (bounds.min, bounds.max), true, bounds.span);
                    quantified = true;
                }
                Some('@') if self.cursor.eat("@@") => {
                    self.mark_probability(&mut rule.body);
                }
                Some(')') if rule.body.depth() > 0 => {
                    self.close_group(&mut rule.body);
                    quantified = false;
                }
                _ => return Ok(()),
            }
        }
    }

    fn scala_quantifier(&mut self) -> Result<Bounds, Lost> {
        let start = self.cursor.offset();
        self.cursor.bump();
        if self.eat("?") {
            return Ok(Bounds { min: 0, max: Some(1), span: self.cursor.span_from(start) });
        }
        if !self.eat("rep") {
            self.reading.report(self.expected("`?` or `rep` after `.`"));
            return Err(Lost);
        }
        let (mut min, mut max) = (0, None);
        if self.eat("(") {
            let first = self.number();
            let comma = self.eat(",");
            if comma {
                max = self.number();
            }
            if first.is_none() || max.is_some() != comma || !self.eat(")") {
                let error = self.expected("a number");
                self.reading
                    .report(error.help("repetitions are `.rep`, `.rep(n)` and `.rep(n, m)`"));
                return Err(Lost);
            }
            min = first.unwrap_or(0);
        }
        let bounds = Bounds { min, max, span: self.cursor.span_from(start) };
        self.refuse_disorder(bounds);
        self.refuse_pointless(bounds);
        Ok(bounds)
    }

    fn scala_atom(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        let start = self.cursor.offset();
        let kind = match self.cursor.peek() {
            Some('"') => self.scala_text()?,
            Some('\'') => match self.scala_char() {
                Some(first) => self.scala_range(first, start)?,
                None => self.scala_symbol()?,
            },
            _ => {
                let error = self.expected("a symbol, a string or `(`");
                self.reading.report(error.help("for the empty text write `\"\"`"));
                return Err(Lost);
            }
        };
        let node = self.tree.push(kind, self.cursor.span_from(start));
        rule.body.item(node);
        Ok(())
    }

    fn scala_symbol(&mut self) -> Result<ExprNodeKind, Lost> {
        self.cursor.bump();
        let name = self.cursor.eat_while(is_symbol);
        if name.is_empty() {
            self.reading.report(self.expected("a name after `'`"));
            return Err(Lost);
        }
        Ok(ExprNodeKind::Name(self.tree.name(name)))
    }

    /// A literal, or a regular expression.
    fn scala_text(&mut self) -> Result<ExprNodeKind, Lost> {
        let start = self.cursor.offset();
        let string = self.scala_string()?;
        let mut ahead = self.ahead();
        if !ahead.eat(".") {
            return Ok(ExprNodeKind::Literal(string.text.into()));
        }
        skip_trivia(&mut ahead);
        if !ahead.eat("regex") {
            return Ok(ExprNodeKind::Literal(string.text.into()));
        }
        self.cursor.seek(ahead.offset());
        if string.text.is_empty() {
            let message = "this regular expression is empty";
            let diagnostic =
                Diagnostic::at(codes::BAD_REGEX, self.cursor.span_from(start), message);
            self.reading.report(
                diagnostic.help("for the empty text write `\"\"`, or `()` in an expression"),
            );
            return Ok(ExprNodeKind::Literal("".into()));
        }
        Ok(match pattern::read_brics(self.reading, &string) {
            Some(pattern) => ExprNodeKind::Pattern(Box::new(pattern)),
            None => ExprNodeKind::Literal("".into()),
        })
    }

    /// Reads the rest of `'a' -> 'z'`, which begins at `start`.
    fn scala_range(&mut self, first: char, start: usize) -> Result<ExprNodeKind, Lost> {
        let arrow = self.eat("->");
        self.trivia();
        let last = if arrow && self.cursor.peek() == Some('\'') { self.scala_char() } else { None };
        let Some(last) = last else {
            let error = self.expected("`->` and a second character");
            self.reading
                .report(error.help("a range is `'a' -> 'z'`; a single character is `\"a\"`"));
            return Err(Lost);
        };
        if last < first {
            let message = format!("the range from {first:?} to {last:?} is empty");
            let span = self.cursor.span_from(start);
            self.reading.report(Diagnostic::at(codes::EMPTY_REGEX, span, message));
        }
        Ok(ExprNodeKind::Chars(Box::new(CharSet::range(first.into(), last.into()))))
    }
}
