//! The ANTLR 4 notation: accepted files, rejected files, and written files.

mod broken;
mod collection;
mod lexers;
mod parsers;
mod robust;
mod show;
mod starts;
mod vocabularies;
mod writing;
