//! What Tribble's text form means.
