//! `error-entry:A`: every state of an automaton that is entered by a token, and the first, with every token, or the
//! end, that is an error after some beginning that leads there.
//!
//! Whether a token can come after a stack of an LR parser is decided by the canonical LR(1) state that the same stack
//! leads to: its items with their look-aheads are those that are valid there (Knuth, *On the translation of languages
//! from left to right*, 1965). So a state of the automaton with a token can be a target only if one of the canonical
//! states after it does not allow the token. A test is the shortest beginning that leads to such a state,
//! the token, and the shortest way to end the sentence without it; for the end, the beginning alone. Where the grammar
//! has conflicts, another stack of the same beginning may allow the token; so every test is read, and further
//! canonical states are tried. A target counts as coverable if one of their shortest beginnings shows the error. For
//! grammars without LR(1) conflicts that is exact: a beginning has one stack. With conflicts it is a lower bound, and
//! an exact answer does not exist in general: whether every beginning that leads to a state can go on with a token is
//! an inclusion of context-free languages.
//!
//! Example: `D: "[" D "]" D | ;` has three such states: the first, and those after `[` and after `]`. In the first,
//! `]` is an error; after `[` the end; after `]` the token `]` is one if the brackets before it are closed.
//!
//! In a scannerless grammar tokens are classes of characters. Cost: the canonical automaton, and a text per target.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use gramercy_analysis::{First, Nullable, Productive, TerminalOrEnd};
use gramercy_base::{Id, IdSet, LimitReached, Map, Span, Table};
use gramercy_coverage::{Criterion, Reading, RejectedInput, TargetId, TargetSet, Uncoverable};
use gramercy_derive::{Candidate, CheapestTrees, Resolution};
use gramercy_grammar::{ProductionId, Symbol, TerminalId, TextKind};
use gramercy_language::Language;
use gramercy_lr::{Automaton, Construction, Facts, ItemId, Items, Label, LabelId, StateId};
use gramercy_parse::tables::InputId;
use gramercy_parse::{Parser, Recognizer};

use super::item_edit::written;
use super::{Change, Found, NegativeCriterion, Smallest, Tools};
use crate::edit::{Edit, Family, Kind, Operator};
use crate::operators::character::{CharacterEdit, Characters};
use crate::text::Base;
use crate::vocabulary::Vocabulary;

/// States with what cannot come there as targets.
#[derive(Debug)]
pub struct ErrorEntries<'l> {
    language: &'l Language,
    parser: Parser,
    canonical: Automaton,
    /// The symbols that are tried, then the end.
    inputs: Vec<InputId>,
    /// One character for each input symbol of a scannerless grammar.
    characters: Map<InputId, char>,
    /// The states that are entered by a token, and the first.
    entries: Vec<StateId>,
    /// The canonical states that are: each with how it is reached, and its state of the automaton.
    reached: Vec<Reached>,
    smallest: OnceLock<Smallest>,
}

/// A canonical state.
#[derive(Clone, Debug)]
struct Reached {
    state: StateId,
    /// Where its state of the automaton is among the entries, if it is one.
    entry: Option<usize>,
    /// The state before it on the shortest stack, and the symbol between them.
    before: Option<(usize, LabelId)>,
    /// What can come there, by the number of the symbol; the end is the last.
    possible: Vec<bool>,
}

/// A stack of which the states below the top are known: its depth and its top.
type Node = (usize, StateId);

/// How stacks are reached: from which one, and what is read on the way.
type Ways<'w> = Map<Node, (Node, &'w [Symbol])>;

impl<'l> ErrorEntries<'l> {
    /// The targets.
    ///
    /// # Errors
    /// If an automaton has too many states.
    pub fn new(language: &'l Language, construction: Construction) -> Result<Self, LimitReached> {
        let (grammar, bnf, limits) = (language.grammar(), language.bnf(), language.limits());
        let parser = match construction {
            // Look-aheads split no states here.
            Construction::Lr0 | Construction::Lalr => Parser::new(grammar, bnf, limits)?,
            Construction::Canonical => Parser::with_automaton(grammar, bnf, construction, limits)?,
        };
        let cfg = parser.cfg();
        let nullable = Nullable::of(cfg);
        let first = First::of(cfg, &Productive::of(cfg), &nullable);
        let facts = Facts { nullable: &nullable, first: &first };
        let canonical = Construction::Canonical.build(cfg, &facts, limits)?;
        let (inputs, characters) = inputs(language, &parser);
        let entries = entries(parser.automaton());
        let mut all = Self {
            language,
            parser,
            canonical,
            inputs,
            characters,
            entries,
            reached: Vec::new(),
            smallest: OnceLock::new(),
        };
        all.walk(&nullable, &first);
        Ok(all)
    }

