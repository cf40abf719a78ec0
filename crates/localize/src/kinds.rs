//! Kinds of characters that tokens begin with: a rule whose alternatives all begin with a letter seldom lacks one that
//! begins with a bracket.

use gramercy_analysis::{First, Nullable, Productive};
use gramercy_base::{Id, Table};
use gramercy_grammar::{Cfg, Grammar, NonterminalId, Symbol, TerminalId, TerminalKind};
use gramercy_parse::tables::InputId;

use crate::slots::Slots;
use crate::spellings::Spellings;

/// A set of kinds of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// Everything: nothing is known.
    pub const ALL: Kinds = Kinds(u8::MAX);

    /// The kind of a character.
    #[must_use]
    pub fn of(c: char) -> Self {
        Kinds(match c {
            c if c.is_alphabetic() || c == '_' || c == '$' => 1,
            c if c.is_numeric() => 2,
            '"' | '\'' | '`' => 4,
            '(' | '[' | '{' | '<' => 8,
            ')' | ']' | '}' | '>' => 16,
            ',' | ';' | '.' | ':' => 32,
            c if c.is_whitespace() || c.is_control() => 64,
            _ => 128,
        })
    }

    /// Whether the sets have a kind in common.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The kinds of characters that terminals and nonterminals of the parser's grammar begin with.
#[derive(Clone, Debug)]
pub struct FirstKinds {
    terminals: Table<TerminalId, Kinds>,
    nonterminals: Table<NonterminalId, Kinds>,
}

impl FirstKinds {
    /// The kinds of a grammar; without lexical rules only fixed texts are known.
    #[must_use]
    pub fn new(grammar: &Grammar, cfg: &Cfg, spellings: Option<&Spellings>) -> Self {
        let terminals: Table<TerminalId, Kinds> =
            cfg.terminals().map(|id| of_terminal(grammar, id, spellings)).collect();
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, &Productive::of(cfg), &nullable);
        let of_nonterminal = |nonterminal| {
            let mut kinds = Kinds::default();
            for (terminal, &of) in terminals.iter() {
                if first.contains(nonterminal, terminal.into()) {
                    kinds.add(of);
                }
            }
            kinds
        };
        let nonterminals = cfg.nonterminals().map(of_nonterminal).collect();
        Self { terminals, nonterminals }
    }

    /// The kinds that a symbol begins with.
    #[must_use]
    pub fn of(&self, symbol: Symbol) -> Kinds {
        match symbol {
            Symbol::Terminal(terminal) => self.terminals[terminal],
            Symbol::Nonterminal(nonterminal) => self.nonterminals[nonterminal],
        }
    }
}

fn of_terminal(grammar: &Grammar, terminal: TerminalId, spellings: Option<&Spellings>) -> Kinds {
    let Some(TerminalKind::Token { text, .. }) =
        grammar.terminals().get(terminal).map(|terminal| &terminal.kind)
    else {
        return Kinds::ALL;
    };
    if let Some(first) = text.as_ref().and_then(|text| text.chars().next()) {
        return Kinds::of(first);
    }
    let Some(spellings) = spellings else { return Kinds::ALL };
    let mut kinds = Kinds::default();
    for (id, rule) in grammar.rules().iter() {
        if rule.token().is_some_and(|token| token.token == terminal)
            && let Some(nonterminal) = spellings.nonterminal(id)
        {
            kinds.add(of_spelling(spellings, nonterminal));
        }
    }
    if kinds == Kinds::default() { Kinds::ALL } else { kinds }
}

fn of_spelling(spellings: &Spellings, nonterminal: NonterminalId) -> Kinds {
    let slots: &Slots = spellings.slots();
    let mut kinds = Kinds::default();
    for &production in slots.cfg().productions_of(nonterminal) {
        let first = slots.first(production);
        for (class, chars) in spellings.classes().iter() {
            if slots.may_read(first, InputId::from_index(class.index())) {
                chars.chars().take(4).for_each(|c| kinds.add(Kinds::of(c)));
            }
        }
    }
    kinds
}
