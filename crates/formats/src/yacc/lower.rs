//! Turns productions into a [`Grammar`], one to one.
//!
//! Rules are declared in the order of their first productions, so that writing the BNF core and
//! reading it back gives the same ids. Every production has its own span, by which the core sorts
//! them into the order of the file. Linear in the productions.

use gramercy_base::{Diagnostic, Table};
use gramercy_grammar::{
    Alternative, Attributes, ExprId, Grammar, GrammarBuilder, Notation, NoteKind, RuleId, RuleKind,
    TerminalId, TerminalKind,
};

use super::ast::{File, IgnoredPart, Mention, Spelling, SymbolId};
use super::error_token::KeptProductions;
use super::expand::Production;
use super::resolve::{Role, Roles};
use super::{codes as yacc_codes, shown};
use crate::start::{self, Candidate};
use crate::{Reading, codes, suggest};

/// Builds the grammar, unless an error was reported.
pub(crate) fn lower(
    reading: &mut Reading<'_>,
    name: &str,
    file: &File<'_>,
    roles: &Roles,
    productions: &[Production],
    kept: &KeptProductions,
) -> Option<Grammar> {
    let start = start_symbol(reading, file, roles, productions, kept);
    if reading.has_errors() {
        return None;
    }
    let builder = GrammarBuilder::new(name, Notation::Yacc);
    let count = file.symbols.len();
    let (rules, tokens) = (Table::filled(None, count), Table::filled(None, count));
    let mut lowering = Lowering { file, roles, builder, rules, tokens };
    let left = || {
        let numbered = productions.iter().enumerate();
        numbered.filter(|&(at, _)| kept.contains(at)).map(|(_, production)| production)
    };
    left().for_each(|production| lowering.declare(production));
    lowering.declared_tokens();
    left().for_each(|production| check_end(reading, file, roles, production));
    left().for_each(|production| lowering.production(production));
    lowering.notes(kept);
    lowering.expected_conflicts(kept);
    let start = lowering.rules[start?].expect("invariant: the start rule is kept");
    Some(lowering.builder.finish(start, reading.sources().clone()))
}

/// Says so where a token follows the end of input, so that no input matches.
fn check_end(reading: &mut Reading<'_>, file: &File<'_>, roles: &Roles, production: &Production) {
    let role = |index: u32| roles.of(file.items[index as usize].symbol());
    let mut items = production.items.clone();
    let Some(end) = items.find(|&index| role(index) == Role::End) else { return };
    if items.any(|index| role(index) == Role::Token) {
        let item = &file.items[end as usize];
        let name = file.symbols.name(item.symbol());
        let message = format!("`{}` is the end of input, and tokens follow it here", shown(&name));
        let note = "no input matches this alternative: it is left out, here and in all figures; automata of bison \
                    still have states for it";
        reading.report(Diagnostic::at(yacc_codes::AFTER_END, item.span, message).note(note));
    }
}

struct Lowering<'f, 't> {
    file: &'f File<'t>,
    roles: &'f Roles,
    builder: GrammarBuilder,
    rules: Table<SymbolId, Option<RuleId>>,
    tokens: Table<SymbolId, Option<TerminalId>>,
}

impl Lowering<'_, '_> {
    fn declare(&mut self, production: &Production) {
        let lhs = production.lhs;
        if self.rules[lhs].is_none() {
            let name = self.file.symbols.text(lhs);
            let span = self.file.rules.get(&lhs).copied().unwrap_or(production.span);
            self.rules[lhs] = Some(self.builder.declare(name, RuleKind::Syntax, span));
        }
    }

    /// Tokens are kept by their declaration even if no rule uses them.
    fn declared_tokens(&mut self) {
        let declared = self.file.tokens.iter().map(|declaration| declaration.token);
        let ranked = self.file.levels.iter().flat_map(|level| &level.tokens).copied();
        for Mention { symbol, span } in declared.chain(ranked) {
            if self.roles.of(symbol) == Role::Token {
                self.token(Mention { symbol, span });
            }
        }
    }

    fn token(&mut self, mention: Mention) -> TerminalId {
        let token = self.roles.same(mention.symbol);
        if let Some(known) = self.tokens[token] {
            return known;
        }
        let span = self.roles.declared(token).unwrap_or(mention.span);
        let terminal = match self.roles.of(token) {
            Role::End => self.builder.terminal(TerminalKind::Eof, "EOF", span),
            _ => self.builder.token(&self.file.symbols.name(token), Some(span)),
        };
        self.tokens[token] = Some(terminal);
        if self.roles.of(token) == Role::Token {
            if let Some(text) = self.roles.text(self.file, token) {
                self.builder.set_token_text(terminal, text);
            }
            if let Some(precedence) = self.roles.precedence(token) {
                self.builder.set_precedence(terminal, precedence);
            }
        }
        terminal
    }

    fn production(&mut self, production: &Production) {
        let indices = production.items.clone();
        let items = indices.map(|index| self.item(index)).collect();
        let expr = self.builder.sequence(items, production.span);
        let attributes = self.attributes(production);
        let rule = self.rules[production.lhs].expect("invariant: every rule was declared");
        self.builder.define(rule, vec![Alternative { expr, attributes }], production.span);
    }

    fn item(&mut self, index: u32) -> ExprId {
        let item = &self.file.items[index as usize];
        let (symbol, span) = (item.symbol(), item.span);
        let expr = match self.rules[symbol] {
            Some(rule) => self.builder.reference(rule, span),
            None if self.roles.of(symbol) == Role::End => self.builder.eof(span),
            None => {
                let terminal = self.token(Mention { symbol, span });
                self.builder.leaf(terminal, span)
            }
        };
        if let Some(label) = self.file.labels.get(&index) {
            self.builder.label(expr, label);
        }
        expr
    }

