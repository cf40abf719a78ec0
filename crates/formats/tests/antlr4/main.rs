//! The ANTLR 4 notation, from outside: what is read, what is rejected, what is written.

mod broken;
mod collection;
mod lexers;
mod parsers;
mod robust;
mod show;
mod starts;
mod vocabularies;
mod writing;
