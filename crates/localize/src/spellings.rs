//! The lexical rules as a context-free grammar over characters.
//!
//! Every token rule and fragment is a nonterminal, so that a chart of characters tells in which of them a token went
//! wrong. Groups, options and repetitions get nonterminals of their own, which belong to the rule that they are
//! written in; a regex is written as its minimal automaton.
//!
//! Example: `NUMBER : INT EXP? ; fragment INT : '0' | [1-9] [0-9]* ; fragment EXP : 'e' INT ;` on `1e05`: the chart of
//! `NUMBER` ends after `1e0`, and the item there that stops too early is the one of `INT`.

use gramercy_base::{Id, LimitReached, Limits, Map, Table};
use gramercy_grammar::{
    Cfg, Command, ExprId, ExprKind, Grammar, NonterminalId, ProductionId, RuleId, RuleKind, Symbol,
    TerminalId, TerminalKind,
};
use gramercy_parse::tables::{InputId, Inputs};
use gramercy_regular::classes::{self, Classes};
use gramercy_regular::{CharSet, Dfa};

use crate::slots::Slots;

/// Copies of a bounded repetition are written out up to this many.
const MAX_COPIES: u32 = 32;

/// The lexical rules over characters.
#[derive(Clone, Debug)]
pub struct Spellings {
    slots: Slots,
    classes: Classes,
    of_rules: Map<RuleId, NonterminalId>,
    owners: Table<NonterminalId, RuleId>,
    sources: Table<ProductionId, Vec<ExprId>>,
    /// The character sets that terminals are.
    sets: Table<TerminalId, CharSet>,
}

impl Spellings {
    /// The lexical rules of a grammar.
    ///
    /// # Errors
    /// If the automaton of a regex grows beyond the limits.
    pub fn new(grammar: &Grammar, limits: &Limits) -> Result<Self, LimitReached> {
        let mut writer = Writer { grammar, limits, ..Writer::empty(grammar, limits) };
        let lexical = || grammar.rules().iter().filter(|(_, rule)| !rule.is_syntax());
        for (id, _) in lexical() {
            let made = writer.nonterminal(id);
            writer.of_rules.insert(id, made);
        }
        for (id, rule) in lexical() {
            let fold = match &rule.kind {
                RuleKind::Token(token) => token.ignore_case,
                RuleKind::Fragment { ignore_case } => *ignore_case,
                RuleKind::Syntax => unreachable!("invariant: only lexical rules come here"),
            };
            writer.rule = Some((id, fold));
            let of = writer.of_rules[&id];
            writer.alternatives(of, rule.body)?;
        }
        Ok(writer.finish())
    }

    /// The grammar.
    #[must_use]
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The nonterminal of a lexical rule.
    #[must_use]
    pub fn nonterminal(&self, rule: RuleId) -> Option<NonterminalId> {
        self.of_rules.get(&rule).copied()
    }

    /// The rule that a nonterminal is written in.
    #[must_use]
    pub fn owner(&self, nonterminal: NonterminalId) -> RuleId {
        self.owners[nonterminal]
    }

    /// The expressions that the positions of a production stand for.
    #[must_use]
    pub fn sources(&self, production: ProductionId) -> &[ExprId] {
        &self.sources[production]
    }

    /// The characters that a terminal is.
    #[must_use]
    pub fn set(&self, terminal: TerminalId) -> &CharSet {
        &self.sets[terminal]
    }

    /// The classes of characters that are input symbols.
    #[must_use]
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The input symbol of a character.
    #[must_use]
    pub fn input(&self, c: char) -> InputId {
        match self.classes.get(c as u32) {
            Some(class) => InputId::from_index(class.index()),
            None => self.slots.unknown(),
        }
    }
}

struct Writer<'g> {
    grammar: &'g Grammar,
    limits: &'g Limits,
    /// The rule that is being written, and whether its literals match in either case.
    rule: Option<(RuleId, bool)>,
    of_rules: Map<RuleId, NonterminalId>,
    owners: Table<NonterminalId, RuleId>,
    productions: Vec<(NonterminalId, Vec<Symbol>)>,
    sources: Table<ProductionId, Vec<ExprId>>,
    sets: Table<TerminalId, CharSet>,
    known: Map<CharSet, TerminalId>,
}

impl<'g> Writer<'g> {
    fn empty(grammar: &'g Grammar, limits: &'g Limits) -> Self {
        Self {
            grammar,
            limits,
            rule: None,
            of_rules: Map::default(),
            owners: Table::new(),
            productions: Vec::new(),
            sources: Table::new(),
            sets: Table::new(),
            known: Map::default(),
        }
    }

