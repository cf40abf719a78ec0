//! The input of lints: the grammar, its BNF core, and the facts that several of them need.

use gramercy_analysis::{Nullable, Productive, Useful};
use gramercy_base::{Diagnostic, IdSet, Limits, Span};
use gramercy_grammar::{Bnf, Grammar, NonterminalId, NoteKind, Origin, Rule, RuleId, TerminalId};

use crate::codes::NOT_CHECKED;
use crate::lexical::{Lexical, helpers, used_tokens};
use crate::names::Names;
use crate::structures::Structures;
use crate::{Options, Subject};

/// A grammar with its facts.
pub(crate) struct Context<'a> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) bnf: &'a Bnf,
    pub(crate) options: &'a Options,
    pub(crate) limits: &'a Limits,
    /// The terminals that no text matches.
    pub(crate) textless: IdSet<TerminalId>,
    pub(crate) nullable: Nullable,
    pub(crate) productive: Productive,
    pub(crate) useful: Useful,
    pub(crate) structures: Structures,
    /// The facts about the lexer, if there is one and it is within the limits.
    pub(crate) lexical: Option<Lexical>,
    /// The tokens that syntax rules use.
    pub(crate) used_tokens: IdSet<TerminalId>,
    /// Token rules that only other lexical rules use.
    pub(crate) helpers: IdSet<RuleId>,
}

impl<'a> Context<'a> {
    /// Computes the facts; missing ones are reported.
    pub(crate) fn new(
        subject: &Subject<'a>,
        options: &'a Options,
        limits: &'a Limits,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let Subject { grammar, bnf, .. } = *subject;
        let lexical = Lexical::of(grammar, limits).unwrap_or_else(|limit| {
            let message = format!("the tokens are not checked: {limit}");
            found.push(Diagnostic::new(NOT_CHECKED, message));
            None
        });
        let (textless, used_tokens) = (grammar.textless_terminals(limits), used_tokens(grammar));
        let productive = Productive::without(bnf, &textless);
        Self {
            grammar,
            bnf,
            options,
            limits,
            nullable: Nullable::of(bnf),
            useful: Useful::of(bnf, &productive),
            structures: Structures::of(grammar),
            lexical,
            helpers: helpers(grammar, &used_tokens),
            used_tokens,
            textless,
            productive,
        }
    }

    /// The rule of a nonterminal, unless it is an auxiliary one.
    pub(crate) fn rule_of(&self, nonterminal: NonterminalId) -> Option<RuleId> {
        match self.bnf.nonterminals()[nonterminal].origin {
            Origin::Rule(rule) => Some(rule),
            Origin::Group(_) | Origin::Repeat(_) | Origin::Start => None,
        }
    }

    /// Whether a rule has an ignored predicate.
    pub(crate) fn has_predicate(&self, rule: &Rule) -> bool {
        let (name, body) = (rule.span, self.grammar.expr(rule.body).span);
        let is_inside = |span: Span| {
            span.source == name.source && span.start >= name.start && span.end <= body.end
        };
        let mut notes = self.grammar.notes().iter();
        notes.any(|note| note.kind == NoteKind::Predicate && note.span.is_some_and(is_inside))
    }

    /// The names of symbols for users.
    pub(crate) fn names(&self) -> Names<'a> {
        Names::new(self.grammar, self.bnf)
    }
}
