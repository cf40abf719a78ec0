//! Turns trees into a [`Grammar`]: names are resolved, rules declared and defined.
//!
//! Rules are declared before any is defined, so they may refer to each other in any order. Syntax
//! rules come first, then lexer rules, each in the order of the files, then the token types of
//! literals in parser rules. Code, predicates and superclasses are ignored with notes. Linear in
//! the grammar.
//!
//! In reading order: this file (rules as a whole), [`bodies`], [`references`], [`commands`].

mod bodies;
mod commands;
mod references;

pub(super) use commands::canonical;
use commands::{Channels, CommandUses, Modes};
use gramercy_base::{Code, Diagnostic, Id, Map, Set, Span, Table};
use gramercy_grammar::{
    Alternative, Attributes, Channel, ChannelId, Grammar, GrammarBuilder, Lexicon, Mode, ModeId,
    Notation, NoteKind, RuleId, RuleKind, TokenRule,
};

use super::check::check;
use super::choose_start::choose_start;
use super::codes as antlr;
use super::gather::{DEFAULT_MODE, Unit, setting};
use super::sets::{self, Case};
use super::symbols::{Symbols, literal_of};
use super::tree::{GrammarKind, Rule, Texts};
use super::vocabulary::{Vocabulary, parser_beside};
use crate::{Reading, suggest};

/// The grammar that was read, if it has no errors.
pub(super) fn lower(
    reading: &mut Reading<'_>,
    texts: &Texts,
    grammar: &Unit,
    vocabulary: &Vocabulary,
) -> Option<Grammar> {
    let lexer = match grammar.kind {
        GrammarKind::Parser => vocabulary.lexer.as_ref(),
        GrammarKind::Combined | GrammarKind::Lexer => Some(grammar),
    };
    let symbols = Symbols::new(texts, grammar, lexer, vocabulary);
    let mut lowering = Lowering::new(reading, texts, grammar, lexer, &symbols, vocabulary);
    let rules = lowering.declare();
    lowering.define(&rules);
    lowering.notes();
    let mut builder = lowering.builder;
    if grammar.kind == GrammarKind::Lexer {
        report_lexer_only(reading, grammar);
    }
    if reading.has_errors() {
        // The references between rules, and which rules are nullable, are unknown here.
        return None;
    }
    let start = choose_start(reading, texts, &grammar.syntax);
    if let Some(start) = start.as_ref().filter(|start| !start.requires_eof) {
        note_missing_eof(&mut builder, texts, &grammar.syntax[start.index]);
    }
    // Even if the user has to choose the start rule, the rest is checked.
    let rule = *rules.syntax.get(start.as_ref().map_or(0, |start| start.index))?;
    let lowered = builder.finish(rule, reading.sources().clone());
    check(reading, &lowered);
    start.map(|_| lowered)
}

fn note_missing_eof(builder: &mut GrammarBuilder, texts: &Texts, rule: &Rule) {
    let name = texts.get(rule.name);
    let message =
        format!("the start rule `{name}` does not end with EOF, so ANTLR may stop before the end");
    builder.note(NoteKind::StartWithoutEof, Some(rule.name), message);
}

fn report_lexer_only(reading: &mut Reading<'_>, grammar: &Unit) {
    let message = format!("the lexer grammar `{}` has no parser rules", grammar.name);
    let help = match parser_beside(reading, grammar) {
        Some(parser) => format!("load `{parser}`, the parser grammar beside it"),
        None => "load the parser grammar that names it with `tokenVocab`".to_owned(),
    };
    reading.report(Diagnostic::new(antlr::LEXER_ONLY, message).help(help));
}

/// The declared rules.
struct Declared {
    /// Parallel to the parser rules of the grammar.
    syntax: Vec<RuleId>,
    /// Parallel to the rules of the lexer.
    lexical: Vec<RuleId>,
}

/// The part of the grammar that contains an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GrammarPart {
    Syntax,
    Token(Case),
    Fragment(Case),
}

struct Lowering<'a, 'r> {
    reading: &'a mut Reading<'r>,
    texts: &'a Texts,
    symbols: &'a Symbols<'a>,
    builder: GrammarBuilder,
    modes: Modes<'a>,
    channels: Channels<'a>,
    grammar: &'a Unit,
    lexer: Option<&'a Unit>,
    vocabulary: &'a Vocabulary,
    syntax: Map<&'a str, RuleId>,
    lexical: Map<&'a str, RuleId>,
    /// Names and literals that are already reported.
    reported: Set<(&'static str, &'a str)>,
    /// The number of unknown names for which a suggestion is still searched.
    suggestions: usize,
}

