//! Combines a grammar with a lexer from another file.
//!
//! A yacc grammar knows its tokens by name; a lexer grammar of ANTLR, or a native file with token
//! rules, defines their texts. Tokens are paired by name, then by text: an alias or a quoted
//! character with the rule that matches exactly this text. Unpaired tokens of either side are
//! reported. The tokens keep their names of the grammar. If the grammar has a lexer already, that
//! lexer is replaced: only the syntax rules are kept.
//!
//! Linear in both grammars.

use std::io;
use std::path::{Path, PathBuf};

use gramercy_base::{Diagnostic, Map, Span, Table};
use gramercy_grammar::{
    Alternative, Attributes, Command, ExprId, ExprKind, Grammar, GrammarBuilder, Lexicon, Rule,
    RuleId, RuleKind, Terminal, TerminalId, TerminalKind, TextKind, TokenRule,
};

use crate::{Files, LoadOptions, Reading, codes, notation_of};

/// The grammar combined with the lexer in a file, or a report why that is impossible.
pub(crate) fn pair(reading: &mut Reading<'_>, grammar: &Grammar, lexer: &Path) -> Option<Grammar> {
    if grammar.text_kind() == TextKind::Scannerless {
        let message = "this grammar has no tokens: its rules match characters, and take no lexer";
        reading.report(Diagnostic::new(codes::LEXER_NOT_WANTED, message));
        return None;
    }
    let lexer_grammar = read_lexer(reading, lexer)?;
    let Some(lexicon) = lexer_grammar.lexicon() else {
        let message = format!("`{}` has no token rules", lexer.display());
        reading.report(Diagnostic::new(codes::EMPTY_LEXER, message));
        return None;
    };
    let partners = partners(grammar, &lexer_grammar);
    report_left_over(reading, grammar, &lexer_grammar, &partners, lexer);
    Some(GrammarJoiner::new(grammar, &lexer_grammar, &partners).run(lexicon, reading))
}

/// The name of the rule that is added to a file with only a lexer.
const ALONE: &str = "gramercy_lexer_alone";

/// Reads a lexer, which may be the only content of its file.
fn read_lexer(reading: &mut Reading<'_>, path: &Path) -> Option<Grammar> {
    let options = LoadOptions { limits: *reading.limits(), ..LoadOptions::default() };
    let text = reading
        .files()
        .read(path, options.limits.file_bytes)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.unwrap_or_default();
    let is_antlr = notation_of(path).is_some_and(|it| it == gramercy_grammar::Notation::Antlr4);
    let lexer_header = text.lines().any(|line| line.trim_start().starts_with("lexer grammar"));
    let added = if is_antlr && lexer_header {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let parser = format!(
            "parser grammar {ALONE}; options {{ tokenVocab = {stem}; }} {ALONE} : .*? EOF ;"
        );
        Some((path.with_file_name(format!("{ALONE}.g4")), parser))
    } else if !is_antlr && !has_syntax_rules(reading.files(), path, &options) {
        Some((path.to_path_buf(), format!("{text}\n{ALONE} := \"\";\n")))
    } else {
        None
    };
    match added {
        Some((main, text)) => {
            let files = FilesWith { files: reading.files(), path: main.clone(), text };
            reading.read_other(&main, &files, &options)
        }
        None => reading.read_other(path, reading.files(), &options),
    }
}

/// Whether a file is a complete grammar without an additional rule.
fn has_syntax_rules(files: &dyn Files, path: &Path, options: &LoadOptions) -> bool {
    let loaded = crate::load(path, files, options);
    loaded.diagnostics.iter().all(|diagnostic| diagnostic.code != codes::NO_RULES)
}

/// Files with one additional file, or with a different text for one of them.
struct FilesWith<'f> {
    files: &'f dyn Files,
    path: PathBuf,
    text: String,
}

impl Files for FilesWith<'_> {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        match path == self.path {
            true => Ok(self.text.clone().into_bytes()),
            false => self.files.read(path, limit),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path == self.path || self.files.exists(path)
    }
}

