//! Lexer commands: their arguments and their positions.

use gramercy_base::{Diagnostic, Id, IndexSet, Set, Span};
use gramercy_grammar::{ChannelId, Command, ModeId};

use super::Lowering;
use crate::antlr4::codes as antlr;
use crate::antlr4::gather::{DEFAULT_MODE, Unit};
use crate::antlr4::symbols::TokenOrigin;
use crate::antlr4::tree::{Atom, Block, CommandSyntax, Rule, Texts};
use crate::codes;

/// The modes of a lexer by name.
#[derive(Debug)]
pub(super) struct Modes<'t> {
    names: IndexSet<&'t str>,
}

impl<'t> Modes<'t> {
    pub(super) fn new(texts: &'t Texts, lexer: Option<&Unit>) -> Self {
        let others = lexer.map_or(&[][..], |lexer| &lexer.modes);
        let others = others.iter().map(|&name| texts.get(name));
        Self { names: std::iter::once(DEFAULT_MODE).chain(others).collect() }
    }

    /// The mode of a rule in a section of its grammar, or in none.
    pub(super) fn id(section: Option<usize>) -> ModeId {
        ModeId::from_index(section.map_or(0, |section| section + 1))
    }

    /// The mode with a name or number.
    fn get(&self, name: &str) -> Option<ModeId> {
        let number = || name.parse().ok().filter(|&number| number < self.names.len());
        self.names.get_index_of(name).or_else(number).map(ModeId::from_index)
    }
}

/// The channels of a lexer by name. Numbers beyond the named ones become channels when used.
#[derive(Debug)]
pub(super) struct Channels<'t> {
    names: IndexSet<&'t str>,
}

impl<'t> Channels<'t> {
    pub(super) fn new(texts: &'t Texts, lexer: Option<&Unit>) -> Self {
        let others = lexer.map_or(&[][..], |lexer| &lexer.channels);
        let others = others.iter().map(|&name| texts.get(name));
        Self { names: ["DEFAULT_TOKEN_CHANNEL", "HIDDEN"].into_iter().chain(others).collect() }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.names.iter().copied()
    }

    /// The channel with a name or number.
    fn get(&mut self, name: &'t str) -> Option<ChannelId> {
        let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
        let named = self.names.get_index_of(name);
        let known = named.or_else(|| name.parse().ok().filter(|&n: &usize| n < self.names.len()));
        match known {
            Some(index) => Some(ChannelId::from_index(index)),
            None if is_number => Some(ChannelId::from_index(self.names.insert_full(name).0)),
            None => None,
        }
    }
}

/// The names of all commands.
const ALL: [&str; 7] = ["skip", "more", "type", "channel", "mode", "pushMode", "popMode"];

/// The usual spelling of a command: as in ANTLR, upper and lower case do not matter.
pub(crate) fn canonical(name: &str) -> &str {
    ALL.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

/// The commands that change the text of tokens.
#[derive(Debug)]
pub(super) struct CommandUses<'t> {
    /// The token types of `type` commands.
    types: Set<&'t str>,
    /// Whether text is ever kept for the next match.
    more: bool,
}

impl<'t> CommandUses<'t> {
    pub(super) fn new(texts: &'t Texts, rules: &[Rule]) -> Self {
        let mut uses = Self { types: Set::default(), more: false };
        rules.iter().for_each(|rule| uses.add(texts, &rule.body));
        uses
    }

    fn add(&mut self, texts: &'t Texts, block: &Block) {
        for alternative in &block.alternatives {
            for command in &alternative.commands {
                match (canonical(texts.get(command.name)), command.argument) {
                    ("type", Some(name)) => drop(self.types.insert(texts.get(name))),
                    ("more", None) => self.more = true,
                    _ => {}
                }
            }
            for element in &alternative.elements {
                if let Atom::Block(block) = &element.atom {
                    self.add(texts, block);
                }
            }
        }
    }

    /// Whether tokens of a type may have a text other than their rule's literal.
    pub(super) fn changes_text_of(&self, name: &str, rule: &Rule) -> bool {
        let has_commands = rule.body.alternatives.iter().any(|a| !a.commands.is_empty());
        self.more || self.types.contains(name) || has_commands && !self.types.is_empty()
    }
}