    /// The targets that have a test, with their texts.
    fn smallest(&self) -> &Smallest {
        let search = || Smallest::of(self.language, |tools, found| self.search(tools, found));
        self.smallest.get_or_init(search)
    }

    /// How many symbols there are, the end included.
    fn width(&self) -> usize {
        self.inputs.len() + 1
    }

    fn rank(&self, entry: usize, input: usize) -> TargetId {
        (entry * self.width() + input) as TargetId
    }

    fn target(&self, target: TargetId) -> (StateId, Option<InputId>) {
        let target = usize::try_from(target).expect("invariant: targets fit in memory");
        (self.entries[target / self.width()], self.inputs.get(target % self.width()).copied())
    }

    /// Walks both automata side by side, breadth first.
    fn walk(&mut self, nullable: &Nullable, first: &First) {
        let of_entry: Map<StateId, usize> =
            self.entries.iter().enumerate().map(|(at, &state)| (state, at)).collect();
        let automaton = self.parser.automaton();
        let mut queue = vec![(self.canonical.initial(), automaton.initial(), None)];
        let mut seen: Table<StateId, bool> = Table::filled(false, self.canonical.state_count());
        seen[self.canonical.initial()] = true;
        let (mut reached, mut at) = (Vec::new(), 0);
        while at < queue.len() {
            let (state, own, before) = queue[at];
            let entry = of_entry.get(&own).copied();
            let possible = match entry {
                Some(_) => self.possible(state, nullable, first),
                None => Vec::new(),
            };
            reached.push(Reached { state, entry, before, possible });
            for step in self.canonical.transitions(state) {
                let is_end = self.canonical.labels().label(step.label) == Label::End;
                if !is_end && !std::mem::replace(&mut seen[step.target], true) {
                    let own = automaton.step(own, step.label);
                    let own = own.expect("invariant: both automata read the same stacks");
                    queue.push((step.target, own, Some((at, step.label))));
                }
            }
            at += 1;
        }
        self.reached = reached;
    }

    /// What can come in a canonical state.
    fn possible(&self, state: StateId, nullable: &Nullable, first: &First) -> Vec<bool> {
        let (cfg, items) = (self.parser.cfg(), self.canonical.items());
        let mut set: IdSet<TerminalOrEnd> = IdSet::new(TerminalOrEnd::count(cfg));
        for kernel in self.canonical.kernel(state) {
            let rest = match place(items, kernel.item) {
                Some((production, dot)) => &cfg.rhs(production)[dot..],
                // The start, with nothing or all of it read.
                None if kernel.item == items.start() => &[Symbol::Nonterminal(cfg.start())],
                None => &[],
            };
            set.union_with(first.of_symbols(cfg, nullable, rest).words());
            let is_nullable = |symbol: &Symbol| match symbol {
                Symbol::Terminal(_) => false,
                Symbol::Nonterminal(id) => nullable.contains(*id),
            };
            if rest.iter().all(is_nullable) {
                match kernel.lookaheads.filter(|_| place(items, kernel.item).is_some()) {
                    Some(lookaheads) => _ = set.union_with(self.canonical.lookaheads(lookaheads)),
                    None => _ = set.insert(TerminalOrEnd::end(cfg)),
                }
            }
        }
        let has = |&input: &InputId| {
            let terminals = self.parser.inputs().terminals(input);
            terminals.iter().any(|&terminal| set.contains(terminal.into()))
        };
        let end = set.contains(TerminalOrEnd::end(cfg));
        self.inputs.iter().map(has).chain([end]).collect()
    }

