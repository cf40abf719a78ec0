//! Which ignored code is the likely cause of a rejection.
//!
//! A lexer may call code of its own: an action that reads the rest of a comment, or a predicate that turns a rule off.
//! Both are ignored here, so the text after a match of such a rule is read otherwise than by the original. An input
//! that is rejected few matches after one is probably rejected because of it. Predicates of parser rules are no
//! suspects: without them more inputs are accepted, not fewer.
//!
//! Example: with `COMMENT : '--' { readRest(); } -> skip ;` the input `-- is it` is rejected at `is`, one match
//! after `--`; the action is the suspect. It is a guess, and is shown as one. Linear in the text before the error.

use gramercy_base::{Diagnostic, IdSet, Limits, Map, Span};
use gramercy_grammar::{Grammar, Note, NoteKind, Rule, RuleId};
use gramercy_lexis::{Dfa, Lexer, Scan};

use crate::codes::LIKELY_CAUSE;
use crate::walk;

/// How many matches an error may come after the match that is suspected.
const NEAR: usize = 8;

/// The token rules with ignored code.
#[derive(Debug)]
pub struct Suspects<'g> {
    grammar: &'g Grammar,
    lexer: &'g Lexer,
    limits: &'g Limits,
    /// The first note about code of each rule, or of a rule that it refers to, by its number.
    notes: Map<RuleId, usize>,
}

impl<'g> Suspects<'g> {
    /// The suspects of a grammar; `None` if its lexer ignores no code.
    #[must_use]
    pub fn of(grammar: &'g Grammar, lexer: &'g Lexer, limits: &'g Limits) -> Option<Self> {
        let references = walk::references(grammar);
        let mut notes = Map::default();
        for (rule, _) in grammar.rules().iter().filter(|(_, rule)| rule.token().is_some()) {
            let (mut seen, mut work) = (IdSet::new(grammar.rules().len()), vec![rule]);
            while let Some(below) = work.pop() {
                if !seen.insert(below) {
                    continue;
                }
                if let Some(note) = note_in(grammar, below) {
                    notes.insert(rule, note);
                    break;
                }
                work.extend(references.row(below).iter().copied());
            }
        }
        (!notes.is_empty()).then_some(Self { grammar, lexer, limits, notes })
    }

    /// An automaton for [`find`](Self::find), which grows with the texts.
    #[must_use]
    pub fn dfa(&self) -> Dfa {
        Dfa::new(self.lexer, self.limits.states)
    }

    /// The number of the note about the likely cause of an error at a byte of a text.
    pub fn find(&self, dfa: &mut Dfa, text: &str, byte: usize) -> Option<usize> {
        let mut scan = Scan::new(self.lexer, dfa, text);
        let mut matches = Vec::new();
        while scan.offset() <= byte
            && let Ok(Some(matched)) = scan.next_match()
            && matched.start <= byte
        {
            matches.push(matched.outcome);
        }
        let near = matches.iter().rev().take(NEAR);
        near.filter_map(|&outcome| self.notes.get(&dfa.outcome(outcome).rule)).copied().next()
    }

    /// What to tell about the likely causes of rejections: one for each cause, the most frequent first.
    #[must_use]
    pub fn tell(&self, causes: &[usize], rejections: usize) -> Vec<Diagnostic> {
        let mut counts: Vec<(usize, &Note)> = Vec::new();
        for (number, note) in self.grammar.notes().iter().enumerate() {
            let count = causes.iter().filter(|&&cause| cause == number).count();
            if count > 0 {
                counts.push((count, note));
            }
        }
        counts.sort_by_key(|&(count, _)| std::cmp::Reverse(count));
        let tell = |(count, note): (usize, &Note)| {
            let what = if note.kind == NoteKind::Predicate { "predicate" } else { "action" };
            let message = format!(
                "{count} of {rejections} rejections come right after a match whose {what} is ignored"
            );
            let told = match note.span {
                Some(span) => Diagnostic::at(LIKELY_CAUSE, span, message),
                None => Diagnostic::new(LIKELY_CAUSE, message),
            };
            told.note("this is the likely cause: the original reads what follows otherwise")
        };
        counts.into_iter().map(tell).collect()
    }
}

/// The token rules with a predicate of their own, each with its place. Predicates are ignored, as if they always held, so
/// such a rule may take the text of another one.
#[must_use]
pub fn rules_with_predicates(grammar: &Grammar) -> Vec<(RuleId, Span)> {
    let with_predicate = |(id, rule): (RuleId, &Rule)| {
        rule.token()?;
        let mut notes = notes_in(grammar, id);
        notes.find_map(|(_, note)| note.span.filter(|_| note.kind == NoteKind::Predicate))
    };
    let rules = grammar.rules().iter();
    rules.filter_map(|(id, rule)| Some((id, with_predicate((id, rule))?))).collect()
}

/// The first note about ignored code in a rule.
fn note_in(grammar: &Grammar, rule: RuleId) -> Option<usize> {
    notes_in(grammar, rule).next().map(|(number, _)| number)
}

/// The notes about ignored code in a rule, with their numbers.
fn notes_in(grammar: &Grammar, rule: RuleId) -> impl Iterator<Item = (usize, &Note)> {
    let rule = &grammar.rules()[rule];
    let (name, body) = (rule.span, grammar.expr(rule.body).span);
    let is_inside = move |span: Span| {
        span.source == name.source && span.start >= name.start && span.end <= body.end
    };
    grammar.notes().iter().enumerate().filter(move |(_, note)| {
        matches!(note.kind, NoteKind::Predicate | NoteKind::Action)
            && note.span.is_some_and(is_inside)
    })
}
