//! Targets for people: readable patterns in the grammar's own words.
//!
//! A k-path becomes the rule that one gets by following it (Havrikov, Kampmann, Zeller, TOSEM, section 5.2): the alternative that
//! holds its first node, in which each node of the path is replaced by the part of its definition
//! that holds the next one. What lies beside the path stays as it is; choices on the path are made,
//! quotes are dropped: `MultExpr (* | / | %) ( AddExpr - MultExpr )`.

use gramercy_base::Span;
use gramercy_grammar::{
    AlternativeRef, ExprId, ExprKind, Grammar, GrammarGraph, NodeId, NodeKind, Origin,
    ProductionId, RuleId, Symbol, TerminalId, TerminalKind, quantifier,
};

use crate::criteria::bfs::PartialTree;
use crate::criteria::step::Chain;
use gramercy_language::Language;

/// The name of a symbol.
pub(crate) fn symbol(language: &Language, of: Symbol) -> &str {
    match of {
        Symbol::Nonterminal(id) => language.nonterminal_name(id),
        Symbol::Terminal(id) => &language.grammar().terminals()[id].name,
    }
}

/// Where a symbol is defined, or first used.
pub(crate) fn symbol_place(language: &Language, of: Symbol) -> Option<Span> {
    match of {
        Symbol::Terminal(id) => language.grammar().terminals()[id].span,
        Symbol::Nonterminal(id) => match language.bnf().nonterminals()[id].origin {
            Origin::Rule(rule) => Some(language.grammar().rules()[rule].span),
            Origin::Group(expr) | Origin::Repeat(expr) => Some(language.grammar().expr(expr).span),
            Origin::Start => None,
        },
    }
}

/// A production: `expr → expr + term`.
#[must_use]
pub fn production(language: &Language, id: ProductionId) -> String {
    with_parts(language, id, |_| None)
}

/// Where a production is written.
pub(crate) fn production_place(language: &Language, id: ProductionId) -> Option<Span> {
    match language.bnf().alternative(id) {
        Some(AlternativeRef { alternation, index }) => {
            match &language.grammar().expr(alternation).kind {
                ExprKind::Alternation(alternatives) => {
                    let expr = alternatives[index as usize].expr;
                    Some(language.grammar().expr(expr).span)
                }
                other => unreachable!("invariant: {other:?} is an alternation"),
            }
        }
        None => symbol_place(language, Symbol::Nonterminal(language.bnf().lhs(id))),
    }
}

/// A chain of productions, each in brackets where it expands the one before.
pub(crate) fn chain(language: &Language, chain: &Chain) -> String {
    let mut text = production(language, chain.last);
    for step in chain.steps.iter().rev() {
        text = with_parts(language, step.production, |position| {
            (position == step.position).then(|| format!("[{text}]"))
        });
    }
    text
}

/// The productions of several levels, each in brackets where it expands the one above.
pub(crate) fn shape(language: &Language, shape: &PartialTree) -> String {
    let mut below = shape.below.iter();
    let texts: Vec<_> = language
        .bnf()
        .rhs(shape.production)
        .iter()
        .map(|of| match of {
            Symbol::Terminal(_) => None,
            Symbol::Nonterminal(_) => {
                below.next().map(|below| format!("[{}]", self::shape(language, below)))
            }
        })
        .collect();
    with_parts(language, shape.production, |position| texts[position].clone())
}

fn with_parts(
    language: &Language,
    id: ProductionId,
    replaced: impl Fn(usize) -> Option<String>,
) -> String {
    let mut text = language.nonterminal_name(language.bnf().lhs(id)).to_owned();
    text.push_str(" →");
    for (position, &of) in language.bnf().rhs(id).iter().enumerate() {
        text.push(' ');
        match replaced(position) {
            Some(part) => text.push_str(&part),
            None => text.push_str(symbol(language, of)),
        }
    }
    if language.bnf().rhs(id).is_empty() {
        text.push_str(" ε");
    }
    text
}

/// A path of symbolic nodes, as the pattern that following it gives.
///
/// # Panics
/// If the path is empty.
#[must_use]
pub fn of_path(language: &Language, nodes: &[NodeId]) -> String {
    let first = nodes.first().expect("invariant: a path has nodes");
    path(language.grammar(), language.graph(), language.rule_of(*first), nodes)
}