    /// The states of the shortest stack that leads to a canonical state, and the symbols between them.
    fn stack(&self, at: usize) -> (Vec<StateId>, Vec<Symbol>) {
        let (mut states, mut symbols, mut at) = (Vec::new(), Vec::new(), at);
        loop {
            states.push(self.reached[at].state);
            let Some((before, label)) = self.reached[at].before else { break };
            symbols.push(match self.canonical.labels().label(label) {
                Label::Terminal(id) => Symbol::Terminal(id),
                Label::Nonterminal(id) => Symbol::Nonterminal(id),
                Label::End => unreachable!("invariant: nothing comes after the end"),
            });
            at = before;
        }
        states.reverse();
        symbols.reverse();
        (states, symbols)
    }

    /// The shortest way to end a sentence whose beginning has this stack: a search over how much of the stack is left
    /// and what is on top of it.
    fn completion(&self, states: &[StateId], cheapest: &CheapestTrees<'_>) -> Option<Vec<Symbol>> {
        let (cfg, items, labels) =
            (self.parser.cfg(), self.canonical.items(), self.canonical.labels());
        let start: Node = (states.len() - 1, states[states.len() - 1]);
        let mut costs: Map<Node, u64> = Map::from_iter([(start, 0)]);
        let mut ways: Ways<'_> = Map::default();
        let mut queue = BinaryHeap::from([Reverse((0u64, start))]);
        let whole = [Symbol::Nonterminal(cfg.start())];
        while let Some(Reverse((cost, node))) = queue.pop() {
            if costs[&node] < cost {
                continue;
            }
            let (depth, state) = node;
            for kernel in self.canonical.kernel(state) {
                let (rest, next): (&[Symbol], Node) = match place(items, kernel.item) {
                    Some((production, dot)) => {
                        let below = states[depth - dot];
                        let label = labels.nonterminal(cfg.lhs(production));
                        let target = self.canonical.step(below, label);
                        let target = target.expect("invariant: what is reduced can be pushed");
                        (&cfg.rhs(production)[dot..], (depth - dot + 1, target))
                    }
                    None if kernel.item == items.start() => {
                        let label = labels.nonterminal(cfg.start());
                        let target = self.canonical.step(state, label);
                        let target = target.expect("invariant: the start can be pushed");
                        return Some(self.collect(node, &ways, Some((&whole, target))));
                    }
                    None => return Some(self.collect(node, &ways, None)),
                };
                let Some(more) = cheapest.length(rest) else { continue };
                // A reduction costs a little too, so that the search ends in cyclic grammars.
                let total = cost.saturating_add(more.saturating_mul(64)).saturating_add(1);
                if costs.get(&next).is_none_or(|&known| total < known) {
                    costs.insert(next, total);
                    ways.insert(next, (node, rest));
                    queue.push(Reverse((total, next)));
                }
            }
        }
        None
    }

