//! Which derivations of an ambiguous input count.

use clap::{Args, ValueEnum};
use gramercy::Notation;
use gramercy::parse::Preferences;

/// For commands that read inputs.
#[derive(Args)]
pub(crate) struct TreesArgs {
    /// Derivations that count where an input has several: all, or the one that precedence and the
    /// order of alternatives prefer [default: preferred for ANTLR and yacc, else all]
    #[arg(long, value_name = "WHICH")]
    trees: Option<Trees>,
}

/// Which derivations count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Trees {
    Preferred,
    All,
}

impl TreesArgs {
    /// What was asked for, or what the notation's users expect.
    pub(crate) fn for_notation(&self, notation: Notation) -> Trees {
        match self.trees {
            Some(trees) => trees,
            None if Preferences::are_declared_in(notation) => Trees::Preferred,
            None => Trees::All,
        }
    }
}
