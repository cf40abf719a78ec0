//! Explained causes that are alike are one finding: their examples have the same readings but for the
//! tokens, as with the operators of an expression.

use gramercy_base::IndexMap;
use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_lr::Label;

use super::causes::{Cause, Rival};
use super::explain::Explanation;
use super::machine::Machine;
use super::reading::Event;

/// A part of a reading, whatever the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Open(NonterminalId),
    Close,
    Token,
    Symbol(NonterminalId),
    Empty,
    Dot,
}

/// Causes with one explanation, that of the first.
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
            // There is nothing by which to compare these.
            Explanation::Merged | Explanation::Unknown => ("", &[][..]),
        };
        let alone = readings.is_empty().then_some(at);
        let shifts = matches!(cause.rival, Rival::Shift(_));
        let forms: Vec<Vec<_>> = readings.iter().map(|reading| forms(machine, reading)).collect();
        groups
            .entry((kind, shifts, alone, forms))
            .or_insert_with(|| Finding { causes: Vec::new(), explanation })
            .causes
            .push(cause);
    }
    groups.into_values().collect()
}

/// What is but a choice between tokens counts as one.
fn forms(machine: &Machine<'_>, reading: &[Event]) -> Vec<Form> {
    let is_token = |id: NonterminalId| {
        let mut productions = machine.cfg.productions_of(id).iter();
        productions.all(|&id| matches!(machine.cfg.rhs(id), [Symbol::Terminal(_)]))
    };
    let mut open = Vec::new();
    let form = |event: &Event| match *event {
        Event::Open(production) => {
            let lhs = machine.cfg.lhs(production);
            open.push(!is_token(lhs));
            (!is_token(lhs)).then_some(Form::Open(lhs))
        }
        Event::Close => open.pop()?.then_some(Form::Close),
        Event::Leaf(label) | Event::Next(label) => Some(match machine.label(label) {
            Label::Nonterminal(id) if !is_token(id) => Form::Symbol(id),
            Label::Nonterminal(_) | Label::Terminal(_) | Label::End => Form::Token,
        }),
        Event::Empty(_) => Some(Form::Empty),
        Event::Dot => Some(Form::Dot),
    };
    reading.iter().filter_map(form).collect()
}
