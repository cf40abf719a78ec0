//! Builds the grammar of a checked file.

use std::path::Path;

use gramercy_base::{Id, IndexMap, IndexSet, Map, Span};
use gramercy_grammar::{
    Alternative, Channel, ChannelId, Command, ExprId, Grammar, GrammarBuilder, Lexicon, Mode,
    ModeId, Notation, Precedence, RuleId, RuleKind, TerminalId, TerminalKind, TokenRule,
};

use super::check::{Checked, Meaning, whole_literal};
use super::syntax::{DEFAULT_CHANNEL, DEFAULT_MODE, NativeFile, Sort};
use crate::Reading;
use crate::ebnf::lower::{self, Leaves, TextLeaves};
use crate::ebnf::names;
use crate::ebnf::syntax::{CommandKind, CommandSyntax, ExprNode, ExprNodeKind, NameId};

/// The grammar of a file.
pub(super) fn lower(
    reading: &Reading<'_>,
    file: &NativeFile<'_>,
    checked: &Checked<'_>,
    path: &Path,
) -> Grammar {
    let mut builder = GrammarBuilder::new(&names::grammar_name(path), Notation::Native);
    let tokens = declare_tokens(&mut builder, file);
    let rules = declare_rules(&mut builder, file, &tokens);
    let context = LoweringContext { file, checked, tokens: &tokens, rules: &rules };
    let channels = define_lexis(&mut builder, context);
    let implicit = define_syntax(&mut builder, context);
    if file.has_lexer {
        let implicit = define_implicit(&mut builder, file, &implicit);
        builder.set_lexicon(lexicon(file, &rules, implicit, &channels));
    }
    let start = rules[checked.start].expect("invariant: the start is declared");
    builder.finish(start, reading.sources().clone())
}

/// The token types of a file, by their rule or declaration.
#[derive(Default)]
struct TokenTypes {
    of_rule: Map<usize, TerminalId>,
    declared: Vec<TerminalId>,
}

impl TokenTypes {
    fn of(&self, meaning: Meaning) -> Option<TerminalId> {
        match meaning {
            Meaning::Rule(rule) => self.of_rule.get(&rule).copied(),
            Meaning::Token(token) => Some(self.declared[token]),
        }
    }
}

fn declare_tokens(builder: &mut GrammarBuilder, file: &NativeFile<'_>) -> TokenTypes {
    let mut tokens = TokenTypes::default();
    for declared in &file.tokens {
        let token = builder.token(file.tree.text(declared.name.name), Some(declared.name.span));
        if let Some(text) = &declared.text {
            builder.set_token_text(token, text);
        }
        tokens.declared.push(token);
    }
    for (index, rule) in file.rules.iter().enumerate() {
        let Sort::Token { ignore_case, .. } = file.sorts[index] else { continue };
        let token = builder.token(file.tree.text(rule.name), Some(rule.span));
        if let Some(text) = whole_literal(file, rule).filter(|_| !ignore_case) {
            builder.set_token_text(token, text);
        }
        tokens.of_rule.insert(index, token);
    }
    tokens
}

/// The rules by their index in the file; continuations of another rule have none.
fn declare_rules(
    builder: &mut GrammarBuilder,
    file: &NativeFile<'_>,
    tokens: &TokenTypes,
) -> Vec<Option<RuleId>> {
    let mut declare = |index: usize| {
        let rule = &file.rules[index];
        let kind = match file.sorts[index] {
            Sort::Continued => return None,
            Sort::Syntax => RuleKind::Syntax,
            Sort::Fragment { ignore_case } => RuleKind::Fragment { ignore_case },
            Sort::Token { mode, ignore_case } => RuleKind::Token(TokenRule {
                mode: ModeId::from_index(mode),
                token: tokens.of_rule[&index],
                ignore_case,
                implicit: false,
            }),
        };
        Some(builder.declare(file.tree.text(rule.name), kind, rule.span))
    };
    (0..file.rules.len()).map(&mut declare).collect()
}

/// The context for lowering right-hand sides.
#[derive(Clone, Copy)]
struct LoweringContext<'f, 't> {
    file: &'f NativeFile<'t>,
    checked: &'f Checked<'f>,
    tokens: &'f TokenTypes,
    rules: &'f [Option<RuleId>],
}

