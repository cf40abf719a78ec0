//! The grammar that the driver works on: the BNF core without useless productions and, where text is
//! not cut into tokens, spelled out in characters.
//!
//! Useless productions are left out because the driver's promise, that it never shifts a wrong
//! token, holds for reduced grammars only. In a scannerless grammar a terminal of one character is
//! a set of characters, a longer literal is a nonterminal with one production, and a regex has a
//! nonterminal for each state of its minimal automaton, which makes it unambiguous.

use gramercy_analysis::{Productive, Useful};
use gramercy_base::{Id, IdSet, LimitReached, Limits, Map, Table};
use gramercy_grammar::{
    Bnf, Cfg, Grammar, NonterminalId, ProductionId, Symbol, TerminalId, TerminalKind, TextKind,
};
use gramercy_regular::classes::{self, Classes};
use gramercy_regular::{CharSet, Dfa};

use crate::tables::Inputs;

/// Where a production of the working grammar comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductionSource {
    /// A production of the BNF core, position by position.
    Bnf(ProductionId),
    /// The spelling of a terminal.
    Spelling(TerminalId),
}

/// What a nonterminal of the working grammar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonterminalSource {
    /// A nonterminal of the BNF core.
    Bnf(NonterminalId),
    /// A terminal.
    Terminal(TerminalId),
    /// The beginning of a terminal.
    Beginning(TerminalId),
}

/// What an input symbol is.
#[derive(Clone, Debug)]
pub(crate) enum Alphabet {
    /// A token type.
    Tokens,
    /// A class of characters.
    Characters(Classes),
}

/// The working grammar.
#[derive(Clone, Debug)]
pub(crate) struct Core {
    pub(crate) cfg: Cfg,
    pub(crate) productions: Table<ProductionId, ProductionSource>,
    /// For every position of every production, the grammar's terminal that stands there.
    pub(crate) terminals: Vec<Option<TerminalId>>,
    pub(crate) nonterminals: Table<NonterminalId, NonterminalSource>,
    pub(crate) inputs: Inputs,
    pub(crate) alphabet: Alphabet,
    /// Whether no sentence exists at all.
    pub(crate) is_empty: bool,
}

impl Core {
    pub(crate) fn new(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> Result<Self, LimitReached> {
        let spelling = match grammar.text_kind() {
            TextKind::Scannerless => Some(Spelling::new(grammar, bnf, limits)?),
            TextKind::Lexed | TextKind::TokensOnly => None,
        };
        Ok(Self::spelled(bnf, spelling, || token_inputs(grammar)))
    }

    /// The working grammar for strings of the core's own terminals, whatever their texts.
    pub(crate) fn of_terminals(bnf: &Bnf) -> Self {
        let inputs = || Inputs::new(bnf.terminals().map(|id| Box::from([id])).collect());
        Self::spelled(bnf, None, inputs)
    }

    /// The working grammar, in characters if terminals are spelled out.
    fn spelled(
        bnf: &Bnf,
        mut spelling: Option<Spelling>,
        token_inputs: impl FnOnce() -> Inputs,
    ) -> Self {
        let textless = match &spelling {
            Some(spelling) => spelling.textless.clone(),
            None => IdSet::new(bnf.terminal_count()),
        };
        let useful = Useful::of(bnf, &Productive::without(bnf, &textless));
        let (mut rules, mut terminals) = (Rules::default(), Vec::new());
        for production in bnf.productions().filter(|&id| useful.has_production(id)) {
            let rhs = bnf.rhs(production).iter().map(|&symbol| match (&mut spelling, symbol) {
                (Some(spelling), Symbol::Terminal(terminal)) => spelling.symbols[terminal],
                _ => symbol,
            });
            let source = ProductionSource::Bnf(production);
            rules.push(bnf.lhs(production), rhs, source);
            terminals.extend(bnf.rhs(production).iter().map(|symbol| match *symbol {
                Symbol::Terminal(terminal) => Some(terminal),
                Symbol::Nonterminal(_) => None,
            }));
        }
        let mut nonterminals: Table<_, _> =
            bnf.cfg().nonterminals().map(NonterminalSource::Bnf).collect();
        let (inputs, alphabet, terminal_count) = match spelling {
            None => (token_inputs(), Alphabet::Tokens, bnf.terminal_count()),
            Some(spelling) => {
                rules.extend(spelling.rules);
                for &source in spelling.nonterminals.values().skip(nonterminals.len()) {
                    nonterminals.push(source);
                }
                let (inputs, classes) = character_inputs(&spelling.sets);
                (inputs, Alphabet::Characters(classes), spelling.sets.len())
            }
        };
        let productions = rules.ends.iter().scan(0, |start, &(lhs, end)| {
            let rhs = &rules.symbols[std::mem::replace(start, end)..end];
            Some((lhs, rhs))
        });
        let cfg = Cfg::new(terminal_count, nonterminals.len(), bnf.start(), productions);
        terminals.resize(cfg.size(), None);
        let (productions, is_empty) = (rules.sources, useful.is_empty());
        Self { cfg, productions, terminals, nonterminals, inputs, alphabet, is_empty }
    }
}

#[derive(Default)]
struct Rules {
    symbols: Vec<Symbol>,
    ends: Vec<(NonterminalId, usize)>,
    sources: Table<ProductionId, ProductionSource>,
}

impl Rules {
    fn push(
        &mut self,
        lhs: NonterminalId,
        rhs: impl IntoIterator<Item = Symbol>,
        source: ProductionSource,
    ) {
        self.symbols.extend(rhs);
        self.ends.push((lhs, self.symbols.len()));
        self.sources.push(source);
    }

