//! The codes under which people are told what was set aside.

gramercy_base::codes! {
    /// A semantic predicate is set aside: the original may accept less than the plain grammar.
    PREDICATE, "predicate", Note;
    /// Code that runs when a rule matches is set aside.
    ACTION, "action", Note;
    /// Code of a base class or a member section is set aside: it may steer the original's lexer or
    /// parser.
    HOST_CODE, "host-code", Note;
    /// A production with the `error` token is set aside: it serves recovery, not the language.
    ERROR_PRODUCTION, "error-production", Note;
    /// Operators that may not stand side by side are allowed to: the original accepts less.
    NON_ASSOCIATIVE, "non-associative", Note;
    /// The start rule does not ask for the end of input, so the original may stop early.
    START_WITHOUT_EOF, "start-without-eof", Note;
    /// A declaration has no bearing on the language.
    IGNORED, "ignored", Note;
}
