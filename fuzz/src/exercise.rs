//! The test of one input: it is read, and the grammar is used. Every violation is an assertion.

use std::path::Path;

use gramercy_base::{Limits, Span};
use gramercy_formats::{
    LoadOptions, Loaded, Memory, WrittenFile, antlr4, codes, load, native, yacc,
};
use gramercy_grammar::{Bnf, Grammar, Notation, Symbol, TerminalKind};
use gramercy_language::Language;

/// A grammar and a vocabulary that an input may import.
const IMPORTED: &str = "lexer grammar Other; import a; A : 'a' -> pushMode(M) ; mode M; B : . ;";
const VOCABULARY: &str = "A=1\nB=2\n'a'=1\n";

/// Grammars with more symbols get no parser: automata may be quadratic.
const SMALL: usize = 2_000;

/// The texts that a grammar parses, in addition to its own file.
const TEXTS: [&str; 3] = ["", "a", "a b (1) \u{1F600}"];

/// The result of an input.
pub(crate) struct Outcome {
    /// The diagnostics.
    pub(crate) loaded: Loaded,
}

impl Outcome {
    /// Whether it is a grammar.
    pub(crate) fn is_grammar(&self) -> bool {
        self.loaded.grammar.is_some()
    }

    /// The first diagnostic, in one line.
    pub(crate) fn first(&self) -> Option<String> {
        let first = self.loaded.diagnostics.first()?;
        let place = first.span().map(|span| self.loaded.sources.position(span));
        let place = place.map_or(String::new(), |at| format!("{}:{}: ", at.line, at.column));
        Some(format!("{place}{}: {}", first.code.name, first.message))
    }
}

/// The file name that selects a reader.
pub(crate) fn file_name(reader: Notation) -> &'static str {
    match reader {
        Notation::Native => "a.gram",
        Notation::Antlr4 => "a.g4",
        Notation::Yacc => "a.y",
        Notation::Tribble => "a.tribble",
        Notation::Scala => "a.scala",
    }
}

/// Reads the file with the reader's name.
pub(crate) fn read(reader: Notation, files: &Memory) -> Outcome {
    let limits = Limits { symbols: 1_000_000, ..Limits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    let loaded = load(Path::new(file_name(reader)), files, &options);
    check_what_is_said(&loaded);
    Outcome { loaded }
}

/// Reads a text and uses the grammar.
pub(crate) fn exercise(reader: Notation, text: Vec<u8>) -> Outcome {
    let begin = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
    let files = Memory::with("Other.g4", IMPORTED).and("Other.tokens", VOCABULARY);
    let outcome = read(reader, &files.and(file_name(reader), text));
    if let Some(grammar) = &outcome.loaded.grammar {
        use_grammar(grammar, &begin);
    }
    outcome
}

/// A grammar has no errors, and all spans are inside the files.
fn check_what_is_said(loaded: &Loaded) {
    let errors = loaded.diagnostics.iter().any(gramercy_base::Diagnostic::is_error);
    assert_eq!(loaded.grammar.is_none(), errors, "there is a grammar, or else an error");
    let labels = loaded.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels);
    labels.for_each(|label| check_span(loaded, label.span));
    if let Some(grammar) = &loaded.grammar {
        let notes = grammar.notes().iter().filter_map(|note| note.span);
        notes.for_each(|span| check_span(loaded, span));
        grammar.rules().values().for_each(|rule| check_span(loaded, rule.span));
    }
}

fn check_span(loaded: &Loaded, span: Span) {
    let text = loaded.sources.get(span.source).text();
    assert!(text.get(span.range()).is_some(), "{span:?} lies in its file, between characters");
}

fn use_grammar(grammar: &Grammar, begin: &str) {
    let limits = Limits { states: 5_000, symbols: 20_000, ..Limits::default() };
    let Ok(language) = Language::new(grammar.clone(), limits) else { return };
    check_writers(&language);
    let bnf = language.bnf();
    let size: usize = bnf.productions().map(|production| bnf.rhs(production).len() + 1).sum();
    if size > SMALL {
        return;
    }
    let Ok(parser) = language.parser() else { return };
    check_antlr_writer(grammar, &limits);
    let mut workspace = parser.workspace();
    for text in TEXTS.into_iter().chain([begin]) {
        let accepted = parser.recognize(&mut workspace, text).is_ok();
        let parsed = parser.parse(&mut workspace, text);
        assert_eq!(accepted, parsed.is_ok(), "recognizing and parsing {text:?} agree");
        if let Err(rejection) = parsed {
            assert!(text.is_char_boundary(rejection.byte), "an error lies between characters");
        }
    }
}

/// A written grammar can be read and is the same grammar.
fn check_writers(language: &Language) {
    let written = native::write(language.grammar());
    let again = read_again(Notation::Native, &written);
    let (before, now) = (productions(language), productions(&again));
    assert!(before == now, "{before:#?} became {now:#?} in\n{written}");
    let written = yacc::write(language.grammar(), language.bnf());
    let again = read_again(Notation::Yacc, &written);
    let lengths = |bnf: &Bnf| bnf.productions().map(|it| bnf.rhs(it).len()).collect::<Vec<_>>();
    let (before, now) = (lengths(language.bnf()), lengths(again.bnf()));
    assert!(now.starts_with(&before), "lengths {before:?} became {now:?} in\n{written}");
}

/// A grammar written for ANTLR can be read, except that the start rule may be ambiguous.
fn check_antlr_writer(grammar: &Grammar, limits: &Limits) {
    let Ok(written) = antlr4::write(grammar, limits) else { return };
    let add = |files: Memory, file: &WrittenFile| files.and(&file.name, file.text.as_str());
    let files = written.iter().fold(Memory::default(), add);
    let last = Path::new(&written.last().expect("invariant: something is written").name);
    let loaded = load(last, &files, &LoadOptions::default());
    let asked = loaded.diagnostics.iter().any(|it| it.code == codes::SEVERAL_STARTS);
    let outcome = Outcome { loaded };
    assert!(asked || outcome.is_grammar(), "{:?} of {written:#?}", outcome.first());
}

/// The language of a grammar within the usual limits.
pub(crate) fn language_of(grammar: Grammar) -> Language {
    Language::new(grammar, Limits::default()).expect("about as large as before")
}

/// The productions by the meaning of their symbols, not by their spelling.
pub(crate) fn productions(language: &Language) -> Vec<(Box<str>, Vec<String>)> {
    let (grammar, bnf) = (language.grammar(), language.bnf());
    let symbol = |symbol: &Symbol| match *symbol {
        Symbol::Nonterminal(id) => bnf.nonterminals()[id].name.to_string(),
        Symbol::Terminal(id) => match &grammar.terminals()[id].kind {
            TerminalKind::Token { name, .. } => format!("token {name}"),
            TerminalKind::AnyTokenBut(but) => format!("any but {}", but.len()),
            TerminalKind::Regex { regex, .. } => format!("{regex:?}"),
            other => format!("{other:?}"),
        },
    };
    let production = |id| {
        let name = bnf.nonterminals()[bnf.lhs(id)].name.clone();
        (name, bnf.rhs(id).iter().map(symbol).collect())
    };
    bnf.productions().map(production).collect()
}

fn read_again(notation: Notation, written: &str) -> Language {
    let outcome = read(notation, &Memory::with(file_name(notation), written));
    let said = outcome.first();
    let grammar = outcome.loaded.grammar;
    language_of(grammar.unwrap_or_else(|| panic!("{said:?}: this was written:\n{written}")))
}
