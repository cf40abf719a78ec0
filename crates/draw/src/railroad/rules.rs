//! The figures of rules.

use gramercy_base::{Map, Table};
use gramercy_grammar::{
    Alternative, Command, ExprId, ExprKind, Grammar, RuleId, RuleKind, TerminalId, TerminalKind,
};

use super::figures::{FigureId, Figures, Station};
use crate::text;

/// The most items of one element of a list with separators; a longer one is drawn as it is written. Without this
/// bound, the search for lists in a long sequence would be quadratic.
const MAX_ELEMENTS: usize = 16;

/// The diagrams of a grammar's rules, in file order.
pub(super) struct Diagrams {
    pub(super) figures: Figures,
    pub(super) rules: Vec<(RuleId, FigureId)>,
}

impl Diagrams {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let mut builder = FigureBuilder::new(grammar);
        for expr in grammar.exprs().ids() {
            if !builder.is_merged[expr] {
                builder.of_expr[expr] = Some(builder.figure(expr));
            }
        }
        let written = grammar
            .rules()
            .iter()
            .filter(|(_, rule)| rule.token().is_none_or(|token| !token.implicit));
        let rules = written.map(|(id, rule)| (id, builder.known(rule.body))).collect();
        Self { figures: builder.figures, rules }
    }
}

/// The id of a rule's diagram.
pub(super) fn anchor(name: &str) -> String {
    format!("rule-{}", text::id(name))
}

struct FigureBuilder<'g> {
    grammar: &'g Grammar,
    figures: Figures,
    of_expr: Table<ExprId, Option<FigureId>>,
    /// Sequences directly in a sequence and alternations directly in an alternation; they are drawn
    /// as part of their parent.
    is_merged: Table<ExprId, bool>,
    /// The rules of token types.
    token_rules: Map<TerminalId, RuleId>,
}

