//! Reads right-hand sides, one item, mark or command after the other.

use gramercy_base::Diagnostic;
use gramercy_grammar::Associativity;

use super::read::{begins_rule, is_name, is_name_start};
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
            Some('@') if self.cursor.eat("@@") => {
                let probability = self.probability();
                body.marks().probability = probability;
                body.end_items();
            }
            Some('#') => self.label(body)?,
            Some('%') => self.precedence(body)?,
            Some('-') if self.cursor.eat("->") => self.commands(body, commands)?,
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
        let label = self.item_label()?;
        if self.next() == Some('(') {
            return self.open_group(body, label);
        }
        let start = self.cursor.offset();
        let kind = match self.leaf()? {
            Some(kind) => kind,
            None => self.reference()?,
        };
        let piece = self.tree.push(kind, self.cursor.span_from(start));
        if let Some(label) = label {
            self.tree.label(piece, &label);
        }
        body.item(piece);
        self.quantifier(body)
    }

    /// The `left=` of `left=Expr`, if it is there.
    fn item_label(&mut self) -> Result<Option<Box<str>>, Lost> {
        let mut ahead = self.cursor.clone();
        let named = ahead.peek().is_some_and(|c| is_name_start(c) || c == '`');
        if !named {
            return Ok(None);
        }
        let before = self.cursor.offset();
        let name = self.expect_name("a name")?;
        ahead = self.ahead();
        if !ahead.eat("=") {
            self.cursor.seek(before);
            return Ok(None);
        }
        self.cursor.seek(ahead.offset());
        Ok(Some(self.tree.text(name.id).into()))
    }

    fn reference(&mut self) -> Result<PieceKind, Lost> {
        match self.name()? {
            Some(name) if !name.quoted && self.tree.text(name.id) == "EOF" => Ok(PieceKind::Eof),
            Some(name) => Ok(PieceKind::Name(name.id)),
            None => {
                let mut error = self.expected("a name, a literal, a class or `(`");
                if self.cursor.rest().starts_with("..") {
                    error = error.help("a range is \"a\"..\"z\"; a single `.` is any character");
                }
                self.reading.report(error);
                Err(Lost)
            }
        }
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
        body.marks().label = Some(self.tree.text(name.id).into());
        body.end_items();
        Ok(())
    }

    /// `%prec TOKEN` or `%dprec N`.
    fn precedence(&mut self, body: &mut Body) -> Result<(), Lost> {
        if self.cursor.eat("%prec") {
            let terminal = self.terminal()?;
            body.marks().precedence_of = Some(terminal);
        } else if self.cursor.eat("%dprec") {
            let Some(number) = self.number() else {
                self.reading.report(self.expected("a number"));
                return Err(Lost);
            };
            body.marks().dynamic_precedence = Some(number);
        } else {
            self.reading.report(self.expected("`%prec` or `%dprec`"));
            return Err(Lost);
        }
        body.end_items();
        Ok(())
    }

    /// Behind `->`.
    fn commands(&mut self, body: &mut Body, of_rule: Commands) -> Result<(), Lost> {
        if body.has_ended() {
            self.reading.report(self.expected("the commands of an alternative before its marks"));
            return Err(Lost);
        }
        let start = self.cursor.offset() - 2;
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
