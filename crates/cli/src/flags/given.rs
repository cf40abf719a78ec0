//! Which options stand on the command line, as opposed to `gramercy.toml` and built-in defaults.

use clap::parser::{ArgMatches, ValueSource};
use clap::{Args, Command, FromArgMatches};

use crate::console::Console;

/// The ids of the arguments on the command line. It must be the first field of its struct, for reading
/// the other fields takes them out of the matches.
#[derive(Clone, Default)]
pub(crate) struct Given {
    ids: Vec<String>,
    /// Whether the seed is to be drawn.
    draws_seed: bool,
}

impl Given {
    /// Whether an argument stands on the command line.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.ids.iter().any(|given| given == id)
    }

    /// Prints the seed, if it was drawn.
    pub(crate) fn say_seed(&self, seed: u64, console: &Console) {
        if self.draws_seed {
            console.say(&format!("seed {seed}\n"));
        }
    }

    /// The first argument on the command line that is none of these.
    pub(crate) fn first_but(&self, allowed: &[&str]) -> Option<String> {
        self.first(|id| !allowed.contains(&id))
    }

    /// The first argument on the command line that is one of these.
    pub(crate) fn first_of(&self, listed: &[&str]) -> Option<String> {
        self.first(|id| listed.contains(&id))
    }

    /// The first argument on the command line with a property, as written.
    fn first(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let found = self.ids.iter().find(|id| is_wanted(id))?;
        Some(format!("--{}", found.replace('_', "-")))
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_given = |id: &&clap::Id| {
            matches.value_source(id.as_str()) == Some(ValueSource::CommandLine)
                // Groups of arguments are named like their structs.
                && id.as_str().starts_with(|first: char| first.is_ascii_lowercase())
        };
        let ids = matches.ids().filter(is_given).map(ToString::to_string);
        let seed = matches.try_get_raw("seed").ok().flatten().and_then(|mut seeds| seeds.next());
        Ok(Self { ids: ids.collect(), draws_seed: seed.is_some_and(|seed| seed == "random") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
