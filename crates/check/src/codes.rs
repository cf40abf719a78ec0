//! The diagnostic codes of the lints. The codes for ignored parts of a file are in the grammar
//! crate.

gramercy_base::codes! {
    /// No sentence can be derived from the start rule.
    EMPTY_LANGUAGE, "empty-language", Error;
    /// A rule cannot be reached from the start rule.
    UNREACHABLE_RULE, "unreachable-rule", Warning;
    /// Every alternative of a rule needs a symbol that derives nothing, so the rule derives no
    /// sentence.
    UNPRODUCTIVE_RULE, "unproductive-rule", Warning;
    /// A rule derives itself and nothing else, so each of its sentences has infinitely many trees.
    CYCLIC_RULE, "cyclic-rule", Warning;
    /// The body of a repetition can be empty, so a sentence that uses it has infinitely many trees.
    EMPTY_LOOP, "empty-loop", Warning;
    /// A lexical rule is used by no token rule.
    UNUSED_FRAGMENT, "unused-fragment", Warning;
    /// An alternative is written twice.
    DUPLICATE_ALTERNATIVE, "duplicate-alternative", Warning;
    /// Two rules differ only in their names.
    DUPLICATE_BODY, "duplicate-body", Note;
    /// A token rule never wins, because another rule matches wherever it does.
    LOSING_TOKEN, "losing-token", Warning;
    /// Token rules are used by other token rules only.
    MISSING_FRAGMENT, "missing-fragment", Note;
    /// A lexer mode cannot be entered.
    UNREACHABLE_MODE, "unreachable-mode", Warning;
    /// Parser rules use a token that the lexer always skips or puts on another channel.
    HIDDEN_TOKEN, "hidden-token", Warning;
    /// A parser rule uses a token where the lexer is in a mode without that token.
    IMPOSSIBLE_TOKEN, "impossible-token", Warning;
    /// The lexer creates, or the file declares, tokens that no parser rule uses.
    UNUSED_TOKEN, "unused-token", Note;
    /// A token rule matches the empty text without changing the mode.
    EMPTY_MATCH, "empty-match", Warning;
    /// Something could not be checked, because a limit was reached.
    NOT_CHECKED, "not-checked", Note;
    /// An LALR(1) parser could either reduce a rule or shift.
    SHIFT_REDUCE, "shift-reduce-conflict", Warning;
    /// An LALR(1) parser could reduce two different rules.
    REDUCE_REDUCE, "reduce-reduce-conflict", Warning;
    /// There are more or fewer conflicts than the file says with `%expect` and `%expect-rr`.
    UNEXPECTED_CONFLICTS, "unexpected-conflicts", Warning;
    /// How many conflicts an LALR(1) parser of the grammar has.
    CONFLICTS, "conflicts", Note;
    /// Inputs are rejected right after a match of a token rule with ignored code.
    LIKELY_CAUSE, "likely-cause", Warning;
}
