//! What changes cost, and what reading further is worth. Energies are negative logarithms of likelihoods, up to a
//! constant.

/// The weights of the search.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Inserting something at a slot, before the costs of what is inserted.
    pub insert: f64,
    /// Leaving out a symbol that is not nullable.
    pub skip: f64,
    /// Substituting a symbol.
    pub substitute: f64,
    /// Two symbols in the other order.
    pub transpose: f64,
    /// How much a production counts that passing tests do not use.
    pub unused: f64,
    /// The most that it counts.
    pub unused_most: f64,
    /// One more alternative of a rule.
    pub alternative: f64,
    /// How much a rule with many alternatives is likelier to get one more: the factor of the logarithm of their number.
    pub choice: f64,
    /// Leaving out something before a rule has read anything.
    pub unread: f64,
    /// Inserting something before a rule has read anything.
    pub unread_insert: f64,
    /// How much likelier something is inserted right after a token of the same production.
    pub behind_token: f64,
    /// Inserting at an end of a production of one symbol.
    pub atomic: f64,
    /// Text that begins with another kind of character than all that can come.
    pub unlike: f64,
    /// Inserted text that opens or closes a bracket without its partner.
    pub unbalanced: f64,
    /// A rule whose matches the parser does not see takes text that it sees.
    pub hidden: f64,
    /// A token rule takes white space.
    pub space: f64,
    /// Repeating.
    pub repeat: f64,
    /// Each symbol that is inserted.
    pub symbol: f64,
    /// A phrase of a nonterminal beyond one symbol.
    pub phrase: f64,
    /// Each token between the change and the error.
    pub distance: f64,
    /// Each token between the change of a token rule and the error.
    pub token_distance: f64,
    /// A token rule that matches instead of an equally long match that won.
    pub keyword: f64,
    /// Reading all of the rest.
    pub progress: f64,
    /// Accepting the input.
    pub accepted: f64,
    /// Widening a set of characters by one.
    pub widen: f64,
    /// Each further character of a widened set.
    pub widen_more: f64,
    /// Inserting a character in a token rule.
    pub character: f64,
    /// A token rule that matches nothing of the text before its change.
    pub unmatched: f64,
    /// Each factor of two of the characters that a token rule matched before its change.
    pub matched: f64,
    /// A token rule that matches shorter, or another one that matches instead.
    pub rematch: f64,
    /// A vote below which a test does not point at a site.
    pub floor: f64,
    /// How much the best site of a rule counts beside the rule as a whole, from 0 to 1.
    pub together: f64,
    /// By how much each later error of an input counts less.
    pub later: f64,
    /// Divides energies before they are compared.
    pub temperature: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            insert: 1.0,
            skip: 0.8,
            substitute: 1.4,
            transpose: 2.0,
            unused: 2.0,
            unused_most: 4.0,
            alternative: 1.0,
            choice: 0.3,
            unread: 0.8,
            unread_insert: 0.3,
            behind_token: 0.4,
            atomic: 0.7,
            unlike: 1.2,
            unbalanced: 1.5,
            hidden: 2.0,
            space: 2.0,
            repeat: 1.4,
            symbol: 0.9,
            phrase: 0.15,
            distance: 0.5,
            token_distance: 0.25,
            keyword: 2.6,
            progress: 3.5,
            accepted: 1.0,
            widen: 1.0,
            widen_more: 0.3,
            character: 0.4,
            unmatched: 1.0,
            matched: 0.2,
            rematch: 2.0,
            floor: 0.5,
            together: 0.25,
            later: 0.6,
            temperature: 0.7,
        }
    }
}

/// Tokens after an error that count.
pub const HORIZON: usize = 40;

impl Weights {
    /// What reading `read` tokens is worth where `rest` tokens come from the error on.
    #[must_use]
    pub fn benefit(&self, read: usize, rest: usize, accepted: bool) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "at most the horizon")]
        let log = |n: usize| ((1 + n.min(HORIZON)) as f64).ln();
        let (read, bonus) = if accepted { (read + 1, self.accepted) } else { (read, 0.0) };
        self.progress * (log(read) / log(rest + 1)).min(1.0) + bonus
    }
}
