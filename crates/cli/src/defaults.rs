//! Defaults from `gramercy.toml`, the nearest one beside the grammar or above it.
//!
//! A key is an option's long name, without dashes; the grammar itself is `grammar`. Keys at the top
//! hold for every command that has the option; a table named like a command holds for that command
//! and goes first. Paths are relative to the file.
//!
//! The value of a key becomes the argument parser's own default of that option. So flags win, one
//! parser judges both, and a new option needs nothing here. Only the grammar is an operand, which may
//! stand before inputs: it is put into the arguments unless they name a grammar. They do if the first
//! operand has the extension of a notation, or `--notation` is given, and inputs follow it.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, Command, ValueHint};
use gramercy::base::{Code, Diagnostic, IndexMap, SourceId, Sources, Span, files};
use gramercy::formats::notation_of;
use gramercy::formats::suggest::did_you_mean;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::codes;
use crate::flags::SMALL_FILE;
use crate::outcome::Failure;

const FILE: &str = "gramercy.toml";

/// The argument that makes a command one about a grammar.
const GRAMMAR: &str = "grammar";

/// Options that make no sense as defaults.
const NEVER: [&str; 3] = ["help", "version", "no-config"];

/// The command with the defaults of the file that applies to these arguments, if there is one, and the
/// arguments with the grammar that the file names, if they name none.
pub(crate) fn apply(
    command: Command,
    arguments: &[OsString],
) -> Result<(Command, Vec<OsString>), Failure> {
    let mut arguments = arguments.to_vec();
    let Some(request) = Request::of(&command, &arguments) else {
        return Ok((command, arguments));
    };
    let Some(path) = request.folders.iter().find_map(|folder| nearest_file(folder)) else {
        return Ok((command, arguments));
    };
    let mut values = read_file(&command, &request.command, &path)?;
    let grammar = values.shift_remove(GRAMMAR).filter(|_| !request.names_grammar);
    if let Some(grammar) = grammar {
        // After the name of the command, so that what follows are its inputs.
        let at = arguments.iter().position(|argument| *argument == *request.command);
        let at = at.map_or(arguments.len(), |at| at + 1);
        arguments.splice(at..at, grammar);
    }
    Ok((with_defaults(command, &request.command, values), arguments))
}

/// Which command is asked for, and where its defaults are looked for.
struct Request {
    command: String,
    /// Whether the first operand is a grammar, not an input.
    names_grammar: bool,
    /// Where the search begins; the next one counts only if there is no file for the first.
    folders: Vec<PathBuf>,
}

impl Request {
    /// `None` if the command has no grammar, or defaults are not wanted. Mistakes in the arguments
    /// are passed over here: the real parse reports them.
    fn of(command: &Command, arguments: &[OsString]) -> Option<Self> {
        let matches = command.clone().ignore_errors(true).try_get_matches_from(arguments).ok()?;
        let (name, matches) = matches.subcommand()?;
        let grammar = matches.try_get_raw(GRAMMAR).ok()?;
        let grammar = grammar.and_then(|mut values| values.next()).map(PathBuf::from);
        let unwanted =
            matches.try_get_one::<bool>("no_config").is_ok_and(|flag| flag == Some(&true));
        let subcommand = command.find_subcommand(name)?;
        let takes_inputs = subcommand.get_positionals().count() > 1;
        let names_grammar = grammar.as_deref().is_some_and(|path| {
            let has_notation = matches.try_get_raw("notation").is_ok_and(|value| value.is_some());
            !takes_inputs
                || (has_notation || notation_of(path).is_some())
                    && !lacks_inputs(command, arguments)
        });
        let beside = match &grammar {
            Some(path) if path.is_dir() => path.clone(),
            Some(path) => path.parent().unwrap_or(Path::new("")).to_path_buf(),
            None => PathBuf::new(),
        };
        let folders = match takes_inputs {
            true => vec![beside, PathBuf::new()],
            false => vec![beside],
        };
        (!unwanted).then(|| Self { command: name.to_owned(), names_grammar, folders })
    }
}

/// Whether a command has no inputs if the first operand is its grammar.
fn lacks_inputs(command: &Command, arguments: &[OsString]) -> bool {
    let error = command.clone().try_get_matches_from(arguments).err();
    error.is_some_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
}

/// The file in this folder or the nearest one above it. The path stays relative where it can.
fn nearest_file(folder: &Path) -> Option<PathBuf> {
    let leads_up = folder.components().any(|part| part == Component::ParentDir);
    let folder = if leads_up { folder.canonicalize().ok()? } else { folder.to_path_buf() };
    let above = match folder.is_relative() {
        true => std::env::current_dir().ok()?.parent().map(Path::to_path_buf),
        false => None,
    };
    let folders = folder.ancestors().chain(above.iter().flat_map(|path| path.ancestors()));
    folders.map(|folder| folder.join(FILE)).find(|path| path.is_file())
}

