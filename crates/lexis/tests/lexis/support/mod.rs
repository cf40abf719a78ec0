//! Lexers for tests, written as ANTLR lexer rules, and what they make of texts.

use std::path::Path;

use gramercy_base::Limits;
use gramercy_formats::{LoadOptions, Memory, load};
use gramercy_grammar::{Grammar, TerminalId};
use gramercy_lexis::{Dfa, Lexer, LexicalError, Scan};

/// A grammar with these lexer rules whose parser takes any tokens.
pub(crate) fn grammar(rules: &str) -> Grammar {
    try_lexer_rules(rules).unwrap_or_else(|error| panic!("{rules}\n{error}"))
}

/// As [`grammar`], for rules that may be wrong.
pub(crate) fn try_lexer_rules(rules: &str) -> Result<Grammar, String> {
    try_grammar("s : .*? EOF ;", rules)
}

/// A grammar with these parser and lexer rules.
pub(crate) fn grammar_with(parser: &str, rules: &str) -> Grammar {
    try_grammar(parser, rules).unwrap_or_else(|error| panic!("{parser}\n{rules}\n{error}"))
}

fn try_grammar(parser: &str, rules: &str) -> Result<Grammar, String> {
    let parser = format!("parser grammar P; options {{ tokenVocab = L; }} {parser}");
    let files = Memory::with("P.g4", parser).and("L.g4", format!("lexer grammar L;\n{rules}"));
    let loaded = load(Path::new("P.g4"), &files, &LoadOptions::default());
    loaded.grammar.ok_or_else(|| format!("{:?}", loaded.diagnostics))
}

/// The lexer of a grammar, with room for its automaton.
pub(crate) fn lexer(grammar: &Grammar) -> (Lexer, Dfa) {
    let lexer = Lexer::new(grammar, &Limits::default()).expect("a lexer");
    let dfa = Dfa::new(&lexer, 100_000);
    (lexer, dfa)
}

/// Everything that a lexer makes of a text, as one line: `TYPE'text'` per token, hidden ones in
/// parentheses, and an error last.
pub(crate) fn tokens(grammar: &Grammar, lexer: &Lexer, dfa: &mut Dfa, text: &str) -> String {
    let mut line = Vec::new();
    let mut scan = Scan::new(lexer, dfa, text);
    let error = loop {
        match scan.next_token() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(token)) => {
                let name = &grammar.terminals()[token.terminal].name;
                let lexeme = &text[token.start..token.end];
                line.push(match token.visible {
                    true => format!("{name}'{lexeme}'"),
                    false => format!("({name}'{lexeme}')"),
                });
            }
        }
    };
    line.extend(error.map(|error| match error {
        LexicalError::NoMatch { start, end } => format!("nothing at {start}..{end}"),
        LexicalError::EmptyMatch { at, .. } => format!("empty at {at}"),
        LexicalError::PoppedEmptyStack { start, .. } => format!("popped at {start}"),
        LexicalError::Limit(limit) => limit.to_string(),
    }));
    line.join(" ")
}

/// The terminal of a name.
pub(crate) fn terminal(grammar: &Grammar, name: &str) -> TerminalId {
    let named = grammar.terminals().iter().find(|(_, terminal)| *terminal.name == *name);
    named.unwrap_or_else(|| panic!("no {name}")).0
}
