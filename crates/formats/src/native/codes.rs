//! The diagnostics of the native notation alone.

crate::codes::codes! {
    /// Something stands where it means nothing: characters where the parser sees tokens, a command in
    /// a syntax rule, a syntax rule inside a token.
    MISPLACED, "misplaced", Error;
    /// Something that may be said once is said again.
    REPEATED, "repeated", Error;
}
