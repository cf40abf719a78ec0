//! The lints, one file each. A new one is a file and a line in [`ALL`].

mod cyclic_rules;
mod duplicate_alternatives;
mod duplicate_bodies;
mod empty_matches;
mod hidden_tokens;
mod ignored;
mod impossible_tokens;
mod losing_tokens;
mod missing_fragments;
mod unproductive_rules;
mod unreachable_modes;
mod unreachable_rules;
mod unused_tokens;

use gramercy_base::Diagnostic;

use crate::context::Context;

/// A lint.
#[derive(Clone, Copy)]
pub(crate) struct Lint {
    /// The codes with which a reader may have reported the same. A reader that reports one
    /// occurrence reports all.
    pub(crate) said_by: &'static [&'static str],
    /// Looks for mistakes and reports them.
    pub(crate) find: fn(&Context<'_>, &mut Vec<Diagnostic>),
}

/// The number of findings of one lint that are shown; the others are counted.
const MOST: usize = 50;

impl Lint {
    /// Reports the findings of the lint, unless the reader has reported them.
    pub(crate) fn run(
        &self,
        context: &Context<'_>,
        said: &[Diagnostic],
        found: &mut Vec<Diagnostic>,
    ) {
        if said.iter().any(|said| self.said_by.contains(&said.code.name)) {
            return;
        }
        let mut own = Vec::new();
        (self.find)(context, &mut own);
        if let Some(code) = own.get(MOST).map(|first| first.code) {
            let more = own.len() - MOST;
            own.truncate(MOST);
            own.push(Diagnostic::new(code, format!("{more} more of these are not shown")));
        }
        found.extend(own);
    }
}

/// All lints except the one for conflicts, which has its own limit.
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
    Lint { find: impossible_tokens::find, said_by: &[] },
    Lint { find: unused_tokens::find, said_by: &[] },
    Lint { find: empty_matches::find, said_by: &["empty-token"] },
    Lint { find: ignored::find, said_by: &[] },
];
