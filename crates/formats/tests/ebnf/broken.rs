//! Broken files.
