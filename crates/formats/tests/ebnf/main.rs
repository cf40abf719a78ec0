//! The EBNF notations: the native one, Tribble's text and its Scala notation.

mod broken;
mod guide;
mod kpath_figures;
mod native_read;
mod native_write;
mod paper;
mod random;
mod robust;
mod scala_read;
mod support;
mod tribble_read;
