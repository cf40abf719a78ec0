//! The diagnostics of the native notation alone.

use gramercy_base::Code;
use gramercy_base::Severity::Error;

crate::codes::codes! {
    /// Something stands where it means nothing: characters where the parser sees tokens, a command in
    /// a syntax rule, a syntax rule inside a token.
    MISPLACED, "misplaced", Error;
    /// Something that may be said once is said again.
    REPEATED, "repeated", Error;
    /// A command names a mode that the file does not have.
    UNKNOWN_MODE, "unknown-mode", Error;
    /// A literal in a syntax rule could be either of two tokens.
    AMBIGUOUS_LITERAL, "ambiguous-literal", Error;
}
