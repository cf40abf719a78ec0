//! Turns the tree of a file into expressions of the grammar under construction.
//!
//! Children come before their parents in the tree, so one pass over the nodes of a rule finds the
//! expressions of all children. All errors are reported before.

use gramercy_base::{Id, Span};
use gramercy_grammar::{
    Alternative, Attributes, ExprId, GrammarBuilder, RuleId, TerminalId, TerminalKind,
};
use gramercy_regular::CharSet;

use super::syntax::{Branch, ExprNode, ExprNodeId, ExprNodeKind, Marks, Pattern, RuleSyntax, Tree};

/// The meaning of the leaves of right-hand sides.
pub(crate) trait Leaves {
    /// The expression of a leaf.
    fn leaf(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> ExprId;

    /// The terminal of a name or literal in a precedence mark.
    fn operand(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> TerminalId;
}

/// Builds the alternatives of a rule.
pub(crate) fn alternatives(
    tree: &Tree,
    rule: &RuleSyntax,
    builder: &mut GrammarBuilder,
    leaves: &mut impl Leaves,
) -> Vec<Alternative> {
    let mut lowering = Lowering {
        builder,
        leaves,
        first: rule.nodes.start,
        made: Vec::with_capacity(rule.nodes.len()),
    };
    for (offset, node) in tree.nodes_of(rule).iter().enumerate() {
        let expr = lowering.node(node);
        lowering.made.push(expr);
        if let Some(label) = tree.label_of(ExprNodeId::from_index(rule.nodes.start + offset)) {
            lowering.builder.label(expr, label);
        }
    }
    lowering.branches(&rule.branches)
}

struct Lowering<'b, L> {
    builder: &'b mut GrammarBuilder,
    leaves: &'b mut L,
    first: usize,
    made: Vec<ExprId>,
}

impl<L: Leaves> Lowering<'_, L> {
    fn node(&mut self, node: &ExprNode) -> ExprId {
        match &node.kind {
            ExprNodeKind::Sequence(items) => {
                let items = items.iter().map(|&item| self.expr(item)).collect();
                self.builder.sequence(items, node.span)
            }
            ExprNodeKind::Alternation(branches) => {
                let alternatives = self.branches(branches);
                self.builder.alternation(alternatives, node.span)
            }
            &ExprNodeKind::Repeat { body, min, max, greedy } => {
                let body = self.expr(body);
                self.builder.repeat(body, min, max, greedy, node.span)
            }
            _ => self.leaves.leaf(self.builder, node),
        }
    }

    fn expr(&self, node: ExprNodeId) -> ExprId {
        self.made[node.index() - self.first]
    }

    fn branches(&mut self, branches: &[Branch]) -> Vec<Alternative> {
        let alternative = |branch: &Branch| {
            let attributes = branch.marks.as_ref().map(|marks| Box::new(self.attributes(marks)));
            Alternative { expr: self.expr(branch.node), attributes }
        };
        branches.iter().map(alternative).collect()
    }

    fn attributes(&mut self, marks: &Marks) -> Attributes {
        let operand = |node: &ExprNode| self.leaves.operand(self.builder, node);
        Attributes {
            label: marks.label.clone(),
            probability: marks.probability.map(|probability| probability.value),
            precedence_of: marks.precedence_of.as_ref().map(operand),
            associativity: marks.associativity,
            dynamic_precedence: marks.dynamic_precedence,
        }
    }
}

/// The leaves of a grammar without tokens, and those inside lexical rules: terminals are texts.
pub(crate) struct TextLeaves<'f> {
    /// The file.
    pub(crate) text: &'f str,
    /// For each name, its rule.
    pub(crate) rules: &'f dyn Fn(&ExprNode) -> Option<RuleId>,
}

impl TextLeaves<'_> {
    fn written(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

impl Leaves for TextLeaves<'_> {
    fn leaf(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> ExprId {
        if let ExprNodeKind::Name(_) = node.kind {
            let rule = (self.rules)(node).expect("invariant: undefined names were reported");
            return builder.reference(rule, node.span);
        }
        let terminal = self.operand(builder, node);
        builder.leaf(terminal, node.span)
    }

    fn operand(&mut self, builder: &mut GrammarBuilder, node: &ExprNode) -> TerminalId {
        let kind = text_kind(&node.kind).expect("invariant: other nodes were reported");
        let name = if kind.is_empty() { "\"\"" } else { self.written(node.span) };
        builder.terminal(kind, name, node.span)
    }
}

/// The characters of a literal or a set; `None` if it is not a single character.
pub(crate) fn characters(node: &ExprNode) -> Option<CharSet> {
    match &node.kind {
        ExprNodeKind::Chars(set) => Some((**set).clone()),
        ExprNodeKind::Literal(text) => {
            let mut chars = text.chars();
            let only = chars.next().filter(|_| chars.next().is_none())?;
            Some(CharSet::single(only))
        }
        _ => None,
    }
}

/// The terminal of a leaf where terminals are texts, if it is one.
pub(crate) fn text_kind(kind: &ExprNodeKind) -> Option<TerminalKind> {
    Some(match kind {
        ExprNodeKind::Literal(text) => TerminalKind::Literal(text.clone()),
        ExprNodeKind::Chars(set) => TerminalKind::Chars((**set).clone()),
        ExprNodeKind::Any => TerminalKind::Chars(CharSet::any()),
        ExprNodeKind::AnyBut(units) => TerminalKind::Chars(all_but(units)?),
        ExprNodeKind::Pattern(pattern) => {
            let Pattern { source, regex } = (**pattern).clone();
            TerminalKind::Regex { source, regex }
        }
        ExprNodeKind::Eof => TerminalKind::Eof,
        _ => return None,
    })
}

fn all_but(units: &[ExprNode]) -> Option<CharSet> {
    let sets = units.iter().map(characters).collect::<Option<Vec<_>>>()?;
    let ranges = sets.iter().flat_map(|set| set.ranges().iter().copied());
    Some(CharSet::from_ranges(ranges).complement())
}