/// The values of a file for a command, by the ids of its arguments.
fn read_file(
    command: &Command,
    name: &str,
    path: &Path,
) -> Result<IndexMap<String, Vec<OsString>>, Failure> {
    let text = files::read_text(path, SMALL_FILE).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", path.display());
        Failure::refused(Diagnostic::new(codes::BAD_DEFAULTS, message))
    })?;
    let mut sources = Sources::new();
    let source = sources.add(path.display().to_string(), text.as_str());
    let (table, errors) = DeTable::parse_recoverable(&text);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut reading = Reading {
        command,
        name,
        folder,
        source,
        problems: errors.iter().map(|error| bad_toml(source, error)).collect(),
        values: IndexMap::default(),
    };
    reading.read(table.get_ref());
    let Reading { mut problems, values, .. } = reading;
    if problems.is_empty() {
        return Ok(values);
    }
    problems.sort_by_key(Diagnostic::span);
    Err(Failure::Refused(problems, sources))
}

fn bad_toml(source: SourceId, error: &toml::de::Error) -> Diagnostic {
    let span = error.span().unwrap_or(0..0);
    Diagnostic::at(codes::BAD_DEFAULTS, Span::new(source, span.start, span.end), error.message())
}

/// The state of reading one file for one command.
struct Reading<'r> {
    command: &'r Command,
    name: &'r str,
    folder: &'r Path,
    source: SourceId,
    problems: Vec<Diagnostic>,
    /// The default values by the id of the argument.
    values: IndexMap<String, Vec<OsString>>,
}

impl Reading<'_> {
    /// The table of this command is read last, so that it overrides what holds for all.
    fn read(&mut self, table: &DeTable<'_>) {
        let (sections, general): (Vec<_>, Vec<_>) =
            table.iter().partition(|(_, value)| value.get_ref().is_table());
        for (key, value) in general {
            let mut commands = self.command.get_subcommands();
            let known = commands.any(|command| option_of(command, key.get_ref()).is_some());
            self.entry(key, value, self.name, known);
        }
        for (key, section) in sections {
            let name = key.get_ref().as_ref();
            let entries = section.get_ref().as_table().into_iter().flatten();
            match self.command.find_subcommand(name) {
                Some(_) => entries.for_each(|(key, value)| self.entry(key, value, name, false)),
                None => self.unknown_command(key),
            }
        }
    }

    /// Takes a key for a command. It may be one that is known only to others.
    fn entry(
        &mut self,
        key: &Spanned<DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        command: &str,
        known_to_others: bool,
    ) {
        let of_command = self.command.find_subcommand(command);
        let own =
            of_command.and_then(|command| Some((command, option_of(command, key.get_ref())?)));
        let shared = || Some((self.command, option_of(self.command, key.get_ref())?));
        match own.or_else(shared) {
            Some((owner, option)) => match self.values_of(owner, option, value) {
                Ok(values) if command == self.name && !values.is_empty() => {
                    self.values.insert(option.get_id().to_string(), values);
                }
                Ok(_) => {}
                Err(problem) => self.problems.push(*problem),
            },
            None if known_to_others => {}
            None => self.unknown_option(key, of_command),
        }
    }

    /// The value as words of a command line, judged by the parser of the command line.
    fn values_of(
        &self,
        owner: &Command,
        option: &Arg,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<OsString>, Box<Diagnostic>> {
        let reject =
            |message: &str| Box::new(self.at(codes::BAD_OPTION_VALUE, value.span(), message));
        if !takes_values(option) {
            return match value.get_ref() {
                DeValue::Boolean(true) => Ok(vec!["true".into()]),
                DeValue::Boolean(false) => Ok(Vec::new()),
                _ => Err(reject("this option is either `true` or `false`")),
            };
        }
        if option.get_num_args().is_some_and(|range| range.min_values() == 0)
            && let DeValue::Boolean(is_given) = value.get_ref()
        {
            let given = given_without_value(owner, option);
            return Ok(if *is_given { given } else { Vec::new() });
        }
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(Spanned::get_ref).collect(),
            single => vec![single],
        };
        let words = items.into_iter().map(|item| word(option, item, self.folder));
        let words = words.collect::<Option<Vec<_>>>();
        let words = words.ok_or_else(|| reject("this option takes text or a number"))?;
        match complaint(owner, option, &words) {
            Some(error) => Err(explain(reject, &error)),
            None => Ok(words),
        }
    }

    fn unknown_option(&mut self, key: &Spanned<DeString<'_>>, of: Option<&Command>) {
        let commands = of.into_iter().chain([self.command]);
        let names: Vec<_> = commands.flat_map(Command::get_arguments).filter_map(key_of).collect();
        let message = format!("there is no option `{}`", key.get_ref());
        let mut problem = self.at(codes::UNKNOWN_OPTION, key.span(), &message);
        problem.help = did_you_mean(key.get_ref(), names);
        self.problems.push(problem);
    }

    fn unknown_command(&mut self, key: &Spanned<DeString<'_>>) {
        let message = format!("there is no command `{}`", key.get_ref());
        let mut problem = self.at(codes::UNKNOWN_OPTION, key.span(), &message);
        problem.help =
            did_you_mean(key.get_ref(), self.command.get_subcommands().map(Command::get_name));
        self.problems.push(problem);
    }

    fn at(&self, code: Code, span: std::ops::Range<usize>, message: &str) -> Diagnostic {
        Diagnostic::at(code, Span::new(self.source, span.start, span.end), message)
    }
}

