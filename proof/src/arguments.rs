//! The command line arguments of the proofs.

use gramercy_proof::Fallible;

pub(crate) const USAGE: &str = "\
usage: gramercy-proof antlr [--short] [--random N] [--texts N] [--tokens N] [--seed N] [GRAMMAR…]
       gramercy-proof suites [--short] [--targets N] [GRAMMAR…]
       gramercy-proof lr-suites [--short]
       gramercy-proof negatives [--short] [--tests N] [GRAMMAR…]
       gramercy-proof negatives-again [--short] [--tests N] [GRAMMAR…]
       gramercy-proof preferred-trees [--short] [--grammars N] [--texts N] [--seed N]
       gramercy-proof faults [--short] [--patches 0] [FAULT…]
       gramercy-proof seeded-faults [--short] [--faults N] [--repairs N] [GRAMMAR…]";

/// Names of grammars, and flags; all except `--short` have a number.
pub(crate) struct Arguments {
    pub(crate) is_short: bool,
    pub(crate) names: Vec<String>,
    numbers: Vec<(String, u32)>,
}

impl Arguments {
    /// Parses the arguments of a proof with these flags.
    pub(crate) fn of(arguments: &[String], flags: &[&str]) -> Fallible<Self> {
        let mut read = Self { is_short: false, names: Vec::new(), numbers: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match &**argument {
                "--short" => read.is_short = true,
                flag if flags.contains(&flag) => {
                    let value = rest.next().ok_or_else(|| USAGE.to_owned())?;
                    let number = value.parse().map_err(|error| format!("{value}: {error}"))?;
                    read.numbers.push((flag.to_owned(), number));
                }
                flag if flag.starts_with('-') => return Err(USAGE.to_owned()),
                name => read.names.push(name.to_owned()),
            }
        }
        Ok(read)
    }

    /// The number of a flag, or a default.
    pub(crate) fn number(&self, flag: &str, usual: u32) -> u32 {
        let found = self.numbers.iter().rev().find(|(name, _)| name == flag);
        found.map_or(usual, |(_, number)| *number)
    }

    /// Whether a grammar is selected: without names, all are.
    pub(crate) fn mean(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| wanted == name)
    }
}
