//! What the size of a tree is measured in.

use gramercy_base::named::{Choice, Named, choice};

/// What the size of a tree is measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeUnit {
    /// Nodes of the tree: every production and every terminal is one.
    #[default]
    Nodes,
    /// Terminals.
    Tokens,
    /// Characters of the terminals' texts, without what separates tokens.
    Characters,
}

impl SizeUnit {
    /// What a production counts beside its symbols.
    #[must_use]
    pub fn of_production(self) -> usize {
        usize::from(self == Self::Nodes)
    }

    /// The unit as a plural noun.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::Tokens => "tokens",
            Self::Characters => "characters",
        }
    }
}

impl Named for SizeUnit {
    const CHOICES: &'static [Choice<Self>] = &[
        choice(Self::Nodes, "nodes", "nodes of the derivation tree, terminals included"),
        choice(Self::Tokens, "tokens", "terminals"),
        choice(Self::Characters, "characters", "characters of the terminals' texts"),
    ];
}
