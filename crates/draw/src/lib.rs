//! Pictures of grammars.
