//! FIRST and FOLLOW sets, the parse table of an LR automaton, and the steps of the parser that it drives.
//!
//! States have their numbers, productions those of `convert --to bnf`. The table is that of the plain grammar:
//! precedence resolves nothing in it. Where a state has several actions for one token, the parser shifts
//! if it can, else it reduces by the first production, and says what else it could do.

use gramercy::Automaton;
use gramercy::analysis::{First, Follow, Nullable, Productive, TerminalOrEnd};
use gramercy::base::Id;
use gramercy::grammar::{ProductionId, Symbol, TerminalId};
use gramercy::language::Language;
use gramercy::lr::{Label, StateId};
use serde::Serialize;

use super::Palette;
use super::table::Table;

/// The most steps of a trace. A grammar may derive nothing from nothing without end.
const MAX_STEPS: usize = 100_000;
/// The most symbols of the stack and of the input that a line shows.
const SHOWN: usize = 8;

/// The facts about one nonterminal.
#[derive(Serialize)]
pub(crate) struct Sets {
    nonterminal: String,
    nullable: bool,
    first: Vec<String>,
    follow: Vec<String>,
}

/// The actions of one state.
#[derive(Serialize)]
pub(crate) struct StateRow {
    state: usize,
    actions: Vec<Action>,
}

/// What is done in a state for a symbol.
#[derive(Serialize)]
struct Action {
    symbol: String,
    action: String,
}

/// One step of a parser.
#[derive(Serialize)]
pub(crate) struct Step {
    stack: Vec<String>,
    next: String,
    action: String,
    /// The other actions that the table has for this token.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conflict: Vec<String>,
}

fn terminal(language: &Language, next: TerminalOrEnd) -> String {
    match next.terminal(language.bnf()) {
        Some(terminal) => language.grammar().terminals()[terminal].name.to_string(),
        None => "$".to_owned(),
    }
}

/// FIRST and FOLLOW of every nonterminal.
pub(crate) fn sets(language: &Language) -> Vec<Sets> {
    let bnf = language.bnf();
    let nullable = Nullable::of(bnf);
    let first = First::of(bnf, &Productive::of(bnf), &nullable);
    let follow = Follow::of(bnf, language.useful(), &nullable, &first);
    let names = |ids: &mut dyn Iterator<Item = TerminalOrEnd>| -> Vec<String> {
        ids.map(|id| terminal(language, id)).collect()
    };
    let of = |id| Sets {
        nonterminal: language.nonterminal_name(id).to_owned(),
        nullable: nullable.contains(id),
        first: names(&mut first.sets().iter_row(id)),
        follow: names(&mut follow.sets().iter_row(id)),
    };
    bnf.nonterminals().ids().map(of).collect()
}

/// The sets as a table.
pub(crate) fn sets_for_people(sets: &[Sets], palette: Palette) -> String {
    let mut table = Table::of_words(["Nonterminal", "nullable", "FIRST", "FOLLOW"]);
    for Sets { nonterminal, nullable, first, follow } in sets {
        let nullable = if *nullable { "yes" } else { "no" };
        table.row([nonterminal.clone(), nullable.to_owned(), first.join(" "), follow.join(" ")]);
    }
    table.render(palette)
}

/// A parser by one automaton.
pub(crate) struct ShiftReduce<'l> {
    pub(crate) language: &'l Language,
    pub(crate) automaton: &'l Automaton,
}

