//! A derivation tree in the words of the grammar's author: rules and tokens, without the auxiliary
//! nonterminals. As indented text, as JSON, and as DOT. No form recurses on the depth of the tree.

use std::fmt::Write;

use gramercy::grammar::Origin;
use gramercy::parse::{Derivations, Derived, DerivedChild, DerivedId, TokenRange, TokenSpan};
use gramercy::{Bnf, Grammar};

/// The maximum indentation in levels; deeper nodes show their depth as a number.
const INDENTED: usize = 40;

/// A tree over a text.
pub(crate) struct TreeView<'t> {
    pub(crate) grammar: &'t Grammar,
    pub(crate) bnf: &'t Bnf,
    pub(crate) tree: &'t Derivations,
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [TokenSpan],
}

/// What a walk over a tree meets, parents first, left to right.
enum Step<'t> {
    Enter(Inner<'t>),
    Leaf { name: &'t str, text: &'t str, byte: usize },
    Leave,
}

/// A node of a rule.
struct Inner<'t> {
    rule: &'t str,
    /// The name that the author gave to the alternative.
    alternative: Option<&'t str>,
    bytes: std::ops::Range<usize>,
}

enum Task {
    Child(DerivedChild),
    Leave,
}

/// The number of first and of last parts that a node's outline shows.
const ENDS: usize = 20;

impl<'t> TreeView<'t> {
    /// As indented text.
    pub(crate) fn to_text(&self) -> String {
        let (mut out, mut depth) = (String::new(), 0usize);
        self.walk(|step| match step {
            Step::Enter(node) => {
                indent(&mut out, depth);
                out.push_str(node.rule);
                if let Some(name) = node.alternative {
                    let _ = write!(out, " # {name}");
                }
                out.push('\n');
                depth += 1;
            }
            Step::Leaf { name, text, .. } => {
                indent(&mut out, depth);
                let is_itself = name.len() == text.len() + 2 && name.contains(text);
                let _ = match is_itself {
                    true => writeln!(out, "{name}"),
                    false => writeln!(out, "{name} {text:?}"),
                };
            }
            Step::Leave => depth -= 1,
        });
        out
    }

