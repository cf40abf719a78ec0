//! How criteria are named: `kpath:2`, `step:3`, `pop-edge:lr1`, `lr-path:2`, several joined with `+`.
//!
//! A spec is a line of the registry ([`REGISTRY`]) with an argument.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use gramercy_base::LimitReached;
use gramercy_language::Language;
use gramercy_lr::Construction;

use crate::criteria::{ALIASES, REGISTRY};
use crate::criterion::Criterion;

/// A line of the registry: one criterion, or one family of criteria.
#[derive(Debug)]
pub struct Entry {
    /// The name, without an argument.
    pub name: &'static str,
    /// What stands after the colon.
    pub takes: Takes,
    /// What it wants covered, in one line.
    pub help: &'static str,
    /// Makes the criterion for a language.
    pub build: Build,
}

/// Makes a criterion for a language.
pub type Build =
    for<'v> fn(&'v Language, Argument) -> Result<Box<dyn Criterion + 'v>, LimitReached>;

/// What stands after the colon of a criterion's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A number from 1 on: `kpath:2`.
    Number,
    /// An automaton: `pop-edge:lr0`.
    Automaton,
    /// A number, then an automaton or nothing, which means `lr0`: `lr-path:2`, `lr-path:2:lr1`.
    NumberAndAutomaton,
}

/// The argument of a criterion. What it does not take has its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// The number.
    pub k: u32,
    /// The automaton.
    pub automaton: Construction,
}

impl Default for Argument {
    fn default() -> Self {
        Self { k: 1, automaton: Construction::Lr0 }
    }
}

/// A criterion as a user names it.
#[derive(Clone, Copy, Debug)]
pub struct CriterionSpec {
    entry: &'static Entry,
    argument: Argument,
}

impl PartialEq for CriterionSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.argument == other.argument
    }
}

impl Eq for CriterionSpec {}

impl Hash for CriterionSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.name(), self.argument).hash(state);
    }
}

/// Why a name is not a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong with it, without a final period.
    pub message: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SpecError {}

impl Entry {
    /// The name with what stands after it: `lr-path:K[:A]`.
    #[must_use]
    pub fn usage(&self) -> String {
        let argument = match self.takes {
            Takes::Nothing => "",
            Takes::Number => ":K",
            Takes::Automaton => ":A",
            Takes::NumberAndAutomaton => ":K[:A]",
        };
        format!("{}{argument}", self.name)
    }
}

/// All criteria with what they take and what they want covered, aliases included, for help texts.
#[must_use]
pub fn listed() -> Vec<(String, String)> {
    let entries = REGISTRY.iter().map(|entry| (entry.usage(), entry.help.to_owned()));
    let aliases =
        ALIASES.iter().map(|alias| (alias.name.to_owned(), format!("`{}`", alias.stands_for)));
    entries.chain(aliases).collect()
}

/// Names that are complete, with common arguments, for completions: `kpath:2`, `pop-edge:lr0`.
#[must_use]
pub fn examples() -> Vec<(String, String)> {
    let numbers = ["1", "2", "3"].as_slice();
    let automata = ["lr0", "lalr", "lr1"].as_slice();
    let of_entry = |entry: &Entry| {
        let arguments = match entry.takes {
            Takes::Nothing => return vec![(entry.name.to_owned(), entry.help.to_owned())],
            Takes::Number | Takes::NumberAndAutomaton => numbers,
            Takes::Automaton => automata,
        };
        let name = |argument: &&str| (format!("{}:{argument}", entry.name), entry.help.to_owned());
        arguments.iter().map(name).collect()
    };
    let aliases =
        ALIASES.iter().map(|alias| (alias.name.to_owned(), format!("`{}`", alias.stands_for)));
    REGISTRY.iter().flat_map(of_entry).chain(aliases).collect()
}

impl CriterionSpec {
    /// A criterion of the registry.
    ///
    /// # Errors
    /// If there is none of this name, or it does not take this argument.
    pub fn new(name: &str, argument: Option<&str>) -> Result<Self, SpecError> {
        if let Some(alias) = ALIASES.iter().find(|alias| alias.name == name) {
            return match argument {
                None => alias.stands_for.parse(),
                Some(_) => Err(error(format!("`{name}` takes no argument"))),
            };
        }
        let Some(entry) = REGISTRY.iter().find(|entry| entry.name == name) else {
            let known: Vec<String> = listed().into_iter().map(|(usage, _)| usage).collect();
            let known = known.join(", ");
            return Err(error(format!("`{name}` is not a criterion; known are {known}")));
        };
        let mut read = Argument::default();
        match (entry.takes, argument) {
            (Takes::Nothing, None) => {}
            (Takes::Nothing, Some(_)) => return Err(error(format!("`{name}` takes no argument"))),
            (Takes::Number, argument) => read.k = number(name, argument)?,
            (Takes::Automaton, argument) => read.automaton = automaton(name, argument)?,
            (Takes::NumberAndAutomaton, argument) => {
                let parts = argument.and_then(|argument| argument.split_once(':'));
                read.k = number(name, parts.map_or(argument, |(k, _)| Some(k)))?;
                if let Some((_, of)) = parts {
                    read.automaton = automaton(name, Some(of))?;
                }
            }
        }
        Ok(Self { entry, argument: read })
    }