impl ShiftReduce<'_> {
    fn reduces(&self, state: StateId, next: TerminalOrEnd) -> Vec<ProductionId> {
        let is_for = |lookaheads| self.automaton.lookahead_ids(lookaheads).any(|id| id == next);
        let reductions = self.automaton.reductions(state).iter();
        let reductions = reductions.filter(|reduction| reduction.lookaheads.is_none_or(is_for));
        reductions.map(|reduction| reduction.production).collect()
    }

    fn shift(&self, state: StateId, next: TerminalOrEnd) -> Option<StateId> {
        self.automaton.step(state, self.automaton.labels().input(next))
    }

    fn shift_in_words(&self, target: StateId) -> String {
        match target == self.automaton.accepting() {
            true => "accept".to_owned(),
            false => format!("shift, go to {}", target.index()),
        }
    }

    fn reduce_in_words(&self, production: ProductionId) -> String {
        let (bnf, grammar) = (self.language.bnf(), self.language.grammar());
        let name = |symbol: Symbol| bnf.symbol_name(grammar, symbol);
        let right: Vec<&str> = bnf.rhs(production).iter().map(|&symbol| name(symbol)).collect();
        let right = if right.is_empty() { "ε".to_owned() } else { right.join(" ") };
        let left = name(Symbol::Nonterminal(bnf.lhs(production)));
        format!("reduce by {}: {left} → {right}", production.index() + 1)
    }

    /// All actions for a token, the one that is taken first.
    fn actions(&self, state: StateId, next: TerminalOrEnd) -> Vec<String> {
        let shift = self.shift(state, next).map(|target| self.shift_in_words(target));
        let reduces = self.reduces(state, next);
        shift.into_iter().chain(reduces.iter().map(|&it| self.reduce_in_words(it))).collect()
    }

    /// The parse table.
    pub(crate) fn table(&self) -> Vec<StateRow> {
        let bnf = self.language.bnf();
        let labels = self.automaton.labels();
        let row = |state: StateId| {
            let nexts = (0..TerminalOrEnd::count(bnf)).map(TerminalOrEnd::from_index);
            let mut actions = Vec::new();
            for next in nexts {
                for action in self.actions(state, next) {
                    actions.push(Action { symbol: terminal(self.language, next), action });
                }
            }
            for transition in self.automaton.transitions(state) {
                if let Label::Nonterminal(id) = labels.label(transition.label) {
                    let symbol = self.language.nonterminal_name(id).to_owned();
                    let action = format!("go to {}", transition.target.index());
                    actions.push(Action { symbol, action });
                }
            }
            StateRow { state: state.index(), actions }
        };
        self.automaton.states().map(row).collect()
    }

    /// The steps for an input; the last one accepts, or says that there is no action.
    pub(crate) fn trace(&self, tokens: &[TerminalId]) -> Vec<Step> {
        let bnf = self.language.bnf();
        let labels = self.automaton.labels();
        let mut states = vec![self.automaton.initial()];
        let mut symbols: Vec<String> = Vec::new();
        let (mut at, mut steps) = (0, Vec::new());
        while steps.len() < MAX_STEPS {
            let state = *states.last().expect("invariant: the first state stays");
            let next = tokens.get(at).map_or(TerminalOrEnd::end(bnf), |&token| token.into());
            let mut actions = self.actions(state, next).into_iter();
            let action = actions.next().unwrap_or_else(|| "error: no action".to_owned());
            let stack = symbols[symbols.len().saturating_sub(SHOWN)..].to_vec();
            let name = terminal(self.language, next);
            let conflict = actions.collect();
            steps.push(Step { stack, next: name.clone(), action, conflict });
            match (self.shift(state, next), self.reduces(state, next).first()) {
                (Some(target), _) if target == self.automaton.accepting() => break,
                (Some(target), _) => {
                    states.push(target);
                    symbols.push(name);
                    at += 1;
                }
                (None, Some(&production)) => {
                    let length = bnf.rhs(production).len();
                    states.truncate(states.len() - length);
                    symbols.truncate(symbols.len() - length);
                    let left = bnf.lhs(production);
                    let state = *states.last().expect("invariant: the first state stays");
                    let target = self.automaton.step(state, labels.nonterminal(left));
                    states.push(target.expect("invariant: what is reduced can be pushed"));
                    symbols.push(self.language.nonterminal_name(left).to_owned());
                }
                (None, None) => break,
            }
        }
        steps
    }
}

/// A parse table for people, state by state.
pub(crate) fn table_for_people(rows: &[StateRow], palette: Palette) -> String {
    let mut table = Table::of_words(["State", "symbol", "action"]);
    for StateRow { state, actions } in rows {
        let mut name = state.to_string();
        for Action { symbol, action } in actions {
            table.row([std::mem::take(&mut name), symbol.clone(), action.clone()]);
        }
    }
    table.render(palette)
}

/// The steps of a parser for people.
pub(crate) fn trace_for_people(steps: &[Step], palette: Palette) -> String {
    let mut table = Table::of_words(["Stack", "next", "action"]);
    for Step { stack, next, action, conflict } in steps {
        let mut action = action.clone();
        if !conflict.is_empty() {
            action.push_str(&format!(" (conflict with: {})", conflict.join("; ")));
        }
        table.row([stack.join(" "), next.clone(), action]);
    }
    table.render(palette)
}