    fn collect(
        &self,
        mut node: Node,
        ways: &Ways<'_>,
        last: Option<(&[Symbol], StateId)>,
    ) -> Vec<Symbol> {
        let mut parts: Vec<&[Symbol]> = last.map(|(symbols, _)| symbols).into_iter().collect();
        while let Some(&(before, rest)) = ways.get(&node) {
            parts.push(rest);
            node = before;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }

    /// A sentence as input symbols: its beginning and its end. `None` if a token on the way has no text.
    fn sentence(
        &self,
        at: usize,
        cheapest: &CheapestTrees<'_>,
    ) -> Option<(Vec<InputId>, Vec<InputId>)> {
        let (states, symbols) = self.stack(at);
        cheapest.length(&symbols)?;
        let inputs = |symbols: &[Symbol]| {
            let mut candidate = Candidate::default();
            cheapest.close_all(symbols, &mut candidate);
            candidate.tokens.iter().map(|&terminal| self.input_of(terminal)).collect()
        };
        let before: Option<Vec<InputId>> = inputs(&symbols);
        Some((before?, inputs(&self.completion(&states, cheapest)?)?))
    }

    /// An input symbol that is a terminal; `None` if the lexer never makes it.
    fn input_of(&self, terminal: TerminalId) -> Option<InputId> {
        let all = self.parser.inputs();
        let is = |input: &InputId| all.terminals(*input).contains(&terminal);
        self.inputs.iter().copied().find(is)
    }

    /// The base of a sentence with its text.
    fn base(&self, inputs: &[InputId], tools: &mut Tools<'_, '_, '_>) -> Option<Base> {
        match self.language.grammar().text_kind() {
            TextKind::Scannerless => {
                let text = inputs.iter().map(|input| self.characters[input]).collect();
                Some(Base::new(text, Vec::new()))
            }
            TextKind::Lexed | TextKind::TokensOnly => {
                let tokens: Vec<TerminalId> =
                    inputs.iter().map(|input| TerminalId::from_index(input.index())).collect();
                written(tools, &tokens)
            }
        }
    }
}

/// The production of an item and where its dot stands; `None` for S' → S `$`.
fn place(items: &Items, item: ItemId) -> Option<(ProductionId, usize)> {
    items.production(item).map(|production| (production, items.dot(item)))
}

/// The states that are entered by a token, and the first.
fn entries(automaton: &Automaton) -> Vec<StateId> {
    let labels = automaton.labels();
    let is_entry = |state: &StateId| match automaton.accessing(*state) {
        None => true,
        Some(label) => matches!(labels.label(label), Label::Terminal(_)),
    };
    automaton.states().filter(is_entry).collect()
}

/// The symbols that are tried; in a scannerless grammar with a character for each.
fn inputs(language: &Language, parser: &Parser) -> (Vec<InputId>, Map<InputId, char>) {
    match language.grammar().text_kind() {
        TextKind::Scannerless => {
            let Ok(text) = language.parser() else { return (Vec::new(), Map::default()) };
            let characters = Characters::new(language, text);
            let of = |&c: &char| (parser.input_of_char(c), c);
            let mut all: Vec<(InputId, char)> =
                characters.representatives().iter().map(of).collect();
            all.sort_unstable();
            (all.iter().map(|&(input, _)| input).collect(), all.into_iter().collect())
        }
        TextKind::Lexed | TextKind::TokensOnly => {
            let vocabulary = Vocabulary::new(language);
            (vocabulary.all().iter().map(InputId::of_token).collect(), Map::default())
        }
    }
}

impl Criterion for ErrorEntries<'_> {
    fn targets(&self) -> u64 {
        (self.entries.len() * self.width()) as u64
    }

    fn coverable(&self) -> u64 {
        self.smallest().targets.len()
    }

    fn uncoverable(&self, target: TargetId) -> Option<Uncoverable> {
        (!self.smallest().targets.contains(target)).then_some(Uncoverable::Unreachable)
    }

