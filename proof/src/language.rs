//! A grammar with everything that is needed to read its text.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{Disk, Files, LoadOptions, load};
use gramercy_grammar::{Bnf, Grammar, NoteKind};
use gramercy_lexis::{WriteOptions, Writer};
use gramercy_parse::TextParser;

use crate::Fallible;

/// A grammar, its BNF core and its reader.
#[derive(Debug)]
pub struct Language {
    /// The grammar.
    pub grammar: Grammar,
    /// Its BNF core.
    pub bnf: Bnf,
    /// The reader of its text.
    pub parser: TextParser,
}

impl Language {
    /// Reads a grammar file.
    ///
    /// # Errors
    /// If there are mistakes in it, or its automata become too large.
    pub fn load(path: &Path, start: Option<&str>) -> Fallible<Self> {
        Self::load_from(path, &Disk, start)
    }

    /// As [`load`](Self::load), from other files than those of the disk.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_from(path: &Path, files: &dyn Files, start: Option<&str>) -> Fallible<Self> {
        let options = LoadOptions { start: start.map(str::to_owned), ..LoadOptions::default() };
        let loaded = load(path, files, &options);
        let mistakes = || loaded.diagnostics.iter().map(|it| it.message.clone());
        let grammar = loaded.grammar.ok_or_else(|| {
            format!("{}: {}", path.display(), mistakes().collect::<Vec<_>>().join("; "))
        })?;
        Self::new(grammar)
    }

    /// Makes the reader of a grammar.
    ///
    /// # Errors
    /// If its automata become too large.
    pub fn new(grammar: Grammar) -> Fallible<Self> {
        let limits = Limits::default();
        let bnf = grammar.bnf(&grammar.graph(), &limits).map_err(|limit| limit.to_string())?;
        let parser =
            TextParser::new(&grammar, &bnf, &limits).map_err(|error| format!("{error:?}"))?;
        Ok(Self { grammar, bnf, parser })
    }

    /// A writer of its token strings.
    ///
    /// # Errors
    /// If there is no lexer.
    pub fn writer(&self, options: &WriteOptions) -> Fallible<Writer<'_>> {
        Writer::new(&self.grammar, options).map_err(|error| format!("{error:?}"))
    }

    /// Whether something of a kind was set aside when the grammar was read.
    #[must_use]
    pub fn has_note(&self, kind: NoteKind) -> bool {
        self.grammar.notes().iter().any(|note| note.kind == kind)
    }

    /// What was set aside, so that other programs may accept less than we do.
    #[must_use]
    pub fn set_aside(&self) -> Vec<&'static str> {
        let kinds = [
            (NoteKind::Predicate, "predicates"),
            (NoteKind::HostCode, "host code"),
            (NoteKind::Action, "actions"),
        ];
        kinds.into_iter().filter(|(kind, _)| self.has_note(*kind)).map(|(_, name)| name).collect()
    }
}
