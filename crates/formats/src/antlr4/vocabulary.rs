//! Where the tokens of a grammar come from: its own lexer rules, or the grammar or file of token
//! types that `tokenVocab` names.
//!
//! A parser grammar has its tokens from a lexer grammar beside it, which is read as well. If there
//! is only the `.tokens` file that ANTLR makes of one, or nothing at all, tokens are names without a
//! lexer.

use std::path::{Path, PathBuf};

use gramercy_base::{Diagnostic, IndexMap, Set, Span};

use super::codes as antlr;
use super::gather::{Unit, gather};
use super::tree::{GrammarKind, Texts};
use crate::Reading;

/// What is known of tokens beside the grammar's own rules.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    /// The grammar whose lexer rules make the tokens.
    pub(super) lexer: Option<Unit>,
    /// Further token types by name, with their text where a file says it.
    pub(super) names: IndexMap<Box<str>, Option<Box<str>>>,
    /// Whether a literal that nobody declared may be a token nevertheless.
    pub(super) open: bool,
}

/// Finds the vocabulary of a grammar.
pub(super) fn vocabulary(reading: &mut Reading<'_>, texts: &mut Texts, unit: &Unit) -> Vocabulary {
    let mut search = Search { reading, texts, found: Vocabulary::default() };
    match unit.kind {
        GrammarKind::Parser => search.of_parser(unit),
        GrammarKind::Combined | GrammarKind::Lexer => search.names_of(unit),
    }
    search.found
}

struct Search<'s, 'r> {
    reading: &'s mut Reading<'r>,
    texts: &'s mut Texts,
    found: Vocabulary,
}

impl Search<'_, '_> {
    /// The lexer of a parser grammar, perhaps by way of other parser grammars.
    fn of_parser(&mut self, unit: &Unit) {
        let mut seen: Set<PathBuf> = Set::default();
        let mut next = self.place(unit);
        while let Some(place) = next.take().filter(|place| seen.insert(place.grammar.clone())) {
            if !self.reading.files().exists(&place.grammar) {
                self.tokens_file(&place);
                return;
            }
            let Some(source) = self.reading.read_source(&place.grammar, place.from) else {
                return;
            };
            let found = gather(self.reading, self.texts, source, &place.grammar);
            if found.kind != GrammarKind::Parser {
                self.found.lexer = Some(found);
                return;
            }
            self.add_names(&found.tokens);
            next = self.place(&found);
        }
        self.found.open = true;
        self.report_no_lexer(unit);
    }

    /// Where the vocabulary of a parser grammar is looked for.
    fn place(&mut self, unit: &Unit) -> Option<Place> {
        if let Some(name) = unit.option(self.texts, "tokenVocab") {
            return Some(self.named_place(unit, name));
        }
        let stem = unit.name.strip_suffix("Parser")?;
        let grammar = unit.path.with_file_name(format!("{stem}Lexer.g4"));
        let tokens = grammar.with_extension("tokens");
        let is_there = [&grammar, &tokens].iter().any(|path| self.reading.files().exists(path));
        is_there.then_some(Place { grammar, tokens, from: None })
    }

    fn named_place(&self, unit: &Unit, name: Span) -> Place {
        let text = self.texts.get(name).trim_matches('\'');
        let grammar = unit.path.with_file_name(format!("{text}.g4"));
        let tokens = unit.path.with_file_name(format!("{text}.tokens"));
        Place { grammar, tokens, from: Some(name) }
    }

    fn add_names(&mut self, tokens: &[Span]) {
        for &token in tokens {
            self.found.names.entry(self.texts.get(token).into()).or_insert(None);
        }
    }

    /// Token types that a combined grammar or a lexer shares with another: names only.
    fn names_of(&mut self, unit: &Unit) {
        let Some(name) = unit.option(self.texts, "tokenVocab") else {
            return;
        };
        let place = self.named_place(unit, name);
        if place.grammar == unit.path || !self.reading.files().exists(&place.grammar) {
            self.tokens_file(&place);
            self.found.names.values_mut().for_each(|text| *text = None);
            return;
        }
        if let Some(source) = self.reading.read_source(&place.grammar, place.from) {
            let other = gather(self.reading, self.texts, source, &place.grammar);
            let rules = other.lexical.iter().filter(|rule| !rule.fragment).map(|rule| rule.name);
            let names: Vec<_> = other.tokens.iter().copied().chain(rules).collect();
            self.add_names(&names);
        }
    }

    /// Reads a `.tokens` file, or says that there is nothing.
    fn tokens_file(&mut self, place: &Place) {
        self.found.open = true;
        if !self.reading.files().exists(&place.tokens) {
            return self.report_missing(place);
        }
        let Some(source) = self.reading.read_source(&place.tokens, place.from) else {
            return;
        };
        let text = self.reading.text(source);
        let mut types: IndexMap<&str, Box<str>> = IndexMap::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let entry = line.rsplit_once('=');
            let Some((name, number)) = entry.map(|(name, number)| (name.trim(), number.trim()))
            else {
                self.report_bad_line(place, line);
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

    fn report_missing(&mut self, place: &Place) {
        let shown = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
        let (grammar, tokens) = (shown(&place.grammar), shown(&place.tokens));
        let message = format!("there is neither `{grammar}` nor `{tokens}` beside this file");
        let help = "without a lexer, tokens are written by their names";
        let diagnostic = match place.from {
            Some(span) => Diagnostic::at(antlr::MISSING_VOCABULARY, span, message),
            None => Diagnostic::new(antlr::MISSING_VOCABULARY, message),
        };
        self.reading.report(diagnostic.help(help));
    }

    fn report_no_lexer(&mut self, unit: &Unit) {
        let message = format!("nothing says which lexer the parser grammar `{}` uses", unit.name);
        let help = "say it with `options { tokenVocab = NAME; }`; without a lexer, tokens are \
                    written by their names";
        self.reading.report(Diagnostic::new(antlr::MISSING_VOCABULARY, message).help(help));
    }

    fn report_bad_line(&mut self, place: &Place, line: &str) {
        let message =
            format!("`{}` has a line that is no token type: `{line}`", place.tokens.display());
        self.reading.report(Diagnostic::new(antlr::BAD_VOCABULARY, message));
    }
}

struct Place {
    grammar: PathBuf,
    tokens: PathBuf,
    /// What asked for it, if the file says so.
    from: Option<Span>,
}

/// The parser file beside a lexer file, if there is one.
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
