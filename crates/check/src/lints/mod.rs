//! The lints, a file each. A new one is a file and a line in [`ALL`].

mod cyclic_rules;
mod duplicate_alternatives;
mod duplicate_bodies;
mod empty_matches;
mod hidden_tokens;
mod losing_tokens;
mod missing_fragments;
mod set_aside;
mod unproductive_rules;
mod unreachable_modes;
mod unreachable_rules;
mod unused_tokens;

use gramercy_base::Diagnostic;

use crate::conflicts;
use crate::context::Context;

/// A lint.
pub(crate) struct Lint {
    /// The codes under which a reader may have said the same. A reader that says it of one place says
    /// it of all.
    pub(crate) said_by: &'static [&'static str],
    /// Looks for mistakes and says what it found.
    pub(crate) find: fn(&Context<'_>, &mut Vec<Diagnostic>),
}

/// All lints.
pub(crate) const ALL: &[Lint] = &[
    Lint { find: unproductive_rules::find, said_by: &[] },
    Lint { find: unreachable_rules::find, said_by: &["unconnected-rules"] },
    Lint { find: cyclic_rules::find_rules, said_by: &[] },
    Lint { find: cyclic_rules::find_loops, said_by: &["nullable-loop"] },
    Lint { find: duplicate_alternatives::find, said_by: &[] },
    Lint { find: duplicate_bodies::find, said_by: &[] },
    Lint { find: missing_fragments::find, said_by: &[] },
    Lint { find: losing_tokens::find, said_by: &[] },
    Lint { find: unreachable_modes::find, said_by: &[] },
    Lint { find: hidden_tokens::find, said_by: &[] },
    Lint { find: unused_tokens::find, said_by: &[] },
    Lint { find: empty_matches::find, said_by: &["empty-token"] },
    Lint { find: conflicts::find, said_by: &[] },
    Lint { find: set_aside::find, said_by: &[] },
];