impl LoweringContext<'_, '_> {
    fn rule(self, node: &ExprNode) -> Option<RuleId> {
        match node.kind {
            ExprNodeKind::Name(name) => match self.checked.meanings.in_lexis(name)? {
                Meaning::Rule(rule) => self.rules[rule],
                Meaning::Token(_) => None,
            },
            _ => None,
        }
    }

    fn token(self, node: &ExprNode) -> Option<TerminalId> {
        match node.kind {
            ExprNodeKind::Name(name) => self.token_named(name),
            _ => None,
        }
    }

    fn token_named(self, name: NameId) -> Option<TerminalId> {
        self.tokens.of(self.checked.meanings.in_syntax(name)?)
    }

    /// The rule of the right-hand side with this index.
    fn owner(self, index: usize) -> RuleId {
        let first = match self.checked.meanings.in_lexis(self.file.rules[index].name) {
            Some(Meaning::Rule(first)) => first,
            _ => index,
        };
        self.rules[first].expect("invariant: a continuation follows its rule")
    }
}

type Channels = IndexSet<Box<str>>;

/// Defines the lexical rules and returns the channels in them.
fn define_lexis(builder: &mut GrammarBuilder, context: LoweringContext<'_, '_>) -> Channels {
    let rule_of = |node: &ExprNode| context.rule(node);
    let text = TextLeaves { text: context.file.text, rules: &rule_of };
    let mut leaves = LexicalLeaves { context, text, channels: Channels::default() };
    leaves.channels.insert(DEFAULT_CHANNEL.into());
    for (index, rule) in context.file.rules.iter().enumerate() {
        if !context.file.sorts[index].is_syntax() {
            let alternatives = lower::alternatives(&context.file.tree, rule, builder, &mut leaves);
            builder.define(context.owner(index), alternatives, rule.body);
        }
    }
    leaves.channels
}

struct LexicalLeaves<'f, 't> {
    context: LoweringContext<'f, 't>,
    text: TextLeaves<'f>,
    channels: Channels,
}

impl LexicalLeaves<'_, '_> {
    fn command(&mut self, command: &CommandSyntax) -> Command {
        let tree = &self.context.file.tree;
        let name = command.argument.map(|argument| argument.name);
        let argument = || name.expect("invariant: the command has an argument");
        match command.kind {
            CommandKind::Skip => Command::Skip,
            CommandKind::More => Command::More,
            CommandKind::Pop => Command::PopMode,
            CommandKind::Mode => Command::Mode(self.mode(argument())),
            CommandKind::Push => Command::PushMode(self.mode(argument())),
            CommandKind::Type => {
                let token = self.context.token_named(argument());
                Command::Type(token.expect("invariant: others were reported"))
            }
            CommandKind::Channel => {
                let (channel, _) = self.channels.insert_full(tree.text(argument()).into());
                Command::Channel(ChannelId::from_index(channel))
            }
        }
    }

    fn mode(&self, name: NameId) -> ModeId {
        let mode = self.context.file.modes.get(&self.context.file.tree, name);
        ModeId::from_index(mode.expect("invariant: unknown modes were reported"))
    }
}