    /// Several criteria joined with `+`.
    ///
    /// # Errors
    /// If one of them is not a criterion.
    pub fn parse_list(text: &str) -> Result<Vec<Self>, SpecError> {
        text.split('+').map(str::parse).collect()
    }

    /// The name, without the argument.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.entry.name
    }

    /// The argument.
    #[must_use]
    pub fn argument(&self) -> Argument {
        self.argument
    }

    /// The number of nodes of a path, if this is `kpath:K`.
    #[must_use]
    pub fn path_length(&self) -> Option<u32> {
        (self.name() == "kpath").then_some(self.argument.k)
    }

    /// The criterion for a language.
    ///
    /// # Errors
    /// If its targets are too many to be counted or held, or an automaton has too many states.
    pub fn build<'v>(
        &self,
        language: &'v Language,
    ) -> Result<Box<dyn Criterion + 'v>, LimitReached> {
        let criterion = (self.entry.build)(language, self.argument)?;
        let limits = language.limits();
        match criterion.targets() > limits.targets as u64 {
            true => Err(crate::criteria::too_many_targets(limits)),
            false => Ok(criterion),
        }
    }
}

impl FromStr for CriterionSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        match text.split_once(':') {
            Some((name, argument)) => Self::new(name, Some(argument)),
            None => Self::new(text, None),
        }
    }
}

fn error(message: String) -> SpecError {
    SpecError { message }
}

fn number(name: &str, argument: Option<&str>) -> Result<u32, SpecError> {
    let argument = argument.ok_or_else(|| error(format!("`{name}` needs a number: `{name}:2`")))?;
    match argument.parse() {
        Ok(0) => Err(error(format!("`{name}:0` covers nothing; the least is `{name}:1`"))),
        Ok(number) => Ok(number),
        Err(_) => Err(error(format!("`{argument}` is not a number that `{name}` can take"))),
    }
}

fn automaton(name: &str, argument: Option<&str>) -> Result<Construction, SpecError> {
    let known = Construction::ALL.map(Construction::as_str).join(", ");
    let argument = argument.ok_or_else(|| {
        error(format!("`{name}` needs an automaton, one of {known}: `{name}:lr0`"))
    })?;
    Construction::ALL
        .into_iter()
        .find(|construction| construction.as_str() == argument)
        .ok_or_else(|| error(format!("`{argument}` is not an automaton; known are {known}")))
}

impl fmt::Display for CriterionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Argument { k, automaton } = self.argument;
        let name = self.name();
        let full = match self.entry.takes {
            Takes::Nothing => name.to_owned(),
            Takes::Number => format!("{name}:{k}"),
            Takes::Automaton => format!("{name}:{}", automaton.as_str()),
            Takes::NumberAndAutomaton if automaton == Construction::Lr0 => format!("{name}:{k}"),
            Takes::NumberAndAutomaton => format!("{name}:{k}:{}", automaton.as_str()),
        };
        let is_usual = |alias: &&crate::criteria::Alias| alias.is_usual && alias.stands_for == full;
        f.write_str(ALIASES.iter().find(is_usual).map_or(&full, |alias| alias.name))
    }
}

#[cfg(test)]
mod tests {
    use super::{CriterionSpec, listed};
    use crate::criteria::{ALIASES, REGISTRY};

    #[test]
    fn names_are_read_and_written() {
        let names = ["symbol", "rule", "cdrc", "step:3", "bfs:2", "kpath:4", "pop-edge:lr1"];
        for name in names.into_iter().chain(["lr-path:2", "lr-path:3:lr1"]) {
            assert_eq!(name.parse::<CriterionSpec>().expect("known").to_string(), name);
        }
        assert_eq!("step:2".parse::<CriterionSpec>(), "cdrc".parse());
        assert_eq!("bfs:2".parse::<CriterionSpec>(), "cdrc-full".parse());
        assert_eq!(CriterionSpec::parse_list("rule+kpath:2").map(|list| list.len()), Ok(2));
    }

    #[test]
    fn the_registry_is_complete() {
        let mut names: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        names.extend(ALIASES.iter().map(|alias| alias.name));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        for (usage, help) in listed() {
            assert!(!help.is_empty(), "{usage}");
        }
        for (name, _) in super::examples() {
            assert!(name.parse::<CriterionSpec>().is_ok(), "{name}");
        }
        for alias in ALIASES {
            assert!(alias.stands_for.parse::<CriterionSpec>().is_ok(), "{}", alias.name);
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let check = |name: &str, expected: &str| {
            let message = name.parse::<CriterionSpec>().expect_err("a mistake").message;
            assert!(message.contains(expected), "{name}: {message}");
        };
        check("kpath:0", "the least is");
        check("kpath", "needs a number");
        check("kpath:x", "not a number");
        check("kpath:99999999999", "not a number");
        check("rule:2", "takes no argument");
        check("cdrc:2", "takes no argument");
        check("pop-edge:lr7", "known are lr0, lalr, lr1");
        check("lr-path:2:lr7", "known are lr0, lalr, lr1");
        check("lr-path:0:lr0", "the least is");
        check("foo", "known are symbol");
    }
}
