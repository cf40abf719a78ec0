//! What derivation trees are put together from, checked on small grammars and on all examples.

mod embedding;
mod support;
