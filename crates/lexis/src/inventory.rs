//! Which tokens a lexer can make: what wins in each mode and by which text, which rules never win
//! and what wins instead, which modes can be reached, and which tokens of the parser the lexer never makes.
//!
//! All of it is read off the explored automata, so it is exact unless these are cut off by a bound and
//! something might win beyond it. Cost: that of exploring.

use gramercy_base::{LimitReached, Table};
use gramercy_grammar::{Grammar, ModeId, RuleId, TerminalId, TerminalKind};

use crate::alphabet::{Alphabet, Palette};
use crate::automaton::Lexer;
use crate::dfa::{Dfa, OutcomeId};
use crate::explore::{Explored, When, Won};
use crate::mode_flow::ModeFlow;
use crate::reach::{Possible, initial_stack, reach};

/// What a lexer can make.
#[derive(Clone, Debug)]
pub struct Inventory {
    /// What each mode can do.
    pub modes: Table<ModeId, ModeInventory>,
    /// For every terminal, the reachable modes in which a token of this type ends that the parser
    /// sees. It may have begun in another mode.
    pub made_in: Table<TerminalId, Vec<ModeId>>,
    /// The token types that syntax rules use and no reachable mode makes, in file order.
    pub missing: Vec<TerminalId>,
    /// How tokens change the mode, unless there are too many modes to tell.
    pub flow: Option<ModeFlow>,
}

/// What the rules of one mode can do.
#[derive(Clone, Debug)]
pub struct ModeInventory {
    /// Whether a lexer can come into this mode.
    pub reachable: bool,
    /// What can win, the shortest text first.
    pub winners: Vec<Example>,
    /// The rules that never win, in the order listed.
    pub never: Vec<NeverWins>,
    /// The rule that wins without reading anything, and may then do so forever.
    pub empty: Option<RuleId>,
    /// Whether everything that can win was found. If not, what is said never to win may win with
    /// longer texts.
    pub complete: bool,
}

/// Something that can win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The outcome.
    pub outcome: OutcomeId,
    /// The rule that matches.
    pub rule: RuleId,
    /// The shortest and most pleasant text.
    pub text: String,
    /// Whether it wins only where the input ends.
    pub only_at_end: bool,
}

/// A rule that never wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverWins {
    /// The rule.
    pub rule: RuleId,
    /// The rule that wins where this one matches too, and a text for it; `None` if it never matches
    /// at all.
    pub instead: Option<(RuleId, String)>,
}

impl Inventory {
    /// Takes stock of a lexer.
    ///
    /// # Errors
    /// If the automaton's limit leaves no room for anything.
    pub fn new(grammar: &Grammar, lexer: &Lexer, dfa: &mut Dfa) -> Result<Self, LimitReached> {
        let palette = Palette::new(&lexer.classes, &Alphabet::any());
        let mut explored = Table::with_capacity(lexer.modes.len());
        for mode in lexer.modes.ids() {
            explored.push(Explored::new(lexer, dfa, mode, &palette)?);
        }
        let possible = possible(dfa, &explored);
        let flow = ModeFlow::new(&possible, grammar.terminals().len());
        let (reachable, made_in) = who_makes_what(grammar, &possible);
        let modes = explored.map(|mode, of_mode| ModeInventory {
            reachable: reachable[mode],
            winners: examples(dfa, &palette, of_mode),
            never: never_winning(lexer, dfa, &palette, mode, of_mode),
            empty: of_mode.won_by_nothing.map(|outcome| dfa.outcome(outcome).rule),
            complete: of_mode.all_found,
        });
        let used = grammar.terminals().iter().take(grammar.syntax_terminals());
        let is_token = |kind: &TerminalKind| matches!(kind, TerminalKind::Token { .. });
        let missing = used
            .filter(|(id, terminal)| is_token(&terminal.kind) && made_in[*id].is_empty())
            .map(|(id, _)| id)
            .collect();
        Ok(Self { modes, made_in, missing, flow })
    }
}

/// What may be matched in each mode, by reading something or not.
fn possible<'d>(dfa: &'d Dfa, explored: &Table<ModeId, Explored>) -> Possible<'d> {
    explored.map(|_, of_mode| {
        of_mode.outcomes().map(|outcome| (outcome, &dfa.outcome(outcome).effect)).collect()
    })
}

/// Which modes can be reached, and in which of them each token is made.
pub(crate) fn who_makes_what(
    grammar: &Grammar,
    possible: &Possible<'_>,
) -> (Table<ModeId, bool>, Table<TerminalId, Vec<ModeId>>) {
    let mut reachable = Table::filled(false, possible.len());
    let mut made_in = Table::filled(Vec::new(), grammar.terminals().len());
    for (mode, begun) in reach(&initial_stack(), possible, |_, _| true) {
        reachable[mode] = true;
        for (_, effect) in &possible[mode] {
            if let Some(token) = effect.visible_token(begun.channel()) {
                made_in[token].push(mode);
            }
        }
    }
    for modes in made_in.values_mut() {
        modes.sort_unstable();
        modes.dedup();
    }
    (reachable, made_in)
}

fn examples(dfa: &Dfa, palette: &Palette, explored: &Explored) -> Vec<Example> {
    let example = |(&outcome, won): (&OutcomeId, &Won)| Example {
        outcome,
        rule: dfa.outcome(outcome).rule,
        text: explored.text(palette, won.place),
        only_at_end: won.when == When::AtEnd,
    };
    explored.won.iter().map(example).collect()
}

fn never_winning(
    lexer: &Lexer,
    dfa: &Dfa,
    palette: &Palette,
    mode: ModeId,
    explored: &Explored,
) -> Vec<NeverWins> {
    let wins = |rule: RuleId| explored.outcomes().any(|outcome| dfa.outcome(outcome).rule == rule);
    let losers = lexer.modes[mode].iter().map(|entry| entry.rule).filter(|&rule| !wins(rule));
    let mut never: Vec<_> = losers.map(|rule| NeverWins { rule, instead: None }).collect();
    let mut cheapest: Vec<_> = explored.places.iter().collect();
    cheapest.sort_by_key(|(_, place)| place.cost);
    for (id, place) in cheapest {
        if never.iter().all(|loser| loser.instead.is_some()) {
            break;
        }
        let [winner, others @ ..] = &dfa.matching_rules(lexer, place.state)[..] else { continue };
        for loser in never.iter_mut().filter(|loser| loser.instead.is_none()) {
            if others.contains(&loser.rule) {
                loser.instead = Some((*winner, explored.text(palette, id)));
            }
        }
    }
    never
}
