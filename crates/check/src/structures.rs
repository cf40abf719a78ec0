//! Structural equality of right-hand sides: equal expressions have equal ids, without regard to
//! labels. A recursive reference to the rule itself is equal in all rules.
//!
//! Linear in the grammar: children come before their parents, so each expression takes one lookup.

use gramercy_base::{Map, Table};
use gramercy_grammar::{Attributes, Command, Expr, ExprId, ExprKind, Grammar, RuleId, TerminalId};

use crate::walk;

gramercy_base::define_id!(pub(crate) struct StructureId, "a structure of expressions");

/// The structure ids of all expressions.
pub(crate) struct Structures(Table<ExprId, StructureId>);

#[derive(PartialEq, Eq, Hash)]
enum Structure {
    /// The alternatives in order, each with its attributes.
    Alternation(Vec<(StructureId, Option<String>)>),
    Sequence(Vec<StructureId>),
    Repeat(StructureId, u32, Option<u32>, bool),
    Itself,
    Rule(RuleId),
    Terminal(TerminalId),
    Commands(Box<[Command]>),
}

impl Structures {
    pub(crate) fn of(grammar: &Grammar) -> Self {
        let owners = owners(grammar);
        let mut known = StructureTable::default();
        let mut structures = Table::with_capacity(grammar.exprs().len());
        for (id, expr) in grammar.exprs().iter() {
            let structure = known.structure(expr, owners[id], &structures);
            structures.push(structure);
        }
        Self(structures)
    }

    pub(crate) fn structure(&self, expr: ExprId) -> StructureId {
        self.0[expr]
    }
}

/// The rule whose right-hand side contains each expression.
fn owners(grammar: &Grammar) -> Table<ExprId, Option<RuleId>> {
    let mut owners = Table::filled(None, grammar.exprs().len());
    for (id, rule) in grammar.rules().iter() {
        walk::exprs(grammar, rule.body).for_each(|expr| owners[expr] = Some(id));
    }
    owners
}

#[derive(Default)]
struct StructureTable {
    ids: Map<Structure, StructureId>,
    next: Table<StructureId, ()>,
}

impl StructureTable {
    fn structure(
        &mut self,
        expr: &Expr,
        owner: Option<RuleId>,
        of: &Table<ExprId, StructureId>,
    ) -> StructureId {
        let structure = match &expr.kind {
            ExprKind::Alternation(alternatives) => match &alternatives[..] {
                [only] if only.attributes.is_none() => return of[only.expr],
                _ => Structure::Alternation(
                    alternatives
                        .iter()
                        .map(|it| (of[it.expr], it.attributes.as_deref().map(said)))
                        .collect(),
                ),
            },
            ExprKind::Sequence(items) => {
                Structure::Sequence(items.iter().map(|&item| of[item]).collect())
            }
            ExprKind::Repeat { body, min, max, greedy } => {
                Structure::Repeat(of[*body], *min, *max, *greedy)
            }
            ExprKind::Rule(rule) if Some(*rule) == owner => Structure::Itself,
            ExprKind::Rule(rule) => Structure::Rule(*rule),
            ExprKind::Terminal(terminal) => Structure::Terminal(*terminal),
            ExprKind::Commands(commands) => Structure::Commands(commands.clone()),
        };
        let next = &mut self.next;
        *self.ids.entry(structure).or_insert_with(|| next.push(()))
    }
}

/// The attributes of an alternative as a key.
fn said(attributes: &Attributes) -> String {
    format!("{attributes:?}")
}
