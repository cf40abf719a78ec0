//! The source of a grammar's tokens: its own lexer rules, or the grammar or file of token types
//! that `tokenVocab` names.
//!
//! A parser grammar has its tokens from a lexer grammar next to it, which is read as well. If there
//! is only the `.tokens` file that ANTLR generates, or nothing at all, tokens are names without a
//! lexer.

use std::path::{Path, PathBuf};

use gramercy_base::{Diagnostic, IndexMap, Set, Span};

use super::codes as antlr;
use super::gather::{Unit, gather};
use super::tree::{GrammarKind, Texts};
use crate::Reading;

/// The tokens that are not defined by the grammar's own rules.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// The grammar whose lexer rules create the tokens.
    pub(super) lexer: Option<Unit>,
    /// Further token types by name, with their text where a file has it.
    pub(super) names: IndexMap<Box<str>, Option<Box<str>>>,
    /// Whether an undeclared literal may be a token.
    pub(super) open: bool,
}

/// Finds the vocabulary of a grammar.
pub(super) fn vocabulary(reading: &mut Reading<'_>, texts: &mut Texts, unit: &Unit) -> Vocabulary {
    let mut search = VocabularySearch { reading, texts, found: Vocabulary::default() };
    match unit.kind {
        GrammarKind::Parser => search.of_parser(unit),
        GrammarKind::Combined | GrammarKind::Lexer => search.names_of(unit),
    }
    search.found
}

struct VocabularySearch<'s, 'r> {
    reading: &'s mut Reading<'r>,
    texts: &'s mut Texts,
    found: Vocabulary,
}

impl VocabularySearch<'_, '_> {
    /// The lexer of a parser grammar, possibly through other parser grammars.
    fn of_parser(&mut self, unit: &Unit) {
        let mut seen: Set<PathBuf> = Set::default();
        let mut next = self.vocabulary_files(unit);
        while let Some(files) = next.take().filter(|files| seen.insert(files.grammar.clone())) {
            if !self.reading.files().exists(&files.grammar) {
                self.tokens_file(&files);
                return;
            }
            let Some(source) = self.reading.read_source(&files.grammar, files.from) else {
                return;
            };
            let found = gather(self.reading, self.texts, source, &files.grammar);
            if found.kind != GrammarKind::Parser {
                self.found.lexer = Some(found);
                return;
            }
            self.add_names(&found.tokens);
            next = self.vocabulary_files(&found);
        }
        self.found.open = true;
        self.report_no_lexer(unit);
    }

    /// The files that may contain the vocabulary of a parser grammar.
    fn vocabulary_files(&mut self, unit: &Unit) -> Option<VocabularyFiles> {
        if let Some(name) = unit.option(self.texts, "tokenVocab") {
            return Some(self.named_files(unit, name));
        }
        let stem = unit.name.strip_suffix("Parser")?;
        let grammar = unit.path.with_file_name(format!("{stem}Lexer.g4"));
        let tokens = grammar.with_extension("tokens");
        let is_there = [&grammar, &tokens].iter().any(|path| self.reading.files().exists(path));
        is_there.then_some(VocabularyFiles { grammar, tokens, from: None })
    }

    fn named_files(&self, unit: &Unit, name: Span) -> VocabularyFiles {
        let text = self.texts.get(name).trim_matches('\'');
        let grammar = unit.path.with_file_name(format!("{text}.g4"));
        let tokens = unit.path.with_file_name(format!("{text}.tokens"));
        VocabularyFiles { grammar, tokens, from: Some(name) }
    }

    fn add_names(&mut self, tokens: &[Span]) {
        for &token in tokens {
            self.found.names.entry(self.texts.get(token).into()).or_insert(None);
        }
    }

    /// Token types that a combined grammar or a lexer shares with another: only names.
    fn names_of(&mut self, unit: &Unit) {
        let Some(name) = unit.option(self.texts, "tokenVocab") else {
            return;
        };
        let files = self.named_files(unit, name);
        if files.grammar == unit.path || !self.reading.files().exists(&files.grammar) {
            self.tokens_file(&files);
            self.found.names.values_mut().for_each(|text| *text = None);
            return;
        }
        if let Some(source) = self.reading.read_source(&files.grammar, files.from) {
            let other = gather(self.reading, self.texts, source, &files.grammar);
            let rules = other.lexical.iter().filter(|rule| !rule.fragment).map(|rule| rule.name);
            let names: Vec<_> = other.tokens.iter().copied().chain(rules).collect();
            self.add_names(&names);
        }
    }

    /// Reads a `.tokens` file, or reports that there is none.
    fn tokens_file(&mut self, files: &VocabularyFiles) {
        self.found.open = true;
        if !self.reading.files().exists(&files.tokens) {
            return self.report_missing(files);
        }
        let Some(source) = self.reading.read_source(&files.tokens, files.from) else {
            return;
        };
        let text = self.reading.text(source);
        let mut types: IndexMap<&str, Box<str>> = IndexMap::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let entry = line.rsplit_once('=');
            let Some((name, number)) = entry.map(|(name, number)| (name.trim(), number.trim()))
            else {
                self.report_bad_line(files, line);
                continue;
            };
            match types.get(number) {
                Some(known) if name.starts_with('\'') => {
                    self.found.names.insert(known.clone(), Some(name.into()));
                }
                _ => {
                    types.insert(number, name.into());
                    self.found.names.insert(name.into(), None);
                }
            }
        }
    }

    fn report_missing(&mut self, files: &VocabularyFiles) {
        let shown = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let (grammar, tokens) = (shown(&files.grammar), shown(&files.tokens));
        let message = format!("there is neither `{grammar}` nor `{tokens}` next to this file");
        let help = "without a lexer, tokens are written by their names";
        let diagnostic = match files.from {
            Some(span) => Diagnostic::at(antlr::MISSING_VOCABULARY, span, message),
            None => Diagnostic::new(antlr::MISSING_VOCABULARY, message),
        };
        self.reading.report(diagnostic.help(help));
    }

    fn report_no_lexer(&mut self, unit: &Unit) {
        let message = format!("the parser grammar `{}` does not name its lexer", unit.name);
        let help = "say it with `options { tokenVocab = NAME; }`; without a lexer, tokens are \
                    written by their names";
        self.reading.report(Diagnostic::new(antlr::MISSING_VOCABULARY, message).help(help));
    }

    fn report_bad_line(&mut self, files: &VocabularyFiles, line: &str) {
        let message =
            format!("`{}` has a line that is not a token type: `{line}`", files.tokens.display());
        self.reading.report(Diagnostic::new(antlr::BAD_VOCABULARY, message));
    }
}

struct VocabularyFiles {
    grammar: PathBuf,
    tokens: PathBuf,
    /// The option that names it, if there is one.
    from: Option<Span>,
}

/// The parser file next to a lexer file, if there is one.
pub(super) fn parser_beside(reading: &Reading<'_>, lexer: &Unit) -> Option<String> {
    let stem = lexer.path.file_stem()?.to_str()?;
    let stem = stem.strip_suffix("Lexer").unwrap_or(stem);
    let candidates = [format!("{stem}Parser.g4"), format!("{stem}.g4")];
    let is_there = |name: &String| {
        let path = lexer.path.with_file_name(name);
        path != lexer.path && reading.files().exists(&path)
    };
    candidates.into_iter().find(is_there)
}
