//! Reads Tribble's text notation.

use std::path::Path;

use gramercy_base::{Diagnostic, SourceId};
use gramercy_grammar::{Grammar, Notation};

use crate::cursor::Cursor;
use crate::ebnf::numbers::{Bounds, Lost};
use crate::ebnf::pattern;
use crate::ebnf::plain::File;
use crate::ebnf::rule::OpenRule;
use crate::ebnf::scanner::{Scanner, Style, skip_byte_order_mark, skip_trivia};
use crate::ebnf::syntax::{ExprNodeKind, RuleSyntax, Tree};
use crate::{Reading, codes};

/// Reads a file of Tribble's text notation. All its errors are reported.
pub fn read(reading: &mut Reading<'_>, source: SourceId, path: &Path) -> Option<Grammar> {
    let text = reading.text(source);
    let cursor = Cursor::new(source, &text);
    let mut scanner = Scanner { cursor, reading, tree: Tree::default() };
    let rules = scanner.tribble_rules();
    let file = File { text: &text, tree: scanner.tree, rules };
    file.into_grammar(reading, Notation::Tribble, path)
}

const STYLE: Style = Style { is_name, quotes: "\"/", begins_statement: begins_rule };

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$'".contains(c)
}

/// Whether `=` follows a name.
fn begins_rule(mut cursor: Cursor<'_>) -> bool {
    cursor.eat_while(is_name);
    skip_trivia(&mut cursor);
    cursor.rest().starts_with('=') || cursor.rest().starts_with(":=")
}

impl Scanner<'_, '_, '_> {
    fn tribble_rules(&mut self) -> Vec<RuleSyntax> {
        skip_byte_order_mark(&mut self.cursor);
        let mut rules = Vec::new();
        while let Some(next) = self.next() {
            if is_name(next) {
                rules.extend(self.tribble_rule());
            } else {
                let error = self.expected("a rule");
                self.reading.report(error.help("a rule is a name, `=`, alternatives and `;`"));
                self.recover(&STYLE);
            }
        }
        rules
    }

    fn tribble_rule(&mut self) -> Option<RuleSyntax> {
        let start = self.cursor.offset();
        let name = self.cursor.eat_while(is_name);
        let (name, span) = (self.tree.name(name), self.cursor.span_from(start));
        if self.tribble_sign().is_err() {
            self.recover(&STYLE);
            return None;
        }
        let mut rule = self.open_rule(name, span);
        if self.tribble_body(&mut rule).is_err() {
            self.recover(&STYLE);
        }
        Some(self.close_rule(rule))
    }

    fn tribble_sign(&mut self) -> Result<(), Lost> {
        if self.eat("=") {
            return Ok(());
        }
        let error = self.expected("`=`");
        let known = ["::=", ":=", ":", "->"].into_iter().find(|sign| self.cursor.eat(sign));
        let help = match known {
            Some(sign) => format!("Tribble writes `=`, not `{sign}`"),
            None => "a rule is a name, `=`, alternatives and `;`".into(),
        };
        self.reading.report(error.help(help));
        known.map(|_| ()).ok_or(Lost)
    }

    /// Reads up to and including the semicolon.
    fn tribble_body(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        loop {
            let end = self.cursor.offset();
            let next = self.next();
            match next {
                Some('(') if !rule.body.has_ended() => {
                    self.open_group(&mut rule.body, None)?;
                    continue;
                }
                Some(')') => {
                    self.tribble_end_alternative(rule);
                    if self.close_group(&mut rule.body) {
                        self.tribble_quantifier(rule)?;
                    }
                }
                Some('|') => {
                    self.tribble_end_alternative(rule);
                    self.bar(&mut rule.body);
                }
                Some(';') => {
                    self.tribble_end_alternative(rule);
                    self.report_unclosed(&rule.body);
                    self.cursor.bump();
                    return Ok(());
                }
                Some('@') if self.cursor.eat("@@") => {
                    self.mark_probability(&mut rule.body);
                }
                Some(c) if is_name(c) && begins_rule(self.cursor.clone()) => {
                    self.next_rule_in_rule(&rule.body, self.next_span(), end);
                    return Ok(());
                }
                Some(_) if rule.body.has_ended() => {
                    self.reading.report(self.expected("`|` or `;` after a probability"));
                    return Err(Lost);
                }
                Some(_) => {
                    self.tribble_atom(rule)?;
                    self.tribble_quantifier(rule)?;
                }
                None => {
                    self.tribble_end_alternative(rule);
                    self.end_of_file_in_rule(&rule.body, end);
                    return Ok(());
                }
            }
        }
    }

    /// Reports an alternative without an item.
    fn tribble_end_alternative(&mut self, rule: &OpenRule) {
        if rule.body.is_empty() {
            let error = self.expected("a name, a literal, a regular expression or `(`");
            let help = "for the empty text write `\"\"`; `//` begins a comment";
            self.reading.report(error.help(help));
        }
    }

    fn tribble_atom(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        let start = self.cursor.offset();
        let kind = match self.cursor.peek() {
            Some('"') => ExprNodeKind::Literal(self.tribble_literal().ok_or(Lost)?.text.into()),
            Some('/') => {
                let pattern = self.tribble_pattern().ok_or(Lost)?;
                match pattern::read_brics(self.reading, &pattern) {
                    Some(pattern) => ExprNodeKind::Pattern(Box::new(pattern)),
                    None => ExprNodeKind::Literal("".into()),
                }
            }
            Some(c) if is_name(c) => {
                let name = self.cursor.eat_while(is_name);
                ExprNodeKind::Name(self.tree.name(name))
            }
            _ => {
                self.reading
                    .report(self.expected("a name, a literal, a regular expression or `(`"));
                return Err(Lost);
            }
        };
        let node = self.tree.push(kind, self.cursor.span_from(start));
        rule.body.item(node);
        Ok(())
    }

    /// Reads the quantifier after an atom, if there is one.
    fn tribble_quantifier(&mut self, rule: &mut OpenRule) -> Result<(), Lost> {
        let mut first = true;
        while let Some(bounds) = self.quantifier_bounds()? {
            self.refuse_pointless(bounds);
            if !first {
                let message = "an item takes only one quantifier";
                let diagnostic = Diagnostic::at(codes::SYNTAX, bounds.span, message);
                self.reading
                    .report(diagnostic.help("put the item and its quantifier in parentheses"));
            }
            rule.body.repeat(&mut self.tree, (bounds.min, bounds.max), true, bounds.span);
            first = false;
        }
        Ok(())
    }

    /// Reports quantifiers without an effect, which Tribble does not have.
    pub(crate) fn refuse_pointless(&mut self, bounds: Bounds) {
        let message = match (bounds.min, bounds.max) {
            (0, Some(0)) => "an item that never occurs can be left out",
            (1, Some(1)) => "an item that occurs once needs no quantifier",
            _ => return,
        };
        self.reading.report(Diagnostic::at(codes::BAD_NUMBER, bounds.span, message));
    }
}
