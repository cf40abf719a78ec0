//! When two right-hand sides are the same: equal expressions have equal shapes, whatever names the
//! author gave to their parts. A rule that mentions itself does so in any rule of its shape.
//!
//! Linear in the grammar: parts are made before the whole, so a shape is a look-up of its parts'.

use gramercy_base::{Map, Table};
use gramercy_grammar::{Attributes, Command, Expr, ExprId, ExprKind, Grammar, RuleId, TerminalId};

use crate::walk;

gramercy_base::define_id!(pub(crate) struct ShapeId, "a shape of expressions");

/// The shapes of all expressions.
pub(crate) struct Shapes(Table<ExprId, ShapeId>);

#[derive(PartialEq, Eq, Hash)]
enum Shape {
    /// The alternatives in order, each with what is said about it.
    Alternation(Vec<(ShapeId, Option<String>)>),
    Sequence(Vec<ShapeId>),
    Repeat(ShapeId, u32, Option<u32>, bool),
    Itself,
    Rule(RuleId),
    Terminal(TerminalId),
    Commands(Box<[Command]>),
}

impl Shapes {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let owners = owners(grammar);
        let mut known = Known::default();
        let mut shapes = Table::with_capacity(grammar.exprs().len());
        for (id, expr) in grammar.exprs().iter() {
            let shape = known.shape(expr, owners[id], &shapes);
            shapes.push(shape);
        }
        Self(shapes)
    }

    pub(crate) fn shape(&self, expr: ExprId) -> ShapeId {
        self.0[expr]
    }
}

/// The rule in whose right-hand side an expression stands.
fn owners(grammar: &Grammar) -> Table<ExprId, Option<RuleId>> {
    let mut owners = Table::filled(None, grammar.exprs().len());
    for (id, rule) in grammar.rules().iter() {
        walk::exprs(grammar, rule.body).for_each(|expr| owners[expr] = Some(id));
    }
    owners
}

#[derive(Default)]
struct Known {
    ids: Map<Shape, ShapeId>,
    next: Table<ShapeId, ()>,
}

impl Known {
    fn shape(
        &mut self,
        expr: &Expr,
        owner: Option<RuleId>,
        of: &Table<ExprId, ShapeId>,
    ) -> ShapeId {
        let shape = match &expr.kind {
            ExprKind::Alternation(alternatives) => match &alternatives[..] {
                [only] if only.attributes.is_none() => return of[only.expr],
                _ => Shape::Alternation(
                    alternatives
                        .iter()
                        .map(|it| (of[it.expr], it.attributes.as_deref().map(said)))
                        .collect(),
                ),
            },
            ExprKind::Sequence(items) => {
                Shape::Sequence(items.iter().map(|&item| of[item]).collect())
            }
            ExprKind::Repeat { body, min, max, greedy } => {
                Shape::Repeat(of[*body], *min, *max, *greedy)
            }
            ExprKind::Rule(rule) if Some(*rule) == owner => Shape::Itself,
            ExprKind::Rule(rule) => Shape::Rule(*rule),
            ExprKind::Terminal(terminal) => Shape::Terminal(*terminal),
            ExprKind::Commands(commands) => Shape::Commands(commands.clone()),
        };
        let next = &mut self.next;
        *self.ids.entry(shape).or_insert_with(|| next.push(()))
    }
}

/// What is said about an alternative, as a key.
fn said(attributes: &Attributes) -> String {
    format!("{attributes:?}")
}
