//! What a lint may say. What was set aside has the codes of the grammar crate.

gramercy_base::codes! {
    /// No sentence can be derived from the start rule.
    EMPTY_LANGUAGE, "empty-language", Error;
    /// A rule cannot be reached from the start rule.
    UNREACHABLE_RULE, "unreachable-rule", Warning;
    /// A rule derives no sentence, because each of its alternatives needs something that derives none.
    UNPRODUCTIVE_RULE, "unproductive-rule", Warning;
    /// A rule derives itself and nothing else, so that each of its sentences has infinitely many trees.
    CYCLIC_RULE, "cyclic-rule", Warning;
    /// What a repetition repeats can be empty, so that a sentence through it has infinitely many trees.
    EMPTY_LOOP, "empty-loop", Warning;
    /// A lexical rule is used by no token rule.
    UNUSED_FRAGMENT, "unused-fragment", Warning;
    /// An alternative is written twice.
    DUPLICATE_ALTERNATIVE, "duplicate-alternative", Warning;
    /// Two rules differ only in their names.
    DUPLICATE_BODY, "duplicate-body", Note;
    /// A token rule never wins, because another matches wherever it does.
    LOSING_TOKEN, "losing-token", Warning;
    /// Token rules are used by other token rules only.
    MISSING_FRAGMENT, "missing-fragment", Note;
    /// A lexer mode cannot be entered.
    UNREACHABLE_MODE, "unreachable-mode", Warning;
    /// A token that parser rules use is always skipped or on another channel.
    HIDDEN_TOKEN, "hidden-token", Warning;
    /// A parser rule waits for a token where the lexer is in a mode that does not make it.
    IMPOSSIBLE_TOKEN, "impossible-token", Warning;
    /// Tokens are made or declared that no parser rule uses.
    UNUSED_TOKEN, "unused-token", Note;
    /// A token rule matches the empty text without changing the mode.
    EMPTY_MATCH, "empty-match", Warning;
    /// Something could not be checked, because a limit was reached.
    NOT_CHECKED, "not-checked", Note;
    /// Where an LALR(1) parser could reduce a rule, it could also read on.
    SHIFT_REDUCE, "shift-reduce-conflict", Warning;
    /// Where an LALR(1) parser could reduce a rule, it could also reduce another.
    REDUCE_REDUCE, "reduce-reduce-conflict", Warning;
    /// There are more or fewer conflicts than the file says with `%expect` and `%expect-rr`.
    UNEXPECTED_CONFLICTS, "unexpected-conflicts", Warning;
    /// How many conflicts an LALR(1) parser of the grammar has.
    CONFLICTS, "conflicts", Note;
}