/// For each terminal of the grammar, its token of the lexer.
type Partners = Table<TerminalId, Option<TerminalId>>;

fn partners(grammar: &Grammar, lexer: &Grammar) -> Partners {
    let (mut by_name, mut by_text) = (Map::default(), Map::default());
    for (rule, made) in made_tokens(lexer) {
        by_name.entry(token_name(lexer, made)).or_insert(made);
        if let Some(text) = fixed_text(lexer, rule) {
            by_text.entry(text).or_insert(made);
        }
    }
    let partner = |terminal: &Terminal| match &terminal.kind {
        TerminalKind::Token { name, text } => {
            let of_text = || by_text.get(text.as_deref()?);
            by_name.get(&**name).or_else(of_text).copied()
        }
        _ => None,
    };
    grammar.terminals().map(|_, terminal| partner(terminal))
}

/// The token rules of a lexer, each with the token types that it can create.
fn made_tokens(lexer: &Grammar) -> Vec<(&Rule, TerminalId)> {
    let mut made = Vec::new();
    for rule in lexer.rules().values() {
        if let Some(token) = rule.token() {
            made.push((rule, token.token));
        }
    }
    made
}

fn token_name(grammar: &Grammar, token: TerminalId) -> &str {
    match &grammar.terminals()[token].kind {
        TerminalKind::Token { name, .. } => name,
        other => unreachable!("invariant: {other:?} is a token type"),
    }
}

/// The text of a rule that consists of a single literal.
fn fixed_text<'g>(lexer: &'g Grammar, rule: &Rule) -> Option<&'g str> {
    let mut expr = &lexer.expr(rule.body).kind;
    loop {
        match expr {
            ExprKind::Alternation(branches) if branches.len() == 1 => {
                expr = &lexer.expr(branches[0].expr).kind;
            }
            ExprKind::Sequence(items) => {
                let [text, commands] = items[..] else { return None };
                if !matches!(lexer.expr(commands).kind, ExprKind::Commands(_)) {
                    return None;
                }
                expr = &lexer.expr(text).kind;
            }
            ExprKind::Terminal(terminal) => match &lexer.terminals()[*terminal].kind {
                TerminalKind::Literal(text) => return Some(text),
                _ => return None,
            },
            _ => return None,
        }
    }
}

fn report_left_over(
    reading: &mut Reading<'_>,
    grammar: &Grammar,
    lexer: &Grammar,
    partners: &Partners,
    path: &Path,
) {
    let used = grammar.terminals().iter().take(grammar.syntax_terminals());
    for (id, terminal) in used {
        if partners[id].is_none() && matches!(terminal.kind, TerminalKind::Token { .. }) {
            let message = format!("no rule of `{}` makes `{}`", path.display(), terminal.name);
            let diagnostic = match terminal.span {
                Some(span) => Diagnostic::at(codes::UNPAIRED_TOKEN, span, message),
                None => Diagnostic::new(codes::UNPAIRED_TOKEN, message),
            };
            let help = "give a token rule this name, or give the token an alias that is the text of a rule";
            reading.report(diagnostic.help(help));
        }
    }
    for (rule, token) in made_tokens(lexer) {
        let is_plain = !has_commands(lexer, rule.body);
        if is_plain && partners.values().all(|partner| *partner != Some(token)) {
            let message = format!("the grammar knows no token `{}`", token_name(lexer, token));
            reading.report(Diagnostic::at(codes::UNPAIRED_RULE, rule.span, message));
        }
    }
}

fn has_commands(lexer: &Grammar, body: ExprId) -> bool {
    let mut stack = vec![body];
    while let Some(id) = stack.pop() {
        match &lexer.expr(id).kind {
            ExprKind::Commands(_) => return true,
            ExprKind::Alternation(branches) => stack.extend(branches.iter().map(|b| b.expr)),
            ExprKind::Sequence(items) => stack.extend(items),
            ExprKind::Repeat { body, .. } => stack.push(*body),
            ExprKind::Rule(_) | ExprKind::Terminal(_) => {}
        }
    }
    false
}

