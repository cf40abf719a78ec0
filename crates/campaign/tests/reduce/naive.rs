//! A slow check that a text is 1-minimal: every single edit is made by hand, and read by the parser.

use gramercy_grammar::{NonterminalId, Symbol};
use gramercy_language::Language;
use gramercy_parse::{Derivations, Derived, DerivedChild, DerivedId};

/// The first single edit after which a text is shorter, still in the language and still interesting.
pub(crate) fn smaller(
    language: &Language,
    text: &str,
    is_interesting: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let parser = language.parser().expect("there is a parser");
    let mut workspace = parser.workspace();
    edits(language, text).into_iter().find(|edited| {
        edited.len() < text.len()
            && parser.recognize(&mut workspace, edited).is_ok()
            && is_interesting(edited)
    })
}

/// A node with the bytes it spans and those of its ancestors.
struct Placed {
    symbol: NonterminalId,
    start: usize,
    end: usize,
    /// Indices of the nodes above, the nearest first.
    above: Vec<usize>,
}

/// Texts after single edits: hoists, cheapest yields of single letters, removals of tokens and of characters.
fn edits(language: &Language, text: &str) -> Vec<String> {
    let parser = language.parser().expect("there is a parser");
    let read = parser.preferred(&mut parser.workspace(), text).expect("it is in the language");
    let byte = |token: u32| match read.tokens.get(token as usize) {
        Some(token) => token.start as usize,
        None => text.len(),
    };
    let end = |token: u32| match token.checked_sub(1) {
        Some(last) => read.tokens[last as usize].end as usize,
        None => 0,
    };
    let mut nodes = Vec::new();
    collect(&read.tree, read.tree.root(), &mut Vec::new(), &mut nodes, &|range| {
        (byte(range.0), end(range.1))
    });
    let without = |from: usize, to: usize| format!("{}{}", &text[..from], &text[to..]);
    let mut made = Vec::new();
    for node in &nodes {
        let same = node.above.iter().map(|&at| &nodes[at]);
        let nearest = same.into_iter().find(|above| {
            above.symbol == node.symbol && (above.start, above.end) != (node.start, node.end)
        });
        if let Some(above) = nearest
            && node.start <= node.end
        {
            made.push(format!(
                "{}{}{}",
                &text[..above.start],
                &text[node.start..node.end],
                &text[above.end..]
            ));
        }
        if node.start < node.end {
            for letters in productions_of_letters(language, node.symbol) {
                made.push(format!("{}{letters}{}", &text[..node.start], &text[node.end..]));
            }
        }
    }
    for token in &read.tokens {
        made.push(without(token.start as usize, token.end as usize));
    }
    for (at, c) in text.char_indices() {
        made.push(without(at, at + c.len_utf8()));
    }
    made
}

/// Yields of the productions of a symbol that consist of terminals only.
fn productions_of_letters(language: &Language, symbol: NonterminalId) -> Vec<String> {
    let bnf = language.bnf();
    let text = |symbol: &Symbol| match symbol {
        Symbol::Terminal(id) => {
            Some(language.grammar().terminals()[*id].name.trim_matches('"').to_owned())
        }
        Symbol::Nonterminal(_) => None,
    };
    let productions = bnf.productions_of(symbol).iter();
    productions.filter_map(|&id| bnf.rhs(id).iter().map(text).collect::<Option<String>>()).collect()
}

fn collect(
    tree: &Derivations,
    node: DerivedId,
    path: &mut Vec<usize>,
    nodes: &mut Vec<Placed>,
    bytes: &dyn Fn((u32, u32)) -> (usize, usize),
) {
    let range = tree.range(node);
    let is_pushed = match tree.label(node) {
        Derived::Nonterminal(symbol) => {
            let (start, end) = bytes((range.start, range.end));
            let end = if range.start == range.end { start } else { end };
            let above = path.iter().rev().copied().collect();
            path.push(nodes.len());
            nodes.push(Placed { symbol, start, end, above });
            true
        }
        Derived::Prefix(..) => false,
    };
    let way = tree.ways(node).next().expect("a tree");
    if let Some(prefix) = way.prefix {
        collect(tree, prefix, path, nodes, bytes);
    }
    for part in way.parts {
        if let DerivedChild::Node(child) = part {
            collect(tree, *child, path, nodes, bytes);
        }
    }
    if is_pushed {
        path.pop();
    }
}
