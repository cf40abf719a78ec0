//! The edits of a tree.
//!
//! *Hoist*: a subtree becomes one of the subtrees below it that can stand in its place (see [`units`](super::units)).
//! Deleting an element of a list is a hoist, because lists are chains of nested subtrees of one symbol in the BNF core
//! (`x*` is Q: ε | Q x) and in left- and right-recursive rules: the chain with the element becomes the chain without
//! it. The links of a chain form a group. A hoist over all levels at once, from the topmost place, is tried too.
//!
//! *Shift*: in `x (sep x)*` the first element stands outside of the chain; it is deleted by putting a later one in its
//! place.
//!
//! *Cheapest*: a subtree becomes the cheapest yield of its symbol, or the cheapest with one of its productions.
//!
//! *Copy*: a subtree becomes a smaller one of the same symbol from elsewhere. *Move*: a part that can go leaves one of
//! its subtrees, which takes the place of its left neighbour: `f(x)` becomes `x` where a name is needed.
//!
//! Near-linear in the tree.
//!
//! Example, with `list: "[" NUM ("," NUM)* "]"`: the nodes of the repetition in `[1,2,3]` are a chain with the links
//! `,3` and `,2`; any set of them can go. The first number goes by a shift: `1,` is removed.

use std::ops::Range;

use gramercy_base::{Id, Map, to_u32};
use gramercy_grammar::{Cfg, NonterminalId};

use super::document::{Document, Tools};
use super::plan::{Change, Edit, Plan};
use super::tree::Node;

/// Trees with more leaves get no edits but the most promising ones.
const MANY_LEAVES: usize = 4000;
/// Trees with more leaves get no copies.
const COPIED_LEAVES: usize = 400;

/// All edits of a document's tree.
pub(super) fn of_tree(tools: &mut Tools<'_>, document: &Document) -> Plan {
    let hoists = Hoists::of(tools, document);
    let mut singles = Vec::new();
    let groups = hoists.chains(document, &mut singles);
    hoists.others(document, &mut singles);
    tokens(tools, document, &mut singles);
    shifts(tools, document, &hoists, &mut singles);
    cheapest(tools, document, &mut singles);
    if document.leaves.len() <= COPIED_LEAVES {
        copies(tools, document, &mut singles);
        moves(tools, document, &hoists, &mut singles);
        super::coupled::names(document, &hoists.up, &mut singles);
    }
    Plan::new(groups, singles)
}

/// For every node, which subtrees above it could become it.
struct Hoists {
    /// The nearest node above that it can replace, with more leaves.
    up: Vec<Option<u32>>,
    /// The nearest one of the same symbol.
    same: Vec<Option<u32>>,
    /// The topmost one.
    top: Vec<Option<u32>>,
}

impl Hoists {
    fn of(tools: &Tools<'_>, document: &Document) -> Self {
        let nodes = &document.tree.nodes;
        let none = || vec![None; nodes.len()];
        let mut made = Self { up: none(), same: none(), top: none() };
        // The nodes of each symbol that are open, from the root down.
        let mut open: Vec<Vec<u32>> = vec![Vec::new(); tools.language.bnf().nonterminal_count()];
        let mut path: Vec<u32> = Vec::new();
        for (at, node) in (0u32..).zip(nodes) {
            close(nodes, &mut path, &mut open, |node| node.end <= at);
            let wider = |&above: &u32| nodes[above as usize].leaves() != node.leaves();
            for &symbol in tools.units.above(node.symbol) {
                let nearest = open[symbol.index()].iter().rev().copied().find(wider);
                made.up[at as usize] = made.up[at as usize].max(nearest);
                if symbol == node.symbol {
                    made.same[at as usize] = nearest;
                }
                let first = open[symbol.index()].first().copied().filter(wider);
                let top = &mut made.top[at as usize];
                *top = match (*top, first) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
            }
            path.push(at);
            open[node.symbol.index()].push(at);
        }
        made
    }

