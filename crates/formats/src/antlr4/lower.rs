//! From trees to a [`Grammar`]: names are resolved, rules declared and defined.
//!
//! Rules are declared before any is defined, so that they may refer to each other in any order.
//! Syntax rules come first, then lexer rules, each in the order of the files, then the token types
//! that literals of parser rules bring with them. Code, predicates and superclasses are set aside as
//! notes. Linear in the grammar.

use gramercy_base::{Diagnostic, Id, Set, Span, Table};
use gramercy_grammar::{
    Alternative, Attributes, Channel, ChannelId, ExprId, Grammar, GrammarBuilder, Lexicon, Mode,
    ModeId, Notation, NoteKind, RuleId, RuleKind, TerminalId, TerminalKind, TokenRule,
};

use super::check::check;
use super::choose_start::choose_start;
use super::codes as antlr;
use super::commands::{Channels, Modes};
use super::gather::{DEFAULT_MODE, Unit, setting};
use super::sets::{self, Case};
use super::symbols::{LiteralMeaning, Symbols, TokenOrigin};
use super::tree::{self, Atom, Block, Element, GrammarKind, Rule, SetItem, SetItemKind, Texts};
use super::vocabulary::{Vocabulary, parser_beside};
use crate::{Reading, codes, suggest};

/// The grammar that was read, if nothing keeps it from being one.
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
    let broken = reading.has_errors();
    let mut lowering = Lowering::new(reading, texts, grammar, lexer, &symbols, vocabulary);
    let rules = lowering.declare();
    lowering.define(&rules);
    lowering.notes();
    let builder = lowering.builder;
    if grammar.kind == GrammarKind::Lexer {
        report_lexer_only(reading, grammar);
        return None;
    }
    // Where rules are broken, it is not known which of them refer to which.
    let start = if broken { None } else { choose_start(reading, texts, &grammar.syntax) }?;
    let mut builder = builder;
    if !start.requires_eof {
        let name = texts.get(grammar.syntax[start.index].name);
        let message = format!(
            "the start rule `{name}` does not ask for EOF, so that ANTLR may stop before the end"
        );
        builder.note(NoteKind::StartWithoutEof, Some(grammar.syntax[start.index].name), message);
    }
    let lowered = builder.finish(rules.syntax[start.index], reading.sources().clone());
    check(reading, &lowered);
    Some(lowered)
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
    /// Parallel to the grammar's parser rules.
    syntax: Vec<RuleId>,
    /// Parallel to the lexer's rules.
    lexical: Vec<RuleId>,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Syntax,
    Token(Case),
    Fragment(Case),
}

pub(super) struct Lowering<'a, 'r> {
    pub(super) reading: &'a mut Reading<'r>,
    pub(super) texts: &'a Texts,
    pub(super) symbols: &'a Symbols<'a>,
    pub(super) builder: GrammarBuilder,
    pub(super) modes: Modes<'a>,
    pub(super) channels: Channels<'a>,
    grammar: &'a Unit,
    lexer: Option<&'a Unit>,
    vocabulary: &'a Vocabulary,
    syntax: gramercy_base::Map<&'a str, RuleId>,
    lexical: gramercy_base::Map<&'a str, RuleId>,
    /// Names and literals that were complained of.
    reported: Set<&'a str>,
    /// For how many more unknown names a known one is looked for.
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
            syntax: gramercy_base::Map::default(),
            lexical: gramercy_base::Map::default(),
            reported: Set::default(),
            // No more than the first hundred mistakes are shown.
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