    fn finish(self) -> Spellings {
        let partition = classes::partition(self.sets.values());
        let mut holders = vec![Vec::new(); partition.classes.len()];
        for (set, members) in partition.members.iter() {
            for class in members {
                holders[class.index()].push(TerminalId::from_index(set.index()));
            }
        }
        let inputs = Inputs::new(holders.into_iter().map(Vec::into_boxed_slice).collect());
        let productions = self.productions.iter().map(|(lhs, rhs)| (*lhs, &rhs[..]));
        let start = NonterminalId::from_index(0);
        let cfg = Cfg::new(self.sets.len(), self.owners.len().max(1), start, productions);
        Spellings {
            slots: Slots::new(cfg, &inputs),
            classes: partition.classes,
            of_rules: self.of_rules,
            owners: self.owners,
            sources: self.sources,
            sets: self.sets,
        }
    }

    fn nonterminal(&mut self, owner: RuleId) -> NonterminalId {
        self.owners.push(owner)
    }

    /// A nonterminal of the rule that is being written.
    fn part(&mut self) -> NonterminalId {
        let (owner, _) = self.rule.expect("invariant: a rule is being written");
        self.nonterminal(owner)
    }

    fn push(&mut self, lhs: NonterminalId, rhs: Vec<(Symbol, ExprId)>) {
        let (symbols, sources) = rhs.into_iter().unzip();
        self.productions.push((lhs, symbols));
        self.sources.push(sources);
    }

    fn set(&mut self, set: CharSet) -> Symbol {
        let known = self.known.get(&set).copied();
        Symbol::Terminal(known.unwrap_or_else(|| {
            let id = self.sets.push(set.clone());
            self.known.insert(set, id);
            id
        }))
    }

    /// Writes the alternatives of an expression as productions of a nonterminal.
    fn alternatives(&mut self, of: NonterminalId, expr: ExprId) -> Result<(), LimitReached> {
        let grammar = self.grammar;
        match &grammar.expr(expr).kind {
            ExprKind::Alternation(alternatives) => {
                for alternative in alternatives {
                    let rhs = self.sequence(alternative.expr)?;
                    self.push(of, rhs);
                }
            }
            _ => {
                let rhs = self.sequence(expr)?;
                self.push(of, rhs);
            }
        }
        Ok(())
    }

    fn sequence(&mut self, expr: ExprId) -> Result<Vec<(Symbol, ExprId)>, LimitReached> {
        let grammar = self.grammar;
        let mut symbols = Vec::new();
        match &grammar.expr(expr).kind {
            ExprKind::Sequence(parts) => {
                for &part in parts {
                    symbols.extend(self.element(part)?);
                }
            }
            _ => symbols.extend(self.element(expr)?),
        }
        Ok(symbols)
    }

    fn element(&mut self, expr: ExprId) -> Result<Vec<(Symbol, ExprId)>, LimitReached> {
        let grammar = self.grammar;
        Ok(match &grammar.expr(expr).kind {
            ExprKind::Sequence(_) => self.sequence(expr)?,
            ExprKind::Alternation(_) => {
                let part = self.part();
                self.alternatives(part, expr)?;
                vec![(Symbol::Nonterminal(part), expr)]
            }
            ExprKind::Repeat { body, min, max, .. } => self.repeat(expr, *body, *min, *max)?,
            ExprKind::Rule(rule) => vec![(Symbol::Nonterminal(self.of_rules[rule]), expr)],
            ExprKind::Terminal(terminal) => self.terminal(expr, *terminal)?,
            ExprKind::Commands(_) => Vec::new(),
        })
    }

    fn repeat(
        &mut self,
        expr: ExprId,
        body: ExprId,
        min: u32,
        max: Option<u32>,
    ) -> Result<Vec<(Symbol, ExprId)>, LimitReached> {
        let mut symbols = Vec::new();
        for _ in 0..min.min(MAX_COPIES) {
            symbols.extend(self.element(body)?);
        }
        match max {
            None => {
                let part = self.part();
                let again = (Symbol::Nonterminal(part), expr);
                let mut rhs = vec![again];
                rhs.extend(self.element(body)?);
                self.push(part, Vec::new());
                self.push(part, rhs);
                symbols.push(again);
            }
            Some(max) => {
                for _ in min..max.min(min.saturating_add(MAX_COPIES)) {
                    let part = self.part();
                    let rhs = self.element(body)?;
                    self.push(part, Vec::new());
                    self.push(part, rhs);
                    symbols.push((Symbol::Nonterminal(part), expr));
                }
            }
        }
        Ok(symbols)
    }

