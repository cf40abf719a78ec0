//! Reads right-hand sides: items, marks and commands.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::Associativity;

use super::codes::REPEATED;
use super::read::{Name, begins_rule, is_name};
use crate::ebnf::body::Body;
use crate::ebnf::numbers::Lost;
use crate::ebnf::rule::OpenRule;
use crate::ebnf::scanner::Scanner;
use crate::ebnf::syntax::{Argument, CommandKind, CommandSyntax, ExprNodeKind};
use crate::{codes, suggest};

const COMMANDS: [(&str, CommandKind); 7] = [
    ("skip", CommandKind::Skip),
    ("more", CommandKind::More),
    ("type", CommandKind::Type),
    ("channel", CommandKind::Channel),
    ("mode", CommandKind::Mode),
    ("push", CommandKind::Push),
    ("pop", CommandKind::Pop),
];

/// The commands of the alternatives of a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Commands {
    /// The written commands.
    AsWritten,
    /// `skip`, followed by the written commands.
    Skip,
}

/// The next element of a right-hand side.
#[derive(PartialEq, Eq)]
enum BodyElement {
    More,
    End,
}

impl Scanner<'_, '_, '_> {
    /// Reads up to and including the semicolon.
    pub(super) fn body(&mut self, rule: &mut OpenRule, commands: Commands) -> Result<(), Lost> {
        while self.step(rule, commands)? == BodyElement::More {}
        Ok(())
    }

    fn step(&mut self, rule: &mut OpenRule, commands: Commands) -> Result<BodyElement, Lost> {
        let end = self.cursor.offset();
        let next = self.next();
        let body = &mut rule.body;
        match next {
            None => {
                self.end_alternative(body, commands);
                self.end_of_file_in_rule(body, end);
                return Ok(BodyElement::End);
            }
            Some(';') => {
                self.end_alternative(body, commands);
                self.report_unclosed(body);
                self.cursor.bump();
                return Ok(BodyElement::End);
            }
            Some('|') => {
                self.end_alternative(body, commands);
                self.bar(body);
            }
            Some(')') => {
                if self.close_group(body) {
                    self.quantifier(body)?;
                }
            }
            Some('@') if self.cursor.eat("@@") => self.mark_probability(body),
            Some('#') => self.label(body)?,
            Some('%') => self.precedence(body)?,
            Some('-') if self.cursor.rest().starts_with("->") => self.commands(body, commands)?,
            Some('<') => self.associativity(body)?,
            Some(_) if begins_rule(self.cursor.clone()) => {
                self.end_alternative(body, commands);
                let name = self.next_span();
                self.next_rule_in_rule(body, name, end);
                return Ok(BodyElement::End);
            }
            Some(_) => self.item(body)?,
        }
        Ok(BodyElement::More)
    }

    /// Adds the command of a `skip` rule to an alternative that has none.
    fn end_alternative(&mut self, body: &mut Body, commands: Commands) {
        if commands == Commands::Skip && body.depth() == 0 && !body.has_commands() {
            let skip = CommandSyntax { kind: CommandKind::Skip, argument: None };
            let here = self.here();
            body.commands(self.tree.push(ExprNodeKind::Commands([skip].into()), here));
        }
    }

    /// Reads an item: an optional label, an atom or an opening parenthesis, and its quantifier.
    fn item(&mut self, body: &mut Body) -> Result<(), Lost> {
        if body.has_ended() {
            self.reading.report(self.expected("`|`, `)` or `;` after marks and commands"));
            return Err(Lost);
        }
        let mut name = self.name()?;
        let label = self.item_label(&mut name)?;
        if name.is_none() && self.next() == Some('(') {
            return self.open_group(body, label);
        }
        let start = name.map_or(self.cursor.offset(), |name| name.span.start as usize);
        let kind = match name {
            Some(name) => self.reference(name),
            None => self.expect_leaf()?,
        };
        let node = self.tree.push(kind, self.cursor.span_from(start));
        if let Some(label) = label {
            self.tree.label(node, &label);
        }
        body.item(node);
        self.quantifier(body)
    }

    /// Turns the `left` of `left=Expr` into a label and reads the name after it, if there is one.
    fn item_label(&mut self, name: &mut Option<Name>) -> Result<Option<Box<str>>, Lost> {
        let Some(label) = *name else { return Ok(None) };
        let mut ahead = self.ahead();
        if !ahead.eat("=") {
            return Ok(None);
        }
        self.cursor.seek(ahead.offset());
        *name = self.name()?;
        Ok(Some(self.tree.text(label.id).into()))
    }

    fn reference(&mut self, name: Name) -> ExprNodeKind {
        match self.tree.text(name.id) {
            "EOF" if !name.quoted => ExprNodeKind::Eof,
            _ => ExprNodeKind::Name(name.id),
        }
    }

    fn expect_leaf(&mut self) -> Result<ExprNodeKind, Lost> {
        if let Some(leaf) = self.leaf()? {
            return Ok(leaf);
        }
        let mut error = self.expected("a name, a literal, a class or `(`");
        if self.cursor.rest().starts_with("..") {
            error = error.help("a range is \"a\"..\"z\"; a single `.` is any character");
        }
        self.reading.report(error);
        Err(Lost)
    }

    /// Reads the quantifier after an item, if there is one.
    fn quantifier(&mut self, body: &mut Body) -> Result<(), Lost> {
        let mut first = true;
        while let Some(bounds) = self.quantifier_bounds()? {
            let greedy = !self.cursor.eat("?");
            if !first {
                let message = "an item takes only one quantifier";
                let diagnostic = Diagnostic::at(codes::SYNTAX, bounds.span, message);
                self.reading
                    .report(diagnostic.help("put the item and its quantifier in parentheses"));
            }
            body.repeat(&mut self.tree, (bounds.min, bounds.max), greedy, bounds.span);
            first = false;
        }
        Ok(())
    }

    /// Reads `<right>` before the items of an alternative.
    fn associativity(&mut self, body: &mut Body) -> Result<(), Lost> {
        if !body.is_empty() || body.has_ended() {
            let error = self.expected("a name, a literal, a class or `(`");
            let help = "an associativity such as `<right>` is before the items";
            self.reading.report(error.help(help));
            return Err(Lost);
        }
        self.cursor.bump();
        self.trivia();
        let word = self.cursor.clone().eat_while(is_name);
        let associativity = match word {
            "left" => Associativity::Left,
            "right" => Associativity::Right,
            "nonassoc" => Associativity::Never,
            _ => {
                self.reading.report(self.expected("`left`, `right` or `nonassoc`"));
                return Err(Lost);
            }
        };
        self.cursor.eat(word);
        if !self.eat(">") {
            self.reading.report(self.expected("`>`"));
            return Err(Lost);
        }
        body.marks().associativity = Some(associativity);
        Ok(())
    }

    /// Reads `# Name`.
    fn label(&mut self, body: &mut Body) -> Result<(), Lost> {
        self.cursor.bump();
        let name = self.expect_name("the name of the alternative")?;
        let repeated = body.marks().label.replace(self.tree.text(name.id).into()).is_some();
        self.refuse_repeated(repeated, name.span);
        body.end_items();
        Ok(())
    }

    /// Reads `%prec TOKEN` or `%dprec N`.
    fn precedence(&mut self, body: &mut Body) -> Result<(), Lost> {
        let start = self.cursor.offset();
        let repeated = if self.cursor.eat("%prec") {
            let terminal = self.terminal()?;
            body.marks().precedence_of.replace(terminal).is_some()
        } else if self.cursor.eat("%dprec") {
            let Some(number) = self.number() else {
                self.reading.report(self.expected("a number"));
                return Err(Lost);
            };
            body.marks().dynamic_precedence.replace(number).is_some()
        } else {
            self.reading.report(self.expected("`%prec` or `%dprec`"));
            return Err(Lost);
        };
        self.refuse_repeated(repeated, self.cursor.span_from(start));
        body.end_items();
        Ok(())
    }

    fn refuse_repeated(&mut self, repeated: bool, span: Span) {
        if repeated {
            let message = "the alternative already has this mark";
            self.reading.report(Diagnostic::at(REPEATED, span, message));
        }
    }

    /// Reads the commands after `->`.
    fn commands(&mut self, body: &mut Body, of_rule: Commands) -> Result<(), Lost> {
        if body.has_ended() {
            let message = "commands are allowed once, after the items and before marks";
            self.reading.syntax_error(self.next_span(), message);
            return Err(Lost);
        }
        let start = self.cursor.offset();
        self.cursor.eat("->");
        let mut commands = Vec::new();
        if of_rule == Commands::Skip && body.depth() == 0 {
            commands.push(CommandSyntax { kind: CommandKind::Skip, argument: None });
        }
        commands.push(self.command()?);
        while self.eat(",") {
            commands.push(self.command()?);
        }
        let span = self.cursor.span_from(start);
        body.commands(self.tree.push(ExprNodeKind::Commands(commands.into()), span));
        Ok(())
    }

    fn command(&mut self) -> Result<CommandSyntax, Lost> {
        self.trivia();
        let word = self.cursor.clone().eat_while(is_name);
        let Some(&(_, kind)) = COMMANDS.iter().find(|(name, _)| *name == word) else {
            let mut error = self.expected("a command");
            let known = COMMANDS.map(|(name, _)| name);
            error.help = suggest::did_you_mean(word, known)
                .or_else(|| Some(format!("valid commands are {}", known.join(", "))));
            self.reading.report(error);
            return Err(Lost);
        };
        self.cursor.eat(word);
        let argument = match kind {
            CommandKind::Skip | CommandKind::More | CommandKind::Pop => None,
            _ => Some(self.argument(word)?),
        };
        Ok(CommandSyntax { kind, argument })
    }

    fn argument(&mut self, command: &str) -> Result<Argument, Lost> {
        if !self.eat("(") {
            let error = self.expected("`(`");
            self.reading.report(error.help(format!("write `{command}(NAME)`")));
            return Err(Lost);
        }
        let name = self.expect_name("a name")?;
        if !self.eat(")") {
            self.reading.report(self.expected("`)`"));
            return Err(Lost);
        }
        Ok(Argument { name: name.id, span: name.span })
    }
}