    /// What a rule says about case, or else what its grammar says.
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
                let message = format!("`caseInsensitive` is `true` or `false`, not `{text}`");
                self.report_once(text, Diagnostic::at(antlr::BAD_OPTION, value, message));
                Case::Matters
            }
        }
    }

    // Definitions.

    fn define(&mut self, rules: &Declared) {
        for (rule, &id) in self.grammar.syntax.iter().zip(&rules.syntax) {
            self.define_rule(rule, id, Side::Syntax);
        }
        let lexical = self.lexer.map_or(&[][..], |lexer| &lexer.lexical);
        for (rule, &id) in lexical.iter().zip(&rules.lexical) {
            let case = self.case_of(rule);
            self.check_commands(rule);
            let side = if rule.fragment { Side::Fragment(case) } else { Side::Token(case) };
            self.define_rule(rule, id, side);
        }
        self.token_texts(lexical);
        let implicit = self.implicit_tokens();
        self.lexicon(lexical, rules, implicit);
    }

    fn define_rule(&mut self, rule: &Rule, id: RuleId, side: Side) {
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

    /// Tells the builder which tokens have a fixed text.
    fn token_texts(&mut self, rules: &[Rule]) {
        let uses = super::commands::Uses::new(self.texts, rules);
        for rule in rules {
            let name = self.texts.get(rule.name);
            let Some(literal) = super::symbols::literal_of(rule) else {
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

    /// The rules of literals that are token types of their own.
    fn implicit_tokens(&mut self) -> Vec<RuleId> {
        let ignore_case = self.case_of_lexer().is_ignored();
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
            let body = self.characters(&codes, raw, span);
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

    // Right-hand sides.

    fn alternative(&mut self, alternative: &tree::Alternative, side: Side) -> ExprId {
        let mut items: Vec<_> =
            alternative.elements.iter().filter_map(|element| self.element(element, side)).collect();
        if !alternative.commands.is_empty() && !matches!(side, Side::Fragment(_)) {
            let commands = self.commands(&alternative.commands);
            if let [first, .., last] | [first @ last] = &alternative.commands[..] {
                let span = first.span().to(last.span());
                items.push(self.builder.commands(commands, span));
            }
        }
        self.builder.sequence(items, alternative.span)
    }

    fn block(&mut self, block: &Block, side: Side) -> ExprId {
        let alternatives = block.alternatives.iter();
        let alternatives =
            alternatives.map(|alternative| Alternative::plain(self.alternative(alternative, side)));
        let alternatives = alternatives.collect();
        self.builder.alternation(alternatives, block.span)
    }

    fn element(&mut self, element: &Element, side: Side) -> Option<ExprId> {
        let mut expr = self.atom(element, side)?;
        if let Some(label) = element.label {
            self.builder.label(expr, self.texts.get(label));
        }
        if let Some(suffix) = element.suffix {
            let span = element.span.to(suffix.span);
            expr = self.builder.repeat(expr, suffix.min, suffix.max, suffix.greedy, span);
        }
        Some(expr)
    }

    fn atom(&mut self, element: &Element, side: Side) -> Option<ExprId> {
        let span = element.span;
        let lowered = match (&element.atom, side) {
            (Atom::Code, _) => return None,
            (Atom::Broken, _) => None,
            (Atom::Block(block), _) => Some(self.block(block, side)),
            (Atom::Token, _) if self.texts.get(span) == "EOF" => Some(self.builder.eof(span)),
            (Atom::Token, Side::Syntax) => Some(self.token(span)),
            (Atom::Token | Atom::Rule, _) => self.rule_reference(element, side),
            (Atom::Literal, Side::Syntax) => {
                let token = self.literal_token(span);
                token.map(|token| self.builder.leaf(token, span))
            }
            (Atom::Any, Side::Syntax) => Some(self.any_token_but(&[], span)),
            (Atom::Not(items), Side::Syntax) => Some(self.any_token_but(items, span)),
            (Atom::Range(..), Side::Syntax) => self.range_in_parser(span),
            (Atom::Set, Side::Syntax) => unreachable!("invariant: the parser refuses such sets"),
            (atom, Side::Token(case) | Side::Fragment(case)) => self.text_atom(atom, span, case),
        };
        Some(lowered.unwrap_or_else(|| self.builder.empty(span)))
    }

    // References.

    fn rule_reference(&mut self, element: &Element, side: Side) -> Option<ExprId> {
        let name = self.texts.get(element.span);
        let known = match side {
            Side::Syntax => self.syntax.get(name),
            Side::Token(_) | Side::Fragment(_) => self.lexical.get(name),
        };
        match known {
            Some(&rule) => Some(self.builder.reference(rule, element.span)),
            None => {
                self.report_undefined(name, element.span, side);
                None
            }
        }
    }

    fn report_undefined(&mut self, name: &'a str, span: Span, side: Side) {
        if side != Side::Syntax && self.syntax.contains_key(name) {
            let message = format!("a lexer rule cannot refer to the parser rule `{name}`");
            self.report_once(name, Diagnostic::at(antlr::MISPLACED_RULE, span, message));
            return;
        }
        let rules = match side {
            Side::Syntax => &self.grammar.syntax[..],
            Side::Token(_) | Side::Fragment(_) => {
                self.lexer.map_or(&[][..], |lexer| &lexer.lexical)
            }
        };
        let texts = self.texts;
        let known = rules.iter().map(|rule| texts.get(rule.name));
        let help = self.suggestion(name, known);
        let message = format!("there is no rule `{name}`");
        let mut diagnostic = Diagnostic::at(codes::UNDEFINED_RULE, span, message);
        diagnostic.help = help;
        self.report_once(name, diagnostic);
    }

    /// An occurrence of a token type in a parser rule.
    fn token(&mut self, span: Span) -> ExprId {
        let token = self.token_named(span);
        self.builder.leaf(token, span)
    }

    fn token_named(&mut self, span: Span) -> TerminalId {
        let name = self.texts.get(span);
        let is_open = self.vocabulary.open && self.lexer.is_none();
        match self.symbols.tokens.get(name) {
            Some(TokenOrigin::Known) => {}
            None if is_open => {}
            other => self.report_implicit(name, span, other.copied()),
        }
        self.builder.token(name, Some(span))
    }

    fn report_implicit(&mut self, name: &'a str, span: Span, origin: Option<TokenOrigin>) {
        if self.reported.contains(name) {
            return;
        }
        let message = match origin {
            Some(TokenOrigin::Fragment) => format!("the fragment `{name}` makes no tokens"),
            Some(TokenOrigin::Retyped) => {
                format!("the rule `{name}` gives its tokens another type")
            }
            Some(TokenOrigin::Known) | None => format!("no lexer rule makes the token `{name}`"),
        };
        let tokens = self.symbols.tokens.keys().copied().filter(|&known| known != name);
        let help = match origin {
            Some(TokenOrigin::Fragment) => Some("take the word `fragment` away".to_owned()),
            _ => self.suggestion(name, tokens),
        };
        let mut diagnostic = Diagnostic::at(antlr::IMPLICIT_TOKEN, span, message);
        diagnostic.help = help;
        diagnostic = diagnostic.note("no text can contain this token");
        self.report_once(name, diagnostic);
    }

    /// The token type of a literal in a parser rule.
    fn literal_token(&mut self, span: Span) -> Option<TerminalId> {
        let raw = self.texts.get(span);
        match self.symbols.literals.get(raw) {
            Some(LiteralMeaning::Token(name, _)) => Some(self.builder.token(name, Some(span))),
            Some(LiteralMeaning::Itself) => Some(self.builder.token(raw, Some(span))),
            Some(&LiteralMeaning::Ambiguous(first, second)) => {
                self.report_ambiguous(raw, span, first, second);
                None
            }
            None if self.vocabulary.open && self.lexer.is_none() => self.open_literal(raw, span),
            None => {
                self.report_unknown_literal(raw, span);
                None
            }
        }
    }

    /// A literal where no lexer is known: a token type with this text.
    fn open_literal(&mut self, raw: &str, span: Span) -> Option<TerminalId> {
        let known = self.builder.known_token(raw);
        if known.is_some() {
            return known;
        }
        let codes = sets::literal(self.reading, raw, span)?;
        let token = self.builder.token(raw, Some(span));
        if let Some(text) = text_of(&codes) {
            self.builder.set_token_text(token, &text);
        }
        Some(token)
    }

    fn report_ambiguous(&mut self, raw: &'a str, span: Span, first: Span, second: Span) {
        let message = format!("{raw} is the text of several lexer rules");
        let help = "use the name of the rule that is meant";
        let diagnostic = Diagnostic::at(antlr::AMBIGUOUS_LITERAL, span, message).help(help);
        let diagnostic = diagnostic.label(first, "of this one").label(second, "and of this one");
        self.report_once(raw, diagnostic);
    }

    fn report_unknown_literal(&mut self, raw: &'a str, span: Span) {
        let message = format!("no lexer rule has {raw} as its whole body");
        let help = match self.lexer {
            Some(lexer) => format!("add a rule `NAME : {raw} ;` to the grammar `{}`", lexer.name),
            None => {
                "name a lexer grammar with `tokenVocab`, or make this a combined grammar".into()
            }
        };
        let diagnostic = Diagnostic::at(antlr::UNKNOWN_LITERAL, span, message).help(help);
        self.report_once(raw, diagnostic);
    }

    /// `.` or `~(…)` in a parser rule.
    fn any_token_but(&mut self, items: &[SetItem], span: Span) -> ExprId {
        let mut members = Vec::with_capacity(items.len());
        for item in items {
            match item.kind {
                // The end of input is not a token, so it is excluded as it is.
                SetItemKind::Token if self.texts.get(item.span) == "EOF" => {}
                SetItemKind::Token => members.push(self.token_named(item.span)),
                SetItemKind::Literal => members.extend(self.literal_token(item.span)),
                SetItemKind::Range(..) => drop(self.range_in_parser(item.span)),
                SetItemKind::Set => unreachable!("invariant: the parser refuses such sets"),
            }
        }
        members.sort_unstable();
        members.dedup();
        let kind = TerminalKind::AnyTokenBut(members.into());
        let terminal = self.builder.terminal(kind, &self.set_name(items), span);
        self.builder.leaf(terminal, span)
    }

    fn range_in_parser(&mut self, span: Span) -> Option<ExprId> {
        let message = "a range of characters cannot stand in a parser rule";
        let help = "move it to a lexer rule and refer to that";
        self.reading.report(Diagnostic::at(antlr::RANGE_IN_PARSER, span, message).help(help));
        None
    }

    /// A set as its author wrote it, without spaces.
    fn set_name(&self, items: &[SetItem]) -> String {
        let names: Vec<_> = items.iter().map(|item| self.texts.get(item.span)).collect();
        match names[..] {
            [] => ".".to_owned(),
            [only] => format!("~{only}"),
            _ => format!("~({})", names.join("|")),
        }
    }

    // Text in lexer rules.

    fn text_atom(&mut self, atom: &Atom, span: Span, case: Case) -> Option<ExprId> {
        let text = self.texts.get(span);
        let (set, name) = match atom {
            Atom::Literal => {
                let codes = sets::literal(self.reading, text, span)?;
                return Some(self.characters(&codes, text, span));
            }
            Atom::Any => (gramercy_regular::CharSet::any(), text.to_owned()),
            Atom::Set => (sets::char_set(self.reading, text, case, span)?, text.to_owned()),
            Atom::Range(first, last) => {
                let set = self.range(*first, *last, case, span)?;
                (set, format!("{}..{}", self.texts.get(*first), self.texts.get(*last)))
            }
            Atom::Not(items) => (self.complement(items, case)?, self.set_name(items)),
            Atom::Token | Atom::Rule | Atom::Block(_) | Atom::Code | Atom::Broken => {
                unreachable!("invariant: these are no text")
            }
        };
        if set.is_empty() {
            let message = "no character is in this set";
            self.reading.report(Diagnostic::at(codes::EMPTY_REGEX, span, message));
        }
        let terminal = self.builder.terminal(TerminalKind::Chars(set), &name, span);
        Some(self.builder.leaf(terminal, span))
    }

    /// One character after the other. Halves of surrogate pairs are no text, but sets of their own.
    fn characters(&mut self, codes: &[u32], name: &str, span: Span) -> ExprId {
        if let Some(text) = text_of(codes) {
            return self.builder.literal(&text, name, span);
        }
        let items = codes.iter().map(|&code| {
            let kind = TerminalKind::Chars(sets::single(code, Case::Matters));
            let name = format!("'\\u{{{code:X}}}'");
            let terminal = self.builder.terminal(kind, &name, span);
            self.builder.leaf(terminal, span)
        });
        let items = items.collect();
        self.builder.sequence(items, span)
    }

    fn range(
        &mut self,
        first: Span,
        last: Span,
        case: Case,
        span: Span,
    ) -> Option<gramercy_regular::CharSet> {
        let low = sets::character(self.reading, self.texts.get(first), first);
        let high = sets::character(self.reading, self.texts.get(last), last);
        sets::range(self.reading, (low?, high?), case, span)
    }

    /// What is in none of the items.
    fn complement(&mut self, items: &[SetItem], case: Case) -> Option<gramercy_regular::CharSet> {
        let mut union = Some(Vec::new());
        for item in items {
            let text = self.texts.get(item.span);
            let set = match item.kind {
                SetItemKind::Token => self.rule_in_set(text, item.span),
                SetItemKind::Literal => {
                    let code = sets::character(self.reading, text, item.span);
                    code.map(|code| sets::single(code, case))
                }
                SetItemKind::Range(first, last) => self.range(first, last, case, item.span),
                SetItemKind::Set => sets::char_set(self.reading, text, case, item.span),
            };
            union = union.zip(set).map(|(mut ranges, set)| {
                ranges.extend_from_slice(set.ranges());
                ranges
            });
        }
        Some(gramercy_regular::CharSet::from_ranges(union?).complement())
    }

    fn rule_in_set(&mut self, name: &str, span: Span) -> Option<gramercy_regular::CharSet> {
        let message = format!("the rule `{name}` cannot be part of a set");
        let help = "write its characters out";
        self.reading.report(Diagnostic::at(antlr::RULE_IN_SET, span, message).help(help));
        None
    }

    // Notes and mistakes.

    fn notes(&mut self) {
        let lexer = self.lexer.filter(|_| self.grammar.kind == GrammarKind::Parser);
        for unit in [Some(self.grammar), lexer].into_iter().flatten() {
            if let Some(class) = unit.option(self.texts, "superClass") {
                let name = self.texts.get(class);
                let message = format!("the superclass `{name}` of `{}` is set aside", unit.name);
                self.builder.note(NoteKind::HostCode, Some(class), message);
            }
            for aside in &unit.asides {
                let message = match aside.kind {
                    NoteKind::Predicate => "a predicate is set aside",
                    NoteKind::HostCode => "code that belongs to the parser or lexer is set aside",
                    _ => "an action is set aside",
                };
                self.builder.note(aside.kind, Some(aside.span), message);
            }
        }
    }

    /// The help that names the nearest known name, for as long as mistakes are shown.
    pub(super) fn suggestion<'n>(
        &mut self,
        wrong: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Option<String> {
        if self.reported.contains(wrong) {
            return None;
        }
        self.suggestions = self.suggestions.checked_sub(1)?;
        suggest::did_you_mean(wrong, known)
    }

    /// Reports what is wrong with a name, the first time only.
    pub(super) fn report_once(&mut self, name: &'a str, diagnostic: Diagnostic) {
        if self.reported.insert(name) {
            self.reading.report(diagnostic);
        }
    }
}

/// The text of code points, unless there are halves of surrogate pairs among them.
fn text_of(codes: &[u32]) -> Option<String> {
    codes.iter().map(|&code| char::from_u32(code)).collect()
}
