//! Texts of a token rule that contain a given path of its graph and that the lexer takes for this rule.
//!
//! Mostly the `shortest` text with the path is one. If it is not (an identifier that is a keyword), a
//! `search` finds the cheapest that is, or that there is none. `spelling` tells how terminals are written.

mod search;
mod shortest;
mod spelling;

use gramercy_base::Table;
use gramercy_grammar::NodeId;
use gramercy_language::Language;
use gramercy_lexis::Matching;

use search::{EXTRA_STEPS, Search, Way};
use shortest::Shortest;
use spelling::Spellings;

/// A text that a token rule derives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Witness {
    /// The text.
    pub text: String,
    /// Whether the input must end after it.
    pub at_end: bool,
}

/// Finds texts of one rule.
pub(crate) struct Witnesses<'w> {
    token: &'w Language,
    spellings: Spellings,
    shortest: Shortest<'w>,
    matching: Matching<'w>,
    parents: Table<NodeId, Vec<NodeId>>,
    /// Whether the lexer takes any text at all for this rule, once that was asked.
    is_possible: Option<bool>,
    extra_steps: usize,
}

impl<'w> Witnesses<'w> {
    pub(crate) fn new(token: &'w Language, matching: Matching<'w>) -> Self {
        let spellings = Spellings::new(token);
        let shortest = Shortest::new(token, &spellings);
        let mut parents = Table::filled(Vec::new(), token.graph().len());
        for node in token.graph().ids() {
            token.graph().children(node).iter().for_each(|&child| parents[child].push(node));
        }
        let (is_possible, extra_steps) = (None, EXTRA_STEPS);
        Self { token, spellings, shortest, matching, parents, is_possible, extra_steps }
    }

    /// A text that contains a path of symbolic nodes; `None` if there is none, or none was found within
    /// the steps of a search.
    pub(crate) fn find(&mut self, path: &[NodeId]) -> Option<Witness> {
        let shortest = self.shortest.find(path, &mut self.spellings, &self.matching);
        if let Some(witness) = shortest.filter(|witness| self.is_right(witness)) {
            return Some(witness);
        }
        let is_possible = self.is_possible.unwrap_or_else(|| self.search(&[]).is_some());
        self.is_possible = Some(is_possible);
        is_possible.then(|| self.search(path)).flatten()
    }

    fn is_right(&mut self, Witness { text, at_end }: &Witness) -> bool {
        let behind = self.matching.behind(text).ok().flatten();
        let can_win = behind.and_then(|state| self.matching.can_win(state, *at_end).ok());
        !text.is_empty() && can_win == Some(true)
    }

    fn search(&mut self, path: &[NodeId]) -> Option<Witness> {
        let Self { token, spellings, matching, parents, extra_steps, .. } = self;
        let way = Way::new(token.graph(), parents, path);
        Search::new(token, &way, spellings, matching).run(extra_steps).ok().flatten()
    }
}
