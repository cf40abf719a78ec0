//! Deletions of several parts that need each other.
//!
//! *Names*: everything that mentions a name goes at once, its declaration and its uses: of every occurrence the
//! smallest part around it that can be deleted. *Pairs*: two tokens of one production, such as brackets.
//!
//! Example: in `int a; int b; f(a); g();` neither the declaration of `a` nor its use can go alone where undeclared
//! names and unused ones are errors; both go together.

use std::ops::Range;

use gramercy_base::IndexMap;

use super::document::Document;
use super::plan::{Change, Edit};

/// Names with more occurrences are left to other edits.
const MAX_OCCURRENCES: usize = 40;
/// Couples are tried after their parts.
const DOUBT: f32 = 0.7;

/// Deletions of all that mentions a name. `up` is, for every node, the nearest one above whose place it can take.
pub(super) fn names(document: &Document, up: &[Option<u32>], singles: &mut Vec<Edit>) {
    let nodes = &document.tree.nodes;
    // For every leaf the smallest part with it that can be deleted.
    let mut parts: Vec<Option<Range<u32>>> = vec![None; document.leaves.len()];
    let mut note = |range: Range<u32>| {
        for leaf in range.clone() {
            let known = &mut parts[leaf as usize];
            if known.as_ref().is_none_or(|known| range.len() < known.len()) {
                *known = Some(range.clone());
            }
        }
    };
    for (inner, outer) in up.iter().enumerate() {
        let Some(outer) = outer else { continue };
        let (outer, inner) = (&nodes[*outer as usize], &nodes[inner]);
        if inner.is_empty() {
            note(outer.leaves());
        } else if inner.first == outer.first {
            note(inner.last..outer.last);
        } else if inner.last == outer.last {
            note(outer.first..inner.first);
        }
    }
    let mut occurrences: IndexMap<&str, Vec<usize>> = IndexMap::default();
    for leaf in 0..document.leaves.len() {
        let text = document.lexeme(leaf);
        if text.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"') {
            occurrences.entry(text).or_default().push(leaf);
        }
    }
    for leaves in occurrences.values() {
        if !(2..=MAX_OCCURRENCES).contains(&leaves.len()) {
            continue;
        }
        let found: Option<Vec<Range<u32>>> =
            leaves.iter().map(|&leaf| parts[leaf].clone()).collect();
        let Some(removed) = found.map(disjoint) else { continue };
        if removed.len() < 2 {
            continue;
        }
        let gain = removed.iter().map(|range| document.len(range)).sum();
        singles.push(Edit::new(Change::Remove(removed.into()), gain).doubted(DOUBT));
    }
}

/// The union of ranges, in order.
fn disjoint(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_by_key(|range| range.start);
    let mut made: Vec<Range<u32>> = Vec::new();
    for range in ranges {
        match made.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => made.push(range),
        }
    }
    made
}