    fn extend(&mut self, other: Rules) {
        let before = self.symbols.len();
        self.symbols.extend(other.symbols);
        self.ends.extend(other.ends.into_iter().map(|(lhs, end)| (lhs, end + before)));
        for &source in other.sources.values() {
            self.sources.push(source);
        }
    }
}

/// Every token type with the terminals it is: itself, and the classes of tokens that hold it.
fn token_inputs(grammar: &Grammar) -> Inputs {
    let terminals = grammar.terminals();
    let is_token = |kind: &TerminalKind| matches!(kind, TerminalKind::Token { .. });
    let last = terminals.iter().rev().find(|(_, terminal)| is_token(&terminal.kind));
    let count = last.map_or(0, |(id, _)| id.index() + 1).max(grammar.syntax_terminals());
    let in_syntax = |id: &TerminalId| id.index() < grammar.syntax_terminals();
    let classes: Vec<_> = terminals
        .iter()
        .filter(|(id, _)| in_syntax(id))
        .filter_map(|(id, terminal)| match &terminal.kind {
            TerminalKind::AnyTokenBut(excluded) => Some((id, excluded)),
            _ => None,
        })
        .collect();
    let of_token = |id: TerminalId| {
        let itself = Some(id).filter(|id| in_syntax(id) && is_token(&terminals[*id].kind));
        let holding = classes.iter().filter(|(_, excluded)| !excluded.contains(&id));
        let holding = holding.filter(|_| is_token(&terminals[id].kind)).map(|&(class, _)| class);
        itself.into_iter().chain(holding).collect()
    };
    Inputs::new((0..count).map(TerminalId::from_index).map(of_token).collect())
}

/// Every class of characters with the sets that hold it.
fn character_inputs(sets: &Table<TerminalId, CharSet>) -> (Inputs, Classes) {
    let partition = classes::partition(sets.values());
    let mut holding = vec![Vec::new(); partition.classes.len()];
    for (set, members) in partition.members.iter() {
        for class in members {
            holding[class.index()].push(TerminalId::from_index(set.index()));
        }
    }
    let holding = holding.into_iter().map(Vec::into_boxed_slice).collect();
    (Inputs::new(holding), partition.classes)
}

/// The terminals of a scannerless grammar in characters.
struct Spelling {
    /// The terminals of the working grammar.
    sets: Table<TerminalId, CharSet>,
    known: Map<CharSet, TerminalId>,
    /// What each terminal became.
    symbols: Table<TerminalId, Symbol>,
    nonterminals: Table<NonterminalId, NonterminalSource>,
    rules: Rules,
    /// The terminals that no text matches.
    textless: IdSet<TerminalId>,
}

impl Spelling {
    fn new(grammar: &Grammar, bnf: &Bnf, limits: &Limits) -> Result<Self, LimitReached> {
        let mut spelling = Self {
            sets: Table::new(),
            known: Map::default(),
            symbols: Table::new(),
            nonterminals: bnf.cfg().nonterminals().map(NonterminalSource::Bnf).collect(),
            rules: Rules::default(),
            textless: IdSet::new(bnf.terminal_count()),
        };
        for terminal in bnf.terminals() {
            let symbol = spelling.terminal(grammar, terminal, limits)?;
            spelling.symbols.push(symbol);
        }
        Ok(spelling)
    }