/// A path of symbolic nodes, the first of which stands in a rule.
pub(crate) fn path(
    grammar: &Grammar,
    graph: &GrammarGraph,
    rule: RuleId,
    path: &[NodeId],
) -> String {
    let Some((&first, rest)) = path.split_first() else {
        return String::new();
    };
    let pattern = Pattern { grammar, graph };
    pattern.expr(grammar.rules()[rule].body, Some((first, rest)), Outer::Rule)
}

/// A path in a few words: each rule by its name, with the symbols beside the path, and in brackets what the path
/// leads to.
///
/// In `s := "a" t | "b"; t := "c" | "d" t;` the path from the first `t` to `"d"` is `s: a [t: d t]`.
pub(crate) fn outline(
    grammar: &Grammar,
    graph: &GrammarGraph,
    rule: RuleId,
    path: &[NodeId],
) -> String {
    let pattern = Pattern { grammar, graph };
    let (mut head, mut tail, mut rule) = (String::new(), String::new(), Some(rule));
    for (at, &node) in path.iter().enumerate() {
        let Some(of) = rule else { break };
        let (before, after) = pattern.beside(grammar.rules()[of].body, node);
        head.push_str(&format!("{}: {before}", grammar.rules()[of].name));
        let mut after = after;
        rule = match graph.kind(node) {
            NodeKind::Reference(next) if at + 1 < path.len() => {
                head.push('[');
                after.insert(0, ']');
                Some(next)
            }
            NodeKind::Reference(last) => {
                head.push_str(&grammar.rules()[last].name);
                None
            }
            _ => {
                head.push_str(&pattern.expr_of(node));
                None
            }
        };
        tail.insert_str(0, &after);
    }
    head + &tail
}

/// The most characters of a description in a list.
const LISTED: usize = 100;
/// The most characters of a symbol beside what matters.
const BESIDE: usize = 24;

/// A description on one line: without line breaks, and in the middle of a long one the innermost production, which
/// is what a target is about.
pub(crate) fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.chars().count() <= LISTED {
        return line;
    }
    let (left, right) = match line.rfind('→') {
        Some(arrow) => (line[..arrow].trim_end(), line[arrow..].trim_start()),
        None => ("", line.as_str()),
    };
    let left = match left.rfind('[') {
        Some(bracket) => {
            format!("{} … {}", cut(&left[..bracket], BESIDE), cut(&left[bracket..], BESIDE))
        }
        None => cut(left, BESIDE + BESIDE / 2),
    };
    let space = if left.is_empty() { "" } else { " " };
    format!("{left}{space}{}", cut(right, LISTED.saturating_sub(left.chars().count())))
}

/// The first characters of a text, with a mark where it goes on.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The nodes of a path still to come.
type Focus<'p> = (NodeId, &'p [NodeId]);

/// What an expression stands in, which decides about parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Outer {
    Rule,
    Part,
}

struct Pattern<'p> {
    grammar: &'p Grammar,
    graph: &'p GrammarGraph,
}