impl Leaves for LexicalLeaves<'_, '_> {
    fn leaf(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> ExprId {
        match &node.kind {
            ExprNodeKind::Commands(commands) => {
                let commands = commands.iter().map(|command| self.command(command)).collect();
                builder.commands(commands, node.span)
            }
            _ => self.text.leaf(builder, node),
        }
    }

    fn operand(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> TerminalId {
        match node.kind {
            ExprNodeKind::Name(name) => {
                self.context.token_named(name).expect("invariant: others were reported")
            }
            _ => self.text.operand(builder, node),
        }
    }
}

/// Literals of syntax rules without another token: their text, type and first span.
type Implicit = IndexMap<Box<str>, (TerminalId, Span)>;

/// Defines the syntax rules and the precedence of terminals; returns the tokens that are literals.
fn define_syntax(builder: &mut GrammarBuilder, context: LoweringContext<'_, '_>) -> Implicit {
    let rule_of = |node: &ExprNode| context.rule(node);
    let text = TextLeaves { text: context.file.text, rules: &rule_of };
    let has_tokens = context.file.has_tokens();
    let mut leaves = SyntaxLeaves { context, text, has_tokens, implicit: Implicit::default() };
    for (index, rule) in context.file.rules.iter().enumerate() {
        if context.file.sorts[index].is_syntax() {
            let alternatives = lower::alternatives(&context.file.tree, rule, builder, &mut leaves);
            builder.define(context.owner(index), alternatives, rule.body);
        }
    }
    for (level, declared) in (1..).zip(&context.file.levels) {
        for operand in &declared.operands {
            let terminal = leaves.operand(builder, operand);
            let associativity = declared.associativity;
            builder.set_precedence(terminal, Precedence { level, associativity });
        }
    }
    leaves.implicit
}

struct SyntaxLeaves<'f, 't> {
    context: LoweringContext<'f, 't>,
    text: TextLeaves<'f>,
    has_tokens: bool,
    implicit: Implicit,
}

impl SyntaxLeaves<'_, '_> {
    fn token(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> TerminalId {
        match &node.kind {
            ExprNodeKind::Name(name) => {
                self.context.token_named(*name).expect("invariant: others were reported")
            }
            ExprNodeKind::Literal(text) => self.literal(builder, text, node.span),
            ExprNodeKind::AnyBut(units) => {
                let mut but: Vec<_> = units.iter().map(|unit| self.token(builder, unit)).collect();
                but.sort_unstable();
                but.dedup();
                self.any_but(builder, but, node.span)
            }
            ExprNodeKind::Any => self.any_but(builder, Vec::new(), node.span),
            other => unreachable!("invariant: {other:?} was reported"),
        }
    }

    fn any_but(
        &self,
        builder: &mut GrammarBuilder,
        but: Vec<TerminalId>,
        span: Span,
    ) -> TerminalId {
        let kind = TerminalKind::AnyTokenBut(but.into());
        builder.terminal(kind, self.context.file.written(span), span)
    }

    fn literal(&mut self, builder: &mut GrammarBuilder, text: &str, span: Span) -> TerminalId {
        if let Some(literal) = self.context.checked.literals.get(text) {
            let token = self.context.tokens.of(literal.meaning);
            return token.expect("invariant: a literal has a token");
        }
        if let Some(&(token, _)) = self.implicit.get(text) {
            return token;
        }
        let token = builder.token(self.context.file.written(span), Some(span));
        if !self.context.file.nocase_literals {
            builder.set_token_text(token, text);
        }
        self.implicit.insert(text.into(), (token, span));
        token
    }
}

impl Leaves for SyntaxLeaves<'_, '_> {
    fn leaf(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> ExprId {
        let is_text = match &node.kind {
            ExprNodeKind::Name(_) => self.context.token(node).is_none(),
            ExprNodeKind::Literal(text) => text.is_empty() || !self.has_tokens,
            ExprNodeKind::Eof => true,
            _ => !self.has_tokens,
        };
        if is_text {
            return self.text.leaf(builder, node);
        }
        let token = self.token(builder, node);
        builder.leaf(token, node.span)
    }

    fn operand(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> TerminalId {
        if self.has_tokens { self.token(builder, node) } else { self.text.operand(builder, node) }
    }
}

/// Creates the token rules of literals in syntax rules.
fn define_implicit(
    builder: &mut GrammarBuilder,
    file: &NativeFile<'_>,
    implicit: &Implicit,
) -> Vec<RuleId> {
    let mut define = |text: &str, token: TerminalId, span: Span| {
        let mode = ModeId::from_index(0);
        let ignore_case = file.nocase_literals;
        let kind = RuleKind::Token(TokenRule { mode, token, ignore_case, implicit: true });
        let written = file.written(span);
        let rule = builder.declare(written, kind, span);
        let literal = builder.literal(text, written, span);
        builder.define(rule, vec![Alternative::plain(literal)], span);
        rule
    };
    implicit.iter().map(|(text, &(token, span))| define(text, token, span)).collect()
}

fn lexicon(
    file: &NativeFile<'_>,
    rules: &[Option<RuleId>],
    implicit: Vec<RuleId>,
    channels: &Channels,
) -> Lexicon {
    let default = Mode { name: DEFAULT_MODE.into(), span: None, rules: implicit };
    let declared = file.modes.declared.iter().map(|mode| Mode {
        name: file.tree.text(mode.name).into(),
        span: Some(mode.span),
        rules: Vec::new(),
    });
    let mut modes: Vec<_> = std::iter::once(default).chain(declared).collect();
    for (sort, rule) in file.sorts.iter().zip(rules) {
        if let (Sort::Token { mode, .. }, Some(rule)) = (sort, rule) {
            modes[*mode].rules.push(*rule);
        }
    }
    let channels = channels.iter().map(|name| Channel { name: name.clone() }).collect();
    Lexicon { modes: modes.into(), channels }
}
