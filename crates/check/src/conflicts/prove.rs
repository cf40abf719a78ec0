//! The proof of an example: our own parser reads it, and its forest holds the tree that is claimed.

use gramercy_base::{LimitReached, Limits};
use gramercy_grammar::{Bnf, Grammar, TerminalId, TerminalKind, TextKind};
use gramercy_parse::tables::InputId;
use gramercy_parse::{Derivations, Parser, TokenRange, Workspace};
use gramercy_regular::{CharSet, Dfa};

use super::sentence::Sentence;

/// A parser of the grammar, by token or by character.
pub(crate) struct Prover<'a> {
    grammar: &'a Grammar,
    bnf: &'a Bnf,
    limits: &'a Limits,
    parser: Parser,
    workspace: Workspace,
}

/// A sentence as the parser reads it.
struct Input {
    symbols: Vec<InputId>,
    /// For every terminal of the sentence, its input symbols.
    ranges: Vec<TokenRange>,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(
        grammar: &'a Grammar,
        bnf: &'a Bnf,
        limits: &'a Limits,
    ) -> Result<Self, LimitReached> {
        let parser = Parser::new(grammar, bnf, limits)?;
        let workspace = parser.workspace();
        Ok(Self { grammar, bnf, limits, parser, workspace })
    }

    /// Whether these are the same sentence, and all their trees are in its forest; `None` if it has a
    /// terminal for which there is no text or token.
    pub(crate) fn holds(&mut self, sentences: &[&Sentence]) -> Option<bool> {
        let input = self.input(&sentences[0].terminals)?;
        let Ok(forest) = self.parser.parse(&mut self.workspace, &input.symbols) else {
            return Some(false);
        };
        let derivations = Derivations::of_forest(&self.parser, &forest);
        Some(sentences.iter().all(|sentence| {
            sentence.terminals == sentences[0].terminals
                && derivations.contains(self.bnf, &sentence.tree, |at| input.ranges[at])
        }))
    }

    fn input(&self, terminals: &[TerminalId]) -> Option<Input> {
        let mut input = Input { symbols: Vec::new(), ranges: Vec::new() };
        let fit = |n: usize| u32::try_from(n).expect("invariant: examples are short");
        for &terminal in terminals {
            let start = fit(input.symbols.len());
            match self.grammar.text_kind() {
                TextKind::Scannerless => {
                    let word = self.word(terminal)?;
                    input.symbols.extend(word.chars().map(|c| self.parser.input_of_char(c)));
                }
                TextKind::Lexed | TextKind::TokensOnly => {
                    let token = self.token(terminal)?;
                    input.symbols.push(self.parser.input_of_token(token));
                }
            }
            input.ranges.push(TokenRange { start, end: fit(input.symbols.len()) });
        }
        Some(input)
    }

    /// A token that a terminal stands for: itself, or the first of a class.
    fn token(&self, terminal: TerminalId) -> Option<TerminalId> {
        let terminals = self.grammar.terminals();
        match &terminals[terminal].kind {
            TerminalKind::AnyTokenBut(excluded) => terminals
                .iter()
                .filter(|(_, other)| matches!(other.kind, TerminalKind::Token { .. }))
                .map(|(id, _)| id)
                .find(|id| !excluded.contains(id)),
            _ => Some(terminal),
        }
    }

    /// A text that a terminal of a scannerless grammar stands for.
    fn word(&self, terminal: TerminalId) -> Option<String> {
        match &self.grammar.terminals()[terminal].kind {
            TerminalKind::Literal(text) => Some(text.as_ref().to_owned()),
            TerminalKind::Chars(set) => Some(a_char(set)?.into()),
            TerminalKind::Regex { regex, .. } => {
                shortest_word(&Dfa::minimal(regex, self.limits).ok()?)
            }
            TerminalKind::Token { .. } | TerminalKind::AnyTokenBut(_) | TerminalKind::Eof => None,
        }
    }
}

fn a_char(set: &CharSet) -> Option<char> {
    set.chars().next()
}

/// The first of the shortest words of a language, the empty one only if there is no other.
fn shortest_word(dfa: &Dfa) -> Option<String> {
    let mut words = std::collections::VecDeque::from([(dfa.start(), String::new())]);
    let mut seen = gramercy_base::Set::default();
    while let Some((state, word)) = words.pop_front() {
        for (set, target) in dfa.transitions(state) {
            let Some(c) = a_char(&set) else {
                continue;
            };
            let word = format!("{word}{c}");
            if dfa.is_accepting(target) {
                return Some(word);
            }
            if seen.insert(target) {
                words.push_back((target, word));
            }
        }
    }
    dfa.accepts_empty().then(String::new)
}