impl<'a> Lowering<'a, '_> {
    /// Resolves commands; errors are reported.
    pub(super) fn commands(&mut self, commands: &[CommandSyntax]) -> Vec<Command> {
        commands.iter().filter_map(|&command| self.command(command)).collect()
    }

    fn command(&mut self, command: CommandSyntax) -> Option<Command> {
        let name = canonical(self.texts.get(command.name));
        let plain = match name {
            "skip" => Some(Command::Skip),
            "more" => Some(Command::More),
            "popMode" => Some(Command::PopMode),
            "type" | "channel" | "mode" | "pushMode" => None,
            _ => {
                self.report_unknown_command(name, command.name);
                return None;
            }
        };
        match (plain, command.argument) {
            (Some(plain), None) => Some(plain),
            (None, Some(argument)) => self.with_argument(name, argument),
            (Some(_), Some(argument)) => {
                let message = format!("the command `{name}` takes no argument");
                self.reading.report(Diagnostic::at(antlr::COMMAND_ARGUMENT, argument, message));
                None
            }
            (None, None) => {
                let message = format!("the command `{name}` needs an argument");
                let help = format!("write `{name}(NAME)`");
                let diagnostic = Diagnostic::at(antlr::COMMAND_ARGUMENT, command.name, message);
                self.reading.report(diagnostic.help(help));
                None
            }
        }
    }

    fn report_unknown_command(&mut self, name: &'a str, span: Span) {
        let message = format!("there is no lexer command `{name}`");
        let mut diagnostic = Diagnostic::at(antlr::UNKNOWN_COMMAND, span, message);
        let all = || format!("valid commands are {}", ALL.join(", "));
        let nearest = Self::suggestion(&mut self.suggestions, name, ALL);
        diagnostic.help = Some(nearest.unwrap_or_else(all));
        self.reading.report(diagnostic);
    }

    fn with_argument(&mut self, command: &str, argument: Span) -> Option<Command> {
        let name = self.texts.get(argument);
        let (found, report): (_, fn(&mut Self, &'a str, Span)) = match command {
            "type" => (self.token_type(name, argument), Self::report_unknown_token),
            "channel" => {
                (self.channels.get(name).map(Command::Channel), Self::report_unknown_channel)
            }
            "mode" => (self.modes.get(name).map(Command::Mode), Self::report_unknown_mode),
            _ => (self.modes.get(name).map(Command::PushMode), Self::report_unknown_mode),
        };
        if found.is_none() {
            report(self, name, argument);
        }
        found
    }

    fn token_type(&mut self, name: &str, span: Span) -> Option<Command> {
        match self.symbols.tokens.get(name)? {
            TokenOrigin::Fragment => None,
            TokenOrigin::Known | TokenOrigin::Retyped => {
                Some(Command::Type(self.builder.token(name, Some(span))))
            }
        }
    }

    fn report_unknown_token(&mut self, name: &'a str, span: Span) {
        if !self.is_missing(antlr::UNKNOWN_TOKEN, name) {
            return;
        }
        let message = format!("there is no token type `{name}`");
        let tokens = self.symbols.tokens.keys().copied().filter(|&known| known != name);
        let help = match name.parse::<u64>() {
            Ok(_) => "use the name of the token; the numbers of types are ANTLR's own".to_owned(),
            Err(_) => Self::suggestion(&mut self.suggestions, name, tokens)
                .unwrap_or_else(|| format!("declare it with `tokens {{ {name} }}`")),
        };
        self.reading.report(Diagnostic::at(antlr::UNKNOWN_TOKEN, span, message).help(help));
    }

    fn report_unknown_channel(&mut self, name: &'a str, span: Span) {
        if !self.is_missing(antlr::UNKNOWN_CHANNEL, name) {
            return;
        }
        let message = format!("there is no channel `{name}`");
        let help = Self::suggestion(&mut self.suggestions, name, self.channels.names())
            .unwrap_or_else(|| {
                format!("declare it with `channels {{ {name} }}` in a lexer grammar")
            });
        self.reading.report(Diagnostic::at(antlr::UNKNOWN_CHANNEL, span, message).help(help));
    }

    fn report_unknown_mode(&mut self, name: &'a str, span: Span) {
        if !self.is_missing(codes::UNKNOWN_MODE, name) {
            return;
        }
        let message = format!("there is no mode `{name}`");
        let mut diagnostic = Diagnostic::at(codes::UNKNOWN_MODE, span, message);
        let known = self.modes.names.iter().copied();
        diagnostic.help = Self::suggestion(&mut self.suggestions, name, known);
        self.reading.report(diagnostic);
    }

    /// Warns about commands that ANTLR rejects or ignores.
    pub(super) fn check_commands(&mut self, rule: &Rule) {
        let Some(command) = first_command(&rule.body) else {
            return;
        };
        let name = self.texts.get(rule.name);
        let at_the_end = matches!(&rule.body.alternatives[..], [only] if !only.commands.is_empty());
        if rule.fragment {
            let message = format!("commands in the fragment `{name}` are never executed");
            let help = "write them in the rules that use it";
            let code = antlr::COMMAND_IN_FRAGMENT;
            self.reading.report(Diagnostic::at(code, command, message).help(help));
        } else if !at_the_end {
            let message = format!("ANTLR requires the commands of `{name}` at its end");
            let help = "define a rule for each alternative with commands";
            let code = antlr::MISPLACED_COMMAND;
            self.reading.report(Diagnostic::at(code, command, message).help(help));
        }
    }
}

fn first_command(block: &Block) -> Option<Span> {
    block.alternatives.iter().find_map(|alternative| {
        let nested = alternative.elements.iter().find_map(|element| match &element.atom {
            Atom::Block(block) => first_command(block),
            _ => None,
        });
        nested.or_else(|| alternative.commands.first().map(|command| command.span()))
    })
}
