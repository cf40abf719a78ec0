//! Precedence of other notations in ANTLR's words: the order of alternatives, and `<assoc=right>`.
//!
//! In ANTLR, of the alternatives of a rule that begin or end with the rule itself, the earlier ones bind
//! more tightly. So these alternatives are ordered by the level that yacc, bison or a native grammar gives
//! them, the highest first; all others keep their places. What the order cannot say is listed by
//! [`lost_precedence`].
//!
//! Example: with `%left '+'` before `%right '^'`, `e : e '+' e | e '^' e | NUM` becomes
//! `e : <assoc=right> e '^' e | e '+' e | NUM`.

use gramercy_base::Diagnostic;
use gramercy_grammar::{
    Alternative, Associativity, ExprId, ExprKind, Grammar, Notation, Precedence, TerminalId,
};

use crate::codes;

/// An alternative that begins or ends with its own rule, and has a precedence.
struct Operator {
    /// Its place among the alternatives.
    index: usize,
    precedence: Precedence,
    /// Whether it begins and ends with its rule.
    is_binary: bool,
}

/// Whether a grammar has precedences that ANTLR would not see.
fn declares(grammar: &Grammar) -> bool {
    grammar.notation() != Notation::Antlr4
        && grammar.terminals().values().any(|terminal| terminal.precedence.is_some())
}

/// The alternatives of a right-hand side in the order that says their precedence, each with its
/// associativity where that is not the default.
pub(super) fn ordered(
    grammar: &Grammar,
    body: ExprId,
    alternatives: &[Alternative],
) -> Vec<(usize, Option<Associativity>)> {
    let own = |index: usize| {
        let attributes = alternatives[index].attributes.as_ref();
        attributes.and_then(|attributes| attributes.associativity)
    };
    let mut order: Vec<(usize, Option<Associativity>)> =
        (0..alternatives.len()).map(|index| (index, own(index))).collect();
    if !declares(grammar) {
        return order;
    }
    let mut operators = operators(grammar, body, alternatives);
    let slots: Vec<usize> = operators.iter().map(|operator| operator.index).collect();
    operators.sort_by_key(|operator| std::cmp::Reverse(operator.precedence.level));
    for (slot, operator) in slots.into_iter().zip(operators) {
        let is_right = operator.precedence.associativity == Associativity::Right;
        let associativity = (is_right && operator.is_binary).then_some(Associativity::Right);
        order[slot] = (operator.index, associativity);
    }
    order
}

/// What is lost of a grammar's precedence when it is written for ANTLR.
#[must_use]
pub fn lost_precedence(grammar: &Grammar) -> Vec<Diagnostic> {
    let mut lost = Vec::new();
    if !declares(grammar) {
        return lost;
    }
    for (_, rule) in grammar.syntax_rules() {
        let ExprKind::Alternation(alternatives) = &grammar.expr(rule.body).kind else { continue };
        let operators = operators(grammar, rule.body, alternatives);
        let span_of = |index: usize| grammar.expr(alternatives[index].expr).span;
        let mut say = |index: usize, message: String| {
            lost.push(Diagnostic::at(codes::LOST_PRECEDENCE, span_of(index), message));
        };
        for (at, operator) in operators.iter().enumerate() {
            let same = |other: &&Operator| other.precedence.level == operator.precedence.level;
            if operators[..at].iter().any(|other| same(&other)) {
                let message = "this alternative has the same precedence as an earlier one, and ANTLR \
                               lets the earlier one bind more tightly: join their operators in one \
                               alternative";
                say(operator.index, message.to_owned());
            }
            if operator.precedence.associativity == Associativity::Never && operator.is_binary {
                let message = "ANTLR has no operators that may not follow each other";
                say(operator.index, message.to_owned());
            }
        }
        for (index, alternative) in alternatives.iter().enumerate() {
            let is_operator = operators.iter().any(|operator| operator.index == index);
            let has_own =
                alternative.attributes.as_ref().is_some_and(|it| it.precedence_of.is_some());
            if !is_operator && has_own {
                let message = "ANTLR has no precedence for an alternative that neither begins nor \
                               ends with its own rule";
                say(index, message.to_owned());
            }
        }
    }
    lost
}

fn operators(grammar: &Grammar, body: ExprId, alternatives: &[Alternative]) -> Vec<Operator> {
    let is_self = |item: &ExprId| match grammar.expr(*item).kind {
        ExprKind::Rule(rule) => grammar.rules()[rule].body == body,
        _ => false,
    };
    let operator = |(index, alternative): (usize, &Alternative)| {
        let ExprKind::Sequence(items) = &grammar.expr(alternative.expr).kind else { return None };
        let (begins, ends) =
            (items.first().is_some_and(is_self), items.last().is_some_and(is_self));
        let precedence = precedence(grammar, alternative, items)?;
        (begins || ends).then_some(Operator { index, precedence, is_binary: begins && ends })
    };
    alternatives.iter().enumerate().filter_map(operator).collect()
}

/// The precedence of an alternative: of the token that it names, or of its last token.
fn precedence(
    grammar: &Grammar,
    alternative: &Alternative,
    items: &[ExprId],
) -> Option<Precedence> {
    let named = alternative.attributes.as_ref().and_then(|attributes| attributes.precedence_of);
    let last = || {
        items.iter().rev().find_map(|&item| match grammar.expr(item).kind {
            ExprKind::Terminal(terminal) => Some(terminal),
            _ => None,
        })
    };
    let token: TerminalId = named.or_else(last)?;
    grammar.terminals()[token].precedence
}
