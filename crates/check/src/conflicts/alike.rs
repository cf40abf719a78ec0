//! Explained causes that are alike are one finding: their examples have the same readings but for the
//! tokens, as with the operators of an expression.

use gramercy_base::IndexMap;
use gramercy_grammar::NonterminalId;
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

fn forms(machine: &Machine<'_>, reading: &[Event]) -> Vec<Form> {
    let form = |event: &Event| match *event {
        Event::Open(production) => Form::Open(machine.cfg.lhs(production)),
        Event::Close => Form::Close,
        Event::Leaf(label) | Event::Next(label) => match machine.label(label) {
            Label::Nonterminal(id) => Form::Symbol(id),
            Label::Terminal(_) | Label::End => Form::Token,
        },
        Event::Empty(_) => Form::Empty,
        Event::Dot => Form::Dot,
    };
    reading.iter().map(form).collect()
}
