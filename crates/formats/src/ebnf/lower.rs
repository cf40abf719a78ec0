//! Turns the tree of a file into expressions of the grammar under construction.
//!
//! Parts come before the whole in the tree, so one walk over a rule's pieces finds the expressions
//! of all parts made. Everything that could be wrong was reported before.

use gramercy_base::{Id, Span};
use gramercy_grammar::{
    Alternative, Attributes, ExprId, GrammarBuilder, RuleId, TerminalId, TerminalKind,
};
use gramercy_regular::CharSet;

use super::syntax::{Branch, Marks, Pattern, Piece, PieceId, PieceKind, RuleSyntax, Tree};

/// What the leaves of right-hand sides stand for.
pub(crate) trait Leaves {
    /// The expression of a piece without parts.
    fn leaf(&mut self, builder: &mut GrammarBuilder, piece: &Piece) -> ExprId;

    /// The terminal that a name or literal stands for, where a precedence is spoken of.
    fn operand(&mut self, builder: &mut GrammarBuilder, piece: &Piece) -> TerminalId;
}

/// Makes the alternatives of a rule.
pub(crate) fn alternatives(
    tree: &Tree,
    rule: &RuleSyntax,
    builder: &mut GrammarBuilder,
    leaves: &mut impl Leaves,
) -> Vec<Alternative> {
    let mut lowering = Lowering {
        builder,
        leaves,
        first: rule.pieces.start,
        made: Vec::with_capacity(rule.pieces.len()),
    };
    for (offset, piece) in tree.pieces_of(rule).iter().enumerate() {
        let expr = lowering.piece(piece);
        lowering.made.push(expr);
        if let Some(label) = tree.label_of(PieceId::from_index(rule.pieces.start + offset)) {
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
    fn piece(&mut self, piece: &Piece) -> ExprId {
        match &piece.kind {
            PieceKind::Sequence(items) => {
                let items = items.iter().map(|&item| self.expr(item)).collect();
                self.builder.sequence(items, piece.span)
            }
            PieceKind::Alternation(branches) => {
                let alternatives = self.branches(branches);
                self.builder.alternation(alternatives, piece.span)
            }
            &PieceKind::Repeat { body, min, max, greedy } => {
                let body = self.expr(body);
                self.builder.repeat(body, min, max, greedy, piece.span)
            }
            _ => self.leaves.leaf(self.builder, piece),
        }
    }

    fn expr(&self, piece: PieceId) -> ExprId {
        self.made[piece.index() - self.first]
    }

    fn branches(&mut self, branches: &[Branch]) -> Vec<Alternative> {
        let alternative = |branch: &Branch| {
            let attributes = branch.marks.as_ref().map(|marks| Box::new(self.attributes(marks)));
            Alternative { expr: self.expr(branch.piece), attributes }
        };
        branches.iter().map(alternative).collect()
    }

    fn attributes(&mut self, marks: &Marks) -> Attributes {
        let operand = |piece: &Piece| self.leaves.operand(self.builder, piece);
        Attributes {
            label: marks.label.clone(),
            probability: marks.probability.map(|probability| probability.value),
            precedence_of: marks.precedence_of.as_ref().map(operand),
            associativity: marks.associativity,
            dynamic_precedence: marks.dynamic_precedence,
        }
    }
}

/// The leaves of a grammar without tokens, and those inside lexical rules: text stands for itself.
pub(crate) struct TextLeaves<'f> {
    /// The file.
    pub(crate) text: &'f str,
    /// For each name, its rule.
    pub(crate) rules: &'f dyn Fn(&Piece) -> Option<RuleId>,
}

impl TextLeaves<'_> {
    fn written(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

impl Leaves for TextLeaves<'_> {
    fn leaf(&mut self, builder: &mut GrammarBuilder, piece: &Piece) -> ExprId {
        if let PieceKind::Name(_) = piece.kind {
            let rule = (self.rules)(piece).expect("invariant: undefined names were reported");
            return builder.reference(rule, piece.span);
        }
        let terminal = self.operand(builder, piece);
        builder.leaf(terminal, piece.span)
    }

    fn operand(&mut self, builder: &mut GrammarBuilder, piece: &Piece) -> TerminalId {
        let kind = text_kind(&piece.kind).expect("invariant: other pieces were reported");
        let name = if kind.is_empty() { "\"\"" } else { self.written(piece.span) };
        builder.terminal(kind, name, piece.span)
    }
}

/// The characters that a literal or a set stands for; `None` if it is not about one character.
pub(crate) fn characters(piece: &Piece) -> Option<CharSet> {
    match &piece.kind {
        PieceKind::Chars(set) => Some((**set).clone()),
        PieceKind::Literal(text) => {
            let mut chars = text.chars();
            let only = chars.next().filter(|_| chars.next().is_none())?;
            Some(CharSet::single(only))
        }
        _ => None,
    }
}

/// The terminal that a piece stands for where text stands for itself, if it is one.
pub(crate) fn text_kind(kind: &PieceKind) -> Option<TerminalKind> {
    Some(match kind {
        PieceKind::Literal(text) => TerminalKind::Literal(text.clone()),
        PieceKind::Chars(set) => TerminalKind::Chars((**set).clone()),
        PieceKind::Any => TerminalKind::Chars(CharSet::any()),
        PieceKind::AnyBut(units) => TerminalKind::Chars(all_but(units)?),
        PieceKind::Pattern(pattern) => {
            let Pattern { source, regex } = (**pattern).clone();
            TerminalKind::Regex { source, regex }
        }
        PieceKind::Eof => TerminalKind::Eof,
        _ => return None,
    })
}

fn all_but(units: &[Piece]) -> Option<CharSet> {
    let sets = units.iter().map(characters).collect::<Option<Vec<_>>>()?;
    let ranges = sets.iter().flat_map(|set| set.ranges().iter().copied());
    Some(CharSet::from_ranges(ranges).complement())
}