    /// Groups of links, each along the heaviest way down; hoists that leave such a way are single edits.
    fn chains(&self, document: &Document, singles: &mut Vec<Edit>) -> Vec<Vec<Edit>> {
        let nodes = &document.tree.nodes;
        let mut heavy: Vec<Option<u32>> = vec![None; nodes.len()];
        let size = |node: u32| nodes[node as usize].leaves().len();
        for (at, up) in (0u32..).zip(&self.up) {
            let Some(up) = *up else { continue };
            let known = &mut heavy[up as usize];
            if known.is_none_or(|known| size(at) > size(known)) {
                *known = Some(at);
            }
        }
        let mut groups = Vec::new();
        let mut is_linked = vec![false; nodes.len()];
        for start in 0..nodes.len() {
            if is_linked[start] {
                continue;
            }
            let (mut group, mut at) = (Vec::new(), start);
            while let Some(next) = heavy[at] {
                let next = next as usize;
                is_linked[next] = true;
                // A node of the same leaves is linked to what is above it already.
                group.extend(keep(document, &nodes[at], &nodes[next]));
                at = next;
            }
            if !group.is_empty() {
                groups.push(group);
            }
        }
        let mut last: Option<(Range<u32>, Range<u32>)> = None;
        for (at, up) in self.up.iter().enumerate() {
            let Some(up) = up.filter(|_| !is_linked[at]) else { continue };
            let pair = (nodes[up as usize].leaves(), nodes[at].leaves());
            if last.as_ref() != Some(&pair) {
                singles.extend(keep(document, &nodes[up as usize], &nodes[at]));
                last = Some(pair);
            }
        }
        groups
    }

    /// Hoists to the nearest place of the same symbol, and to the topmost place, where these are others.
    fn others(&self, document: &Document, singles: &mut Vec<Edit>) {
        let nodes = &document.tree.nodes;
        for above in [&self.same, &self.top] {
            let mut last: Option<(Range<u32>, Range<u32>)> = None;
            for (at, place) in above.iter().enumerate() {
                let Some(place) = place.filter(|&place| self.up[at] != Some(place)) else {
                    continue;
                };
                let pair = (nodes[place as usize].leaves(), nodes[at].leaves());
                if last.as_ref() != Some(&pair) {
                    singles.extend(keep(document, &nodes[place as usize], &nodes[at]));
                    last = Some(pair);
                }
            }
        }
    }
}

/// The hoist of one node to the place of another.
fn keep(document: &Document, outer: &Node, inner: &Node) -> Option<Edit> {
    let gain = document.len(&outer.leaves()) - document.len(&inner.leaves());
    let inner = match inner.is_empty() {
        true => outer.first..outer.first,
        false => inner.leaves(),
    };
    (outer.leaves() != inner)
        .then(|| Edit::new(Change::Keep { outer: outer.leaves(), inner }, gain))
}

/// Hoists of single tokens: to the nearest and to the topmost place where they can stand alone.
fn tokens(tools: &Tools<'_>, document: &Document, singles: &mut Vec<Edit>) {
    let nodes = &document.tree.nodes;
    let mut open: Vec<Vec<u32>> = vec![Vec::new(); tools.language.bnf().nonterminal_count()];
    let mut path: Vec<u32> = Vec::new();
    let mut next = 0;
    for (leaf, token) in (0u32..).zip(&document.leaves) {
        while next < nodes.len() && nodes[next].first <= leaf {
            let at = to_u32(next);
            close(nodes, &mut path, &mut open, |node| node.end <= at);
            path.push(at);
            open[nodes[next].symbol.index()].push(at);
            next += 1;
        }
        close(nodes, &mut path, &mut open, |node| node.last <= leaf);
        let is_wider = |&above: &u32| nodes[above as usize].leaves().len() > 1;
        let places = tools.units.above_terminal(token.terminal).iter();
        let places = places.map(|symbol| &open[symbol.index()]).filter(|open| !open.is_empty());
        let (mut nearest, mut top) = (None, None);
        for open in places {
            nearest = nearest.max(open.iter().rev().copied().find(is_wider));
            let first = open.first().copied().filter(is_wider);
            top = match (top, first) {
                (Some(a), Some(b)) => Some(u32::min(a, b)),
                (a, b) => a.or(b),
            };
        }
        let once = top.filter(|_| top != nearest);
        for place in nearest.into_iter().chain(once) {
            let outer = nodes[place as usize].leaves();
            let inner = leaf..leaf + 1;
            let gain = document.len(&outer) - document.len(&inner);
            singles.push(Edit::new(Change::Keep { outer, inner }, gain));
        }
    }
}

