//! The faults: every single change of a correct grammar's text, by kind.
//!
//! Example: `stmt : 'print' expr ';' ;` gives `stmt : 'print' ';' expr ;` (order violated), `stmt : 'print' expr ';' |
//! 'print' expr ;` (gratuitous optional), `stmt : 'print' expr ',' ;` (swapped token) and more.

use gramercy_base::{Id, Span};
use gramercy_grammar::{ExprId, ExprKind, Grammar, Notation, RuleId};
use gramercy_localize::search::Layer;
use gramercy_localize::{Site, Subject};

/// Tokens that replace a token, and that are alternatives too much, at each place.
const SWAPPED: usize = 12;
const SUPERFLUOUS: usize = 12;

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// An alternative is missing.
    DroppedAlternative,
    /// A token is another one.
    SwappedToken,
    /// An element may be left out.
    GratuitousOptional,
    /// A list has one element only.
    ShorterList,
    /// A symbol is a more general one.
    OverGeneralized,
    /// Two elements are in the wrong order.
    WrongOrder,
    /// An alternative is too much.
    SuperfluousAlternative,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 7] = [
        FaultKind::DroppedAlternative,
        FaultKind::SwappedToken,
        FaultKind::GratuitousOptional,
        FaultKind::ShorterList,
        FaultKind::OverGeneralized,
        FaultKind::WrongOrder,
        FaultKind::SuperfluousAlternative,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::DroppedAlternative => "dropped alternative",
            FaultKind::SwappedToken => "swapped token",
            FaultKind::GratuitousOptional => "gratuitous optional",
            FaultKind::ShorterList => "list one shorter",
            FaultKind::OverGeneralized => "over-generalized symbol",
            FaultKind::WrongOrder => "order violated",
            FaultKind::SuperfluousAlternative => "superfluous alternative",
        }
    }
}

/// Where in an alternative a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// At its first symbol.
    First,
    /// At a later symbol.
    Later,
    /// It is an alternative as a whole.
    Alternative,
}

/// A fault.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// Where it is.
    pub position: Position,
    /// The rule that is changed.
    pub rule: String,
    /// What is replaced.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Fault {
    /// The faulty items of the faulty grammar: the changed place of a production, or all items of a production that is
    /// too much. An alternative that is missing has none.
    #[must_use]
    pub fn items(&self, subject: &Subject<'_>) -> Vec<Site> {
        let (language, grammar) = (subject.language(), subject.grammar());
        let Some((rule, _)) = grammar.rules().iter().find(|(_, rule)| *rule.name == *self.rule)
        else {
            return Vec::new();
        };
        let from = self.span.start;
        let to = from + gramercy_base::to_u32(self.text.len());
        let mut items = Vec::new();
        for production in language.bnf().productions() {
            if subject.owner_in_bnf(production) != Some(rule) {
                continue;
            }
            let spans = language.bnf().nodes(production).iter().flatten();
            let spans: Vec<Span> =
                spans.map(|&node| grammar.expr(language.graph().expr(node)).span).collect();
            let is_new =
                !spans.is_empty() && spans.iter().all(|span| from <= span.start && span.end <= to);
            let dots = match self.position {
                Position::Alternative if self.text.is_empty() => 0..0,
                Position::Alternative if is_new => 0..spans.len() + 1,
                Position::Alternative => 0..0,
                Position::First | Position::Later => {
                    let (Some(first), Some(last)) = (spans.first(), spans.last()) else { continue };
                    if from < first.start.min(from) || first.start > to || last.end + 1 < from {
                        continue;
                    }
                    let dot = spans.iter().filter(|span| span.end <= from).count();
                    dot..dot + 1
                }
            };
            let slots = dots.filter_map(|dot| subject.slot(production, dot));
            items.extend(slots.map(|slot| Site::Item(rule, Layer::Syntax, slot)));
        }
        items
    }
}

/// All faults of a grammar.
#[must_use]
pub fn faults(grammar: &Grammar) -> Vec<Fault> {
    let mut seeder = Seeder { grammar, faults: Vec::new(), rule: grammar.start() };
    for (id, rule) in grammar.syntax_rules() {
        seeder.rule = id;
        seeder.rule_body(rule.body);
    }
    seeder.faults
}

struct Seeder<'g> {
    grammar: &'g Grammar,
    rule: RuleId,
    faults: Vec<Fault>,
}

