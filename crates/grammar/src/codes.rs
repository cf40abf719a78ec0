//! The diagnostic codes for everything that a reader ignores.

gramercy_base::codes! {
    /// A semantic predicate is ignored: the original may accept less than the plain grammar.
    PREDICATE, "predicate", Note;
    /// Code that runs when a rule matches is ignored.
    ACTION, "action", Note;
    /// Code of a base class or a member section is ignored: it may control the original's lexer or
    /// parser.
    HOST_CODE, "host-code", Note;
    /// A production with the `error` token is ignored: it serves error recovery, not the language.
    ERROR_PRODUCTION, "error-production", Note;
    /// Non-associative operators may follow each other here: the original accepts less.
    NON_ASSOCIATIVE, "non-associative", Note;
    /// The start rule does not end with the end of input, so the original may stop early.
    START_WITHOUT_EOF, "start-without-eof", Note;
    /// A declaration has no effect on the language.
    IGNORED, "ignored", Note;
}