    fn terminal(
        &mut self,
        grammar: &Grammar,
        terminal: TerminalId,
        limits: &Limits,
    ) -> Result<Symbol, LimitReached> {
        match &grammar.terminals()[terminal].kind {
            TerminalKind::Chars(set) => {
                if set.is_empty() {
                    self.textless.insert(terminal);
                }
                Ok(Symbol::Terminal(self.set(set.clone())))
            }
            TerminalKind::Literal(text) => {
                let letters: Vec<_> = text.chars().map(|c| self.set(CharSet::single(c))).collect();
                if let [only] = letters[..] {
                    return Ok(Symbol::Terminal(only));
                }
                let whole = self.nonterminal(NonterminalSource::Terminal(terminal));
                let letters = letters.into_iter().map(Symbol::Terminal);
                self.rules.push(whole, letters, ProductionSource::Spelling(terminal));
                Ok(Symbol::Nonterminal(whole))
            }
            TerminalKind::Regex { regex, .. } => {
                let dfa = Dfa::minimal(regex, limits)?;
                if dfa.is_empty() {
                    self.textless.insert(terminal);
                }
                Ok(Symbol::Nonterminal(self.automaton(terminal, &dfa)))
            }
            other => unreachable!("invariant: {other:?} is not in a scannerless grammar"),
        }
    }

    /// A nonterminal for each state: the non-empty words that lead there.
    fn automaton(&mut self, terminal: TerminalId, dfa: &Dfa) -> NonterminalId {
        let whole = self.nonterminal(NonterminalSource::Terminal(terminal));
        let source = ProductionSource::Spelling(terminal);
        let of_state: Vec<_> = dfa
            .states()
            .map(|_| self.nonterminal(NonterminalSource::Beginning(terminal)))
            .collect();
        if dfa.accepts_empty() {
            self.rules.push(whole, [], source);
        }
        // The start is led to by a non-empty word only if some edge comes back to it.
        let returns =
            dfa.states().any(|from| dfa.edges(from).iter().any(|e| e.target == dfa.start()));
        for from in dfa.states() {
            for (set, to) in dfa.transitions(from) {
                let letter = Symbol::Terminal(self.set(set));
                let to = of_state[to.index()];
                if from == dfa.start() {
                    self.rules.push(to, [letter], source);
                }
                if from != dfa.start() || returns {
                    let from = Symbol::Nonterminal(of_state[from.index()]);
                    self.rules.push(to, [from, letter], source);
                }
            }
        }
        let has_words = |state| state != dfa.start() || returns;
        for state in dfa.states().filter(|&state| dfa.is_accepting(state) && has_words(state)) {
            self.rules.push(whole, [Symbol::Nonterminal(of_state[state.index()])], source);
        }
        whole
    }

    fn nonterminal(&mut self, source: NonterminalSource) -> NonterminalId {
        self.nonterminals.push(source)
    }

    fn set(&mut self, set: CharSet) -> TerminalId {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let id = self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }
}
