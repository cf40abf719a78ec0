//! Groups similar causes into one finding: their examples have the same readings except for the
//! tokens, as with the operators of an expression.

use gramercy_base::IndexMap;
use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_lr::Label;

use super::causes::{Cause, Rival};
use super::explain::Explanation;
use super::machine::Machine;
use super::reading::Event;

/// An event of a reading without its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum EventPattern {
    Open(NonterminalId),
    Close,
    Token,
    Symbol(NonterminalId),
    Empty,
    Dot,
}

/// Causes with the same explanation, that of the first.
pub(crate) struct Finding {
    pub(crate) causes: Vec<Cause>,
    pub(crate) explanation: Explanation,
}

/// Findings in the order of their first causes.
pub(crate) fn group(machine: &Machine<'_>, explained: Vec<(Cause, Explanation)>) -> Vec<Finding> {
    let mut groups: IndexMap<_, Finding> = IndexMap::default();
    for (at, (cause, explanation)) in explained.into_iter().enumerate() {
        let (kind, readings) = match &explanation {
            Explanation::Ambiguity(found) => ("ambiguity", &found.readings[..]),
            Explanation::TwoWays(found) => ("two ways", &found.readings[..]),
            // These explanations have no reading to compare.
            Explanation::Merged | Explanation::Unknown => ("", &[][..]),
        };
        let alone = readings.is_empty().then_some(at);
        let shifts = matches!(cause.rival, Rival::Shift(_));
        let patterns: Vec<Vec<_>> =
            readings.iter().map(|reading| patterns(machine, reading)).collect();
        groups
            .entry((kind, shifts, alone, patterns))
            .or_insert_with(|| Finding { causes: Vec::new(), explanation })
            .causes
            .push(cause);
    }
    groups.into_values().collect()
}

/// A nonterminal that is only a choice between tokens counts as a token.
fn patterns(machine: &Machine<'_>, reading: &[Event]) -> Vec<EventPattern> {
    let is_token = |id: NonterminalId| {
        let mut productions = machine.cfg.productions_of(id).iter();
        productions.all(|&id| matches!(machine.cfg.rhs(id), [Symbol::Terminal(_)]))
    };
    let mut open = Vec::new();
    let form = |event: &Event| match *event {
        Event::Open(production) => {
            let lhs = machine.cfg.lhs(production);
            open.push(!is_token(lhs));
            (!is_token(lhs)).then_some(EventPattern::Open(lhs))
        }
        Event::Close => open.pop()?.then_some(EventPattern::Close),
        Event::Leaf(label) | Event::Next(label) => Some(match machine.label(label) {
            Label::Nonterminal(id) if !is_token(id) => EventPattern::Symbol(id),
            Label::Nonterminal(_) | Label::Terminal(_) | Label::End => EventPattern::Token,
        }),
        Event::Empty(_) => Some(EventPattern::Empty),
        Event::Dot => Some(EventPattern::Dot),
    };
    reading.iter().filter_map(form).collect()
}
