//! Completes a reading to a sentence with its tree: every unexpanded symbol becomes its shortest
//! yield. A very long sentence explains nothing and is rejected.

use gramercy_grammar::{Bnf, ProductionId, TerminalId, Tree};
use gramercy_lr::{Label, LabelId};

use super::machine::Machine;
use super::reading::Event;
use super::reduced::Reduced;

/// The maximal number of terminals of a sentence.
const LONGEST: u64 = 200;

/// A sentence and one of its trees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) terminals: Vec<TerminalId>,
    /// The number of terminals before the conflict.
    pub(crate) dot: usize,
    pub(crate) tree: Tree,
}

/// The sentence of a reading of the start symbol; `None` if it is too long.
pub(crate) fn sentence(
    machine: &Machine<'_>,
    reduced: &Reduced,
    bnf: &Bnf,
    reading: &[Event],
) -> Option<Sentence> {
    let length = reading.iter().filter_map(|event| match *event {
        Event::Leaf(label) | Event::Next(label) => Some(machine.length(label)),
        Event::Open(_) | Event::Close | Event::Empty(_) | Event::Dot => None,
    });
    if length.fold(0, u64::saturating_add) > LONGEST {
        return None;
    }
    let (mut productions, mut terminals, mut dot) = (Vec::new(), Vec::new(), 0);
    for &event in reading {
        match event {
            Event::Open(production) => productions.push(production),
            Event::Close => {}
            Event::Dot => dot = terminals.len(),
            Event::Leaf(label) | Event::Empty(label) | Event::Next(label) => {
                write_shortest(machine, label, &mut productions, &mut terminals);
            }
        }
    }
    let productions = productions.into_iter().map(|id| reduced.original(id)).collect();
    Some(Sentence { terminals, dot, tree: Tree::new(bnf, productions) })
}

/// Appends the shortest yield of a symbol, and the productions of its leftmost derivation.
fn write_shortest(
    machine: &Machine<'_>,
    label: LabelId,
    productions: &mut Vec<ProductionId>,
    terminals: &mut Vec<TerminalId>,
) {
    let labels = machine.automaton.labels();
    let mut stack = vec![label];
    while let Some(label) = stack.pop() {
        match machine.label(label) {
            Label::Terminal(terminal) => terminals.push(terminal),
            Label::End => {}
            Label::Nonterminal(id) => {
                let production = machine.yields.production(id);
                let production = production.expect("invariant: all symbols are productive");
                productions.push(production);
                let rhs = machine.cfg.rhs(production).iter().rev();
                stack.extend(rhs.map(|&symbol| labels.symbol(symbol)));
            }
        }
    }
}