impl Seeder<'_> {
    fn text(&self, expr: ExprId) -> &str {
        self.grammar.sources().text(self.span(expr))
    }

    fn span(&self, expr: ExprId) -> Span {
        self.grammar.expr(expr).span
    }

    fn push(&mut self, kind: FaultKind, position: Position, span: Span, text: String) {
        let rule = self.grammar.rules()[self.rule].name.to_string();
        self.faults.push(Fault { kind, position, rule, span, text });
    }

    fn rule_body(&mut self, body: ExprId) {
        let grammar = self.grammar;
        let ExprKind::Alternation(alternatives) = &grammar.expr(body).kind else { return };
        let exprs: Vec<_> = alternatives.iter().map(|alternative| alternative.expr).collect();
        for (at, pair) in exprs.windows(2).enumerate() {
            let (first, second) = (self.span(pair[0]), self.span(pair[1]));
            if first.start == first.end || second.start == second.end {
                continue;
            }
            let dropped = Span { start: first.end, ..second };
            self.push(FaultKind::DroppedAlternative, Position::Alternative, dropped, String::new());
            if at == 0 {
                let dropped = Span { end: second.start, ..first };
                self.push(
                    FaultKind::DroppedAlternative,
                    Position::Alternative,
                    dropped,
                    String::new(),
                );
            }
        }
        let end = Span { start: self.span(body).end, ..self.span(body) };
        for token in self.tokens(SUPERFLUOUS, body) {
            self.push(
                FaultKind::SuperfluousAlternative,
                Position::Alternative,
                end,
                format!(" | {token}"),
            );
        }
        for expr in exprs {
            self.alternative(expr, end);
        }
    }

    /// Some tokens of the grammar, other ones for each place.
    fn tokens(&self, count: usize, place: ExprId) -> Vec<String> {
        let names: Vec<_> = self
            .grammar
            .terminals()
            .values()
            .take(self.grammar.syntax_terminals())
            .map(|terminal| terminal.name.to_string())
            .collect();
        let first = place.index() * 7;
        (0..count.min(names.len()))
            .map(|at| names[(first + 13 * at) % names.len()].clone())
            .collect()
    }

    fn alternative(&mut self, expr: ExprId, end: Span) {
        let grammar = self.grammar;
        let parts: Vec<ExprId> = match &grammar.expr(expr).kind {
            ExprKind::Sequence(parts) => parts.to_vec(),
            _ => vec![expr],
        };
        for (at, &part) in parts.iter().enumerate() {
            let position = if at == 0 { Position::First } else { Position::Later };
            self.part(part, position);
            if parts.len() > 1 {
                self.optional(&parts, at, end);
            }
            if let Some(&next) = parts.get(at + 1) {
                let span = Span { end: self.span(next).end, ..self.span(part) };
                let swapped = format!("{} {}", self.text(next), self.text(part));
                if self.text(next) != self.text(part) {
                    self.push(FaultKind::WrongOrder, position, span, swapped);
                }
            }
        }
        let is_recursive = |part: ExprId| grammar.expr(part).kind == ExprKind::Rule(self.rule);
        if let Some(at) = parts.iter().position(|&part| is_recursive(part))
            && parts.len() > 1
        {
            let position = if at == 0 { Position::First } else { Position::Later };
            self.push(FaultKind::ShorterList, position, self.span(parts[at]), String::new());
        }
    }

    fn optional(&mut self, parts: &[ExprId], at: usize, end: Span) {
        let kind = FaultKind::GratuitousOptional;
        if self.grammar.notation() == Notation::Yacc {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let texts: Vec<_> = others.map(|(_, &part)| self.text(part).to_owned()).collect();
            self.push(kind, Position::Alternative, end, format!(" | {}", texts.join(" ")));
        } else {
            let text = format!("({})?", self.text(parts[at]));
            let position = if at == 0 { Position::First } else { Position::Later };
            self.push(kind, position, self.span(parts[at]), text);
        }
    }

    fn part(&mut self, part: ExprId, position: Position) {
        let grammar = self.grammar;
        let span = self.span(part);
        match &grammar.expr(part).kind {
            ExprKind::Terminal(_) if span.start < span.end => {
                let old = self.text(part).to_owned();
                for token in self.tokens(SWAPPED, part).into_iter().filter(|token| *token != old) {
                    self.push(FaultKind::SwappedToken, position, span, token);
                }
            }
            ExprKind::Rule(rule) => {
                for (above, name) in self.more_general(*rule) {
                    if above != self.rule {
                        self.push(FaultKind::OverGeneralized, position, span, name);
                    }
                }
            }
            ExprKind::Repeat { max: None, .. } => {
                let text = self.text(part);
                let shorter = match text.chars().next_back() {
                    Some('*') => format!("{}?", &text[..text.len() - 1]),
                    Some('+') => text[..text.len() - 1].to_owned(),
                    _ => return,
                };
                self.push(FaultKind::ShorterList, position, span, shorter);
            }
            _ => {}
        }
    }

    /// The rules that derive another rule and more, in one step.
    fn more_general(&self, rule: RuleId) -> Vec<(RuleId, String)> {
        let grammar = self.grammar;
        let derives = |body: ExprId| match &grammar.expr(body).kind {
            ExprKind::Alternation(alternatives) => {
                let is_it = |expr: ExprId| grammar.expr(expr).kind == ExprKind::Rule(rule);
                alternatives.len() > 1 && alternatives.iter().any(|branch| is_it(branch.expr))
            }
            _ => false,
        };
        grammar
            .syntax_rules()
            .filter(|(_, above)| derives(above.body))
            .map(|(id, above)| (id, above.name.to_string()))
            .take(2)
            .collect()
    }
}
