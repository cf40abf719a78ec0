//! Right-hand sides as written, before names are resolved.
//!
//! All nodes of a file are in one arena, children before their parents and the nodes of a rule
//! adjacent, so a walk over a rule is a walk over a slice.

use std::ops::Range;

use gramercy_base::{Id, IndexSet, Map, Span, Table, define_id};
use gramercy_grammar::Associativity;
use gramercy_regular::{CharSet, Regex};

define_id!(pub(crate) struct ExprNodeId, "a node of a right-hand side");
define_id!(pub(crate) struct NameId, "a name in a file");

/// A node of a right-hand side.
#[derive(Clone, Debug)]
pub(crate) struct ExprNode {
    pub(crate) kind: ExprNodeKind,
    pub(crate) span: Span,
}

/// The kind of a node. Only the native notation has the last four.
#[derive(Clone, Debug)]
pub(crate) enum ExprNodeKind {
    Name(NameId),
    Literal(Box<str>),
    Chars(Box<CharSet>),
    Pattern(Box<Pattern>),
    Sequence(Box<[ExprNodeId]>),
    Alternation(Box<[Branch]>),
    Repeat {
        body: ExprNodeId,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
    /// Any character, or any token.
    Any,
    /// Any character or token except these, which are names, literals and sets.
    AnyBut(Box<[ExprNode]>),
    Eof,
    Commands(Box<[CommandSyntax]>),
}

/// A regular expression: its text in its dialect, and its meaning.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    pub(crate) source: Box<str>,
    pub(crate) regex: Regex,
}

/// A lexer command with unresolved names.
#[derive(Clone, Debug)]
pub(crate) struct CommandSyntax {
    pub(crate) kind: CommandKind,
    pub(crate) argument: Option<Argument>,
}

/// A name in parentheses after a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument {
    pub(crate) name: NameId,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandKind {
    Skip,
    More,
    Type,
    Channel,
    Mode,
    Push,
    Pop,
}

/// An alternative.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) node: ExprNodeId,
    pub(crate) marks: Option<Box<Marks>>,
}

/// The marks of an alternative.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    pub(crate) label: Option<Box<str>>,
    pub(crate) probability: Option<Probability>,
    pub(crate) precedence_of: Option<ExprNode>,
    pub(crate) associativity: Option<Associativity>,
    pub(crate) dynamic_precedence: Option<u32>,
}

/// A probability and its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probability {
    pub(crate) value: f64,
    pub(crate) span: Span,
}

/// A name with its right-hand side.
#[derive(Clone, Debug)]
pub(crate) struct RuleSyntax {
    pub(crate) name: NameId,
    /// The span of the name.
    pub(crate) span: Span,
    pub(crate) branches: Vec<Branch>,
    /// The span of the right-hand side.
    pub(crate) body: Span,
    /// The nodes of the right-hand side.
    pub(crate) nodes: Range<usize>,
}

/// All names and nodes of a file.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Table<ExprNodeId, ExprNode>,
    names: IndexSet<Box<str>>,
    labels: Map<ExprNodeId, Box<str>>,
}

impl Tree {
    /// The id of a name, the same for the same text.
    pub(crate) fn name(&mut self, text: &str) -> NameId {
        let index = match self.names.get_index_of(text) {
            Some(known) => known,
            None => self.names.insert_full(text.into()).0,
        };
        NameId::from_index(index)
    }

    /// The text of a name.
    pub(crate) fn text(&self, name: NameId) -> &str {
        &self.names[name.index()]
    }

    /// The number of different names.
    pub(crate) fn name_count(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn push(&mut self, kind: ExprNodeKind, span: Span) -> ExprNodeId {
        self.nodes.push(ExprNode { kind, span })
    }

    pub(crate) fn node(&self, id: ExprNodeId) -> &ExprNode {
        &self.nodes[id]
    }

    /// The number of nodes so far.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of a rule, children before their parents.
    pub(crate) fn nodes_of(&self, rule: &RuleSyntax) -> &[ExprNode] {
        &self.nodes.as_slice()[rule.nodes.clone()]
    }

    /// Sets the label of an occurrence.
    pub(crate) fn label(&mut self, node: ExprNodeId, label: &str) {
        self.labels.insert(node, label.into());
    }

    /// The label of an occurrence.
    pub(crate) fn label_of(&self, node: ExprNodeId) -> Option<&str> {
        self.labels.get(&node).map(|label| &**label)
    }

    /// The references in a rule's right-hand side, each with its span.
    pub(crate) fn mentions<'t>(
        &'t self,
        rule: &RuleSyntax,
    ) -> impl Iterator<Item = (NameId, Span)> + 't {
        let inside = |node: &'t ExprNode| match &node.kind {
            ExprNodeKind::AnyBut(units) => &units[..],
            _ => std::slice::from_ref(node),
        };
        self.nodes_of(rule).iter().flat_map(inside).filter_map(|node| match node.kind {
            ExprNodeKind::Name(name) => Some((name, node.span)),
            _ => None,
        })
    }
}