    fn cover(&self, _: &Reading<'_>, _: &mut TargetSet) {}

    fn cover_rejected(&self, input: &RejectedInput<'_>, covered: &mut TargetSet) {
        let Ok(text) = self.language.parser() else { return };
        let symbols: Vec<InputId> = match self.language.grammar().text_kind() {
            TextKind::Scannerless => {
                input.text.chars().map(|c| self.parser.input_of_char(c)).collect()
            }
            TextKind::Lexed | TextKind::TokensOnly => {
                let (tokens, stopped) = text.tokens(&mut text.workspace(), input.text);
                let terminals = tokens.iter().filter_map(|token| token.terminal);
                let symbols: Vec<InputId> = terminals.map(InputId::of_token).collect();
                // Where no token can be made, no token is in error.
                if stopped.is_some_and(|(byte, _)| byte <= input.byte) {
                    return;
                }
                symbols
            }
        };
        let mut workspace = self.parser.workspace();
        let Some(mut recognizer) = Recognizer::new(&self.parser, &mut workspace) else { return };
        let read = symbols.iter().take_while(|&&symbol| recognizer.read(symbol)).count();
        let next = match symbols.get(read) {
            None => self.inputs.len(),
            Some(symbol) => match self.inputs.binary_search(symbol) {
                Ok(at) => at,
                Err(_) => return,
            },
        };
        for state in recognizer.top_states() {
            let Ok(entry) = self.entries.binary_search(&state) else { continue };
            // The same targets count for inputs as for tests.
            if self.smallest().targets.contains(self.rank(entry, next)) {
                covered.insert(self.rank(entry, next));
            }
        }
    }

    fn describe(&self, target: TargetId) -> String {
        let (state, input) = self.target(target);
        let grammar = self.language.grammar();
        let name = |input: InputId| match self.characters.get(&input) {
            Some(c) => format!("{c:?}"),
            None => grammar.terminals()[TerminalId::from_index(input.index())].name.to_string(),
        };
        let input = input.map_or_else(|| "the end".to_owned(), name);
        format!("{input} in state {}", state.index())
    }

    fn place(&self, _: TargetId) -> Option<Span> {
        None
    }
}

impl NegativeCriterion for ErrorEntries<'_> {
    fn search(&self, tools: &mut Tools<'_, '_, '_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let cfg = self.parser.cfg();
        let productive = Productive::without(cfg, self.language.never_written());
        let cheapest = CheapestTrees::among(cfg, &productive, Resolution::default());
        let mut done = TargetSet::new();
        let mut workspace = self.parser.workspace();
        for (at, reached) in self.reached.iter().enumerate() {
            let Some(entry) = reached.entry else { continue };
            let is_missing = |input: &usize| {
                !reached.possible[*input] && !done.contains(self.rank(entry, *input))
            };
            let missing: Vec<usize> = (0..self.width()).filter(is_missing).collect();
            if missing.is_empty() {
                continue;
            }
            let Some((before, behind)) = self.sentence(at, &cheapest) else { continue };
            let Some(base) = self.base(&[&before[..], &behind].concat(), tools) else { continue };
            let mut recognizer = Recognizer::new(&self.parser, &mut workspace)
                .expect("invariant: a grammar with states has sentences");
            let is_read = before.iter().all(|&input| recognizer.read(input));
            assert!(is_read, "invariant: a stack of the automaton is the beginning of a sentence");
            for input in missing {
                // Another stack of the same beginning may allow what this one does not.
                let is_error = match self.inputs.get(input) {
                    None => !recognizer.is_sentence(),
                    Some(&symbol) => {
                        let here = recognizer.checkpoint();
                        let is_read = recognizer.read(symbol);
                        recognizer.resume(&here);
                        !is_read
                    }
                };
                let target = self.rank(entry, input);
                let symbol = self.inputs.get(input).copied();
                if is_error && self.tell(target, &base, before.len(), symbol, tools, found)? {
                    done.insert(target);
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl ErrorEntries<'_> {
    /// Tells of the test for a target: a symbol put in at a place of a base, or in the place of what follows, or the
    /// base cut there. `false` if the lexer cannot make its tokens.
    fn tell(
        &self,
        target: TargetId,
        base: &Base,
        place: usize,
        input: Option<InputId>,
        tools: &mut Tools<'_, '_, '_>,
        found: &mut Found<'_>,
    ) -> ControlFlow<(), bool> {
        let kind = if input.is_some() { Kind::Insert } else { Kind::Delete };
        if self.language.grammar().text_kind() == TextKind::Scannerless {
            let byte = base.text.char_indices().nth(place).map_or(base.text.len(), |(at, _)| at);
            let inserted = input.map(|input| self.characters[&input].to_string());
            let edit = CharacterEdit {
                kind,
                place: byte,
                removed: if input.is_some() { 0 } else { base.text.len() - byte },
                inserted: inserted.as_deref().unwrap_or_default(),
            };
            found(target, base, Change::Characters(&edit))?;
            return ControlFlow::Continue(true);
        }
        let inserted: Vec<TerminalId> =
            input.into_iter().map(|input| TerminalId::from_index(input.index())).collect();
        let rest = base.tokens.len() - place;
        let tries = match input {
            Some(_) => vec![(Kind::Insert, 0), (Kind::Substitute, rest)],
            None => vec![(Kind::Delete, rest)],
        };
        let mut text = String::new();
        for (kind, removed) in tries {
            let operator = Operator { family: Family::Edge, kind };
            let edit = Edit { operator, place, removed, inserted: &inserted, item: None };
            text.clear();
            if tools.judge.write(tools.splicer, base, &edit, &mut text) {
                found(target, base, Change::Tokens(&edit))?;
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }
}