/// Closes nodes at the end of a path.
fn close(
    nodes: &[Node],
    path: &mut Vec<u32>,
    open: &mut [Vec<u32>],
    is_over: impl Fn(&Node) -> bool,
) {
    while let Some(&last) = path.last()
        && is_over(&nodes[last as usize])
    {
        path.pop();
        open[nodes[last as usize].symbol.index()].pop();
    }
}

/// Deletions of the first or last elements of lists that stand outside of the chain of the others.
fn shifts(tools: &Tools<'_>, document: &Document, hoists: &Hoists, singles: &mut Vec<Edit>) {
    let nodes = &document.tree.nodes;
    // Nodes by their last and by their first leaf, the largest first.
    let mut ending: Map<u32, Vec<u32>> = Map::default();
    let mut beginning: Map<u32, Vec<u32>> = Map::default();
    for (at, node) in (0u32..).zip(nodes).filter(|(_, node)| !node.is_empty()) {
        ending.entry(node.last).or_default().push(at);
        beginning.entry(node.first).or_default().push(at);
    }
    let none = Vec::new();
    let at = |map: &'_ Map<u32, Vec<u32>>, leaf: u32| map.get(&leaf).unwrap_or(&none).clone();
    for (inner, up) in hoists.up.iter().enumerate() {
        let Some(up) = *up else { continue };
        let (outer, inner) = (&nodes[up as usize], &nodes[inner]);
        if outer.symbol != inner.symbol {
            continue;
        }
        // The first element stands before the whole chain.
        if inner.first == outer.first && inner.is_empty() {
            let heads = at(&ending, outer.first);
            let elements = at(&ending, outer.last);
            let pair = fitting(tools, nodes, &heads, &elements, |element| {
                element.first > outer.first && element.last == outer.last
            });
            if let Some((head, element)) = pair {
                let removed = head.first..element.first;
                singles.extend(remove(document, removed));
            }
        }
        // The last element stands after the whole chain.
        if inner.first == outer.first {
            let tails = at(&beginning, outer.last);
            let elements = at(&beginning, inner.last.max(outer.first));
            let pair = fitting(tools, nodes, &tails, &elements, |element| {
                element.last < outer.last && element.first >= outer.first
            });
            if let Some((tail, element)) = pair {
                singles.extend(remove(document, element.last..tail.last));
            }
        }
    }
}

/// A part that can go leaves one of its subtrees, which takes the place of what stands before the part.
fn moves(tools: &Tools<'_>, document: &Document, hoists: &Hoists, singles: &mut Vec<Edit>) {
    let nodes = &document.tree.nodes;
    let mut ending: Map<u32, Vec<usize>> = Map::default();
    for (at, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_empty()) {
        ending.entry(node.last).or_default().push(at);
    }
    for (inner, up) in hoists.up.iter().enumerate() {
        let Some(up) = up.map(|up| up as usize) else { continue };
        let (outer, inner) = (&nodes[up], &nodes[inner]);
        let from = match inner.is_empty() {
            true => outer.first,
            false if inner.first == outer.first => inner.last,
            false => continue,
        };
        let Some(before) = ending.get(&from) else { continue };
        let part = nodes[up + 1..outer.end as usize].iter().filter(|node| node.first >= from);
        let mut last: Option<Range<u32>> = None;
        for moved in part.filter(|node| !node.is_empty()) {
            let fits = |at: &&usize| tools.units.allows(nodes[**at].symbol, moved.symbol);
            if last.as_ref() == Some(&moved.leaves()) {
                continue;
            }
            if let Some(&place) = before.iter().find(fits) {
                last = Some(moved.leaves());
                let (outer, inner) = (nodes[place].first..outer.last, moved.leaves());
                let gain = document.len(&outer) - document.len(&inner);
                let edit = Edit::new(Change::Keep { outer, inner }, gain);
                singles.push(edit.doubted(DOUBT_COPIES));
            }
        }
    }
}