impl<'a, 'r> Lowering<'a, 'r> {
    fn new(
        reading: &'a mut Reading<'r>,
        texts: &'a Texts,
        grammar: &'a Unit,
        lexer: Option<&'a Unit>,
        symbols: &'a Symbols<'a>,
        vocabulary: &'a Vocabulary,
    ) -> Self {
        Self {
            reading,
            texts,
            symbols,
            builder: GrammarBuilder::new(&grammar.name, Notation::Antlr4),
            modes: Modes::new(texts, lexer),
            channels: Channels::new(texts, lexer),
            grammar,
            lexer,
            vocabulary,
            syntax: Map::default(),
            lexical: Map::default(),
            reported: Set::default(),
            // Only the first hundred errors are shown.
            suggestions: 100,
        }
    }

    // Declarations.

    fn declare(&mut self) -> Declared {
        let syntax = self.grammar.syntax.iter().map(|rule| {
            let name = self.texts.get(rule.name);
            let id = self.builder.declare(name, RuleKind::Syntax, rule.name);
            self.syntax.insert(name, id);
            id
        });
        let syntax = syntax.collect();
        let rules = self.lexer.map_or(&[][..], |lexer| &lexer.lexical);
        let lexical = rules.iter().map(|rule| self.declare_lexical(rule)).collect();
        Declared { syntax, lexical }
    }

    fn declare_lexical(&mut self, rule: &Rule) -> RuleId {
        let name = self.texts.get(rule.name);
        let ignore_case = self.case_of(rule).is_ignored();
        let kind = if rule.fragment {
            RuleKind::Fragment { ignore_case }
        } else {
            let token = self.builder.token(name, Some(rule.name));
            let mode = Modes::id(rule.mode);
            RuleKind::Token(TokenRule { mode, token, ignore_case, implicit: false })
        };
        let id = self.builder.declare(name, kind, rule.name);
        self.lexical.insert(name, id);
        id
    }

    /// The case sensitivity of a rule, by default that of its grammar.
    fn case_of(&mut self, rule: &Rule) -> Case {
        match setting(self.texts, &rule.options, "caseInsensitive") {
            Some(value) => self.case_option(value),
            None => self.case_of_lexer(),
        }
    }

    fn case_of_lexer(&mut self) -> Case {
        let option = self.lexer.and_then(|lexer| lexer.option(self.texts, "caseInsensitive"));
        option.map_or(Case::Matters, |value| self.case_option(value))
    }

    fn case_option(&mut self, value: Span) -> Case {
        let text = self.texts.get(value);
        match text {
            "true" => Case::Ignored,
            "false" => Case::Matters,
            _ => {
                if self.is_new(antlr::BAD_OPTION, text) {
                    let message = format!("`caseInsensitive` is `true` or `false`, not `{text}`");
                    self.reading.report(Diagnostic::at(antlr::BAD_OPTION, value, message));
                }
                Case::Matters
            }
        }
    }

    // Definitions.

    fn define(&mut self, rules: &Declared) {
        for (rule, &id) in self.grammar.syntax.iter().zip(&rules.syntax) {
            self.check_labels(rule);
            self.define_rule(rule, id, GrammarPart::Syntax);
        }
        let lexical = self.lexer.map_or(&[][..], |lexer| &lexer.lexical);
        for (rule, &id) in lexical.iter().zip(&rules.lexical) {
            let case = self.case_of(rule);
            self.check_commands(rule);
            let side =
                if rule.fragment { GrammarPart::Fragment(case) } else { GrammarPart::Token(case) };
            self.define_rule(rule, id, side);
        }
        self.token_texts(lexical);
        let implicit = self.implicit_tokens();
        self.lexicon(lexical, rules, implicit);
    }

    /// Warns about a rule in which only some alternatives have labels.
    fn check_labels(&mut self, rule: &Rule) {
        let labeled = rule.body.alternatives.iter().filter(|a| a.label.is_some()).count();
        if labeled > 0 && labeled < rule.body.alternatives.len() {
            let name = self.texts.get(rule.name);
            let message = format!("only some alternatives of `{name}` have labels");
            let help = "ANTLR requires labels for all of them or for none";
            let code = antlr::PARTLY_LABELED;
            self.reading.report(Diagnostic::at(code, rule.name, message).help(help));
        }
    }

    fn define_rule(&mut self, rule: &Rule, id: RuleId, side: GrammarPart) {
        let alternatives = rule.body.alternatives.iter().map(|alternative| {
            let expr = self.alternative(alternative, side);
            let label = alternative.label.map(|label| self.texts.get(label).into());
            let associativity = alternative.associativity;
            let attributes = (label.is_some() || associativity.is_some())
                .then(|| Box::new(Attributes { label, associativity, ..Attributes::default() }));
            Alternative { expr, attributes }
        });
        let alternatives = alternatives.collect();
        self.builder.define(id, alternatives, rule.body.span);
    }

