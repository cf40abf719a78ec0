//! The diagnostic codes of the EBNF notations.

crate::codes::codes! {
    /// The last rule of a file has no semicolon.
    MISSING_SEMICOLON, "missing-semicolon", Warning;
    /// Other rules refer to every rule, so the first one is the start rule.
    START_GUESSED, "start-guessed", Note;
    /// Rules cannot be reached from the start.
    UNCONNECTED_RULES, "unconnected-rules", Warning;
}