/// The first pair of a neighbour and an element such that the element can take the neighbour's place.
fn fitting<'n>(
    tools: &Tools<'_>,
    nodes: &'n [Node],
    neighbours: &[u32],
    elements: &[u32],
    is_inside: impl Fn(&Node) -> bool,
) -> Option<(&'n Node, &'n Node)> {
    elements.iter().map(|&at| &nodes[at as usize]).filter(|node| is_inside(node)).find_map(
        |element| {
            let fits = |node: &&Node| tools.units.allows(node.symbol, element.symbol);
            let found = neighbours.iter().map(|&at| &nodes[at as usize]).find(fits);
            found.map(|neighbour| (neighbour, element))
        },
    )
}

fn remove(document: &Document, leaves: Range<u32>) -> Option<Edit> {
    let gain = document.len(&leaves);
    let inner = leaves.start..leaves.start;
    (!leaves.is_empty()).then(|| Edit::new(Change::Keep { outer: leaves, inner }, gain))
}

/// Replacements by cheapest yields. Of nodes with the same leaves the topmost has all choices of the others.
fn cheapest(tools: &Tools<'_>, document: &Document, singles: &mut Vec<Edit>) {
    let cfg: &Cfg = tools.language.bnf();
    let with_all = document.leaves.len() <= MANY_LEAVES;
    let mut last: Option<Range<u32>> = None;
    for node in document.tree.nodes.iter().filter(|node| !node.is_empty()) {
        if last.as_ref() == Some(&node.leaves()) {
            continue;
        }
        last = Some(node.leaves());
        let size = document.len(&node.leaves()) as u64;
        let best = tools.yields.production(node.symbol);
        for &production in cfg.productions_of(node.symbol) {
            let is_best = best == Some(production);
            if !is_best && !with_all {
                continue;
            }
            let Some(bytes) = tools.yields.bytes_of(cfg, production) else { continue };
            if bytes < size {
                let gain = usize::try_from(size - bytes).unwrap_or(usize::MAX);
                let edit = Edit::new(Change::Cheapest(node.leaves(), production), gain);
                singles.push(if is_best { edit } else { edit.doubted(DOUBT_OTHERS) });
            }
        }
    }
}

/// Other productions than the cheapest are tried after it.
const DOUBT_OTHERS: f32 = 0.5;
/// Copies seldom help where nothing else does.
const DOUBT_COPIES: f32 = 1.5;

/// Replacements by the smallest other subtree of the same symbol.
fn copies(tools: &Tools<'_>, document: &Document, singles: &mut Vec<Edit>) {
    let nodes = &document.tree.nodes;
    let mut smallest: Map<NonterminalId, Vec<&Node>> = Map::default();
    for node in nodes.iter().filter(|node| !node.is_empty()) {
        smallest.entry(node.symbol).or_default().push(node);
    }
    #[expect(clippy::iter_over_hash_type, reason = "every value is sorted by itself")]
    for known in smallest.values_mut() {
        known.sort_by_key(|node| (document.len(&node.leaves()), node.first));
    }
    let mut last: Option<Range<u32>> = None;
    for node in nodes.iter().filter(|node| node.last > node.first) {
        if last.as_ref() == Some(&node.leaves()) {
            continue;
        }
        last = Some(node.leaves());
        let size = document.len(&node.leaves());
        let cheapest = tools.yields.bytes(node.symbol).unwrap_or(0);
        let other = smallest[&node.symbol].iter().find(|other| {
            let is_below = node.first <= other.first && other.last <= node.last;
            !is_below && document.len(&other.leaves()) as u64 > cheapest
        });
        let Some(other) = other else { continue };
        let gain = size.saturating_sub(document.len(&other.leaves()));
        if gain > 0 {
            let edit = Edit::new(Change::Copy(node.leaves(), other.leaves()), gain);
            singles.push(edit.doubted(DOUBT_COPIES));
        }
    }
}