    fn terminal(
        &mut self,
        expr: ExprId,
        terminal: TerminalId,
    ) -> Result<Vec<(Symbol, ExprId)>, LimitReached> {
        let grammar = self.grammar;
        Ok(match &grammar.terminals()[terminal].kind {
            TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => {
                let (_, fold) = self.rule.expect("invariant: a rule is being written");
                let letters =
                    text.chars().map(|c| if fold { either_case(c) } else { CharSet::single(c) });
                let letters: Vec<_> = letters.collect();
                letters.into_iter().map(|set| (self.set(set), expr)).collect()
            }
            TerminalKind::Chars(set) => vec![(self.set(set.clone()), expr)],
            TerminalKind::Regex { regex, .. } => {
                let dfa = Dfa::minimal(regex, self.limits)?;
                vec![(Symbol::Nonterminal(self.automaton(expr, &dfa)), expr)]
            }
            TerminalKind::Token { text: None, .. }
            | TerminalKind::AnyTokenBut(_)
            | TerminalKind::Eof => Vec::new(),
        })
    }

    /// A nonterminal for each state: the words from there to the end.
    fn automaton(&mut self, expr: ExprId, dfa: &Dfa) -> NonterminalId {
        let states: Vec<_> = dfa.states().map(|_| self.part()).collect();
        for state in dfa.states() {
            let of = states[state.index()];
            if dfa.is_accepting(state) {
                self.push(of, Vec::new());
            }
            for (set, to) in dfa.transitions(state) {
                let letter = self.set(set);
                let rest = Symbol::Nonterminal(states[to.index()]);
                self.push(of, vec![(letter, expr), (rest, expr)]);
            }
        }
        states[dfa.start().index()]
    }
}

fn either_case(c: char) -> CharSet {
    let cases = c.to_lowercase().chain(c.to_uppercase()).chain([c]);
    CharSet::from_ranges(cases.map(|c| (c as u32, c as u32)))
}

/// The commands that a token rule executes, those of its first alternative that has any.
#[must_use]
pub fn commands(grammar: &Grammar, rule: RuleId) -> Vec<Command> {
    let mut stack = vec![grammar.rules()[rule].body];
    while let Some(expr) = stack.pop() {
        match &grammar.expr(expr).kind {
            ExprKind::Commands(commands) => return commands.to_vec(),
            ExprKind::Alternation(branches) => stack.extend(branches.iter().rev().map(|b| b.expr)),
            ExprKind::Sequence(parts) => stack.extend(parts.iter().rev()),
            ExprKind::Repeat { body, .. } => stack.push(*body),
            ExprKind::Rule(_) | ExprKind::Terminal(_) => {}
        }
    }
    Vec::new()
}

/// Whether a lexical rule matches only one text, up to its case.
#[must_use]
pub fn is_fixed(grammar: &Grammar, rule: RuleId) -> bool {
    let (mut stack, mut steps) = (vec![grammar.rules()[rule].body], 0);
    while let Some(expr) = stack.pop() {
        steps += 1;
        if steps > 200 {
            return false;
        }
        match &grammar.expr(expr).kind {
            ExprKind::Alternation(branches) if branches.len() > 1 => return false,
            ExprKind::Alternation(branches) => stack.extend(branches.iter().map(|b| b.expr)),
            ExprKind::Sequence(parts) => stack.extend(parts),
            ExprKind::Repeat { .. } => return false,
            // A letter in either case, as in `S : [sS] ;`.
            ExprKind::Rule(rule) => match is_letter(grammar, *rule) {
                true => {}
                false => stack.push(grammar.rules()[*rule].body),
            },
            ExprKind::Terminal(terminal) => match &grammar.terminals()[*terminal].kind {
                TerminalKind::Chars(set) if set.len() > 2 => return false,
                TerminalKind::Regex { regex, .. } => {
                    let _ = regex;
                    return false;
                }
                _ => {}
            },
            ExprKind::Commands(_) => {}
        }
    }
    true
}

/// Whether a fragment is one letter in either case.
fn is_letter(grammar: &Grammar, rule: RuleId) -> bool {
    let mut body = grammar.rules()[rule].body;
    let one = |expr: ExprId| match &grammar.expr(expr).kind {
        ExprKind::Terminal(terminal) => match &grammar.terminals()[*terminal].kind {
            TerminalKind::Literal(text) => text.chars().count() == 1,
            TerminalKind::Chars(set) => set.len() <= 2,
            _ => false,
        },
        _ => false,
    };
    loop {
        match &grammar.expr(body).kind {
            ExprKind::Alternation(branches) if branches.len() == 1 => body = branches[0].expr,
            ExprKind::Alternation(branches) => {
                return branches.len() <= 2 && branches.iter().all(|b| one(b.expr));
            }
            _ => return one(body),
        }
    }
}
