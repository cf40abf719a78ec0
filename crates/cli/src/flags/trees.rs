//! Which derivations of an ambiguous input count.

use clap::{Args, ValueEnum};
use gramercy::Grammar;
use gramercy::coverage::measure::CountedTrees;
use gramercy::parse::Preferences;

/// For commands that read inputs.
#[derive(Args)]
pub(crate) struct TreesArgs {
    /// Derivations that count where an input has several: all, or the one that the notation's own tool builds by
    /// precedence and the order of alternatives [default: preferred for ANTLR, yacc and declared precedence, else all]
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
    /// What was requested, or what the notation's users expect.
    pub(crate) fn for_grammar(&self, grammar: &Grammar) -> Trees {
        match self.trees {
            Some(trees) => trees,
            None if Preferences::are_declared_in(grammar) => Trees::Preferred,
            None => Trees::All,
        }
    }

    /// The same as the library names it.
    pub(crate) fn counted(&self, grammar: &Grammar) -> CountedTrees {
        match self.for_grammar(grammar) {
            Trees::Preferred => CountedTrees::Preferred,
            Trees::All => CountedTrees::All,
        }
    }
}