impl<'g> FigureBuilder<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        let mut is_merged = Table::filled(false, grammar.exprs().len());
        for expr in grammar.exprs().values() {
            let nested = |part: ExprId| {
                let inner = &grammar.expr(part).kind;
                std::mem::discriminant(inner) == std::mem::discriminant(&expr.kind)
            };
            match &expr.kind {
                ExprKind::Sequence(items) => {
                    items.iter().filter(|&&item| nested(item)).for_each(|&i| is_merged[i] = true);
                }
                ExprKind::Alternation(alternatives) => {
                    let parts = alternatives.iter().map(|alternative| alternative.expr);
                    parts.filter(|&part| nested(part)).for_each(|part| is_merged[part] = true);
                }
                _ => {}
            }
        }
        let mut token_rules = Map::default();
        for (id, rule) in grammar.rules().iter() {
            if let RuleKind::Token(token) = &rule.kind
                && !token.implicit
            {
                token_rules.entry(token.token).or_insert(id);
            }
        }
        let of_expr = Table::filled(None, grammar.exprs().len());
        Self { grammar, figures: Figures::new(), of_expr, is_merged, token_rules }
    }

    /// The figure of an expression that is already built.
    fn known(&self, expr: ExprId) -> FigureId {
        self.of_expr[expr].expect("invariant: children are built before their parents")
    }

    fn figure(&mut self, expr: ExprId) -> FigureId {
        let grammar = self.grammar;
        match &grammar.expr(expr).kind {
            ExprKind::Alternation(_) => {
                let branches = self.flat(expr, alternatives).into_iter();
                let branches: Vec<_> = branches.map(|branch| self.known(branch)).collect();
                self.figures.choice(&branches)
            }
            ExprKind::Sequence(_) => self.sequence(&self.flat(expr, items)),
            ExprKind::Repeat { body, min, max, .. } => self.repeat(self.known(*body), *min, *max),
            ExprKind::Rule(rule) => {
                let text = grammar.rules()[*rule].name.to_string();
                let link = Some(anchor(&text));
                self.figures.station(Station { text, class: "node reference", link })
            }
            ExprKind::Terminal(terminal) => self.terminal(*terminal),
            ExprKind::Commands(commands) => {
                let commands: Vec<_> =
                    commands.iter().map(|&command| self.command(command)).collect();
                self.figures.remark(format!("\u{2192} {}", commands.join(", ")))
            }
        }
    }

    /// The children of an expression, where those of merged children replace them.
    fn flat(&self, root: ExprId, parts: fn(&ExprKind) -> Vec<ExprId>) -> Vec<ExprId> {
        let (mut flat, mut agenda) = (Vec::new(), vec![root]);
        while let Some(expr) = agenda.pop() {
            if expr == root || self.is_merged[expr] {
                agenda.extend(parts(&self.grammar.expr(expr).kind).into_iter().rev());
            } else {
                flat.push(expr);
            }
        }
        flat
    }

    fn terminal(&mut self, terminal: TerminalId) -> FigureId {
        let kind = &self.grammar.terminals()[terminal];
        if kind.kind.is_empty() {
            return self.figures.track();
        }
        let link = self.token_rules.get(&terminal);
        let link = link.map(|&rule| anchor(&self.grammar.rules()[rule].name));
        let class = match kind.kind {
            TerminalKind::Eof => "node end",
            _ => "node terminal",
        };
        self.figures.station(Station { text: kind.name.to_string(), class, link })
    }

    fn command(&self, command: Command) -> String {
        let lexicon = || self.grammar.lexicon().expect("invariant: commands come with a lexer");
        match command {
            Command::Skip => "skip".into(),
            Command::More => "more".into(),
            Command::Type(token) => format!("type({})", self.grammar.terminals()[token].name),
            Command::Channel(channel) => format!("channel({})", lexicon().channels[channel].name),
            Command::Mode(mode) => format!("mode({})", lexicon().modes[mode].name),
            Command::PushMode(mode) => format!("pushMode({})", lexicon().modes[mode].name),
            Command::PopMode => "popMode".into(),
        }
    }

    fn repeat(&mut self, body: FigureId, min: u32, max: Option<u32>) -> FigureId {
        let remark = match (min, max) {
            (_, Some(0)) => return self.figures.track(),
            (0 | 1, None | Some(1)) => None,
            (min, None) => Some(format!("{min} or more times")),
            (0 | 1, Some(max)) => Some(format!("at most {max} times")),
            (min, Some(max)) if min == max => Some(format!("{min} times")),
            (min, Some(max)) => Some(format!("{min} to {max} times")),
        };
        let some = if max == Some(1) {
            body
        } else {
            let between = match remark {
                Some(remark) => self.figures.remark(remark),
                None => self.figures.track(),
            };
            self.figures.repetition(body, between)
        };
        if min == 0 { self.figures.optional(some) } else { some }
    }

    fn sequence(&mut self, items: &[ExprId]) -> FigureId {
        let mut figures = Vec::new();
        let mut at = 0;
        while let Some(&item) = items.get(at) {
            let list = self.list_after(items, at).or_else(|| self.list_before(items, at));
            at += list.as_ref().map_or(1, |list| list.len);
            figures.push(match list {
                None => self.known(item),
                Some(list) => self.list(&list),
            });
        }
        self.figures.row(figures)
    }

    fn list(&mut self, list: &List) -> FigureId {
        let elements = list.elements.iter().map(|&element| self.known(element)).collect();
        let elements = self.figures.row(elements);
        // The way back is from right to left.
        let separators = list.separators.iter().rev().map(|&separator| self.known(separator));
        let separators = separators.collect();
        let separators = self.figures.row(separators);
        self.figures.repetition(elements, separators)
    }

    /// `x (s x)*`, beginning at an item.
    fn list_after(&self, items: &[ExprId], at: usize) -> Option<List> {
        let rest = &items[at..];
        // The elements are the items before the next repetition.
        let (count, body) = rest
            .iter()
            .enumerate()
            .take(MAX_ELEMENTS + 1)
            .find_map(|(count, &item)| Some((count, self.starred(item)?)))?;
        let (elements, separators) = (&rest[..count], body.len().checked_sub(count)?);
        let (separators, again) = body.split_at(separators);
        self.is_list(elements, separators, again).then(|| List {
            elements: elements.to_vec(),
            separators: separators.to_vec(),
            len: count + 1,
        })
    }

    /// `(x s)* x`, beginning at an item.
    fn list_before(&self, items: &[ExprId], at: usize) -> Option<List> {
        let body = self.starred(items[at])?;
        let rest = &items[at + 1..];
        let counts = (1..=body.len().min(rest.len()).min(MAX_ELEMENTS)).rev();
        counts.into_iter().find_map(|count| {
            let (elements, separators) = body.split_at(count);
            self.is_list(&rest[..count], separators, elements).then(|| List {
                elements: elements.to_vec(),
                separators: separators.to_vec(),
                len: count + 1,
            })
        })
    }

    fn is_list(&self, elements: &[ExprId], separators: &[ExprId], again: &[ExprId]) -> bool {
        // Figures that are drawn backward must be simple.
        let is_simple = |&separator: &ExprId| {
            matches!(self.grammar.expr(separator).kind, ExprKind::Rule(_) | ExprKind::Terminal(_))
        };
        !elements.is_empty()
            && elements.len() == again.len()
            && separators.iter().all(is_simple)
            && elements.iter().zip(again).all(|(&a, &b)| self.are_equal(a, b))
    }

    /// The items of an unbounded optional repetition.
    fn starred(&self, expr: ExprId) -> Option<Vec<ExprId>> {
        match self.grammar.expr(expr).kind {
            ExprKind::Repeat { body, min: 0, max: None, .. } => {
                match self.grammar.expr(body).kind {
                    ExprKind::Sequence(_) => Some(self.flat(body, items)),
                    _ => Some(vec![body]),
                }
            }
            _ => None,
        }
    }

    /// Whether two expressions are written the same.
    fn are_equal(&self, a: ExprId, b: ExprId) -> bool {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (&self.grammar.expr(a).kind, &self.grammar.expr(b).kind);
            let same = match (a, b) {
                (ExprKind::Rule(a), ExprKind::Rule(b)) => a == b,
                (ExprKind::Terminal(a), ExprKind::Terminal(b)) => a == b,
                (ExprKind::Commands(a), ExprKind::Commands(b)) => a == b,
                (
                    ExprKind::Repeat { body: a, min: a_min, max: a_max, .. },
                    ExprKind::Repeat { body: b, min: b_min, max: b_max, .. },
                ) => {
                    pairs.push((*a, *b));
                    a_min == b_min && a_max == b_max
                }
                (ExprKind::Sequence(_), ExprKind::Sequence(_))
                | (ExprKind::Alternation(_), ExprKind::Alternation(_)) => {
                    let (a, b) = (parts(a), parts(b));
                    let same = a.len() == b.len();
                    pairs.extend(a.into_iter().zip(b));
                    same
                }
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

/// Elements with separators between them.
struct List {
    elements: Vec<ExprId>,
    separators: Vec<ExprId>,
    /// The number of items of the sequence that it replaces.
    len: usize,
}

fn alternatives(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Alternation(alternatives) => {
            alternatives.iter().map(|alternative: &Alternative| alternative.expr).collect()
        }
        other => unreachable!("invariant: {other:?} is an alternation"),
    }
}

fn items(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Sequence(items) => items.to_vec(),
        other => unreachable!("invariant: {other:?} is a sequence"),
    }
}

fn parts(kind: &ExprKind) -> Vec<ExprId> {
    match kind {
        ExprKind::Alternation(_) => alternatives(kind),
        _ => items(kind),
    }
}