    /// Sets the fixed texts of tokens.
    fn token_texts(&mut self, rules: &[Rule]) {
        if self.reading.has_errors() {
            return;
        }
        let uses = CommandUses::new(self.texts, rules);
        for rule in rules {
            let name = self.texts.get(rule.name);
            let Some(literal) = literal_of(rule) else {
                continue;
            };
            if uses.changes_text_of(name, rule) {
                continue;
            }
            let case = self.case_of(rule);
            self.set_text(name, literal, case);
        }
        for (name, text) in &self.vocabulary.names {
            if let (Some(text), Some(token)) = (text, self.builder.known_token(name)) {
                let text = text.trim_matches('\'');
                self.builder.set_token_text(token, text);
            }
        }
    }

    fn set_text(&mut self, name: &str, literal: Span, case: Case) {
        let Some(codes) = sets::literal(self.reading, self.texts.get(literal), literal) else {
            return;
        };
        let has_case = |&code: &u32| sets::single(code, Case::Ignored).len() > 1;
        if case.is_ignored() && codes.iter().any(has_case) {
            return;
        }
        if let (Some(text), Some(token)) = (text_of(&codes), self.builder.known_token(name)) {
            self.builder.set_token_text(token, &text);
        }
    }

    /// The rules of literals that are separate token types.
    fn implicit_tokens(&mut self) -> Vec<RuleId> {
        let case = self.case_of_lexer();
        let ignore_case = case.is_ignored();
        let mut rules = Vec::new();
        for (&raw, &span) in &self.symbols.implicit {
            let Some(codes) = sets::literal(self.reading, raw, span) else {
                continue;
            };
            let token = self.builder.token(raw, Some(span));
            if let Some(text) = text_of(&codes).filter(|_| !ignore_case) {
                self.builder.set_token_text(token, &text);
            }
            let mode = ModeId::from_index(0);
            let kind = RuleKind::Token(TokenRule { mode, token, ignore_case, implicit: true });
            let rule = self.builder.declare(raw, kind, span);
            let body = self.characters(&codes, raw, case, span);
            self.builder.define(rule, vec![Alternative::plain(body)], span);
            rules.push(rule);
        }
        rules
    }

    fn lexicon(&mut self, lexical: &[Rule], rules: &Declared, implicit: Vec<RuleId>) {
        if lexical.iter().all(|rule| rule.fragment) && implicit.is_empty() {
            return;
        }
        let mut modes: Table<ModeId, Mode> = Table::new();
        modes.push(Mode { name: DEFAULT_MODE.into(), span: None, rules: implicit });
        for &name in self.lexer.map_or(&[][..], |lexer| &lexer.modes) {
            let (name, span) = (self.texts.get(name).into(), Some(name));
            modes.push(Mode { name, span, rules: Vec::new() });
        }
        for (rule, &id) in lexical.iter().zip(&rules.lexical).filter(|(rule, _)| !rule.fragment) {
            modes[Modes::id(rule.mode)].rules.push(id);
        }
        for mode in modes.values().filter(|mode| mode.rules.is_empty()) {
            if let Some(span) = mode.span {
                let message = format!("the mode `{}` has no rule that makes tokens", mode.name);
                self.reading.report(Diagnostic::at(antlr::EMPTY_MODE, span, message));
            }
        }
        let channel = |name: &str| Channel { name: name.into() };
        let channels: Table<ChannelId, _> = self.channels.names().map(channel).collect();
        self.builder.set_lexicon(Lexicon { modes, channels });
    }

    // Notes and errors.

    fn notes(&mut self) {
        let lexer = self.lexer.filter(|_| self.grammar.kind == GrammarKind::Parser);
        for unit in [Some(self.grammar), lexer].into_iter().flatten() {
            if let Some(class) = unit.option(self.texts, "superClass") {
                let name = self.texts.get(class);
                let message = format!("the superclass `{name}` of `{}` is ignored", unit.name);
                self.builder.note(NoteKind::HostCode, Some(class), message);
            }
            for aside in &unit.asides {
                let message = match aside.kind {
                    NoteKind::Predicate => "a predicate is ignored",
                    NoteKind::HostCode => "code that belongs to the parser or lexer is ignored",
                    _ => "an action is ignored",
                };
                self.builder.note(aside.kind, Some(aside.span), message);
            }
        }
    }

    /// Whether this is the first report of its kind about a name.
    fn is_new(&mut self, code: Code, name: &'a str) -> bool {
        self.reported.insert((code.name, name))
    }

    /// As [`is_new`](Self::is_new) for an unknown name, unless it may be in a file that could not
    /// be read.
    fn is_missing(&mut self, code: Code, name: &'a str) -> bool {
        let units = [Some(self.grammar), self.lexer];
        !units.into_iter().flatten().any(|unit| unit.incomplete) && self.is_new(code, name)
    }

    /// The help with the closest known name, as long as errors are shown.
    fn suggestion<'n>(
        left: &mut usize,
        wrong: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        *left = left.checked_sub(1)?;
        suggest::did_you_mean(wrong, known)
    }
}

/// The text of code points, unless they contain halves of surrogate pairs.
fn text_of(codes: &[u32]) -> Option<String> {
    codes.iter().map(|&code| char::from_u32(code)).collect()
}
