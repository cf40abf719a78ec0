//! Grammars whose tokens are names: a token's alias or quoted character is its lexeme, others come
//! from a pool, and where neither knows, the name stands in for it. A blank goes between tokens. A lexeme
//! that would be read as another token ([`TokenNames`]) gives way to the name that the grammar writes.

use gramercy_base::Table;
use gramercy_grammar::{Grammar, Terminal, TerminalId, TerminalKind};

use super::ordinals::Ordinals;
use super::quick::{Candidate, Pools};
use super::{Choice, Modes, Obstacle, Unwritable, Writable, WriteOptions, Written, WrittenToken};
use crate::spacing::Spacing;
use crate::token_names::TokenNames;

#[derive(Clone, Debug)]
pub(super) struct TokensOnlyWriter<'g> {
    grammar: &'g Grammar,
    texts: Table<TerminalId, Texts>,
    blank: &'static str,
    ordinals: Ordinals,
}

/// What a terminal is written as.
#[derive(Clone, Debug)]
enum Texts {
    /// One of these.
    Known(Vec<Box<str>>),
    /// The name, for want of anything better.
    Name(Box<str>),
    /// One of these terminals.
    Any(Vec<TerminalId>),
}

impl<'g> TokensOnlyWriter<'g> {
    pub(super) fn new(grammar: &'g Grammar, options: &WriteOptions) -> Self {
        let mut pools = options.pool.by_terminal(grammar);
        let is_token =
            |id: TerminalId| matches!(grammar.terminals()[id].kind, TerminalKind::Token { .. });
        let names = TokenNames::new(grammar);
        let is_by_line = options.spacing == Spacing::Newline && names.is_separator("\n");
        let blank = if is_by_line { "\n" } else { " " };
        let texts = grammar.terminals().map(|id, terminal| match &terminal.kind {
            TerminalKind::AnyTokenBut(not) => {
                let all = grammar.terminals().ids().filter(|&id| is_token(id));
                Texts::Any(all.filter(|id| !not.contains(id)).collect())
            }
            _ if let Some(texts) = pools.swap_remove(&id) => Texts::Known(texts),
            TerminalKind::Token { text: Some(text), .. } if names.is_read_as(text, id) => {
                Texts::Known(vec![text.clone()])
            }
            TerminalKind::Literal(text) => Texts::Known(vec![text.clone()]),
            _ => Texts::Name(readable_name(&names, id, terminal)),
        });
        Self { grammar, texts, blank, ordinals: Ordinals::new(grammar) }
    }

    pub(super) fn write(
        &mut self,
        tokens: &[TerminalId],
        choice: &Choice<'_>,
        written: &mut Written,
    ) -> Result<(), Unwritable> {
        self.ordinals.count(tokens);
        for (index, &token) in tokens.iter().enumerate() {
            if index > 0 {
                written.text.push_str(self.blank);
            }
            let turn = |len| self.ordinals.turn(index, choice, len);
            let Some(terminal) = self.concrete(token, turn) else {
                let obstacle = Obstacle::NoLexeme(token);
                return Err(Unwritable { token_index: index, obstacle });
            };
            let start = written.text.len();
            match (choice.fixed_text(index), &self.texts[terminal]) {
                (Some(text), _) => written.text.push_str(text),
                (None, Texts::Known(texts)) => written.text.push_str(&texts[turn(texts.len())]),
                (None, Texts::Name(name)) => {
                    written.text.push_str(name);
                    written.placeholders = true;
                }
                (None, Texts::Any(_)) => unreachable!("invariant: a concrete token"),
            }
            written.tokens.push(WrittenToken { terminal, start, end: written.text.len() });
        }
        Ok(())
    }

    /// The token that is written for a terminal.
    fn concrete(&self, token: TerminalId, turn: impl Fn(usize) -> usize) -> Option<TerminalId> {
        match &self.texts[token] {
            Texts::Any(tokens) => tokens.get(turn(tokens.len())).copied(),
            Texts::Known(_) | Texts::Name(_) => Some(token),
        }
    }

    /// Of every terminal that is always written alike, its one text.
    pub(super) fn only_texts(&self) -> Pools {
        let only = |(terminal, texts): (TerminalId, &Texts)| {
            let (text, is_placeholder) = match texts {
                Texts::Known(texts) if let [text] = &texts[..] => (text, false),
                Texts::Name(name) => (name, true),
                Texts::Known(_) | Texts::Any(_) => return Vec::new(),
            };
            vec![Candidate { text: text.clone(), terminal, is_placeholder }]
        };
        self.texts.iter().map(only).collect()
    }

    /// What goes between tokens.
    pub(super) fn blank(&self) -> &'static str {
        self.blank
    }

    pub(super) fn can_write(&self, token: TerminalId) -> Writable {
        match self.concrete(token, |_| 0) {
            Some(_) => Writable::Yes(Modes::ONLY),
            None => Writable::Impossible(Obstacle::NoLexeme(token)),
        }
    }

    pub(super) fn lexemes_of(&self, terminal: TerminalId) -> Vec<String> {
        match &self.texts[terminal] {
            Texts::Known(texts) => texts.iter().map(ToString::to_string).collect(),
            Texts::Name(_) => Vec::new(),
            Texts::Any(tokens) => tokens
                .iter()
                .map(|&token| self.grammar.terminals()[token].name.to_string())
                .collect(),
        }
    }
}

/// A name that is read as the token: the one that the grammar writes, or else the token's own.
fn readable_name(names: &TokenNames, id: TerminalId, terminal: &Terminal) -> Box<str> {
    match &terminal.kind {
        TerminalKind::Token { name, .. } if !names.is_read_as(&terminal.name, id) => name.clone(),
        _ => terminal.name.clone(),
    }
}