impl Pattern<'_> {
    /// An expression; with a focus, only the branch that holds it.
    fn expr(&self, id: ExprId, focus: Option<Focus<'_>>, outer: Outer) -> String {
        let focus = focus.filter(|&(node, _)| self.holds(id, node));
        if let Some((node, rest)) = focus
            && self.graph.node_of(id) == Some(node)
            && self.graph.kind(node).is_symbolic()
            && !matches!(self.grammar.expr(id).kind, ExprKind::Alternation(_))
        {
            return self.node(node, rest);
        }
        match &self.grammar.expr(id).kind {
            ExprKind::Alternation(alternatives) => {
                let branches = alternatives.iter().map(|alternative| alternative.expr);
                let mut branches: Vec<_> = branches.collect();
                if let Some((node, _)) = focus {
                    let chosen = branches.iter().position(|&branch| self.holds(branch, node));
                    branches = vec![branches[chosen.expect("invariant: one branch holds it")]];
                }
                match branches[..] {
                    [only] => self.expr(only, focus, outer),
                    _ => {
                        let texts: Vec<_> =
                            branches.iter().map(|&b| self.expr(b, None, Outer::Rule)).collect();
                        match outer {
                            Outer::Rule => texts.join(" | "),
                            Outer::Part => format!("({})", texts.join(" | ")),
                        }
                    }
                }
            }
            ExprKind::Sequence(items) => {
                let texts: Vec<_> =
                    items.iter().map(|&item| self.expr(item, focus, Outer::Part)).collect();
                texts.join(" ")
            }
            &ExprKind::Repeat { body, min, max, .. } => {
                if focus.is_some() {
                    return self.expr(body, focus, outer);
                }
                let inner = self.expr(body, None, Outer::Part);
                let is_long = matches!(self.grammar.expr(body).kind, ExprKind::Sequence(_));
                let inner = if is_long { format!("({inner})") } else { inner };
                format!("{inner}{}", quantifier(min, max))
            }
            ExprKind::Rule(rule) => self.grammar.rules()[*rule].name.to_string(),
            ExprKind::Terminal(terminal) => self.terminal(*terminal),
            ExprKind::Commands(_) => String::new(),
        }
    }

    /// What stands directly before and after a node in the innermost sequence that holds it.
    fn beside(&self, body: ExprId, node: NodeId) -> (String, String) {
        let (mut id, mut around) = (body, None);
        let (mut more_before, mut more_behind) = (false, false);
        loop {
            let is_leaf = matches!(
                self.grammar.expr(id).kind,
                ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_)
            );
            if is_leaf || !self.holds(id, node) {
                break;
            }
            match &self.grammar.expr(id).kind {
                ExprKind::Alternation(branches) => {
                    let branch = branches.iter().find(|branch| self.holds(branch.expr, node));
                    let Some(branch) = branch else { break };
                    id = branch.expr;
                }
                &ExprKind::Repeat { body, .. } => id = body,
                ExprKind::Sequence(items) => {
                    let Some(at) = items.iter().position(|&item| self.holds(item, node)) else {
                        break;
                    };
                    if around.is_some() {
                        (more_before, more_behind) = (true, true);
                    }
                    around = Some((items, at));
                    id = items[at];
                }
                ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => break,
            }
        }
        let Some((items, at)) = around else { return (String::new(), String::new()) };
        let near = |item: ExprId| {
            let text = shortened(&self.expr(item, None, Outer::Part));
            if text.chars().count() > BESIDE { "…".to_owned() } else { text }
        };
        let is_shown =
            |&item: &ExprId| !matches!(self.grammar.expr(item).kind, ExprKind::Commands(_));
        let before: Vec<ExprId> = items[..at].iter().copied().filter(is_shown).collect();
        let behind: Vec<ExprId> = items[at + 1..].iter().copied().filter(is_shown).collect();
        let mut left = before.last().map_or(String::new(), |&item| near(item) + " ");
        if (before.len() > 1 || more_before) && !left.starts_with('…') {
            left.insert_str(0, "… ");
        }
        let mut right = behind.first().map_or(String::new(), |&item| format!(" {}", near(item)));
        if (behind.len() > 1 || more_behind) && !right.ends_with('…') {
            right.push_str(" …");
        }
        (left, right)
    }

    /// The text of a leaf.
    fn expr_of(&self, node: NodeId) -> String {
        match self.graph.kind(node) {
            NodeKind::Leaf(terminal) => self.terminal(terminal),
            _ => String::new(),
        }
    }

    /// A node of the path: itself if it is the last, else the part of its definition that holds
    /// the next.
    fn node(&self, node: NodeId, rest: &[NodeId]) -> String {
        match (self.graph.kind(node), rest) {
            (NodeKind::Leaf(terminal), _) => self.terminal(terminal),
            (NodeKind::Reference(rule), []) => self.grammar.rules()[rule].name.to_string(),
            (NodeKind::Reference(rule), [next, after @ ..]) => {
                let body = self.grammar.rules()[rule].body;
                self.expr(body, Some((*next, after)), Outer::Part)
            }
            (other, _) => unreachable!("invariant: {other:?} is symbolic"),
        }
    }

    /// Whether a node lies in an expression.
    fn holds(&self, id: ExprId, node: NodeId) -> bool {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if self.graph.node_of(id) == Some(node) {
                return true;
            }
            match &self.grammar.expr(id).kind {
                ExprKind::Alternation(branches) => stack.extend(branches.iter().map(|b| b.expr)),
                ExprKind::Sequence(items) => stack.extend(items),
                ExprKind::Repeat { body, .. } => stack.push(*body),
                ExprKind::Rule(_) | ExprKind::Terminal(_) | ExprKind::Commands(_) => {}
            }
        }
        false
    }

    /// A terminal without its quotes.
    fn terminal(&self, id: TerminalId) -> String {
        let terminal = &self.grammar.terminals()[id];
        match &terminal.kind {
            kind if kind.is_empty() => "ε".to_owned(),
            TerminalKind::Literal(text) | TerminalKind::Token { text: Some(text), .. } => {
                text.escape_debug().to_string()
            }
            _ => terminal.name.to_string(),
        }
    }
}
