//! The diagnostics that only the EBNF notations make.

crate::codes::codes! {
    /// The last rule of a file has no semicolon.
    MISSING_SEMICOLON, "missing-semicolon", Warning;
    /// Every rule is referred to by others, so the first one was taken as the start.
    START_GUESSED, "start-guessed", Note;
    /// Rules cannot be reached from the start.
    UNCONNECTED_RULES, "unconnected-rules", Warning;
}
