//! The proof of an example: the parser reads it, and its forest contains the claimed tree.

use gramercy_base::{LimitReached, Limits, to_u32};
use gramercy_grammar::{Bnf, Grammar, TerminalId, TerminalKind, TextKind};
use gramercy_parse::tables::InputId;
use gramercy_parse::{Derivations, Parser, TokenRange, Workspace};
use gramercy_regular::{CharSet, Dfa};

use super::sentence::Sentence;

/// A parser of the grammar, over tokens or characters.
pub(crate) struct Prover<'a> {
    grammar: &'a Grammar,
    bnf: &'a Bnf,
    limits: &'a Limits,
    parser: Parser,
    workspace: Workspace,
}

/// A sentence as input of the parser.
struct ProofInput {
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

    /// Whether all these are the same sentence, and all their trees are in its forest; `None` if a
    /// terminal has no text or token.
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

    fn input(&self, terminals: &[TerminalId]) -> Option<ProofInput> {
        let mut input = ProofInput { symbols: Vec::new(), ranges: Vec::new() };
        for &terminal in terminals {
            let start = to_u32(input.symbols.len());
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
            input.ranges.push(TokenRange { start, end: to_u32(input.symbols.len()) });
        }
        Some(input)
    }

    /// A token for a terminal: itself, or the first one of a class.
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

    /// A text for a terminal of a scannerless grammar.
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

/// The first of the shortest words of a language; the empty word only if there is no other.
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
