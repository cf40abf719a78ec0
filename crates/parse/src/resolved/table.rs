//! The table of a resolved parser: one cell for each state and input symbol, a row is filled when it is first used.

use gramercy_base::{Id, bits};
use gramercy_grammar::{Precedence, ProductionId, Symbol};
use gramercy_lr::StateId;

use crate::core::ProductionSource;
use crate::parser::Parser;
use crate::precedences::{Precedences, Resolution};
use crate::tables::{InputId, accepts};

/// What to do in a state on an input symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(u32);

const SHIFT: u32 = 1;
const REDUCE: u32 = 2;

impl Code {
    /// The row is not filled yet.
    pub(super) const UNKNOWN: Self = Code(0);
    /// Nothing can be done.
    pub(super) const ERROR: Self = Code(3);
    /// The input is a sentence.
    pub(super) const ACCEPT: Self = Code(7);

    /// The state that a token leads to.
    #[inline]
    pub(super) fn shift(self) -> Option<u32> {
        (self.0 & 3 == SHIFT).then_some(self.0 >> 2)
    }

    /// The production that is reduced.
    #[inline]
    pub(super) fn reduce(self) -> Option<u32> {
        (self.0 & 3 == REDUCE).then_some(self.0 >> 2)
    }

    fn new(value: usize, tag: u32) -> Self {
        let value = u32::try_from(value).ok().and_then(|value| value.checked_mul(4));
        Code(value.expect("invariant: ids fit in 30 bits") + tag)
    }
}

/// The cells. Memory of rows that no input needs is never touched.
#[derive(Clone, Debug)]
pub(super) struct Table {
    cells: Vec<u32>,
    gotos: Vec<u32>,
    inputs: usize,
    nonterminals: usize,
}

impl Table {
    pub(super) fn new(parser: &Parser) -> Self {
        let states = parser.automaton().state_count();
        let (inputs, nonterminals) = (parser.inputs().len() + 1, parser.cfg().nonterminal_count());
        Self {
            cells: vec![0; states * inputs],
            gotos: vec![0; states * nonterminals],
            inputs,
            nonterminals,
        }
    }

    #[inline]
    pub(super) fn get(&self, state: u32, input: InputId) -> Code {
        Code(self.cells[state as usize * self.inputs + input.index()])
    }

    /// Where a state goes on a nonterminal that it expects, once its row was filled.
    #[inline]
    pub(super) fn goto(&self, state: u32, nonterminal: u32) -> u32 {
        self.gotos[state as usize * self.nonterminals + nonterminal as usize]
    }

    #[cold]
    pub(super) fn fill(&mut self, parser: &Parser, precedences: &Precedences, state: u32) {
        let id = StateId::from_index(state as usize);
        let row = Row::new(parser, precedences, id);
        for (nonterminal, target) in parser.automaton().gotos(id) {
            let target = u32::try_from(target.index()).expect("invariant: states fit");
            self.gotos[state as usize * self.nonterminals + nonterminal.index()] = target;
        }
        for input in (0..self.inputs).map(InputId::from_index) {
            self.cells[state as usize * self.inputs + input.index()] = row.cell(input).0;
        }
    }
}

/// A state with what it can do.
struct Row<'p> {
    parser: &'p Parser,
    precedences: &'p Precedences,
    state: StateId,
}

impl<'p> Row<'p> {
    fn new(parser: &'p Parser, precedences: &'p Precedences, state: StateId) -> Self {
        Self { parser, precedences, state }
    }

    fn cell(&self, input: InputId) -> Code {
        let (automaton, inputs) = (self.parser.automaton(), self.parser.inputs());
        let at_end = input == inputs.end();
        if at_end && accepts(automaton, self.state) {
            return Code::ACCEPT;
        }
        let terminals = inputs.terminals(input);
        let mut shifts = terminals.iter().filter_map(|&id| {
            automaton.step(self.state, automaton.labels().symbol(Symbol::Terminal(id)))
        });
        let shift = shifts.next();
        if shifts.next().is_some() {
            // One input symbol that is two terminals: bison knows no such thing.
            return Code::ERROR;
        }
        let reductions = automaton.reductions(self.state).iter().filter(|reduction| {
            let lookaheads = reduction.lookaheads.map(|id| automaton.lookaheads(id));
            let on = |index| lookaheads.is_none_or(|words| bits::contains(words, index));
            terminals.iter().any(|terminal| on(terminal.index()))
                || (at_end && on(automaton.labels().end().index()))
        });
        let reductions: Vec<_> = reductions.map(|reduction| reduction.production).collect();
        self.resolve(shift, &reductions)
    }

    /// The one action that is left. A production that loses against the token is out; a token that loses is
    /// not compared with further productions.
    fn resolve(&self, mut shift: Option<StateId>, reductions: &[ProductionId]) -> Code {
        let token = match shift {
            Some(target) if !reductions.is_empty() => match self.shifted(target) {
                Ok(precedence) => precedence,
                Err(Undecided) => return Code::ERROR,
            },
            _ => None,
        };
        let (mut reduce, mut is_error) = (None, false);
        for &production in reductions {
            let resolution = match (shift, self.parser.production_source(production)) {
                (Some(_), ProductionSource::Bnf(of)) => self.precedences.resolve(of, token),
                _ => Resolution::Undeclared,
            };
            match resolution {
                Resolution::Shift => {}
                Resolution::Error => (shift, is_error) = (None, true),
                Resolution::Reduce => (shift, reduce) = (None, reduce.or(Some(production))),
                Resolution::Undeclared => reduce = reduce.or(Some(production)),
            }
        }
        match (shift, reduce) {
            _ if is_error => Code::ERROR,
            (Some(target), _) => Code::new(target.index(), SHIFT),
            (None, Some(production)) => Code::new(production.index(), REDUCE),
            (None, None) => Code::ERROR,
        }
    }

    /// The precedence of what is shifted on the way to a state. A character may begin several terminals.
    fn shifted(&self, target: StateId) -> Result<Option<Precedence>, Undecided> {
        let automaton = self.parser.automaton();
        let items = automaton.items();
        let mut precedences = automaton.kernel(target).iter().map(|kernel| {
            let production = items.production(kernel.item).expect("invariant: not the start");
            let terminal = match self.parser.production_source(production) {
                ProductionSource::Spelling(terminal) => Some(terminal),
                ProductionSource::Bnf(_) => {
                    self.parser.terminal_at(production, items.dot(kernel.item) - 1)
                }
            };
            self.precedences.of_terminal(terminal.expect("invariant: a terminal was shifted"))
        });
        let first = precedences.next().expect("invariant: a kernel has items");
        if precedences.all(|other| other == first) { Ok(first) } else { Err(Undecided) }
    }
}

/// A character begins terminals of different precedence: one symbol of look-ahead does not tell them apart.
struct Undecided;