    /// As JSON on one line.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        let mut is_first = true;
        self.walk(|step| {
            let comma = if is_first { "" } else { "," };
            let _ = match step {
                Step::Enter(Inner { rule, alternative, bytes }) => {
                    is_first = true;
                    let named = alternative
                        .map_or(String::new(), |name| format!(",\"alternative\":{}", quoted(name)));
                    write!(
                        out,
                        "{comma}{{\"rule\":{}{named},\"byte\":{},\"length\":{},\"children\":[",
                        quoted(rule),
                        bytes.start,
                        bytes.len(),
                    )
                }
                Step::Leaf { name, text, byte } => {
                    is_first = false;
                    let (name, text) = (quoted(name), quoted(text));
                    write!(out, "{comma}{{\"token\":{name},\"text\":{text},\"byte\":{byte}}}")
                }
                Step::Leave => {
                    is_first = false;
                    write!(out, "]}}")
                }
            };
        });
        out
    }

    /// As a DOT graph.
    pub(crate) fn to_dot(&self) -> String {
        let mut out = String::from("digraph tree {\n  node [shape=plaintext];\n");
        let (mut open, mut next): (Vec<usize>, usize) = (Vec::new(), 0);
        self.walk(|step| {
            let (label, is_inner) = match step {
                Step::Leave => {
                    open.pop();
                    return;
                }
                Step::Enter(Inner { rule, .. }) => (rule.to_owned(), true),
                Step::Leaf { text, .. } => (format!("{text:?}"), false),
            };
            let label = label.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(out, "  n{next} [label=\"{label}\"];");
            if let Some(above) = open.last() {
                let _ = writeln!(out, "  n{above} -> n{next};");
            }
            if is_inner {
                open.push(next);
            }
            next += 1;
        });
        out.push_str("}\n");
        out
    }

    /// A node in one line: its rule, and what each part of it spans; the middle of what is long is
    /// left out.
    pub(crate) fn outline(&self, node: DerivedId) -> String {
        let mut line = format!("{} →", self.name(node));
        let way = self.tree.ways(node).next().expect("invariant: a tree's node has one way");
        let left_out = ENDS..way.parts.len().saturating_sub(ENDS);
        for (at, part) in way.parts.iter().enumerate() {
            if left_out.contains(&at) {
                line.push_str(if at == left_out.start { " …" } else { "" });
                continue;
            }
            let (name, range) = match *part {
                DerivedChild::Terminal(terminal, range) => {
                    (&*self.grammar.terminals()[terminal].name, range)
                }
                DerivedChild::Node(node) => (self.name(node), self.tree.range(node)),
            };
            let text = &self.text[self.bytes(range)];
            let is_itself = name.len() == text.len() + 2 && name.contains(text);
            let _ = match (is_itself || name == text, *part) {
                (true, DerivedChild::Terminal(..)) => write!(line, " {name}"),
                _ => write!(line, " {name}‹{}›", abridged(text)),
            };
        }
        if way.parts.is_empty() {
            line.push_str(" ε");
        }
        line
    }

    /// What a node derives, by the name that the grammar's author knows.
    pub(crate) fn name(&self, node: DerivedId) -> &'t str {
        let Derived::Nonterminal(id) = self.tree.label(node) else {
            unreachable!("invariant: a tree has no prefixes");
        };
        match self.bnf.nonterminals()[id].origin {
            Origin::Group(expr) | Origin::Repeat(expr) => {
                self.grammar.sources().text(self.grammar.expr(expr).span)
            }
            Origin::Rule(rule) => &self.grammar.rules()[rule].name,
            Origin::Start => &self.grammar.rules()[self.grammar.start()].name,
        }
    }

    /// The bytes of a range of tokens.
    pub(crate) fn bytes(&self, range: TokenRange) -> std::ops::Range<usize> {
        let start = self.tokens.get(range.start as usize).map(|token| token.start as usize);
        match range.end {
            end if end == range.start => {
                let at = start.unwrap_or(self.text.len());
                at..at
            }
            end => start.unwrap_or(0)..self.tokens[end as usize - 1].end as usize,
        }
    }

    /// The leaves, each with the terminal's name, its text and where it begins.
    pub(crate) fn for_each_leaf(&self, mut visit: impl FnMut(&'t str, &'t str, usize)) {
        self.walk(|step| {
            if let Step::Leaf { name, text, byte } = step {
                visit(name, text, byte);
            }
        });
    }

    fn walk(&self, mut visit: impl FnMut(Step<'t>)) {
        let mut stack = vec![Task::Child(DerivedChild::Node(self.tree.root()))];
        while let Some(task) = stack.pop() {
            match task {
                Task::Leave => visit(Step::Leave),
                Task::Child(DerivedChild::Terminal(terminal, range)) => {
                    let bytes = self.bytes(range);
                    let name = &self.grammar.terminals()[terminal].name;
                    visit(Step::Leaf { name, byte: bytes.start, text: &self.text[bytes] });
                }
                Task::Child(DerivedChild::Node(node)) => {
                    if let Some(inner) = self.inner(node) {
                        visit(Step::Enter(inner));
                        stack.push(Task::Leave);
                    }
                    let way = self.tree.ways(node).next();
                    let way = way.expect("invariant: a tree's node has one way");
                    stack.extend(way.parts.iter().rev().copied().map(Task::Child));
                }
            }
        }
    }

    /// The node of a rule; auxiliary nodes stand for their parts.
    fn inner(&self, node: DerivedId) -> Option<Inner<'t>> {
        let Derived::Nonterminal(id) = self.tree.label(node) else { return None };
        let Origin::Rule(rule) = self.bnf.nonterminals()[id].origin else { return None };
        let way = self.tree.ways(node).next().expect("invariant: a tree's node has one way");
        let attributes = self.bnf.attributes(self.grammar, way.production);
        Some(Inner {
            rule: &self.grammar.rules()[rule].name,
            alternative: attributes.and_then(|attributes| attributes.label.as_deref()),
            bytes: self.bytes(self.tree.range(node)),
        })
    }
}

fn indent(out: &mut String, depth: usize) {
    match depth {
        depth if depth <= INDENTED => out.extend(std::iter::repeat_n("  ", depth)),
        depth => {
            let _ = write!(out, "{}[{depth}] ", "  ".repeat(INDENTED));
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text on one line, without its middle if it is long.
fn abridged(text: &str) -> String {
    const ENDS: usize = 30;
    let first = text.char_indices().nth(ENDS).map_or(text.len(), |(end, _)| end);
    let last = text.char_indices().rev().nth(ENDS - 1).map_or(0, |(start, _)| start);
    if first < last {
        format!("{}…{}", text[..first].escape_debug(), text[last..].escape_debug())
    } else {
        text.escape_debug().to_string()
    }
}
