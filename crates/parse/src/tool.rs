//! The parser of a notation's own tool: the one tree that bison or ANTLR builds, without a forest.
//!
//! yacc grammars, and others whose terminals have precedences, are read by [`resolved`](crate::resolved); ANTLR grammars by
//! [`adaptive`](crate::adaptive). Other grammars have no such tool.

use gramercy_base::{Id, bits};
use gramercy_grammar::{Bnf, Grammar, Notation, ProductionId, TextKind};
use gramercy_lr::{Automaton, Label};

use crate::adaptive::{AdaptiveParser, AdaptiveWorkspace};
use crate::budget::Budget;
use crate::parser::Parser;
use crate::precedences::Precedences;
use crate::resolved::{ResolvedParser, ResolvedWorkspace};
use crate::tables::InputId;

/// The parser that a grammar's own tool would make of it.
#[derive(Clone, Debug)]
pub struct ToolParser {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Resolved(ResolvedParser),
    Adaptive(Box<AdaptiveParser>),
}

/// Tables that grow while they are used, and memory. They belong to one parser.
#[derive(Clone, Debug)]
pub struct ToolWorkspace {
    kind: KindWorkspace,
    productions: Vec<ProductionId>,
}

/// The tool's parser cannot go on: the input need not be wrong. Or the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed;

#[derive(Clone, Debug)]
enum KindWorkspace {
    Resolved(ResolvedWorkspace),
    Adaptive(Box<AdaptiveWorkspace>),
}

impl ToolParser {
    /// The tool's parser of a grammar; `None` if no tool has one.
    #[must_use]
    pub fn new(grammar: &Grammar, bnf: &Bnf, parser: &Parser) -> Option<Self> {
        let kind = if Precedences::decide_in(grammar) {
            Kind::Resolved(ResolvedParser::new(parser, Precedences::of(grammar, bnf)))
        } else if grammar.notation() == Notation::Antlr4
            && grammar.text_kind() != TextKind::Scannerless
        {
            Kind::Adaptive(Box::new(AdaptiveParser::new(grammar, bnf, parser)?))
        } else {
            return None;
        };
        Some(Self { kind })
    }

    /// Whether it may reject sentences of the grammar: resolved conflicts lose some, prediction loses none.
    pub(crate) fn may_lose_sentences(&self, parser: &Parser) -> bool {
        match self.kind {
            Kind::Resolved(_) => has_conflicts(parser.automaton()),
            Kind::Adaptive(_) => false,
        }
    }

    /// Empty tables.
    pub(crate) fn workspace(&self, parser: &Parser) -> ToolWorkspace {
        let kind = match &self.kind {
            Kind::Resolved(resolved) => KindWorkspace::Resolved(resolved.workspace(parser)),
            Kind::Adaptive(adaptive) => {
                KindWorkspace::Adaptive(Box::new(adaptive.workspace(parser)))
            }
        };
        ToolWorkspace { kind, productions: Vec::new() }
    }

    /// The productions of the tree that the tool builds, in postorder; `None` if it rejects the input, which may
    /// be in the language nevertheless.
    pub(crate) fn parse<'w>(
        &self,
        parser: &Parser,
        workspace: &'w mut ToolWorkspace,
        input: &[InputId],
        budget: &mut Budget,
    ) -> Option<&'w [ProductionId]> {
        let ToolWorkspace { kind, productions } = workspace;
        productions.clear();
        let is_accepted = match (&self.kind, kind) {
            (Kind::Resolved(resolved), KindWorkspace::Resolved(workspace)) => {
                resolved.parse(parser, workspace, input, productions, budget).is_ok()
            }
            (Kind::Adaptive(adaptive), KindWorkspace::Adaptive(workspace)) => {
                adaptive.parse(parser, workspace, input, productions, budget).is_ok()
            }
            _ => unreachable!("invariant: a workspace belongs to its parser"),
        };
        is_accepted.then_some(productions)
    }
}

/// Whether some state has two actions on the same terminal.
fn has_conflicts(automaton: &Automaton) -> bool {
    automaton.states().any(|state| {
        let reductions = automaton.reductions(state);
        let on = |at: usize, terminal: usize| {
            let lookaheads = reductions[at].lookaheads.map(|id| automaton.lookaheads(id));
            lookaheads.is_none_or(|words| bits::contains(words, terminal))
        };
        let shifted = automaton.transitions(state).iter().filter_map(|step| {
            match automaton.labels().label(step.label) {
                Label::Terminal(terminal) => Some(terminal.index()),
                _ => None,
            }
        });
        let mut shifted = shifted.filter(|_| !reductions.is_empty());
        let is_shifted = shifted.any(|terminal| (0..reductions.len()).any(|at| on(at, terminal)));
        is_shifted
            || (reductions.len() > 1
                && (0..=automaton.labels().end().index()).any(|terminal| {
                    (0..reductions.len()).filter(|&at| on(at, terminal)).nth(1).is_some()
                }))
    })
}
