//! The diagnostic codes of the native notation.

crate::codes::codes! {
    /// A construct has no meaning at this position: characters where the parser sees tokens, a
    /// command in a syntax rule, a syntax rule inside a token.
    MISPLACED, "misplaced", Error;
    /// A unique declaration or mark is repeated.
    REPEATED, "repeated", Error;
}