/// The combination of two grammars under construction.
struct GrammarJoiner<'g> {
    grammar: &'g Grammar,
    lexer: &'g Grammar,
    builder: GrammarBuilder,
    /// The new rule of each old rule.
    syntax: Map<RuleId, RuleId>,
    lexical: Map<RuleId, RuleId>,
    /// The new token type of each old one.
    of_grammar: Map<TerminalId, TerminalId>,
    of_lexer: Map<TerminalId, TerminalId>,
}

/// One of the two grammars.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GrammarSide {
    Grammar,
    Lexer,
}

impl<'g> GrammarJoiner<'g> {
    fn new(grammar: &'g Grammar, lexer: &'g Grammar, partners: &Partners) -> Self {
        let builder = GrammarBuilder::new(grammar.name(), grammar.notation());
        let (syntax, lexical) = (Map::default(), Map::default());
        let (of_grammar, of_lexer) = (Map::default(), Map::default());
        let mut joining = Self { grammar, lexer, builder, syntax, lexical, of_grammar, of_lexer };
        joining.tokens(partners);
        joining
    }

    fn run(mut self, lexicon: &Lexicon, reading: &Reading<'_>) -> Grammar {
        let (grammar, lexer) = (self.grammar, self.lexer);
        for (id, rule) in grammar.syntax_rules() {
            let new = self.builder.declare(&rule.name, RuleKind::Syntax, rule.span);
            self.syntax.insert(id, new);
        }
        for (id, rule) in lexer.rules().iter().filter(|(_, rule)| !rule.is_syntax()) {
            let kind = match &rule.kind {
                RuleKind::Token(token) => RuleKind::Token(TokenRule {
                    token: self.of_lexer[&token.token],
                    ..token.clone()
                }),
                other => other.clone(),
            };
            let new = self.builder.declare(&rule.name, kind, rule.span);
            self.lexical.insert(id, new);
        }
        self.define(GrammarSide::Grammar);
        self.define(GrammarSide::Lexer);
        for note in grammar.notes().iter().chain(lexer.notes()) {
            self.builder.note(note.kind, note.span, note.message.as_str());
        }
        let mut lexicon = lexicon.clone();
        for mode in lexicon.modes.values_mut() {
            mode.rules = mode.rules.iter().map(|rule| self.lexical[rule]).collect();
        }
        self.builder.set_lexicon(lexicon);
        self.builder.finish(self.syntax[&grammar.start()], reading.sources().clone())
    }

    /// Creates the new token types of both sides.
    fn tokens(&mut self, partners: &Partners) {
        for (id, terminal) in self.grammar.terminals().iter() {
            let TerminalKind::Token { name, text } = &terminal.kind else { continue };
            let known = partners[id].and_then(|partner| self.of_lexer.get(&partner).copied());
            let new = known.unwrap_or_else(|| self.builder.token(name, terminal.span));
            if let Some(text) = text {
                self.builder.set_token_text(new, text);
            }
            if let Some(precedence) = terminal.precedence {
                self.builder.set_precedence(new, precedence);
            }
            self.of_grammar.insert(id, new);
            if let Some(partner) = partners[id] {
                self.of_lexer.insert(partner, new);
            }
        }
        for (id, terminal) in self.lexer.terminals().iter() {
            let TerminalKind::Token { name, text } = &terminal.kind else { continue };
            let known = self.of_lexer.get(&id).copied();
            let new = known.unwrap_or_else(|| self.builder.token(name, terminal.span));
            if let Some(text) = text {
                self.builder.set_token_text(new, text);
            }
            self.of_lexer.insert(id, new);
        }
    }