/// The key of an argument, if it may have a default.
fn key_of(option: &Arg) -> Option<&str> {
    let key = option.get_long().unwrap_or_else(|| option.get_id().as_str());
    (!NEVER.contains(&key)).then_some(key)
}

fn option_of<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let is_alias =
        |option: &Arg| option.get_all_aliases().is_some_and(|aliases| aliases.contains(&key));
    command.get_arguments().find(|option| key_of(option) == Some(key) || is_alias(option))
}

fn takes_values(option: &Arg) -> bool {
    let no_values = option.get_num_args().is_some_and(|range| !range.takes_values());
    option.get_action().takes_values() && !no_values
}

/// What the parser of the command line makes of an option whose value is left out.
fn given_without_value(owner: &Command, option: &Arg) -> Vec<OsString> {
    let Some(long) = option.get_long() else { return Vec::new() };
    let trial = owner.clone().no_binary_name(true).ignore_errors(true);
    let matches = trial.try_get_matches_from([format!("--{long}")]);
    let values = matches.ok().and_then(|matches| {
        let values = matches.try_get_raw(option.get_id().as_str()).ok()??;
        Some(values.map(ToOwned::to_owned).collect())
    });
    values.unwrap_or_default()
}

/// A value as a word of a command line.
fn word(option: &Arg, value: &DeValue<'_>, folder: &Path) -> Option<OsString> {
    let is_path = matches!(
        option.get_value_hint(),
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath | ValueHint::ExecutablePath
    );
    match value {
        DeValue::String(text) if is_path => Some(folder.join(text.as_ref()).into()),
        DeValue::String(text) => Some(text.as_ref().into()),
        DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().into()),
        DeValue::Float(number) => Some(number.as_str().into()),
        _ => None,
    }
}

/// What the parser of the command line has against these words, other than that more is missing.
fn complaint(owner: &Command, option: &Arg, words: &[OsString]) -> Option<clap::Error> {
    let mut line = Vec::new();
    if option.is_last_set() {
        line.push(OsString::from("--"));
    }
    for word in words {
        line.extend(option.get_long().map(|long| OsString::from(format!("--{long}"))));
        line.push(word.clone());
    }
    let trial = owner.clone().no_binary_name(true).subcommand_required(false);
    let error = trial.arg_required_else_help(false).try_get_matches_from(line).err()?;
    (error.kind() != ErrorKind::MissingRequiredArgument).then_some(error)
}

fn explain(reject: impl Fn(&str) -> Box<Diagnostic>, error: &clap::Error) -> Box<Diagnostic> {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim);
    let first = lines.next().unwrap_or_default();
    let mut problem = reject(first.strip_prefix("error: ").unwrap_or(first));
    problem.help = lines
        .find_map(|line| line.strip_prefix("[possible values: ")?.strip_suffix(']'))
        .map(|values| format!("possible values: {values}"));
    problem
}

fn with_defaults(command: Command, name: &str, values: IndexMap<String, Vec<OsString>>) -> Command {
    values.into_iter().fold(command, |command, (id, values)| {
        let values: Vec<_> = values.into_iter().map(clap::builder::OsStr::from).collect();
        let set = |option: Arg| option.required(false).default_values(values);
        if command.get_arguments().any(|option| *option.get_id() == id) {
            command.mut_arg(id, set)
        } else {
            command.mut_subcommand(name, |command| command.mut_arg(id, set))
        }
    })
}
