//! What the Scala form means.