    fn attributes(&mut self, production: &Production) -> Option<Box<Attributes>> {
        let token = production
            .directives
            .prec
            .filter(|mention| matches!(self.roles.of(mention.symbol), Role::Token | Role::End));
        let precedence_of = token.map(|mention| self.token(mention));
        let dynamic_precedence = production.directives.dynamic_prec;
        if precedence_of.is_none() && dynamic_precedence.is_none() {
            return None;
        }
        Some(Box::new(Attributes { precedence_of, dynamic_precedence, ..Attributes::default() }))
    }

    fn notes(&mut self, kept: &KeptProductions) {
        let mut asides = self.file.asides.clone();
        asides.extend(self.error_productions(kept));
        asides.extend(self.ignored());
        asides.sort_by_key(|aside| aside.span);
        for IgnoredPart { kind, span, message } in asides {
            self.builder.note(kind, Some(span), message);
        }
    }

    /// With ignored productions or a different automaton, the expected conflicts cannot be
    /// compared.
    fn expected_conflicts(&mut self, kept: &KeptProductions) {
        let comparable = kept.dropped.is_empty() && !self.file.other_automata;
        if let Some(expected) = self.file.expected.filter(|_| comparable) {
            self.builder.expect_conflicts(expected);
        }
    }

    fn error_productions(&self, kept: &KeptProductions) -> Vec<IgnoredPart> {
        let name = |symbol| shown(self.file.symbols.text(symbol));
        let dropped = kept.dropped.iter().map(|dropped| {
            let lhs = name(dropped.lhs);
            let message = if self.roles.of(dropped.because_of) == Role::Error {
                format!("an alternative of `{lhs}` with the `error` token is ignored")
            } else {
                let emptied = name(dropped.because_of);
                format!(
                    "an alternative of `{lhs}` is ignored: it needs `{emptied}`, \
                     which derives nothing without the `error` token"
                )
            };
            IgnoredPart { kind: NoteKind::ErrorProduction, span: dropped.span, message }
        });
        dropped.collect()
    }

    /// Notes on everything without an effect on the language: one each for actions, directives and
    /// starts.
    fn ignored(&self) -> Vec<IgnoredPart> {
        let mut asides = Vec::new();
        if let Some((count, span)) = self.file.actions {
            let message = match count {
                1 => "an action is ignored".into(),
                _ => format!("{count} actions are ignored"),
            };
            asides.push(IgnoredPart { kind: NoteKind::Action, span, message });
        }
        if let Some(&span) = self.file.ignored.values().next() {
            let words: Vec<_> = self.file.ignored.keys().map(|word| format!("%{word}")).collect();
            let message = format!("without an effect on the language: {}", words.join(", "));
            asides.push(IgnoredPart { kind: NoteKind::Ignored, span, message });
        }
        if let [first, second, ..] = self.file.starts[..] {
            let first = shown(self.file.symbols.text(first.symbol));
            let message = format!("only the first of several start rules is used, `{first}`");
            asides.push(IgnoredPart { kind: NoteKind::Ignored, span: second.span, message });
        }
        asides
    }
}

/// The start rule: the one that the user requests, otherwise that of `%start`, otherwise the first
/// rule.
fn start_symbol(
    reading: &mut Reading<'_>,
    file: &File<'_>,
    roles: &Roles,
    productions: &[Production],
    kept: &KeptProductions,
) -> Option<SymbolId> {
    let Some(&first) = file.rules.keys().next() else {
        if !reading.has_errors() {
            let message = "the file has no rules";
            reading.report(Diagnostic::new(codes::NO_RULES, message));
        }
        return None;
    };
    let candidates: Vec<_> = file
        .rules
        .iter()
        .map(|(&symbol, &span)| Candidate { name: file.symbols.text(symbol), span })
        .collect();
    let start = match start::asked_for(reading, &candidates).ok()? {
        Some(index) => *file.rules.get_index(index).expect("invariant: a candidate is a rule").0,
        None => match file.starts.first() {
            Some(&declared) => declared_start(reading, file, roles, &candidates, declared)?,
            None => first,
        },
    };
    let numbered = productions.iter().enumerate();
    let is_left =
        numbered.clone().any(|(at, production)| production.lhs == start && kept.contains(at));
    if !is_left && numbered.len() > 0 && !reading.has_errors() {
        let name = shown(file.symbols.text(start));
        let message = format!("every alternative of the start rule `{name}` needs `error`");
        let diagnostic =
            Diagnostic::at(yacc_codes::ONLY_ERROR_PRODUCTIONS, file.rules[&start], message);
        reading.report(diagnostic);
    }
    Some(start)
}

fn declared_start(
    reading: &mut Reading<'_>,
    file: &File<'_>,
    roles: &Roles,
    candidates: &[Candidate<'_>],
    declared: Mention,
) -> Option<SymbolId> {
    let symbol = roles.same(declared.symbol);
    if file.rules.contains_key(&symbol) {
        return Some(symbol);
    }
    let name = file.symbols.name(declared.symbol);
    let what = match roles.of(symbol) {
        Role::Token | Role::End | Role::Error => "is a token",
        Role::Rule | Role::Undefined => "has no rule",
    };
    let message = format!("`{}` cannot be the start: it {what}", shown(&name));
    let mut diagnostic = Diagnostic::at(codes::UNKNOWN_START, declared.span, message);
    if file.symbols.spelling(declared.symbol) == Spelling::Name {
        let names = candidates.iter().map(|candidate| candidate.name).take(10_000);
        let short = names.filter(|name| name.len() <= 80);
        diagnostic.help = suggest::did_you_mean(&shown(&name), short);
    }
    reading.report(diagnostic);
    None
}
