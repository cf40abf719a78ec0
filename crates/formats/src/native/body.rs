//! Reads right-hand sides, one item, mark or command after the other.

use gramercy_base::{Diagnostic, Span};
use gramercy_grammar::Associativity;

use super::codes::REPEATED;
use super::read::{Name, begins_rule, is_name};
use crate::ebnf::body::Body;
use crate::ebnf::numbers::Lost;
use crate::ebnf::rule::OpenRule;
use crate::ebnf::scanner::Scanner;
use crate::ebnf::syntax::{Argument, CommandKind, CommandSyntax, PieceKind};
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

/// Which commands the alternatives of a rule have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Commands {
    /// Those that are written.
    AsWritten,
    /// `skip`, and behind it those that are written.
    Skip,
}

/// What a step in a right-hand side came upon.
#[derive(PartialEq, Eq)]
enum Step {
    More,
    End,
}

impl Scanner<'_, '_, '_> {
    /// Reads up to and with the semicolon.
    pub(super) fn body(&mut self, rule: &mut OpenRule, commands: Commands) -> Result<(), Lost> {
        while self.step(rule, commands)? == Step::More {}
        Ok(())
    }

    fn step(&mut self, rule: &mut OpenRule, commands: Commands) -> Result<Step, Lost> {
        let end = self.cursor.offset();
        let next = self.next();
        let body = &mut rule.body;
        match next {
            None => {
                self.end_alternative(body, commands);
                self.end_of_file_in_rule(body, end);
                return Ok(Step::End);
            }
            Some(';') => {
                self.end_alternative(body, commands);
                self.report_unclosed(body);
                self.cursor.bump();
                return Ok(Step::End);
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
                return Ok(Step::End);
            }
            Some(_) => self.item(body)?,
        }
        Ok(Step::More)
    }

    /// Puts the command of a `skip` rule behind an alternative that has none.
    fn end_alternative(&mut self, body: &mut Body, commands: Commands) {
        if commands == Commands::Skip && body.depth() == 0 && !body.has_commands() {
            let skip = CommandSyntax { kind: CommandKind::Skip, argument: None };
            let here = self.here();
            body.commands(self.tree.push(PieceKind::Commands([skip].into()), here));
        }
    }

    /// An item: a label perhaps, an atom or an opening parenthesis, and its quantifier.
    fn item(&mut self, body: &mut Body) -> Result<(), Lost> {
        if body.has_ended() {
            self.reading.report(self.expected("`|`, `)` or `;` behind marks and commands"));
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
        let piece = self.tree.push(kind, self.cursor.span_from(start));
        if let Some(label) = label {
            self.tree.label(piece, &label);
        }
        body.item(piece);
        self.quantifier(body)
    }

    /// Turns the `left` of `left=Expr` into a label and reads the name behind it, if there is one.
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

    fn reference(&mut self, name: Name) -> PieceKind {
        match self.tree.text(name.id) {
            "EOF" if !name.quoted => PieceKind::Eof,
            _ => PieceKind::Name(name.id),
        }
    }

    fn expect_leaf(&mut self) -> Result<PieceKind, Lost> {
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

    /// Reads the quantifier behind an item, if there is one.
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

    /// `<right>` before the items of an alternative.
    fn associativity(&mut self, body: &mut Body) -> Result<(), Lost> {
        if !body.is_empty() || body.has_ended() {
            let error = self.expected("a name, a literal, a class or `(`");
            let help = "an associativity such as `<right>` stands before the items";
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

    /// `# Name`.
    fn label(&mut self, body: &mut Body) -> Result<(), Lost> {
        self.cursor.bump();
        let name = self.expect_name("the name of the alternative")?;
        let repeated = body.marks().label.replace(self.tree.text(name.id).into()).is_some();
        self.refuse_repeated(repeated, name.span);
        body.end_items();
        Ok(())
    }

    /// `%prec TOKEN` or `%dprec N`.
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
            let message = "this was said about the alternative already";
            self.reading.report(Diagnostic::at(REPEATED, span, message));
        }
    }

    /// `->` and what follows it.
    fn commands(&mut self, body: &mut Body, of_rule: Commands) -> Result<(), Lost> {
        if body.has_ended() {
            let message = "commands stand once, behind the items and before marks";
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
        body.commands(self.tree.push(PieceKind::Commands(commands.into()), span));
        Ok(())
    }

    fn command(&mut self) -> Result<CommandSyntax, Lost> {
        self.trivia();
        let word = self.cursor.clone().eat_while(is_name);
        let Some(&(_, kind)) = COMMANDS.iter().find(|(name, _)| *name == word) else {
            let mut error = self.expected("a command");
            let known = COMMANDS.map(|(name, _)| name);
            error.help = suggest::did_you_mean(word, known)
                .or_else(|| Some(format!("known are {}", known.join(", "))));
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