    /// Copies the right-hand sides of one side. A rule with several definitions is copied in the
    /// order of these.
    fn define(&mut self, side: GrammarSide) {
        let from = self.side(side);
        let mut parts: Vec<(Span, RuleId, Vec<Alternative>)> = Vec::new();
        for (id, rule) in from.rules().iter() {
            if rule.is_syntax() != (side == GrammarSide::Grammar) {
                continue;
            }
            let ExprKind::Alternation(branches) = &from.expr(rule.body).kind else {
                unreachable!("invariant: a right-hand side is an alternation");
            };
            let copies: Vec<_> =
                branches.iter().map(|branch| self.alternative(side, branch)).collect();
            if from.is_scattered() {
                let spans = branches.iter().map(|branch| from.expr(branch.expr).span);
                parts.extend(spans.zip(copies).map(|(span, copy)| (span, id, vec![copy])));
            } else {
                parts.push((from.expr(rule.body).span, id, copies));
            }
        }
        if from.is_scattered() {
            parts.sort_by_key(|(span, ..)| *span);
        }
        for (span, rule, alternatives) in parts {
            let rules = if side == GrammarSide::Grammar { &self.syntax } else { &self.lexical };
            self.builder.define(rules[&rule], alternatives, span);
        }
    }

    fn side(&self, side: GrammarSide) -> &'g Grammar {
        match side {
            GrammarSide::Grammar => self.grammar,
            GrammarSide::Lexer => self.lexer,
        }
    }

    fn alternative(&mut self, side: GrammarSide, branch: &Alternative) -> Alternative {
        let expr = self.expr(side, branch.expr);
        let attributes = branch.attributes.as_ref().map(|attributes| {
            let precedence_of = attributes.precedence_of.map(|token| self.token(side, token));
            Box::new(Attributes { precedence_of, ..(**attributes).clone() })
        });
        Alternative { expr, attributes }
    }

    fn token(&self, side: GrammarSide, token: TerminalId) -> TerminalId {
        match side {
            GrammarSide::Grammar => self.of_grammar[&token],
            GrammarSide::Lexer => self.of_lexer[&token],
        }
    }

    /// Readers limit the nesting.
    fn expr(&mut self, side: GrammarSide, id: ExprId) -> ExprId {
        let expr = self.side(side).expr(id);
        let span = expr.span;
        let new = match &expr.kind {
            ExprKind::Alternation(branches) => {
                let branches =
                    branches.iter().map(|branch| self.alternative(side, branch)).collect();
                self.builder.alternation(branches, span)
            }
            ExprKind::Sequence(items) => {
                let items = items.iter().map(|&item| self.expr(side, item)).collect();
                self.builder.sequence(items, span)
            }
            &ExprKind::Repeat { body, min, max, greedy } => {
                let body = self.expr(side, body);
                self.builder.repeat(body, min, max, greedy, span)
            }
            ExprKind::Rule(rule) => {
                let rules = if side == GrammarSide::Grammar { &self.syntax } else { &self.lexical };
                self.builder.reference(rules[rule], span)
            }
            ExprKind::Terminal(terminal) => {
                let terminal = self.terminal(side, *terminal, span);
                self.builder.leaf(terminal, span)
            }
            ExprKind::Commands(commands) => {
                let commands = commands.iter().map(|&command| match command {
                    Command::Type(token) => Command::Type(self.of_lexer[&token]),
                    other => other,
                });
                let commands = commands.collect();
                self.builder.commands(commands, span)
            }
        };
        if let Some(label) = &expr.label {
            self.builder.label(new, label);
        }
        new
    }

    fn terminal(&mut self, side: GrammarSide, id: TerminalId, span: Span) -> TerminalId {
        let terminal = &self.side(side).terminals()[id];
        match &terminal.kind {
            TerminalKind::Token { .. } => self.token(side, id),
            TerminalKind::AnyTokenBut(members) => {
                let members = members.iter().map(|&member| self.token(side, member)).collect();
                self.builder.terminal(TerminalKind::AnyTokenBut(members), &terminal.name, span)
            }
            kind => self.builder.terminal(kind.clone(), &terminal.name, span),
        }
    }
}
