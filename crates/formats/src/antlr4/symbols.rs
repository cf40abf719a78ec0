//! Resolves names and literals: the token types, and the token type of each literal of a parser
//! rule.
//!
//! A lexer rule whose whole body is a literal makes that literal another name of its token type. In
//! a combined grammar every other literal of a parser rule is a separate token type, which is tried
//! before all lexer rules. The meaning of "whole body" is ANTLR's list of patterns, with its
//! special cases: literals are compared as written; a rule with options does not count, nor does
//! one with two commands that both have arguments.

use gramercy_base::{IndexMap, Map, Span};

use super::gather::Unit;
use super::lower::canonical;
use super::tree::{Atom, Block, CommandSyntax, Element, Rule, SetItemKind, Texts};
use super::vocabulary::Vocabulary;

/// The origin of a token type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenOrigin {
    /// A lexer rule, a `tokens` section or another vocabulary.
    Known,
    /// A fragment, which creates no tokens.
    Fragment,
    /// A lexer rule that gives its matches another type, or keeps them for the next match.
    Retyped,
}

/// The token type of a literal of a parser rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralMeaning<'t> {
    /// The type with this name, and the span of the literal in its rule.
    Token(&'t str, Option<Span>),
    /// A separate type.
    Itself,
    /// Two rules have this literal, at these spans, so ANTLR uses neither.
    Ambiguous(Span, Span),
}

/// The token types of a grammar.
#[derive(Debug, Default)]
pub(super) struct Symbols<'t> {
    pub(super) tokens: IndexMap<&'t str, TokenOrigin>,
    pub(super) literals: Map<&'t str, LiteralMeaning<'t>>,
    /// The literals that are separate token types, with the span of their first occurrence.
    pub(super) implicit: IndexMap<&'t str, Span>,
}

impl<'t> Symbols<'t> {
    /// The token types of `grammar`, whose lexer rules are in `lexer`.
    pub(super) fn new(
        texts: &'t Texts,
        grammar: &Unit,
        lexer: Option<&Unit>,
        vocabulary: &'t Vocabulary,
    ) -> Self {
        let mut symbols = Self::default();
        if let Some(lexer) = lexer {
            lexer.lexical.iter().for_each(|rule| symbols.add_rule(texts, rule));
            symbols.declare(texts, &lexer.tokens);
            lexer.syntax.iter().for_each(|rule| symbols.add_literals(texts, &rule.body));
        }
        symbols.declare(texts, &grammar.tokens);
        for (name, text) in &vocabulary.names {
            symbols.tokens.insert(name, TokenOrigin::Known);
            if let Some(text) = text {
                symbols.literals.insert(text, LiteralMeaning::Token(name, None));
            }
        }
        symbols
    }

    fn declare(&mut self, texts: &'t Texts, names: &[Span]) {
        for &name in names {
            self.tokens.insert(texts.get(name), TokenOrigin::Known);
        }
    }

    fn add_rule(&mut self, texts: &'t Texts, rule: &Rule) {
        let name = texts.get(rule.name);
        let literal = literal_of(rule);
        let origin = match literal {
            _ if rule.fragment => TokenOrigin::Fragment,
            None if is_retyped(texts, &rule.body) => TokenOrigin::Retyped,
            _ => TokenOrigin::Known,
        };
        self.tokens.insert(name, origin);
        let Some(literal) = literal else {
            return;
        };
        let meaning = match self.literals.get(texts.get(literal)) {
            Some(LiteralMeaning::Token(_, Some(first))) => {
                LiteralMeaning::Ambiguous(*first, literal)
            }
            Some(&known) => known,
            None => LiteralMeaning::Token(name, Some(literal)),
        };
        self.literals.insert(texts.get(literal), meaning);
    }

    fn add_literals(&mut self, texts: &'t Texts, block: &Block) {
        for element in block.alternatives.iter().flat_map(|alternative| &alternative.elements) {
            match &element.atom {
                Atom::Literal => self.add_literal(texts, element.span),
                Atom::Not(items) => {
                    for item in items.iter().filter(|i| matches!(i.kind, SetItemKind::Literal)) {
                        self.add_literal(texts, item.span);
                    }
                }
                Atom::Block(block) => self.add_literals(texts, block),
                _ => {}
            }
        }
    }

    fn add_literal(&mut self, texts: &'t Texts, span: Span) {
        let text = texts.get(span);
        if !self.literals.contains_key(text) {
            self.literals.insert(text, LiteralMeaning::Itself);
            self.implicit.insert(text, span);
        }
    }
}

/// The literal that is a rule's whole body, as ANTLR sees it.
pub(super) fn literal_of(rule: &Rule) -> Option<Span> {
    let [alternative] = &rule.body.alternatives[..] else {
        return None;
    };
    let literal = match &alternative.elements[..] {
        [literal] if few_arguments(&alternative.commands) => literal,
        [literal, Element { atom: Atom::Code, adorned: false, .. }]
            if alternative.commands.is_empty() =>
        {
            literal
        }
        _ => return None,
    };
    let is_plain = matches!(literal.atom, Atom::Literal)
        && literal.suffix.is_none()
        && literal.label.is_none()
        && !literal.adorned;
    (is_plain && !rule.fragment && rule.options.is_empty()).then_some(literal.span)
}

fn few_arguments(commands: &[CommandSyntax]) -> bool {
    match commands {
        [] | [_] => true,
        [first, second] => first.argument.is_none() || second.argument.is_none(),
        _ => false,
    }
}

/// Whether a rule's matches have another type than its own, or none yet.
fn is_retyped(texts: &Texts, block: &Block) -> bool {
    block.alternatives.iter().any(|alternative| {
        let retypes = |command: &CommandSyntax| match canonical(texts.get(command.name)) {
            "type" => command.argument.is_some(),
            "more" => command.argument.is_none(),
            _ => false,
        };
        let inside = |element: &Element| match &element.atom {
            Atom::Block(block) => is_retyped(texts, block),
            _ => false,
        };
        alternative.commands.iter().any(retypes) || alternative.elements.iter().any(inside)
    })
}
