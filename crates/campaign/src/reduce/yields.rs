//! The cheapest texts that replace a subtree: for every nonterminal, and for every production at its root.
//!
//! Cost is counted in bytes, then in tokens, where a token costs its shortest lexeme. A worklist of relaxations; a
//! choice changes only for a cheaper one, so following the choices ends, in cyclic grammars too.
//!
//! Example: with `value: object | STRING | NUMBER` a value's cheapest text is `0`, not the `""` of the alternative that
//! comes first; with an object at its root it is `{}`.

use std::sync::Arc;

use gramercy_base::{Id, Map, Table};
use gramercy_grammar::{Cfg, NonterminalId, ProductionId, Symbol, TerminalId, TerminalKind};
use gramercy_language::Language;
use gramercy_lexis::{Choice, Lexemes, WriteOptions, Writer};

/// Bytes and tokens.
type Cost = (u64, u64);

/// No yield with more tokens is written out.
const MAX_TOKENS: u64 = 1 << 16;

/// Cheapest yields of a grammar.
#[derive(Debug)]
pub(super) struct Yields {
    lexemes: Table<TerminalId, Option<Arc<str>>>,
    choices: Table<NonterminalId, Option<(Cost, ProductionId)>>,
    written: Map<ProductionId, Option<Arc<[TerminalId]>>>,
}

impl Yields {
    pub(super) fn new(language: &Language) -> Self {
        let options = WriteOptions { lexemes: Lexemes::Shortest, ..WriteOptions::default() };
        let mut writer = language.writer(&options).ok();
        // The writer knows the terminals of syntax rules.
        let count = language.bnf().terminal_count();
        let lexeme = |id: TerminalId| {
            let is_eof = language.grammar().terminals()[id].kind == TerminalKind::Eof;
            let writer = writer.as_mut().filter(|_| id.index() < count && !is_eof)?;
            shortest(writer, id)
        };
        let lexemes: Table<TerminalId, Option<Arc<str>>> =
            language.grammar().terminals().ids().map(lexeme).collect();
        let choices = choose(language.bnf(), &lexemes);
        Self { lexemes, choices, written: Map::default() }
    }

    /// The shortest text of a terminal.
    pub(super) fn lexeme(&self, terminal: TerminalId) -> Option<&Arc<str>> {
        self.lexemes[terminal].as_ref()
    }

    /// The production at the root of a nonterminal's cheapest tree.
    pub(super) fn production(&self, nonterminal: NonterminalId) -> Option<ProductionId> {
        self.choices[nonterminal].map(|(_, production)| production)
    }

    /// The bytes of the cheapest yield of a nonterminal.
    pub(super) fn bytes(&self, nonterminal: NonterminalId) -> Option<u64> {
        self.choices[nonterminal].map(|((bytes, _), _)| bytes)
    }

    /// The bytes of the cheapest yield with a production at its root.
    pub(super) fn bytes_of(&self, cfg: &Cfg, production: ProductionId) -> Option<u64> {
        cost(cfg, production, &self.lexemes, &self.choices).map(|(bytes, _)| bytes)
    }

    /// The cheapest yield with a production at its root; `None` if there is none that is worth writing.
    pub(super) fn tokens(
        &mut self,
        cfg: &Cfg,
        production: ProductionId,
    ) -> Option<Arc<[TerminalId]>> {
        if let Some(known) = self.written.get(&production) {
            return known.clone();
        }
        let made = self.write(cfg, production);
        self.written.insert(production, made.clone());
        made
    }

    fn write(&self, cfg: &Cfg, production: ProductionId) -> Option<Arc<[TerminalId]>> {
        let (_, tokens) = cost(cfg, production, &self.lexemes, &self.choices)?;
        if tokens > MAX_TOKENS {
            return None;
        }
        let mut made = Vec::new();
        let mut stack: Vec<Symbol> = cfg.rhs(production).iter().rev().copied().collect();
        while let Some(symbol) = stack.pop() {
            match symbol {
                Symbol::Terminal(terminal) => made.push(terminal),
                Symbol::Nonterminal(nonterminal) => {
                    let (_, production) = self.choices[nonterminal]?;
                    stack.extend(cfg.rhs(production).iter().rev());
                }
            }
        }
        Some(made.into())
    }
}

fn shortest(writer: &mut Writer<'_>, terminal: TerminalId) -> Option<Arc<str>> {
    let written = writer.write(&[terminal], &Choice::default()).ok()?;
    let token = written.tokens.first()?;
    Some(written.text[token.start..token.end].into())
}

/// What a token costs whose lexemes nobody knows, such as one of another mode.
const UNKNOWN: Cost = (4, 1);

fn cost(
    cfg: &Cfg,
    production: ProductionId,
    lexemes: &Table<TerminalId, Option<Arc<str>>>,
    choices: &Table<NonterminalId, Option<(Cost, ProductionId)>>,
) -> Option<Cost> {
    let mut sum: Cost = (0, 0);
    for symbol in cfg.rhs(production) {
        let (bytes, tokens) = match *symbol {
            Symbol::Terminal(id) => match &lexemes[id] {
                Some(text) => (text.len() as u64, 1),
                None => UNKNOWN,
            },
            Symbol::Nonterminal(id) => choices[id]?.0,
        };
        sum = (sum.0.saturating_add(bytes), sum.1.saturating_add(tokens));
    }
    Some(sum)
}

fn choose(
    cfg: &Cfg,
    lexemes: &Table<TerminalId, Option<Arc<str>>>,
) -> Table<NonterminalId, Option<(Cost, ProductionId)>> {
    let mut choices = Table::filled(None, cfg.nonterminal_count());
    let mut users: Vec<Vec<ProductionId>> = vec![Vec::new(); cfg.nonterminal_count()];
    for production in cfg.productions() {
        for symbol in cfg.rhs(production) {
            if let Symbol::Nonterminal(id) = symbol {
                users[id.index()].push(production);
            }
        }
    }
    let mut work: std::collections::VecDeque<ProductionId> = cfg.productions().collect();
    while let Some(production) = work.pop_front() {
        let lhs = cfg.lhs(production);
        let Some(found) = cost(cfg, production, lexemes, &choices) else { continue };
        if choices[lhs].is_none_or(|(known, _)| found < known) {
            choices[lhs] = Some((found, production));
            work.extend(&users[lhs.index()]);
        }
    }
    choices
}
